#include "derive/refs.h"

#include "base/search.h"

#include <math.h>

/* What a scan over the minutes of a ref leaves. */
struct span {
	int64_t minutes, most;	     /* most: samples in one minute */
	int64_t last_start, closest; /* closest: smallest distance of two minutes; 0 none */
};

struct loading {
	sqlite3 *db;
	struct gpudx_refs *refs;
	struct span *spans;
	struct gpudx_err *err;
};

static const char count_sql[] = "SELECT count(*) FROM gpu_ref r JOIN source s ON s.id = r.source_id"
				" WHERE s.bundle_id = ?1 AND r.samples >= ?2";
static const char refs_sql[] = "SELECT r.id, r.source_id, r.gpu_id, r.samples, r.t_offset_us, "
			       "r.t_quality, r.reasons_known,"
			       " r.gi IS NOT NULL OR r.instance_id IS NOT NULL"
			       " FROM gpu_ref r JOIN source s ON s.id = r.source_id"
			       " WHERE s.bundle_id = ?1 AND r.samples >= ?2 ORDER BY r.id";
static const char minutes_sql[] =
	"SELECT ref_id, t_raw_us, n, first_id, last_id, limit_max FROM gpu_minute"
	" WHERE ref_id BETWEEN ?1 AND ?2 ORDER BY ref_id, first_id";
static const char sample_sql[] = "SELECT t_raw_us, seq FROM gpu_sample WHERE rowid = ?1";
/* A time lies in the latest boot that began before it; what has no time is of the collection. */
static const char boot_sql[] =
	"SELECT b.id FROM boot b JOIN source s ON s.host_id = b.host_id"
	" WHERE s.id = ?1 AND CASE WHEN ?2 IS NULL THEN b.seq = 0 ELSE b.start_us <= ?2 END"
	" ORDER BY b.seq DESC LIMIT 1";

size_t gpudx_refs_find(const struct gpudx_refs *refs, int64_t id)
{
	size_t lo = GPUDX_LOWER_BOUND(refs->v, refs->n, struct gpudx_ref_info, id, id);

	return lo < refs->n && refs->v[lo].id == id ? lo : refs->n;
}

static struct gpudx_ref_info info_of(sqlite3_stmt *st, struct gpudx_arena *arena)
{
	return (struct gpudx_ref_info){
		.id = gpudx_col_int(st, 0, 0),
		.source_id = gpudx_col_int(st, 1, 0),
		.gpu_id = gpudx_col_int(st, 2, 0),
		.samples = gpudx_col_int(st, 3, 0),
		.offset_us = gpudx_col_int(st, 4, 0),
		.quality = gpudx_arena_sv(arena, gpudx_col_text(st, 5)),
		.reasons_known = (uint32_t)gpudx_col_int(st, 6, 0),
		.slice = gpudx_col_int(st, 7, 0) != 0,
		.t0_us = GPUDX_NO_TIME,
	};
}

static enum gpudx_status count_refs(struct loading *l, int64_t bundle, int64_t min_samples,
				    int64_t *n)
{
	sqlite3_stmt *st;
	enum gpudx_status rc = gpudx_db_prepare(l->db, count_sql, &st, l->err);
	bool row;

	if (rc)
		return rc;
	sqlite3_bind_int64(st, 1, bundle);
	sqlite3_bind_int64(st, 2, min_samples);
	rc = gpudx_db_step(st, &row, l->err);
	*n = rc ? 0 : gpudx_col_int(st, 0, 0);
	sqlite3_finalize(st);
	return rc;
}

static enum gpudx_status read_refs(struct loading *l, int64_t bundle, int64_t min_samples,
				   struct gpudx_arena *arena)
{
	sqlite3_stmt *st;
	enum gpudx_status rc = gpudx_db_prepare(l->db, refs_sql, &st, l->err);
	bool row;

	if (rc)
		return rc;
	sqlite3_bind_int64(st, 1, bundle);
	sqlite3_bind_int64(st, 2, min_samples);
	while (!(rc = gpudx_db_step(st, &row, l->err)) && row)
		l->refs->v[l->refs->n++] = info_of(st, arena);
	sqlite3_finalize(st);
	return rc;
}

static void add_minute(struct gpudx_ref_info *r, struct span *s, sqlite3_stmt *st)
{
	int64_t start = gpudx_col_int(st, 1, 0), n = gpudx_col_int(st, 2, 0);

	if (!s->minutes++)
		r->first_id = gpudx_col_int(st, 3, 0);
	else if (start > s->last_start && (!s->closest || start - s->last_start < s->closest))
		s->closest = start - s->last_start;
	r->last_id = gpudx_col_int(st, 4, 0);
	r->has_limit = r->has_limit || gpudx_col_real(st, 5) > 0;
	s->last_start = start;
	if (n > s->most)
		s->most = n;
}

static enum gpudx_status read_minutes(struct loading *l)
{
	sqlite3_stmt *st;
	enum gpudx_status rc = gpudx_db_prepare(l->db, minutes_sql, &st, l->err);
	bool row;

	if (rc)
		return rc;
	sqlite3_bind_int64(st, 1, l->refs->v[0].id);
	sqlite3_bind_int64(st, 2, l->refs->v[l->refs->n - 1].id);
	while (!(rc = gpudx_db_step(st, &row, l->err)) && row) {
		size_t i = gpudx_refs_find(l->refs, gpudx_col_int(st, 0, 0));

		if (i < l->refs->n)
			add_minute(&l->refs->v[i], &l->spans[i], st);
	}
	sqlite3_finalize(st);
	return rc;
}

/* The stamp of one sample, and its time on a clock that every sample has. */
static enum gpudx_status sample_time(struct loading *l, sqlite3_stmt *st, int64_t rowid,
				     int64_t *t_us, int64_t *clock_us)
{
	enum gpudx_status rc;
	bool row;

	sqlite3_bind_int64(st, 1, rowid);
	rc = gpudx_db_step(st, &row, l->err);
	*t_us = rc || !row ? GPUDX_NO_TIME : gpudx_col_time(st, 0);
	*clock_us = rc || !row		     ? 0
		    : *t_us == GPUDX_NO_TIME ? gpudx_col_int(st, 1, 0) * GPUDX_SECOND
					     : *t_us;
	sqlite3_reset(st);
	return rc;
}

/* Minutes without samples are pauses. Where no minute has two samples, the distance is that of the
 * two closest minutes. */
static double period_of(const struct gpudx_ref_info *r, const struct span *s, int64_t first_us,
			int64_t last_us)
{
	double all = (double)(last_us - first_us) / GPUDX_SECOND;

	if (s->most < 2 || r->samples < 2)
		return (double)s->closest / GPUDX_SECOND;
	return fmax(0, fmin(all, 60 * (double)s->minutes)) / (double)(r->samples - 1);
}

static enum gpudx_status find_boot(struct loading *l, sqlite3_stmt *st, struct gpudx_ref_info *r)
{
	bool placed = r->t0_us != GPUDX_NO_TIME && !sv_is(r->quality, "boot_relative") &&
		      !sv_is(r->quality, "unknown");
	enum gpudx_status rc;
	bool row;

	sqlite3_bind_int64(st, 1, r->source_id);
	gpudx_bind_time(st, 2, placed ? r->t0_us : GPUDX_NO_TIME);
	rc = gpudx_db_step(st, &row, l->err);
	if (!rc && row)
		r->boot_id = gpudx_col_int(st, 0, 0);
	sqlite3_reset(st);
	return rc;
}

static enum gpudx_status place_ref(struct loading *l, sqlite3_stmt *sample, sqlite3_stmt *boot,
				   size_t i)
{
	struct gpudx_ref_info *r = &l->refs->v[i];
	int64_t first_us, last_us, t;
	enum gpudx_status rc = sample_time(l, sample, r->last_id, &t, &last_us);

	if (!rc)
		rc = sample_time(l, sample, r->first_id, &t, &first_us);
	if (rc)
		return rc;
	if (t != GPUDX_NO_TIME)
		r->t0_us = t + r->offset_us;
	r->period_s = period_of(r, &l->spans[i], first_us, last_us);
	return find_boot(l, boot, r);
}

static enum gpudx_status place_refs(struct loading *l)
{
	sqlite3_stmt *sample = NULL, *boot = NULL;
	enum gpudx_status rc = gpudx_db_prepare(l->db, sample_sql, &sample, l->err);

	if (!rc)
		rc = gpudx_db_prepare(l->db, boot_sql, &boot, l->err);
	for (size_t i = 0; i < l->refs->n && !rc; i++)
		rc = place_ref(l, sample, boot, i);
	sqlite3_finalize(sample);
	sqlite3_finalize(boot);
	return rc;
}

/* Refs that found no room for rollups at ingest are unknown here. */
static void drop_unrolled(struct loading *l)
{
	size_t kept = 0;

	for (size_t i = 0; i < l->refs->n; i++)
		if (l->spans[i].minutes) {
			l->refs->v[kept] = l->refs->v[i];
			l->spans[kept++] = l->spans[i];
		}
	l->refs->n = kept;
}

enum gpudx_status gpudx_refs_load(sqlite3 *db, int64_t bundle, int64_t min_samples,
				  struct gpudx_arena *arena, struct gpudx_refs *out,
				  struct gpudx_err *err)
{
	struct loading l = { .db = db, .refs = out, .err = err };
	int64_t n;
	enum gpudx_status rc = count_refs(&l, bundle, min_samples, &n);

	*out = (struct gpudx_refs){ 0 };
	if (rc || !n)
		return rc;
	out->v = gpudx_arena_array(arena, (size_t)n, sizeof(*out->v));
	l.spans = gpudx_arena_array(arena, (size_t)n, sizeof(*l.spans));
	if (!out->v || !l.spans)
		return gpudx_nomem(err);
	rc = read_refs(&l, bundle, min_samples, arena);
	if (!rc && out->n)
		rc = read_minutes(&l);
	drop_unrolled(&l);
	return rc ? rc : place_refs(&l);
}
