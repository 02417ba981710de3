/* What layers above the driver say of its errors. */
#ifndef GPUDX_ECHO_H
#define GPUDX_ECHO_H

#include "store/store.h"

/* An Xid that a scheduler, a monitor or a BMC reports (attribute "by") is a copy of the driver's own
 * line where the bundle has that, else of the first such report. After gpudx_copies_find. */
GPUDX_CHECK enum gpudx_status gpudx_echoes_find(sqlite3 *db, int64_t bundle, struct gpudx_err *err);

#endif
