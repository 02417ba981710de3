#include "ticket/table.h"

#include "base/embed.h"
#include "report/select.h"
#include "report/words.h"
#include "store/store.h"

/* ---- what sections use beside SQL ---- */

/* at(LINE_ID): "dmesg.txt:8812" */
static void sql_at(sqlite3_context *context, int n, sqlite3_value **v)
{
	sqlite3_stmt *st = NULL;
	int64_t id = sqlite3_value_int64(v[0]);
	struct gpudx_err none = { 0 };
	struct gpudx_buf b = { .max = 1 << 16 };
	bool row = false;

	(void)n;
	if (sqlite3_value_type(v[0]) == SQLITE_NULL)
		return;
	if (gpudx_db_prepare(sqlite3_context_db_handle(context),
			     "SELECT path FROM source WHERE id = ?1", &st, &none))
		return;
	sqlite3_bind_int64(st, 1, id >> 32);
	if (!gpudx_db_step(st, &row, &none) && row) {
		gpudx_buf_sv(&b, gpudx_col_text(st, 0));
		gpudx_buf_printf(&b, ":%u", (unsigned)(uint32_t)id);
		sqlite3_result_text(context, gpudx_buf_cstr(&b), (int)b.n, SQLITE_TRANSIENT);
	}
	gpudx_buf_free(&b);
	sqlite3_finalize(st);
}

/* time_text(T_US, QUALITY): "2026-01-13T10:26:33", with Z where that is known; NULL unknown. */
static void sql_time_text(sqlite3_context *context, int n, sqlite3_value **v)
{
	enum rep_quality q = gpudx_model_quality(sv_str((const char *)sqlite3_value_text(v[1])));
	char buf[REP_TIME_TEXT];

	(void)n;
	if (sqlite3_value_type(v[0]) != SQLITE_NULL &&
	    *gpudx_word_iso(sqlite3_value_int64(v[0]), q, buf))
		sqlite3_result_text(context, buf, -1, SQLITE_TRANSIENT);
}

static enum gpudx_status add_functions(sqlite3 *db, struct gpudx_err *err)
{
	if (sqlite3_create_function_v2(db, "at", 1, SQLITE_UTF8, NULL, sql_at, NULL, NULL, NULL) ||
	    sqlite3_create_function_v2(db, "time_text", 2, SQLITE_UTF8, NULL, sql_time_text, NULL,
				       NULL, NULL))
		return gpudx_db_fail(db, err);
	return GPUDX_OK;
}

/* ---- one section ---- */

/* The value behind "-- NAME: " in a section's head. */
static struct gpudx_sv head_of(struct gpudx_sv sql, const char *name)
{
	struct gpudx_sv line;

	while (sv_line(&sql, &line) && sv_lit(&line, "-- "))
		if (sv_lit(&line, name) && sv_lit(&line, ": "))
			return line;
	return sv_n(NULL, 0);
}

static void bind(sqlite3_stmt *st, const char *name, int64_t v)
{
	int i = sqlite3_bind_parameter_index(st, name);

	if (i)
		gpudx_bind_unless(st, i, v, 0);
}

static enum gpudx_status add_rows(sqlite3_stmt *st, struct gpudx_arena *arena, struct tk_section *s,
				  struct gpudx_err *err)
{
	struct rep_select q = { .st = st, .err = err };

	while (s->n < TK_ROWS && gpudx_select_next(&q)) {
		struct tk_row *r = gpudx_report_grow(arena, s->rows, s->n, sizeof(*r));

		if (!r)
			return gpudx_nomem(err);
		s->rows = r;
		r[s->n++] = (struct tk_row){
			gpudx_select_text(&q, arena, 0), gpudx_select_text(&q, arena, 1),
			gpudx_select_text(&q, arena, 2), gpudx_select_text(&q, arena, 3),
			gpudx_select_text(&q, arena, 4), gpudx_select_text(&q, arena, 5)
		};
	}
	return q.rc;
}

static enum gpudx_status add_section(sqlite3 *db, int64_t bundle, int64_t finding,
				     const struct gpudx_embedded *e, struct gpudx_sv name,
				     struct tk_table *t, struct gpudx_err *err)
{
	struct gpudx_sv sql = sv_n(e->text, e->n), mail = head_of(sql, "mail");
	struct tk_section *s = &t->sections[t->n];
	sqlite3_stmt *st = NULL;
	uint64_t rows = 0;
	enum gpudx_status rc;

	if (t->n == TK_SECTIONS)
		return gpudx_fail(err, GPUDX_E_BUG, "more sections than a ticket has room for");
	name = sv_from(name, strlen("NN-"));
	sv_u64(&mail, &rows);
	*s = (struct tk_section){ .id = sv_first(name, name.n - strlen(".sql")),
				  .title = head_of(sql, "title"),
				  .csv = head_of(sql, "csv"),
				  .mail = (size_t)rows };
	rc = gpudx_db_prepare(db, e->text, &st, err);
	if (!rc) {
		bind(st, ":bundle", bundle);
		bind(st, ":finding", finding);
		if (sqlite3_bind_parameter_index(st, ":version"))
			gpudx_bind_text(st, sqlite3_bind_parameter_index(st, ":version"),
					sv_str(GPUDX_VERSION));
		rc = add_rows(st, t->arena, s, err);
	}
	sqlite3_finalize(st);
	t->n++;
	return rc ? gpudx_while(err, "in section %s", e->path) : GPUDX_OK;
}

static bool of_several(const struct gpudx_embedded *e)
{
	return head_of(sv_n(e->text, e->n), "several").p != NULL;
}

enum gpudx_status gpudx_ticket_table(sqlite3 *db, int64_t bundle, const char *folder,
				     struct tk_table *t, struct gpudx_err *err)
{
	struct rep_select q = gpudx_select(
		db,
		"SELECT finding_id, EXISTS (SELECT 1 FROM input WHERE bundle_id = ?1) FROM verdict"
		" WHERE bundle_id = ?1",
		bundle, err);
	bool found = gpudx_select_next(&q);
	int64_t finding = found ? gpudx_col_int(q.st, 0, 0) : 0;
	bool several = found && gpudx_col_int(q.st, 1, 0);
	enum gpudx_status rc = gpudx_select_end(&q);

	if (!rc)
		rc = add_functions(db, err);
	for (size_t i = 0; i < gpudx_embedded_count && !rc; i++) {
		struct gpudx_sv name = sv_str(gpudx_embedded[i].path);

		if (sv_lit(&name, folder) && sv_ends(name, ".sql") && !sv_has(name, "/") &&
		    (several || !of_several(&gpudx_embedded[i])))
			rc = add_section(db, bundle, finding, &gpudx_embedded[i], name, t, err);
	}
	return rc;
}
