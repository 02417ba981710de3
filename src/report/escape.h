/* Text of a bundle inside a page. */
#ifndef GPUDX_ESCAPE_H
#define GPUDX_ESCAPE_H

#include "base/buf.h"

/* Appends s for an HTML or SVG text and for a quoted attribute: markup is escaped, what cannot be
 * shown stands as U+FFFD. */
void gpudx_html_text(struct gpudx_buf *b, struct gpudx_sv s);
void gpudx_html_str(struct gpudx_buf *b, const char *s);

#endif
