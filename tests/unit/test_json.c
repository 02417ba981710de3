/* JSON in pieces: every document is read whole, by lines and byte by byte, and must say the same.
 */
#include "base/buf.h"
#include "base/json.h"
#include "base/num.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static struct gpudx_json json; /* too large for a stack that wants to stay small */

static void say_tokens(struct gpudx_buf *b)
{
	static const char *const kinds[] = { "?", "{", "}", "[", "]", "key", "str", "num", "lit" };

	while (gpudx_json_next(&json)) {
		struct gpudx_sv path = gpudx_json_path(&json);

		gpudx_buf_printf(b, "%u %s %.*s", json.depth, kinds[json.kind], (int)path.n,
				 path.p);
		if (json.kind >= GPUDX_JSON_KEY)
			gpudx_buf_printf(b, "=%.*s", (int)json.text.n, json.text.p);
		if (json.kind == GPUDX_JSON_NUMBER)
			gpudx_buf_printf(b, "(%.17g)", json.num);
		gpudx_buf_printf(b, "%s;", json.cut ? "..." : "");
	}
}

static void say_end(struct gpudx_buf *b)
{
	if (json.error)
		gpudx_buf_printf(b, "error at %llu: %s", (unsigned long long)json.offset,
				 json.error);
	else
		gpudx_buf_str(b, gpudx_json_whole(&json) ? "whole" : "open");
}

/* The tokens of a document fed in pieces of n bytes, the last one ending a line. */
static char *tokens(struct gpudx_sv text, size_t n)
{
	struct gpudx_buf b = { .max = 1 << 22 };

	gpudx_json_reset(&json);
	do {
		gpudx_json_feed(&json, sv_first(text, n), text.n <= n);
		say_tokens(&b);
		text = sv_from(text, n);
	} while (text.n);
	say_end(&b);
	assert_false(b.failed);
	return b.p;
}

static void expect(const char *text, const char *want)
{
	static const size_t sizes[] = { SIZE_MAX, 1, 2, 3, 7 };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		char *got = tokens(sv_str(text), sizes[i]);

		assert_string_equal(got, want);
		free(got);
	}
}

static void names_every_place(void **state)
{
	(void)state;
	expect("{\"a\": {\"b\": [1, {\"c\": \"x\"}, [true]]}, \"d\": null}",
	       "0 { ;1 key a=a;1 { a;2 key a.b=b;2 [ a.b;3 num a.b[]=1(1);3 { a.b[];4 key "
	       "a.b[].c=c;"
	       "4 str a.b[].c=x;3 } a.b[];3 [ a.b[];4 lit a.b[][]=true;3 ] a.b[];2 ] a.b;1 } a;"
	       "1 key d=d;1 lit d=null;0 } ;whole");
	expect("[[], {}]", "0 [ ;1 [ [];1 ] [];1 { [];1 } [];0 ] ;whole");
}

static void reads_documents_one_behind_the_other(void **state)
{
	(void)state;
	expect("{\"a\":1}\n{\"a\":2}\n\x1e"
	       "3 \"x\"",
	       "0 { ;1 key a=a;1 num a=1(1);0 } ;0 { ;1 key a=a;1 num a=2(2);0 } ;0 num =3(3);0 "
	       "str =x;whole");
	expect("", "whole");
	expect("  ", "whole");
}

static void decodes_strings(void **state)
{
	(void)state;
	expect("\"a\\n\\t\\\\\\\"\\/\"", "0 str =a\n\t\\\"/;whole");
	expect("\"\\u00e9\\u20AC\\ud83d\\ude00z\"",
	       "0 str =\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80z;whole");
	expect("\"\\ud83d\\ud83d\\ude00\"", "0 str =\xef\xbf\xbd\xf0\x9f\x98\x80;whole");
	expect("\"\\ud83dx\\ude00\\ud83d\"", "0 str =\xef\xbf\xbdx\xef\xbf\xbd\xef\xbf\xbd;whole");
	expect("\"a\\u0000b\"", "0 str =a\xef\xbf\xbd"
				"b;whole");
	expect("{\"k\\u0065y\": \"\"}", "0 { ;1 key key=key;1 str key=;0 } ;whole");
}

static void reads_numbers(void **state)
{
	(void)state;
	expect("[-0.5,1e3,2.5E-2,NaN,-Infinity]",
	       "0 [ ;1 num []=-0.5(-0.5);1 num []=1e3(1000);1 num []=2.5E-2(0.025000000000000001);"
	       "1 num []=NaN(nan);1 num []=-Infinity(-inf);0 ] ;whole");
	expect("1700000000.781", "0 num =1700000000.781(1700000000.7809999);whole");
}

static void says_where_it_is_broken(void **state)
{
	(void)state;
	expect("{\"a\" 1}", "0 { ;1 key a=a;error at 5: no colon behind a key");
	expect("[1 2]", "0 [ ;1 num []=1(1);error at 3: no comma behind a value");
	expect("{\"a\":]", "0 { ;1 key a=a;error at 5: a bracket closes what is not open");
	expect("[1}", "0 [ ;1 num []=1(1);error at 2: a bracket closes what is not open");
	expect("]", "error at 0: a bracket closes what is not open");
	expect("{1:2}", "0 { ;error at 1: no key where one must be");
	expect("[,]", "0 [ ;error at 1: no value where one must be");
	expect("[\"\\x\"]", "0 [ ;error at 3: unknown escape in a string");
	expect("[\"\\u12g4\"]", "0 [ ;error at 6: unknown escape in a string");
	expect("[None]", "0 [ ;error at 5: neither a value nor a number");
	expect("[1-2]", "0 [ ;error at 4: neither a value nor a number");
}

static void knows_what_is_not_finished(void **state)
{
	(void)state;
	expect("{\"a\":[1", "0 { ;1 key a=a;1 [ a;2 num a[]=1(1);open");
	expect("\"abc", "open");
	expect("{", "0 { ;open");
}

static void lets_sloppy_tools_pass(void **state)
{
	(void)state;
	expect("{\"a\":[1,],}", "0 { ;1 key a=a;1 [ a;2 num a[]=1(1);1 ] a;0 } ;whole");
	expect("\"a\nb\tc\"", "0 str =a\nb\tc;whole");
}

static void takes_lines_for_pieces(void **state)
{
	(void)state;
	struct gpudx_buf b = { .max = 4096 };

	gpudx_json_reset(&json);
	gpudx_json_feed(&json, SV_LIT("[12"), true);
	say_tokens(&b);
	gpudx_json_feed(&json, SV_LIT(",3"), false);
	say_tokens(&b);
	gpudx_json_feed(&json, SV_LIT("4]"), true);
	say_tokens(&b);
	assert_string_equal(b.p, "0 [ ;1 num []=12(12);1 num []=34(34);0 ] ;");
	gpudx_buf_free(&b);
}

static void limits_depth_texts_and_paths(void **state)
{
	(void)state;
	struct gpudx_buf b = { .max = 1 << 20 };
	char *got;

	for (int i = 0; i < GPUDX_JSON_DEPTH + 1; i++)
		gpudx_buf_char(&b, '[');
	got = tokens(sv_n(b.p, b.n), 5);
	assert_non_null(strstr(got, "error at 64: nested too deep"));
	free(got);

	gpudx_buf_clear(&b);
	gpudx_buf_str(&b, "{\"");
	for (int i = 0; i < 2 * GPUDX_JSON_TEXT; i++)
		gpudx_buf_char(&b, 'k');
	gpudx_buf_str(&b, "\": 7}");
	gpudx_json_reset(&json);
	gpudx_json_feed(&json, sv_n(b.p, b.n), true);
	assert_true(gpudx_json_next(&json));
	assert_true(gpudx_json_next(&json));
	assert_true(json.cut);
	assert_int_equal(json.text.n, GPUDX_JSON_TEXT);
	assert_int_equal(gpudx_json_path(&json).n, GPUDX_JSON_PATH);
	assert_true(gpudx_json_next(&json));
	assert_false(json.cut);
	assert_true(json.num > 6.5);
	assert_true(gpudx_json_next(&json));
	assert_int_equal(gpudx_json_path(&json).n, 0);
	gpudx_buf_free(&b);
}

static bool at(const char *text, const char *pattern)
{
	gpudx_json_reset(&json);
	gpudx_json_feed(&json, sv_str(text), true);
	while (gpudx_json_next(&json))
		if (json.kind == GPUDX_JSON_NUMBER)
			return gpudx_json_at(&json, pattern);
	return false;
}

static void finds_places_by_pattern(void **state)
{
	(void)state;
	const char *nested = "{\"data\": {\"result\": [{\"metric\": {\"nvidia.com/gpu\": 1}}]}}";
	static const char *const table[] = { "data", "data.result[].metric.*", "**.metric" };

	assert_true(at(nested, "data.result[].metric.nvidia.com/gpu"));
	assert_true(at(nested, "data.result[].metric.*"));
	assert_true(at(nested, "*.result[].*.*"));
	assert_true(at(nested, "**.nvidia.com/gpu"));
	assert_true(at(nested, "**.metric.*"));
	assert_false(at(nested, "data.result[].metric"));
	assert_false(at(nested, "data.result[].metric.nvidia"));
	assert_false(at(nested, "data.result[].metric.*.*"));
	assert_false(at(nested, "*"));
	assert_false(at(nested, "**.com/gpu"));
	assert_int_equal(gpudx_json_find(&json, table, 3), 1);
	assert_int_equal(gpudx_json_find(&json, table, 1), 1);
	assert_true(sv_is(gpudx_json_key(&json), "nvidia.com/gpu"));
	assert_true(at("[[5]]", "[][]"));
	assert_false(at("[[5]]", "[]"));
	assert_true(at("[{\"a\": 5}]", "[].a"));
	assert_true(at("5", ""));
	assert_false(at("{\"a\": 5}", "ab"));
	assert_false(at("{\"ab\": 5}", "a"));
	assert_true(at("{\"a\": [\"x\", \"y\", 5]}", "a[]"));
	assert_int_equal(gpudx_json_index(&json), 2);
	assert_true(sv_is(gpudx_json_key(&json), "a"));
}

static void scans_reals(void **state)
{
	(void)state;
	double v = 0;
	struct gpudx_sv s = SV_LIT("1.5e+09 x");

	assert_true(gpudx_scan_real(&s, &v) && v == 1.5e9 && sv_is(s, " x"));
	assert_true(gpudx_real(SV_LIT(" .5 "), &v) && v == 0.5);
	assert_true(gpudx_real(SV_LIT("5."), &v) && v == 5);
	assert_true(gpudx_real(SV_LIT("0.0001"), &v) && v == 0.0001);
	assert_true(gpudx_real(SV_LIT("123456789012345678901234567890"), &v));
	assert_true(fabs(v / 1.2345678901234568e29 - 1) < 1e-15);
	assert_true(gpudx_real(SV_LIT("+Inf"), &v) && isinf(v) && v > 0);
	assert_true(gpudx_real(SV_LIT("-inf"), &v) && isinf(v) && v < 0);
	assert_true(gpudx_real(SV_LIT("nan"), &v) && isnan(v));
	assert_true(gpudx_real(SV_LIT("1e-320"), &v) && v > 0 && v < 1e-300);
	assert_true(gpudx_real(SV_LIT("1e999999999999"), &v) && isinf(v));
	assert_true(gpudx_real(SV_LIT("0e999999999999"), &v) && v == 0);
	assert_false(gpudx_real(SV_LIT("."), &v));
	assert_false(gpudx_real(SV_LIT("-"), &v));
	assert_false(gpudx_real(SV_LIT("1.5W"), &v));
	s = SV_LIT("3em");
	assert_true(gpudx_scan_real(&s, &v) && v == 3 && sv_is(s, "em"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_every_place),
		cmocka_unit_test(reads_documents_one_behind_the_other),
		cmocka_unit_test(decodes_strings),
		cmocka_unit_test(reads_numbers),
		cmocka_unit_test(says_where_it_is_broken),
		cmocka_unit_test(knows_what_is_not_finished),
		cmocka_unit_test(lets_sloppy_tools_pass),
		cmocka_unit_test(takes_lines_for_pieces),
		cmocka_unit_test(limits_depth_texts_and_paths),
		cmocka_unit_test(finds_places_by_pattern),
		cmocka_unit_test(scans_reals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
