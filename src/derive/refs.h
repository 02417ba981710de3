/* What is known of each gpu_ref that has samples, for the stages that go through them. */
#ifndef GPUDX_REFS_H
#define GPUDX_REFS_H

#include "base/arena.h"
#include "store/store.h"

struct gpudx_ref_info {
	int64_t id, source_id;
	int64_t gpu_id, boot_id; /* 0 unknown */
	int64_t samples;
	int64_t offset_us;
	struct gpudx_sv quality; /* gpu_ref.t_quality */
	uint32_t reasons_known;
	int64_t first_id, last_id; /* rowids of its first and last sample */
	int64_t t0_us;		   /* of the first; GPUDX_NO_TIME without stamps */
	bool slice;		   /* a MIG slice, no GPU */
	bool has_limit;		   /* its samples record the power limit */
	double period_s; /* mean distance of two samples, long pauses left out; 0 unknown */
};

/* In the order of their ids. */
struct gpudx_refs {
	struct gpudx_ref_info *v;
	size_t n;
};

/* Refs of the bundle with rollups and at least min_samples; all in the arena. */
GPUDX_CHECK enum gpudx_status gpudx_refs_load(sqlite3 *db, int64_t bundle, int64_t min_samples,
					      struct gpudx_arena *arena, struct gpudx_refs *out,
					      struct gpudx_err *err);

/* The place of a ref in v, or n when it is not there. */
size_t gpudx_refs_find(const struct gpudx_refs *refs, int64_t id);

#endif
