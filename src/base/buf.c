#include "base/buf.h"

#include "base/oom.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *gpudx_buf_room(struct gpudx_buf *b, size_t n)
{
	size_t cap = b->cap ? b->cap : 256;
	char *p;

	if (b->failed || n >= b->max || b->n > b->max - n - 1) {
		b->failed = true;
		return NULL;
	}
	while (cap < b->n + n + 1)
		cap *= 2;
	if (cap != b->cap) {
		p = realloc(b->p, cap);
		if (!p) {
			gpudx_oom_note();
			b->failed = true;
			return NULL;
		}
		b->p = p;
		b->cap = cap;
	}
	return b->p + b->n;
}

bool gpudx_buf_add(struct gpudx_buf *b, const void *p, size_t n)
{
	char *to = gpudx_buf_room(b, n);

	if (!to)
		return false;
	if (n)
		memcpy(to, p, n);
	b->n += n;
	b->p[b->n] = '\0';
	return true;
}

bool gpudx_buf_sv(struct gpudx_buf *b, struct gpudx_sv s)
{
	return gpudx_buf_add(b, s.p, s.n);
}

bool gpudx_buf_str(struct gpudx_buf *b, const char *s)
{
	return gpudx_buf_add(b, s, strlen(s));
}

bool gpudx_buf_char(struct gpudx_buf *b, char c)
{
	return gpudx_buf_add(b, &c, 1);
}

bool gpudx_buf_u32(struct gpudx_buf *b, uint32_t u)
{
	char s[4];

	if (u < 0x80) {
		s[0] = (char)u;
		return gpudx_buf_add(b, s, 1);
	}
	if (u < 0x800) {
		s[0] = (char)(0xc0 | (u >> 6));
		s[1] = (char)(0x80 | (u & 0x3f));
		return gpudx_buf_add(b, s, 2);
	}
	if (u < 0x10000) {
		s[0] = (char)(0xe0 | (u >> 12));
		s[1] = (char)(0x80 | ((u >> 6) & 0x3f));
		s[2] = (char)(0x80 | (u & 0x3f));
		return gpudx_buf_add(b, s, 3);
	}
	s[0] = (char)(0xf0 | ((u >> 18) & 0x07));
	s[1] = (char)(0x80 | ((u >> 12) & 0x3f));
	s[2] = (char)(0x80 | ((u >> 6) & 0x3f));
	s[3] = (char)(0x80 | (u & 0x3f));
	return gpudx_buf_add(b, s, 4);
}

bool gpudx_buf_printf(struct gpudx_buf *b, const char *fmt, ...)
{
	va_list ap;
	char *to;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n < 0)
		b->failed = true;
	to = n < 0 ? NULL : gpudx_buf_room(b, (size_t)n);
	if (!to)
		return false;
	va_start(ap, fmt);
	vsnprintf(to, (size_t)n + 1, fmt, ap);
	va_end(ap);
	b->n += (size_t)n;
	return true;
}

const char *gpudx_buf_cstr(struct gpudx_buf *b)
{
	return b->n ? b->p : "";
}

void gpudx_buf_clear(struct gpudx_buf *b)
{
	b->n = 0;
	b->failed = false;
	if (b->p)
		b->p[0] = '\0';
}

void gpudx_buf_free(struct gpudx_buf *b)
{
	free(b->p);
	b->p = NULL;
	b->n = b->cap = 0;
}
