/* /var/log/apt/term.log: what dpkg and the scripts of packages printed, in blocks.
 *
 *   Log started: 2025-06-24  14:36:24
 *   (Reading database ... 201345 files and directories currently installed.)
 *   Preparing to unpack .../libnvidia-compute-570_570.158.01-0ubuntu1_amd64.deb ...
 *   Unpacking libnvidia-compute-570:amd64 (570.158.01-0ubuntu1) over (570.124.06-0ubuntu1) ...
 *   Setting up libnvidia-compute-570:amd64 (570.158.01-0ubuntu1) ...
 *   Removing nvidia-dkms-535 (535.154.05-0ubuntu1) ...
 *   Error! Bad return status for module build on kernel: 6.8.0-62-generic (x86_64)
 *   dpkg: error processing package nvidia-dkms-570 (--configure):
 *   Log ended: 2025-06-24  14:37:02
 *
 * What was set up is complete, be it in a later block. The output of scripts is free text: within a
 * block all of it belongs here, and what it says of builds is found by signatures. Source: apt,
 * apt-pkg/deb/dpkgpm.cc. */
#include "parse/package_block.h"

struct apt_term {
	struct pkg_log log;
	struct pkg_block block;
	struct gpudx_stamp start;
	bool inside;
};

/* "name:arch (version)" and what follows. */
static bool scan_package(struct gpudx_sv *s, struct gpudx_sv *name, struct gpudx_sv *version)
{
	struct gpudx_sv c = *s;

	if (!sv_until(&c, " (", name) || sv_has(*name, " ") || !sv_until(&c, ")", version))
		return false;
	*name = pkg_no_arch(*name);
	*s = c;
	return true;
}

static void unpacking(struct gpudx_ctx *c, struct apt_term *a, struct gpudx_sv s)
{
	struct gpudx_sv name, now, old;
	struct pkg_change *change;

	if (!scan_package(&s, &name, &now) ||
	    !(change = pkg_block_at(c, &a->block, PKG_DPKG, name)))
		return;
	text_keep(change->now, PKG_BLOCK_TEXT, now);
	change->began = a->start;
	if (sv_lit(&s, " over (") && sv_until(&s, ")", &old))
		text_keep(change->old, PKG_BLOCK_TEXT, old);
}

static void setting_up(struct gpudx_ctx *c, struct apt_term *a, struct gpudx_sv s)
{
	struct gpudx_sv name, now;
	struct pkg_change *change;

	if (!scan_package(&s, &name, &now) ||
	    !(change = pkg_block_at(c, &a->block, PKG_DPKG, name)))
		return;
	if (!change->now[0])
		text_keep(change->old, PKG_BLOCK_TEXT, now); /* only set up again */
	text_keep(change->now, PKG_BLOCK_TEXT, now);
	change->complete = true;
}

static void removing(struct gpudx_ctx *c, struct apt_term *a, struct gpudx_sv s)
{
	struct gpudx_sv name, old;
	struct pkg_change *change;

	if (!scan_package(&s, &name, &old) ||
	    !(change = pkg_block_at(c, &a->block, PKG_DPKG, name)))
		return;
	text_keep(change->old, PKG_BLOCK_TEXT, old);
	change->now[0] = 0; /* what was unpacked and never set up, too */
	change->began = a->start;
	change->complete = true;
}

static void error_line(struct gpudx_ctx *c, struct apt_term *a, struct gpudx_sv text,
		       struct gpudx_sv name)
{
	struct pkg_change *change;

	name = pkg_no_arch(sv_first(name, sv_index(name, ' ')));
	change = pkg_block_at(c, &a->block, PKG_DPKG, name);
	if (!change)
		return;
	change->complete = false;
	pkg_block_failed(c, &a->block, a->start, text);
}

static enum gpudx_take block_line(struct gpudx_ctx *c, struct apt_term *a, struct gpudx_sv s)
{
	struct gpudx_sv text = s;

	if (sv_lit(&s, "Unpacking "))
		unpacking(c, a, s);
	else if (sv_lit(&s, "Setting up "))
		setting_up(c, a, s);
	else if (sv_lit(&s, "Removing "))
		removing(c, a, s);
	else if (sv_lit(&s, "dpkg: error processing package "))
		error_line(c, a, text, s);
	else
		gpudx_match(c, s, &a->start);
	return GPUDX_TAKEN;
}

static enum gpudx_take term_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct apt_term *a = gpudx_state(c);
	struct gpudx_sv s = sv_trim(line);
	bool start = sv_lit(&s, "Log started: ");
	struct gpudx_stamp t;

	if (!start && !sv_lit(&s, "Log ended: "))
		return a->inside && !text_may_be_border(line) ? block_line(c, a, s)
							      : GPUDX_NOT_MINE;
	if (!pkg_scan_apt_time(s, &t))
		return gpudx_reject(c, "no date");
	gpudx_now(c, t.kind, t.t_us);
	if (start) {
		a->start = t;
		pkg_log_reached(c, &a->log, PKG_DPKG, t.t_us);
	} else {
		pkg_block_end(c, &a->block, &a->log, PKG_DPKG, a->inside ? a->start : t, t);
	}
	a->inside = start;
	return GPUDX_TAKEN;
}

static void term_finish(struct gpudx_ctx *c)
{
	struct apt_term *a = gpudx_state(c);

	pkg_log_end(c, &a->log, PKG_DPKG);
}

static bool term_starts(struct gpudx_sv line)
{
	struct gpudx_stamp t;

	return sv_lit(&line, "Log started: ") && pkg_scan_apt_time(line, &t);
}

static int term_bid(const struct gpudx_head *head)
{
	for (size_t i = 0; i < head->n && i < 20; i++)
		if (term_starts(head->lines[i].text))
			return 80;
	return 0;
}

const struct gpudx_parser gpudx_parser_apt_term = {
	.name = "apt-term",
	.what = "apt term.log: what packages printed while they were set up",
	.bid = term_bid,
	.starts = term_starts,
	.line = term_line,
	.finish = term_finish,
	.state_size = sizeof(struct apt_term),
	.flags = GPUDX_P_FIND,
};
