/* What "no row" means. The SQL of a rule runs, or has nothing to read (reads.h); whether a rule that found nothing calls a GPU
 * clean, or could not have seen it, is decided by its needs against the table coverage.
 *
 * A rule speaks of each GPU when one of its terms is of a GPU: sample.*, episode.*, tables whose
 * rows name a GPU, facts and logs as the knowledge base says. Else it speaks of the host. */
#ifndef GPUDX_NEEDS_H
#define GPUDX_NEEDS_H

#include "rules/finding.h"
#include "rules/vocabulary.h"

struct gpudx_coverage;

/* since and until limit what counts: what covers only other times shows nothing of these.
 * GPUDX_NO_TIME = no limit. */
GPUDX_CHECK enum gpudx_status
gpudx_coverage_load(sqlite3 *db, const struct gpudx_scene *scene, const struct gpudx_vocabulary *v,
		    int64_t since_us, int64_t until_us, struct gpudx_arena *a,
		    struct gpudx_coverage **out, struct gpudx_err *err);

/* Does a need hold for this GPU (0 = the host)? log.* holds only where a whole log covers; a term
 * of the host holds for all its GPUs. */
bool gpudx_need_holds(const struct gpudx_coverage *c, const struct gpudx_need *need, int64_t host,
		      int64_t gpu);

/* Writes rule_run: one row per rule and host, or GPU, it speaks of. Rules that broke have a row of
 * their own already and are left out, as are those of another scope. */
GPUDX_CHECK enum gpudx_status gpudx_outcomes(sqlite3 *db, const struct gpudx_scene *scene,
					     const struct gpudx_ruleset *rules,
					     const struct gpudx_findings *findings,
					     const struct gpudx_coverage *c, struct gpudx_err *err);

/* Forgets what would settle a finding where the bundle holds it whole, for the host or all GPUs of
 * the finding: nobody should collect again what was judged. */
GPUDX_CHECK enum gpudx_status gpudx_settled(sqlite3 *db, int64_t bundle, struct gpudx_err *err);

#endif
