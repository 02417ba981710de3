#include "case/site.h"

#include "ingest/recorder.h"
#include "parse/metric_fields.h"
#include "store/query.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_MAX = 1 << 20, COLUMNS = 4 };

/* ---- terms ---- */

static const struct op {
	const char *sign;
	enum gpudx_site_op op;
} ops[] = {
	{ "<=", GPUDX_SITE_AT_MOST }, { ">=", GPUDX_SITE_AT_LEAST }, { "!=", GPUDX_SITE_IS_NOT },
	{ "<", GPUDX_SITE_BELOW },    { ">", GPUDX_SITE_ABOVE },     { "=", GPUDX_SITE_IS },
};

static struct gpudx_site_term *add_term(struct gpudx_site *s, struct gpudx_sv key,
					struct gpudx_sv text)
{
	struct gpudx_site_term *t = gpudx_arena_alloc(&s->arena, sizeof(*t));

	if (!t)
		return NULL;
	*s->end = t;
	s->end = &t->next;
	t->key = key;
	t->text = text;
	t->line = s->lines;
	return t;
}

static void read_expected(struct gpudx_site_term *t, struct gpudx_sv s)
{
	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++)
		if (sv_lit(&s, ops[i].sign)) {
			t->op = ops[i].op;
			break;
		}
	s = sv_trim(s);
	t->expected = s;
	t->has_num = sv_decimal(&s, &t->num) && !s.n;
}

/* ---- the table ---- */

static enum gpudx_status bad_line(const struct gpudx_site *s, const char *what,
				  struct gpudx_err *err)
{
	return gpudx_fail(err, GPUDX_E_USAGE, "%s:%u: %s", s->label, s->lines, what);
}

static enum gpudx_status table_line(struct gpudx_site *s, struct gpudx_sv line,
				    struct gpudx_err *err)
{
	struct gpudx_sv cells[COLUMNS], rest = line;
	struct gpudx_site_term *t;
	size_t n = 0;

	while (n < COLUMNS && sv_cell(&rest, '\t', &cells[n])) {
		cells[n] = sv_trim(cells[n]);
		n += cells[n].n > 0; /* several tabs may align a column */
	}
	if (n < COLUMNS || sv_trim(rest).n)
		return bad_line(
			s,
			"a line has four columns with tabs between them: key, where, expected, why",
			err);
	if (!(t = add_term(s, cells[0], line)))
		return gpudx_nomem(err);
	t->where = cells[1];
	t->why = cells[3];
	read_expected(t, cells[2]);
	if (t->op > GPUDX_SITE_IS_NOT && !t->has_num)
		return bad_line(s, "only numbers can be less or more", err);
	return GPUDX_OK;
}

/* ---- error_thresholds.yaml ---- */

/* A reading that the comparison holds for is an error: what is meant is the contrary. */
static const struct breach {
	struct gpudx_sv name;
	enum gpudx_site_op meant;
} breaches[] = {
	{ SV("GT"), GPUDX_SITE_AT_MOST },     { SV("GTE"), GPUDX_SITE_BELOW },
	{ SV("ANY_GT"), GPUDX_SITE_AT_MOST }, { SV("ANY_GTE"), GPUDX_SITE_BELOW },
	{ SV("EQ"), GPUDX_SITE_IS_NOT },      { SV("NOT_EQ"), GPUDX_SITE_IS },
};

/* One comparison while it is read. */
struct threshold {
	const struct breach *breach; /* NULL: one that is not known */
	struct gpudx_sv name, value, fields, text;
	uint32_t line;
};

static enum gpudx_status add_threshold(struct gpudx_site *s, struct threshold *t,
				       struct gpudx_err *err)
{
	struct gpudx_sv fields = t->fields, field;
	const struct breach *b = t->breach;

	s->left_out += t->fields.n && !b;
	t->fields = sv_n("", 0);
	while (b && sv_cell(&fields, ',', &field)) {
		const struct metric_field *f = metric_field(sv_trim(field));
		struct gpudx_site_term *term;

		if (!f || !f->key || !f->key[0]) {
			s->left_out++;
			continue;
		}
		if (!(term = add_term(s, sv_str(f->key), t->text)))
			return gpudx_nomem(err);
		term->line = t->line;
		term->where = SV_LIT("*");
		term->why = t->name;
		read_expected(term, t->value);
		term->op = b->meant;
	}
	return GPUDX_OK;
}

/* "[A, B]" and "A" alike. */
static struct gpudx_sv yaml_list(struct gpudx_sv s)
{
	if (s.n >= 2 && s.p[0] == '[' && s.p[s.n - 1] == ']')
		s = sv_n(s.p + 1, s.n - 2);
	return s;
}

static enum gpudx_status yaml_line(struct gpudx_site *s, struct threshold *t, struct gpudx_sv line,
				   struct gpudx_err *err)
{
	struct gpudx_sv key, value = sv_first(line, sv_index(line, '#'));
	size_t indent = value.n - sv_ltrim(value).n;
	enum gpudx_status rc = GPUDX_OK;

	value = sv_trim(value);
	if (!sv_until(&value, ":", &key))
		return GPUDX_OK;
	value = sv_trim(value);
	if (!value.n && indent) {
		rc = add_threshold(s, t, err);
		t->breach = NULL;
		for (size_t i = 0; i < sizeof(breaches) / sizeof(breaches[0]); i++)
			if (sv_eq(key, breaches[i].name))
				t->breach = &breaches[i];
		if (!t->breach)
			t->name = key;
	} else if (sv_is(key, "value")) {
		t->value = value;
		t->text = line;
		t->line = s->lines;
	} else if (sv_is(key, "field_id") || sv_is(key, "field_ids")) {
		t->fields = yaml_list(value);
	}
	return rc;
}

/* ---- reading ---- */

static enum gpudx_status parse(struct gpudx_site *s, struct gpudx_sv text, struct gpudx_err *err)
{
	const char *begin = text.p;
	bool yaml = sv_has(text, "dcgm-error-thresholds");
	struct threshold t = { .line = 0 };
	enum gpudx_status rc = GPUDX_OK;
	struct gpudx_sv line;

	while (!rc && sv_cell(&text, '\n', &line)) {
		line = sv_rtrim(line);
		s->lines++;
		if (yaml)
			rc = yaml_line(s, &t, line, err);
		else if (line.n && line.p[0] != '#')
			rc = table_line(s, line, err);
	}
	if (!rc && yaml)
		rc = add_threshold(s, &t, err);
	for (struct gpudx_site_term *k = s->first; k; k = k->next)
		k->offset = k->text.p - begin;
	return rc;
}

static enum gpudx_status read_text(struct gpudx_site *s, FILE *f, struct gpudx_err *err)
{
	char *text = gpudx_arena_alloc(&s->arena, FILE_MAX + 1);
	size_t n = text ? fread(text, 1, FILE_MAX + 1, f) : 0;

	if (!text)
		return gpudx_nomem(err);
	if (ferror(f))
		return gpudx_fail(err, GPUDX_E_USAGE, "%s: %s", s->label, strerror(errno));
	if (n > FILE_MAX)
		return gpudx_fail(err, GPUDX_E_USAGE, "%s: larger than 1 MiB", s->label);
	return parse(s, sv_n(text, n), err);
}

enum gpudx_status gpudx_site_read(const char *path, struct gpudx_site **out, struct gpudx_err *err)
{
	struct gpudx_site *s = calloc(1, sizeof(*s));
	const char *slash = strrchr(path, '/');
	enum gpudx_status rc;
	FILE *f;

	*out = NULL;
	if (!s)
		return gpudx_nomem(err);
	s->end = &s->first;
	s->arena.limit = (size_t)4 * FILE_MAX;
	s->label = slash ? slash + 1 : path;
	f = fopen(path, "rb");
	if (!f) {
		rc = gpudx_fail(err, GPUDX_E_USAGE, "%s: %s", path, strerror(errno));
	} else {
		rc = read_text(s, f, err);
		fclose(f);
	}
	if (rc)
		gpudx_site_free(s);
	else
		*out = s;
	return rc;
}

void gpudx_site_free(struct gpudx_site *s)
{
	if (s)
		gpudx_arena_free(&s->arena);
	free(s);
}

/* ---- writing ---- */

static const char source_sql[] =
	"INSERT INTO source(id, bundle_id, path, first_line, lines, taken, parser, status, "
	"encoding,"
	" rejected, excerpt, src_clock, reason) VALUES((SELECT coalesce(max(id), 0) + 1 FROM "
	"source),"
	" ?1, ?2, 1, ?3, ?4, 'site-policy', 'read', 'utf-8', 0, 0, 'none', ?5)";

#define OF_PLACE "(?2 = '*' OR lower(h.name) GLOB ?2 OR lower(g.name) GLOB ?2)"

/* Where this line speaks of the same value as an earlier one, it wins. */
static const char forget_sql[] =
	"DELETE FROM site WHERE key = ?1 AND EXISTS(SELECT 1 FROM host h LEFT JOIN gpu g"
	" ON g.id = site.gpu_id WHERE h.id = site.host_id AND h.bundle_id = ?3 AND " OF_PLACE ")";

/* Numbers are the same within half a percent: what a tool rounds is no deviation. */
static const char value_sql[] =
	"INSERT INTO site SELECT v.host_id, v.gpu_id, v.key, v.layer, v.value, ?4, ?5,"
	" CASE WHEN ?6 IS NULL OR v.num IS NULL THEN (lower(v.value) GLOB ?7) = (?8 = 0)"
	"  ELSE CASE ?8 WHEN 0 THEN abs(v.num - ?6) <= abs(?6) * 0.005"
	"   WHEN 1 THEN abs(v.num - ?6) > abs(?6) * 0.005 WHEN 2 THEN v.num < ?6"
	"   WHEN 3 THEN v.num <= ?6 WHEN 4 THEN v.num > ?6 ELSE v.num >= ?6 END END,"
	" v.line_id, ?9"
	" FROM (SELECT c.host_id, c.gpu_id, c.key, c.layer, c.value, c.num, c.line_id"
	"  FROM contract c WHERE c.key = ?1 UNION ALL"
	"  SELECT g.host_id, m.gpu_id, m.key, '', printf('%g', t.last), t.last, t.line_last"
	"  FROM metric m JOIN metric_stat t ON t.metric_id = m.id JOIN gpu g ON g.id = m.gpu_id"
	"  WHERE m.key = ?1) v"
	" JOIN host h ON h.id = v.host_id AND h.bundle_id = ?3 LEFT JOIN gpu g ON g.id = v.gpu_id"
	" WHERE " OF_PLACE;

/* Of what nothing is said here it cannot be told whether it is as it is meant. */
static const char coverage_sql[] =
	"INSERT INTO coverage(host_id, gpu_id, what, n, whole) SELECT "
	"host_id, gpu_id, 'table.site',"
	" count(*), 1 FROM site WHERE host_id IN (SELECT id FROM host WHERE bundle_id = ?1)"
	" GROUP BY host_id, gpu_id";

static enum gpudx_status write_source(sqlite3 *db, const struct gpudx_site *s, int64_t bundle,
				      int64_t *source, struct gpudx_err *err)
{
	struct gpudx_buf reason = { .max = 200 };
	enum gpudx_status rc;
	sqlite3_stmt *st;
	int64_t taken = 0;

	for (const struct gpudx_site_term *t = s->first; t; t = t->next)
		taken++;
	if (s->left_out)
		gpudx_buf_printf(&reason, "%u thresholds compare what is not known here",
				 s->left_out);
	rc = gpudx_db_prepare(db, source_sql, &st, err);
	if (!rc) {
		sqlite3_bind_int64(st, 1, bundle);
		gpudx_bind_text(st, 2, sv_str(s->label));
		sqlite3_bind_int64(st, 3, s->lines);
		sqlite3_bind_int64(st, 4, taken < s->lines ? taken : s->lines);
		gpudx_bind_text(st, 5, reason.n ? sv_n(reason.p, reason.n) : sv_n(NULL, 0));
		rc = gpudx_db_run(st, err);
		sqlite3_finalize(st);
	}
	*source = sqlite3_last_insert_rowid(db);
	gpudx_buf_free(&reason);
	return rc;
}

static void bind_lower(sqlite3_stmt *st, int i, struct gpudx_sv s, char *buf, size_t size)
{
	s = sv_first(s, size);
	for (size_t k = 0; k < s.n; k++)
		buf[k] = sv_lower(s.p[k]);
	gpudx_bind_text(st, i, sv_n(buf, s.n));
}

static enum gpudx_status write_line(sqlite3 *db, const struct gpudx_site_term *t, int64_t line_id,
				    struct gpudx_err *err)
{
	enum gpudx_status rc;
	sqlite3_stmt *st;

	rc = gpudx_db_prepare(
		db, "INSERT OR IGNORE INTO line(id, byte_offset, text) VALUES(?1, ?2, ?3)", &st,
		err);
	if (rc)
		return rc;
	sqlite3_bind_int64(st, 1, line_id);
	sqlite3_bind_int64(st, 2, t->offset);
	gpudx_bind_text(st, 3, t->text);
	rc = gpudx_db_run(st, err);
	sqlite3_finalize(st);
	return rc;
}

/* "<= 85", as it is shown. */
static const char *expected_text(struct gpudx_arena *a, const struct gpudx_site_term *t)
{
	static const char *const signs[] = {
		"", "not ", "below ", "at most ", "above ", "at least "
	};

	return gpudx_arena_printf(a, "%s%.*s", signs[t->op], (int)t->expected.n, t->expected.p);
}

static enum gpudx_status write_term(sqlite3 *db, const char *sql, struct gpudx_arena *a,
				    const struct gpudx_site_term *t, int64_t bundle,
				    int64_t line_id, struct gpudx_err *err)
{
	char where[256], expected[256];
	enum gpudx_status rc;
	sqlite3_stmt *st;

	rc = gpudx_db_prepare(db, sql, &st, err);
	if (rc)
		return rc;
	gpudx_bind_text(st, 1, t->key);
	bind_lower(st, 2, t->where, where, sizeof(where));
	sqlite3_bind_int64(st, 3, bundle);
	if (sqlite3_bind_parameter_count(st) > 3) {
		gpudx_bind_text(st, 4, sv_str(expected_text(a, t)));
		gpudx_bind_text(st, 5, t->why);
		if (t->has_num)
			sqlite3_bind_double(st, 6, t->num);
		bind_lower(st, 7, t->expected, expected, sizeof(expected));
		sqlite3_bind_int(st, 8, (int)t->op);
		sqlite3_bind_int64(st, 9, line_id);
	}
	rc = gpudx_db_run(st, err);
	sqlite3_finalize(st);
	return rc;
}

static enum gpudx_status check_key(sqlite3 *db, const struct gpudx_site *s,
				   const struct gpudx_site_term *t, struct gpudx_err *err)
{
	enum gpudx_status rc;
	sqlite3_stmt *st;
	bool row = false;

	rc = gpudx_db_prepare(db, "SELECT 1 FROM kb_fact_keys WHERE ?1 GLOB key", &st, err);
	if (rc)
		return rc;
	gpudx_bind_text(st, 1, t->key);
	rc = gpudx_db_step(st, &row, err);
	sqlite3_finalize(st);
	if (rc || row)
		return rc;
	return gpudx_fail(err, GPUDX_E_USAGE, "%s:%u: no fact is called %.*s", s->label, t->line,
			  (int)sv_first(t->key, 80).n, t->key.p);
}

enum gpudx_status gpudx_site_check(const struct gpudx_site *s, struct gpudx_store *store,
				   struct gpudx_err *err)
{
	enum gpudx_status rc = GPUDX_OK;

	for (const struct gpudx_site_term *t = s->first; t && !rc; t = t->next)
		rc = check_key(gpudx_store_db(store), s, t, err);
	return rc;
}

enum gpudx_status gpudx_site_write(const struct gpudx_site *s, struct gpudx_store *store,
				   int64_t bundle, struct gpudx_err *err)
{
	sqlite3 *db = gpudx_store_db(store);
	struct gpudx_arena a = { .limit = FILE_MAX };
	enum gpudx_status rc = gpudx_db_exec(db, "BEGIN", err);
	int64_t source = 0;

	if (!rc)
		rc = write_source(db, s, bundle, &source, err);
	for (const struct gpudx_site_term *t = s->first; t && !rc; t = t->next) {
		int64_t line_id = gpudx_line_id((uint32_t)source, t->line);

		rc = write_line(db, t, line_id, err);
		if (!rc)
			rc = write_term(db, forget_sql, &a, t, bundle, line_id, err);
		if (!rc)
			rc = write_term(db, value_sql, &a, t, bundle, line_id, err);
		gpudx_arena_reset(&a);
	}
	gpudx_arena_free(&a);
	if (!rc)
		rc = gpudx_query_run(db, coverage_sql, bundle, err);
	return rc ? rc : gpudx_db_exec(db, "COMMIT", err);
}
