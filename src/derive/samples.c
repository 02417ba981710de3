#include "derive/samples.h"

#include <math.h>

/* An aggregate gets its arguments straight from the registers of the statement: rows are read in
 * half the time that stepping and sqlite3_column_... take. */
static const char samples_sql[] =
	"SELECT gpudx_take(rowid, ref_id, t_raw_us, seq, sm_clock_mhz, power_w, power_limit_w, "
	"temp_c,"
	" util_pct, reasons)"
	" FROM gpu_sample WHERE rowid BETWEEN ?1 AND ?2 AND ?4 >> (ref_id - ?3) & 1";

enum { COLUMNS = 10 };

static double real_of(sqlite3_value *v)
{
	return sqlite3_value_type(v) == SQLITE_NULL ? (double)NAN : sqlite3_value_double(v);
}

static void take_row(sqlite3_context *context, int n, sqlite3_value **v)
{
	struct gpudx_samples *s = sqlite3_user_data(context);
	struct gpudx_sample_row row;

	(void)n;
	if (s->rc)
		return;
	row.id = sqlite3_value_int64(v[0]);
	row.ref = sqlite3_value_int64(v[1]);
	row.clock_us = sqlite3_value_type(v[2]) == SQLITE_NULL
			       ? sqlite3_value_int64(v[3]) * GPUDX_SECOND
			       : sqlite3_value_int64(v[2]);
	row.clock_mhz = real_of(v[4]);
	row.power_w = real_of(v[5]);
	row.limit_w = real_of(v[6]);
	row.temp_c = real_of(v[7]);
	row.util_pct = real_of(v[8]);
	row.reasons = (uint32_t)sqlite3_value_int64(v[9]);
	s->rc = s->take(s->arg, &row);
}

static void take_end(sqlite3_context *context)
{
	(void)context;
}

static int define_take(sqlite3 *db, struct gpudx_samples *s)
{
	return sqlite3_create_function(db, "gpudx_take", COLUMNS, SQLITE_UTF8 | SQLITE_DIRECTONLY,
				       s, NULL, s ? take_row : NULL, s ? take_end : NULL);
}

enum gpudx_status gpudx_samples_begin(struct gpudx_samples *s, struct gpudx_err *err)
{
	if (define_take(s->db, s) != SQLITE_OK)
		return gpudx_db_fail(s->db, err);
	return gpudx_db_prepare(s->db, samples_sql, &s->st, err);
}

enum gpudx_status gpudx_samples_read(struct gpudx_samples *s, const struct gpudx_sample_range *r,
				     struct gpudx_err *err)
{
	enum gpudx_status rc;
	bool row;

	sqlite3_bind_int64(s->st, 1, r->first_id);
	sqlite3_bind_int64(s->st, 2, r->last_id);
	sqlite3_bind_int64(s->st, 3, r->lowest_ref);
	sqlite3_bind_int64(s->st, 4, r->refs);
	rc = gpudx_db_step(s->st, &row, err);
	sqlite3_reset(s->st);
	return rc ? rc : s->rc;
}

void gpudx_samples_end(struct gpudx_samples *s)
{
	sqlite3_finalize(s->st);
	s->st = NULL;
	define_take(s->db, NULL);
}
