/* Cutting series of samples into stretches of one state. Minutes (gpu_minute) decide where a state
 * can be: only there samples are read, by their rowids, those of all refs of a stretch at once. */
#ifndef GPUDX_CUT_H
#define GPUDX_CUT_H

#include "derive/limit.h"
#include "derive/refs.h"
#include "derive/stretch.h"

struct gpudx_open; /* the open stretches of a ref */

/* One ref on its way through its samples. */
struct gpudx_track {
	/* of the caller */
	const struct gpudx_ref_info *info;
	double top_mhz, busy_mhz;   /* references of the clock; NAN unknown */
	struct gpudx_limits limits; /* as facts state them */
	double plateau_w;	    /* the limit when nothing states it; NAN none */
	uint32_t kinds;		    /* a bit for each kind to cut; 0 leaves the ref out */

	/* of the pass */
	double limit_w,
		lowest_w; /* the last limit of its samples; the lowest of the other sources */
	bool grouped;
	int64_t read_from, read_to; /* rowids that are taken as samples, by these kinds */
	uint32_t read_kinds;
	struct gpudx_open *open; /* from its first to its last minute */
};

/* Takes a stretch that reaches the floors of its kind. */
typedef enum gpudx_status gpudx_cut_fn(void *arg, struct gpudx_track *t, unsigned kind,
				       struct gpudx_stretch *s, struct gpudx_err *err);

struct gpudx_cutting {
	sqlite3 *db;
	const struct gpudx_episode_kinds *kinds;
	const struct gpudx_refs *refs;
	struct gpudx_track *tracks; /* by place in refs */
	struct gpudx_arena *arena;  /* for what is open at a time */
	gpudx_cut_fn *ended;
	void *arg;
};

/* One pass over the series of all refs; stretches of a ref come in the order of their ends. */
GPUDX_CHECK enum gpudx_status gpudx_cut(const struct gpudx_cutting *what, struct gpudx_err *err);

#endif
