#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "bundle/stream.h"

static void sets_what_it_names(void **state)
{
	struct gpudx_budget b = gpudx_budget_default;
	struct gpudx_err err = { 0 };

	(void)state;
	assert_int_equal(gpudx_budget_set(&b, "decoded=200G", &err), GPUDX_OK);
	assert_int_equal(b.decoded_max, UINT64_C(200) << 30);
	assert_int_equal(gpudx_budget_set(&b, "members=7", &err), GPUDX_OK);
	assert_int_equal(b.members_max, 7);
	assert_int_equal(gpudx_budget_set(&b, "ratio-after=1K", &err), GPUDX_OK);
	assert_int_equal(b.ratio_after, 1024);
	assert_int_equal(b.ratio_max, gpudx_budget_default.ratio_max);
	assert_int_equal(gpudx_budget_set(&b, "window=1T", &err), GPUDX_OK);
	assert_int_equal(b.window_max, UINT64_C(1) << 40);
}

static void refuses_what_is_no_limit_and_changes_nothing(void **state)
{
	static const char *const wrong[] = { "",
					     "members",
					     "members=",
					     "members=0",
					     "members=x",
					     "members=5Q",
					     "members=5KK",
					     "member=5",
					     "=5",
					     "members=-1",
					     "depth=65",
					     "decoded=16777216T",
					     "members=1e3",
					     "window=1",
					     "memory=2T",
					     " members=100",
					     "depth=5 " };
	struct gpudx_budget b = gpudx_budget_default;

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct gpudx_err err = { 0 };

		assert_int_equal(gpudx_budget_set(&b, wrong[i], &err), GPUDX_E_USAGE);
		assert_non_null(strstr(err.text[0], "limit "));
	}
	assert_memory_equal(&b, &gpudx_budget_default, sizeof(b));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sets_what_it_names),
		cmocka_unit_test(refuses_what_is_no_limit_and_changes_nothing),
	};

	return cmocka_run_group_tests_name("budget", tests, NULL, NULL);
}
