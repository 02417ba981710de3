/* The gate: a non-inferiority test. A condition passes when the whole interval lies on the good
 * side of what is allowed, fails when it lies on the bad side, and is inconclusive in between: then
 * it says what is missing. */
#include "compare/attribute.h"
#include "compare/behave.h"

#include <math.h>
#include <stdlib.h>

#include "base/num.h"
#include "compare/list.h"

enum { SENTENCE = 2048 };
static const double default_margin = 0.03;

struct gating {
	struct gpudx_comparison *c;
	struct gpudx_buf b;
	struct gpudx_err *err;
};

bool gpudx_parse_share(const char *text, double *out)
{
	struct gpudx_sv s = sv_trim(sv_str(text));
	bool pct = sv_ends(s, "%");

	if (pct)
		s = sv_rtrim(sv_first(s, s.n - 1));
	if (!gpudx_real(s, out))
		return false;
	if (pct)
		*out /= 100;
	return *out >= 0 && *out < 1;
}

static struct cmp_condition *add(struct gating *g, const char *name, const char *asked)
{
	struct cmp_condition *k = CMP_PUSH(&g->c->arena, g->c->gate, g->c->ngate);

	if (k)
		*k = (struct cmp_condition){ .name = name, .asked = asked };
	return asked && name ? k : NULL;
}

static enum gpudx_status said(struct gating *g, struct cmp_condition *k)
{
	k->said = gpudx_cmp_take(&g->c->arena, &g->b);
	if (k->outcome == CMP_FAIL)
		k->cause = g->c->cause;
	return k->said ? GPUDX_OK : gpudx_nomem(g->err);
}

/* ---- series ---- */

/* How much worse a series may have become: the interval of the loss, as a share. */
static struct cmp_range loss_of(const struct cmp_shift *s)
{
	if (s->kind->better == CMP_LOWER)
		return s->share_range;
	return (struct cmp_range){ -s->share_range.hi, -s->share_range.lo };
}

static double loss_at(const struct cmp_shift *s)
{
	return s->kind->better == CMP_LOWER ? s->share : -s->share;
}

static enum cmp_outcome outcome_of(const struct cmp_shift *s, double allowed)
{
	struct cmp_range r = loss_of(s);

	if (s->by_reason && loss_at(s) > allowed)
		return CMP_FAIL;
	if (r.hi <= allowed)
		return CMP_PASS;
	return r.lo > allowed ? CMP_FAIL : CMP_INCONCLUSIVE;
}

/* Worst outcome first, then the greatest loss. */
static bool worse(const struct cmp_shift *a, const struct cmp_shift *b, double allowed)
{
	static const int order[] = { [CMP_PASS] = 0, [CMP_INCONCLUSIVE] = 1, [CMP_FAIL] = 2 };
	int x = order[outcome_of(a, allowed)], y = order[outcome_of(b, allowed)];

	return x != y ? x > y : loss_of(a).hi > loss_of(b).hi;
}

/* Intervals shrink with the square root of time; where the loss is just what is allowed, no time is
 * enough. */
static const char *minutes_needed(struct gating *g, const struct cmp_shift *s, double allowed)
{
	struct cmp_range r = loss_of(s);
	double half = (r.hi - r.lo) / 2, way = fabs(allowed - loss_at(s));
	double have = fmin(s->minutes[0], s->minutes[1]);
	double more = have * (half * half / (way * way) - 1);

	if (!isfinite(more))
		return "longer traces under load";
	if (more > 60 * 24 * 7)
		return "no trace is long enough: the change is as large as what is allowed";
	return gpudx_arena_printf(&g->c->arena, "about %.0f more minute%s under load on each side",
				  fmax(1, ceil(more)), more <= 1 ? "" : "s");
}

static const char *gpu_of(const struct gpudx_comparison *c, const struct cmp_shift *s)
{
	return s->pair < 0 ? NULL
			   : c->side[CMP_BEFORE].gpus[c->pairs[s->pair].gpu[CMP_BEFORE]].label;
}

static enum gpudx_status judge_series(struct gating *g, struct cmp_condition *k,
				      const struct cmp_shift *s, double allowed)
{
	struct cmp_range r;
	const char *gpu;

	if (!s) {
		k->outcome = CMP_INCONCLUSIVE;
		k->needs = "such a series under equal load on both sides";
		gpudx_buf_str(&g->b, g->c->comparable || !g->c->npairs
					     ? "no such series on both sides"
					     : g->c->loads[0].why_not);
		return said(g, k);
	}
	k->outcome = outcome_of(s, allowed);
	if (k->outcome == CMP_INCONCLUSIVE && !(k->needs = minutes_needed(g, s, allowed)))
		return gpudx_nomem(g->err);
	r = loss_of(s);
	gpu = gpu_of(g->c, s);
	gpudx_buf_printf(&g->b, "%s", s->kind->name);
	if (s->quantile != 0.5)
		gpudx_buf_printf(&g->b, " p%.0f", s->quantile * 100);
	gpudx_buf_printf(&g->b, " %.4g → %.4g, %.1f %% worse [%.1f, %.1f], %.3g %% allowed",
			 s->side[0]->value, s->side[1]->value, 100 * loss_at(s), 100 * r.lo,
			 100 * r.hi, 100 * allowed);
	if (gpu)
		gpudx_buf_printf(&g->b, ", %s", gpu);
	return said(g, k);
}

static const struct cmp_shift *worst_of_role(const struct gpudx_comparison *c, const char *role,
					     double allowed)
{
	const struct cmp_shift *w = NULL;

	for (size_t i = 0; i < c->nshifts; i++) {
		const struct cmp_shift *s = &c->shifts[i];

		if (strcmp(s->kind->role, role) == 0 && isfinite(s->share) &&
		    gpudx_shift_single(s) && (!w || worse(s, w, allowed)))
			w = s;
	}
	return w;
}

static enum gpudx_status drop(struct gating *g, const char *name, const char *what,
			      const char *role, double allowed)
{
	struct cmp_condition *k;

	if (isnan(allowed))
		return GPUDX_OK;
	k = add(g, name,
		gpudx_arena_printf(&g->c->arena, "%s at most %.3g %% lower", what, 100 * allowed));
	return k ? judge_series(g, k, worst_of_role(g->c, role, allowed), allowed)
		 : gpudx_nomem(g->err);
}

/* "step_ms,lower,3%" */
static enum gpudx_status named_series(struct gating *g, const char *option)
{
	struct gpudx_sv rest = sv_str(option), name, way = { NULL, 0 }, margin;
	double allowed = default_margin;
	const struct cmp_shift *w = NULL;
	struct cmp_condition *k;
	bool ok = sv_cell(&rest, ',', &name) && name.n && name.n < 200 &&
		  sv_cell(&rest, ',', &way) && (sv_is(way, "lower") || sv_is(way, "higher"));

	if (ok && sv_cell(&rest, ',', &margin)) {
		struct gpudx_sv copy = gpudx_arena_sv(&g->c->arena, margin);

		ok = copy.p && gpudx_parse_share(copy.p, &allowed) && !rest.n;
	}
	if (!ok)
		return gpudx_fail(
			g->err, GPUDX_E_USAGE,
			"--series %s: must be like step_ms,lower or tokens_per_s,higher,3%%",
			option);
	for (size_t i = 0; i < g->c->nshifts; i++) {
		const struct cmp_shift *s = &g->c->shifts[i];

		if (gpudx_series_named(name, s->kind->key) && isfinite(s->share) &&
		    gpudx_shift_single(s) && (!w || worse(s, w, allowed)))
			w = s;
	}
	k = add(g, gpudx_arena_sv(&g->c->arena, name).p,
		gpudx_arena_printf(&g->c->arena, "%.*s at most %.3g %% %s", (int)name.n, name.p,
				   100 * allowed, sv_is(way, "lower") ? "higher" : "lower"));
	return k ? judge_series(g, k, w, allowed) : gpudx_nomem(g->err);
}

/* ---- errors ---- */

static enum cmp_outcome rate_outcome(const struct cmp_rate *r, double allowed)
{
	if (r->hi <= allowed)
		return CMP_PASS;
	return r->lo > allowed ? CMP_FAIL : CMP_INCONCLUSIVE;
}

static void put_rate(struct gating *g, const struct cmp_rate *r)
{
	gpudx_buf_printf(&g->b, "%s: %lld in %.4g %s → %lld in %.4g", r->kind, (long long)r->n[0],
			 r->hours[0], r->of_gpus ? "GPU-h" : "h", (long long)r->n[1], r->hours[1]);
	if (isfinite(r->ratio))
		gpudx_buf_printf(&g->b, ", x%.2g [%.2g, ", r->ratio, r->lo);
	if (isfinite(r->ratio) && isfinite(r->hi))
		gpudx_buf_printf(&g->b, "%.2g]", r->hi);
	else if (isfinite(r->ratio))
		gpudx_buf_str(&g->b, "no bound]");
}

static enum gpudx_status error_rates(struct gating *g, double allowed)
{
	static const int order[] = { [CMP_PASS] = 0, [CMP_INCONCLUSIVE] = 1, [CMP_FAIL] = 2 };
	const struct cmp_rate *w = NULL;
	struct cmp_condition *k;

	if (isnan(allowed))
		return GPUDX_OK;
	k = add(g, "error-rate",
		gpudx_arena_printf(&g->c->arena, "no kind of incident more than x%.3g as often",
				   allowed));
	if (!k)
		return gpudx_nomem(g->err);
	for (size_t i = 0; i < g->c->nrates; i++) {
		const struct cmp_rate *r = &g->c->rates[i];

		if (r->code < 0 &&
		    (!w || order[rate_outcome(r, allowed)] > order[rate_outcome(w, allowed)]))
			w = r;
	}
	k->outcome = w ? rate_outcome(w, allowed) : CMP_INCONCLUSIVE;
	if (w)
		put_rate(g, w);
	if (k->outcome == CMP_INCONCLUSIVE) {
		bool watched = w && w->watched[0] && w->watched[1];

		k->needs =
			!watched ? "whole logs on both sides"
			: isnan(w->hours_needed)
				? "longer logs"
				: gpudx_arena_printf(&g->c->arena,
						     "%.0f %s on each side to see a factor of 3",
						     w->hours_needed, w->of_gpus ? "GPU-h" : "h");
		if (!k->needs)
			return gpudx_nomem(g->err);
	}
	return said(g, k);
}

/* new_kinds has "xid.31" and "nvrm.fallen_off_bus"; "xid" means all codes. */
static bool is_kind(const char *name, const char *asked)
{
	size_t n = strlen(asked);

	return strncmp(name, asked, n) == 0 && (!name[n] || name[n] == '.');
}

static const struct cmp_rate *rate_for(const struct gpudx_comparison *c, const char *asked)
{
	const struct cmp_rate *best = NULL;

	for (size_t i = 0; i < c->nrates; i++)
		if (c->rates[i].code < 0 && is_kind(asked, c->rates[i].kind) &&
		    (!best || strlen(c->rates[i].kind) > strlen(best->kind)))
			best = &c->rates[i];
	return best;
}

static enum gpudx_status no_new(struct gating *g, const char *asked)
{
	const struct cmp_rate *r = rate_for(g->c, asked);
	struct cmp_condition *k;
	size_t n = 0;

	if (!r)
		return gpudx_fail(g->err, GPUDX_E_USAGE, "--no-new %s: no such kind of event",
				  asked);
	k = add(g, "no-new", gpudx_arena_printf(&g->c->arena, "no new kind of %s", asked));
	if (!k)
		return gpudx_nomem(g->err);
	for (size_t i = 0; i < g->c->nnew_kinds; i++)
		if (is_kind(g->c->new_kinds[i], asked))
			gpudx_buf_printf(&g->b, "%s%s", n++ ? ", " : "new: ", g->c->new_kinds[i]);
	k->outcome = n ? CMP_FAIL : r->watched[CMP_AFTER] ? CMP_PASS : CMP_INCONCLUSIVE;
	if (k->outcome == CMP_PASS)
		gpudx_buf_printf(&g->b, "none in %.4g %s", r->hours[CMP_AFTER],
				 r->of_gpus ? "GPU-h" : "h");
	if (k->outcome == CMP_INCONCLUSIVE) {
		gpudx_buf_str(&g->b, "no whole log after would have shown one");
		k->needs = "the whole log of the time after, with times";
	}
	k->cause = NULL;
	k->said = gpudx_cmp_take(&g->c->arena, &g->b);
	return k->said ? GPUDX_OK : gpudx_nomem(g->err);
}

enum gpudx_status gpudx_gate(struct gpudx_comparison *c, struct gpudx_err *err)
{
	struct gating g = { .c = c, .b = { .max = SENTENCE }, .err = err };
	const struct gpudx_compare_options *o = &c->options;
	enum gpudx_status rc =
		drop(&g, "clock-drop", "SM clock of each GPU", "clock", o->max_clock_drop);

	if (!rc)
		rc = drop(&g, "throughput-drop", "throughput", "throughput",
			  o->max_throughput_drop);
	if (!rc)
		rc = error_rates(&g, o->max_error_rate_ratio);
	for (size_t i = 0; i < o->nno_new && !rc; i++)
		rc = no_new(&g, o->no_new[i]);
	for (size_t i = 0; i < o->nseries && !rc; i++)
		rc = named_series(&g, o->series[i]);
	gpudx_buf_free(&g.b);
	return rc;
}
