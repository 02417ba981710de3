#include "smi_said.h"

#include "parse/smi_value.h"

static const char *const q_keys = "../shared/facts/smi_q_keys.tsv";

static void knows_every_path_that_q_prints(void **state)
{
	FILE *f = fopen(q_keys, "r");
	char line[512];
	unsigned n = 0;

	(void)state;
	if (!f)
		skip();
	while (fgets(line, sizeof(line), f)) {
		struct gpudx_sv path = sv_str(line);

		path = sv_first(path, sv_index(path, '\t'));
		if (sv_is(path, "key_path"))
			continue;
		if (!smi_field_q(path) && !smi_section_tail(path))
			fail_msg("unknown: %.*s", (int)path.n, path.p);
		n++;
	}
	fclose(f);
	assert_true(n > 200);
}

static void maps_old_and_new_names_to_one_field(void **state)
{
	static const char *const pairs[][2] = {
		{ "Ecc Mode/Current", "ECC Mode/Current" },
		{ "Clocks Throttle Reasons/SW Power Cap", "Clocks Event Reasons/SW Power Cap" },
		{ "Power Readings/Enforced Power Limit", "GPU Power Readings/Current Power Limit" },
		{ "Power Readings/Power Limit", "GPU Power Readings/Requested Power Limit" },
		{ "GPU Power Readings/Current Power Limit",
		  "GPU Power Readings/GPU Ceiling Power Limit/Current Power Limit" },
		{ "Retired Pages/Pending", "Retired Pages/Pending Page Blacklist" },
		{ "Utilization/Gpu", "Utilization/GPU" },
		{ "Temperature/GPU T.Limit Temp", "Temperature/GPU Current T.Limit Temp" },
		{ "Module ID", "Platform Info/Module Id" },
		{ "CUDA Version", "CUDA UMD Version" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		const struct smi_field *a = smi_field_q(sv_str(pairs[i][0]));

		assert_non_null(a);
		assert_ptr_equal(a, smi_field_q(sv_str(pairs[i][1])));
	}
}

static void keeps_limits_and_margins_apart(void **state)
{
	(void)state;
	assert_string_equal(smi_field_q(SV_LIT("Power Readings/Power Limit"))->key,
			    "power.limit_requested_w");
	assert_string_equal(smi_field_q(SV_LIT("Module Power Readings/Current Power Limit"))->key,
			    "module.power.limit_w");
	assert_string_equal(smi_field_q(SV_LIT("Temperature/GPU Slowdown T.Limit Temp"))->key,
			    "temp.slowdown_margin_c");
	assert_string_equal(smi_field_q(SV_LIT("Temperature/GPU Slowdown Temp"))->key,
			    "temp.slowdown_c");
	assert_int_equal(
		smi_field_q(SV_LIT("Clocks Event Reasons Counters/HW Thermal Slowdown"))->kind,
		SMI_METRIC);
}

static void gives_csv_and_q_the_same_key(void **state)
{
	static const char *const pairs[][2] = {
		{ "driver_version", "Driver Version" },
		{ "count", "Attached GPUs" },
		{ "fabric.health.partition_assigned", "Fabric/Health/Partition Assigned" },
		{ "remapped_rows.correctable_inactive",
		  "Remapped Rows/Inactive Correctable Error" },
		{ "gpu.base.current", "GPU Power Readings/GPU Base Power/Current Base Power" },
		{ "ecc.errors.uncorrected.volatile.total", "ECC Errors/Volatile/Double Bit/Total" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		const struct smi_field *csv = smi_field_csv(sv_str(pairs[i][0])),
				       *q = smi_field_q(sv_str(pairs[i][1]));

		assert_non_null(csv);
		assert_non_null(q);
		assert_string_equal(csv->key, q->key);
	}
}

static void knows_headings_that_became_plain_names(void **state)
{
	static const char *const pairs[][2] = {
		{ "power_draw", "power.draw" },
		{ "clocks_sm", "clocks.current.sm" },
		{ "Driver_Version", "driver_version" },
		{ "driver.version", "driver_version" },
		{ "encoder_stats_session_count", "encoder.stats.sessionCount" },
		{ "encoder.stats.sessioncount", "encoder.stats.sessionCount" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		const struct smi_field *f = smi_field_spelled(sv_str(pairs[i][0]));

		assert_non_null(f);
		assert_string_equal(f->csv, pairs[i][1]);
	}
	assert_null(smi_field_spelled(SV_LIT("power_dra")));
	assert_null(smi_field_spelled(SV_LIT("power_draws")));
	assert_null(smi_field_spelled(SV_LIT("power__draw")));
}

static void counts_the_fields_of_a_tail(void **state)
{
	unsigned found;

	(void)state;
	assert_non_null(smi_field_tail(SV_LIT("Persistence Mode"), &found));
	assert_int_equal(found, 1);
	assert_non_null(smi_field_tail(SV_LIT("Current"), &found));
	assert_true(found > 5);
	assert_non_null(smi_field_tail(SV_LIT("Aggregate/SRAM Correctable"), &found));
	assert_int_equal(found, 1);
	/* a tail begins at a level */
	assert_null(smi_field_tail(SV_LIT("sistence Mode"), &found));
	assert_int_equal(found, 0);
	assert_true(smi_section_tail(SV_LIT("Double Bit")));
	assert_true(smi_section_tail(SV_LIT("Aggregate/Double Bit")));
	assert_false(smi_section_tail(SV_LIT("Persistence Mode")));
}

static void tells_values_from_missing_and_faults(void **state)
{
	static const struct {
		const char *cell;
		enum smi_value value;
	} cases[] = {
		{ "38 %", SMI_VALUE },
		{ "None", SMI_VALUE },
		{ "Not Active", SMI_VALUE },
		{ "N/A", SMI_MISSING },
		{ "[N/A]", SMI_MISSING },
		{ "Not available in WDDM driver model", SMI_MISSING },
		{ "Requested functionality has been deprecated", SMI_MISSING },
		{ "", SMI_MISSING },
		{ "ERR!", SMI_FAULT },
		{ "[GPU is lost]", SMI_FAULT },
		{ "Unknown Error", SMI_FAULT },
	};
	const char *event;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(smi_value_of(sv_str(cases[i].cell), &event), cases[i].value);
}

static void reads_numbers_with_units_only(void **state)
{
	static const struct {
		const char *cell;
		double v;
	} good[] = { { "432.21 W", 432.21 },
		     { "16x", 16 },
		     { "2560 bank(s)", 2560 },
		     { "-8 C", -8 },
		     { "100.00%", 100 } };
	static const char *const bad[] = { "21x0 MHz", "12..4 W", "W 12",
					   "",	       "1.2.3",	  "12 words of prose" };
	double v;

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_true(smi_number(sv_str(good[i].cell), &v));
		assert_true(v <= good[i].v && v >= good[i].v);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(smi_number(sv_str(bad[i]), &v));
}

static void sees_numbers_that_cannot_be(void **state)
{
	(void)state;
	assert_true(smi_impossible(SV_LIT("18446744073709.21 sec")));
	assert_true(smi_impossible(SV_LIT("18446744073709551615")));
	assert_true(smi_impossible(SV_LIT("4294967295")));
	assert_false(smi_impossible(SV_LIT("15820333506 us")));
	assert_false(smi_impossible(SV_LIT("42949 MiB")));
}

static const char *layer_of(const char *command, const char *path)
{
	struct gpudx_ctx c = { .command = sv_str(command), .path = sv_str(path) };

	return smi_layer(&c);
}

static void tells_a_container_by_command_or_path(void **state)
{
	(void)state;
	assert_string_equal(layer_of("docker run --rm --gpus all img nvidia-smi", ""), "container");
	assert_string_equal(layer_of("kubectl exec pod-1 -- nvidia-smi", ""), "container");
	assert_string_equal(layer_of("sudo /usr/bin/podman exec x nvidia-smi -q", ""), "container");
	assert_string_equal(layer_of("", "case/docker-nvidia-smi.txt"), "container");
	assert_string_equal(layer_of("", "case/container/smi.txt"), "container");
	assert_string_equal(layer_of("nvidia-smi", "case/smi.txt"), "nvml");
	assert_string_equal(layer_of("nvidia-smi", "case/dockerized/smi.txt"), "nvml");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(knows_every_path_that_q_prints),
		cmocka_unit_test(maps_old_and_new_names_to_one_field),
		cmocka_unit_test(keeps_limits_and_margins_apart),
		cmocka_unit_test(gives_csv_and_q_the_same_key),
		cmocka_unit_test(knows_headings_that_became_plain_names),
		cmocka_unit_test(counts_the_fields_of_a_tail),
		cmocka_unit_test(tells_values_from_missing_and_faults),
		cmocka_unit_test(reads_numbers_with_units_only),
		cmocka_unit_test(sees_numbers_that_cannot_be),
		cmocka_unit_test(tells_a_container_by_command_or_path),
	};

	return cmocka_run_group_tests_name("smi_fields", tests, NULL, NULL);
}
