#include "rules/verdict.h"

#include "base/utf8.h"
#include "store/store.h"

/* "sample.x fact.a|fact.b": terms of kb_enough, in the grammar of "needs". */
static bool all_hold(const struct gpudx_coverage *c, struct gpudx_sv terms, int64_t host,
		     int64_t gpu)
{
	struct gpudx_sv word, alt;

	for (terms = sv_ltrim(terms); sv_token(&terms, &word); terms = sv_ltrim(terms)) {
		bool any = false;

		while (sv_cell(&word, '|', &alt)) {
			struct gpudx_need one = { .alt = &alt, .nalt = 1 };

			any = any || gpudx_need_holds(c, &one, host, gpu);
		}
		if (!any)
			return false;
	}
	return true;
}

/* kb_enough for this symptom, else for any complaint: needs, seen. */
static enum gpudx_status open_sets(sqlite3 *db, const char *symptom, sqlite3_stmt **out,
				   struct gpudx_err *err)
{
	enum gpudx_status rc;

	rc = gpudx_db_prepare(db,
			      "SELECT needs, seen FROM kb_enough WHERE symptom ="
			      " CASE WHEN ?1 IN (SELECT symptom FROM kb_enough) THEN ?1"
			      " ELSE 'any' END ORDER BY rowid",
			      out, err);
	if (!rc)
		gpudx_bind_text(*out, 1, sv_str(symptom));
	return rc;
}

/* Is one of the sets complete for this GPU? */
static enum gpudx_status seen_enough(const struct gpudx_verdict_in *in, sqlite3_stmt *sets,
				     const struct gpudx_scene_gpu *g, bool *out,
				     struct gpudx_err *err)
{
	enum gpudx_status rc = GPUDX_OK;
	bool row = true;

	*out = false;
	while (!*out && row && !rc) {
		rc = gpudx_db_step(sets, &row, err);
		if (row && !rc)
			*out = all_hold(in->coverage, gpudx_col_text(sets, 0), g->host, g->id);
	}
	sqlite3_reset(sets);
	return rc;
}

/* What is missing, as the sets say it: "a kernel log of the boot, or a trace". */
static enum gpudx_status list_sets(sqlite3_stmt *sets, struct gpudx_buf *b, struct gpudx_err *err)
{
	enum gpudx_status rc = GPUDX_OK;
	bool row = true;

	for (int i = 0; row && !rc; i++) {
		rc = gpudx_db_step(sets, &row, err);
		if (!row || rc)
			break;
		gpudx_buf_str(b, i ? ", or " : "");
		gpudx_buf_sv(b, gpudx_col_text(sets, 1));
	}
	sqlite3_reset(sets);
	return rc;
}

/* Adds what the first row of sql says, for the bundle as ?1. */
static enum gpudx_status add_first(sqlite3 *db, const char *sql, int64_t bundle,
				   struct gpudx_buf *b, struct gpudx_err *err)
{
	sqlite3_stmt *st;
	enum gpudx_status rc = gpudx_db_prepare(db, sql, &st, err);
	bool row = false;

	if (rc)
		return rc;
	sqlite3_bind_int64(st, 1, bundle);
	rc = gpudx_db_step(st, &row, err);
	if (!rc && row)
		gpudx_utf8_show(b, gpudx_col_text(st, 0));
	sqlite3_finalize(st);
	return rc;
}

/* What was cut off may have held the fault, and an error that no rule knows is still an error. */
static enum gpudx_status find_holes(sqlite3 *db, int64_t bundle, struct gpudx_buf *b,
				    struct gpudx_err *err)
{
	static const char *const holes[] = {
		"SELECT 'nothing was found in what could be read, but ' || path"
		" || ' is damaged: ' || damage FROM source"
		" WHERE bundle_id = ?1 AND damage IS NOT NULL ORDER BY id "
		"LIMIT 1",
		"SELECT 'nothing was found, but no rule judges the error at ' || s.path || ':'"
		" || (e.line_id & 4294967295) || ': ' || e.text FROM event e"
		" JOIN kb_event_kinds k ON k.kind = e.kind JOIN source s ON s.id = e.line_id >> 32"
		" LEFT JOIN boot t ON t.id = e.boot_id"
		" WHERE s.bundle_id = ?1 AND k.severity_hint IN ('critical', 'error')"
		" AND e.copy_of IS NULL AND coalesce(t.seq, 0) = 0"
		" AND NOT EXISTS (SELECT 1 FROM event_line el"
		"  JOIN finding_line f ON f.line_id = el.line_id WHERE el.event_id = e.id)"
		" ORDER BY e.line_id LIMIT 1",
	};
	enum gpudx_status rc = GPUDX_OK;

	for (size_t i = 0; i < sizeof(holes) / sizeof(holes[0]) && !rc && !b->n; i++)
		rc = add_first(db, holes[i], bundle, b, err);
	return rc;
}

/* Why nothing can be called healthy; an empty reason when it can. */
static enum gpudx_status find_doubt(sqlite3 *db, const struct gpudx_verdict_in *in,
				    sqlite3_stmt *sets, struct gpudx_buf *b, struct gpudx_err *err)
{
	const struct gpudx_scene *s = in->scene;
	enum gpudx_status rc = GPUDX_OK;
	bool enough = true;
	size_t i;

	if (in->broken) {
		gpudx_buf_printf(b, "%zu of the rules could not run", in->broken);
	} else if (!in->judged) {
		gpudx_buf_str(b, "there are no rules to judge by");
	} else {
		rc = find_holes(db, s->bundle, b, err);
	}
	if (rc || b->n)
		return rc;
	if (!s->ngpus) {
		gpudx_buf_str(b, "nothing in the bundle names a GPU");
		return GPUDX_OK;
	}
	for (i = 0; i < s->ngpus && enough && !rc; i++)
		rc = seen_enough(in, sets, &s->gpus[i], &enough, err);
	if (rc || enough)
		return rc;
	gpudx_buf_printf(b, "nothing was found, but too little could be seen of %s; that takes ",
			 s->gpus[i - 1].label);
	return list_sets(sets, b, err);
}

static void say_why_first(const struct gpudx_verdict_in *in, struct gpudx_buf *b)
{
	const struct gpudx_graph *g = in->graph;
	const char *symptom = in->question->symptom;
	const char *why = "";

	if (symptom && !g->root[0].fits)
		gpudx_buf_printf(b, "nothing found fits the complaint (%s); ", symptom);
	if (g->nroots == 1) {
		gpudx_buf_str(b, "the only finding that nothing else explains");
		return;
	}
	gpudx_root_compare(&g->root[0], &g->root[1], &why);
	gpudx_buf_printf(b, "first of %zu: %s", g->nroots, why);
}

static enum gpudx_status write_verdict(sqlite3 *db, const struct gpudx_verdict_in *in,
				       const char *kind, const char *reason, struct gpudx_err *err)
{
	const struct gpudx_finding *f = in->graph->nroots ? in->graph->root[0].finding : NULL;
	bool healthy = sv_is(sv_str(kind), "healthy");
	enum gpudx_status rc;
	sqlite3_stmt *st;

	rc = gpudx_db_prepare(db,
			      "INSERT INTO verdict(bundle_id, kind, finding_id, reason, action)"
			      " VALUES(?1, ?2, ?3, ?4, coalesce((SELECT action FROM finding"
			      " WHERE id = ?3), ?5))",
			      &st, err);
	if (rc)
		return rc;
	sqlite3_bind_int64(st, 1, in->scene->bundle);
	gpudx_bind_text(st, 2, sv_str(kind));
	gpudx_bind_unless(st, 3, f ? f->id : 0, 0);
	gpudx_bind_text(st, 4, sv_str(reason));
	gpudx_bind_text(st, 5, sv_str(healthy ? "none" : "collect"));
	rc = gpudx_db_run(st, err);
	sqlite3_finalize(st);
	return rc;
}

/* No root: healthy, or the reason why not. */
static enum gpudx_status judge_quiet(sqlite3 *db, const struct gpudx_verdict_in *in,
				     struct gpudx_buf *b, const char **kind, struct gpudx_err *err)
{
	enum gpudx_status rc;
	sqlite3_stmt *sets;

	rc = open_sets(db, in->question->symptom, &sets, err);
	if (rc)
		return rc;
	rc = find_doubt(db, in, sets, b, err);
	sqlite3_finalize(sets);
	if (rc)
		return rc;
	*kind = b->n ? "cannot_tell" : "healthy";
	if (!b->n)
		gpudx_buf_str(b, "no warning and no error was found, and enough could be seen of "
				 "every GPU");
	return write_verdict(db, in, *kind, gpudx_buf_cstr(b), err);
}

enum gpudx_status gpudx_verdict(sqlite3 *db, const struct gpudx_verdict_in *in, const char **kind,
				struct gpudx_err *err)
{
	struct gpudx_buf b = { .max = 4096 };
	enum gpudx_status rc;

	if (in->graph->nroots) {
		say_why_first(in, &b);
		*kind = in->graph->root[0].finding->kind;
		rc = write_verdict(db, in, *kind, gpudx_buf_cstr(&b), err);
	} else {
		rc = judge_quiet(db, in, &b, kind, err);
	}
	gpudx_buf_free(&b);
	return rc;
}
