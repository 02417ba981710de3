/* A post-mortem in Markdown: sections of src/ticket/postmortem, filled from the database alone; what only
 * people know is left for them, and says so. */
#ifndef GPUDX_POSTMORTEM_H
#define GPUDX_POSTMORTEM_H

#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>

#include "gpudx/status.h"

GPUDX_CHECK enum gpudx_status gpudx_postmortem(sqlite3 *db, int64_t bundle, FILE *out,
					       struct gpudx_err *err);

#endif
