/* Evidence in a ticket: what was kept of each file, or all of it. */
#ifndef GPUDX_TICKET_EXCERPT_H
#define GPUDX_TICKET_EXCERPT_H

#include <sqlite3.h>

#include "redact/redact.h"
#include "ticket/again.h"
#include "ticket/pack.h"

/* What became of it, in files and lines. */
struct tk_excerpts {
	bool again; /* the bundle was read again; false: only its database was there */
	uint64_t files, kept, left;
	uint64_t cut; /* files of which a limit cut something off */
};

/* Adds evidence/PATH with the kept lines of every file that was read, in their order. Of logs of
 * programs only lines that are evidence: the others may hold what people asked. */
GPUDX_CHECK enum gpudx_status gpudx_ticket_excerpts(sqlite3 *db, int64_t bundle, struct tk_pack *p,
						    struct gpudx_err *err);

/* The same from the bundle, which was read into db: documents and short logs whole, of longer
 * ones what was found and what stands around, so that whoever reads it again finds the same. */
GPUDX_CHECK enum gpudx_status gpudx_ticket_reread(sqlite3 *db, int64_t bundle,
						  struct gpudx_redact *r,
						  const struct tk_from *from, struct tk_pack *p,
						  struct tk_excerpts *sum, struct gpudx_err *err);

/* Looks through what gpudx_ticket_reread will add for what is to be replaced. */
GPUDX_CHECK enum gpudx_status gpudx_ticket_look(sqlite3 *db, int64_t bundle, struct gpudx_redact *r,
						const struct tk_from *from, struct gpudx_err *err);

/* Looks through all text of the bundle for what is to be replaced. */
GPUDX_CHECK enum gpudx_status gpudx_ticket_learn(struct gpudx_redact *r, const struct tk_from *from,
						 struct gpudx_err *err);

/* Adds bundle/PATH with every file that is text, redacted; *left counts those that are not. */
GPUDX_CHECK enum gpudx_status gpudx_ticket_copy(struct gpudx_redact *r, const struct tk_from *from,
						struct tk_pack *p, size_t *left,
						struct gpudx_err *err);

/* Searches a finished archive, names and contents. GPUDX_E_BUG: something was found. */
GPUDX_CHECK enum gpudx_status gpudx_ticket_check(const struct gpudx_redact *r, const char *path,
						 struct gpudx_err *err);

#endif
