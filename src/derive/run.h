/* Statements about one bundle, whose id is their ?1. */
#ifndef GPUDX_RUN_H
#define GPUDX_RUN_H

#include "store/store.h"

/* Runs one that gives no rows. */
GPUDX_CHECK enum gpudx_status gpudx_run(sqlite3 *db, const char *sql, int64_t bundle,
					struct gpudx_err *err);

#endif
