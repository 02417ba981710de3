/* What a site means to have is no fault: findings about such a setting become notes. */
#ifndef GPUDX_MEANT_H
#define GPUDX_MEANT_H

#include "store/store.h"

/* Findings of a rule in kb_site_setting whose setting is as table site says for all their GPUs are info
 * from now on, ask for nothing, and cite the site's line as what speaks against them. */
GPUDX_CHECK enum gpudx_status gpudx_meant(sqlite3 *db, int64_t bundle, struct gpudx_err *err);

#endif
