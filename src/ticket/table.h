/* The sections of a ticket, as rows. */
#ifndef GPUDX_TICKET_TABLE_H
#define GPUDX_TICKET_TABLE_H

#include <sqlite3.h>

#include "base/arena.h"
#include "gpudx/status.h"

/* .p NULL: unknown, or none. */
struct tk_row {
	struct gpudx_sv label, of, value, state, place;
	struct gpudx_sv todo; /* "human": only a person knows; else the command that would tell */
};

struct tk_section {
	struct gpudx_sv id;    /* "rma" */
	struct gpudx_sv title; /* "Criteria for an RMA" */
	struct gpudx_sv csv;   /* file that holds it as well; .p NULL none */
	size_t mail;	       /* rows that belong into the mail */
	struct tk_row *rows;
	size_t n;
};

enum { TK_SECTIONS = 24, TK_ROWS = 4000 };

struct tk_table {
	struct gpudx_arena *arena;
	struct tk_section sections[TK_SECTIONS];
	size_t n;
};

/* Runs all sections of a folder ("src/ticket/") on one bundle; those with "-- several:" in their head
 * are left out unless several inputs made it. */
GPUDX_CHECK enum gpudx_status gpudx_ticket_table(sqlite3 *db, int64_t bundle, const char *folder,
						 struct tk_table *t, struct gpudx_err *err);

static inline bool tk_human(const struct tk_row *r)
{
	return r->todo.p && sv_is(r->todo, "human");
}

#endif
