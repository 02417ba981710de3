#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/sv.h"

static void trims_and_splits(void **state)
{
	struct gpudx_sv s = SV(" a b \r\n"), word;

	(void)state;
	assert_true(sv_is(sv_trim(s), "a b"));
	s = sv_trim(s);
	assert_true(sv_token(&s, &word) && sv_is(word, "a"));
	assert_false(sv_token(&s, &word)); /* at the blank */
	assert_true(sv_spaces(&s) && sv_token(&s, &word) && sv_is(word, "b"));
	assert_int_equal(s.n, 0);
	assert_true(sv_blank(SV_LIT(" \t\r\n")) && !sv_blank(SV_LIT(" x")));
	assert_int_equal(sv_from(SV_LIT("abc"), 99).n, 0);
	assert_int_equal(sv_first(SV_LIT("abc"), 99).n, 3);
}

static void finds_literals(void **state)
{
	struct gpudx_sv s = SV("aab=c"), before;

	(void)state;
	assert_int_equal(sv_find(s, "ab"), 1);
	assert_int_equal(sv_find(s, "c"), 4);
	assert_int_equal(sv_find(s, "zz"), 5);
	assert_int_equal(sv_find(s, "aab=cd"), 5);
	assert_int_equal(sv_find(s, ""), 5);
	assert_false(sv_until(&s, "x", &before));
	assert_int_equal(s.n, 5);
	assert_true(sv_until(&s, "=", &before) && sv_is(before, "aab") && sv_is(s, "c"));
	assert_true(sv_ieq(SV_LIT("NviDia"), SV_LIT("nVIdiA")) &&
		    !sv_ieq(SV_LIT("a"), SV_LIT("ab")));
}

static void scans_whole_numbers_without_overflow(void **state)
{
	struct gpudx_sv s = SV("18446744073709551615x");
	uint64_t v = 7;
	uint32_t d = 7;

	(void)state;
	assert_true(sv_u64(&s, &v) && v == UINT64_MAX && sv_is(s, "x"));
	s = SV_LIT("18446744073709551616");
	assert_false(sv_u64(&s, &v));
	assert_int_equal(s.n, 20);
	s = SV_LIT("99999999999999999999999");
	assert_false(sv_u64(&s, &v));
	s = SV_LIT("-1");
	assert_false(sv_u64(&s, &v));
	s = SV_LIT("123");
	assert_true(sv_digits(&s, 2, &d) && d == 12 && sv_is(s, "3"));
	assert_false(sv_digits(&s, 2, &d));
}

static void scans_hex_between_bounds(void **state)
{
	struct gpudx_sv s = SV("fFg");
	uint64_t v;

	(void)state;
	assert_false(sv_hex(&s, 3, 8, &v));
	assert_true(sv_hex(&s, 1, 8, &v) && v == 255 && sv_is(s, "g"));
	s = SV_LIT("0123456789abcdef0");
	assert_true(sv_hex(&s, 1, 16, &v) && v == UINT64_C(0x0123456789abcdef) && sv_is(s, "0"));
}

static void scans_decimals(void **state)
{
	static const struct {
		const char *text, *rest;
		double v;
	} good[] = { { "12", "", 12 },	     { "-3.25 W", " W", -3.25 },
		     { "0.5.6", ".6", 0.5 }, { "7.", ".", 7 },
		     { "1e5", "e5", 1 },     { "1.12345678901234567890", "", 1.123456789 } };
	static const char *const bad[] = {
		"", "-", ".5", "x1", "--1", "99999999999999999999999.5"
	};
	struct gpudx_sv s;
	double v = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		s = sv_str(good[i].text);
		assert_true(sv_decimal(&s, &v));
		assert_true(v > good[i].v - 1e-9 && v < good[i].v + 1e-9);
		assert_true(sv_is(s, good[i].rest));
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		s = sv_str(bad[i]);
		assert_false(sv_decimal(&s, &v));
		assert_int_equal(s.n, strlen(bad[i]));
	}
}

static void splits_lines_and_cells(void **state)
{
	struct gpudx_sv s = SV("a\r\n\nb"), line, cell;

	(void)state;
	assert_true(sv_line(&s, &line) && sv_is(line, "a"));
	assert_true(sv_line(&s, &line) && line.n == 0);
	assert_true(sv_line(&s, &line) && sv_is(line, "b"));
	assert_false(sv_line(&s, &line));
	s = SV_LIT("x,,y,");
	assert_true(sv_cell(&s, ',', &cell) && sv_is(cell, "x"));
	assert_true(sv_cell(&s, ',', &cell) && cell.n == 0);
	assert_true(sv_cell(&s, ',', &cell) && sv_is(cell, "y"));
	assert_false(sv_cell(&s, ',', &cell));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(trims_and_splits),
		cmocka_unit_test(finds_literals),
		cmocka_unit_test(scans_whole_numbers_without_overflow),
		cmocka_unit_test(scans_hex_between_bounds),
		cmocka_unit_test(scans_decimals),
		cmocka_unit_test(splits_lines_and_cells),
	};

	return cmocka_run_group_tests_name("sv", tests, NULL, NULL);
}
