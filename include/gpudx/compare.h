/* Comparing two captures: what changed, what it did, and a gate for a rollout. Each side is a case
 * that was read and derived; it may hold several bundles of the same machines. */
#ifndef GPUDX_COMPARE_H
#define GPUDX_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "gpudx/status.h"

struct gpudx_case;
struct gpudx_plot;
struct gpudx_comparison;

/* What a gate demands. A condition is asked for when its number is not NAN. */
struct gpudx_compare_options {
	const char *before_label,
		*after_label;	     /* how reports call the sides; NULL = as the bundles */
	double max_clock_drop;	     /* share: 0.03 = 3 % */
	double max_throughput_drop;  /* share, of every throughput series on both sides */
	double max_error_rate_ratio; /* after / before, of each kind of incident */
	const char *const *no_new;   /* kinds of events that must not appear: "xid", "xid.31" */
	size_t nno_new;
	const char *const *series; /* "KEY,lower|higher[,3%]" */
	size_t nseries;
	bool allow_inconclusive; /* a condition that cannot be told does not fail the gate */
	uint64_t seed;		 /* of the bootstrap; 0 = 1 */
	double block_s; /* length of its blocks in seconds; 0 = by the memory of each series */
};

/* No conditions. */
struct gpudx_compare_options gpudx_compare_defaults(void);

/* "3%", "3 %" or "0.03"; false when it is neither or not in [0, 1). */
bool gpudx_parse_share(const char *text, double *out);

/* Compares two cases. GPUDX_E_USAGE: an option is malformed; GPUDX_E_INPUT: a side has no GPU. */
GPUDX_CHECK enum gpudx_status gpudx_compare(struct gpudx_case *before, struct gpudx_case *after,
					    const struct gpudx_compare_options *options,
					    struct gpudx_comparison **out, struct gpudx_err *err);

/* The same within one case, before and after the change of a version: the last one of the driver,
 * or else of the kernel or toolkit. GPUDX_E_INPUT: there is no such change. */
GPUDX_CHECK enum gpudx_status gpudx_compare_split(struct gpudx_case *c,
						  const struct gpudx_compare_options *options,
						  struct gpudx_comparison **out,
						  struct gpudx_err *err);
void gpudx_comparison_free(struct gpudx_comparison *c);

struct gpudx_compared {
	size_t conditions, failed, inconclusive; /* of the gate; failed without inconclusive ones */
	bool gate_failed;			 /* what an exit status of 1 says */
	size_t findings;			 /* of warning or worse */
};
struct gpudx_compared gpudx_comparison_sum(const struct gpudx_comparison *c);

enum gpudx_compare_format {
	GPUDX_CMP_TEXT,
	GPUDX_CMP_JSON,
	GPUDX_CMP_HTML,
	GPUDX_CMP_MARKDOWN,
	GPUDX_CMP_JUNIT
};

struct gpudx_compare_report {
	int width;		 /* text: columns; 0 = 100 */
	bool colour;		 /* text: the caller has looked at isatty and NO_COLOR */
	const char *files;	 /* text: where the other files are, for the last line; NULL none */
	struct gpudx_plot *plot; /* html: NULL = without plots */
};

GPUDX_CHECK enum gpudx_status gpudx_comparison_report(const struct gpudx_comparison *c,
						      enum gpudx_compare_format format,
						      const struct gpudx_compare_report *options,
						      FILE *out, struct gpudx_err *err);

#endif
