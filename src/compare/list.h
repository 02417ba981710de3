/* Lists that grow in an arena. */
#ifndef GPUDX_COMPARE_LIST_H
#define GPUDX_COMPARE_LIST_H

#include "base/arena.h"

/* Makes room for one more element of size behind the n of v: the new place of v, zeroed behind n;
 * NULL when memory is out. Use CMP_PUSH. */
void *gpudx_cmp_grow(struct gpudx_arena *a, void *v, size_t n, size_t size);

/* A pointer to a new, zeroed last element of list v of n elements; NULL when memory is out. */
#define CMP_PUSH(a, v, n) \
	((v) = gpudx_cmp_grow((a), (v), (n), sizeof(*(v))), (v) ? &(v)[(n)++] : NULL)

#endif
