/* The same message in another log is the same event. */
#ifndef GPUDX_COPIES_H
#define GPUDX_COPIES_H

#include "store/store.h"

/* Once events have host, boot and time: event.copy_of, event_line of role copy; what copies know
 * more is added to the event that they are copies of. */
GPUDX_CHECK enum gpudx_status gpudx_copies_find(sqlite3 *db, int64_t bundle, struct gpudx_err *err);

/* For others that find copies: insert rows (copy, original) with the statement, finalize it, apply. The
 * original must not be a copy itself. */
GPUDX_CHECK enum gpudx_status gpudx_copies_begin(sqlite3 *db, sqlite3_stmt **insert,
						 struct gpudx_err *err);
GPUDX_CHECK enum gpudx_status gpudx_copies_apply(sqlite3 *db, int64_t bundle,
						 struct gpudx_err *err);

#endif
