#include "derive/run.h"

enum gpudx_status gpudx_run(sqlite3 *db, const char *sql, int64_t bundle, struct gpudx_err *err)
{
	sqlite3_stmt *st;
	enum gpudx_status rc = gpudx_db_prepare(db, sql, &st, err);

	if (rc)
		return rc;
	sqlite3_bind_int64(st, 1, bundle);
	rc = gpudx_db_run(st, err);
	sqlite3_finalize(st);
	return rc;
}
