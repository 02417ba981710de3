/* Hash map from short byte strings to 32-bit numbers. Keys are copied into the map's arena. */
#ifndef GPUDX_MAP_H
#define GPUDX_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/sv.h"

struct gpudx_map_slot;

struct gpudx_map {
	struct gpudx_arena *arena; /* borrowed; resetting it empties the map */
	struct gpudx_map_slot *slots;
	uint32_t cap, n;
};

/* Start with { .arena = A }. The place of key's value; a new one is 0 and *is_new is set.
 * NULL when the arena is at its limit. The pointer is valid until the next call. */
uint32_t *gpudx_map_at(struct gpudx_map *m, struct gpudx_sv key, bool *is_new);

/* The value, or NULL when the key is not there. */
const uint32_t *gpudx_map_get(const struct gpudx_map *m, struct gpudx_sv key);

/* FNV-1a, 64 bit: the hash of the map, also for others that need a stable one. */
uint64_t gpudx_hash(struct gpudx_sv key);

#endif
