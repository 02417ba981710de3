#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/glob.h"

static bool matches(const char *pattern, const char *text)
{
	return gpudx_glob(sv_str(pattern), sv_str(text));
}

static void lets_a_star_stand_for_anything(void **state)
{
	(void)state;
	assert_true(matches("", ""));
	assert_true(matches("*", ""));
	assert_true(matches("**", "abc"));
	assert_true(matches("a*c", "abc"));
	assert_true(matches("a*c", "ac"));
	assert_true(matches("*b*", "abc"));
	assert_true(matches("*abc", "ababc"));
	assert_true(matches("a*b*c", "a-b-b-c"));
}

static void lets_all_else_stand_for_itself(void **state)
{
	(void)state;
	assert_false(matches("", "a"));
	assert_false(matches("a", ""));
	assert_false(matches("a*c", "abd"));
	assert_false(matches("a?c", "abc"));
	assert_true(matches("a?c", "a?c"));
	assert_false(matches("[ab]", "a"));
	assert_false(matches("ABC", "abc"));
	assert_false(matches("a*bc", "abcd"));
}

/* The naive way would try all ways to divide the text among the stars. */
static void takes_no_time_with_many_stars(void **state)
{
	char pattern[401], text[2001];

	(void)state;
	for (size_t i = 0; i < 400; i += 2)
		memcpy(pattern + i, "a*", 2);
	pattern[400] = '\0';
	memset(text, 'a', 2000);
	text[2000] = '\0';
	assert_true(matches(pattern, text));
	pattern[399] = 'b';
	assert_false(matches(pattern, text));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lets_a_star_stand_for_anything),
		cmocka_unit_test(lets_all_else_stand_for_itself),
		cmocka_unit_test(takes_no_time_with_many_stars),
	};

	return cmocka_run_group_tests_name("glob", tests, NULL, NULL);
}
