/* Questions to a database in SQL: one statement that reads, its rows as table, CSV or JSON. What a
 * bundle brought is in the values, so they are made harmless for where they are going. */
#include "gpudx/gpudx.h"

#include "base/buf.h"
#include "base/csv.h"
#include "base/utf8.h"
#include "case/case.h"
#include "report/jsonw.h"

#include <string.h>

enum { COLUMNS = 200, CELL_WIDTH = 80, ROW_MAX = 16 << 20 };

struct form;

struct query {
	sqlite3_stmt *st;
	int n;
	int width[COLUMNS]; /* of a table */
	struct gpudx_buf line, cell;
	FILE *out;
	struct rep_json json;
	const struct form *form;
};

static int only_reads(void *arg, int op, const char *a, const char *b, const char *db,
		      const char *view)
{
	(void)arg;
	(void)a;
	(void)db;
	(void)view;
	switch (op) {
	case SQLITE_SELECT:
	case SQLITE_READ:
	case SQLITE_RECURSIVE:
		return SQLITE_OK;
	case SQLITE_FUNCTION:
		return strcmp(b, "load_extension") == 0 ? SQLITE_DENY : SQLITE_OK;
	default:
		return SQLITE_DENY;
	}
}

static struct gpudx_sv column_name(const struct query *q, int i)
{
	const char *name = sqlite3_column_name(q->st, i);

	return name ? sv_str(name) : SV_LIT("?");
}

/* In q->cell until the next one. */
static struct gpudx_sv printable(struct query *q, struct gpudx_sv s)
{
	gpudx_buf_clear(&q->cell);
	gpudx_utf8_show(&q->cell, s);
	return sv_n(q->cell.p ? q->cell.p : "", q->cell.n);
}

/* ---- tables ---- */

static int width_of(struct gpudx_sv s)
{
	int width = 0;

	while (s.n)
		width += gpudx_utf8_width(gpudx_utf8_next(&s));
	return width;
}

/* What of s stands in a cell of a table. */
static struct gpudx_sv shown(struct query *q, struct gpudx_sv s)
{
	struct gpudx_sv rest = s = printable(q, s);
	int width = 0;

	while (rest.n) {
		struct gpudx_sv next = rest;

		width += gpudx_utf8_width(gpudx_utf8_next(&next));
		if (width > CELL_WIDTH)
			break;
		rest = next;
	}
	return sv_n(s.p, s.n - rest.n);
}

static void measure(struct query *q, int i, struct gpudx_sv s)
{
	int width = width_of(shown(q, s));

	if (width > q->width[i])
		q->width[i] = width;
}

static void measure_row(struct query *q)
{
	for (int i = 0; i < q->n; i++)
		measure(q, i, gpudx_col_text(q->st, i));
}

static void pad(struct query *q, int n)
{
	while (n-- > 0)
		gpudx_buf_char(&q->line, ' ');
}

static void table_cell(struct query *q, int i, struct gpudx_sv s, bool right)
{
	struct gpudx_sv text = shown(q, s);
	int room = q->width[i] - width_of(text);

	if (i)
		gpudx_buf_str(&q->line, "  ");
	pad(q, right ? room : 0);
	gpudx_buf_add(&q->line, text.p, text.n);
	pad(q, right || i + 1 == q->n ? 0 : room);
}

static bool is_number(const struct query *q, int i)
{
	int type = sqlite3_column_type(q->st, i);

	return type == SQLITE_INTEGER || type == SQLITE_FLOAT;
}

static void table_head(struct query *q)
{
	for (int i = 0; i < q->n; i++)
		table_cell(q, i, column_name(q, i), false);
}

static void table_row(struct query *q)
{
	for (int i = 0; i < q->n; i++)
		table_cell(q, i, gpudx_col_text(q->st, i), is_number(q, i));
}

/* ---- CSV: RFC 4180 ---- */

static void csv_cell(struct query *q, int i, struct gpudx_sv s, bool number)
{
	if (i)
		gpudx_buf_char(&q->line, ',');
	if (number)
		gpudx_buf_add(&q->line, s.p, s.n);
	else if (s.p)
		gpudx_csv_text(&q->line, s);
}

static void csv_head(struct query *q)
{
	for (int i = 0; i < q->n; i++)
		csv_cell(q, i, column_name(q, i), false);
}

static void csv_row(struct query *q)
{
	for (int i = 0; i < q->n; i++)
		csv_cell(q, i, gpudx_col_text(q->st, i), is_number(q, i));
}

/* ---- JSON: an array of objects ---- */

static void json_head(struct query *q)
{
	q->json = (struct rep_json){ .b = &q->line };
	gpudx_json_open(&q->json, NULL, '[');
}

static void json_end(struct query *q)
{
	gpudx_json_close(&q->json);
}

static void json_value(struct query *q, int i)
{
	struct rep_json *j = &q->json;
	char name[64];
	struct gpudx_sv s = sv_first(column_name(q, i), sizeof(name) - 1);

	memcpy(name, s.p, s.n);
	name[s.n] = '\0';
	switch (sqlite3_column_type(q->st, i)) {
	case SQLITE_INTEGER:
		gpudx_json_int(j, name, sqlite3_column_int64(q->st, i));
		break;
	case SQLITE_FLOAT:
		gpudx_json_real(j, name, sqlite3_column_double(q->st, i));
		break;
	default:
		gpudx_json_text(j, name, gpudx_col_text(q->st, i));
	}
}

static void json_row(struct query *q)
{
	gpudx_json_open(&q->json, NULL, '{');
	for (int i = 0; i < q->n; i++)
		json_value(q, i);
	gpudx_json_close(&q->json);
}

/* ---- rows ---- */

static const struct form {
	void (*before)(struct query *q); /* a look at each row, or NULL */
	void (*head)(struct query *q);
	void (*row)(struct query *q);
	void (*end)(struct query *q); /* or NULL */
	const char *eol;
} forms[] = {
	[GPUDX_QUERY_TABLE] = { measure_row, table_head, table_row, NULL, "\n" },
	[GPUDX_QUERY_CSV] = { NULL, csv_head, csv_row, NULL, "\n" },
	[GPUDX_QUERY_JSON] = { NULL, json_head, json_row, json_end, "" },
};

static enum gpudx_status put_line(struct query *q, struct gpudx_err *err)
{
	if (q->line.failed || q->cell.failed)
		return gpudx_fail(err, GPUDX_E_USAGE, "a row is longer than %d MiB", ROW_MAX >> 20);
	gpudx_buf_str(&q->line, q->form->eol);
	fwrite(q->line.p, 1, q->line.n, q->out);
	gpudx_buf_clear(&q->line);
	return GPUDX_OK;
}

static enum gpudx_status each_row(struct query *q, void (*each)(struct query *), bool print,
				  struct gpudx_err *err)
{
	enum gpudx_status rc;
	bool row;

	while (!(rc = gpudx_db_step(q->st, &row, err)) && row) {
		each(q);
		if (print && (rc = put_line(q, err)))
			break;
	}
	sqlite3_reset(q->st);
	return rc;
}

static enum gpudx_status print_rows(struct query *q, struct gpudx_err *err)
{
	enum gpudx_status rc = GPUDX_OK;

	for (int i = 0; i < q->n; i++)
		measure(q, i, column_name(q, i));
	if (q->form->before)
		rc = each_row(q, q->form->before, false, err);
	q->form->head(q);
	if (!rc)
		rc = put_line(q, err);
	if (!rc)
		rc = each_row(q, q->form->row, true, err);
	if (!rc && q->form->end) {
		q->form->end(q);
		rc = put_line(q, err);
	}
	return rc;
}

/* One statement that reads, and nothing behind it. */
static enum gpudx_status prepare(sqlite3 *db, const char *sql, sqlite3_stmt **st,
				 struct gpudx_err *err)
{
	const char *rest;
	int rc = sqlite3_prepare_v2(db, sql, -1, st, &rest);

	if (rc == SQLITE_AUTH)
		return gpudx_fail(err, GPUDX_E_USAGE, "only reading is allowed: %s",
				  sqlite3_errmsg(db));
	if (rc != SQLITE_OK)
		return gpudx_fail(err, GPUDX_E_USAGE, "%s", sqlite3_errmsg(db));
	if (!*st)
		return gpudx_fail(err, GPUDX_E_USAGE, "an empty statement");
	if (rest[strspn(rest, " \t\r\n;")])
		return gpudx_fail(err, GPUDX_E_USAGE, "one statement, please");
	if (!sqlite3_stmt_readonly(*st))
		return gpudx_fail(err, GPUDX_E_USAGE, "only reading is allowed");
	if (sqlite3_column_count(*st) > COLUMNS)
		return gpudx_fail(err, GPUDX_E_USAGE, "more than %d columns", COLUMNS);
	return GPUDX_OK;
}

enum gpudx_status gpudx_case_query(struct gpudx_case *c, const char *sql,
				   enum gpudx_query_format format, FILE *out, struct gpudx_err *err)
{
	sqlite3 *db = gpudx_store_db(c->store);
	struct query q = { .out = out,
			   .form = &forms[format],
			   .line = { .max = ROW_MAX },
			   .cell = { .max = ROW_MAX } };
	enum gpudx_status rc;

	sqlite3_set_authorizer(db, only_reads, NULL);
	rc = prepare(db, sql, &q.st, err);
	if (!rc) {
		q.n = sqlite3_column_count(q.st);
		rc = print_rows(&q, err);
	}
	sqlite3_finalize(q.st);
	sqlite3_set_authorizer(db, NULL, NULL);
	gpudx_buf_free(&q.line);
	gpudx_buf_free(&q.cell);
	return rc;
}
