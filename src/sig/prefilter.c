#include "sig/prefilter.h"

#include <stdlib.h>

/* Every position that is a multiple of STRIDE is looked at: of the first STRIDE + 3 bytes of a
 * literal, wherever it stands, one window of 4 bytes begins at such a position. So each literal
 * puts STRIDE windows into the table, and the text is hashed once every STRIDE bytes. */
enum { STRIDE = GPUDX_LITERAL_MIN - 3, HASH_BITS = 15, HASHES = 1 << HASH_BITS };

struct entry {
	int32_t literal, next; /* next: index of the next entry with this hash, -1 none */
	uint32_t end;	       /* the last 4 bytes of the literal: most look-alikes lack them */
	uint16_t end_at;       /* where they begin, counted from the window */
	uint8_t shift;	       /* where in the literal the window begins */
};

struct gpudx_prefilter {
	const struct gpudx_sv *literals;
	struct entry *entries;
	size_t n;
	bool set[HASHES]; /* is there an entry? Smaller than head, so that it stays in the cache */
	int32_t head[HASHES]; /* only where set */
};

static uint32_t four_bytes(const char *p)
{
	uint32_t w;

	memcpy(&w, p, sizeof(w));
	return w;
}

static uint32_t window_hash(const char *p)
{
	return four_bytes(p) * UINT32_C(2654435761) >> (32 - HASH_BITS);
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
	for (size_t i = 0; i < n; i++) {
		for (unsigned shift = 0; shift < STRIDE; shift++) {
			uint32_t h = window_hash(literals[i].p + shift);
			int32_t next = f->set[h] ? f->head[h] : -1;

			f->entries[f->n] = (struct entry){
				.literal = (int32_t)i,
				.next = next,
				.end = four_bytes(literals[i].p + literals[i].n - 4),
				.end_at = (uint16_t)(literals[i].n - 4 - shift),
				.shift = (uint8_t)shift,
			};
			f->set[h] = true;
			f->head[h] = (int32_t)f->n++;
		}
	}
	return f;
}

/* True when the entry's literal stands around its window at p[at], not before p[from]. */
static bool stands(const struct gpudx_prefilter *f, const struct entry *e, const char *p, size_t n,
		   size_t from, size_t at)
{
	struct gpudx_sv lit;

	if (at < e->shift + from || n - at < e->end_at + 4u ||
	    four_bytes(p + at + e->end_at) != e->end)
		return false;
	lit = f->literals[e->literal];
	return memcmp(p + at - e->shift, lit.p, lit.n) == 0;
}

/* The earliest start of a literal of which a window begins at p[at]; n when none. */
static size_t confirm(const struct gpudx_prefilter *f, const char *p, size_t n, size_t from,
		      size_t at, uint32_t hash)
{
	size_t best = n;

	for (int32_t i = f->head[hash]; i >= 0; i = f->entries[i].next)
		if (at - f->entries[i].shift < best && stands(f, &f->entries[i], p, n, from, at))
			best = at - f->entries[i].shift;
	return best;
}

size_t gpudx_prefilter_find(const void *filter, const char *p, size_t n, size_t from)
{
	const struct gpudx_prefilter *f = filter;

	for (size_t at = from; at + 4 <= n; at += STRIDE) {
		uint32_t hash = window_hash(p + at);

		if (f->set[hash]) {
			size_t hit = confirm(f, p, n, from, at, hash);

			if (hit < n)
				return hit;
		}
	}
	return n;
}

void gpudx_prefilter_each(const struct gpudx_prefilter *f, struct gpudx_sv text,
			  void (*on_literal)(void *arg, size_t literal), void *arg)
{
	for (size_t at = 0; at + 4 <= text.n; at += STRIDE) {
		uint32_t hash = window_hash(text.p + at);

		if (!f->set[hash])
			continue;
		for (int32_t i = f->head[hash]; i >= 0; i = f->entries[i].next)
			if (stands(f, &f->entries[i], text.p, text.n, 0, at))
				on_literal(arg, (size_t)f->entries[i].literal);
	}
}
