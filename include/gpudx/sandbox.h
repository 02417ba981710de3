/* Giving up what reading a stranger's files does not need. Where the kernel has Landlock the process
 * can then open only the files that were named, and create files only where outputs go; where it has
 * seccomp it can no longer make sockets, start programs or reach into other processes. Neither is
 * there everywhere, and nothing depends on either. */
#ifndef GPUDX_SANDBOX_H
#define GPUDX_SANDBOX_H

#include <stdbool.h>
#include <stdint.h>

enum {
	GPUDX_SANDBOX_FILES = 1, /* Landlock holds */
	GPUDX_SANDBOX_CALLS = 2, /* seccomp holds */
};

struct gpudx_sandbox {
	int rules;	  /* Landlock's, a descriptor; -1: there is none */
	uint64_t handled; /* what is forbidden unless a rule allows it */
};

/* Begins a list of what stays allowed. any_read: files may be read wherever they are. */
void gpudx_sandbox_open(struct gpudx_sandbox *s, bool any_read);

/* A file, or all below a directory, may be read. NULL, "-" and what is not there are no error. */
void gpudx_sandbox_reads(struct gpudx_sandbox *s, const char *path);

/* The file at path may be made and replaced, and so may its neighbours: an output gets its name when
 * it is complete. A device or pipe may be written to, and nothing beside it. */
void gpudx_sandbox_writes(struct gpudx_sandbox *s, const char *path);

/* Files may be made in a directory; where there is none yet, it may be made. */
void gpudx_sandbox_fills(struct gpudx_sandbox *s, const char *dir);

/* From here on, for the calling thread and all that it starts, until the process ends. What is open
 * stays open. Returns what holds: GPUDX_SANDBOX_*, 0 where the kernel has nothing. Call it once,
 * while there is only one thread. */
unsigned gpudx_sandbox_enter(struct gpudx_sandbox *s);

#endif
