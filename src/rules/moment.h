/* When a finding was, by which kind of clock, and whether it still holds at the end. */
#ifndef GPUDX_MOMENT_H
#define GPUDX_MOMENT_H

#include <stdint.h>

#include <sqlite3.h>

#include "gpudx/status.h"

/* Fills t_quality, at_end and state of the bundle's findings where rules left them open:
 *
 * quality  of the first cited line whose clock is known, dated rows before undated ones: of the
 *          event or fact that it is, else of the samples of its source, else of the source's clock
 * history  all that it cites belongs to boots before the last, or it ended before the last boot
 * at_end   undated, or it reaches to within 5 s, or 2 sampling periods, of the end of what a cited
 *          source covers; a source that is an excerpt has no end
 * state    active where at_end, else unknown
 *
 * Then dated findings outside since .. until (GPUDX_NO_TIME none) are dropped; those that no clock
 * places stay. In a transaction. */
GPUDX_CHECK enum gpudx_status gpudx_moments(sqlite3 *db, int64_t bundle, int64_t since_us,
					    int64_t until_us, struct gpudx_err *err);

#endif
