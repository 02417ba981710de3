/* Writers of a comparison, and the words that they share. They print what src/compare found. */
#ifndef GPUDX_REPORT_CMP_H
#define GPUDX_REPORT_CMP_H

#include "compare/compare.h"
#include "report/chart.h"
#include "report/report.h"

/* Writes in one of the formats; see gpudx_comparison_report. */
GPUDX_CHECK enum gpudx_status gpudx_cmp_report(const struct gpudx_comparison *c,
					       enum gpudx_compare_format format,
					       const struct gpudx_compare_report *o, FILE *file,
					       struct gpudx_err *err);

/* ---- one file each ---- */

void gpudx_cmp_text_report(const struct gpudx_comparison *c, const struct gpudx_compare_report *o,
			   struct gpudx_buf *b);
void gpudx_cmp_json(const struct gpudx_comparison *c, struct gpudx_buf *b);
void gpudx_cmp_junit(const struct gpudx_comparison *c, struct gpudx_buf *b);
void gpudx_cmp_markdown(const struct gpudx_comparison *c, struct gpudx_buf *b);
void gpudx_cmp_html(const struct gpudx_comparison *c, struct gpudx_plot *plot, struct gpudx_buf *b);

/* ---- plots (cmp_plot.c) ---- */

/* Clock against power of both sides, their limits as lines, and how the clock is distributed; then
 * one distribution for each other series. Bodies are of the arena. False: not drawn. */
bool gpudx_cmp_plot_proof(const struct gpudx_comparison *c, struct gpudx_plot *plot, int width,
			  struct gpudx_arena *a, struct rep_chart *out);
bool gpudx_cmp_plot_histogram(const struct cmp_histogram *h, struct gpudx_plot *plot, int width,
			      struct gpudx_arena *a, struct rep_chart *out);

/* ---- words ---- */

/* "INTENDED", "came along", ... */
const char *gpudx_cmp_group(enum cmp_group g);
/* "PASS", "FAIL", "INCONCLUSIVE". */
const char *gpudx_cmp_outcome(enum cmp_outcome o);
/* "error" of E, "warning" of W, "info" of I. */
const char *gpudx_cmp_severity(char letter);
/* "better", "worse", "same within ±0.6 %", ..., or what explains it. */
void gpudx_cmp_verdict(struct gpudx_buf *b, const struct cmp_shift *s);
/* "-23.7 %", "-8 K"; then "[-24.4, -23.0]". */
void gpudx_cmp_difference(struct gpudx_buf *b, const struct cmp_shift *s);
void gpudx_cmp_interval(struct gpudx_buf *b, const struct cmp_shift *s);
/* "SM clock, median", "SM clock, slowest GPU". */
void gpudx_cmp_shift_name(struct gpudx_buf *b, const struct gpudx_comparison *c,
			  const struct cmp_shift *s);
/* "1395 MHz" */
void gpudx_cmp_value(struct gpudx_buf *b, const struct cmp_shift *s, int side);
/* "xid 31" */
void gpudx_cmp_rate_name(struct gpudx_buf *b, const struct cmp_rate *r);
/* "says nothing yet ...", "rose", ... */
void gpudx_cmp_rate_verdict(struct gpudx_buf *b, const struct cmp_rate *r);
/* "12 counters of 2 GPUs are on both sides: 1 grew." or why there are none. */
void gpudx_cmp_counters_still(struct gpudx_buf *b, const struct gpudx_comparison *c);
/* The value of one key on a side, or what differs between its GPUs: "550.54.14". NULL unknown. */
const char *gpudx_cmp_term(const struct cmp_side *s, const char *key);
/* Shifts that stand in the first table: of all GPUs, or of the only one; and of jobs. */
bool gpudx_cmp_leads(const struct gpudx_comparison *c, const struct cmp_shift *s);

#endif
