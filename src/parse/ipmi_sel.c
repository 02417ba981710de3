/* The event log of a BMC as ipmitool and FreeIPMI print it:
 *
 *      1 | 01/13/2026 | 10:22:41 | Power Supply #0x51 | Power Supply AC lost | Asserted   sel list
 *      2 | 01/13/2026 | 10:22:41 UTC | Temperature Inlet Temp | Upper Critical going high |
 *          Asserted | Reading 46 > Threshold 45 degrees C                                (one line)
 *      3 | Pre-Init  |0000000042| Power Supply #0x51 | Presence detected | Asserted
 *   1,01/13/2026,10:22:41,Power Supply #0x51,Power Supply AC lost,Asserted             -c sel list
 *   1   | Jan-13-2026 | 10:22:41 | PSU1 Status | Power Supply | Power Supply input lost   ipmi-sel
 *
 *   SEL Record ID          : 0001                                                       -v sel list
 *    Timestamp             : 01/13/2026 10:22:41
 *    Sensor Type           : Power Supply
 *    Description           : Power Supply AC lost
 *
 * and what `sel info` says. `sel time get` is one stamp: the BMC's clock when the bundle was
 * collected. The zone that newer ipmitools print behind the time is a guess of the host's, so the
 * stamps are local times of the BMC. Source: ipmitool, lib/ipmi_sel.c; freeipmi, ipmi-sel. */
#include "parse/bmc_kind.h"
#include "parse/text.h"
#include "parse/tool.h"

enum { CELLS = 8, TEXT = 200 };

struct text {
	size_t n;
	char p[TEXT];
};

struct sel {
	bool open;   /* a record of -v is being read */
	bool listed; /* records were shown, or that there are none */
	struct text id, type, sensor, direction, description;
	struct gpudx_stamp stamp;
	uint32_t line;
};

/* ---- one line a record ---- */

struct row {
	struct gpudx_sv cells[CELLS];
	size_t n;
};

static bool is_hex(struct gpudx_sv s)
{
	uint64_t id;

	return sv_hex(&s, 1, 8, &id) && !s.n;
}

static void split(struct gpudx_sv s, char sep, struct row *r)
{
	struct gpudx_sv cell;

	r->n = 0;
	while (r->n < CELLS && sv_cell(&s, sep, &cell))
		r->cells[r->n++] = sv_trim(cell);
}

/* "Jan-13-2026" of FreeIPMI. */
static bool scan_name_date(struct gpudx_sv s, int64_t *day_us)
{
	unsigned month;
	uint64_t day;
	uint32_t year;

	return gpudx_scan_month(&s, &month) && sv_char(&s, '-') && sv_u64(&s, &day) && day <= 31 &&
	       sv_char(&s, '-') && sv_digits(&s, 4, &year) && !s.n &&
	       gpudx_civil_us(year, month, (unsigned)day, 0, 0, 0, 0, day_us);
}

/* The stamp of two cells. True with kind NONE for records from before the clock was set. */
static bool scan_time(struct gpudx_sv date, struct gpudx_sv time, struct gpudx_stamp *t)
{
	struct gpudx_sv d = date;
	int64_t day, us;
	uint64_t since;

	*t = GPUDX_NO_STAMP;
	if (sv_starts(date, "Pre-Init") || sv_is(date, "PostInit"))
		return sv_hex(&time, 1, 10, &since) || sv_blank(time) || sv_eq(time, date);
	if (sv_is(date, "Unspecified") || sv_is(date, "Unknown"))
		return true;
	if (!((bmc_scan_date(&d, &day) && !d.n) || scan_name_date(date, &day)) ||
	    !gpudx_scan_clock(&time, &us))
		return false;
	t->kind = GPUDX_STAMP_LOCAL;
	t->t_us = day + text_meridiem(time, us);
	return true;
}

/* "Reading 46 > Threshold 45 degrees C" */
static void scan_reading(struct gpudx_sv s, struct bmc_record *r)
{
	struct gpudx_sv skipped;
	size_t at;

	if (!sv_until(&s, "Reading ", &skipped) || (at = sv_find(s, "Threshold ")) == s.n)
		return;
	r->reading = sv_trim(sv_first(s, sv_index(s, ' ')));
	r->threshold = sv_trim(sv_from(s, at + strlen("Threshold ")));
}

static bool is_state(struct gpudx_sv s)
{
	return sv_is(s, "Asserted") || sv_is(s, "Deasserted") || sv_is(s, "Assertion Event") ||
	       sv_is(s, "Deassertion Event");
}

/* FreeIPMI names the sensor before its type, and may tell a state before the event. */
static void fill_freeipmi(const struct row *r, struct bmc_record *out)
{
	struct gpudx_sv last = r->cells[r->n - 1], skipped;

	out->sensor = r->cells[3];
	out->message = sv_trim(sv_first(last, sv_find(last, " ; ")));
	if (r->n > 6)
		out->severity = r->cells[5];
	if (sv_until(&last, "Sensor Reading = ", &skipped))
		out->reading = sv_trim(sv_first(last, sv_find(last, " ;")));
	if (sv_until(&last, "Threshold = ", &skipped))
		out->threshold = sv_trim(sv_first(last, sv_find(last, " ;")));
}

static bool scan_row(struct gpudx_sv s, struct bmc_record *out)
{
	struct gpudx_stamp t;
	struct row r;
	char sep = sv_index(s, '|') < s.n ? '|' : ',';

	split(s, sep, &r);
	if (r.n < 5 || !is_hex(r.cells[0]) || !scan_time(r.cells[1], r.cells[2], &t))
		return false;
	*out = (struct bmc_record){
		.id = r.cells[0], .sensor = r.cells[3], .message = r.cells[4], .stamp = t
	};
	if (sv_is_alpha(r.cells[1].n ? r.cells[1].p[0] : '0') && t.kind == GPUDX_STAMP_LOCAL &&
	    r.n >= 6) {
		fill_freeipmi(&r, out);
		return true;
	}
	if (r.n > 5 && is_state(r.cells[5]))
		out->state = r.cells[5];
	for (size_t i = 5; i < r.n; i++)
		scan_reading(r.cells[i], out);
	return true;
}

/* "  e | OEM record dd | 000137 | 0a0b0c0d0e0f0a0b0c0d0e0f": a record without stamp, and the same
 * with one and fewer cells. */
static bool is_oem(struct gpudx_sv s)
{
	struct row r;

	split(s, sv_index(s, '|') < s.n ? '|' : ',', &r);
	return r.n >= 3 && is_hex(r.cells[0]) &&
	       (sv_starts(r.cells[1], "OEM record ") ||
		(r.n > 3 && sv_starts(r.cells[3], "OEM record ")));
}

/* ---- several lines a record ---- */

static void keep(struct text *t, struct gpudx_sv s)
{
	s = sv_first(sv_trim(s), sizeof(t->p));
	memcpy(t->p, s.p, s.n);
	t->n = s.n;
}

static struct gpudx_sv view(const struct text *t)
{
	return sv_n(t->p, t->n);
}

static void record_end(struct gpudx_ctx *c, struct sel *s)
{
	struct bmc_record r = { .stamp = s->stamp, .line = s->line };

	if (!s->open)
		return;
	s->open = false;
	r.id = view(&s->id);
	r.sensor = view(s->sensor.n ? &s->sensor : &s->type);
	r.message = view(&s->description);
	if (sv_starts(view(&s->direction), "Assertion"))
		r.state = SV_LIT("Asserted");
	else if (sv_starts(view(&s->direction), "Deassertion"))
		r.state = SV_LIT("Deasserted");
	bmc_put(c, &r);
}

static void record_begin(struct gpudx_ctx *c, struct sel *s, struct gpudx_sv id)
{
	record_end(c, s);
	*s = (struct sel){ .open = true, .listed = true, .line = gpudx_this_line(c)->no };
	s->stamp.t_us = s->stamp.mono_us = GPUDX_NO_TIME;
	keep(&s->id, id);
	gpudx_cite(c);
}

/* "Timestamp : 01/13/2026 10:22:41" */
static void keep_stamp(struct sel *s, struct gpudx_sv v)
{
	if (bmc_scan_stamp(v, &s->stamp))
		s->stamp.kind = GPUDX_STAMP_LOCAL;
}

static const char *const details[] = {
	"Record Type",
	"Generator ID",
	"EvM Revision",
	"Sensor Number",
	"Event Type",
	"Event Data",
	"Event Data (RAW)",
	"Event Interpretation",
	"Trigger Reading",
	"Trigger Threshold",
	"Manufactacturer ID",
	"OEM Defined",
	"Manufacturer ID",
	"FRU",
	"Sensor Reading",
	"Status",
	"Lower Non-Recoverable",
	"Lower Critical",
	"Lower Non-Critical",
	"Upper Non-Critical",
	"Upper Critical",
	"Upper Non-Recoverable",
	"Entity ID",
	"Sensor Type (Threshold)",
	"Sensor Type (Discrete)",
	"Sensor Type (Analog)",
	"Positive Hysteresis",
	"Negative Hysteresis",
	"Event Status",
	"Event Enable",
	"Assertion Events",
	"Assertions Enabled",
	"Deassertions Enabled",
	"States Asserted",
	"Readable Thresholds",
	"Settable Thresholds",
};

static bool is_detail(struct gpudx_sv label)
{
	for (size_t i = 0; i < sizeof(details) / sizeof(details[0]); i++)
		if (sv_is(label, details[i]))
			return true;
	return false;
}

static bool record_line(struct gpudx_ctx *c, struct sel *s, struct gpudx_sv line)
{
	struct gpudx_sv label, value;

	if (!tool_split(line, &label, &value))
		return false;
	if (sv_is(label, "SEL Record ID"))
		record_begin(c, s, value);
	else if (!s->open)
		return false;
	else if (sv_is(label, "Timestamp"))
		keep_stamp(s, value);
	else if (sv_is(label, "Sensor Type"))
		keep(&s->type, value);
	else if (sv_is(label, "Sensor ID"))
		keep(&s->sensor, sv_first(value, sv_find(value, " (")));
	else if (sv_is(label, "Event Direction"))
		keep(&s->direction, value);
	else if (sv_is(label, "Description"))
		keep(&s->description, value);
	else
		return is_detail(label);
	return true;
}

/* ---- sel info, sel time get ---- */

static const struct tool_label info[] = {
	{ "Version", NULL, TOOL_DROP },
	{ "Entries", "bmc.sel_entries", TOOL_NUM },
	{ "Free Space", NULL, TOOL_DROP },
	{ "Percent Used", "bmc.sel_used_pct", TOOL_NUM },
	{ "Last Add Time", NULL, TOOL_DROP },
	{ "Last Del Time", NULL, TOOL_DROP },
	{ "Overflow", "bmc.sel_overflow", TOOL_WORD },
	{ "Supported Cmds", NULL, TOOL_DROP },
	{ "# of Alloc Units", NULL, TOOL_DROP },
	{ "Alloc Unit Size", NULL, TOOL_DROP },
	{ "# Free Units", NULL, TOOL_DROP },
	{ "Largest Free Blk", NULL, TOOL_DROP },
	{ "Max Record Size", NULL, TOOL_DROP },
};

static bool info_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct gpudx_sv label, value;
	const struct tool_label *l;

	if (sv_is(line, "SEL Information"))
		return true;
	if (!tool_split(line, &label, &value))
		return false;
	l = tool_label(info, sizeof(info) / sizeof(info[0]), label);
	if (l)
		tool_fact(c, l, "", value);
	return l != NULL;
}

static bool asks_time(struct gpudx_sv command, struct gpudx_sv path)
{
	return tool_says("sel time get", command, path) || tool_says("sel time", command, path);
}

static bool time_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct gpudx_anchor a = { .kind = SV_LIT("sel_time"),
				  .mono_us = GPUDX_NO_TIME,
				  .utc_us = GPUDX_NO_TIME };
	struct gpudx_stamp t;

	if (!asks_time(gpudx_command(c), gpudx_path(c)) || !bmc_scan_stamp(line, &t))
		return false;
	a.local_us = t.t_us;
	gpudx_put_anchor(c, &a);
	return true;
}

/* ---- the parser ---- */

static bool is_title(struct gpudx_sv s)
{
	return sv_is(s, "SEL has no entries") ||
	       (sv_starts(s, "ID ") && sv_has(s, "| Date") && sv_has(s, "| Event"));
}

static enum gpudx_take sel_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct sel *s = gpudx_state(c);
	struct gpudx_sv text = sv_trim(line);
	struct bmc_record r;

	if (scan_row(text, &r)) {
		record_end(c, s);
		s->listed = true;
		gpudx_clock(c, (enum gpudx_clock_kind)r.stamp.kind);
		bmc_put(c, &r);
		return GPUDX_TAKEN;
	}
	s->listed |= is_title(text);
	if (is_title(text) || is_oem(text) || record_line(c, s, text) || info_line(c, text) ||
	    time_line(c, text))
		return GPUDX_TAKEN;
	return GPUDX_NOT_MINE;
}

/* "sel list 20", "sel elist last 20": not all of it. */
static void sel_begin(struct gpudx_ctx *c)
{
	struct gpudx_sv s = gpudx_command(c), skipped;

	if (sv_until(&s, "list ", &skipped) && sv_trim(s).n && s.p[0] != '|' && s.p[0] != '>' &&
	    s.p[0] != '2')
		gpudx_excerpt(c);
}

/* What only tells the time, or how full the log is, does not show what is not in it. */
static void sel_finish(struct gpudx_ctx *c)
{
	struct sel *s = gpudx_state(c);

	record_end(c, s);
	if (!s->listed)
		gpudx_excerpt(c);
}

static bool sel_starts(struct gpudx_sv line)
{
	struct bmc_record r;

	line = sv_trim(line);
	return (line.n && sv_hex_value(line.p[0]) >= 0 && scan_row(line, &r)) ||
	       sv_starts(line, "SEL Record ID          :") || sv_is(line, "SEL has no entries");
}

static int sel_bid(const struct gpudx_head *head)
{
	struct gpudx_stamp t;

	for (size_t i = 0, seen = 0; i < head->n && seen < 20; i++) {
		struct gpudx_sv s = sv_trim(head->lines[i].text);

		if (!s.n)
			continue;
		if (sel_starts(s) || is_title(s) || sv_is(s, "SEL Information"))
			return 80;
		if (!seen++ && asks_time(head->command, head->path) && bmc_scan_stamp(s, &t))
			return 80;
	}
	return 0;
}

const struct gpudx_parser gpudx_parser_ipmi_sel = {
	.name = "ipmi-sel",
	.what = "the BMC's event log by ipmitool sel or ipmi-sel, its clock by sel time get",
	.bid = sel_bid,
	.starts = sel_starts,
	.begin = sel_begin,
	.line = sel_line,
	.finish = sel_finish,
	.state_size = sizeof(struct sel),
};
