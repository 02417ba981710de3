#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "compare/stats.h"

static void near(double got, double want, double within)
{
	if (!(fabs(got - want) <= within))
		fail_msg("got %.12g, want %.12g within %g", got, want, within);
}

/* The two-sided 5 % column of any printed table. */
static void student_agrees_with_printed_tables(void **state)
{
	(void)state;
	near(gpudx_student_quantile(0.975, 1), 12.706, 5e-4);
	near(gpudx_student_quantile(0.975, 2), 4.303, 5e-4);
	near(gpudx_student_quantile(0.975, 10), 2.228, 5e-4);
	near(gpudx_student_quantile(0.975, 30), 2.042, 5e-4);
	near(gpudx_student_quantile(0.995, 5), 4.032, 5e-4);
	near(gpudx_student_quantile(0.025, 10), -2.228, 5e-4);
	near(gpudx_student_quantile(0.975, 1e7), 1.960, 5e-4);
	near(gpudx_student(0, 3), 0.5, 1e-12);
}

static void quantiles_without_ties_are_the_usual_ones(void **state)
{
	static const double x[] = { 5, 1, 4, 2, 3 };
	struct gpudx_arena a = { 0 };

	(void)state;
	near(gpudx_mid_quantile(x, NULL, 5, 0.5, &a), 3, 0);
	near(gpudx_mid_quantile(x, NULL, 4, 0.5, &a), 3, 0); /* 1 2 4 5 */
	near(gpudx_mid_quantile(x, NULL, 5, 0.0, &a), 1, 0);
	near(gpudx_mid_quantile(x, NULL, 5, 1.0, &a), 5, 0);
	assert_true(isnan(gpudx_mid_quantile(x, NULL, 0, 0.5, &a)));
	gpudx_arena_free(&a);
}

/* 40 % at 1395 and 60 % at 1410: their middles are at 0.2 and 0.7, so a half is at 3/5 of the way. */
static void quantiles_move_between_steps(void **state)
{
	double x[10], w[] = { 4, 6 };
	static const double two[] = { 1395, 1410 };
	struct gpudx_arena a = { 0 };

	(void)state;
	for (int i = 0; i < 10; i++)
		x[i] = i < 4 ? 1395 : 1410;
	near(gpudx_mid_quantile(x, NULL, 10, 0.5, &a), 1404, 1e-9);
	near(gpudx_mid_quantile(two, w, 2, 0.5, &a), 1404, 1e-9);
	gpudx_arena_free(&a);
}

static double gauss(struct cmp_rng *r)
{
	double u = ((double)(gpudx_rng_next(r) >> 11) + 1) / 9007199254740993.0;
	double v = (double)(gpudx_rng_next(r) >> 11) / 9007199254740992.0;

	return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

static void fill(double *x, size_t n, double memory, struct cmp_rng *r)
{
	double rho = memory > 0 ? exp(-1 / memory) : 0, y = gauss(r);

	for (size_t i = 0; i < n; i++) {
		y = rho * y + sqrt(1 - rho * rho) * gauss(r);
		x[i] = y;
	}
}

/* The standard error of a median of n independent values is sqrt(pi / 2n). */
static void errors_of_independent_values_are_known(void **state)
{
	static double x[2000];
	struct cmp_rng r = { 5 }, boot = { 1 };
	struct gpudx_arena a = { 0 };
	struct cmp_estimate e;

	(void)state;
	fill(x, 2000, 0, &r);
	assert_true(gpudx_estimate(x, NULL, 2000, 0.5, 0, &boot, &a, &e));
	near(e.se, sqrt(1.5708 / 2000), 0.25 * sqrt(1.5708 / 2000));
	assert_true(e.block <= 8);
	gpudx_arena_free(&a);
}

static void memory_is_seen(void **state)
{
	static double x[4000];
	struct cmp_rng r = { 7 };
	double none, some;

	(void)state;
	fill(x, 4000, 0, &r);
	none = gpudx_memory_steps(x, 4000, 0);
	fill(x, 4000, 20, &r);
	some = gpudx_memory_steps(x, 4000, 0);
	assert_true(none < 1);
	assert_true(some > 7 && some < 30); /* of signs: shorter than of values */
}

/* 95 % intervals of nothing but noise with a memory: 181 to 197 of 200 must hold 0. */
static void intervals_cover(void **state)
{
	static double x[2][720];
	struct gpudx_arena a = { 0 };
	struct cmp_estimate e[2];
	int covered = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= 200; seed++) {
		struct cmp_rng r = { seed * 7919 }, boot = { 1 };
		struct cmp_range range;

		for (int s = 0; s < 2; s++) {
			fill(x[s], 720, 8, &r);
			assert_true(gpudx_estimate(x[s], NULL, 720, 0.5, 0, &boot, &a, &e[s]));
		}
		range = gpudx_difference_range(&e[0], &e[1], 0.05);
		covered += range.lo <= 0 && range.hi >= 0;
		gpudx_arena_reset(&a);
	}
	gpudx_arena_free(&a);
	if (covered < 181 || covered > 197)
		fail_msg("%d of 200 intervals cover", covered);
}

static void the_same_seed_gives_the_same(void **state)
{
	static double x[300];
	struct cmp_rng r = { 3 }, one = { 1 }, two = { 1 };
	struct gpudx_arena a = { 0 };
	struct cmp_estimate e[2];

	(void)state;
	fill(x, 300, 5, &r);
	assert_true(gpudx_estimate(x, NULL, 300, 0.5, 0, &one, &a, &e[0]));
	assert_true(gpudx_estimate(x, NULL, 300, 0.5, 0, &two, &a, &e[1]));
	assert_memory_equal(e[0].replicate, e[1].replicate, sizeof(e[0].replicate));
	gpudx_arena_free(&a);
}

static void what_is_constant_has_no_error(void **state)
{
	double x[50];
	struct cmp_rng r = { 1 };
	struct gpudx_arena a = { 0 };
	struct cmp_estimate e;
	struct cmp_range range;

	(void)state;
	for (int i = 0; i < 50; i++)
		x[i] = 1410;
	assert_true(gpudx_estimate(x, NULL, 50, 0.5, 0, &r, &a, &e));
	near(e.value, 1410, 0);
	near(e.se, 0, 0);
	range = gpudx_ratio_range(&e, &e, 0.05);
	near(range.lo, 0, 0);
	near(range.hi, 0, 0);
	assert_true(gpudx_estimate(x, NULL, 0, 0.5, 0, &r, &a, &e));
	assert_true(isnan(e.value));
	gpudx_arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(student_agrees_with_printed_tables),
		cmocka_unit_test(quantiles_without_ties_are_the_usual_ones),
		cmocka_unit_test(quantiles_move_between_steps),
		cmocka_unit_test(errors_of_independent_values_are_known),
		cmocka_unit_test(memory_is_seen),
		cmocka_unit_test(intervals_cover),
		cmocka_unit_test(the_same_seed_gives_the_same),
		cmocka_unit_test(what_is_constant_has_no_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
