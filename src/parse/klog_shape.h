/* Is a kernel log all that the kernel said in its time, or a piece that somebody cut out? Absence
 * in an excerpt proves nothing. */
#ifndef GPUDX_KLOG_SHAPE_H
#define GPUDX_KLOG_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/sv.h"

/* Start with all zero. */
struct klog_shape {
	uint64_t seen[4]; /* one bit for each beginning of a kernel message, hashed */
	uint64_t bytes;	  /* of kernel messages */
	uint32_t kernel;  /* lines of the kernel */
	uint32_t gpu;	  /* of these, about GPUs or known to the signatures */
	bool begins_at_boot;
	bool partial; /* the tool said itself that it shows only a part */
	bool rotates; /* a journal or syslog: files of it begin anywhere */
};

/* Counts one line; known: a signature matched it. */
void klog_shape_add(struct klog_shape *s, struct gpudx_sv message, bool kernel, bool known);

/* How many different beginnings ("usb ", "nvme", "NVRM") messages had. */
unsigned klog_shape_subsystems(const struct klog_shape *s);

/* True for
 * - what the tool itself calls partial,
 * - fewer than five lines of the kernel: the journal of one unit, a user's own,
 * - a log about GPUs: two thirds of the lines from fewer than twelve subsystems (a grep),
 * - fewer than 40 lines, unless they begin at boot and come from at least twelve subsystems,
 * - a ring buffer that neither reaches back to the boot nor fills 48 KiB: a buffer that wrapped is
 *   full, so this is the head, tail or selection of one.
 * Anything else is whole. When in doubt, the answer is excerpt: it costs a "cannot tell", the other
 * error a false "clean". */
bool klog_is_excerpt(const struct klog_shape *s);

#endif
