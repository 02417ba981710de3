/* Which boots there were: journalctl --list-boots, last -x reboot shutdown.
 *
 *    -1 5c1a0123456789abcdef0123456789ab Mon 2024-05-06 08:00:01 UTC—Tue 2024-05-07 09:58:55 UTC
 *   IDX BOOT ID                          FIRST ENTRY                 LAST ENTRY        (since 250)
 *     0 0123456789abcdef0123456789abcdef Tue 2024-05-07 10:01:00 UTC Wed 2024-05-08 11:00:00 UTC
 *
 *   reboot   system boot  5.15.0-105-gener Tue May  7 10:01   still running
 *   shutdown system down  5.15.0-105-gener Tue May  7 09:59 - 10:01  (00:01)
 *   reboot   system boot  5.15.0-105-gener Tue May  7 10:01:00 2024 - crash         last -xF
 *
 * Boots and orderly ends become events host.boot and host.down. Stamps of last have no year unless
 * -F was asked for. Source: systemd, src/journal/journalctl.c; util-linux, login-utils/last.c. */
#include "parse/tool.h"

struct boot_row {
	struct gpudx_sv idx, id;
	struct gpudx_stamp first, last;
};

/* "Tue 2024-05-07 10:01:00 UTC": zone names other than UTC are local time. */
static bool scan_stamp(struct gpudx_sv *s, struct gpudx_stamp *t)
{
	struct gpudx_sv c = *s, zone;
	unsigned weekday;
	size_t n = 0;

	*t = (struct gpudx_stamp){ .kind = GPUDX_STAMP_LOCAL, .mono_us = GPUDX_NO_TIME };
	if (!gpudx_scan_weekday(&c, &weekday) || !sv_char(&c, ' ') ||
	    !gpudx_scan_ymd_hms(&c, &t->t_us))
		return false;
	if (sv_char(&c, ' ')) {
		while (n < c.n && (sv_is_alpha(c.p[n]) || sv_is_digit(c.p[n]) || c.p[n] == '+' ||
				   c.p[n] == '-' || c.p[n] == ':'))
			n++;
		zone = sv_first(c, n);
		c = sv_from(c, n);
		if (gpudx_scan_offset(&zone, &t->offset_min) && !zone.n) {
			t->kind = GPUDX_STAMP_UTC;
			t->has_offset = true;
			t->t_us -= t->offset_min * GPUDX_MINUTE;
		}
	}
	*s = c;
	return true;
}

static bool is_boot_id(struct gpudx_sv s)
{
	uint64_t v;
	struct gpudx_sv a = sv_first(s, 16), b = sv_from(s, 16);

	return s.n == 32 && sv_hex(&a, 16, 16, &v) && sv_hex(&b, 16, 16, &v);
}

static bool scan_row(struct gpudx_sv s, struct boot_row *r)
{
	struct gpudx_sv n;
	uint64_t idx;

	s = sv_trim(s);
	if (!sv_token(&s, &r->idx) || !sv_spaces(&s) || !sv_token(&s, &r->id) || !is_boot_id(r->id))
		return false;
	n = r->idx;
	sv_char(&n, '-');
	if (!sv_u64(&n, &idx) || n.n || !sv_spaces(&s) || !scan_stamp(&s, &r->first))
		return false;
	sv_spaces(&s);
	sv_lit(&s, "\xe2\x80\x94");
	sv_spaces(&s);
	return scan_stamp(&s, &r->last);
}

static void add(struct gpudx_event *e, const char *name, struct gpudx_sv value)
{
	value = sv_trim(value);
	if (value.n)
		e->attrs[e->nattrs++] = (struct gpudx_attr){ sv_str(name), value };
}

static void put(struct gpudx_ctx *c, struct gpudx_event *e)
{
	e->code = e->pid = -1;
	e->repeats = 1;
	gpudx_clock(c, (enum gpudx_clock_kind)e->stamp.kind);
	gpudx_now(c, e->stamp.kind, e->stamp.t_us);
	gpudx_put_event(c, e);
}

static void put_row(struct gpudx_ctx *c, const struct boot_row *r, struct gpudx_sv line)
{
	struct gpudx_event e = { .kind = SV_LIT("host.boot"), .stamp = r->first, .text = line };
	char buf[GPUDX_TIME_TEXT];

	add(&e, "boot_id", r->id);
	add(&e, "index", r->idx);
	add(&e, "last_entry",
	    sv_str(gpudx_time_text(r->last.t_us, r->last.kind == GPUDX_STAMP_UTC, buf)));
	put(c, &e);
}

/* ---- last ---- */

/* "Tue May  7 10:01", "Tue May  7 10:01:00 2024" */
static bool scan_last_stamp(struct gpudx_sv *s, struct gpudx_stamp *t, unsigned *of_year)
{
	struct gpudx_sv c = *s;
	unsigned weekday, month;
	uint64_t day, h, m, sec = 0;
	uint32_t year;
	int64_t time;

	*t = (struct gpudx_stamp){ .mono_us = GPUDX_NO_TIME };
	if (!gpudx_scan_weekday(&c, &weekday) || !sv_spaces(&c) || !gpudx_scan_month(&c, &month) ||
	    !sv_spaces(&c) || !sv_u64(&c, &day) || !day || day > 31 || !sv_spaces(&c) ||
	    !sv_u64(&c, &h) || !sv_char(&c, ':') || !sv_u64(&c, &m) || h > 23 || m > 59)
		return false;
	if (sv_char(&c, ':') && (!sv_u64(&c, &sec) || sec > 60))
		return false;
	time = (int64_t)(h * 3600 + m * 60 + sec) * GPUDX_SECOND;
	*s = c;
	if (sv_char(&c, ' ') && sv_digits(&c, 4, &year) && (!c.n || sv_is_space(c.p[0]))) {
		*s = c;
		t->kind = GPUDX_STAMP_LOCAL;
		return gpudx_civil_us(year, month, (unsigned)day, (unsigned)h, (unsigned)m,
				      (unsigned)sec, 0, &t->t_us);
	}
	t->kind = GPUDX_STAMP_NOYEAR;
	t->t_us = gpudx_noyear(0, month, (unsigned)day, time);
	*of_year = month;
	return true;
}

/* The newest line is the first: years are counted down from here. */
enum { TURNS = 64 };

struct boots {
	unsigned month, passed; /* of the line before; new years between the first line and it */
};

struct last_row {
	bool boot;
	unsigned month; /* of a stamp without year; 0 it has one */
	struct gpudx_sv kernel, end;
	struct gpudx_stamp stamp;
};

static bool scan_last(struct gpudx_sv s, struct last_row *r)
{
	struct gpudx_sv word;

	r->month = 0;
	r->boot = sv_lit(&s, "reboot ");
	if (!r->boot && !sv_lit(&s, "shutdown "))
		return false;
	sv_spaces(&s);
	if (!sv_lit(&s, r->boot ? "system boot" : "system down") || !sv_spaces(&s) ||
	    !sv_token(&s, &r->kernel) || !sv_spaces(&s))
		return false;
	while (!scan_last_stamp(&s, &r->stamp, &r->month))
		if (!sv_token(&s, &word) || !sv_spaces(&s))
			return false;
	s = sv_trim(s);
	sv_char(&s, '-');
	r->end = sv_trim(s);
	return true;
}

/* Puts a stamp without year behind the new years between its line and the oldest possible one. */
static void set_turn(struct boots *s, struct last_row *r)
{
	int64_t year_us = r->stamp.t_us - gpudx_noyear(0, 1, 1, 0);

	if (!r->month)
		return;
	if (s->month && r->month > s->month && s->passed < TURNS)
		s->passed++;
	s->month = r->month;
	r->stamp.t_us = gpudx_noyear(TURNS - s->passed, 1, 1, 0) + year_us;
}

static void put_last(struct gpudx_ctx *c, struct last_row *r, struct gpudx_sv line)
{
	struct gpudx_event e = { .text = line };

	set_turn(gpudx_state(c), r);
	e.stamp = r->stamp;
	e.kind = r->boot ? SV_LIT("host.boot") : SV_LIT("host.down");
	add(&e, "kernel", r->kernel);
	if (sv_starts(r->end, "crash"))
		add(&e, "ended", SV_LIT("crash"));
	else if (sv_starts(r->end, "still running"))
		add(&e, "ended", SV_LIT("running"));
	put(c, &e);
}

/* ---- the parser ---- */

static bool is_heading(struct gpudx_sv s)
{
	return sv_starts(s, "IDX BOOT ID") && sv_has(s, "FIRST ENTRY");
}

/* Other lines of last: users, runlevels, where the file begins. */
static bool is_other(struct gpudx_sv s)
{
	return sv_starts(s, "wtmp begins ") || sv_starts(s, "runlevel (to lvl ") ||
	       sv_starts(s, "wtmpdb begins ");
}

static enum gpudx_take boots_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct gpudx_sv text = sv_trim(line);
	struct boot_row b;
	struct last_row l;

	if (scan_row(text, &b))
		put_row(c, &b, text);
	else if (scan_last(text, &l))
		put_last(c, &l, text);
	else if (!is_heading(text) && !is_other(text))
		return GPUDX_NOT_MINE;
	return GPUDX_TAKEN;
}

static bool boots_starts(struct gpudx_sv line)
{
	struct boot_row b;
	struct last_row l;

	line = sv_trim(line);
	return is_heading(line) || scan_last(line, &l) ||
	       (line.n && (sv_is_digit(line.p[0]) || line.p[0] == '-') && scan_row(line, &b));
}

static int boots_bid(const struct gpudx_head *head)
{
	for (size_t i = 0, seen = 0; i < head->n && seen < 12; i++) {
		if (sv_blank(head->lines[i].text))
			continue;
		seen++;
		if (boots_starts(head->lines[i].text))
			return 80;
	}
	return 0;
}

const struct gpudx_parser gpudx_parser_boots = {
	.name = "boots",
	.what = "journalctl --list-boots, last -x: when the machine was started and stopped",
	.bid = boots_bid,
	.starts = boots_starts,
	.line = boots_line,
	.state_size = sizeof(struct boots),
	.flags = GPUDX_P_RESUMES,
};
