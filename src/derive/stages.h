/* Stages of derive that work on what the others have resolved: refs with GPU and clock, facts and
 * events with host, boot and time, incidents, coverage. Each reads and writes tables of one bundle,
 * runs inside the caller's transaction, replaces what an earlier run wrote, and gives the same rows
 * for the same input. */
#ifndef GPUDX_STAGES_H
#define GPUDX_STAGES_H

#include "store/store.h"

/* gpu_stat, from the rollups. Needs nothing of derive. */
GPUDX_CHECK enum gpudx_status gpudx_derive_stats(struct gpudx_store *store, int64_t bundle,
						 struct gpudx_err *err);

/* metric_stat. Needs nothing of derive. */
GPUDX_CHECK enum gpudx_status gpudx_derive_metrics(struct gpudx_store *store, int64_t bundle,
						   struct gpudx_err *err);

/* episode, and coverage of episode.KIND. After identity, clocks, facts and gpudx_derive_stats. */
GPUDX_CHECK enum gpudx_status gpudx_derive_episodes(struct gpudx_store *store, int64_t bundle,
						    struct gpudx_err *err);

/* fact.num of versions: 550.54.14 = 550054014. After facts have their hosts. */
GPUDX_CHECK enum gpudx_status gpudx_derive_versions(struct gpudx_store *store, int64_t bundle,
						    struct gpudx_err *err);

/* A version on one of the scales of kb_fact_keys.num_as: driver 550.54.14 = 550054014, cuda 12.4 =
 * 12040, torch 2.10.1 = 2010. -1: no version, or another scale. */
int64_t gpudx_version_num(struct gpudx_sv scale, struct gpudx_sv version);

/* change. After identity, clocks and facts. */
GPUDX_CHECK enum gpudx_status gpudx_derive_changes(struct gpudx_store *store, int64_t bundle,
						   struct gpudx_err *err);

/* rate_test. After changes and incidents, and after the coverage rows log.KIND: these are the
 * exposure. */
GPUDX_CHECK enum gpudx_status gpudx_derive_rates(struct gpudx_store *store, int64_t bundle,
						 struct gpudx_err *err);

#endif
