/* Bytes of a hostile bundle as text that can be shown. */
#ifndef GPUDX_UTF8_H
#define GPUDX_UTF8_H

#include "base/buf.h"
#include "base/sv.h"

/* The code point at the cursor, which advances by at least one byte; U+FFFD for what is not valid
 * UTF-8 (overlong forms and surrogates included). s must not be empty. */
uint32_t gpudx_utf8_next(struct gpudx_sv *s);

/* True when s is valid UTF-8. */
bool gpudx_utf8_valid(struct gpudx_sv s);

/* Columns a terminal needs for a code point: 0, 1 or 2. */
int gpudx_utf8_width(uint32_t codepoint);

/* True for what must not reach a terminal or a page as it is: C0, DEL, C1, and the marks that turn
 * the direction of writing. */
bool gpudx_utf8_unprintable(uint32_t codepoint);

/* Appends s as valid UTF-8 in which every unprintable character stands as U+FFFD and a tab as one
 * blank. */
bool gpudx_utf8_show(struct gpudx_buf *b, struct gpudx_sv s);

#endif
