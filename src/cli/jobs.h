/* Several pieces of work at once, each in a process of its own: what one of them meets ends no other. */
#ifndef JOBS_H
#define JOBS_H

#include <stddef.h>

struct jobs {
	size_t n;
	unsigned at_once;
	char *const *names;		  /* of the pieces, for messages */
	int (*work)(void *arg, size_t i); /* in a child; returns an enum cli_status */
	void *arg;
};

/* Runs all and returns the worst status. What a piece prints appears as a whole, in the order of the
 * pieces. When this process ends, its children are told to. */
int jobs_run(const struct jobs *j);

#endif
