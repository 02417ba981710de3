#include "report/trace.h"

#include "report/select.h"
#include "report/words.h"

#include <math.h>
#include <stdlib.h>

/* So many samples of all traces together are read one by one; beyond, rollups say as much. */
enum { RAW_MOST = 60000, RAW_SPREAD = 200000, SECONDS_MOST = 7200, JOIN_LEAST = 3 };

/* ---- what to draw ---- */

static bool cites(const struct rep_evidence *e, int64_t source_id)
{
	for (size_t i = 0; e && i < e->n; i++)
		if (e->places[i].source_id == source_id)
			return true;
	return false;
}

static bool usable(const struct rep_ref *r)
{
	return gpudx_word_time_known(r->span.t0_us) && gpudx_word_time_known(r->span.t1_us) &&
	       r->span.t1_us >= r->span.t0_us;
}

/* Whether a is the better capture to draw. */
static bool better(const struct rep_ref *a, const struct rep_ref *b,
		   const struct rep_evidence *prefer)
{
	bool cited_a = cites(prefer, a->source_id), cited_b = cites(prefer, b->source_id);

	if (a->stamped != b->stamped)
		return a->stamped;
	if (cited_a != cited_b)
		return cited_a;
	return a->samples > b->samples;
}

/* Times of a and b can stand on one axis. */
static bool same_clock(enum rep_quality a, enum rep_quality b)
{
	return a == b || (a >= REP_T_ALIGNED && b >= REP_T_ALIGNED);
}

static bool joins(const struct rep_trace *t, const struct rep_ref *r)
{
	int64_t span = t->t1_us - t->t0_us;
	int64_t gap =
		r->span.t0_us > t->t1_us ? r->span.t0_us - t->t1_us : t->t0_us - r->span.t1_us;

	for (size_t i = 0; i < t->nrefs; i++)
		if (t->refs[i] == r)
			return false;
	return r->gpu == t->gpu && r->stamped && usable(r) && r->samples >= JOIN_LEAST &&
	       same_clock(r->span.quality, t->quality) && gap <= span && t->nrefs < REP_TRACE_REFS;
}

static void add_ref(struct rep_trace *t, const struct rep_ref *r)
{
	t->refs[t->nrefs++] = r;
	t->t0_us = r->span.t0_us < t->t0_us ? r->span.t0_us : t->t0_us;
	t->t1_us = r->span.t1_us > t->t1_us ? r->span.t1_us : t->t1_us;
}

bool gpudx_trace_choose(const struct rep_model *m, const struct rep_gpu *gpu,
			const struct rep_evidence *prefer, struct rep_trace *t)
{
	const struct rep_ref *main = NULL;
	bool more = true;

	for (size_t i = 0; i < m->nrefs; i++)
		if (m->refs[i].gpu == gpu && usable(&m->refs[i]) && m->refs[i].samples > 1 &&
		    (!main || better(&m->refs[i], main, prefer)))
			main = &m->refs[i];
	if (!main)
		return false;
	memset(t, 0, sizeof(*t));
	t->gpu = gpu;
	t->by_order = !main->stamped;
	t->quality = main->span.quality;
	t->t0_us = main->span.t0_us;
	t->t1_us = main->span.t1_us;
	t->refs[t->nrefs++] = main;
	while (more && main->stamped) {
		more = false;
		for (size_t i = 0; i < m->nrefs; i++)
			if (joins(t, &m->refs[i])) {
				add_ref(t, &m->refs[i]);
				more = true;
			}
	}
	return true;
}

void gpudx_trace_narrow(struct rep_trace *t, const struct rep_span *s)
{
	int64_t end = s->t1_us == GPUDX_NO_TIME ? s->t0_us : s->t1_us, margin;

	if (t->by_order || !gpudx_word_time_known(s->t0_us) || !gpudx_word_time_known(end) ||
	    !same_clock(s->quality, t->quality) || s->t0_us > t->t1_us || end < t->t0_us ||
	    end < s->t0_us)
		return;
	margin = end - s->t0_us;
	if (margin < 30 * GPUDX_SECOND)
		margin = 30 * GPUDX_SECOND;
	t->t0_us = s->t0_us - margin > t->t0_us ? s->t0_us - margin : t->t0_us;
	t->t1_us = end + margin < t->t1_us ? end + margin : t->t1_us;
}

/* ---- filling buckets ---- */

bool gpudx_trace_drawable(double v)
{
	return fabs(v) < 1e12;
}

static void put_cell(struct rep_cell *c, double min, double mean, double max, uint32_t n)
{
	if (!gpudx_trace_drawable(mean))
		return;
	min = gpudx_trace_drawable(min) ? min : mean;
	max = gpudx_trace_drawable(max) ? max : mean;
	c->min = c->n && c->min < min ? c->min : min;
	c->max = c->n && c->max > max ? c->max : max;
	c->sum += mean * n;
	c->n += n;
}

static struct rep_bucket *bucket_at(struct rep_trace *t, int64_t t_us, uint32_t n)
{
	double at, span = rep_window_s(t);
	struct rep_bucket *b;

	if (t_us < t->t0_us || t_us > t->t1_us)
		return NULL;
	at = ((double)t_us - (double)t->t0_us) / (double)GPUDX_SECOND;
	b = &t->buckets[span > 0 ? (size_t)(at / span * (REP_BUCKETS - 1)) : 0];
	b->t_sum += at * n;
	b->n += n;
	return b;
}

static const struct rep_ref *ref_in(const struct rep_trace *t, int64_t ref_id)
{
	for (size_t i = 0; i < t->nrefs; i++)
		if (t->refs[i]->id == ref_id)
			return t->refs[i];
	return NULL;
}

/* What a statement gives, in the order of its columns; -1 = not there. */
struct level {
	const char *sql;
	int64_t width_us; /* of one row */
	struct {
		int min, mean, max;
	} col[REP_COLS];
};

/* Columns 0-3: ref_id, time of its clock, steps, samples in the row. */
static const struct level raw = {
	"SELECT ref_id, t_raw_us, seq, 1, sm_clock_mhz, power_w, power_limit_w, temp_c, util_pct"
	" FROM gpu_sample WHERE rowid BETWEEN ?1 AND ?2",
	0,
	{ [REP_CLOCK] = { -1, 4, -1 },
	  [REP_POWER] = { -1, 5, -1 },
	  [REP_LIMIT] = { -1, 6, -1 },
	  [REP_TEMP] = { -1, 7, -1 },
	  [REP_UTIL] = { -1, 8, -1 },
	  [REP_MEMTEMP] = { -1, -1, -1 } },
};

static const struct level seconds = {
	"SELECT ref_id, t_raw_us, NULL, n, sm_min, sm_avg, sm_max, power_min, power_avg, "
	"power_max, temp_avg, util_avg"
	" FROM gpu_second",
	GPUDX_SECOND,
	{ [REP_CLOCK] = { 4, 5, 6 },
	  [REP_POWER] = { 7, 8, 9 },
	  [REP_LIMIT] = { -1, -1, -1 },
	  [REP_TEMP] = { -1, 10, -1 },
	  [REP_UTIL] = { -1, 11, -1 },
	  [REP_MEMTEMP] = { -1, -1, -1 } },
};

static const struct level minutes = {
	"SELECT ref_id, t_raw_us, NULL, n, sm_min, sm_avg, sm_max, power_min, power_avg, "
	"power_max, limit_min,"
	" limit_max, temp_min, temp_avg, temp_max, util_min, util_avg, util_max FROM gpu_minute",
	GPUDX_MINUTE,
	{ [REP_CLOCK] = { 4, 5, 6 },
	  [REP_POWER] = { 7, 8, 9 },
	  [REP_LIMIT] = { 10, 10, 11 },
	  [REP_TEMP] = { 12, 13, 14 },
	  [REP_UTIL] = { 15, 16, 17 },
	  [REP_MEMTEMP] = { -1, -1, -1 } },
};

struct loader {
	const struct rep_model *m;
	struct rep_trace *traces;
	const struct level **level; /* of each trace */
	size_t n;
};

static double column(sqlite3_stmt *st, int i)
{
	return i < 0 ? (double)NAN : gpudx_col_real(st, i);
}

/* A row of a rollup stands in the middle of what it covers, or at the nearer end of the capture. */
static int64_t middle(const struct rep_ref *r, int64_t t_us, int64_t width_us)
{
	t_us += width_us / 2;
	if (t_us < r->span.t0_us)
		return r->span.t0_us;
	return t_us > r->span.t1_us ? r->span.t1_us : t_us;
}

static void put_row(struct rep_trace *t, const struct rep_ref *r, const struct level *l,
		    sqlite3_stmt *st)
{
	int64_t t_us = gpudx_col_time(st, 1), seq = gpudx_col_int(st, 2, 0);
	int64_t count = gpudx_col_int(st, 3, 1);
	uint32_t n = count > 0 && count < UINT32_MAX ? (uint32_t)count : 1;
	struct rep_bucket *b;

	if (t_us == GPUDX_NO_TIME)
		t_us = seq > -INT32_MAX && seq < INT32_MAX ? seq * GPUDX_SECOND : GPUDX_NO_TIME;
	else if (__builtin_add_overflow(t_us, r->offset_us, &t_us))
		t_us = GPUDX_NO_TIME;
	if (!gpudx_word_time_known(t_us))
		return;
	b = bucket_at(t, middle(r, t_us, l->width_us), n);
	for (int c = 0; b && c < REP_COLS; c++)
		put_cell(&b->col[c], column(st, l->col[c].min), column(st, l->col[c].mean),
			 column(st, l->col[c].max), n);
}

/* Gives every row of the statement to the trace that is read at this level and has the ref. */
static void take_rows(struct loader *ld, const struct level *l, struct rep_select *q)
{
	while (gpudx_select_next(q)) {
		int64_t ref_id = gpudx_col_int(q->st, 0, 0);

		for (size_t i = 0; i < ld->n; i++) {
			const struct rep_ref *r =
				ld->level[i] == l ? ref_in(&ld->traces[i], ref_id) : NULL;

			if (r)
				put_row(&ld->traces[i], r, l, q->st);
		}
	}
}

/* ---- single samples: only the rowids that the window needs ---- */

struct ids {
	int64_t first, last;
};

static int by_first(const void *a, const void *b)
{
	const struct ids *x = a, *y = b;

	return (x->first > y->first) - (x->first < y->first);
}

/* Where the samples of a ref lie that fall into the window, by its minutes. */
static struct ids window_ids(const struct rep_trace *t, const struct rep_ref *r,
			     struct rep_select *q)
{
	struct ids all = { r->first_id, r->last_id };

	if (t->t0_us <= r->span.t0_us && t->t1_us >= r->span.t1_us)
		return all;
	gpudx_select_again(q, r->id, t->t0_us - r->offset_us - GPUDX_MINUTE);
	if (q->st)
		sqlite3_bind_int64(q->st, 3, t->t1_us - r->offset_us);
	if (gpudx_select_next(q)) {
		all.first = gpudx_col_int(q->st, 0, 1);
		all.last = gpudx_col_int(q->st, 1, 0);
	}
	return all;
}

static enum gpudx_status read_raw(struct loader *ld, struct gpudx_err *err)
{
	struct rep_select ids =
		gpudx_select(ld->m->db,
			     "SELECT min(first_id), max(last_id) FROM gpu_minute"
			     " WHERE ref_id = ?1 AND t_raw_us >= ?2 AND t_raw_us <= ?3",
			     0, err);
	struct rep_select q = gpudx_select(ld->m->db, raw.sql, 0, err);
	struct ids *all = gpudx_arena_array(ld->m->arena, ld->n * REP_TRACE_REFS, sizeof(*all));
	enum gpudx_status rc;
	size_t n = 0;

	for (size_t i = 0; i < ld->n && all; i++)
		for (size_t k = 0; k < ld->traces[i].nrefs && ld->level[i] == &raw; k++)
			all[n++] = window_ids(&ld->traces[i], ld->traces[i].refs[k], &ids);
	if (n)
		qsort(all, n, sizeof(*all), by_first);
	for (size_t i = 0, next; i < n; i = next) {
		for (next = i + 1; next < n && all[next].first <= all[i].last; next++)
			all[i].last = all[next].last > all[i].last ? all[next].last : all[i].last;
		gpudx_select_again(&q, all[i].first, all[i].last);
		take_rows(ld, &raw, &q);
	}
	rc = gpudx_select_end(&ids);
	return gpudx_select_end(&q) ? q.rc : rc;
}

/* ---- rollups ---- */

static enum gpudx_status read_rollup(struct loader *ld, const struct level *l,
				     struct gpudx_err *err)
{
	struct rep_select q;
	bool wanted = false;

	for (size_t i = 0; i < ld->n; i++)
		wanted |= ld->level[i] == l;
	if (!wanted)
		return GPUDX_OK;
	q = gpudx_select(ld->m->db, l->sql, 0, err);
	take_rows(ld, l, &q);
	return gpudx_select_end(&q);
}

/* Samples of a ref in the window, if they are spread evenly. */
static double share(const struct rep_trace *t, const struct rep_ref *r)
{
	double whole = (double)r->span.t1_us - (double)r->span.t0_us;
	double from = (double)(t->t0_us > r->span.t0_us ? t->t0_us : r->span.t0_us);
	double to = (double)(t->t1_us < r->span.t1_us ? t->t1_us : r->span.t1_us);

	if (to < from)
		return 0;
	return whole > 0 ? (double)r->samples * (to - from) / whole : (double)r->samples;
}

static bool reads_raw(const struct rep_trace *t, size_t traces)
{
	double samples = 0, spread = 0;

	for (size_t i = 0; i < t->nrefs; i++) {
		double part = share(t, t->refs[i]);

		samples += part;
		spread += part / (double)t->refs[i]->samples *
			  (double)(t->refs[i]->last_id - t->refs[i]->first_id + 1);
	}
	return samples * (double)traces <= RAW_MOST && spread <= RAW_SPREAD;
}

/* Seconds are kept of fast sources only, which has to be looked up where they would help. */
static enum gpudx_status choose_levels(struct loader *ld, struct gpudx_err *err)
{
	size_t *fast = gpudx_arena_array(ld->m->arena, ld->n, sizeof(*fast));
	struct rep_select q;
	bool wanted = false;

	for (size_t i = 0; i < ld->n; i++) {
		const struct rep_trace *t = &ld->traces[i];

		ld->level[i] = reads_raw(t, ld->n) ? &raw : &minutes;
		wanted |=
			ld->level[i] == &minutes && !t->by_order && rep_window_s(t) <= SECONDS_MOST;
	}
	if (!wanted || !fast)
		return GPUDX_OK;
	q = gpudx_select(ld->m->db, "SELECT DISTINCT ref_id FROM gpu_second", 0, err);
	while (gpudx_select_next(&q))
		for (size_t i = 0; i < ld->n; i++)
			fast[i] += ref_in(&ld->traces[i], gpudx_col_int(q.st, 0, 0)) != NULL;
	for (size_t i = 0; i < ld->n; i++)
		if (ld->level[i] == &minutes && fast[i] == ld->traces[i].nrefs &&
		    rep_window_s(&ld->traces[i]) <= SECONDS_MOST)
			ld->level[i] = &seconds;
	return gpudx_select_end(&q);
}

/* ---- memory temperature: a metric, kept where it changed ---- */

static enum gpudx_status read_memory_temperature(struct loader *ld, struct gpudx_err *err)
{
	struct rep_select q = gpudx_select(ld->m->db,
					   "SELECT m.ref_id, s.t_raw_us, s.seq, 1, s.value FROM "
					   "metric m JOIN metric_sample s ON s.metric_id = m.id"
					   " WHERE m.key = 'temp.memory_c'",
					   0, err);
	struct level l = raw;

	for (int c = 0; c < REP_COLS; c++)
		l.col[c].mean = c == REP_MEMTEMP ? 4 : -1;
	while (gpudx_select_next(&q)) {
		int64_t ref_id = gpudx_col_int(q.st, 0, 0);

		for (size_t i = 0; i < ld->n; i++) {
			const struct rep_ref *r = ref_in(&ld->traces[i], ref_id);

			if (r)
				put_row(&ld->traces[i], r, &l, q.st);
		}
	}
	return gpudx_select_end(&q);
}

/* Between two changes the value held, as far as there were samples. */
static void hold(struct rep_trace *t, enum rep_col c)
{
	const struct rep_cell *last = NULL;

	for (size_t i = 0; i < REP_BUCKETS; i++) {
		struct rep_bucket *b = &t->buckets[i];
		double v;

		if (b->col[c].n) {
			last = &b->col[c];
		} else if (last && b->n) {
			v = last->sum / last->n;
			b->col[c] = (struct rep_cell){ v, v, v, 1 };
		}
	}
}

/* ---- the whole ---- */

static void finish(struct rep_trace *t, const struct level *l)
{
	double width = rep_window_s(t) / REP_BUCKETS, period = t->refs[0]->period_s;

	for (size_t i = 1; i < t->nrefs; i++)
		period = t->refs[i]->period_s > period ? t->refs[i]->period_s : period;
	if (period < (double)l->width_us / GPUDX_SECOND)
		period = (double)l->width_us / GPUDX_SECOND;
	t->gap_s = 3 * (period > width ? period : width);
	hold(t, REP_MEMTEMP);
	for (size_t i = 0; i < REP_BUCKETS; i++)
		for (int c = 0; c < REP_COLS; c++)
			t->has[c] |= t->buckets[i].col[c].n > 0;
}

enum gpudx_status gpudx_trace_load(const struct rep_model *m, struct rep_trace *traces, size_t n,
				   struct gpudx_err *err)
{
	struct loader ld = { m, traces, gpudx_arena_array(m->arena, n, sizeof(struct level *)), n };
	enum gpudx_status rc;

	if (!n)
		return GPUDX_OK;
	if (!ld.level)
		return gpudx_nomem(err);
	rc = choose_levels(&ld, err);
	if (!rc)
		rc = read_raw(&ld, err);
	if (!rc)
		rc = read_rollup(&ld, &seconds, err);
	if (!rc)
		rc = read_rollup(&ld, &minutes, err);
	if (!rc)
		rc = read_memory_temperature(&ld, err);
	for (size_t i = 0; i < n && !rc; i++)
		finish(&traces[i], ld.level[i]);
	return rc;
}
