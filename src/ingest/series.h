/* What is computed from samples while they pass: minutes, seconds, distributions, and which lines
 * are worth keeping. One state per gpu_ref; nothing here looks at other sources. */
#ifndef GPUDX_SERIES_H
#define GPUDX_SERIES_H

#include "base/arena.h"
#include "parse/record.h"
#include "store/store.h"

struct gpudx_series_ref;

/* All refs of one source. Start with { .store = S, .arena = A }. */
struct gpudx_series {
	struct gpudx_store *store;
	struct gpudx_arena
		*arena; /* a ref costs about 12 KiB; refs beyond its limit get no rollups */
	struct gpudx_series_ref *first, *last_used;
	uint32_t unrolled; /* samples of refs that found no room */
};

/* Takes one sample that will be gpu_sample.rowid. True when its line should be kept with two lines
 * around: the first of a ref, a change of P-state or reasons, a drop of the clock under load,
 * reaching the power limit, a new extreme. */
bool gpudx_series_add(struct gpudx_series *s, const struct gpudx_sample *v, int64_t rowid);

/* Which reason bits the source records for a ref, besides those seen set. */
void gpudx_series_reasons(struct gpudx_series *s, uint32_t ref, uint32_t bits);

/* Writes what is not yet written. */
void gpudx_series_end(struct gpudx_series *s);

#endif
