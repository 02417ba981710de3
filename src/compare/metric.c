/* Series beside the samples: what jobs print, memory temperature. They are stored where they
 * changed. */
#include "compare/behave.h"

#include <math.h>

#include "base/glob.h"
#include "base/stamp.h"
#include "compare/list.h"
#include "store/store.h"

enum { POINTS_MOST = 16384, STEPS_MOST = 4096 };

/* ---- kinds ---- */

static const struct cmp_kind *kind_for(const struct cmp_kind *rows, size_t n, const char *key)
{
	const struct cmp_kind *best = NULL;

	for (size_t i = 0; i < n; i++)
		if (gpudx_glob(sv_str(rows[i].key), sv_str(key)) &&
		    (!best || strlen(rows[i].key) > strlen(best->key)))
			best = &rows[i];
	return best;
}

/* The pattern's name where it means one key, else the key itself. */
static const char *name_for(const struct cmp_kind *k, const char *key)
{
	const char *star = strchr(k->key, '*');

	return !star || strcmp(star, "*") == 0 ? k->name : key;
}

bool gpudx_series_named(struct gpudx_sv name, const char *key)
{
	size_t n = strlen(key);

	return sv_eq(name, sv_str(key)) ||
	       (n > name.n && sv_eq(name, sv_str(key + n - name.n)) && key[n - name.n - 1] == '.');
}

/* A series that the caller asks for is compared though no row of the table names it. */
static bool asked_for(const struct gpudx_comparison *c, const char *key, enum cmp_better *better)
{
	for (size_t i = 0; i < c->options.nseries; i++) {
		struct gpudx_sv rest = sv_str(c->options.series[i]), name, way;

		if (!sv_cell(&rest, ',', &name) || !gpudx_series_named(name, key))
			continue;
		*better = sv_cell(&rest, ',', &way) && sv_is(way, "lower") ? CMP_LOWER : CMP_HIGHER;
		return true;
	}
	return false;
}

static enum gpudx_status add_kind(struct gpudx_comparison *c, const struct cmp_kind *rows,
				  size_t nrows, const char *key, const char *unit,
				  struct gpudx_err *err)
{
	const struct cmp_kind *row = kind_for(rows, nrows, key);
	enum cmp_better better = CMP_NONE;
	bool asked = asked_for(c, key, &better);
	struct cmp_kind *k;

	if (!row && !asked)
		return GPUDX_OK;
	k = CMP_PUSH(&c->arena, c->kinds, c->nkinds);
	if (!k)
		return gpudx_nomem(err);
	if (row)
		*k = *row;
	else
		*k = (struct cmp_kind){
			.name = key, .unit = unit, .role = "series", .floor_pct = 1, .floor_k = NAN
		};
	if (row)
		k->name = name_for(row, key);
	if (asked)
		k->better = better;
	k->key = key;
	return GPUDX_OK;
}

enum gpudx_status gpudx_metric_kinds(struct gpudx_comparison *c, struct gpudx_err *err)
{
	static const char sql[] = "SELECT key, max(unit) FROM metric GROUP BY key ORDER BY key";
	const struct cmp_kind *rows = c->kinds;
	size_t nrows = c->nkinds;
	sqlite3_stmt *st;
	bool row;
	enum gpudx_status rc = gpudx_db_prepare(c->side[CMP_AFTER].db, sql, &st, err);

	if (rc)
		return rc;
	/* c->kinds holds the rows of the table; what is compared comes into a new list. */
	c->kinds = NULL;
	c->nkinds = 0;
	for (size_t i = 0; i < nrows && !rc; i++)
		if (strncmp(rows[i].key, "sample.", 7) == 0)
			rc = add_kind(c, rows, nrows, rows[i].key, NULL, err);
	while (!rc && !(rc = gpudx_db_step(st, &row, err)) && row) {
		const char *key = gpudx_cmp_text(&c->arena, st, 0);

		rc = key ? add_kind(c, rows, nrows, key, gpudx_cmp_text(&c->arena, st, 1), err)
			 : gpudx_nomem(err);
	}
	sqlite3_finalize(st);
	return rc;
}

/* ---- loading ---- */

static const struct cmp_kind *kind_of_key(const struct gpudx_comparison *c, const char *key)
{
	for (size_t i = 0; i < c->nkinds; i++)
		if (strcmp(c->kinds[i].key, key) == 0)
			return &c->kinds[i];
	return NULL;
}

/* What a slice does is said of slices only: the same of a whole GPU would be one more comparison for
 * each of them, and say less than clocks and utilization do, unless --series asks for it. */
static bool is_of_slices(const struct cmp_kind *k)
{
	return strcmp(k->role, "slice") == 0;
}

/* Metrics that count, and in index their place by id + 1. */
static enum gpudx_status list_metrics(struct gpudx_comparison *c, int side, struct cmp_metrics *out,
				      uint32_t **index, size_t *nindex, struct gpudx_err *err)
{
	static const char sql[] =
		"SELECT m.id, m.key, m.gpu_id, r.t_offset_us, r.instance_id, max(m.id) OVER ()"
		" FROM metric m JOIN metric_stat t ON t.metric_id = m.id"
		" LEFT JOIN gpu_ref r ON r.id = m.ref_id"
		" WHERE m.ref_id IS NULL OR m.gpu_id IS NOT NULL"
		" ORDER BY t.n DESC, m.id";
	const struct cmp_side *s = &c->side[side];
	sqlite3_stmt *st;
	bool row;
	enum gpudx_status rc = gpudx_db_prepare(s->db, sql, &st, err);

	if (rc)
		return rc;
	while (!(rc = gpudx_db_step(st, &row, err)) && row) {
		int64_t id = gpudx_col_int(st, 0, 0);
		const char *key = gpudx_cmp_text(&c->arena, st, 1);
		const struct cmp_kind *k = key ? kind_of_key(c, key) : NULL;
		int no = cmp_gpu_of(s, gpudx_col_int(st, 2, 0));
		int64_t instance = gpudx_col_int(st, 4, 0);
		int slice = cmp_slice_of(s, instance);
		struct cmp_metric *m;

		if (!*index) {
			*nindex = (size_t)gpudx_col_int(st, 5, 0) + 1;
			*index = gpudx_arena_array(&c->arena, *nindex, sizeof(**index));
		}
		if (!k ||
		    (instance > 0 ? !is_of_slices(k) : is_of_slices(k) && k->better == CMP_NONE) ||
		    (instance > 0 && slice < 0) ||
		    (slice >= 0 ? gpudx_metric_of_slice(out, k, slice)
				: gpudx_metric_of(out, k, no)))
			continue;
		m = *index ? CMP_PUSH(&c->arena, out->v, out->n) : NULL;
		if (!m) {
			rc = gpudx_nomem(err);
			break;
		}
		*m = (struct cmp_metric){ .kind = k,
					  .gpu = no,
					  .slice = slice,
					  .id = id,
					  .stride = 1,
					  .offset_s =
						  (double)gpudx_col_int(st, 3, 0) / GPUDX_SECOND };
		(*index)[id] = (uint32_t)out->n;
	}
	sqlite3_finalize(st);
	return rc;
}

static bool take_point(struct cmp_metric *m, struct gpudx_arena *a, const struct cmp_point *p)
{
	struct cmp_point *slot;

	if (++m->skipped < m->stride)
		return true;
	m->skipped = 0;
	if (m->n == POINTS_MOST) {
		size_t k = 0;

		for (size_t i = 0; i < m->n; i += 2)
			m->v[k++] = m->v[i];
		m->n = k;
		m->stride *= 2;
		m->v[m->n++] = *p;
		return true;
	}
	slot = m->stride == 1 ? CMP_PUSH(a, m->v, m->n) : &m->v[m->n++];
	if (slot)
		*slot = *p;
	return slot != NULL;
}

enum gpudx_status gpudx_metrics_load(struct gpudx_comparison *c, int side, struct cmp_metrics *out,
				     struct gpudx_err *err)
{
	static const char sql[] = "SELECT metric_id, t_raw_us, seq, value FROM metric_sample";
	const struct cmp_side *s = &c->side[side];
	uint32_t *index = NULL;
	size_t nindex = 0;
	sqlite3_stmt *st;
	bool row;
	enum gpudx_status rc = list_metrics(c, side, out, &index, &nindex, err);

	if (rc || !out->n)
		return rc;
	rc = gpudx_db_prepare(s->db, sql, &st, err);
	if (rc)
		return rc;
	while (!(rc = gpudx_db_step(st, &row, err)) && row) {
		int64_t id = gpudx_col_int(st, 0, 0), t_us = gpudx_col_time(st, 1);
		struct cmp_metric *m =
			id > 0 && (size_t)id < nindex && index[id] ? &out->v[index[id] - 1] : NULL;
		struct cmp_point p = { NAN, gpudx_col_real(st, 2), gpudx_col_real(st, 3) };

		if (!m || !(fabs(p.value) < 1e12))
			continue;
		if (t_us != GPUDX_NO_TIME) {
			p.t_s = (double)t_us / GPUDX_SECOND + m->offset_s;
			if (p.t_s * GPUDX_SECOND < (double)s->from_us ||
			    p.t_s * GPUDX_SECOND > (double)s->to_us)
				continue;
		}
		if (!take_point(m, &c->arena, &p)) {
			rc = gpudx_nomem(err);
			break;
		}
	}
	sqlite3_finalize(st);
	return rc;
}

const struct cmp_metric *gpudx_metric_of(const struct cmp_metrics *m, const struct cmp_kind *kind,
					 int gpu)
{
	for (size_t i = 0; i < m->n; i++)
		if (m->v[i].kind == kind && m->v[i].gpu == gpu && m->v[i].slice < 0)
			return &m->v[i];
	return NULL;
}

const struct cmp_metric *gpudx_metric_of_slice(const struct cmp_metrics *m,
					       const struct cmp_kind *kind, int slice)
{
	for (size_t i = 0; i < m->n; i++)
		if (m->v[i].kind == kind && m->v[i].slice == slice)
			return &m->v[i];
	return NULL;
}

/* ---- using ---- */

double gpudx_metric_at(const struct cmp_metric *m, double t_s)
{
	size_t lo = 0, hi = m->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (m->v[mid].t_s <= t_s)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo ? m->v[lo - 1].value : (double)NAN;
}

/* Steps that ascend say how long a value stood; others are taken as they come. */
static bool ascends(const struct cmp_metric *m)
{
	for (size_t i = 1; i < m->n; i++)
		if (!(m->v[i].seq > m->v[i - 1].seq))
			return false;
	return m->n > 1 && isfinite(m->v[0].seq);
}

/* The least distance of two steps: programs print every tenth, too. */
static double step_of(const struct cmp_metric *m)
{
	double least = INFINITY;

	for (size_t i = 1; i < m->n; i++)
		least = fmin(least, m->v[i].seq - m->v[i - 1].seq);
	return fmax(least, (m->v[m->n - 1].seq - m->v[0].seq) / (STEPS_MOST - 1));
}

static bool expand(const struct cmp_metric *m, struct gpudx_arena *a, struct cmp_series *out)
{
	double step = step_of(m), from = m->v[0].seq;
	size_t n = (size_t)((m->v[m->n - 1].seq - from) / step + 1.5), at = 0;

	out->x = gpudx_arena_array(a, n, sizeof(*out->x));
	if (!out->x)
		return false;
	for (size_t i = 0; i < n; i++) {
		while (at + 1 < m->n && m->v[at + 1].seq <= from + (double)i * step + step / 4)
			at++;
		out->x[i] = m->v[at].value;
	}
	out->n = n;
	return true;
}

static bool copy(const struct cmp_metric *m, struct gpudx_arena *a, struct cmp_series *out)
{
	out->x = gpudx_arena_array(a, m->n, sizeof(*out->x));
	if (!out->x)
		return false;
	for (size_t i = 0; i < m->n; i++)
		out->x[i] = m->v[i].value;
	out->n = m->n;
	return true;
}

/* The beginning: four minutes, a quarter at most; without times a tenth. */
static size_t beginning(size_t n, double seconds)
{
	double share = seconds > 0 ? fmin(0.25, 240 / seconds) : 0.1;

	return (size_t)((double)n * share);
}

/* Values are kept where they changed, so the least distance is what it was sampled in, or more. */
bool gpudx_metric_timed(const struct cmp_metric *m, struct gpudx_arena *a, struct cmp_series *out)
{
	double span = m->n ? m->v[m->n - 1].t_s - m->v[0].t_s : 0, step = INFINITY;
	size_t cut;

	*out = (struct cmp_series){ .minutes = NAN, .step_s = NAN };
	if (!(span > 0))
		return true;
	for (size_t i = 1; i < m->n; i++)
		if (m->v[i].t_s > m->v[i - 1].t_s)
			step = fmin(step, m->v[i].t_s - m->v[i - 1].t_s);
	step = fmax(fmax(step, 1), span / (STEPS_MOST - 1));
	out->n = (size_t)(span / step) + 1;
	out->x = gpudx_arena_array(a, out->n, sizeof(*out->x));
	if (!out->x)
		return false;
	for (size_t i = 0; i < out->n; i++)
		out->x[i] = gpudx_metric_at(m, m->v[0].t_s + (double)i * step);
	cut = beginning(out->n, span);
	out->step_s = step;
	out->minutes = step * (double)(out->n - cut) / 60;
	out->x += cut;
	out->n -= cut;
	return true;
}

bool gpudx_metric_series(const struct cmp_metric *m, struct gpudx_arena *a, struct cmp_series *out)
{
	double seconds;
	size_t cut;

	*out = (struct cmp_series){ .minutes = NAN, .step_s = NAN };
	if (!m->n)
		return true;
	if (!(ascends(m) ? expand(m, a, out) : copy(m, a, out)))
		return false;
	seconds = m->v[m->n - 1].t_s - m->v[0].t_s;
	cut = beginning(out->n, seconds);
	if (seconds > 0) {
		out->step_s = seconds / (double)out->n;
		out->minutes = seconds * (double)(out->n - cut) / (double)out->n / 60;
	}
	out->x += cut;
	out->n -= cut;
	return true;
}
