/* Inside ingest: one text, or what one host says in it, being read into parts. */
#ifndef GPUDX_READING_H
#define GPUDX_READING_H

#include "ingest/carry.h"
#include "base/gap.h"
#include "ingest/member.h"
#include "ingest/segment.h"

struct gpudx_lanes;

struct gpudx_part {
	struct gpudx_part *next;
	struct gpudx_ctx ctx;
	const struct gpudx_ctx *teller; /* the part that tells of this one's host; NULL itself */
	struct gpudx_series series;
	struct gpudx_sv title, host;
	uint32_t first, last, last_taken, lines, taken, sample_lines;
	struct gpudx_line held; /* a copy of the line that the parser asked to hold */
	char *held_text;
	size_t held_cap;
	enum gpudx_gap gap; /* the worst that was left out of it */
	bool goes_on;	    /* took the beginning of a line that was longer than the cap */
};

struct gpudx_reading {
	struct gpudx_run *run;
	const struct gpudx_member *m;
	struct gpudx_lanes *lanes; /* this reading and those of the other hosts in the text */
	struct gpudx_part *own;	   /* its own source: its container parser, or its first part */
	struct gpudx_part *parts;  /* those inside, in order */
	struct gpudx_part **end;
	struct gpudx_part *active; /* who gets the next line; NULL nobody */
	unsigned nparts;
	uint32_t seen; /* lines that came here */
	bool pending;  /* behind a boundary: a part begins with the next line of content */
	enum gpudx_boundary_kind before; /* what the last line that nobody took was */
	bool bounded, prompted;
	bool prefixed; /* host stood in front of each line and is to be stated at the first */
	struct gpudx_sv command; /* of the pending part */
	struct gpudx_sv host;	 /* that a heading or prompt named last */
	bool excerpt;
	uint32_t keep;	  /* so many lines more are kept as context */
	const char *what; /* it is, as far as is known, that nobody reads; NULL unknown */
};

/* A new source for r, whose other members are set. */
bool gpudx_reading_begin(struct gpudx_reading *r);

/* The line at hand, which is r's. */
void gpudx_reading_line(struct gpudx_reading *r);

/* Makes p, which fits what begins with the line at hand, the parser of r's own source. */
void gpudx_reading_own(struct gpudx_reading *r, const struct gpudx_parser *p,
		       const struct gpudx_head *head);

/* Gives the line at hand to r's active part. */
enum gpudx_take gpudx_reading_give(struct gpudx_reading *r);

/* The parser, other than mine, whose format can only begin with this line. */
const struct gpudx_parser *gpudx_starter(const struct gpudx_parser *mine, struct gpudx_sv line);

/* The word of a kind of stamp or clock in the database. */
const char *gpudx_clock_word(int kind);

/* What belongs to the records of a part before its row can be written. */
void gpudx_reading_finish_part(struct gpudx_reading *r, struct gpudx_part *p);

#endif
