/* The comparison of two sides: what was found, for writers that only print it. All text is
 * printable (no control characters) and lives as long as the comparison. */
#ifndef GPUDX_COMPARE_MODEL_H
#define GPUDX_COMPARE_MODEL_H

#include <sqlite3.h>

#include "base/arena.h"
#include "base/buf.h"
#include "compare/stats.h"
#include "gpudx/compare.h"

enum { CMP_BEFORE, CMP_AFTER, CMP_SIDES };

/* ---- sides ---- */

/* One physical GPU of a side: a row of gpu in every bundle that has it. */
struct cmp_gpu {
	const char *label;			       /* "GPU 0" */
	const char *host, *uuid, *serial, *bdf, *name; /* NULL unknown */
	int64_t idx;				       /* -1 unknown */
	int host_no;				       /* index of .hosts */
	double memory_mib, compute_cap;		       /* NAN unknown */
};

/* A value of which the site says what it means to have (table site). */
struct cmp_meant {
	int gpu, host_no; /* as in cmp_term */
	const char *key, *layer, *expected, *why;
	bool holds; /* it is as meant */
};

/* A MIG slice of a GPU. */
struct cmp_slice {
	int gpu;		    /* index of .gpus */
	const char *profile, *uuid; /* NULL unknown */
	int64_t gi, ci;		    /* -1 unknown */
	const char *place;
	bool paired;
};

/* One line of the contract. */
struct cmp_term {
	int gpu; /* index of .gpus; -1: of the host */
	int host_no;
	const char *key, *layer, *value, *unit, *place; /* place: "FILE:LINE" */
	double num;					/* NAN none */
};

struct cmp_side {
	sqlite3 *db;
	const char *label;
	int64_t collected_us;	/* GPUDX_NO_TIME unknown */
	int64_t from_us, to_us; /* what of it counts: --split; INT64_MIN, INT64_MAX: all */
	struct cmp_gpu *gpus;
	size_t ngpus;
	int *gpu_by_id;	 /* row id of gpu -> index of .gpus */
	int *host_by_id; /* row id of host -> index of .hosts */
	size_t ngpu_ids, nhost_ids;
	const char **hosts; /* names; NULL unknown */
	size_t nhosts;
	struct cmp_term *terms;
	size_t nterms;
	struct cmp_slice *slices;
	size_t nslices;
	int *slice_by_id; /* row id of gpu_instance -> index of .slices */
	size_t nslice_ids;
	struct cmp_meant *meant;
	size_t nmeant;
};

/* The index that a row of the side's database has in its list; -1: it is in none. */
static inline int cmp_index(const int *by_id, size_t n, int64_t id)
{
	return id > 0 && (size_t)id < n ? by_id[id] : -1;
}

static inline int cmp_gpu_of(const struct cmp_side *s, int64_t id)
{
	return cmp_index(s->gpu_by_id, s->ngpu_ids, id);
}

static inline int cmp_host_of(const struct cmp_side *s, int64_t id)
{
	return cmp_index(s->host_by_id, s->nhost_ids, id);
}

static inline int cmp_slice_of(const struct cmp_side *s, int64_t id)
{
	return cmp_index(s->slice_by_id, s->nslice_ids, id);
}

/* ---- pairing and contract ---- */

struct cmp_pair {
	int gpu[CMP_SIDES];
	const char *how; /* "UUID", "serial", "address", "model and order" */
};

/* A MIG slice of both sides, on the GPUs of a pair. */
struct cmp_slice_pair {
	int slice[CMP_SIDES];
	int pair;
	const char *how; /* "UUID", "instance", "profile and order" */
};

enum cmp_group { CMP_INTENDED, CMP_ALONG, CMP_SETTING, CMP_PART, CMP_GROUPS };

/* One key that differs, on all GPUs on which it differs alike. */
struct cmp_change {
	const char *key, *name, *unit, *layer;
	const char *value[CMP_SIDES], *place[CMP_SIDES];
	double num[CMP_SIDES]; /* NAN none */
	enum cmp_group group;
	const char *cause;   /* "driver", "limit", ...; NULL: it moves nothing */
	const char *follows; /* the key it came along with; NULL none */
	const char *note;    /* "lost: back to the default"; NULL none */
	bool lost;
	bool by_site; /* .group, .lost and .note are the site's word */
	bool of_gpus;
	bool *pairs; /* of_gpus: which pairs */
	size_t npairs;
	const char *who; /* "GPU 0-7", "GPU 0, 3"; "" host */
};

/* ---- load and series ---- */

enum cmp_better { CMP_NONE, CMP_HIGHER, CMP_LOWER };

/* A kind of series: a row of kb_compare_series. */
struct cmp_kind {
	const char *key, *name, *unit, *role;
	enum cmp_better better;
	double floor_pct, floor_k; /* NAN none */
};

/* Values of one GPU (or job) on one side at equal load, in order of time. */
struct cmp_series {
	size_t n;
	double *x, *w;	/* w NULL: all alike */
	double minutes; /* that they cover */
	double step_s;	/* between two values; NAN unknown */
};

/* Clocks event reasons that share of time is told of. */
enum { CMP_REASONS = 8 };
struct cmp_reason {
	uint32_t bit;
	const char *name;
};
extern const struct cmp_reason gpudx_cmp_reasons[CMP_REASONS];

/* What a pair of GPUs did under load. */
struct cmp_load {
	bool comparable;
	bool by_memory;	     /* memory in use was matched, too, not utilization alone */
	const char *why_not; /* NULL when comparable */
	double overlap;	     /* 0 to 1; NAN unknown */
	double util[CMP_SIDES][2], mem_mib[CMP_SIDES][2]; /* 5 % and 95 % of the steady samples */
	double minutes[CMP_SIDES];			  /* steady and under load */
	double cut_min[CMP_SIDES];			  /* idle and warm-up, cut off */
	double reason[CMP_SIDES][CMP_REASONS];		  /* share of time; NAN not recorded */
	double throttle_after_s[CMP_SIDES]; /* from the start of load; NAN never or not recorded */
	double limit_w[CMP_SIDES];	    /* in the samples; NAN not recorded */
};

enum cmp_verdict { CMP_SAME, CMP_BETTER, CMP_WORSE, CMP_MORE, CMP_LESS, CMP_CANNOT_TELL };

/* What a shift is of. */
enum { CMP_OF_ALL = -1, CMP_OF_SLOWEST = -2, CMP_OF_JOB = -3, CMP_OF_SLICE = -10 };

/* A pair of slices is CMP_OF_SLICE less its index in .slices of the comparison; this is the index, -1
 * of what is no slice. */
static inline int cmp_slice_no(int of)
{
	return of <= CMP_OF_SLICE ? CMP_OF_SLICE - of : -1;
}

struct cmp_shift {
	const struct cmp_kind *kind;
	double quantile; /* 0.5, or of latencies also 0.95 and 0.99 */
	int pair;	 /* or CMP_OF_... */
	struct cmp_estimate *side[CMP_SIDES];
	double minutes[CMP_SIDES];
	double step_s;
	double change;		      /* after - before: in the unit */
	struct cmp_range range;	      /* 95 %, in the unit */
	double share;		      /* of before; NAN where that says nothing (temperatures) */
	struct cmp_range share_range; /* 95 % */
	bool sure;		      /* the whole family of tests considered */
	bool by_reason; /* of clocks: sure by what held the GPU on one side only (its share of the
			 * time: .held), however wide the interval is */
	double held;
	enum cmp_verdict verdict;
	double within;	       /* CMP_SAME: the share (or K) that it stays within */
	const char *explained; /* "follows the limit"; NULL */
};

/* What distribution plots show: histograms with common bins. */
enum { CMP_BINS = 40 };
struct cmp_histogram {
	const struct cmp_kind *kind;
	double lo, width;
	double share[CMP_SIDES][CMP_BINS];
};

/* Clock against power: points of both sides. */
enum { CMP_CLOUD = 400 };
struct cmp_cloud {
	size_t n[CMP_SIDES];
	double power_w[CMP_SIDES][CMP_CLOUD], clock_mhz[CMP_SIDES][CMP_CLOUD];
};

/* ---- errors ---- */

struct cmp_rate {
	const char *kind; /* "xid" */
	int64_t code;	  /* -1: all codes, or the kind has none */
	int64_t n[CMP_SIDES];
	double hours[CMP_SIDES]; /* GPU-hours or host-hours that whole logs cover */
	bool of_gpus;
	bool watched[CMP_SIDES]; /* a whole log would have shown it */
	double ratio, lo, hi;	 /* hi INFINITY: no bound; NAN nothing can be said */
	double p;		 /* two-sided */
	double hours_needed;	 /* of exposure after, without which a factor of 3 is not seen */
	bool sure;		 /* rose, the whole family considered */
	const char *place;	 /* first line after; NULL none */
};

/* ---- counters ---- */

enum cmp_count { CMP_COUNT_OF, CMP_COUNT_TIME /* microseconds */, CMP_COUNT_STATE /* 0 or 1 */ };

/* A counter of one board that both sides state. */
struct cmp_counter {
	const char *key, *name;
	const char *port; /* "0000:3a:00.0": it is of that port above the GPU; NULL of the GPU */
	enum cmp_count kind;
	int pair;
	double value[CMP_SIDES];
	const char *place[CMP_SIDES];
	double growth;	     /* after a restart what was counted since, which is the least */
	bool restarted;	     /* it began again in between */
	bool fell;	     /* and nothing that is known clears it */
	double hours;	     /* in which it grew; NAN unknown */
	double hours_before; /* since when it had counted before; NAN unknown */
	char grade;	     /* E W I; 0: it did not grow */
};

/* ---- conclusions ---- */

struct cmp_finding {
	const char *id;	 /* "compare.clock-shift" */
	char severity;	 /* E W I */
	const char *who; /* "GPU 3"; "" */
	const char *text;
};

enum cmp_outcome { CMP_PASS, CMP_FAIL, CMP_INCONCLUSIVE };

struct cmp_condition {
	const char *name;  /* "clock-drop" */
	const char *asked; /* "SM clock at most 3 % lower" */
	enum cmp_outcome outcome;
	const char *said;  /* "23.7 % > 3 % on GPU 2" */
	const char *needs; /* inconclusive: "12 more minutes under load"; NULL */
	const char *cause; /* NULL not known */
};

struct gpudx_comparison {
	struct gpudx_arena arena;
	struct gpudx_compare_options options;
	struct cmp_side side[CMP_SIDES];
	const char *split_by; /* "driver.version 535 → 550"; NULL: two cases */
	struct cmp_pair *pairs;
	size_t npairs;
	bool *paired[CMP_SIDES];       /* by GPU */
	struct cmp_slice_pair *slices; /* by pair */
	size_t nslices;
	struct cmp_change *changes;
	size_t nchanges;
	const char **one_sided[CMP_SIDES]; /* names of keys known on that side only */
	size_t none_sided[CMP_SIDES];
	const char **same; /* names of keys that are equal */
	size_t nsame;
	const char **untranslated; /* columns whose meaning changed, in words */
	size_t nuntranslated;
	const char **refused; /* those columns and keys */
	size_t nrefused;
	struct cmp_kind *kinds;
	size_t nkinds;
	struct cmp_load *loads; /* by pair */
	bool comparable;	/* at least one pair is */
	struct cmp_shift *shifts;
	size_t nshifts;
	struct cmp_histogram *histograms;
	size_t nhistograms;
	struct cmp_cloud *cloud; /* NULL without clocks and power */
	struct cmp_rate *rates;
	size_t nrates;
	struct cmp_counter *counters; /* by pair */
	size_t ncounters;
	const char *no_counters; /* why there are none; NULL there are */
	const char **new_kinds;	 /* of events that appeared */
	size_t nnew_kinds;
	const char *lead;     /* the one sentence */
	const char **reasons; /* sentences under it: attribution, what would separate */
	size_t nreasons;
	const char *cause; /* of the main shift, short; NULL not known */
	const char **next; /* commands */
	size_t nnext;
	struct cmp_finding *findings;
	size_t nfindings;
	struct cmp_condition *gate;
	size_t ngate;
};

/* What was estimated of its own: a GPU, a job or a slice, and not several together. */
bool gpudx_shift_single(const struct cmp_shift *s);
/* The first shift of a series and pair (or CMP_OF_...), NULL none. */
const struct cmp_shift *gpudx_shift_of(const struct gpudx_comparison *c, const char *role, int pair,
				       double quantile);
/* The change of a key, NULL when it did not change. */
const struct cmp_change *gpudx_change_of(const struct gpudx_comparison *c, const char *key);

/* "0 → 120 in 141 h (0.85 an hour)", "no → yes" */
void gpudx_counter_text(struct gpudx_buf *b, const struct cmp_counter *v);
/* Counters that grew come in groups of one name and grade. Is this the first of its group? */
bool gpudx_counter_first(const struct gpudx_comparison *c, size_t i);
bool gpudx_counters_alike(const struct cmp_counter *a, const struct cmp_counter *b);
/* A group, by its first: "PCIe replays: GPU 3 0 → 120 in 141 h (0.85 an hour)". */
void gpudx_counter_sentence(struct gpudx_buf *b, const struct gpudx_comparison *c, size_t first);

/* ---- the stages, in their order; each fills its part ---- */

GPUDX_CHECK enum gpudx_status gpudx_side_load(struct cmp_side *s, struct gpudx_arena *a,
					      struct gpudx_err *err);
/* Slices of a side that was loaded, and the layout of each GPU as a term mig.layout. */
GPUDX_CHECK enum gpudx_status gpudx_side_slices(struct cmp_side *s, struct gpudx_arena *a,
						struct gpudx_err *err);
GPUDX_CHECK enum gpudx_status gpudx_pair_slices(struct gpudx_comparison *c, struct gpudx_err *err);
GPUDX_CHECK enum gpudx_status gpudx_pair(struct gpudx_comparison *c, struct gpudx_err *err);
GPUDX_CHECK enum gpudx_status gpudx_diff(struct gpudx_comparison *c, struct gpudx_err *err);
/* Also takes out of the changes what cannot be told. */
GPUDX_CHECK enum gpudx_status gpudx_meanings(struct gpudx_comparison *c, struct gpudx_err *err);
bool gpudx_refused(const struct gpudx_comparison *c, const char *column);
GPUDX_CHECK enum gpudx_status gpudx_counters(struct gpudx_comparison *c, struct gpudx_err *err);
GPUDX_CHECK enum gpudx_status gpudx_behave(struct gpudx_comparison *c, struct gpudx_err *err);
GPUDX_CHECK enum gpudx_status gpudx_rates(struct gpudx_comparison *c, struct gpudx_err *err);
GPUDX_CHECK enum gpudx_status gpudx_attribute(struct gpudx_comparison *c, struct gpudx_err *err);
GPUDX_CHECK enum gpudx_status gpudx_gate(struct gpudx_comparison *c, struct gpudx_err *err);

/* All of them. before and after may be one database with different windows. */
GPUDX_CHECK enum gpudx_status gpudx_compare_sides(struct gpudx_comparison *c,
						  struct gpudx_err *err);

/* "GPU 0 3g.20gb" of a slice's shift; "" of others. NULL when memory is out. */
const char *gpudx_slice_label(struct gpudx_arena *a, const struct gpudx_comparison *c, int of);

/* A table by row id, all -1: ids are small, rows are numbered from 1. sql gives the largest.
 * GPUDX_E_LIMIT: there are more than can be compared. */
GPUDX_CHECK enum gpudx_status gpudx_cmp_id_table(sqlite3 *db, const char *sql,
						 struct gpudx_arena *a, int **out, size_t *n,
						 struct gpudx_err *err);

/* A text column as a printable string; NULL for NULL. */
const char *gpudx_cmp_text(struct gpudx_arena *a, sqlite3_stmt *st, int i);

#endif
