/* Judging one bundle: every rule runs, rows become findings, findings become causes and effects,
 * and one verdict. derive has done its part before. */
#ifndef GPUDX_JUDGE_H
#define GPUDX_JUDGE_H

#include "base/stamp.h"
#include "rules/fence.h"
#include "rules/set.h"

struct gpudx_judge_in {
	int64_t bundle;
	int64_t before;				 /* the bundle it is compared with; 0 none */
	const char *symptom;			 /* --complaint; NULL none */
	int64_t at_us, since_us, until_us;	 /* GPUDX_NO_TIME none */
	const struct gpudx_fence_limits *limits; /* NULL: gpudx_fence_default */
};

struct gpudx_judge_out {
	size_t rules;  /* judged */
	size_t broken; /* rules that could not be loaded or run: see rule_run */
	size_t findings;
	const char *verdict; /* fault | explanation | operation | healthy | cannot_tell */
};

/* Runs the rules of the set on the bundle and writes rule, rule_run, finding*, root and verdict;
 * what an earlier call wrote of this bundle is replaced. No transaction may be open. A broken rule
 * is a row of rule_run, not an error. A set serves one judgement: what broke in it stays broken. */
GPUDX_CHECK enum gpudx_status gpudx_judge(sqlite3 *db, struct gpudx_ruleset *rules,
					  const struct gpudx_judge_in *in,
					  struct gpudx_judge_out *out, struct gpudx_err *err);

/* Checks a set against the database's schema and knowledge base without judging anything: terms,
 * SQL, columns, placeholders, and that no rule walks through all samples. */
GPUDX_CHECK enum gpudx_status gpudx_ruleset_check(struct gpudx_ruleset *rules, sqlite3 *db,
						  struct gpudx_err *err);

#endif
