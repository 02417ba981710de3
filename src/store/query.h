/* What all stages behind ingest do with statements. In each of them ?1, where it stands, is the bundle. */
#ifndef GPUDX_QUERY_H
#define GPUDX_QUERY_H

#include "store/store.h"

/* Runs one statement that gives no rows. */
GPUDX_CHECK enum gpudx_status gpudx_query_run(sqlite3 *db, const char *sql, int64_t bundle,
					      struct gpudx_err *err);

/* Runs the n statements in turn. */
GPUDX_CHECK enum gpudx_status gpudx_query_all(sqlite3 *db, const char *const *sql, size_t n,
					      int64_t bundle, struct gpudx_err *err);

typedef enum gpudx_status gpudx_row_fn(void *arg, sqlite3_stmt *row, struct gpudx_err *err);

/* Calls fn for each row, until it fails. Texts of the row are gone when fn returns. */
GPUDX_CHECK enum gpudx_status gpudx_query_each(sqlite3 *db, const char *sql, int64_t bundle,
					       gpudx_row_fn *fn, void *arg, struct gpudx_err *err);

#endif
