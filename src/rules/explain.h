/* "explains" across a set of rules. */
#ifndef GPUDX_EXPLAIN_H
#define GPUDX_EXPLAIN_H

#include "rules/set.h"

/* Adds a problem for each id that no rule has, and for each rule that, over others, explains
 * itself: without such circles a finding can never be its own cause. */
void gpudx_explains_check(struct gpudx_ruleset *s);

#endif
