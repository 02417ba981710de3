#include "rules/unite.h"

#include "base/stamp.h"
#include "rules/fill.h"
#include "store/store.h"

#include <stdlib.h>

enum { LINES_KEPT = 50, NUMBER_MAX = 400 };

enum insert { FINDING, GPU, LINE, ATTR, INSERTS };

static const char *const sql[INSERTS] = {
	[FINDING] = "INSERT INTO finding(id, rule, bundle_id, host_id, grp, severity, confidence,"
		    " kind, symptom, points, shows, state, action, t0_us, t1_us, t_quality, at_end,"
		    " settle, more_lines, summary)"
		    " VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,-1,?,?,'')",
	[GPU] = "INSERT INTO finding_gpu(finding_id, gpu_id, instance_id) VALUES(?,?,?)",
	[LINE] = "INSERT INTO finding_line(finding_id, line_id, role) VALUES(?,?,?)",
	[ATTR] = "INSERT OR IGNORE INTO finding_attr(finding_id, name, value, num) VALUES(?,?,?,?)",
};

struct gpudx_uniter {
	sqlite3 *db;
	const struct gpudx_scene *scene;
	sqlite3_stmt *st[INSERTS];
	int64_t next_id;
};

/* A finding in the making: rows first .. first + n - 1 of the rule. */
struct group {
	const struct gpudx_rule *rule;
	const struct gpudx_rows *rows;
	const struct gpudx_row_seen *first;
	size_t n;
	int64_t t0_us, t1_us;
	const char *severity, *quality;
	int64_t *gpus, *instances; /* instances[i]: of gpus[i], 0 none */
	size_t ngpus;
	struct gpudx_lines_cited shows, against;
	size_t more; /* lines beyond those kept */
};

/* ---- uniting the rows ---- */

static void unite_times(struct group *g)
{
	g->t0_us = g->t1_us = GPUDX_NO_TIME;
	for (size_t i = 0; i < g->n; i++) {
		const struct gpudx_row_seen *r = &g->first[i];

		if (r->t0_us == GPUDX_NO_TIME)
			continue;
		if (g->t0_us == GPUDX_NO_TIME || r->t0_us < g->t0_us)
			g->t0_us = r->t0_us;
		if (g->t1_us == GPUDX_NO_TIME || r->t1_us > g->t1_us)
			g->t1_us = r->t1_us;
	}
}

/* Rows without a time know nothing of the clock. */
static void unite_quality(struct group *g)
{
	for (size_t i = 0; i < g->n && !g->quality; i++)
		if (g->first[i].t0_us != GPUDX_NO_TIME)
			g->quality = g->first[i].quality;
}

static const char *row_severity(const struct group *g, const struct gpudx_row_seen *r)
{
	return r->severity ? r->severity : g->rule->severity;
}

static void unite_severity(struct group *g)
{
	g->severity = row_severity(g, g->first);
	for (size_t i = 1; i < g->n; i++) {
		const char *s = row_severity(g, &g->first[i]);

		if (gpudx_word_rank(GPUDX_W_SEVERITY, sv_str(s)) <
		    gpudx_word_rank(GPUDX_W_SEVERITY, sv_str(g->severity)))
			g->severity = s;
	}
}

static bool unite_gpus(struct group *g, struct gpudx_arena *a)
{
	g->gpus = gpudx_arena_array(a, g->n, sizeof(*g->gpus));
	g->instances = gpudx_arena_array(a, g->n, sizeof(*g->instances));
	if (!g->gpus || !g->instances)
		return false;
	for (size_t i = 0; i < g->n; i++) {
		const struct gpudx_row_seen *r = &g->first[i];
		size_t k = 0;

		while (k < g->ngpus && (g->gpus[k] != r->gpu || g->instances[k] != r->instance))
			k++;
		if (r->gpu && k == g->ngpus) {
			g->gpus[k] = r->gpu;
			g->instances[k] = r->instance;
			g->ngpus++;
		}
	}
	return true;
}

static int compare_ids(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* How many different ids there are; sorts them. */
static size_t count_distinct(int64_t *id, size_t n)
{
	size_t distinct = 0;

	if (n)
		qsort(id, n, sizeof(*id), compare_ids);
	for (size_t i = 0; i < n; i++)
		distinct += i == 0 || id[i] != id[i - 1];
	return distinct;
}

static bool has_id(const struct gpudx_lines_cited *l, int64_t id)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->id[i] == id)
			return true;
	return false;
}

static const struct gpudx_lines_cited *cited(const struct gpudx_row_seen *r, bool against)
{
	return against ? &r->against : &r->evidence;
}

/* The first LINES_KEPT different lines in the order of the rows; the rest is counted. */
static bool unite_lines(struct group *g, struct gpudx_arena *a, bool against,
			struct gpudx_lines_cited *out)
{
	int64_t *all;
	size_t total = 0, n = 0;

	for (size_t i = 0; i < g->n; i++)
		total += cited(&g->first[i], against)->n;
	all = gpudx_arena_array(a, total + 1, sizeof(*all));
	out->id = gpudx_arena_array(a, LINES_KEPT, sizeof(*out->id));
	if (!all || !out->id)
		return false;
	for (size_t i = 0; i < g->n; i++)
		for (size_t k = 0; k < cited(&g->first[i], against)->n; k++) {
			int64_t id = cited(&g->first[i], against)->id[k];

			all[n++] = id;
			if (out->n < LINES_KEPT && !has_id(out, id))
				out->id[out->n++] = id;
		}
	g->more += count_distinct(all, n) - out->n;
	return true;
}

static bool unite(struct group *g, struct gpudx_arena *a)
{
	unite_times(g);
	unite_severity(g);
	unite_quality(g);
	return unite_gpus(g, a) && unite_lines(g, a, false, &g->shows) &&
	       unite_lines(g, a, true, &g->against);
}

/* ---- writing ---- */

static void bind_str(sqlite3_stmt *st, int i, const char *s)
{
	gpudx_bind_text(st, i, sv_str(s));
}

static enum gpudx_status write_finding(struct gpudx_uniter *w, struct group *g,
				       struct gpudx_err *err)
{
	const struct gpudx_rule *r = g->rule;
	const struct gpudx_row_seen *row = g->first;
	sqlite3_stmt *st = w->st[FINDING];

	sqlite3_bind_int64(st, 1, w->next_id);
	bind_str(st, 2, r->id);
	sqlite3_bind_int64(st, 3, w->scene->bundle);
	sqlite3_bind_int64(st, 4, row->host);
	gpudx_bind_text(st, 5, row->grp);
	bind_str(st, 6, g->severity);
	sqlite3_bind_double(st, 7, row->confidence);
	bind_str(st, 8, row->kind ? row->kind : r->kind);
	bind_str(st, 9, r->symptom);
	bind_str(st, 10, row->points ? row->points : r->points);
	bind_str(st, 11, r->shows);
	bind_str(st, 12, row->state ? row->state : "");
	bind_str(st, 13, row->action ? row->action : r->action);
	gpudx_bind_time(st, 14, g->t0_us);
	gpudx_bind_time(st, 15, g->t1_us);
	bind_str(st, 16, g->quality);
	bind_str(st, 17, r->value[GPUDX_K_SETTLE]);
	sqlite3_bind_int64(st, 18, (int64_t)g->more);
	return gpudx_db_run(st, err);
}

static enum gpudx_status write_gpus(struct gpudx_uniter *w, const struct group *g,
				    struct gpudx_err *err)
{
	enum gpudx_status rc = GPUDX_OK;

	for (size_t i = 0; i < g->ngpus && !rc; i++) {
		sqlite3_bind_int64(w->st[GPU], 1, w->next_id);
		sqlite3_bind_int64(w->st[GPU], 2, g->gpus[i]);
		gpudx_bind_unless(w->st[GPU], 3, g->instances[i], 0);
		rc = gpudx_db_run(w->st[GPU], err);
	}
	return rc;
}

static enum gpudx_status write_lines(struct gpudx_uniter *w, const struct gpudx_lines_cited *l,
				     const char *role, struct gpudx_err *err)
{
	enum gpudx_status rc = GPUDX_OK;

	for (size_t i = 0; i < l->n && !rc; i++) {
		sqlite3_bind_int64(w->st[LINE], 1, w->next_id);
		sqlite3_bind_int64(w->st[LINE], 2, l->id[i]);
		bind_str(w->st[LINE], 3, role);
		rc = gpudx_db_run(w->st[LINE], err);
	}
	return rc;
}

static void bind_value(sqlite3_stmt *st, const struct gpudx_val *v)
{
	struct gpudx_buf b = { .max = NUMBER_MAX };

	sqlite3_bind_null(st, 3);
	sqlite3_bind_null(st, 4);
	if (v->type == GPUDX_V_TEXT) {
		gpudx_bind_text(st, 3, v->s);
	} else if (v->type != GPUDX_V_NULL) {
		gpudx_fill_number(&b, v);
		gpudx_bind_text(st, 3, sv_n(gpudx_buf_cstr(&b), b.n));
		sqlite3_bind_double(st, 4, v->type == GPUDX_V_INT ? (double)v->i : v->d);
	}
	gpudx_buf_free(&b);
}

static enum gpudx_status write_attrs(struct gpudx_uniter *w, const struct group *g,
				     struct gpudx_err *err)
{
	enum gpudx_status rc = GPUDX_OK;

	for (int i = 0; i < g->rows->columns && !rc; i++) {
		if (gpudx_statement_reserved(g->rows->name[i]))
			continue;
		sqlite3_bind_int64(w->st[ATTR], 1, w->next_id);
		bind_str(w->st[ATTR], 2, g->rows->name[i]);
		bind_value(w->st[ATTR], &g->first->cell[i]);
		rc = gpudx_db_run(w->st[ATTR], err);
	}
	return rc;
}

static enum gpudx_status write_group(struct gpudx_uniter *w, struct group *g, struct gpudx_arena *a,
				     struct gpudx_err *err)
{
	enum gpudx_status rc;

	if (!unite(g, a))
		return gpudx_nomem(err);
	rc = write_finding(w, g, err);
	if (!rc)
		rc = write_gpus(w, g, err);
	if (!rc)
		rc = write_lines(w, &g->shows, "shows", err);
	if (!rc)
		rc = write_lines(w, &g->against, "against", err);
	if (!rc)
		rc = write_attrs(w, g, err);
	w->next_id++;
	return rc;
}

enum gpudx_status gpudx_unite_write(struct gpudx_uniter *w, const struct gpudx_rule *rule,
				    const struct gpudx_rows *rows, struct gpudx_arena *scratch,
				    struct gpudx_err *err)
{
	enum gpudx_status rc;

	if (!rows->n)
		return GPUDX_OK;
	rc = gpudx_db_exec(w->db, "BEGIN", err);
	for (size_t i = 0, n; i < rows->n && !rc; i += n) {
		struct group g = { .rule = rule, .rows = rows, .first = &rows->row[i] };

		g.n = n = gpudx_rows_group(rows, i);
		rc = write_group(w, &g, scratch, err);
	}
	return rc ? rc : gpudx_db_exec(w->db, "COMMIT", err);
}

enum gpudx_status gpudx_unite_begin(sqlite3 *db, const struct gpudx_scene *scene,
				    struct gpudx_uniter **out, struct gpudx_err *err)
{
	struct gpudx_uniter *w = calloc(1, sizeof(*w));
	enum gpudx_status rc;

	if (!w)
		return gpudx_nomem(err);
	w->db = db;
	w->scene = scene;
	rc = gpudx_db_int(db, "SELECT max(id) + 1 FROM finding", 1, &w->next_id, err);
	for (int i = 0; i < INSERTS && !rc; i++)
		rc = gpudx_db_prepare(db, sql[i], &w->st[i], err);
	if (rc)
		gpudx_unite_end(w);
	else
		*out = w;
	return rc;
}

void gpudx_unite_end(struct gpudx_uniter *w)
{
	for (int i = 0; w && i < INSERTS; i++)
		sqlite3_finalize(w->st[i]);
	free(w);
}
