/* The list of sources for people: printable strings, rejects with their lines. */
#include "gpudx/gpudx.h"

#include "base/buf.h"
#include "base/utf8.h"
#include "case/case.h"

#include <string.h>
#include <sys/stat.h>

enum { TEXT_MAX = 64 << 10, REJECT_WIDTH = 100 };

struct listing {
	struct gpudx_arena arena; /* of the source at hand */
	sqlite3_stmt *rejects;
};

/* Looks only into regular files: reading from a pipe would take the bundle out of it. */
bool gpudx_is_case(const char *path)
{
	unsigned char head[72] = { 0 };
	struct stat st;
	FILE *f = stat(path, &st) == 0 && S_ISREG(st.st_mode) ? fopen(path, "rb") : NULL;
	size_t n = f ? fread(head, 1, sizeof(head), f) : 0;

	if (f)
		fclose(f);
	return n == sizeof(head) && memcmp(head, "SQLite format 3", 16) == 0 &&
	       memcmp(head + 68, "gpud", 4) == 0;
}

enum gpudx_status gpudx_case_bundles(struct gpudx_case *c, void (*each)(void *arg, int64_t bundle),
				     void *arg, struct gpudx_err *err)
{
	sqlite3_stmt *st;
	enum gpudx_status rc =
		gpudx_db_prepare(gpudx_store_db(c->store),
				 "SELECT DISTINCT bundle_id FROM verdict ORDER BY 1", &st, err);
	bool row = true;

	if (rc)
		return rc;
	while (!(rc = gpudx_db_step(st, &row, err)) && row)
		each(arg, sqlite3_column_int64(st, 0));
	sqlite3_finalize(st);
	return rc;
}

/* A text column as printable C string in the arena; NULL for NULL. */
static const char *shown(struct listing *l, sqlite3_stmt *st, int i, size_t max)
{
	struct gpudx_buf b = { .max = TEXT_MAX };
	struct gpudx_sv s = sv_first(gpudx_col_text(st, i), max), copy;

	if (!s.p)
		return NULL;
	gpudx_utf8_show(&b, s);
	copy = gpudx_arena_sv(&l->arena, sv_n(b.p ? b.p : "", b.n));
	gpudx_buf_free(&b);
	return copy.p ? copy.p : "";
}

static enum gpudx_status read_rejects(struct listing *l, struct gpudx_source *s,
				      struct gpudx_err *err)
{
	enum gpudx_status rc = GPUDX_OK;
	bool row = true;

	sqlite3_bind_int64(l->rejects, 1, s->id);
	while (!rc && s->nrejects < GPUDX_REJECTS_SHOWN) {
		rc = gpudx_db_step(l->rejects, &row, err);
		if (rc || !row)
			break;
		s->rejects[s->nrejects].line = (uint64_t)sqlite3_column_int64(l->rejects, 0);
		s->rejects[s->nrejects].reason = shown(l, l->rejects, 1, TEXT_MAX);
		s->rejects[s->nrejects++].text = shown(l, l->rejects, 2, REJECT_WIDTH);
	}
	sqlite3_reset(l->rejects);
	return rc;
}

static void fill(struct listing *l, sqlite3_stmt *st, struct gpudx_source *s)
{
	*s = (struct gpudx_source){ .id = sqlite3_column_int64(st, 0),
				    .parent = sqlite3_column_int64(st, 1) };
	s->path = shown(l, st, 2, TEXT_MAX);
	s->title = shown(l, st, 3, 120);
	s->parser = shown(l, st, 4, TEXT_MAX);
	s->status = shown(l, st, 5, TEXT_MAX);
	s->reason = shown(l, st, 6, TEXT_MAX);
	s->damage = shown(l, st, 7, TEXT_MAX);
	s->encoding = shown(l, st, 8, TEXT_MAX);
	s->first_line = (uint64_t)sqlite3_column_int64(st, 9);
	s->lines = (uint64_t)sqlite3_column_int64(st, 10);
	s->taken = (uint64_t)sqlite3_column_int64(st, 11);
	s->rejected = (uint64_t)sqlite3_column_int64(st, 12);
	s->excerpt = sqlite3_column_int(st, 13) != 0;
	s->parts = (uint32_t)sqlite3_column_int(st, 14);
}

enum gpudx_status gpudx_case_sources(struct gpudx_case *c, int64_t bundle,
				     void (*each)(void *arg, const struct gpudx_source *s),
				     void *arg, struct gpudx_err *err)
{
	static const char sources[] =
		"SELECT s.id, coalesce(s.parent_id, 0), path, coalesce(title, CASE WHEN"
		" s.parent_id IS NOT NULL AND lines = 0 THEN (SELECT 'of ' || h.name FROM host h"
		" WHERE h.id = s.host_id) END), parser, status, reason, "
		"damage, encoding, first_line, lines, taken, rejected, excerpt, coalesce(p.n, 0)"
		" FROM source s LEFT JOIN (SELECT parent_id, count(*) AS n FROM source"
		"  WHERE parent_id IS NOT NULL GROUP BY parent_id) p ON p.parent_id = s.id"
		" WHERE ?1 = 0 OR bundle_id = ?1"
		" ORDER BY coalesce(s.parent_id, s.id), s.parent_id IS NOT NULL, first_line, s.id";
	static const char rejects[] = "SELECT r.line_id & 4294967295, r.reason, l.text FROM reject "
				      "r LEFT JOIN line l ON l.id = r.line_id"
				      " WHERE r.source_id = ? ORDER BY r.line_id";
	sqlite3 *db = gpudx_store_db(c->store);
	struct listing l = { .arena = { .limit = 8 << 20 } };
	sqlite3_stmt *st = NULL;
	struct gpudx_source s;
	bool row = true;
	enum gpudx_status rc = gpudx_db_prepare(db, sources, &st, err);

	if (!rc)
		rc = gpudx_db_prepare(db, rejects, &l.rejects, err);
	if (!rc)
		sqlite3_bind_int64(st, 1, bundle);
	while (!rc) {
		rc = gpudx_db_step(st, &row, err);
		if (rc || !row)
			break;
		gpudx_arena_reset(&l.arena);
		fill(&l, st, &s);
		if (s.rejected)
			rc = read_rejects(&l, &s, err);
		if (!rc)
			each(arg, &s);
	}
	sqlite3_finalize(st);
	sqlite3_finalize(l.rejects);
	gpudx_arena_free(&l.arena);
	return rc;
}
