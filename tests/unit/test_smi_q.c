#include "smi_said.h"

#include "parse/smi_q_path.h"

#define HEADER "==============NVSMI LOG==============\n"
#define GPU "GPU 00000000:2E:00.0\n"

static struct said *q(const char *text)
{
	return said_of("smi-q", "", "", text);
}

/* ---- paths ---- */

static const struct smi_field *guess(struct smi_q_path *p, const char *text)
{
	struct smi_q_line line;

	assert_true(smi_q_split(sv_str(text), &line));
	assert_true(smi_q_enter(p, &line));
	return line.value.p ? smi_q_guess(p, &line) : NULL;
}

static void assert_key(const struct smi_field *f, const char *key)
{
	if (!key) {
		assert_null(f);
		return;
	}
	assert_non_null(f);
	assert_string_equal(f->key, key);
}

static void splits_at_the_first_colon_between_blanks(void **state)
{
	struct smi_q_line line;

	(void)state;
	assert_true(smi_q_split(SV_LIT("        Name                          : a : b"), &line));
	assert_int_equal(line.indent, 8);
	assert_true(sv_is(line.key, "Name"));
	assert_true(sv_is(line.value, "a : b"));
	assert_true(smi_q_split(SV_LIT("    Chassis Serial Number       : "), &line));
	assert_non_null(line.value.p);
	assert_int_equal(line.value.n, 0);
	assert_true(smi_q_split(SV_LIT("    GPU Memory Power Readings "), &line));
	assert_null(line.value.p);
	assert_true(sv_is(line.key, "GPU Memory Power Readings"));
}

static void nests_below_a_line_that_has_a_value(void **state)
{
	struct smi_q_path p = { 0 };

	(void)state;
	guess(&p, "    Clocks Event Reasons");
	guess(&p, "        HW Slowdown                : Active");
	guess(&p, "            HW Thermal Slowdown    : Active");
	assert_string_equal(p.text, "Clocks Event Reasons/HW Slowdown/HW Thermal Slowdown");
	assert_string_equal(smi_q_leaf(&p), "HW Thermal Slowdown");
	guess(&p, "        Sync Boost                 : Active");
	assert_string_equal(p.text, "Clocks Event Reasons/Sync Boost");
	guess(&p, "    Fan Speed                      : 3 %");
	assert_string_equal(p.text, "Fan Speed");
}

static void refuses_a_path_deeper_than_any_of_q(void **state)
{
	struct smi_q_path p = { 0 };
	char text[64];
	bool ok = true;

	(void)state;
	for (int i = 0; i < 12; i++) {
		struct smi_q_line line;
		int n = snprintf(text, sizeof(text), "%*sLevel", i, "");

		assert_true(smi_q_split(sv_n(text, (size_t)n), &line));
		ok = smi_q_enter(&p, &line);
	}
	assert_false(ok);
	assert_true(p.depth <= SMI_Q_DEPTH);
}

static void guesses_only_what_is_unmistakable(void **state)
{
	struct smi_q_path p = { 0 };

	(void)state;
	assert_key(guess(&p, "    Persistence Mode : Enabled"), "persistence.mode");
	assert_key(guess(&p, "        Current : Enabled"), NULL);
	assert_key(guess(&p, "        Graphics : 1980 MHz"), NULL);
	assert_key(guess(&p, "State : Running"), NULL);
}

static void guesses_by_one_level_of_section(void **state)
{
	struct smi_q_path p = { 0 };

	(void)state;
	guess(&p, "    ECC Mode");
	assert_key(guess(&p, "        Current : Enabled"), "ecc.mode");
	assert_key(guess(&p, "        Pending : Enabled"), "ecc.mode_pending");
	/* again: it stands below a section that was filtered out */
	assert_key(guess(&p, "        Current : N/A"), NULL);
	guess(&p, "    MIG Mode");
	assert_key(guess(&p, "        Current : Enabled"), "mig.mode");
}

static void guesses_by_the_last_section_where_blanks_were_lost(void **state)
{
	struct smi_q_path p = { 0 };

	(void)state;
	guess(&p, "ECC Mode");
	assert_key(guess(&p, "Current : Enabled"), "ecc.mode");
	guess(&p, "FB Memory Usage");
	assert_key(guess(&p, "Total : 40536 MiB"), "memory.total_mib");
	/* a MIG device has sections of the same names */
	smi_q_reset(&p);
	guess(&p, "MIG Device");
	guess(&p, "FB Memory Usage");
	assert_key(guess(&p, "Total : 20096 MiB"), NULL);
}

static void takes_a_leaf_of_two_sections_for_the_first_of_them_once(void **state)
{
	struct smi_q_path p = { 0 };

	(void)state;
	assert_key(guess(&p, "        Current Power Limit : 700.00 W"), "power.limit_w");
	assert_key(guess(&p, "        Current Power Limit : 1000.00 W"), NULL);
	guess(&p, "    Module Power Readings");
	assert_key(guess(&p, "        Current Power Limit : 1000.00 W"), "module.power.limit_w");
}

/* ---- blocks ---- */

static void gives_one_sample_a_gpu_at_the_time_of_its_block(void **state)
{
	struct said *s = q(HEADER "Timestamp                 : Wed Nov 15 21:55:10 2023\n" GPU
				  "    Performance State     : P2\n"
				  "    Clocks\n"
				  "        SM                : 1635 MHz\n"
				  "GPU 00000000:41:00.0\n"
				  "    Performance State     : P8\n" HEADER
				  "Timestamp                 : Wed Nov 15 21:55:11 2023\n" GPU
				  "    Performance State     : P0\n");

	(void)state;
	said_has(s, "sample #1 t=2023-11-15T21:55:10 seq=0 pstate=2 sm=1635\n");
	said_has(s, "sample #2 t=2023-11-15T21:55:10 seq=0 pstate=8\n");
	said_has(s, "sample #1 t=2023-11-15T21:55:11 seq=1 pstate=0\n");
	assert_int_equal(said_count(s, "sample"), 3);
	said_free(s);
}

static void makes_no_sample_of_a_limit_alone(void **state)
{
	struct said *s =
		q(HEADER GPU "    Power Readings\n        Enforced Power Limit : 250.00 W\n");

	(void)state;
	said_has(s, "fact #1 power.limit_w/nvml=250 num");
	said_lacks(s, "sample");
	said_free(s);
}

#define READINGS(average, instant, max)                                            \
	HEADER GPU "    GPU Power Readings\n        Average Power Draw : " average \
		   "\n        Instantaneous Power Draw : " instant                 \
		   "\n        Max Power Limit : " max "\n"

static void takes_the_average_for_the_draw(void **state)
{
	struct said *s = q(READINGS("629.45 W", "588.39 W", "700.00 W"));

	(void)state;
	said_has(s, "4: sample #1 seq=0 power=629.45\n");
	said_has(s, "5: metric #1 power.instant_w=588.39");
	said_free(s);
}

static void takes_the_instant_draw_where_no_average_exists(void **state)
{
	struct said *s = q(READINGS("N/A", "97.75 W", "350.00 W"));

	(void)state;
	said_has(s, "sample #1 seq=0 power=97.75\n");
	said_free(s);
}

static void drops_a_draw_that_cannot_be(void **state)
{
	struct said *s = q(READINGS("1.00 W", "749.67 W", "95.00 W"));

	(void)state;
	said_has(s, "event smi.implausible #1 key=power.draw.instant value=749.67 W");
	said_has(s, "sample #1 seq=0 power=1\n");
	said_lacks(s, "power.instant_w");
	said_free(s);
}

static void keeps_a_draw_a_little_above_the_limit(void **state)
{
	struct said *s = q(READINGS("367.00 W", "490.00 W", "350.00 W"));

	(void)state;
	said_lacks(s, "smi.implausible");
	said_has(s, "power=367\n");
	said_free(s);
}

static void attaches_instances_to_the_process_behind_them(void **state)
{
	struct said *s =
		q(HEADER GPU "    Processes\n"
			     "        GPU instance ID : 2\n        Compute instance ID : 0\n"
			     "        Process ID : 21180\n            Type : C\n"
			     "        GPU instance ID : 3\n        Compute instance ID : 1\n"
			     "        Process ID : 21181\n            Used GPU Memory : 5 MiB\n");

	(void)state;
	said_has(s, "process #1 round=0 pid=21180 type=C gi=2 ci=0\n");
	said_has(s, "process #1 round=0 pid=21181 fb=5 gi=3 ci=1\n");
	said_free(s);
}

static void says_a_fault_once_until_the_gpu_is_well_again(void **state)
{
	struct said *s =
		q(HEADER GPU "    Fan Speed : Unknown Error\n" HEADER GPU
			     "    Fan Speed : Unknown Error\n" HEADER GPU
			     "    Fan Speed : 30 %\n" HEADER GPU "    Fan Speed : GPU is lost\n");

	(void)state;
	assert_int_equal(said_count(s, "event smi.unknown_error"), 1);
	said_has(s, "12: event smi.gpu_lost #1 Fan Speed=GPU is lost");
	said_free(s);
}

static void says_that_libcuda_is_not_there_without_blaming_a_gpu(void **state)
{
	struct said *s = q(HEADER "CUDA Version : ERR!\n" GPU "    Performance State : P0\n");

	(void)state;
	said_has(s, "event smi.cuda_unknown\n");
	said_lacks(s, "smi.unknown_error");
	said_free(s);
}

static void reads_the_first_word_of_a_deprecated_version(void **state)
{
	struct said *s = q(HEADER "Driver Version : 610.57.04 [Deprecated; will be removed]\nKMD "
				  "Version : 610.57.04\n");

	(void)state;
	said_has(s, "driver.version/nvml=610.57.04\n");
	assert_int_equal(said_count(s, "driver.version"), 1);
	said_free(s);
}

static void counts_gpus_as_a_number(void **state)
{
	struct said *s = q(HEADER "Attached GPUs : 8\nCUDA Version : 13.0\n");

	(void)state;
	said_has(s, "gpu.count/nvml=8 num");
	said_has(s, "cuda.driver_max/nvml=13.0\n");
	said_free(s);
}

static void takes_sections_and_keys_of_drivers_to_come(void **state)
{
	struct said *s = q(HEADER GPU "    A New Section\n        A New Key : 5\n");

	(void)state;
	assert_int_equal(s->takes[GPUDX_TAKEN], 4);
	said_free(s);
}

static void goes_on_behind_lines_of_something_else(void **state)
{
	struct said *s =
		q(HEADER GPU "bash: something\n    of another : thing\n    Fan Speed : 30 %\n");

	(void)state;
	assert_int_equal(s->takes[GPUDX_NOT_MINE], 2);
	said_has(s, "metric #1 fan.speed_pct=30");
	said_free(s);
}

/* ---- excerpts ---- */

static void begins_a_block_where_a_field_comes_again(void **state)
{
	struct said *s = q("        GPU Current Temp : 61 C\n        GPU Current Temp : 31 C\n");

	(void)state;
	said_has(s, "sample #1 seq=0 temp=61\n");
	said_has(s, "sample #1 seq=1 temp=31\n");
	assert_true(s->ctx.excerpt);
	said_free(s);
}

static void names_the_gpu_by_the_uuid_inside(void **state)
{
	struct said *s = q("    GPU UUID : GPU-1\n        GPU Current Temp : 61 C\n"
			   "    GPU UUID : GPU-2\n        GPU Current Temp : 31 C\n");

	(void)state;
	said_has(s, "gpu #1 uuid=GPU-1\n");
	said_has(s, "sample #2 seq=0 temp=31\n");
	said_free(s);
}

static void names_the_gpu_by_the_command(void **state)
{
	struct said *s = said_of("smi-q", "sudo nvidia-smi -q -i 3 | egrep -i 'persistence'", "",
				 "    Persistence Mode : Enabled\n");

	(void)state;
	said_has(s, "gpu #1 idx=3\n");
	said_free(s);
	/* the -i of grep is not that of nvidia-smi */
	s = said_of("smi-q", "nvidia-smi -q | egrep -i 7", "", "    Persistence Mode : Enabled\n");
	said_has(s, "gpu #1\n");
	said_free(s);
}

static void calls_a_whole_output_no_excerpt(void **state)
{
	struct said *s = q(HEADER GPU "    Retired Pages\n        Single Bit ECC : 4\n");

	(void)state;
	assert_false(s->ctx.excerpt);
	said_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(splits_at_the_first_colon_between_blanks),
		cmocka_unit_test(nests_below_a_line_that_has_a_value),
		cmocka_unit_test(refuses_a_path_deeper_than_any_of_q),
		cmocka_unit_test(guesses_only_what_is_unmistakable),
		cmocka_unit_test(guesses_by_one_level_of_section),
		cmocka_unit_test(guesses_by_the_last_section_where_blanks_were_lost),
		cmocka_unit_test(takes_a_leaf_of_two_sections_for_the_first_of_them_once),
		cmocka_unit_test(gives_one_sample_a_gpu_at_the_time_of_its_block),
		cmocka_unit_test(makes_no_sample_of_a_limit_alone),
		cmocka_unit_test(takes_the_average_for_the_draw),
		cmocka_unit_test(takes_the_instant_draw_where_no_average_exists),
		cmocka_unit_test(drops_a_draw_that_cannot_be),
		cmocka_unit_test(keeps_a_draw_a_little_above_the_limit),
		cmocka_unit_test(attaches_instances_to_the_process_behind_them),
		cmocka_unit_test(says_a_fault_once_until_the_gpu_is_well_again),
		cmocka_unit_test(says_that_libcuda_is_not_there_without_blaming_a_gpu),
		cmocka_unit_test(reads_the_first_word_of_a_deprecated_version),
		cmocka_unit_test(counts_gpus_as_a_number),
		cmocka_unit_test(takes_sections_and_keys_of_drivers_to_come),
		cmocka_unit_test(goes_on_behind_lines_of_something_else),
		cmocka_unit_test(begins_a_block_where_a_field_comes_again),
		cmocka_unit_test(names_the_gpu_by_the_uuid_inside),
		cmocka_unit_test(names_the_gpu_by_the_command),
		cmocka_unit_test(calls_a_whole_output_no_excerpt),
	};

	return cmocka_run_group_tests_name("smi_q", tests, NULL, NULL);
}
