#include "parse/prom_smi.h"

#include "parse/smi_value.h"

#include <math.h>
#include <stdio.h>

static const struct unit {
	const char *suffix;
	double scale; /* from the exporter's unit to ours */
} units[] = {
	{ "_clock_hz", 1e-6 }, { "_bytes", 1.0 / (1 << 20) },
	{ "_ratio", 100 },     { "_seconds", 1e6 },
	{ "_watts", 1 },       { "_celsius", 1 },
	{ "_hz", 1e-6 },
};

/* Words that nvidia-smi prints for these and the exporter numbers; the numbers of other words are
 * its own. */
static const struct word {
	const char *key, *off, *on;
} words[] = {
	{ "ecc.mode", "disabled", "enabled" },
	{ "ecc.mode_pending", "disabled", "enabled" },
	{ "persistence.mode", "disabled", "enabled" },
	{ "accounting.mode", "disabled", "enabled" },
	{ "mig.mode", "disabled", "enabled" },
	{ "mig.mode_pending", "disabled", "enabled" },
	{ "display.active", "disabled", "enabled" },
	{ "retired.pending", "no", "yes" },
	{ "remap.pending", "no", "yes" },
	{ "remap.failure", "no", "yes" },
};

static const struct word *word_of(const char *key)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (sv_is(sv_str(key), words[i].key))
			return &words[i];
	return NULL;
}

static const struct smi_field *field_of(struct gpudx_sv name, double *scale)
{
	const struct smi_field *f = smi_field_spelled(name);

	*scale = 1;
	for (size_t i = 0; !f && i < sizeof(units) / sizeof(units[0]); i++) {
		if (!sv_ends(name, units[i].suffix))
			continue;
		*scale = units[i].scale;
		f = smi_field_spelled(sv_first(name, name.n - strlen(units[i].suffix)));
	}
	return f;
}

void prom_smi_what(struct prom_what *w, const struct prom_line *l)
{
	struct gpudx_sv name = sv_from(l->name, strlen("nvidia_smi_"));
	const struct smi_field *f;

	if (sv_is(name, "gpu_info"))
		w->kind = PROM_INFO;
	else if (sv_is(name, "compute_app_used_memory_bytes"))
		w->kind = PROM_PROCESS;
	f = field_of(name, &w->scale);
	if (!f || w->kind != PROM_NONE)
		return;
	snprintf(w->key, sizeof(w->key), "%s", f->key);
	if (f->kind == SMI_COL) {
		w->kind = PROM_COL;
		w->col = (enum gpudx_col)f->arg;
	} else if (f->kind == SMI_PSTATE || f->kind == SMI_MASK) {
		w->kind = PROM_COL;
		w->col = f->kind == SMI_MASK ? GPUDX_COL_REASONS : GPUDX_COL_PSTATE;
	} else if (f->kind == SMI_REASON) {
		w->kind = PROM_COL;
		w->col = GPUDX_COL_REASONS;
		w->bit = f->arg;
	} else if (f->kind == SMI_METRIC) {
		w->kind = PROM_SERIES;
	} else if (f->kind == SMI_NUM || (f->kind == SMI_WORD && word_of(f->key))) {
		w->kind = PROM_FACT;
	}
}

void prom_smi_fact(struct gpudx_ctx *c, uint32_t ref, const struct prom_what *w, double v)
{
	const struct word *word = word_of(w->key);

	if (word)
		gpudx_fact(c, ref, w->key, "nvml", sv_str(v > 0 ? word->on : word->off));
	else
		gpudx_fact_num(c, ref, w->key, "nvml", v);
}

void prom_smi_info(struct gpudx_ctx *c, uint32_t ref, const struct prom_line *l)
{
	static const struct {
		const char *label, *key;
		bool host;
	} infos[] = {
		{ "name", "gpu.name", false },
		{ "vbios_version", "gpu.vbios", false },
		{ "driver_version", "driver.version", true },
		{ "cuda_version", "cuda.driver_max", true },
		{ "driver_model_current", "driver_model.current", true },
	};
	const char *event = NULL;

	for (size_t i = 0; i < sizeof(infos) / sizeof(infos[0]); i++) {
		struct gpudx_sv v = prom_label(l, infos[i].label);

		if (v.n && smi_value_of(v, &event) == SMI_VALUE && (infos[i].host || ref))
			gpudx_fact(c, infos[i].host ? 0 : ref, infos[i].key, "nvml", v);
	}
}

void prom_smi_process(struct gpudx_ctx *c, uint32_t ref, const struct prom_line *l, int64_t t_us,
		      int64_t seq)
{
	struct gpudx_sv pid = prom_label(l, "pid");
	struct gpudx_process p = {
		.ref = ref, .t_us = t_us, .seq = seq, .type = SV_LIT("C"), .gi = -1, .ci = -1
	};
	uint64_t n;

	if (!sv_u64(&pid, &n) || pid.n || n > INT32_MAX)
		return;
	p.pid = (int64_t)n;
	p.name = prom_label(l, "process_name");
	p.sm_pct = p.mem_pct = (double)NAN;
	p.fb_mib = l->value / (1 << 20);
	gpudx_put_process(c, &p);
}
