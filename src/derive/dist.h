/* The distribution of a series of unknown length in a fixed 16 KiB: exact while it is short,
 * in bins of one width from 0 afterwards. */
#ifndef GPUDX_DIST_H
#define GPUDX_DIST_H

#include <stdbool.h>
#include <stdint.h>

enum { GPUDX_DIST_EXACT = 512, GPUDX_DIST_BINS = 4096 };

union gpudx_dist_room {
	double exact[GPUDX_DIST_EXACT];
	uint32_t bin[GPUDX_DIST_BINS];
};

/* Start with { .width = W, .room = R }; without room only n, min and max are kept. */
struct gpudx_dist {
	double width; /* of a bin; values are rounded to its multiples once there are bins */
	union gpudx_dist_room *room; /* borrowed */
	uint64_t n;
	double min, max;
	bool binned, sorted;
};

/* Adds v so many times. NAN adds nothing. */
void gpudx_dist_add(struct gpudx_dist *d, double v, uint32_t times);

/* The quantile q of 0..1, linear between the two neighbouring ranks; NAN when nothing was added
 * or there is no room. */
double gpudx_dist_at(struct gpudx_dist *d, double q);

#endif
