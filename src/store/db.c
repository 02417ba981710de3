/* The small helps of store.h around an SQLite handle. */
#include "store/store.h"

#include "base/oom.h"
#include "base/stamp.h"

#include <math.h>

/* Notes it if the machine has no memory, not a limit: rules run behind one of their own. */
static void note_no_memory(sqlite3 *db)
{
	if (sqlite3_errcode(db) == SQLITE_NOMEM && sqlite3_hard_heap_limit64(-1) <= 0)
		gpudx_oom_note();
}

enum gpudx_status gpudx_db_fail(sqlite3 *db, struct gpudx_err *err)
{
	int rc = sqlite3_errcode(db);

	if (rc == SQLITE_NOMEM) {
		note_no_memory(db); /* some callers go on without what they asked for */
		return gpudx_nomem(err);
	}
	return gpudx_fail(err,
			  rc == SQLITE_FULL || rc == SQLITE_IOERR || rc == SQLITE_CANTOPEN ||
					  rc == SQLITE_READONLY
				  ? GPUDX_E_IO
				  : GPUDX_E_BUG,
			  "database: %s", sqlite3_errmsg(db));
}

enum gpudx_status gpudx_db_exec(sqlite3 *db, const char *sql, struct gpudx_err *err)
{
	return sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK ? GPUDX_OK
								    : gpudx_db_fail(db, err);
}

enum gpudx_status gpudx_db_prepare(sqlite3 *db, const char *sql, sqlite3_stmt **out,
				   struct gpudx_err *err)
{
	if (sqlite3_prepare_v2(db, sql, -1, out, NULL) != SQLITE_OK)
		return gpudx_db_fail(db, err);
	return GPUDX_OK;
}

enum gpudx_status gpudx_db_step(sqlite3_stmt *st, bool *row, struct gpudx_err *err)
{
	int rc = sqlite3_step(st);

	*row = rc == SQLITE_ROW;
	return rc == SQLITE_ROW || rc == SQLITE_DONE ? GPUDX_OK
						     : gpudx_db_fail(sqlite3_db_handle(st), err);
}

enum gpudx_status gpudx_db_run(sqlite3_stmt *st, struct gpudx_err *err)
{
	int rc = sqlite3_step(st);
	enum gpudx_status out = rc == SQLITE_DONE || rc == SQLITE_ROW
					? GPUDX_OK
					: gpudx_db_fail(sqlite3_db_handle(st), err);

	sqlite3_reset(st);
	return out;
}

enum gpudx_status gpudx_db_int(sqlite3 *db, const char *sql, int64_t fallback, int64_t *out,
			       struct gpudx_err *err)
{
	sqlite3_stmt *st;
	enum gpudx_status rc = gpudx_db_prepare(db, sql, &st, err);
	bool row = false;

	*out = fallback;
	if (rc)
		return rc;
	rc = gpudx_db_step(st, &row, err);
	if (!rc && row)
		*out = gpudx_col_int(st, 0, fallback);
	sqlite3_finalize(st);
	return rc;
}

bool gpudx_db_has(sqlite3 *db, const char *table, const char *column)
{
	return sqlite3_table_column_metadata(db, "main", table, column, NULL, NULL, NULL, NULL,
					     NULL) == SQLITE_OK;
}

struct gpudx_sv gpudx_col_text(sqlite3_stmt *st, int i)
{
	const char *p = (const char *)sqlite3_column_text(st, i);

	if (!p)
		note_no_memory(sqlite3_db_handle(st));
	return sv_n(p, p ? (size_t)sqlite3_column_bytes(st, i) : 0);
}

int64_t gpudx_col_int(sqlite3_stmt *st, int i, int64_t null)
{
	return sqlite3_column_type(st, i) == SQLITE_NULL ? null : sqlite3_column_int64(st, i);
}

int64_t gpudx_col_time(sqlite3_stmt *st, int i)
{
	return gpudx_col_int(st, i, GPUDX_NO_TIME);
}

double gpudx_col_real(sqlite3_stmt *st, int i)
{
	return sqlite3_column_type(st, i) == SQLITE_NULL ? (double)NAN
							 : sqlite3_column_double(st, i);
}

void gpudx_bind_text(sqlite3_stmt *st, int i, struct gpudx_sv s)
{
	if (s.p &&
	    sqlite3_bind_text64(st, i, s.p, s.n, SQLITE_TRANSIENT, SQLITE_UTF8) == SQLITE_NOMEM)
		gpudx_oom_note(); /* NULL would be stored in its place */
	else if (!s.p)
		sqlite3_bind_null(st, i);
}

void gpudx_bind_unless(sqlite3_stmt *st, int i, int64_t v, int64_t none)
{
	if (v == none)
		sqlite3_bind_null(st, i);
	else
		sqlite3_bind_int64(st, i, v);
}

void gpudx_bind_time(sqlite3_stmt *st, int i, int64_t t_us)
{
	gpudx_bind_unless(st, i, t_us, GPUDX_NO_TIME);
}

void gpudx_bind_real(sqlite3_stmt *st, int i, double v)
{
	if (isfinite(v))
		sqlite3_bind_double(st, i, v);
	else
		sqlite3_bind_null(st, i);
}
