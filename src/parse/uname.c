/* uname -a, uname -r and /proc/version: which kernel ran where.
 *
 *   Linux node01 5.15.0-91-generic #101-Ubuntu SMP Tue Nov 14 13:30:08 UTC 2023 x86_64 GNU/Linux
 *   Linux 4.18.0-553.el8_10.x86_64 #1 SMP Fri May 24 13:05:10 UTC 2024 x86_64         (-srvm)
 *   Linux version 5.15.0-91-generic (buildd@host) (gcc ...) #101-Ubuntu SMP Tue Nov 14 2023
 *   5.15.0-91-generic
 *
 * In a container the name is the container's and the kernel the host's. The date is the build's. */
#include "parse/parser.h"

/* "5.15.0-91-generic": number, dot, number. */
static bool is_release(struct gpudx_sv s)
{
	uint64_t n;

	return sv_u64(&s, &n) && sv_char(&s, '.') && sv_u64(&s, &n) && !sv_has(s, " ");
}

static bool is_machine(struct gpudx_sv word)
{
	static const char *const machines[] = { "x86_64",  "aarch64", "arm64", "ppc64le", "s390x",
						"riscv64", "i686",    "i386",  "armv7l" };

	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
		if (sv_is(word, machines[i]))
			return true;
	return false;
}

static struct gpudx_sv last_word(struct gpudx_sv s)
{
	for (size_t i = s.n; i > 0; i--)
		if (sv_is_space(s.p[i - 1]))
			return sv_from(s, i);
	return s;
}

/* "#101-Ubuntu SMP ... x86_64 x86_64 GNU/Linux": cuts off the words behind the version; *machine is
 * the first of them. */
static struct gpudx_sv cut_machine(struct gpudx_sv s, struct gpudx_sv *machine)
{
	struct gpudx_sv word;

	for (s = sv_rtrim(s); s.n; s = sv_rtrim(sv_first(s, s.n - word.n))) {
		word = last_word(s);
		if (is_machine(word))
			*machine = word;
		else if (!sv_is(word, "GNU/Linux") && !sv_is(word, "unknown"))
			break;
	}
	return s;
}

struct uname {
	struct gpudx_sv host, release, build, machine;
};

/* "Linux HOST RELEASE #...", "Linux RELEASE #..." */
static bool scan_all(struct gpudx_sv s, struct uname *u)
{
	struct gpudx_sv rest;

	*u = (struct uname){ .host = { NULL, 0 } };
	if (!sv_lit(&s, "Linux "))
		return false;
	rest = s;
	if (!sv_token(&rest, &u->release) || !is_release(u->release) || !sv_spaces(&rest) ||
	    !sv_starts(rest, "#")) {
		rest = s;
		if (!sv_token(&rest, &u->host) || !sv_spaces(&rest) ||
		    !sv_token(&rest, &u->release) || !is_release(u->release) || !sv_spaces(&rest) ||
		    !sv_starts(rest, "#"))
			return false;
	}
	s = rest;
	u->build = cut_machine(s, &u->machine);
	return true;
}

/* "Linux version RELEASE (builder) (compiler) #..." */
static bool scan_proc(struct gpudx_sv s, struct uname *u)
{
	*u = (struct uname){ .host = { NULL, 0 } };
	if (!sv_lit(&s, "Linux version ") || !sv_token(&s, &u->release) || !is_release(u->release))
		return false;
	if (!sv_starts(sv_ltrim(s), "("))
		return false;
	u->build = sv_trim(sv_from(s, sv_find(s, " #")));
	return true;
}

static bool asks_release(struct gpudx_sv name)
{
	struct gpudx_sv skipped;

	return sv_until(&name, "uname", &skipped) &&
	       (sv_starts(name, " -r") || sv_starts(name, "_-r"));
}

static void put(struct gpudx_ctx *c, const char *layer, const struct uname *u)
{
	gpudx_fact(c, 0, "kernel.release", layer, u->release);
	if (u->build.n)
		gpudx_fact(c, 0, "kernel.build", layer, u->build);
	if (u->host.n)
		gpudx_fact(c, 0, "host.name", layer, u->host);
	if (u->machine.n)
		gpudx_fact(c, 0, "host.machine", layer, u->machine);
}

static enum gpudx_take uname_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct gpudx_sv s = sv_trim(line);
	struct uname u;

	if (scan_all(s, &u)) {
		put(c, "uname", &u);
		return GPUDX_TAKEN;
	}
	if (scan_proc(s, &u)) {
		put(c, "proc", &u);
		return GPUDX_TAKEN;
	}
	if (is_release(s) && (asks_release(gpudx_command(c)) || asks_release(gpudx_path(c)))) {
		gpudx_fact(c, 0, "kernel.release", "uname", s);
		return GPUDX_TAKEN;
	}
	return GPUDX_NOT_MINE;
}

static bool uname_starts(struct gpudx_sv line)
{
	struct uname u;

	return scan_all(line, &u);
}

static int uname_bid(const struct gpudx_head *head)
{
	struct gpudx_sv s;
	struct uname u;
	size_t i = 0;

	while (i < head->n && sv_blank(head->lines[i].text))
		i++;
	if (i == head->n)
		return 0;
	s = sv_trim(head->lines[i].text);
	if (scan_all(s, &u))
		return 80;
	if (scan_proc(s, &u))
		return 60;
	return is_release(s) && (asks_release(head->command) || asks_release(head->path)) ? 80 : 0;
}

const struct gpudx_parser gpudx_parser_uname = {
	.name = "uname",
	.what = "uname and /proc/version: host and kernel",
	.bid = uname_bid,
	.starts = uname_starts,
	.line = uname_line,
};
