#include "base/stamp.h"

#include <stdio.h>

/* ---- civil time ---- */

int64_t gpudx_days(int64_t year, unsigned month, unsigned day)
{
	/* Years begin in March so that the leap day is the last of its year. */
	int64_t y = month <= 2 ? year - 1 : year;
	int64_t era = (y >= 0 ? y : y - 399) / 400;
	int64_t yoe = y - era * 400;
	int64_t doy = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;

	return era * 146097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719468;
}

void gpudx_civil(int64_t days, int64_t *year, unsigned *month, unsigned *day)
{
	int64_t z = days + 719468;
	int64_t era = (z >= 0 ? z : z - 146096) / 146097;
	int64_t doe = z - era * 146097;
	int64_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
	int64_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
	int64_t mp = (5 * doy + 2) / 153;

	*day = (unsigned)(doy - (153 * mp + 2) / 5 + 1);
	*month = (unsigned)(mp < 10 ? mp + 3 : mp - 9);
	*year = yoe + era * 400 + (*month <= 2);
}

static unsigned month_length(int64_t year, unsigned month)
{
	static const uint8_t length[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);

	return month == 2 && leap ? 29 : length[month - 1];
}

static bool date_exists(int64_t year, unsigned month, unsigned day)
{
	return year >= -9999 && year <= 9999 && month >= 1 && month <= 12 && day >= 1 &&
	       day <= month_length(year, month);
}

static bool day_us_of(unsigned h, unsigned m, unsigned s, uint32_t us, int64_t *out)
{
	if (h > 23 || m > 59 || s > 60 || us > 999999)
		return false;
	if (s == 60)
		s = 59;
	*out = (int64_t)(h * 3600 + m * 60 + s) * GPUDX_SECOND + us;
	return true;
}

bool gpudx_civil_us(int64_t year, unsigned month, unsigned day, unsigned h, unsigned m, unsigned s,
		    uint32_t us, int64_t *out)
{
	int64_t in_day;

	if (!date_exists(year, month, day) || !day_us_of(h, m, s, us, &in_day))
		return false;
	*out = gpudx_days(year, month, day) * GPUDX_DAY + in_day;
	return true;
}

int64_t gpudx_noyear(unsigned turn, unsigned month, unsigned day, int64_t day_us)
{
	return gpudx_days(2000 + 4 * (int64_t)turn, month, day) * GPUDX_DAY + day_us;
}

unsigned gpudx_noyear_turn(int64_t t_us)
{
	int64_t days = t_us / GPUDX_DAY, year;
	unsigned month, day;

	gpudx_civil(days, &year, &month, &day);
	return year > 2000 ? (unsigned)((year - 2000) / 4) : 0;
}

/* ---- parts ---- */

/* ".123456" or ",123": up to 9 digits, as microseconds; false when there is no such fraction. */
bool gpudx_scan_fraction(struct gpudx_sv *s, uint32_t *us)
{
	static const uint32_t scale[] = { 0, 100000, 10000, 1000, 100, 10, 1 };
	struct gpudx_sv c = *s;
	uint32_t v = 0;
	unsigned n = 0;

	if (c.n < 2 || (c.p[0] != '.' && c.p[0] != ',') || !sv_is_digit(c.p[1]))
		return false;
	for (c = sv_from(c, 1); c.n && sv_is_digit(c.p[0]); c = sv_from(c, 1)) {
		if (n < 6) {
			v = v * 10 + (uint32_t)(c.p[0] - '0');
			n++;
		}
	}
	*us = v * scale[n];
	*s = c;
	return true;
}

/* "10:26:31" with two digits each, as nearly every log prints it, and nothing behind it that would
 * belong to it. */
static bool plain_clock(struct gpudx_sv s, int64_t *day_us)
{
	const char *p = s.p;
	unsigned h, m, sec;

	if (s.n < 8 || p[2] != ':' || p[5] != ':' || !sv_is_digit(p[0]) || !sv_is_digit(p[1]) ||
	    !sv_is_digit(p[3]) || !sv_is_digit(p[4]) || !sv_is_digit(p[6]) || !sv_is_digit(p[7]) ||
	    (s.n > 8 && (p[8] == '.' || p[8] == ',')))
		return false;
	h = (unsigned)(p[0] - '0') * 10 + (unsigned)(p[1] - '0');
	m = (unsigned)(p[3] - '0') * 10 + (unsigned)(p[4] - '0');
	sec = (unsigned)(p[6] - '0') * 10 + (unsigned)(p[7] - '0');
	*day_us = (h * 3600 + m * 60 + sec) * GPUDX_SECOND;
	return h < 24 && m < 60 && sec < 60;
}

bool gpudx_scan_clock(struct gpudx_sv *s, int64_t *day_us)
{
	struct gpudx_sv c = *s;
	uint32_t h, m, sec, us = 0;

	if (plain_clock(c, day_us)) {
		*s = sv_from(c, 8);
		return true;
	}

	if (!sv_digits(&c, 2, &h) && !sv_digits(&c, 1, &h))
		return false;
	if (!sv_char(&c, ':') || !sv_digits(&c, 2, &m) || !sv_char(&c, ':') ||
	    !sv_digits(&c, 2, &sec))
		return false;
	gpudx_scan_fraction(&c, &us);
	if (!day_us_of(h, m, sec, us, day_us))
		return false;
	*s = c;
	return true;
}

bool gpudx_scan_offset(struct gpudx_sv *s, int32_t *minutes)
{
	struct gpudx_sv c = *s;
	uint32_t h, m = 0;
	bool west;

	if (sv_lit(&c, "UTC") || sv_lit(&c, "GMT") || sv_char(&c, 'Z')) {
		if (c.n && (sv_is_alpha(c.p[0]) || c.p[0] == '+' || c.p[0] == '-'))
			return false;
		*minutes = 0;
		*s = c;
		return true;
	}
	west = c.n && c.p[0] == '-';
	if (!sv_char(&c, '+') && !sv_char(&c, '-'))
		return false;
	if (!sv_digits(&c, 2, &h))
		return false;
	/* date(1) prints "+08" for zones without a name. */
	if (c.n && (c.p[0] == ':' || sv_is_digit(c.p[0])) &&
	    (sv_char(&c, ':'), !sv_digits(&c, 2, &m)))
		return false;
	if (h > 15 || m > 59)
		return false;
	*minutes = (int32_t)(h * 60 + m) * (west ? -1 : 1);
	*s = c;
	return true;
}

/* Names begin the word; the rest of it ("septembre" behind "sept") is skipped. Longer first where
 * one begins another. English stands in front because it is by far the most frequent. */
struct name {
	const char *text;
	uint8_t value;
};

/* clang-format off */
static const struct name month_names[] = {
	{ "Jan", 1 }, { "Feb", 2 }, { "Mar", 3 }, { "Apr", 4 }, { "May", 5 }, { "Jun", 6 },
	{ "Jul", 7 }, { "Aug", 8 }, { "Sep", 9 }, { "Oct", 10 }, { "Nov", 11 }, { "Dec", 12 },
	/* German */
	{ "Mär", 3 }, { "M\xe4r", 3 }, { "Mrz", 3 }, { "Mai", 5 }, { "Okt", 10 }, { "Dez", 12 },
	/* French, accents in UTF-8, in Latin-1 or lost */
	{ "jan", 1 }, { "fév", 2 }, { "f\xe9v", 2 }, { "fev", 2 }, { "mars", 3 }, { "avr", 4 },
	{ "mai", 5 }, { "juin", 6 }, { "juil", 7 }, { "aoû", 8 }, { "ao\xfb", 8 }, { "aou", 8 },
	{ "sep", 9 }, { "oct", 10 }, { "nov", 11 }, { "déc", 12 }, { "d\xe9" "c", 12 }, { "dec", 12 },
	/* Spanish, Italian, Portuguese, Dutch, Polish */
	{ "ene", 1 }, { "gen", 1 }, { "sty", 1 }, { "feb", 2 }, { "lut", 2 }, { "mrt", 3 },
	{ "maart", 3 }, { "marz", 3 }, { "mar", 3 }, { "kwi", 4 }, { "abr", 4 }, { "apr", 4 },
	{ "may", 5 }, { "mag", 5 }, { "mei", 5 }, { "maj", 5 }, { "giu", 6 }, { "cze", 6 },
	{ "jun", 6 }, { "jul", 7 }, { "lug", 7 }, { "lip", 7 }, { "ago", 8 }, { "aug", 8 },
	{ "sie", 8 }, { "set", 9 }, { "wrz", 9 }, { "ott", 10 }, { "out", 10 }, { "okt", 10 },
	{ "paź", 10 }, { "lis", 11 }, { "dic", 12 }, { "dez", 12 }, { "gru", 12 },
	/* Russian */
	{ "янв", 1 }, { "фев", 2 }, { "мар", 3 }, { "апр", 4 }, { "мая", 5 }, { "май", 5 },
	{ "июн", 6 }, { "июл", 7 }, { "авг", 8 }, { "сен", 9 }, { "окт", 10 }, { "ноя", 11 },
	{ "дек", 12 }
};

static const struct name weekday_names[] = {
	{ "Sun", 0 }, { "Mon", 1 }, { "Tue", 2 }, { "Wed", 3 }, { "Thu", 4 }, { "Fri", 5 },
	{ "Sat", 6 },
	/* German */
	{ "So", 0 }, { "Mo", 1 }, { "Di", 2 }, { "Mi", 3 }, { "Do", 4 }, { "Fr", 5 }, { "Sa", 6 },
	/* French, Spanish, Italian, Portuguese */
	{ "dim", 0 }, { "dom", 0 }, { "lun", 1 }, { "mar", 2 }, { "mer", 3 }, { "mié", 3 },
	{ "mi\xe9", 3 }, { "jeu", 4 }, { "jue", 4 }, { "gio", 4 }, { "ven", 5 }, { "vie", 5 },
	{ "sam", 6 }, { "sáb", 6 }, { "s\xe1" "b", 6 }, { "sab", 6 }, { "seg", 1 }, { "ter", 2 },
	{ "qua", 3 }, { "qui", 4 }, { "sex", 5 },
	/* Dutch, Polish */
	{ "zo", 0 }, { "ma", 1 }, { "di", 2 }, { "wo", 3 }, { "do", 4 }, { "vr", 5 }, { "za", 6 },
	{ "nie", 0 }, { "pon", 1 }, { "wto", 2 }, { "śro", 3 }, { "czw", 4 }, { "pią", 5 },
	{ "sob", 6 },
	/* Russian, Chinese, Japanese */
	{ "Вс", 0 }, { "Пн", 1 }, { "Вт", 2 }, { "Ср", 3 }, { "Чт", 4 }, { "Пт", 5 }, { "Сб", 6 },
	{ "вс", 0 }, { "пн", 1 }, { "вт", 2 }, { "ср", 3 }, { "чт", 4 }, { "пт", 5 }, { "сб", 6 },
	{ "星期", 0 }, { "周", 0 }, { "日", 0 }, { "一", 1 }, { "月", 1 }, { "二", 2 }, { "火", 2 },
	{ "三", 3 }, { "水", 3 }, { "四", 4 }, { "木", 4 }, { "五", 5 }, { "金", 5 }, { "六", 6 },
	{ "土", 6 }
};
/* clang-format on */

static bool is_letter(char c)
{
	return sv_is_alpha(c) || (unsigned char)c >= 0x80;
}

static bool scan_name(struct gpudx_sv *s, const struct name *names, size_t n, unsigned *value)
{
	for (size_t i = 0; i < n; i++) {
		struct gpudx_sv c = *s;

		if (!sv_lit(&c, names[i].text))
			continue;
		while (c.n && is_letter(c.p[0]))
			c = sv_from(c, 1);
		sv_char(&c, '.');
		*value = names[i].value;
		*s = c;
		return true;
	}
	return false;
}

/* "5月" of Chinese and Japanese. */
static bool scan_month_number(struct gpudx_sv *s, unsigned *month)
{
	struct gpudx_sv c = *s;
	uint64_t m;

	if (!sv_u64(&c, &m) || m < 1 || m > 12 || !sv_lit(&c, "月"))
		return false;
	*month = (unsigned)m;
	*s = c;
	return true;
}

bool gpudx_scan_month(struct gpudx_sv *s, unsigned *month)
{
	return scan_name(s, month_names, sizeof(month_names) / sizeof(month_names[0]), month) ||
	       scan_month_number(s, month);
}

bool gpudx_scan_weekday(struct gpudx_sv *s, unsigned *weekday)
{
	return scan_name(s, weekday_names, sizeof(weekday_names) / sizeof(weekday_names[0]),
			 weekday);
}

/* ---- whole stamps ---- */

bool gpudx_scan_ymd_hms(struct gpudx_sv *s, int64_t *local_us)
{
	struct gpudx_sv c = *s;
	uint32_t y, m, d;
	int64_t in_day;
	char sep;

	if (!sv_digits(&c, 4, &y) || !c.n)
		return false;
	sep = c.p[0];
	if ((sep != '/' && sep != '-') || !sv_char(&c, sep) || !sv_digits(&c, 2, &m) ||
	    !sv_char(&c, sep) || !sv_digits(&c, 2, &d) || !c.n || !sv_is_space(c.p[0]))
		return false;
	sv_spaces(&c);
	if (!gpudx_scan_clock(&c, &in_day) || !date_exists(y, m, d))
		return false;
	*local_us = gpudx_days(y, m, d) * GPUDX_DAY + in_day;
	*s = c;
	return true;
}

bool gpudx_scan_iso(struct gpudx_sv *s, struct gpudx_stamp *out)
{
	struct gpudx_sv c = *s;
	uint32_t y, m, d;
	int64_t in_day;
	int32_t off;

	if (!sv_digits(&c, 4, &y) || !sv_char(&c, '-') || !sv_digits(&c, 2, &m) ||
	    !sv_char(&c, '-') || !sv_digits(&c, 2, &d) || !sv_char(&c, 'T') ||
	    !gpudx_scan_clock(&c, &in_day) || !date_exists(y, m, d))
		return false;
	*out = (struct gpudx_stamp){ .kind = GPUDX_STAMP_LOCAL, .mono_us = GPUDX_NO_TIME };
	out->t_us = gpudx_days(y, m, d) * GPUDX_DAY + in_day;
	if (gpudx_scan_offset(&c, &off)) {
		out->kind = GPUDX_STAMP_UTC;
		out->t_us -= off * GPUDX_MINUTE;
		out->has_offset = true;
		out->offset_min = off;
	}
	*s = c;
	return true;
}

/* What the words of a date(1) line have said so far; they come in the order of the locale. */
struct date_words {
	unsigned month, day;
	uint32_t year;
	int64_t day_us;
	bool clock, pm, am, utc, offset;
	int32_t offset_min;
};

static bool word_number(struct gpudx_sv *s, struct date_words *w)
{
	struct gpudx_sv c = *s;
	uint64_t v;

	if (!sv_u64(&c, &v))
		return false;
	if (c.n && c.p[0] == ':')
		return false;
	if (c.p - s->p == 4 && !w->year && v >= 1970) {
		w->year = (uint32_t)v;
		sv_lit(&c, "年");
	} else if (c.p - s->p <= 2 && !w->day && v >= 1 && v <= 31) {
		w->day = (unsigned)v;
		if (!sv_lit(&c, "日"))
			sv_char(&c, '.');
	} else {
		return false;
	}
	sv_char(&c, ',');
	*s = c;
	return true;
}

/* AM, PM, UTC or another zone name; only behind the time of day. */
static bool word_zone(struct gpudx_sv *s, struct date_words *w)
{
	struct gpudx_sv c = *s, word;

	if (!w->clock)
		return false;
	if (gpudx_scan_offset(&c, &w->offset_min)) {
		w->offset = true;
		*s = c;
		return true;
	}
	if (!sv_token(&c, &word) || word.n < 2 || word.n > 5)
		return false;
	for (size_t i = 0; i < word.n; i++)
		if (word.p[i] < 'A' || word.p[i] > 'Z')
			return false;
	w->am |= sv_is(word, "AM");
	w->pm |= sv_is(word, "PM");
	*s = c;
	return true;
}

static bool date_word(struct gpudx_sv *s, struct date_words *w)
{
	unsigned unused;

	if (!w->clock && gpudx_scan_clock(s, &w->day_us)) {
		w->clock = true;
		return true;
	}
	/* A second month name means that the first was a weekday: French "mar. 13 mai". */
	return gpudx_scan_month(s, &w->month) || word_number(s, w) || word_zone(s, w) ||
	       gpudx_scan_weekday(s, &unused);
}

static bool date_complete(const struct date_words *w)
{
	return w->month && w->day && w->year && w->clock;
}

bool gpudx_scan_ctime(struct gpudx_sv *s, struct gpudx_stamp *out)
{
	struct date_words w = { 0 };
	struct gpudx_sv c = *s, behind;

	for (int i = 0; i < 8 && !date_complete(&w); i++) {
		sv_spaces(&c);
		if (!date_word(&c, &w))
			return false;
	}
	if (!date_complete(&w) || !date_exists(w.year, w.month, w.day))
		return false;
	for (behind = sv_ltrim(c); word_zone(&behind, &w); behind = sv_ltrim(behind))
		c = behind;
	if (w.pm && w.day_us < GPUDX_DAY / 2)
		w.day_us += GPUDX_DAY / 2;
	else if (w.am && w.day_us >= GPUDX_DAY / 2)
		w.day_us -= GPUDX_DAY / 2;
	*out = (struct gpudx_stamp){ .kind = GPUDX_STAMP_LOCAL, .mono_us = GPUDX_NO_TIME };
	out->t_us = gpudx_days(w.year, w.month, w.day) * GPUDX_DAY + w.day_us;
	if (w.offset) {
		out->kind = GPUDX_STAMP_UTC;
		out->has_offset = true;
		out->offset_min = w.offset_min;
		out->t_us -= w.offset_min * GPUDX_MINUTE;
	}
	*s = c;
	return true;
}

bool gpudx_scan_month_day(struct gpudx_sv *s, unsigned *month, unsigned *day, int64_t *day_us)
{
	struct gpudx_sv c = *s;
	uint64_t d = 0;
	bool day_first = c.n && sv_is_digit(c.p[0]) && !gpudx_scan_month(&c, month);

	if (day_first && !sv_u64(&c, &d))
		return false;
	if (day_first)
		sv_char(&c, '.');
	if (day_first || c.p == s->p) {
		sv_spaces(&c);
		if (!gpudx_scan_month(&c, month))
			return false;
	}
	sv_spaces(&c);
	if (!day_first && !sv_u64(&c, &d))
		return false;
	sv_lit(&c, "日");
	sv_spaces(&c);
	if (d < 1 || d > 31 || !gpudx_scan_clock(&c, day_us) ||
	    !date_exists(2000, *month, (unsigned)d))
		return false;
	*day = (unsigned)d;
	*s = c;
	return true;
}

bool gpudx_scan_mono(struct gpudx_sv *s, int64_t *us)
{
	size_t i = 0, from, dot;
	int64_t t = 0;

	while (i < s->n && s->p[i] == ' ')
		i++;
	for (from = i; i < s->n && sv_is_digit(s->p[i]) && i - from < 12; i++)
		t = t * 10 + (s->p[i] - '0');
	dot = i++;
	if (dot == from || dot >= s->n || s->p[dot] != '.' || s->n - i < 6)
		return false;
	for (; i <= dot + 6; i++) {
		if (!sv_is_digit(s->p[i]))
			return false;
		t = t * 10 + (s->p[i] - '0');
	}
	*us = t;
	*s = sv_from(*s, i);
	return true;
}

const char *gpudx_time_text(int64_t t_us, bool utc, char buf[GPUDX_TIME_TEXT])
{
	int64_t days, in_day, year;
	unsigned month, day, s;
	int n;

	buf[0] = '\0';
	if (t_us == GPUDX_NO_TIME)
		return buf;
	days = t_us / GPUDX_DAY - (t_us % GPUDX_DAY < 0);
	in_day = (t_us % GPUDX_DAY + GPUDX_DAY) %
		 GPUDX_DAY; /* the product may overflow at the ends */
	gpudx_civil(days, &year, &month, &day);
	s = (unsigned)(in_day / GPUDX_SECOND);
	n = snprintf(buf, GPUDX_TIME_TEXT, "%04d-%02u-%02uT%02u:%02u:%02u", (int)year, month, day,
		     s / 3600, s / 60 % 60, s % 60);
	if (in_day % GPUDX_SECOND && n > 0 && n < GPUDX_TIME_TEXT)
		n += snprintf(buf + n, GPUDX_TIME_TEXT - (size_t)n, ".%06d",
			      (int)(in_day % GPUDX_SECOND));
	if (utc && n > 0 && n < GPUDX_TIME_TEXT)
		snprintf(buf + n, GPUDX_TIME_TEXT - (size_t)n, "Z");
	return buf;
}
