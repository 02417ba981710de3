/* Time zones by name or offset. Names are looked up in the system's tz database (TZif files), with
 * the rule at their end for years beyond the table; the machine's own zone plays no part. */
#ifndef GPUDX_ZONE_H
#define GPUDX_ZONE_H

#include <stdint.h>

#include "base/sv.h"
#include "gpudx/status.h"

struct gpudx_zone;

/* "+02:00", "-0530", "UTC", "Z" or a name as "Europe/Berlin". GPUDX_E_USAGE when there is no such
 * zone, GPUDX_E_INPUT when its file is broken. text must come from the user, never from a bundle:
 * it becomes a path. */
GPUDX_CHECK enum gpudx_status gpudx_zone_open(struct gpudx_sv text, struct gpudx_zone **out,
					      struct gpudx_err *err);
void gpudx_zone_free(struct gpudx_zone *z);

/* The same from the bytes of a TZif file (RFC 8536), for tests and fuzzing. */
GPUDX_CHECK enum gpudx_status gpudx_zone_parse(struct gpudx_sv tzif, struct gpudx_zone **out,
					       struct gpudx_err *err);

/* Seconds east of Greenwich at a moment in UTC. */
int32_t gpudx_zone_offset(const struct gpudx_zone *z, int64_t utc_us);

/* The same for a wall clock. A time that the clocks show twice is taken as the first one, a time
 * that they skip as if they had not yet been changed. */
int32_t gpudx_zone_offset_local(const struct gpudx_zone *z, int64_t local_us);

#endif
