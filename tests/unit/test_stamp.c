#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/stamp.h"

static int64_t us(int64_t y, unsigned mo, unsigned d, unsigned h, unsigned mi, unsigned s)
{
	int64_t t = 0;

	assert_true(gpudx_civil_us(y, mo, d, h, mi, s, 0, &t));
	return t;
}

static void converts_days_both_ways(void **state)
{
	int64_t year;
	unsigned month, day;

	(void)state;
	assert_int_equal(gpudx_days(1970, 1, 1), 0);
	assert_int_equal(gpudx_days(2000, 3, 1), 11017);
	for (int64_t days = -800000; days < 800000; days += 13) {
		gpudx_civil(days, &year, &month, &day);
		assert_int_equal(gpudx_days(year, month, day), days);
	}
}

static void refuses_dates_that_do_not_exist(void **state)
{
	static const unsigned bad[][6] = { { 2026, 2, 29, 0, 0, 0 }, { 2026, 13, 1, 0, 0, 0 },
					   { 2026, 0, 1, 0, 0, 0 },  { 2026, 4, 31, 0, 0, 0 },
					   { 2026, 1, 1, 24, 0, 0 }, { 2026, 1, 1, 0, 60, 0 },
					   { 2026, 1, 1, 0, 0, 61 }, { 1900, 2, 29, 0, 0, 0 },
					   { 10000, 1, 1, 0, 0, 0 }, { 2026, 1, 0, 0, 0, 0 } };
	int64_t t;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(gpudx_civil_us(bad[i][0], bad[i][1], bad[i][2], bad[i][3], bad[i][4],
					    bad[i][5], 0, &t));
	assert_int_equal(us(2000, 2, 29, 23, 59, 60), us(2000, 2, 29, 23, 59, 59));
}

static void scans_the_stamps_of_the_tools(void **state)
{
	struct gpudx_sv s = SV("2026/01/13 10:26:31.977, 0");
	struct gpudx_stamp st;
	int64_t t;

	(void)state;
	assert_true(gpudx_scan_ymd_hms(&s, &t) && sv_is(s, ", 0"));
	assert_int_equal(t, us(2026, 1, 13, 10, 26, 31) + 977000);
	s = SV_LIT("2025-01-21T04:41:44,285060+05:30 x");
	assert_true(gpudx_scan_iso(&s, &st) && sv_is(s, " x"));
	assert_int_equal(st.kind, GPUDX_STAMP_UTC);
	assert_int_equal(st.t_us, us(2025, 1, 20, 23, 11, 44) + 285060);
	assert_int_equal(st.offset_min, 330);
	s = SV_LIT("Tue May  7 09:58:55 UTC 2024");
	assert_true(gpudx_scan_ctime(&s, &st) && st.kind == GPUDX_STAMP_UTC);
	assert_int_equal(st.t_us, us(2024, 5, 7, 9, 58, 55));
	s = SV_LIT("Tue May  7 09:58:55 CEST 2024");
	assert_true(gpudx_scan_ctime(&s, &st) && st.kind == GPUDX_STAMP_LOCAL);
	s = SV_LIT("jeu. 25 août 2022 19:38:04 CEST");
	assert_true(gpudx_scan_ctime(&s, &st));
	assert_int_equal(st.t_us, us(2022, 8, 25, 19, 38, 4));
	s = SV_LIT("Tue 07 May 2024 12:05:06 AM UTC");
	assert_true(gpudx_scan_ctime(&s, &st));
	assert_int_equal(st.t_us, us(2024, 5, 7, 0, 5, 6));
}

static void leaves_what_is_no_stamp_untouched(void **state)
{
	static const char *const bad[] = {
		"",	    "2026/01/13", "2026/01-13 10:26:31", "2026/02/30 10:26:31",
		"99:99:99", "May 7",	  "May 32 09:58:55",	 "Feb 30 00:00:00",
		"hello",    "2026"
	};
	unsigned month, day;
	struct gpudx_stamp st;
	int64_t t;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct gpudx_sv s = sv_str(bad[i]);

		assert_false(gpudx_scan_ymd_hms(&s, &t) || gpudx_scan_iso(&s, &st) ||
			     gpudx_scan_ctime(&s, &st) ||
			     gpudx_scan_month_day(&s, &month, &day, &t) ||
			     gpudx_scan_clock(&s, &t));
		assert_int_equal(s.n, strlen(bad[i]));
	}
}

static void scans_seconds_since_boot(void **state)
{
	struct gpudx_sv s = SV("  882.456994] x");
	int64_t t;

	(void)state;
	assert_true(gpudx_scan_mono(&s, &t) && t == 882456994 && sv_is(s, "] x"));
	s = SV_LIT("999999999999.999999");
	assert_true(gpudx_scan_mono(&s, &t) && t == INT64_C(999999999999999999));
	s = SV_LIT("9999999999999.999999");
	assert_false(gpudx_scan_mono(&s, &t));
	s = SV_LIT("1.12345");
	assert_false(gpudx_scan_mono(&s, &t));
	s = SV_LIT("1.12345x");
	assert_false(gpudx_scan_mono(&s, &t));
}

static void scans_offsets(void **state)
{
	static const struct {
		const char *text;
		int32_t minutes;
	} good[] = { { "Z", 0 },	{ "UTC", 0 },	{ "+02:00", 120 },
		     { "-0330", -210 }, { "+08", 480 }, { "+15:59", 959 } };
	static const char *const bad[] = { "",	     "UTC+2",  "Zulu",	"+2",
					   "+16:00", "+01:60", "+1:00", "02:00" };
	struct gpudx_sv s;
	int32_t m;

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		s = sv_str(good[i].text);
		assert_true(gpudx_scan_offset(&s, &m) && s.n == 0);
		assert_int_equal(m, good[i].minutes);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		s = sv_str(bad[i]);
		assert_false(gpudx_scan_offset(&s, &m));
	}
}

static void counts_years_that_are_not_printed(void **state)
{
	struct gpudx_sv s = SV("Feb 29 00:00:01.5 host");
	unsigned month, day;
	int64_t t;

	(void)state;
	assert_true(gpudx_scan_month_day(&s, &month, &day, &t));
	assert_int_equal(month * 100 + day, 229);
	assert_int_equal(t, 1500000);
	for (unsigned turn = 0; turn < 50; turn++) {
		assert_int_equal(gpudx_noyear_turn(gpudx_noyear(turn, 1, 1, 0)), turn);
		assert_int_equal(gpudx_noyear_turn(gpudx_noyear(turn, 12, 31, GPUDX_DAY - 1)),
				 turn);
	}
}

static void prints_times(void **state)
{
	char buf[GPUDX_TIME_TEXT];

	(void)state;
	assert_string_equal(gpudx_time_text(us(2026, 1, 13, 10, 26, 33), false, buf),
			    "2026-01-13T10:26:33");
	assert_string_equal(gpudx_time_text(us(2026, 1, 13, 10, 26, 33) + 7, true, buf),
			    "2026-01-13T10:26:33.000007Z");
	assert_string_equal(gpudx_time_text(-1, true, buf), "1969-12-31T23:59:59.999999Z");
	assert_string_equal(gpudx_time_text(GPUDX_NO_TIME, true, buf), "");
	assert_true(strlen(gpudx_time_text(INT64_MAX, true, buf)) < GPUDX_TIME_TEXT);
	assert_true(strlen(gpudx_time_text(INT64_MIN + 1, true, buf)) < GPUDX_TIME_TEXT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(converts_days_both_ways),
		cmocka_unit_test(refuses_dates_that_do_not_exist),
		cmocka_unit_test(scans_the_stamps_of_the_tools),
		cmocka_unit_test(leaves_what_is_no_stamp_untouched),
		cmocka_unit_test(scans_seconds_since_boot),
		cmocka_unit_test(scans_offsets),
		cmocka_unit_test(counts_years_that_are_not_printed),
		cmocka_unit_test(prints_times),
	};

	return cmocka_run_group_tests_name("stamp", tests, NULL, NULL);
}
