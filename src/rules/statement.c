#include "rules/statement.h"

#include "rules/fill.h"

static const char *const names[GPUDX_C_COLUMNS] = {
	[GPUDX_C_HOST_ID] = "host_id",
	[GPUDX_C_GPU_ID] = "gpu_id",
	[GPUDX_C_T0_US] = "t0_us",
	[GPUDX_C_T1_US] = "t1_us",
	[GPUDX_C_CONFIDENCE] = "confidence",
	[GPUDX_C_EVIDENCE] = "evidence",
	[GPUDX_C_AGAINST] = "against",
	[GPUDX_C_SEVERITY] = "severity",
	[GPUDX_C_KIND] = "kind",
	[GPUDX_C_POINTS] = "points",
	[GPUDX_C_STATE] = "state",
	[GPUDX_C_ACTION] = "action",
	[GPUDX_C_GRP] = "grp",
	[GPUDX_C_INSTANCE_ID] = "instance_id",
	[GPUDX_C_T_QUALITY] = "t_quality",
};

bool gpudx_statement_reserved(const char *name)
{
	for (int c = 0; c < GPUDX_C_COLUMNS; c++)
		if (strcmp(names[c], name) == 0)
			return true;
	return false;
}

/* The line of the file in which SQLite found the error it reports. */
static unsigned error_line(const struct gpudx_rule *r, sqlite3 *db)
{
	int offset = -1;
	unsigned line = r->sql_line;

#if SQLITE_VERSION_NUMBER >= 3038000
	offset = sqlite3_error_offset(db);
#else
	(void)db;
#endif
	for (int i = 0; i < offset && (size_t)i < r->sql.n; i++)
		line += r->sql.p[i] == '\n';
	return line;
}

static int column_index(const struct gpudx_statement *s, struct gpudx_sv name)
{
	for (int i = 0; i < s->n; i++)
		if (sv_is(name, sqlite3_column_name(s->st, i)))
			return i;
	return -1;
}

static void check_columns(struct gpudx_statement *s, struct gpudx_rule *r,
			  struct gpudx_problems *ps)
{
	for (int c = 0; c < GPUDX_C_COLUMNS; c++) {
		s->at[c] = column_index(s, sv_str(names[c]));
		if (c < GPUDX_C_REQUIRED && s->at[c] < 0)
			gpudx_problem_add(ps, r, r->query_line,
					  "the query gives no column %s; every rule must",
					  names[c]);
	}
	for (int i = 0; i < s->n; i++)
		if (column_index(s, sv_str(sqlite3_column_name(s->st, i))) < i)
			gpudx_problem_add(ps, r, r->query_line,
					  "the query gives column %s twice; rename one by AS",
					  sqlite3_column_name(s->st, i));
}

/* gpu and host are the engine's; of the reserved columns only the times make sense in a sentence.
 */
static bool can_fill(const struct gpudx_statement *s, struct gpudx_sv name)
{
	int i = column_index(s, name);

	if (sv_is(name, "gpu") || sv_is(name, "host") || sv_is(name, "t0_us") ||
	    sv_is(name, "t1_us"))
		return true;
	return i >= 0 && !gpudx_statement_reserved(sqlite3_column_name(s->st, i));
}

static void check_template(struct gpudx_statement *s, struct gpudx_rule *r, enum gpudx_rule_key key,
			   struct gpudx_problems *ps)
{
	struct gpudx_sv t = sv_str(r->value[key] ? r->value[key] : "");
	struct gpudx_placeholder p;
	bool ok;

	while (gpudx_placeholder_next(&t, &p, &ok))
		if (!can_fill(s, p.name))
			gpudx_problem_add(ps, r, r->key_line[key],
					  "%s: {%.*s} is no column of the query that fills "
					  "sentences; select one AS "
					  "%.*s",
					  gpudx_rule_key_name(key), (int)p.name.n, p.name.p,
					  (int)p.name.n, p.name.p);
	if (!ok)
		gpudx_problem_add(ps, r, r->key_line[key],
				  "%s: write placeholders as {column} or {column|text when NULL}",
				  gpudx_rule_key_name(key));
}

static void bind_params(struct gpudx_statement *s, const struct gpudx_rule *r, int64_t before,
			int64_t after)
{
	int i;

	for (unsigned k = 0; k < r->nparams; k++) {
		char name[64] = ":";

		if (r->params[k].set.type == GPUDX_V_NULL || r->params[k].name.n > sizeof(name) - 2)
			continue;
		memcpy(name + 1, r->params[k].name.p, r->params[k].name.n);
		i = sqlite3_bind_parameter_index(s->st, name);
		if (r->params[k].set.type == GPUDX_V_INT)
			sqlite3_bind_int64(s->st, i, r->params[k].set.i);
		else
			sqlite3_bind_double(s->st, i, r->params[k].set.d);
	}
	if (r->scope != GPUDX_SCOPE_COMPARE)
		return;
	if ((i = sqlite3_bind_parameter_index(s->st, ":before")) > 0)
		sqlite3_bind_int64(s->st, i, before);
	if ((i = sqlite3_bind_parameter_index(s->st, ":after")) > 0)
		sqlite3_bind_int64(s->st, i, after);
}

bool gpudx_statement_open(struct gpudx_statement *s, struct gpudx_fence *f, struct gpudx_rule *r,
			  int64_t before, int64_t after, struct gpudx_problems *ps)
{
	static const enum gpudx_rule_key templates[] = { GPUDX_K_SUMMARY, GPUDX_K_MEANING,
							 GPUDX_K_REMEDY };
	char why[GPUDX_FENCE_TEXT];
	int rc;

	*s = (struct gpudx_statement){ 0 };
	gpudx_fence_start(f);
	rc = sqlite3_prepare_v2(f->db, r->sql.p, (int)r->sql.n, &s->st, NULL);
	if (rc != SQLITE_OK || !s->st) {
		gpudx_problem_add(ps, r, error_line(r, f->db), "%s", gpudx_fence_why(f, rc, why));
		return false;
	}
	s->n = sqlite3_column_count(s->st);
	check_columns(s, r, ps);
	for (size_t i = 0; i < sizeof(templates) / sizeof(templates[0]); i++)
		check_template(s, r, templates[i], ps);
	if (!sqlite3_stmt_readonly(s->st))
		gpudx_problem_add(ps, r, r->query_line, "a rule may only read");
	if (r->broken) {
		gpudx_statement_close(s);
		return false;
	}
	bind_params(s, r, before, after);
	return true;
}

void gpudx_statement_close(struct gpudx_statement *s)
{
	sqlite3_finalize(s->st);
	s->st = NULL;
}

/* ---- the plan ---- */

enum { CURSORS_MAX = 256 };

/* In the program that SQLite made of the query: a cursor on gpu_sample that is rewound runs through
 * the whole table; one that is sought does not. */
static bool walks_samples(sqlite3_stmt *explain, int64_t root)
{
	bool sample[CURSORS_MAX] = { false };

	while (sqlite3_step(explain) == SQLITE_ROW) {
		struct gpudx_sv op = sv_str((const char *)sqlite3_column_text(explain, 1));
		int64_t cursor = sqlite3_column_int64(explain, 2);

		if (cursor < 0 || cursor >= CURSORS_MAX)
			continue;
		if (sv_is(op, "OpenRead"))
			sample[cursor] = sqlite3_column_int64(explain, 3) == root;
		else if (sample[cursor] && (sv_is(op, "Rewind") || sv_is(op, "Last")))
			return true;
	}
	return false;
}

static int64_t sample_root(sqlite3 *db)
{
	sqlite3_stmt *st;
	int64_t root = -1;

	if (sqlite3_prepare_v2(db, "SELECT rootpage FROM sqlite_master WHERE name = 'gpu_sample'",
			       -1, &st, NULL) != SQLITE_OK)
		return -1;
	if (sqlite3_step(st) == SQLITE_ROW)
		root = sqlite3_column_int64(st, 0);
	sqlite3_finalize(st);
	return root;
}

void gpudx_statement_check_plan(struct gpudx_fence *f, struct gpudx_rule *r,
				struct gpudx_problems *ps)
{
	struct gpudx_buf sql = { .max = GPUDX_RULE_BYTES + 16 };
	sqlite3_stmt *st;

	gpudx_fence_start(f);
	gpudx_buf_str(&sql, "EXPLAIN ");
	gpudx_buf_sv(&sql, r->sql);
	if (!sql.failed && sqlite3_prepare_v2(f->db, sql.p, -1, &st, NULL) == SQLITE_OK) {
		if (walks_samples(st, sample_root(f->db)))
			gpudx_problem_add(ps, r, r->query_line,
					  "the query walks through all samples; read an episode, a "
					  "statistic, or "
					  "a range sample.id BETWEEN first_id AND last_id");
		sqlite3_finalize(st);
	}
	gpudx_buf_free(&sql);
}
