#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"

static void gives_zeroed_and_aligned_memory(void **state)
{
	struct gpudx_arena a = { .limit = 1 << 20 };

	(void)state;
	for (size_t n = 0; n < 300; n++) {
		unsigned char *p = gpudx_arena_alloc(&a, n);

		assert_non_null(p);
		assert_int_equal((uintptr_t)p % _Alignof(max_align_t), 0);
		for (size_t i = 0; i < n; i++)
			assert_int_equal(p[i], 0);
		memset(p, 0xa5, n);
	}
	gpudx_arena_reset(&a);
	for (size_t i = 0; i < 100; i++)
		assert_int_equal(((unsigned char *)gpudx_arena_alloc(&a, 100))[i], 0);
	gpudx_arena_free(&a);
}

static void keeps_to_its_limit_and_stays_usable(void **state)
{
	struct gpudx_arena a = { .limit = 1000 };

	(void)state;
	assert_null(gpudx_arena_alloc(&a, 1001));
	assert_null(gpudx_arena_alloc(&a, SIZE_MAX));
	assert_null(gpudx_arena_alloc(&a, SIZE_MAX - 4));
	assert_non_null(gpudx_arena_alloc(&a, 900));
	assert_null(gpudx_arena_alloc(&a, 200));
	assert_non_null(gpudx_arena_alloc(&a, 60));
	gpudx_arena_reset(&a);
	assert_int_equal(a.used, 0);
	assert_non_null(gpudx_arena_alloc(&a, 900));
	gpudx_arena_free(&a);
}

static void refuses_arrays_whose_size_overflows(void **state)
{
	struct gpudx_arena a = { .limit = 0 };

	(void)state;
	assert_null(gpudx_arena_array(&a, SIZE_MAX / 2, 3));
	assert_null(gpudx_arena_array(&a, (size_t)1 << 33, (size_t)1 << 33));
	assert_non_null(gpudx_arena_array(&a, 0, 8));
	assert_non_null(gpudx_arena_array(&a, 100, 0));
	gpudx_arena_free(&a);
}

static void copies_views_with_a_nul_behind(void **state)
{
	struct gpudx_arena a = { .limit = 4096 };
	struct gpudx_sv s = gpudx_arena_sv(&a, sv_n("a\0bc", 3));

	(void)state;
	assert_int_equal(s.n, 3);
	assert_memory_equal(s.p, "a\0b", 4);
	s = gpudx_arena_sv(&a, sv_n(NULL, 0));
	assert_non_null(s.p);
	assert_string_equal(s.p, "");
	assert_string_equal(gpudx_arena_printf(&a, "%d-%s", 7, "x"), "7-x");
	assert_null(gpudx_arena_printf(&a, "%5000d", 1));
	a.limit = 1;
	assert_null(gpudx_arena_sv(&a, SV_LIT("longer than the limit")).p);
	gpudx_arena_free(&a);
}

static void keeps_the_largest_chunk_when_reset(void **state)
{
	struct gpudx_arena a = { .limit = 1 << 24 };
	char *big;

	(void)state;
	big = gpudx_arena_alloc(&a, 1 << 20);
	assert_non_null(gpudx_arena_alloc(&a, 100));
	gpudx_arena_reset(&a);
	assert_ptr_equal(gpudx_arena_alloc(&a, 1 << 20), big);
	gpudx_arena_free(&a);
	gpudx_arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gives_zeroed_and_aligned_memory),
		cmocka_unit_test(keeps_to_its_limit_and_stays_usable),
		cmocka_unit_test(refuses_arrays_whose_size_overflows),
		cmocka_unit_test(copies_views_with_a_nul_behind),
		cmocka_unit_test(keeps_the_largest_chunk_when_reset),
	};

	return cmocka_run_group_tests_name("arena", tests, NULL, NULL);
}
