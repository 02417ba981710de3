#include "derive/cut.h"

#include <math.h>

#include "derive/samples.h"

/* A group is a minute of each ref, as far as their rows lie together. */
enum { GROUP_MAX = 256, NEAR_ROWS = 64 };

/* A minute stands for its samples when it is nearly full of them, and these are close. */
static const double minute_s = 60, nearly_s = 54, dense_s = 5;

struct gpudx_open {
	struct gpudx_open *next; /* of those that are free */
	struct gpudx_stretch of[GPUDX_KINDS_MAX];
};

struct minute {
	struct gpudx_track *track;
	double limit_min, limit_max, clock_max, util_avg, util_max;
	struct gpudx_item item; /* the minute as one */
	bool stands;		/* can stand for its samples */
	bool full;		/* none is missing, so its times are known */
	bool stated;		/* every sample states clock, power and utilization */
	uint32_t reasons_all;	/* bits that all samples have */
	uint32_t whole, mixed;	/* a bit for each kind: in its state throughout; samples decide */
};

struct pass {
	const struct gpudx_cutting *what;
	struct gpudx_err *err;
	struct gpudx_stretch_pool pool;
	struct gpudx_open *free;
	sqlite3_stmt *minutes, *time;
	struct gpudx_samples samples;
	size_t last_used; /* place of a ref */
	struct minute group[GROUP_MAX];
	unsigned n;
	int64_t first_id, last_id; /* of the group */
};

/* Only keys are sorted: whole rows of weeks are more than memory is meant for. */
static const char minutes_sql[] =
	"SELECT m.ref_id, m.t_raw_us, m.n, m.first_id, m.last_id, m.sm_min,"
	" coalesce(m.sm_med, m.sm_avg), m.power_min, m.power_avg, m.power_max, m.limit_min,"
	" m.limit_max, m.temp_max, m.util_min, m.util_max, m.reasons_or, m.sm_max, m.util_avg,"
	" m.reasons_and, m.whole"
	" FROM (SELECT ref_id, first_id FROM gpu_minute WHERE ref_id BETWEEN ?1 AND ?2"
	"  ORDER BY first_id LIMIT -1) k"
	" CROSS JOIN gpu_minute m ON m.ref_id = k.ref_id AND m.first_id = k.first_id";
static const char time_sql[] =
	"SELECT coalesce(t_raw_us, seq * 1000000) FROM gpu_sample WHERE rowid = ?1";

/* ---- states ---- */

static bool is_set(double condition)
{
	return !isnan(condition);
}

/* Kinds with an upper bound of utilization are cut from whole minutes: a GPU at rest has many hours
 * of them, and nothing asks for the second. */
static bool by_minutes(const struct gpudx_episode_kind *k)
{
	return is_set(k->util_max);
}

static double reference(const struct gpudx_episode_kind *k, const struct gpudx_track *t)
{
	return k->of_busy ? t->busy_mhz : t->top_mhz;
}

static bool in_state(const struct gpudx_episode_kind *k, const struct gpudx_track *t,
		     const struct gpudx_item *i)
{
	if (is_set(k->util_min) && !(i->util_min >= k->util_min))
		return false;
	if (is_set(k->clock_pct) && !(i->clock * 100 <= k->clock_pct * reference(k, t)))
		return false;
	if (is_set(k->power_pct) && !(i->power * 100 >= k->power_pct * i->limit_w))
		return false;
	if (k->bits && !(i->reasons & k->bits))
		return false;
	return !(i->reasons & k->not_bits);
}

static double lowest_limit(const struct minute *m)
{
	double own = fmin(m->limit_min, m->track->limit_w);

	return isnan(own) ? m->track->lowest_w : own;
}

/* Whether any sample of the minute can be in the state. */
static bool possible(const struct gpudx_episode_kind *k, const struct minute *m)
{
	const struct gpudx_item *i = &m->item;

	if (is_set(k->util_min) && !(m->util_max >= k->util_min))
		return false;
	if (is_set(k->clock_pct) && !(i->clock_min * 100 <= k->clock_pct * reference(k, m->track)))
		return false;
	if (is_set(k->power_pct) && !(i->power_max * 100 >= k->power_pct * lowest_limit(m)))
		return false;
	return !k->bits || (i->reasons & k->bits);
}

/* Whether the power of all samples is near their own limit, which is one. */
static bool at_limit_throughout(const struct gpudx_episode_kind *k, const struct minute *m)
{
	return m->stated && m->limit_min >= m->limit_max &&
	       m->item.power_min * 100 >= k->power_pct * m->limit_max;
}

/* Whether all samples of the minute are in the state but for its utilization, as far as bounds can tell.
 * Reason bits that are asked for or counted must be of all samples or, counted, of none. */
static bool holds_throughout(const struct gpudx_episode_kind *k, const struct minute *m)
{
	const struct gpudx_item *i = &m->item;

	if (is_set(k->spread_pct) || (i->reasons & k->not_bits))
		return false;
	if (((i->reasons ^ m->reasons_all) & k->counts) || (k->bits && !(m->reasons_all & k->bits)))
		return false;
	if (is_set(k->power_pct) && !at_limit_throughout(k, m))
		return false;
	return !is_set(k->clock_pct) || m->clock_max * 100 <= k->clock_pct * reference(k, m->track);
}

static bool busy_throughout(const struct gpudx_episode_kind *k, const struct minute *m)
{
	return (!is_set(k->util_min) || m->item.util_min >= k->util_min) &&
	       (!is_set(k->util_max) || m->util_max <= k->util_max);
}

/* A state goes on through a minute that is busy on the whole: what pauses within a job matters to
 * nobody, and would have most samples of a busy machine read. */
static bool goes_on(const struct gpudx_episode_kind *k, unsigned kind, const struct minute *m)
{
	return is_set(k->util_min) && m->track->open->of[kind].samples &&
	       m->util_avg >= k->util_min;
}

/* Whether the minute as one is in the state. */
static bool in_as_one(const struct gpudx_episode_kind *k, unsigned kind, const struct minute *m)
{
	if (!holds_throughout(k, m))
		return false;
	if (by_minutes(k))
		return busy_throughout(k, m);
	return m->stands && (busy_throughout(k, m) || goes_on(k, kind, m));
}

/* What the minute is to each kind; it is outside the state of those that get no bit. */
static void judge_minute(const struct gpudx_episode_kinds *kinds, struct minute *m)
{
	for (unsigned i = 0; i < kinds->n; i++) {
		const struct gpudx_episode_kind *k = &kinds->v[i];

		if (!(m->track->kinds >> i & 1))
			continue;
		if (in_as_one(k, i, m))
			m->whole |= 1u << i;
		else if (!by_minutes(k) && possible(k, m))
			m->mixed |= 1u << i;
	}
}

/* ---- stretches ---- */

static enum gpudx_status end_stretch(struct pass *p, struct gpudx_track *t, unsigned kind)
{
	struct gpudx_stretch *s = &t->open->of[kind];
	enum gpudx_status rc = GPUDX_OK;

	if (s->samples && gpudx_stretch_counts(s, &p->what->kinds->v[kind], t->info->period_s))
		rc = p->what->ended(p->what->arg, t, kind, s, p->err);
	gpudx_stretch_close(s, &p->pool);
	return rc;
}

static enum gpudx_status start_track(struct pass *p, struct gpudx_track *t)
{
	t->open = p->free;
	if (t->open)
		p->free = t->open->next;
	else
		t->open = gpudx_arena_alloc(p->what->arena, sizeof(*t->open));
	return t->open ? GPUDX_OK : gpudx_nomem(p->err);
}

static enum gpudx_status end_track(struct pass *p, struct gpudx_track *t)
{
	enum gpudx_status rc = GPUDX_OK;

	for (unsigned k = 0; k < p->what->kinds->n && !rc; k++)
		rc = end_stretch(p, t, k);
	t->open->next = p->free;
	p->free = t->open;
	t->open = NULL;
	return rc;
}

/* A minute with pauses: what is in the state is as busy as that asks for, how busy is not known. */
static struct gpudx_item without_pauses(const struct gpudx_item *i,
					const struct gpudx_episode_kind *k)
{
	struct gpudx_item busy = *i;

	busy.util_min = fmax(i->util_min, k->util_min);
	return busy;
}

static enum gpudx_status feed(struct pass *p, struct gpudx_track *t, unsigned kind,
			      const struct gpudx_item *i, bool in)
{
	const struct gpudx_episode_kind *k = &p->what->kinds->v[kind];
	struct gpudx_stretch *s = &t->open->of[kind];
	enum gpudx_status rc = GPUDX_OK;

	if (!in)
		return s->samples && gpudx_stretch_pass(s, k, i) ? end_stretch(p, t, kind)
								 : GPUDX_OK;
	if (s->samples && !gpudx_stretch_joins(s, k, i, t->info->period_s))
		rc = end_stretch(p, t, kind);
	gpudx_stretch_add(s, i, k->counts, &p->pool);
	return rc;
}

/* ---- samples ---- */

/* Its own limit, also where a cell is missing; else what other sources say of that time. */
static void set_limit(struct gpudx_track *t, struct gpudx_item *i, double own)
{
	if (!isnan(own))
		t->limit_w = own;
	if (!isnan(t->limit_w)) {
		i->limit_w = t->limit_w;
		i->limit_how = "sample";
	} else if (t->limits.n) {
		i->limit_w =
			gpudx_limits_at(&t->limits, t->info->t0_us == GPUDX_NO_TIME
							    ? GPUDX_NO_TIME
							    : i->first_us + t->info->offset_us);
		i->limit_how = "fact";
	} else if (!isnan(t->plateau_w)) {
		i->limit_w = t->plateau_w;
		i->limit_how = "plateau";
	}
}

static struct gpudx_item sample_item(const struct gpudx_sample_row *r, struct gpudx_track *t)
{
	struct gpudx_item i = {
		.first_id = r->id,
		.last_id = r->id,
		.first_us = r->clock_us,
		.last_us = r->clock_us,
		.n = 1,
		.clock_min = r->clock_mhz,
		.clock = r->clock_mhz,
		.power_min = r->power_w,
		.power = r->power_w,
		.power_max = r->power_w,
		.util_min = r->util_pct,
		.temp_max = r->temp_c,
		.reasons = r->reasons,
		.limit_w = (double)NAN,
	};

	set_limit(t, &i, r->limit_w);
	return i;
}

/* The GPUs of a poll come in a fixed order, so the next place is nearly always the right one. */
static struct gpudx_track *track_of(struct pass *p, int64_t ref)
{
	const struct gpudx_refs *refs = p->what->refs;
	size_t next = p->last_used + 1 < refs->n ? p->last_used + 1 : 0;

	if (refs->v[next].id != ref)
		next = refs->v[p->last_used].id == ref ? p->last_used : gpudx_refs_find(refs, ref);
	if (next == refs->n)
		return NULL;
	p->last_used = next;
	return &p->what->tracks[next];
}

static enum gpudx_status feed_sample(void *arg, const struct gpudx_sample_row *row)
{
	struct pass *p = arg;
	struct gpudx_track *t = track_of(p, row->ref);
	const struct gpudx_episode_kinds *kinds = p->what->kinds;
	enum gpudx_status rc = GPUDX_OK;
	struct gpudx_item i;

	if (!t || row->id < t->read_from || row->id > t->read_to)
		return GPUDX_OK;
	i = sample_item(row, t);
	for (unsigned k = 0; k < kinds->n && !rc; k++)
		if (t->read_kinds >> k & 1)
			rc = feed(p, t, k, &i, in_state(&kinds->v[k], t, &i));
	return rc;
}

/* ---- minutes ---- */

static enum gpudx_status time_of(struct pass *p, int64_t id, int64_t *out_us)
{
	enum gpudx_status rc;
	bool row;

	sqlite3_bind_int64(p->time, 1, id);
	rc = gpudx_db_step(p->time, &row, p->err);
	if (!rc && row)
		*out_us = gpudx_col_int(p->time, 0, 0);
	sqlite3_reset(p->time);
	return rc;
}

/* The exact times of a minute that is not full. */
static enum gpudx_status find_times(struct pass *p, struct gpudx_item *i)
{
	enum gpudx_status rc = time_of(p, i->first_id, &i->first_us);

	return rc ? rc : time_of(p, i->last_id, &i->last_us);
}

/* The kinds that its samples did not decide. */
static enum gpudx_status feed_minute(struct pass *p, struct minute *m)
{
	const struct gpudx_episode_kinds *kinds = p->what->kinds;
	uint32_t which = m->track->kinds & ~m->mixed;
	enum gpudx_status rc = GPUDX_OK;

	if (m->whole && !m->full)
		rc = find_times(p, &m->item);
	for (unsigned k = 0; k < kinds->n && !rc; k++) {
		struct gpudx_item i = without_pauses(&m->item, &kinds->v[k]);

		if (which >> k & 1)
			rc = feed(p, m->track, k, &i, m->whole >> k & 1);
	}
	return rc;
}

static struct minute minute_of(sqlite3_stmt *st, struct gpudx_track *t)
{
	struct minute m = {
		.track = t,
		.limit_min = gpudx_col_real(st, 10),
		.limit_max = gpudx_col_real(st, 11),
		.clock_max = gpudx_col_real(st, 16),
		.util_avg = gpudx_col_real(st, 17),
		.util_max = gpudx_col_real(st, 14),
		.item = {
			.first_id = gpudx_col_int(st, 3, 0),
			.last_id = gpudx_col_int(st, 4, 0),
			.n = (uint32_t)gpudx_col_int(st, 2, 0),
			.clock_min = gpudx_col_real(st, 5),
			.clock = gpudx_col_real(st, 6),
			.power_min = gpudx_col_real(st, 7),
			.power = gpudx_col_real(st, 8),
			.power_max = gpudx_col_real(st, 9),
			.temp_max = gpudx_col_real(st, 12),
			.util_min = gpudx_col_real(st, 13),
			.reasons = (uint32_t)gpudx_col_int(st, 15, 0),
			.limit_w = gpudx_col_real(st, 11),
			.limit_how = "sample",
		},
	};
	double period = t->info->period_s;

	m.stated = gpudx_col_int(st, 19, 0) == m.item.n;
	m.reasons_all = (uint32_t)gpudx_col_int(st, 18, 0);
	m.stands = m.item.n * period >= nearly_s && period <= dense_s;
	m.full = (m.item.n + 0.5) * period >= minute_s;
	m.item.first_us = gpudx_col_int(st, 1, 0);
	m.item.last_us = m.item.first_us + (int64_t)(fmax(0, minute_s - period) * GPUDX_SECOND);
	return m;
}

static bool belongs(const struct pass *p, const struct minute *m)
{
	return !p->n || (p->n < GROUP_MAX && !m->track->grouped &&
			 m->item.first_id <= p->last_id + NEAR_ROWS &&
			 m->item.last_id + NEAR_ROWS >= p->first_id);
}

static void group_add(struct pass *p, const struct minute *m)
{
	if (!p->n || m->item.first_id < p->first_id)
		p->first_id = m->item.first_id;
	if (!p->n || m->item.last_id > p->last_id)
		p->last_id = m->item.last_id;
	m->track->grouped = true;
	p->group[p->n++] = *m;
}

/* Adds the samples of one minute to what is to be read. */
static void range_add(struct gpudx_sample_range *r, const struct minute *m, int64_t lowest_ref)
{
	int64_t bit = m->track->info->id - lowest_ref;

	m->track->read_kinds = m->mixed;
	m->track->read_from = m->item.first_id;
	m->track->read_to = m->item.last_id;
	if (!r->refs || m->item.first_id < r->first_id)
		r->first_id = m->item.first_id;
	if (!r->refs || m->item.last_id > r->last_id)
		r->last_id = m->item.last_id;
	r->lowest_ref = lowest_ref;
	r->refs = bit < 63 ? r->refs | INT64_C(1) << bit : -1;
}

/* Reads the samples of those minutes of the group that need it. */
static enum gpudx_status read_group(struct pass *p)
{
	struct gpudx_sample_range r = { .refs = 0 };
	int64_t lowest_ref = INT64_MAX;

	for (unsigned i = 0; i < p->n; i++) {
		judge_minute(p->what->kinds, &p->group[i]);
		if (p->group[i].track->info->id < lowest_ref)
			lowest_ref = p->group[i].track->info->id;
	}
	for (unsigned i = 0; i < p->n; i++)
		if (p->group[i].mixed)
			range_add(&r, &p->group[i], lowest_ref);
	return r.refs ? gpudx_samples_read(&p->samples, &r, p->err) : GPUDX_OK;
}

static enum gpudx_status leave_minute(struct pass *p, struct minute *m)
{
	struct gpudx_track *t = m->track;

	if (!isnan(m->limit_max) && !m->mixed)
		t->limit_w = m->limit_max;
	t->grouped = false;
	t->read_from = 0;
	t->read_to = -1;
	return m->item.last_id >= t->info->last_id ? end_track(p, t) : GPUDX_OK;
}

static enum gpudx_status finish_group(struct pass *p)
{
	enum gpudx_status rc = read_group(p);

	for (unsigned i = 0; i < p->n && !rc; i++) {
		rc = feed_minute(p, &p->group[i]);
		if (!rc)
			rc = leave_minute(p, &p->group[i]);
	}
	p->n = 0;
	return rc;
}

static enum gpudx_status over_minutes(struct pass *p)
{
	const struct gpudx_refs *refs = p->what->refs;
	enum gpudx_status rc;
	bool row;

	sqlite3_bind_int64(p->minutes, 1, refs->v[0].id);
	sqlite3_bind_int64(p->minutes, 2, refs->v[refs->n - 1].id);
	while (!(rc = gpudx_db_step(p->minutes, &row, p->err)) && row) {
		struct gpudx_track *t = track_of(p, gpudx_col_int(p->minutes, 0, 0));
		struct minute m;

		if (!t || !t->kinds)
			continue;
		if (!t->open && (rc = start_track(p, t)))
			break;
		m = minute_of(p->minutes, t);
		if (!belongs(p, &m) && (rc = finish_group(p)))
			break;
		group_add(p, &m);
	}
	return rc ? rc : finish_group(p);
}

static void start_tracks(const struct gpudx_cutting *what)
{
	for (size_t i = 0; i < what->refs->n; i++) {
		struct gpudx_track *t = &what->tracks[i];

		t->read_to = -1;
		t->limit_w = (double)NAN;
		t->lowest_w = t->limits.n ? gpudx_limits_lowest(&t->limits) : t->plateau_w;
	}
}

enum gpudx_status gpudx_cut(const struct gpudx_cutting *what, struct gpudx_err *err)
{
	struct pass p = { .what = what, .err = err, .pool = { .arena = what->arena } };
	enum gpudx_status rc;

	if (!what->refs->n)
		return GPUDX_OK;
	start_tracks(what);
	p.samples = (struct gpudx_samples){ .db = what->db, .take = feed_sample, .arg = &p };
	rc = gpudx_db_prepare(what->db, minutes_sql, &p.minutes, err);
	if (!rc)
		rc = gpudx_samples_begin(&p.samples, err);
	if (!rc)
		rc = gpudx_db_prepare(what->db, time_sql, &p.time, err);
	if (!rc)
		rc = over_minutes(&p);
	sqlite3_finalize(p.minutes);
	gpudx_samples_end(&p.samples);
	sqlite3_finalize(p.time);
	return rc;
}
