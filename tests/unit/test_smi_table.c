#include "smi_said.h"

#define BORDER "+-----------------------------------------------------------------------------+\n"
#define TITLE "| NVIDIA-SMI 525.60.13    Driver Version: 525.60.13    CUDA Version: 12.0     |\n"
#define HEADINGS                                                                            \
	"|-------------------------------+----------------------+----------------------+\n" \
	"| GPU  Name        Persistence-M| Bus-Id        Disp.A | Volatile Uncorr. ECC |\n" \
	"| Fan  Temp  Perf  Pwr:Usage/Cap|         Memory-Usage | GPU-Util  Compute M. |\n" \
	"|===============================+======================+======================|\n"
#define ROW(idx, bdf, readings)                                                                    \
	"|   " idx "  NVIDIA A40          On   | " bdf " Off |                    0 |\n|" readings \
	"|\n"
#define WELL "  0%   24C    P8    14W / 300W |      0MiB / 46068MiB |      0%      Default "
#define SICK "ERR!  ERR! ERR!    ERR! / ERR! |      0MiB / 46068MiB |    ERR!      Default "

static struct said *table(const char *text)
{
	return said_of("smi-table", "", "", text);
}

static void takes_only_a_date_without_a_zone(void **state)
{
	struct said *s = table("Tue Oct 29 19:00:23 UTC 2024\n" BORDER TITLE);

	(void)state;
	assert_int_equal(s->takes[GPUDX_NOT_MINE], 1);
	assert_int_equal(s->ctx.clock, GPUDX_CLOCK_NONE);
	said_free(s);
	s = table("Tue Oct 29 19:00:23 2024       \n" BORDER TITLE);
	assert_int_equal(s->takes[GPUDX_TAKEN], 3);
	assert_int_equal(s->ctx.clock, GPUDX_CLOCK_LOCAL);
	said_free(s);
}

static void forgets_a_date_that_was_of_something_else(void **state)
{
	struct said *s = table("Tue Oct 29 19:00:23 2024\nand then I ran\n" BORDER TITLE);

	(void)state;
	assert_int_equal(s->ctx.clock, GPUDX_CLOCK_NONE);
	said_free(s);
}

static void counts_the_tables_a_gpu_was_in(void **state)
{
	struct said *s = table(TITLE HEADINGS ROW("0", "00000000:03:00.0", WELL)
				       BORDER TITLE HEADINGS ROW("0", "00000000:03:00.0", WELL)
					       ROW("1", "00000000:04:00.0", WELL));

	(void)state;
	said_has(s, "sample #1 seq=0 pstate=8 power=14 limit=300 temp=24 util=0 memused=0\n");
	said_has(s, "sample #1 seq=1");
	said_has(s, "sample #2 seq=0");
	said_free(s);
}

static void tells_another_card_at_the_same_index(void **state)
{
	struct said *s = table(TITLE HEADINGS ROW("0", "00000000:03:00.0", WELL)
				       BORDER TITLE HEADINGS ROW("0", "00000000:83:00.0", WELL));

	(void)state;
	said_has(s, "gpu #2 idx=0 bdf=0000:83:00.0");
	said_has(s, "sample #2 seq=0");
	said_free(s);
}

static void says_a_fault_once_with_all_its_cells(void **state)
{
	struct said *s = table(
		TITLE HEADINGS ROW("0", "00000000:03:00.0", SICK)
			BORDER TITLE HEADINGS ROW("0", "00000000:03:00.0", SICK)
				BORDER TITLE HEADINGS ROW("0", "00000000:03:00.0", WELL)
					BORDER TITLE HEADINGS ROW("0", "00000000:03:00.0", SICK));

	(void)state;
	assert_int_equal(said_count(s, "event smi.unknown_error #1 fan=ERR! temp=ERR! pstate=ERR! "
				       "power=ERR! power_limit=ERR! util=ERR!"),
			 2);
	said_free(s);
}

static void takes_layer_container_only_for_versions(void **state)
{
	struct said *s = said_of("smi-table", "kubectl exec p -- nvidia-smi", "",
				 TITLE HEADINGS ROW("0", "00000000:03:00.0", WELL));

	(void)state;
	said_has(s, "driver.version/container=525.60.13");
	said_has(s, "cuda.driver_max/container=12.0");
	said_lacks(s, "driver.version/tool");
	said_has(s, "memory.total_mib/nvml=46068");
	said_free(s);
}

static void rejects_a_row_without_its_border(void **state)
{
	struct said *s =
		table(TITLE HEADINGS "|   0  NVIDIA A40          On   | 00000000:03:00.0 Off\n");

	(void)state;
	said_has(s, "reject a line of the table does not end with its border");
	said_free(s);
}

static void leaves_the_box_of_another_tool_alone(void **state)
{
	struct said *s = table(TITLE HEADINGS ROW("0", "00000000:03:00.0", WELL) BORDER
			       "| GPU instances:                                       |\n"
			       "|   0  MIG 3g.40gb          9        2          0:4     |\n");

	(void)state;
	assert_int_equal(s->takes[GPUDX_NOT_MINE], 2);
	said_lacks(s, "reject");
	said_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(takes_only_a_date_without_a_zone),
		cmocka_unit_test(forgets_a_date_that_was_of_something_else),
		cmocka_unit_test(counts_the_tables_a_gpu_was_in),
		cmocka_unit_test(tells_another_card_at_the_same_index),
		cmocka_unit_test(says_a_fault_once_with_all_its_cells),
		cmocka_unit_test(takes_layer_container_only_for_versions),
		cmocka_unit_test(rejects_a_row_without_its_border),
		cmocka_unit_test(leaves_the_box_of_another_tool_alone),
	};

	return cmocka_run_group_tests_name("smi_table", tests, NULL, NULL);
}
