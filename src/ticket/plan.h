/* Which lines of a bundle an excerpt of it holds: decided by what the database says was found where,
 * applied to the bundle when it is read again. */
#ifndef GPUDX_TICKET_PLAN_H
#define GPUDX_TICKET_PLAN_H

#include <sqlite3.h>

#include "base/arena.h"
#include "base/gap.h"
#include "gpudx/status.h"
#include "ingest/segment.h"

enum tk_kind {
	TK_FRAME, /* holds parts: only headings, and what was found */
	TK_STATE, /* a document, or a series that is short enough: whole */
	TK_LOG,	  /* what was found, with what stands around */
	TK_TRACE, /* a long series: the stretches that findings are about */
	TK_APP	  /* what was found and nothing else: the rest may be what people asked */
};

/* One source. */
struct tk_part {
	int64_t id;
	int64_t member;
	uint32_t first, lines;
	uint32_t line_bytes; /* of a line of the member, on average */
	enum tk_kind kind;
	bool open; /* it was not whole, so that a gap in it proves nothing */
};

struct tk_plan {
	sqlite3 *db;
	struct gpudx_arena *arena;
	const struct tk_part *parts; /* by member, then by first line */
	size_t nparts;
	bool tight; /* all of it together may be more than there is room for */
};

/* max: bytes of all excerpts, member_max: of one. */
GPUDX_CHECK enum gpudx_status gpudx_plan_load(struct tk_plan *p, sqlite3 *db, int64_t bundle,
					      uint64_t max, uint64_t member_max,
					      struct gpudx_arena *arena, struct gpudx_err *err);

struct tk_range {
	uint32_t from, to;
};

/* One member while it is read: the cursors of its plan. */
struct tk_choice {
	const struct tk_part *parts; /* of the member; not frames alone */
	size_t nparts, part;	     /* part: the next that begins */
	struct tk_range *ranges;     /* sorted, apart */
	size_t nranges, range;
	uint32_t app_from, last; /* first line of a program's log; the line that was counted last */
	bool mixed;		 /* its lines stand between those of others */
	uint64_t whole;		 /* lines to come of documents that have begun */
	bool tight;		 /* only what findings show, and short documents */
	bool open;		 /* a gap here proves nothing */
	enum gpudx_boundary_kind before;
};

/* member: counted from 1 as the walk finds them. What would be larger than this, as far as can be told, is
 * chosen tightly, so that what is cut off is not what it is all about. .nparts 0: nothing of it is
 * wanted. Free the ranges. */
GPUDX_CHECK enum gpudx_status gpudx_plan_member(const struct tk_plan *p, uint32_t member,
						uint64_t max, struct tk_choice *c,
						struct gpudx_err *err);
void gpudx_choice_free(struct tk_choice *c);

/* Is this line, of the number no, one of the excerpt? Call for each line in order. */
bool gpudx_choice_line(struct tk_choice *c, uint32_t no, struct gpudx_sv text);

#endif
