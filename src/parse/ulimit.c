/* Limits of a process: ulimit -a of bash, /proc/PID/limits.
 *
 *   max locked memory           (kbytes, -l) unlimited
 *   open files                          (-n) 1024
 *   Max locked memory         67108864             67108864             bytes
 *
 * RDMA and pinned memory need locked memory, many ranks many files. Source: bash,
 * builtins/ulimit.def; kernel, fs/proc/base.c. */
#include "parse/tool.h"

static const struct limit {
	char option;
	const char *proc, *key;
} limits[] = {
	{ 'l', "Max locked memory", "ulimit.locked_memory" },
	{ 'n', "Max open files", "ulimit.open_files" },
	{ 'u', "Max processes", "ulimit.processes" },
	{ 's', "Max stack size", "ulimit.stack" },
	{ 'v', "Max address space", "ulimit.address_space" },
	{ 'm', "Max resident set", "ulimit.resident_set" },
	{ 'c', "Max core file size", "ulimit.core_file" },
	{ 'i', "Max pending signals", NULL },
	{ 'x', "Max file locks", NULL },
	{ 't', "Max cpu time", NULL },
	{ 'f', "Max file size", NULL },
	{ 'd', "Max data size", NULL },
	{ 'q', "Max msgqueue size", NULL },
	{ 'e', "Max nice priority", NULL },
	{ 'r', "Max realtime priority", NULL },
	{ 'R', "Max realtime timeout", NULL },
};

static const struct limit *by_option(char option)
{
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++)
		if (limits[i].option == option)
			return &limits[i];
	return NULL;
}

struct limit_line {
	char option;	       /* 0: by name */
	const struct limit *l; /* NULL: not kept */
	struct gpudx_sv value;
	double unit; /* bytes, or 1 */
};

/* "(kbytes, -l) unlimited", "(-n) 1024" behind a name */
static bool scan_shell(struct gpudx_sv s, struct limit_line *out)
{
	struct gpudx_sv name, unit;

	if (!sv_until(&s, "(", &name) || !name.n || !sv_until(&s, "-", &unit) || s.n < 3 ||
	    s.p[1] != ')')
		return false;
	out->option = s.p[0];
	out->l = by_option(s.p[0]);
	out->value = sv_trim(sv_from(s, 2));
	out->unit = sv_starts(unit, "kbytes") ? 1024 : sv_starts(unit, "512") ? 512 : 1;
	return out->value.n > 0 && (sv_is(out->value, "unlimited") || sv_is_digit(out->value.p[0]));
}

/* "Max open files            1024                 524288               files": the soft one. */
static bool scan_proc(struct gpudx_sv s, struct limit_line *out)
{
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		struct gpudx_sv rest = s;

		if (!sv_lit(&rest, limits[i].proc) || !sv_spaces(&rest) ||
		    !sv_token(&rest, &out->value))
			continue;
		out->l = &limits[i];
		out->unit = 1;
		return sv_is(out->value, "unlimited") || sv_is_digit(out->value.p[0]);
	}
	return false;
}

static void put(struct gpudx_ctx *c, const struct limit_line *l, const char *layer)
{
	struct gpudx_sv s = l->value;
	uint64_t n;

	if (!l->l || !l->l->key)
		return;
	if (sv_u64(&s, &n) && !s.n)
		gpudx_fact_num(c, 0, l->l->key, layer, (double)n * l->unit);
	else
		gpudx_fact(c, 0, l->l->key, layer, l->value);
}

static bool is_heading(struct gpudx_sv s)
{
	return sv_starts(s, "Limit  ") && sv_has(s, "Soft Limit") && sv_has(s, "Hard Limit");
}

static enum gpudx_take ulimit_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct limit_line l = { 0 };

	line = sv_trim(line);
	if (is_heading(line))
		return GPUDX_TAKEN;
	if (scan_shell(line, &l))
		put(c, &l, "shell");
	else if (scan_proc(line, &l))
		put(c, &l, "process");
	else
		return GPUDX_NOT_MINE;
	return GPUDX_TAKEN;
}

static bool ulimit_starts(struct gpudx_sv line)
{
	struct limit_line l;

	return is_heading(line) || ((sv_starts(line, "core file size") ||
				     sv_starts(line, "real-time non-blocking time")) &&
				    scan_shell(line, &l));
}

static int ulimit_bid(const struct gpudx_head *head)
{
	struct limit_line l;
	unsigned n = 0;

	for (size_t i = 0, seen = 0; i < head->n && seen < 10; i++) {
		struct gpudx_sv s = sv_trim(head->lines[i].text);

		if (!s.n)
			continue;
		seen++;
		if (ulimit_starts(s))
			return 80;
		n += scan_shell(s, &l) || scan_proc(s, &l);
	}
	return n >= 2 || (n && tool_is("ulimit", head->command, head->path)) ? 60 : 0;
}

const struct gpudx_parser gpudx_parser_ulimit = {
	.name = "ulimit",
	.what = "ulimit -a, /proc/PID/limits: locked memory, open files",
	.bid = ulimit_bid,
	.starts = ulimit_starts,
	.line = ulimit_line,
};
