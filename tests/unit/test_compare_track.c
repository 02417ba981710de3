#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "compare/track.h"

static void near(double got, double want, double within)
{
	if (!(fabs(got - want) <= within))
		fail_msg("got %.12g, want %.12g within %g", got, want, within);
}

static void add(struct cmp_track *t, double t_s, double util, int64_t reasons)
{
	struct cmp_sample s = { .t_s = t_s, .ref = 1, .reasons = reasons };

	for (int i = 0; i < CMP_COLS; i++)
		s.col[i] = t_s;
	s.col[CMP_UTIL] = util;
	gpudx_track_add(t, &s);
}

/* 100 s idle, 1000 s of load with a pause of 20 s, 100 s idle: 960 s less the warm-up are left. */
static void idle_and_warm_up_are_cut_off(void **state)
{
	struct gpudx_arena a = { 0 };
	struct cmp_track t;

	(void)state;
	gpudx_track_init(&t, &a);
	for (int s = 0; s < 1200; s++)
		add(&t, s, s < 100 || s >= 1100 || (s >= 500 && s < 520) ? 0 : 99,
		    s >= 400 ? 4 : 0);
	near(gpudx_track_finish(&t) * 60, 999 - 240, 1.0);
	assert_int_equal(t.nstretches, 1);
	near(t.v[0].t_s, 340, 0.5);
	near(t.v[t.n - 1].t_s, 1099, 0.5);
	near(gpudx_track_throttle_after(&t), 300, 0.5);
	gpudx_arena_free(&a);
}

static void a_hole_or_another_source_ends_a_stretch(void **state)
{
	struct gpudx_arena a = { 0 };
	struct cmp_track t;

	(void)state;
	gpudx_track_init(&t, &a);
	for (int s = 0; s < 100; s++)
		add(&t, s, 99, -1);
	for (int s = 1000; s < 1100; s++)
		add(&t, s, 99, -1);
	near(gpudx_track_finish(&t) * 60, 2 * 99 * 2.0 / 3, 1.0);
	assert_int_equal(t.nstretches, 2);
	assert_true(isnan(gpudx_track_throttle_after(&t)));
	gpudx_arena_free(&a);
}

static void never_busy_keeps_nothing(void **state)
{
	struct gpudx_arena a = { 0 };
	struct cmp_track t;

	(void)state;
	gpudx_track_init(&t, &a);
	for (int s = 0; s < 100; s++)
		add(&t, s, s % 2 ? 3 : (double)NAN, 0);
	near(gpudx_track_finish(&t), 0, 0);
	assert_int_equal(t.n, 0);
	assert_int_equal(t.samples, 100);
	gpudx_arena_free(&a);
}

static void a_month_takes_no_more_room(void **state)
{
	struct gpudx_arena a = { 0 };
	struct cmp_track t;

	(void)state;
	gpudx_track_init(&t, &a);
	for (int s = 0; s < 200000; s++)
		add(&t, s, 99, 0);
	gpudx_track_finish(&t);
	assert_in_range(t.n, CMP_KEPT / 2 - 20, CMP_KEPT);
	for (size_t i = 2; i < t.n; i++)
		near(t.v[i].t_s - t.v[i - 1].t_s, t.v[1].t_s - t.v[0].t_s, 1e-6);
	gpudx_arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(idle_and_warm_up_are_cut_off),
		cmocka_unit_test(a_hole_or_another_source_ends_a_stretch),
		cmocka_unit_test(never_busy_keeps_nothing),
		cmocka_unit_test(a_month_takes_no_more_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
