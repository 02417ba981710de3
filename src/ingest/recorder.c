#include "ingest/recorder.h"

#include <stdio.h>

enum { TEXT_KEPT = 16 << 10 }; /* longer lines are shortened in the database */

static const char *const clock_words[] = { "none", "boot", "noyear", "local", "utc" };

static struct gpudx_row row(struct gpudx_recorder *r, enum gpudx_table t)
{
	struct gpudx_row out;

	gpudx_row_begin(&out, gpudx_store_rows(r->store), t);
	return out;
}

static void line_id(struct gpudx_row *w, const struct gpudx_rec *rec)
{
	gpudx_row_int(w, gpudx_line_id(rec->source, rec->line));
}

static void ref_id(struct gpudx_row *w, uint32_t ref)
{
	gpudx_row_unless(w, ref, 0);
}

void gpudx_recorder_line(struct gpudx_recorder *r, uint32_t source, const struct gpudx_line *line)
{
	struct gpudx_row w = row(r, GPUDX_T_LINE);

	gpudx_row_int(&w, gpudx_line_id(source, line->no));
	gpudx_row_int(&w, line->offset);
	gpudx_row_text(&w, sv_first(line->text.p ? line->text : SV_LIT(""), TEXT_KEPT));
	gpudx_row_end(&w);
}

static void put_ref(struct gpudx_recorder *r, const struct gpudx_rec *rec)
{
	const struct gpudx_gpu_id *id = rec->ref;
	struct gpudx_row w = row(r, GPUDX_T_REF);
	char bdf[GPUDX_BDF_TEXT];

	gpudx_row_int(&w, rec->id);
	gpudx_row_int(&w, rec->source);
	gpudx_row_int(&w, rec->boot);
	gpudx_row_unless(&w, id->idx, -1);
	gpudx_row_text(&w, id->uuid);
	gpudx_row_text(&w, id->serial);
	gpudx_row_str(&w, id->bdf.known ? gpudx_bdf_text(id->bdf, bdf) : NULL);
	gpudx_row_unless(&w, id->gi, -1);
	gpudx_row_unless(&w, id->ci, -1);
	line_id(&w, rec);
	gpudx_row_int(&w, id->placed);
	gpudx_row_end(&w);
}

static void put_sample(struct gpudx_recorder *r, const struct gpudx_rec *rec)
{
	int64_t rowid = gpudx_store_sample(r->store, rec->sample);

	if (gpudx_series_add(r->series, rec->sample, rowid) && r->sample_lines < GPUDX_LINES_KEPT) {
		r->sample_lines++;
		r->ctx->cited = r->ctx->context = true;
	}
}

static void put_fact(struct gpudx_recorder *r, const struct gpudx_rec *rec)
{
	const struct gpudx_fact *f = rec->fact;
	struct gpudx_row w = row(r, GPUDX_T_FACT);

	gpudx_row_int(&w, rec->source);
	ref_id(&w, f->ref);
	gpudx_row_int(&w, rec->boot);
	gpudx_row_text(&w, f->key);
	gpudx_row_text(&w, f->layer.p ? f->layer : SV_LIT(""));
	gpudx_row_text(&w, f->value);
	if (f->has_num)
		gpudx_row_real(&w, f->num);
	else
		gpudx_row_null(&w);
	gpudx_row_null(&w); /* the unit is that of the key: derive fills it from kb_fact_keys */
	gpudx_row_time(&w, f->stamp.t_us);
	gpudx_row_str(&w, clock_words[f->stamp.kind]);
	line_id(&w, rec);
	gpudx_row_end(&w);
}

static void put_event_line(struct gpudx_recorder *r, const struct gpudx_rec *rec, const char *role)
{
	struct gpudx_row w = row(r, GPUDX_T_EVENT_LINE);

	gpudx_row_int(&w, rec->id);
	line_id(&w, rec);
	gpudx_row_str(&w, role);
	gpudx_row_end(&w);
}

/* The whole text as a number: decimal, or hexadecimal behind 0x. Registers of 64 bits lose their
 * low bits, as any real column would lose them. */
static bool attr_number(struct gpudx_sv s, double *num)
{
	uint64_t v;

	if (sv_lit(&s, "0x")) {
		if (!sv_hex(&s, 1, 16, &v) || s.n)
			return false;
		*num = (double)v;
		return true;
	}
	return sv_decimal(&s, num) && !s.n;
}

static void put_attrs(struct gpudx_recorder *r, uint32_t id, const struct gpudx_event *e)
{
	for (unsigned i = 0; i < e->nattrs; i++) {
		struct gpudx_row w = row(r, GPUDX_T_EVENT_ATTR);
		double num;

		gpudx_row_int(&w, id);
		gpudx_row_text(&w, e->attrs[i].name);
		gpudx_row_text(&w, e->attrs[i].value);
		if (attr_number(e->attrs[i].value, &num))
			gpudx_row_real(&w, num);
		else
			gpudx_row_null(&w);
		gpudx_row_end(&w);
	}
}

static void put_event(struct gpudx_recorder *r, const struct gpudx_rec *rec)
{
	const struct gpudx_event *e = rec->event;
	struct gpudx_row w = row(r, GPUDX_T_EVENT);

	gpudx_row_int(&w, rec->id);
	gpudx_row_int(&w, rec->source);
	ref_id(&w, e->ref);
	gpudx_row_int(&w, rec->boot);
	gpudx_row_text(&w, e->kind);
	gpudx_row_unless(&w, e->code, -1);
	gpudx_row_time(&w, e->stamp.t_us);
	gpudx_row_str(&w, clock_words[e->stamp.kind]);
	gpudx_row_time(&w, e->stamp.mono_us);
	gpudx_row_unless(&w, e->pid, -1);
	gpudx_row_text(&w, e->process);
	gpudx_row_text(&w, sv_first(e->text.p ? e->text : SV_LIT(""), TEXT_KEPT));
	gpudx_row_int(&w, e->repeats);
	line_id(&w, rec);
	gpudx_row_end(&w);
	put_event_line(r, rec, "first");
	put_attrs(r, rec->id, e);
}

static void put_more(struct gpudx_recorder *r, const struct gpudx_rec *rec)
{
	put_event_line(r, rec, "more");
	if (rec->event)
		put_attrs(r, rec->id, rec->event);
}

static void put_process(struct gpudx_recorder *r, const struct gpudx_rec *rec)
{
	const struct gpudx_process *p = rec->process;
	struct gpudx_row w = row(r, GPUDX_T_PROCESS);

	ref_id(&w, p->ref);
	gpudx_row_time(&w, p->t_us);
	gpudx_row_int(&w, p->seq);
	gpudx_row_unless(&w, p->pid, -1);
	gpudx_row_text(&w, p->type);
	gpudx_row_text(&w, p->name);
	gpudx_row_real(&w, p->sm_pct);
	gpudx_row_real(&w, p->mem_pct);
	gpudx_row_real(&w, p->fb_mib);
	gpudx_row_unless(&w, p->gi, -1);
	gpudx_row_unless(&w, p->ci, -1);
	line_id(&w, rec);
	gpudx_row_end(&w);
}

static void speed_width(struct gpudx_row *w, double gts, unsigned width)
{
	if (gts > 0)
		gpudx_row_real(w, gts);
	else
		gpudx_row_null(w);
	gpudx_row_unless(w, width, 0);
}

static void other_line(struct gpudx_row *w, const struct gpudx_rec *rec, uint32_t line)
{
	gpudx_row_unless(w, line ? gpudx_line_id(rec->source, line) : 0, 0);
}

static void put_device(struct gpudx_recorder *r, const struct gpudx_rec *rec)
{
	const struct gpudx_device *d = rec->device;
	struct gpudx_row w = row(r, GPUDX_T_DEVICE);
	char bdf[GPUDX_BDF_TEXT];

	gpudx_row_int(&w, rec->source);
	ref_id(&w, d->ref);
	gpudx_row_str(&w, d->bdf.known ? gpudx_bdf_text(d->bdf, bdf) : NULL);
	gpudx_row_unless(&w, d->class_id, UINT32_MAX);
	gpudx_row_unless(&w, d->vendor_id, UINT32_MAX);
	gpudx_row_unless(&w, d->device_id, UINT32_MAX);
	gpudx_row_text(&w, d->name);
	gpudx_row_text(&w, d->driver);
	gpudx_row_text(&w, d->slot);
	gpudx_row_text(&w, d->port_type);
	speed_width(&w, d->cap_gts, d->cap_width);
	speed_width(&w, d->sta_gts, d->sta_width);
	gpudx_row_real(&w, d->target_gts > 0 ? d->target_gts : 0.0 / 0.0);
	gpudx_row_unless(&w, d->secondary_bus, -1);
	gpudx_row_unless(&w, d->subordinate_bus, -1);
	gpudx_row_unless(&w, d->numa_node, -1);
	gpudx_row_unless(&w, d->iommu_group, -1);
	gpudx_row_text(&w, d->ue_status);
	gpudx_row_text(&w, d->ce_status);
	gpudx_row_text(&w, d->acs_ctl);
	gpudx_row_int(&w, d->dead);
	gpudx_row_int(&w, d->denied);
	line_id(&w, rec);
	other_line(&w, rec, d->line_cap);
	other_line(&w, rec, d->line_sta);
	gpudx_row_end(&w);
}

static void put_anchor(struct gpudx_recorder *r, const struct gpudx_rec *rec)
{
	const struct gpudx_anchor *a = rec->anchor;
	struct gpudx_row w = row(r, GPUDX_T_ANCHOR);

	gpudx_row_int(&w, rec->source);
	gpudx_row_int(&w, rec->boot);
	gpudx_row_text(&w, a->kind);
	gpudx_row_time(&w, a->mono_us);
	gpudx_row_time(&w, a->local_us);
	gpudx_row_time(&w, a->utc_us);
	gpudx_row_unless(&w, a->has_offset ? a->offset_min : INT32_MIN, INT32_MIN);
	line_id(&w, rec);
	gpudx_row_end(&w);
}

static void put_instance(struct gpudx_recorder *r, const struct gpudx_rec *rec)
{
	const struct gpudx_instance *i = rec->instance;
	struct gpudx_row w = row(r, GPUDX_T_INSTANCE);

	gpudx_row_int(&w, i->ref);
	gpudx_row_unless(&w, i->gi, -1);
	gpudx_row_unless(&w, i->ci, -1);
	gpudx_row_text(&w, i->profile);
	gpudx_row_text(&w, i->uuid);
	line_id(&w, rec);
	gpudx_row_end(&w);
}

/* The id of a series; its row is written when it is met first. */
static uint32_t metric_id(struct gpudx_recorder *r, const struct gpudx_rec *rec)
{
	const struct gpudx_metric *m = rec->metric;
	char key[128];
	int n = snprintf(key, sizeof(key), "%u/%u/%.*s", rec->source, m->ref,
			 (int)sv_first(m->key, 80).n, m->key.p);
	bool is_new;
	uint32_t *id = gpudx_map_at(&r->metric_ids, sv_n(key, n > 0 ? (size_t)n : 0), &is_new);
	struct gpudx_row w;

	if (!id)
		return 0;
	if (is_new) {
		*id = ++r->metrics;
		w = row(r, GPUDX_T_METRIC);
		gpudx_row_int(&w, *id);
		ref_id(&w, m->ref);
		gpudx_row_int(&w, rec->source);
		gpudx_row_text(&w, m->key);
		gpudx_row_text(&w, m->unit);
		gpudx_row_end(&w);
	}
	return *id;
}

static void put_metric(struct gpudx_recorder *r, const struct gpudx_rec *rec)
{
	uint32_t id = metric_id(r, rec);
	struct gpudx_row w;

	if (!id)
		return;
	w = row(r, GPUDX_T_METRIC_SAMPLE);
	gpudx_row_int(&w, id);
	gpudx_row_int(&w, rec->line);
	gpudx_row_time(&w, rec->metric->t_us);
	gpudx_row_int(&w, rec->metric->seq);
	gpudx_row_real(&w, rec->metric->value);
	gpudx_row_end(&w);
}

static void put_reject(struct gpudx_recorder *r, const struct gpudx_rec *rec)
{
	struct gpudx_row w;

	if (r->ctx->rejected > GPUDX_REJECTS_KEPT) {
		r->ctx->cited = false;
		return;
	}
	w = row(r, GPUDX_T_REJECT);
	gpudx_row_int(&w, rec->source);
	line_id(&w, rec);
	gpudx_row_str(&w, rec->reject);
	gpudx_row_end(&w);
}

static void recorder_put(struct gpudx_sink *sink, const struct gpudx_rec *rec)
{
	static void (*const put[])(struct gpudx_recorder *, const struct gpudx_rec *) = {
		[GPUDX_REC_REF] = put_ref,	   [GPUDX_REC_FACT] = put_fact,
		[GPUDX_REC_EVENT] = put_event,	   [GPUDX_REC_MORE] = put_more,
		[GPUDX_REC_PROCESS] = put_process, [GPUDX_REC_DEVICE] = put_device,
		[GPUDX_REC_ANCHOR] = put_anchor,   [GPUDX_REC_INSTANCE] = put_instance,
		[GPUDX_REC_METRIC] = put_metric,   [GPUDX_REC_REJECT] = put_reject,
	};
	struct gpudx_recorder *r = (struct gpudx_recorder *)sink;

	if (r->held->no && rec->line == r->held->no)
		gpudx_recorder_line(r, rec->source, r->held);
	if (rec->kind == GPUDX_REC_SAMPLE)
		put_sample(r, rec);
	else if (rec->kind == GPUDX_REC_REASONS)
		gpudx_series_reasons(r->series, rec->id, rec->reasons);
	else
		put[rec->kind](r, rec);
}

void gpudx_recorder_init(struct gpudx_recorder *r, struct gpudx_store *store)
{
	*r = (struct gpudx_recorder){ .sink = { recorder_put }, .store = store };
}
