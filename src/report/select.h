/* Reading rows without ceremony:
 *	struct rep_select q = gpudx_select(db, "SELECT ... WHERE bundle_id = ?1", bundle, err);
 *	while (gpudx_select_next(&q))
 *		... gpudx_col_text(q.st, 0) ...
 *	rc = gpudx_select_end(&q);
 */
#ifndef GPUDX_SELECT_H
#define GPUDX_SELECT_H

#include <stdbool.h>

#include "base/arena.h"
#include "store/store.h"

struct rep_select {
	sqlite3_stmt *st;
	struct gpudx_err *err;
	enum gpudx_status rc;
};

/* Prepares sql; ?1 gets first, if there is one. A failure shows at the end. */
struct rep_select gpudx_select(sqlite3 *db, const char *sql, int64_t first, struct gpudx_err *err);

/* The same statement from its start with other values in ?1 and ?2. */
void gpudx_select_again(struct rep_select *q, int64_t first, int64_t second);

bool gpudx_select_next(struct rep_select *q);
enum gpudx_status gpudx_select_end(struct rep_select *q);

/* A copy of a text column in the arena; .p NULL for NULL and when memory is out. */
struct gpudx_sv gpudx_select_text(struct rep_select *q, struct gpudx_arena *arena, int column);

/* Room for one more object behind n others, which may move; NULL when memory is out. */
void *gpudx_report_grow(struct gpudx_arena *arena, void *objects, size_t n, size_t size);

#endif
