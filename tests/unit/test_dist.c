#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "derive/dist.h"

static union gpudx_dist_room room;

static struct gpudx_dist fresh(double width)
{
	return (struct gpudx_dist){ .width = width, .room = &room };
}

static void assert_near(double got, double want, double within)
{
	if (!(fabs(got - want) <= within))
		fail_msg("got %.12g, want %.12g within %g", got, want, within);
}

static void is_exact_and_linear_between_ranks_while_short(void **state)
{
	struct gpudx_dist d = fresh(1);

	(void)state;
	for (int i = 9; i >= 0; i--)
		gpudx_dist_add(&d, i * 10, 1);
	assert_near(gpudx_dist_at(&d, 0), 0, 0);
	assert_near(gpudx_dist_at(&d, 0.5), 45, 1e-12);
	assert_near(gpudx_dist_at(&d, 0.1), 9, 1e-12);
	assert_near(gpudx_dist_at(&d, 0.9), 81, 1e-12);
	assert_near(gpudx_dist_at(&d, 1), 90, 0);
	gpudx_dist_add(&d, -5, 1); /* after a question it goes on */
	assert_near(gpudx_dist_at(&d, 0), -5, 0);
	assert_near(gpudx_dist_at(&d, 0.5), 40, 1e-12);
}

static void one_value_is_all_quantiles(void **state)
{
	struct gpudx_dist d = fresh(1);

	(void)state;
	gpudx_dist_add(&d, 401.03, 1);
	assert_near(gpudx_dist_at(&d, 0.1), 401.03, 0);
	assert_near(gpudx_dist_at(&d, 0.9), 401.03, 0);
}

static void knows_nothing_of_nothing(void **state)
{
	struct gpudx_dist d = fresh(1), no_room = { .width = 1 };

	(void)state;
	gpudx_dist_add(&d, (double)NAN, 3);
	gpudx_dist_add(&d, 7, 0);
	assert_int_equal(d.n, 0);
	assert_true(isnan(gpudx_dist_at(&d, 0.5)));
	gpudx_dist_add(&no_room, 7, 2);
	assert_true(isnan(gpudx_dist_at(&no_room, 0.5)));
	assert_int_equal(no_room.n, 2);
	assert_near(no_room.max, 7, 0);
}

static void stays_within_half_a_bin_when_long(void **state)
{
	struct gpudx_dist d = fresh(0.5);

	(void)state;
	for (int i = 0; i <= 100000; i++)
		gpudx_dist_add(&d, 100 + (double)(i * 7919 % 100001) / 500, 1);
	assert_near(gpudx_dist_at(&d, 0.1), 120, 0.26);
	assert_near(gpudx_dist_at(&d, 0.5), 200, 0.26);
	assert_near(gpudx_dist_at(&d, 0.9), 280, 0.26);
	assert_near(gpudx_dist_at(&d, 1), 300, 0.26);
}

static void loses_nothing_of_multiples_of_its_bin(void **state)
{
	struct gpudx_dist d = fresh(1);

	(void)state;
	gpudx_dist_add(&d, 1410, 600);
	gpudx_dist_add(&d, 1275, 601);
	assert_true(d.binned);
	assert_near(gpudx_dist_at(&d, 0.5), 1275, 0);
	assert_near(gpudx_dist_at(&d, 0.51), 1410, 0);
}

static void counts_a_value_given_many_times_as_many(void **state)
{
	struct gpudx_dist d = fresh(1);

	(void)state;
	gpudx_dist_add(&d, 10, 2);
	gpudx_dist_add(&d, 20, 3);
	assert_int_equal(d.n, 5);
	assert_near(gpudx_dist_at(&d, 0.5), 20, 0);
	gpudx_dist_add(&d, 30, 4000000);
	assert_int_equal(d.n, 4000005);
	assert_near(gpudx_dist_at(&d, 0.5), 30, 0);
}

static void holds_what_lies_beyond_its_bins_to_what_was_seen(void **state)
{
	struct gpudx_dist d = fresh(1);

	(void)state;
	gpudx_dist_add(&d, -3, 400);
	gpudx_dist_add(&d, 1e9, 400);
	assert_true(d.binned);
	assert_near(gpudx_dist_at(&d, 0), 0, 3);
	assert_near(gpudx_dist_at(&d, 1), GPUDX_DIST_BINS - 1, 0);
	assert_near(d.min, -3, 0);
	assert_near(d.max, 1e9, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(is_exact_and_linear_between_ranks_while_short),
		cmocka_unit_test(one_value_is_all_quantiles),
		cmocka_unit_test(knows_nothing_of_nothing),
		cmocka_unit_test(stays_within_half_a_bin_when_long),
		cmocka_unit_test(loses_nothing_of_multiples_of_its_bin),
		cmocka_unit_test(counts_a_value_given_many_times_as_many),
		cmocka_unit_test(holds_what_lies_beyond_its_bins_to_what_was_seen),
	};

	return cmocka_run_group_tests_name("dist", tests, NULL, NULL);
}
