/* The terms that "needs" and "settle" may use, as schema and knowledge base define them. */
#ifndef GPUDX_VOCABULARY_H
#define GPUDX_VOCABULARY_H

#include <sqlite3.h>

#include "base/map.h"
#include "rules/set.h"

enum gpudx_term_scope { GPUDX_TERM_UNKNOWN, GPUDX_TERM_HOST, GPUDX_TERM_GPU };

struct gpudx_vocabulary {
	struct gpudx_map terms;	  /* "sample.power_w" -> scope */
	struct gpudx_sv *pattern; /* terms with a *: "fact.nvreg.*" */
	enum gpudx_term_scope *pattern_scope;
	struct gpudx_sv *collect; /* patterns of rules/kb/collect.tsv */
	size_t npatterns, ncollect;
	bool facts, logs, episodes; /* the knowledge base lists them; else any name is taken */
};

GPUDX_CHECK enum gpudx_status gpudx_vocabulary_load(sqlite3 *db, struct gpudx_arena *a,
						    struct gpudx_vocabulary *out,
						    struct gpudx_err *err);

/* What a term is about; UNKNOWN when there is no such term. */
enum gpudx_term_scope gpudx_term(const struct gpudx_vocabulary *v, struct gpudx_sv term);

/* Checks "needs", "settle" and the kinds of events in the SQL of every rule, and sets .per_gpu. */
void gpudx_vocabulary_check(const struct gpudx_vocabulary *v, struct gpudx_ruleset *rules);

#endif
