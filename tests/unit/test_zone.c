#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/stamp.h"
#include "base/zone.h"

#include <stdio.h>

static int64_t at(int64_t y, unsigned mo, unsigned d, unsigned h, unsigned mi)
{
	int64_t t;

	assert_true(gpudx_civil_us(y, mo, d, h, mi, 0, 0, &t));
	return t;
}

static struct gpudx_zone *open_zone(const char *text)
{
	struct gpudx_err err = { 0 };
	struct gpudx_zone *z;

	if (gpudx_zone_open(sv_str(text), &z, &err))
		fail_msg("%s: %s", text, err.text[0]);
	return z;
}

static void takes_offsets_in_every_spelling(void **state)
{
	static const struct {
		const char *text;
		int32_t s;
	} rows[] = {
		{ "+02:00", 7200 }, { "-0530", -19800 }, { "Z", 0 }, { "UTC", 0 }, { "+00:00", 0 }
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct gpudx_zone *z = open_zone(rows[i].text);

		assert_int_equal(gpudx_zone_offset(z, 0), rows[i].s);
		assert_int_equal(gpudx_zone_offset_local(z, at(2026, 7, 1, 12, 0)), rows[i].s);
		gpudx_zone_free(z);
	}
}

static void knows_summer_and_winter_of_a_name(void **state)
{
	struct gpudx_zone *z = open_zone("Europe/Berlin");

	(void)state;
	assert_int_equal(gpudx_zone_offset(z, at(2024, 1, 13, 9, 0)), 3600);
	assert_int_equal(gpudx_zone_offset(z, at(2024, 7, 13, 9, 0)), 7200);
	assert_int_equal(gpudx_zone_offset(z, at(2024, 3, 31, 0, 59)), 3600);
	assert_int_equal(gpudx_zone_offset(z, at(2024, 3, 31, 1, 0)), 7200);
	assert_int_equal(gpudx_zone_offset(z, at(2024, 10, 27, 0, 59)), 7200);
	assert_int_equal(gpudx_zone_offset(z, at(2024, 10, 27, 1, 0)), 3600);
	gpudx_zone_free(z);
}

static void follows_the_rule_behind_the_table(void **state)
{
	struct gpudx_zone *z = open_zone("Europe/Berlin"), *s = open_zone("Australia/Sydney");

	(void)state;
	assert_int_equal(gpudx_zone_offset(z, at(2099, 7, 1, 0, 0)), 7200);
	assert_int_equal(gpudx_zone_offset(z, at(2099, 12, 1, 0, 0)), 3600);
	assert_int_equal(gpudx_zone_offset(s, at(2099, 1, 1, 0, 0)), 11 * 3600);
	assert_int_equal(gpudx_zone_offset(s, at(2099, 7, 1, 0, 0)), 10 * 3600);
	gpudx_zone_free(z);
	gpudx_zone_free(s);
}

static void takes_a_doubled_hour_as_the_first_and_a_skipped_one_as_before(void **state)
{
	struct gpudx_zone *z = open_zone("Europe/Berlin");

	(void)state;
	assert_int_equal(gpudx_zone_offset_local(z, at(2024, 10, 27, 1, 59)), 7200);
	assert_int_equal(gpudx_zone_offset_local(z, at(2024, 10, 27, 2, 30)), 7200);
	assert_int_equal(gpudx_zone_offset_local(z, at(2024, 10, 27, 3, 0)), 3600);
	assert_int_equal(gpudx_zone_offset_local(z, at(2024, 3, 31, 1, 59)), 3600);
	assert_int_equal(gpudx_zone_offset_local(z, at(2024, 3, 31, 2, 30)), 3600);
	assert_int_equal(gpudx_zone_offset_local(z, at(2024, 3, 31, 3, 0)), 7200);
	gpudx_zone_free(z);
}

static void refuses_what_is_no_zone(void **state)
{
	static const char *const bad[] = { "",
					   "Mars/Base",
					   "../../etc/passwd",
					   "/etc/localtime",
					   "Europe//Berlin",
					   "a b",
					   "+25:00",
					   "Europe" };
	struct gpudx_zone *z;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct gpudx_err err = { 0 };

		assert_int_not_equal(gpudx_zone_open(sv_str(bad[i]), &z, &err), GPUDX_OK);
		assert_true(err.text[0][0]);
	}
}

/* A file without transitions whose rule says everything, as slim tz databases have. */
static struct gpudx_sv slim(const char *tz, char *buf, size_t size)
{
	char header[44] = "TZif2";
	size_t n = 0;

	header[39] = 1; /* one type ... */
	header[43] = 4; /* ... and four letters */
	for (int pass = 0; pass < 2; pass++) {
		memcpy(buf + n, header, sizeof(header));
		memset(buf + n + sizeof(header), 0, 10);
		n += sizeof(header) + 10;
	}
	n += (size_t)snprintf(buf + n, size - n, "\n%s\n", tz);
	return sv_n(buf, n);
}

static void reads_rules_of_all_three_forms(void **state)
{
	static const struct {
		const char *tz;
		int32_t january, july;
	} rows[] = {
		{ "CET-1CEST,M3.5.0,M10.5.0/3", 3600, 7200 },
		{ "AEST-10AEDT,M10.1.0,M4.1.0/3", 39600, 36000 },
		{ "EST5EDT,J60,J300", -18000, -14400 },
		{ "EST5EDT,59/0,299/25:30", -18000, -14400 },
		{ "<+0330>-3:30", 12600, 12600 },
		{ "IST-1GMT0,M10.5.0,M3.5.0/1", 0, 3600 },
	};
	struct gpudx_err err = { 0 };
	struct gpudx_zone *z;
	char buf[512];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(gpudx_zone_parse(slim(rows[i].tz, buf, sizeof(buf)), &z, &err),
				 GPUDX_OK);
		assert_int_equal(gpudx_zone_offset(z, at(2031, 1, 15, 0, 0)), rows[i].january);
		assert_int_equal(gpudx_zone_offset(z, at(2031, 7, 15, 0, 0)), rows[i].july);
		gpudx_zone_free(z);
	}
}

static void refuses_broken_files_at_every_length(void **state)
{
	struct gpudx_err err = { 0 };
	struct gpudx_zone *z;
	char buf[512];
	struct gpudx_sv whole = slim("CET-1CEST,M3.5.0,M10.5.0/3", buf, sizeof(buf));

	(void)state;
	for (size_t n = 0; n < whole.n; n++)
		if (gpudx_zone_parse(sv_first(whole, n), &z, &err) == GPUDX_OK)
			gpudx_zone_free(z);
	for (size_t i = 0; i < whole.n; i++) {
		char old = buf[i];

		buf[i] = (char)0xff;
		if (gpudx_zone_parse(whole, &z, &err) == GPUDX_OK)
			gpudx_zone_free(z);
		buf[i] = old;
	}
	assert_int_equal(
		gpudx_zone_parse(slim("CET-1CEST,M13.5.0,M10.5.0/3", buf, sizeof(buf)), &z, &err),
		GPUDX_E_INPUT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(takes_offsets_in_every_spelling),
		cmocka_unit_test(knows_summer_and_winter_of_a_name),
		cmocka_unit_test(follows_the_rule_behind_the_table),
		cmocka_unit_test(takes_a_doubled_hour_as_the_first_and_a_skipped_one_as_before),
		cmocka_unit_test(refuses_what_is_no_zone),
		cmocka_unit_test(reads_rules_of_all_three_forms),
		cmocka_unit_test(refuses_broken_files_at_every_length),
	};

	return cmocka_run_group_tests_name("zone", tests, NULL, NULL);
}
