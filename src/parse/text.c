#include "parse/text.h"

bool text_csv_cell(struct gpudx_sv *s, char separator, struct gpudx_sv *cell)
{
	struct gpudx_sv c = *s;
	size_t i = 1;

	if (!c.n)
		return false;
	if (c.p[0] != '"') {
		sv_cell(s, separator, cell);
		*cell = sv_trim(*cell);
		return true;
	}
	for (; i < c.n; i++) {
		if (c.p[i] != '"')
			continue;
		if (i + 1 < c.n && c.p[i + 1] == '"')
			i++;
		else
			break;
	}
	*cell = sv_n(c.p + 1, i - 1);
	c = sv_from(c, i + 1);
	*s = sv_from(c, sv_index(c, separator) + 1);
	return true;
}

int64_t text_meridiem(struct gpudx_sv s, int64_t day_us)
{
	int64_t noon = GPUDX_DAY / 2;

	s = sv_ltrim(s);
	if (sv_ilit(&s, "pm") && day_us < noon)
		return day_us + noon;
	if (sv_ilit(&s, "am") && day_us >= noon)
		return day_us - noon;
	return day_us;
}
