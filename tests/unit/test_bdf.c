#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/bdf.h"

static void expect(const char *text, const char *canonical)
{
	char buf[GPUDX_BDF_TEXT];
	struct gpudx_bdf b;

	if (!gpudx_bdf_parse(sv_str(text), &b))
		fail_msg("%s is an address", text);
	assert_string_equal(gpudx_bdf_text(b, buf), canonical);
}

static void knows_all_spellings(void **state)
{
	(void)state;
	expect("0000:3b:00.0", "0000:3b:00.0");
	expect("00000000:3B:00.0", "0000:3b:00.0");
	expect("3b:00.0", "0000:3b:00.0");
	expect("PCI:0000:3b:00", "0000:3b:00.0");
	expect("0000:3b:00", "0000:3b:00.0");
	expect(" 0000:3B:1f.7 ", "0000:3b:1f.7");
	expect("10000:e1:00.0", "10000:e1:00.0");
	expect("ABCD0123:01:00.0", "abcd0123:01:00.0");
}

static void takes_nothing_else(void **state)
{
	static const char *const not [] = { "",
					    "3b",
					    "10:26:31",
					    "3b:00",
					    "3b:00.8",
					    "0000:3b",
					    "0000:3b:20.0",
					    "0000:3b:00.0x",
					    "g000:3b:00.0",
					    "3b:000.0",
					    "000000000:3b:00.0",
					    "0000:3b:00.",
					    "PCI:",
					    "0000:3b:00.00" };
	struct gpudx_bdf b;

	(void)state;
	for (size_t i = 0; i < sizeof(not ) / sizeof(not [0]); i++)
		if (gpudx_bdf_parse(sv_str(not [i]), &b))
			fail_msg("%s is no address", not [i]);
}

static void leaves_the_cursor_where_it_was_or_behind(void **state)
{
	struct gpudx_sv s = SV("0000:3b:00.0: rest"), t = SV("10:26:31 rest");
	struct gpudx_bdf b;

	(void)state;
	assert_true(gpudx_bdf_scan(&s, &b));
	assert_true(sv_is(s, ": rest"));
	assert_false(gpudx_bdf_scan(&t, &b));
	assert_int_equal(t.n, 13);
}

static void tells_unknown_from_zero(void **state)
{
	struct gpudx_bdf none = { 0 }, zero;
	char buf[GPUDX_BDF_TEXT];

	(void)state;
	assert_true(gpudx_bdf_parse(SV_LIT("0000:00:00.0"), &zero));
	assert_false(gpudx_bdf_eq(none, zero));
	assert_string_equal(gpudx_bdf_text(none, buf), "");
	assert_string_equal(
		gpudx_bdf_text((struct gpudx_bdf){ UINT32_MAX, 255, 255, 255, true }, buf),
		"ffffffff:ff:ff.ff");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(knows_all_spellings),
		cmocka_unit_test(takes_nothing_else),
		cmocka_unit_test(leaves_the_cursor_where_it_was_or_behind),
		cmocka_unit_test(tells_unknown_from_zero),
	};

	return cmocka_run_group_tests_name("bdf", tests, NULL, NULL);
}
