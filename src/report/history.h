/* What happened when, of all sources: messages, stretches of samples, changes and boots. */
#ifndef GPUDX_HISTORY_H
#define GPUDX_HISTORY_H

#include "report/model.h"

enum { REP_HISTORY = 300, REP_HISTORY_LANES = 40 };

struct rep_happened {
	int64_t t_us;	  /* of .quality; GPUDX_NO_TIME none */
	int64_t t1_us;	  /* its end; GPUDX_NO_TIME: a moment */
	int64_t local_us; /* the machine's local time; GPUDX_NO_TIME nobody knows */
	int64_t raw_us;	  /* as the source has it, by .raw_kind; GPUDX_NO_TIME no stamp */
	enum gpudx_stamp_kind raw_kind;
	struct gpudx_sv
		stamp; /* the same as it is printed; .p NULL: not told apart from the rest */
	enum rep_quality quality;
	size_t lane;
	struct gpudx_sv what, text, path; /* "Xid 79" */
	uint32_t line;			  /* 0 none */
	bool cited;			  /* by a finding */
};

struct rep_history {
	struct gpudx_sv
		lanes[REP_HISTORY_LANES]; /* a GPU, or a machine; the last takes what is more */
	size_t nlanes;
	struct rep_happened *v; /* by time; those without come last */
	size_t n;
	int64_t all; /* there are; more than .n: what findings cite is kept first */
};

/* In the model's arena. */
GPUDX_CHECK enum gpudx_status gpudx_history_load(const struct rep_model *m, struct rep_history *h,
						 struct gpudx_err *err);

#endif
