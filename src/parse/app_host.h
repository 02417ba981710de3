/* Whose a line of a job's log is, where nodes and ranks write into one text. Names stand in some lines
 * only, ranks and tasks in others; which is where is learnt from lines that say both. */
#ifndef GPUDX_APP_HOST_H
#define GPUDX_APP_HOST_H

#include "parse/app_prefix.h"
#include "parse/parser.h"

enum { APP_RANKS = 2048 };

/* What is known of a rank. Hosts are numbers of app_hosts.name, 0 unknown. */
struct app_rank {
	uint16_t host;
	uint32_t ref;  /* its GPU, 0 unknown */
	bool disputed; /* two are called so: ranks of groups, not of the job */
};

/* A device as a process counts them. */
struct app_device {
	struct app_device *next;
	uint16_t host;
	int64_t pid;
	uint64_t device;
	uint32_t ref;
};

/* Zeroed at the start. */
struct app_hosts {
	struct gpudx_sv *name;
	uint16_t n, cap;
	uint32_t ndevices;
	uint64_t ranks_of_all; /* how many ranks the largest communicator so far has */
	struct app_rank *rank;
	uint16_t *task; /* host by the number of the task */
	struct app_device *devices;
};

/* Turns the context to the host and the GPU of the line. flagged: something may be found in it. */
void app_of_host(struct gpudx_ctx *c, struct app_hosts *h, const struct app_line *l, bool flagged);

#endif
