/* Evidence in a ticket: what was kept of each file, or all of it. */
#ifndef GPUDX_TICKET_EXCERPT_H
#define GPUDX_TICKET_EXCERPT_H

#include <sqlite3.h>

#include "redact/redact.h"
#include "ticket/pack.h"

/* Adds evidence/PATH with the kept lines of every file that was read, in their order. Of logs of
 * programs only lines that are evidence: the others may hold what people asked. */
GPUDX_CHECK enum gpudx_status gpudx_ticket_excerpts(sqlite3 *db, int64_t bundle, struct tk_pack *p,
						    struct gpudx_err *err);

/* Looks through all text of the bundle at path for what is to be replaced. */
GPUDX_CHECK enum gpudx_status gpudx_ticket_learn(struct gpudx_redact *r, const char *path,
						 struct gpudx_err *err);

/* Adds bundle/PATH with every file that is text, redacted; *left counts those that are not. */
GPUDX_CHECK enum gpudx_status gpudx_ticket_copy(struct gpudx_redact *r, const char *path,
						struct tk_pack *p, size_t *left,
						struct gpudx_err *err);

/* Searches a finished archive, names and contents. GPUDX_E_BUG: something was found. */
GPUDX_CHECK enum gpudx_status gpudx_ticket_check(const struct gpudx_redact *r, const char *path,
						 struct gpudx_err *err);

#endif
