/* A rule's SQL, prepared behind the fence: which column is which, and whether the contract holds.
 */
#ifndef GPUDX_STATEMENT_H
#define GPUDX_STATEMENT_H

#include "rules/fence.h"
#include "rules/rule.h"

/* Columns that mean something to the engine; all others fill templates. */
enum gpudx_column {
	GPUDX_C_HOST_ID,
	GPUDX_C_GPU_ID,
	GPUDX_C_T0_US,
	GPUDX_C_T1_US,
	GPUDX_C_CONFIDENCE,
	GPUDX_C_EVIDENCE,
	GPUDX_C_REQUIRED, /* those above must be there, those below may be */
	GPUDX_C_AGAINST = GPUDX_C_REQUIRED,
	GPUDX_C_SEVERITY,
	GPUDX_C_KIND,
	GPUDX_C_POINTS,
	GPUDX_C_STATE,
	GPUDX_C_ACTION,
	GPUDX_C_GRP,
	GPUDX_C_INSTANCE_ID,
	GPUDX_C_T_QUALITY,
	GPUDX_C_COLUMNS
};

struct gpudx_statement {
	sqlite3_stmt *st;
	int n;			 /* columns */
	int at[GPUDX_C_COLUMNS]; /* place of each; -1 not there */
};

/* Prepares the rule and binds what --set changed; before and after are the bundles of a comparison
 * (0 none). The fence must be up. False: the problems say why, and nothing is to be closed. */
bool gpudx_statement_open(struct gpudx_statement *s, struct gpudx_fence *f, struct gpudx_rule *r,
			  int64_t before, int64_t after, struct gpudx_problems *ps);
void gpudx_statement_close(struct gpudx_statement *s);

/* True for a column that has a meaning of its own: it is no attribute of the finding. */
bool gpudx_statement_reserved(const char *name);

/* Refuses a rule that walks through all samples: millions of rows, once for each such rule. The
 * fence must be up. */
void gpudx_statement_check_plan(struct gpudx_fence *f, struct gpudx_rule *r,
				struct gpudx_problems *ps);

#endif
