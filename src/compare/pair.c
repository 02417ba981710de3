/* Which GPU of one side is which of the other: by UUID, else serial, else address, else model and
 * order. A way is tried on all GPUs before the next one, so that the surer pairs are taken first. */
#include "compare/compare.h"

#include "compare/list.h"

static bool same(const char *a, const char *b)
{
	return a && b && strcmp(a, b) == 0;
}

/* A name that one side does not know speaks for nothing, but not against it. */
static bool may_be_one(const struct cmp_gpu *a, const struct cmp_gpu *b)
{
	return !a->name || !b->name || strcmp(a->name, b->name) == 0;
}

static bool by_uuid(const struct cmp_gpu *a, const struct cmp_gpu *b)
{
	return same(a->uuid, b->uuid);
}

/* A board with two GPUs has one serial: the address tells them apart, or the order. */
static bool by_serial_address(const struct cmp_gpu *a, const struct cmp_gpu *b)
{
	return same(a->serial, b->serial) && same(a->bdf, b->bdf);
}

static bool by_serial(const struct cmp_gpu *a, const struct cmp_gpu *b)
{
	return same(a->serial, b->serial) && may_be_one(a, b);
}

static bool by_address(const struct cmp_gpu *a, const struct cmp_gpu *b)
{
	return same(a->bdf, b->bdf) && may_be_one(a, b);
}

static bool by_index(const struct cmp_gpu *a, const struct cmp_gpu *b)
{
	return a->idx >= 0 && a->idx == b->idx && may_be_one(a, b);
}

static const struct {
	const char *how;
	bool (*fits)(const struct cmp_gpu *a, const struct cmp_gpu *b);
} ways[] = {
	{ "UUID", by_uuid },
	{ "serial and address", by_serial_address },
	{ "serial", by_serial },
	{ "address", by_address },
	{ "model and index", by_index },
	{ "model and order", may_be_one },
};

static bool pair_one(struct gpudx_comparison *c, size_t way, size_t i)
{
	const struct cmp_side *b = &c->side[CMP_BEFORE], *a = &c->side[CMP_AFTER];

	for (size_t k = 0; k < a->ngpus; k++) {
		struct cmp_pair *p;

		if (c->paired[CMP_AFTER][k] || !ways[way].fits(&b->gpus[i], &a->gpus[k]))
			continue;
		p = CMP_PUSH(&c->arena, c->pairs, c->npairs);
		if (!p)
			return false;
		*p = (struct cmp_pair){ { (int)i, (int)k }, ways[way].how };
		c->paired[CMP_BEFORE][i] = c->paired[CMP_AFTER][k] = true;
		break;
	}
	return true;
}

/* In the order of the side before, for every table that follows. */
static void sort_pairs(struct gpudx_comparison *c)
{
	for (size_t i = 1; i < c->npairs; i++)
		for (size_t k = i;
		     k > 0 && c->pairs[k].gpu[CMP_BEFORE] < c->pairs[k - 1].gpu[CMP_BEFORE]; k--) {
			struct cmp_pair p = c->pairs[k];

			c->pairs[k] = c->pairs[k - 1];
			c->pairs[k - 1] = p;
		}
}

enum gpudx_status gpudx_pair(struct gpudx_comparison *c, struct gpudx_err *err)
{
	for (int s = 0; s < CMP_SIDES; s++) {
		c->paired[s] = gpudx_arena_array(&c->arena, c->side[s].ngpus, sizeof(bool));
		if (c->side[s].ngpus && !c->paired[s])
			return gpudx_nomem(err);
	}
	for (size_t way = 0; way < sizeof(ways) / sizeof(ways[0]); way++)
		for (size_t i = 0; i < c->side[CMP_BEFORE].ngpus; i++)
			if (!c->paired[CMP_BEFORE][i] && !pair_one(c, way, i))
				return gpudx_nomem(err);
	sort_pairs(c);
	return GPUDX_OK;
}
