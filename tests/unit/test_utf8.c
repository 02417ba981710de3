#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/utf8.h"

static uint32_t first(const char *bytes, size_t n, size_t *took)
{
	struct gpudx_sv s = sv_n(bytes, n);
	uint32_t u = gpudx_utf8_next(&s);

	*took = n - s.n;
	return u;
}

static void expect(const char *bytes, uint32_t want, size_t length)
{
	size_t took;

	assert_int_equal(first(bytes, strlen(bytes), &took), want);
	assert_int_equal(took, length);
}

static void decodes_what_is_valid(void **state)
{
	(void)state;
	expect("A", 'A', 1);
	expect("\x7f", 0x7f, 1);
	expect("\xc2\x80", 0x80, 2);
	expect("\xdf\xbf", 0x7ff, 2);
	expect("\xe0\xa0\x80", 0x800, 3);
	expect("\xef\xbf\xbf", 0xffff, 3);
	expect("\xf0\x90\x80\x80", 0x10000, 4);
	expect("\xf4\x8f\xbf\xbf", 0x10ffff, 4);
}

static void replaces_what_is_not_one_byte_at_a_time(void **state)
{
	static const char *const bad[] = {
		"\x80",
		"\xff",
		"\xc0\x80",
		"\xc1\xbf",
		"\xc2",
		("\xc2"
		 "A"),
		"\xe0\x9f\xbf", /* overlong */
		"\xed\xa0\x80",
		"\xed\xbf\xbf", /* surrogates */
		"\xf4\x90\x80\x80",
		"\xf5\x80\x80\x80",
		"\xf0\x8f\xbf\xbf",
		"\xe2\x82",
		"\xf0\x9f\x98",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_false(gpudx_utf8_valid(sv_str(bad[i])));
		expect(bad[i], 0xfffd, 1);
	}
	assert_true(gpudx_utf8_valid(SV_LIT("")) && gpudx_utf8_valid(sv_n("\0", 1)));
}

/* Whatever the bytes: what is shown is valid and holds nothing that steers a terminal. */
static void shows_any_bytes_harmlessly(void **state)
{
	struct gpudx_buf b = { .max = 1 << 16 };
	char bytes[512];
	struct gpudx_sv s;

	(void)state;
	for (unsigned i = 0; i < 512; i++)
		bytes[i] = (char)(i < 256 ? i : i * 7);
	assert_true(gpudx_utf8_show(&b, sv_n(bytes, sizeof(bytes))));
	s = sv_n(b.p, b.n);
	assert_true(gpudx_utf8_valid(s));
	while (s.n)
		assert_false(gpudx_utf8_unprintable(gpudx_utf8_next(&s)));
	gpudx_buf_clear(&b);
	gpudx_utf8_show(&b, SV_LIT("a\tb\x1b[1m\xe2\x80\xae\xc2\x9b"));
	assert_string_equal(gpudx_buf_cstr(&b), "a b\xef\xbf\xbd[1m\xef\xbf\xbd\xef\xbf\xbd");
	gpudx_buf_free(&b);
}

static void knows_how_wide_text_is(void **state)
{
	(void)state;
	assert_int_equal(gpudx_utf8_width('a'), 1);
	assert_int_equal(gpudx_utf8_width(0x301), 0);
	assert_int_equal(gpudx_utf8_width(0x4e00), 2);
	assert_int_equal(gpudx_utf8_width(0x1f600), 2);
	assert_int_equal(gpudx_utf8_width(0x2192), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(decodes_what_is_valid),
		cmocka_unit_test(replaces_what_is_not_one_byte_at_a_time),
		cmocka_unit_test(shows_any_bytes_harmlessly),
		cmocka_unit_test(knows_how_wide_text_is),
	};

	return cmocka_run_group_tests_name("utf8", tests, NULL, NULL);
}
