/* Between the files that compare behaviour: series at equal load, and estimates from them. */
#ifndef GPUDX_COMPARE_BEHAVE_H
#define GPUDX_COMPARE_BEHAVE_H

#include "compare/compare.h"
#include "compare/load.h"

/* ---- metric.c: series beside the samples ---- */

/* Where a metric stood from a moment on. */
struct cmp_point {
	double t_s, seq, value; /* t_s NAN without stamps */
};

struct cmp_metric {
	const struct cmp_kind *kind;
	int gpu;   /* of the side; -1: of a job */
	int slice; /* of the side; -1: of the GPU, or of a job */
	int64_t id;
	struct cmp_point *v;
	size_t n;
	uint32_t stride, skipped;
	double offset_s;
};

struct cmp_metrics {
	struct cmp_metric *v; /* by kind, GPU; of several of one the longest */
	size_t n;
};

/* Adds to c->kinds the kinds of series that both sides have. */
GPUDX_CHECK enum gpudx_status gpudx_metric_kinds(struct gpudx_comparison *c, struct gpudx_err *err);
GPUDX_CHECK enum gpudx_status gpudx_metrics_load(struct gpudx_comparison *c, int side,
						 struct cmp_metrics *out, struct gpudx_err *err);
const struct cmp_metric *gpudx_metric_of(const struct cmp_metrics *m, const struct cmp_kind *kind,
					 int gpu);

const struct cmp_metric *gpudx_metric_of_slice(const struct cmp_metrics *m,
					       const struct cmp_kind *kind, int slice);

/* What a series was at equal distances in time, its beginning cut off; false when memory is out. */
bool gpudx_metric_timed(const struct cmp_metric *m, struct gpudx_arena *a, struct cmp_series *out);

/* A job's series, its beginning cut off, one value a step; false when memory is out. */
bool gpudx_metric_series(const struct cmp_metric *m, struct gpudx_arena *a, struct cmp_series *out);

/* The value that stood at a moment; NAN before the first. */
double gpudx_metric_at(const struct cmp_metric *m, double t_s);

/* A series by its key or the end of it: "step_ms" names train.step_ms. */
bool gpudx_series_named(struct gpudx_sv name, const char *key);

/* ---- shift.c ---- */

/* Series of a pair or job, of one kind. */
struct cmp_matched {
	const struct cmp_kind *kind;
	int pair; /* or CMP_OF_JOB, CMP_OF_SLICE */
	struct cmp_series side[CMP_SIDES];
};

/* Estimates all shifts, those of all GPUs and the slowest too, and judges them as one family. */
GPUDX_CHECK enum gpudx_status gpudx_shifts(struct gpudx_comparison *c,
					   const struct cmp_matched *series, size_t n,
					   struct gpudx_err *err);

/* Histograms and the cloud of clock against power. */
GPUDX_CHECK enum gpudx_status gpudx_pictures(struct gpudx_comparison *c,
					     const struct cmp_matched *series, size_t n,
					     struct gpudx_err *err);

#endif
