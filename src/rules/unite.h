/* Groups of rows become rows of finding and its tables. Its time and state (moment.h), its
 * sentences (sentence.h) and its place among the others (graph.h) are found later. */
#ifndef GPUDX_UNITE_H
#define GPUDX_UNITE_H

#include "rules/row.h"

struct gpudx_uniter;

GPUDX_CHECK enum gpudx_status gpudx_unite_begin(sqlite3 *db, const struct gpudx_scene *scene,
						struct gpudx_uniter **out, struct gpudx_err *err);

/* Writes the findings of one rule in a transaction of their own. Left open: summary '', at_end -1,
 * state '' unless a row says it, t_quality NULL unless a row says it. scratch is used and not given
 * back. */
GPUDX_CHECK enum gpudx_status gpudx_unite_write(struct gpudx_uniter *w,
						const struct gpudx_rule *rule,
						const struct gpudx_rows *rows,
						struct gpudx_arena *scratch, struct gpudx_err *err);
void gpudx_unite_end(struct gpudx_uniter *w);

#endif
