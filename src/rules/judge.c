#include "rules/judge.h"

#include "rules/fill.h"
#include "rules/meant.h"
#include "rules/moment.h"
#include "rules/reads.h"
#include "rules/sentence.h"
#include "rules/unite.h"
#include "rules/verdict.h"
#include "store/query.h"

/* Rows of one rule live in an arena of their own, which the next one reuses. */
enum { CASE_BYTES = 256 << 20, ROWS_BYTES = 64 << 20 };

struct judge {
	sqlite3 *db;
	struct gpudx_ruleset *rules;
	const struct gpudx_judge_in *in;
	struct gpudx_judge_out *out;
	struct gpudx_err *err;
	struct gpudx_arena arena, rows_arena, scratch;
	struct gpudx_scene scene;
	struct gpudx_vocabulary vocabulary;
	struct gpudx_uniter *uniter;
	struct gpudx_findings findings;
	struct gpudx_fence fence;
};

/* ---- before ---- */

static enum gpudx_status check_in(struct judge *j)
{
	char choices[GPUDX_CHOICES_TEXT];

	if (!sqlite3_get_autocommit(j->db))
		return gpudx_fail(j->err, GPUDX_E_BUG, "judging inside a transaction");
	if (j->in->symptom && !gpudx_word(GPUDX_W_SYMPTOM, sv_str(j->in->symptom)))
		return gpudx_fail(j->err, GPUDX_E_USAGE, "no complaint is called \"%s\"; one of %s",
				  j->in->symptom, gpudx_word_choices(GPUDX_W_SYMPTOM, choices));
	return GPUDX_OK;
}

/* What an earlier judgement of this bundle left; ?1 is the bundle. */
static const char *const clear_steps[] = {
	"DELETE FROM finding_edge WHERE effect_id IN (SELECT id FROM finding WHERE bundle_id = ?1)",
	"DELETE FROM finding_gpu WHERE finding_id IN (SELECT id FROM finding WHERE bundle_id = ?1)",
	"DELETE FROM finding_line WHERE finding_id IN (SELECT id FROM finding WHERE bundle_id = "
	"?1)",
	"DELETE FROM finding_attr WHERE finding_id IN (SELECT id FROM finding WHERE bundle_id = "
	"?1)",
	"DELETE FROM finding WHERE bundle_id = ?1",
	"DELETE FROM root WHERE bundle_id = ?1",
	"DELETE FROM verdict WHERE bundle_id = ?1",
	"DELETE FROM rule_run WHERE host_id IS NULL"
	" OR host_id IN (SELECT id FROM host WHERE bundle_id = ?1)",
	"DELETE FROM answer WHERE bundle_id = ?1",
	"DELETE FROM answer_line WHERE bundle_id = ?1",
	"DELETE FROM rule",
};

/* What people ask first, answered from what the rules said: the views say how. Of what was found
 * the lines that show it, else those that show how things stand. */
static const char *const answer_steps[] = {
	"INSERT INTO answer SELECT bundle_id, list, n, place, question, answer, status, missing"
	" FROM checklist WHERE bundle_id = ?1",
	/* By path, not by the order of files in a container: the same bundle gets the same lines. */
	"INSERT INTO answer_line SELECT bundle_id, list, n, line_id FROM ("
	"  SELECT l.*, row_number() OVER (PARTITION BY list, n"
	"   ORDER BY place, s.path, l.line_id & 4294967295, l.line_id) AS nth FROM ("
	"   SELECT bundle_id, list, n, line_id, min(place) AS place,"
	"    min(min(place)) OVER (PARTITION BY list, n) AS first FROM checklist_line"
	"   WHERE bundle_id = ?1 GROUP BY list, n, line_id) l"
	"  JOIN source s ON s.id = l.line_id >> 32"
	"  WHERE place <= 2 OR first > 2) WHERE nth <= 8 ORDER BY list, n, nth",
};

static enum gpudx_status clear(struct judge *j)
{
	enum gpudx_status rc = gpudx_db_exec(j->db, "PRAGMA temp_store=MEMORY; BEGIN", j->err);

	return rc ? rc
		  : gpudx_query_all(j->db, clear_steps,
				    sizeof(clear_steps) / sizeof(clear_steps[0]), j->in->bundle,
				    j->err);
}

/* "params" as they were in force: with what --set changed. */
static void params_text(const struct gpudx_rule *r, struct gpudx_buf *b)
{
	for (unsigned i = 0; i < r->nparams; i++) {
		const struct gpudx_param *p = &r->params[i];

		gpudx_buf_str(b, i ? " " : "");
		gpudx_buf_sv(b, p->name);
		gpudx_buf_char(b, '=');
		if (p->set.type == GPUDX_V_NULL)
			gpudx_buf_sv(b, p->text);
		else
			gpudx_fill_number(b, &p->set);
	}
}

static enum gpudx_status write_rule(struct judge *j, sqlite3_stmt *st, const struct gpudx_rule *r)
{
	struct gpudx_buf params = { .max = GPUDX_RULE_BYTES };

	for (int k = 0; k < GPUDX_RULE_KEYS; k++)
		gpudx_bind_text(st, k + 1, sv_str(r->value[k]));
	params_text(r, &params);
	gpudx_bind_text(st, GPUDX_K_ID + 1, sv_str(r->id));
	gpudx_bind_text(st, GPUDX_K_PARAMS + 1, sv_n(params.n ? params.p : NULL, params.n));
	gpudx_bind_text(st, GPUDX_RULE_KEYS + 1, sv_str(r->path));
	gpudx_bind_text(st, GPUDX_RULE_KEYS + 2, sv_str(r->digest));
	gpudx_buf_free(&params);
	return gpudx_db_run(st, j->err);
}

/* Columns in the order of enum gpudx_rule_key. A rule without its header has nothing to write. */
static enum gpudx_status write_rules(struct judge *j)
{
	enum gpudx_status rc;
	sqlite3_stmt *st;

	rc = gpudx_db_prepare(
		j->db,
		"INSERT INTO rule(id, title, scope, severity, symptom, kind, points, shows,"
		" settle, needs, reads, params, explains, summary, meaning, action, remedy,"
		" falsepositives, refs, path, digest)"
		" VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
		&st, j->err);
	for (size_t i = 0; i < j->rules->n && !rc; i++)
		if (!j->rules->rule[i]->broken && !j->rules->rule[i]->background)
			rc = write_rule(j, st, j->rules->rule[i]);
	sqlite3_finalize(st);
	return rc;
}

static enum gpudx_status write_meta_row(struct judge *j, const char *key, const char *value)
{
	enum gpudx_status rc;
	sqlite3_stmt *st;

	rc = gpudx_db_prepare(j->db, "INSERT OR REPLACE INTO meta(key, value) VALUES(?, ?)", &st,
			      j->err);
	if (rc)
		return rc;
	gpudx_bind_text(st, 1, sv_str(key));
	gpudx_bind_text(st, 2, sv_str(value));
	rc = gpudx_db_run(st, j->err);
	sqlite3_finalize(st);
	return rc;
}

static enum gpudx_status write_meta(struct judge *j)
{
	char digest[GPUDX_SHA256_HEX], at[GPUDX_TIME_TEXT];
	bool has_at = j->in->at_us != GPUDX_NO_TIME;
	enum gpudx_status rc;

	gpudx_ruleset_digest(j->rules, digest);
	rc = write_meta_row(j, "rules_digest", digest);
	if (!rc)
		rc = write_meta_row(j, "complaint", j->in->symptom);
	if (!rc)
		rc = write_meta_row(j, "at",
				    has_at ? gpudx_time_text(j->in->at_us, false, at) : NULL);
	return rc;
}

/* ---- the rules ---- */

/* Behind the fence: from SQL to rows. */
static bool run_rule(struct judge *j, struct gpudx_rule *r, struct gpudx_rows *rows)
{
	const struct gpudx_fence_limits *limits =
		j->in->limits ? j->in->limits : &gpudx_fence_default;
	struct gpudx_statement st;
	bool ok;

	gpudx_fence_up(&j->fence, j->db, limits);
	ok = gpudx_statement_open(&st, &j->fence, r, j->in->before, j->in->bundle,
				  &j->rules->problems);
	if (ok) {
		ok = gpudx_rows_read(&st, &j->fence, r, &j->scene, &j->rows_arena, rows,
				     &j->rules->problems);
		gpudx_statement_close(&st);
	}
	gpudx_fence_down(&j->fence);
	return ok;
}

/* Nearly every rule asks the view contract, whose window functions take longer to prepare and to
 * run than most rules: for the time of judging a table of the same rows stands before it. */
static enum gpudx_status run_rules(struct judge *j)
{
	enum gpudx_status rc =
		gpudx_db_exec(j->db,
			      "DROP TABLE IF EXISTS temp.contract;"
			      "CREATE TEMP TABLE contract AS SELECT * FROM main.contract",
			      j->err);
	struct gpudx_present *present;

	if (!rc)
		rc = gpudx_present_load(j->db, &j->arena, &present, j->err);
	for (size_t i = 0; i < j->rules->n && !rc; i++) {
		struct gpudx_rule *r = j->rules->rule[i];
		struct gpudx_rows rows;

		if (r->broken || r->background || !gpudx_scene_wants(&j->scene, r->scope))
			continue;
		if (!gpudx_reads_some(present, r)) {
			j->out->rules++;
			continue;
		}
		gpudx_arena_reset(&j->rows_arena);
		gpudx_arena_reset(&j->scratch);
		if (run_rule(j, r, &rows))
			rc = gpudx_unite_write(j->uniter, r, &rows, &j->scratch, j->err);
		j->out->rules += !r->broken;
	}
	if (!rc)
		rc = gpudx_db_exec(j->db, "DROP TABLE temp.contract", j->err);
	if (!rc && j->rules->problems.no_memory)
		rc = gpudx_nomem(j->err);
	return rc;
}

/* One row for each broken rule, with its first problem. */
static enum gpudx_status write_problems(struct judge *j)
{
	enum gpudx_status rc;
	sqlite3_stmt *st;

	rc = gpudx_db_prepare(j->db,
			      "INSERT INTO rule_run(rule, outcome, message) SELECT ?1, 'error', ?2"
			      " WHERE NOT EXISTS (SELECT 1 FROM rule_run WHERE rule = ?1"
			      " AND outcome = 'error')",
			      &st, j->err);
	for (const struct gpudx_problem *p = j->rules->problems.first; p && !rc; p = p->next) {
		struct gpudx_buf b = { .max = 4096 };

		gpudx_buf_printf(&b, "%s:%u: %s", p->path, p->line, p->text);
		gpudx_bind_text(st, 1, sv_str(p->rule));
		gpudx_bind_text(st, 2, sv_n(gpudx_buf_cstr(&b), b.n));
		rc = gpudx_db_run(st, j->err);
		j->out->broken += !rc && sqlite3_changes(j->db) > 0;
		gpudx_buf_free(&b);
	}
	sqlite3_finalize(st);
	return rc;
}

/* ---- after ---- */

static enum gpudx_status answer(struct judge *j)
{
	if (!gpudx_db_has(j->db, "kb_checklist", NULL))
		return GPUDX_OK;
	return gpudx_query_all(j->db, answer_steps, sizeof(answer_steps) / sizeof(answer_steps[0]),
			       j->in->bundle, j->err);
}

static enum gpudx_status conclude(struct judge *j)
{
	struct gpudx_question q = { j->in->symptom, j->in->at_us };
	struct gpudx_coverage *coverage;
	struct gpudx_graph graph;
	enum gpudx_status rc;

	rc = gpudx_coverage_load(j->db, &j->scene, &j->vocabulary, j->in->since_us, j->in->until_us,
				 &j->arena, &coverage, j->err);
	if (!rc)
		rc = gpudx_outcomes(j->db, &j->scene, j->rules, &j->findings, coverage, j->err);
	if (!rc)
		rc = gpudx_graph_make(j->db, &j->scene, &j->findings, &q, &j->arena, &graph,
				      j->err);
	if (!rc) {
		struct gpudx_verdict_in in = { &j->scene, &graph,	 coverage,
					       &q,	  j->out->rules, j->out->broken };

		rc = gpudx_verdict(j->db, &in, &j->out->verdict, j->err);
	}
	return rc;
}

static enum gpudx_status place_findings(struct judge *j)
{
	enum gpudx_status rc;

	rc = gpudx_meant(j->db, j->in->bundle, j->err);
	if (!rc)
		rc = gpudx_moments(j->db, j->in->bundle, j->in->since_us, j->in->until_us, j->err);
	if (!rc)
		rc = gpudx_settled(j->db, j->in->bundle, j->err);
	if (!rc)
		rc = gpudx_findings_load(j->db, &j->scene, j->rules, &j->arena, &j->findings,
					 j->err);
	if (!rc)
		rc = gpudx_sentences(j->db, &j->scene, &j->findings, j->err);
	j->out->findings = j->findings.n;
	return rc;
}

static enum gpudx_status begin(struct judge *j)
{
	enum gpudx_status rc = check_in(j);

	if (!rc)
		rc = gpudx_scene_load(j->db, j->in->bundle, j->in->before, &j->arena, &j->scene,
				      j->err);
	if (!rc)
		rc = gpudx_vocabulary_load(j->db, &j->arena, &j->vocabulary, j->err);
	if (!rc) {
		gpudx_vocabulary_check(&j->vocabulary, j->rules);
		gpudx_reads_check(&j->vocabulary, j->rules);
		rc = clear(j);
	}
	if (!rc)
		rc = write_rules(j);
	if (!rc)
		rc = write_meta(j);
	return rc ? rc : gpudx_db_exec(j->db, "COMMIT", j->err);
}

static enum gpudx_status finish(struct judge *j)
{
	enum gpudx_status rc = gpudx_db_exec(j->db, "BEGIN", j->err);

	if (!rc)
		rc = place_findings(j);
	if (!rc)
		rc = write_problems(j);
	if (!rc)
		rc = conclude(j);
	if (!rc)
		rc = answer(j);
	return rc ? rc : gpudx_db_exec(j->db, "COMMIT", j->err);
}

enum gpudx_status gpudx_judge(sqlite3 *db, struct gpudx_ruleset *rules,
			      const struct gpudx_judge_in *in, struct gpudx_judge_out *out,
			      struct gpudx_err *err)
{
	struct judge j = { .db = db,
			   .rules = rules,
			   .in = in,
			   .out = out,
			   .err = err,
			   .arena = { .limit = CASE_BYTES },
			   .rows_arena = { .limit = ROWS_BYTES },
			   .scratch = { .limit = ROWS_BYTES } };
	enum gpudx_status rc;

	*out = (struct gpudx_judge_out){ 0 };
	rc = begin(&j);
	if (!rc)
		rc = gpudx_unite_begin(db, &j.scene, &j.uniter, err);
	if (!rc)
		rc = run_rules(&j);
	gpudx_unite_end(j.uniter);
	if (!rc)
		rc = finish(&j);
	gpudx_arena_free(&j.arena);
	gpudx_arena_free(&j.rows_arena);
	gpudx_arena_free(&j.scratch);
	return rc ? gpudx_while(err, "while judging") : GPUDX_OK;
}

enum gpudx_status gpudx_ruleset_check(struct gpudx_ruleset *rules, sqlite3 *db,
				      struct gpudx_err *err)
{
	struct gpudx_arena arena = { .limit = CASE_BYTES };
	struct gpudx_vocabulary v;
	struct gpudx_statement st;
	struct gpudx_fence fence = { 0 };
	enum gpudx_status rc;

	rc = gpudx_vocabulary_load(db, &arena, &v, err);
	if (!rc) {
		gpudx_vocabulary_check(&v, rules);
		gpudx_reads_check(&v, rules);
		gpudx_fence_up(&fence, db, &gpudx_fence_default);
		for (size_t i = 0; i < rules->n; i++) {
			struct gpudx_rule *r = rules->rule[i];

			if (r->background || !r->sql.n ||
			    !gpudx_statement_open(&st, &fence, r, 0, 0, &rules->problems))
				continue;
			gpudx_statement_close(&st);
			gpudx_statement_check_plan(&fence, r, &rules->problems);
		}
		gpudx_fence_down(&fence);
	}
	gpudx_arena_free(&arena);
	if (!rc && rules->problems.no_memory)
		rc = gpudx_nomem(err);
	return rc;
}
