#include "rules/finding.h"

#include "store/store.h"

struct loader {
	sqlite3 *db;
	const struct gpudx_ruleset *rules;
	struct gpudx_arena *arena;
	struct gpudx_findings *out;
	int64_t bundle;
	struct gpudx_err *err;
};

static int rank_column(sqlite3_stmt *st, int i, enum gpudx_words list)
{
	return gpudx_word_rank(list, gpudx_col_text(st, i));
}

/* id, host_id, rule, t0_us, t1_us, severity, t_quality, confidence, kind, shows, at_end */
static void read_finding(struct loader *l, sqlite3_stmt *st)
{
	struct gpudx_finding *f = &l->out->list[l->out->n];

	f->rule = gpudx_ruleset_find(l->rules, gpudx_col_text(st, 2));
	if (!f->rule)
		return;
	f->id = sqlite3_column_int64(st, 0);
	f->host = sqlite3_column_int64(st, 1);
	f->t0_us = gpudx_col_time(st, 3);
	f->t1_us = gpudx_col_time(st, 4);
	f->severity = rank_column(st, 5, GPUDX_W_SEVERITY);
	f->quality = f->t0_us == GPUDX_NO_TIME ? -1 : rank_column(st, 6, GPUDX_W_QUALITY);
	f->confidence = sqlite3_column_double(st, 7);
	f->kind = gpudx_word(GPUDX_W_KIND, gpudx_col_text(st, 8));
	f->shows = gpudx_word(GPUDX_W_SHOWS, gpudx_col_text(st, 9));
	f->at_end = sqlite3_column_int(st, 10) == 1;
	l->out->n++;
}

static enum gpudx_status load_list(struct loader *l)
{
	enum gpudx_status rc;
	sqlite3_stmt *st;
	bool row = true;

	rc = gpudx_db_prepare(l->db,
			      "SELECT id, host_id, rule, t0_us, t1_us, severity, t_quality,"
			      " confidence, kind, shows, at_end FROM finding WHERE bundle_id = ?1"
			      " ORDER BY id",
			      &st, l->err);
	if (rc)
		return rc;
	sqlite3_bind_int64(st, 1, l->bundle);
	while (!rc && row) {
		rc = gpudx_db_step(st, &row, l->err);
		if (!rc && row)
			read_finding(l, st);
	}
	sqlite3_finalize(st);
	return rc;
}

/* One pass over the pairs in order of findings; both lists are sorted by finding. */
static enum gpudx_status load_gpus(struct loader *l, int64_t *room)
{
	enum gpudx_status rc;
	sqlite3_stmt *st;
	bool row = true;
	size_t at = 0;

	rc = gpudx_db_prepare(l->db,
			      "SELECT DISTINCT finding_id, gpu_id FROM finding_gpu ORDER BY 1, 2",
			      &st, l->err);
	if (rc)
		return rc;
	while (!rc && row) {
		int64_t id;

		rc = gpudx_db_step(st, &row, l->err);
		if (rc || !row)
			break;
		id = sqlite3_column_int64(st, 0);
		while (at < l->out->n && l->out->list[at].id < id)
			at++;
		if (at == l->out->n || l->out->list[at].id != id)
			continue;
		*room = sqlite3_column_int64(st, 1);
		if (!l->out->list[at].ngpus++)
			l->out->list[at].gpus = room;
		room++;
	}
	sqlite3_finalize(st);
	return rc;
}

enum gpudx_status gpudx_findings_load(sqlite3 *db, const struct gpudx_scene *scene,
				      const struct gpudx_ruleset *rules, struct gpudx_arena *a,
				      struct gpudx_findings *out, struct gpudx_err *err)
{
	struct loader l = { db, rules, a, out, scene->bundle, err };
	int64_t findings, gpus, *room;
	enum gpudx_status rc;

	*out = (struct gpudx_findings){ 0 };
	rc = gpudx_db_int(db, "SELECT count(*) FROM finding", 0, &findings, err);
	if (!rc)
		rc = gpudx_db_int(db, "SELECT count(*) FROM finding_gpu", 0, &gpus, err);
	if (rc)
		return rc;
	out->list = gpudx_arena_array(a, (size_t)findings + 1, sizeof(*out->list));
	room = gpudx_arena_array(a, (size_t)gpus + 1, sizeof(*room));
	if (!out->list || !room)
		return gpudx_fail(err, GPUDX_E_NOMEM, "out of memory for findings");
	rc = load_list(&l);
	return rc ? rc : load_gpus(&l, room);
}

bool gpudx_finding_comparable(const struct gpudx_finding *a, const struct gpudx_finding *b)
{
	int qa = a->quality, qb = b->quality;

	if (qa < 0 || qb < 0 || qa == GPUDX_TIME_UNKNOWN || qb == GPUDX_TIME_UNKNOWN)
		return false;
	return qa == qb || (qa <= GPUDX_ALIGNED && qb <= GPUDX_ALIGNED);
}
