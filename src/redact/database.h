/* A case database without its secrets, for all who read it: temporary views hide the tables that
 * hold text of a bundle. Nothing is copied and nothing is changed. */
#ifndef GPUDX_REDACT_DATABASE_H
#define GPUDX_REDACT_DATABASE_H

#include <sqlite3.h>

#include "redact/redact.h"

/* Learns every value in the database and settles. Values that identify a GPU are kept unless r was
 * made to replace them. */
GPUDX_CHECK enum gpudx_status gpudx_redact_learn(struct gpudx_redact *r, sqlite3 *db,
						 struct gpudx_err *err);

/* From here on, all that is read of db by the plain names of tables and views is redacted; nothing
 * can be written to those. r must outlive that. */
GPUDX_CHECK enum gpudx_status gpudx_redact_hide(struct gpudx_redact *r, sqlite3 *db,
						struct gpudx_err *err);

/* Ends it. */
GPUDX_CHECK enum gpudx_status gpudx_redact_show(sqlite3 *db, struct gpudx_err *err);

#endif
