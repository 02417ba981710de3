#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sig/prefilter.h"

static unsigned seed = 1;

static unsigned rnd(unsigned n)
{
	seed = seed * 1103515245 + 12345;
	return (seed >> 16) % n;
}

static size_t naive(const struct gpudx_sv *lits, size_t n, const char *p, size_t len, size_t from)
{
	for (size_t at = from; at < len; at++)
		for (size_t i = 0; i < n; i++)
			if (len - at >= lits[i].n && memcmp(p + at, lits[i].p, lits[i].n) == 0)
				return at;
	return len;
}

/* Few letters, so that literals overlap, begin and hold one another. */
static void finds_what_a_naive_search_finds(void **state)
{
	(void)state;
	for (int round = 0; round < 300; round++) {
		struct gpudx_arena a = { .limit = 1 << 20 };
		char text[400], bytes[20][12];
		struct gpudx_sv lits[20];
		size_t n = 1 + rnd(20), len = rnd(400);
		struct gpudx_prefilter *f;

		for (size_t i = 0; i < n; i++) {
			lits[i] = sv_n(bytes[i], GPUDX_LITERAL_MIN + rnd(6));
			for (size_t k = 0; k < lits[i].n; k++)
				bytes[i][k] = (char)('a' + rnd(2));
		}
		for (size_t k = 0; k < len; k++)
			text[k] = (char)('a' + rnd(2));
		f = gpudx_prefilter_new(&a, lits, n);
		assert_non_null(f);
		for (size_t from = 0; from <= len; from++)
			assert_int_equal(gpudx_prefilter_find(f, text, len, from),
					 naive(lits, n, text, len, from));
		gpudx_arena_free(&a);
	}
}

/* The text ends where its memory ends: the sanitizers and valgrind see any byte too many. */
static void reads_nothing_behind_the_end(void **state)
{
	const struct gpudx_sv lits[] = { SV("abcdef"), SV("abcdefghij") };
	struct gpudx_arena a = { .limit = 1 << 20 };
	struct gpudx_prefilter *f = gpudx_prefilter_new(&a, lits, 2);

	(void)state;
	for (size_t n = 0; n < 12; n++) {
		char *p = malloc(n ? n : 1);

		assert_non_null(p);
		memcpy(p, "abcdefghijkl", n);
		for (size_t from = 0; from <= n; from++)
			assert_int_equal(gpudx_prefilter_find(f, p, n, from),
					 from == 0 && n >= 6 ? 0 : n);
		free(p);
	}
	gpudx_arena_free(&a);
}

static void says_when_memory_is_out(void **state)
{
	const struct gpudx_sv lits[] = { SV("abcdef") };
	struct gpudx_arena a = { .limit = 100 };

	(void)state;
	assert_null(gpudx_prefilter_new(&a, lits, 1));
	gpudx_arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_what_a_naive_search_finds),
		cmocka_unit_test(reads_nothing_behind_the_end),
		cmocka_unit_test(says_when_memory_is_out),
	};

	return cmocka_run_group_tests_name("prefilter", tests, NULL, NULL);
}
