/* Whether a rule has anything to read. Preparing the SQL of a rule takes far longer than running it
 * over nothing, and most rules are about something that did not happen: "reads" in their header
 * names what each of their rows is made of, and the engine prepares those that have some of it. */
#ifndef GPUDX_READS_H
#define GPUDX_READS_H

#include "rules/vocabulary.h"

struct gpudx_present; /* what the database holds */

GPUDX_CHECK enum gpudx_status gpudx_present_load(sqlite3 *db, struct gpudx_arena *a,
						 struct gpudx_present **out, struct gpudx_err *err);

/* False where the query of the rule cannot give a row: a term of "reads" names nothing that is
 * there. True without "reads". */
bool gpudx_reads_some(const struct gpudx_present *p, const struct gpudx_rule *r);

/* Checks the terms of every rule. */
void gpudx_reads_check(const struct gpudx_vocabulary *v, struct gpudx_ruleset *rules);

#endif
