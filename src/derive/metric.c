/* metric_stat: what a series other than samples amounts to. One pass in the order of arrival; there
 * may be a million values, of some thousand series. */
#include "derive/stages.h"

#include "base/arena.h"
#include "store/query.h"

struct place {
	int64_t line, raw_us; /* GPUDX_NO_TIME without stamps */
};

struct total {
	int64_t source_id, n;
	double first, last, min, max, rise;
	struct place at_first, at_last, at_min, at_max;
};

struct metrics {
	sqlite3 *db;
	struct gpudx_err *err;
	int64_t first_id, count; /* ids of the bundle lie together, or nearly so */
	struct total *of;	 /* by id from first_id on; source_id 0: not of this bundle */
};

static const char clear_sql[] =
	"DELETE FROM metric_stat WHERE metric_id IN (SELECT m.id FROM metric m"
	" JOIN source s ON s.id = m.source_id WHERE s.bundle_id = ?1)";
static const char range_sql[] = "SELECT min(m.id), max(m.id) FROM metric m"
				" JOIN source s ON s.id = m.source_id WHERE s.bundle_id = ?1";
static const char metrics_sql[] = "SELECT m.id, m.source_id FROM metric m"
				  " JOIN source s ON s.id = m.source_id WHERE s.bundle_id = ?1";
static const char values_sql[] = "SELECT metric_id, line, t_raw_us, value FROM metric_sample WHERE "
				 "metric_id BETWEEN ?1 AND ?2";
static const char insert_sql[] =
	"INSERT INTO metric_stat(metric_id, n, min, max, first, last, rise, t_max_raw_us,"
	" line_first, line_last, line_min, line_max) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

static enum gpudx_status find_range(struct metrics *m, int64_t bundle)
{
	sqlite3_stmt *st;
	enum gpudx_status rc = gpudx_db_prepare(m->db, range_sql, &st, m->err);
	bool row;

	if (rc)
		return rc;
	sqlite3_bind_int64(st, 1, bundle);
	rc = gpudx_db_step(st, &row, m->err);
	if (!rc && row && sqlite3_column_type(st, 0) != SQLITE_NULL) {
		m->first_id = gpudx_col_int(st, 0, 0);
		m->count = gpudx_col_int(st, 1, 0) - m->first_id + 1;
	}
	sqlite3_finalize(st);
	return rc;
}

static struct total *total_of(const struct metrics *m, int64_t id)
{
	int64_t at = id - m->first_id;

	return at >= 0 && at < m->count ? &m->of[at] : NULL;
}

static enum gpudx_status find_metrics(struct metrics *m, int64_t bundle)
{
	sqlite3_stmt *st;
	enum gpudx_status rc = gpudx_db_prepare(m->db, metrics_sql, &st, m->err);
	bool row;

	if (rc)
		return rc;
	sqlite3_bind_int64(st, 1, bundle);
	while (!(rc = gpudx_db_step(st, &row, m->err)) && row) {
		struct total *t = total_of(m, gpudx_col_int(st, 0, 0));

		if (t)
			t->source_id = gpudx_col_int(st, 1, 0);
	}
	sqlite3_finalize(st);
	return rc;
}

static void add(struct total *t, double v, struct place at)
{
	if (!t->n || v < t->min)
		t->min = v, t->at_min = at;
	if (!t->n || v > t->max)
		t->max = v, t->at_max = at;
	if (!t->n)
		t->first = v, t->at_first = at;
	else if (v > t->last)
		t->rise += v - t->last;
	t->last = v, t->at_last = at;
	t->n++;
}

static enum gpudx_status read_values(struct metrics *m)
{
	sqlite3_stmt *st;
	enum gpudx_status rc = gpudx_db_prepare(m->db, values_sql, &st, m->err);
	bool row;

	if (rc)
		return rc;
	sqlite3_bind_int64(st, 1, m->first_id);
	sqlite3_bind_int64(st, 2, m->first_id + m->count - 1);
	while (!(rc = gpudx_db_step(st, &row, m->err)) && row) {
		struct total *t = total_of(m, gpudx_col_int(st, 0, 0));

		if (t && t->source_id)
			add(t, sqlite3_column_double(st, 3),
			    (struct place){ gpudx_col_int(st, 1, 0), gpudx_col_time(st, 2) });
	}
	sqlite3_finalize(st);
	return rc;
}

static enum gpudx_status write_total(struct metrics *m, sqlite3_stmt *st, int64_t id,
				     const struct total *t)
{
	const double value[] = { t->min, t->max, t->first, t->last, t->rise };
	const int64_t line[] = { t->at_first.line, t->at_last.line, t->at_min.line,
				 t->at_max.line };

	sqlite3_bind_int64(st, 1, id);
	sqlite3_bind_int64(st, 2, t->n);
	for (int i = 0; i < 5; i++)
		sqlite3_bind_double(st, 3 + i, value[i]);
	gpudx_bind_time(st, 8, t->at_max.raw_us);
	for (int i = 0; i < 4; i++)
		sqlite3_bind_int64(st, 9 + i, t->source_id << 32 | line[i]);
	return gpudx_db_run(st, m->err);
}

static enum gpudx_status write_totals(struct metrics *m)
{
	sqlite3_stmt *st;
	enum gpudx_status rc = gpudx_db_prepare(m->db, insert_sql, &st, m->err);

	for (int64_t i = 0; i < m->count && !rc; i++)
		if (m->of[i].n)
			rc = write_total(m, st, m->first_id + i, &m->of[i]);
	sqlite3_finalize(st);
	return rc;
}

static enum gpudx_status make_totals(struct metrics *m, int64_t bundle, struct gpudx_arena *arena)
{
	enum gpudx_status rc;

	m->of = gpudx_arena_array(arena, (size_t)m->count, sizeof(*m->of));
	if (!m->of)
		return gpudx_fail(m->err, GPUDX_E_NOMEM, "out of memory");
	rc = find_metrics(m, bundle);
	if (!rc)
		rc = read_values(m);
	return rc ? rc : write_totals(m);
}

enum gpudx_status gpudx_derive_metrics(struct gpudx_store *store, int64_t bundle,
				       struct gpudx_err *err)
{
	struct gpudx_arena arena = { 0 };
	struct metrics m = { .db = gpudx_store_db(store), .err = err };
	enum gpudx_status rc = gpudx_query_run(m.db, clear_sql, bundle, err);

	if (!rc)
		rc = find_range(&m, bundle);
	if (!rc && m.count)
		rc = make_totals(&m, bundle, &arena);
	gpudx_arena_free(&arena);
	return rc ? gpudx_while(err, "while summarising other series") : GPUDX_OK;
}
