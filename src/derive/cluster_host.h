/* Outputs that speak of a cluster, not of the machine that was asked. */
#ifndef GPUDX_CLUSTER_HOST_H
#define GPUDX_CLUSTER_HOST_H

#include "store/store.h"

/* Where the sources that name no host are all such outputs, there is no machine behind them: they go to the first
 * host that has a name. After hosts are written, before anything has their ids. */
GPUDX_CHECK enum gpudx_status gpudx_cluster_host(sqlite3 *db, int64_t bundle,
						 struct gpudx_err *err);

#endif
