/* The knowledge base: each rules/kb/NAME.tsv becomes table kb_NAME. */
#ifndef GPUDX_KB_H
#define GPUDX_KB_H

#include <sqlite3.h>

#include "gpudx/status.h"

/* Creates and fills the tables. Lines with # are comments, the first other line names the columns.
 * Whole numbers are stored as such, an empty cell is NULL, "name:text" and "name:real" in the
 * heading fix the type of a column whose values look otherwise ("12.10" is a version). */
GPUDX_CHECK enum gpudx_status gpudx_kb_load(sqlite3 *db, struct gpudx_err *err);

/* All that an empty case database holds: src/store/schema.sql, then the knowledge base. */
GPUDX_CHECK enum gpudx_status gpudx_schema_apply(sqlite3 *db, struct gpudx_err *err);

#endif
