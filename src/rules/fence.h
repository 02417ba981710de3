/* What a rule may do while it runs: read, within limits that make it end at the same place on every
 * machine. The fence stands only around preparing and stepping; the engine's own statements, and
 * its writes, run without it. No transaction may be open: a rule that runs out of memory makes
 * SQLite roll it back. */
#ifndef GPUDX_FENCE_H
#define GPUDX_FENCE_H

#include <sqlite3.h>

#include "base/sv.h"

struct gpudx_fence_limits {
	int64_t steps; /* of SQLite's virtual machine, per statement */
	int64_t heap;  /* bytes that SQLite may take beyond what it has */
	int rows;
	int length; /* bytes of one value */
};

/* A value holds the longest text that ingest keeps many times over; the steps are some seconds. */
extern const struct gpudx_fence_limits gpudx_fence_default;

enum { GPUDX_FENCE_TEXT = 200 };

struct gpudx_fence {
	sqlite3 *db;
	struct gpudx_fence_limits limits;
	int64_t steps;	   /* taken by the statement at hand */
	int length_before; /* to be restored */
	int64_t heap_before, soft_heap_before;
	char denied[GPUDX_FENCE_TEXT]; /* what was refused last, "" nothing */
};

/* The fence is zero before its first use; the same one may go up again. */
void gpudx_fence_up(struct gpudx_fence *f, sqlite3 *db, const struct gpudx_fence_limits *limits);
void gpudx_fence_down(struct gpudx_fence *f);

/* Counts steps from zero again: a new statement begins. */
void gpudx_fence_start(struct gpudx_fence *f);

/* Why a call failed with rc while the fence was up, in words for the rule's author; returns buf. */
const char *gpudx_fence_why(const struct gpudx_fence *f, int rc, char buf[GPUDX_FENCE_TEXT]);

#endif
