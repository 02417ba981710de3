/* The library behind the gpudx program: a case is a database that bundles are read into, derived,
 * judged and reported from. One thread uses a case at a time. All paths are of the caller's file
 * system; no text of a bundle ever becomes one. */
#ifndef GPUDX_H
#define GPUDX_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "gpudx/status.h"

const char *gpudx_version(void);

struct gpudx_case;

/* Creates a case database at path, which must not exist; NULL = in memory. */
GPUDX_CHECK enum gpudx_status gpudx_case_create(const char *path, struct gpudx_case **out,
						struct gpudx_err *err);

/* Opens the database of an earlier run read-only; a foreign one is refused. */
GPUDX_CHECK enum gpudx_status gpudx_case_open(const char *path, struct gpudx_case **out,
					      struct gpudx_err *err);
void gpudx_case_close(struct gpudx_case *c);

struct gpudx_read {
	int64_t bundle;    /* id in the case */
	uint32_t members;  /* files and entries found */
	uint32_t unread;   /* of these, nobody could read */
	const char *limit; /* what ended the reading early, or NULL */
};

/* Reads one bundle: a directory, archive or file, "-" for stdin. Damage inside it is recorded in
 * the case; GPUDX_E_USAGE: there is no such path; GPUDX_E_INPUT: it cannot be read at all. */
GPUDX_CHECK enum gpudx_status gpudx_case_read(struct gpudx_case *c, const char *path,
					      struct gpudx_read *out, struct gpudx_err *err);

#endif
