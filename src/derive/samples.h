/* Reading stretches of gpu_sample, the one table with millions of rows: always by rowid, never
 * sorted, each row handed over once in the order of arrival. */
#ifndef GPUDX_SAMPLES_H
#define GPUDX_SAMPLES_H

#include "store/store.h"

/* One row; NAN is NULL. */
struct gpudx_sample_row {
	int64_t id, ref;
	int64_t clock_us; /* t_raw_us; without stamps the steps, a second each, as in the rollups */
	double clock_mhz, power_w, limit_w, temp_c, util_pct;
	uint32_t reasons;
};

typedef enum gpudx_status gpudx_sample_fn(void *arg, const struct gpudx_sample_row *row);

struct gpudx_samples {
	sqlite3 *db;
	gpudx_sample_fn *take; /* a failure ends the reading; its message is the taker's business */
	void *arg;
	sqlite3_stmt *st;
	enum gpudx_status rc;
};

/* Which rows: those of the refs whose bit is set, counted from lowest_ref; -1 = all refs. */
struct gpudx_sample_range {
	int64_t first_id, last_id;
	int64_t lowest_ref, refs;
};

/* s has db, take and arg, and stays where it is until the end. One reader a connection. */
GPUDX_CHECK enum gpudx_status gpudx_samples_begin(struct gpudx_samples *s, struct gpudx_err *err);
GPUDX_CHECK enum gpudx_status gpudx_samples_read(struct gpudx_samples *s,
						 const struct gpudx_sample_range *r,
						 struct gpudx_err *err);
void gpudx_samples_end(struct gpudx_samples *s);

#endif
