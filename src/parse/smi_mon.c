#include "parse/smi_mon.h"

#include "parse/smi_value.h"

static bool is_gap(char ch)
{
	return sv_is_space(ch) || ch == ',';
}

static void cut(struct gpudx_sv line, struct smi_mon_cells *out)
{
	size_t i = 0, from;

	out->n = 0;
	out->more = false;
	for (;;) {
		while (i < line.n && is_gap(line.p[i]))
			i++;
		if (i == line.n)
			return;
		if (out->n == SMI_MON_COLUMNS) {
			out->more = true;
			return;
		}
		for (from = i; i < line.n && !is_gap(line.p[i]);)
			i++;
		out->cell[out->n++] = sv_n(line.p + from, i - from);
	}
}

/* The first cell that is neither a date nor a time of day in either heading. */
static struct gpudx_sv first_column(const struct smi_mon_cells *cells)
{
	static const char *const stamps[] = { "Date", "Time", "YYYYMMDD", "HH:MM:SS" };

	for (unsigned i = 0; i < cells->n && i < 3; i++) {
		bool stamp = false;

		for (size_t k = 0; k < sizeof(stamps) / sizeof(stamps[0]); k++)
			stamp |= sv_ieq(cells->cell[i], sv_str(stamps[k]));
		if (!stamp)
			return cells->cell[i];
	}
	return SV_LIT("");
}

enum smi_mon_line smi_mon_cut(struct gpudx_sv line, struct smi_mon_cells *out)
{
	struct gpudx_sv first;

	line = sv_trim(line);
	if (!sv_char(&line, '#')) {
		cut(line, out);
		return SMI_MON_ROW;
	}
	cut(line, out);
	first = first_column(out);
	if (sv_ieq(first, SV_LIT("gpu")))
		return SMI_MON_NAMES;
	return sv_ieq(first, SV_LIT("Idx")) ? SMI_MON_UNITS : SMI_MON_ROW;
}

bool smi_mon_is_processes(const struct smi_mon_cells *names)
{
	for (unsigned i = 0; i < names->n; i++)
		if (sv_is(names->cell[i], "pid"))
			return true;
	return false;
}

bool smi_mon_time(struct gpudx_sv date, struct gpudx_sv time, int64_t *local_us)
{
	uint32_t year, month, day;
	int64_t day_us;

	if (!sv_digits(&date, 4, &year) || !sv_digits(&date, 2, &month) ||
	    !sv_digits(&date, 2, &day) || date.n)
		return false;
	if (!gpudx_scan_clock(&time, &day_us) || time.n)
		return false;
	if (!gpudx_civil_us(year, month, day, 0, 0, 0, 0, local_us))
		return false;
	*local_us += day_us;
	return true;
}

bool smi_mon_index(struct gpudx_sv cell, int32_t *out)
{
	int64_t v;

	if (!smi_whole(cell, 65535, &v))
		return false;
	*out = (int32_t)v;
	return true;
}

bool smi_mon_is_value(struct gpudx_sv cell)
{
	double v;

	return sv_is(cell, "-") || sv_is(cell, "N/A") || smi_number(cell, &v);
}

bool smi_mon_number(struct gpudx_sv cell, double *out)
{
	const char *event;

	return smi_value_of(cell, &event) == SMI_VALUE && smi_number(cell, out);
}
