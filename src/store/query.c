#include "store/query.h"

static enum gpudx_status prepare(sqlite3 *db, const char *sql, int64_t bundle, sqlite3_stmt **st,
				 struct gpudx_err *err)
{
	enum gpudx_status rc = gpudx_db_prepare(db, sql, st, err);

	if (!rc && sqlite3_bind_parameter_count(*st) > 0)
		sqlite3_bind_int64(*st, 1, bundle);
	return rc;
}

enum gpudx_status gpudx_query_run(sqlite3 *db, const char *sql, int64_t bundle,
				  struct gpudx_err *err)
{
	sqlite3_stmt *st = NULL;
	enum gpudx_status rc = prepare(db, sql, bundle, &st, err);

	if (!rc)
		rc = gpudx_db_run(st, err);
	sqlite3_finalize(st);
	return rc;
}

enum gpudx_status gpudx_query_all(sqlite3 *db, const char *const *sql, size_t n, int64_t bundle,
				  struct gpudx_err *err)
{
	enum gpudx_status rc = GPUDX_OK;

	for (size_t i = 0; i < n && !rc; i++)
		rc = gpudx_query_run(db, sql[i], bundle, err);
	return rc;
}

enum gpudx_status gpudx_query_each(sqlite3 *db, const char *sql, int64_t bundle, gpudx_row_fn *fn,
				   void *arg, struct gpudx_err *err)
{
	sqlite3_stmt *st = NULL;
	enum gpudx_status rc = prepare(db, sql, bundle, &st, err);
	bool row = true;

	while (!rc && row) {
		rc = gpudx_db_step(st, &row, err);
		if (!rc && row)
			rc = fn(arg, st, err);
	}
	sqlite3_finalize(st);
	return rc;
}
