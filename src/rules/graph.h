/* Causes and consequences: which finding explains which, what remains as root, and in which order
 * roots deserve attention. */
#ifndef GPUDX_GRAPH_H
#define GPUDX_GRAPH_H

#include "rules/finding.h"

/* What the user asked; it decides the order of roots. */
struct gpudx_question {
	const char *symptom; /* words.h; NULL none */
	int64_t at_us;	     /* GPUDX_NO_TIME none */
};

struct gpudx_edge {
	size_t cause, effect; /* places in the findings */
};

/* One root, with what it is ordered by. A cause stands for what it explains: fit, severity, effect
 * and at_end are the strongest of it and all below. */
struct gpudx_root {
	const struct gpudx_finding *finding;
	size_t folded; /* findings below it, directly or not */
	int severity;  /* rank */
	bool fits;     /* what was complained about */
	bool at_end, effect;
	bool carries; /* one of them is more than a note */
	int64_t away; /* bursts (3 minutes) between it and the time asked for; INT64_MAX undated */
};

struct gpudx_graph {
	struct gpudx_edge *edge; /* by cause, then effect */
	size_t nedges;
	struct gpudx_root *root; /* in order */
	size_t nroots;
};

/* Finds edges and roots and writes finding_edge and root. For each finding and each rule that
 * explains it, the nearest finding of that rule is the cause. Roots are findings that nothing
 * explains, but mere notes: bundle.*, and info that is a fault or a condition and explains nothing
 * but such. */
GPUDX_CHECK enum gpudx_status gpudx_graph_make(sqlite3 *db, const struct gpudx_scene *scene,
					       const struct gpudx_findings *findings,
					       const struct gpudx_question *q,
					       struct gpudx_arena *a, struct gpudx_graph *out,
					       struct gpudx_err *err);

/* Less than 0 when a deserves attention before b. *why is the reason, in words that follow "first
 * because it is ...". */
int gpudx_root_compare(const struct gpudx_root *a, const struct gpudx_root *b, const char **why);

#endif
