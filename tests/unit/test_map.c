#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/map.h"

static struct gpudx_sv key_of(char buf[16], unsigned i)
{
	int n = snprintf(buf, 16, "k%u", i);

	return sv_n(buf, (size_t)n);
}

static void finds_what_was_put(void **state)
{
	struct gpudx_arena a = { .limit = 16 << 20 };
	struct gpudx_map m = { .arena = &a };
	char buf[16];
	bool is_new;

	(void)state;
	assert_null(gpudx_map_get(&m, SV_LIT("k0")));
	for (unsigned i = 0; i < 20000; i++) {
		uint32_t *v = gpudx_map_at(&m, key_of(buf, i), &is_new);

		assert_non_null(v);
		assert_true(is_new);
		assert_int_equal(*v, 0);
		*v = i + 1;
	}
	memset(buf, 0, sizeof(buf)); /* keys are copied */
	for (unsigned i = 0; i < 20000; i++) {
		uint32_t *v = gpudx_map_at(&m, key_of(buf, i), &is_new);

		assert_false(is_new);
		assert_int_equal(*v, i + 1);
		assert_int_equal(*gpudx_map_get(&m, key_of(buf, i)), i + 1);
	}
	assert_null(gpudx_map_get(&m, SV_LIT("k20000")));
	assert_int_equal(m.n, 20000);
	gpudx_arena_free(&a);
}

static void tells_keys_apart_by_all_their_bytes(void **state)
{
	struct gpudx_arena a = { .limit = 1 << 20 };
	struct gpudx_map m = { .arena = &a };
	bool is_new;

	(void)state;
	*gpudx_map_at(&m, sv_n("a\0b", 3), &is_new) = 1;
	*gpudx_map_at(&m, sv_n("a\0c", 3), &is_new) = 2;
	*gpudx_map_at(&m, sv_n("", 0), &is_new) = 3;
	assert_int_equal(*gpudx_map_get(&m, sv_n("a\0b", 3)), 1);
	assert_int_equal(*gpudx_map_get(&m, sv_n("a\0c", 3)), 2);
	assert_int_equal(*gpudx_map_get(&m, sv_n("", 0)), 3);
	assert_null(gpudx_map_get(&m, SV_LIT("a")));
	gpudx_arena_free(&a);
}

static void says_when_the_arena_is_full_and_keeps_what_it_has(void **state)
{
	struct gpudx_arena a = { .limit = 4096 };
	struct gpudx_map m = { .arena = &a };
	char buf[16];
	bool is_new;
	unsigned n = 0;

	(void)state;
	while (n < 1000 && gpudx_map_at(&m, key_of(buf, n), &is_new))
		n++;
	assert_in_range(n, 10, 200);
	for (unsigned i = 0; i < n; i++)
		assert_non_null(gpudx_map_get(&m, key_of(buf, i)));
	gpudx_arena_free(&a);
}

/* The values of FNV-1a are published: http://www.isthe.com/chongo/tech/comp/fnv/ */
static void hashes_as_fnv_1a(void **state)
{
	(void)state;
	assert_true(gpudx_hash(SV_LIT("")) == UINT64_C(0xcbf29ce484222325));
	assert_true(gpudx_hash(SV_LIT("a")) == UINT64_C(0xaf63dc4c8601ec8c));
	assert_true(gpudx_hash(SV_LIT("foobar")) == UINT64_C(0x85944171f73967e8));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_what_was_put),
		cmocka_unit_test(tells_keys_apart_by_all_their_bytes),
		cmocka_unit_test(says_when_the_arena_is_full_and_keeps_what_it_has),
		cmocka_unit_test(hashes_as_fnv_1a),
	};

	return cmocka_run_group_tests_name("map", tests, NULL, NULL);
}
