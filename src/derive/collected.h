/* When a bundle was collected: the date that a bug report states, else the newest stamp with a
 * year, else the newest file time. */
#ifndef GPUDX_COLLECTED_H
#define GPUDX_COLLECTED_H

#include "store/store.h"

struct gpudx_collected {
	int64_t raw_us;		    /* GPUDX_NO_TIME: nothing says it */
	enum gpudx_stamp_kind kind; /* of raw_us: LOCAL or UTC */
	int64_t source;		    /* whose clock it is; 0 a file system's */
	const char *how;	    /* as in bundle.collected_how */
};

GPUDX_CHECK enum gpudx_status gpudx_collected_find(sqlite3 *db, int64_t bundle,
						   struct gpudx_collected *out,
						   struct gpudx_err *err);

#endif
