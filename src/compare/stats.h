/* Statistics of series whose values depend on those before: quantiles that suit values in steps,
 * their uncertainty by a block bootstrap, and Student's t. Pure functions; the same seed gives the
 * same bytes on every machine. */
#ifndef GPUDX_STATS_H
#define GPUDX_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

/* splitmix64 (Steele, Lea and Flood 2014). */
struct cmp_rng {
	uint64_t state;
};
uint64_t gpudx_rng_next(struct cmp_rng *r);

enum { CMP_REPLICATES = 400 };

/* A quantile of one series and how sure it is. */
struct cmp_estimate {
	double value;	/* NAN: no values */
	double se;	/* standard error; 0 where all values are equal */
	double df;	/* degrees of freedom behind se: independent blocks less one */
	size_t block;	/* values in a block */
	double stretch; /* what replicates are stretched by, for what short blocks do not see */
	double replicate[CMP_REPLICATES];
};

/* The mid-distribution quantile of values x with weights w (NULL: all alike): each distinct value
 * stands at the middle of its share, and lines join them. For values without ties it is the usual
 * one; for clocks in steps of 15 MHz it moves with the shares instead of jumping. Ma, Genton and
 * Parzen, Asymptotic properties of sample quantiles of discrete distributions (2011). NAN when
 * n = 0. */
double gpudx_mid_quantile(const double *x, const double *w, size_t n, double q,
			  struct gpudx_arena *scratch);

/* How many steps a series remembers itself: the integrated autocorrelation time of whether values
 * lie above level, summed up to the window of Sokal (1989). At least 0.5: no memory. */
double gpudx_memory_steps(const double *x, size_t n, double level);

/* The quantile with its uncertainty, by a circular block bootstrap (Politis and Romano 1992) over
 * values in order of time. block 0: six times the memory of the series, but so that there are
 * at least five blocks. False when memory is out. */
bool gpudx_estimate(const double *x, const double *w, size_t n, double q, size_t block,
		    struct cmp_rng *rng, struct gpudx_arena *scratch, struct cmp_estimate *out);

/* P(T <= t) of Student's distribution, df > 0, and the t for which P(T <= t) = p. */
double gpudx_student(double t, double df);
double gpudx_student_quantile(double p, double df);

struct cmp_range {
	double lo, hi;
};

/* The interval of a difference: after - before, each with its own uncertainty (Welch 1947); alpha
 * is the chance to miss. */
struct cmp_range gpudx_difference_range(const struct cmp_estimate *before,
					const struct cmp_estimate *after, double alpha);

/* The same for (after - before) / before, by the delta method. before > 0. */
struct cmp_range gpudx_ratio_range(const struct cmp_estimate *before,
				   const struct cmp_estimate *after, double alpha);

#endif
