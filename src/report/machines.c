/* Hosts, GPUs, and what was measured of them. */
#include "report/model.h"

#include "report/select.h"
#include "report/words.h"

#include <math.h>

static enum gpudx_status load_hosts(struct rep_model *m, struct gpudx_err *err)
{
	struct rep_select q =
		gpudx_select(m->db,
			     "SELECT h.id, h.name, h.machine_id, h.how,"
			     " (SELECT b.kernel FROM boot b WHERE b.host_id = h.id AND "
			     "b.seq = 0 AND b.kernel IS NOT NULL LIMIT 1)"
			     " FROM host h WHERE h.bundle_id = ?1 ORDER BY h.id",
			     m->bundle, err);

	while (gpudx_select_next(&q)) {
		struct rep_host *h = gpudx_report_grow(m->arena, m->hosts, m->nhosts, sizeof(*h));

		if (!h)
			return gpudx_select_end(&q), gpudx_nomem(err);
		m->hosts = h;
		h += m->nhosts++;
		h->id = gpudx_col_int(q.st, 0, 0);
		h->name = gpudx_select_text(&q, m->arena, 1);
		h->machine_id = gpudx_select_text(&q, m->arena, 2);
		h->how = gpudx_select_text(&q, m->arena, 3);
		h->kernel = gpudx_select_text(&q, m->arena, 4);
		h->label = h->name.n ? h->name.p : "host";
	}
	return gpudx_select_end(&q);
}

static enum gpudx_status load_gpus(struct rep_model *m, struct gpudx_err *err)
{
	struct rep_select q = gpudx_select(
		m->db,
		"SELECT g.id, g.host_id, g.key, g.label, g.uuid, g.serial, g.bdf, g.name, g.idx"
		" FROM gpu g JOIN host h ON h.id = g.host_id WHERE h.bundle_id = ?1"
		" ORDER BY g.host_id, g.idx IS NULL, g.idx, g.bdf, g.id",
		m->bundle, err);

	while (gpudx_select_next(&q)) {
		struct rep_gpu *g = gpudx_report_grow(m->arena, m->gpus, m->ngpus, sizeof(*g));

		if (!g)
			return gpudx_select_end(&q), gpudx_nomem(err);
		m->gpus = g;
		g += m->ngpus++;
		g->id = gpudx_col_int(q.st, 0, 0);
		g->host = gpudx_model_host(m, gpudx_col_int(q.st, 1, 0));
		g->key = gpudx_select_text(&q, m->arena, 2);
		g->label = gpudx_select_text(&q, m->arena, 3);
		g->uuid = gpudx_select_text(&q, m->arena, 4);
		g->serial = gpudx_select_text(&q, m->arena, 5);
		g->bdf = gpudx_select_text(&q, m->arena, 6);
		g->name = gpudx_select_text(&q, m->arena, 7);
		g->index = gpudx_col_int(q.st, 8, -1);
	}
	return gpudx_select_end(&q);
}

enum gpudx_status gpudx_model_machines(struct rep_model *m, struct gpudx_err *err)
{
	enum gpudx_status rc = load_hosts(m, err);

	return rc ? rc : load_gpus(m, err);
}

/* ---- samples ---- */

/* Rollups are few, so all that is asked of whole refs is asked of them. */
static const char refs_sql[] =
	"SELECT r.id, r.source_id, r.gpu_id, r.t_offset_us, r.t_quality, sum(m.n), "
	"min(m.first_id), max(m.last_id),"
	" max(m.n),"
	" total(m.sm_avg * m.n) / sum(CASE WHEN m.sm_avg IS NOT NULL THEN m.n END),"
	" total(m.power_avg * m.n) / sum(CASE WHEN m.power_avg IS NOT NULL THEN m.n END),"
	" max(m.temp_max),"
	" total(m.util_avg * m.n) / sum(CASE WHEN m.util_avg IS NOT NULL THEN m.n END)"
	" FROM gpu_ref r JOIN source s ON s.id = r.source_id JOIN gpu_minute m ON m.ref_id = r.id"
	" WHERE s.bundle_id = ?1 AND r.gpu_id IS NOT NULL GROUP BY r.id ORDER BY r.id";

/* When the first and the last sample were taken; without stamps, steps count as seconds. */
static void ref_ends(struct rep_ref *r, struct rep_select *ends)
{
	int64_t t[2] = { GPUDX_NO_TIME, GPUDX_NO_TIME };

	r->stamped = true;
	for (int i = 0; i < 2; i++) {
		gpudx_select_again(ends, i ? r->last_id : r->first_id, 0);
		if (!gpudx_select_next(ends))
			continue;
		t[i] = gpudx_col_time(ends->st, 0);
		if (t[i] == GPUDX_NO_TIME) {
			r->stamped = false;
			t[i] = gpudx_col_int(ends->st, 1, 0);
			t[i] = t[i] > -INT32_MAX && t[i] < INT32_MAX ? t[i] * GPUDX_SECOND : 0;
		} else if (__builtin_add_overflow(t[i], r->offset_us, &t[i])) {
			t[i] = GPUDX_NO_TIME;
		}
	}
	r->span.t0_us = t[0];
	r->span.t1_us = t[1];
}

static double ref_period(const struct rep_ref *r, int64_t most_in_a_minute)
{
	double dense = most_in_a_minute > 0 ? 60.0 / (double)most_in_a_minute : 60.0;
	double span = ((double)r->span.t1_us - (double)r->span.t0_us) / GPUDX_SECOND;
	double mean = r->samples > 1 ? span / (double)(r->samples - 1) : dense;

	return mean > 0 && mean < dense ? mean : dense;
}

static void fill_ref(struct rep_ref *r, struct rep_model *m, sqlite3_stmt *st,
		     struct rep_select *ends)
{
	r->id = gpudx_col_int(st, 0, 0);
	r->source_id = gpudx_col_int(st, 1, 0);
	r->gpu = gpudx_model_gpu(m, gpudx_col_int(st, 2, 0));
	r->offset_us = gpudx_col_int(st, 3, 0);
	if (r->offset_us < -REP_TIME_MOST || r->offset_us > REP_TIME_MOST)
		r->offset_us = 0;
	r->span.quality = gpudx_model_quality(gpudx_col_text(st, 4));
	r->samples = gpudx_col_int(st, 5, 0);
	r->first_id = gpudx_col_int(st, 6, 0);
	r->last_id = gpudx_col_int(st, 7, 0);
	ref_ends(r, ends);
	r->period_s = ref_period(r, gpudx_col_int(st, 8, 0));
	r->clock_mhz = gpudx_col_real(st, 9);
	r->power_w = gpudx_col_real(st, 10);
	r->temp_max_c = gpudx_col_real(st, 11);
	r->util_pct = gpudx_col_real(st, 12);
	m->counts.samples += r->samples;
}

static enum gpudx_status load_refs(struct rep_model *m, struct gpudx_err *err)
{
	struct rep_select q = gpudx_select(m->db, refs_sql, m->bundle, err);
	struct rep_select ends = gpudx_select(
		m->db, "SELECT t_raw_us, seq FROM gpu_sample WHERE rowid = ?1", 0, err);
	enum gpudx_status rc = GPUDX_OK;

	while (!rc && gpudx_select_next(&q)) {
		struct rep_ref *r = gpudx_report_grow(m->arena, m->refs, m->nrefs, sizeof(*r));

		if (!r) {
			rc = gpudx_nomem(err);
			break;
		}
		m->refs = r;
		fill_ref(&r[m->nrefs], m, q.st, &ends);
		if (r[m->nrefs].gpu)
			m->nrefs++;
	}
	if (gpudx_select_end(&ends) && !rc)
		rc = ends.rc;
	if (gpudx_select_end(&q) && !rc)
		rc = q.rc;
	return rc;
}

static void fill_episode(struct rep_episode *e, const struct rep_model *m, struct rep_select *q)
{
	sqlite3_stmt *st = q->st;

	e->gpu = gpudx_model_gpu(m, gpudx_col_int(st, 0, 0));
	e->source_id = gpudx_col_int(st, 1, 0);
	e->ref_id = gpudx_col_int(st, 2, 0);
	e->kind = gpudx_select_text(q, m->arena, 3);
	e->limit_how = gpudx_select_text(q, m->arena, 4);
	e->span = (struct rep_span){ gpudx_col_time(st, 5), gpudx_col_time(st, 6),
				     gpudx_model_quality(gpudx_col_text(st, 7)) };
	e->samples = gpudx_col_int(st, 8, 0);
	e->source_samples = gpudx_col_int(st, 9, 0);
	e->limit_w = gpudx_col_real(st, 10);
	e->clock_ref_mhz = gpudx_col_real(st, 11);
	e->clock_med_mhz = gpudx_col_real(st, 12);
	e->order0 = gpudx_col_int(st, 13, -1);
	e->order1 = gpudx_col_int(st, 14, -1);
}

static enum gpudx_status load_episodes(struct rep_model *m, struct gpudx_err *err)
{
	struct rep_select q = gpudx_select(
		m->db,
		"SELECT e.gpu_id, e.source_id, e.ref_id, e.kind, e.limit_how, e.t0_us, e.t1_us, "
		"e.t_quality,"
		" e.samples, e.source_samples, e.limit_w, e.clock_ref_mhz, e.clock_med_mhz,"
		" CASE WHEN e.t0_us IS NULL THEN (SELECT s.seq FROM gpu_sample s WHERE s.rowid = "
		"e.first_id) END,"
		" CASE WHEN e.t0_us IS NULL THEN (SELECT s.seq FROM gpu_sample s WHERE s.rowid = "
		"e.last_id) END"
		" FROM episode e JOIN gpu g ON g.id = e.gpu_id JOIN host h ON h.id = g.host_id"
		" WHERE h.bundle_id = ?1 ORDER BY e.id",
		m->bundle, err);

	while (m->nepisodes < REP_EPISODES && gpudx_select_next(&q)) {
		struct rep_episode *e =
			gpudx_report_grow(m->arena, m->episodes, m->nepisodes, sizeof(*e));

		if (!e)
			return gpudx_select_end(&q), gpudx_nomem(err);
		m->episodes = e;
		fill_episode(&e[m->nepisodes++], m, &q);
	}
	return gpudx_select_end(&q);
}

enum gpudx_status gpudx_model_samples(struct rep_model *m, struct gpudx_err *err)
{
	enum gpudx_status rc = load_refs(m, err);

	return rc ? rc : load_episodes(m, err);
}
