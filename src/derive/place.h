/* Host, boot and time of rows that a line of a source states. */
#ifndef GPUDX_PLACE_H
#define GPUDX_PLACE_H

#include "derive/clock.h"

/* SQL for the host that line T.line_id of a log of several hosts speaks of; NULL: of the source's. */
#define GPUDX_HOST_OF_LINE(T)                                                       \
	"(SELECT h.host_id FROM temp.host_at h WHERE h.source_id = " T ".source_id" \
	" AND h.line <= (" T ".line_id & 4294967295) ORDER BY h.line DESC LIMIT 1)"

/* Places each row of `select`: id, source, src_boot, kind of stamp, stamp, time since boot or NULL
 * (it counts where there is no stamp), host of the line or NULL. `update` takes id, host, boot, time
 * and quality as ?1 to ?5. */
GPUDX_CHECK enum gpudx_status gpudx_place_rows(const struct gpudx_clocks *c, const char *select,
					       const char *update, struct gpudx_err *err);

#endif
