#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "derive/poisson.h"

static void assert_near(double got, double want, double within)
{
	if (!(fabs(got - want) <= within))
		fail_msg("got %.12g, want %.12g within %g", got, want, within);
}

/* Exact in double as long as the coefficients are. */
static double summed_tail(int k, int n, double p)
{
	double sum = 0;

	for (int i = k; i <= n; i++) {
		double term = 1;

		for (int j = 0; j < i; j++)
			term *= (double)(n - j) / (double)(i - j) * p;
		for (int j = 0; j < n - i; j++)
			term *= 1 - p;
		sum += term;
	}
	return sum;
}

/* Cumulative binomial tables as in any textbook (four decimals). */
static void agrees_with_printed_tables(void **state)
{
	(void)state;
	assert_near(gpudx_binomial_tail(5, 10, 0.3), 1 - 0.8497, 5e-5);
	assert_near(gpudx_binomial_tail(8, 10, 0.5), 1 - 0.9453, 5e-5);
	assert_near(gpudx_binomial_tail(3, 15, 0.1), 1 - 0.8159, 5e-5);
	assert_near(gpudx_binomial_tail(15, 20, 0.5), 1 - 0.9793, 5e-5);
	assert_near(gpudx_binomial_tail(10, 25, 0.25), 1 - 0.9287, 5e-5);
}

static void agrees_with_plain_sums(void **state)
{
	static const double probabilities[] = { 0.001, 0.1, 0.25, 0.5, 0.9, 0.999 };

	(void)state;
	for (int n = 1; n <= 45; n++)
		for (int k = 0; k <= n + 1; k++)
			for (unsigned i = 0; i < sizeof(probabilities) / sizeof(probabilities[0]);
			     i++) {
				double want = summed_tail(k, n, probabilities[i]);

				assert_near(gpudx_binomial_tail(k, n, probabilities[i]), want,
					    want * 1e-11);
			}
}

static void keeps_its_digits_far_out_and_for_large_counts(void **state)
{
	(void)state;
	/* All of n: p^n, also where 1 - P(X < n) would be 0. */
	assert_near(log(gpudx_binomial_tail(100, 100, 0.01)), 100 * log(0.01), 1e-9);
	assert_near(log(gpudx_binomial_tail(1, 1000000, 1e-12)), log(1e-6), 1e-6);
	/* Six standard deviations above the mean of 10^6 coins, summed in 40 digits. */
	assert_near(gpudx_binomial_tail(503000, 1000000, 0.5) / 9.92574881961510e-10, 1, 1e-8);
}

static void knows_its_ends(void **state)
{
	(void)state;
	assert_near(gpudx_binomial_tail(0, 5, 0.2), 1, 0);
	assert_near(gpudx_binomial_tail(-3, 5, 0.2), 1, 0);
	assert_near(gpudx_binomial_tail(6, 5, 0.2), 0, 0);
	assert_near(gpudx_binomial_tail(1, 5, 0), 0, 0);
	assert_near(gpudx_binomial_tail(5, 5, 1), 1, 0);
	assert_near(gpudx_binomial_tail(0, 0, 0.5), 1, 0);
	assert_near(gpudx_binomial_tail(1, 0, 0.5), 0, 0);
}

static void falls_with_k_and_rises_with_p(void **state)
{
	(void)state;
	for (int n = 1; n < 200; n += 7)
		for (int k = 1; k <= n; k++)
			for (double p = 0.02; p < 0.98; p += 0.12) {
				double at = gpudx_binomial_tail(k, n, p);

				assert_true(gpudx_binomial_tail(k - 1, n, p) >= at);
				assert_true(gpudx_binomial_tail(k, n, p + 0.02) >= at);
				assert_true(at >= 0 && at <= 1);
			}
}

static void is_symmetric(void **state)
{
	(void)state;
	for (int n = 1; n < 120; n += 11)
		for (int k = 1; k <= n; k++)
			for (double p = 0.05; p < 1; p += 0.1)
				assert_near(gpudx_binomial_tail(k, n, p) +
						    gpudx_binomial_tail(n - k + 1, n, 1 - p),
					    1, 1e-12);
}

/* Clopper-Pearson intervals as printed in Newcombe, Statistics in Medicine 17 (1998) 857-872,
 * table I, method 5, and in common tables for n = 10. */
static void gives_published_intervals(void **state)
{
	static const struct {
		int k, n;
		double lo, hi;
	} table[] = {
		{ 81, 263, 0.2527, 0.3676 }, { 15, 148, 0.0578, 0.1617 }, { 0, 20, 0, 0.1684 },
		{ 1, 29, 0.0009, 0.1776 },   { 0, 10, 0, 0.3085 },	  { 1, 10, 0.0025, 0.4450 },
		{ 5, 10, 0.1871, 0.8129 },   { 10, 10, 0.6915, 1 },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct gpudx_interval got = gpudx_binomial_interval(table[i].k, table[i].n, 0.025);

		assert_near(got.lo, table[i].lo, 5e-5);
		assert_near(got.hi, table[i].hi, 5e-5);
	}
}

static void interval_ends_give_back_the_chance_they_stand_for(void **state)
{
	(void)state;
	for (int n = 1; n < 60; n += 3)
		for (int k = 0; k <= n; k++) {
			struct gpudx_interval i = gpudx_binomial_interval(k, n, 0.025);

			assert_true(i.lo <= (double)k / n && i.hi >= (double)k / n);
			if (k)
				assert_near(gpudx_binomial_tail(k, n, i.lo), 0.025, 1e-9);
			if (k < n)
				assert_near(1 - gpudx_binomial_tail(k + 1, n, i.hi), 0.025, 1e-9);
		}
}

/* Five after in 50 h, none before in 100 h: the chance that all five fall into the last third. */
static void compares_rates_by_hand(void **state)
{
	struct gpudx_rate_ratio r = gpudx_rate_compare(0, 100, 5, 50);

	(void)state;
	assert_near(r.p, 1.0 / 243, 1e-12);
	assert_true(isinf(r.ratio) && isinf(r.hi));
	/* 0.025^(1/5) = 0.478176 of the events at least belong after: odds 0.916356, times 100/50.
	 */
	assert_near(r.lo, 1.832712, 1e-5);

	r = gpudx_rate_compare(2, 10, 2, 10);
	assert_near(r.ratio, 1, 1e-12);
	assert_near(r.p, 11.0 / 16, 1e-12);
	assert_near(r.lo * r.hi, 1, 1e-9);
}

static void says_nothing_without_exposure_or_events(void **state)
{
	struct gpudx_rate_ratio none = gpudx_rate_compare(0, 10, 0, 10),
				blind = gpudx_rate_compare(0, 0, 3, 10),
				later = gpudx_rate_compare(3, 10, 0, 0);

	(void)state;
	assert_true(isnan(none.ratio) && isnan(none.lo) && isnan(none.hi));
	assert_near(none.p, 1, 0);
	assert_true(isnan(blind.ratio));
	assert_near(blind.p, 1, 0);
	assert_true(isnan(later.ratio));
	assert_near(later.p, 1, 0);
}

static void swapping_the_sides_inverts_the_ratio(void **state)
{
	(void)state;
	for (int a = 1; a < 12; a++)
		for (int b = 1; b < 12; b++) {
			struct gpudx_rate_ratio r = gpudx_rate_compare(a, 30, b, 70),
						s = gpudx_rate_compare(b, 70, a, 30);

			assert_near(r.ratio * s.ratio, 1, 1e-9);
			assert_near(r.lo * s.hi, 1, 1e-6);
			assert_near(r.hi * s.lo, 1, 1e-6);
		}
}

static void needed_exposure_is_where_the_test_turns(void **state)
{
	(void)state;
	assert_near(gpudx_exposure_needed(0, 10, 0.01), 0, 0);
	assert_near(gpudx_exposure_needed(1, 1, 0.01), 99, 1e-9);
	assert_near(gpudx_exposure_needed(2, 10, 0.01), 90, 1e-9);
	for (int n = 1; n < 40; n++) {
		double h = gpudx_exposure_needed(n, 24, 0.01);

		assert_near(gpudx_rate_compare(0, h, n, 24).p, 0.01, 1e-9);
		assert_true(gpudx_rate_compare(0, h * 0.99, n, 24).p > 0.01);
		assert_true(gpudx_rate_compare(0, h * 1.01, n, 24).p < 0.01);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(agrees_with_printed_tables),
		cmocka_unit_test(agrees_with_plain_sums),
		cmocka_unit_test(keeps_its_digits_far_out_and_for_large_counts),
		cmocka_unit_test(knows_its_ends),
		cmocka_unit_test(falls_with_k_and_rises_with_p),
		cmocka_unit_test(is_symmetric),
		cmocka_unit_test(gives_published_intervals),
		cmocka_unit_test(interval_ends_give_back_the_chance_they_stand_for),
		cmocka_unit_test(compares_rates_by_hand),
		cmocka_unit_test(says_nothing_without_exposure_or_events),
		cmocka_unit_test(swapping_the_sides_inverts_the_ratio),
		cmocka_unit_test(needed_exposure_is_where_the_test_turns),
	};

	return cmocka_run_group_tests_name("poisson", tests, NULL, NULL);
}
