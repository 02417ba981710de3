#include "parse/smi_csv_time.h"

/* "1754042400", "1754042400.123", "1754042400123" (ms), ... us, ns: by the number of digits. */
static bool epoch(struct gpudx_sv s, int64_t *t_us)
{
	struct gpudx_sv c = s;
	uint64_t v;
	uint32_t us = 0;
	size_t digits;

	if (!sv_u64(&c, &v))
		return false;
	digits = s.n - c.n;
	if (digits == 10)
		gpudx_scan_fraction(&c, &us);
	else if (digits == 13)
		v *= 1000;
	else if (digits == 19)
		v /= 1000;
	else if (digits != 16)
		return false;
	if (c.n)
		return false;
	*t_us = digits == 10 ? (int64_t)v * GPUDX_SECOND + us : (int64_t)v;
	return true;
}

/* "07/03/2026 22:11", "13.01.2026 10:26:31": month first with slashes, as spreadsheets save it. */
static bool resaved(struct gpudx_sv s, int64_t *t_us)
{
	uint64_t a, b, y, h, m, sec = 0;
	char sep;

	if (!sv_u64(&s, &a) || !s.n)
		return false;
	sep = s.p[0];
	if ((sep != '/' && sep != '.') || !sv_char(&s, sep) || !sv_u64(&s, &b) ||
	    !sv_char(&s, sep) || !sv_u64(&s, &y) || !sv_spaces(&s) || !sv_u64(&s, &h) ||
	    !sv_char(&s, ':') || !sv_u64(&s, &m))
		return false;
	if (sv_char(&s, ':') && !sv_u64(&s, &sec))
		return false;
	if (s.n || a > 31 || b > 31 || y < 2000 || y > 2200 || h > 23 || m > 59 || sec > 60)
		return false;
	if (sep == '.' || a > 12)
		return gpudx_civil_us((int64_t)y, (unsigned)b, (unsigned)a, (unsigned)h,
				      (unsigned)m, (unsigned)sec, 0, t_us);
	return gpudx_civil_us((int64_t)y, (unsigned)a, (unsigned)b, (unsigned)h, (unsigned)m,
			      (unsigned)sec, 0, t_us);
}

static bool date_alone(struct gpudx_sv s, int64_t *date_us)
{
	uint32_t y, m, d;

	if (!sv_digits(&s, 4, &y) || !(sv_char(&s, '/') || sv_char(&s, '-')) ||
	    !sv_digits(&s, 2, &m) || !(sv_char(&s, '/') || sv_char(&s, '-')) ||
	    !sv_digits(&s, 2, &d) || s.n)
		return false;
	return gpudx_civil_us(y, m, d, 0, 0, 0, 0, date_us);
}

static bool clock_alone(struct gpudx_sv s, int64_t *clock_us)
{
	return gpudx_scan_clock(&s, clock_us) && !s.n;
}

static bool relative(struct gpudx_sv s)
{
	double v;

	return sv_decimal(&s, &v) && !s.n && v < 1e9;
}

static bool whole(struct gpudx_sv s, struct gpudx_stamp *out)
{
	struct gpudx_sv c = s;

	*out = (struct gpudx_stamp){ .kind = GPUDX_STAMP_LOCAL };
	if (gpudx_scan_ymd_hms(&c, &out->t_us)) {
		int32_t off;

		sv_spaces(&c);
		if (c.n && gpudx_scan_offset(&c, &off)) { /* "2026-01-13 10:26:31+00:00" */
			out->kind = GPUDX_STAMP_UTC;
			out->t_us -= (int64_t)off * 60 * GPUDX_SECOND;
		}
		return !c.n;
	}
	if (gpudx_scan_iso(&c, out))
		return !c.n;
	if (epoch(s, &out->t_us)) {
		out->kind = GPUDX_STAMP_UTC;
		return true;
	}
	return resaved(s, &out->t_us) || (gpudx_scan_ctime(&c, out) && !c.n);
}

bool smi_row_time(struct smi_row_time *row, struct gpudx_sv cell)
{
	struct gpudx_stamp stamp;

	if (date_alone(cell, &row->date_us) || clock_alone(cell, &row->clock_us)) {
		if (row->kind == GPUDX_STAMP_NONE && row->date_us != GPUDX_NO_TIME &&
		    row->clock_us != GPUDX_NO_TIME) {
			row->kind = GPUDX_STAMP_LOCAL;
			row->t_us = row->date_us + row->clock_us;
		}
		return true;
	}
	if (!whole(cell, &stamp))
		return relative(cell);
	if (stamp.kind > row->kind) { /* of two stamps the one with a zone */
		row->kind = stamp.kind;
		row->t_us = stamp.t_us;
	}
	return true;
}
