#include "derive_db.h"

static const int64_t hour_us = 3600 * GPUDX_SECOND;

/* One fact of source 1 on line `line`. gpu, boot: SQL. t_h: hours after ten, or "NULL". */
static void state_fact(struct derive_db *d, const char *key, const char *layer, const char *value,
		       const char *t_h, const char *quality, const char *gpu, const char *boot,
		       int line)
{
	sql(d,
	    "INSERT INTO fact(source_id, src_boot, host_id, gpu_id, boot_id, key, layer, value, "
	    "t_us, t_quality,"
	    " line_id) VALUES(1, 0, 1, %s, %s, '%s', '%s', '%s', %lld + CAST(%s * 3600000000 AS "
	    "INTEGER), '%s', %d)",
	    gpu, boot, key, layer, value, (long long)ten_o_clock, t_h, quality, line);
}

static void driver(struct derive_db *d, const char *value, const char *t_h, int line)
{
	state_fact(d, "driver.version", "nvml", value, t_h, "exact", "NULL", "1", line);
}

static void assert_changes(struct derive_db *d, const char *want)
{
	must(d, gpudx_derive_changes(d->store, 1, &d->err));
	assert_rows(d,
		    "SELECT what, layer, gpu_id, before, after, (t_before_us - 1768298400000000) / "
		    "3600000000,"
		    " (t_us - 1768298400000000) / 3600000000, t_quality, line_before, line_after "
		    "FROM change",
		    want);
}

static void takes_the_last_of_the_old_and_the_first_of_the_new(void **state)
{
	struct derive_db *d = *state;

	driver(d, "535.183.01", "0", 1);
	driver(d, "535.183.01", "2", 2);
	driver(d, "550.54.14", "5", 3);
	driver(d, "550.54.14", "6", 4);
	assert_changes(d, "driver.version|nvml||535.183.01|550.54.14|2|5|exact|2|3\n");
}

static void back_and_forth_is_several(void **state)
{
	struct derive_db *d = *state;

	driver(d, "550", "9", 4); /* order of arrival does not matter */
	driver(d, "535", "0", 1);
	driver(d, "550", "3", 2);
	driver(d, "535", "6", 3);
	assert_changes(d, "driver.version|nvml||535|550|0|3|exact|1|2\n"
			  "driver.version|nvml||550|535|3|6|exact|2|3\n"
			  "driver.version|nvml||535|550|6|9|exact|3|4\n");
}

static void layers_hosts_and_gpus_do_not_mix(void **state)
{
	struct derive_db *d = *state;

	driver(d, "535", "0", 1);
	state_fact(d, "driver.version", "package", "550", "1", "exact", "NULL", "1", 2);
	state_fact(d, "power.limit_w", "nvml", "400", "1", "exact", "1", "1", 3);
	state_fact(d, "power.limit_w", "nvml", "300", "2", "exact", "2", "1", 4);
	sql(d, "INSERT INTO host(id, bundle_id, how) VALUES(2, 1, 'test')");
	driver(d, "550", "3", 5);
	sql(d, "UPDATE fact SET host_id = 2 WHERE line_id = 5");
	assert_changes(d, "");
}

static void each_gpu_has_its_own(void **state)
{
	struct derive_db *d = *state;

	for (int g = 1; g <= 2; g++) {
		const char *gpu = g == 1 ? "1" : "2";

		state_fact(d, "power.limit_w", "nvml", "400", "0", "exact", gpu, "1", g);
		state_fact(d, "power.limit_w", "nvml", "300", "1", "exact", gpu, "1", 10 + g);
	}
	assert_changes(d, "power.limit_w|nvml|1|400|300|0|1|exact|1|11\n"
			  "power.limit_w|nvml|2|400|300|0|1|exact|2|12\n");
}

static void facts_of_unknown_gpus_say_nothing(void **state)
{
	struct derive_db *d = *state;

	add_ref(d, 1, 1, 1);
	state_fact(d, "ecc.mode", "nvml", "Enabled", "0", "exact", "NULL", "1", 1);
	state_fact(d, "ecc.mode", "nvml", "Disabled", "1", "exact", "NULL", "1", 2);
	sql(d, "UPDATE fact SET ref_id = 1");
	assert_changes(d, "");
}

static void numbers_are_compared_as_numbers(void **state)
{
	struct derive_db *d = *state;

	state_fact(d, "power.limit_w", "nvml", "400.00", "0", "exact", "1", "1", 1);
	state_fact(d, "power.limit_w", "nvml", "400", "1", "exact", "1", "1", 2);
	sql(d, "UPDATE fact SET num = 400");
	assert_changes(d, "");
}

static void two_values_at_one_moment_are_a_conflict(void **state)
{
	struct derive_db *d = *state;

	/* Two sources that disagree all the time. */
	for (int i = 0; i < 3; i++) {
		const char *t[] = { "0", "1", "2" };

		driver(d, "535", t[i], 2 * i);
		driver(d, "550", t[i], 2 * i + 1);
	}
	assert_changes(d, "");
}

static void what_has_no_stamps_has_no_order(void **state)
{
	struct derive_db *d = *state;

	driver(d, "535", "NULL", 1);
	driver(d, "550", "NULL", 2);
	assert_changes(d, "");
}

static void a_snapshot_comes_an_hour_after_what_is_dated(void **state)
{
	struct derive_db *d = *state;

	sql(d, "UPDATE bundle SET collected_us = %lld, collected_quality = 'aligned'",
	    (long long)(ten_o_clock + 10 * hour_us));
	state_fact(d, "driver.version", "loaded", "535", "8", "exact", "NULL", "1", 1);
	state_fact(d, "driver.version", "loaded", "550", "NULL", "unknown", "NULL", "1", 2);
	state_fact(d, "driver.version", "nvml", "535", "9.5", "exact", "NULL", "1", 3);
	state_fact(d, "driver.version", "nvml", "550", "NULL", "unknown", "NULL", "1", 4);
	assert_changes(d, "driver.version|loaded||535|550|8|10|aligned|1|2\n");
}

static void boots_give_an_order_without_any_stamp(void **state)
{
	struct derive_db *d = *state;

	sql(d, "INSERT INTO boot(id, host_id, seq, start_quality) VALUES(2, 1, -1, 'unknown'), (3, "
	       "1, -2, 'unknown')");
	state_fact(d, "driver.version", "loaded", "550", "NULL", "unknown", "NULL", "1", 3);
	state_fact(d, "driver.version", "loaded", "535", "NULL", "unknown", "NULL", "2", 2);
	state_fact(d, "driver.version", "loaded", "525", "NULL", "unknown", "NULL", "3", 1);
	assert_changes(d, "driver.version|loaded||525|535|||unknown|1|2\n"
			  "driver.version|loaded||535|550|||unknown|2|3\n");
}

/* Seconds since boot fall with every boot. */
static void time_since_boot_counts_within_its_boot(void **state)
{
	struct derive_db *d = *state;

	sql(d, "INSERT INTO boot(id, host_id, seq, start_quality) VALUES(2, 1, -1, 'unknown')");
	state_fact(d, "driver.version", "loaded", "535", "9", "boot_relative", "NULL", "2", 1);
	state_fact(d, "driver.version", "loaded", "550", "1", "boot_relative", "NULL", "1", 2);
	state_fact(d, "driver.version", "loaded", "560", "2", "boot_relative", "NULL", "1", 3);
	assert_changes(d, "driver.version|loaded||535|550|9|1|boot_relative|1|2\n"
			  "driver.version|loaded||550|560|1|2|boot_relative|2|3\n");
}

static void a_stamp_finds_its_boot(void **state)
{
	struct derive_db *d = *state;

	sql(d,
	    "INSERT INTO boot(id, host_id, seq, start_quality, start_us) VALUES(2, 1, -1, 'exact', "
	    "%lld);"
	    "UPDATE boot SET start_us = %lld WHERE id = 1",
	    (long long)ten_o_clock, (long long)(ten_o_clock + 100 * hour_us));
	driver(d, "550", "NULL", 3); /* of the last boot */
	state_fact(d, "driver.version", "nvml", "535", "50", "exact", "NULL", "NULL", 2);
	state_fact(d, "driver.version", "nvml", "525", "-10", "exact", "NULL", "NULL",
		   1); /* before all boots */
	assert_changes(d, "driver.version|nvml||525|535|-10|50|exact|1|2\n"
			  "driver.version|nvml||535|550|50||unknown|2|3\n");
}

static void an_unknown_zone_needs_more_than_its_margin(void **state)
{
	struct derive_db *d = *state;

	state_fact(d, "driver.version", "nvml", "535", "0", "exact", "NULL", "1", 1);
	state_fact(d, "driver.version", "nvml", "550", "5", "zone_assumed", "NULL", "1", 2);
	state_fact(d, "driver.version", "nvml", "550", "10", "zone_assumed", "NULL", "1", 3);
	state_fact(d, "driver.version", "nvml", "560", "30", "exact", "NULL", "1", 4);
	assert_changes(d, "driver.version|nvml||550|560|10|30|exact|3|4\n");
}

static void follows_the_registry_of_keys(void **state)
{
	struct derive_db *d = *state;

	sql(d, "CREATE TABLE IF NOT EXISTS kb_fact_keys(key, contract, num_as);"
	       "INSERT INTO kb_fact_keys(key, contract, num_as) VALUES('fans.mood', 'yes', ''), "
	       "('temp.now', 'no', '')");
	state_fact(d, "fans.mood", "", "calm", "0", "exact", "NULL", "1", 1);
	state_fact(d, "fans.mood", "", "loud", "1", "exact", "NULL", "1", 2);
	state_fact(d, "temp.now", "", "50", "0", "exact", "NULL", "1", 3);
	state_fact(d, "temp.now", "", "60", "1", "exact", "NULL", "1", 4);
	assert_changes(d, "fans.mood|||calm|loud|0|1|exact|1|2\n");
}

static void the_number_of_a_version_is_coarser_than_its_text(void **state)
{
	struct derive_db *d = *state;

	sql(d, "CREATE TABLE IF NOT EXISTS kb_fact_keys(key, contract, num_as);"
	       "INSERT INTO kb_fact_keys(key, contract, num_as) VALUES('torch.version', 'yes', "
	       "'torch')");
	state_fact(d, "torch.version", "pip", "2.10.0", "0", "exact", "NULL", "1", 1);
	state_fact(d, "torch.version", "pip", "2.10.1", "1", "exact", "NULL", "1", 2);
	must(d, gpudx_derive_versions(d->store, 1, &d->err));
	assert_rows(d, "SELECT num FROM fact", "2010.0\n2010.0\n");
	assert_changes(d, "torch.version|pip||2.10.0|2.10.1|0|1|exact|1|2\n");
}

static void slices_are_not_the_gpu(void **state)
{
	struct derive_db *d = *state;

	state_fact(d, "power.limit_w", "nvml", "400", "0", "exact", "1", "1", 1);
	state_fact(d, "power.limit_w", "nvml", "100", "1", "exact", "1", "1", 2);
	sql(d, "UPDATE fact SET instance_id = 1 WHERE line_id = 2");
	assert_changes(d, "");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, db_open, db_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(takes_the_last_of_the_old_and_the_first_of_the_new),
		TEST(back_and_forth_is_several),
		TEST(layers_hosts_and_gpus_do_not_mix),
		TEST(each_gpu_has_its_own),
		TEST(facts_of_unknown_gpus_say_nothing),
		TEST(numbers_are_compared_as_numbers),
		TEST(two_values_at_one_moment_are_a_conflict),
		TEST(what_has_no_stamps_has_no_order),
		TEST(a_snapshot_comes_an_hour_after_what_is_dated),
		TEST(boots_give_an_order_without_any_stamp),
		TEST(time_since_boot_counts_within_its_boot),
		TEST(a_stamp_finds_its_boot),
		TEST(an_unknown_zone_needs_more_than_its_margin),
		TEST(follows_the_registry_of_keys),
		TEST(the_number_of_a_version_is_coarser_than_its_text),
		TEST(slices_are_not_the_gpu),
	};

	return cmocka_run_group_tests_name("change", tests, NULL, NULL);
}
