/* The kinds of episode and their floors, as rules/kb/episode_kinds.tsv defines them. */
#ifndef GPUDX_KINDS_H
#define GPUDX_KINDS_H

#include "base/arena.h"
#include "store/store.h"

enum { GPUDX_KINDS_MAX = 16 };

/* A condition that is not set is NAN or 0. */
struct gpudx_episode_kind {
	struct gpudx_sv name;
	double util_min, util_max; /* % */
	double clock_pct;	   /* SM clock at most, of the reference */
	bool of_busy;	   /* reference: what 60 s of busy samples reach; else the top level */
	double power_pct;  /* power at least, of the limit */
	double spread_pct; /* (p90 - p10) / p50 of power at most */
	uint32_t bits, not_bits; /* reasons: one of these, none of those */
	uint32_t counts;	 /* the reason that reasons_set counts */
	uint32_t min_samples, join_samples;
	double min_s, join_s;
};

struct gpudx_episode_kinds {
	struct gpudx_episode_kind v[GPUDX_KINDS_MAX];
	unsigned n;
};

GPUDX_CHECK enum gpudx_status gpudx_kinds_load(sqlite3 *db, struct gpudx_arena *arena,
					       struct gpudx_episode_kinds *out,
					       struct gpudx_err *err);

#endif
