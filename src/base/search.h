/* Finding a row of a table that ascends by one of its int64_t fields. */
#ifndef GPUDX_SEARCH_H
#define GPUDX_SEARCH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline int64_t gpudx_search_key(const void *rows, size_t at, size_t size, size_t offset)
{
	int64_t key;

	memcpy(&key, (const char *)rows + at * size + offset, sizeof(key));
	return key;
}

static inline size_t gpudx_search_first(const void *rows, size_t n, size_t size, size_t offset,
					int64_t key)
{
	size_t lo = 0, hi = n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (gpudx_search_key(rows, mid, size, offset) < key)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static inline void *gpudx_search_equal(const void *rows, size_t n, size_t size, size_t offset,
				       int64_t key)
{
	size_t at = gpudx_search_first(rows, n, size, offset, key);

	if (at == n || gpudx_search_key(rows, at, size, offset) != key)
		return NULL;
	return (char *)rows + at * size;
}

/* Where the field stands; does not compile for one that is not 8 bytes long. */
#define GPUDX_SEARCH_AT(type, field) \
	(offsetof(type, field) +     \
	 0 * sizeof(char[sizeof(((type *)0)->field) == sizeof(int64_t) ? 1 : -1]))

/* The place of the first of n rows whose field is not below key; n: all are. */
#define GPUDX_LOWER_BOUND(rows, n, type, field, key) \
	gpudx_search_first((rows), (n), sizeof(type), GPUDX_SEARCH_AT(type, field), (key))

/* The first of n rows whose field is key, as void *; NULL: none. */
#define GPUDX_FIND(rows, n, type, field, key) \
	gpudx_search_equal((rows), (n), sizeof(type), GPUDX_SEARCH_AT(type, field), (key))

#endif
