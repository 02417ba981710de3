/* One bundle into the case database: the stages bundle, lines, sniff, parsers and store. */
#ifndef GPUDX_INGEST_H
#define GPUDX_INGEST_H

#include "bundle/bundle.h"
#include "sig/sig.h"
#include "store/store.h"

struct gpudx_ingested {
	int64_t bundle;	   /* id of its row */
	uint32_t members;  /* files and entries found */
	uint32_t unread;   /* of these, nobody could read */
	const char *limit; /* what ended the reading early, or NULL */
};

/* Reads paths ("-" = stdin), of which several become one bundle, and writes its bundle, source, sample, fact and event rows; derive does
 * the rest. limits NULL: the usual ones. Damage of the input is recorded, not returned: only what stops the run is an error. */
GPUDX_CHECK enum gpudx_status gpudx_ingest(struct gpudx_store *store, const struct gpudx_sigs *sigs,
					   const char *const *paths, size_t npaths,
					   const struct gpudx_budget *limits,
					   struct gpudx_ingested *out, struct gpudx_err *err);

#endif
