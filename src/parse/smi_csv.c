/* nvidia-smi --query-gpu=... --format=csv, also repeated (-l, -lms), re-saved, without units:
 *
 *   timestamp, index, name, pstate, clocks.current.sm [MHz], power.draw [W], temperature.gpu
 *   2026/07/03 22:11:15.977, 0, NVIDIA H100 80GB HBM3, P0, 1980 MHz, 631.40 W, 63
 *   2026/07/03 22:11:15.981, 1, NVIDIA H100 80GB HBM3, P0, 1965 MHz, [Unknown Error], [GPU is lost]
 *
 * The heading names the columns; it may come again with others. There is no quoting. Without a
 * column that names the GPU, the place of a row in its poll does. */
#include "parse/smi_fields.h"

#include <math.h>

enum { COLUMNS_MAX = 320, KEY_MAX = 64, CELL_KEPT = 48, GPUS_MAX = 4096 };

struct column {
	const struct smi_field *field; /* NULL: a heading that nobody knows */
	enum smi_kind kind;
	unsigned arg;
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
	double limit; /* last stated as a fact */
	bool faulty;
	struct last_cell *last; /* one a column */
};

struct csv {
	struct column columns[COLUMNS_MAX];
	unsigned n;
	int key_col; /* the column that tells GPUs apart, -1 none */
	bool has_reasons, reasons_by_bit, average_is_power, requested_is_limit;
	uint32_t reasons_known;
	unsigned poll;	/* rows a poll when there is no key column */
	unsigned place; /* of the next row in it */
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
	uint32_t reasons;
	bool reasons_seen;
	const char *fault;
	struct gpudx_sv fault_cell;
};

/* ---- heading ---- */

/* `"clocks.current.sm [MHz]"`, `utilization.gpu(%)` -> the bare name. */
static struct gpudx_sv heading_name(struct gpudx_sv cell)
{
	cell = sv_trim(cell);
	if (cell.n >= 2 && cell.p[0] == '"' && cell.p[cell.n - 1] == '"')
		cell = sv_n(cell.p + 1, cell.n - 2);
	cell = sv_first(cell, sv_index(cell, '['));
	cell = sv_first(cell, sv_index(cell, '('));
	return sv_trim(cell);
}

/* Headings of the sister switches: one row a process or page, read elsewhere. */
static bool is_other_query(struct gpudx_sv name)
{
	return sv_is(name, "pid") || sv_is(name, "process_name") ||
	       sv_starts(name, "retired_pages.address") || sv_is(name, "used_gpu_memory");
}

/* True when most cells are names of fields. Sets *known to how many. A single name in quotes is none:
 * --help-query-gpu lists the fields so, each with prose below that would be its rows. */
static bool is_heading(struct gpudx_sv line, unsigned *known)
{
	bool quoted = line.n && line.p[0] == '"';
	struct gpudx_sv cell, name;
	unsigned n = 0;

	*known = 0;
	if (!line.n || !(sv_is_alpha(line.p[0]) || line.p[0] == '"' || line.p[0] == ' '))
		return false;
	while (sv_cell(&line, ',', &cell)) {
		name = heading_name(cell);
		if (is_other_query(name))
			return false;
		n++;
		if (smi_field_csv(name))
			(*known)++;
		if (n == 4 && !*known)
			return false;
	}
	/* Full queries carry dozens of new fields in every branch; eight known ones are no accident. */
	return *known && (*known >= 2 || (n == 1 && !quoted)) &&
	       (*known * 5 >= n * 4 || *known >= 8);
}

static void add_column(struct csv *t, struct gpudx_sv name)
{
	struct column *col = &t->columns[t->n++];

	*col = (struct column){ .field = smi_field_csv(name), .kind = SMI_SKIP };
	if (!col->field)
		return;
	col->kind = col->field->kind;
	col->arg = col->field->arg;
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

	for (unsigned i = 0; i < t->n; i++) {
		struct column *col = &t->columns[i];

		if (!col->field)
			continue;
		if (!draw && strcmp(col->field->csv, "power.draw.average") == 0) {
			col->kind = SMI_COL;
			col->arg = GPUDX_COL_POWER;
		} else if (!enforced && strcmp(col->field->csv, "power.limit") == 0) {
			col->kind = SMI_COL;
			col->arg = GPUDX_COL_POWER_LIMIT;
		}
	}
}

static void read_heading(struct csv *t, struct gpudx_sv line)
{
	static const enum smi_kind keys[] = { SMI_UUID, SMI_BDF, SMI_INDEX, SMI_SERIAL };
	struct gpudx_sv cell;

	t->n = 0;
	t->reasons_known = 0;
	t->has_reasons = false;
	t->key_col = -1;
	t->ngpus = t->expected = t->place = 0;
	while (sv_cell(&line, ',', &cell) && t->n < COLUMNS_MAX)
		add_column(t, heading_name(cell));
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]) && t->key_col < 0; i++)
		t->key_col = find_kind(t, keys[i]);
	t->reasons_by_bit = !t->has_reasons && t->reasons_known;
	choose_stand_ins(t);
}

/* ---- how many rows a poll has ---- */

/* The first time stamp of a line; false when there is none. */
static bool line_time(struct gpudx_sv line, int64_t *t)
{
	struct gpudx_sv cell;

	while (sv_cell(&line, ',', &cell)) {
		cell = sv_ltrim(cell);
		if (gpudx_scan_ymd_hms(&cell, t))
			return true;
	}
	return false;
}

enum { POLL_ROWS = 256, POLL_MAX = 32 };

/* True when rows come in groups of k: short steps inside, long ones between. */
static bool in_groups(const int64_t *t, size_t n, size_t k)
{
	int64_t inside = 0, between = INT64_MAX;

	for (size_t i = 1; i < n; i++) {
		int64_t d = t[i] - t[i - 1];

		if (d < 0)
			return false;
		if (i % k == 0)
			between = d < between ? d : between;
		else
			inside = d > inside ? d : inside;
	}
	return between != INT64_MAX && inside <= 100000 && between > 5 * inside && between >= 20000;
}

static unsigned poll_size(const struct gpudx_head *head)
{
	int64_t t[POLL_ROWS];
	size_t n = 0;

	for (size_t i = 0; head && i < head->n && n < POLL_ROWS; i++)
		n += line_time(head->lines[i].text, &t[n]);
	for (size_t k = 2; k <= POLL_MAX && k < n; k++)
		if (in_groups(t, n, k))
			return (unsigned)k;
	return 1;
}

static void csv_begin(struct gpudx_ctx *c)
{
	struct csv *t = gpudx_state(c);

	t->poll = poll_size(gpudx_head(c));
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
		g->last = gpudx_arena_array(gpudx_memory(c), t->n, sizeof(*g->last));
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

static struct csv_gpu *gpu_by_place(struct gpudx_ctx *c, struct csv *t, const struct csv_row *row)
{
	unsigned place = t->place++ % t->poll;

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

static bool read_time(struct csv *t, struct gpudx_sv cell, int64_t *out)
{
	struct gpudx_sv c = cell;

	if (fast_time(t, cell, out))
		return true;
	if (!gpudx_scan_ymd_hms(&c, out) || c.n || cell.n < 10)
		return false;
	memcpy(t->date, cell.p, 10);
	t->day_us = *out - (*out % GPUDX_DAY + GPUDX_DAY) % GPUDX_DAY;
	return true;
}

/* Digits, perhaps with two decimals, perhaps with a unit: what nearly all cells are. */
static bool fast_number(struct gpudx_sv cell, double *out)
{
	uint32_t v = 0;
	size_t i = 0;

	while (i < cell.n && i < 9 && sv_is_digit(cell.p[i]))
		v = v * 10 + (uint32_t)(cell.p[i++] - '0');
	if (!i)
		return false;
	if (i + 2 < cell.n && cell.p[i] == '.' && sv_is_digit(cell.p[i + 1]) &&
	    sv_is_digit(cell.p[i + 2])) {
		*out = v + two_digits(cell.p + i + 1) / 100.0;
		i += 3;
	} else {
		*out = v;
	}
	return i == cell.n || (cell.p[i] == ' ' && cell.n - i <= 4);
}

static void cell_fault(struct csv_row *row, struct gpudx_sv cell, const char *event)
{
	if (row->fault)
		return;
	row->fault = event;
	row->fault_cell = cell;
}

/* False when the cell is neither a value nor a word for a missing one. */
static bool read_sample_cell(struct csv *t, struct csv_row *row, const struct column *col,
			     struct gpudx_sv cell)
{
	const char *event;
	double v;

	if (col->kind == SMI_COL && fast_number(cell, &v)) {
		gpudx_sample_set(&row->s, (enum gpudx_col)col->arg, v);
		return true;
	}
	switch (smi_value_of(cell, &event)) {
	case SMI_MISSING:
		return true;
	case SMI_FAULT:
		cell_fault(row, cell, event);
		return true;
	case SMI_VALUE:
		break;
	}
	switch (col->kind) {
	case SMI_TIME:
		return read_time(t, cell, &row->s.t_us);
	case SMI_COL:
		if (!smi_number(cell, &v))
			return false;
		gpudx_sample_set(&row->s, (enum gpudx_col)col->arg, v);
		return true;
	case SMI_PSTATE:
		if (!smi_pstate(cell, &v))
			return false;
		gpudx_sample_set(&row->s, GPUDX_COL_PSTATE, v);
		return true;
	case SMI_MASK:
		if (!smi_mask(cell, &v))
			return false;
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

	for (unsigned i = 0; i < row->n; i++) {
		const struct column *col = &t->columns[i];

		if (col->kind < SMI_TEXT || !cell_changed(&g->last[i], row->cells[i]))
			continue;
		switch (smi_value_of(row->cells[i], &event)) {
		case SMI_FAULT:
			cell_fault(row, row->cells[i], event);
			break;
		case SMI_VALUE:
			if (col->kind == SMI_METRIC)
				put_metric(c, g, row, col->field, row->cells[i]);
			else
				smi_fact(c, g->ref, col->field, "nvml", row->cells[i]);
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

static bool split_row(const struct csv *t, struct gpudx_sv line, struct csv_row *row)
{
	const char *p = line.p, *end = line.p + line.n;

	row->n = 0;
	while (p <= end && row->n < t->n) {
		const char *comma = p < end ? memchr(p, ',', (size_t)(end - p)) : NULL;
		const char *stop = comma ? comma : end;

		while (p < stop && *p == ' ')
			p++;
		while (stop > p && stop[-1] == ' ')
			stop--;
		if (stop - p >= 2 && *p == '"' && stop[-1] == '"')
			p++, stop--;
		row->cells[row->n++] = sv_n(p, (size_t)(stop - p));
		if (!comma)
			return row->n == t->n;
		p = comma + 1;
	}
	return false; /* more cells than headings */
}

/* A row of one cell has no comma that would tell it from any other line: the value must look like one
 * of its column, or the command must have asked for it. */
static bool fits_alone(const struct gpudx_ctx *c, const struct column *col, struct gpudx_sv cell)
{
	const char *event;
	int64_t when;
	double v;

	if (smi_value_of(cell, &event) != SMI_VALUE)
		return true;
	switch (col->kind) {
	case SMI_TIME:
		return gpudx_scan_ymd_hms(&cell, &when);
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

static enum gpudx_take csv_row(struct gpudx_ctx *c, struct csv *t, struct gpudx_sv line)
{
	struct csv_row row;
	struct csv_gpu *g;

	row.s = (struct gpudx_sample){ .t_us = GPUDX_NO_TIME };
	row.reasons = 0;
	row.reasons_seen = false;
	row.fault = NULL;
	if (!split_row(t, line, &row))
		return not_a_row(c, t, line);
	if (t->n == 1 && !fits_alone(c, &t->columns[0], row.cells[0]))
		return GPUDX_NOT_MINE;
	for (unsigned i = 0; i < row.n; i++) {
		const struct column *col = &t->columns[i];

		if (col->kind < SMI_TEXT && (col->kind >= SMI_COL || col->kind == SMI_TIME) &&
		    !read_sample_cell(t, &row, col, row.cells[i]))
			return bad_cell(c, t, i, row.cells[i]);
	}
	g = gpu_of(c, t, &row);
	if (!g)
		return gpudx_reject(c, "more GPUs than can be told apart");
	if (t->reasons_by_bit && row.reasons_seen)
		gpudx_sample_set(&row.s, GPUDX_COL_REASONS, row.reasons);
	gpudx_now(c, row.s.t_us == GPUDX_NO_TIME ? GPUDX_STAMP_NONE : GPUDX_STAMP_LOCAL,
		  row.s.t_us);
	row.s.ref = g->ref;
	row.s.seq = g->rows;
	put_slow_cells(c, t, g, &row);
	if (row.s.have)
		gpudx_put_sample(c, &row.s);
	put_limit(c, g, &row.s);
	if (row.fault && !g->faulty)
		smi_fault(c, g->ref, row.fault, row.fault_cell);
	g->faulty = row.fault != NULL;
	g->rows++;
	return GPUDX_TAKEN;
}

static enum gpudx_take csv_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct csv *t = gpudx_state(c);
	unsigned known;

	if (sv_is_alpha(line.p[0]) || line.p[0] == '"') {
		if (is_heading(line, &known)) {
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

	return sv_has(line, ",") && is_heading(line, &known) && known >= 2;
}

/* A single name below which the next one stands is part of a list of names. */
static bool is_list_of_names(const struct gpudx_head *head, size_t i)
{
	unsigned known;

	return !sv_has(head->lines[i].text, ",") && i + 1 < head->n &&
	       is_heading(head->lines[i + 1].text, &known);
}

static int csv_bid(const struct gpudx_head *head)
{
	unsigned known;

	for (size_t i = 0; i < head->n && i < 40; i++)
		if (is_heading(head->lines[i].text, &known))
			return is_list_of_names(head, i) ? 0 : known >= 3 ? 80 : 60;
	return 0;
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
