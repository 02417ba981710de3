#include "compare/list.h"

#include <string.h>

/* A list is full when its length is a power of two. */
void *gpudx_cmp_grow(struct gpudx_arena *a, void *v, size_t n, size_t size)
{
	void *grown;

	if (v && (n & (n - 1)))
		return v;
	grown = gpudx_arena_array(a, n ? 2 * n : 1, size);
	if (grown && v && n)
		memcpy(grown, v, n * size);
	return grown;
}
