#include "sig/prefilter.h"

#include <stdlib.h>

/* Every position that is a multiple of STRIDE is looked at: of the first STRIDE + 3 bytes of a
 * literal, wherever it stands, one window of 4 bytes begins at such a position. So each literal
 * puts STRIDE windows into the table, and the text is hashed once every STRIDE bytes. */
enum { STRIDE = GPUDX_LITERAL_MIN - 3, HASH_BITS = 14, HASH_SIZE = 1 << HASH_BITS };

struct entry {
	int32_t literal, next; /* next: index of the next entry with this hash, -1 none */
	uint8_t shift;	       /* where in the literal the window begins */
};

struct gpudx_prefilter {
	const struct gpudx_sv *literals;
	struct entry *entries;
	size_t n;
	int32_t head[HASH_SIZE]; /* -1 none */
};

static uint32_t window_hash(const char *p)
{
	uint32_t w;

	memcpy(&w, p, sizeof(w));
	return w * UINT32_C(2654435761) >> (32 - HASH_BITS);
}

struct gpudx_prefilter *gpudx_prefilter_new(struct gpudx_arena *a, const struct gpudx_sv *literals,
					    size_t n)
{
	struct gpudx_prefilter *f = gpudx_arena_alloc(a, sizeof(*f));

	if (f)
		f->entries = gpudx_arena_array(a, n * STRIDE, sizeof(*f->entries));
	if (!f || !f->entries)
		return NULL;
	f->literals = literals;
	memset(f->head, 0xff, sizeof(f->head));
	for (size_t i = 0; i < n; i++) {
		for (unsigned shift = 0; shift < STRIDE; shift++) {
			uint32_t h = window_hash(literals[i].p + shift);

			f->entries[f->n] = (struct entry){ (int32_t)i, f->head[h], (uint8_t)shift };
			f->head[h] = (int32_t)f->n++;
		}
	}
	return f;
}

/* The earliest start of a literal of which a window begins at p[at]; n when none. */
static size_t confirm(const struct gpudx_prefilter *f, const char *p, size_t n, size_t from,
		      size_t at, int32_t entry)
{
	size_t best = n;

	for (; entry >= 0; entry = f->entries[entry].next) {
		const struct entry *e = &f->entries[entry];
		struct gpudx_sv lit = f->literals[e->literal];
		size_t start = at - e->shift;

		if (at < e->shift + from || n - start < lit.n || start >= best)
			continue;
		if (memcmp(p + start, lit.p, lit.n) == 0)
			best = start;
	}
	return best;
}

size_t gpudx_prefilter_find(const void *filter, const char *p, size_t n, size_t from)
{
	const struct gpudx_prefilter *f = filter;

	for (size_t at = from; at + 4 <= n; at += STRIDE) {
		int32_t entry = f->head[window_hash(p + at)];

		if (entry >= 0) {
			size_t hit = confirm(f, p, n, from, at, entry);

			if (hit < n)
				return hit;
		}
	}
	return n;
}
