#include "redact/database.h"

#include "store/store.h"

/* The columns that hold text of a bundle, and what is read in their place. */
static const struct column {
	const char *table, *column, *read;
} columns[] = {
	{ "bundle", "label", "redact(label)" },
	{ "input", "name", "redact(name)" },
	{ "host", "machine_id", "redact_as('machine-id', machine_id)" },
	{ "host", "name", "redact_as('host', name)" },
	{ "boot", "cmdline", "redact(cmdline)" },
	{ "source", "path", "redact(path)" },
	{ "source", "title", "redact(title)" },
	{ "source", "reason", "redact(reason)" },
	{ "source", "damage", "redact(damage)" },
	{ "line", "text", "redact(text)" },
	{ "gpu", "key",
	  "CASE WHEN instr(key, '/') > 0 THEN redact_as('host', substr(key, 1, instr(key, '/') - "
	  "1))"
	  " || substr(key, instr(key, '/')) ELSE key END" },
	{ "gpu", "uuid", "redact(uuid)" },
	{ "gpu", "serial", "redact_as('gpu-serial', serial)" },
	{ "gpu_name", "value",
	  "CASE kind WHEN 'serial' THEN redact_as('gpu-serial', value) ELSE redact(value) END" },
	{ "process_sample", "name", "redact(name)" },
	{ "fact", "key", "CASE WHEN instr(key, '/') > 0 THEN redact(key) ELSE key END" },
	{ "fact", "value", "redact_fact(key, value)" },
	{ "event", "text", "redact(text)" },
	{ "event", "process", "redact(process)" },
	{ "event_attr", "value", "redact(value)" },
	{ "pci_device", "name", "redact(name)" },
	{ "change", "what", "CASE WHEN instr(what, '/') > 0 THEN redact(what) ELSE what END" },
	{ "change", "before", "redact_fact(what, before)" },
	{ "change", "after", "redact_fact(what, after)" },
	{ "site", "value", "redact_fact(key, value)" },
	{ "site", "expected", "redact(expected)" },
	{ "site", "why", "redact(why)" },
	{ "rule_run", "message", "redact(message)" },
	{ "finding", "summary", "redact(summary)" },
	{ "finding", "meaning", "redact(meaning)" },
	{ "finding", "remedy", "redact(remedy)" },
	{ "finding_attr", "value", "redact(value)" },
	{ "verdict", "reason", "redact(reason)" },
};

enum { COLUMNS = sizeof(columns) / sizeof(columns[0]) };

/* Runs the n-th table's part for every table once. */
typedef enum gpudx_status table_fn(sqlite3 *db, const struct column *first, struct gpudx_err *err);

static enum gpudx_status each_table(sqlite3 *db, table_fn *fn, struct gpudx_err *err)
{
	enum gpudx_status rc = GPUDX_OK;

	for (int i = 0; i < COLUMNS && !rc; i++)
		if (!i || !sv_is(sv_str(columns[i].table), columns[i - 1].table))
			rc = fn(db, &columns[i], err);
	return rc;
}

/* Whether c, from first on, still is a column of the same table. */
static bool of_table(const struct column *first, const struct column *c)
{
	return c < columns + COLUMNS && sv_is(sv_str(c->table), first->table);
}

static const struct column *column_of(const struct column *first, struct gpudx_sv name)
{
	for (const struct column *c = first; of_table(first, c); c++)
		if (sv_is(name, c->column))
			return c;
	return NULL;
}

/* ---- functions of SQL ---- */

static struct gpudx_sv argument(sqlite3_value *v)
{
	const void *p = sqlite3_value_text(v);

	return sv_n(p, p ? (size_t)sqlite3_value_bytes(v) : 0);
}

static void answer(sqlite3_context *context, const struct gpudx_redact *r, struct gpudx_buf *b)
{
	if (b->failed || gpudx_redact_failed(r))
		sqlite3_result_error_nomem(context);
	else
		sqlite3_result_text(context, gpudx_buf_cstr(b), (int)b->n, SQLITE_TRANSIENT);
	gpudx_buf_free(b);
}

static void sql_redact(sqlite3_context *context, int n, sqlite3_value **v)
{
	struct gpudx_redact *r = sqlite3_user_data(context);
	struct gpudx_buf b = { .max = 256 << 20 };
	struct gpudx_sv text = argument(v[n - 1]);

	if (!text.p)
		return;
	gpudx_redact_text(r, text, &b);
	answer(context, r, &b);
}

static void sql_redact_as(sqlite3_context *context, int n, sqlite3_value **v)
{
	struct gpudx_redact *r = sqlite3_user_data(context);
	struct gpudx_buf b = { .max = 256 << 20 };
	struct gpudx_sv text = argument(v[n - 1]);

	if (!text.p)
		return;
	gpudx_redact_as(r, argument(v[0]), text, &b);
	answer(context, r, &b);
}

static void sql_redact_fact(sqlite3_context *context, int n, sqlite3_value **v)
{
	struct gpudx_redact *r = sqlite3_user_data(context);
	struct gpudx_buf b = { .max = 256 << 20 };
	struct gpudx_sv text = argument(v[n - 1]);

	if (!text.p)
		return;
	gpudx_redact_fact(r, argument(v[0]), text, &b);
	answer(context, r, &b);
}

static enum gpudx_status add_functions(struct gpudx_redact *r, sqlite3 *db, struct gpudx_err *err)
{
	static const struct {
		const char *name;
		int arguments;
		void (*run)(sqlite3_context *, int, sqlite3_value **);
	} functions[] = { { "redact", 1, sql_redact },
			  { "redact_as", 2, sql_redact_as },
			  { "redact_fact", 2, sql_redact_fact } };

	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		if (sqlite3_create_function_v2(db, functions[i].name, functions[i].arguments,
					       SQLITE_UTF8 | SQLITE_INNOCUOUS, r, functions[i].run,
					       NULL, NULL, NULL))
			return gpudx_db_fail(db, err);
	return GPUDX_OK;
}

/* ---- learning ---- */

static enum gpudx_status keep_names(struct gpudx_redact *r, sqlite3 *db, struct gpudx_err *err)
{
	sqlite3_stmt *st;
	bool row = true;
	enum gpudx_status rc = gpudx_db_prepare(
		db,
		"SELECT uuid FROM main.gpu UNION SELECT serial FROM main.gpu UNION"
		" SELECT substr(uuid, 5) FROM main.gpu WHERE uuid LIKE 'GPU-%' UNION"
		" SELECT value FROM main.fact WHERE key IN ('driver.version', 'gpu.vbios',"
		" 'kernel.release', 'gpu.board_part', 'gpu.part', 'gpu.fru_part', 'gsp.firmware')",
		&st, err);

	while (!rc && !(rc = gpudx_db_step(st, &row, err)) && row)
		if (gpudx_col_text(st, 0).n)
			gpudx_redact_keep(r, gpudx_col_text(st, 0));
	sqlite3_finalize(st);
	return rc;
}

static enum gpudx_status learn_table(sqlite3 *db, const struct column *first, struct gpudx_err *err)
{
	struct gpudx_buf sql = { .max = 8192 };
	enum gpudx_status rc;
	int64_t none;

	gpudx_buf_str(&sql, "SELECT count(");
	for (const struct column *c = first; of_table(first, c); c++)
		gpudx_buf_printf(&sql, "%scoalesce(%s, '')", c == first ? "" : " || ", c->read);
	gpudx_buf_printf(&sql, ") FROM main.%s", first->table);
	rc = gpudx_db_int(db, gpudx_buf_cstr(&sql), 0, &none, err);
	gpudx_buf_free(&sql);
	return rc;
}

enum gpudx_status gpudx_redact_learn(struct gpudx_redact *r, sqlite3 *db, struct gpudx_err *err)
{
	enum gpudx_status rc = add_functions(r, db, err);

	if (!rc && !gpudx_redact_gpus(r))
		rc = keep_names(r, db, err);
	if (!rc)
		rc = each_table(db, learn_table, err);
	gpudx_redact_settle(r);
	return rc ? gpudx_while(err, "while looking for what is to be redacted") : GPUDX_OK;
}

/* ---- hiding ---- */

/* CREATE TEMP VIEW of one table, with its columns in their order. */
static enum gpudx_status hide_table(sqlite3 *db, const struct column *first, struct gpudx_err *err)
{
	struct gpudx_buf sql = { .max = 8192 };
	sqlite3_stmt *st;
	bool row = true, any = false;
	enum gpudx_status rc = gpudx_db_prepare(
		db, "SELECT name FROM pragma_table_info(?1, 'main') ORDER BY cid", &st, err);

	if (rc)
		return rc;
	gpudx_bind_text(st, 1, sv_str(first->table));
	gpudx_buf_str(&sql, "CREATE TEMP VIEW ");
	gpudx_buf_str(&sql, first->table);
	gpudx_buf_str(&sql, " AS SELECT ");
	if (sv_is(sv_str(first->table), "rule_run")) /* whose order of rows is asked for */
		gpudx_buf_str(&sql, "rowid AS rowid, ");
	for (; !(rc = gpudx_db_step(st, &row, err)) && row; any = true) {
		struct gpudx_sv name = gpudx_col_text(st, 0);
		const struct column *c = column_of(first, name);

		gpudx_buf_printf(&sql, "%s%s AS %.*s", any ? ", " : "", c ? c->read : "",
				 (int)name.n, name.p);
		if (!c) {
			sql.n -= name.n + 4;
			gpudx_buf_sv(&sql, name);
		}
	}
	sqlite3_finalize(st);
	gpudx_buf_printf(&sql, " FROM main.%s", first->table);
	if (!rc)
		rc = gpudx_db_exec(db, gpudx_buf_cstr(&sql), err);
	gpudx_buf_free(&sql);
	return rc;
}

/* Views of the schema look into the schema's tables: the same ones again, over what hides those. */
static enum gpudx_status hide_views(sqlite3 *db, struct gpudx_err *err)
{
	struct gpudx_buf sql = { .max = 1 << 20 };
	sqlite3_stmt *st;
	bool row = true;
	enum gpudx_status rc = gpudx_db_prepare(
		db,
		"SELECT substr(sql, 13) FROM main.sqlite_master WHERE type = 'view' ORDER BY rowid",
		&st, err);

	while (!rc && !(rc = gpudx_db_step(st, &row, err)) && row) {
		gpudx_buf_str(&sql, "CREATE TEMP VIEW ");
		gpudx_buf_sv(&sql, gpudx_col_text(st, 0));
		gpudx_buf_str(&sql, ";\n");
	}
	sqlite3_finalize(st);
	if (!rc)
		rc = gpudx_db_exec(db, gpudx_buf_cstr(&sql), err);
	gpudx_buf_free(&sql);
	return rc;
}

enum gpudx_status gpudx_redact_hide(struct gpudx_redact *r, sqlite3 *db, struct gpudx_err *err)
{
	enum gpudx_status rc = add_functions(r, db, err);

	if (!rc)
		rc = each_table(db, hide_table, err);
	if (!rc)
		rc = hide_views(db, err);
	return rc ? gpudx_while(err, "while redacting the database") : GPUDX_OK;
}

enum gpudx_status gpudx_redact_show(sqlite3 *db, struct gpudx_err *err)
{
	struct gpudx_buf sql = { .max = 1 << 16 };
	sqlite3_stmt *st;
	bool row = true;
	enum gpudx_status rc = gpudx_db_prepare(
		db, "SELECT name FROM temp.sqlite_master WHERE type = 'view'", &st, err);

	while (!rc && !(rc = gpudx_db_step(st, &row, err)) && row) {
		gpudx_buf_str(&sql, "DROP VIEW temp.");
		gpudx_buf_sv(&sql, gpudx_col_text(st, 0));
		gpudx_buf_str(&sql, ";\n");
	}
	sqlite3_finalize(st);
	if (!rc && sql.n)
		rc = gpudx_db_exec(db, gpudx_buf_cstr(&sql), err);
	gpudx_buf_free(&sql);
	return rc;
}
