#include "parse/dcgmi_box.h"

bool dcgmi_rule(struct gpudx_sv line)
{
	line = sv_trim(line);
	if (line.n < 5 || line.p[0] != '+')
		return false;
	for (size_t i = 0; i < line.n; i++)
		if (line.p[i] != '+' && line.p[i] != '-' && line.p[i] != '=')
			return false;
	return true;
}

bool dcgmi_row(struct gpudx_sv line, struct gpudx_sv *name, struct gpudx_sv *value, bool *full)
{
	struct gpudx_sv s = sv_trim(line), cell;

	if (!sv_char(&s, '|') || !s.n)
		return false;
	if (s.p[s.n - 1] == '|')
		s.n--;
	*name = sv_trim(sv_first(s, sv_index(s, '|')));
	cell = sv_from(s, sv_index(s, '|') + 1);
	*value = sv_trim(cell);
	/* " text" up to one blank before the border */
	*full = cell.n >= 2 && sv_ltrim(cell).n + 1 >= cell.n && cell.n - sv_rtrim(cell).n <= 1;
	return true;
}
