/* Boots of a kernel log from nothing but times. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "parse/klog_boot.h"

enum { NONE = -1, NEW = 1, SAME = 0 };

static int64_t us(int64_t seconds)
{
	return seconds == NONE ? GPUDX_NO_TIME : seconds * GPUDX_SECOND;
}

/* Adds a line, in seconds; NEW when it began another boot. */
static int add(struct klog_boot *b, int64_t wall, int64_t mono, bool linux_version)
{
	struct klog_moment m = { us(wall), us(mono), linux_version };
	int ended = klog_boot_ends(b, &m);

	if (ended)
		klog_boot_init(b, linux_version, true);
	klog_boot_add(b, &m);
	klog_boot_ties(b, &m);
	return ended;
}

static struct klog_boot fresh(void)
{
	struct klog_boot b;

	klog_boot_init(&b, false, false);
	return b;
}

static void takes_the_first_words_of_the_kernel_for_the_same_boot_once(void **state)
{
	struct klog_boot b = fresh();

	(void)state;
	assert_int_equal(add(&b, NONE, 0, false), SAME); /* microcode */
	assert_int_equal(add(&b, NONE, 0, true), SAME);
	assert_int_equal(add(&b, NONE, 5, false), SAME);
	assert_int_equal(add(&b, NONE, 0, true), NEW);
}

static void does_not_count_a_fall_and_the_first_words_twice(void **state)
{
	struct klog_boot b = fresh();

	(void)state;
	add(&b, 1000, 500, false);
	assert_int_equal(add(&b, 2000, 0, false), NEW); /* microcode, time has fallen */
	assert_int_equal(add(&b, 2000, 0, true), SAME);
	assert_int_equal(add(&b, 2012, 12, false), SAME);
}

static void sees_a_boot_when_time_falls_by_more_than_a_minute(void **state)
{
	struct klog_boot b = fresh();

	(void)state;
	add(&b, NONE, 100, false);
	assert_int_equal(add(&b, NONE, 45, false), SAME); /* queues of several writers */
	assert_int_equal(add(&b, NONE, 200, false), SAME);
	assert_int_equal(add(&b, NONE, 4, false), NEW);
}

static void knows_by_both_clocks_that_lines_out_of_order_are_one_boot(void **state)
{
	struct klog_boot b = fresh();

	(void)state;
	add(&b, 100000, 90000, false);
	assert_int_equal(add(&b, 10100, 100, false), SAME); /* an older file appended */
}

static void sees_short_boots_that_only_both_clocks_show(void **state)
{
	struct klog_boot b = fresh();

	(void)state;
	add(&b, 1000, 5, false);
	assert_int_equal(add(&b, 1141, 6, false), NEW); /* time rose, but the boot is later */
	assert_int_equal(add(&b, 1160, 25, false), SAME);
	assert_int_equal(add(&b, 1300, 4, false), NEW); /* falls by less than a minute */
}

static void takes_sleep_and_clock_steps_for_no_boot(void **state)
{
	struct klog_boot b = fresh();

	(void)state;
	add(&b, 1000, 0, true);
	assert_int_equal(add(&b, 9000, 12, false), SAME); /* the clock was set at second 12 */
	add(&b, 19000, 10012, false);
	assert_int_equal(add(&b, 90000, 10013, false), SAME); /* asleep in between */
}

static void ties_clocks_at_first_and_when_they_move(void **state)
{
	struct klog_boot b = fresh();
	struct klog_moment m = { us(1000), us(10), false };

	(void)state;
	assert_true(klog_boot_ties(&b, &m));
	m = (struct klog_moment){ us(1011), us(20), false };
	assert_false(klog_boot_ties(&b, &m));
	m = (struct klog_moment){ us(5000), us(30), false };
	assert_true(klog_boot_ties(&b, &m));
	m = (struct klog_moment){ us(NONE), us(40), false };
	assert_false(klog_boot_ties(&b, &m));
	for (int64_t i = 0; i < 1000; i++) {
		m = (struct klog_moment){ us(6000 + 10 * i), us(40), false };
		klog_boot_ties(&b, &m);
	}
	assert_int_equal(b.anchors, 100);
}

static void says_a_beginning_only_where_it_was_seen(void **state)
{
	struct klog_boot b = fresh();
	struct klog_moment m = { us(1000), us(4000), false };

	(void)state;
	assert_false(klog_boot_add(&b, &m));
	klog_boot_init(&b, false, true);
	assert_true(klog_boot_add(&b, &m));
	assert_false(klog_boot_add(&b, &m));
	klog_boot_init(&b, false, false);
	m.mono_us = 0;
	assert_true(klog_boot_add(&b, &m));
	assert_true(b.began);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(takes_the_first_words_of_the_kernel_for_the_same_boot_once),
		cmocka_unit_test(does_not_count_a_fall_and_the_first_words_twice),
		cmocka_unit_test(sees_a_boot_when_time_falls_by_more_than_a_minute),
		cmocka_unit_test(knows_by_both_clocks_that_lines_out_of_order_are_one_boot),
		cmocka_unit_test(sees_short_boots_that_only_both_clocks_show),
		cmocka_unit_test(takes_sleep_and_clock_steps_for_no_boot),
		cmocka_unit_test(ties_clocks_at_first_and_when_they_move),
		cmocka_unit_test(says_a_beginning_only_where_it_was_seen),
	};

	return cmocka_run_group_tests_name("klog_boot", tests, NULL, NULL);
}
