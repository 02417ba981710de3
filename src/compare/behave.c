/* Behaviour under equal load: which samples of two GPUs can be compared, and their series. */
#include "compare/behave.h"

#include <math.h>
#include <stdlib.h>

#include "compare/list.h"
#include "store/store.h"

enum { SAMPLES_LEAST = 20 };
static const double overlap_least = 0.5;

const struct cmp_reason gpudx_cmp_reasons[CMP_REASONS] = {
	{ 0x4, "at the power limit" },
	{ 0x20, "thermal slowdown" },
	{ 0x40, "thermal slowdown (hardware)" },
	{ 0x8, "hardware slowdown" },
	{ 0x80, "power brake" },
	{ 0x2, "application clocks" },
	{ 0x10, "sync boost" },
	{ 0x1, "idle" },
};

static const struct {
	const char *key;
	enum cmp_col col;
} columns[] = {
	{ "sample.sm_clock_mhz", CMP_SM_CLOCK }, { "sample.mem_clock_mhz", CMP_MEM_CLOCK },
	{ "sample.power_w", CMP_POWER },	 { "sample.temp_c", CMP_TEMP },
	{ "sample.mem_used_mib", CMP_MEM_USED },
};

struct behaving {
	struct gpudx_comparison *c;
	struct gpudx_arena scratch; /* of one pair */
	struct cmp_track *tracks[CMP_SIDES];
	double *minutes[CMP_SIDES]; /* by GPU of the side */
	struct cmp_metrics metrics[CMP_SIDES];
	struct cmp_matched *series;
	size_t nseries;
	struct gpudx_err *err;
};

/* ---- what is compared ---- */

static enum gpudx_status load_kinds(struct behaving *b)
{
	static const char sql[] = "SELECT key, name, unit, better, role, floor_pct, floor_k"
				  " FROM kb_compare_series ORDER BY rowid";
	struct gpudx_comparison *c = b->c;
	sqlite3_stmt *st;
	bool row;
	enum gpudx_status rc = gpudx_db_prepare(c->side[CMP_AFTER].db, sql, &st, b->err);

	if (rc)
		return rc;
	while (!(rc = gpudx_db_step(st, &row, b->err)) && row) {
		struct cmp_kind *k = CMP_PUSH(&c->arena, c->kinds, c->nkinds);

		if (!k) {
			rc = gpudx_nomem(b->err);
			break;
		}
		*k = (struct cmp_kind){ .key = gpudx_cmp_text(&c->arena, st, 0),
					.name = gpudx_cmp_text(&c->arena, st, 1),
					.unit = gpudx_cmp_text(&c->arena, st, 2),
					.role = gpudx_cmp_text(&c->arena, st, 4),
					.floor_pct = gpudx_col_real(st, 5),
					.floor_k = gpudx_col_real(st, 6) };
		k->better = sv_is(gpudx_col_text(st, 3), "higher")  ? CMP_HIGHER
			    : sv_is(gpudx_col_text(st, 3), "lower") ? CMP_LOWER
								    : CMP_NONE;
	}
	sqlite3_finalize(st);
	return rc ? rc : gpudx_metric_kinds(c, b->err);
}

/* ---- one pair ---- */

/* What no sensor gives stands in databases that somebody else made. */
static bool plausible(double v)
{
	return fabs(v) < 1e12; /* false for NAN, too */
}

/* Values of a column that are known, in order of time, with the weights of their samples. */
static bool column_series(const struct cmp_track *t, const double *w, enum cmp_col col,
			  struct gpudx_arena *a, struct cmp_series *out)
{
	*out = (struct cmp_series){ .x = gpudx_arena_array(a, t->n + 1, sizeof(double)),
				    .w = gpudx_arena_array(a, t->n + 1, sizeof(double)) };
	if (!out->x || !out->w)
		return false;
	for (size_t i = 0; i < t->n; i++) {
		if (!plausible(t->v[i].col[col]))
			continue;
		out->x[out->n] = t->v[i].col[col];
		out->w[out->n++] = w ? w[i] : 1;
	}
	return true;
}

static bool metric_series(const struct cmp_track *t, const double *w, const struct cmp_metric *m,
			  struct gpudx_arena *a, struct cmp_series *out)
{
	*out = (struct cmp_series){ .x = gpudx_arena_array(a, t->n + 1, sizeof(double)),
				    .w = gpudx_arena_array(a, t->n + 1, sizeof(double)) };
	if (!out->x || !out->w)
		return false;
	for (size_t i = 0; i < t->n; i++) {
		double v = gpudx_metric_at(m, t->v[i].t_s);

		if (!plausible(v))
			continue;
		out->x[out->n] = v;
		out->w[out->n++] = w[i];
	}
	return true;
}

static bool quantile_of(const struct cmp_track *t, enum cmp_col col, double q,
			struct gpudx_arena *a, double *out)
{
	struct cmp_series s;

	if (!column_series(t, NULL, col, a, &s))
		return false;
	*out = gpudx_mid_quantile(s.x, NULL, s.n, q, a);
	return true;
}

static bool describe(struct behaving *b, const struct cmp_track *t, int s, struct cmp_load *l)
{
	static const double ends[2] = { 0.05, 0.95 };

	for (int i = 0; i < 2; i++)
		if (!quantile_of(t, CMP_UTIL, ends[i], &b->scratch, &l->util[s][i]) ||
		    !quantile_of(t, CMP_MEM_USED, ends[i], &b->scratch, &l->mem_mib[s][i]))
			return false;
	if (!quantile_of(t, CMP_LIMIT, 0.5, &b->scratch, &l->limit_w[s]))
		return false;
	l->throttle_after_s[s] = gpudx_track_throttle_after(t);
	for (int r = 0; r < CMP_REASONS; r++) {
		size_t known = 0, set = 0;

		for (size_t i = 0; i < t->n; i++)
			if (t->v[i].reasons >= 0) {
				known++;
				set += (t->v[i].reasons & gpudx_cmp_reasons[r].bit) != 0;
			}
		l->reason[s][r] = known ? (double)set / (double)known : (double)NAN;
	}
	return true;
}

static const char *range_text(struct gpudx_arena *a, const double v[2], double scale,
			      const char *unit)
{
	if (isnan(v[0]))
		return "unknown";
	return gpudx_arena_printf(a, "%.0f-%.0f %s", v[0] / scale, v[1] / scale, unit);
}

static const char *why_not(struct behaving *b, const struct cmp_track *const t[CMP_SIDES],
			   const struct cmp_load *l)
{
	static const char *const sides[] = { "before", "after" };
	struct gpudx_arena *a = &b->c->arena;

	for (int s = 0; s < CMP_SIDES; s++) {
		if (!t[s]->samples)
			return gpudx_arena_printf(a, "no samples %s", sides[s]);
		if (!t[s]->nstretches)
			return isnan(t[s]->util)
				       ? gpudx_arena_printf(
						 a,
						 "utilization is not recorded %s, so nothing "
						 "shows that the work was the same",
						 sides[s])
				       : gpudx_arena_printf(a, "no load %s: never 20 %% busy",
							    sides[s]);
		if (t[s]->n < SAMPLES_LEAST)
			return gpudx_arena_printf(
				a, "only %zu samples under steady load %s, %d needed", t[s]->n,
				sides[s], SAMPLES_LEAST);
	}
	if (l->overlap >= overlap_least)
		return NULL;
	return gpudx_arena_printf(
		a,
		"loads overlap by %.0f %% only (%.0f %% needed): utilization %s "
		"before, %s after; memory %s before, %s after",
		l->overlap * 100, overlap_least * 100, range_text(a, l->util[0], 1, "%"),
		range_text(a, l->util[1], 1, "%"), range_text(a, l->mem_mib[0], 1024, "GiB"),
		range_text(a, l->mem_mib[1], 1024, "GiB"));
}

static double capacity(const struct cmp_side s[CMP_SIDES], const struct cmp_pair *p,
		       const struct cmp_load *l)
{
	double mib = s[0].gpus[p->gpu[0]].memory_mib;

	if (!(mib > 0))
		mib = s[1].gpus[p->gpu[1]].memory_mib;
	return mib > 0 ? mib : fmax(1, fmax(l->mem_mib[0][1], l->mem_mib[1][1]));
}

/* A sample stands for as much time as all do on average. */
static double step_s(const struct cmp_track *t, double minutes)
{
	return t->n ? minutes * 60 / (double)t->n : (double)NAN;
}

static enum gpudx_status add_series(struct behaving *b, size_t pair, const struct cmp_kind *k,
				    const struct cmp_track *const t[CMP_SIDES],
				    double *const w[CMP_SIDES])
{
	const struct cmp_pair *p = &b->c->pairs[pair];
	struct cmp_matched m = { .kind = k, .pair = (int)pair };
	struct cmp_matched *slot;

	for (int s = 0; s < CMP_SIDES; s++) {
		const struct cmp_metric *metric = gpudx_metric_of(&b->metrics[s], k, p->gpu[s]);
		size_t i = 0;
		bool ok;

		while (i < sizeof(columns) / sizeof(columns[0]) &&
		       strcmp(columns[i].key, k->key) != 0)
			i++;
		if (i == sizeof(columns) / sizeof(columns[0]) && !metric)
			return GPUDX_OK;
		ok = metric ? metric_series(t[s], w[s], metric, &b->c->arena, &m.side[s])
			    : column_series(t[s], w[s], columns[i].col, &b->c->arena, &m.side[s]);
		if (!ok)
			return gpudx_nomem(b->err);
		m.side[s].minutes = b->c->loads[pair].minutes[s];
		m.side[s].step_s = step_s(t[s], m.side[s].minutes);
		if (m.side[s].n < SAMPLES_LEAST)
			return GPUDX_OK;
	}
	slot = CMP_PUSH(&b->c->arena, b->series, b->nseries);
	if (!slot)
		return gpudx_nomem(b->err);
	*slot = m;
	return GPUDX_OK;
}

static enum gpudx_status compare_pair(struct behaving *b, size_t pair)
{
	struct gpudx_comparison *c = b->c;
	const struct cmp_pair *p = &c->pairs[pair];
	struct cmp_load *l = &c->loads[pair];
	const struct cmp_track *t[CMP_SIDES];
	double *w[CMP_SIDES];
	bool memory;
	enum gpudx_status rc = GPUDX_OK;

	for (int s = 0; s < CMP_SIDES; s++) {
		t[s] = &b->tracks[s][p->gpu[s]];
		l->minutes[s] = b->minutes[s][p->gpu[s]];
		l->cut_min[s] = fmax(0, t[s]->seen_s / 60 - l->minutes[s]);
		if (!describe(b, t[s], s, l))
			return gpudx_nomem(b->err);
		if (gpudx_refused(c, "power.limit_w"))
			l->limit_w[s] = NAN;
	}
	memory = !gpudx_refused(c, "sample.mem_used_mib") && !isnan(l->mem_mib[0][0]) &&
		 !isnan(l->mem_mib[1][0]);
	if (!gpudx_match_loads(t, capacity(c->side, p, l), memory, &c->arena, w, &l->overlap))
		return gpudx_nomem(b->err);
	l->by_memory = memory;
	l->why_not = why_not(b, t, l);
	l->comparable = !l->why_not;
	if (!l->comparable)
		return GPUDX_OK;
	c->comparable = true;
	for (size_t k = 0; k < c->nkinds && !rc; k++)
		if (!gpudx_refused(c, c->kinds[k].key))
			rc = add_series(b, pair, &c->kinds[k], t, w);
	return rc;
}

/* ---- jobs ---- */

static enum gpudx_status compare_jobs(struct behaving *b)
{
	struct gpudx_comparison *c = b->c;

	for (size_t k = 0; k < c->nkinds; k++) {
		struct cmp_matched m = { .kind = &c->kinds[k], .pair = CMP_OF_JOB };
		struct cmp_matched *slot;
		bool both = true;

		for (int s = 0; s < CMP_SIDES && both; s++) {
			const struct cmp_metric *v = gpudx_metric_of(&b->metrics[s], m.kind, -1);

			both = v != NULL;
			if (both && !gpudx_metric_series(v, &c->arena, &m.side[s]))
				return gpudx_nomem(b->err);
			both = both && m.side[s].n >= SAMPLES_LEAST;
		}
		if (!both)
			continue;
		slot = CMP_PUSH(&c->arena, b->series, b->nseries);
		if (!slot)
			return gpudx_nomem(b->err);
		*slot = m;
	}
	return GPUDX_OK;
}

/* ---- slices ---- */

/* One kind of one pair of slices; nothing where a side does not have enough of it. */
static enum gpudx_status compare_slice(struct behaving *b, size_t slice, const struct cmp_kind *k)
{
	struct gpudx_comparison *c = b->c;
	struct cmp_matched m = { .kind = k, .pair = CMP_OF_SLICE - (int)slice }, *slot;

	for (int s = 0; s < CMP_SIDES; s++) {
		const struct cmp_metric *v =
			gpudx_metric_of_slice(&b->metrics[s], k, c->slices[slice].slice[s]);

		if (!v)
			return GPUDX_OK;
		if (!gpudx_metric_timed(v, &c->arena, &m.side[s]))
			return gpudx_nomem(b->err);
		if (m.side[s].n < SAMPLES_LEAST)
			return GPUDX_OK;
	}
	slot = CMP_PUSH(&c->arena, b->series, b->nseries);
	if (!slot)
		return gpudx_nomem(b->err);
	*slot = m;
	return GPUDX_OK;
}

static enum gpudx_status compare_slices(struct behaving *b)
{
	struct gpudx_comparison *c = b->c;
	enum gpudx_status rc = GPUDX_OK;

	for (size_t i = 0; i < c->nslices && !rc; i++)
		for (size_t k = 0; k < c->nkinds && !rc; k++)
			rc = compare_slice(b, i, &c->kinds[k]);
	return rc;
}

static enum gpudx_status load_side(struct behaving *b, int s)
{
	struct gpudx_comparison *c = b->c;
	enum gpudx_status rc = gpudx_tracks_load(&c->side[s], &c->arena, &b->tracks[s], b->err);

	if (rc)
		return rc;
	b->minutes[s] = gpudx_arena_array(&c->arena, c->side[s].ngpus + 1, sizeof(double));
	if (!b->minutes[s])
		return gpudx_nomem(b->err);
	for (size_t i = 0; i < c->side[s].ngpus; i++)
		b->minutes[s][i] = gpudx_track_finish(&b->tracks[s][i]);
	return gpudx_metrics_load(c, s, &b->metrics[s], b->err);
}

static enum gpudx_status behave(struct behaving *b)
{
	struct gpudx_comparison *c = b->c;
	enum gpudx_status rc = load_kinds(b);

	for (int s = 0; s < CMP_SIDES && !rc; s++)
		rc = load_side(b, s);
	c->loads = gpudx_arena_array(&c->arena, c->npairs + 1, sizeof(*c->loads));
	if (!rc && !c->loads)
		rc = gpudx_nomem(b->err);
	for (size_t i = 0; i < c->npairs && !rc; i++) {
		rc = compare_pair(b, i);
		gpudx_arena_reset(&b->scratch);
	}
	if (!rc)
		rc = compare_jobs(b);
	if (!rc)
		rc = compare_slices(b);
	if (!rc)
		rc = gpudx_shifts(c, b->series, b->nseries, b->err);
	return rc ? rc : gpudx_pictures(c, b->series, b->nseries, b->err);
}

enum gpudx_status gpudx_behave(struct gpudx_comparison *c, struct gpudx_err *err)
{
	struct behaving b = { .c = c, .err = err };
	enum gpudx_status rc = behave(&b);

	gpudx_arena_free(&b.scratch);
	return rc;
}
