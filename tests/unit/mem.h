/* A stream over bytes in memory, for tests and fuzzers. */
#ifndef GPUDX_TEST_MEM_H
#define GPUDX_TEST_MEM_H

#include <stdlib.h>

#include "bundle/stream.h"

struct mem_stream {
	struct gpudx_stream base; /* first */
	struct gpudx_budget budget;
	struct gpudx_sv bytes, rest;
	size_t step;  /* bytes a pull gives at most; 0 = all that is asked for */
	size_t times; /* so often all bytes are given; 0 and 1: once */
};

static inline size_t mem_pull(struct gpudx_stream *base, void *buf, size_t n)
{
	struct mem_stream *m = (struct mem_stream *)base;

	if (!m->rest.n && m->times > 1) {
		m->rest = m->bytes;
		m->times--;
	}
	if (m->step && n > m->step)
		n = m->step;
	if (n > m->rest.n)
		n = m->rest.n;
	if (n)
		memcpy(buf, m->rest.p, n);
	m->rest = sv_from(m->rest, n);
	return n;
}

/* Borrows bytes; m must not move afterwards. */
static inline struct gpudx_stream *mem_open(struct mem_stream *m, struct gpudx_sv bytes,
					    size_t step)
{
	*m = (struct mem_stream){
		.budget = gpudx_budget_default, .bytes = bytes, .rest = bytes, .step = step
	};
	m->base = (struct gpudx_stream){ .pull = mem_pull, .budget = &m->budget };
	return &m->base;
}

static inline void mem_close(struct mem_stream *m)
{
	free(m->base.peeked);
	m->base.peeked = NULL;
}

#endif
