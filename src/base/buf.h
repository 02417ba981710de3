/* Growable bytes with a mandatory ceiling. Always NUL-terminated behind .n once something was
 * added, so it can be handed to C libraries. */
#ifndef GPUDX_BUF_H
#define GPUDX_BUF_H

#include <stdbool.h>
#include <stdint.h>

#include "base/sv.h"

struct gpudx_buf {
	char *p;
	size_t n, cap;
	size_t max;  /* must be set: more than this is refused */
	bool failed; /* sticky: memory or ceiling; later additions do nothing */
};

/* Start with { .max = N }. All additions return false once the buffer has failed, so a writer may
 * add freely and look at .failed at the end. */
bool gpudx_buf_add(struct gpudx_buf *b, const void *p, size_t n);
bool gpudx_buf_sv(struct gpudx_buf *b, struct gpudx_sv s);
bool gpudx_buf_str(struct gpudx_buf *b, const char *s);
bool gpudx_buf_char(struct gpudx_buf *b, char c);
bool gpudx_buf_u32(struct gpudx_buf *b, uint32_t codepoint); /* as UTF-8 */
bool gpudx_buf_printf(struct gpudx_buf *b, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Room for n more bytes at the returned place; the caller adds what it wrote to .n. NULL = failed. */
char *gpudx_buf_room(struct gpudx_buf *b, size_t n);

/* The content as C string, "" while empty. */
const char *gpudx_buf_cstr(struct gpudx_buf *b);
void gpudx_buf_clear(struct gpudx_buf *b); /* keeps the memory */
void gpudx_buf_free(struct gpudx_buf *b);

#endif
