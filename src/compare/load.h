/* What the GPUs of a side did, read in one pass over its samples, and samples of both sides weighed
 * so that their loads are alike. */
#ifndef GPUDX_COMPARE_LOAD_H
#define GPUDX_COMPARE_LOAD_H

#include "compare/compare.h"
#include "compare/track.h"

/* One track for each GPU of the side. Where several sources cover the same time, the one with most
 * samples counts. */
GPUDX_CHECK enum gpudx_status gpudx_tracks_load(const struct cmp_side *s, struct gpudx_arena *a,
						struct cmp_track **out, struct gpudx_err *err);

/* How much two loads overlap (0 to 1) in utilization and, with_memory, in memory use; w gives each
 * sample the weight that makes the sides alike. False when memory is out. memory_mib: of the GPU. */
bool gpudx_match_loads(const struct cmp_track *const t[CMP_SIDES], double memory_mib,
		       bool with_memory, struct gpudx_arena *a, double *w[CMP_SIDES],
		       double *overlap);

#endif
