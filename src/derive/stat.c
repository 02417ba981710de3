/* gpu_stat: the distribution of a column over a whole ref, from the rollups. Minimum and maximum
 * are exact; p10, p50 and p90 lie within one bin of gpu_hist (5 MHz, 2 W, 1 C, 1 %); top is exact.
 */
#include "derive/stages.h"

#include <math.h>

#include "derive/dist.h"
#include "store/query.h"
#include "derive/refs.h"

enum { COLS = 4, SM = 0, TOPS = 16, SEEN = 1024 };

/* Columns of gpu_hist. Values of whole units stand at the lower end of their bin; power, which has
 * fractions, is best taken in its middle. */
static const struct stat_col {
	struct gpudx_sv name;
	double width, middle;
} cols[COLS] = {
	{ SV("sm_clock_mhz"), 5, 0 },
	{ SV("power_w"), 2, 1 },
	{ SV("temp_c"), 1, 0 },
	{ SV("util_pct"), 1, 0 },
};

/* A clock that is the maximum of so many minutes, and the rowids of one of them. */
struct top {
	double mhz;
	int64_t minutes, first_id, last_id;
};

struct ref_stat {
	double min[COLS], max[COLS];
	struct top top[TOPS]; /* highest first */
	unsigned tops;
};

struct stats {
	sqlite3 *db;
	struct gpudx_err *err;
	struct gpudx_refs refs;
	struct ref_stat *of; /* by place in refs */
	sqlite3_stmt *clocks, *below, *insert;
	union gpudx_dist_room room;
};

static const char minutes_sql[] =
	"SELECT ref_id, first_id, last_id, sm_min, sm_max, power_min, power_max, temp_min, "
	"temp_max,"
	" util_min, util_max FROM gpu_minute WHERE ref_id BETWEEN ?1 AND ?2";
static const char hist_sql[] = "SELECT ref_id, col, lo, sum(n) FROM gpu_hist"
			       " WHERE ref_id BETWEEN ?1 AND ?2 GROUP BY ref_id, col, lo"
			       " ORDER BY ref_id, col, lo";
static const char clocks_sql[] = "SELECT sm_clock_mhz FROM gpu_sample"
				 " WHERE rowid BETWEEN ?1 AND ?2 AND ref_id = ?3"
				 " AND sm_clock_mhz IS NOT NULL";
static const char below_sql[] = "SELECT sm_max, first_id, last_id FROM gpu_minute"
				" WHERE ref_id = ?1 AND sm_max < ?2 ORDER BY sm_max DESC";
static const char clear_sql[] = "DELETE FROM gpu_stat WHERE ref_id IN (SELECT r.id FROM gpu_ref r"
				" JOIN source s ON s.id = r.source_id WHERE s.bundle_id = ?1)";
static const char insert_sql[] = "INSERT INTO gpu_stat VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)";

/* ---- the top level: the highest clock that was seen twice ----
 *
 * A clock that is the maximum of two minutes was seen twice, so one scan over the minutes mostly
 * settles it. Otherwise the minutes are read from the one with the highest maximum downwards, until
 * a clock seen twice is at least as high as all that is still unread. */

static bool same(double a, double b)
{
	return !(a < b) && !(a > b);
}

static void add_top(struct ref_stat *r, struct top t)
{
	unsigned i = 0;

	while (i < r->tops && r->top[i].mhz > t.mhz)
		i++;
	if (i < r->tops && same(r->top[i].mhz, t.mhz)) {
		r->top[i].minutes++;
		return;
	}
	if (i == TOPS)
		return;
	if (r->tops < TOPS)
		r->tops++;
	for (unsigned k = r->tops - 1; k > i; k--)
		r->top[k] = r->top[k - 1];
	r->top[i] = t;
}

/* The highest clocks met so far, highest first. */
struct seen {
	struct {
		double mhz;
		int64_t n;
	} v[SEEN];
	unsigned n;
};

static void see(struct seen *s, double mhz)
{
	unsigned i = 0;

	while (i < s->n && s->v[i].mhz > mhz)
		i++;
	if (i < s->n && same(s->v[i].mhz, mhz)) {
		s->v[i].n++;
		return;
	}
	if (i == SEEN)
		return;
	if (s->n < SEEN)
		s->n++;
	for (unsigned k = s->n - 1; k > i; k--)
		s->v[k] = s->v[k - 1];
	s->v[i].mhz = mhz;
	s->v[i].n = 1;
}

static double highest_twice(const struct seen *s)
{
	for (unsigned i = 0; i < s->n; i++)
		if (s->v[i].n >= 2)
			return s->v[i].mhz;
	return (double)NAN;
}

static enum gpudx_status see_minute(struct stats *s, int64_t ref, const struct top *t,
				    struct seen *seen)
{
	enum gpudx_status rc;
	bool row;

	sqlite3_bind_int64(s->clocks, 1, t->first_id);
	sqlite3_bind_int64(s->clocks, 2, t->last_id);
	sqlite3_bind_int64(s->clocks, 3, ref);
	while (!(rc = gpudx_db_step(s->clocks, &row, s->err)) && row)
		see(seen, gpudx_col_real(s->clocks, 0));
	sqlite3_reset(s->clocks);
	return rc;
}

/* The minutes below those that are kept, for clocks of so many levels that these do not decide. */
static enum gpudx_status see_more(struct stats *s, size_t at, struct seen *seen)
{
	const struct ref_stat *r = &s->of[at];
	enum gpudx_status rc;
	bool row;

	sqlite3_bind_int64(s->below, 1, s->refs.v[at].id);
	gpudx_bind_real(s->below, 2, r->top[r->tops - 1].mhz);
	while (!(rc = gpudx_db_step(s->below, &row, s->err)) && row) {
		struct top t = { gpudx_col_real(s->below, 0), 1, gpudx_col_int(s->below, 1, 0),
				 gpudx_col_int(s->below, 2, 0) };

		if (highest_twice(seen) >= t.mhz ||
		    (rc = see_minute(s, s->refs.v[at].id, &t, seen)))
			break;
	}
	sqlite3_reset(s->below);
	return rc;
}

static enum gpudx_status find_top(struct stats *s, size_t at, double *top)
{
	const struct ref_stat *r = &s->of[at];
	struct seen seen = { .n = 0 };
	enum gpudx_status rc = GPUDX_OK;
	unsigned i = 0;

	while (i < r->tops && !rc && !(highest_twice(&seen) >= r->top[i].mhz)) {
		const struct top *t = &r->top[i++];

		if (t->minutes >= 2)
			see(&seen, t->mhz), see(&seen, t->mhz);
		else
			rc = see_minute(s, s->refs.v[at].id, t, &seen);
	}
	if (!rc && i == TOPS)
		rc = see_more(s, at, &seen);
	*top = highest_twice(&seen);
	return rc;
}

/* ---- minutes ---- */

static void add_minute(struct ref_stat *r, sqlite3_stmt *st)
{
	double clock = gpudx_col_real(st, 3 + 2 * SM + 1);

	for (int c = 0; c < COLS; c++) {
		r->min[c] = fmin(r->min[c], gpudx_col_real(st, 3 + 2 * c));
		r->max[c] = fmax(r->max[c], gpudx_col_real(st, 3 + 2 * c + 1));
	}
	if (!isnan(clock))
		add_top(r,
			(struct top){ clock, 1, gpudx_col_int(st, 1, 0), gpudx_col_int(st, 2, 0) });
}

static enum gpudx_status read_minutes(struct stats *s, sqlite3_stmt *st)
{
	enum gpudx_status rc;
	bool row;

	while (!(rc = gpudx_db_step(st, &row, s->err)) && row) {
		size_t i = gpudx_refs_find(&s->refs, gpudx_col_int(st, 0, 0));

		if (i < s->refs.n)
			add_minute(&s->of[i], st);
	}
	return rc;
}

/* ---- distributions ---- */

static int col_of(struct gpudx_sv name)
{
	for (int c = 0; c < COLS; c++)
		if (sv_eq(name, cols[c].name))
			return c;
	return COLS;
}

static double within(double v, double min, double max)
{
	return v < min ? min : v > max ? max : v;
}

static enum gpudx_status write_stat(struct stats *s, size_t at, int c, struct gpudx_dist *d)
{
	const struct ref_stat *r = &s->of[at];
	enum gpudx_status rc = GPUDX_OK;
	double top = (double)NAN;

	if (c == SM)
		rc = find_top(s, at, &top);
	if (rc)
		return rc;
	sqlite3_bind_int64(s->insert, 1, s->refs.v[at].id);
	gpudx_bind_text(s->insert, 2, cols[c].name);
	sqlite3_bind_int64(s->insert, 3, (sqlite3_int64)d->n);
	gpudx_bind_real(s->insert, 4, r->min[c]);
	gpudx_bind_real(s->insert, 5, within(gpudx_dist_at(d, 0.1), r->min[c], r->max[c]));
	gpudx_bind_real(s->insert, 6, within(gpudx_dist_at(d, 0.5), r->min[c], r->max[c]));
	gpudx_bind_real(s->insert, 7, within(gpudx_dist_at(d, 0.9), r->min[c], r->max[c]));
	gpudx_bind_real(s->insert, 8, r->max[c]);
	gpudx_bind_real(s->insert, 9, top);
	return gpudx_db_run(s->insert, s->err);
}

/* Bins come grouped by ref and column: a distribution is written when the next one begins. */
static enum gpudx_status read_hist(struct stats *s, sqlite3_stmt *st)
{
	struct gpudx_dist d = { .n = 0 };
	size_t at = s->refs.n;
	int col = COLS;
	enum gpudx_status rc;
	bool row;

	while (!(rc = gpudx_db_step(st, &row, s->err))) {
		size_t i = row ? gpudx_refs_find(&s->refs, gpudx_col_int(st, 0, 0)) : s->refs.n;
		int c = row ? col_of(gpudx_col_text(st, 1)) : COLS;

		if (i != at || c != col) {
			if (d.n)
				rc = write_stat(s, at, col, &d);
			d = (struct gpudx_dist){ .width = c < COLS ? cols[c].width : 1,
						 .room = &s->room };
			at = i, col = c;
		}
		if (rc || !row)
			break;
		if (i < s->refs.n && c < COLS)
			gpudx_dist_add(&d, gpudx_col_real(st, 2) + cols[c].middle,
				       (uint32_t)gpudx_col_int(st, 3, 0));
	}
	return rc;
}

/* Runs read over the rows of sql, which takes the lowest and highest ref. */
static enum gpudx_status over_refs(struct stats *s, const char *sql,
				   enum gpudx_status (*read)(struct stats *, sqlite3_stmt *))
{
	sqlite3_stmt *st;
	enum gpudx_status rc = gpudx_db_prepare(s->db, sql, &st, s->err);

	if (rc)
		return rc;
	sqlite3_bind_int64(st, 1, s->refs.v[0].id);
	sqlite3_bind_int64(st, 2, s->refs.v[s->refs.n - 1].id);
	rc = read(s, st);
	sqlite3_finalize(st);
	return rc;
}

static enum gpudx_status make_stats(struct stats *s, struct gpudx_arena *arena)
{
	enum gpudx_status rc;

	s->of = gpudx_arena_array(arena, s->refs.n, sizeof(*s->of));
	if (!s->of)
		return gpudx_nomem(s->err);
	for (size_t i = 0; i < s->refs.n; i++)
		for (int c = 0; c < COLS; c++)
			s->of[i].min[c] = s->of[i].max[c] = (double)NAN;
	rc = gpudx_db_prepare(s->db, clocks_sql, &s->clocks, s->err);
	if (!rc)
		rc = gpudx_db_prepare(s->db, below_sql, &s->below, s->err);
	if (!rc)
		rc = gpudx_db_prepare(s->db, insert_sql, &s->insert, s->err);
	if (!rc)
		rc = over_refs(s, minutes_sql, read_minutes);
	if (!rc)
		rc = over_refs(s, hist_sql, read_hist);
	return rc;
}

enum gpudx_status gpudx_derive_stats(struct gpudx_store *store, int64_t bundle,
				     struct gpudx_err *err)
{
	struct gpudx_arena arena = { 0 };
	struct stats s = { .db = gpudx_store_db(store), .err = err };
	enum gpudx_status rc = gpudx_query_run(s.db, clear_sql, bundle, err);

	if (!rc)
		rc = gpudx_refs_load(s.db, bundle, 1, &arena, &s.refs, err);
	if (!rc && s.refs.n)
		rc = make_stats(&s, &arena);
	sqlite3_finalize(s.clocks);
	sqlite3_finalize(s.below);
	sqlite3_finalize(s.insert);
	gpudx_arena_free(&arena);
	return rc ? gpudx_while(err, "while summarising the series of samples") : GPUDX_OK;
}
