/* The one sentence on top: what the first root is, or that all is well, or that nobody can tell. */
#ifndef GPUDX_VERDICT_H
#define GPUDX_VERDICT_H

#include "rules/graph.h"
#include "rules/needs.h"

struct gpudx_verdict_in {
	const struct gpudx_scene *scene;
	const struct gpudx_graph *graph;
	const struct gpudx_coverage *coverage;
	const struct gpudx_question *question;
	size_t judged, broken; /* rules that ran, and that could not be loaded or run */
};

/* Writes the row of verdict; *kind is what it says. "healthy" asks for enough to have been seen of
 * every GPU (one of the sets of rules/kb/enough.tsv for the symptom), no rule broken, nothing damaged,
 * and no error of the last boot that no finding cites. */
GPUDX_CHECK enum gpudx_status gpudx_verdict(sqlite3 *db, const struct gpudx_verdict_in *in,
					    const char **kind, struct gpudx_err *err);

#endif
