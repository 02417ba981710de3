#include "base/arena.h"

#include "base/oom.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_MIN = 4096, CHUNK_MAX = 1 << 18 };

struct gpudx_arena_chunk {
	struct gpudx_arena_chunk *next;
	size_t size, used;
	alignas(max_align_t) unsigned char data[];
};

static struct gpudx_arena_chunk *arena_grow(struct gpudx_arena *a, size_t n)
{
	size_t size = a->head ? a->head->size * 2 : CHUNK_MIN;
	struct gpudx_arena_chunk *c;

	if (size > CHUNK_MAX)
		size = CHUNK_MAX;
	if (size < n)
		size = n;
	c = malloc(sizeof(*c) + size);
	if (!c) {
		gpudx_oom_note();
		return NULL;
	}
	c->next = a->head;
	c->size = size;
	c->used = 0;
	a->head = c;
	return c;
}

void *gpudx_arena_alloc(struct gpudx_arena *a, size_t n)
{
	const size_t align = alignof(max_align_t);
	struct gpudx_arena_chunk *c = a->head;
	void *p;

	if (n > SIZE_MAX / 2)
		return NULL;
	n = (n + align - 1) / align * align;
	if (a->limit && (n > a->limit || a->used > a->limit - n))
		return NULL;
	if (!c || c->size - c->used < n)
		c = arena_grow(a, n);
	if (!c)
		return NULL;
	p = c->data + c->used;
	c->used += n;
	a->used += n;
	return memset(p, 0, n);
}

void *gpudx_arena_array(struct gpudx_arena *a, size_t n, size_t size)
{
	if (size && n > SIZE_MAX / 2 / size)
		return NULL;
	return gpudx_arena_alloc(a, n * size);
}

struct gpudx_sv gpudx_arena_sv(struct gpudx_arena *a, struct gpudx_sv s)
{
	char *p = gpudx_arena_alloc(a, s.n + 1);

	if (!p)
		return (struct gpudx_sv){ NULL, 0 };
	if (s.n)
		memcpy(p, s.p, s.n);
	return (struct gpudx_sv){ p, s.n };
}

char *gpudx_arena_printf(struct gpudx_arena *a, const char *fmt, ...)
{
	va_list ap;
	char *p = NULL;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n >= 0)
		p = gpudx_arena_alloc(a, (size_t)n + 1);
	if (!p)
		return NULL;
	va_start(ap, fmt);
	vsnprintf(p, (size_t)n + 1, fmt, ap);
	va_end(ap);
	return p;
}

void gpudx_arena_reset(struct gpudx_arena *a)
{
	struct gpudx_arena_chunk *c = a->head, *keep = a->head, *next;

	for (; c; c = c->next)
		if (c->size > keep->size)
			keep = c;
	for (c = a->head; c; c = next) {
		next = c->next;
		if (c != keep)
			free(c);
	}
	a->head = keep;
	if (keep) {
		keep->next = NULL;
		keep->used = 0;
	}
	a->used = 0;
}

void gpudx_arena_free(struct gpudx_arena *a)
{
	struct gpudx_arena_chunk *c, *next;

	for (c = a->head; c; c = next) {
		next = c->next;
		free(c);
	}
	a->head = NULL;
	a->used = 0;
}
