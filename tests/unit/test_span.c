#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "derive/span.h"

static const int64_t hour = INT64_C(3600000000);

static struct gpudx_span hours(int64_t from, int64_t to)
{
	return (struct gpudx_span){ from * hour, to * hour };
}

static void joins_what_overlaps_or_touches(void **state)
{
	struct gpudx_span v[] = { hours(8, 9), hours(0, 2), hours(1, 3), hours(3, 4),
				  hours(6, 6), hours(7, 5), hours(0, 1) };

	(void)state;
	assert_int_equal(gpudx_spans_join(v, 7), 2);
	assert_int_equal(v[0].from_us, 0);
	assert_int_equal(v[0].to_us, 4 * hour);
	assert_int_equal(v[1].from_us, 8 * hour);
	assert_int_equal(gpudx_spans_join(NULL, 0), 0);
}

static void counts_hours_inside_a_window_once(void **state)
{
	struct gpudx_span v[] = { hours(0, 4), hours(2, 6), hours(10, 12) };
	size_t n = gpudx_spans_join(v, 3);

	(void)state;
	assert_true(fabs(gpudx_spans_hours(v, n, hours(-5, 100)) - 8) < 1e-12);
	assert_true(fabs(gpudx_spans_hours(v, n, hours(5, 11)) - 2) < 1e-12);
	assert_true(fabs(gpudx_spans_hours(v, n, hours(7, 9))) < 1e-12);
	assert_true(fabs(gpudx_spans_hours(v, n, (struct gpudx_span){ INT64_MIN, INT64_MAX }) - 8) <
		    1e-12);
	assert_true(fabs(gpudx_spans_hours(v, n, hours(11, 3))) < 1e-12);
}

static void covers_its_ends(void **state)
{
	struct gpudx_span v[] = { hours(1, 2), hours(4, 5) };

	(void)state;
	assert_true(gpudx_spans_cover(v, 2, hour));
	assert_true(gpudx_spans_cover(v, 2, 2 * hour));
	assert_false(gpudx_spans_cover(v, 2, 3 * hour));
	assert_true(gpudx_spans_cover(v, 2, 5 * hour));
	assert_false(gpudx_spans_cover(v, 0, hour));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(joins_what_overlaps_or_touches),
		cmocka_unit_test(counts_hours_inside_a_window_once),
		cmocka_unit_test(covers_its_ends),
	};

	return cmocka_run_group_tests_name("span", tests, NULL, NULL);
}
