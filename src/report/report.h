/* Renders one bundle of a case database. See gpudx_case_report in gpudx.h. */
#ifndef GPUDX_REPORT_H
#define GPUDX_REPORT_H

#include <sqlite3.h>

#include "gpudx/gpudx.h"
#include "base/buf.h"
#include "report/model.h"

struct rep_charts;

GPUDX_CHECK enum gpudx_status gpudx_report(sqlite3 *db, int64_t bundle, enum gpudx_format format,
					   const struct gpudx_report_options *o, FILE *out,
					   struct gpudx_err *err);

/* See gpudx_case_charts. */
GPUDX_CHECK enum gpudx_status
gpudx_report_charts(sqlite3 *db, int64_t bundle, struct gpudx_plot *plot,
		    void (*each)(void *arg, const char *name, const char *content, size_t n),
		    void *arg, const char **missing, struct gpudx_err *err);

/* ---- one file each; they append to b, and pass it on with gpudx_report_flush where it may have
 * grown ---- */

struct rep_out {
	struct gpudx_buf b;
	FILE *file;
	int error; /* errno of the first write that failed */
};

/* Writes what has gathered. Failures of the stream are seen at the end. */
void gpudx_report_flush(struct rep_out *o);

GPUDX_CHECK enum gpudx_status gpudx_report_text(const struct rep_model *m,
						const struct gpudx_report_options *o,
						struct rep_out *out, struct gpudx_err *err);
GPUDX_CHECK enum gpudx_status gpudx_report_md(const struct rep_model *m, struct rep_out *out,
					      struct gpudx_err *err);
GPUDX_CHECK enum gpudx_status gpudx_report_csv(const struct rep_model *m, struct rep_out *out,
					       struct gpudx_err *err);
GPUDX_CHECK enum gpudx_status gpudx_report_json(const struct rep_model *m, struct rep_out *out,
						struct gpudx_err *err);
GPUDX_CHECK enum gpudx_status gpudx_report_html(const struct rep_model *m,
						const struct rep_charts *charts,
						struct rep_out *out, struct gpudx_err *err);

#endif
