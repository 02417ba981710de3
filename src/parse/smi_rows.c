/* The sister switches of --query-gpu, as CSV: one row a process, a retired page, a pair of clocks.
 *
 *   gpu_uuid, pid, process_name, used_gpu_memory [MiB]
 *   GPU-11111111-2222-3333-4444-555555555555, 21180, /opt/app/run, fast mode/server, 2296 MiB
 *
 *   gpu_bus_id, retired_pages.address, retired_pages.cause
 *   00000000:3B:00.0, 0x00000000005c05a1, Double Bit ECC
 *   00000000:5E:00.0, [N/A], Single Bit ECC
 *
 * There is no quoting: a name with commas is what the cells on its left and right leave. A page
 * without an address holds the place of none. --query-remapped-rows has a row a GPU and is read
 * with
 * --query-gpu. Accounted processes are over: they are no clients, and only recognised. Source:
 * formats 1.6. */
#include "base/map.h"
#include "parse/smi_cells.h"
#include "parse/smi_value.h"

#include <math.h>
#include <stdio.h>

enum { COLUMNS_MAX = 32, GPUS_MAX = 1024 };

enum what {
	UNKNOWN,
	TIME,
	NAME,
	ADDRESS,
	SERIAL,
	UUID,
	INDEX,
	PID,
	PROCESS,
	MEMORY,
	PAGE,
	CAUSE,
	OTHER
};

/* telling: stands in no query but these; process_name is "name" where a pid is asked for, too. */
static const struct column {
	struct gpudx_sv name;
	enum what what;
	bool telling;
} columns[] = {
	{ SV("timestamp"), TIME, false },
	{ SV("gpu_name"), NAME, false },
	{ SV("gpu_bus_id"), ADDRESS, false },
	{ SV("pci.bus_id"), ADDRESS, false },
	{ SV("gpu_serial"), SERIAL, false },
	{ SV("serial"), SERIAL, false },
	{ SV("gpu_uuid"), UUID, false },
	{ SV("uuid"), UUID, false },
	{ SV("index"), INDEX, false },
	{ SV("pid"), PID, true },
	{ SV("process_name"), PROCESS, true },
	{ SV("name"), PROCESS, false },
	{ SV("used_gpu_memory"), MEMORY, true },
	{ SV("used_memory"), MEMORY, true },
	{ SV("vgpu_instance"), OTHER, true },
	{ SV("gpu_utilization"), OTHER, true },
	{ SV("gpu_util"), OTHER, false },
	{ SV("mem_utilization"), OTHER, true },
	{ SV("mem_util"), OTHER, false },
	{ SV("max_memory_usage"), OTHER, true },
	{ SV("time"), OTHER, false },
	{ SV("retired_pages.address"), PAGE, true },
	{ SV("retired_pages.timestamp"), OTHER, true },
	{ SV("retired_pages.cause"), CAUSE, true },
	{ SV("memory"), OTHER, false },
	{ SV("mem"), OTHER, false },
	{ SV("graphics"), OTHER, false },
	{ SV("gr"), OTHER, false },
};

enum cause { SINGLE, DOUBLE, CAUSES };

struct gpu {
	uint32_t ref, line[CAUSES]; /* line 0: nothing was said of this cause */
	unsigned pages[CAUSES];
	int64_t round;
	struct gpudx_gpu_id id;
};

struct rows {
	enum what column[COLUMNS_MAX];
	unsigned n;
	char separator;
	unsigned name; /* the column that may hold separators; n when there is none */
	struct gpu *gpus[GPUS_MAX];
	unsigned ngpus;
	int64_t time_us, round;
	struct gpudx_map pages; /* said already: a query in a loop repeats them */
};

struct row {
	struct gpudx_sv cell[COLUMNS_MAX];
};

/* ---- heading ---- */

static const struct column *column_named(struct gpudx_sv name)
{
	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
		if (sv_ieq(columns[i].name, name))
			return &columns[i];
	return NULL;
}

/* All names are known and one of them is telling, or it is the pair of supported clocks. */
static bool is_heading(struct gpudx_sv line)
{
	char separator = smi_separator(line);
	unsigned n = 0, telling = 0, clocks = 0;
	struct gpudx_sv cell;

	if (!line.n || !(sv_is_alpha(line.p[0]) || line.p[0] == '"'))
		return false;
	while (sv_cell(&line, separator, &cell)) {
		const struct column *col = column_named(smi_heading_name(cell));

		if (!col || ++n > COLUMNS_MAX)
			return false;
		telling += col->telling;
		clocks += sv_is(sv_trim(cell), "memory [MHz]") ||
			  sv_is(sv_trim(cell), "graphics [MHz]");
	}
	return clocks == 2 || (telling && n > 1);
}

static void read_heading(struct rows *t, struct gpudx_sv line)
{
	struct gpudx_sv cell;

	t->separator = smi_separator(line);
	t->n = 0;
	while (sv_cell(&line, t->separator, &cell))
		t->column[t->n++] = column_named(smi_heading_name(cell))->what;
	for (t->name = 0; t->name < t->n && t->column[t->name] != PROCESS;)
		t->name++;
}

/* ---- rows ---- */

/* Cells from the left up to the name, then from the right: what is left is the name. */
static bool split(const struct rows *t, struct gpudx_sv line, struct row *row)
{
	for (unsigned i = 0; i < t->name && i < t->n; i++) {
		size_t at = sv_index(line, t->separator);

		if (at == line.n && i + 1 < t->n)
			return false;
		row->cell[i] = smi_bare(sv_first(line, at));
		line = sv_from(line, at + 1);
	}
	if (t->name == t->n)
		return line.n == 0;
	for (unsigned i = t->n - 1; i > t->name; i--) {
		size_t at = line.n;

		while (at > 0 && line.p[at - 1] != t->separator)
			at--;
		if (!at)
			return false;
		row->cell[i] = smi_bare(sv_from(line, at));
		line = sv_first(line, at - 1);
	}
	row->cell[t->name] = smi_bare(line);
	return true;
}

static struct gpudx_sv value(const struct rows *t, const struct row *row, enum what what)
{
	const char *event;

	for (unsigned i = 0; i < t->n; i++)
		if (t->column[i] == what)
			return smi_value_of(row->cell[i], &event) == SMI_VALUE
				       ? row->cell[i]
				       : (struct gpudx_sv){ 0 };
	return (struct gpudx_sv){ 0 };
}

static bool has(const struct rows *t, enum what what)
{
	for (unsigned i = 0; i < t->n; i++)
		if (t->column[i] == what)
			return true;
	return false;
}

static struct gpudx_gpu_id row_id(const struct rows *t, const struct row *row)
{
	struct gpudx_gpu_id id = GPUDX_GPU_NONE;
	struct gpudx_sv serial = value(t, row, SERIAL), index = value(t, row, INDEX);
	uint64_t idx;

	id.uuid = value(t, row, UUID);
	gpudx_bdf_parse(value(t, row, ADDRESS), &id.bdf);
	for (size_t i = 0; i < serial.n && !id.serial.n; i++)
		if (serial.p[i] != '0')
			id.serial = serial;
	if (sv_u64(&index, &idx) && !index.n && idx < 65536)
		id.idx = (int32_t)idx;
	return id;
}

static bool same_id(const struct gpudx_gpu_id *a, const struct gpudx_gpu_id *b)
{
	return a->idx == b->idx && gpudx_bdf_eq(a->bdf, b->bdf) && sv_eq(a->uuid, b->uuid);
}

static struct gpu *gpu_of(struct gpudx_ctx *c, struct rows *t, const struct gpudx_gpu_id *id)
{
	struct gpu *g;

	for (unsigned i = 0; i < t->ngpus; i++)
		if (same_id(&t->gpus[i]->id, id))
			return t->gpus[i];
	g = t->ngpus < GPUS_MAX ? gpudx_arena_alloc(gpudx_memory(c), sizeof(*g)) : NULL;
	if (!g)
		return NULL;
	g->id = *id;
	g->id.uuid = id->uuid.n ? gpudx_arena_sv(gpudx_memory(c), id->uuid) : id->uuid;
	g->ref = gpudx_ref(c, id);
	return t->gpus[t->ngpus++] = g;
}

/* Rows of one query have nearly the same time. */
static bool take_time(struct gpudx_ctx *c, struct rows *t, struct gpudx_sv text)
{
	int64_t t_us;

	if (!text.p)
		return true;
	if (!gpudx_scan_ymd_hms(&text, &t_us) || text.n)
		return false;
	if (t->time_us != GPUDX_NO_TIME && t_us > t->time_us + GPUDX_SECOND / 2)
		t->round++;
	t->time_us = t_us;
	gpudx_now(c, GPUDX_STAMP_LOCAL, t_us);
	return true;
}

static void put_process(struct gpudx_ctx *c, const struct rows *t, const struct row *row,
			struct gpu *g)
{
	struct gpudx_process p = { .ref = g->ref,
				   .t_us = GPUDX_NO_TIME,
				   .seq = t->round,
				   .sm_pct = (double)NAN,
				   .mem_pct = (double)NAN,
				   .fb_mib = (double)NAN,
				   .gi = -1,
				   .ci = -1 };
	struct gpudx_sv pid = value(t, row, PID);
	uint64_t v;

	if (!sv_u64(&pid, &v) || pid.n || v >> 40)
		return;
	p.pid = (int64_t)v;
	p.name = value(t, row, PROCESS);
	/* Windows (WDDM) cannot tell who computes: it lists all, without their memory. */
	if (smi_number(value(t, row, MEMORY), &p.fb_mib) || !has(t, MEMORY))
		p.type = SV_LIT("C");
	gpudx_put_process(c, &p);
}

static bool is_new_page(struct rows *t, const struct gpu *g, struct gpudx_sv page, enum cause cause)
{
	char key[64];
	bool is_new = false;
	int n = snprintf(key, sizeof(key), "%u %d %.*s", g->ref, (int)cause,
			 (int)sv_first(page, 32).n, page.p);

	return n > 0 &&
	       gpudx_map_at(&t->pages, sv_n(key, sv_first(sv_str(key), sizeof(key)).n), &is_new) &&
	       is_new;
}

static void take_page(struct gpudx_ctx *c, struct rows *t, const struct row *row, struct gpu *g)
{
	struct gpudx_sv page = value(t, row, PAGE), why = value(t, row, CAUSE);
	enum cause cause = sv_starts(why, "Double") ? DOUBLE : SINGLE;

	if (!sv_starts(why, "Double") && !sv_starts(why, "Single"))
		return;
	if (page.p && sv_starts(page, "0x") && is_new_page(t, g, page, cause))
		g->pages[cause]++;
	g->line[cause] = gpudx_this_line(c)->no;
	gpudx_cite(c);
}

static enum gpudx_take take_row(struct gpudx_ctx *c, struct rows *t, const struct row *row)
{
	struct gpudx_gpu_id id = row_id(t, row);
	struct gpu *g = gpu_of(c, t, &id);
	struct gpudx_sv name = value(t, row, NAME);

	if (!g)
		return gpudx_reject(c, "more GPUs than can be told apart");
	if (name.p)
		gpudx_fact(c, g->ref, "gpu.name", "nvml", name);
	if (has(t, MEMORY) || (has(t, PID) && has(t, PROCESS)))
		put_process(c, t, row, g);
	if (has(t, PAGE) && has(t, CAUSE))
		take_page(c, t, row, g);
	return GPUDX_TAKEN;
}

/* A row whose cells do not fit their columns is no row: prose has commas, too. */
static bool fits(const struct rows *t, const struct row *row)
{
	const char *event;
	double v;

	for (unsigned i = 0; i < t->n; i++) {
		struct gpudx_sv cell = row->cell[i];
		struct gpudx_bdf bdf;

		if (smi_value_of(cell, &event) != SMI_VALUE)
			continue;
		if (((t->column[i] == PID || t->column[i] == MEMORY || t->column[i] == INDEX) &&
		     !smi_number(cell, &v)) ||
		    (t->column[i] == UUID && !sv_starts(cell, "GPU-") &&
		     !sv_starts(cell, "MIG-")) ||
		    (t->column[i] == ADDRESS && !gpudx_bdf_parse(cell, &bdf)) ||
		    (t->column[i] == PAGE && !sv_starts(cell, "0x")))
			return false;
	}
	return true;
}

static enum gpudx_take rows_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct rows *t = gpudx_state(c);
	struct row row;

	if (is_heading(line)) {
		read_heading(t, line);
		t->round++;
		gpudx_cite(c);
		return GPUDX_TAKEN;
	}
	if (!t->n)
		return GPUDX_NOT_MINE;
	if (!split(t, line, &row) || !fits(t, &row) || !take_time(c, t, value(t, &row, TIME))) {
		struct gpudx_sv s = line;
		int64_t when;

		return t->column[0] == TIME && gpudx_scan_ymd_hms(&s, &when)
			       ? gpudx_reject(c, "cells do not fit the heading")
			       : GPUDX_NOT_MINE;
	}
	return take_row(c, t, &row);
}

static void rows_begin(struct gpudx_ctx *c)
{
	struct rows *t = gpudx_state(c);

	t->time_us = GPUDX_NO_TIME;
	t->round = -1;
	t->pages.arena = gpudx_memory(c);
}

/* How many pages there are is known when all were seen. */
static void rows_finish(struct gpudx_ctx *c)
{
	static const char *const keys[CAUSES] = { "retired.single_bit", "retired.double_bit" };
	struct rows *t = gpudx_state(c);

	for (unsigned i = 0; i < t->ngpus; i++) {
		for (int cause = SINGLE; cause < CAUSES; cause++) {
			struct gpu *g = t->gpus[i];
			char number[16];
			int n = snprintf(number, sizeof(number), "%u", g->pages[cause]);
			struct gpudx_fact f = { .ref = g->ref,
						.key = sv_str(keys[cause]),
						.layer = SV("nvml"),
						.value = sv_n(number, (size_t)n),
						.has_num = true,
						.num = g->pages[cause],
						.stamp = gpudx_time(c),
						.line = g->line[cause] };

			if (f.line)
				gpudx_put_fact(c, &f);
		}
	}
}

static int rows_bid(const struct gpudx_head *head)
{
	for (size_t i = 0; i < head->n && i < 40; i++)
		if (is_heading(head->lines[i].text))
			return 80;
	return 0;
}

const struct gpudx_parser gpudx_parser_smi_rows = {
	.name = "smi-query-rows",
	.what = "nvidia-smi --query-compute-apps, -retired-pages, ... as CSV: one row a process or "
		"page",
	.bid = rows_bid,
	.starts = is_heading,
	.begin = rows_begin,
	.line = rows_line,
	.finish = rows_finish,
	.state_size = sizeof(struct rows),
	.flags = GPUDX_P_RESUMES,
};
