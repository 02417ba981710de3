/* One archive for a vendor. What it says stands in the database; the sections are queries
 * (src/ticket/NN-name.sql), so that TICKET.md and ticket.json cannot say different things. */
#ifndef GPUDX_TICKET_H
#define GPUDX_TICKET_H

#include <sqlite3.h>

#include "bundle/stream.h"
#include "gpudx/gpudx.h"
#include "redact/redact.h"

/* Looks through all that the archive will hold beside the database, before the first byte of it is
 * written: what is a secret anywhere is one everywhere. limits: how much work reading the bundle again
 * may cause. */
GPUDX_CHECK enum gpudx_status gpudx_ticket_prepare(sqlite3 *db, struct gpudx_redact *r,
						   int64_t bundle,
						   const struct gpudx_ticket_options *o,
						   const struct gpudx_budget *limits,
						   struct gpudx_err *err);

/* Writes the archive to path, which exists and is empty, then searches it for everything that was
 * to be replaced. db is redacted by r. GPUDX_E_BUG: something was found; the file must be thrown
 * away. GPUDX_E_USAGE: what is to be included cannot be. */
GPUDX_CHECK enum gpudx_status gpudx_ticket(sqlite3 *db, struct gpudx_redact *r, int64_t bundle,
					   const struct gpudx_ticket_options *o,
					   const struct gpudx_budget *limits, const char *path,
					   struct gpudx_err *err);

#endif
