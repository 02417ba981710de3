/* What a person at a terminal sees of work that takes longer than a second: how much was read, how fast,
 * how long yet. A thread of its own looks at the counters, so the work does not wait for it. */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <pthread.h>

#include "gpudx/gpudx.h"

struct progress {
	struct gpudx_progress read;
	struct gpudx_case *c;	     /* that counts into it, while .on */
	_Atomic(const char *) doing; /* a literal: what follows reading; NULL: still reading */
	const char *const *paths;
	size_t npaths;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t stopped;
	bool stop;
	bool on; /* the thread runs */
};

/* Begins to watch how c reads what is at these paths, when stderr is a terminal; otherwise does nothing. */
void progress_start(struct progress *p, struct gpudx_case *c, const char *const *paths,
		    size_t npaths);

/* From here on it is this that takes time. */
void progress_doing(struct progress *p, const char *what);

/* Ends it and clears its line: before anything else is printed, and before the case is closed. Safe to call
 * always. */
void progress_stop(struct progress *p);

/* gpudx_case_read_all with all of the above around it. */
GPUDX_CHECK enum gpudx_status progress_read_all(struct gpudx_case *c, const char *const *paths,
						size_t npaths, struct gpudx_read *out,
						struct gpudx_err *err);
GPUDX_CHECK enum gpudx_status progress_read(struct gpudx_case *c, const char *path,
					    struct gpudx_read *out, struct gpudx_err *err);

#endif
