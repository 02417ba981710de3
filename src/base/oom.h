/* Whether memory ran out, ever, in this process. Writers add to buffers whose failing shows only at
 * the end, and some have no end that could say so; what was left out there must not pass for a
 * result ("nothing is missing" instead of "no room to say what"). So whoever meets the end of memory
 * notes it, and nothing is called done afterwards. Ceilings that we set ourselves are not meant: those
 * are answers about the input. */
#ifndef GPUDX_OOM_H
#define GPUDX_OOM_H

#include <stdbool.h>

#include "gpudx/status.h"

void gpudx_oom_note(void);
bool gpudx_oom_seen(void);

/* rc, unless that is success after memory ran out. */
GPUDX_CHECK enum gpudx_status gpudx_oom_or(enum gpudx_status rc, struct gpudx_err *err);

#endif
