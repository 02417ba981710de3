/* What was measured of one GPU over time, reduced to what a screen can show: at most REP_BUCKETS
 * stretches of time with minimum, mean and maximum of each column. */
#ifndef GPUDX_TRACE_H
#define GPUDX_TRACE_H

#include "report/model.h"

enum rep_col { REP_CLOCK, REP_POWER, REP_LIMIT, REP_TEMP, REP_UTIL, REP_MEMTEMP, REP_COLS };

enum { REP_BUCKETS = 240, REP_TRACE_REFS = 32 };

struct rep_cell {
	double min, max, sum;
	uint32_t n;
};

/* Whether a value can stand on an axis: nothing that is measured of a GPU comes near the bound, and sums
 * and spans of such values are numbers, too. */
bool gpudx_trace_drawable(double v);

struct rep_bucket {
	double t_sum; /* seconds since the start of the window, over n */
	uint32_t n;
	struct rep_cell col[REP_COLS];
};

struct rep_trace {
	const struct rep_gpu *gpu;
	const struct rep_ref
		*refs[REP_TRACE_REFS]; /* captures that are drawn as one, the main one first */
	size_t nrefs;
	bool by_order; /* without stamps: t counts steps as seconds */
	enum rep_quality quality;
	int64_t t0_us, t1_us; /* the window; all of it unless narrowed before loading */
	double gap_s;	      /* neighbours farther apart than this are not joined by a line */
	bool has[REP_COLS];
	struct rep_bucket buckets[REP_BUCKETS];
};

/* Chooses what to draw of a GPU: the longest capture, one that prefer cites before others; captures
 * on the same clock join when the time between is no longer than what is there already. False when
 * nothing was measured. */
bool gpudx_trace_choose(const struct rep_model *m, const struct rep_gpu *gpu,
			const struct rep_evidence *prefer, struct rep_trace *t);

/* Narrows the window to what the span touches, with as much around it again. */
void gpudx_trace_narrow(struct rep_trace *t, const struct rep_span *span);

/* Reads n chosen traces, each place of the database at most once. */
GPUDX_CHECK enum gpudx_status gpudx_trace_load(const struct rep_model *m, struct rep_trace *traces,
					       size_t n, struct gpudx_err *err);

static inline double rep_window_s(const struct rep_trace *t)
{
	return ((double)t->t1_us - (double)t->t0_us) / (double)GPUDX_SECOND;
}

#endif
