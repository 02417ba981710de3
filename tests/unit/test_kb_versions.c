/* The version and model tables of the knowledge base, as a rule sees them: through SQL. */
#include "store/kb.h"
#include "store/store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <cmocka.h>

static int load(void **state)
{
	struct gpudx_err err;
	sqlite3 *kb = NULL;

	if (sqlite3_open(":memory:", &kb) || gpudx_kb_load(kb, &err))
		return -1;
	*state = kb;
	return 0;
}

static int unload(void **state)
{
	return sqlite3_close(*state);
}

static int64_t number(void **state, const char *sql)
{
	struct gpudx_err err;
	int64_t n;

	assert_int_equal(gpudx_db_int(*state, sql, -1, &n, &err), GPUDX_OK);
	return n;
}

/* The only model whose pattern fits a product name; "" when none or several do. */
static const char *model_of(void **state, const char *name, char buf[64])
{
	sqlite3_stmt *st;
	int n = 0;

	assert_int_equal(sqlite3_prepare_v2(
				 *state, "SELECT model FROM kb_gpu_model WHERE ? LIKE name_pattern",
				 -1, &st, NULL),
			 SQLITE_OK);
	sqlite3_bind_text(st, 1, name, -1, SQLITE_STATIC);
	buf[0] = '\0';
	for (; sqlite3_step(st) == SQLITE_ROW; n++)
		snprintf(buf, 64, "%s", (const char *)sqlite3_column_text(st, 0));
	sqlite3_finalize(st);
	return n == 1 ? buf : "";
}

static void finds_one_model_for_a_product_name(void **state)
{
	static const char *const names[][2] = {
		{ "NVIDIA A100-SXM4-40GB", "A100-SXM4-40GB" },
		{ "A100-SXM4-40GB", "A100-SXM4-40GB" },
		{ "NVIDIA A100 80GB PCIe", "A100-80GB-PCIe" },
		{ "NVIDIA H100 80GB HBM3", "H100-SXM5-80GB" },
		{ "NVIDIA H100 PCIe", "H100-PCIe" },
		{ "NVIDIA H100 NVL", "H100-NVL" },
		{ "NVIDIA H200", "H200-SXM" },
		{ "NVIDIA H200 NVL", "H200-NVL" },
		{ "NVIDIA GH200 480GB", "GH200-480GB" },
		{ "NVIDIA L4", "L4" },
		{ "NVIDIA L40", "L40" },
		{ "NVIDIA L40S", "L40S" },
		{ "Tesla T4", "T4" },
		{ "Tesla V100-SXM2-16GB", "V100-SXM2-16GB" },
		{ "NVIDIA A10", "A10" },
		{ "NVIDIA A10G", "A10G" },
		{ "NVIDIA A40", "A40" },
		{ "NVIDIA GeForce RTX 3090", "RTX-3090" },
		{ "NVIDIA GeForce RTX 3090 Ti", "" },
		{ "NVIDIA GeForce RTX 4090", "RTX-4090" },
		{ "NVIDIA GeForce RTX 4090 Laptop GPU", "" },
		{ "NVIDIA RTX A6000", "" },
		{ "NVIDIA RTX 6000 Ada Generation", "RTX-6000-Ada" },
		{ "NVIDIA RTX 4000 SFF Ada Generation", "" },
		{ "NVIDIA B200", "B200" },
		{ "NVIDIA GB200", "GB200" },
		{ "NVIDIA B300 SXM6 AC", "B300-SXM6" },
		{ "NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition", "" },
		{ "NVIDIA GeForce GTX 1080 Ti", "" },
	};
	char buf[64];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		assert_string_equal(model_of(state, names[i][0], buf), names[i][1]);
	assert_int_equal(
		number(state, "SELECT count(*) FROM (SELECT DISTINCT product_name AS n FROM "
			      "kb_gpu_pci_id) WHERE"
			      " (SELECT count(*) FROM kb_gpu_model WHERE n LIKE name_pattern) > 1"),
		0);
}

static void keeps_models_and_device_ids_together(void **state)
{
	assert_int_equal(number(state, "SELECT count(*) FROM kb_gpu_model"),
			 number(state, "SELECT count(DISTINCT model) FROM kb_gpu_model"));
	/* Where a list of the open modules knows a model's id, it is under a name of that model. */
	assert_int_equal(number(state,
				"SELECT count(*) FROM kb_gpu_model m WHERE EXISTS (SELECT 1 FROM "
				"kb_gpu_pci_id p WHERE"
				" p.pci_device_id = m.pci_device_id) AND NOT EXISTS (SELECT 1 FROM "
				"kb_gpu_pci_id p WHERE"
				" p.pci_device_id = m.pci_device_id AND p.product_name LIKE "
				"m.name_pattern)"),
			 0);
	assert_int_equal(
		number(state,
		       "SELECT pci_device_id FROM kb_gpu_model WHERE model = 'A100-SXM4-40GB'"),
		0x20b0);
	assert_int_equal(number(state, "SELECT slowdown_c FROM kb_gpu_model WHERE model = 'L4'"),
			 -2);
	assert_int_equal(number(state,
				"SELECT count(*) FROM kb_gpu_model WHERE form NOT IN ('sxm', "
				"'pcie', 'soldered') OR"
				" class NOT IN ('datacenter', 'workstation', 'consumer') OR "
				"mig_capable NOT IN ('yes', 'no')"
				" OR temp_style NOT IN ('absolute', 'tlimit') OR "
				"typeof(power_default_w) <> 'integer'"),
			 0);
}

/* 550.54.14 in SQL alone: what stands before, between and behind the dots. */
#define DRIVER_NUM(v)                                                                            \
	"(CAST(" v " AS INTEGER) * 1000000 + CAST(substr(" v ", instr(" v                        \
	", '.') + 1) AS INTEGER) * 1000"                                                         \
	" + CASE WHEN length(" v ") - length(replace(" v ", '.', '')) = 2"                       \
	"   THEN CAST(substr(substr(" v ", instr(" v ", '.') + 1), instr(substr(" v ", instr(" v \
	", '.') + 1), '.') + 1) AS INTEGER)"                                                     \
	"   ELSE 0 END)"
#define CUDA_NUM(v)                                                    \
	"(CAST(" v " AS INTEGER) * 1000 + CAST(substr(" v ", instr(" v \
	", '.') + 1) AS INTEGER) * 10)"

static void numbers_agree_with_the_texts_beside_them(void **state)
{
	assert_int_equal(
		number(state,
		       "SELECT count(*) FROM kb_cuda_toolkit WHERE cuda_num <> " CUDA_NUM("cuda")),
		0);
	assert_int_equal(
		number(state,
		       "SELECT count(*) FROM kb_driver_branch WHERE cuda_num <> " CUDA_NUM("cuda")),
		0);
	assert_int_equal(
		number(state,
		       "SELECT count(*) FROM kb_cuda_header WHERE cuda_num <> " CUDA_NUM("cuda")),
		0);
	assert_int_equal(
		number(state,
		       "SELECT count(*) FROM kb_pytorch WHERE cuda_num <> " CUDA_NUM("cuda")),
		0);
	assert_int_equal(
		number(state,
		       "SELECT count(*) FROM kb_cuda_toolkit WHERE driver_min_num <> " DRIVER_NUM(
			       "driver_min")),
		0);
	assert_int_equal(
		number(state,
		       "SELECT count(*) FROM kb_cuda_toolkit WHERE instr(driver_floor, '.') AND"
		       " driver_floor_num <> " DRIVER_NUM("driver_floor")),
		0);
	assert_int_equal(
		number(state,
		       "SELECT count(*) FROM kb_mig_driver WHERE driver_min_num <> " DRIVER_NUM(
			       "driver_min")),
		0);
	assert_int_equal(
		number(state, "SELECT torch_num FROM kb_pytorch WHERE torch = '2.10' LIMIT 1"),
		2010);
	assert_int_equal(number(state,
				"SELECT driver_min_num FROM kb_cuda_toolkit WHERE cuda = '12.4' "
				"AND update_name = 'GA'"),
			 550054014);
}

static void lets_rules_ask_what_a_program_needs(void **state)
{
	/* torch 2.2.1 with CUDA 12.1 under 550.54.14, and under 470.82.01 */
	assert_int_equal(number(state,
				"SELECT 550054014 >= driver_floor_num FROM kb_cuda_toolkit WHERE "
				"cuda_num = 12010 LIMIT 1"),
			 1);
	assert_int_equal(number(state,
				"SELECT 470082001 >= driver_floor_num FROM kb_cuda_toolkit WHERE "
				"cuda_num = 12010 LIMIT 1"),
			 0);
	assert_int_equal(
		number(state,
		       "SELECT cuda_num FROM kb_pytorch WHERE torch = '2.2' AND on_pypi = 'yes'"),
		12010);
	assert_int_equal(number(state, "SELECT cuda_num FROM kb_cuda_header WHERE branch = 550"),
			 12040);
	assert_int_equal(number(state,
				"SELECT count(*) FROM kb_cuda_toolkit WHERE driver_floor_num > "
				"driver_min_num"),
			 0);
	assert_int_equal(
		number(state,
		       "SELECT last_driver_branch FROM kb_gpu_arch WHERE compute_cap = '7.0'"),
		580);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_one_model_for_a_product_name),
		cmocka_unit_test(keeps_models_and_device_ids_together),
		cmocka_unit_test(numbers_agree_with_the_texts_beside_them),
		cmocka_unit_test(lets_rules_ask_what_a_program_needs),
	};

	return cmocka_run_group_tests_name("kb_versions", tests, load, unload);
}
