#include "ingest/series.h"

#include <math.h>
#include <string.h>

enum { MINUTE, SECOND, WINDOWS };

/* Columns that a window summarises, in the order of its sums. */
static const enum gpudx_col summed[] = { GPUDX_COL_SM_CLOCK,	GPUDX_COL_POWER,
					 GPUDX_COL_POWER_LIMIT, GPUDX_COL_TEMP,
					 GPUDX_COL_UTIL,	GPUDX_COL_MEM_UTIL,
					 GPUDX_COL_MEM_USED,	GPUDX_COL_MEM_CLOCK,
					 GPUDX_COL_PSTATE };
enum { SM, POWER, LIMIT, TEMP, UTIL, MEM_UTIL, MEM_USED, MEM_CLOCK, PSTATE, SUMMED };

static const uint32_t state_cols =
	1u << GPUDX_COL_SM_CLOCK | 1u << GPUDX_COL_POWER | 1u << GPUDX_COL_UTIL;

struct summary {
	uint32_t n;
	double min, max, sum;
};

/* The last clocks of a window, as whole MHz, for their median: levels, not sums, are what a clock has. */
enum { CLOCKS = 64 };

struct window {
	int64_t start; /* GPUDX_NO_TIME: nothing in it */
	uint32_t n;
	int64_t first, last; /* rowids */
	struct summary col[SUMMED];
	uint32_t reasons, reasons_all; /* of any sample, of all that record them */
	uint32_t reasons_n;	       /* samples that record them */
	uint32_t whole;		       /* samples that state what a state is made of */
	uint16_t clock[CLOCKS];	       /* .col[SM].n of them, the oldest written over */
};

/* Distributions: bins of equal width from 0; the last takes all that is larger. */
static const struct hist_col {
	enum gpudx_col col;
	const char *name;
	double width;
	unsigned bins, at; /* at: offset into the ref's counters */
} hist_cols[] = {
	{ GPUDX_COL_SM_CLOCK, "sm_clock_mhz", 5, 800, 0 },
	{ GPUDX_COL_POWER, "power_w", 2, 600, 800 },
	{ GPUDX_COL_TEMP, "temp_c", 1, 128, 1400 },
	{ GPUDX_COL_UTIL, "util_pct", 1, 101, 1528 },
};
enum { HIST_COLS = sizeof(hist_cols) / sizeof(hist_cols[0]), HIST_BINS = 1629, BUSY_PCT = 80 };

struct gpudx_series_ref {
	struct gpudx_series_ref *next;
	uint32_t id, n, reasons_known;
	uint32_t turned_back; /* minutes that began before the one before */
	struct window window[WINDOWS];
	struct gpudx_sample before; /* the sample before; .ref 0 when there is none */
	double low[GPUDX_COLS], high[GPUDX_COLS];
	uint32_t hist[2][HIST_BINS]; /* [busy] */
};

static const int64_t window_us[WINDOWS] = { GPUDX_MINUTE, GPUDX_SECOND };

static bool has(const struct gpudx_sample *v, enum gpudx_col c)
{
	return v->have >> c & 1;
}

/* ---- writing ---- */

static void write_min_avg_max(struct gpudx_row *r, const struct summary *s)
{
	gpudx_row_real(r, s->n ? s->min : (double)NAN);
	gpudx_row_real(r, s->n ? s->sum / s->n : (double)NAN);
	gpudx_row_real(r, s->n ? s->max : (double)NAN);
}

static void write_avg(struct gpudx_row *r, const struct summary *s)
{
	gpudx_row_real(r, s->n ? s->sum / s->n : (double)NAN);
}

/* Few and mostly in order already. */
static void sort_clocks(uint16_t *v, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		uint16_t x = v[i];
		size_t k = i;

		for (; k && v[k - 1] > x; k--)
			v[k] = v[k - 1];
		v[k] = x;
	}
}

static double median_clock(const struct window *w)
{
	const struct summary *c = &w->col[SM];
	size_t n = c->n < CLOCKS ? c->n : CLOCKS;
	uint16_t v[CLOCKS];

	if (!c->n || c->min >= c->max)
		return c->n ? c->min : (double)NAN;
	memcpy(v, w->clock, n * sizeof(*v));
	sort_clocks(v, n);
	n /= 2; /* its middle */
	return v[n];
}

static void window_head(struct gpudx_row *r, const struct gpudx_series_ref *ref,
			const struct window *w)
{
	gpudx_row_int(r, ref->id);
	gpudx_row_int(r, w->start);
	gpudx_row_int(r, w->n);
	gpudx_row_int(r, w->first);
	gpudx_row_int(r, w->last);
}

static void write_minute(struct gpudx_series *s, const struct gpudx_series_ref *ref,
			 const struct window *w)
{
	const struct summary *c = w->col;
	struct gpudx_row r;

	gpudx_row_begin(&r, gpudx_store_rows(s->store), GPUDX_T_MINUTE);
	window_head(&r, ref, w);
	write_min_avg_max(&r, &c[SM]);
	write_min_avg_max(&r, &c[POWER]);
	gpudx_row_real(&r, c[LIMIT].n ? c[LIMIT].min : (double)NAN);
	gpudx_row_real(&r, c[LIMIT].n ? c[LIMIT].max : (double)NAN);
	write_min_avg_max(&r, &c[TEMP]);
	write_min_avg_max(&r, &c[UTIL]);
	write_avg(&r, &c[MEM_UTIL]);
	write_avg(&r, &c[MEM_USED]);
	gpudx_row_real(&r, c[MEM_USED].n ? c[MEM_USED].max : (double)NAN);
	write_avg(&r, &c[MEM_CLOCK]);
	gpudx_row_unless(&r, c[PSTATE].n ? (int64_t)c[PSTATE].min : -1, -1);
	gpudx_row_unless(&r, c[PSTATE].n ? (int64_t)c[PSTATE].max : -1, -1);
	gpudx_row_unless(&r, w->reasons_n ? (int64_t)w->reasons : -1, -1);
	gpudx_row_unless(&r,
			 w->reasons_n == w->n ? (int64_t)w->reasons_all
			 : w->reasons_n	      ? 0
					      : -1,
			 -1);
	gpudx_row_int(&r, w->whole);
	gpudx_row_real(&r, median_clock(w));
	gpudx_row_end(&r);
}

static void write_second(struct gpudx_series *s, const struct gpudx_series_ref *ref,
			 const struct window *w)
{
	struct gpudx_row r;

	if (w->n <= 2)
		return;
	gpudx_row_begin(&r, gpudx_store_rows(s->store), GPUDX_T_SECOND);
	window_head(&r, ref, w);
	write_min_avg_max(&r, &w->col[SM]);
	write_min_avg_max(&r, &w->col[POWER]);
	write_avg(&r, &w->col[TEMP]);
	write_avg(&r, &w->col[UTIL]);
	gpudx_row_unless(&r, w->reasons_n ? (int64_t)w->reasons : -1, -1);
	gpudx_row_end(&r);
}

static void write_hist(struct gpudx_series *s, const struct gpudx_series_ref *ref, int busy,
		       const struct hist_col *h)
{
	struct gpudx_row r;

	for (unsigned i = 0; i < h->bins; i++) {
		uint32_t n = ref->hist[busy][h->at + i];

		if (!n)
			continue;
		gpudx_row_begin(&r, gpudx_store_rows(s->store), GPUDX_T_HIST);
		gpudx_row_int(&r, ref->id);
		gpudx_row_str(&r, h->name);
		gpudx_row_int(&r, busy);
		gpudx_row_real(&r, i * h->width);
		gpudx_row_int(&r, n);
		gpudx_row_end(&r);
	}
}

static void write_ref_end(struct gpudx_series *s, const struct gpudx_series_ref *ref)
{
	struct gpudx_row r;

	gpudx_row_begin(&r, gpudx_store_rows(s->store), GPUDX_T_REF_END);
	gpudx_row_int(&r, ref->id);
	gpudx_row_int(&r, ref->reasons_known);
	gpudx_row_int(&r, ref->n);
	gpudx_row_int(&r, ref->turned_back);
	gpudx_row_end(&r);
}

/* ---- adding ---- */

static void window_flush(struct gpudx_series *s, const struct gpudx_series_ref *ref, int which)
{
	const struct window *w = &ref->window[which];

	if (w->start == GPUDX_NO_TIME)
		return;
	if (which == MINUTE)
		write_minute(s, ref, w);
	else
		write_second(s, ref, w);
}

static void window_sum(struct window *w, const struct gpudx_sample *v)
{
	for (int i = 0; i < SUMMED; i++) {
		struct summary *c = &w->col[i];
		double d = v->v[summed[i]];

		if (!has(v, summed[i]))
			continue;
		if (i == SM)
			w->clock[c->n % CLOCKS] = d < 0		   ? 0
						  : d > UINT16_MAX ? UINT16_MAX
								   : (uint16_t)d;
		if (!c->n++) {
			c->min = c->max = c->sum = d;
			continue;
		}
		c->sum += d;
		if (d < c->min)
			c->min = d;
		if (d > c->max)
			c->max = d;
	}
	w->whole += (v->have & state_cols) == state_cols;
	if (has(v, GPUDX_COL_REASONS)) {
		uint32_t bits = (uint32_t)v->v[GPUDX_COL_REASONS];

		w->reasons |= bits;
		w->reasons_all = w->reasons_n++ ? w->reasons_all & bits : bits;
	}
}

/* Clears the sums: they are those of the window before until something is added. */
static void sums_begin(struct window *w)
{
	memset(w->col, 0, sizeof(w->col));
	w->reasons = w->reasons_n = w->whole = 0;
}

/* A lazy window is not summed until its second sample comes: at the usual 1 Hz no second needs it,
 * and the first one is then the sample before. */
static void window_add(struct window *w, const struct gpudx_series_ref *ref,
		       const struct gpudx_sample *v, int64_t rowid, bool lazy)
{
	if (!w->n++)
		w->first = rowid;
	w->last = rowid;
	if (lazy && w->n == 1)
		return;
	if (w->n == 1u + lazy)
		sums_begin(w);
	if (lazy && w->n == 2)
		window_sum(w, &ref->before);
	window_sum(w, v);
}

static void window_enter(struct gpudx_series *s, struct gpudx_series_ref *ref, int which, int64_t t)
{
	struct window *w = &ref->window[which];
	int64_t us = window_us[which];

	if (w->start != GPUDX_NO_TIME && t >= w->start && t - w->start < us)
		return;
	window_flush(s, ref, which);
	ref->turned_back += which == MINUTE && w->start != GPUDX_NO_TIME && t < w->start;
	w->start = t - (t % us + us) % us;
	w->n = 0;
}

static void hist_add(struct gpudx_series_ref *ref, const struct gpudx_sample *v)
{
	bool busy = has(v, GPUDX_COL_UTIL) && v->v[GPUDX_COL_UTIL] >= BUSY_PCT;

	for (int i = 0; i < HIST_COLS; i++) {
		const struct hist_col *h = &hist_cols[i];
		double bin = v->v[h->col] / h->width;

		if (!has(v, h->col) || !(bin >= 0))
			continue;
		ref->hist[busy][h->at + (bin < h->bins ? (unsigned)bin : h->bins - 1)]++;
	}
}

/* ---- what is worth keeping ---- */

static bool new_extreme(struct gpudx_series_ref *ref, const struct gpudx_sample *v)
{
	static const enum gpudx_col watched[] = { GPUDX_COL_SM_CLOCK, GPUDX_COL_POWER,
						  GPUDX_COL_TEMP };
	bool news = false;

	for (size_t i = 0; i < sizeof(watched) / sizeof(watched[0]); i++) {
		enum gpudx_col c = watched[i];

		if (!has(v, c))
			continue;
		if (v->v[c] > ref->high[c])
			news = true, ref->high[c] = v->v[c];
		if (v->v[c] < ref->low[c])
			news = true, ref->low[c] = v->v[c];
	}
	return news;
}

static bool differs(const struct gpudx_sample *a, const struct gpudx_sample *b, enum gpudx_col c)
{
	return has(a, c) && has(b, c) && (a->v[c] < b->v[c] || a->v[c] > b->v[c]);
}

static bool at_limit(const struct gpudx_sample *v)
{
	return has(v, GPUDX_COL_POWER) && has(v, GPUDX_COL_POWER_LIMIT) &&
	       v->v[GPUDX_COL_POWER] >= 0.97 * v->v[GPUDX_COL_POWER_LIMIT];
}

static bool clock_dropped(const struct gpudx_sample *a, const struct gpudx_sample *b)
{
	return has(a, GPUDX_COL_SM_CLOCK) && has(b, GPUDX_COL_SM_CLOCK) && has(b, GPUDX_COL_UTIL) &&
	       b->v[GPUDX_COL_UTIL] >= BUSY_PCT &&
	       b->v[GPUDX_COL_SM_CLOCK] < 0.9 * a->v[GPUDX_COL_SM_CLOCK];
}

static bool worth_keeping(struct gpudx_series_ref *ref, const struct gpudx_sample *v)
{
	const struct gpudx_sample *b = &ref->before;
	bool extreme = new_extreme(ref, v);

	return !b->ref || extreme || differs(b, v, GPUDX_COL_PSTATE) ||
	       differs(b, v, GPUDX_COL_REASONS) || (at_limit(v) && !at_limit(b)) ||
	       clock_dropped(b, v);
}

/* ---- refs ---- */

static struct gpudx_series_ref *series_ref(struct gpudx_series *s, uint32_t id)
{
	struct gpudx_series_ref *r = s->last_used;

	/* The GPUs of a poll come in a fixed order, so the next one is nearly always the right one. */
	if (r && r->next && r->next->id == id)
		return s->last_used = r->next;
	for (r = s->first; r; r = r->next)
		if (r->id == id)
			return s->last_used = r;
	return NULL;
}

static struct gpudx_series_ref *series_new(struct gpudx_series *s, uint32_t id)
{
	struct gpudx_series_ref *r = gpudx_arena_alloc(s->arena, sizeof(*r)), **end;

	if (!r)
		return NULL;
	r->id = id;
	for (int w = 0; w < WINDOWS; w++)
		r->window[w].start = GPUDX_NO_TIME;
	for (int c = 0; c < GPUDX_COLS; c++) {
		r->low[c] = (double)INFINITY;
		r->high[c] = -(double)INFINITY;
	}
	for (end = &s->first; *end; end = &(*end)->next)
		continue;
	*end = r;
	return s->last_used = r;
}

bool gpudx_series_add(struct gpudx_series *s, const struct gpudx_sample *v, int64_t rowid)
{
	struct gpudx_series_ref *ref = series_ref(s, v->ref);
	int64_t t = v->t_us == GPUDX_NO_TIME ? v->seq * GPUDX_SECOND : v->t_us;
	bool keep;

	if (!ref)
		ref = series_new(s, v->ref);
	if (!ref)
		return s->unrolled++, false;
	for (int w = 0; w < WINDOWS; w++) {
		window_enter(s, ref, w, t);
		window_add(&ref->window[w], ref, v, rowid, w == SECOND);
	}
	hist_add(ref, v);
	if (has(v, GPUDX_COL_REASONS) && !ref->reasons_known)
		ref->reasons_known = 0x1ff;
	ref->n++;
	keep = worth_keeping(ref, v);
	ref->before = *v;
	return keep;
}

void gpudx_series_reasons(struct gpudx_series *s, uint32_t id, uint32_t bits)
{
	struct gpudx_series_ref *ref = series_ref(s, id);

	if (!ref)
		ref = series_new(s, id);
	if (ref)
		ref->reasons_known = bits;
}

void gpudx_series_end(struct gpudx_series *s)
{
	for (struct gpudx_series_ref *r = s->first; r; r = r->next) {
		for (int w = 0; w < WINDOWS; w++)
			window_flush(s, r, w);
		for (int h = 0; h < HIST_COLS; h++) {
			write_hist(s, r, 0, &hist_cols[h]);
			write_hist(s, r, 1, &hist_cols[h]);
		}
		write_ref_end(s, r);
	}
	s->first = s->last_used = NULL;
}
