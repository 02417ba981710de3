/* The samples of one GPU under load: idle time is cut off as they come by, and every second one is
 * dropped whenever there are too many, so that a month takes no more room than an hour. */
#ifndef GPUDX_COMPARE_TRACK_H
#define GPUDX_COMPARE_TRACK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

enum cmp_col {
	CMP_SM_CLOCK,
	CMP_MEM_CLOCK,
	CMP_POWER,
	CMP_TEMP,
	CMP_UTIL,
	CMP_MEM_USED,
	CMP_LIMIT,
	CMP_COLS
};

struct cmp_sample {
	double t_s;
	int64_t ref;
	double col[CMP_COLS]; /* NAN unknown */
	int64_t reasons;      /* -1 not recorded */
	uint32_t stretch;     /* of load; of the track */
};

/* One uninterrupted piece of load. */
struct cmp_stretch {
	double start_s, end_s;
	double throttle_s; /* from the start to the first slowdown by power or heat; NAN none */
	bool reasons;	   /* were recorded */
};

enum { CMP_KEPT = 4096 };

struct cmp_track {
	struct gpudx_arena *arena;
	struct cmp_sample *v; /* NULL until the first */
	size_t n;
	uint32_t stride, skipped;
	struct cmp_stretch *stretches;
	size_t nstretches;
	bool open, failed;
	double last_busy_s, last_s, util; /* util: last known, NAN none */
	int64_t ref;
	double seen_s; /* time that samples cover, idle or not */
	size_t samples;
};

void gpudx_track_init(struct cmp_track *t, struct gpudx_arena *arena);

/* Takes a sample of which only time, ref, reasons and utilization need be known. The place where it
 * is kept, for the caller to fill in the other columns until the next call; NULL: it is not kept. */
struct cmp_sample *gpudx_track_add(struct cmp_track *t, const struct cmp_sample *s);

/* Ends the last stretch and leaves only samples past the warm-up of theirs. Returns the minutes
 * under load that are left. */
double gpudx_track_finish(struct cmp_track *t);

/* From the start of load to the first slowdown; the shortest. NAN: none, or not recorded. */
double gpudx_track_throttle_after(const struct cmp_track *t);

#endif
