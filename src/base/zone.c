/* TZif, RFC 8536: a header, a version 1 block with 32-bit times, the same again with 64 bits, then
 * a POSIX TZ string between two LFs:
 *
 *   "TZif" version(1) reserved(15) isutcnt isstdcnt leapcnt timecnt typecnt charcnt (6 x 32 bit)
 *   timecnt times, timecnt type numbers, typecnt x { utoff(32 bit) isdst(8) abbrind(8) }, ...
 *   "\nCET-1CEST,M3.5.0,M10.5.0/3\n"
 */
#include "base/zone.h"

#include "base/stamp.h"

#include <stdio.h>
#include <stdlib.h>

enum { FILE_MAX = 1 << 20, TIMES_MAX = 4096, TYPES_MAX = 256 };

enum rule_form { RULE_JULIAN, RULE_DAY, RULE_MONTH };

/* When a clock change comes each year: Jn (no leap day), n, or Mm.w.d, and the time of day. */
struct rule {
	enum rule_form form;
	int month, week, day;
	int32_t at_s;
};

/* The rule for all years beyond the table. */
struct tail {
	bool known, dst;
	int32_t std_s, dst_s; /* seconds east */
	struct rule start, end;
};

struct gpudx_zone {
	size_t n;
	int64_t *at;	 /* seconds, UTC */
	int32_t *offset; /* from at[i] on */
	int32_t before;	 /* before at[0] */
	struct tail tail;
};

/* ---- the POSIX TZ string ---- */

static bool scan_small(struct gpudx_sv *s, uint64_t max, int *out)
{
	struct gpudx_sv c = *s;
	uint64_t v;

	if (!sv_u64(&c, &v) || v > max)
		return false;
	*out = (int)v;
	*s = c;
	return true;
}

/* "[+-]hh[:mm[:ss]]" in seconds. */
static bool scan_hms(struct gpudx_sv *s, int32_t *out)
{
	struct gpudx_sv c = *s;
	int h, m = 0, sec = 0;
	bool neg = sv_char(&c, '-');

	if (!neg)
		sv_char(&c, '+');
	if (!scan_small(&c, 167, &h))
		return false;
	if (sv_char(&c, ':') && !scan_small(&c, 59, &m))
		return false;
	if (sv_char(&c, ':') && !scan_small(&c, 59, &sec))
		return false;
	*out = (h * 3600 + m * 60 + sec) * (neg ? -1 : 1);
	*s = c;
	return true;
}

/* "CET" or "<+0330>". */
static bool scan_abbreviation(struct gpudx_sv *s)
{
	struct gpudx_sv c = *s, quoted;
	size_t n = 0;

	if (sv_char(&c, '<')) {
		if (!sv_until(&c, ">", &quoted))
			return false;
		*s = c;
		return true;
	}
	while (n < c.n && sv_is_alpha(c.p[n]))
		n++;
	*s = sv_from(c, n);
	return n >= 3;
}

static bool scan_rule(struct gpudx_sv *s, struct rule *r)
{
	struct gpudx_sv c = *s;

	*r = (struct rule){ .form = RULE_DAY, .at_s = 2 * 3600 };
	if (sv_char(&c, 'M')) {
		r->form = RULE_MONTH;
		if (!scan_small(&c, 12, &r->month) || !r->month || !sv_char(&c, '.') ||
		    !scan_small(&c, 5, &r->week) || !r->week || !sv_char(&c, '.') ||
		    !scan_small(&c, 6, &r->day))
			return false;
	} else {
		if (sv_char(&c, 'J'))
			r->form = RULE_JULIAN;
		if (!scan_small(&c, 365, &r->day) || (r->form == RULE_JULIAN && !r->day))
			return false;
	}
	if (sv_char(&c, '/') && !scan_hms(&c, &r->at_s))
		return false;
	*s = c;
	return true;
}

/* Offsets count west there. */
static bool scan_tail(struct gpudx_sv s, struct tail *t)
{
	int32_t west;

	*t = (struct tail){ 0 };
	if (!scan_abbreviation(&s) || !scan_hms(&s, &west))
		return false;
	t->std_s = -west;
	if (s.n) {
		if (!scan_abbreviation(&s))
			return false;
		t->dst_s = t->std_s + 3600;
		if (s.n && s.p[0] != ',') {
			if (!scan_hms(&s, &west))
				return false;
			t->dst_s = -west;
		}
		if (!sv_char(&s, ',') || !scan_rule(&s, &t->start) || !sv_char(&s, ',') ||
		    !scan_rule(&s, &t->end))
			return false;
		t->dst = true;
	}
	t->known = true;
	return !s.n;
}

/* Days since 1970 of the change in a year. */
static int64_t rule_days(const struct rule *r, int64_t year)
{
	int64_t first, last;
	int weekday;

	if (r->form == RULE_DAY)
		return gpudx_days(year, 1, 1) + r->day;
	if (r->form == RULE_JULIAN) {
		/* Day 60 is always the first of March. */
		if (r->day < 60)
			return gpudx_days(year, 1, 1) + r->day - 1;
		return gpudx_days(year, 3, 1) + r->day - 60;
	}
	first = gpudx_days(year, (unsigned)r->month, 1);
	last = r->month == 12 ? gpudx_days(year + 1, 1, 1)
			      : gpudx_days(year, (unsigned)r->month + 1, 1);
	weekday = (int)(((first + 4) % 7 + 7) % 7); /* 1970-01-01 was a Thursday */
	first += (r->day - weekday + 7) % 7 + (r->week - 1) * 7;
	while (first >= last)
		first -= 7;
	return first;
}

static int64_t year_of(int64_t s)
{
	int64_t days = s / 86400 - (s % 86400 < 0), year;
	unsigned month, day;

	gpudx_civil(days, &year, &month, &day);
	return year;
}

static int32_t tail_offset(const struct tail *t, int64_t utc_s)
{
	int64_t year, start, end;
	bool dst;

	if (!t->dst)
		return t->std_s;
	year = year_of(utc_s + t->std_s);
	start = rule_days(&t->start, year) * 86400 + t->start.at_s - t->std_s;
	end = rule_days(&t->end, year) * 86400 + t->end.at_s - t->dst_s;
	dst = start < end ? utc_s >= start && utc_s < end : utc_s >= start || utc_s < end;
	return dst ? t->dst_s : t->std_s;
}

/* ---- the table ---- */

struct block {
	uint32_t isut, isstd, leap, times, types, chars;
};

static uint64_t big_endian(const char *p, size_t n)
{
	uint64_t v = 0;

	for (size_t i = 0; i < n; i++)
		v = v << 8 | (unsigned char)p[i];
	return v;
}

/* The header at the cursor. */
static bool take_header(struct gpudx_sv *s, char *version, struct block *b)
{
	uint32_t *const counts[] = {
		&b->isut, &b->isstd, &b->leap, &b->times, &b->types, &b->chars
	};

	if (s->n < 44 || !sv_starts(*s, "TZif"))
		return false;
	*version = s->p[4];
	for (size_t i = 0; i < 6; i++)
		*counts[i] = (uint32_t)big_endian(s->p + 20 + 4 * i, 4);
	*s = sv_from(*s, 44);
	return b->times <= TIMES_MAX && b->types >= 1 && b->types <= TYPES_MAX &&
	       b->leap <= TIMES_MAX && b->chars <= 4096 && b->isut <= TYPES_MAX &&
	       b->isstd <= TYPES_MAX;
}

static size_t block_size(const struct block *b, size_t time_size)
{
	return b->times * (time_size + 1) + (size_t)b->types * 6 + b->chars +
	       b->leap * (time_size + 4) + b->isstd + b->isut;
}

static bool take_table(struct gpudx_zone *z, struct gpudx_sv s, const struct block *b,
		       size_t time_size)
{
	const char *index = s.p + b->times * time_size, *types = index + b->times;

	z->at = calloc(b->times + 1, sizeof(*z->at));
	z->offset = calloc(b->times + 1, sizeof(*z->offset));
	if (!z->at || !z->offset)
		return false;
	z->n = b->times;
	z->before = (int32_t)big_endian(types, 4);
	for (size_t i = 0; i < b->times; i++) {
		uint64_t raw = big_endian(s.p + i * time_size, time_size);
		unsigned type = (unsigned char)index[i];

		if (type >= b->types)
			return false;
		z->at[i] = time_size == 8 ? (int64_t)raw : (int32_t)raw;
		z->offset[i] = (int32_t)big_endian(types + (size_t)type * 6, 4);
		if (i && z->at[i] <= z->at[i - 1])
			return false;
	}
	return true;
}

static bool parse_tzif(struct gpudx_zone *z, struct gpudx_sv s)
{
	struct gpudx_sv tz;
	size_t time_size = 4;
	struct block b = { 0 };
	char version;

	if (!take_header(&s, &version, &b) || s.n < block_size(&b, 4))
		return false;
	if (version >= '2') {
		time_size = 8;
		s = sv_from(s, block_size(&b, 4));
		if (!take_header(&s, &version, &b) || s.n < block_size(&b, 8))
			return false;
	}
	if (!take_table(z, s, &b, time_size))
		return false;
	s = sv_from(s, block_size(&b, time_size));
	if (sv_char(&s, '\n') && sv_until(&s, "\n", &tz) && tz.n)
		return scan_tail(tz, &z->tail);
	return true;
}

enum gpudx_status gpudx_zone_parse(struct gpudx_sv tzif, struct gpudx_zone **out,
				   struct gpudx_err *err)
{
	struct gpudx_zone *z = calloc(1, sizeof(*z));

	if (!z)
		return gpudx_nomem(err);
	if (!parse_tzif(z, tzif)) {
		gpudx_zone_free(z);
		return gpudx_fail(err, GPUDX_E_INPUT, "this is no time zone file");
	}
	*out = z;
	return GPUDX_OK;
}

void gpudx_zone_free(struct gpudx_zone *z)
{
	if (!z)
		return;
	free(z->at);
	free(z->offset);
	free(z);
}

/* ---- by name ---- */

static bool is_zone_name(struct gpudx_sv s)
{
	if (!s.n || s.n > 64 || !sv_is_alpha(s.p[0]))
		return false;
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		if (!sv_is_alpha(c) && !sv_is_digit(c) && c != '_' && c != '-' && c != '+' &&
		    !(c == '/' && s.p[i - 1] != '/'))
			return false;
	}
	return true;
}

static FILE *open_zone_file(struct gpudx_sv name)
{
	static const char *const dirs[] = { "/usr/share/zoneinfo", "/usr/lib/zoneinfo",
					    "/etc/zoneinfo" };
	char path[128];
	FILE *f = NULL;

	for (size_t i = 0; i < sizeof(dirs) / sizeof(dirs[0]) && !f; i++) {
		snprintf(path, sizeof(path), "%s/%.*s", dirs[i], (int)name.n, name.p);
		f = fopen(path, "rbe");
	}
	return f;
}

static enum gpudx_status zone_from_file(struct gpudx_sv name, struct gpudx_zone **out,
					struct gpudx_err *err)
{
	FILE *f = open_zone_file(name);
	enum gpudx_status rc;
	char *bytes;
	size_t n;

	if (!f)
		return gpudx_fail(err, GPUDX_E_USAGE,
				  "no time zone is called %.*s (an offset as +02:00 also does)",
				  (int)name.n, name.p);
	bytes = malloc(FILE_MAX);
	if (!bytes) {
		fclose(f);
		return gpudx_nomem(err);
	}
	n = fread(bytes, 1, FILE_MAX, f);
	fclose(f);
	rc = gpudx_zone_parse(sv_n(bytes, n), out, err);
	free(bytes);
	return rc ? gpudx_while(err, "while reading time zone %.*s", (int)name.n, name.p)
		  : GPUDX_OK;
}

static enum gpudx_status zone_fixed(int32_t minutes, struct gpudx_zone **out, struct gpudx_err *err)
{
	*out = calloc(1, sizeof(**out));
	if (!*out)
		return gpudx_nomem(err);
	(*out)->before = minutes * 60;
	return GPUDX_OK;
}

enum gpudx_status gpudx_zone_open(struct gpudx_sv text, struct gpudx_zone **out,
				  struct gpudx_err *err)
{
	struct gpudx_sv c = text;
	int32_t minutes;

	*out = NULL;
	if (gpudx_scan_offset(&c, &minutes) && !c.n)
		return zone_fixed(minutes, out, err);
	if (!is_zone_name(text))
		return gpudx_fail(err, GPUDX_E_USAGE,
				  "%.*s is neither a time zone nor an offset as +02:00",
				  (int)sv_first(text, 80).n, text.p ? text.p : "");
	return zone_from_file(text, out, err);
}

/* ---- offsets ---- */

int32_t gpudx_zone_offset(const struct gpudx_zone *z, int64_t utc_us)
{
	int64_t s = utc_us / GPUDX_SECOND - (utc_us % GPUDX_SECOND < 0);
	size_t lo = 0, hi = z->n;

	if (z->tail.known && (!z->n || s >= z->at[z->n - 1]))
		return tail_offset(&z->tail, s);
	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (z->at[mid] <= s)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo ? z->offset[lo - 1] : z->before;
}

/* Offsets lie within a day; so the one in force two days ago and the one in two days are the only
 * candidates, except near two changes within days, which no zone of our times has. */
int32_t gpudx_zone_offset_local(const struct gpudx_zone *z, int64_t local_us)
{
	int32_t early = gpudx_zone_offset(z, local_us - 2 * GPUDX_DAY);
	int32_t late = gpudx_zone_offset(z, local_us + 2 * GPUDX_DAY);

	if (gpudx_zone_offset(z, local_us - early * GPUDX_SECOND) == early)
		return early;
	if (gpudx_zone_offset(z, local_us - late * GPUDX_SECOND) == late)
		return late;
	return early;
}
