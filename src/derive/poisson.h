/* Two counts of rare events over two exposures: how sure is it that the rate rose? Exact methods;
 * the counts are too small for approximations. */
#ifndef GPUDX_POISSON_H
#define GPUDX_POISSON_H

#include <stdint.h>

/* P(X >= k) for X binomial in n trials of probability p. Relative error below 1e-8 for n <= 10^6.
 */
double gpudx_binomial_tail(int64_t k, int64_t n, double p);

/* The Clopper-Pearson interval for the probability behind k of n: each end is the probability that
 * would give k or something further out with chance tail (0.025 for a 95 % interval). */
struct gpudx_interval {
	double lo, hi;
};
struct gpudx_interval gpudx_binomial_interval(int64_t k, int64_t n, double tail);

struct gpudx_rate_ratio {
	double ratio;  /* rate after / rate before; INFINITY with none before, NAN when not defined
			*/
	double lo, hi; /* 95 %; hi INFINITY with none before; NAN when not defined */
	double p; /* of so many after, or more, if the rate had stayed; 1 when nothing can be said
		   */
};

/* Of two Poisson counts the second is, given their sum, binomial with probability
 * after / (before + after) of the exposures if the rates are equal: the conditional exact test
 * (Przyborowski and Wilenski 1940), and its interval by Clopper-Pearson. */
struct gpudx_rate_ratio gpudx_rate_compare(int64_t n_before, double before, int64_t n_after,
					   double after);

/* The exposure without a single event that would have made n_after events in `after` a rise with
 * p <= alpha. 0 when n_after is 0. */
double gpudx_exposure_needed(int64_t n_after, double after, double alpha);

#endif
