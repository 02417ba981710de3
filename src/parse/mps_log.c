/* The logs of CUDA MPS, control.log and server.log:
 *
 *   [2024-05-07 09:58:55.123 Control  1234] Starting control daemon using socket /tmp/...
 *   [2024-05-07 09:58:56.010 Control  1234] NEW CLIENT 1300 from user 1000: Server is not ready
 *   [2024-05-07 09:58:57.400 Server  1240] Client {1300, 1} encountered a fatal GPU error
 *   [2024-05-07 09:58:57.400 Other   1240] Startup
 *
 * The stamps are local. That there is such a log says that MPS was in use. What the messages mean
 * is said by rules/signatures/mps.tsv. Source: NVIDIA Multi-Process Service documentation. */
#include "parse/tool.h"

struct entry {
	struct gpudx_stamp stamp;
	struct gpudx_sv who, message;
	uint64_t pid;
};

static bool scan_entry(struct gpudx_sv s, struct entry *e)
{
	e->stamp = (struct gpudx_stamp){ .kind = GPUDX_STAMP_LOCAL, .mono_us = GPUDX_NO_TIME };
	if (!sv_char(&s, '[') || !gpudx_scan_ymd_hms(&s, &e->stamp.t_us) || !sv_char(&s, ' ') ||
	    !sv_spaces(&s) || !sv_token(&s, &e->who) || !sv_spaces(&s) || !sv_u64(&s, &e->pid) ||
	    !sv_lit(&s, "] "))
		return false;
	e->message = s;
	return sv_is(e->who, "Control") || sv_is(e->who, "Server") || sv_is(e->who, "Other");
}

static enum gpudx_take mps_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct entry e;

	if (!scan_entry(line, &e))
		return GPUDX_NOT_MINE;
	gpudx_clock(c, GPUDX_CLOCK_LOCAL);
	gpudx_now(c, e.stamp.kind, e.stamp.t_us);
	gpudx_fact(c, 0, "mps.log", sv_is(e.who, "Control") ? "control" : "server", SV_LIT("yes"));
	gpudx_match(c, e.message, &e.stamp);
	return GPUDX_TAKEN;
}

static bool mps_starts(struct gpudx_sv line)
{
	struct entry e;

	return sv_starts(line, "[") && scan_entry(line, &e);
}

static int mps_bid(const struct gpudx_head *head)
{
	for (size_t i = 0, seen = 0; i < head->n && seen < 20; i++) {
		if (sv_blank(head->lines[i].text))
			continue;
		seen++;
		if (mps_starts(head->lines[i].text))
			return 80;
	}
	return 0;
}

const struct gpudx_parser gpudx_parser_mps_log = {
	.name = "mps-log",
	.what = "control and server logs of CUDA MPS",
	.bid = mps_bid,
	.starts = mps_starts,
	.line = mps_line,
	.flags = GPUDX_P_FIND,
};
