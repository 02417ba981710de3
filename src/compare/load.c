#include "compare/load.h"

#include <math.h>

#include "base/stamp.h"
#include "compare/list.h"
#include "store/store.h"

/* A ref that may count, by its time range on its own clock or, where that is known, UTC. */
struct ref {
	int64_t id, gpu, samples, offset_us, from_us, to_us;
	bool timed, taken;
};

struct reading {
	const struct cmp_side *s;
	struct gpudx_arena *a;
	struct ref *refs; /* most samples first */
	size_t nrefs;
	int *track_of;	    /* by ref id: GPU of the side; -1 none */
	int64_t *offset_of; /* by ref id */
	size_t nids;
	struct gpudx_err *err;
};

static enum gpudx_status list_refs(struct reading *r)
{
	static const char sql[] =
		"SELECT r.id, r.gpu_id, r.samples, r.t_offset_us, min(m.t_raw_us), max(m.t_raw_us),"
		" r.t_quality IN ('exact', 'aligned', 'zone_assumed')"
		" FROM gpu_ref r JOIN gpu_minute m ON m.ref_id = r.id"
		" WHERE r.gpu_id IS NOT NULL AND r.instance_id IS NULL GROUP BY r.id"
		" ORDER BY r.samples DESC, r.id";
	sqlite3_stmt *st;
	bool row;
	enum gpudx_status rc = gpudx_db_prepare(r->s->db, sql, &st, r->err);

	if (rc)
		return rc;
	while (!(rc = gpudx_db_step(st, &row, r->err)) && row) {
		struct ref *v = CMP_PUSH(r->a, r->refs, r->nrefs);

		if (!v) {
			rc = gpudx_nomem(r->err);
			break;
		}
		*v = (struct ref){ .id = gpudx_col_int(st, 0, 0),
				   .gpu = cmp_gpu_of(r->s, gpudx_col_int(st, 1, 0)),
				   .samples = gpudx_col_int(st, 2, 0),
				   .offset_us = gpudx_col_int(st, 3, 0),
				   .from_us = gpudx_col_int(st, 4, 0),
				   .to_us = gpudx_col_int(st, 5, 0),
				   .timed = sqlite3_column_int(st, 6) != 0 };
		v->from_us += v->offset_us;
		v->to_us += v->offset_us;
	}
	sqlite3_finalize(st);
	return rc;
}

/* Two sources of the same time would count each sample twice. Those without a time may be of any. */
static bool overlaps_taken(const struct reading *r, const struct ref *v)
{
	for (size_t i = 0; i < r->nrefs; i++) {
		const struct ref *k = &r->refs[i];

		if (k->taken && k->gpu == v->gpu &&
		    (!k->timed || !v->timed || (k->from_us <= v->to_us && v->from_us <= k->to_us)))
			return true;
	}
	return false;
}

static enum gpudx_status take_refs(struct reading *r)
{
	int64_t most = 0;

	for (size_t i = 0; i < r->nrefs; i++)
		most = r->refs[i].id > most ? r->refs[i].id : most;
	if (most < 0 || most > 1 << 24)
		return gpudx_fail(r->err, GPUDX_E_LIMIT, "too many sources to compare");
	r->nids = (size_t)most + 1;
	r->track_of = gpudx_arena_array(r->a, r->nids, sizeof(*r->track_of));
	r->offset_of = gpudx_arena_array(r->a, r->nids, sizeof(*r->offset_of));
	if (!r->track_of || !r->offset_of)
		return gpudx_nomem(r->err);
	for (size_t i = 0; i < r->nids; i++)
		r->track_of[i] = -1;
	for (size_t i = 0; i < r->nrefs; i++) {
		struct ref *v = &r->refs[i];

		if (v->gpu < 0 || v->id <= 0 || overlaps_taken(r, v))
			continue;
		v->taken = true;
		r->track_of[v->id] = (int)v->gpu;
		r->offset_of[v->id] = v->offset_us;
	}
	return GPUDX_OK;
}

/* The columns of a sample that is kept, in the order of enum cmp_col but for utilization, which the
 * track has put in place. */
static enum gpudx_status fill_in(struct reading *r, sqlite3_stmt *columns, int64_t rowid,
				 struct cmp_sample *s)
{
	bool row;
	enum gpudx_status rc;

	sqlite3_bind_int64(columns, 1, rowid);
	rc = gpudx_db_step(columns, &row, r->err);
	for (int i = 0; i < CMP_COLS && !rc && row; i++)
		if (i != CMP_UTIL)
			s->col[i] = gpudx_col_real(columns, i);
	sqlite3_reset(columns);
	return rc;
}

static enum gpudx_status read_sample(struct reading *r, sqlite3_stmt *st, sqlite3_stmt *columns,
				     struct cmp_track *tracks)
{
	int64_t ref = gpudx_col_int(st, 1, 0), t_us;
	struct cmp_sample s = { .ref = ref }, *kept;

	if (ref <= 0 || (size_t)ref >= r->nids || r->track_of[ref] < 0)
		return GPUDX_OK;
	t_us = sqlite3_column_int64(st, 2) + r->offset_of[ref];
	if (t_us < r->s->from_us || t_us > r->s->to_us)
		return GPUDX_OK;
	s.t_s = (double)t_us / GPUDX_SECOND;
	s.col[CMP_UTIL] = gpudx_col_real(st, 3);
	s.reasons = gpudx_col_int(st, 4, -1);
	kept = gpudx_track_add(&tracks[r->track_of[ref]], &s);
	return kept ? fill_in(r, columns, sqlite3_column_int64(st, 0), kept) : GPUDX_OK;
}

/* All samples pass by with what decides about them; few are kept and read in full. */
static enum gpudx_status read_samples(struct reading *r, struct cmp_track *tracks)
{
	static const char sql[] = "SELECT rowid, ref_id, coalesce(t_raw_us, seq * 1000000, 0),"
				  " util_pct, reasons FROM gpu_sample";
	static const char full[] = "SELECT sm_clock_mhz, mem_clock_mhz, power_w, temp_c, NULL,"
				   " mem_used_mib, power_limit_w FROM gpu_sample WHERE rowid = ?";
	sqlite3_stmt *st = NULL, *columns = NULL;
	bool row;
	enum gpudx_status rc = gpudx_db_prepare(r->s->db, sql, &st, r->err);

	if (!rc)
		rc = gpudx_db_prepare(r->s->db, full, &columns, r->err);
	while (!rc && !(rc = gpudx_db_step(st, &row, r->err)) && row)
		rc = read_sample(r, st, columns, tracks);
	sqlite3_finalize(st);
	sqlite3_finalize(columns);
	return rc;
}

enum gpudx_status gpudx_tracks_load(const struct cmp_side *s, struct gpudx_arena *a,
				    struct cmp_track **out, struct gpudx_err *err)
{
	struct reading r = { .s = s, .a = a, .err = err };
	struct cmp_track *tracks = gpudx_arena_array(a, s->ngpus + 1, sizeof(*tracks));
	enum gpudx_status rc = tracks ? list_refs(&r) : gpudx_nomem(err);

	if (!rc)
		rc = take_refs(&r);
	for (size_t i = 0; i < s->ngpus && !rc; i++)
		gpudx_track_init(&tracks[i], a);
	if (!rc)
		rc = read_samples(&r, tracks);
	for (size_t i = 0; i < s->ngpus && !rc; i++)
		if (tracks[i].failed)
			rc = gpudx_nomem(err);
	*out = tracks;
	return rc;
}

/* ---- matching ---- */

/* Loads lie on a grid, and each sample belongs to the points around it, more to the nearer one: so
 * that 79 and 81 % are almost alike, without borders. */
enum { UTIL_POINTS = 6, MEM_POINTS = 11, POINTS = UTIL_POINTS * MEM_POINTS };

struct membership {
	int point[4];
	double part[4];
};

static double clamp(double v, double most)
{
	return v < 0 ? 0 : v > most ? most : v;
}

static struct membership belongs(const struct cmp_sample *s, double memory_mib, bool with_memory)
{
	double u = clamp(s->col[CMP_UTIL] / 100 * (UTIL_POINTS - 1), UTIL_POINTS - 1.000001);
	double m = with_memory && !isnan(s->col[CMP_MEM_USED])
			   ? clamp(s->col[CMP_MEM_USED] / memory_mib * (MEM_POINTS - 1),
				   MEM_POINTS - 1.000001)
			   : 0;
	int ui = isnan(u) ? 0 : (int)u, mi = (int)m;
	double uf = isnan(u) ? 0 : u - ui, mf = m - mi;

	return (struct membership){
		{ ui * MEM_POINTS + mi, ui * MEM_POINTS + mi + 1, (ui + 1) * MEM_POINTS + mi,
		  (ui + 1) * MEM_POINTS + mi + 1 },
		{ (1 - uf) * (1 - mf), (1 - uf) * mf, uf * (1 - mf), uf * mf },
	};
}

bool gpudx_match_loads(const struct cmp_track *const t[CMP_SIDES], double memory_mib,
		       bool with_memory, struct gpudx_arena *a, double *w[CMP_SIDES],
		       double *overlap)
{
	double p[CMP_SIDES][POINTS] = { { 0 } };

	*overlap = 0;
	for (int s = 0; s < CMP_SIDES; s++) {
		w[s] = gpudx_arena_array(a, t[s]->n + 1, sizeof(double));
		if (!w[s])
			return false;
		for (size_t i = 0; i < t[s]->n; i++) {
			struct membership m = belongs(&t[s]->v[i], memory_mib, with_memory);

			for (int k = 0; k < 4; k++)
				p[s][m.point[k]] += m.part[k] / (double)t[s]->n;
		}
	}
	for (int k = 0; k < POINTS; k++)
		*overlap += fmin(p[0][k], p[1][k]);
	for (int s = 0; s < CMP_SIDES; s++)
		for (size_t i = 0; i < t[s]->n; i++) {
			struct membership m = belongs(&t[s]->v[i], memory_mib, with_memory);

			for (int k = 0; k < 4; k++)
				if (m.part[k] > 0)
					w[s][i] += m.part[k] *
						   fmin(p[0][m.point[k]], p[1][m.point[k]]) /
						   p[s][m.point[k]];
		}
	return true;
}
