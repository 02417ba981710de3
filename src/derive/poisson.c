#include "derive/poisson.h"

#include <math.h>

/* log(n!) by products while they are exact, else by Stirling's series, whose error after the term
 * 1/(1260 n^5) is below 1/(1680 n^7): 1e-13 at n = 20. Not lgamma: it writes a global. */
static double log_factorial(int64_t n)
{
	double x = (double)n, product = 1;

	if (n < 20) {
		for (int64_t i = 2; i <= n; i++)
			product *= (double)i;
		return log(product);
	}
	return (x + 0.5) * log(x) - x + 0.91893853320467274178 +
	       (1.0 / 12 - (1.0 / 360 - 1 / (1260 * x * x)) / (x * x)) / x;
}

/* P(X = k) for 0 < p < 1. */
static double binomial_point(int64_t k, int64_t n, double p)
{
	return exp(log_factorial(n) - log_factorial(k) - log_factorial(n - k) + (double)k * log(p) +
		   (double)(n - k) * log1p(-p));
}

/* P(X >= k) for k above the mean: terms fall from the first on, so the sum ends soon. */
static double upper_sum(int64_t k, int64_t n, double p)
{
	double term = binomial_point(k, n, p), sum = 0, odds = p / (1 - p);

	for (; k <= n && term > sum * 1e-17; k++) {
		sum += term;
		term *= (double)(n - k) / (double)(k + 1) * odds;
	}
	return sum < 1 ? sum : 1;
}

double gpudx_binomial_tail(int64_t k, int64_t n, double p)
{
	if (k <= 0)
		return 1;
	if (k > n || p <= 0)
		return 0;
	if (p >= 1)
		return 1;
	if ((double)k > (double)n * p)
		return upper_sum(k, n, p);
	return 1 - upper_sum(n - k + 1, n, 1 - p);
}

/* The p at which P(X >= k) = tail; the tail grows with p. Bisection down to neighbouring numbers.
 */
static double tail_root(int64_t k, int64_t n, double tail)
{
	double lo = 0, hi = 1;

	for (;;) {
		double mid = lo + (hi - lo) / 2;

		if (mid <= lo || mid >= hi)
			return mid;
		if (gpudx_binomial_tail(k, n, mid) < tail)
			lo = mid;
		else
			hi = mid;
	}
}

struct gpudx_interval gpudx_binomial_interval(int64_t k, int64_t n, double tail)
{
	struct gpudx_interval out = { 0, 1 };

	if (k > 0)
		out.lo = tail_root(k, n, tail);
	if (k < n) /* P(X <= k) = tail is P(n - X >= n - k) = tail for 1 - p */
		out.hi = 1 - tail_root(n - k, n, tail);
	return out;
}

struct gpudx_rate_ratio gpudx_rate_compare(int64_t n_before, double before, int64_t n_after,
					   double after)
{
	struct gpudx_rate_ratio out = { (double)NAN, (double)NAN, (double)NAN, 1 };
	int64_t n = n_before + n_after;
	struct gpudx_interval share;

	if (n == 0 || !(before > 0) || !(after > 0))
		return out;
	share = gpudx_binomial_interval(n_after, n, 0.025);
	out.ratio = (double)n_after / after / ((double)n_before / before);
	out.lo = share.lo / (1 - share.lo) * (before / after);
	out.hi = share.hi / (1 - share.hi) * (before / after);
	out.p = gpudx_binomial_tail(n_after, n, after / (before + after));
	return out;
}

double gpudx_exposure_needed(int64_t n_after, double after, double alpha)
{
	if (n_after <= 0)
		return 0;
	/* (after / (before + after))^n = alpha, solved for before. */
	return after * expm1(-log(alpha) / (double)n_after);
}
