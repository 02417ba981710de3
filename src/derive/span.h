/* Stretches of time and their union: how long something was watched. */
#ifndef GPUDX_SPAN_H
#define GPUDX_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* [from, to), microseconds. */
struct gpudx_span {
	int64_t from_us, to_us;
};

/* Sorts n spans and joins those that overlap or touch; the number that is left. Empty ones go. */
size_t gpudx_spans_join(struct gpudx_span *v, size_t n);

/* Of joined spans: the hours that lie within w, and whether one covers t (its end included). */
double gpudx_spans_hours(const struct gpudx_span *v, size_t n, struct gpudx_span w);
bool gpudx_spans_cover(const struct gpudx_span *v, size_t n, int64_t t_us);

#endif
