/* Lines in which a training loop or a server says how fast it is. */
#ifndef GPUDX_APP_SERIES_H
#define GPUDX_APP_SERIES_H

#include "parse/parser.h"

/* True when the message is such a line; with c NULL it is only looked at. *count numbers lines that
 * have no step of their own. */
bool app_series(struct gpudx_ctx *c, struct gpudx_sv message, int64_t t_us, int64_t *count);

#endif
