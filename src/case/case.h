/* What stands behind struct gpudx_case. */
#ifndef GPUDX_CASE_H
#define GPUDX_CASE_H

#include "gpudx/gpudx.h"
#include "bundle/stream.h"
#include "sig/sig.h"
#include "store/store.h"

struct gpudx_redact;
struct gpudx_site;

struct gpudx_case {
	struct gpudx_store *store;
	struct gpudx_sigs *sigs;     /* loaded with the first bundle */
	struct gpudx_redact *redact; /* NULL: as it is */
	struct gpudx_site *site;     /* NULL: nobody said what is meant */
	struct gpudx_budget limits;  /* of each bundle that is read */
};

/* Fills .worst and .actions from the findings of a bundle. */
GPUDX_CHECK enum gpudx_status gpudx_case_sum_up(struct gpudx_case *c, int64_t bundle,
						struct gpudx_judged *out, struct gpudx_err *err);

#endif
