#include "parse/prom_series.h"

#include "base/hostname.h"

#include "parse/prom_node.h"
#include "parse/prom_smi.h"

#include <stdio.h>

bool prom_is_ours(struct gpudx_sv name)
{
	static const char *const starts[] = { "DCGM_FI_",      "DCGM_EXP_",  "nvidia_smi_",
					      "nv_inference_", "nv_gpu_",    "nv_energy_",
					      "nv_cache_",     "nv_pinned_", "nv_cpu_",
					      "vllm:",	       "sglang:",    "node_" };

	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
		if (sv_starts(name, starts[i]))
			return true;
	return false;
}

/* ---- hosts ---- */

/* The name that a host gives itself, or that its cluster gives it: not of a container or pod. */
static struct gpudx_sv own_name(const struct prom_line *l)
{
	static const char *const labels[] = {
		"Hostname",  "hostname", "exported_hostname", "nodename",     "node",
		"node_name", "nodeName", "kubernetes_node",   "exported_node"
	};

	for (size_t i = 0; i < sizeof(labels) / sizeof(labels[0]); i++) {
		struct gpudx_sv name = prom_label(l, labels[i]);

		if (name.n && name.n < 256 && gpudx_host_names_machine(name))
			return name;
	}
	return SV_LIT("");
}

/* "10.0.3.7" of instance="10.0.3.7:9400". */
static struct gpudx_sv address_of(const struct prom_line *l)
{
	struct gpudx_sv s = prom_label(l, "instance");

	s = sv_first(s, sv_index(s, ':'));
	return gpudx_host_names_machine(s) ? s : SV_LIT("");
}

static struct prom_target *target_of(struct gpudx_ctx *c, struct prom *p, struct gpudx_sv address,
				     struct gpudx_sv name)
{
	struct prom_target *t = p->targets;

	while (t && !sv_eq(t->address, address))
		t = t->next;
	if (t || !name.n)
		return t;
	t = gpudx_arena_alloc(gpudx_memory(c), sizeof(*t));
	if (!t)
		return NULL;
	t->address = gpudx_arena_sv(gpudx_memory(c), address);
	t->name = gpudx_arena_sv(gpudx_memory(c), name);
	t->next = p->targets;
	return t->address.p && t->name.p ? (p->targets = t) : NULL;
}

/* Exporters of one machine call it by its name, or only by where they were reached. */
static void look_at_host(struct gpudx_ctx *c, struct prom *p, const struct prom_line *l)
{
	struct gpudx_sv name = own_name(l), address = address_of(l);
	const struct prom_target *t = NULL;
	bool sure = name.n > 0;

	if (address.n)
		t = target_of(c, p, address, name);
	if (!name.n)
		name = t ? t->name : address;
	p->host = name;
	gpudx_of_host(c, name, sure);
}

/* ---- GPUs ---- */

static struct gpudx_sv label_uuid(const struct prom_line *l, char buf[48])
{
	struct gpudx_sv u = prom_label(l, "UUID uuid gpu_uuid");
	int n;

	/* nvidia_gpu_exporter leaves "GPU-" out. */
	if (u.n != 36 || sv_has(u, "GPU-"))
		return u;
	n = snprintf(buf, 48, "GPU-%.*s", (int)u.n, u.p);
	return sv_n(buf, n > 0 ? (size_t)n : 0);
}

static int32_t label_int(const struct prom_line *l, const char *names)
{
	struct gpudx_sv s = prom_label(l, names);
	uint64_t v;

	return sv_u64(&s, &v) && !s.n && v < 65536 ? (int32_t)v : -1;
}

static bool has_digit_but_zero(struct gpudx_sv s)
{
	for (size_t i = 0; i < s.n; i++)
		if (sv_is_digit(s.p[i]) && s.p[i] != '0')
			return true;
	return false;
}

static bool label_gpu(const struct prom_line *l, struct gpudx_gpu_id *id, char uuid[48])
{
	bool smi = sv_starts(l->name, "nvidia_smi_");

	*id = GPUDX_GPU_NONE;
	id->uuid = label_uuid(l, uuid);
	if (!id->uuid.n)
		id->uuid.p = NULL;
	id->idx = smi ? label_int(l, "index") : label_int(l, "gpu");
	gpudx_bdf_parse(prom_label(l, "pci_bus_id"), &id->bdf);
	id->serial = prom_label(l, "serial");
	/* zeros only, "[N/A]": none */
	if (!has_digit_but_zero(id->serial))
		id->serial.p = NULL;
	return id->uuid.p || id->idx >= 0 || id->bdf.known;
}

static struct prom_gpu *gpu_of_key(struct gpudx_ctx *c, struct prom *p, struct gpudx_sv key)
{
	struct prom_gpu *g = p->at, **end = &p->gpus;

	if (g && sv_eq(g->key, key))
		return g;
	for (; *end; end = &(*end)->next)
		if (sv_eq((*end)->key, key))
			return p->at = *end;
	if (p->ngpus >= PROM_GPUS || !(g = gpudx_arena_alloc(gpudx_memory(c), sizeof(*g))))
		return NULL;
	g->key = gpudx_arena_sv(gpudx_memory(c), key);
	if (!g->key.p)
		return NULL;
	g->number = p->ngpus++;
	*end = g;
	return p->at = g;
}

static struct prom_gpu *gpu_of(struct gpudx_ctx *c, struct prom *p, const struct prom_line *l)
{
	struct gpudx_sv host = sv_first(p->host, 60);
	struct gpudx_gpu_id id;
	char uuid[48], bdf[GPUDX_BDF_TEXT], key[120];
	struct prom_gpu *g;
	int n;

	if (!label_gpu(l, &id, uuid))
		return NULL;
	if (id.uuid.p)
		n = snprintf(key, sizeof(key), "%.*s", (int)sv_first(id.uuid, 60).n, id.uuid.p);
	else
		n = snprintf(key, sizeof(key), "%.*s/%d/%s", (int)host.n, host.n ? host.p : "",
			     id.idx, gpudx_bdf_text(id.bdf, bdf));
	g = gpu_of_key(c, p, sv_n(key, n > 0 ? (size_t)n : 0));
	if (!g)
		return NULL;
	/* Every spelling is recorded; the values stay with the first. */
	n = (int)gpudx_ref(c, &id);
	if (!g->ref)
		g->ref = (uint32_t)n;
	return g;
}

/* The ref of a MIG slice, or that of its GPU. */
static uint32_t slice_ref(struct gpudx_ctx *c, const struct prom_gpu *g, const struct prom_line *l)
{
	struct gpudx_gpu_id id;
	char uuid[48];
	int32_t gi = label_int(l, "GPU_I_ID");

	if (gi < 0 || !label_gpu(l, &id, uuid))
		return g->ref;
	id.gi = gi;
	return gpudx_ref(c, &id);
}

/* Once for each slice. */
static void put_slice(struct gpudx_ctx *c, struct prom_gpu *g, const struct prom_line *l)
{
	struct gpudx_instance i = { .ref = g->ref, .gi = label_int(l, "GPU_I_ID"), .ci = -1 };

	i.profile = prom_label(l, "GPU_I_PROFILE");
	if (i.gi < 0 || i.gi > 63 || !i.profile.n || g->slices >> i.gi & 1)
		return;
	g->slices |= UINT64_C(1) << i.gi;
	gpudx_put_instance(c, &i);
}

/* ---- what labels say beside ---- */

static void look_at_labels(struct gpudx_ctx *c, const struct prom_line *l, struct prom_gpu *g)
{
	struct gpudx_sv v;

	if (!sv_starts(l->name, "DCGM_"))
		return;
	v = prom_label(l, "modelName");
	if (v.n)
		gpudx_fact(c, g->ref, "gpu.name", "nvml", v);
	put_slice(c, g, l);
	v = prom_label(l, "DCGM_FI_DRIVER_VERSION DCGM_FI_SYSTEM_DRIVER_VERSION");
	if (v.n && sv_is_digit(v.p[0]))
		gpudx_fact(c, 0, "driver.version", "nvml", v);
}

/* ---- what a series is ---- */

static void set_key(struct prom_what *w, const char *prefix, struct gpudx_sv name,
		    struct gpudx_sv a, struct gpudx_sv b)
{
	int n = snprintf(w->key, sizeof(w->key), "%s%.*s%s%.*s%s%.*s", prefix,
			 (int)sv_first(name, 60).n, name.p, a.n ? "/" : "", (int)sv_first(a, 40).n,
			 a.n ? a.p : "", b.n ? "/" : "", (int)sv_first(b, 12).n, b.n ? b.p : "");

	for (int i = 0; i < n && w->key[i]; i++)
		w->key[i] = sv_lower(w->key[i]);
	w->kind = PROM_SERIES;
}

static bool is_distribution(const struct prom_line *l)
{
	return sv_ends(l->name, "_bucket") || prom_label(l, "le quantile").n > 0;
}

static void what_dcgm(struct prom_what *w, const struct prom_line *l)
{
	static const enum prom_kind kinds[] = {
		[METRIC_SKIP] = PROM_NONE,     [METRIC_COL] = PROM_COL,
		[METRIC_SERIES] = PROM_SERIES, [METRIC_FACT] = PROM_FACT,
		[METRIC_ONOFF] = PROM_FACT,    [METRIC_YESNO] = PROM_FACT,
		[METRIC_TEXT] = PROM_NONE,     [METRIC_XID] = PROM_XID,
	};
	bool slice = prom_label(l, "GPU_I_ID").n > 0;

	w->field = metric_field(l->name);
	if (prom_label(l, "xid").n) {
		w->kind = PROM_XID;
	} else if (w->field) {
		w->kind = kinds[w->field->kind];
		w->col = w->field->col;
		w->scale = w->field->scale > 0 ? w->field->scale : 1;
		snprintf(w->key, sizeof(w->key), "%s", w->field->key);
	} else if (sv_starts(l->name, "DCGM_FI_")) {
		set_key(w, "dcgm.", sv_from(l->name, 8), prom_label(l, "nvlink nvswitch"),
			SV_LIT(""));
	} else {
		set_key(w, "dcgm.", sv_from(l->name, 5), prom_label(l, "clock_event"), SV_LIT(""));
	}
	if (slice && w->kind == PROM_COL && !w->field->whole_gpu) {
		w->kind = PROM_SERIES;
		snprintf(w->key, sizeof(w->key), "mig.memory_used_mib");
	}
}

static void what_server(struct prom_what *w, const struct prom_line *l)
{
	struct gpudx_sv name = l->name, app;
	char prefix[16];

	if (is_distribution(l))
		return;
	if (sv_lit(&name, "nv_")) {
		w->field = metric_field(l->name);
		set_key(w, "triton.", name, prom_label(l, "model"), prom_label(l, "version"));
		return;
	}
	if (!sv_until(&name, ":", &app))
		return;
	snprintf(prefix, sizeof(prefix), "%.*s.", (int)sv_first(app, 12).n, app.p);
	set_key(w, prefix, name, prom_label(l, "engine"), SV_LIT(""));
}

void prom_what(struct gpudx_ctx *c, struct prom *p, const struct prom_line *l, struct prom_what *w)
{
	const struct metric_field *f = metric_field(l->name);

	*w = (struct prom_what){ .kind = PROM_NONE, .scale = 1 };
	if (!prom_is_ours(l->name))
		return;
	look_at_host(c, p, l);
	w->gpu = gpu_of(c, p, l);
	w->ref = w->gpu ? slice_ref(c, w->gpu, l) : 0;
	if (w->gpu)
		look_at_labels(c, l, w->gpu);
	if (sv_starts(l->name, "node_"))
		w->kind = PROM_NODE;
	else if (sv_starts(l->name, "nvidia_smi_"))
		prom_smi_what(w, l);
	else if (sv_starts(l->name, "DCGM_") || f)
		what_dcgm(w, l);
	else
		what_server(w, l);
	if (!w->gpu && (w->kind == PROM_COL || w->kind == PROM_FACT || w->kind == PROM_XID ||
			w->kind == PROM_PROCESS))
		w->kind = PROM_NONE;
}

/* ---- values ---- */

double prom_scaled(const struct prom_what *w, double v)
{
	if (w->bit)
		return v > 0 ? w->bit : 0;
	return v * w->scale;
}

void prom_set(struct gpudx_sample *s, enum gpudx_col col, double v)
{
	bool both = col == GPUDX_COL_REASONS && s->have & 1u << col && v >= 0 && v < 4294967296.0;

	gpudx_sample_set(s, col, both ? (double)((uint32_t)s->v[col] | (uint32_t)v) : v);
}

void prom_reason_known(struct gpudx_ctx *c, const struct prom_what *w)
{
	if (!w->bit || !w->gpu || (w->gpu->reasons & w->bit))
		return;
	w->gpu->reasons |= w->bit;
	gpudx_reasons_known(c, w->gpu->ref, w->gpu->reasons);
}

/* The gauge keeps the code of the last Xid: only when it changes has one happened, and the first
 * value does not say when. */
static void put_xid(struct gpudx_ctx *c, const struct prom_what *w, const struct prom_line *l,
		    int64_t t_us)
{
	struct gpudx_sv label = prom_label(l, "xid"), msg = prom_label(l, "err_msg");
	bool counted = label.n > 0;
	uint64_t code = l->value > 0 && l->value < 100000 ? (uint64_t)l->value : 0;
	struct prom_gpu *g = w->gpu;
	struct gpudx_event e = gpudx_event_of(SV_LIT("xid"), GPUDX_NO_STAMP, l->name);

	if (!metric_is_value(l->value) || (counted && (!code || !sv_u64(&label, &code))))
		return;
	e.ref = w->ref;
	if (g->xid_seen && t_us != GPUDX_NO_TIME) {
		e.stamp.kind = GPUDX_STAMP_UTC;
		e.stamp.t_us = t_us;
	}
	if (code && (int64_t)code != g->xid) {
		e.code = (int64_t)code;
		e.attrs[e.nattrs++] = (struct gpudx_attr){ SV_LIT("by"), SV_LIT("dcgm") };
		if (msg.n)
			e.attrs[e.nattrs++] = (struct gpudx_attr){ SV_LIT("what"), msg };
		gpudx_put_event(c, &e);
	}
	g->xid_seen = true;
	if (code || !counted)
		g->xid = (int64_t)code;
}

static void put_series(struct gpudx_ctx *c, const struct prom_what *w, double v, int64_t t_us,
		       int64_t seq)
{
	struct gpudx_metric m = {
		.ref = w->ref, .key = sv_str(w->key), .t_us = t_us, .seq = seq, .value = v
	};

	/* A board without this sensor says 0. */
	if (sv_is(m.key, "temp.memory_c") && !(v > 0))
		return;
	gpudx_put_metric(c, &m);
}

void prom_put(struct gpudx_ctx *c, const struct prom_what *w, const struct prom_line *l,
	      int64_t t_us, int64_t seq)
{
	double v = prom_scaled(w, l->value);

	if (w->kind == PROM_INFO) {
		prom_smi_info(c, w->ref, l);
		return;
	}
	if (!metric_is_value(l->value))
		return;
	if (w->kind == PROM_COL) {
		struct gpudx_sample *s = &w->gpu->step;

		if (!s->have)
			s->line = gpudx_this_line(c)->no;
		prom_set(s, w->col, v);
		prom_reason_known(c, w);
		if (w->field)
			metric_fact(c, w->gpu->ref, w->field, v);
		else if (w->key[0])
			gpudx_fact_num(c, w->gpu->ref, w->key, "nvml", v);
	} else if (w->kind == PROM_SERIES) {
		put_series(c, w, v, t_us, seq);
	} else if (w->kind == PROM_FACT && w->field) {
		metric_fact(c, w->gpu->ref, w->field, v);
	} else if (w->kind == PROM_FACT) {
		prom_smi_fact(c, w->gpu->ref, w, v);
	} else if (w->kind == PROM_XID) {
		put_xid(c, w, l, t_us);
	} else if (w->kind == PROM_PROCESS) {
		prom_smi_process(c, w->gpu->ref, l, t_us, seq);
	} else if (w->kind == PROM_NODE) {
		prom_node_put(c, l, t_us, seq);
	}
}

void prom_step(struct gpudx_ctx *c, struct prom *p, int64_t t_us, int64_t seq)
{
	for (struct prom_gpu *g = p->gpus; g; g = g->next) {
		struct gpudx_sample *s = &g->step;

		if (!s->have)
			continue;
		s->ref = g->ref;
		s->t_us = t_us;
		s->seq = seq;
		gpudx_put_sample(c, s);
		*s = (struct gpudx_sample){ .have = 0 };
	}
}
