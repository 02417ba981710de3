#include "derive/dist.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint32_t *bin_of(struct gpudx_dist *d, double v)
{
	double i = floor(v / d->width + 0.5);

	if (!(i > 0))
		return &d->room->bin[0];
	return &d->room->bin[i < GPUDX_DIST_BINS ? (unsigned)i : GPUDX_DIST_BINS - 1];
}

/* The bins take the very place of the values, which are therefore copied first. */
static void to_bins(struct gpudx_dist *d)
{
	union gpudx_dist_room values = *d->room;

	memset(d->room, 0, sizeof(*d->room));
	for (uint64_t i = 0; i < d->n; i++)
		++*bin_of(d, values.exact[i]);
	d->binned = true;
}

void gpudx_dist_add(struct gpudx_dist *d, double v, uint32_t times)
{
	if (isnan(v) || !times)
		return;
	if (!d->n || v < d->min)
		d->min = v;
	if (!d->n || v > d->max)
		d->max = v;
	if (d->room) {
		if (!d->binned && d->n + times > GPUDX_DIST_EXACT)
			to_bins(d);
		if (d->binned)
			*bin_of(d, v) += times;
		for (uint32_t i = 0; i < times && !d->binned; i++)
			d->room->exact[d->n + i] = v;
	}
	d->n += times;
	d->sorted = false;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The value of rank k, the smallest having rank 0. The end bins hold what lies beyond them, and
 * rounding must not leave the range that was seen. */
static double binned_rank(const struct gpudx_dist *d, uint64_t k)
{
	uint64_t below = 0;
	unsigned i = 0;
	double v;

	while (i < GPUDX_DIST_BINS - 1 && below + d->room->bin[i] <= k)
		below += d->room->bin[i++];
	v = i * d->width;
	return v < d->min ? d->min : v > d->max ? d->max : v;
}

static double rank(const struct gpudx_dist *d, uint64_t k)
{
	return d->binned ? binned_rank(d, k) : d->room->exact[k];
}

double gpudx_dist_at(struct gpudx_dist *d, double q)
{
	double at, below, above;
	uint64_t k;

	if (!d->n || !d->room)
		return (double)NAN;
	if (!d->binned && !d->sorted)
		qsort(d->room->exact, d->n, sizeof(double), by_value);
	d->sorted = true;
	at = q * (double)(d->n - 1);
	k = (uint64_t)at;
	below = rank(d, k);
	above = k + 1 < d->n ? rank(d, k + 1) : below;
	return below + (at - (double)k) * (above - below);
}
