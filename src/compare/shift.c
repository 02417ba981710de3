/* How much each series moved, and how sure that is. All shifts of one comparison are one family:
 * the chance that any of them is called a change when nothing changed is 4 % (Bonferroni). */
#include "compare/behave.h"

#include <math.h>
#include <stdlib.h>

#include "compare/list.h"

static const double alpha = 0.05;	 /* of the intervals that are shown */
static const double family_alpha = 0.04; /* of all shifts together; rates.c has the rest of 5 % */
static const double held_never = 0.02, held_often = 0.4; /* shares of the time */
static const double quantiles[] = { 0.5, 0.95, 0.99 };

struct shifting {
	struct gpudx_comparison *c;
	struct cmp_rng rng;
	struct gpudx_arena scratch;
	struct gpudx_err *err;
};

static bool in_kelvin(const struct cmp_kind *k)
{
	return isfinite(k->floor_k);
}

static struct cmp_shift *new_shift(struct shifting *s, const struct cmp_kind *k, int pair, double q)
{
	struct cmp_shift *v = CMP_PUSH(&s->c->arena, s->c->shifts, s->c->nshifts);

	if (!v)
		return NULL;
	*v = (struct cmp_shift){ .kind = k, .pair = pair, .quantile = q, .step_s = NAN };
	for (int i = 0; i < CMP_SIDES; i++) {
		v->side[i] = gpudx_arena_alloc(&s->c->arena, sizeof(*v->side[i]));
		if (!v->side[i])
			return NULL;
	}
	return v;
}

static size_t block_of(const struct gpudx_comparison *c, double step)
{
	double n = c->options.block_s / step;

	return c->options.block_s > 0 && isfinite(n) && n < 1e9 ? (size_t)fmax(1, ceil(n)) : 0;
}

static enum gpudx_status estimate(struct shifting *s, const struct cmp_matched *m, double q)
{
	struct cmp_shift *v = new_shift(s, m->kind, m->pair, q);

	if (!v)
		return gpudx_nomem(s->err);
	for (int i = 0; i < CMP_SIDES; i++) {
		const struct cmp_series *x = &m->side[i];

		if (!gpudx_estimate(x->x, x->w, x->n, q, block_of(s->c, x->step_s), &s->rng,
				    &s->scratch, v->side[i]))
			return gpudx_nomem(s->err);
		v->minutes[i] = x->minutes;
		gpudx_arena_reset(&s->scratch);
	}
	v->step_s = m->side[CMP_BEFORE].step_s;
	return GPUDX_OK;
}

/* ---- all GPUs, and the slowest ---- */

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The middle of all GPUs, or the one that the others wait for. */
static double of_all(double *v, size_t n, int what, enum cmp_better better)
{
	qsort(v, n, sizeof(*v), ascending);
	if (what == CMP_OF_SLOWEST)
		return better == CMP_LOWER ? v[n - 1] : v[0];
	return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

static double deviation(const double *v, double at)
{
	double sum = 0;

	for (int i = 0; i < CMP_REPLICATES; i++)
		sum += (v[i] - at) * (v[i] - at);
	return sqrt(sum / CMP_REPLICATES);
}

static void combine(const struct gpudx_comparison *c, const size_t *of, size_t n, int what,
		    int side, double *scratch, struct cmp_estimate *out)
{
	enum cmp_better better = c->shifts[of[0]].kind->better;
	double df = INFINITY;

	for (size_t i = 0; i < n; i++) {
		scratch[i] = c->shifts[of[i]].side[side]->value;
		df = fmin(df, c->shifts[of[i]].side[side]->df);
	}
	out->value = of_all(scratch, n, what, better);
	for (int r = 0; r < CMP_REPLICATES; r++) {
		for (size_t i = 0; i < n; i++)
			scratch[i] = c->shifts[of[i]].side[side]->replicate[r];
		out->replicate[r] = of_all(scratch, n, what, better);
	}
	out->df = df;
	out->se = deviation(out->replicate, out->value);
}

static enum gpudx_status summarise(struct shifting *s, const struct cmp_kind *k, double q, int what)
{
	struct gpudx_comparison *c = s->c;
	size_t n = 0, *of = gpudx_arena_array(&s->scratch, c->npairs + 1, sizeof(*of));
	double *scratch = gpudx_arena_array(&s->scratch, c->npairs + 1, sizeof(*scratch));
	struct cmp_shift *v;

	if (!of || !scratch)
		return gpudx_nomem(s->err);
	for (size_t i = 0; i < c->nshifts; i++)
		if (c->shifts[i].kind == k && c->shifts[i].quantile == q && c->shifts[i].pair >= 0)
			of[n++] = i;
	if (n < 2)
		return GPUDX_OK;
	v = new_shift(s, k, what, q);
	if (!v)
		return gpudx_nomem(s->err);
	for (int i = 0; i < CMP_SIDES; i++) {
		combine(c, of, n, what, i, scratch, v->side[i]);
		v->minutes[i] = c->shifts[of[0]].minutes[i];
	}
	v->step_s = c->shifts[of[0]].step_s;
	gpudx_arena_reset(&s->scratch);
	return GPUDX_OK;
}

/* ---- judging ---- */

static bool outside(struct cmp_range r)
{
	return r.lo > 0 || r.hi < 0;
}

static double most_of(struct cmp_range r)
{
	return fmax(fabs(r.lo), fabs(r.hi));
}

static enum cmp_verdict direction(const struct cmp_kind *k, double change)
{
	if (k->better == CMP_NONE)
		return change > 0 ? CMP_MORE : CMP_LESS;
	return (change > 0) == (k->better == CMP_HIGHER) ? CMP_BETTER : CMP_WORSE;
}

/* "Same" says within what: only as far as the interval shows, and not for intervals so wide that
 * much could hide in them. */
static void judge(struct cmp_shift *v, double family)
{
	const struct cmp_estimate *b = v->side[CMP_BEFORE], *a = v->side[CMP_AFTER];
	bool kelvin = in_kelvin(v->kind) || !(b->value > 0);
	double floor =
		kelvin ? (in_kelvin(v->kind) ? v->kind->floor_k : 0) : v->kind->floor_pct / 100;
	struct cmp_range wide;
	double size;

	v->change = a->value - b->value;
	v->range = gpudx_difference_range(b, a, alpha);
	v->share = kelvin ? (double)NAN : v->change / b->value;
	v->share_range = kelvin ? (struct cmp_range){ NAN, NAN } : gpudx_ratio_range(b, a, alpha);
	wide = gpudx_difference_range(b, a, family_alpha / family);
	size = fabs(kelvin ? v->change : v->share);
	v->sure = outside(wide) && size >= floor && size > 0;
	v->within = most_of(kelvin ? v->range : v->share_range);
	v->verdict = v->sure		      ? direction(v->kind, v->change)
		     : v->within <= 2 * floor ? CMP_SAME
					      : CMP_CANNOT_TELL;
}

/* The share of the time that a slowdown held the GPU, where it did so on one side only; 0 else. */
static double held_on(const struct cmp_load *l, int side)
{
	static const uint32_t bits = 0x8 | 0x20 | 0x40 | 0x80;
	double most = 0;

	for (int r = 0; r < CMP_REASONS; r++)
		if ((gpudx_cmp_reasons[r].bit & bits) && l->reason[1 - side][r] < held_never &&
		    l->reason[side][r] >= held_often)
			most = fmax(most, l->reason[side][r]);
	return most;
}

/* A clock that goes down and up has a median about which a short trace says little. That the driver
 * holds the GPU back, which it never did on the other side, is no matter of chance. */
static void judge_by_reason(const struct gpudx_comparison *c, struct cmp_shift *v)
{
	if (v->pair < 0 || v->sure || v->change == 0 || strcmp(v->kind->role, "clock") != 0)
		return;
	v->held = held_on(&c->loads[v->pair], v->change < 0 ? CMP_AFTER : CMP_BEFORE);
	v->by_reason = v->held > 0 && fabs(v->share) >= v->kind->floor_pct / 100;
	if (v->by_reason) {
		v->sure = true;
		v->verdict = direction(v->kind, v->change);
	}
}

static size_t family(const struct gpudx_comparison *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->nshifts; i++)
		n += gpudx_shift_single(&c->shifts[i]);
	return n ? n : 1;
}

static enum gpudx_status summarise_all(struct shifting *s)
{
	struct gpudx_comparison *c = s->c;
	enum gpudx_status rc = GPUDX_OK;

	for (size_t k = 0; k < c->nkinds && !rc; k++) {
		rc = summarise(s, &c->kinds[k], 0.5, CMP_OF_ALL);
		if (!rc && c->kinds[k].better != CMP_NONE)
			rc = summarise(s, &c->kinds[k], 0.5, CMP_OF_SLOWEST);
	}
	return rc;
}

enum gpudx_status gpudx_shifts(struct gpudx_comparison *c, const struct cmp_matched *series,
			       size_t n, struct gpudx_err *err)
{
	struct shifting s = { .c = c, .rng = { c->options.seed }, .err = err };
	enum gpudx_status rc = GPUDX_OK;

	for (size_t i = 0; i < n && !rc; i++) {
		size_t tails = strcmp(series[i].kind->role, "latency") == 0 ? 3 : 1;

		for (size_t q = 0; q < tails && !rc; q++)
			rc = estimate(&s, &series[i], quantiles[q]);
	}
	if (!rc)
		rc = summarise_all(&s);
	for (size_t i = 0; i < c->nshifts && !rc; i++) {
		judge(&c->shifts[i], (double)family(c));
		judge_by_reason(c, &c->shifts[i]);
	}
	gpudx_arena_free(&s.scratch);
	return rc;
}

bool gpudx_shift_single(const struct cmp_shift *s)
{
	return s->pair >= 0 || s->pair == CMP_OF_JOB || s->pair <= CMP_OF_SLICE;
}

const struct cmp_shift *gpudx_shift_of(const struct gpudx_comparison *c, const char *role, int pair,
				       double quantile)
{
	for (size_t i = 0; i < c->nshifts; i++)
		if (strcmp(c->shifts[i].kind->role, role) == 0 && c->shifts[i].pair == pair &&
		    c->shifts[i].quantile == quantile)
			return &c->shifts[i];
	return NULL;
}

/* ---- pictures ---- */

static void span_of(const struct cmp_matched *m, struct cmp_range *r)
{
	for (int s = 0; s < CMP_SIDES; s++)
		for (size_t i = 0; i < m->side[s].n; i++) {
			r->lo = fmin(r->lo, m->side[s].x[i]);
			r->hi = fmax(r->hi, m->side[s].x[i]);
		}
}

static void fill(struct cmp_histogram *h, const struct cmp_matched *m, double total[CMP_SIDES])
{
	for (int s = 0; s < CMP_SIDES; s++)
		for (size_t i = 0; i < m->side[s].n; i++) {
			double w = m->side[s].w ? m->side[s].w[i] : 1;
			int bin = (int)((m->side[s].x[i] - h->lo) / h->width);

			h->share[s][bin < CMP_BINS ? bin : CMP_BINS - 1] += w;
			total[s] += w;
		}
}

/* One histogram a kind, over all GPUs. */
static enum gpudx_status histogram(struct gpudx_comparison *c, const struct cmp_kind *k,
				   const struct cmp_matched *series, size_t n,
				   struct gpudx_err *err)
{
	struct cmp_range r = { INFINITY, -INFINITY };
	double total[CMP_SIDES] = { 0 };
	struct cmp_histogram *h;

	for (size_t i = 0; i < n; i++)
		if (series[i].kind == k)
			span_of(&series[i], &r);
	if (!(r.hi >= r.lo))
		return GPUDX_OK;
	h = CMP_PUSH(&c->arena, c->histograms, c->nhistograms);
	if (!h)
		return gpudx_nomem(err);
	*h = (struct cmp_histogram){ .kind = k, .lo = r.lo };
	h->width = r.hi > r.lo ? (r.hi - r.lo) / CMP_BINS : 1;
	for (size_t i = 0; i < n; i++)
		if (series[i].kind == k)
			fill(h, &series[i], total);
	for (int s = 0; s < CMP_SIDES; s++)
		for (int i = 0; i < CMP_BINS; i++)
			h->share[s][i] = total[s] > 0 ? h->share[s][i] / total[s] : 0;
	return GPUDX_OK;
}

static const struct cmp_matched *find(const struct cmp_matched *series, size_t n, const char *key,
				      int pair)
{
	for (size_t i = 0; i < n; i++)
		if (series[i].pair == pair && strcmp(series[i].kind->key, key) == 0)
			return &series[i];
	return NULL;
}

/* Clock against power of each sample that has both; as many of each GPU. */
static enum gpudx_status cloud(struct gpudx_comparison *c, const struct cmp_matched *series,
			       size_t n, struct gpudx_err *err)
{
	size_t share = c->npairs ? CMP_CLOUD / c->npairs : 0;

	for (size_t p = 0; p < c->npairs && share; p++) {
		const struct cmp_matched *x = find(series, n, "sample.power_w", (int)p);
		const struct cmp_matched *y = find(series, n, "sample.sm_clock_mhz", (int)p);

		if (!x || !y)
			continue;
		if (!c->cloud && !(c->cloud = gpudx_arena_alloc(&c->arena, sizeof(*c->cloud))))
			return gpudx_nomem(err);
		for (int s = 0; s < CMP_SIDES; s++) {
			size_t m = x->side[s].n, take = m < share ? m : share;

			for (size_t i = 0; i < take && m == y->side[s].n; i++) {
				size_t at = i * m / take, k = c->cloud->n[s]++;

				c->cloud->power_w[s][k] = x->side[s].x[at];
				c->cloud->clock_mhz[s][k] = y->side[s].x[at];
			}
		}
	}
	return GPUDX_OK;
}

enum gpudx_status gpudx_pictures(struct gpudx_comparison *c, const struct cmp_matched *series,
				 size_t n, struct gpudx_err *err)
{
	enum gpudx_status rc = GPUDX_OK;

	for (size_t k = 0; k < c->nkinds && !rc; k++)
		rc = histogram(c, &c->kinds[k], series, n, err);
	return rc ? rc : cloud(c, series, n, err);
}
