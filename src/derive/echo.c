/* The kernel says: Xid 79 at 10:00:01. Slurm says: "Xid 79 [root@...T10:05:00]", DCGM's gauge says 79,
 * Kubernetes "2m ago". That is one Xid, told four times: of equal code, on one host, of a GPU that
 * may be the same, the report coming after the error, but not more than a day. Reports without a
 * time, or by a clock that cannot be compared, are of the last one. */
#include "derive/echo.h"

#include "base/arena.h"
#include "derive/clock.h"
#include "derive/copies.h"
#include "store/query.h"

#include <stdlib.h>

#define REPORTED_WITHIN GPUDX_DAY
#define CLOCKS_APART GPUDX_MINUTE /* of two machines */

enum { LOST = 79, LOOK_BACK = 512, NAME_INDEX = 1, NAME_ADDRESS = 2, NAME_UUID = 4 };

struct said {
	int64_t id, host, code, gpu; /* gpu 0: unknown */
	struct gpudx_moment m;
	unsigned names; /* what is known of the GPU */
	bool echo;	/* said by another layer than the driver */
	bool copy;
};

struct echoes {
	sqlite3 *db;
	struct said *said;
	size_t n;
};

/* Rows: id, host, kind, code, gpu, t, quality, index, address, uuid, echo. */
static enum gpudx_status said_row(void *arg, sqlite3_stmt *row, struct gpudx_err *err)
{
	struct echoes *e = arg;

	(void)err;
	e->said[e->n++] = (struct said){
		.id = sqlite3_column_int64(row, 0),
		.host = sqlite3_column_int64(row, 1),
		/* without a number it is in other words what Xid 79 says */
		.code = sv_is(gpudx_col_text(row, 2), "xid") ? gpudx_col_int(row, 3, -1) : LOST,
		.gpu = gpudx_col_int(row, 4, 0),
		.m = { gpudx_col_time(row, 5), gpudx_quality_of(gpudx_col_text(row, 6)) },
		.names = (sqlite3_column_int(row, 7) ? NAME_INDEX : 0) |
			 (sqlite3_column_int(row, 8) ? NAME_ADDRESS : 0) |
			 (sqlite3_column_int(row, 9) ? NAME_UUID : 0),
		.echo = sqlite3_column_int(row, 10),
	};
	return GPUDX_OK;
}

static bool is_dated(const struct said *s)
{
	return s->m.t_us != GPUDX_NO_TIME && s->m.quality <= GPUDX_Q_ZONE_ASSUMED;
}

/* By host and code; then the driver's own words, what is dated, time. */
static int by_key(const void *pa, const void *pb)
{
	const struct said *a = pa, *b = pb;

	if (a->host != b->host)
		return a->host < b->host ? -1 : 1;
	if (a->code != b->code)
		return a->code < b->code ? -1 : 1;
	if (a->echo != b->echo)
		return a->echo - b->echo;
	if (is_dated(a) != is_dated(b))
		return is_dated(b) - is_dated(a);
	if (a->m.t_us != b->m.t_us)
		return a->m.t_us < b->m.t_us ? -1 : 1;
	return (a->id > b->id) - (a->id < b->id);
}

static bool same_key(const struct said *a, const struct said *b)
{
	return a->host == b->host && a->code == b->code;
}

/* One GPU, as far as is known: an index and an address need not be of two. */
static bool may_be_same_gpu(const struct said *a, const struct said *b)
{
	return !a->gpu || !b->gpu || a->gpu == b->gpu || !(a->names & b->names);
}

static bool may_report(const struct said *report, const struct said *of)
{
	int64_t after = report->m.t_us - of->m.t_us;

	if (!may_be_same_gpu(report, of))
		return false;
	if (!is_dated(report) || !is_dated(of) || !gpudx_same_clock(report->m, of->m))
		return true;
	return after >= -CLOCKS_APART && after <= REPORTED_WITHIN;
}

/* The last one in front of *report, in the order of by_key, that it may be of; what names the GPU in
 * the same way goes first. NULL: none. */
static const struct said *reported(const struct said *first, const struct said *report)
{
	size_t n = (size_t)(report - first);
	const struct said *found = NULL;

	for (size_t i = 1; i <= n && i <= LOOK_BACK; i++) {
		const struct said *s = report - i;

		if (s->copy || !may_report(report, s))
			continue;
		if (s->gpu == report->gpu)
			return s;
		if (!found)
			found = s;
	}
	return found;
}

static enum gpudx_status find(struct echoes *e, struct gpudx_err *err)
{
	sqlite3_stmt *st = NULL;
	enum gpudx_status rc = gpudx_copies_begin(e->db, &st, err);
	size_t first = 0;

	for (size_t i = 0; i < e->n && !rc; i++) {
		const struct said *of;

		if (!same_key(&e->said[first], &e->said[i]))
			first = i;
		of = e->said[i].echo ? reported(&e->said[first], &e->said[i]) : NULL;
		if (!of)
			continue;
		e->said[i].copy = true;
		sqlite3_bind_int64(st, 1, e->said[i].id);
		sqlite3_bind_int64(st, 2, of->id);
		rc = gpudx_db_run(st, err);
	}
	sqlite3_finalize(st);
	return rc;
}

/* Nothing to do in most bundles: only codes that somebody reports are looked at. */
static enum gpudx_status load(struct echoes *e, int64_t bundle, struct gpudx_arena *arena,
			      struct gpudx_err *err)
{
	static const char rows[] =
		"WITH told AS (SELECT o.kind, coalesce(o.code, -1) AS code FROM event o"
		"  JOIN event_attr b ON b.event_id = o.id AND b.name = 'by'"
		"  WHERE o.kind IN ('xid', 'nvrm.fallen_off_bus'))"
		" SELECT e.id, e.host_id, e.kind, e.code, e.gpu_id, e.t_us, e.t_quality,"
		"  g.idx IS NOT NULL, g.bdf IS NOT NULL, g.uuid IS NOT NULL, a.name IS NOT NULL"
		" FROM event e JOIN source s ON s.id = e.source_id LEFT JOIN gpu g ON g.id = "
		"e.gpu_id"
		" LEFT JOIN event_attr a ON a.event_id = e.id AND a.name = 'by'"
		" WHERE s.bundle_id = ?1 AND e.copy_of IS NULL AND e.host_id IS NOT NULL"
		" AND e.kind IN ('xid', 'nvrm.fallen_off_bus') AND EXISTS (SELECT 1 FROM told)"
		" AND ((e.kind, coalesce(e.code, -1)) IN (SELECT kind, code FROM told)"
		"  OR e.kind = 'nvrm.fallen_off_bus' OR e.code = 79)";
	enum gpudx_status rc;
	int64_t n = 0;

	rc = gpudx_db_int(e->db, "SELECT count(*) FROM event", 0, &n, err);
	if (rc)
		return rc;
	e->said = gpudx_arena_array(arena, (size_t)n + 1, sizeof(*e->said));
	if (!e->said)
		return gpudx_nomem(err);
	return gpudx_query_each(e->db, rows, bundle, said_row, e, err);
}

enum gpudx_status gpudx_echoes_find(sqlite3 *db, int64_t bundle, struct gpudx_err *err)
{
	struct gpudx_arena arena = { .limit = 256 << 20 };
	struct echoes e = { .db = db };
	enum gpudx_status rc = load(&e, bundle, &arena, err);

	if (!rc && e.n) {
		qsort(e.said, e.n, sizeof(*e.said), by_key);
		rc = find(&e, err);
		if (!rc)
			rc = gpudx_copies_apply(db, bundle, err);
	}
	gpudx_arena_free(&arena);
	return rc;
}
