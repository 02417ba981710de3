/* Which Debian packages are installed: dpkg -l, also grep'd, dpkg-query -W and apt list.
 *
 *   ||/ Name                        Version                 Architecture Description
 *   +++-===========================-=======================-============-====================
 *   ii  nvidia-driver-535           535.154.05-0ubuntu0.22  amd64        NVIDIA driver metapackage
 *   iF  nvidia-dkms-535             535.154.05-0ubuntu0.22  amd64        NVIDIA DKMS package
 *   rc  libnvidia-compute-470:amd64 470.223.02-0ubuntu0.22  amd64        NVIDIA libcompute package
 *
 *   nvidia-driver-535/jammy-updates,now 535.154.05-0ubuntu0.22.04.1 amd64 [installed,automatic]
 *
 * Only what is installed counts; of what was begun and not finished the state is kept. On a narrow
 * terminal dpkg cuts names and versions at the width of their column: rows that fill it are left out,
 * longer ones were edited since.
 * Source: dpkg, src/query/main.c; apt, cmdline/apt.cc. */
#include "parse/package.h"

struct dpkg_list {
	size_t name_width, version_width; /* of a narrow table; 0: nothing is cut */
	bool apt;
};

struct row {
	struct gpudx_sv state, name, version;
};

static bool is_one_of(char c, const char *set)
{
	return c && strchr(set, c);
}

/* "ii", "hi", "iF", "rc", "iU", "iHR": wanted, state, error. */
static bool is_state(struct gpudx_sv s)
{
	return (s.n == 2 || (s.n == 3 && is_one_of(s.p[2], "RX#"))) && is_one_of(s.p[0], "uihrp") &&
	       is_one_of(s.p[1], "ncHUFWtTi");
}

static bool is_name(struct gpudx_sv s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!sv_is_alpha(s.p[i]) && !sv_is_digit(s.p[i]) && !is_one_of(s.p[i], "+-.:_"))
			return false;
	return s.n > 1;
}

/* Of what is not installed the version may be "<none>". */
static bool is_version(struct gpudx_sv s)
{
	return sv_is(s, "<none>") || (s.n && sv_is_digit(s.p[0]) && !sv_has(s, "/"));
}

static bool scan_row(struct gpudx_sv s, struct row *r)
{
	return sv_token(&s, &r->state) && is_state(r->state) && sv_spaces(&s) &&
	       sv_token(&s, &r->name) && is_name(r->name) && sv_spaces(&s) &&
	       sv_token(&s, &r->version) &&
	       (is_version(r->version) ||
		(r->version.n && sv_is_alpha(r->version.p[0]) && s.n > 8));
}

/* "name/suite,now version arch [installed,automatic]" */
static bool scan_apt(struct gpudx_sv s, struct row *r)
{
	struct gpudx_sv suite, arch;

	r->state = SV_LIT("un");
	if (!sv_until(&s, "/", &r->name) || !is_name(r->name) || !sv_token(&s, &suite) ||
	    !sv_spaces(&s) || !sv_token(&s, &r->version) || !is_version(r->version) ||
	    !sv_spaces(&s) || !sv_token(&s, &arch))
		return false;
	s = sv_trim(s);
	if (sv_lit(&s, "[upgradable from: ")) {
		r->version = sv_first(s, sv_index(s, ']'));
		r->state = SV_LIT("ii");
	} else if (sv_starts(s, "[installed")) {
		r->state = SV_LIT("ii");
	}
	return sv_is(arch, "all") || sv_has(arch, "64") || sv_has(arch, "arm") ||
	       sv_has(arch, "86") || sv_is(arch, "s390x");
}

/* "name<TAB>version", as dpkg-query -W prints; only behind that command. */
static bool scan_query(struct gpudx_ctx *c, struct gpudx_sv s, struct row *r)
{
	if (!sv_has(gpudx_command(c), "dpkg-query") && !sv_has(gpudx_path(c), "dpkg-query"))
		return false;
	r->state = SV_LIT("ii");
	return sv_until(&s, "\t", &r->name) && is_name(r->name) &&
	       is_version(r->version = sv_trim(s));
}

static const char *state_word(char c)
{
	switch (c) {
	case 'H':
		return "half-installed";
	case 'U':
		return "unpacked";
	case 'F':
		return "half-configured";
	case 'W':
		return "triggers-awaited";
	case 't':
	case 'T':
		return "triggers-pending";
	default:
		return NULL;
	}
}

static void put_row(struct gpudx_ctx *c, const struct row *r)
{
	struct pkg p = { .name = pkg_no_arch(r->name), .version = r->version };
	const char *state = state_word(r->state.p[1]);

	if (r->state.p[1] == 'i' || r->state.p[1] == 'W' || r->state.p[1] == 't') {
		pkg_installed(c, PKG_DPKG, &p);
	} else if (state && pkg_is_ours(PKG_DPKG, p.name)) {
		struct gpudx_sv key = SV_LIT("package.unfinished");
		struct gpudx_fact f = { .key = key, .layer = p.name, .value = sv_str(state) };

		gpudx_put_fact(c, &f);
	}
}

/* "+++-====-====-...": how wide the columns are; in wide tables nothing is cut. */
static void take_widths(struct dpkg_list *l, struct gpudx_sv s)
{
	struct gpudx_sv name, version;
	size_t all = s.n;

	l->name_width = l->version_width = 0;
	if (all <= 80 && sv_lit(&s, "+++-") && sv_cell(&s, '-', &name) &&
	    sv_cell(&s, '-', &version)) {
		l->name_width = name.n;
		l->version_width = version.n;
	}
}

static bool is_heading(struct gpudx_sv s)
{
	return sv_starts(s, "Desired=") || sv_starts(s, "| Status=") || sv_starts(s, "|/ Err") ||
	       sv_starts(s, "||/ ") || sv_starts(s, "+++-") || sv_is(s, "Listing...") ||
	       sv_is(s, "Listing... Done");
}

static enum gpudx_take dpkg_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct dpkg_list *l = gpudx_state(c);
	struct row r;

	if (is_heading(line)) {
		if (sv_starts(line, "+++-"))
			take_widths(l, line);
		return GPUDX_TAKEN;
	}
	if (scan_row(sv_trim(line), &r) && l->name_width &&
	    (r.name.n == l->name_width || r.version.n == l->version_width)) {
		gpudx_excerpt(c);
		return GPUDX_TAKEN;
	}
	if (!scan_row(sv_trim(line), &r) && !scan_apt(line, &r) && !scan_query(c, line, &r))
		return sv_starts(line, "WARNING: apt does not have a stable CLI") ? GPUDX_TAKEN
										  : GPUDX_NOT_MINE;
	put_row(c, &r);
	return GPUDX_TAKEN;
}

static bool dpkg_starts(struct gpudx_sv line)
{
	return sv_starts(line, "Desired=Unknown/Install") || sv_starts(line, "+++-=====") ||
	       sv_starts(line, "||/ Name ");
}

static int dpkg_bid(const struct gpudx_head *head)
{
	bool asked = sv_has(head->command, "dpkg") || sv_has(head->command, "apt list");
	size_t rows = 0, others = 0;
	struct row r;

	for (size_t i = 0; i < head->n && i < 60; i++) {
		struct gpudx_sv s = head->lines[i].text;

		if (dpkg_starts(s))
			return 80;
		if (scan_row(sv_trim(s), &r) || (scan_apt(s, &r) && sv_has(s, "[")))
			rows++;
		else if (asked && sv_has(head->command, "dpkg-query") && sv_has(s, "\t"))
			rows++;
		else if (!sv_blank(s) && !is_heading(s))
			others++;
	}
	if (!rows || others > rows)
		return 0;
	return asked ? 80 : rows > 1 || !others ? 60 : 0;
}

const struct gpudx_parser gpudx_parser_dpkg_list = {
	.name = "dpkg-list",
	.what = "installed Debian packages: dpkg -l, dpkg-query -W, apt list",
	.bid = dpkg_bid,
	.starts = dpkg_starts,
	.line = dpkg_line,
	.state_size = sizeof(struct dpkg_list),
};
