#include "store/kb.h"

#include "base/buf.h"
#include "base/embed.h"
#include "store/store.h"

enum { COLUMNS_MAX = 32 };

enum cell_type { CELL_ANY, CELL_TEXT, CELL_REAL };

struct kb_table {
	struct gpudx_sv name;
	const char *path;
	int columns;
	enum cell_type type[COLUMNS_MAX];
	unsigned line;
};

static bool whole_number(struct gpudx_sv s, int64_t *out)
{
	bool negative = sv_char(&s, '-');
	uint64_t v;

	if (s.n > 18 || (s.n > 1 && s.p[0] == '0') || !sv_u64(&s, &v) || s.n)
		return false;
	*out = negative ? -(int64_t)v : (int64_t)v;
	return true;
}

static void bind_cell(sqlite3_stmt *st, int i, struct gpudx_sv s, enum cell_type type)
{
	struct gpudx_sv c = s;
	int64_t whole;
	double d;

	if (!s.n)
		sqlite3_bind_null(st, i);
	else if (type == CELL_REAL && sv_decimal(&c, &d) && !c.n)
		sqlite3_bind_double(st, i, d);
	else if (type == CELL_ANY && whole_number(s, &whole))
		sqlite3_bind_int64(st, i, whole);
	else
		gpudx_bind_text(st, i, s);
}

/* "a<TAB>b:text" makes the table and its INSERT. */
static enum gpudx_status kb_heading(sqlite3 *db, struct kb_table *t, struct gpudx_sv line,
				    sqlite3_stmt **insert, struct gpudx_err *err)
{
	struct gpudx_buf create = { .max = 8192 }, into = { .max = 8192 };
	struct gpudx_sv cell, name;
	enum gpudx_status rc;

	gpudx_buf_printf(&create, "CREATE TABLE kb_%.*s(", (int)t->name.n, t->name.p);
	gpudx_buf_printf(&into, "INSERT INTO kb_%.*s VALUES(", (int)t->name.n, t->name.p);
	while (sv_cell(&line, '\t', &cell) && t->columns < COLUMNS_MAX) {
		name = sv_first(cell, sv_index(cell, ':'));
		t->type[t->columns] = sv_ends(cell, ":text")   ? CELL_TEXT
				      : sv_ends(cell, ":real") ? CELL_REAL
							       : CELL_ANY;
		gpudx_buf_printf(&create, "%s%.*s", t->columns ? ", " : "", (int)name.n, name.p);
		gpudx_buf_str(&into, t->columns ? ",?" : "?");
		t->columns++;
	}
	gpudx_buf_str(&create, ")");
	gpudx_buf_str(&into, ")");
	rc = gpudx_db_exec(db, gpudx_buf_cstr(&create), err);
	if (!rc)
		rc = gpudx_db_prepare(db, gpudx_buf_cstr(&into), insert, err);
	gpudx_buf_free(&create);
	gpudx_buf_free(&into);
	return rc;
}

static enum gpudx_status kb_row(struct kb_table *t, struct gpudx_sv line, sqlite3_stmt *insert,
				struct gpudx_err *err)
{
	struct gpudx_sv cell;
	int i = 0;

	sqlite3_clear_bindings(insert);
	while (sv_cell(&line, '\t', &cell)) {
		if (i == t->columns)
			return gpudx_fail(err, GPUDX_E_RULE, "%s:%u: more cells than columns",
					  t->path, t->line);
		bind_cell(insert, i + 1, cell, t->type[i]);
		i++;
	}
	return gpudx_db_run(insert, err);
}

static enum gpudx_status kb_table(sqlite3 *db, struct kb_table *t, struct gpudx_sv text,
				  struct gpudx_err *err)
{
	sqlite3_stmt *insert = NULL;
	enum gpudx_status rc = GPUDX_OK;
	struct gpudx_sv line;

	while (!rc && sv_line(&text, &line)) {
		t->line++;
		if (!line.n || line.p[0] == '#')
			continue;
		rc = insert ? kb_row(t, line, insert, err) : kb_heading(db, t, line, &insert, err);
	}
	sqlite3_finalize(insert);
	return rc ? gpudx_while(err, "while loading %s", t->path) : GPUDX_OK;
}

enum gpudx_status gpudx_kb_load(sqlite3 *db, struct gpudx_err *err)
{
	enum gpudx_status rc = GPUDX_OK;

	for (size_t i = 0; i < gpudx_embedded_count && !rc; i++) {
		struct kb_table t = { .path = gpudx_embedded[i].path };
		struct gpudx_sv name = sv_str(t.path);

		if (!sv_lit(&name, "rules/kb/") || !sv_ends(name, ".tsv"))
			continue;
		t.name = sv_first(name, name.n - 4);
		rc = kb_table(db, &t, sv_n(gpudx_embedded[i].text, gpudx_embedded[i].n), err);
	}
	return rc;
}

enum gpudx_status gpudx_schema_apply(sqlite3 *db, struct gpudx_err *err)
{
	struct gpudx_sv schema = gpudx_embed("src/store/schema.sql");
	enum gpudx_status rc;

	if (!schema.p)
		return gpudx_fail(err, GPUDX_E_BUG, "no schema in the program");
	rc = gpudx_db_exec(db, schema.p, err);
	return rc ? rc : gpudx_kb_load(db, err);
}
