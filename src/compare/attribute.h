/* Between the files that draw conclusions: what may have moved the clocks. */
#ifndef GPUDX_COMPARE_ATTRIBUTE_H
#define GPUDX_COMPARE_ATTRIBUTE_H

#include "base/buf.h"
#include "compare/compare.h"

enum cmp_cause {
	CMP_CAUSE_NONE,
	CMP_CAUSE_LIMIT,  /* the power limit moved, and the GPU is or was held by it */
	CMP_CAUSE_CLOCKS, /* application clocks moved to where the clock is */
	CMP_CAUSE_HEAT,	  /* thermal slowdown, longer than before */
	CMP_CAUSE_BRAKE,  /* power brake or hardware slowdown, longer than before */
	CMP_CAUSES
};

/* What measured by itself explains the shift of the SM clock of a pair, whatever version moved. */
enum cmp_cause gpudx_cause_of(const struct gpudx_comparison *c, const struct cmp_shift *clock);

/* "power limit 400 → 300 W", "driver 535 → 550": versions of different branches by their branch. */
void gpudx_change_text(struct gpudx_buf *b, const struct cmp_change *k);

/* Things that moved and may matter: "driver", "kernel", ... once each, those that came along
 * apart. At most max; returns their number. */
size_t gpudx_candidates(const struct gpudx_comparison *c, const struct cmp_change **out,
			size_t max);

/* A copy of what was composed, which is cleared; NULL when memory is out. */
const char *gpudx_cmp_take(struct gpudx_arena *a, struct gpudx_buf *b);

/* "3.1 %", "23 %": as many digits as say something. */
void gpudx_share_text(struct gpudx_buf *b, double share);

/* Findings from all parts (findings.c). */
GPUDX_CHECK enum gpudx_status gpudx_cmp_findings(struct gpudx_comparison *c, struct gpudx_err *err);

#endif
