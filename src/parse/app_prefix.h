/* What the loggers of frameworks and servers put in front of a message: ranks, times, places. */
#ifndef GPUDX_APP_PREFIX_H
#define GPUDX_APP_PREFIX_H

#include "base/stamp.h"
#include "base/sv.h"

/* For stamps without a year: how many new years the log passed. Zeroed at the start. */
struct app_years {
	unsigned turn, month;
};

struct app_line {
	struct gpudx_stamp stamp; /* kind NONE without one */
	bool sure;		  /* only a logger of these programs writes so */
	bool stamped;		  /* some logger wrote it */
	bool utc;		  /* its stamps are UTC, though they do not say so */
	struct gpudx_sv host;	  /* NCCL or Open MPI says it */
	int64_t pid;		  /* -1 unknown */
	int64_t rank, task;	  /* whose line it is; -1 not said */
	int64_t device;		  /* as the process counts them; -1 not said */
	struct gpudx_sv message;  /* without ranks and stamp */
};

/* Peels a line; years may be NULL for a look. */
void app_peel(struct app_years *years, struct gpudx_sv line, struct app_line *out);

#endif
