#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"

static void is_a_string_behind_every_addition(void **state)
{
	struct gpudx_buf b = { .max = 1000 };

	(void)state;
	assert_string_equal(gpudx_buf_cstr(&b), "");
	assert_true(gpudx_buf_str(&b, "ab"));
	assert_string_equal(gpudx_buf_cstr(&b), "ab");
	assert_true(gpudx_buf_char(&b, 'c') && gpudx_buf_sv(&b, sv_n(NULL, 0)));
	assert_true(gpudx_buf_printf(&b, "%03d", 7));
	assert_string_equal(gpudx_buf_cstr(&b), "abc007");
	gpudx_buf_clear(&b);
	assert_string_equal(gpudx_buf_cstr(&b), "");
	gpudx_buf_free(&b);
}

static void refuses_more_than_its_ceiling_and_says_so_from_then_on(void **state)
{
	struct gpudx_buf b = { .max = 10 };

	(void)state;
	assert_true(gpudx_buf_str(&b, "12345678"));
	assert_false(gpudx_buf_str(&b, "90"));
	assert_true(b.failed);
	assert_false(gpudx_buf_char(&b, 'x'));
	assert_string_equal(gpudx_buf_cstr(&b), "12345678");
	gpudx_buf_clear(&b);
	assert_false(b.failed);
	assert_true(gpudx_buf_str(&b, "123456789"));
	assert_null(gpudx_buf_room(&b, SIZE_MAX));
	gpudx_buf_free(&b);
}

static void prints_what_does_not_fit_not_at_all(void **state)
{
	struct gpudx_buf b = { .max = 300 };

	(void)state;
	assert_true(gpudx_buf_printf(&b, "%290d", 1));
	assert_false(gpudx_buf_printf(&b, "%20d", 1));
	assert_int_equal(b.n, 290);
	assert_int_equal(b.p[290], 0);
	gpudx_buf_free(&b);
}

static void writes_code_points_as_utf8(void **state)
{
	struct gpudx_buf b = { .max = 100 };

	(void)state;
	gpudx_buf_u32(&b, 'A');
	gpudx_buf_u32(&b, 0xe9);
	gpudx_buf_u32(&b, 0x20ac);
	gpudx_buf_u32(&b, 0x1f600);
	assert_string_equal(gpudx_buf_cstr(&b), "A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
	gpudx_buf_free(&b);
}

static void grows_over_many_sizes(void **state)
{
	struct gpudx_buf b = { .max = 1 << 20 };

	(void)state;
	for (unsigned i = 0; i < 60000; i++)
		assert_true(gpudx_buf_char(&b, (char)('a' + i % 26)));
	for (unsigned i = 0; i < 60000; i += 777)
		assert_int_equal(b.p[i], 'a' + i % 26);
	gpudx_buf_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(is_a_string_behind_every_addition),
		cmocka_unit_test(refuses_more_than_its_ceiling_and_says_so_from_then_on),
		cmocka_unit_test(prints_what_does_not_fit_not_at_all),
		cmocka_unit_test(writes_code_points_as_utf8),
		cmocka_unit_test(grows_over_many_sizes),
	};

	return cmocka_run_group_tests_name("buf", tests, NULL, NULL);
}
