/* A comparison for programs. docs/compare.md says what the names mean. */
#include "report/cmp.h"

#include <math.h>

#include "base/stamp.h"
#include "report/jsonw.h"

static void put_side(struct rep_json *j, const char *name, const struct cmp_side *s)
{
	gpudx_json_open(j, name, '{');
	gpudx_json_str(j, "label", s->label);
	gpudx_json_str(j, "driver", gpudx_cmp_term(s, "driver.version"));
	gpudx_json_open(j, "gpus", '[');
	for (size_t i = 0; i < s->ngpus; i++) {
		const struct cmp_gpu *g = &s->gpus[i];

		gpudx_json_open(j, NULL, '{');
		gpudx_json_str(j, "label", g->label);
		gpudx_json_str(j, "host", g->host);
		gpudx_json_str(j, "uuid", g->uuid);
		gpudx_json_str(j, "serial", g->serial);
		gpudx_json_str(j, "bdf", g->bdf);
		gpudx_json_str(j, "name", g->name);
		gpudx_json_close(j);
	}
	gpudx_json_close(j);
	gpudx_json_close(j);
}

static void put_both(struct rep_json *j, const char *name, double before, double after)
{
	gpudx_json_open(j, name, '{');
	gpudx_json_real(j, "before", before);
	gpudx_json_real(j, "after", after);
	gpudx_json_close(j);
}

static void put_pair(struct rep_json *j, const struct gpudx_comparison *c, size_t i)
{
	const struct cmp_pair *p = &c->pairs[i];
	const struct cmp_load *l = &c->loads[i];

	gpudx_json_open(j, NULL, '{');
	gpudx_json_str(j, "before", c->side[0].gpus[p->gpu[0]].label);
	gpudx_json_str(j, "after", c->side[1].gpus[p->gpu[1]].label);
	gpudx_json_str(j, "how", p->how);
	gpudx_json_bool(j, "comparable", l->comparable);
	gpudx_json_str(j, "why_not", l->why_not);
	gpudx_json_real(j, "overlap", l->overlap);
	put_both(j, "minutes", l->minutes[0], l->minutes[1]);
	put_both(j, "minutes_cut", l->cut_min[0], l->cut_min[1]);
	put_both(j, "throttle_after_s", l->throttle_after_s[0], l->throttle_after_s[1]);
	gpudx_json_open(j, "reasons", '[');
	for (int r = 0; r < CMP_REASONS; r++) {
		gpudx_json_open(j, NULL, '{');
		gpudx_json_int(j, "bit", gpudx_cmp_reasons[r].bit);
		gpudx_json_str(j, "name", gpudx_cmp_reasons[r].name);
		gpudx_json_real(j, "before", l->reason[0][r]);
		gpudx_json_real(j, "after", l->reason[1][r]);
		gpudx_json_close(j);
	}
	gpudx_json_close(j);
	gpudx_json_close(j);
}

static void put_slice(struct rep_json *j, const char *name, const struct cmp_slice *v)
{
	if (!v) {
		gpudx_json_null(j, name);
		return;
	}
	gpudx_json_open(j, name, '{');
	gpudx_json_str(j, "uuid", v->uuid);
	gpudx_json_str(j, "profile", v->profile);
	if (v->gi >= 0)
		gpudx_json_int(j, "gi", v->gi);
	else
		gpudx_json_null(j, "gi");
	gpudx_json_close(j);
}

static void put_slice_pair(struct rep_json *j, const struct gpudx_comparison *c,
			   const struct cmp_slice *before, const struct cmp_slice *after,
			   const char *how)
{
	int s = before ? CMP_BEFORE : CMP_AFTER;

	gpudx_json_open(j, NULL, '{');
	gpudx_json_str(j, "of", c->side[s].gpus[(before ? before : after)->gpu].label);
	put_slice(j, "before", before);
	put_slice(j, "after", after);
	gpudx_json_str(j, "how", how);
	gpudx_json_close(j);
}

/* Pairs, then what has no partner. */
static void put_slices(struct rep_json *j, const struct gpudx_comparison *c)
{
	const struct cmp_side *b = &c->side[CMP_BEFORE], *a = &c->side[CMP_AFTER];

	gpudx_json_open(j, "slices", '[');
	for (size_t i = 0; i < c->nslices; i++)
		put_slice_pair(j, c, &b->slices[c->slices[i].slice[CMP_BEFORE]],
			       &a->slices[c->slices[i].slice[CMP_AFTER]], c->slices[i].how);
	for (size_t i = 0; i < b->nslices; i++)
		if (!b->slices[i].paired)
			put_slice_pair(j, c, &b->slices[i], NULL, NULL);
	for (size_t i = 0; i < a->nslices; i++)
		if (!a->slices[i].paired)
			put_slice_pair(j, c, NULL, &a->slices[i], NULL);
	gpudx_json_close(j);
}

static void put_change(struct rep_json *j, const struct gpudx_comparison *c,
		       const struct cmp_change *k)
{
	gpudx_json_open(j, NULL, '{');
	gpudx_json_str(j, "key", k->key);
	gpudx_json_str(j, "layer", k->layer);
	gpudx_json_str(j, "before", k->value[0]);
	gpudx_json_str(j, "after", k->value[1]);
	gpudx_json_str(j, "unit", k->unit);
	gpudx_json_str(j, "class", k->lost ? "site policy lost" : gpudx_cmp_group(k->group));
	gpudx_json_str(j, "follows", k->follows);
	gpudx_json_str(j, "note", k->note);
	gpudx_json_open(j, "gpus", '[');
	for (size_t i = 0; i < c->npairs && k->of_gpus; i++)
		if (k->pairs[i])
			gpudx_json_str(j, NULL, c->side[0].gpus[c->pairs[i].gpu[0]].label);
	gpudx_json_close(j);
	gpudx_json_open(j, "evidence", '[');
	gpudx_json_str(j, NULL, k->place[0]);
	gpudx_json_str(j, NULL, k->place[1]);
	gpudx_json_close(j);
	gpudx_json_close(j);
}

static void put_range(struct rep_json *j, const char *name, struct cmp_range r)
{
	gpudx_json_open(j, name, '[');
	gpudx_json_real(j, NULL, r.lo);
	gpudx_json_real(j, NULL, r.hi);
	gpudx_json_close(j);
}

static void put_of(struct rep_json *j, const struct gpudx_comparison *c, int of)
{
	struct gpudx_arena a = { .limit = 1 << 12 };

	if (of >= 0)
		gpudx_json_str(j, "of", c->side[0].gpus[c->pairs[of].gpu[0]].label);
	else if (cmp_slice_no(of) >= 0)
		gpudx_json_str(j, "of", gpudx_slice_label(&a, c, of));
	else
		gpudx_json_str(j, "of",
			       of == CMP_OF_ALL	      ? "all"
			       : of == CMP_OF_SLOWEST ? "slowest"
						      : "job");
	gpudx_arena_free(&a);
}

static void put_shift(struct rep_json *j, const struct gpudx_comparison *c,
		      const struct cmp_shift *s)
{
	static const char *const verdicts[] = { "same", "better", "worse",
						"more", "less",	  "cannot_tell" };

	gpudx_json_open(j, NULL, '{');
	gpudx_json_str(j, "key", s->kind->key);
	gpudx_json_str(j, "name", s->kind->name);
	gpudx_json_str(j, "unit", s->kind->unit);
	gpudx_json_str(j, "role", s->kind->role);
	put_of(j, c, s->pair);
	gpudx_json_real(j, "quantile", s->quantile);
	put_both(j, "value", s->side[0]->value, s->side[1]->value);
	gpudx_json_real(j, "change", s->change);
	put_range(j, "interval", s->range);
	gpudx_json_real(j, "share", s->share);
	put_range(j, "share_interval", s->share_range);
	gpudx_json_str(j, "verdict", verdicts[s->verdict]);
	gpudx_json_bool(j, "sure", s->sure);
	gpudx_json_real(j, "held", s->by_reason ? s->held : (double)NAN);
	gpudx_json_str(j, "explained", s->explained);
	put_both(j, "minutes", s->minutes[0], s->minutes[1]);
	put_both(j, "block", (double)s->side[0]->block, (double)s->side[1]->block);
	gpudx_json_close(j);
}

static void put_rate(struct rep_json *j, const struct cmp_rate *r)
{
	gpudx_json_open(j, NULL, '{');
	gpudx_json_str(j, "kind", r->kind);
	if (r->code >= 0)
		gpudx_json_int(j, "code", r->code);
	else
		gpudx_json_null(j, "code");
	gpudx_json_str(j, "hours_of", r->of_gpus ? "gpu" : "host");
	put_both(j, "incidents", (double)r->n[0], (double)r->n[1]);
	put_both(j, "hours", r->hours[0], r->hours[1]);
	gpudx_json_real(j, "ratio", r->ratio);
	put_range(j, "interval", (struct cmp_range){ r->lo, r->hi });
	gpudx_json_real(j, "p", r->p);
	gpudx_json_bool(j, "sure", r->sure);
	gpudx_json_real(j, "hours_needed", r->hours_needed);
	gpudx_json_str(j, "first", r->place);
	gpudx_json_close(j);
}

/* Of times in seconds. */
static double counted(const struct cmp_counter *v, double value)
{
	return v->kind == CMP_COUNT_TIME ? value / 1e6 : value;
}

static void put_counter(struct rep_json *j, const struct gpudx_comparison *c,
			const struct cmp_counter *v)
{
	gpudx_json_open(j, NULL, '{');
	gpudx_json_str(j, "key", v->key);
	gpudx_json_str(j, "name", v->name);
	gpudx_json_str(j, "of", c->side[0].gpus[c->pairs[v->pair].gpu[0]].label);
	gpudx_json_str(j, "port", v->port);
	gpudx_json_str(j, "unit", v->kind == CMP_COUNT_TIME ? "s" : NULL);
	put_both(j, "value", counted(v, v->value[0]), counted(v, v->value[1]));
	gpudx_json_real(j, "growth", counted(v, v->growth));
	gpudx_json_bool(j, "restarted", v->restarted);
	gpudx_json_bool(j, "fell", v->fell);
	put_both(j, "hours", v->hours_before, v->hours);
	gpudx_json_str(j, "severity", v->grade ? gpudx_cmp_severity(v->grade) : NULL);
	gpudx_json_open(j, "evidence", '[');
	gpudx_json_str(j, NULL, v->place[0]);
	gpudx_json_str(j, NULL, v->place[1]);
	gpudx_json_close(j);
	gpudx_json_close(j);
}

static void put_texts(struct rep_json *j, const char *name, const char *const *v, size_t n)
{
	gpudx_json_open(j, name, '[');
	for (size_t i = 0; i < n; i++)
		gpudx_json_str(j, NULL, v[i]);
	gpudx_json_close(j);
}

static void put_contract(struct rep_json *j, const struct gpudx_comparison *c)
{
	gpudx_json_open(j, "changes", '[');
	for (size_t i = 0; i < c->nchanges; i++)
		put_change(j, c, &c->changes[i]);
	gpudx_json_close(j);
	put_texts(j, "same", c->same, c->nsame);
	put_texts(j, "only_before", c->one_sided[0], c->none_sided[0]);
	put_texts(j, "only_after", c->one_sided[1], c->none_sided[1]);
	put_texts(j, "refused", c->untranslated, c->nuntranslated);
}

static void put_findings(struct rep_json *j, const struct gpudx_comparison *c)
{
	gpudx_json_open(j, "findings", '[');
	for (size_t i = 0; i < c->nfindings; i++) {
		const struct cmp_finding *f = &c->findings[i];

		gpudx_json_open(j, NULL, '{');
		gpudx_json_str(j, "id", f->id);
		gpudx_json_str(j, "severity", gpudx_cmp_severity(f->severity));
		gpudx_json_str(j, "who", f->who);
		gpudx_json_str(j, "summary", f->text);
		gpudx_json_close(j);
	}
	gpudx_json_close(j);
}

static void put_gate(struct rep_json *j, const struct gpudx_comparison *c)
{
	static const char *const outcomes[] = { "pass", "fail", "inconclusive" };
	struct gpudx_compared sum = gpudx_comparison_sum(c);

	gpudx_json_open(j, "gate", '{');
	gpudx_json_bool(j, "failed", sum.gate_failed);
	gpudx_json_open(j, "conditions", '[');
	for (size_t i = 0; i < c->ngate; i++) {
		const struct cmp_condition *k = &c->gate[i];

		gpudx_json_open(j, NULL, '{');
		gpudx_json_str(j, "name", k->name);
		gpudx_json_str(j, "asked", k->asked);
		gpudx_json_str(j, "outcome", outcomes[k->outcome]);
		gpudx_json_str(j, "said", k->said);
		gpudx_json_str(j, "cause", k->cause);
		gpudx_json_str(j, "needs", k->needs);
		gpudx_json_close(j);
	}
	gpudx_json_close(j);
	gpudx_json_close(j);
}

void gpudx_cmp_json(const struct gpudx_comparison *c, struct gpudx_buf *b)
{
	struct rep_json j = { .b = b };

	gpudx_json_open(&j, NULL, '{');
	gpudx_json_str(&j, "schema", "gpudx/compare/1");
	gpudx_json_str(&j, "gpudx", gpudx_version());
	put_side(&j, "before", &c->side[CMP_BEFORE]);
	put_side(&j, "after", &c->side[CMP_AFTER]);
	gpudx_json_str(&j, "split_by", c->split_by);
	gpudx_json_str(&j, "lead", c->lead);
	gpudx_json_str(&j, "cause", c->cause);
	put_texts(&j, "reasons", c->reasons, c->nreasons);
	gpudx_json_bool(&j, "comparable", c->comparable);
	gpudx_json_open(&j, "pairs", '[');
	for (size_t i = 0; i < c->npairs; i++)
		put_pair(&j, c, i);
	gpudx_json_close(&j);
	put_slices(&j, c);
	put_contract(&j, c);
	gpudx_json_open(&j, "shifts", '[');
	for (size_t i = 0; i < c->nshifts; i++)
		put_shift(&j, c, &c->shifts[i]);
	gpudx_json_close(&j);
	gpudx_json_open(&j, "rates", '[');
	for (size_t i = 0; i < c->nrates; i++)
		put_rate(&j, &c->rates[i]);
	gpudx_json_close(&j);
	gpudx_json_open(&j, "counters", '[');
	for (size_t i = 0; i < c->ncounters; i++)
		put_counter(&j, c, &c->counters[i]);
	gpudx_json_close(&j);
	gpudx_json_str(&j, "no_counters", c->no_counters);
	put_texts(&j, "new_kinds", c->new_kinds, c->nnew_kinds);
	put_findings(&j, c);
	put_gate(&j, c);
	put_texts(&j, "next", c->next, c->nnext);
	gpudx_json_int(&j, "seed", (int64_t)c->options.seed);
	gpudx_json_close(&j);
	gpudx_buf_char(b, '\n');
}
