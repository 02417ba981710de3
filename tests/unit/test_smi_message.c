#include "smi_said.h"

#include "parse/smi_message.h"

static void makes_a_handle_error_of_every_spelling(void **state)
{
	static const struct {
		const char *line, *gpu, *event;
	} cases[] = {
		{ "Unable to determine the device handle for GPU0000:CB:00.0: Unknown Error",
		  "gpu #1 bdf=0000:cb:00.0\n", "reason=Unknown Error" },
		{ "Unable to determine the device handle for GPU 0000:CB:00.0: GPU is lost.  "
		  "Reboot the system to recover this GPU",
		  "gpu #1 bdf=0000:cb:00.0\n", "reason=GPU is lost\n" },
		{ "Unable to determine the device handle for GPU0: 0000:01:00.0: Unknown Error",
		  "gpu #1 idx=0 bdf=0000:01:00.0\n", "reason=Unknown Error" },
		{ "Unable to determine the device handle for GPU10: Unknown Error",
		  "gpu #1 idx=10\n", "reason=Unknown Error" },
		{ "Unable to determine the device handle for GPU 00000000:02:00.0",
		  "gpu #1 bdf=0000:02:00.0\n", "smi.handle_error #1\n" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct said *s = said_of("smi-message", "", "", cases[i].line);

		said_has(s, cases[i].gpu);
		said_has(s, cases[i].event);
		said_free(s);
	}
}

static void joins_the_two_lines_of_a_mismatch(void **state)
{
	struct said *s = said_of("smi-message", "", "",
				 "Failed to initialize NVML: Driver/library version mismatch\n"
				 "NVML library version: 580.126\n");

	(void)state;
	said_has(s, "1: event smi.nvml_mismatch\n");
	said_has(s, "2: more smi.nvml_mismatch library_version=580.126\n");
	said_free(s);
}

static void takes_blanks_around_but_no_words(void **state)
{
	(void)state;
	assert_true(smi_message_is(SV_LIT("  No devices were found  ")));
	assert_true(smi_message_is(SV_LIT("No devices were found.")));
	assert_false(smi_message_is(SV_LIT("No devices were found in slot 3")));
	assert_false(smi_message_is(SV_LIT("May  7 09:58:55 n1 kernel: No devices were found")));
	assert_false(smi_message_is(SV_LIT("")));
}

static void leaves_the_rest_of_an_output_to_its_parser(void **state)
{
	struct said *s = said_of(
		"smi-list", "", "",
		"GPU 0: NVIDIA L4 (UUID: GPU-00000000-0000-0000-0000-000000000001)\n"
		"Unable to determine the device handle for GPU 0000:CB:00.0: Unknown Error\n"
		"GPU 2: NVIDIA L4 (UUID: GPU-00000000-0000-0000-0000-000000000003)\n");

	(void)state;
	assert_int_equal(s->takes[GPUDX_TAKEN], 3);
	said_has(s, "2: event smi.handle_error");
	said_has(s, "gpu #3 idx=2");
	said_free(s);
}

static void dates_a_message_by_the_table_above(void **state)
{
	struct said *s = said_of(
		"smi-table", "", "",
		"Fri Jul  3 22:11:09 2026       \n"
		"+-----------------------------------------------------------------------------+\n"
		"| NVIDIA-SMI 525.60.13    Driver Version: 525.60.13    CUDA Version: 12.0     |\n"
		"WARNING: infoROM is corrupted at gpu 0000:5E:00.0\n");

	(void)state;
	said_has(s, "event smi.inforom_corrupt #1 t=2026-07-03T22:11:09");
	said_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(makes_a_handle_error_of_every_spelling),
		cmocka_unit_test(joins_the_two_lines_of_a_mismatch),
		cmocka_unit_test(takes_blanks_around_but_no_words),
		cmocka_unit_test(leaves_the_rest_of_an_output_to_its_parser),
		cmocka_unit_test(dates_a_message_by_the_table_above),
	};

	return cmocka_run_group_tests_name("smi_message", tests, NULL, NULL);
}
