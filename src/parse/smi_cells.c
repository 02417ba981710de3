#include "parse/smi_cells.h"

char smi_separator(struct gpudx_sv heading)
{
	if (sv_has(heading, "\t"))
		return '\t';
	return sv_has(heading, ";") ? ';' : ',';
}

struct gpudx_sv smi_bare(struct gpudx_sv cell)
{
	cell = sv_trim(cell);
	if (cell.n >= 2 && cell.p[0] == '"' && cell.p[cell.n - 1] == '"')
		cell = sv_trim(sv_n(cell.p + 1, cell.n - 2));
	return cell;
}

struct gpudx_sv smi_heading_name(struct gpudx_sv cell)
{
	cell = smi_bare(cell);
	cell = sv_first(cell, sv_index(cell, '['));
	cell = sv_first(cell, sv_index(cell, '('));
	return sv_trim(cell);
}
