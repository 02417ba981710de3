/* Which RPM packages are installed: rpm -qa, with --last or in sosreport's installed-rpms also
 * when.
 *
 *   nvidia-driver-cuda-libs-570.158.01-1.el9.x86_64
 *   nvidia-driver-3:570.158.01-1.el9.x86_64            Tue 24 Jun 2025 02:36:25 PM UTC
 *   kernel-5.14.0-570.22.1.el9_6.x86_64                1750775785
 *
 * dnf and yum list installed have columns: "nvidia-driver.x86_64   3:570.158.01-1.el9   @cuda".
 * Source: rpm, popt aliases --last; dnf, cli/output.py. */
#include "parse/package.h"
#include "parse/text.h"

enum { LIST_NONE, LIST_QA, LIST_COLUMNS };

/* "name.arch  [epoch:]version-release  @repository" */
static bool scan_columns(struct gpudx_sv s, struct pkg *p)
{
	struct gpudx_sv word, repo;

	*p = (struct pkg){ .name = { NULL, 0 } };
	if (!sv_token(&s, &word) || !sv_spaces(&s) || !sv_token(&s, &p->version) ||
	    !sv_spaces(&s) || !sv_token(&s, &repo) || !sv_blank(s) || !sv_has(p->version, "-"))
		return false;
	if (!text_cut_last(&word, '.', &p->arch))
		return false;
	p->name = word;
	return (repo.p[0] == '@' || sv_is(repo, "installed")) &&
	       (sv_is(p->arch, "noarch") || sv_has(p->arch, "64") || sv_has(p->arch, "86"));
}

/* The date behind a name; false when what stands there is none. */
static bool scan_date(struct gpudx_sv s, struct gpudx_stamp *t)
{
	struct gpudx_sv number = s = sv_trim(s);
	uint64_t v;

	*t = GPUDX_NO_STAMP;
	if (!s.n)
		return true;
	if (sv_u64(&number, &v) && !number.n && v > 300000000 && v < 10000000000) {
		t->kind = GPUDX_STAMP_UTC;
		t->t_us = (int64_t)v * GPUDX_SECOND;
		return true;
	}
	return gpudx_scan_ctime(&s, t) && sv_blank(s);
}

static bool scan_package(struct gpudx_sv s, struct pkg *p, struct gpudx_stamp *t)
{
	struct gpudx_sv word;

	return sv_token(&s, &word) && pkg_split_rpm(word, p) && scan_date(s, t);
}

static int row_kind(struct gpudx_sv s, struct pkg *p, struct gpudx_stamp *t)
{
	if (scan_package(s, p, t))
		return LIST_QA;
	t->kind = GPUDX_STAMP_NONE;
	t->t_us = GPUDX_NO_TIME;
	return scan_columns(s, p) ? LIST_COLUMNS : LIST_NONE;
}

static bool is_note(struct gpudx_sv s)
{
	return sv_starts(s, "Installed Packages") ||
	       sv_starts(s, "Last metadata expiration check") || sv_starts(s, "Loaded plugins:") ||
	       sv_starts(s, "package ");
}

static enum gpudx_take rpm_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct gpudx_stamp t;
	struct pkg p;

	if (!row_kind(sv_trim(line), &p, &t))
		return is_note(line) ? GPUDX_TAKEN : GPUDX_NOT_MINE;
	gpudx_now(c, t.kind, t.t_us);
	pkg_installed(c, PKG_RPM, &p);
	return GPUDX_TAKEN;
}

static int rpm_bid(const struct gpudx_head *head)
{
	bool asked = sv_starts(head->command, "rpm -q") || sv_has(head->command, "/rpm -q") ||
		     sv_has(head->command, "list installed") ||
		     sv_ends(head->path, "installed-rpms");
	size_t rows = 0, others = 0;
	struct gpudx_stamp t;
	struct pkg p;

	for (size_t i = 0; i < head->n && i < 60; i++) {
		struct gpudx_sv s = sv_trim(head->lines[i].text);
		int kind = row_kind(s, &p, &t);

		if (kind &&
		    (asked || p.arch.n || sv_has(p.version, ".el") || sv_has(p.version, ".fc")))
			rows++;
		else if (s.n && !is_note(s))
			others++;
	}
	if (!rows || others > rows)
		return 0;
	return asked ? 80 : rows > 2 ? 60 : 0;
}

const struct gpudx_parser gpudx_parser_rpm_list = {
	.name = "rpm-list",
	.what = "installed RPM packages: rpm -qa, rpm -qa --last, dnf list installed",
	.bid = rpm_bid,
	.line = rpm_line,
};
