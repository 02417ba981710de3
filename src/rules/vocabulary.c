#include "rules/vocabulary.h"

#include "base/glob.h"
#include "rules/sql.h"
#include "store/store.h"

enum { PATTERNS_MAX = 4096 };

/* ---- loading ---- */

struct loader {
	sqlite3 *db;
	struct gpudx_arena *arena;
	struct gpudx_vocabulary *v;
	struct gpudx_err *err;
};

/* A row (term, is it of a GPU). */
static enum gpudx_status add_term(struct loader *l, struct gpudx_sv term, bool gpu)
{
	enum gpudx_term_scope scope = gpu ? GPUDX_TERM_GPU : GPUDX_TERM_HOST;
	struct gpudx_vocabulary *v = l->v;
	uint32_t *value;
	bool is_new;

	if (sv_has(term, "*") && v->npatterns < PATTERNS_MAX) {
		v->pattern[v->npatterns] = gpudx_arena_sv(l->arena, term);
		v->pattern_scope[v->npatterns] = scope;
		return v->pattern[v->npatterns++].p ? GPUDX_OK : gpudx_nomem(l->err);
	}
	value = gpudx_map_at(&v->terms, term, &is_new);
	if (!value)
		return gpudx_nomem(l->err);
	*value = scope;
	return GPUDX_OK;
}

static enum gpudx_status add_collect(struct loader *l, struct gpudx_sv term, bool gpu)
{
	(void)gpu;
	if (l->v->ncollect == PATTERNS_MAX)
		return GPUDX_OK;
	l->v->collect[l->v->ncollect] = gpudx_arena_sv(l->arena, term);
	return l->v->collect[l->v->ncollect++].p ? GPUDX_OK : gpudx_nomem(l->err);
}

typedef enum gpudx_status add_fn(struct loader *l, struct gpudx_sv term, bool gpu);

static enum gpudx_status add_rows(struct loader *l, const char *sql, add_fn *add)
{
	enum gpudx_status rc;
	sqlite3_stmt *st;
	bool row = true;

	rc = gpudx_db_prepare(l->db, sql, &st, l->err);
	if (rc)
		return rc;
	while (!rc && row) {
		rc = gpudx_db_step(st, &row, l->err);
		if (!rc && row && sqlite3_column_type(st, 0) != SQLITE_NULL)
			rc = add(l, gpudx_col_text(st, 0), sqlite3_column_int(st, 1) != 0);
	}
	sqlite3_finalize(st);
	return rc;
}

/* Samples, episodes, views and tables with a GPU in their rows are of a GPU by nature; facts and
 * logs as the knowledge base says. */
static const char sample_terms[] =
	"SELECT 'sample.' || name, 1 FROM pragma_table_info('gpu_sample')"
	" WHERE name NOT IN ('ref_id', 'line', 't_raw_us', 'seq')";
static const char table_terms[] =
	"SELECT 'table.' || m.name, CASE WHEN m.type = 'view' THEN 1 ELSE EXISTS"
	" (SELECT 1 FROM pragma_table_info(m.name) WHERE name IN ('gpu_id', 'ref_id')) END"
	" FROM sqlite_master m WHERE m.type IN ('table', 'view')"
	" AND m.name NOT LIKE 'sqlite%' AND m.name NOT LIKE 'kb%'";
static const char episode_terms[] = "SELECT 'episode.' || kind, 1 FROM kb_episode_kinds";
static const char fact_terms[] = "SELECT 'fact.' || key, scope = 'gpu' FROM kb_fact_keys"
				 " WHERE kind = 'fact'";
static const char metric_terms[] = "SELECT 'metric.' || key, scope = 'gpu' FROM kb_fact_keys"
				   " WHERE kind = 'series'";
static const char log_terms[] = "SELECT 'log.' || kind, scope = 'gpu' FROM kb_event_kinds";

static enum gpudx_status load_kb(struct loader *l)
{
	struct gpudx_vocabulary *v = l->v;
	enum gpudx_status rc = GPUDX_OK;

	v->facts = gpudx_db_has(l->db, "kb_fact_keys", "kind");
	v->logs = gpudx_db_has(l->db, "kb_event_kinds", "scope");
	v->episodes = gpudx_db_has(l->db, "kb_episode_kinds", "kind");
	if (v->facts)
		rc = add_rows(l, fact_terms, add_term);
	if (!rc && v->facts)
		rc = add_rows(l, metric_terms, add_term);
	if (!rc && v->logs)
		rc = add_rows(l, log_terms, add_term);
	if (!rc && v->episodes)
		rc = add_rows(l, episode_terms, add_term);
	if (!rc && gpudx_db_has(l->db, "kb_collect", "what"))
		rc = add_rows(l, "SELECT what, 0 FROM kb_collect", add_collect);
	return rc;
}

enum gpudx_status gpudx_vocabulary_load(sqlite3 *db, struct gpudx_arena *a,
					struct gpudx_vocabulary *out, struct gpudx_err *err)
{
	struct loader l = { db, a, out, err };
	enum gpudx_status rc;

	*out = (struct gpudx_vocabulary){ .terms = { .arena = a } };
	out->pattern = gpudx_arena_array(a, PATTERNS_MAX, sizeof(*out->pattern));
	out->pattern_scope = gpudx_arena_array(a, PATTERNS_MAX, sizeof(*out->pattern_scope));
	out->collect = gpudx_arena_array(a, PATTERNS_MAX, sizeof(*out->collect));
	if (!out->pattern || !out->pattern_scope || !out->collect)
		return gpudx_nomem(l.err);
	rc = add_rows(&l, sample_terms, add_term);
	if (!rc)
		rc = add_rows(&l, table_terms, add_term);
	return rc ? rc : load_kb(&l);
}

/* ---- asking ---- */

enum gpudx_term_scope gpudx_term(const struct gpudx_vocabulary *v, struct gpudx_sv term)
{
	const uint32_t *scope = gpudx_map_get(&v->terms, term);

	if (scope)
		return (enum gpudx_term_scope) * scope;
	for (size_t i = 0; i < v->npatterns; i++)
		if (gpudx_glob(v->pattern[i], term))
			return v->pattern_scope[i];
	if (sv_starts(term, "episode.") && term.n > 8 && !v->episodes)
		return GPUDX_TERM_GPU;
	if ((sv_starts(term, "fact.") && term.n > 5 && !v->facts) ||
	    (sv_starts(term, "metric.") && term.n > 7 && !v->facts) ||
	    (sv_starts(term, "log.") && term.n > 4 && !v->logs))
		return GPUDX_TERM_HOST;
	return GPUDX_TERM_UNKNOWN;
}

static bool can_collect(const struct gpudx_vocabulary *v, struct gpudx_sv term)
{
	for (size_t i = 0; i < v->ncollect; i++)
		if (gpudx_glob(v->collect[i], term))
			return true;
	return false;
}

static const char *where_terms_are(struct gpudx_sv term)
{
	if (sv_starts(term, "sample."))
		return "no such column of gpu_sample";
	if (sv_starts(term, "fact.") || sv_starts(term, "metric."))
		return "no such key in rules/kb/fact_keys.tsv";
	if (sv_starts(term, "log."))
		return "no such kind in rules/kb/event_kinds.tsv";
	if (sv_starts(term, "episode."))
		return "no such kind in rules/kb/episode_kinds.tsv";
	if (sv_starts(term, "table."))
		return "no such table";
	return "a term is sample.COLUMN, metric.KEY, fact.KEY, log.KIND, episode.KIND or "
	       "table.NAME";
}

static void check_need(const struct gpudx_vocabulary *v, struct gpudx_ruleset *rules,
		       struct gpudx_rule *r, struct gpudx_sv term)
{
	enum gpudx_term_scope scope = gpudx_term(v, term);

	if (scope == GPUDX_TERM_UNKNOWN)
		gpudx_problem_add(&rules->problems, r, r->key_line[GPUDX_K_NEEDS],
				  "needs: \"%.*s\": %s", (int)term.n, term.p,
				  where_terms_are(term));
	else if (!can_collect(v, term))
		gpudx_problem_add(
			&rules->problems, r, r->key_line[GPUDX_K_NEEDS],
			"needs: no line of rules/kb/collect.tsv says how to get %.*s; add one",
			(int)term.n, term.p);
	r->per_gpu = r->per_gpu || scope == GPUDX_TERM_GPU;
}

static void check_settle(const struct gpudx_vocabulary *v, struct gpudx_ruleset *rules,
			 struct gpudx_rule *r)
{
	const char *term = r->value[GPUDX_K_SETTLE];

	if (term && !can_collect(v, sv_str(term)))
		gpudx_problem_add(
			&rules->problems, r, r->key_line[GPUDX_K_SETTLE],
			"settle: no line of rules/kb/collect.tsv says how to get %s; add one",
			term);
}

/* ---- kinds of events in the SQL ---- */

static void check_kind(const struct gpudx_vocabulary *v, struct gpudx_ruleset *rules,
		       struct gpudx_rule *r, struct gpudx_sql_token t)
{
	char term[128] = "log.";
	size_t n = strlen(term);

	if (sv_index(t.text, '.') == t.text.n || t.text.n >= sizeof(term) - n)
		return; /* other tables have kinds, too, of one word */
	memcpy(term + n, t.text.p, t.text.n);
	if (gpudx_term(v, sv_n(term, n + t.text.n)) == GPUDX_TERM_UNKNOWN)
		gpudx_problem_add(&rules->problems, r, t.line,
				  "'%.*s': no such kind in rules/kb/event_kinds.tsv", (int)t.text.n,
				  t.text.p);
}

/* Behind "kind": = 'a', IS 'a', IN ('a', 'b'). A misspelt kind would never be found and never be missed. */
static void check_kinds(const struct gpudx_vocabulary *v, struct gpudx_ruleset *rules,
			struct gpudx_rule *r)
{
	struct gpudx_sql sql = { r->sql, r->sql_line };
	struct gpudx_sql_token t = gpudx_sql_next(&sql);
	bool compared = false;

	for (; t.kind != GPUDX_SQL_END; t = gpudx_sql_next(&sql)) {
		if (t.kind == GPUDX_SQL_STRING && compared)
			check_kind(v, rules, r, t);
		else if (gpudx_sql_is(t, "kind"))
			compared = true;
		else if (!gpudx_sql_is(t, "=") && !gpudx_sql_is(t, "is") &&
			 !gpudx_sql_is(t, "in") && !gpudx_sql_is(t, "(") && !gpudx_sql_is(t, ","))
			compared = false;
	}
}

void gpudx_vocabulary_check(const struct gpudx_vocabulary *v, struct gpudx_ruleset *rules)
{
	for (size_t i = 0; i < rules->n; i++) {
		struct gpudx_rule *r = rules->rule[i];

		r->per_gpu = false;
		for (unsigned k = 0; k < r->nneeds; k++)
			for (unsigned j = 0; j < r->needs[k].nalt; j++)
				check_need(v, rules, r, r->needs[k].alt[j]);
		check_settle(v, rules, r);
		if (v->logs)
			check_kinds(v, rules, r);
	}
}
