#include "report/jsonw.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static const char *text_of(struct gpudx_buf *b, struct gpudx_sv s)
{
	struct rep_json j = { .b = b };

	gpudx_buf_clear(b);
	gpudx_json_text(&j, NULL, s);
	return gpudx_buf_cstr(b);
}

static void escapes_what_json_demands(void **state)
{
	struct gpudx_buf b = { .max = 4096 };

	(void)state;
	assert_string_equal(text_of(&b, SV_LIT("a\"b\\c\b\f\n\r\t/")),
			    "\"a\\\"b\\\\c\\b\\f\\n\\r\\t/\"");
	assert_string_equal(text_of(&b, sv_n("x\0y\x01\x1f", 5)), "\"x\\u0000y\\u0001\\u001f\"");
	assert_string_equal(text_of(&b, SV_LIT("")), "\"\"");
	assert_string_equal(text_of(&b, sv_n(NULL, 0)), "null");
	gpudx_buf_free(&b);
}

static void keeps_utf8_and_replaces_what_is_none(void **state)
{
	struct gpudx_buf b = { .max = 4096 };

	(void)state;
	assert_string_equal(text_of(&b, SV_LIT("Mär 5月 😀")), "\"Mär 5月 😀\"");
	assert_string_equal(
		text_of(&b, SV_LIT("a\xffz\xc0\xaf\xed\xa0\x80")),
		"\"a\xef\xbf\xbdz\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
	gpudx_buf_free(&b);
}

static void escapes_marks_that_turn_the_direction_of_writing(void **state)
{
	struct gpudx_buf b = { .max = 4096 };

	(void)state;
	assert_string_equal(text_of(&b, SV_LIT("\xe2\x80\xae"
					       "exe\x7f\xc2\x85\xef\xbb\xbf")),
			    "\"\\u202eexe\\u007f\\u0085\\ufeff\"");
	gpudx_buf_free(&b);
}

static void writes_numbers_that_json_has(void **state)
{
	struct gpudx_buf b = { .max = 4096 };
	struct rep_json j = { .b = &b };

	(void)state;
	gpudx_json_open(&j, NULL, '[');
	gpudx_json_int(&j, NULL, INT64_MIN);
	gpudx_json_real(&j, NULL, 400);
	gpudx_json_real(&j, NULL, 0.85);
	gpudx_json_real(&j, NULL, (double)NAN);
	gpudx_json_real(&j, NULL, (double)INFINITY);
	gpudx_json_bool(&j, NULL, true);
	gpudx_json_close(&j);
	assert_string_equal(gpudx_buf_cstr(&b),
			    "[\n -9223372036854775808,\n 400,\n 0.85,\n null,\n null,\n true\n]\n");
	gpudx_buf_free(&b);
}

static void nests_with_commas_where_they_belong(void **state)
{
	struct gpudx_buf b = { .max = 4096 };
	struct rep_json j = { .b = &b };

	(void)state;
	gpudx_json_open(&j, NULL, '{');
	gpudx_json_open(&j, "empty", '[');
	gpudx_json_close(&j);
	gpudx_json_open_text(&j, SV_LIT("a\"b"), '{');
	gpudx_json_null(&j, "x");
	gpudx_json_str(&j, "y", "z");
	gpudx_json_close(&j);
	gpudx_json_close(&j);
	assert_string_equal(
		gpudx_buf_cstr(&b),
		"{\n \"empty\": [],\n \"a\\\"b\": {\n  \"x\": null,\n  \"y\": \"z\"\n }\n}\n");
	gpudx_buf_free(&b);
}

static void fails_rather_than_write_what_is_no_json(void **state)
{
	struct gpudx_buf b = { .max = 4096 };
	struct rep_json j = { .b = &b };

	(void)state;
	for (int i = 0; i <= REP_JSON_DEPTH; i++)
		gpudx_json_open(&j, NULL, '[');
	assert_true(b.failed);
	gpudx_buf_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(escapes_what_json_demands),
		cmocka_unit_test(keeps_utf8_and_replaces_what_is_none),
		cmocka_unit_test(escapes_marks_that_turn_the_direction_of_writing),
		cmocka_unit_test(writes_numbers_that_json_has),
		cmocka_unit_test(nests_with_commas_where_they_belong),
		cmocka_unit_test(fails_rather_than_write_what_is_no_json),
	};

	return cmocka_run_group_tests_name("report_jsonw", tests, NULL, NULL);
}
