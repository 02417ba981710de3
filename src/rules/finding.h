/* The findings of one bundle in memory, for what looks at all of them together. */
#ifndef GPUDX_FINDING_H
#define GPUDX_FINDING_H

#include "base/stamp.h"
#include "rules/scene.h"
#include "rules/set.h"

struct gpudx_finding {
	int64_t id, host;
	const struct gpudx_rule *rule;
	int64_t t0_us, t1_us; /* GPUDX_NO_TIME undated */
	int severity;	      /* rank: 0 critical */
	int quality;	      /* rank in GPUDX_W_QUALITY; -1 undated */
	double confidence;
	const char *kind, *shows;
	bool at_end;
	const int64_t *gpus; /* distinct, by id */
	size_t ngpus;
};

struct gpudx_findings {
	struct gpudx_finding *list; /* by id; findings of a rule stand together */
	size_t n;
};

/* Reads those of scene->bundle whose rule is in the set. */
GPUDX_CHECK enum gpudx_status gpudx_findings_load(sqlite3 *db, const struct gpudx_scene *scene,
						  const struct gpudx_ruleset *rules,
						  struct gpudx_arena *a, struct gpudx_findings *out,
						  struct gpudx_err *err);

/* Can the two be ordered in time: both dated, by clocks of the same kind? */
bool gpudx_finding_comparable(const struct gpudx_finding *a, const struct gpudx_finding *b);

#endif
