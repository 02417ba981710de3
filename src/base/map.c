#include "base/map.h"

struct gpudx_map_slot {
	struct gpudx_sv key; /* .p NULL = free */
	uint32_t hash, value;
};

uint64_t gpudx_hash(struct gpudx_sv key)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < key.n; i++)
		h = (h ^ (unsigned char)key.p[i]) * UINT64_C(0x100000001b3);
	return h;
}

static uint32_t hash32(struct gpudx_sv key)
{
	uint64_t h = gpudx_hash(key);

	return (uint32_t)(h ^ (h >> 32));
}

/* The slot of key, or the free one where it belongs. */
static struct gpudx_map_slot *map_find(const struct gpudx_map *m, struct gpudx_sv key, uint32_t h)
{
	uint32_t i = h & (m->cap - 1);

	while (m->slots[i].key.p && (m->slots[i].hash != h || !sv_eq(m->slots[i].key, key)))
		i = (i + 1) & (m->cap - 1);
	return &m->slots[i];
}

static bool map_grow(struct gpudx_map *m)
{
	struct gpudx_map bigger = *m;

	bigger.cap = m->cap ? m->cap * 2 : 16;
	bigger.slots = gpudx_arena_array(m->arena, bigger.cap, sizeof(*bigger.slots));
	if (!bigger.slots)
		return false;
	for (uint32_t i = 0; i < m->cap; i++)
		if (m->slots[i].key.p)
			*map_find(&bigger, m->slots[i].key, m->slots[i].hash) = m->slots[i];
	*m = bigger;
	return true;
}

uint32_t *gpudx_map_at(struct gpudx_map *m, struct gpudx_sv key, bool *is_new)
{
	uint32_t h = hash32(key);
	struct gpudx_map_slot *s;

	*is_new = false;
	if (m->n >= m->cap / 4 * 3 && !map_grow(m))
		return NULL;
	s = map_find(m, key, h);
	if (s->key.p)
		return &s->value;
	s->key = gpudx_arena_sv(m->arena, key);
	if (!s->key.p)
		return NULL;
	s->hash = h;
	m->n++;
	*is_new = true;
	return &s->value;
}

const uint32_t *gpudx_map_get(const struct gpudx_map *m, struct gpudx_sv key)
{
	struct gpudx_map_slot *s;

	if (!m->cap)
		return NULL;
	s = map_find(m, key, hash32(key));
	return s->key.p ? &s->value : NULL;
}
