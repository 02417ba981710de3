/* dnf history and yum history: the table of transactions, and one of them in full.
 *
 *   ID     | Command line             | Date and time    | Action(s)      | Altered
 *   -------------------------------------------------------------------------------
 *       12 | upgrade                  | 2025-06-24 14:36 | I, U           |  123 EE
 *       11 | install nvidia-driver    | 2025-06-01 09:02 | Install        |   31
 *
 *   Transaction ID : 12
 *   Begin time     : Tue 24 Jun 2025 02:36:20 PM UTC
 *   End time       : Tue 24 Jun 2025 02:38:00 PM UTC (100 seconds)
 *   Return-Code    : Success
 *   Packages Altered:
 *       Upgrade       nvidia-driver-3:570.158.01-1.el9.x86_64   @cuda
 *       Upgraded      nvidia-driver-3:570.124.06-1.el9.x86_64   @@System
 *
 * The table says no versions, only that something was done when. Source: dnf, cli/output.py. */
#include "parse/package_block.h"

#include <stdio.h>

struct dnf_history {
	struct pkg_log log;
	struct pkg_block block;
	struct gpudx_stamp begin, end;
	bool failed, altered;
};

/* ---- the table ---- */

struct row {
	struct gpudx_sv command, actions;
	struct gpudx_stamp stamp;
};

/* "    12 | upgrade | 2025-06-24 14:36 | I, U | 123 EE"; yum has the user in the second column. */
static bool scan_row(struct gpudx_sv s, struct row *r)
{
	struct gpudx_sv id, date;
	char buf[32];
	uint64_t n;
	int len;

	r->stamp = (struct gpudx_stamp){ .kind = GPUDX_STAMP_LOCAL, .mono_us = GPUDX_NO_TIME };
	if (!sv_until(&s, "|", &id) || !sv_until(&s, "|", &r->command) ||
	    !sv_until(&s, "|", &date) || !sv_until(&s, "|", &r->actions))
		return false;
	id = sv_trim(id);
	date = sv_trim(date);
	r->command = sv_trim(r->command);
	r->actions = sv_trim(r->actions);
	len = snprintf(buf, sizeof(buf), "%.*s:00", (int)sv_first(date, 16).n, date.p);
	date = sv_n(buf, len > 0 ? (size_t)len : 0);
	return sv_u64(&id, &n) && !id.n && gpudx_scan_ymd_hms(&date, &r->stamp.t_us);
}

/* Everything is brought up to date, or the command names the stack. */
static bool is_of_interest(struct gpudx_sv command)
{
	static const char *const words[] = { "nvidia", "cuda",	  "kernel", "nccl",
					     "cudnn",  "upgrade", "update", "system-upgrade" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (sv_has(command, words[i]))
			return true;
	return false;
}

static void put_row(struct gpudx_ctx *c, const struct row *r)
{
	struct gpudx_event e = gpudx_event_of(SV_LIT("package.transaction"), r->stamp, r->command);

	gpudx_now(c, r->stamp.kind, r->stamp.t_us);
	if (!is_of_interest(r->command))
		return;
	e.attrs[e.nattrs++] = (struct gpudx_attr){ SV_LIT("actions"), r->actions };
	gpudx_put_event(c, &e);
}

/* ---- one transaction ---- */

static bool key_line(struct dnf_history *h, struct gpudx_sv s)
{
	static const char *const keys[] = { "Transaction ID", "Begin rpmdb", "End rpmdb",
					    "User",	      "Return-Code", "Releasever",
					    "Command Line",   "Description", "Comment",
					    "Persistence",    "Status",	     "Releasever" };
	struct gpudx_sv key;

	if (!sv_until(&s, ":", &key))
		return false;
	key = sv_trim(key);
	s = sv_trim(s);
	if (sv_is(key, "Begin time"))
		return gpudx_scan_ctime(&s, &h->begin);
	if (sv_is(key, "End time"))
		return gpudx_scan_ctime(&s, &h->end);
	if (sv_is(key, "Packages Altered") || sv_is(key, "Packages altered")) {
		h->altered = true;
		return true;
	}
	if (sv_is(key, "Return-Code") || sv_is(key, "Status"))
		h->failed = !sv_starts(s, "Success") && !sv_starts(s, "Ok");
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (sv_is(key, keys[i]))
			return true;
	return false;
}

static bool altered_line(struct gpudx_ctx *c, struct dnf_history *h, struct gpudx_sv s)
{
	struct gpudx_sv action, package;
	struct pkg_change *change;
	bool in, out;
	struct pkg p;

	sv_lit(&s, "** ");
	if (!sv_token(&s, &action) || !sv_spaces(&s) || !sv_token(&s, &package) ||
	    !pkg_split_rpm(package, &p))
		return false;
	in = sv_is(action, "Install") || sv_is(action, "Dep-Install") || sv_is(action, "Upgrade") ||
	     sv_is(action, "Update") || sv_is(action, "Downgrade") || sv_is(action, "Installed");
	out = sv_is(action, "Upgraded") || sv_is(action, "Updated") ||
	      sv_is(action, "Downgraded") || sv_is(action, "Removed") || sv_is(action, "Erase") ||
	      sv_is(action, "Obsoleted") || sv_is(action, "Remove");
	if ((!in && !out) || !(change = pkg_block_at(c, &h->block, PKG_RPM, p.name)))
		return true;
	change->complete = true;
	text_keep(in ? change->now : change->old, PKG_BLOCK_TEXT, p.version);
	if (in)
		text_keep(change->arch, sizeof(change->arch), p.arch);
	return true;
}

static void settle(struct gpudx_ctx *c, struct dnf_history *h)
{
	struct gpudx_stamp done = h->end.kind ? h->end : h->begin;

	if (h->failed && h->begin.kind)
		pkg_block_failed(c, &h->block, h->begin, SV_LIT("transaction failed"));
	if (done.kind)
		gpudx_now(c, done.kind, done.t_us);
	if (h->failed || !done.kind)
		h->block.n = 0;
	pkg_block_end(c, &h->block, &h->log, PKG_RPM, h->begin, done);
	h->begin.kind = h->end.kind = GPUDX_STAMP_NONE;
	h->failed = h->altered = false;
}

/* ---- the parser ---- */

static bool is_table_head(struct gpudx_sv s)
{
	s = sv_trim(s);
	return sv_starts(s, "ID ") && sv_has(s, "| Date and time") && sv_has(s, "| Altered");
}

static bool is_info_head(struct gpudx_sv s)
{
	return sv_starts(s, "Transaction ID :") || sv_starts(s, "Transaction ID:");
}

static bool is_rule(struct gpudx_sv s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] != '-')
			return false;
	return s.n > 8;
}

static enum gpudx_take history_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct dnf_history *h = gpudx_state(c);
	struct gpudx_sv s = sv_trim(line);
	struct row r;

	if (is_info_head(s))
		settle(c, h);
	if (is_table_head(s) || is_rule(s) || key_line(h, s))
		return GPUDX_TAKEN;
	if (scan_row(s, &r)) {
		put_row(c, &r);
		return GPUDX_TAKEN;
	}
	return h->altered && altered_line(c, h, s) ? GPUDX_TAKEN : GPUDX_NOT_MINE;
}

static void history_finish(struct gpudx_ctx *c)
{
	struct dnf_history *h = gpudx_state(c);

	settle(c, h);
	pkg_log_end(c, &h->log, PKG_RPM);
}

static bool history_starts(struct gpudx_sv line)
{
	return is_table_head(line) || is_info_head(line);
}

static int history_bid(const struct gpudx_head *head)
{
	for (size_t i = 0; i < head->n && i < 20; i++)
		if (history_starts(sv_trim(head->lines[i].text)))
			return 80;
	return 0;
}

const struct gpudx_parser gpudx_parser_dnf_history = {
	.name = "dnf-history",
	.what = "dnf history and yum history, the table and single transactions",
	.bid = history_bid,
	.starts = history_starts,
	.line = history_line,
	.finish = history_finish,
	.state_size = sizeof(struct dnf_history),
};
