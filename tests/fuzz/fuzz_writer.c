/* Any bytes as text of a bundle in each writer: it stays text, whatever it holds. */
#include "fuzz.h"

#include "base/buf.h"
#include "base/utf8.h"
#include "report/escape.h"
#include "report/jsonw.h"
#include "report/markdown.h"

enum { ROOM = 1 << 22 };

/* No character that a terminal, an editor or a browser would obey. */
static void printable(struct gpudx_sv out, bool line_feeds)
{
	while (out.n) {
		size_t was = out.n;
		uint32_t u = gpudx_utf8_next(&out);

		must(u != 0xfffd || was - out.n == 3, "what is written is valid UTF-8");
		must((u == '\n' && line_feeds) || !gpudx_utf8_unprintable(u),
		     "what is written has no control characters");
	}
}

/* One string, which ends where it should: {"k":"..."} */
static void json(struct gpudx_sv text)
{
	struct gpudx_buf b = { .max = ROOM };
	struct rep_json j = { .b = &b };
	size_t quotes = 0;

	gpudx_json_open(&j, NULL, '{');
	gpudx_json_text(&j, "k", text.p ? text : SV_LIT(""));
	gpudx_json_close(&j);
	must(!b.failed, "there is room for JSON");
	for (size_t i = 0; i < b.n; i++) {
		unsigned char c = (unsigned char)b.p[i];

		must(c >= ' ' || c == '\n', "JSON has no raw control character");
		if (c == '\\')
			i++;
		quotes += c == '"';
	}
	must(quotes == 4, "a JSON string ends where it should");
	gpudx_buf_free(&b);
}

static void html(struct gpudx_sv text)
{
	struct gpudx_buf b = { .max = ROOM };

	gpudx_html_text(&b, text);
	must(!b.failed, "there is room for HTML");
	for (size_t i = 0; i < b.n; i++)
		must(!strchr("<>\"'", b.p[i]) || !b.p[i], "markup is escaped");
	printable(sv_n(b.p, b.n), true);
	gpudx_buf_free(&b);
}

static size_t longest_run(struct gpudx_sv s, char c)
{
	size_t most = 0, run = 0;

	for (size_t i = 0; i < s.n; i++) {
		run = s.p[i] == c ? run + 1 : 0;
		most = run > most ? run : most;
	}
	return most;
}

static void markdown(struct gpudx_sv text)
{
	struct gpudx_buf b = { .max = ROOM };
	size_t fence = 0;

	gpudx_md_text(&b, text);
	must(!b.failed, "there is room for Markdown");
	must(!memchr(b.n ? b.p : "", '\n', b.n), "running text is one line");
	printable(sv_n(b.p, b.n), false);
	b.n = 0;
	gpudx_md_code(&b, text, true);
	while (fence < b.n && b.p[fence] == '`')
		fence++;
	must(!text.n || fence, "code begins with its fence");
	if (b.n > 2 * fence)
		must(longest_run(sv_n(b.p + fence, b.n - 2 * fence), '`') < fence ||
			     longest_run(sv_n(b.p + fence, b.n - 2 * fence), '`') > fence,
		     "nothing in a code span ends it");
	gpudx_buf_free(&b);
}

/* The shown form of a line in a terminal. */
static void shown(struct gpudx_sv text)
{
	struct gpudx_buf b = { .max = ROOM };

	gpudx_utf8_show(&b, text);
	must(!b.failed, "there is room for what is shown");
	printable(sv_n(b.p, b.n), false);
	gpudx_buf_free(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct gpudx_sv text = sv_n((const char *)p, n);

	json(text);
	html(text);
	markdown(text);
	shown(text);
	return 0;
}
