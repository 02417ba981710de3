#include "derive/span.h"

#include <stdlib.h>

static int by_start(const void *a, const void *b)
{
	const struct gpudx_span *x = a, *y = b;

	return (x->from_us > y->from_us) - (x->from_us < y->from_us);
}

size_t gpudx_spans_join(struct gpudx_span *v, size_t n)
{
	size_t kept = 0;

	if (n)
		qsort(v, n, sizeof(*v), by_start);
	for (size_t i = 0; i < n; i++) {
		struct gpudx_span s = v[i];

		if (s.to_us <= s.from_us)
			continue;
		if (!kept || s.from_us > v[kept - 1].to_us)
			v[kept++] = s;
		else if (s.to_us > v[kept - 1].to_us)
			v[kept - 1].to_us = s.to_us;
	}
	return kept;
}

double gpudx_spans_hours(const struct gpudx_span *v, size_t n, struct gpudx_span w)
{
	double us = 0;

	for (size_t i = 0; i < n; i++) {
		int64_t from = v[i].from_us > w.from_us ? v[i].from_us : w.from_us;
		int64_t to = v[i].to_us < w.to_us ? v[i].to_us : w.to_us;

		if (to > from)
			us += (double)(to - from);
	}
	return us / 3.6e9;
}

bool gpudx_spans_cover(const struct gpudx_span *v, size_t n, int64_t t_us)
{
	for (size_t i = 0; i < n; i++)
		if (t_us >= v[i].from_us && t_us <= v[i].to_us)
			return true;
	return false;
}
