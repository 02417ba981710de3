/* /var/log/apt/history.log: one block a run of apt, in local time.
 *
 *   Start-Date: 2025-06-24  14:36:24
 *   Commandline: /usr/bin/unattended-upgrade
 *   Requested-By: admin (1000)
 *   Install: linux-image-6.8.0-62-generic:amd64 (6.8.0-62.65, automatic)
 *   Upgrade: libnvidia-compute-570:amd64 (570.124.06-0ubuntu1, 570.158.01-0ubuntu1), bash:amd64
 * (...) Error: Sub-process /usr/bin/dpkg returned an error code (1) End-Date: 2025-06-24  14:37:02
 *
 * Changes count from End-Date on, if there is no Error. Source: apt, apt-pkg/deb/dpkgpm.cc. */
#include "parse/package_block.h"

struct apt_history {
	struct pkg_log log;
	struct pkg_block block;
	struct gpudx_stamp start;
	bool failed;
};

enum verb { VERB_NONE, VERB_IN, VERB_OVER, VERB_OUT };

static enum verb scan_verb(struct gpudx_sv *s)
{
	static const struct {
		const char *text;
		enum verb verb;
	} verbs[] = { { "Install: ", VERB_IN },	    { "Upgrade: ", VERB_OVER },
		      { "Downgrade: ", VERB_OVER }, { "Remove: ", VERB_OUT },
		      { "Purge: ", VERB_OUT },	    { "Reinstall: ", VERB_IN } };

	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (sv_lit(s, verbs[i].text))
			return verbs[i].verb;
	return VERB_NONE;
}

/* "name:arch (version[, more])": the first two of the brackets. */
static bool scan_item(struct gpudx_sv *s, struct gpudx_sv *name, struct gpudx_sv *a,
		      struct gpudx_sv *b)
{
	struct gpudx_sv c = *s, in;

	while (c.n && (c.p[0] == ',' || sv_is_space(c.p[0])))
		c = sv_from(c, 1);
	if (!sv_until(&c, " (", name) || !sv_until(&c, ")", &in))
		return false;
	*name = pkg_no_arch(*name);
	*a = sv_first(in, sv_index(in, ','));
	*b = sv_trim(sv_from(in, a->n + 1));
	*b = sv_first(*b, sv_index(*b, ','));
	*a = sv_trim(*a);
	*s = c;
	return true;
}

static void take_items(struct gpudx_ctx *c, struct apt_history *h, enum verb verb,
		       struct gpudx_sv s)
{
	struct gpudx_sv name, a, b;

	while (scan_item(&s, &name, &a, &b)) {
		struct pkg_change *change = pkg_block_at(c, &h->block, PKG_DPKG, name);

		if (!change)
			continue;
		text_keep(change->old, PKG_BLOCK_TEXT, verb == VERB_IN ? SV_LIT("") : a);
		text_keep(change->now, PKG_BLOCK_TEXT,
			  verb == VERB_OVER ? b
			  : verb == VERB_IN ? a
					    : SV_LIT(""));
		change->complete = true;
	}
}

static void begin_block(struct gpudx_ctx *c, struct apt_history *h, struct gpudx_stamp t)
{
	h->block.n = 0;
	h->failed = false;
	h->start = t;
	gpudx_now(c, t.kind, t.t_us);
	pkg_log_reached(c, &h->log, PKG_DPKG, t.t_us);
}

static void end_block(struct gpudx_ctx *c, struct apt_history *h, struct gpudx_stamp t)
{
	gpudx_now(c, t.kind, t.t_us);
	if (h->failed)
		h->block.n = 0;
	pkg_block_end(c, &h->block, &h->log, PKG_DPKG,
		      h->start.kind == GPUDX_STAMP_NONE ? t : h->start, t);
}

static enum gpudx_take apt_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct apt_history *h = gpudx_state(c);
	struct gpudx_sv s = sv_trim(line);
	bool start = sv_lit(&s, "Start-Date: ");
	struct gpudx_stamp t;
	enum verb verb;

	if (start || sv_lit(&s, "End-Date: ")) {
		if (!pkg_scan_apt_time(s, &t))
			return gpudx_reject(c, "no date");
		if (start)
			begin_block(c, h, t);
		else
			end_block(c, h, t);
		return GPUDX_TAKEN;
	}
	verb = scan_verb(&s);
	if (verb) {
		take_items(c, h, verb, s);
		return GPUDX_TAKEN;
	}
	if (sv_lit(&s, "Error: ")) {
		h->failed = true;
		pkg_block_failed(c, &h->block, h->start, s);
		return GPUDX_TAKEN;
	}
	return sv_starts(s, "Commandline: ") || sv_starts(s, "Requested-By: ") ||
			       sv_starts(s, "Comment: ") || sv_starts(s, "Disappeared: ")
		       ? GPUDX_TAKEN
		       : GPUDX_NOT_MINE;
}

static void apt_finish(struct gpudx_ctx *c)
{
	struct apt_history *h = gpudx_state(c);

	pkg_log_end(c, &h->log, PKG_DPKG);
}

static bool apt_starts(struct gpudx_sv line)
{
	struct gpudx_stamp t;

	return sv_lit(&line, "Start-Date: ") && pkg_scan_apt_time(line, &t);
}

static int apt_bid(const struct gpudx_head *head)
{
	for (size_t i = 0; i < head->n && i < 20; i++)
		if (apt_starts(head->lines[i].text))
			return 80;
	return 0;
}

const struct gpudx_parser gpudx_parser_apt_history = {
	.name = "apt-history",
	.what = "apt history.log: what each run of apt changed",
	.bid = apt_bid,
	.starts = apt_starts,
	.line = apt_line,
	.finish = apt_finish,
	.state_size = sizeof(struct apt_history),
};
