/* Region allocator with a ceiling: what one member or one report needs lives and dies together. */
#ifndef GPUDX_ARENA_H
#define GPUDX_ARENA_H

#include <stddef.h>

#include "base/sv.h"

struct gpudx_arena_chunk;

struct gpudx_arena {
	struct gpudx_arena_chunk *head; /* newest chunk first */
	size_t used;			/* bytes handed out, for the ceiling */
	size_t limit;			/* 0 = none */
};

/* Start with { .limit = N }. Memory is zeroed and aligned for any type. NULL when the limit is
 * reached or memory is out; the arena stays usable. */
void *gpudx_arena_alloc(struct gpudx_arena *a, size_t n);

/* n objects of size each, NULL also when n * size overflows. */
void *gpudx_arena_array(struct gpudx_arena *a, size_t n, size_t size);

/* A copy of s, NUL-terminated for the sake of libraries that need it; .p is NULL on failure. */
struct gpudx_sv gpudx_arena_sv(struct gpudx_arena *a, struct gpudx_sv s);

/* As above from printf arguments; NULL on failure. */
char *gpudx_arena_printf(struct gpudx_arena *a, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Everything handed out becomes invalid; the largest chunk is kept for the next round. */
void gpudx_arena_reset(struct gpudx_arena *a);
void gpudx_arena_free(struct gpudx_arena *a);

#endif
