#include "cli.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

int cli_fail(const struct gpudx_err *err)
{
	for (int i = 0; i < err->depth; i++)
		fprintf(stderr, "%s%s\n", i ? "  " : "gpudx: ", err->text[i]);
	switch (err->st) {
	case GPUDX_E_USAGE:
		return CLI_USAGE;
	case GPUDX_E_INPUT:
	case GPUDX_E_LIMIT:
		return CLI_NOTHING;
	case GPUDX_E_RULE:
		return CLI_RULES;
	default:
		return CLI_ERROR;
	}
}

int cli_worse(int a, int b)
{
	static const int order[] = { [CLI_OK] = 0,	[CLI_FAIL_ON] = 1, [CLI_USAGE] = 2,
				     [CLI_NOTHING] = 3, [CLI_RULES] = 4,   [CLI_ERROR] = 5 };

	return order[a] >= order[b] ? a : b;
}

bool cli_format(const char *name, enum gpudx_format *out)
{
	static const char *const names[] = { [GPUDX_TEXT] = "text",
					     [GPUDX_HTML] = "html",
					     [GPUDX_JSON] = "json",
					     [GPUDX_MD] = "md",
					     [GPUDX_CSV] = "csv" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(names[i], name) == 0) {
			*out = (enum gpudx_format)i;
			return true;
		}
	}
	return false;
}

bool cli_colour(FILE *f)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	return isatty(fileno(f)) && !(no && *no) && !(term && strcmp(term, "dumb") == 0);
}

void cli_size(FILE *f, int *width, int *height)
{
	struct winsize w;

	*width = *height = 0;
	if (isatty(fileno(f)) && ioctl(fileno(f), TIOCGWINSZ, &w) == 0) {
		*width = w.ws_col;
		*height = w.ws_row;
	}
}

/* Cuts one of the endings off, if that leaves something. */
static void cut_ending(char *s, const char *const *endings, size_t n)
{
	size_t len = strlen(s);

	for (size_t i = 0; i < n; i++) {
		size_t e = strlen(endings[i]);

		if (len > e && strcmp(s + len - e, endings[i]) == 0) {
			s[len - e] = '\0';
			return;
		}
	}
}

char *cli_stem(const char *path)
{
	static const char *const packed[] = { ".gz",	   ".xz",  ".zst", ".bz2", ".lz4",
					      ".gpudx.db", ".zip", ".7z",  ".tgz", ".txz" };
	static const char *const inner[] = { ".tar",  ".csv", ".log", ".txt",
					     ".json", ".xml", ".cpio" };
	const char *base;
	char *real = NULL, *stem;

	if (strcmp(path, "-") == 0)
		return strdup("stdin");
	base = strrchr(path, '/');
	base = base ? base + 1 : path;
	/* ".", "..", "dir/" and "/" are called by the name that stands behind them. */
	if (!*base || strcmp(base, ".") == 0 || strcmp(base, "..") == 0) {
		real = realpath(path, NULL);
		base = real && strrchr(real, '/')[1] ? strrchr(real, '/') + 1 : "bundle";
	}
	stem = strdup(base);
	free(real);
	if (stem) {
		cut_ending(stem, packed, sizeof(packed) / sizeof(packed[0]));
		cut_ending(stem, inner, sizeof(inner) / sizeof(inner[0]));
	}
	return stem;
}

enum gpudx_status cli_limits(struct gpudx_case *c, const struct opt_texts *limits,
			     struct gpudx_err *err)
{
	enum gpudx_status rc = GPUDX_OK;

	for (size_t i = 0; i < limits->n && !rc; i++)
		rc = gpudx_case_limit(c, limits->v[i], err);
	return rc;
}
