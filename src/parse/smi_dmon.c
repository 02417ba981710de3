/* nvidia-smi dmon: one row a GPU and second; the heading comes again about every twenty rows.
 *
 *   # gpu    pwr  gtemp  mtemp     sm    mem    enc    dec   mclk   pclk
 *   # Idx      W      C      C      %      %      %      %    MHz    MHz
 *       0    631     63     57    100     10      0      0   2619   1980
 *       1      -     61      -     98      9      0      0   2619   1965
 *
 * With -o DT a date and a time stand in front; without, only the order of the rows is known. "mem"
 * is the load of the memory controller; memory in use is "fb". Headings that somebody typed again
 * name columns in ways of their own: those are placed by their unit, and that is said in the fact
 * smi.columns_guessed. Source: formats 2.5. */
#include "parse/smi_value.h"
#include "parse/smi_message.h"
#include "parse/smi_mon.h"

#include <math.h>

enum { KEY_MAX = 32, UNIT_MAX = 12, HEADING_MAX = 240, SM_MHZ_MAX = 3300 };

enum what {
	UNKNOWN,
	DATE,
	TIME,
	INDEX,
	GI,
	CI,
	SAMPLE, /* arg: enum gpudx_col */
	SERIES
};

struct known {
	const char *name;
	enum what what;
	unsigned arg;
	const char *key; /* of a series */
};

static const struct known known_columns[] = {
	{ "date", DATE, 0, "" },
	{ "time", TIME, 0, "" },
	{ "gpu", INDEX, 0, "" },
	{ "gi", GI, 0, "" },
	{ "ci", CI, 0, "" },
	{ "pwr", SAMPLE, GPUDX_COL_POWER, "" },
	{ "temp", SAMPLE, GPUDX_COL_TEMP, "" },
	{ "gtemp", SAMPLE, GPUDX_COL_TEMP, "" },
	{ "mtemp", SERIES, 0, "temp.memory_c" },
	{ "sm", SAMPLE, GPUDX_COL_UTIL, "" },
	{ "mem", SAMPLE, GPUDX_COL_MEM_UTIL, "" },
	{ "enc", SERIES, 0, "util.encoder_pct" },
	{ "dec", SERIES, 0, "util.decoder_pct" },
	{ "jpg", SERIES, 0, "util.jpeg_pct" },
	{ "ofa", SERIES, 0, "util.ofa_pct" },
	{ "mclk", SAMPLE, GPUDX_COL_MEM_CLOCK, "" },
	{ "pclk", SAMPLE, GPUDX_COL_SM_CLOCK, "" },
	{ "pviol", SERIES, 0, "violation.power_pct" },
	{ "tviol", SERIES, 0, "violation.thermal" },
	{ "fb", SAMPLE, GPUDX_COL_MEM_USED, "" },
	{ "bar1", SERIES, 0, "memory.bar1_used_mib" },
	{ "ccpm", SERIES, 0, "memory.protected_used_mib" },
	{ "sbecc", SERIES, 0, "ecc.corrected_errors" },
	{ "dbecc", SERIES, 0, "ecc.uncorrected_errors" },
	{ "pci", SERIES, 0, "pcie.replay_errors" },
	{ "rxpci", SERIES, 0, "pcie.rx_mbps" },
	{ "txpci", SERIES, 0, "pcie.tx_mbps" },
};

/* Where a column of unknown name goes by its unit: the first of these that is still free. */
static const struct guess {
	const char *unit;
	struct known as;
} guesses[] = {
	{ "W", { "", SAMPLE, GPUDX_COL_POWER, "" } },
	{ "%", { "", SAMPLE, GPUDX_COL_UTIL, "" } },
	{ "%", { "", SAMPLE, GPUDX_COL_MEM_UTIL, "" } },
	{ "MHz", { "", SAMPLE, GPUDX_COL_SM_CLOCK, "" } },
	{ "MHz", { "", SAMPLE, GPUDX_COL_MEM_CLOCK, "" } },
	{ "C", { "", SAMPLE, GPUDX_COL_TEMP, "" } },
	{ "C", { "", SERIES, 0, "temp.memory_c" } },
};

struct column {
	enum what what;
	unsigned arg;
	char name[KEY_MAX], key[KEY_MAX], unit[UNIT_MAX];
};

struct gpu {
	uint32_t ref;
	int32_t idx, gi, ci;
	int64_t rows;
	unsigned fault;		      /* grade of what it said since it was well */
	double last[SMI_MON_COLUMNS]; /* of series: only changes are said */
};

struct dmon {
	struct column columns[SMI_MON_COLUMNS];
	unsigned n; /* 0: no heading yet */
	bool guessed;
	size_t heading_n;
	char heading[HEADING_MAX];
	double seen_max[SMI_MON_COLUMNS]; /* in the head of the part */
	struct gpu *gpus[SMI_MON_GPUS];
	unsigned ngpus, expected;
};

struct row {
	struct smi_mon_cells cells;
	struct gpudx_sample s;
	struct gpudx_gpu_id id;
	struct gpudx_sv date, time;
};

/* ---- heading ---- */

static void keep(char *to, size_t size, const char *prefix, struct gpudx_sv s)
{
	size_t n = strlen(prefix);

	memcpy(to, prefix, n);
	for (size_t i = 0; i < s.n && n + 1 < size; i++)
		to[n++] = sv_lower(s.p[i]);
	to[n] = '\0';
}

static struct column column_named(struct gpudx_sv name)
{
	struct column col = { .what = UNKNOWN };

	keep(col.name, sizeof(col.name), "", name);
	for (size_t i = 0; i < sizeof(known_columns) / sizeof(known_columns[0]); i++) {
		const struct known *k = &known_columns[i];

		if (!sv_ieq(name, sv_str(k->name)))
			continue;
		col.what = k->what;
		col.arg = k->arg;
		keep(col.key, sizeof(col.key), "", sv_str(k->key));
		return col;
	}
	keep(col.key, sizeof(col.key), "dmon.", name);
	return col;
}

static bool heading_is(const struct dmon *d, struct gpudx_sv line)
{
	return d->n && sv_eq(sv_n(d->heading, d->heading_n), sv_first(line, HEADING_MAX));
}

static void read_names(struct dmon *d, struct gpudx_sv line, const struct smi_mon_cells *cells)
{
	if (heading_is(d, line))
		return;
	d->n = cells->n;
	d->guessed = false;
	for (unsigned i = 0; i < cells->n; i++)
		d->columns[i] = column_named(cells->cell[i]);
	for (unsigned g = 0; g < d->ngpus; g++)
		for (unsigned i = 0; i < SMI_MON_COLUMNS; i++)
			d->gpus[g]->last[i] = (double)NAN;
	d->heading_n = sv_first(line, HEADING_MAX).n;
	memcpy(d->heading, line.p, d->heading_n);
}

static bool is_same(const struct column *col, const struct known *k)
{
	return col->what == k->what && col->arg == k->arg && sv_is(sv_str(col->key), k->key);
}

static bool is_free(const struct dmon *d, const struct known *k)
{
	for (unsigned i = 0; i < d->n; i++)
		if (is_same(&d->columns[i], k))
			return false;
	return true;
}

static void place_by_unit(struct dmon *d, struct column *col)
{
	for (size_t i = 0; i < sizeof(guesses) / sizeof(guesses[0]); i++) {
		const struct guess *g = &guesses[i];

		if (!sv_is(sv_str(col->unit), g->unit) || !is_free(d, &g->as))
			continue;
		col->what = g->as.what;
		col->arg = g->as.arg;
		keep(col->key, sizeof(col->key), "", sv_str(g->as.key));
		d->guessed = true;
		return;
	}
	col->what = SERIES;
}

static int column_of(const struct dmon *d, enum gpudx_col sample)
{
	for (unsigned i = 0; i < d->n; i++)
		if (d->columns[i].what == SAMPLE && d->columns[i].arg == (unsigned)sample)
			return (int)i;
	return -1;
}

/* Two clocks in the order of memory and SM, as the tool itself prints them: told by an SM clock
 * that no board reaches, while the other fits. */
static void swap_clocks_if_absurd(struct dmon *d, const bool *unnamed)
{
	int sm = column_of(d, GPUDX_COL_SM_CLOCK), mem = column_of(d, GPUDX_COL_MEM_CLOCK);

	if (sm < 0 || mem < 0 || !unnamed[sm] || !unnamed[mem])
		return;
	if (d->seen_max[sm] <= SM_MHZ_MAX || d->seen_max[mem] > SM_MHZ_MAX)
		return;
	d->columns[sm].arg = GPUDX_COL_MEM_CLOCK;
	d->columns[mem].arg = GPUDX_COL_SM_CLOCK;
}

static void read_units(struct gpudx_ctx *c, struct dmon *d, const struct smi_mon_cells *cells)
{
	bool unnamed[SMI_MON_COLUMNS] = { false };

	if (cells->n != d->n)
		return;
	for (unsigned i = 0; i < d->n; i++) {
		struct column *col = &d->columns[i];

		memset(col->unit, 0, sizeof(col->unit));
		memcpy(col->unit, cells->cell[i].p, sv_first(cells->cell[i], UNIT_MAX - 1).n);
		unnamed[i] = col->what == UNKNOWN;
		if (unnamed[i])
			place_by_unit(d, col);
	}
	swap_clocks_if_absurd(d, unnamed);
	if (d->guessed)
		gpudx_fact(c, 0, "smi.columns_guessed", "", sv_n(d->heading, d->heading_n));
}

/* ---- GPUs ---- */

static struct gpu *gpu_new(struct gpudx_ctx *c, struct dmon *d, const struct gpudx_gpu_id *id)
{
	struct gpu *g =
		d->ngpus < SMI_MON_GPUS ? gpudx_arena_alloc(gpudx_memory(c), sizeof(*g)) : NULL;

	if (!g)
		return NULL;
	g->idx = id->idx;
	g->gi = id->gi;
	g->ci = id->ci;
	g->ref = gpudx_ref(c, id);
	for (unsigned i = 0; i < SMI_MON_COLUMNS; i++)
		g->last[i] = (double)NAN;
	return d->gpus[d->ngpus++] = g;
}

/* Rows come in the same order every time, so the next GPU is nearly always the expected one. */
static struct gpu *gpu_of(struct gpudx_ctx *c, struct dmon *d, const struct gpudx_gpu_id *id)
{
	for (unsigned k = 0; k < d->ngpus; k++) {
		unsigned i = (d->expected + k) % d->ngpus;
		struct gpu *g = d->gpus[i];

		if (g->idx != id->idx || g->gi != id->gi || g->ci != id->ci)
			continue;
		d->expected = i + 1;
		return g;
	}
	return gpu_new(c, d, id);
}

/* ---- rows ---- */

/* False when the cell is no value of its column. */
static bool read_cell(struct row *r, const struct column *col, struct gpudx_sv cell)
{
	double v;

	switch (col->what) {
	case DATE:
		r->date = cell;
		return true;
	case TIME:
		r->time = cell;
		return true;
	case INDEX:
		return smi_mon_index(cell, &r->id.idx);
	case GI:
		return smi_mon_index(cell, &r->id.gi) || sv_is(cell, "-");
	case CI:
		return smi_mon_index(cell, &r->id.ci) || sv_is(cell, "-");
	case SAMPLE:
		if (smi_mon_number(cell, &v))
			gpudx_sample_set(&r->s, (enum gpudx_col)col->arg, v);
		return true;
	default:
		return true;
	}
}

static void put_series(struct gpudx_ctx *c, const struct dmon *d, struct gpu *g,
		       const struct row *r)
{
	for (unsigned i = 0; i < d->n; i++) {
		const struct column *col = &d->columns[i];
		struct gpudx_metric m = { .ref = g->ref,
					  .key = sv_str(col->key),
					  .unit = sv_str(col->unit),
					  .t_us = GPUDX_NO_TIME,
					  .seq = g->rows };

		if (col->what != SERIES || !smi_mon_number(r->cells.cell[i], &m.value))
			continue;
		if (m.value <= g->last[i] && m.value >= g->last[i])
			continue;
		g->last[i] = m.value;
		gpudx_put_metric(c, &m);
	}
}

/* "ERR!" and its like: one event a GPU until it answers again. */
static void put_faults(struct gpudx_ctx *c, const struct dmon *d, struct gpu *g,
		       const struct row *r)
{
	struct smi_faults faults = { 0 };
	unsigned grade;

	for (unsigned i = 0; i < d->n; i++)
		smi_look(&faults, d->columns[i].name, r->cells.cell[i]);
	grade = smi_faults_grade(&faults);
	if (grade > g->fault)
		smi_faults_put(c, g->ref, &faults);
	g->fault = !grade || grade > g->fault ? grade : g->fault;
}

static enum gpudx_take take_row(struct gpudx_ctx *c, struct dmon *d, struct row *r)
{
	int64_t t = GPUDX_NO_TIME;
	struct gpu *g;

	for (unsigned i = 0; i < d->n; i++)
		if (!read_cell(r, &d->columns[i], r->cells.cell[i]))
			return gpudx_reject(c, "the first column is no GPU index");
	g = gpu_of(c, d, &r->id);
	if (!g)
		return gpudx_reject(c, "more GPUs than can be told apart");
	if (r->date.p && r->time.p && !smi_mon_time(r->date, r->time, &t))
		return gpudx_reject(c, "not a date and time");
	/* A time of day alone places nothing. */
	gpudx_now(c, t == GPUDX_NO_TIME ? GPUDX_STAMP_NONE : GPUDX_STAMP_LOCAL, t);
	r->s.ref = g->ref;
	r->s.seq = g->rows;
	r->s.t_us = t;
	put_faults(c, d, g, r);
	put_series(c, d, g, r);
	if (r->s.have)
		gpudx_put_sample(c, &r->s);
	g->rows++;
	return GPUDX_TAKEN;
}

/* Numbers and dashes only, and not many other things look like that. */
static bool looks_like_row(const struct dmon *d, const struct smi_mon_cells *cells)
{
	const char *event;

	for (unsigned i = 0; i < cells->n; i++) {
		if (i < d->n && (d->columns[i].what == DATE || d->columns[i].what == TIME))
			continue;
		if (!smi_mon_is_value(cells->cell[i]) &&
		    smi_value_of(cells->cell[i], &event) == SMI_VALUE)
			return false;
	}
	return cells->n > 1 && sv_is_digit(cells->cell[0].p[0]);
}

static enum gpudx_take dmon_row(struct gpudx_ctx *c, struct dmon *d, struct row *r)
{
	if (!d->n || !looks_like_row(d, &r->cells))
		return GPUDX_NOT_MINE;
	if (r->cells.n == d->n && !r->cells.more)
		return take_row(c, d, r);
	if (gpudx_this_line(c)->flags & GPUDX_LINE_NO_LF)
		return gpudx_reject(c, "the last row is cut off");
	return gpudx_reject(c, "cells and headings differ in number");
}

static enum gpudx_take dmon_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct row r = { .s = { .t_us = GPUDX_NO_TIME }, .id = GPUDX_GPU_NONE };
	struct dmon *d = gpudx_state(c);

	switch (smi_mon_cut(line, &r.cells)) {
	case SMI_MON_NAMES:
		if (smi_mon_is_processes(&r.cells) || r.cells.more)
			return GPUDX_NOT_MINE;
		read_names(d, sv_trim(line), &r.cells);
		gpudx_cite(c);
		return GPUDX_TAKEN;
	case SMI_MON_UNITS:
		if (!d->n)
			return GPUDX_NOT_MINE;
		read_units(c, d, &r.cells);
		gpudx_cite(c);
		return GPUDX_TAKEN;
	case SMI_MON_ROW:
		break;
	}
	if (smi_message_take(c, line))
		return GPUDX_TAKEN;
	return dmon_row(c, d, &r);
}

static void dmon_begin(struct gpudx_ctx *c)
{
	const struct gpudx_head *head = gpudx_head(c);
	struct dmon *d = gpudx_state(c);
	struct smi_mon_cells cells;
	double v;

	for (size_t i = 0; head && i < head->n; i++) {
		if (smi_mon_cut(head->lines[i].text, &cells) != SMI_MON_ROW)
			continue;
		for (unsigned k = 0; k < cells.n; k++)
			if (smi_mon_number(cells.cell[k], &v) && v > d->seen_max[k])
				d->seen_max[k] = v;
	}
}

static bool is_heading(struct gpudx_sv line, unsigned *known)
{
	struct smi_mon_cells cells;

	*known = 0;
	if (!line.n || line.p[0] != '#' || smi_mon_cut(line, &cells) != SMI_MON_NAMES ||
	    smi_mon_is_processes(&cells))
		return false;
	for (unsigned i = 0; i < cells.n; i++)
		*known += column_named(cells.cell[i]).what >= SAMPLE;
	return cells.n > 1;
}

static bool dmon_starts(struct gpudx_sv line)
{
	unsigned known;

	return is_heading(line, &known) && known > 0;
}

static int dmon_bid(const struct gpudx_head *head)
{
	struct smi_mon_cells cells;
	unsigned known;

	for (size_t i = 0; i < head->n && i < 40; i++) {
		if (!is_heading(sv_ltrim(head->lines[i].text), &known))
			continue;
		if (known)
			return 80;
		if (i + 1 < head->n &&
		    smi_mon_cut(head->lines[i + 1].text, &cells) == SMI_MON_UNITS)
			return 60;
	}
	return 0;
}

const struct gpudx_parser gpudx_parser_smi_dmon = {
	.name = "smi-dmon",
	.what = "nvidia-smi dmon: one row a GPU and second",
	.bid = dmon_bid,
	.starts = dmon_starts,
	.begin = dmon_begin,
	.line = dmon_line,
	.state_size = sizeof(struct dmon),
	.flags = GPUDX_P_RESUMES,
};
