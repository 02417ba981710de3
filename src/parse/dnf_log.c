/* What dnf and yum installed: /var/log/dnf.rpm.log with zones, /var/log/yum.log without year.
 *
 *   2025-06-24T14:36:20+0000 INFO --- logging initialized ---
 *   2025-06-24T14:36:25+0000 SUBDEBUG Upgrade: nvidia-driver-3:570.158.01-1.el9.x86_64
 *   2025-06-24T14:36:31+0000 SUBDEBUG Upgraded: nvidia-driver-3:570.124.06-1.el9.x86_64
 *   2025-06-24T14:37:00Z SUBDEBUG Installed: nvidia-fabric-manager-570.158.01-1.x86_64
 *
 *   May 11 05:27:09 Updated: gssproxy.x86_64 0.7.0-17.el7
 *   May 11 05:27:10 Installed: kernel-3.10.0-1160.el7.x86_64
 *   May 11 05:27:11 Erased: nvidia-driver
 *
 * dnf names what comes in first and what it replaces later. Source: dnf, yum/rpmtrans.py. */
#include "parse/package_block.h"

enum { SETTLE_US = 600 * 1000 * 1000 };

struct dnf_log {
	struct pkg_log log;
	struct pkg_block block;
	int64_t last_us;
	unsigned turn, month; /* of stamps without year */
};

enum verb { VERB_NONE, VERB_IN, VERB_REPLACED, VERB_OUT, VERB_OTHER };

struct entry {
	struct gpudx_stamp stamp;
	enum verb verb;
	struct gpudx_sv what;
};

static enum verb scan_verb(struct gpudx_sv *s)
{
	static const struct {
		const char *text;
		enum verb verb;
	} verbs[] = {
		{ "Install: ", VERB_IN },	   { "Installed: ", VERB_IN },
		{ "Dep-Install: ", VERB_IN },	   { "Upgrade: ", VERB_IN },
		{ "Updated: ", VERB_IN },	   { "Downgrade: ", VERB_IN },
		{ "Reinstall: ", VERB_IN },	   { "Upgraded: ", VERB_REPLACED },
		{ "Downgraded: ", VERB_REPLACED }, { "Erase: ", VERB_OUT },
		{ "Erased: ", VERB_OUT },	   { "Removed: ", VERB_OUT },
		{ "Remove: ", VERB_OUT },	   { "Obsoleted: ", VERB_OUT },
		{ "Reinstalled: ", VERB_OTHER },   { "Cleanup: ", VERB_OTHER },
		{ "Obsoleting: ", VERB_OTHER },	   { "Verify: ", VERB_OTHER },
	};

	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (sv_lit(s, verbs[i].text))
			return verbs[i].verb;
	return VERB_NONE;
}

static bool is_level(struct gpudx_sv s)
{
	return sv_is(s, "SUBDEBUG") || sv_is(s, "INFO") || sv_is(s, "DEBUG") ||
	       sv_is(s, "DDEBUG") || sv_is(s, "WARNING") || sv_is(s, "ERROR") ||
	       sv_is(s, "CRITICAL") || sv_is(s, "SUPERCRITICAL") || sv_is(s, "TRACE") ||
	       sv_is(s, "ALL");
}

/* "2025-06-24T14:36:25+0000 SUBDEBUG Upgrade: ..." */
static bool scan_dnf(struct gpudx_sv s, struct entry *e)
{
	struct gpudx_sv level;

	if (!gpudx_scan_iso(&s, &e->stamp) || !sv_char(&s, ' ') || !sv_token(&s, &level) ||
	    !is_level(level))
		return false;
	e->what = sv_ltrim(s);
	e->verb = scan_verb(&e->what);
	e->what = sv_trim(e->what);
	return true;
}

/* "May 11 05:27:09 Updated: ..."; the turn of the year is seen from the months. */
static bool scan_yum(struct gpudx_sv s, struct dnf_log *d, struct entry *e)
{
	unsigned month, day;
	int64_t us;

	if (!gpudx_scan_month_day(&s, &month, &day, &us) || !sv_char(&s, ' '))
		return false;
	e->what = s;
	e->verb = scan_verb(&e->what);
	if (!e->verb)
		return false;
	e->what = sv_trim(e->what);
	if (d) {
		d->turn += month + 1 < d->month;
		d->month = month;
	}
	e->stamp = (struct gpudx_stamp){ .kind = GPUDX_STAMP_NOYEAR, .mono_us = GPUDX_NO_TIME };
	e->stamp.t_us = gpudx_noyear(d ? d->turn : 0, month, day, us);
	return true;
}

/* "name.arch version-release", yum's second form. */
static bool scan_pair(struct gpudx_sv s, struct pkg *p)
{
	struct gpudx_sv word;

	if (!sv_token(&s, &word) || !sv_char(&s, ' '))
		return false;
	*p = (struct pkg){ .version = sv_trim(s) };
	if (!text_cut_last(&word, '.', &p->arch))
		return false;
	p->name = word;
	return p->version.n && !sv_has(p->version, " ");
}

static bool scan_package(struct gpudx_sv s, struct pkg *p)
{
	/* "Erased: nvidia-fabric-manager" has no version. */
	if (scan_pair(s, p) || (pkg_split_rpm(s, p) && sv_is_digit(p->version.p[0])))
		return true;
	*p = (struct pkg){ .name = s };
	return s.n && !sv_has(s, " ");
}

static void settle(struct gpudx_ctx *c, struct dnf_log *d)
{
	pkg_block_end(c, &d->block, &d->log, PKG_RPM, GPUDX_NO_STAMP, GPUDX_NO_STAMP);
}

static void take(struct gpudx_ctx *c, struct dnf_log *d, const struct entry *e)
{
	struct pkg_change *change;
	struct pkg p;

	if (e->verb == VERB_NONE || e->verb == VERB_OTHER || !scan_package(e->what, &p) ||
	    !(change = pkg_block_at(c, &d->block, PKG_RPM, p.name)))
		return;
	change->complete = true;
	if (e->verb == VERB_IN) {
		text_keep(change->now, PKG_BLOCK_TEXT, p.version);
		text_keep(change->arch, sizeof(change->arch), p.arch);
	} else {
		text_keep(change->old, PKG_BLOCK_TEXT, p.version);
	}
	/* The first line of a package is the step, the replaced one only names what was there. */
	if (change->done.kind == GPUDX_STAMP_NONE)
		change->began = change->done = e->stamp;
}

static enum gpudx_take dnf_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct dnf_log *d = gpudx_state(c);
	struct gpudx_sv s = sv_trim(line);
	struct entry e = { .verb = VERB_NONE };

	if (!scan_dnf(s, &e) && !scan_yum(s, d, &e))
		return GPUDX_NOT_MINE;
	if (sv_has(e.what, "logging initialized") || e.stamp.t_us - d->last_us > SETTLE_US)
		settle(c, d);
	d->last_us = e.stamp.t_us;
	gpudx_now(c, e.stamp.kind, e.stamp.t_us);
	pkg_log_reached(c, &d->log, PKG_RPM, e.stamp.t_us);
	take(c, d, &e);
	return GPUDX_TAKEN;
}

static void dnf_finish(struct gpudx_ctx *c)
{
	struct dnf_log *d = gpudx_state(c);

	settle(c, d);
	pkg_log_end(c, &d->log, PKG_RPM);
}

/* What is in every line of a log may also be the time of another: an action must be named. */
static int dnf_bid(const struct gpudx_head *head)
{
	struct pkg p;

	for (size_t i = 0; i < head->n && i < 40; i++) {
		struct gpudx_sv s = sv_trim(head->lines[i].text);
		struct entry e = { .verb = VERB_NONE };

		if (scan_dnf(s, &e) && (sv_starts(e.what, "--- logging initialized ---") ||
					(e.verb && pkg_split_rpm(e.what, &p))))
			return 80;
		if (scan_yum(s, NULL, &e) && scan_package(e.what, &p))
			return 60;
	}
	return 0;
}

const struct gpudx_parser gpudx_parser_dnf_log = {
	.name = "dnf-log",
	.what = "dnf.rpm.log and yum.log: when RPM packages came and went",
	.bid = dnf_bid,
	.line = dnf_line,
	.finish = dnf_finish,
	.state_size = sizeof(struct dnf_log),
};
