#include "report/select.h"

struct rep_select gpudx_select(sqlite3 *db, const char *sql, int64_t first, struct gpudx_err *err)
{
	struct rep_select q = { .err = err };

	q.rc = gpudx_db_prepare(db, sql, &q.st, err);
	if (!q.rc && sqlite3_bind_parameter_count(q.st) > 0)
		sqlite3_bind_int64(q.st, 1, first);
	return q;
}

void gpudx_select_again(struct rep_select *q, int64_t first, int64_t second)
{
	if (!q->st)
		return;
	sqlite3_reset(q->st);
	sqlite3_bind_int64(q->st, 1, first);
	sqlite3_bind_int64(q->st, 2, second);
}

bool gpudx_select_next(struct rep_select *q)
{
	bool row = false;

	if (!q->rc)
		q->rc = gpudx_db_step(q->st, &row, q->err);
	return row;
}

enum gpudx_status gpudx_select_end(struct rep_select *q)
{
	sqlite3_finalize(q->st);
	q->st = NULL;
	return q->rc;
}

struct gpudx_sv gpudx_select_text(struct rep_select *q, struct gpudx_arena *arena, int column)
{
	struct gpudx_sv s = gpudx_col_text(q->st, column);

	return s.p ? gpudx_arena_sv(arena, s) : s;
}

void *gpudx_report_grow(struct gpudx_arena *arena, void *objects, size_t n, size_t size)
{
	void *more;

	if (n && (n & (n - 1)))
		return objects; /* room is for powers of two */
	more = gpudx_arena_array(arena, n ? 2 * n : 1, size);
	if (more && n)
		memcpy(more, objects, n * size);
	return more;
}
