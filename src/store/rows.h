/* Rows on their way into the database: every table that ingest fills, but gpu_sample, which has a
 * faster way of its own. A row is encoded by the reading thread and bound by the writing one. */
#ifndef GPUDX_ROWS_H
#define GPUDX_ROWS_H

#include "base/buf.h"
#include "base/sv.h"

enum gpudx_table {
	GPUDX_T_SOURCE,
	GPUDX_T_LINE,
	GPUDX_T_REJECT,
	GPUDX_T_REF,
	GPUDX_T_REF_END, /* an update: what is known of a ref at the end of its source */
	GPUDX_T_FACT,
	GPUDX_T_EVENT,
	GPUDX_T_EVENT_ATTR,
	GPUDX_T_EVENT_LINE,
	GPUDX_T_PROCESS,
	GPUDX_T_DEVICE,
	GPUDX_T_ANCHOR,
	GPUDX_T_SPAN,
	GPUDX_T_INSTANCE,
	GPUDX_T_METRIC,
	GPUDX_T_METRIC_SAMPLE,
	GPUDX_T_MINUTE,
	GPUDX_T_SECOND,
	GPUDX_T_HIST,
	GPUDX_TABLES
};

struct gpudx_insert {
	const char *sql; /* one parameter a column, in order */
	int columns;
};

extern const struct gpudx_insert gpudx_inserts[GPUDX_TABLES];

enum gpudx_val_type { GPUDX_V_NULL, GPUDX_V_INT, GPUDX_V_REAL, GPUDX_V_TEXT };

struct gpudx_val {
	enum gpudx_val_type type;
	union {
		int64_t i;
		double d;
		struct gpudx_sv s;
	};
};

/* Encoding: gpudx_row_begin, one call a column, gpudx_row_end. */
struct gpudx_row {
	struct gpudx_buf *b;
	enum gpudx_table table;
	int columns;
};

void gpudx_row_begin(struct gpudx_row *r, struct gpudx_buf *b, enum gpudx_table t);
void gpudx_row_null(struct gpudx_row *r);
void gpudx_row_int(struct gpudx_row *r, int64_t v);
void gpudx_row_real(struct gpudx_row *r, double v);	     /* NAN = NULL */
void gpudx_row_text(struct gpudx_row *r, struct gpudx_sv s); /* .p NULL = NULL; made valid UTF-8 */
void gpudx_row_str(struct gpudx_row *r, const char *s);	     /* NULL = NULL */
void gpudx_row_time(struct gpudx_row *r, int64_t t_us);	     /* GPUDX_NO_TIME = NULL */
void gpudx_row_unless(struct gpudx_row *r, int64_t v, int64_t none); /* v == none: NULL */
void gpudx_row_end(struct gpudx_row *r);

/* Decoding: the next row at the cursor into v (room for 32); false at the end. Text borrows. */
bool gpudx_row_next(struct gpudx_sv *cursor, enum gpudx_table *t, struct gpudx_val *v, int *n);

#endif
