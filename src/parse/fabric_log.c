/* The log of Fabric Manager, and that of IMEX, which writes alike:
 *
 *   [Feb 27 2025 15:10:02] [ERROR] [tid 1803] detected NVSwitch non-fatal error 12028 on fid 0 ...
 *   [Feb 25 2025 13:59:45] [INFO] [tid 1803] Received an inband message:  Message header ...
 *   Message payload details:Team release request: Team Handle:99c9f23d49236386 Flags:0
 *
 * The stamps are local. What the messages mean is said by rules/signatures/fabric.tsv; errors that
 * none of them knows become fabricmanager.error. Source: NVIDIA Fabric Manager user guide; captures
 * of 450 to 570. */
#include "parse/tool.h"

struct fabric {
	uint32_t last_no; /* of the last line that was taken */
};

struct entry {
	struct gpudx_stamp stamp;
	struct gpudx_sv level, message;
};

/* "Feb 27 2025 15:10:02" */
static bool scan_stamp(struct gpudx_sv s, struct gpudx_stamp *t)
{
	unsigned month;
	uint64_t day;
	uint32_t year;
	int64_t date, time;

	if (!gpudx_scan_month(&s, &month) || !sv_spaces(&s) || !sv_u64(&s, &day) || day > 31 ||
	    !sv_char(&s, ' ') || !sv_digits(&s, 4, &year) || !sv_char(&s, ' ') ||
	    !gpudx_scan_clock(&s, &time) || s.n ||
	    !gpudx_civil_us(year, month, (unsigned)day, 0, 0, 0, 0, &date))
		return false;
	*t = (struct gpudx_stamp){ .kind = GPUDX_STAMP_LOCAL,
				   .t_us = date + time,
				   .mono_us = GPUDX_NO_TIME };
	return true;
}

static bool is_level(struct gpudx_sv s)
{
	static const char *const levels[] = { "INFO",  "ERROR",	   "WARNING", "WARN",
					      "DEBUG", "CRITICAL", "FATAL",   "NOTICE" };

	for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++)
		if (sv_is(s, levels[i]))
			return true;
	return false;
}

static bool scan_entry(struct gpudx_sv s, struct entry *e)
{
	struct gpudx_sv stamp, tid;

	if (!sv_char(&s, '[') || !sv_until(&s, "] [", &stamp) || !sv_until(&s, "] ", &e->level) ||
	    !is_level(e->level) || !scan_stamp(stamp, &e->stamp))
		return false;
	if (sv_lit(&s, "[tid "))
		sv_until(&s, "] ", &tid);
	e->message = s;
	return true;
}

static bool is_error(struct gpudx_sv level)
{
	return sv_is(level, "ERROR") || sv_is(level, "CRITICAL") || sv_is(level, "FATAL");
}

static void put_error(struct gpudx_ctx *c, const struct entry *e)
{
	struct gpudx_event ev = gpudx_event_of(SV_LIT("fabricmanager.error"), e->stamp, e->message);

	ev.attrs[ev.nattrs++] = (struct gpudx_attr){ SV_LIT("severity"), e->level };
	/* Different errors of one second are not one. */
	ev.attrs[ev.nattrs++] = (struct gpudx_attr){ SV_LIT("device"), sv_first(e->message, 60) };
	gpudx_put_event(c, &ev);
}

static enum gpudx_take fabric_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct fabric *s = gpudx_state(c);
	const struct gpudx_line *at = gpudx_this_line(c);
	struct entry e;

	if (!scan_entry(line, &e)) {
		/* A message may go on below, behind a blank line, too. */
		if (!s->last_no || at->no - s->last_no > 2 || sv_starts(line, "["))
			return GPUDX_NOT_MINE;
		s->last_no = at->no;
		return GPUDX_TAKEN;
	}
	s->last_no = at->no;
	gpudx_clock(c, GPUDX_CLOCK_LOCAL);
	gpudx_now(c, e.stamp.kind, e.stamp.t_us);
	if (!gpudx_match(c, e.message, &e.stamp) && is_error(e.level))
		put_error(c, &e);
	return GPUDX_TAKEN;
}

static bool fabric_starts(struct gpudx_sv line)
{
	struct entry e;

	return sv_starts(line, "[") && scan_entry(line, &e) && sv_has(line, "] [tid ");
}

static int fabric_bid(const struct gpudx_head *head)
{
	bool named = sv_has(head->path, "fabricmanager") || sv_has(head->path, "imex") ||
		     sv_has(head->command, "fabricmanager") || sv_has(head->command, "imex");
	struct entry e;

	for (size_t i = 0, seen = 0; i < head->n && seen < 20; i++) {
		if (sv_blank(head->lines[i].text))
			continue;
		seen++;
		if (fabric_starts(head->lines[i].text))
			return 80;
		if (named && scan_entry(head->lines[i].text, &e))
			return 80;
	}
	return 0;
}

const struct gpudx_parser gpudx_parser_fabric_log = {
	.name = "fabricmanager-log",
	.what = "logs of Fabric Manager and IMEX",
	.bid = fabric_bid,
	.starts = fabric_starts,
	.line = fabric_line,
	.state_size = sizeof(struct fabric),
	.flags = GPUDX_P_FIND,
};
