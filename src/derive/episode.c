/* episode: stretches of samples in one state, for rules and charts. */
#include "derive/stages.h"

#include <math.h>

#include "derive/cut.h"
#include "store/query.h"

/* The reference of busy_slow: what so many seconds of busy samples reach. */
static const double busy_s = 60;
/* A plateau is no limit when one busy sample in a hundred draws that much more. */
static const double over_plateau = 1.05;
static const int64_t ceiling_share = 100;
/* For stretches that are open at a time: a thousand GPUs of one source come near; what is beyond
 * has no medians. */
static const size_t open_max = 64 << 20;

/* What one ref has besides its track. */
struct extra {
	double ceiling_w;	  /* all but one busy sample in a hundred draw less */
	uint32_t plateau_samples; /* of its longest plateau */
	double plateau_w;
};

struct episodes {
	sqlite3 *db;
	int64_t bundle;
	struct gpudx_err *err;
	struct gpudx_arena arena, open;
	struct gpudx_episode_kinds kinds;
	struct gpudx_refs refs;
	struct gpudx_track *tracks;
	struct extra *extra; /* by place in refs, as tracks */
	sqlite3_stmt *place, *worst, *end, *insert;
};

static const char clear_sql[] =
	"DELETE FROM episode WHERE source_id IN (SELECT id FROM source WHERE bundle_id = ?1)";
static const char clear_coverage_sql[] =
	"DELETE FROM coverage WHERE what GLOB 'episode.*'"
	" AND host_id IN (SELECT id FROM host WHERE bundle_id = ?1)";
/* Rules may need an episode, as power_limit needs a plateau where no limit is stated. */
static const char coverage_sql[] =
	"INSERT INTO coverage(host_id, gpu_id, what, from_us, to_us, n, whole, how, source_id)"
	" SELECT g.host_id, e.gpu_id, 'episode.' || e.kind, min(e.t0_us), max(e.t1_us), count(*),"
	" 1, 'cut from samples', e.source_id"
	" FROM episode e JOIN gpu g ON g.id = e.gpu_id JOIN source s ON s.id = e.source_id"
	" WHERE s.bundle_id = ?1 GROUP BY g.host_id, e.gpu_id, e.kind, e.source_id"
	" ORDER BY g.host_id, e.gpu_id, e.kind, e.source_id";
static const char tops_sql[] = "SELECT ref_id, top FROM gpu_stat"
			       " WHERE col = 'sm_clock_mhz' AND ref_id BETWEEN ?1 AND ?2";
/* Downwards: how many busy samples are in this bin and above, and how many there are at all. */
static const char busy_sql[] =
	"SELECT ref_id, col, lo, sum(n) OVER (PARTITION BY ref_id, col ORDER BY lo DESC),"
	" sum(n) OVER (PARTITION BY ref_id, col)"
	" FROM gpu_hist WHERE busy = 1 AND col IN ('sm_clock_mhz', 'power_w')"
	" AND ref_id BETWEEN ?1 AND ?2 ORDER BY ref_id, col, lo DESC";
static const char place_sql[] = "SELECT line, t_raw_us FROM gpu_sample WHERE rowid = ?1";
static const char worst_sql[] = "SELECT line FROM gpu_sample WHERE rowid BETWEEN ?1 AND ?2"
				" AND ref_id = ?3 AND sm_clock_mhz <= ?4 ORDER BY rowid LIMIT 1";
static const char end_sql[] = "SELECT rowid, coalesce(t_raw_us, seq * 1000000) FROM gpu_sample"
			      " WHERE rowid BETWEEN ?1 AND ?2 AND ref_id = ?3 AND util_pct >= ?4 "
			      "ORDER BY rowid DESC LIMIT 1";
static const char insert_sql[] =
	"INSERT INTO episode(gpu_id, ref_id, source_id, kind, t0_us, t1_us, t_quality, samples,"
	" source_samples, first_id, last_id, power_min_w, power_med_w, power_max_w, limit_w,"
	" limit_how, clock_min_mhz, clock_med_mhz, clock_ref_mhz, util_min_pct, temp_max_c,"
	" reasons_or, reasons_known, reasons_set, line_first, line_worst, line_last)"
	" VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

/* ---- writing ---- */

/* Where a sample stands; times and lines are NULL when they are not known. */
struct place {
	int64_t line_id, t_us;
};

static enum gpudx_status place_of(struct episodes *e, const struct gpudx_ref_info *r, int64_t id,
				  struct place *out)
{
	enum gpudx_status rc;
	bool row;

	sqlite3_bind_int64(e->place, 1, id);
	rc = gpudx_db_step(e->place, &row, e->err);
	if (!rc && !row)
		rc = gpudx_fail(e->err, GPUDX_E_BUG, "no sample %lld", (long long)id);
	if (!rc) {
		out->line_id = r->source_id << 32 | gpudx_col_int(e->place, 0, 0);
		out->t_us = gpudx_col_time(e->place, 1);
		if (out->t_us != GPUDX_NO_TIME)
			out->t_us += r->offset_us;
	}
	sqlite3_reset(e->place);
	return rc;
}

/* A minute that stands for its samples may have been left before its end. */
static enum gpudx_status find_end(struct episodes *e, const struct gpudx_ref_info *r,
				  const struct gpudx_episode_kind *k, struct gpudx_stretch *s)
{
	enum gpudx_status rc;
	bool row;

	sqlite3_bind_int64(e->end, 1, s->last_item_id);
	sqlite3_bind_int64(e->end, 2, s->last_id);
	sqlite3_bind_int64(e->end, 3, r->id);
	gpudx_bind_real(e->end, 4, k->util_min);
	rc = gpudx_db_step(e->end, &row, e->err);
	if (!rc && row) {
		s->last_id = gpudx_col_int(e->end, 0, s->last_id);
		s->last_us = gpudx_col_int(e->end, 1, s->last_us);
	}
	sqlite3_reset(e->end);
	return rc;
}

/* The first sample with the lowest clock; 0 when clocks are unknown. */
static enum gpudx_status worst_line(struct episodes *e, const struct gpudx_ref_info *r,
				    const struct gpudx_stretch *s, int64_t *line_id)
{
	enum gpudx_status rc;
	bool row;

	*line_id = 0;
	if (isnan(s->clock_min))
		return GPUDX_OK;
	sqlite3_bind_int64(e->worst, 1, s->worst_first_id);
	sqlite3_bind_int64(e->worst, 2, s->worst_last_id);
	sqlite3_bind_int64(e->worst, 3, r->id);
	gpudx_bind_real(e->worst, 4, s->clock_min);
	rc = gpudx_db_step(e->worst, &row, e->err);
	if (!rc && row)
		*line_id = r->source_id << 32 | gpudx_col_int(e->worst, 0, 0);
	sqlite3_reset(e->worst);
	return rc;
}

static void bind_id(struct episodes *e, const struct gpudx_ref_info *r,
		    const struct gpudx_episode_kind *k, const struct place *first,
		    const struct place *last)
{
	sqlite3_stmt *st = e->insert;

	sqlite3_bind_int64(st, 1, r->gpu_id);
	sqlite3_bind_int64(st, 2, r->id);
	sqlite3_bind_int64(st, 3, r->source_id);
	gpudx_bind_text(st, 4, k->name);
	gpudx_bind_time(st, 5, first->t_us);
	gpudx_bind_time(st, 6, last->t_us);
	gpudx_bind_text(st, 7, r->quality);
}

static void bind_measures(struct episodes *e, const struct gpudx_episode_kind *k,
			  const struct gpudx_track *t, struct gpudx_stretch *s)
{
	sqlite3_stmt *st = e->insert;
	bool plateau = !isnan(k->spread_pct);

	sqlite3_bind_int64(st, 8, k->bits ? s->all : s->samples);
	sqlite3_bind_int64(st, 9, t->info->samples);
	sqlite3_bind_int64(st, 10, s->first_id);
	sqlite3_bind_int64(st, 11, s->last_id);
	gpudx_bind_real(st, 12, s->power_min);
	gpudx_bind_real(st, 13, gpudx_dist_at(&s->power, 0.5));
	gpudx_bind_real(st, 14, s->power_max);
	if (plateau || !isnan(k->power_pct)) {
		gpudx_bind_real(st, 15, plateau ? gpudx_dist_at(&s->power, 0.5) : s->limit_w);
		gpudx_bind_text(st, 16, sv_str(plateau ? "plateau" : s->limit_how));
	}
	gpudx_bind_real(st, 17, s->clock_min);
	gpudx_bind_real(st, 18, gpudx_dist_at(&s->clock, 0.5));
	gpudx_bind_real(st, 19, k->of_busy ? t->busy_mhz : t->top_mhz);
	gpudx_bind_real(st, 20, s->util_min);
	gpudx_bind_real(st, 21, s->temp_max);
}

static void bind_reasons(struct episodes *e, const struct gpudx_ref_info *r,
			 const struct gpudx_episode_kind *k, const struct gpudx_stretch *s)
{
	sqlite3_stmt *st = e->insert;

	if (r->reasons_known) {
		sqlite3_bind_int64(st, 22, s->reasons);
		sqlite3_bind_int64(st, 23, r->reasons_known);
	}
	if (r->reasons_known & k->counts)
		sqlite3_bind_int64(st, 24, s->with_bit);
}

static enum gpudx_status write_episode(struct episodes *e, const struct gpudx_track *t,
				       const struct gpudx_episode_kind *k, struct gpudx_stretch *s)
{
	struct place first, last;
	int64_t worst;
	enum gpudx_status rc = place_of(e, t->info, s->first_id, &first);

	if (!rc)
		rc = place_of(e, t->info, s->last_id, &last);
	if (!rc)
		rc = worst_line(e, t->info, s, &worst);
	if (rc)
		return rc;
	sqlite3_clear_bindings(e->insert);
	bind_id(e, t->info, k, &first, &last);
	bind_measures(e, k, t, s);
	bind_reasons(e, t->info, k, s);
	sqlite3_bind_int64(e->insert, 25, first.line_id);
	gpudx_bind_unless(e->insert, 26, worst, 0);
	sqlite3_bind_int64(e->insert, 27, last.line_id);
	return gpudx_db_run(e->insert, e->err);
}

/* A limit is what nothing goes above for long: steady power below that has another cause. */
static bool is_limit(const struct extra *x, struct gpudx_stretch *s)
{
	return x->ceiling_w <= over_plateau * gpudx_dist_at(&s->power, 0.9);
}

static enum gpudx_status ended(void *arg, struct gpudx_track *t, unsigned kind,
			       struct gpudx_stretch *s, struct gpudx_err *err)
{
	struct episodes *e = arg;
	const struct gpudx_episode_kind *k = &e->kinds.v[kind];
	struct extra *x = &e->extra[t - e->tracks];

	(void)err; /* that of the stage */
	if (!isnan(k->spread_pct)) {
		if (!is_limit(x, s))
			return GPUDX_OK;
		if (s->samples > x->plateau_samples) {
			x->plateau_samples = s->samples;
			x->plateau_w = gpudx_dist_at(&s->power, 0.5);
		}
	}
	if (s->last_item_id != s->last_id && !isnan(k->util_min)) {
		enum gpudx_status rc = find_end(e, t->info, k, s);

		if (rc || !gpudx_stretch_counts(s, k, t->info->period_s))
			return rc;
	}
	return write_episode(e, t, k, s);
}

/* ---- references and limits ---- */

static enum gpudx_status over_refs(struct episodes *e, const char *sql,
				   void (*take)(struct episodes *, size_t, sqlite3_stmt *))
{
	sqlite3_stmt *st;
	enum gpudx_status rc = gpudx_db_prepare(e->db, sql, &st, e->err);
	bool row;

	if (rc)
		return rc;
	sqlite3_bind_int64(st, 1, e->refs.v[0].id);
	sqlite3_bind_int64(st, 2, e->refs.v[e->refs.n - 1].id);
	while (!(rc = gpudx_db_step(st, &row, e->err)) && row) {
		size_t i = gpudx_refs_find(&e->refs, gpudx_col_int(st, 0, 0));

		if (i < e->refs.n)
			take(e, i, st);
	}
	sqlite3_finalize(st);
	return rc;
}

static void take_top(struct episodes *e, size_t i, sqlite3_stmt *st)
{
	e->tracks[i].top_mhz = gpudx_col_real(st, 1);
}

/* Bins come from the highest down: the first that reaches far enough is it. */
static void take_busy(struct episodes *e, size_t i, sqlite3_stmt *st)
{
	double lo = gpudx_col_real(st, 2);
	int64_t above = gpudx_col_int(st, 3, 0), all = gpudx_col_int(st, 4, 0);
	bool clock = sv_is(gpudx_col_text(st, 1), "sm_clock_mhz");

	if (clock && isnan(e->tracks[i].busy_mhz) &&
	    (double)above * e->refs.v[i].period_s >= busy_s)
		e->tracks[i].busy_mhz = lo;
	if (!clock && isnan(e->extra[i].ceiling_w) && above * ceiling_share >= all)
		e->extra[i].ceiling_w = lo;
}

/* Which kinds infer a limit, or need one, as bits. */
static uint32_t kinds_with(const struct episodes *e, bool infer)
{
	uint32_t out = 0;

	for (unsigned k = 0; k < e->kinds.n; k++)
		if (!isnan(infer ? e->kinds.v[k].spread_pct : e->kinds.v[k].power_pct))
			out |= 1u << k;
	return out;
}

/* Where a limit is stated, none has to be inferred. */
static enum gpudx_status find_limits(struct episodes *e)
{
	struct gpudx_limits all;
	enum gpudx_status rc = gpudx_limits_load(e->db, e->bundle, &e->arena, &all, e->err);

	for (size_t i = 0; i < e->refs.n && !rc; i++) {
		struct gpudx_track *t = &e->tracks[i];

		t->limits = gpudx_limits_of(&all, t->info->gpu_id, t->info->boot_id);
		if (t->limits.n || t->info->has_limit)
			t->kinds &= ~kinds_with(e, true);
	}
	return rc;
}

static enum gpudx_status start_tracks(struct episodes *e)
{
	e->tracks = gpudx_arena_array(&e->arena, e->refs.n, sizeof(*e->tracks));
	e->extra = gpudx_arena_array(&e->arena, e->refs.n, sizeof(*e->extra));
	if (!e->tracks || !e->extra)
		return gpudx_nomem(e->err);
	for (size_t i = 0; i < e->refs.n; i++) {
		struct gpudx_track *t = &e->tracks[i];

		t->info = &e->refs.v[i];
		t->top_mhz = t->busy_mhz = t->plateau_w = (double)NAN;
		t->kinds = t->info->gpu_id && !t->info->slice ? (1u << e->kinds.n) - 1 : 0;
		e->extra[i].ceiling_w = (double)NAN;
	}
	return GPUDX_OK;
}

/* ---- the passes ---- */

static enum gpudx_status cut(struct episodes *e)
{
	struct gpudx_cutting what = { e->db, &e->kinds, &e->refs, e->tracks, &e->open, ended, e };

	gpudx_arena_reset(&e->open);
	return gpudx_cut(&what, e->err);
}

/* Refs without a stated limit whose power shows one go through a second time with that. */
static enum gpudx_status cut_at_plateaus(struct episodes *e)
{
	bool any = false;

	for (size_t i = 0; i < e->refs.n; i++) {
		struct gpudx_track *t = &e->tracks[i];
		bool inferred = e->extra[i].plateau_samples > 0;

		t->kinds = inferred ? kinds_with(e, false) : 0;
		t->plateau_w = inferred ? e->extra[i].plateau_w : (double)NAN;
		any = any || inferred;
	}
	return any ? cut(e) : GPUDX_OK;
}

static enum gpudx_status prepare(struct episodes *e)
{
	enum gpudx_status rc = gpudx_db_prepare(e->db, place_sql, &e->place, e->err);

	if (!rc)
		rc = gpudx_db_prepare(e->db, worst_sql, &e->worst, e->err);
	if (!rc)
		rc = gpudx_db_prepare(e->db, end_sql, &e->end, e->err);
	if (!rc)
		rc = gpudx_db_prepare(e->db, insert_sql, &e->insert, e->err);
	return rc;
}

static enum gpudx_status make_episodes(struct episodes *e)
{
	enum gpudx_status rc = gpudx_kinds_load(e->db, &e->arena, &e->kinds, e->err);

	if (!rc)
		rc = prepare(e);
	if (!rc)
		rc = start_tracks(e);
	if (!rc)
		rc = over_refs(e, tops_sql, take_top);
	if (!rc)
		rc = over_refs(e, busy_sql, take_busy);
	if (!rc)
		rc = find_limits(e);
	if (!rc)
		rc = cut(e);
	return rc ? rc : cut_at_plateaus(e);
}

enum gpudx_status gpudx_derive_episodes(struct gpudx_store *store, int64_t bundle,
					struct gpudx_err *err)
{
	struct episodes e = {
		.db = gpudx_store_db(store),
		.bundle = bundle,
		.err = err,
		.open = { .limit = open_max },
	};
	enum gpudx_status rc = gpudx_query_run(e.db, clear_sql, bundle, err);

	if (!rc)
		rc = gpudx_query_run(e.db, clear_coverage_sql, bundle, err);
	if (!rc)
		rc = gpudx_refs_load(e.db, bundle, 2, &e.arena, &e.refs, err);
	if (!rc && e.refs.n)
		rc = make_episodes(&e);
	if (!rc)
		rc = gpudx_query_run(e.db, coverage_sql, bundle, err);
	sqlite3_finalize(e.place);
	sqlite3_finalize(e.worst);
	sqlite3_finalize(e.end);
	sqlite3_finalize(e.insert);
	gpudx_arena_free(&e.arena);
	gpudx_arena_free(&e.open);
	return rc ? gpudx_while(err, "while cutting episodes") : GPUDX_OK;
}
