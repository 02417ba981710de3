#include "derive_db.h"

#define STAT "SELECT n, min, p10, p50, p90, max, top FROM gpu_stat WHERE ref_id = 1 AND col = "

static void put_clock(struct derive_db *d, uint32_t ref, int64_t second, double mhz)
{
	struct sample s = NO_SAMPLE;

	s.t_us = ten_o_clock + second * GPUDX_SECOND;
	s.sm = mhz;
	put(d, ref, &s);
}

static void put_clocks(struct derive_db *d, const double *mhz, int n, int64_t apart_s)
{
	add_ref(d, 1, 1, 1);
	samples_begin(d);
	for (int i = 0; i < n; i++)
		put_clock(d, 1, i * apart_s, mhz[i]);
	samples_end(d);
	must(d, gpudx_derive_stats(d->store, 1, &d->err));
}

static void summarises_a_short_series_by_hand(void **state)
{
	struct derive_db *d = *state;
	static const double sm[] = { 1410, 1410, 1170, 1140, 1140 },
			    power[] = { 225.11, 238.42, 399.72, 401.03, 401.10 };

	add_ref(d, 1, 1, 1);
	samples_begin(d);
	for (int i = 0; i < 5; i++) {
		struct sample s = NO_SAMPLE;

		s.t_us = ten_o_clock + i * GPUDX_SECOND;
		s.sm = sm[i], s.power = power[i], s.util = 85 + i, s.temp = 56;
		put(d, 1, &s);
	}
	samples_end(d);
	must(d, gpudx_derive_stats(d->store, 1, &d->err));
	/* p10 of five lies 0.4 of the way from the first to the second: 1140 and 1140. */
	assert_rows(d, STAT "'sm_clock_mhz'", "5|1140.0|1140.0|1170.0|1410.0|1410.0|1410.0\n");
	/* Bins 224, 238, 398, 400, 400 stand for 225, 239, 399, 401, 401; the ends are exact. */
	assert_rows(d, STAT "'power_w'", "5|225.11|230.6|399.0|401.0|401.1|\n");
	assert_rows(d, STAT "'util_pct'", "5|85.0|85.4|87.0|88.6|89.0|\n");
	assert_rows(d, STAT "'temp_c'", "5|56.0|56.0|56.0|56.0|56.0|\n");
}

static void merges_busy_and_other_samples(void **state)
{
	struct derive_db *d = *state;

	add_ref(d, 1, 1, 1);
	samples_begin(d);
	for (int i = 0; i < 1000; i++) {
		struct sample s = NO_SAMPLE;

		s.t_us = ten_o_clock + i * GPUDX_SECOND;
		s.sm = i % 2 ? 1400 : 200;
		s.util = i % 2 ? 99 : 0;
		put(d, 1, &s);
	}
	samples_end(d);
	must(d, gpudx_derive_stats(d->store, 1, &d->err));
	assert_rows(d, STAT "'sm_clock_mhz'", "1000|200.0|200.0|800.0|1400.0|1400.0|1400.0\n");
}

static void takes_a_clock_seen_twice_over_a_higher_one_seen_once(void **state)
{
	static const double mhz[] = { 1980, 1755, 1740, 1755, 1700 };

	put_clocks(*state, mhz, 5, 1);
	assert_true(fabs(ask(*state, "SELECT top FROM gpu_stat") - 1755) < 1e-9);
}

static void finds_the_second_sighting_in_another_minute(void **state)
{
	/* Maxima of the minutes: 1980, 1755, 1740, 1710; 1740 stands again below 1980. */
	static const double mhz[] = { 1980, 1740, 1755, 1000, 1740, 900, 1710, 1710 };

	put_clocks(*state, mhz, 8, 30);
	assert_true(fabs(ask(*state, "SELECT top FROM gpu_stat") - 1740) < 1e-9);
}

static void takes_a_maximum_of_two_minutes_without_reading(void **state)
{
	static const double mhz[] = { 1410, 300, 300, 1410, 1200, 1200 };

	put_clocks(*state, mhz, 6, 60);
	assert_true(fabs(ask(*state, "SELECT top FROM gpu_stat") - 1410) < 1e-9);
}

static void has_no_top_level_when_nothing_was_seen_twice(void **state)
{
	static const double mhz[] = { 1410, 1395, 1380, 1365 };

	put_clocks(*state, mhz, 4, 40);
	assert_rows(*state, STAT "'sm_clock_mhz'", "4|1365.0|1369.5|1387.5|1405.5|1410.0|\n");
}

/* The definition itself, over random series of few and of many levels. */
static void agrees_with_the_definition(void **state)
{
	struct derive_db *d = *state;
	uint64_t seed = 11;

	for (int ref = 1; ref <= 40; ref++)
		add_ref(d, ref, 1, 1);
	samples_begin(d);
	for (uint32_t ref = 1; ref <= 40; ref++)
		for (int i = 0; i < 400; i++) {
			seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
			put_clock(d, ref, i * 5, 1000 + (double)((seed >> 33) % (ref * ref * 20)));
		}
	samples_end(d);
	must(d, gpudx_derive_stats(d->store, 1, &d->err));
	assert_rows(d,
		    "SELECT ref_id, top, (SELECT max(mhz) FROM (SELECT sm_clock_mhz AS mhz FROM "
		    "gpu_sample"
		    " WHERE ref_id = s.ref_id GROUP BY 1 HAVING count(*) > 1)) AS want"
		    " FROM gpu_stat s WHERE col = 'sm_clock_mhz' AND top IS NOT want",
		    "");
}

static void keeps_to_its_bundle(void **state)
{
	static const double mhz[] = { 1410, 1410 };
	struct derive_db *d = *state;

	put_clocks(d, mhz, 2, 1);
	must(d, gpudx_derive_stats(d->store, 2, &d->err));
	assert_rows(d, "SELECT ref_id, col, n FROM gpu_stat", "1|sm_clock_mhz|2\n");
}

static void an_empty_bundle_has_none(void **state)
{
	struct derive_db *d = *state;

	must(d, gpudx_derive_stats(d->store, 1, &d->err));
	assert_rows(d, "SELECT * FROM gpu_stat", "");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, db_open, db_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(summarises_a_short_series_by_hand),
		TEST(merges_busy_and_other_samples),
		TEST(takes_a_clock_seen_twice_over_a_higher_one_seen_once),
		TEST(finds_the_second_sighting_in_another_minute),
		TEST(takes_a_maximum_of_two_minutes_without_reading),
		TEST(has_no_top_level_when_nothing_was_seen_twice),
		TEST(agrees_with_the_definition),
		TEST(keeps_to_its_bundle),
		TEST(an_empty_bundle_has_none),
	};

	return cmocka_run_group_tests_name("stat", tests, NULL, NULL);
}
