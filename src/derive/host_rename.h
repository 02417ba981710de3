/* A machine that got another name while its log was written, told from a log of two machines. */
#ifndef GPUDX_HOST_RENAME_H
#define GPUDX_HOST_RENAME_H

#include "base/sv.h"
#include "store/store.h"

/* What one log says under a name, and what it says under another one behind it. */
struct gpudx_two_names {
	int64_t before, after; /* sources */
	struct gpudx_sv old_name, new_name;
};

/* What installers, images and clouds call a machine until somebody names it: many have that name. */
bool gpudx_host_is_makeshift(struct gpudx_sv name);

/* *is: both are of one machine. */
GPUDX_CHECK enum gpudx_status gpudx_host_renamed(sqlite3 *db, const struct gpudx_two_names *two,
						 bool *is, struct gpudx_err *err);

#endif
