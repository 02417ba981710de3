/* The power limit of a GPU as other sources state it, for series that do not record it. */
#ifndef GPUDX_LIMIT_H
#define GPUDX_LIMIT_H

#include "base/arena.h"
#include "store/store.h"

struct gpudx_limit {
	int64_t gpu_id, boot_id; /* boot_id 0: of any boot */
	int64_t t_us;		 /* GPUDX_NO_TIME unknown */
	double watts;
};

struct gpudx_limits {
	const struct gpudx_limit *v; /* by GPU, then time; those without a time last */
	size_t n;
	int64_t boot_id; /* the others do not count; 0: all count */
};

/* The facts power.limit_w of the bundle's GPUs, of equal ones in a row only the first and last. */
GPUDX_CHECK enum gpudx_status gpudx_limits_load(sqlite3 *db, int64_t bundle,
						struct gpudx_arena *arena, struct gpudx_limits *out,
						struct gpudx_err *err);

/* Those of one GPU that count in a boot (0 = any); .n is 0 when none does. Borrows. */
struct gpudx_limits gpudx_limits_of(const struct gpudx_limits *all, int64_t gpu_id,
				    int64_t boot_id);

/* Of one GPU: the limit that was stated nearest to t_us; the last one when t_us or all their times
 * are unknown; NAN without any. */
double gpudx_limits_at(const struct gpudx_limits *of_gpu, int64_t t_us);
double gpudx_limits_lowest(const struct gpudx_limits *of_gpu);

#endif
