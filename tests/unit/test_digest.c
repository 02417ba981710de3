#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bundle/digest.h"

static void expect(const char *text, size_t times, const char *hex)
{
	struct gpudx_sha256 h;
	char got[GPUDX_SHA256_HEX];

	gpudx_sha256_init(&h);
	for (size_t i = 0; i < times; i++)
		gpudx_sha256_add(&h, text, strlen(text));
	gpudx_sha256_hex(&h, got);
	assert_string_equal(got, hex);
	gpudx_sha256_hex(&h, got); /* ready for the next input, which is empty */
	assert_string_equal(got,
			    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

/* The examples of FIPS 180-4. */
static void is_sha256(void **state)
{
	(void)state;
	expect("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	expect("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	expect("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
	       "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
	expect("aaaaaaaaaa", 100000,
	       "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(is_sha256) };

	return cmocka_run_group_tests_name("digest", tests, NULL, NULL);
}
