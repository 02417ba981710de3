#include "base/gap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void is_found_again(void **state)
{
	static const enum gpudx_gap gaps[] = { GPUDX_GAP_EMPTY, GPUDX_GAP_OPEN };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct gpudx_buf b = { .max = 200 };
		struct gpudx_sv text, line;

		gpudx_gap_put(&b, gaps[i], UINT64_C(12345678901));
		text = sv_n(gpudx_buf_cstr(&b), b.n);
		assert_true(sv_line(&text, &line));
		assert_int_equal(text.n, 0);
		assert_int_equal(gpudx_gap_look(line), gaps[i]);
		gpudx_buf_free(&b);
	}
}

static void other_lines_are_none(void **state)
{
	static const char *const lines[] = { "",
					     "[gpudx: ",
					     "[gpudx: 12",
					     "[gpudx: lines left out]",
					     "[gpudx: 12 lines left out",
					     "[gpudx: 12 lines left out] and more",
					     " [gpudx: 12 lines left out]",
					     "[gpudx: 99999999999999999999999 lines left out]" };

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		assert_int_equal(gpudx_gap_look(sv_str(lines[i])), GPUDX_NO_GAP);
	assert_int_equal(gpudx_gap_look(SV_LIT("[gpudx: 1 lines left out]\r")), GPUDX_GAP_OPEN);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(is_found_again),
					    cmocka_unit_test(other_lines_are_none) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
