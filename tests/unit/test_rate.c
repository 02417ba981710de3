#include "derive_db.h"

static const int64_t hour_us = 3600 * GPUDX_SECOND;

static long long at(double hours)
{
	return (long long)ten_o_clock + (long long)(hours * (double)hour_us);
}

/* A driver version that a layer saw at some hour. */
static void saw(struct derive_db *d, const char *layer, const char *version, double hours, int boot,
		int line)
{
	sql(d,
	    "INSERT INTO fact(source_id, src_boot, host_id, boot_id, key, layer, value, t_us, "
	    "t_quality, line_id)"
	    " VALUES(1, 0, 1, %d, 'driver.version', '%s', '%s', %lld, 'exact', %d)",
	    boot, layer, version, at(hours), line);
}

static void watch(struct derive_db *d, const char *kind, double from, double to, int whole)
{
	sql(d,
	    "INSERT INTO coverage(host_id, what, from_us, to_us, n, whole) VALUES(1, 'log.%s', "
	    "%lld, %lld, 1, %d)",
	    kind, at(from), at(to), whole);
}

static void incident(struct derive_db *d, const char *kind, const char *code, double hours)
{
	sql(d,
	    "INSERT INTO incident(host_id, gpu_id, root_event, kind, code, t0_us, t1_us, "
	    "t_quality, events, gpus)"
	    " VALUES(1, 1, 1, '%s', %s, %lld, %lld, 'exact', 1, 1)",
	    kind, code, at(hours), at(hours));
}

#define TESTS                                                                                \
	"SELECT kind, code, n_before, n_after, hours_before, hours_after, round(ratio, 3),"  \
	" round(ratio_lo, 3), round(ratio_hi, 3), round(p, 6), round(hours_needed, 2) FROM " \
	"rate_test"

static void derive(struct derive_db *d)
{
	must(d, gpudx_derive_changes(d->store, 1, &d->err));
	must(d, gpudx_derive_rates(d->store, 1, &d->err));
}

static void assert_tests(struct derive_db *d, const char *want)
{
	derive(d);
	assert_rows(d, TESTS, want);
}

/* Loaded at hour 100 of 150 that one log covers: 100 h without, then 5 in 50 h. */
static void an_error_that_starts_with_a_driver_is_found(void **state)
{
	struct derive_db *d = *state;

	saw(d, "loaded", "535", 0, 1, 1);
	saw(d, "loaded", "550", 100, 1, 2);
	watch(d, "xid", 0, 150, 1);
	for (int i = 0; i < 5; i++)
		incident(d, "xid", "119", 101 + 10 * i);
	assert_tests(d, "xid|119|0|5|100.0|50.0||1.833||0.004115|\n");
}

static void says_how_much_more_would_have_had_to_be_watched(void **state)
{
	struct derive_db *d = *state;

	saw(d, "loaded", "535", 0, 1, 1);
	saw(d, "loaded", "550", 10, 1, 2);
	watch(d, "xid", 0, 20, 1);
	incident(d, "xid", "79", 11);
	incident(d, "xid", "79", 15);
	/* (10 / 20)^2 = 0.25; two in 10 h need 90 h without any. */
	assert_tests(d, "xid|79|0|2|10.0|10.0||0.188||0.25|90.0\n");
}

static void an_old_error_is_compared_too(void **state)
{
	struct derive_db *d = *state;

	saw(d, "loaded", "535", 0, 1, 1);
	saw(d, "loaded", "550", 10, 1, 2);
	watch(d, "xid", 0, 20, 1);
	for (int i = 0; i < 2; i++) {
		incident(d, "xid", "31", 1 + i);
		incident(d, "xid", "31", 11 + i);
		incident(d, "sxid", "12028", 11 + i); /* no log shows it: no exposure, no test */
	}
	/* Two of four with equal exposure: 11/16; 2.25 ... 37.75 % ... by Clopper-Pearson 0.0676,
	 * 0.9324. */
	assert_tests(d, "xid|31|2|2|10.0|10.0|1.0|0.072|13.796|0.6875|90.0\n");
}

static void hours_count_once_and_only_where_a_whole_log_is(void **state)
{
	struct derive_db *d = *state;

	saw(d, "loaded", "535", 0, 1, 1);
	saw(d, "loaded", "550", 100, 1, 2);
	watch(d, "xid", 0, 40, 1);
	watch(d, "xid", 20, 60, 1); /* a second log of the same time */
	watch(d, "xid", 60, 90, 0); /* an excerpt */
	watch(d, "nvrm.gsp", 90, 100, 1);
	watch(d, "xid", 95, 110, 1);
	incident(d, "xid", "119", 70); /* in the excerpt: counts as little as its hours */
	incident(d, "xid", "119", 105);
	assert_tests(d, "xid|119|0|1|65.0|10.0||0.167||0.133333|990.0\n");
}

static void a_boot_has_one_version_from_its_start_to_its_end(void **state)
{
	struct derive_db *d = *state;

	sql(d,
	    "INSERT INTO boot(id, host_id, seq, start_quality, start_us) VALUES(2, 1, -1, 'exact', "
	    "%lld);"
	    "UPDATE boot SET start_us = %lld, start_quality = 'exact' WHERE id = 1",
	    at(0), at(100));
	saw(d, "nvml", "535", 5, 2, 1);
	saw(d, "nvml", "550", 140, 1, 2); /* seen late in its boot */
	watch(d, "xid", 0, 150, 1);
	for (int i = 0; i < 5; i++)
		incident(d, "xid", "119", 101 + 10 * i);
	assert_tests(d, "xid|119|0|5|100.0|50.0||1.833||0.004115|\n");
}

static void within_a_boot_the_time_between_two_sightings_belongs_to_neither(void **state)
{
	struct derive_db *d = *state;

	saw(d, "nvml", "535", 50, 1, 1);
	saw(d, "nvml", "550", 100, 1, 2);
	watch(d, "xid", 0, 150, 1);
	incident(d, "xid", "119", 75);
	incident(d, "xid", "119", 120);
	assert_tests(d, "xid|119|0|1|50.0|50.0||0.026||0.5|4950.0\n");
}

static void what_ran_speaks_for_all_layers(void **state)
{
	struct derive_db *d = *state;

	saw(d, "package", "535", 0, 1, 1);
	saw(d, "package", "550", 90, 1, 2);
	saw(d, "loaded", "535", 0, 1, 3);
	saw(d, "loaded", "550", 100, 1, 4);
	watch(d, "xid", 0, 150, 1);
	incident(d, "xid", "119", 120);
	assert_tests(d, "xid|119|0|1|100.0|50.0||0.051||0.333333|4950.0\n");
	assert_rows(d, "SELECT c.layer FROM rate_test t JOIN change c ON c.id = t.change_id",
		    "loaded\n");
}

/* Package managers log the moment: the old version was there until then, however long ago it was
 * seen last, and the new module runs from the next boot on. */
static void a_package_log_says_when_it_happened(void **state)
{
	struct derive_db *d = *state;

	saw(d, "package", "535", 0, 1, 1);
	saw(d, "package", "550", 100, 1, 2);
	watch(d, "xid", 0, 150, 1);
	for (int i = 0; i < 5; i++)
		incident(d, "xid", "119", 101 + 10 * i);
	assert_tests(d, "xid|119|0|5|100.0|50.0||1.833||0.004115|\n");
}

static void a_new_package_runs_from_the_next_boot_on(void **state)
{
	struct derive_db *d = *state;

	sql(d,
	    "INSERT INTO boot(id, host_id, seq, start_quality, start_us) VALUES(2, 1, -1, 'exact', "
	    "%lld);"
	    "UPDATE boot SET start_us = %lld, start_quality = 'exact' WHERE id = 1",
	    at(0), at(110));
	saw(d, "package", "535", 0, 2, 1);
	saw(d, "package", "550", 100, 2, 2);
	watch(d, "xid", 0, 160, 1);
	incident(d, "xid", "119", 105); /* the old module, until the boot */
	for (int i = 0; i < 5; i++)
		incident(d, "xid", "119", 111 + 9 * i);
	assert_tests(d, "xid|119|0|5|100.0|50.0||1.833||0.004115|\n");
}

static void back_and_forth_is_not_tested(void **state)
{
	struct derive_db *d = *state;

	saw(d, "loaded", "535", 0, 1, 1);
	saw(d, "loaded", "550", 50, 1, 2);
	saw(d, "loaded", "535", 100, 1, 3);
	watch(d, "xid", 0, 150, 1);
	for (int i = 0; i < 5; i++)
		incident(d, "xid", "119", 51 + i);
	assert_tests(d, "");
	assert_rows(d, "SELECT count(*) FROM change", "2\n");
}

static void a_first_time_that_no_log_covers_does_not_disturb(void **state)
{
	struct derive_db *d = *state;

	saw(d, "loaded", "535", 0, 1, 1);
	saw(d, "loaded", "550", 50, 1, 2);
	saw(d, "loaded", "535", 100, 1, 3);
	watch(d, "xid", 50, 150, 1);
	for (int i = 0; i < 5; i++)
		incident(d, "xid", "119", 51 + i);
	/* 550 had five in 50 h, 535 none since. The other way round nothing was watched before. */
	derive(d);
	assert_rows(
		d,
		"SELECT c.before, n_before, n_after, hours_before, hours_after, p FROM rate_test t"
		" JOIN change c ON c.id = t.change_id",
		"550|5|0|50.0|50.0|1.0\n");
}

static void three_versions_are_compared_pairwise(void **state)
{
	struct derive_db *d = *state;

	saw(d, "loaded", "525", 0, 1, 1);
	saw(d, "loaded", "535", 50, 1, 2);
	saw(d, "loaded", "550", 100, 1, 3);
	watch(d, "xid", 0, 150, 1);
	incident(d, "xid", "119", 60);
	incident(d, "xid", "119", 110);
	incident(d, "xid", "119", 120);
	derive(d);
	assert_rows(d,
		    "SELECT c.before, c.after, n_before, n_after, hours_before, hours_after FROM "
		    "rate_test t"
		    " JOIN change c ON c.id = t.change_id ORDER BY c.id",
		    "525|535|0|1|50.0|50.0\n535|550|1|2|50.0|50.0\n");
}

static void what_the_change_does_by_itself_is_left_out(void **state)
{
	struct derive_db *d = *state;

	saw(d, "loaded", "535", 0, 1, 1);
	saw(d, "loaded", "550", 100, 1, 2);
	watch(d, "nvrm.api_mismatch", 0, 150, 1);
	watch(d, "nvrm.init_failed", 0, 150, 1);
	incident(d, "nvrm.api_mismatch", "NULL", 120);
	incident(d, "nvrm.init_failed", "NULL", 100.5); /* within the hour after */
	assert_tests(d, "");
	incident(d, "nvrm.init_failed", "NULL", 102);
	assert_tests(d, "nvrm.init_failed||0|1|100.0|49.0||0.052||0.328859|4851.0\n");
}

static void undated_things_are_not_placed(void **state)
{
	struct derive_db *d = *state;

	saw(d, "loaded", "535", 0, 1, 1);
	saw(d, "loaded", "550", 10, 1, 2);
	watch(d, "xid", 0, 20, 1);
	incident(d, "xid", "119", 11);
	sql(d, "UPDATE incident SET t_quality = 'boot_relative'");
	assert_tests(d, "");
	sql(d, "UPDATE incident SET t_quality = 'exact'; UPDATE fact SET "
	       "t_quality = 'unknown'");
	assert_tests(d, "");
}

static void time_since_boot_is_no_exposure(void **state)
{
	struct derive_db *d = *state;

	sql(d, "INSERT INTO clock(id, host_id, kind, quality, how) VALUES(1, 1, 'boot', "
	       "'boot_relative', 'test');"
	       "UPDATE source SET clock_id = 1 WHERE id = 1");
	saw(d, "loaded", "535", 0, 1, 1);
	saw(d, "loaded", "550", 10, 1, 2);
	sql(d, "INSERT INTO coverage(host_id, what, from_us, to_us, n, whole, source_id)"
	       " VALUES(1, 'log.xid', 0, 900000000000, 1, 1, 1)");
	watch(d, "xid", 10, 20, 1);
	incident(d, "xid", "119", 11);
	assert_tests(d, "xid|119|0|1|0.0|10.0||||1.0|990.0\n");
}

static void firmware_of_one_gpu_is_tested_against_its_own_incidents(void **state)
{
	struct derive_db *d = *state;

	saw(d, "nvml", "96.00.61", 0, 1, 1);
	saw(d, "nvml", "96.00.89", 10, 1, 2);
	sql(d, "UPDATE fact SET key = 'gpu.vbios', gpu_id = 2");
	watch(d, "xid", 0, 20, 1);
	incident(d, "xid", "119", 11); /* of GPU 1 */
	assert_tests(d, "");
	sql(d, "UPDATE incident SET gpu_id = 2");
	assert_tests(d, "xid|119|0|1|0.0|10.0||||1.0|990.0\n");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, db_open, db_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(an_error_that_starts_with_a_driver_is_found),
		TEST(says_how_much_more_would_have_had_to_be_watched),
		TEST(an_old_error_is_compared_too),
		TEST(hours_count_once_and_only_where_a_whole_log_is),
		TEST(a_boot_has_one_version_from_its_start_to_its_end),
		TEST(within_a_boot_the_time_between_two_sightings_belongs_to_neither),
		TEST(what_ran_speaks_for_all_layers),
		TEST(a_package_log_says_when_it_happened),
		TEST(a_new_package_runs_from_the_next_boot_on),
		TEST(back_and_forth_is_not_tested),
		TEST(a_first_time_that_no_log_covers_does_not_disturb),
		TEST(three_versions_are_compared_pairwise),
		TEST(what_the_change_does_by_itself_is_left_out),
		TEST(undated_things_are_not_placed),
		TEST(time_since_boot_is_no_exposure),
		TEST(firmware_of_one_gpu_is_tested_against_its_own_incidents),
	};

	return cmocka_run_group_tests_name("rate", tests, NULL, NULL);
}
