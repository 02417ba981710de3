/* Inside ingest: a text in which several hosts speak. Each has a lane: a reading of its own, with
 * its own source, parts, boots and GPUs. Whose a line is says what stands in front of it (carry.h),
 * or the log itself, where it is one of several hosts. */
#ifndef GPUDX_LANES_H
#define GPUDX_LANES_H

#include "ingest/reading.h"

enum { GPUDX_LANES_MAX = 256 };

struct gpudx_lane;

struct gpudx_lanes {
	struct gpudx_run *run;
	const struct gpudx_member *m;
	struct gpudx_lines *lines;
	struct gpudx_carriers carriers;
	bool excerpt, find;
	/* What the last command prints has hosts in front: which such command it is, counted. */
	bool fanned, fan_excerpt;
	unsigned fan;
	struct gpudx_sv command;
	struct gpudx_lane *first, **end, *at; /* at: whose the last line was */
	unsigned n;
	const char *cut; /* why reading ended early, or what was left out */
	bool stop;	 /* it ended */
	/* the line at hand, and what was said of it */
	struct gpudx_line line;
	struct gpudx_carried said;
	struct gpudx_line *head; /* lines of one lane, for sniffing */
	size_t head_cap;
};

/* One lane, with how to find it. */
struct gpudx_lane {
	struct gpudx_reading r; /* first */
	struct gpudx_lane *next;
	struct gpudx_member m;	     /* with the path of its own, if any */
	struct gpudx_sv host, path;  /* as a carrier says */
	unsigned fan;		     /* which command that ran on many hosts; 0 none */
	struct gpudx_lane *base;     /* the lane whose log names it; NULL none */
	uint32_t parent;	     /* the source of that log; 0 none */
	struct gpudx_sv name, voice; /* then: the host, and the program of it */
	/* as base: the names in its log */
	struct gpudx_part *log; /* whose names these are */
	struct klog_prefix prefix;
	char last[80]; /* "node01 " and where it stood in the last line that had it */
	size_t last_at, last_n;
	struct gpudx_lane *last_lane;
	struct gpudx_sv first_name;
	bool voices;	/* programs with lanes of their own were found */
	unsigned tried; /* lines of programs that were looked at for another format */
};

/* Reads all lines. False when memory is out. */
bool gpudx_lanes_read(struct gpudx_lanes *l);
void gpudx_lanes_free(struct gpudx_lanes *l);

/* What the lane of r may begin with: as gpudx_sniff_head, without the lines of other hosts. */
struct gpudx_head gpudx_lanes_head(struct gpudx_lanes *l, const struct gpudx_reading *r);

/* Brings the line at hand up to date when lines have moved. */
void gpudx_lanes_refresh(struct gpudx_lanes *l);

/* The k-th line before it, when it is of the same host; .no 0 otherwise. */
struct gpudx_line gpudx_lanes_before(const struct gpudx_lanes *l, size_t k);

/* The source for what a part says of another host than its own. */
uint32_t gpudx_lanes_source(struct gpudx_lanes *l, const struct gpudx_ctx *teller,
			    struct gpudx_sv host);

/* Until the next prompt a host stands in front of each line, which this command printed there. */
void gpudx_lanes_fan_out(struct gpudx_lanes *l, struct gpudx_sv command, bool excerpt);

/* From the next line on, lines in which signatures may be found are wanted, or not. */
void gpudx_lanes_find(struct gpudx_lanes *l, bool find);

#endif
