#include "rules/needs.h"

#include "store/query.h"

/* One row of coverage; those of one term are a chain. */
struct cover {
	int64_t host, gpu; /* gpu 0: the host */
	bool whole;
	uint32_t next; /* index + 1 of the next with the same term, 0 none */
};

struct gpudx_coverage {
	const struct gpudx_vocabulary *vocabulary;
	struct gpudx_map first; /* term -> index + 1 */
	struct cover *cover;
	uint32_t n;
};

static enum gpudx_status add_cover(struct gpudx_coverage *c, sqlite3_stmt *st,
				   struct gpudx_err *err)
{
	struct cover *v = &c->cover[c->n];
	bool is_new;
	uint32_t *first = gpudx_map_at(&c->first, gpudx_col_text(st, 0), &is_new);

	if (!first)
		return gpudx_fail(err, GPUDX_E_NOMEM, "out of memory for coverage");
	v->host = sqlite3_column_int64(st, 1);
	v->gpu = gpudx_col_int(st, 2, 0);
	v->whole = sqlite3_column_int(st, 3) != 0;
	v->next = *first;
	*first = ++c->n;
	return GPUDX_OK;
}

enum gpudx_status gpudx_coverage_load(sqlite3 *db, const struct gpudx_scene *scene,
				      const struct gpudx_vocabulary *v, int64_t since_us,
				      int64_t until_us, struct gpudx_arena *a,
				      struct gpudx_coverage **out, struct gpudx_err *err)
{
	static const char sql[] = "SELECT c.what, c.host_id, c.gpu_id, c.whole FROM coverage c"
				  " JOIN host h ON h.id = c.host_id WHERE h.bundle_id = ?1"
				  " AND (?2 IS NULL OR c.to_us IS NULL OR c.to_us >= ?2)"
				  " AND (?3 IS NULL OR c.from_us IS NULL OR c.from_us <= ?3)"
				  " GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4";
	struct gpudx_coverage *c = gpudx_arena_alloc(a, sizeof(*c));
	enum gpudx_status rc;
	sqlite3_stmt *st;
	bool row = true;
	int64_t n;

	rc = gpudx_db_int(db, "SELECT count(*) FROM coverage", 0, &n, err);
	if (rc)
		return rc;
	if (!c || !(c->cover = gpudx_arena_array(a, (size_t)n + 1, sizeof(*c->cover))))
		return gpudx_fail(err, GPUDX_E_NOMEM, "out of memory for coverage");
	c->vocabulary = v;
	c->first.arena = a;
	rc = gpudx_db_prepare(db, sql, &st, err);
	if (rc)
		return rc;
	sqlite3_bind_int64(st, 1, scene->bundle);
	gpudx_bind_time(st, 2, since_us);
	gpudx_bind_time(st, 3, until_us);
	while (!rc && row) {
		rc = gpudx_db_step(st, &row, err);
		if (!rc && row)
			rc = add_cover(c, st, err);
	}
	sqlite3_finalize(st);
	*out = c;
	return rc;
}

static bool term_holds(const struct gpudx_coverage *c, struct gpudx_sv term, int64_t host,
		       int64_t gpu)
{
	const uint32_t *first = gpudx_map_get(&c->first, term);
	bool log = sv_starts(term, "log.");
	bool of_host = gpudx_term(c->vocabulary, term) == GPUDX_TERM_HOST;

	for (uint32_t i = first ? *first : 0; i; i = c->cover[i - 1].next) {
		const struct cover *v = &c->cover[i - 1];

		if (v->host != host || (log && !v->whole))
			continue;
		if (v->gpu == gpu || of_host || (log && !v->gpu))
			return true;
	}
	return false;
}

bool gpudx_need_holds(const struct gpudx_coverage *c, const struct gpudx_need *need, int64_t host,
		      int64_t gpu)
{
	for (unsigned i = 0; i < need->nalt; i++)
		if (term_holds(c, need->alt[i], host, gpu))
			return true;
	return false;
}

/* ---- outcomes ---- */

struct outcomes {
	const struct gpudx_scene *scene;
	const struct gpudx_coverage *coverage;
	const struct gpudx_findings *findings;
	sqlite3_stmt *insert;
	struct gpudx_err *err;
	size_t from, to; /* findings of the rule at hand */
};

static enum gpudx_status write_run(struct outcomes *o, const struct gpudx_rule *r, int64_t host,
				   int64_t gpu, const char *outcome, const char *missing)
{
	gpudx_bind_text(o->insert, 1, sv_str(r->id));
	sqlite3_bind_int64(o->insert, 2, host);
	gpudx_bind_unless(o->insert, 3, gpu, 0);
	gpudx_bind_text(o->insert, 4, sv_str(outcome));
	gpudx_bind_text(o->insert, 5, sv_str(missing));
	return gpudx_db_run(o->insert, o->err);
}

/* Nothing was found: clean, if all that is needed was there. */
static enum gpudx_status write_quiet(struct outcomes *o, const struct gpudx_rule *r, int64_t host,
				     int64_t gpu)
{
	struct gpudx_buf missing = { .max = GPUDX_RULE_BYTES };
	enum gpudx_status rc;

	for (unsigned i = 0; i < r->nneeds; i++) {
		if (gpudx_need_holds(o->coverage, &r->needs[i], host, gpu))
			continue;
		gpudx_buf_str(&missing, missing.n ? " " : "");
		gpudx_buf_sv(&missing, r->needs[i].text);
	}
	rc = write_run(o, r, host, gpu, missing.n ? "not_checkable" : "clean",
		       missing.n ? missing.p : NULL);
	gpudx_buf_free(&missing);
	return rc;
}

/* Findings of the rule on this host and GPU; gpu 0: those that name no GPU. */
static bool fired_on(const struct outcomes *o, int64_t host, int64_t gpu)
{
	for (size_t i = o->from; i < o->to; i++) {
		const struct gpudx_finding *f = &o->findings->list[i];

		if (f->host != host)
			continue;
		if (!gpu && !f->ngpus)
			return true;
		for (size_t k = 0; k < f->ngpus; k++)
			if (f->gpus[k] == gpu)
				return true;
	}
	return false;
}

static bool fired_on_host(const struct outcomes *o, int64_t host)
{
	for (size_t i = o->from; i < o->to; i++)
		if (o->findings->list[i].host == host)
			return true;
	return false;
}

/* A finding that names no GPU may be of any: then no GPU of the host is called clean. */
static enum gpudx_status write_gpus(struct outcomes *o, const struct gpudx_rule *r,
				    const struct gpudx_scene_host *h)
{
	bool unnamed = fired_on(o, h->id, 0);
	enum gpudx_status rc = GPUDX_OK;

	if (unnamed)
		rc = write_run(o, r, h->id, 0, "fired", NULL);
	for (size_t i = 0; i < h->ngpus && !rc; i++) {
		int64_t gpu = o->scene->gpus[h->first_gpu + i].id;

		if (fired_on(o, h->id, gpu))
			rc = write_run(o, r, h->id, gpu, "fired", NULL);
		else if (!unnamed)
			rc = write_quiet(o, r, h->id, gpu);
	}
	return rc;
}

static enum gpudx_status write_host(struct outcomes *o, const struct gpudx_rule *r,
				    const struct gpudx_scene_host *h)
{
	if (r->per_gpu && h->ngpus)
		return write_gpus(o, r, h);
	if (fired_on_host(o, h->id))
		return write_run(o, r, h->id, 0, "fired", NULL);
	return write_quiet(o, r, h->id, 0);
}

static void find_findings(struct outcomes *o, const struct gpudx_rule *r)
{
	const struct gpudx_findings *f = o->findings;

	for (o->from = 0; o->from < f->n && f->list[o->from].rule != r;)
		o->from++;
	for (o->to = o->from; o->to < f->n && f->list[o->to].rule == r;)
		o->to++;
}

enum gpudx_status gpudx_outcomes(sqlite3 *db, const struct gpudx_scene *scene,
				 const struct gpudx_ruleset *rules,
				 const struct gpudx_findings *findings,
				 const struct gpudx_coverage *c, struct gpudx_err *err)
{
	struct outcomes o = { .scene = scene, .coverage = c, .findings = findings, .err = err };
	enum gpudx_status rc;

	rc = gpudx_db_prepare(db,
			      "INSERT INTO rule_run(rule, host_id, gpu_id, outcome, missing)"
			      " VALUES(?,?,?,?,?)",
			      &o.insert, err);
	for (size_t i = 0; i < rules->n && !rc; i++) {
		const struct gpudx_rule *r = rules->rule[i];

		if (r->broken || r->background || !gpudx_scene_wants(scene, r->scope))
			continue;
		find_findings(&o, r);
		for (size_t h = 0; h < scene->nhosts && !rc; h++)
			rc = write_host(&o, r, &scene->hosts[h]);
	}
	sqlite3_finalize(o.insert);
	return rc;
}

enum gpudx_status gpudx_settled(sqlite3 *db, int64_t bundle, struct gpudx_err *err)
{
	static const char sql[] =
		"UPDATE finding SET settle = NULL WHERE bundle_id = ? AND settle IS NOT NULL"
		" AND EXISTS (SELECT 1 FROM coverage c WHERE c.host_id = finding.host_id"
		"  AND c.what = finding.settle AND c.whole = 1)"
		" AND NOT EXISTS (SELECT 1 FROM finding_gpu g WHERE g.finding_id = finding.id"
		"  AND NOT EXISTS (SELECT 1 FROM coverage c WHERE c.host_id = finding.host_id"
		"   AND c.what = finding.settle AND c.whole = 1 AND coalesce(c.gpu_id, g.gpu_id) = "
		"g.gpu_id))";

	return gpudx_query_run(db, sql, bundle, err);
}
