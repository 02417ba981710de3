/* nvidia-smi --query-gpu=... --format=csv, also repeated (-l, -lms), re-saved, without units:
 *
 *   timestamp, index, name, pstate, clocks.current.sm [MHz], power.draw [W], temperature.gpu
 *   2026/07/03 22:11:15.977, 0, NVIDIA H100 80GB HBM3, P0, 1980 MHz, 631.40 W, 63
 *   2026/07/03 22:11:15.981, 1, NVIDIA H100 80GB HBM3, P0, 1965 MHz, [Unknown Error], [GPU is lost]
 *
 * The heading names the columns; it may come again with others. There is no quoting. Without a
 * column that names the GPU, the place of a row in its poll does. */
#include "parse/smi_cells.h"
#include "parse/smi_csv_head.h"
#include "parse/smi_csv_poll.h"
#include "parse/smi_csv_time.h"
#include "parse/smi_value.h"

#include <math.h>

enum {
	COLUMNS_MAX = SMI_CSV_COLUMNS,
	DECIMAL_COMMAS = 4096,
	KEY_MAX = 64,
	CELL_KEPT = 48,
	GPUS_MAX = 4096
};

/* The last text of a cell whose value only counts when it changes. */
struct last_cell {
	uint32_t n;
	char text[CELL_KEPT];
};

struct csv_gpu {
	uint32_t ref, key_n;
	char key[KEY_MAX];
	int64_t rows;
	double limit;		/* last stated as a fact */
	unsigned fault;		/* grade of what it said since it was well */
	struct last_cell *last; /* one a slow column */
};

struct csv {
	struct smi_column columns[COLUMNS_MAX];
	unsigned n;
	int key_col; /* the column that tells GPUs apart, -1 none */
	char separator;
	bool has_reasons, reasons_by_bit, average_is_power, requested_is_limit;
	uint32_t reasons_known;
	unsigned slow[COLUMNS_MAX], nslow; /* columns of facts and series */
	bool unnamed;			   /* no heading: columns by the shape of their cells */
	unsigned poll;			   /* rows a poll when there is no key column */
	int64_t poll_gap, last_us;	   /* longer than this is the way to the next poll */
	unsigned place;			   /* of the next row in it */
	struct csv_gpu **gpus;
	unsigned ngpus, gpus_cap, expected; /* expected: the GPU of the next row, most likely */
	char date[10];			    /* the date whose start is day_us */
	int64_t day_us;
};

/* One row while it is read. */
struct csv_row {
	struct gpudx_sv cells[COLUMNS_MAX];
	unsigned n;
	struct gpudx_sample s;
	struct smi_row_time time;
	uint32_t reasons;
	bool reasons_seen;
	struct smi_faults faults;
};

/* ---- heading ---- */

static void add_column(struct csv *t, struct gpudx_sv name)
{
	struct smi_column *col = &t->columns[t->n++];

	*col = smi_csv_column(name);
	if (col->kind == SMI_REASON)
		t->reasons_known |= col->arg;
	if (col->kind == SMI_MASK)
		t->has_reasons = true;
}

static int find_kind(const struct csv *t, enum smi_kind kind)
{
	for (unsigned i = 0; i < t->n; i++)
		if (t->columns[i].kind == kind)
			return (int)i;
	return -1;
}

static bool has_key(const struct csv *t, const char *csv_name)
{
	for (unsigned i = 0; i < t->n; i++)
		if (t->columns[i].field && strcmp(t->columns[i].field->csv, csv_name) == 0)
			return true;
	return false;
}

/* Where the usual column is missing its nearest relative stands in: the average for the draw, the
 * requested limit for the one in force. The instant draw must never be held against the limit. */
static void choose_stand_ins(struct csv *t)
{
	bool draw = has_key(t, "power.draw"), enforced = has_key(t, "enforced.power.limit");

	t->average_is_power = t->requested_is_limit = false;
	for (unsigned i = 0; i < t->n; i++) {
		struct smi_column *col = &t->columns[i];

		if (!col->field)
			continue;
		if (!draw && strcmp(col->field->csv, "power.draw.average") == 0) {
			col->kind = SMI_COL;
			col->arg = GPUDX_COL_POWER;
			t->average_is_power = true;
		} else if (!enforced && strcmp(col->field->csv, "power.limit") == 0) {
			col->kind = SMI_COL;
			col->arg = GPUDX_COL_POWER_LIMIT;
			t->requested_is_limit = true;
		}
	}
}

/* What follows from all columns together. */
static void finish_heading(struct csv *t)
{
	static const enum smi_kind keys[] = { SMI_UUID, SMI_BDF, SMI_INDEX, SMI_SERIAL };

	t->key_col = -1;
	t->ngpus = t->expected = t->place = t->nslow = 0;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]) && t->key_col < 0; i++)
		t->key_col = find_kind(t, keys[i]);
	t->reasons_by_bit = !t->has_reasons && t->reasons_known;
	choose_stand_ins(t);
	for (unsigned i = 0; i < t->n; i++)
		if (t->columns[i].kind >= SMI_TEXT)
			t->slow[t->nslow++] = i;
}

static void read_heading(struct csv *t, struct gpudx_sv line)
{
	struct gpudx_sv cell;
	int index = -1;

	t->n = 0;
	t->reasons_known = 0;
	t->has_reasons = t->unnamed = false;
	t->separator = smi_separator(line);
	while (sv_cell(&line, t->separator, &cell) && t->n < COLUMNS_MAX) {
		cell = smi_heading_name(cell);
		add_column(t, cell);
		if (sv_ieq(cell, SV_LIT("index")))
			index = (int)t->n - 1;
	}
	/* A script may add an id of its own; what nvidia-smi calls index is meant. */
	for (unsigned i = 0; i < t->n && index >= 0; i++)
		if (t->columns[i].kind == SMI_INDEX && i != (unsigned)index)
			t->columns[i].kind = SMI_SKIP;
	finish_heading(t);
}

/* No heading: the command may tell what was asked for, or the cells may tell what they are. */
static void without_heading(struct gpudx_ctx *c, struct csv *t)
{
	struct gpudx_sv asked = smi_csv_asked(gpudx_command(c));

	if (asked.p) {
		read_heading(t, asked);
		return;
	}
	t->n = smi_csv_shapes(gpudx_head(c), t->columns);
	t->unnamed = t->n > 0;
	t->separator = ',';
	finish_heading(t);
}

static bool heading_ahead(const struct gpudx_head *head)
{
	unsigned known;

	for (size_t i = 0; i < head->n && i < 40; i++)
		if (smi_csv_is_heading(head->lines[i].text, &known))
			return true;
	return false;
}

static void csv_begin(struct gpudx_ctx *c)
{
	struct csv *t = gpudx_state(c);

	t->poll = smi_csv_poll(gpudx_head(c), &t->poll_gap);
	if (gpudx_head(c) && !heading_ahead(gpudx_head(c)))
		without_heading(c, t);
}

/* ---- GPUs ---- */

static struct csv_gpu *gpu_add(struct gpudx_ctx *c, struct csv *t)
{
	struct csv_gpu *g, **bigger;

	if (t->ngpus >= GPUS_MAX)
		return NULL;
	if (t->ngpus == t->gpus_cap) {
		bigger = gpudx_arena_array(gpudx_memory(c), t->gpus_cap ? t->gpus_cap * 2 : 16,
					   sizeof(*bigger));
		if (!bigger)
			return NULL;
		if (t->ngpus)
			memcpy(bigger, t->gpus, t->ngpus * sizeof(*bigger));
		t->gpus = bigger;
		t->gpus_cap = t->gpus_cap ? t->gpus_cap * 2 : 16;
	}
	g = gpudx_arena_alloc(gpudx_memory(c), sizeof(*g));
	if (g)
		g->last = gpudx_arena_array(gpudx_memory(c), t->nslow + 1, sizeof(*g->last));
	if (!g || !g->last)
		return NULL;
	t->gpus[t->ngpus++] = g;
	return g;
}

/* All identity cells of the row, whichever of them is the key. */
static struct gpudx_gpu_id row_id(const struct csv *t, const struct csv_row *row)
{
	struct gpudx_gpu_id id = GPUDX_GPU_NONE;
	const char *event;
	double v;

	for (unsigned i = 0; i < row->n; i++) {
		struct gpudx_sv cell = row->cells[i];

		if (t->columns[i].kind > SMI_BDF || smi_value_of(cell, &event) != SMI_VALUE)
			continue;
		if (t->columns[i].kind == SMI_UUID)
			id.uuid = cell;
		else if (t->columns[i].kind == SMI_SERIAL && !sv_is(cell, "0"))
			id.serial = cell;
		else if (t->columns[i].kind == SMI_BDF)
			gpudx_bdf_parse(cell, &id.bdf);
		else if (t->columns[i].kind == SMI_INDEX && smi_number(cell, &v) && v < 65536)
			id.idx = (int32_t)v;
	}
	return id;
}

static struct csv_gpu *gpu_new(struct gpudx_ctx *c, struct csv *t, const struct csv_row *row,
			       struct gpudx_sv key)
{
	struct gpudx_gpu_id id = row_id(t, row);
	struct csv_gpu *g = gpu_add(c, t);

	if (!g)
		return NULL;
	if (t->key_col < 0) {
		id.idx = (int32_t)t->ngpus - 1;
		id.placed = true;
	}
	key = sv_first(key, KEY_MAX);
	g->key_n = (uint32_t)key.n;
	if (key.n)
		memcpy(g->key, key.p, key.n);
	g->ref = gpudx_ref(c, &id);
	if (t->reasons_by_bit)
		gpudx_reasons_known(c, g->ref, t->reasons_known);
	return g;
}

/* The number of GPUs, where a column says it. */
static void poll_by_count(struct csv *t, const struct csv_row *row)
{
	double v;

	for (unsigned i = 0; t->poll == 1 && i < row->n; i++)
		if (t->columns[i].field && strcmp(t->columns[i].field->csv, "count") == 0 &&
		    smi_number(row->cells[i], &v) && v >= 1 && v <= SMI_POLL_MAX)
			t->poll = (unsigned)v;
}

/* A GPU that no longer answers shortens its polls: each begins anew behind a gap. */
static struct csv_gpu *gpu_by_place(struct gpudx_ctx *c, struct csv *t, const struct csv_row *row)
{
	unsigned place;

	poll_by_count(t, row);
	if (t->poll_gap > 0 && t->place && row->s.t_us != GPUDX_NO_TIME &&
	    row->s.t_us > t->last_us + t->poll_gap)
		t->place = 0;
	t->last_us = row->s.t_us;
	place = t->place++ % t->poll;
	return place < t->ngpus ? t->gpus[place] : gpu_new(c, t, row, SV_LIT(""));
}

static bool gpu_is(const struct csv_gpu *g, struct gpudx_sv key)
{
	return g->key_n == key.n && memcmp(g->key, key.p, key.n) == 0;
}

/* Rows of a poll come in the same order every time, so the expected GPU is nearly always right. */
static struct csv_gpu *gpu_of(struct gpudx_ctx *c, struct csv *t, const struct csv_row *row)
{
	struct gpudx_sv key;

	if (t->key_col < 0)
		return gpu_by_place(c, t, row);
	key = sv_first(row->cells[t->key_col], KEY_MAX);
	if (t->expected < t->ngpus && gpu_is(t->gpus[t->expected], key))
		return t->gpus[t->expected++];
	for (unsigned i = 0; i < t->ngpus; i++) {
		if (gpu_is(t->gpus[i], key)) {
			t->expected = i + 1;
			return t->gpus[i];
		}
	}
	t->expected = t->ngpus + 1;
	return gpu_new(c, t, row, key);
}

/* ---- cells ---- */

static unsigned two_digits(const char *p)
{
	return (unsigned)(p[0] - '0') * 10 + (unsigned)(p[1] - '0');
}

/* "2026/07/03 22:11:15.977" with the date of the row before: only the time of day is new. */
static bool fast_time(struct csv *t, struct gpudx_sv cell, int64_t *out)
{
	const char *p = cell.p + 11;
	unsigned h, m, s, ms = 0;

	if (cell.n < 19 || memcmp(cell.p, t->date, 10) != 0 || cell.p[10] != ' ' || p[2] != ':' ||
	    p[5] != ':')
		return false;
	h = two_digits(p);
	m = two_digits(p + 3);
	s = two_digits(p + 6);
	if (cell.n == 23 && p[8] == '.')
		ms = two_digits(p + 9) * 10 + (unsigned)(p[11] - '0');
	else if (cell.n != 19)
		return false;
	if (h > 23 || m > 59 || s > 59 || ms > 999)
		return false;
	*out = t->day_us + ((int64_t)(h * 3600 + m * 60 + s) * 1000 + ms) * 1000;
	return true;
}

static bool read_time(struct csv *t, struct csv_row *row, struct gpudx_sv cell)
{
	struct gpudx_sv c = cell;

	if (fast_time(t, cell, &row->time.t_us)) {
		row->time.kind = GPUDX_STAMP_LOCAL;
		return true;
	}
	if (!smi_row_time(&row->time, cell))
		return false;
	if (cell.n >= 19 && cell.p[10] == ' ' && gpudx_scan_ymd_hms(&c, &row->time.t_us) && !c.n) {
		memcpy(t->date, cell.p, 10);
		t->day_us = row->time.t_us - (row->time.t_us % GPUDX_DAY + GPUDX_DAY) % GPUDX_DAY;
	}
	return true;
}

/* ---- cells as they nearly always are, read while their end is looked for ---- */

/* "400", "128.23 W", "64695 MiB": digits, perhaps two decimals, perhaps a unit. Returns the end, NULL
 * when the cell is of another kind. */
static const char *scan_number(const char *p, const char *end, char sep, double *out)
{
	const char *first = p, *limit;
	uint32_t v = 0;

	while (p < end && sv_is_digit(*p) && p - first < 9)
		v = v * 10 + (uint32_t)(*p++ - '0');
	if (p == first)
		return NULL;
	*out = v;
	if (end - p > 2 && *p == '.' && sv_is_digit(p[1]) && sv_is_digit(p[2])) {
		*out += two_digits(p + 1) / 100.0;
		p += 3;
	}
	if (p < end && *p == ' ') {
		limit = end - p > 4 ? p + 4 : end;
		while (p < limit && *p != sep && !sv_is_digit(*p))
			p++;
	}
	return p == end || *p == sep ? p : NULL;
}

/* "P0" */
static const char *scan_pstate(const char *p, const char *end, char sep, double *out)
{
	if (end - p < 2 || *p != 'P' || !sv_is_digit(p[1]) || (end - p > 2 && p[2] != sep))
		return NULL;
	*out = p[1] - '0';
	return p + 2;
}

/* "0x0000000000000004" */
static const char *scan_mask(const char *p, const char *end, char sep, double *out)
{
	uint64_t v = 0;
	int digit;

	if (end - p < 18 || p[0] != '0' || p[1] != 'x' || (end - p > 18 && p[18] != sep))
		return NULL;
	for (int i = 2; i < 18; i++) {
		if ((digit = sv_hex_value(p[i])) < 0)
			return NULL;
		v = v << 4 | (unsigned)digit;
	}
	*out = (double)(v & 0xffffffffu);
	return p + 18;
}

/* True when the cell at *p, which is one of the sample, was read: *p is its end then. */
static bool scan_cell(const struct csv *t, const struct smi_column *col, struct csv_row *row,
		      const char **p, const char *end)
{
	enum gpudx_col c = (enum gpudx_col)col->arg;
	const char *stop = NULL;
	double v;

	if (col->kind == SMI_COL)
		stop = scan_number(*p, end, t->separator, &v);
	else if (col->kind == SMI_PSTATE)
		stop = scan_pstate(*p, end, t->separator, &v), c = GPUDX_COL_PSTATE;
	else if (col->kind == SMI_MASK)
		stop = scan_mask(*p, end, t->separator, &v), c = GPUDX_COL_REASONS;
	if (!stop)
		return false;
	gpudx_sample_set(&row->s, c, v);
	*p = stop;
	return true;
}

/* ---- all other cells ---- */

static void cell_fault(struct csv_row *row, const struct smi_column *col, struct gpudx_sv cell,
		       const char *event)
{
	smi_note(&row->faults, event, col->field ? col->field->csv : "cell", cell);
}

/* False when the cell is neither a value nor a word for a missing one. */
static bool read_sample_cell(struct csv *t, struct csv_row *row, const struct smi_column *col,
			     struct gpudx_sv cell)
{
	const char *event;
	double v;

	switch (smi_value_of(cell, &event)) {
	case SMI_MISSING:
		return true;
	case SMI_FAULT:
		cell_fault(row, col, cell, event);
		return true;
	case SMI_VALUE:
		break;
	}
	switch (col->kind) {
	case SMI_TIME:
		return read_time(t, row, cell);
	case SMI_COL:
		if (!smi_number(cell, &v))
			return smi_no_number(cell);
		gpudx_sample_set(&row->s, (enum gpudx_col)col->arg, v);
		return true;
	case SMI_PSTATE:
		if (!smi_pstate(cell, &v))
			return smi_no_number(cell);
		gpudx_sample_set(&row->s, GPUDX_COL_PSTATE, v);
		return true;
	case SMI_MASK:
		if (!smi_mask(cell, &v))
			return smi_no_number(cell);
		gpudx_sample_set(&row->s, GPUDX_COL_REASONS, v);
		return true;
	case SMI_REASON:
		row->reasons_seen = true;
		if (sv_is(cell, "Active"))
			row->reasons |= col->arg;
		return true;
	default:
		return true;
	}
}

/* True when the cell's text differs from that of the row before. */
static bool cell_changed(struct last_cell *l, struct gpudx_sv cell)
{
	size_t kept = cell.n < CELL_KEPT ? cell.n : CELL_KEPT;

	if (l->n == cell.n + 1 && memcmp(l->text, cell.p, kept) == 0)
		return false;
	l->n = (uint32_t)cell.n + 1;
	memcpy(l->text, cell.p, kept);
	return true;
}

static void put_metric(struct gpudx_ctx *c, const struct csv_gpu *g, const struct csv_row *row,
		       const struct smi_field *f, struct gpudx_sv cell)
{
	struct gpudx_metric m = {
		.ref = g->ref, .key = sv_str(f->key), .t_us = row->s.t_us, .seq = g->rows
	};

	if (smi_number(cell, &m.value))
		gpudx_put_metric(c, &m);
}

/* Facts and series of the row: only where the cell changed. */
static void put_slow_cells(struct gpudx_ctx *c, const struct csv *t, struct csv_gpu *g,
			   struct csv_row *row)
{
	const char *event;

	for (unsigned i = 0; i < t->nslow; i++) {
		const struct smi_column *col = &t->columns[t->slow[i]];
		struct gpudx_sv cell = row->cells[t->slow[i]];

		if (!cell_changed(&g->last[i], cell))
			continue;
		switch (smi_value_of(cell, &event)) {
		case SMI_FAULT:
			cell_fault(row, col, cell, event);
			break;
		case SMI_VALUE:
			if (col->kind == SMI_METRIC)
				put_metric(c, g, row, col->field, cell);
			else if (!sv_ieq(cell, SV_LIT("nan")))
				smi_fact(c, g->ref, col->field, "nvml", cell);
			break;
		case SMI_MISSING:
			break;
		}
	}
}

/* The limit in force is a fact, too: sources without a limit column are judged by it. */
static void put_limit(struct gpudx_ctx *c, struct csv_gpu *g, const struct gpudx_sample *s)
{
	double limit = s->v[GPUDX_COL_POWER_LIMIT];

	if (!(s->have >> GPUDX_COL_POWER_LIMIT & 1) || !(limit < g->limit || limit > g->limit))
		return;
	g->limit = limit;
	gpudx_fact_num(c, g->ref, "power.limit_w", "nvml", limit);
}

/* ---- rows ---- */

/* The cell from p to stop without what surrounds its text. */
static struct gpudx_sv bare_cell(const char *p, const char *stop)
{
	while (stop > p && stop[-1] == ' ')
		stop--;
	if (stop - p >= 2 && *p == '"' && stop[-1] == '"')
		p++, stop--;
	return sv_n(p, (size_t)(stop - p));
}

/* Cells that were read on the way are .p NULL. */
static bool split_row(const struct csv *t, struct gpudx_sv line, struct csv_row *row)
{
	const char *p = line.p, *end = line.p + line.n, *comma;

	row->n = 0;
	while (p <= end && row->n < t->n) {
		while (p < end && *p == ' ')
			p++;
		if (t->n > 1 && scan_cell(t, &t->columns[row->n], row, &p, end)) {
			row->cells[row->n++] = sv_n(NULL, 0);
		} else {
			comma = p < end ? memchr(p, t->separator, (size_t)(end - p)) : NULL;
			row->cells[row->n++] = bare_cell(p, comma ? comma : end);
			p = comma ? comma : end;
		}
		if (p == end)
			return row->n == t->n;
		p++;
	}
	return false; /* more cells than headings */
}

/* Spreadsheets that part cells by ';' write 63,12 for 63.12. */
static struct gpudx_sv with_points(struct gpudx_sv line, char buf[DECIMAL_COMMAS])
{
	if (line.n > DECIMAL_COMMAS)
		return line;
	memcpy(buf, line.p, line.n);
	for (size_t i = 1; i + 1 < line.n; i++)
		if (buf[i] == ',' && sv_is_digit(buf[i - 1]) && sv_is_digit(buf[i + 1]))
			buf[i] = '.';
	return sv_n(buf, line.n);
}

/* A row of one cell has no comma that would tell it from any other line: the value must look like
 * one of its column, or the command must have asked for it. */
static bool fits_alone(const struct gpudx_ctx *c, const struct smi_column *col,
		       struct gpudx_sv cell)
{
	const char *event;
	double v;

	if (smi_value_of(cell, &event) != SMI_VALUE)
		return true;
	switch (col->kind) {
	case SMI_TIME:
		return smi_row_time(&(struct smi_row_time){ .t_us = 0 }, cell);
	case SMI_UUID:
		return sv_starts(cell, "GPU-") || sv_starts(cell, "MIG-");
	case SMI_BDF:
		return gpudx_bdf_parse(cell, &(struct gpudx_bdf){ 0 });
	case SMI_PSTATE:
		return cell.n >= 2 && cell.n <= 3 && cell.p[0] == 'P' && sv_is_digit(cell.p[1]);
	case SMI_MASK:
		return sv_starts(cell, "0x");
	case SMI_REASON:
		return sv_is(cell, "Active") || sv_is(cell, "Not Active");
	case SMI_INDEX:
	case SMI_SERIAL:
	case SMI_COL:
	case SMI_NUM:
	case SMI_METRIC:
		return smi_number(cell, &v);
	default: /* text; versions begin with a digit */
		return sv_has(gpudx_command(c), "--query-gpu") ||
		       (cell.n && sv_is_digit(cell.p[0])) ||
		       (col->field && strcmp(col->field->csv, "name") == 0 &&
			(sv_starts(cell, "NVIDIA ") || sv_starts(cell, "Tesla ") ||
			 sv_starts(cell, "Quadro ") || sv_starts(cell, "GeForce ")));
	}
}

/* Something else than a row: prose, a prompt, another tool's output. A cut row begins like one. */
static enum gpudx_take not_a_row(struct gpudx_ctx *c, const struct csv *t, struct gpudx_sv line)
{
	struct gpudx_sv cell = line;
	int64_t when;

	if (sv_starts(line, "Field \"") && sv_has(line, "is not a valid field to query"))
		return gpudx_reject(c, "nvidia-smi did not know a field that was asked for");
	if (t->columns[0].kind == SMI_TIME && gpudx_scan_ymd_hms(&cell, &when))
		return gpudx_reject(c, gpudx_this_line(c)->flags & GPUDX_LINE_NO_LF
					       ? "the last row is cut off"
					       : "cells and headings differ in number");
	return GPUDX_NOT_MINE;
}

/* Without a stamp in front it may be a row of somebody else, unless that begins like one. */
static enum gpudx_take bad_cell(struct gpudx_ctx *c, const struct csv *t, unsigned column,
				struct gpudx_sv cell)
{
	uint32_t year;

	if (column || t->columns[0].kind != SMI_TIME)
		return gpudx_reject(c, "a cell is no value of its column");
	if (sv_digits(&cell, 4, &year) && sv_char(&cell, '/'))
		return gpudx_reject(c, "no such date or time");
	return GPUDX_NOT_MINE;
}

/* False when a cell of the sample is none of its column; *bad is which. */
static bool read_cells(struct csv *t, struct csv_row *row, unsigned *bad)
{
	for (unsigned i = 0; i < row->n; i++) {
		const struct smi_column *col = &t->columns[i];

		if (row->cells[i].p && col->kind < SMI_TEXT &&
		    (col->kind >= SMI_COL || col->kind == SMI_TIME) &&
		    !read_sample_cell(t, row, col, row->cells[i])) {
			*bad = i;
			return false;
		}
	}
	row->s.t_us = row->time.t_us;
	if (t->reasons_by_bit && row->reasons_seen)
		gpudx_sample_set(&row->s, GPUDX_COL_REASONS, row->reasons);
	return true;
}

static void put_row(struct gpudx_ctx *c, struct csv *t, struct csv_gpu *g, struct csv_row *row)
{
	unsigned grade;

	gpudx_now(c, row->time.kind, row->s.t_us);
	row->s.ref = g->ref;
	row->s.seq = g->rows;
	put_slow_cells(c, t, g, row);
	if (row->s.have)
		gpudx_put_sample(c, &row->s);
	put_limit(c, g, &row->s);
	grade = smi_faults_grade(&row->faults);
	if (grade > g->fault)
		smi_faults_put(c, g->ref, &row->faults);
	g->fault = !grade || grade > g->fault ? grade : g->fault;
	g->rows++;
}

/* Said once, when there are rows: whose columns have no names, or are not the usual ones. */
static void say_columns(struct gpudx_ctx *c, struct csv *t, struct gpudx_sv line)
{
	if (t->average_is_power)
		gpudx_fact(c, 0, "column.power_w", "", SV_LIT("power.draw.average"));
	if (t->requested_is_limit)
		gpudx_fact(c, 0, "column.power_limit_w", "", SV_LIT("power.limit"));
	t->average_is_power = t->requested_is_limit = false;
	for (unsigned i = 0; t->unnamed && i < t->n; i++)
		if (t->columns[i].kind == SMI_SKIP) {
			gpudx_fact(c, 0, "smi.columns_unknown", "", sv_first(line, 200));
			break;
		}
	t->unnamed = false;
}

static enum gpudx_take csv_row(struct gpudx_ctx *c, struct csv *t, struct gpudx_sv line)
{
	char points[DECIMAL_COMMAS];
	struct csv_row row;
	struct csv_gpu *g;
	unsigned bad;

	row.s = (struct gpudx_sample){ .t_us = GPUDX_NO_TIME };
	row.time = SMI_ROW_TIME;
	row.reasons = 0;
	row.reasons_seen = false;
	row.faults.n = 0;
	if (!split_row(t, t->separator == ';' ? with_points(line, points) : line, &row))
		return not_a_row(c, t, line);
	if (t->n == 1 && !fits_alone(c, &t->columns[0], row.cells[0]))
		return GPUDX_NOT_MINE;
	if (!read_cells(t, &row, &bad))
		return bad_cell(c, t, bad, row.cells[bad]);
	g = gpu_of(c, t, &row);
	if (!g)
		return gpudx_reject(c, "more GPUs than can be told apart");
	put_row(c, t, g, &row);
	say_columns(c, t, line);
	return GPUDX_TAKEN;
}

static enum gpudx_take csv_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct csv *t = gpudx_state(c);
	unsigned known;

	if (sv_is_alpha(line.p[0]) || memchr("\",;\t", line.p[0], 4)) {
		if (smi_csv_is_heading(line, &known)) {
			read_heading(t, line);
			gpudx_cite(c);
			return GPUDX_TAKEN;
		}
	}
	return t->n ? csv_row(c, t, line) : GPUDX_NOT_MINE;
}

static bool csv_starts(struct gpudx_sv line)
{
	unsigned known;

	return line.n && smi_csv_is_heading(line, &known) && known >= 2;
}

/* A single name below which the next one stands is part of a list of names. */
static bool is_list_of_names(const struct gpudx_head *head, size_t i)
{
	struct gpudx_sv line = head->lines[i].text;
	unsigned known;

	return sv_index(line, smi_separator(line)) == line.n && i + 1 < head->n &&
	       smi_csv_is_heading(head->lines[i + 1].text, &known);
}

static int csv_bid(const struct gpudx_head *head)
{
	struct smi_column columns[COLUMNS_MAX];
	unsigned known;

	for (size_t i = 0; i < head->n && i < 40; i++)
		if (smi_csv_is_heading(head->lines[i].text, &known))
			return is_list_of_names(head, i) ? 0 : known >= 3 ? 80 : 60;
	if (smi_csv_asked(head->command).p)
		return 80;
	return smi_csv_shapes(head, columns) ? 50 : 0;
}

const struct gpudx_parser gpudx_parser_smi_csv = {
	.name = "smi-query-csv",
	.what = "nvidia-smi --query-gpu as CSV: one row a GPU and poll",
	.bid = csv_bid,
	.starts = csv_starts,
	.begin = csv_begin,
	.line = csv_line,
	.state_size = sizeof(struct csv),
	.flags = GPUDX_P_RESUMES,
};
