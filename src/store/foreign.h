/* Databases that came from elsewhere: a ticket's attachment, another machine. */
#ifndef GPUDX_FOREIGN_H
#define GPUDX_FOREIGN_H

#include <sqlite3.h>

#include "gpudx/status.h"

/* Opens the case database at path so that nothing is written beside it and nothing in it is run but
 * what our own schema says. GPUDX_E_INPUT: it is no such database, or its schema differs from ours
 * in any byte; GPUDX_E_USAGE: there is no such file. */
GPUDX_CHECK enum gpudx_status gpudx_foreign_open(const char *path, sqlite3 **out,
						 struct gpudx_err *err);

#endif
