/* /var/log/zypp/history: what zypper and YaST did, local time, columns by pipes.
 *
 *   # 2025-06-24 14:36:20 kernel-default-... installed ok
 *   2025-06-24 14:36:20|command|root@node01|'zypper' 'up'|
 *   2025-06-24 14:36:25|install|nvidia-compute-G06|570.158.01-1.1|x86_64||cuda|0123abcd|
 *   2025-06-24 14:40:00|remove |nvidia-compute-G05|470.223.02-1.1|x86_64|root@node01|
 *   2025-06-24 14:41:00|radd   |cuda|https://example.org/cuda|
 *
 * Source: libzypp, zypp/HistoryLog.cc. */
#include "parse/package.h"
#include "parse/text.h"

struct zypp_history {
	struct pkg_log log;
};

static bool scan_head(struct gpudx_sv *s, struct gpudx_stamp *t, struct gpudx_sv *action)
{
	*t = (struct gpudx_stamp){ .kind = GPUDX_STAMP_LOCAL, .mono_us = GPUDX_NO_TIME };
	if (!gpudx_scan_ymd_hms(s, &t->t_us) || !sv_char(s, '|') || !sv_until(s, "|", action))
		return false;
	*action = sv_trim(*action);
	for (size_t i = 0; i < action->n; i++)
		if (!sv_is_alpha(action->p[i]))
			return false;
	return action->n > 0;
}

static void take(struct gpudx_ctx *c, struct zypp_history *z, struct gpudx_sv s,
		 struct gpudx_stamp t, bool install)
{
	struct pkg_step step = { .began = t, .done = t };

	if (!sv_until(&s, "|", &step.now.name) || !sv_until(&s, "|", &step.now.version) ||
	    !sv_cell(&s, '|', &step.now.arch))
		return;
	step.now.arch = sv_n(NULL, 0); /* uname -r does not have it here */
	if (!install) {
		step.old = step.now.version;
		step.now.version = sv_n(NULL, 0);
	}
	pkg_log_step(c, &z->log, PKG_RPM, &step);
}

static enum gpudx_take zypp_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct zypp_history *z = gpudx_state(c);
	struct gpudx_sv s = sv_trim(line), action;
	struct gpudx_stamp t;

	if (sv_starts(s, "# 20") || (sv_starts(s, "#") && !text_may_be_border(s)))
		return GPUDX_TAKEN;
	if (!scan_head(&s, &t, &action))
		return GPUDX_NOT_MINE;
	gpudx_now(c, t.kind, t.t_us);
	pkg_log_reached(c, &z->log, PKG_RPM, t.t_us);
	if (sv_is(action, "install") || sv_is(action, "remove"))
		take(c, z, s, t, sv_is(action, "install"));
	return GPUDX_TAKEN;
}

static void zypp_finish(struct gpudx_ctx *c)
{
	struct zypp_history *z = gpudx_state(c);

	pkg_log_end(c, &z->log, PKG_RPM);
}

static int zypp_bid(const struct gpudx_head *head)
{
	for (size_t i = 0; i < head->n && i < 60; i++) {
		struct gpudx_sv s = sv_trim(head->lines[i].text), action;
		struct gpudx_stamp t;

		if (scan_head(&s, &t, &action) &&
		    (sv_is(action, "install") || sv_is(action, "remove") ||
		     sv_is(action, "command") || sv_is(action, "radd") || sv_is(action, "patch")))
			return 80;
	}
	return 0;
}

const struct gpudx_parser gpudx_parser_zypp_history = {
	.name = "zypp-history",
	.what = "zypp/history: what zypper installed and removed",
	.bid = zypp_bid,
	.line = zypp_line,
	.finish = zypp_finish,
	.state_size = sizeof(struct zypp_history),
};
