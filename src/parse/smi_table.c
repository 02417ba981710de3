/* The table that nvidia-smi prints when nothing else is asked for, also in a loop:
 *
 *   Fri Jul  3 22:11:09 2026
 *   +-----------------------------------------------------------------------------------------+
 *   | NVIDIA-SMI 550.90.07              Driver Version: 550.90.07      CUDA Version: 12.4     |
 *   |-----------------------------------------+------------------------+----------------------+
 *   | GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC |
 *   | Fan  Temp   Perf          Pwr:Usage/Cap |           Memory-Usage | GPU-Util  Compute M. |
 *   |                                         |                        |               MIG M. |
 *   |=========================================+========================+======================|
 *   |   0  NVIDIA L4                      On  |   00000000:01:00.0 Off |                    0 |
 *   | N/A   33C    P8             16W /   72W |       1MiB /  23034MiB |      0%      Default |
 *   |                                         |                        |                  N/A |
 *   +-----------------------------------------+------------------------+----------------------+
 *   | Processes:                                                                              |
 *   |  GPU   GI   CI        PID   Type   Process name                              GPU Memory |
 *   |    0   N/A  N/A      1234      C   python                                     11942MiB |
 *
 * Its width changes with the branch, so cells are what stands between bars, and their parts are
 * words. Up to R440 a GPU has two lines and processes have no GI and CI. From R450 on a box above
 * the processes may list MIG devices. Source: formats 2.1. */
#include "parse/smi_value.h"
#include "parse/smi_message.h"

#include <math.h>

enum { CELLS_MAX = 6, GPUS_MAX = 1024, SLICES_MAX = 512 };

enum box { NO_BOX, GPUS, MIG, PROCESSES, OTHER_BOX /* another tool's, or of no use */ };

struct gpu {
	uint32_t ref;
	int32_t idx;
	struct gpudx_bdf bdf;
	int64_t tables; /* it was in so far */
	unsigned fault; /* grade of it in the table before */
	double fan;	/* as last said; NAN never */
};

/* A MIG device that was seen. */
struct slice {
	uint32_t ref;
	double used; /* MiB, as last said */
};

struct table {
	bool titled;	 /* a title line was seen: bars and boxes are ours */
	int64_t date_us; /* of the line above the table to come; GPUDX_NO_TIME none */
	int64_t tables;
	enum box box;
	bool body;		      /* behind the box's line of '=' */
	bool has_instances, has_type; /* columns of the processes: GI and CI, Type */
	struct gpu *gpu;	      /* the one whose lines these are */
	unsigned line;		      /* of that GPU: 1 name, 2 readings, 3 MIG mode */
	unsigned fault;		      /* it has one in this table */
	struct smi_faults faults;     /* of the line at hand */
	struct gpu *gpus[GPUS_MAX];
	struct slice slices[SLICES_MAX];
	unsigned ngpus, nslices;
};

struct cells {
	struct gpudx_sv cell[CELLS_MAX];
	unsigned n;
};

/* ---- words and cells ---- */

/* What stands between the bars; false without a bar at both ends. */
static bool split(struct gpudx_sv line, struct cells *out)
{
	struct gpudx_sv s = sv_trim(line), cell;

	out->n = 0;
	if (s.n < 2 || s.p[0] != '|' || s.p[s.n - 1] != '|')
		return false;
	s = sv_n(s.p + 1, s.n - 2);
	do {
		size_t at = sv_index(s, '|');

		if (out->n == CELLS_MAX)
			return false;
		cell = sv_first(s, at);
		out->cell[out->n++] = sv_trim(cell);
		if (at == s.n)
			return true;
		s = sv_from(s, at + 1);
	} while (true);
}

static bool word(struct gpudx_sv *s, struct gpudx_sv *out)
{
	*s = sv_ltrim(*s);
	return sv_token(s, out);
}

static bool last_word(struct gpudx_sv *s, struct gpudx_sv *out)
{
	size_t i;

	*s = sv_rtrim(*s);
	for (i = s->n; i > 0 && !sv_is_space(s->p[i - 1]);)
		i--;
	if (i == s->n)
		return false;
	*out = sv_from(*s, i);
	*s = sv_rtrim(sv_first(*s, i));
	return true;
}

static bool is_border(struct gpudx_sv line)
{
	struct gpudx_sv s = sv_trim(line);

	if (s.n < 20 || (s.p[0] != '+' && s.p[0] != '|'))
		return false;
	for (size_t i = 0; i < s.n; i++)
		if (!memchr("+-=|", s.p[i], 4))
			return false;
	return true;
}

/* ---- title ---- */

struct title {
	struct gpudx_sv tool, driver, cuda; /* .p NULL not there */
};

static bool after(struct gpudx_sv s, const char *label, struct gpudx_sv *out)
{
	struct gpudx_sv before;

	return sv_until(&s, label, &before) && word(&s, out);
}

static bool read_title(struct gpudx_sv line, struct title *t)
{
	struct gpudx_sv s = sv_trim(line);

	*t = (struct title){ 0 };
	if (!sv_lit(&s, "| NVIDIA-SMI ") || !sv_ends(s, "|"))
		return false;
	s.n--;
	if (!word(&s, &t->tool) || !sv_is_digit(t->tool.p[0]))
		return false;
	if (!after(s, "Driver Version:", &t->driver) && !after(s, "KMD Version:", &t->driver))
		return false;
	if (!after(s, "CUDA Version:", &t->cuda))
		after(s, "CUDA UMD Version:", &t->cuda);
	return true;
}

static bool is_title(struct gpudx_sv line)
{
	struct title t;

	return read_title(line, &t);
}

static void put_cuda(struct gpudx_ctx *c, const char *layer, struct gpudx_sv cuda)
{
	const char *event;

	switch (cuda.p ? smi_value_of(cuda, &event) : SMI_MISSING) {
	case SMI_VALUE:
		gpudx_fact(c, 0, "cuda.driver_max", layer, cuda);
		break;
	case SMI_FAULT: /* libcuda cannot be loaded there; that is no fault of a GPU */
		smi_fault(c, 0, "smi.cuda_unknown", cuda);
		break;
	case SMI_MISSING:
		break;
	}
}

static void take_title(struct gpudx_ctx *c, struct table *t, const struct title *title)
{
	const char *layer = smi_layer(c);
	const char *event;

	t->box = NO_BOX;
	t->body = false;
	t->gpu = NULL;
	if (t->titled)
		t->tables++;
	t->titled = true;
	gpudx_now(c, t->date_us == GPUDX_NO_TIME ? GPUDX_STAMP_NONE : GPUDX_STAMP_LOCAL,
		  t->date_us);
	t->date_us = GPUDX_NO_TIME;
	if (smi_value_of(title->driver, &event) == SMI_VALUE)
		gpudx_fact(c, 0, "driver.version", layer, title->driver);
	if (strcmp(layer, "container") != 0)
		gpudx_fact(c, 0, "driver.version", "tool", title->tool);
	put_cuda(c, layer, title->cuda);
}

/* "Fri Jul  3 22:11:09 2026": asctime, so without a zone, which date(1) would print. */
static bool date_line(struct gpudx_sv line, int64_t *t_us)
{
	struct gpudx_sv s = sv_trim(line), rest = s, w;
	struct gpudx_stamp stamp;
	unsigned words = 0;

	if (s.n < 20 || s.n > 40 || !sv_is_alpha(s.p[0]) || !gpudx_scan_ctime(&s, &stamp) || s.n)
		return false;
	while (word(&rest, &w))
		words++;
	*t_us = stamp.t_us;
	return words == 5 && stamp.kind == GPUDX_STAMP_LOCAL;
}

/* ---- GPUs ---- */

static struct gpu *gpu_with_index(const struct table *t, int32_t idx)
{
	/* The last added first: after a swap of cards the newer one is meant. */
	for (unsigned i = t->ngpus; i > 0; i--)
		if (t->gpus[i - 1]->idx == idx)
			return t->gpus[i - 1];
	return NULL;
}

static struct gpu *gpu_find(struct gpudx_ctx *c, struct table *t, int32_t idx, struct gpudx_bdf bdf)
{
	struct gpudx_gpu_id id = GPUDX_GPU_NONE;
	struct gpu *g;

	for (unsigned i = 0; i < t->ngpus; i++)
		if (t->gpus[i]->idx == idx && gpudx_bdf_eq(t->gpus[i]->bdf, bdf))
			return t->gpus[i];
	g = t->ngpus < GPUS_MAX ? gpudx_arena_alloc(gpudx_memory(c), sizeof(*g)) : NULL;
	if (!g)
		return NULL;
	id.idx = g->idx = idx;
	id.bdf = g->bdf = bdf;
	g->ref = gpudx_ref(c, &id);
	g->fan = (double)NAN;
	return t->gpus[t->ngpus++] = g;
}

/* True when the part of a cell is a value; faults are noted. */
static bool value(struct table *t, const char *name, struct gpudx_sv cell)
{
	return smi_look(&t->faults, name, cell) == SMI_VALUE;
}

/* A fault is news only in the first table that shows it, until the GPU is well again. */
static void put_faults(struct gpudx_ctx *c, struct table *t)
{
	unsigned grade = smi_faults_grade(&t->faults);

	t->fault = grade > t->fault ? grade : t->fault;
	if (grade <= t->gpu->fault)
		t->faults.n = 0;
	smi_faults_put(c, t->gpu->ref, &t->faults);
}

static void put_switch(struct gpudx_ctx *c, const struct table *t, const char *key,
		       struct gpudx_sv cell)
{
	if (sv_is(cell, "On"))
		gpudx_fact(c, t->gpu->ref, key, "nvml", SV_LIT("enabled"));
	else if (sv_is(cell, "Off"))
		gpudx_fact(c, t->gpu->ref, key, "nvml", SV_LIT("disabled"));
}

/* "On", "Off", or on Windows the driver model. */
static bool is_mode(struct gpudx_sv w)
{
	static const char *const modes[] = { "On", "Off", "WDDM", "TCC", "MCDM", "N/A", "ERR!" };

	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		if (sv_is(w, modes[i]))
			return true;
	return false;
}

/* "NVIDIA H100 80GB HBM3          On": the name may fill its place. */
static void name_and_mode(struct gpudx_ctx *c, struct table *t, struct gpudx_sv rest)
{
	struct gpudx_sv name = rest, mode;

	if (last_word(&name, &mode) && name.n && is_mode(mode)) {
		put_switch(c, t, "persistence.mode", mode);
		if (sv_is(mode, "WDDM") || sv_is(mode, "TCC") || sv_is(mode, "MCDM"))
			gpudx_fact(c, t->gpu->ref, "driver_model.current", "nvml", mode);
	} else {
		name = rest;
	}
	if (value(t, "name", name))
		gpudx_fact(c, t->gpu->ref, "gpu.name", "nvml", name);
}

/* A count says that ECC is on; "On" stands there when the counts are those of MIG devices. */
static void uncorrected(struct gpudx_ctx *c, struct table *t, struct gpudx_sv cell)
{
	double v;

	if (!value(t, "ecc", cell))
		return;
	if (!smi_number(cell, &v)) {
		put_switch(c, t, "ecc.mode", cell);
		return;
	}
	gpudx_fact(c, t->gpu->ref, "ecc.mode", "nvml", SV_LIT("enabled"));
	gpudx_fact_num(c, t->gpu->ref, "ecc.uncorrected.volatile.total", "nvml", v);
}

static enum gpudx_take gpu_name_line(struct gpudx_ctx *c, struct table *t, const struct cells *row)
{
	struct gpudx_sv first = row->cell[0], second = row->cell[1], w;
	struct gpudx_bdf bdf;
	int64_t idx;

	if (!word(&first, &w) || !smi_whole(w, 65535, &idx) || !gpudx_bdf_scan(&second, &bdf))
		return gpudx_reject(c, "no index or address where a GPU should begin");
	t->gpu = gpu_find(c, t, (int32_t)idx, bdf);
	if (!t->gpu)
		return gpudx_reject(c, "more GPUs than can be told apart");
	t->line = 1;
	t->fault = false;
	name_and_mode(c, t, sv_trim(first));
	if (word(&second, &w))
		put_switch(c, t, "display.active", w);
	uncorrected(c, t, row->cell[2]);
	put_faults(c, t);
	return GPUDX_TAKEN;
}

static void set(struct table *t, struct gpudx_sample *s, enum gpudx_col col, const char *name,
		struct gpudx_sv cell)
{
	double v;

	if (value(t, name, cell) && smi_number(cell, &v))
		gpudx_sample_set(s, col, v);
}

static void put_fan(struct gpudx_ctx *c, struct table *t, struct gpudx_sv cell)
{
	struct gpudx_metric m = { .ref = t->gpu->ref,
				  .key = SV("fan.speed_pct"),
				  .unit = SV("%"),
				  .t_us = GPUDX_NO_TIME,
				  .seq = t->gpu->tables };

	if (!value(t, "fan", cell) || !smi_number(cell, &m.value))
		return;
	if (m.value <= t->gpu->fan && m.value >= t->gpu->fan)
		return;
	t->gpu->fan = m.value;
	gpudx_put_metric(c, &m);
}

/* "72W /  700W", "N/A /  N/A", "ERR! / ERR!", "Unknown Error". */
static void power(struct gpudx_ctx *c, struct table *t, struct gpudx_sample *s,
		  struct gpudx_sv cell)
{
	struct gpudx_sv draw = cell, limit = SV_LIT("");
	size_t at = sv_find(cell, " /");
	double v;

	if (at == cell.n && cell.n && sv_is_digit(cell.p[0]))
		at = sv_index(cell, '/');
	if (at < cell.n) {
		draw = sv_first(cell, at);
		limit = sv_from(cell, at + (cell.p[at] == ' ' ? 2 : 1));
	}
	set(t, s, GPUDX_COL_POWER, "power", sv_trim(draw));
	set(t, s, GPUDX_COL_POWER_LIMIT, "power_limit", sv_trim(limit));
	if (s->have >> GPUDX_COL_POWER_LIMIT & 1 && smi_number(limit, &v))
		gpudx_fact_num(c, t->gpu->ref, "power.limit_w", "nvml", v);
}

/* "19818MiB /  81559MiB". */
static void memory(struct gpudx_ctx *c, struct table *t, struct gpudx_sample *s,
		   struct gpudx_sv cell)
{
	size_t at = sv_find(cell, " /");
	struct gpudx_sv total = at < cell.n ? sv_trim(sv_from(cell, at + 2)) : SV_LIT("");
	double v;

	set(t, s, GPUDX_COL_MEM_USED, "memory", sv_trim(sv_first(cell, at)));
	if (value(t, "memory_total", total) && smi_number(total, &v))
		gpudx_fact_num(c, t->gpu->ref, "memory.total_mib", "nvml", v);
}

static void compute_mode(struct gpudx_ctx *c, struct table *t, struct gpudx_sv cell)
{
	static const struct {
		const char *shown, *value;
	} modes[] = {
		{ "Default", "default" },
		{ "E. Process", "exclusive_process" },
		{ "E. Thread", "exclusive_thread" },
		{ "Prohibited", "prohibited" },
	};

	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		if (sv_is(cell, modes[i].shown))
			gpudx_fact(c, t->gpu->ref, "compute.mode", "nvml", sv_str(modes[i].value));
	value(t, "compute_mode", cell);
}

static enum gpudx_take gpu_readings_line(struct gpudx_ctx *c, struct table *t,
					 const struct cells *row)
{
	struct gpudx_sample s = { .ref = t->gpu->ref,
				  .t_us = GPUDX_NO_TIME,
				  .seq = t->gpu->tables };
	struct gpudx_sv first = row->cell[0], third = row->cell[2], fan, temp, perf, util;
	double v;

	if (!word(&first, &fan) || !word(&first, &temp) || !word(&first, &perf) ||
	    !word(&third, &util))
		return gpudx_reject(c, "a GPU's line of readings is incomplete");
	put_fan(c, t, fan);
	set(t, &s, GPUDX_COL_TEMP, "temp", temp);
	if (value(t, "pstate", perf) && smi_pstate(perf, &v))
		gpudx_sample_set(&s, GPUDX_COL_PSTATE, v);
	power(c, t, &s, sv_trim(first));
	memory(c, t, &s, row->cell[1]);
	set(t, &s, GPUDX_COL_UTIL, "util", util);
	compute_mode(c, t, sv_trim(third));
	put_faults(c, t);
	if (s.have)
		gpudx_put_sample(c, &s);
	t->gpu->tables++;
	return GPUDX_TAKEN;
}

/* "Disabled", "Enabled*": with a star the pending mode is the other one. */
static enum gpudx_take gpu_mig_line(struct gpudx_ctx *c, struct table *t, const struct cells *row)
{
	struct gpudx_sv mode = row->cell[2];
	bool enabled, other = sv_ends(mode, "*");

	if (row->cell[0].n || row->cell[1].n)
		return gpudx_reject(c, "a GPU has more lines than are known");
	if (!value(t, "mig_mode", mode)) {
		put_faults(c, t);
		return GPUDX_TAKEN;
	}
	mode.n -= other;
	enabled = sv_is(mode, "Enabled");
	if (!enabled && !sv_is(mode, "Disabled"))
		return GPUDX_TAKEN;
	gpudx_fact(c, t->gpu->ref, "mig.mode", "nvml",
		   enabled ? SV_LIT("enabled") : SV_LIT("disabled"));
	gpudx_fact(c, t->gpu->ref, "mig.mode_pending", "nvml",
		   enabled != other ? SV_LIT("enabled") : SV_LIT("disabled"));
	return GPUDX_TAKEN;
}

/* The lines of a GPU are over: whether it was well decides if the next fault is news. */
static void gpu_end(struct table *t)
{
	if (t->gpu)
		t->gpu->fault = t->fault;
	t->gpu = NULL;
}

static enum gpudx_take gpu_row(struct gpudx_ctx *c, struct table *t, const struct cells *row)
{
	struct gpudx_sv second = row->cell[1];
	struct gpudx_bdf bdf;

	if (row->n != 3)
		return gpudx_reject(c, "a GPU's line has not three cells");
	if (gpudx_bdf_scan(&second, &bdf) || !t->gpu) {
		gpu_end(t);
		return gpu_name_line(c, t, row);
	}
	return ++t->line == 2 ? gpu_readings_line(c, t, row) : gpu_mig_line(c, t, row);
}

/* ---- MIG devices ---- */

static uint32_t ref_of_index(struct gpudx_ctx *c, const struct table *t, int64_t idx)
{
	const struct gpu *g = gpu_with_index(t, (int32_t)idx);

	return g ? g->ref : gpudx_ref_idx(c, (int32_t)idx);
}

static uint32_t ref_of_instance(struct gpudx_ctx *c, const struct table *t, int64_t idx,
				const struct gpudx_instance *i)
{
	const struct gpu *g = gpu_with_index(t, (int32_t)idx);
	struct gpudx_gpu_id id = GPUDX_GPU_NONE;

	id.idx = (int32_t)idx;
	id.gi = i->gi;
	id.ci = i->ci;
	if (g)
		id.bdf = g->bdf;
	return gpudx_ref(c, &id);
}

/* NULL when it is one more than can be told apart. *is_new: not seen before. */
static struct slice *slice_find(struct table *t, uint32_t ref, bool *is_new)
{
	*is_new = false;
	for (unsigned i = 0; i < t->nslices; i++)
		if (t->slices[i].ref == ref)
			return &t->slices[i];
	if (t->nslices == SLICES_MAX)
		return NULL;
	*is_new = true;
	t->slices[t->nslices] = (struct slice){ ref, (double)NAN };
	return &t->slices[t->nslices++];
}

/* The memory is that of the GPU instance: all its compute instances show the same. */
static void mig_readings(struct gpudx_ctx *c, const struct table *t, struct slice *slice,
			 const struct cells *row)
{
	size_t at = sv_find(row->cell[1], " /");
	struct gpudx_sv counts = row->cell[2], w;
	struct gpudx_metric used = { .ref = slice->ref,
				     .key = SV("mig.memory_used_mib"),
				     .unit = SV("MiB"),
				     .t_us = GPUDX_NO_TIME,
				     .seq = t->tables };
	double v;

	if (at < row->cell[1].n && smi_number(sv_from(row->cell[1], at + 2), &v))
		gpudx_fact_num(c, slice->ref, "memory.total_mib", "nvml", v);
	if (last_word(&counts, &w) && counts.n && smi_number(w, &v))
		gpudx_fact_num(c, slice->ref, "ecc.uncorrected.volatile.total", "nvml", v);
	if (!smi_number(sv_first(row->cell[1], at), &used.value))
		return;
	if (!(used.value <= slice->used && used.value >= slice->used))
		gpudx_put_metric(c, &used);
	slice->used = used.value;
}

static enum gpudx_take mig_row(struct gpudx_ctx *c, struct table *t, const struct cells *row)
{
	struct gpudx_sv first = row->cell[0], w[4];
	struct gpudx_instance i = { 0 };
	struct slice *slice;
	int64_t idx, gi, ci;
	bool is_new;

	/* The line below a device is its BAR1; a line of one cell is a remark. */
	if (!first.n || row->n == 1)
		return GPUDX_TAKEN;
	for (int k = 0; k < 4; k++)
		if (!word(&first, &w[k]))
			return gpudx_reject(c, "a MIG device without its four ids");
	if (row->n < 3 || !smi_whole(w[0], 65535, &idx) || !smi_whole(w[1], 255, &gi) ||
	    !smi_whole(w[2], 255, &ci))
		return gpudx_reject(c, "a MIG device without its four ids");
	i.ref = ref_of_index(c, t, idx);
	i.gi = (int32_t)gi;
	i.ci = (int32_t)ci;
	slice = slice_find(t, ref_of_instance(c, t, idx, &i), &is_new);
	if (!slice)
		return gpudx_reject(c, "more MIG devices than can be told apart");
	if (is_new)
		gpudx_put_instance(c, &i);
	mig_readings(c, t, slice, row);
	return GPUDX_TAKEN;
}

/* ---- processes ---- */

static bool optional_id(struct gpudx_sv *s, int32_t *out)
{
	struct gpudx_sv w;
	int64_t v;

	if (!word(s, &w))
		return false;
	if (smi_whole(w, 255, &v))
		*out = (int32_t)v;
	return sv_is(w, "N/A") || *out >= 0;
}

/* What stands behind the type: a name, which may hold blanks or be missing, and the memory. */
static void name_and_memory(struct gpudx_sv rest, struct gpudx_process *p)
{
	struct gpudx_sv memory;
	const char *event;

	if (!last_word(&rest, &memory))
		return;
	if (smi_value_of(memory, &event) == SMI_VALUE && !smi_number(memory, &p->fb_mib))
		p->fb_mib = (double)NAN;
	if (smi_value_of(rest, &event) == SMI_VALUE)
		p->name = rest;
}

static enum gpudx_take process_row(struct gpudx_ctx *c, struct table *t, struct gpudx_sv rest)
{
	struct gpudx_process p = { .t_us = GPUDX_NO_TIME,
				   .seq = t->tables,
				   .pid = -1,
				   .sm_pct = (double)NAN,
				   .mem_pct = (double)NAN,
				   .fb_mib = (double)NAN,
				   .gi = -1,
				   .ci = -1 };
	struct gpudx_sv s = rest, w;
	int64_t idx, pid;

	/* "No running processes found", "0   Not Supported" */
	if (!word(&s, &w) || !smi_whole(w, 65535, &idx) || sv_starts(sv_ltrim(s), "Not Supported"))
		return GPUDX_TAKEN;
	if (t->has_instances && (!optional_id(&s, &p.gi) || !optional_id(&s, &p.ci)))
		return gpudx_reject(c, "a process without GPU and compute instance");
	if (!word(&s, &w))
		return gpudx_reject(c, "a process without id");
	if (smi_whole(w, INT64_C(1) << 40, &pid))
		p.pid = pid;
	if (t->has_type && !word(&s, &p.type))
		return gpudx_reject(c, "a process without type");
	name_and_memory(sv_trim(s), &p);
	p.ref = ref_of_index(c, t, idx);
	gpudx_put_process(c, &p);
	return GPUDX_TAKEN;
}

/* ---- lines ---- */

/* "Compute processes:" up to R340. */
static bool is_box_title(struct gpudx_sv cell)
{
	return sv_starts(cell, "MIG devices:") || sv_starts(cell, "Processes:") ||
	       sv_starts(cell, "Compute processes:");
}

/* The headings of a box tell which it is. */
static void heading(struct table *t, struct gpudx_sv line)
{
	if (sv_has(line, "MIG devices:"))
		t->box = MIG;
	else if (sv_has(line, "rocesses:"))
		t->box = PROCESSES;
	else if (t->box == NO_BOX)
		t->box = sv_has(line, "Bus-Id") && !sv_has(line, "vGPU") ? GPUS : OTHER_BOX;
	if (sv_has(line, "vGPU")) /* nvidia-smi vgpu: the same title over another table */
		t->box = OTHER_BOX;
	if (t->box == PROCESSES && sv_has(line, " PID ")) {
		t->has_instances = sv_has(line, " GI ");
		t->has_type = sv_has(line, " Type ");
	}
}

static enum gpudx_take box_line(struct gpudx_ctx *c, struct table *t, struct gpudx_sv line)
{
	struct cells row;

	if (!split(line, &row))
		return gpudx_reject(c,
				    gpudx_this_line(c)->flags & GPUDX_LINE_NO_LF
					    ? "the last line is cut off"
					    : "a line of the table does not end with its border");
	if (is_box_title(row.cell[0])) {
		gpu_end(t);
		t->body = false;
	}
	if (!t->body) {
		heading(t, line);
		return t->box == OTHER_BOX ? GPUDX_NOT_MINE : GPUDX_TAKEN;
	}
	switch (t->box) {
	case GPUS:
		if (row.n > 1)
			return gpu_row(c, t, &row);
		t->box = OTHER_BOX;
		return GPUDX_NOT_MINE;
	case MIG:
		return mig_row(c, t, &row);
	case PROCESSES:
		return process_row(c, t, row.cell[0]);
	default:
		return GPUDX_NOT_MINE;
	}
}

/* Below the processes nothing of the table follows; the lines of another box are not ours. */
static enum gpudx_take border(struct table *t, struct gpudx_sv line)
{
	if (sv_has(line, "=="))
		t->body = true;
	else if (t->box == PROCESSES && t->body)
		t->box = OTHER_BOX;
	else
		gpu_end(t);
	return GPUDX_TAKEN;
}

/* "|   0  NVIDIA L4      On  |   00000000:01:00.0 Off |   0 |": the first line of a GPU, for those who
 * paste no more than that. No other table has an address with eight digits behind an index. */
static bool is_gpu_row(struct gpudx_sv line)
{
	struct gpudx_sv w;
	struct cells row;
	struct gpudx_bdf bdf;
	int64_t idx;

	return sv_starts(sv_ltrim(line), "|") && split(line, &row) && row.n == 3 &&
	       word(&row.cell[0], &w) && smi_whole(w, 65535, &idx) && row.cell[0].n &&
	       sv_index(row.cell[1], ':') == 8 && gpudx_bdf_scan(&row.cell[1], &bdf) &&
	       (sv_ends(row.cell[1], "Off") || sv_ends(row.cell[1], "On"));
}

static void begin_without_title(struct gpudx_ctx *c, struct table *t)
{
	t->titled = t->body = true;
	t->box = GPUS;
	gpudx_excerpt(c);
}

static enum gpudx_take table_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct table *t = gpudx_state(c);
	struct title title;
	int64_t date_us;

	if (date_line(line, &date_us)) {
		t->date_us = date_us;
		gpudx_cite(c);
		return GPUDX_TAKEN;
	}
	if (is_border(line))
		return border(t, line);
	if (read_title(line, &title)) {
		gpu_end(t);
		take_title(c, t, &title);
		return GPUDX_TAKEN;
	}
	if (!t->titled && is_gpu_row(line))
		begin_without_title(c, t);
	if (t->titled && sv_starts(sv_ltrim(line), "|"))
		return box_line(c, t, line);
	if (smi_message_take(c, line))
		return GPUDX_TAKEN;
	t->date_us = GPUDX_NO_TIME;
	return GPUDX_NOT_MINE;
}

static void table_begin(struct gpudx_ctx *c)
{
	struct table *t = gpudx_state(c);

	t->date_us = GPUDX_NO_TIME;
}

/* The title, a GPU, or a date with the seven blanks that only nvidia-smi puts behind it. */
static bool table_starts(struct gpudx_sv line)
{
	int64_t t_us;

	return is_title(line) || is_gpu_row(line) ||
	       (line.n == 31 && sv_ends(line, "       ") && date_line(line, &t_us));
}

static int table_bid(const struct gpudx_head *head)
{
	for (size_t i = 0; i < head->n && i < 200; i++)
		if (is_title(head->lines[i].text))
			return 80;
	for (size_t i = 0; i < head->n && i < 20; i++)
		if (is_gpu_row(head->lines[i].text))
			return 60;
	return 0;
}

const struct gpudx_parser gpudx_parser_smi_table = {
	.name = "smi-table",
	.what = "the default table of nvidia-smi, once or in a loop",
	.bid = table_bid,
	.starts = table_starts,
	.begin = table_begin,
	.line = table_line,
	.state_size = sizeof(struct table),
	.flags = GPUDX_P_RESUMES,
};
