/* What stands behind struct gpudx_case. */
#ifndef GPUDX_CASE_H
#define GPUDX_CASE_H

#include "sig/sig.h"
#include "store/store.h"

struct gpudx_case {
	struct gpudx_store *store;
	struct gpudx_sigs *sigs; /* loaded with the first bundle */
};

#endif
