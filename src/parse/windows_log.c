/* The System log of Windows as people export it: what the display driver (nvlddmkm) and Windows itself
 * (Display 4101) say when a GPU hung and was reset.
 *
 *   Event[0]:                                          wevtutil qe System /f:text
 *     Source: nvlddmkm
 *     Date: 2024-05-07T09:58:55.123
 *     Event ID: 153
 *   Log Name:      System                              the Event Viewer's details as text, also in German
 *   TimeCreated  : 5/7/2024 9:58:55 AM                 Get-WinEvent | Format-List
 *   ProviderName : nvlddmkm
 *   5/7/2024 9:58:55 AM   13 Error  The description    ... | Format-Table, under its ProviderName
 *   <Event xmlns='...'><System><Provider Name='nvlddmkm'/><EventID>13</EventID>...   wevtutil, /f:xml
 *   Error,5/7/2024 9:58:55 AM,nvlddmkm,13,None,"..."   the Event Viewer's CSV
 *
 * A date with slashes has its month in front where AM or PM follows; where nothing tells which number is the
 * month there is no time. Sources: Microsoft, wevtutil and Get-WinEvent; Display event 4101. */
#include "parse/parser.h"
#include "parse/text.h"

enum { TEXT = 400, CELLS = 16 };

enum field { SOURCE, ID, WHEN, HOST, SAID, FIELDS, NO_FIELD };

struct text {
	size_t n;
	char p[TEXT];
};

struct winlog {
	struct text v[FIELDS];
	struct text provider; /* over a table */
	uint32_t line;	      /* where the record at hand begins; 0 none */
	enum field last;      /* that of the line before */
	enum field column[CELLS];
	unsigned columns; /* of CSV; 0 no heading yet */
	bool named;
};

static const struct name {
	const char *text;
	enum field field;
} names[] = {
	{ "quelle", SOURCE },	   { "ereignis-id", ID },
	{ "datum", WHEN },	   { "beschreibung", SAID },
	{ "source", SOURCE },	   { "providername", SOURCE },
	{ "eventid", ID },	   { "id", ID },
	{ "date", WHEN },	   { "timecreated", WHEN },
	{ "timegenerated", WHEN }, { "dateandtime", WHEN },
	{ "computer", HOST },	   { "machinename", HOST },
	{ "description", SAID },   { "message", SAID },
};

static enum field field_of(struct gpudx_sv label)
{
	char buf[16];
	size_t n = 0;

	for (size_t i = 0; i < label.n; i++) {
		if (label.p[i] == ' ' || label.p[i] == '"')
			continue;
		if (n == sizeof(buf))
			return NO_FIELD;
		buf[n++] = sv_lower(label.p[i]);
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (sv_is(sv_n(buf, n), names[i].text))
			return names[i].field;
	return NO_FIELD;
}

/* ---- records ---- */

static struct gpudx_sv view(const struct winlog *s, enum field f)
{
	return sv_trim(sv_n(s->v[f].p, s->v[f].n));
}

static void add(struct text *t, struct gpudx_sv value)
{
	value = sv_trim(value);
	if (t->n && value.n && t->n < sizeof(t->p))
		t->p[t->n++] = ' ';
	value = sv_first(value, sizeof(t->p) - t->n);
	if (value.n)
		memcpy(t->p + t->n, value.p, value.n);
	t->n += value.n;
}

/* "5/7/2024 9:58:55 AM", "07.05.2024 09:58:55"; ISO with and without a zone. */
static struct gpudx_stamp stamp_of(struct gpudx_sv s)
{
	struct gpudx_stamp t = GPUDX_NO_STAMP;
	uint64_t a, b, year;
	int64_t day_us, date;
	bool american, slash;

	if (gpudx_scan_iso(&s, &t))
		return t;
	t = GPUDX_NO_STAMP;
	if (!sv_u64(&s, &a) || !((slash = sv_char(&s, '/')) || sv_char(&s, '.')) ||
	    !sv_u64(&s, &b) || !(slash ? sv_char(&s, '/') : sv_char(&s, '.')) ||
	    !sv_u64(&s, &year) || (sv_char(&s, ','), !sv_spaces(&s)) ||
	    !gpudx_scan_clock(&s, &day_us))
		return t;
	day_us = text_meridiem(s, day_us);
	s = sv_ltrim(s);
	american = sv_ilit(&s, "am") || sv_ilit(&s, "pm");
	if (slash && !american && a <= 12 && b <= 12 && a != b)
		return t;
	if ((slash && american) || (slash && b > 12)) {
		uint64_t month = a;

		a = b;
		b = month;
	}
	if (a > 31 || b > 12 || year > 9999 ||
	    !gpudx_civil_us((int64_t)year, (unsigned)b, (unsigned)a, 0, 0, 0, 0, &date))
		return t;
	t.kind = GPUDX_STAMP_LOCAL;
	t.t_us = date + day_us;
	return t;
}

/* NULL: nothing about a GPU. */
static const char *kind_of(const struct winlog *s)
{
	struct gpudx_sv source = view(s, SOURCE), id = view(s, ID), said = view(s, SAID);

	if (sv_ieq(source, SV_LIT("Display")))
		return sv_is(id, "4101") ? "windows.display_reset" : NULL;
	if (!sv_ieq(source, SV_LIT("nvlddmkm")))
		return NULL;
	if (sv_is(id, "153") || sv_has(said, "TDR"))
		return "windows.display_reset";
	return sv_is(id, "13") || sv_is(id, "14") ? "windows.gpu_error" : NULL;
}

/* Behind what Windows says of a message that it has no text for: the driver's own words. */
static struct gpudx_sv words_of(struct gpudx_sv said)
{
	struct gpudx_sv rest = said, skipped, word;

	if (sv_until(&rest, "\\Device\\", &skipped) && sv_token(&rest, &word) &&
	    sv_trim(rest).n >= 4)
		return sv_trim(rest);
	return said;
}

static void record_end(struct gpudx_ctx *c, struct winlog *s)
{
	const char *kind = s->line ? kind_of(s) : NULL;
	struct gpudx_sv said = words_of(view(s, SAID));
	struct gpudx_event e;

	if (s->line && s->v[HOST].n && !s->named) {
		gpudx_fact(c, 0, "host.name", "events", view(s, HOST));
		s->named = true;
	}
	if (kind) {
		e = gpudx_event_of(sv_str(kind), stamp_of(view(s, WHEN)),
				   said.n ? said : view(s, SOURCE));
		e.line = s->line;
		e.attrs[e.nattrs++] = (struct gpudx_attr){ SV_LIT("event_id"), view(s, ID) };
		e.attrs[e.nattrs++] = (struct gpudx_attr){ SV_LIT("source"), view(s, SOURCE) };
		gpudx_clock(c, (enum gpudx_clock_kind)e.stamp.kind);
		gpudx_put_event(c, &e);
	}
	s->line = 0;
	s->last = NO_FIELD;
	for (unsigned i = 0; i < FIELDS; i++)
		s->v[i].n = 0;
}

static void record_begin(struct gpudx_ctx *c, struct winlog *s)
{
	record_end(c, s);
	s->line = gpudx_this_line(c)->no;
	gpudx_cite(c);
}

/* ---- labels ---- */

static bool label_line(struct gpudx_ctx *c, struct winlog *s, struct gpudx_sv line)
{
	struct gpudx_sv value = line, label;
	enum field f;

	if (sv_starts(line, "Event[")) {
		record_begin(c, s);
		return true;
	}
	f = sv_until(&value, ":", &label) && label.n < 24 ? field_of(label) : NO_FIELD;
	if (f == NO_FIELD) {
		if (s->line && s->last == SAID)
			add(&s->v[SAID], line);
		else if (label.n < 24)
			s->last = NO_FIELD;
		return s->line != 0;
	}
	if (f == SOURCE && !s->line)
		s->provider.n = 0, add(&s->provider, value);
	if (!s->line || s->v[f].n)
		record_begin(c, s);
	add(&s->v[f], value);
	s->last = f;
	return true;
}

/* ---- tables ---- */

/* "5/7/2024 9:58:55 AM             13 Error            The description ..." */
static bool table_line(struct gpudx_ctx *c, struct winlog *s, struct gpudx_sv line)
{
	struct gpudx_sv date, time, word, rest = line, id;
	uint64_t n;

	if (!s->provider.n || !sv_is_digit(line.p[0]) || !sv_token(&rest, &date) ||
	    !sv_spaces(&rest) || !sv_token(&rest, &time) || !sv_has(time, ":") || !sv_spaces(&rest))
		return false;
	word = rest;
	if (sv_ilit(&word, "AM") || sv_ilit(&word, "PM"))
		rest = sv_ltrim(word);
	time = sv_n(date.p, (size_t)(rest.p - date.p));
	id = rest;
	if (!sv_u64(&rest, &n) || !sv_spaces(&rest))
		return false;
	record_begin(c, s);
	add(&s->v[WHEN], time);
	add(&s->v[ID], sv_first(id, sv_index(id, ' ')));
	add(&s->v[SOURCE], sv_n(s->provider.p, s->provider.n));
	sv_token(&rest, &word);
	add(&s->v[SAID], rest);
	record_end(c, s);
	return true;
}

/* ---- CSV ---- */

static bool heading(struct gpudx_sv line, struct winlog *s)
{
	unsigned seen = 0, n = 0;
	struct gpudx_sv cell;

	if (!sv_has(line, ",") || sv_has(line, ": "))
		return false;
	while (n < CELLS && text_csv_cell(&line, ',', &cell)) {
		s->column[n] = field_of(cell);
		if (s->column[n] != NO_FIELD)
			seen |= 1u << s->column[n];
		n++;
	}
	if ((seen & (1u << SOURCE | 1u << ID | 1u << WHEN)) !=
	    (1u << SOURCE | 1u << ID | 1u << WHEN))
		return false;
	s->columns = n;
	return true;
}

static bool csv_line(struct gpudx_ctx *c, struct winlog *s, struct gpudx_sv line)
{
	struct gpudx_sv cells[CELLS], number, text = sv_n(NULL, 0), rest = line;
	unsigned n = 0;
	uint64_t id;

	while (n < CELLS && text_csv_cell(&rest, ',', &cells[n]))
		n++;
	for (unsigned i = 0; i < n && i < s->columns; i++)
		if (s->column[i] == ID)
			text = cells[i];
	number = text;
	if (!sv_u64(&number, &id) || number.n) {
		if (s->line)
			add(&s->v[SAID], line);
		return s->line != 0;
	}
	record_begin(c, s);
	for (unsigned i = 0; i < n; i++)
		if (i >= s->columns)
			add(&s->v[SAID], cells[i]); /* the Event Viewer names no column of texts */
		else if (s->column[i] != NO_FIELD)
			add(&s->v[s->column[i]], cells[i]);
	return true;
}

/* ---- XML ---- */

static struct gpudx_sv attribute(struct gpudx_sv tag, const char *name)
{
	struct gpudx_sv before;

	if (!sv_until(&tag, name, &before) || tag.n < 2)
		return sv_n(NULL, 0);
	return sv_first(sv_from(tag, 1), sv_index(sv_from(tag, 1), tag.p[0]));
}

static void xml_tag(struct gpudx_ctx *c, struct winlog *s, struct gpudx_sv tag,
		    struct gpudx_sv text)
{
	if (sv_starts(tag, "Event ") || sv_is(tag, "Event"))
		record_begin(c, s);
	else if (sv_is(tag, "/Event"))
		record_end(c, s);
	else if (!s->line)
		return;
	else if (sv_starts(tag, "Provider "))
		add(&s->v[SOURCE], attribute(tag, "Name="));
	else if (sv_starts(tag, "EventID"))
		add(&s->v[ID], text);
	else if (sv_starts(tag, "TimeCreated "))
		add(&s->v[WHEN], attribute(tag, "SystemTime="));
	else if (sv_is(tag, "Computer"))
		add(&s->v[HOST], text);
	else if (sv_starts(tag, "Data") || sv_is(tag, "Message"))
		add(&s->v[SAID], text);
}

static bool xml_line(struct gpudx_ctx *c, struct winlog *s, struct gpudx_sv line)
{
	struct gpudx_sv tag, before;

	if (line.p[0] != '<')
		return false;
	while (sv_until(&line, "<", &before) && sv_until(&line, ">", &tag))
		xml_tag(c, s, tag, sv_first(line, sv_index(line, '<')));
	return true;
}

/* ---- the parser ---- */

static enum gpudx_take win_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct winlog *s = gpudx_state(c);
	struct gpudx_sv text = sv_trim(line);
	bool taken;

	if (!text.n)
		return GPUDX_NOT_MINE;
	if (s->columns || heading(text, s))
		taken = csv_line(c, s, text) || heading(text, s);
	else
		taken = xml_line(c, s, text) || table_line(c, s, text) || label_line(c, s, text);
	return taken ? GPUDX_TAKEN : GPUDX_NOT_MINE;
}

static void win_begin(struct gpudx_ctx *c)
{
	struct winlog *s = gpudx_state(c);

	s->last = NO_FIELD;
}

static void win_finish(struct gpudx_ctx *c)
{
	record_end(c, gpudx_state(c));
}

static bool win_starts(struct gpudx_sv s)
{
	if (sv_starts(s, "Event["))
		return sv_ends(sv_rtrim(s), "]:") || sv_ends(sv_rtrim(s), "]");
	return sv_starts(s, "<Event xmlns=") || (sv_starts(s, "ProviderName") && sv_has(s, ": ")) ||
	       (sv_starts(s, "TimeCreated  ") && sv_has(s, " : "));
}

static int win_bid(const struct gpudx_head *head)
{
	for (size_t i = 0, seen = 0; i < head->n && seen < 12; i++) {
		struct gpudx_sv s = sv_trim(head->lines[i].text);
		struct winlog scratch;

		if (!s.n)
			continue;
		if (win_starts(s) || sv_has(s, "/win/2004/08/events/event"))
			return 85;
		if (!seen++ && heading(s, &scratch))
			return 85;
	}
	return 0;
}

const struct gpudx_parser gpudx_parser_windows_log = {
	.name = "windows-log",
	.what = "the System log of Windows: wevtutil, Get-WinEvent, Event Viewer's exports",
	.bid = win_bid,
	.starts = win_starts,
	.begin = win_begin,
	.line = win_line,
	.finish = win_finish,
	.state_size = sizeof(struct winlog),
};
