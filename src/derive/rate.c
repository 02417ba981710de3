/* rate_test: did a kind of incident start, or become more frequent, with a change of a version? The
 * time a version ran is cut out of what whole logs cover; rates compare by poisson.h. */
#include "derive/stages.h"

#include <math.h>

#include "base/arena.h"
#include "derive/poisson.h"
#include "store/query.h"
#include "derive/span.h"

/* What a test must be able to reach for "enough was watched before". */
static const double alpha = 0.01;

enum { NO_CODE = -1 };

#define DATED "('exact', 'aligned', 'zone_assumed')"
#define LOGGED "('package', 'installer')" /* layers of package managers */

/* Until when the old version certainly ran, and since when the new one did. A boot has one version
 * from its start to its end; within a boot only the load of a module is logged when it happens, all
 * else is known from when it was seen. Package managers log when it happened, too, but of what lies
 * on the disk: the new module runs from the next boot on, where one is known. Of layers that saw
 * the same change, what ran comes first. */
static const char changes_sql[] =
	"WITH seen AS (SELECT c.*, min(b0.seq) AS seq0, min(b1.seq) AS seq1,"
	"  CASE WHEN f0.t_quality IN " DATED " THEN c.t_before_us END AS old_us,"
	"  CASE WHEN c.t_quality IN " DATED " THEN c.t_us END AS new_us"
	" FROM change c JOIN host h ON h.id = c.host_id"
	"  LEFT JOIN fact f0 ON f0.line_id = c.line_before AND f0.key = c.what AND f0.layer = "
	"c.layer"
	"   AND f0.gpu_id IS c.gpu_id"
	"  LEFT JOIN fact f1 ON f1.line_id = c.line_after AND f1.key = c.what AND f1.layer = "
	"c.layer"
	"   AND f1.gpu_id IS c.gpu_id"
	"  LEFT JOIN boot b0 ON b0.id = f0.boot_id LEFT JOIN boot b1 ON b1.id = f1.boot_id"
	" WHERE h.bundle_id = ?1 AND c.what IN ('driver.version', 'driver.flavor', "
	"'kernel.release',"
	"  'gsp.firmware', 'gpu.vbios')"
	" GROUP BY c.id),"
	" placed AS (SELECT *,"
	"  CASE WHEN layer IN " LOGGED " THEN new_us"
	"   WHEN seq1 > seq0 THEN coalesce((SELECT min(x.start_us) FROM boot x"
	"    WHERE x.host_id = s.host_id AND x.seq > s.seq0 AND x.start_quality IN " DATED
	"), old_us)"
	"   WHEN layer = 'loaded' THEN new_us ELSE old_us END AS until_us,"
	"  CASE WHEN layer IN " LOGGED " THEN coalesce((SELECT min(x.start_us) FROM boot x"
	"    WHERE x.host_id = s.host_id AND x.start_us >= s.new_us"
	"     AND x.start_quality IN " DATED "), new_us)"
	"   WHEN seq1 > seq0 THEN coalesce((SELECT x.start_us FROM boot x"
	"    WHERE x.host_id = s.host_id AND x.seq = s.seq1 AND x.start_quality IN " DATED
	"), new_us)"
	"   ELSE new_us END AS from_us,"
	"  CASE layer WHEN 'loaded' THEN 0 WHEN 'kernel' THEN 1 WHEN 'nvml' THEN 2"
	"   WHEN 'package' THEN 3 WHEN 'installer' THEN 4 ELSE 5 END AS rank"
	" FROM seen s)"
	" SELECT id, host_id, gpu_id, what, layer, before, after, until_us, from_us,"
	"  count(*) OVER () FROM placed"
	" WHERE until_us IS NOT NULL AND from_us IS NOT NULL"
	" ORDER BY host_id, gpu_id, what, rank, layer, from_us, id";

static const char clear_sql[] =
	"DELETE FROM rate_test WHERE host_id IN (SELECT id FROM host WHERE bundle_id = ?1)";
static const char kinds_sql[] =
	"SELECT DISTINCT i.kind, i.code, coalesce(e.within_s, 0) FROM incident i"
	" LEFT JOIN kb_change_effects e ON e.what = ?3 AND e.kind = i.kind"
	" WHERE i.host_id = ?1 AND (?2 IS NULL OR i.gpu_id = ?2)"
	"  AND (e.kind IS NULL OR e.within_s IS NOT NULL)"
	" ORDER BY i.kind, i.code";
static const char watched_sql[] =
	"SELECT c.from_us, c.to_us, count(*) OVER () FROM coverage c LEFT JOIN source s ON s.id = "
	"c.source_id"
	" LEFT JOIN clock k ON k.id = s.clock_id"
	" WHERE c.host_id = ?1 AND c.what = 'log.' || ?2 AND c.whole = 1 AND c.from_us < c.to_us"
	"  AND (k.id IS NULL OR k.quality IN " DATED ")";
static const char incidents_sql[] = "SELECT t0_us FROM incident WHERE host_id = ?1 AND (?2 IS NULL "
				    "OR gpu_id = ?2) AND kind = ?3"
				    " AND code IS ?4 AND t0_us IS NOT NULL AND t_quality IN " DATED;
static const char insert_sql[] =
	"INSERT INTO rate_test(host_id, change_id, kind, code, n_before, n_after, hours_before,"
	" hours_after, ratio, ratio_lo, ratio_hi, p, hours_needed)"
	" VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

struct change {
	int64_t id, host, gpu; /* gpu 0: of the host */
	struct gpudx_sv what, layer, before, after;
	int64_t until_us, from_us;
};

/* A version while it ran. */
struct reign {
	struct gpudx_sv version;
	struct gpudx_span ran;
	double hours; /* of it watched */
	int64_t n;    /* incidents */
};

struct rates {
	sqlite3 *db;
	struct gpudx_err *err;
	struct gpudx_arena arena, scratch; /* scratch: of one kind */
	struct change *changes;		   /* by host, gpu, what, layer and time */
	size_t n;
	sqlite3_stmt *kinds, *watched, *incidents, *insert;
};

/* A kind of incident whose rate is looked at. Text is valid until kinds is stepped. */
struct kind {
	struct gpudx_sv name;
	int64_t code;	  /* NO_CODE none */
	int64_t grace_us; /* so long after a change they come from the change itself */
	struct gpudx_span *watched;
	size_t n;
};

/* ---- reading ---- */

static struct change change_of(sqlite3_stmt *st, struct gpudx_arena *arena)
{
	return (struct change){
		.id = gpudx_col_int(st, 0, 0),
		.host = gpudx_col_int(st, 1, 0),
		.gpu = gpudx_col_int(st, 2, 0),
		.what = gpudx_arena_sv(arena, gpudx_col_text(st, 3)),
		.layer = gpudx_arena_sv(arena, gpudx_col_text(st, 4)),
		.before = gpudx_arena_sv(arena, gpudx_col_text(st, 5)),
		.after = gpudx_arena_sv(arena, gpudx_col_text(st, 6)),
		.until_us = gpudx_col_time(st, 7),
		.from_us = gpudx_col_time(st, 8),
	};
}

static enum gpudx_status read_changes(struct rates *r, int64_t bundle)
{
	sqlite3_stmt *st;
	enum gpudx_status rc = gpudx_db_prepare(r->db, changes_sql, &st, r->err);
	bool row;

	if (rc)
		return rc;
	sqlite3_bind_int64(st, 1, bundle);
	while (!(rc = gpudx_db_step(st, &row, r->err)) && row) {
		if (!r->changes)
			r->changes = gpudx_arena_array(&r->arena, (size_t)gpudx_col_int(st, 9, 0),
						       sizeof(*r->changes));
		if (!r->changes) {
			rc = gpudx_nomem(r->err);
			break;
		}
		r->changes[r->n++] = change_of(st, &r->arena);
	}
	sqlite3_finalize(st);
	return rc;
}

/* When a whole log watched for this kind. */
static enum gpudx_status read_watched(struct rates *r, const struct change *c, struct kind *k)
{
	enum gpudx_status rc;
	bool row;

	sqlite3_bind_int64(r->watched, 1, c->host);
	gpudx_bind_text(r->watched, 2, k->name);
	while (!(rc = gpudx_db_step(r->watched, &row, r->err)) && row) {
		if (!k->watched)
			k->watched = gpudx_arena_array(&r->scratch,
						       (size_t)gpudx_col_int(r->watched, 2, 0),
						       sizeof(*k->watched));
		if (!k->watched) {
			rc = gpudx_nomem(r->err);
			break;
		}
		k->watched[k->n++] = (struct gpudx_span){ gpudx_col_int(r->watched, 0, 0),
							  gpudx_col_int(r->watched, 1, 0) };
	}
	sqlite3_reset(r->watched);
	k->n = gpudx_spans_join(k->watched, k->n);
	return rc;
}

/* ---- reigns ---- */

/* n changes of one layer make n + 1 reigns; NULL when memory is out. */
static struct reign *make_reigns(struct rates *r, const struct change *c, size_t n)
{
	struct reign *v = gpudx_arena_array(&r->scratch, n + 1, sizeof(*v));

	if (!v)
		return NULL;
	v[0] = (struct reign){ .version = c[0].before, .ran = { INT64_MIN, c[0].until_us } };
	for (size_t i = 1; i <= n; i++)
		v[i] = (struct reign){ .version = c[i - 1].after,
				       .ran = { c[i - 1].from_us,
						i < n ? c[i].until_us : INT64_MAX } };
	return v;
}

/* What a change brings about by itself is left out, and so is the time for it. */
static void watch_reigns(struct reign *v, size_t n, const struct kind *k)
{
	for (size_t i = 0; i < n; i++) {
		if (i)
			v[i].ran.from_us += k->grace_us;
		v[i].hours = gpudx_spans_hours(k->watched, k->n, v[i].ran);
	}
}

static enum gpudx_status count_incidents(struct rates *r, const struct change *c,
					 const struct kind *k, struct reign *v, size_t n)
{
	enum gpudx_status rc;
	bool row;

	sqlite3_bind_int64(r->incidents, 1, c->host);
	gpudx_bind_unless(r->incidents, 2, c->gpu, 0);
	gpudx_bind_text(r->incidents, 3, k->name);
	gpudx_bind_unless(r->incidents, 4, k->code, NO_CODE);
	while (!(rc = gpudx_db_step(r->incidents, &row, r->err)) && row) {
		int64_t t = gpudx_col_int(r->incidents, 0, 0);

		for (size_t i = 0; i < n; i++)
			if (t >= v[i].ran.from_us && t < v[i].ran.to_us)
				v[i].n += gpudx_spans_cover(k->watched, k->n, t);
	}
	sqlite3_reset(r->incidents);
	return rc;
}

/* Whether one of the versions on both sides of change i ran at another time that was watched. */
static bool back_and_forth(const struct reign *v, size_t n, size_t i)
{
	for (size_t k = 0; k < n; k++)
		if (k != i && k != i + 1 && v[k].hours > 0 &&
		    (sv_eq(v[k].version, v[i].version) || sv_eq(v[k].version, v[i + 1].version)))
			return true;
	return false;
}

/* ---- testing ---- */

static enum gpudx_status write_test(struct rates *r, const struct change *c, const struct kind *k,
				    const struct reign *before, const struct reign *after)
{
	struct gpudx_rate_ratio t =
		gpudx_rate_compare(before->n, before->hours, after->n, after->hours);
	double needed = gpudx_exposure_needed(after->n, after->hours, alpha);
	sqlite3_stmt *st = r->insert;

	sqlite3_bind_int64(st, 1, c->host);
	sqlite3_bind_int64(st, 2, c->id);
	gpudx_bind_text(st, 3, k->name);
	gpudx_bind_unless(st, 4, k->code, NO_CODE);
	sqlite3_bind_int64(st, 5, before->n);
	sqlite3_bind_int64(st, 6, after->n);
	gpudx_bind_real(st, 7, before->hours);
	gpudx_bind_real(st, 8, after->hours);
	gpudx_bind_real(st, 9, t.ratio);
	gpudx_bind_real(st, 10, t.lo);
	gpudx_bind_real(st, 11, t.hi);
	gpudx_bind_real(st, 12, t.p);
	gpudx_bind_real(st, 13, before->hours < needed ? needed : (double)NAN);
	return gpudx_db_run(st, r->err);
}

/* One kind against n changes of one layer. */
static enum gpudx_status test_kind(struct rates *r, const struct change *c, size_t n,
				   struct kind *k)
{
	struct reign *v = make_reigns(r, c, n);
	enum gpudx_status rc = v ? read_watched(r, c, k) : gpudx_nomem(r->err);

	if (rc)
		return rc;
	watch_reigns(v, n + 1, k);
	rc = count_incidents(r, c, k, v, n + 1);
	for (size_t i = 0; i < n && !rc; i++)
		if (v[i].n + v[i + 1].n && !back_and_forth(v, n + 1, i))
			rc = write_test(r, &c[i], k, &v[i], &v[i + 1]);
	return rc;
}

static enum gpudx_status test_changes(struct rates *r, const struct change *c, size_t n)
{
	enum gpudx_status rc;
	bool row;

	sqlite3_bind_int64(r->kinds, 1, c->host);
	gpudx_bind_unless(r->kinds, 2, c->gpu, 0);
	gpudx_bind_text(r->kinds, 3, c->what);
	while (!(rc = gpudx_db_step(r->kinds, &row, r->err)) && row) {
		struct kind k = {
			.name = gpudx_col_text(r->kinds, 0),
			.code = gpudx_col_int(r->kinds, 1, NO_CODE),
			.grace_us = gpudx_col_int(r->kinds, 2, 0) * GPUDX_SECOND,
		};

		rc = test_kind(r, c, n, &k);
		gpudx_arena_reset(&r->scratch);
		if (rc)
			break;
	}
	sqlite3_reset(r->kinds);
	return rc;
}

static bool same_subject(const struct change *a, const struct change *b)
{
	return a->host == b->host && a->gpu == b->gpu && sv_eq(a->what, b->what);
}

/* The first layer of each version speaks; the others saw the same. */
static enum gpudx_status test_all(struct rates *r)
{
	enum gpudx_status rc = GPUDX_OK;

	for (size_t i = 0; i < r->n && !rc;) {
		const struct change *c = &r->changes[i];
		size_t n = 1;

		while (i + n < r->n && same_subject(c, c + n) && sv_eq(c->layer, c[n].layer))
			n++;
		rc = test_changes(r, c, n);
		for (i += n; i < r->n && same_subject(c, &r->changes[i]);)
			i++;
	}
	return rc;
}

static enum gpudx_status prepare(struct rates *r)
{
	enum gpudx_status rc = gpudx_db_prepare(r->db, kinds_sql, &r->kinds, r->err);

	if (!rc)
		rc = gpudx_db_prepare(r->db, watched_sql, &r->watched, r->err);
	if (!rc)
		rc = gpudx_db_prepare(r->db, incidents_sql, &r->incidents, r->err);
	if (!rc)
		rc = gpudx_db_prepare(r->db, insert_sql, &r->insert, r->err);
	return rc;
}

enum gpudx_status gpudx_derive_rates(struct gpudx_store *store, int64_t bundle,
				     struct gpudx_err *err)
{
	struct rates r = { .db = gpudx_store_db(store), .err = err };
	enum gpudx_status rc = gpudx_query_run(r.db, clear_sql, bundle, err);

	if (!rc)
		rc = read_changes(&r, bundle);
	if (!rc && r.n)
		rc = prepare(&r);
	if (!rc)
		rc = test_all(&r);
	sqlite3_finalize(r.kinds);
	sqlite3_finalize(r.watched);
	sqlite3_finalize(r.incidents);
	sqlite3_finalize(r.insert);
	gpudx_arena_free(&r.arena);
	gpudx_arena_free(&r.scratch);
	return rc ? gpudx_while(err, "while comparing rates around changes") : GPUDX_OK;
}
