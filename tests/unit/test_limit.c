#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "derive/limit.h"

/* GPU 1: boot 7 until 100, boot 8 from then on, one of no known boot; GPU 2 without times. */
static const struct gpudx_limit stated[] = {
	{ 1, 7, 10, 250 },
	{ 1, 7, 90, 300 },
	{ 1, 8, 110, 400 },
	{ 1, 0, 500, 350 },
	{ 1, 8, 510, 410 },
	{ 2, 8, GPUDX_NO_TIME, 600 },
	{ 2, 8, GPUDX_NO_TIME, 650 },
};

static struct gpudx_limits of(int64_t gpu, int64_t boot)
{
	struct gpudx_limits all = { stated, sizeof(stated) / sizeof(stated[0]), 0 };

	return gpudx_limits_of(&all, gpu, boot);
}

static double at(int64_t gpu, int64_t boot, int64_t t_us)
{
	struct gpudx_limits l = of(gpu, boot);

	return gpudx_limits_at(&l, t_us);
}

static void assert_watts(double got, double want)
{
	if (!(fabs(got - want) < 1e-9))
		fail_msg("got %g, want %g", got, want);
}

static void takes_the_nearest_in_time(void **state)
{
	(void)state;
	assert_watts(at(1, 0, -1000), 250);
	assert_watts(at(1, 0, 10), 250);
	assert_watts(at(1, 0, 49), 250);
	assert_watts(at(1, 0, 51), 300);
	assert_watts(at(1, 0, 50), 300); /* as near to both: the later one */
	assert_watts(at(1, 0, 101), 400);
	assert_watts(at(1, 0, 9999), 410);
}

static void keeps_to_the_boot(void **state)
{
	(void)state;
	assert_watts(at(1, 8, 0), 400);
	assert_watts(at(1, 8, 95), 400);
	assert_watts(at(1, 7, 109), 300);
	assert_watts(at(1, 7, 480), 350); /* of no known boot: may be it */
	assert_watts(at(1, 7, 520), 350);
	assert_watts(at(1, 7, GPUDX_NO_TIME), 350);
	assert_int_equal(of(2, 7).n, 0);
}

static void takes_the_last_where_times_are_unknown(void **state)
{
	(void)state;
	assert_watts(at(2, 0, 100), 650);
	assert_watts(at(2, 8, GPUDX_NO_TIME), 650);
	assert_watts(at(1, 0, GPUDX_NO_TIME), 410);
}

static void knows_nothing_of_other_gpus(void **state)
{
	struct gpudx_limits one = of(1, 0), boot8 = of(1, 8);

	(void)state;
	assert_int_equal(of(3, 0).n, 0);
	assert_true(isnan(at(3, 0, 5)));
	assert_watts(gpudx_limits_lowest(&one), 250);
	assert_watts(gpudx_limits_lowest(&boot8), 350);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(takes_the_nearest_in_time),
		cmocka_unit_test(keeps_to_the_boot),
		cmocka_unit_test(takes_the_last_where_times_are_unknown),
		cmocka_unit_test(knows_nothing_of_other_gpus),
	};

	return cmocka_run_group_tests_name("limit", tests, NULL, NULL);
}
