/* A member's bytes as lines: encodings, CRLF, lone CR, NUL runs, escape sequences and backspaces
 * are peeled here, so that no parser knows of them. */
#ifndef GPUDX_LINES_H
#define GPUDX_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/sv.h"
#include "bundle/stream.h"

enum {
	GPUDX_LINE_MAX = 1 << 20, /* longer lines come in pieces */
	GPUDX_HEAD = 1 << 16	  /* how far gpudx_lines_peek reaches, in bytes */
};

enum gpudx_line_flags {
	GPUDX_LINE_PIECE = 1,  /* not the first piece of its physical line (behind a CR or NULs) */
	GPUDX_LINE_NULS = 2,   /* a run of NULs stood in front: a sign of an unclean stop */
	GPUDX_LINE_CUT = 4,    /* longer than GPUDX_LINE_MAX: it goes on in pieces marked REST */
	GPUDX_LINE_HIT = 8,    /* the finder found something (gpudx_lines_find) */
	GPUDX_LINE_NO_LF = 16, /* the last line, not ended by a line feed */
	GPUDX_LINE_REST =
		32 /* goes on where a CUT line ended; not peeled; CUT again but for the last */
};

struct gpudx_line {
	struct gpudx_sv text; /* peeled; valid as long as the line can be reached by prev/peek */
	int64_t offset;	      /* byte in the decoded member before any peeling */
	uint32_t no;	      /* line feeds before it, plus one */
	uint32_t flags;
};

/* Where in p[from..n) something of interest begins next; n when nowhere. */
typedef size_t gpudx_find_fn(const void *arg, const char *p, size_t n, size_t from);

struct gpudx_lines;

GPUDX_CHECK enum gpudx_status gpudx_lines_open(struct gpudx_stream *s, struct gpudx_lines **out,
					       struct gpudx_err *err);
void gpudx_lines_close(struct gpudx_lines *l);

/* The next line, NULL at the end. */
const struct gpudx_line *gpudx_lines_next(struct gpudx_lines *l);

/* The k-th line behind the current one (0 = what next would return) within GPUDX_HEAD bytes;
 * NULL behind that or at the end. */
const struct gpudx_line *gpudx_lines_peek(struct gpudx_lines *l, size_t k);

/* The k-th line before the current one, k <= 2, 0 being the current one; NULL at the start. next
 * and peek may move lines: what they returned before must be fetched again from here. */
const struct gpudx_line *gpudx_lines_prev(const struct gpudx_lines *l, size_t k);

/* Makes the current line the next one again; not twice in a row. */
void gpudx_lines_back(struct gpudx_lines *l);

/* From the next line on, flag lines in which find reports something; NULL ends it. */
void gpudx_lines_find(struct gpudx_lines *l, gpudx_find_fn *find, const void *arg);

/* Name of the encoding when it is not UTF-8 or ASCII, else NULL. */
const char *gpudx_lines_encoding(const struct gpudx_lines *l);

/* True once anything looked like binary data: the first block has control characters that no text
 * has. */
bool gpudx_lines_binary(const struct gpudx_lines *l);

int64_t gpudx_lines_bytes(const struct gpudx_lines *l);	 /* decoded bytes seen so far */
uint32_t gpudx_lines_count(const struct gpudx_lines *l); /* number of the last line returned */

#endif
