/* Output files: whole or not at all. A file is made beside its place under a fixed other name and
 * renamed when it is complete; what a killed run left is cleared by the next. */
#ifndef OUT_H
#define OUT_H

#include <stdbool.h>
#include <stdio.h>

#include "gpudx/status.h"

enum out_kind { OUT_DATABASE, OUT_REPORT, OUT_PRIVATE }; /* private: for nobody else to read */

struct out_file {
	char *path, *part; /* the place, and the name until then; part NULL: a device or pipe */
	FILE *f;	   /* NULL for a database: SQLite opens .part itself */
};

/* Refuses a place that holds something gpudx did not make, unless force. A report may go to a
 * device or pipe, which stays one. */
GPUDX_CHECK enum gpudx_status out_open(struct out_file *o, const char *path, enum out_kind kind,
				       bool force, struct gpudx_err *err);

/* A report there is written into what stands there: a device or a pipe. */
bool out_is_device(const char *path);

/* Flushes and renames. */
GPUDX_CHECK enum gpudx_status out_commit(struct out_file *o, struct gpudx_err *err);

/* Throws away what was not committed, and frees. Safe to call always. */
void out_close(struct out_file *o);

/* From here on SIGINT, SIGTERM and SIGHUP remove unfinished files and end with 128 + n; so does an
 * exit() that is not ours, with status 5, until out_finish. */
void out_catch_signals(void);
void out_finish(void);

#endif
