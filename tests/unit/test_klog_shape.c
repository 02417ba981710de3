/* Whole kernel logs and excerpts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "parse/klog_shape.h"

/* n lines of the kernel, from so many subsystems, of so many bytes. */
static void add(struct klog_shape *s, unsigned n, unsigned subsystems, int bytes)
{
	char text[300];

	for (unsigned i = 0; i < n; i++) {
		int len = snprintf(text, sizeof(text), "%c%c%cx %*s", 'a' + (int)(i % subsystems),
				   'q', 'z', bytes, "");

		klog_shape_add(s, sv_n(text, (size_t)len), true, false);
	}
}

static void add_gpu(struct klog_shape *s, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		klog_shape_add(s, SV_LIT("NVRM: text"), true, false);
}

static void takes_a_log_from_boot_for_whole(void **state)
{
	struct klog_shape s = { .begins_at_boot = true };

	(void)state;
	add(&s, 300, 20, 40);
	assert_false(klog_is_excerpt(&s));
}

static void takes_a_full_ring_without_beginning_for_whole(void **state)
{
	struct klog_shape s = { .partial = false };

	(void)state;
	add(&s, 600, 3, 150); /* a firewall filled it */
	assert_false(klog_is_excerpt(&s));
}

static void takes_the_tail_of_a_ring_for_an_excerpt(void **state)
{
	struct klog_shape s = { .partial = false };

	(void)state;
	add(&s, 100, 20, 60);
	assert_true(klog_is_excerpt(&s));
}

static void takes_a_rotated_file_for_whole(void **state)
{
	struct klog_shape s = { .rotates = true };

	(void)state;
	add(&s, 100, 20, 60);
	assert_false(klog_is_excerpt(&s));
}

static void takes_a_search_for_an_excerpt(void **state)
{
	struct klog_shape s = { .begins_at_boot = true, .rotates = true };

	(void)state;
	add_gpu(&s, 900);
	add(&s, 100, 5, 60);
	assert_true(klog_is_excerpt(&s));
}

static void takes_a_flood_of_gpu_messages_in_a_varied_log_for_whole(void **state)
{
	struct klog_shape s = { .begins_at_boot = true };

	(void)state;
	add(&s, 300, 25, 60);
	add_gpu(&s, 3000);
	assert_false(klog_is_excerpt(&s));
}

static void takes_a_few_lines_for_an_excerpt(void **state)
{
	struct klog_shape s = { .rotates = true };

	(void)state;
	add(&s, 20, 15, 60);
	assert_true(klog_is_excerpt(&s));
	s.begins_at_boot = true; /* a very small machine */
	assert_false(klog_is_excerpt(&s));
}

static void takes_the_journal_of_a_unit_for_an_excerpt(void **state)
{
	struct klog_shape s = { .rotates = true };

	(void)state;
	for (int i = 0; i < 10000; i++)
		klog_shape_add(&s, SV_LIT("Accepted publickey"), false, false);
	assert_true(klog_is_excerpt(&s));
	assert_int_equal(klog_shape_subsystems(&s), 0);
}

static void believes_a_tool_that_says_it_shows_a_part(void **state)
{
	struct klog_shape s = { .begins_at_boot = true, .partial = true };

	(void)state;
	add(&s, 3000, 25, 60);
	assert_true(klog_is_excerpt(&s));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(takes_a_log_from_boot_for_whole),
		cmocka_unit_test(takes_a_full_ring_without_beginning_for_whole),
		cmocka_unit_test(takes_the_tail_of_a_ring_for_an_excerpt),
		cmocka_unit_test(takes_a_rotated_file_for_whole),
		cmocka_unit_test(takes_a_search_for_an_excerpt),
		cmocka_unit_test(takes_a_flood_of_gpu_messages_in_a_varied_log_for_whole),
		cmocka_unit_test(takes_a_few_lines_for_an_excerpt),
		cmocka_unit_test(takes_the_journal_of_a_unit_for_an_excerpt),
		cmocka_unit_test(believes_a_tool_that_says_it_shows_a_part),
	};

	return cmocka_run_group_tests_name("klog_shape", tests, NULL, NULL);
}
