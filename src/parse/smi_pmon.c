/* nvidia-smi pmon: one row a process and round; an idle GPU gives a row of dashes.
 *
 *   # gpu         pid   type     sm    mem    enc    dec    jpg    ofa    command
 *   # Idx           #    C/G      %      %      %      %      %      %    name
 *       0      11327     C      -      -      -      -      -      -    memhog
 *       0      11345     C     99     10      -      -      -      -    gpu burn
 *       1          -     -      -      -      -      -      -      -    -
 *
 * The name comes last, is cut to 15 characters and may hold blanks. Rounds are not marked: one
 * begins where the GPUs begin again, or a process is named that this round had. Source:
 * formats 2.6. */
#include "parse/smi_value.h"
#include "parse/smi_message.h"
#include "parse/smi_mon.h"

#include <math.h>

enum { PIDS_MAX = 256 };

enum what { OTHER, DATE, TIME, INDEX, GI, CI, PID, TYPE, SM, MEM, FB, COMMAND };

struct known {
	const char *name;
	enum what what;
};

static const struct known known_columns[] = {
	{ "date", DATE }, { "time", TIME }, { "gpu", INDEX },	    { "gi", GI },
	{ "ci", CI },	  { "pid", PID },   { "type", TYPE },	    { "sm", SM },
	{ "mem", MEM },	  { "fb", FB },	    { "command", COMMAND }, { "name", COMMAND },
};

struct pmon {
	enum what columns[SMI_MON_COLUMNS];
	unsigned n; /* 0: no heading yet */
	/* the round at hand */
	int64_t round;
	bool begun;
	int32_t gpu;
	bool idle;		/* its GPU had a row of dashes */
	int64_t pids[PIDS_MAX]; /* of that GPU */
	unsigned npids;
};

struct row {
	int32_t idx;
	struct gpudx_process p;
	struct gpudx_sv date, time;
};

static enum what column_named(struct gpudx_sv name)
{
	for (size_t i = 0; i < sizeof(known_columns) / sizeof(known_columns[0]); i++)
		if (sv_ieq(name, sv_str(known_columns[i].name)))
			return known_columns[i].what;
	return OTHER;
}

static void read_names(struct pmon *m, const struct smi_mon_cells *cells)
{
	m->n = cells->n;
	for (unsigned i = 0; i < cells->n; i++)
		m->columns[i] = column_named(cells->cell[i]);
}

/* ---- rounds ---- */

static bool had_pid(const struct pmon *m, int64_t pid)
{
	for (unsigned i = 0; i < m->npids; i++)
		if (m->pids[i] == pid)
			return true;
	return false;
}

static bool begins_round(const struct pmon *m, int32_t gpu, int64_t pid)
{
	if (!m->begun || gpu < m->gpu)
		return true;
	return gpu == m->gpu && (m->idle || pid < 0 || had_pid(m, pid));
}

static void count_round(struct pmon *m, int32_t gpu, int64_t pid)
{
	bool fresh = begins_round(m, gpu, pid);

	if (fresh && m->begun)
		m->round++;
	if (fresh || gpu != m->gpu)
		m->npids = 0;
	m->begun = true;
	m->gpu = gpu;
	m->idle = pid < 0;
	if (pid >= 0 && m->npids < PIDS_MAX)
		m->pids[m->npids++] = pid;
}

/* ---- rows ---- */

static void number(struct gpudx_sv cell, double *out)
{
	if (!smi_mon_number(cell, out))
		*out = (double)NAN;
}

static bool is_none(struct gpudx_sv cell)
{
	const char *event;

	return smi_value_of(cell, &event) == SMI_MISSING;
}

/* "C", "G", "C+G", "M+C", or none. */
static bool is_type(struct gpudx_sv cell)
{
	for (size_t i = 0; i < cell.n; i++)
		if (!memchr("CGM+", cell.p[i], 4))
			return is_none(cell);
	return cell.n > 0 && cell.n <= 5;
}

static bool read_cell(struct row *r, enum what what, struct gpudx_sv cell)
{
	switch (what) {
	case DATE:
		r->date = cell;
		return true;
	case TIME:
		r->time = cell;
		return true;
	case INDEX:
		return smi_mon_index(cell, &r->idx);
	case GI:
		return smi_mon_index(cell, &r->p.gi) || is_none(cell);
	case CI:
		return smi_mon_index(cell, &r->p.ci) || is_none(cell);
	case PID:
		return smi_whole(cell, INT64_C(1) << 40, &r->p.pid) || is_none(cell);
	case TYPE:
		if (!is_none(cell))
			r->p.type = cell;
		return is_type(cell);
	case SM:
		number(cell, &r->p.sm_pct);
		return true;
	case MEM:
		number(cell, &r->p.mem_pct);
		return true;
	case FB:
		number(cell, &r->p.fb_mib);
		return true;
	default:
		return true;
	}
}

/* From the cell where the name begins to the end of the line. */
static struct gpudx_sv command(struct gpudx_sv line, struct gpudx_sv first)
{
	size_t at = (size_t)(first.p - line.p);

	return sv_trim(sv_from(line, at));
}

/* How a row fits the headings. */
enum fit { FITS, SHORT, OTHER_TEXT };

static enum fit read_row(const struct pmon *m, struct gpudx_sv line,
			 const struct smi_mon_cells *cells, struct row *r)
{
	for (unsigned i = 0; i < m->n; i++) {
		if (m->columns[i] == COMMAND) {
			struct gpudx_sv name =
				i < cells->n ? command(line, cells->cell[i]) : SV_LIT("");

			if (!is_none(name))
				r->p.name = name;
			return FITS;
		}
		if (i >= cells->n)
			return SHORT;
		if (!read_cell(r, m->columns[i], cells->cell[i]))
			return OTHER_TEXT;
	}
	return cells->n == m->n ? FITS : OTHER_TEXT;
}

static enum gpudx_take take_row(struct gpudx_ctx *c, struct pmon *m, struct row *r)
{
	int64_t t = GPUDX_NO_TIME;
	uint32_t ref;

	if (r->date.p && r->time.p && !smi_mon_time(r->date, r->time, &t))
		return gpudx_reject(c, "not a date and time");
	gpudx_now(c, t == GPUDX_NO_TIME ? GPUDX_STAMP_NONE : GPUDX_STAMP_LOCAL, t);
	count_round(m, r->idx, r->p.pid);
	ref = gpudx_ref_idx(c, r->idx);
	if (r->p.pid < 0 && !r->p.name.p)
		return GPUDX_TAKEN;
	r->p.ref = ref;
	r->p.t_us = t;
	r->p.seq = m->round;
	gpudx_put_process(c, &r->p);
	return GPUDX_TAKEN;
}

static enum gpudx_take pmon_row(struct gpudx_ctx *c, struct pmon *m, struct gpudx_sv line,
				const struct smi_mon_cells *cells)
{
	struct row r = { .idx = -1,
			 .p = { .pid = -1,
				.gi = -1,
				.ci = -1,
				.sm_pct = (double)NAN,
				.mem_pct = (double)NAN,
				.fb_mib = (double)NAN } };

	if (!m->n || cells->n < 2 || !sv_is_digit(cells->cell[0].p[0]))
		return GPUDX_NOT_MINE;
	switch (read_row(m, line, cells, &r)) {
	case FITS:
		return r.idx < 0 ? GPUDX_NOT_MINE : take_row(c, m, &r);
	case SHORT:
		if (gpudx_this_line(c)->flags & GPUDX_LINE_NO_LF)
			return gpudx_reject(c, "the last row is cut off");
		return gpudx_reject(c, "cells and headings differ in number");
	case OTHER_TEXT:
		break;
	}
	return GPUDX_NOT_MINE;
}

static enum gpudx_take pmon_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct pmon *m = gpudx_state(c);
	struct smi_mon_cells cells;

	switch (smi_mon_cut(line, &cells)) {
	case SMI_MON_NAMES:
		if (!smi_mon_is_processes(&cells))
			return GPUDX_NOT_MINE;
		read_names(m, &cells);
		gpudx_cite(c);
		return GPUDX_TAKEN;
	case SMI_MON_UNITS:
		return m->n ? GPUDX_TAKEN : GPUDX_NOT_MINE;
	case SMI_MON_ROW:
		break;
	}
	if (smi_message_take(c, line))
		return GPUDX_TAKEN;
	return pmon_row(c, m, line, &cells);
}

static bool pmon_starts(struct gpudx_sv line)
{
	struct smi_mon_cells cells;

	return line.n && line.p[0] == '#' && smi_mon_cut(line, &cells) == SMI_MON_NAMES &&
	       smi_mon_is_processes(&cells);
}

static int pmon_bid(const struct gpudx_head *head)
{
	for (size_t i = 0; i < head->n && i < 40; i++)
		if (pmon_starts(sv_ltrim(head->lines[i].text)))
			return 80;
	return 0;
}

const struct gpudx_parser gpudx_parser_smi_pmon = {
	.name = "smi-pmon",
	.what = "nvidia-smi pmon: one row a process and round",
	.bid = pmon_bid,
	.starts = pmon_starts,
	.line = pmon_line,
	.state_size = sizeof(struct pmon),
	.flags = GPUDX_P_RESUMES,
};
