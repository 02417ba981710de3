/* What people print to show which PyTorch they have, in three lines or one:
 *
 *   $ python -c "import torch; print(torch.__version__); print(torch.version.cuda); ..."
 *   2.2.1
 *   12.1
 *   8902
 *
 *   2.1.0+cu121 12.1 True
 *
 * First the version; then in any order that makes sense the CUDA it was built with, the cuDNN
 * number and whether a GPU was found. "None" stands for a build without. Without the command in
 * sight only the unmistakable is taken: a local version as wheels carry it ("+cu121"), or all three
 * lines. Scripts give the values names, and more than one a line:
 *
 *   torch: 2.5.1+cu121 cuda build: 12.1
 *   cuda available: True
 *   device: NVIDIA GeForce RTX 3060
 *
 * Source: torch/version.py; cudnn.h for the number. */
#include "parse/package.h"

#include <stdio.h>

enum seen { SEEN_TORCH = 1, SEEN_CUDA = 2, SEEN_CUDNN = 4, SEEN_AVAILABLE = 8, SEEN_NAMED = 16 };

/* "2.2.1", "2.1.0+cu121", "2.1.0a0+32f93b1", "2.6.0.dev20241112+cu124"; *local: what is behind '+'.
 */
static bool scan_torch(struct gpudx_sv s, struct gpudx_sv *local)
{
	size_t plus = sv_index(s, '+');
	struct gpudx_sv base = sv_first(s, plus);
	uint64_t major, minor, patch;

	*local = sv_from(s, plus + 1);
	if (!sv_u64(&base, &major) || major > 3 || !sv_char(&base, '.') || !sv_u64(&base, &minor) ||
	    minor > 99)
		return false;
	if (!sv_char(&base, '.') || !sv_u64(&base, &patch) || patch > 99 ||
	    (plus < s.n && !local->n))
		return false;
	for (size_t i = 0; i < base.n; i++)
		if (!sv_is_alpha(base.p[i]) && !sv_is_digit(base.p[i]) && base.p[i] != '.')
			return false;
	return !base.n || base.p[0] == 'a' || base.p[0] == 'b' || base.p[0] == 'r' ||
	       sv_starts(base, ".dev") || sv_starts(base, ".post");
}

/* "cu121", "cpu", "rocm6.0": the build of a wheel. */
static bool is_wheel_build(struct gpudx_sv local)
{
	uint64_t n;

	return sv_is(local, "cpu") || sv_starts(local, "rocm") ||
	       (sv_lit(&local, "cu") && sv_u64(&local, &n));
}

/* "12.1" */
static bool is_cuda(struct gpudx_sv s)
{
	uint64_t major, minor;

	return sv_u64(&s, &major) && major >= 7 && major <= 30 && sv_char(&s, '.') &&
	       sv_u64(&s, &minor) && minor <= 20 && !s.n;
}

/* 8902 -> 8.9.2; from cuDNN 9 on 90100 -> 9.1.0. */
static bool scan_cudnn(struct gpudx_sv s, char buf[32], struct gpudx_sv *out)
{
	uint64_t v, major, minor, patch;
	int n;

	if (!sv_u64(&s, &v) || s.n)
		return false;
	if (v >= 5000 && v < 9000) {
		major = v / 1000;
		minor = v / 100 % 10;
		patch = v % 100;
	} else if (v >= 90000 && v < 200000) {
		major = v / 10000;
		minor = v / 100 % 100;
		patch = v % 100;
	} else {
		return false;
	}
	n = snprintf(buf, 32, "%u.%u.%u", (unsigned)major, (unsigned)minor, (unsigned)patch);
	*out = sv_n(buf, n > 0 ? (size_t)n : 0);
	return true;
}

/* The next value of the print, by what may still come. c NULL: only look. 0 when it is none. */
static unsigned take_value(struct gpudx_ctx *c, unsigned seen, struct gpudx_sv s)
{
	struct gpudx_sv v = s;
	char buf[32];
	unsigned what = 0;
	const char *key = NULL;

	if (!(seen & SEEN_TORCH)) {
		what = scan_torch(s, &v) ? SEEN_TORCH : 0;
		key = "torch.version";
		v = s;
	} else if (!(seen & SEEN_AVAILABLE) && (sv_is(s, "True") || sv_is(s, "False"))) {
		what = SEEN_AVAILABLE;
		key = "torch.cuda_available";
		v = sv_is(s, "True") ? SV_LIT("yes") : SV_LIT("no");
	} else if (!(seen & SEEN_CUDA) && (is_cuda(s) || sv_is(s, "None"))) {
		what = SEEN_CUDA;
		key = "torch.cuda";
		v = sv_is(s, "None") ? SV_LIT("none") : s;
	} else if (!(seen & SEEN_CUDNN) && (scan_cudnn(s, buf, &v) || sv_is(s, "None"))) {
		what = SEEN_CUDNN;
		key = "torch.cudnn";
		if (sv_is(s, "None"))
			v = SV_LIT("none");
	}
	if (what && c)
		gpudx_fact(c, 0, key, "python", v);
	if (what == SEEN_TORCH && c)
		pkg_torch_wheel(c, s);
	return what;
}

/* Without the parentheses, quotes and commas of a tuple. */
static struct gpudx_sv bare(struct gpudx_sv s)
{
	while (s.n && (s.p[0] == '(' || s.p[0] == '\''))
		s = sv_from(s, 1);
	while (s.n && (s.p[s.n - 1] == ',' || s.p[s.n - 1] == '\'' || s.p[s.n - 1] == ')'))
		s.n--;
	return s;
}

/* All values of a line; false (and *seen as before) when one is none. Print separates by blanks. */
static bool take_line(struct gpudx_ctx *c, unsigned *seen, struct gpudx_sv line)
{
	unsigned now = *seen, what;
	struct gpudx_sv word;
	bool any;

	while (sv_spaces(&line) && sv_token(&line, &word)) {
		what = take_value(c, now, bare(word));
		if (!what)
			return false;
		now |= what;
	}
	any = now != *seen;
	*seen = now;
	return any;
}

/* ---- values with names ---- */

static bool skip_word(struct gpudx_sv *s, const char *word)
{
	if (!sv_ilit(s, word))
		return false;
	*s = sv_ltrim(*s);
	return true;
}

/* What parts a name from its value. */
static bool skip_mark(struct gpudx_sv *s)
{
	if (!s->n || (s->p[0] != ':' && s->p[0] != '='))
		return false;
	*s = sv_ltrim(sv_from(*s, 1));
	return s->n > 0;
}

/* "torch: 2.5.1+cu121", "PyTorch version = 2.2.0", "torch.__version__: 2.1.0"; *s is then behind it.
 * *sure: no list of requirements writes it so. */
static bool named_torch(struct gpudx_sv *s, struct gpudx_sv *version, bool *sure)
{
	struct gpudx_sv rest = sv_ltrim(*s), local;
	bool says;

	skip_word(&rest, "py");
	if (!skip_word(&rest, "torch"))
		return false;
	says = skip_word(&rest, "version") || skip_word(&rest, ".__version__");
	if (!skip_mark(&rest) || !sv_token(&rest, version))
		return false;
	*version = bare(*version);
	if (!scan_torch(*version, &local))
		return false;
	*sure = says || is_wheel_build(local);
	*s = rest;
	return true;
}

/* The other names and what their values are; the longer ones first. NULL: seen, and said elsewhere. */
static const struct name {
	const char *name;
	unsigned what;
	const char *key;
} names[] = {
	{ "torch.cuda.is_available()", SEEN_AVAILABLE, "torch.cuda_available" },
	{ "cuda is available", SEEN_AVAILABLE, "torch.cuda_available" },
	{ "cuda available", SEEN_AVAILABLE, "torch.cuda_available" },
	{ "is cuda available", SEEN_AVAILABLE, "torch.cuda_available" },
	{ "torch.version.cuda", SEEN_CUDA, "torch.cuda" },
	{ "torch cuda version", SEEN_CUDA, "torch.cuda" },
	{ "cuda version", SEEN_CUDA, "torch.cuda" },
	{ "cuda build", SEEN_CUDA, "torch.cuda" },
	{ "built with cuda", SEEN_CUDA, "torch.cuda" },
	{ "cuda", SEEN_CUDA, "torch.cuda" },
	{ "torch.backends.cudnn.version()", SEEN_CUDNN, "torch.cudnn" },
	{ "cudnn version", SEEN_CUDNN, "torch.cudnn" },
	{ "cudnn", SEEN_CUDNN, "torch.cudnn" },
	{ "device count", 0, NULL },
	{ "device name", 0, NULL },
	{ "device", 0, NULL },
	{ "gpu name", 0, NULL },
	{ "gpu", 0, NULL },
};

/* The value of a name, in the words of the fact; .p NULL when it is none. */
static struct gpudx_sv named_value(unsigned what, struct gpudx_sv word, char buf[32])
{
	struct gpudx_sv v = { NULL, 0 };

	if (what != SEEN_AVAILABLE && sv_is(word, "None"))
		return SV_LIT("none");
	if (what == SEEN_AVAILABLE && (sv_is(word, "True") || sv_is(word, "False")))
		return sv_is(word, "True") ? SV_LIT("yes") : SV_LIT("no");
	if (what == SEEN_CUDA && is_cuda(word))
		return word;
	if (what == SEEN_CUDNN && scan_cudnn(word, buf, &v))
		return v;
	return (struct gpudx_sv){ NULL, 0 };
}

/* "cuda build: 12.1": one name and its value. c NULL: only look. */
static bool take_named(struct gpudx_ctx *c, struct gpudx_sv *s)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct gpudx_sv rest = sv_ltrim(*s), word, v;
		char buf[32];

		if (!skip_word(&rest, names[i].name) || !skip_mark(&rest))
			continue;
		if (!names[i].what) {
			*s = sv_from(rest, rest.n);
			return true;
		}
		if (!sv_token(&rest, &word))
			return false;
		v = named_value(names[i].what, bare(word), buf);
		if (!v.p)
			return false;
		if (c)
			gpudx_fact(c, 0, names[i].key, "python", v);
		*s = rest;
		return true;
	}
	return false;
}

static struct gpudx_sv after_separator(struct gpudx_sv s)
{
	while (s.n && (s.p[0] == ',' || s.p[0] == ';' || s.p[0] == '|' || s.p[0] == ' '))
		s = sv_from(s, 1);
	return s;
}

/* A line of names and values: the first of a print begins with torch. False: it is none. */
static bool take_named_line(struct gpudx_ctx *c, unsigned seen, struct gpudx_sv line)
{
	struct gpudx_sv s = sv_trim(line), version;
	bool sure, torch = named_torch(&s, &version, &sure);

	if (!torch && !(seen & SEEN_NAMED))
		return false;
	if (torch && c) {
		gpudx_fact(c, 0, "torch.version", "python", version);
		pkg_torch_wheel(c, version);
	}
	do
		s = after_separator(s);
	while (take_named(c, &s));
	return torch || !s.n;
}

static enum gpudx_take torch_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	unsigned *seen = gpudx_state(c), try = *seen;

	if (take_named_line(NULL, *seen, line)) {
		take_named_line(c, *seen, line);
		*seen |= SEEN_NAMED;
		return GPUDX_TAKEN;
	}
	if (!take_line(NULL, &try, line)) {
		/* A second print, in a loop over environments. */
		try = 0;
		if (!(*seen & SEEN_TORCH) || !take_line(NULL, &try, line))
			return GPUDX_NOT_MINE;
		*seen = 0;
	}
	take_line(c, seen, line);
	return GPUDX_TAKEN;
}

static bool torch_starts(struct gpudx_sv line)
{
	struct gpudx_sv version;
	bool sure;

	return named_torch(&line, &version, &sure) && sure;
}

static int torch_bid(const struct gpudx_head *head)
{
	bool named = sv_has(head->command, "torch");
	unsigned seen = 0;
	size_t i = 0, lines = 0;
	struct gpudx_sv first = { NULL, 0 }, local;

	for (; i < head->n; i++) {
		struct gpudx_sv s = sv_trim(head->lines[i].text);

		if (!s.n)
			continue;
		if (!lines && torch_starts(s))
			return 60;
		if (!lines)
			sv_token(&(struct gpudx_sv){ s.p, s.n }, &first);
		if (!take_line(NULL, &seen, s))
			break;
		lines++;
	}
	if (!(seen & SEEN_TORCH))
		return 0;
	if (named)
		return 80;
	/* Nothing but the print may be there, and it must be one. */
	if (i < head->n || seen == SEEN_TORCH)
		return 0;
	if (scan_torch(first, &local) && is_wheel_build(local))
		return 60;
	return seen & SEEN_CUDA && seen & (SEEN_CUDNN | SEEN_AVAILABLE) ? 60 : 0;
}

const struct gpudx_parser gpudx_parser_torch_print = {
	.name = "torch-print",
	.what = "versions printed by a Python one-liner: torch, CUDA, cuDNN",
	.bid = torch_bid,
	.starts = torch_starts,
	.line = torch_line,
	.state_size = sizeof(unsigned),
};
