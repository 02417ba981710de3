/* The line that stands in an excerpt of ours for those that were left out. */
#ifndef GPUDX_GAP_H
#define GPUDX_GAP_H

#include "base/buf.h"
#include "base/sv.h"

enum gpudx_gap {
	GPUDX_NO_GAP,
	GPUDX_GAP_EMPTY, /* the source was whole, was read whole, and nothing was found in these */
	GPUDX_GAP_OPEN	 /* nobody knows what stands there: what is absent may have been there */
};

/* Appends the line for n lines, with its line feed. */
void gpudx_gap_put(struct gpudx_buf *b, enum gpudx_gap gap, uint64_t n);

enum gpudx_gap gpudx_gap_look(struct gpudx_sv line);

#endif
