/* What ties the clock of a BMC: `ipmitool sel time get` says what it shows when the bundle is
 * collected, and a date of the host says when that is. The date in the same file was printed within
 * seconds; another one within minutes, so then only a difference that is no zone counts as a clock
 * that is wrong. */
#include "derive/clock.h"
#include "store/query.h"

enum { QUARTER_S = 15 * 60, NEAR_S = 60, COLLECTION_S = 10 * 60 };

struct tie {
	int64_t host, bmc_us, line_id;
	struct gpudx_moment host_now;
	bool same_file;
};

/* The difference, of which what a long collection explains is taken off. */
static int64_t shift_of(const struct tie *t)
{
	int64_t diff_s = (t->host_now.t_us - t->bmc_us) / GPUDX_SECOND, zone_s;

	if (t->same_file)
		return diff_s * GPUDX_SECOND;
	zone_s = (diff_s + (diff_s < 0 ? -QUARTER_S / 2 : QUARTER_S / 2)) / QUARTER_S * QUARTER_S;
	if (diff_s - zone_s <= COLLECTION_S && zone_s - diff_s <= COLLECTION_S)
		diff_s = zone_s;
	return diff_s * GPUDX_SECOND;
}

/* The first tie of a host is the best. */
static void add(struct gpudx_clocks *c, const struct tie *t)
{
	if (t->host_now.t_us == GPUDX_NO_TIME ||
	    (c->nbmcs && c->bmcs[c->nbmcs - 1].host == t->host))
		return;
	c->bmcs[c->nbmcs++] = (struct gpudx_bmc_clock){
		.host = t->host,
		.shift_us = shift_of(t),
		.quality = t->host_now.quality == GPUDX_Q_EXACT ? GPUDX_Q_ALIGNED
								: t->host_now.quality,
		.error_us = (t->same_file ? NEAR_S : COLLECTION_S) * GPUDX_SECOND,
		.line_id = t->line_id,
	};
}

/* Rows: host, time of the BMC, line, date local, date UTC, in the same file. */
static enum gpudx_status tie_row(void *arg, sqlite3_stmt *row, struct gpudx_err *err)
{
	struct gpudx_clocks *c = arg;
	struct tie t = { .host = sqlite3_column_int64(row, 0),
			 .bmc_us = gpudx_col_time(row, 1),
			 .line_id = sqlite3_column_int64(row, 2),
			 .host_now = { gpudx_col_time(row, 4), GPUDX_Q_EXACT },
			 .same_file = sqlite3_column_int(row, 5) };

	(void)err;
	if (t.host_now.t_us == GPUDX_NO_TIME)
		t.host_now = gpudx_clocks_moment(c, t.host, gpudx_col_time(row, 3));
	/* Times that no log can have are left out: sums of them would not fit. */
	if (t.bmc_us < -(INT64_C(1) << 60) || t.bmc_us > INT64_C(1) << 60 ||
	    t.host_now.t_us > INT64_C(1) << 60 || t.host_now.t_us < -(INT64_C(1) << 60))
		return GPUDX_OK;
	add(c, &t);
	return GPUDX_OK;
}

enum gpudx_status gpudx_clocks_find_bmcs(struct gpudx_clocks *c, struct gpudx_err *err)
{
	static const char sql[] =
		"SELECT s.host_id, a.local_us, a.line_id, d.local_us, d.utc_us, t.path = s.path"
		" FROM clock_anchor a JOIN source s ON s.id = a.source_id"
		" JOIN source t ON t.host_id = s.host_id"
		" JOIN clock_anchor d ON d.source_id = t.id AND d.kind = 'date'"
		" WHERE s.bundle_id = ?1 AND a.kind = 'sel_time' AND a.local_us IS NOT NULL"
		" AND coalesce(d.utc_us, d.local_us) IS NOT NULL"
		" ORDER BY s.host_id, t.path = s.path DESC,"
		"  abs((a.line_id & 0xffffffff) - (d.line_id & 0xffffffff)), d.rowid, a.rowid";
	enum gpudx_status rc;
	int64_t n;

	rc = gpudx_db_int(c->db, "SELECT count(*) FROM host", 0, &n, err);
	if (rc)
		return rc;
	c->bmcs = gpudx_arena_array(&c->arena, (size_t)n + 1, sizeof(*c->bmcs));
	if (!c->bmcs)
		return gpudx_fail(err, GPUDX_E_NOMEM, "out of memory");
	return gpudx_query_each(c->db, sql, c->bundle, tie_row, c, err);
}

const struct gpudx_bmc_clock *gpudx_clocks_bmc(const struct gpudx_clocks *c, int64_t host)
{
	for (size_t i = 0; i < c->nbmcs; i++)
		if (c->bmcs[i].host == host)
			return &c->bmcs[i];
	return NULL;
}

struct gpudx_moment gpudx_clocks_bmc_moment(const struct gpudx_clocks *c, int64_t host,
					    int64_t local_us)
{
	const struct gpudx_bmc_clock *b = gpudx_clocks_bmc(c, host);

	if (local_us == GPUDX_NO_TIME)
		return GPUDX_NO_MOMENT;
	if (!b)
		return (struct gpudx_moment){ local_us, GPUDX_Q_ZONE_ASSUMED };
	return (struct gpudx_moment){ gpudx_time_add(local_us, b->shift_us), b->quality };
}
