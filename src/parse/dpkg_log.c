/* /var/log/dpkg.log: what dpkg did, second by second, in local time.
 *
 *   2025-06-24 14:36:25 startup archives unpack
 *   2025-06-24 14:36:25 upgrade libnvidia-compute-570:amd64 570.124.06-0ubuntu1 570.158.01-0ubuntu1
 *   2025-06-24 14:36:25 status half-configured libnvidia-compute-570:amd64 570.124.06-0ubuntu1
 *   2025-06-24 14:36:31 status installed libnvidia-compute-570:amd64 570.158.01-0ubuntu1
 *   2025-06-25 09:00:00 install nvidia-dkms-570:amd64 <none> 570.158.01-0ubuntu1
 *   2025-06-25 09:10:00 remove nvidia-dkms-535:amd64 535.154.05-0ubuntu1 <none>
 *
 * The old version was there until "upgrade", the new one counts from "status installed" on; what
 * stays half-configured was never completed. Source: dpkg, src/main/main.c, lib/dpkg/log.c. */
#include "parse/package_block.h"

struct dpkg_log {
	struct pkg_log log;
	struct pkg_block block; /* what is on its way */
	bool status;		/* there are lines of status */
};

struct entry {
	struct gpudx_stamp stamp;
	struct gpudx_sv action, state, package, old, now;
};

static const char *const actions[] = {
	"startup", "install",  "upgrade",   "remove",	 "purge",
	"status",  "trigproc", "configure", "disappear", "conffile"
};

static bool is_action(struct gpudx_sv s)
{
	for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]); i++)
		if (sv_is(s, actions[i]))
			return true;
	return false;
}

/* "/var/log/dpkg.log.1:2025-06-24 ...", as grep over several files prints. */
static void skip_file(struct gpudx_sv *s)
{
	struct gpudx_sv file, rest = *s;

	if (s->n && !sv_is_digit(s->p[0]) && sv_until(&rest, ":", &file) && sv_has(file, "dpkg") &&
	    !sv_has(file, " "))
		*s = rest;
}

static bool scan(struct gpudx_sv s, struct entry *e)
{
	*e = (struct entry){ .stamp = { .kind = GPUDX_STAMP_LOCAL, .mono_us = GPUDX_NO_TIME } };
	skip_file(&s);
	if (!s.n || !sv_is_digit(s.p[0]) || !gpudx_scan_ymd_hms(&s, &e->stamp.t_us) ||
	    !sv_char(&s, ' ') || !sv_token(&s, &e->action) || !is_action(e->action))
		return false;
	if (sv_is(e->action, "status") && (!sv_spaces(&s) || !sv_token(&s, &e->state)))
		return false;
	sv_spaces(&s);
	sv_token(&s, &e->package);
	sv_spaces(&s);
	sv_token(&s, &e->old);
	sv_spaces(&s);
	sv_token(&s, &e->now);
	return e->package.n > 0;
}

static bool is_version(struct gpudx_sv s)
{
	return s.n && s.p[0] != '<';
}

/* Of a log that was cut down to what was begun, nothing says more. */
static void assume(struct gpudx_ctx *c, struct dpkg_log *d, const struct pkg_change *change)
{
	struct pkg_step step = { .began = change->began,
				 .done = change->began,
				 .line = change->line,
				 .old_line = change->line,
				 .old = sv_str(change->old) };

	step.now.name = sv_str(change->name);
	step.now.version = sv_str(change->now);
	gpudx_excerpt(c);
	pkg_log_step(c, &d->log, PKG_DPKG, &step);
}

static void set_out(struct gpudx_ctx *c, struct dpkg_log *d, const struct entry *e,
		    struct gpudx_sv name)
{
	struct pkg_change *change = pkg_block_at(c, &d->block, PKG_DPKG, name);

	if (!change)
		return;
	if (!d->status && change->began.kind != GPUDX_STAMP_NONE) {
		assume(c, d, change);
		change->line = gpudx_this_line(c)->no;
		gpudx_cite(c);
	}
	text_keep(change->now, PKG_BLOCK_TEXT, e->now);
	/* "install NAME OLD NEW": only the configuration of the old one was there. */
	text_keep(change->old, PKG_BLOCK_TEXT,
		  sv_is(e->action, "upgrade") && is_version(e->old) ? e->old : SV_LIT(""));
	change->began = e->stamp;
}

static void arrive(struct gpudx_ctx *c, struct dpkg_log *d, const struct entry *e,
		   struct gpudx_sv name)
{
	struct pkg_change *change = pkg_block_at(c, &d->block, PKG_DPKG, name);
	struct pkg_step step = { .now = { .name = name, .version = e->old },
				 .began = e->stamp,
				 .done = e->stamp };

	if (!change)
		return;
	if (change->began.kind != GPUDX_STAMP_NONE) {
		step.old = sv_str(change->old);
		step.began = change->began;
		step.old_line = change->line;
	} else { /* only set up again */
		step.old = e->old;
	}
	pkg_log_step(c, &d->log, PKG_DPKG, &step);
	*change = d->block.of[--d->block.n];
}

static void leave(struct gpudx_ctx *c, struct dpkg_log *d, const struct entry *e,
		  struct gpudx_sv name)
{
	struct pkg_step step = { .now = { .name = name },
				 .old = is_version(e->old) ? e->old : SV_LIT(""),
				 .began = e->stamp,
				 .done = e->stamp };

	pkg_log_step(c, &d->log, PKG_DPKG, &step);
}

static enum gpudx_take dpkg_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct dpkg_log *d = gpudx_state(c);
	struct gpudx_sv name;
	struct entry e;

	if (!scan(sv_trim(line), &e))
		return GPUDX_NOT_MINE;
	gpudx_now(c, e.stamp.kind, e.stamp.t_us);
	pkg_log_reached(c, &d->log, PKG_DPKG, e.stamp.t_us);
	d->status |= e.state.n > 0;
	name = pkg_no_arch(e.package);
	if (!pkg_is_ours(PKG_DPKG, name))
		return GPUDX_TAKEN;
	if (sv_is(e.action, "upgrade") || sv_is(e.action, "install"))
		set_out(c, d, &e, name);
	else if (sv_is(e.state, "installed"))
		arrive(c, d, &e, name);
	else if (sv_is(e.action, "remove")) /* purge only takes the configuration */
		leave(c, d, &e, name);
	return GPUDX_TAKEN;
}

static void dpkg_finish(struct gpudx_ctx *c)
{
	struct dpkg_log *d = gpudx_state(c);

	for (unsigned i = 0; !d->status && i < d->block.n; i++)
		assume(c, d, &d->block.of[i]);
	pkg_log_end(c, &d->log, PKG_DPKG);
	for (unsigned i = 0; d->status && i < d->block.n; i++) {
		const struct pkg_change *change = &d->block.of[i];
		struct gpudx_fact f = { .key = SV("package.unfinished"),
					.layer = sv_str(change->name),
					.value = SV("begun"),
					.stamp = change->began,
					.line = change->line };

		if (change->began.kind != GPUDX_STAMP_NONE)
			gpudx_put_fact(c, &f);
	}
}

static bool dpkg_starts(struct gpudx_sv line)
{
	struct entry e;

	return scan(line, &e);
}

static int dpkg_bid(const struct gpudx_head *head)
{
	for (size_t i = 0; i < head->n && i < 10; i++)
		if (dpkg_starts(head->lines[i].text))
			return 80;
	return 0;
}

const struct gpudx_parser gpudx_parser_dpkg_log = {
	.name = "dpkg-log",
	.what = "dpkg.log: when Debian packages were installed, upgraded and removed",
	.bid = dpkg_bid,
	.starts = dpkg_starts,
	.line = dpkg_line,
	.finish = dpkg_finish,
	.state_size = sizeof(struct dpkg_log),
};
