#include "parse/smi_q_block.h"

#include <math.h>
#include <stdio.h>

enum { FAULT_LINES = 16, GPUS_MAX = 4096 };

/* ---- GPUs ---- */

static bool same_id(const struct gpudx_gpu_id *a, const struct gpudx_gpu_id *b)
{
	return gpudx_bdf_eq(a->bdf, b->bdf) && sv_eq(a->uuid, b->uuid);
}

/* "nvidia-smi -q -i 0", "--id=0000:3b:00.0", "-i GPU-..." of a command whose output names no GPU.
 */
static struct gpudx_gpu_id command_id(struct gpudx_sv command)
{
	struct gpudx_gpu_id id = GPUDX_GPU_NONE;
	struct gpudx_sv word, before;
	uint64_t idx;

	if (!sv_until(&command, "nvidia-smi", &before))
		return id;
	command = sv_first(command, sv_index(command, '|'));
	if (!sv_until(&command, " -i ", &before) && !sv_until(&command, " --id=", &before))
		return id;
	sv_spaces(&command);
	if (!sv_token(&command, &word) || gpudx_bdf_parse(word, &id.bdf))
		return id;
	if (sv_starts(word, "GPU-"))
		id.uuid = word;
	else if (sv_u64(&word, &idx) && !word.n && idx < 65536)
		id.idx = (int32_t)idx;
	return id;
}

static struct smi_q_gpu *current(struct gpudx_ctx *c, struct smi_q_block *q)
{
	struct gpudx_gpu_id id;

	if (q->gpu)
		return q->gpu;
	if (!q->unnamed.ref) {
		id = command_id(gpudx_command(c));
		q->unnamed.ref = gpudx_ref(c, &id);
	}
	return &q->unnamed;
}

bool smi_q_select(struct gpudx_ctx *c, struct smi_q_block *q, struct gpudx_gpu_id id)
{
	struct smi_q_gpu **end = &q->gpus, *g;

	/* They come in the same order every time. */
	if (q->gpu && q->gpu->next && same_id(&q->gpu->next->id, &id)) {
		q->gpu = q->gpu->next;
		return true;
	}
	for (; *end; end = &(*end)->next) {
		if (same_id(&(*end)->id, &id)) {
			q->gpu = *end;
			return true;
		}
	}
	g = q->ngpus < GPUS_MAX ? gpudx_arena_alloc(gpudx_memory(c), sizeof(*g)) : NULL;
	q->gpu = g;
	if (!g)
		return false;
	q->ngpus++;
	id.uuid = id.uuid.n ? gpudx_arena_sv(gpudx_memory(c), id.uuid) : id.uuid;
	g->id = id;
	g->ref = gpudx_ref(c, &id);
	*end = g;
	return true;
}

/* ---- identity inside a block ---- */

/* Says of the GPU at hand what else identifies it. */
static void put_identity(struct gpudx_ctx *c, struct smi_q_block *q, struct gpudx_gpu_id id)
{
	if (q->serial_n)
		id.serial = sv_n(q->serial, q->serial_n);
	gpudx_ref(c, &id);
}

static void take_uuid(struct gpudx_ctx *c, struct smi_q_block *q, struct gpudx_sv uuid)
{
	struct gpudx_gpu_id id = GPUDX_GPU_NONE;

	if (q->gpu)
		id = q->gpu->id;
	id.uuid = uuid;
	if (!q->gpu)
		smi_q_select(c, q, id);
	if (q->gpu && (q->gpu->id.bdf.known || q->serial_n))
		put_identity(c, q, id);
}

static void take_address(struct gpudx_ctx *c, struct smi_q_block *q, struct gpudx_sv value)
{
	struct gpudx_gpu_id id = GPUDX_GPU_NONE;
	struct gpudx_bdf bdf;

	if (!gpudx_bdf_parse(value, &bdf) || (q->gpu && q->gpu->id.bdf.known))
		return;
	if (q->gpu)
		id = q->gpu->id;
	id.bdf = bdf;
	if (q->gpu)
		put_identity(c, q, id);
	else
		smi_q_select(c, q, id);
}

/* Boards without a serial number show zeros. */
static bool is_serial(struct gpudx_sv s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] != '0')
			return s.n < SMI_Q_SERIAL;
	return false;
}

static size_t copy(char *to, size_t size, struct gpudx_sv s)
{
	s = sv_first(s, size);
	if (s.n)
		memcpy(to, s.p, s.n);
	return s.n;
}

/* The UUID follows, or was left out of an excerpt. */
static void take_serial(struct gpudx_ctx *c, struct smi_q_block *q, struct gpudx_sv value)
{
	if (!is_serial(value))
		return;
	q->serial_n = copy(q->serial, SMI_Q_SERIAL, value);
	if (!q->whole)
		put_identity(c, q,
			     current(c, q) == &q->unnamed ? command_id(gpudx_command(c))
							  : q->gpu->id);
}

/* ---- series ---- */

/* True when the text of a series is not what it was. */
static bool is_news(struct smi_q_block *q, uint32_t ref, const char *key, struct gpudx_sv text)
{
	uint32_t hash = (uint32_t)(gpudx_hash(text) >> 7) | 1, *last;
	char name[96];
	bool is_new;
	int n = snprintf(name, sizeof(name), "%u/%s", ref, key);

	last = gpudx_map_at(&q->series,
			    sv_n(name, n > 0 && (size_t)n < sizeof(name) ? (size_t)n : 0), &is_new);
	if (!last || *last == hash)
		return false;
	*last = hash;
	return true;
}

static void put_metric(struct gpudx_ctx *c, struct smi_q_block *q, uint32_t ref, const char *key,
		       struct gpudx_sv text, uint32_t line)
{
	struct gpudx_metric m = { .ref = ref,
				  .line = line,
				  .key = sv_str(key),
				  .t_us = GPUDX_NO_TIME,
				  .seq = current(c, q)->blocks };

	if (smi_number(text, &m.value) && is_news(q, ref, key, text))
		gpudx_put_metric(c, &m);
}

/* ---- the power draw ---- */

static const struct draw_field {
	const char *key, *name; /* of the series; "" for the one that is only a column */
} draw_fields[SMI_Q_DRAWS] = {
	[SMI_Q_DRAW] = { "", "power.draw" },
	[SMI_Q_AVERAGE] = { "power.average_w", "power.draw.average" },
	[SMI_Q_INSTANT] = { "power.instant_w", "power.draw.instant" },
};

static int draw_of(const struct smi_field *f)
{
	if (f->kind == SMI_COL && f->arg == GPUDX_COL_POWER)
		return SMI_Q_DRAW;
	for (int i = SMI_Q_AVERAGE; i < SMI_Q_DRAWS; i++)
		if (f->kind == SMI_METRIC && strcmp(f->key, draw_fields[i].key) == 0)
			return i;
	return -1;
}

static void hold_draw(struct gpudx_ctx *c, struct smi_q_block *q, int which, struct gpudx_sv value)
{
	struct smi_q_reading *r = &q->draw[which];

	current(c, q);
	r->missing = value.n == 0;
	if (!smi_number(value, &r->v))
		return;
	r->have = true;
	r->line = gpudx_this_line(c)->no;
	copy(r->text, SMI_Q_VALUE - 1, value);
	gpudx_cite(c);
}

/* power.draw is the average where a board has one, else the instant value: so it is on boards that
 * say N/A for the average. An instant value beside an average is never held against the limit. */
static const struct smi_q_reading *drawn(const struct smi_q_block *q)
{
	const struct smi_q_reading *r = q->draw;

	if (r[SMI_Q_DRAW].have || r[SMI_Q_AVERAGE].have)
		return r[SMI_Q_DRAW].have ? &r[SMI_Q_DRAW] : &r[SMI_Q_AVERAGE];
	return r[SMI_Q_AVERAGE].missing && r[SMI_Q_INSTANT].have ? &r[SMI_Q_INSTANT] : NULL;
}

static void settle_draws(struct gpudx_ctx *c, struct smi_q_block *q)
{
	uint32_t ref = current(c, q)->ref;
	const struct smi_q_reading *power;

	if (q->draws_settled)
		return;
	q->draws_settled = true;
	for (int i = 0; i < SMI_Q_DRAWS; i++) {
		struct smi_q_reading *r = &q->draw[i];

		if (r->have && r->v > 1.5 * q->limit_max) {
			smi_implausible(c, ref, sv_str(draw_fields[i].name), sv_str(r->text));
			r->have = false;
		} else if (r->have && i != SMI_Q_DRAW) {
			put_metric(c, q, ref, draw_fields[i].key, sv_str(r->text), r->line);
		}
	}
	power = drawn(q);
	if (power) {
		gpudx_sample_set(&q->s, GPUDX_COL_POWER, power->v);
		q->s.line = power->line;
	}
}

static bool is_limit_max(const struct smi_field *f)
{
	return f->kind == SMI_NUM && strcmp(f->key, "power.limit_max_w") == 0;
}

/* ---- processes ---- */

static void put_process(struct gpudx_ctx *c, struct smi_q_block *q, double fb_mib)
{
	struct smi_q_process *p = &q->process;
	struct gpudx_process out = { .ref = current(c, q)->ref,
				     .t_us = GPUDX_NO_TIME,
				     .seq = current(c, q)->blocks,
				     .pid = p->pid,
				     .sm_pct = (double)NAN,
				     .mem_pct = (double)NAN,
				     .fb_mib = fb_mib,
				     .gi = p->gi,
				     .ci = p->ci };

	if (p->pid >= 0) {
		if (p->type_n)
			out.type = sv_n(p->type, p->type_n);
		if (p->name_n)
			out.name = sv_n(p->name, p->name_n);
		gpudx_put_process(c, &out);
	}
	*p = (struct smi_q_process){ .pid = -1, .gi = -1, .ci = -1 };
}

static int32_t small_id(struct gpudx_sv value)
{
	uint64_t v;

	return sv_u64(&value, &v) && !value.n && v < 256 ? (int32_t)v : -1;
}

/* False when there is something that is no number. */
static bool process_id(struct gpudx_sv value, int64_t *pid)
{
	uint64_t v = 0;

	*pid = -1;
	if (!value.n)
		return true;
	if (!sv_u64(&value, &v) || value.n || v >> 40)
		return false;
	*pid = (int64_t)v;
	return true;
}

/* From R450 on the instances stand in front of their process. */
static bool take_process(struct gpudx_ctx *c, struct smi_q_block *q, enum smi_process what,
			 struct gpudx_sv value)
{
	struct smi_q_process *p = &q->process;
	double mib = (double)NAN;

	if (p->pid >= 0 && (what == SMI_PROCESS_GI || what == SMI_PROCESS_PID))
		put_process(c, q, (double)NAN);
	switch (what) {
	case SMI_PROCESS_GI:
		p->gi = small_id(value);
		break;
	case SMI_PROCESS_CI:
		p->ci = small_id(value);
		break;
	case SMI_PROCESS_PID:
		return process_id(value, &p->pid);
	case SMI_PROCESS_TYPE:
		p->type_n = copy(p->type, sizeof(p->type), value);
		break;
	case SMI_PROCESS_NAME:
		p->name_n = copy(p->name, sizeof(p->name), value);
		break;
	case SMI_PROCESS_MEMORY:
		smi_number(value, &mib);
		put_process(c, q, mib);
		break;
	}
	return true;
}

/* ---- MIG devices ---- */

static uint32_t mig_ref(struct gpudx_ctx *c, struct smi_q_block *q)
{
	struct gpudx_gpu_id id = current(c, q)->id;

	if (current(c, q) == &q->unnamed)
		id = command_id(gpudx_command(c));
	id.gi = q->mig.gi;
	id.ci = q->mig.ci;
	return gpudx_ref(c, &id);
}

static void put_instance(struct gpudx_ctx *c, struct smi_q_block *q)
{
	if (q->mig.gi < 0 || q->mig.ci < 0 ||
	    !is_news(q, mig_ref(c, q), "instance", SV_LIT("seen")))
		return;
	q->mig.ref = current(c, q)->ref;
	gpudx_put_instance(c, &q->mig);
}

/* Memory is that of the GPU instance, said again for each of its compute instances. */
static void take_mig(struct gpudx_ctx *c, struct smi_q_block *q, enum smi_mig what,
		     struct gpudx_sv value)
{
	double v;

	switch (what) {
	case SMI_MIG_INDEX:
		q->mig.gi = q->mig.ci = -1;
		return;
	case SMI_MIG_GI:
		q->mig.gi = small_id(value);
		return;
	case SMI_MIG_CI:
		q->mig.ci = small_id(value);
		put_instance(c, q);
		return;
	default:
		break;
	}
	if (q->mig.gi < 0 || q->mig.ci < 0 || !smi_number(value, &v))
		return;
	if (what == SMI_MIG_TOTAL)
		gpudx_fact_num(c, mig_ref(c, q), "memory.total_mib", "nvml", v);
	else if (what == SMI_MIG_ECC)
		gpudx_fact_num(c, mig_ref(c, q), "ecc.uncorrected.volatile.sram", "nvml", v);
	else
		put_metric(c, q, mig_ref(c, q), "mig.memory_used_mib", value, 0);
}

/* ---- blocks ---- */

static void block_reset(struct smi_q_block *q)
{
	q->s = (struct gpudx_sample){ .t_us = GPUDX_NO_TIME };
	q->reasons = q->reasons_seen = 0;
	memset(q->draw, 0, sizeof(q->draw));
	q->draws_settled = false;
	q->limit_max = (double)NAN;
	q->faults = q->fault = 0;
	q->process = (struct smi_q_process){ .pid = -1, .gi = -1, .ci = -1 };
	q->mig = (struct gpudx_instance){ .gi = -1, .ci = -1 };
	q->serial_n = 0;
	memset(q->said, 0, sizeof(q->said));
}

static void put_reasons(struct gpudx_ctx *c, struct smi_q_block *q, struct smi_q_gpu *g)
{
	if (!q->reasons_seen)
		return;
	gpudx_sample_set(&q->s, GPUDX_COL_REASONS, q->reasons);
	if (g->reasons_known != q->reasons_seen)
		gpudx_reasons_known(c, g->ref, q->reasons_seen);
	g->reasons_known = q->reasons_seen;
}

/* The block of a GPU is over: what it read becomes one sample. A limit alone is no reading. */
void smi_q_end(struct gpudx_ctx *c, struct smi_q_block *q)
{
	struct smi_q_gpu *g = q->gpu ? q->gpu : &q->unnamed;

	if (!g->ref)
		return;
	settle_draws(c, q);
	put_process(c, q, (double)NAN);
	put_reasons(c, q, g);
	if (q->s.have & ~(1u << GPUDX_COL_POWER_LIMIT)) {
		q->s.ref = g->ref;
		q->s.seq = g->blocks;
		gpudx_put_sample(c, &q->s);
	}
	g->fault = q->fault;
	g->blocks++;
	block_reset(q);
}

/* ---- fields ---- */

static void set(struct gpudx_ctx *c, struct smi_q_block *q, enum gpudx_col col, double v)
{
	current(c, q);
	gpudx_sample_set(&q->s, col, v);
	if (!q->s.line)
		q->s.line = gpudx_this_line(c)->no;
	gpudx_cite(c);
}

static void take_reason(struct gpudx_ctx *c, struct smi_q_block *q, const struct smi_field *f,
			struct gpudx_sv value)
{
	bool active = sv_is(value, "Active");

	if (!active && !sv_is(value, "Not Active"))
		return;
	current(c, q);
	q->reasons_seen |= f->arg;
	if (active) {
		q->reasons |= f->arg;
		gpudx_cite(c);
	}
	if (!q->s.line)
		q->s.line = gpudx_this_line(c)->no;
}

static bool take_time(struct gpudx_ctx *c, struct smi_q_block *q, struct gpudx_sv value)
{
	struct gpudx_stamp stamp;

	if (!q->whole)
		smi_q_end(c, q);
	if (!gpudx_scan_ctime(&value, &stamp))
		return false;
	gpudx_now(c, stamp.kind, stamp.t_us);
	gpudx_cite(c);
	return true;
}

static bool take_column(struct gpudx_ctx *c, struct smi_q_block *q, const struct smi_field *f,
			struct gpudx_sv value)
{
	double v;

	if (!smi_number(value, &v))
		return !sv_is_digit(value.p[0]);
	set(c, q, (enum gpudx_col)f->arg, v);
	if (*f->key)
		smi_fact(c, current(c, q)->ref, f, "nvml", value);
	return true;
}

/* A fact that is a number. True as well for words that a newer driver may say in its place. */
static bool take_number(struct gpudx_ctx *c, struct smi_q_block *q, const struct smi_field *f,
			struct gpudx_sv value)
{
	double v;

	if (!smi_number(value, &v))
		return !sv_is_digit(value.p[0]);
	smi_fact(c, current(c, q)->ref, f, "nvml", value);
	if (is_limit_max(f)) {
		q->limit_max = v;
		settle_draws(c, q);
	}
	return true;
}

/* False when the value cannot be one of its field. */
static bool take_value(struct gpudx_ctx *c, struct smi_q_block *q, const struct smi_field *f,
		       struct gpudx_sv value)
{
	double v;

	switch (f->kind) {
	case SMI_TIME:
		return take_time(c, q, value);
	case SMI_UUID:
		take_uuid(c, q, value);
		return true;
	case SMI_SERIAL:
		take_serial(c, q, value);
		return true;
	case SMI_BDF:
		take_address(c, q, value);
		return true;
	case SMI_COL:
		return take_column(c, q, f, value);
	case SMI_PSTATE:
		if (smi_pstate(value, &v))
			set(c, q, GPUDX_COL_PSTATE, v);
		return true;
	case SMI_REASON:
		take_reason(c, q, f, value);
		return true;
	case SMI_HOST:
		smi_fact(c, 0, f, smi_layer(c), value);
		return true;
	case SMI_TEXT:
	case SMI_WORD:
		smi_fact(c, current(c, q)->ref, f, "nvml", value);
		return true;
	case SMI_NUM:
		return take_number(c, q, f, value);
	case SMI_METRIC:
		put_metric(c, q, current(c, q)->ref, f->key, value, 0);
		return true;
	default:
		return true;
	}
}

/* What a field is called in an event. */
static const char *shown_name(const struct smi_q_block *q)
{
	return q->whole ? q->path.text : smi_q_leaf(&q->path);
}

/* The first lines of a block that say it, and only when its block before was well. */
static void take_fault(struct gpudx_ctx *c, struct smi_q_block *q, const struct smi_field *f,
		       struct gpudx_sv value)
{
	struct smi_faults faults = { 0 };
	struct smi_q_gpu *g;
	unsigned grade;

	if (f->kind == SMI_HOST) {
		if (strcmp(f->key, "cuda.driver_max") == 0) /* libcuda cannot be loaded there */
			smi_fault(c, 0, "smi.cuda_unknown", value);
		return;
	}
	g = current(c, q);
	smi_look(&faults, shown_name(q), value);
	grade = smi_faults_grade(&faults);
	q->fault = grade > q->fault ? grade : q->fault;
	if (grade > g->fault && q->faults++ < FAULT_LINES)
		smi_faults_put(c, g->ref, &faults);
}

enum gpudx_take smi_q_take(struct gpudx_ctx *c, struct smi_q_block *q, const struct smi_field *f,
			   struct gpudx_sv value)
{
	enum smi_value what;
	const char *event;
	int draw = draw_of(f);

	if (smi_impossible(value)) {
		smi_implausible(c, current(c, q)->ref, sv_str(shown_name(q)), value);
		return GPUDX_TAKEN;
	}
	what = smi_value_of(value, &event);
	if (what == SMI_FAULT)
		take_fault(c, q, f, value);
	if (what != SMI_VALUE)
		value = SV_LIT("");
	if (draw >= 0)
		hold_draw(c, q, draw, value);
	else if (f->kind == SMI_PROCESS && !take_process(c, q, (enum smi_process)f->arg, value))
		return gpudx_reject(c, "a process id is no number");
	else if (f->kind == SMI_MIG)
		take_mig(c, q, (enum smi_mig)f->arg, value);
	else if (what == SMI_VALUE && f->kind != SMI_PROCESS && !take_value(c, q, f, value))
		return gpudx_reject(c, "a value is not one of its field");
	return GPUDX_TAKEN;
}

void smi_q_begin(struct gpudx_ctx *c, struct smi_q_block *q)
{
	q->series.arena = gpudx_memory(c);
	q->unnamed.id = GPUDX_GPU_NONE;
	block_reset(q);
}
