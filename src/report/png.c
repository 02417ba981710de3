#include "report/png.h"

#include <stdlib.h>

enum {
	HEAD_BYTES = 33, /* the signature and the header chunk of every PNG */
	PROBE_MAX = 1 << 18
};

static const char signature[] = "\x89PNG\r\n\x1a\n";

/* A text chunk "Software: gpudx": length, type, content, CRC-32 of the two. */
static const char mark[] = "\0\0\0\x0e"
			   "tEXt"
			   "Software\0gpudx"
			   "\xe5\x0a\xec\x55";

bool gpudx_png_possible(struct gpudx_plot *plot)
{
	struct gpudx_buf out = { .max = PROBE_MAX };
	bool ok = gpudx_plot_run(plot,
				 SV_LIT("set print '-'\n"
					"print strstrt(GPVAL_TERMINALS, ' pngcairo ') ? 1 : 0"),
				 &out) &&
		  sv_starts(sv_n(gpudx_buf_cstr(&out), out.n), "1");

	gpudx_buf_free(&out);
	return ok;
}

/* What may stand in quotes of a script, whatever it is. */
static bool is_harmless(char c)
{
	return sv_is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c && strchr(" .:-_/+=%()", c));
}

static void put_label(struct gpudx_buf *b, struct gpudx_sv text)
{
	for (size_t i = 0; i < text.n; i++)
		gpudx_buf_char(b, is_harmless(text.p[i]) ? text.p[i] : '?');
}

/* "@3@" at the start of s: takes it and gives its number; false when it is something else. */
static bool placeholder(struct gpudx_sv *s, size_t *number)
{
	struct gpudx_sv c = *s;
	uint64_t n;

	if (!sv_char(&c, '@') || !sv_u64(&c, &n) || !sv_char(&c, '@') || n >= REP_LABELS)
		return false;
	*number = (size_t)n;
	*s = c;
	return true;
}

/* The script of the sheet for another terminal, with its labels. */
static void rewrite(const struct rep_sheet *s, struct gpudx_buf *b)
{
	struct gpudx_sv rest = sv_n(s->script.p, s->script.n), line;
	size_t number;

	gpudx_buf_clear(b);
	gpudx_buf_printf(b,
			 "reset\nset term pngcairo size %d,%d fontscale 2 linewidth 2 pointscale 2"
			 " noenhanced font 'sans-serif,9' butt dashlength 0.7\n",
			 s->width * 2, s->height * 2);
	sv_line(&rest, &line); /* "reset" */
	sv_line(&rest, &line); /* "set term svg ..." */
	while (rest.n) {
		size_t plain = sv_index(rest, '@');

		gpudx_buf_sv(b, sv_first(rest, plain));
		rest = sv_from(rest, plain);
		if (rest.n && placeholder(&rest, &number)) {
			if (number < s->nlabels)
				put_label(b, s->labels[number]);
		} else if (rest.n) {
			gpudx_buf_char(b, rest.p[0]);
			rest = sv_from(rest, 1);
		}
	}
	/* The marker behind it stands on a line of its own. */
	gpudx_buf_str(b, "set print '-'\nprint ''\n");
}

bool gpudx_png_draw(struct gpudx_plot *plot, const struct rep_sheet *s, struct gpudx_buf *script,
		    struct gpudx_buf *out)
{
	struct gpudx_buf drawn = { .max = out->max };
	struct gpudx_sv png;
	bool ok;

	rewrite(s, script);
	ok = !script->failed &&
	     gpudx_plot_run(plot, sv_n(gpudx_buf_cstr(script), script->n), &drawn);
	png = sv_n(gpudx_buf_cstr(&drawn), drawn.n);
	ok = ok && png.n > HEAD_BYTES + 1 && memcmp(png.p, signature, 8) == 0;
	gpudx_buf_clear(out);
	if (ok) {
		gpudx_buf_add(out, png.p, HEAD_BYTES);
		gpudx_buf_add(out, mark, sizeof(mark) - 1);
		gpudx_buf_add(out, png.p + HEAD_BYTES, png.n - 1 - HEAD_BYTES);
	}
	gpudx_buf_free(&drawn);
	return ok && !out->failed;
}
