/* Commands that run another command somewhere else: what that is, and where it ran. */
#ifndef GPUDX_REMOTE_H
#define GPUDX_REMOTE_H

#include <stdbool.h>

#include "base/sv.h"

struct gpudx_remote {
	struct gpudx_sv command; /* that ran there; empty: a shell */
	struct gpudx_sv host;	 /* .p NULL: not named */
	bool elsewhere;		 /* on a machine that the command does not name: a pod's, a job's */
	bool fans_out;		 /* on several, whose names stand in front of their lines */
};

/* False: the command runs where it was typed. Without sudo and the like in front of it. */
bool gpudx_remote_look(struct gpudx_sv command, struct gpudx_remote *out);

#endif
