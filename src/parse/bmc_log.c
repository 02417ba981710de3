/* Logs that BMCs export of themselves: iDRAC (racadm getsel, lclog view, XML), iLO (IML as XML or
 * CSV, and by its shell), XCC and others as CSV, also with '|' between the cells.
 *
 *   Record:      1                              SeqNumber       = 1234
 *   Date/Time:   05/07/2024 09:58:55            Message ID      = PSU0003
 *   Severity:    Critical                       Severity        = Critical
 *   Description: The power input for power ...  Timestamp       = 2024-05-07 09:58:55
 *
 *   <Event AgentID="SEL" Category="System Health" Severity="Critical" Sequence="1234"
 *    Timestamp="2024-05-07T09:58:55-0500"><MessageID>PSU0003</MessageID><Message>...</Message>
 *   <EVENT SEVERITY="Critical" CLASS="Power" LAST_UPDATE="05/07/2024 09:58" DESCRIPTION="..."/>
 *
 *   </system1/log1/record12>  number=12 severity=Critical date=05/07/2024 time=09:58 description=..., a line each
 *
 *   "ID","Severity","Class","Description","Last Update","Initial Update","Count"
 *   "12","Critical","Power","System Power Supply Failure (Power Supply 1)","05/07/2024
 * 09:58:55",...
 *
 * Sources: Dell iDRAC RACADM guide (getsel, lclog view), lifecycle log schema; HPE iLO IML export;
 * Lenovo XCC event log export. */
#include "parse/bmc_kind.h"
#include "parse/text.h"
#include "parse/tool.h"

enum { TEXT = 400, COLUMNS = 24 };

enum field { ID, SEVERITY, SENSOR, MESSAGE, CODE, WHEN, FIRST, FIELDS, NO_FIELD };

struct text {
	size_t n;
	char p[TEXT];
};

struct log {
	bool open; /* a record is being read */
	struct text v[FIELDS];
	enum field column[COLUMNS]; /* of CSV */
	unsigned columns;	    /* 0: no heading was seen */
	char separator;		    /* of cells */
	uint32_t line;		    /* where the record begins */
	enum field inside;	    /* the XML element whose text is being read */
};

/* What exports call these things, letters' case and the signs between words apart. */
static const struct name {
	const char *text;
	enum field field;
} names[] = {
	{ "record", ID },
	{ "seqnumber", ID },
	{ "sequence", ID },
	{ "sequencenumber", ID },
	{ "eventid", ID },
	{ "id", ID },
	{ "index", ID },
	{ "no", ID },
	{ "number", ID },
	{ "severity", SEVERITY },
	{ "level", SEVERITY },
	{ "status", SEVERITY },
	{ "sensor", SENSOR },
	{ "sensorname", SENSOR },
	{ "sensortype", NO_FIELD },
	{ "fqdd", SENSOR },
	{ "class", SENSOR },
	{ "source", SENSOR },
	{ "system", SENSOR },
	{ "description", MESSAGE },
	{ "message", MESSAGE },
	{ "eventdescription", MESSAGE },
	{ "eventmessage", MESSAGE },
	{ "messageid", CODE },
	{ "eventcode", CODE },
	{ "date/time", WHEN },
	{ "datetime", WHEN },
	{ "timestamp", WHEN },
	{ "lastupdate", WHEN },
	{ "date", WHEN },
	{ "time", WHEN },
	{ "created", WHEN },
	{ "eventtimestamp", WHEN },
	{ "initialupdate", FIRST },
};

static enum field field_of(struct gpudx_sv label)
{
	char buf[24];
	size_t n = 0;

	for (size_t i = 0; i < label.n; i++) {
		char ch = sv_lower(label.p[i]);

		if (ch == ' ' || ch == '_' || ch == '-')
			continue;
		if (n == sizeof(buf))
			return NO_FIELD;
		buf[n++] = ch;
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (sv_is(sv_n(buf, n), names[i].text))
			return names[i].field;
	return NO_FIELD;
}

/* ---- records ---- */

static struct gpudx_sv view(const struct log *s, enum field f)
{
	return sv_n(s->v[f].p, s->v[f].n);
}

static bool in_brackets(struct gpudx_sv s)
{
	return s.n >= 2 && s.p[0] == '[' && s.p[s.n - 1] == ']';
}

/* A stamp of nothing but zeros or question marks is that of a clock that was never set. */
static struct gpudx_stamp stamp_of(const struct log *s)
{
	struct gpudx_stamp t = GPUDX_NO_STAMP;
	struct gpudx_sv text = view(s, s->v[WHEN].n ? WHEN : FIRST);

	if (in_brackets(text) || !bmc_scan_stamp(text, &t))
		return GPUDX_NO_STAMP;
	return t;
}

static void record_end(struct gpudx_ctx *c, struct log *s)
{
	struct bmc_record r = { .id = view(s, ID),
				.severity = view(s, SEVERITY),
				.sensor = view(s, SENSOR),
				.message = view(s, MESSAGE),
				.code = view(s, CODE),
				.stamp = stamp_of(s),
				.line = s->line };

	if (s->open && r.message.n) {
		gpudx_clock(c, (enum gpudx_clock_kind)r.stamp.kind);
		bmc_put(c, &r);
	}
	s->open = false;
	s->inside = NO_FIELD;
	for (unsigned i = 0; i < FIELDS; i++)
		s->v[i].n = 0;
}

static void record_begin(struct gpudx_ctx *c, struct log *s)
{
	record_end(c, s);
	s->open = true;
	s->line = gpudx_this_line(c)->no;
	gpudx_cite(c);
}

static void keep(struct log *s, enum field f, struct gpudx_sv value)
{
	struct text *t;

	value = sv_trim(value);
	if (f >= FIELDS || s->v[f].n || tool_is_nothing(value))
		return;
	t = &s->v[f];
	value = sv_first(value, sizeof(t->p));
	memcpy(t->p, value.p, value.n);
	t->n = value.n;
}

/* A date and a time that stand in two fields are one. */
static void keep_time(struct log *s, struct gpudx_sv cell)
{
	struct text *t = &s->v[WHEN];

	if (t->n && t->n + cell.n + 1 <= sizeof(t->p) && cell.n >= 5 && cell.n <= 12) {
		t->p[t->n++] = ' ';
		memcpy(t->p + t->n, cell.p, cell.n);
		t->n += cell.n;
	} else {
		keep(s, WHEN, cell);
	}
}

/* ---- racadm, iLO ---- */

static bool is_rule(struct gpudx_sv s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] != '-')
			return false;
	return s.n >= 20;
}

/* The label that begins a record. */
static bool is_first_label(struct gpudx_sv label)
{
	return sv_is(label, "Record") || sv_is(label, "SeqNumber");
}

static bool split(struct gpudx_sv line, struct gpudx_sv *label, struct gpudx_sv *value)
{
	size_t at = sv_find(line, " =");

	/* iLO's own shell: "severity=Critical" */
	if (at == line.n && (at = sv_index(line, '=')) < line.n && sv_index(line, ' ') > at) {
		*label = sv_first(line, at);
		*value = sv_from(line, at + 1);
		return label->n > 0;
	}
	at = sv_find(line, " =");

	if (at == line.n || sv_index(line, ':') < at)
		return tool_split(line, label, value);
	*label = sv_trim(sv_first(line, at));
	*value = sv_trim(sv_from(line, at + 2));
	return label->n > 0;
}

/* "</system1/log1/record12>" over what iLO's shell shows of a record, and the titles between. */
static bool is_ilo_record(struct gpudx_sv line)
{
	return sv_starts(line, "</system1/log1/record") || sv_starts(line, "/system1/log1/record");
}

static bool is_ilo_title(struct gpudx_sv line)
{
	return sv_is(line, "Targets") || sv_is(line, "Properties") || sv_is(line, "Verbs") ||
	       sv_starts(line, "cd version exit") || sv_starts(line, "status_tag=") ||
	       sv_starts(line, "error_tag=");
}

static bool text_line(struct gpudx_ctx *c, struct log *s, struct gpudx_sv line)
{
	struct gpudx_sv label, value;
	enum field f;

	if (is_ilo_record(line)) {
		record_begin(c, s);
		return true;
	}
	if (s->open && is_ilo_title(line))
		return true;
	if (is_rule(line)) {
		bool was = s->open;

		record_end(c, s);
		return was;
	}
	if (!split(line, &label, &value))
		return false;
	if (is_first_label(label) && value.n && sv_is_digit(value.p[0]))
		record_begin(c, s);
	if (!s->open)
		return false;
	f = field_of(label);
	if (f == WHEN)
		keep_time(s, value);
	else if (f != NO_FIELD)
		keep(s, f, value);
	return f != NO_FIELD || sv_is(label, "Category") || sv_is(label, "AgentID") ||
	       sv_starts(label, "Message Arg") || sv_is(label, "Network Address") ||
	       sv_is(label, "User") || sv_is(label, "Comment") ||
	       sv_starts(label, "RawEventData") || sv_starts(label, "Details") ||
	       sv_starts(label, "Action");
}

/* ---- XML ---- */

/* Decodes the five entities in place of a copy. */
static struct gpudx_sv decode(struct gpudx_sv s, char buf[TEXT])
{
	static const struct {
		const char *name;
		char c;
	} entities[] = { { "&amp;", '&' },
			 { "&lt;", '<' },
			 { "&gt;", '>' },
			 { "&quot;", '"' },
			 { "&apos;", '\'' } };
	size_t n = 0;

	while (s.n && n < TEXT) {
		char ch = s.p[0];
		size_t skip = 1;

		for (size_t i = 0; ch == '&' && i < 5; i++)
			if (sv_starts(s, entities[i].name)) {
				ch = entities[i].c;
				skip = strlen(entities[i].name);
				break;
			}
		buf[n++] = ch;
		s = sv_from(s, skip);
	}
	return sv_n(buf, n);
}

static void keep_xml(struct log *s, enum field f, struct gpudx_sv value)
{
	char buf[TEXT];

	if (f != NO_FIELD)
		keep(s, f, decode(value, buf));
}

/* NAME="value" NAME='value' */
static void attributes(struct log *s, struct gpudx_sv tag)
{
	struct gpudx_sv name, value;
	char quote;

	while (sv_spaces(&tag) && sv_until(&tag, "=", &name) && tag.n) {
		quote = tag.p[0];
		if (quote != '"' && quote != '\'')
			return;
		tag = sv_from(tag, 1);
		value = sv_first(tag, sv_index(tag, quote));
		tag = sv_from(tag, value.n + 1);
		keep_xml(s, field_of(sv_trim(name)), value);
	}
}

static bool is_event(struct gpudx_sv name)
{
	return sv_ieq(name, SV_LIT("event")) || sv_ieq(name, SV_LIT("logrecord"));
}

/* What stands between < and >. */
static void xml_tag(struct gpudx_ctx *c, struct log *s, struct gpudx_sv tag)
{
	struct gpudx_sv name, rest = tag;
	bool closes = sv_char(&rest, '/');

	name = rest;
	for (size_t i = 0; i < rest.n; i++)
		if (sv_is_space(rest.p[i]) || rest.p[i] == '/') {
			name = sv_first(rest, i);
			break;
		}
	if (is_event(name) && closes) {
		record_end(c, s);
	} else if (is_event(name)) {
		record_begin(c, s);
		attributes(s, sv_from(rest, name.n));
		if (sv_ends(sv_rtrim(tag), "/"))
			record_end(c, s);
	} else {
		s->inside = closes || !s->open ? NO_FIELD : field_of(name);
	}
}

static bool xml_line(struct gpudx_ctx *c, struct log *s, struct gpudx_sv line)
{
	if (line.p[0] != '<' && s->inside == NO_FIELD)
		return false;
	while (line.n) {
		size_t at = sv_index(line, '<');
		struct gpudx_sv tag;

		if (at && s->inside != NO_FIELD)
			keep_xml(s, s->inside, sv_first(line, at));
		line = sv_from(line, at + 1);
		tag = sv_first(line, sv_index(line, '>'));
		if (tag.n)
			xml_tag(c, s, tag);
		line = sv_from(line, tag.n + 1);
	}
	return true;
}

/* ---- CSV ---- */

/* Names of columns that no other table with severities, times and messages has. */
static bool is_special(struct gpudx_sv cell)
{
	static const char *const names_of_bmcs[] = {
		"Message ID",  "MessageID",   "Initial Update",	 "Last Update", "Date/Time",
		"Sensor Type", "Sensor Name", "Sequence Number", "Sequence",	"Time Stamp",
	};

	for (size_t i = 0; i < sizeof(names_of_bmcs) / sizeof(names_of_bmcs[0]); i++)
		if (sv_ieq(cell, sv_str(names_of_bmcs[i])))
			return true;
	return false;
}

/* A heading that only logs of this kind have: severity, time, message, and one name more. */
static bool heading(struct gpudx_sv line, struct log *s)
{
	unsigned seen = 0, n = 0;
	struct gpudx_sv cell;
	bool special = false;

	s->separator = sv_index(line, '|') < line.n ? '|' : ',';
	if (sv_index(line, s->separator) == line.n || sv_index(line, '{') < line.n)
		return false;
	while (n < COLUMNS && text_csv_cell(&line, s->separator, &cell)) {
		enum field f = field_of(cell);

		special |= is_special(cell);
		if (f != NO_FIELD)
			seen |= 1u << f;
		s->column[n++] = f;
	}
	if (!special || !(seen & 1u << MESSAGE) || !(seen & (1u << WHEN | 1u << FIRST)))
		return false;
	s->columns = n;
	return true;
}

static bool csv_line(struct gpudx_ctx *c, struct log *s, struct gpudx_sv line)
{
	struct gpudx_sv cell;
	struct log other;
	unsigned n = 0;

	if (!s->columns || line.p[0] == '<')
		return false;
	other = (struct log){ .columns = 0 };
	if (heading(line, &other))
		return true;
	record_begin(c, s);
	for (; n < s->columns && text_csv_cell(&line, s->separator, &cell); n++) {
		if (s->column[n] == WHEN)
			keep_time(s, cell);
		else
			keep(s, s->column[n], cell);
	}
	if (n < 3) {
		s->open = false;
		return false;
	}
	record_end(c, s);
	return true;
}

/* ---- the parser ---- */

static enum gpudx_take log_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct log *s = gpudx_state(c);
	struct gpudx_sv text = sv_trim(line);

	if (!text.n)
		return GPUDX_NOT_MINE;
	if (!s->columns && heading(text, s))
		return GPUDX_TAKEN;
	if (is_ilo_record(text)
		    ? text_line(c, s, text)
		    : csv_line(c, s, text) || xml_line(c, s, text) || text_line(c, s, text))
		return GPUDX_TAKEN;
	return GPUDX_NOT_MINE;
}

static void log_begin(struct gpudx_ctx *c)
{
	struct log *s = gpudx_state(c);

	s->inside = NO_FIELD;
}

static void log_finish(struct gpudx_ctx *c)
{
	record_end(c, gpudx_state(c));
}

/* The first line of a record or file. */
static bool log_starts(struct gpudx_sv s)
{
	if (is_ilo_record(s) || sv_starts(s, "<LCLogEvents") || sv_starts(s, "<EVENT_LOG") ||
	    sv_starts(s, "<EVENT SEVERITY="))
		return true;
	if (sv_lit(&s, "SeqNumber "))
		return sv_starts(sv_ltrim(s), "= ");
	if (sv_lit(&s, "Record:   "))
		return sv_ltrim(s).n && sv_is_digit(sv_ltrim(s).p[0]);
	return false;
}

static int log_bid(const struct gpudx_head *head)
{
	for (size_t i = 0, seen = 0; i < head->n && seen < 8; i++) {
		struct gpudx_sv s = sv_trim(head->lines[i].text);
		struct log scratch;

		if (!s.n)
			continue;
		seen++;
		if (log_starts(s) || sv_has(s, "<LCLogEvents"))
			return 80;
		scratch = (struct log){ .columns = 0 };
		if (heading(s, &scratch))
			return 80;
	}
	return 0;
}

const struct gpudx_parser gpudx_parser_bmc_log = {
	.name = "bmc-log",
	.what = "event logs exported by iDRAC, iLO and other BMCs: text, XML, CSV",
	.bid = log_bid,
	.starts = log_starts,
	.begin = log_begin,
	.line = log_line,
	.finish = log_finish,
	.state_size = sizeof(struct log),
};
