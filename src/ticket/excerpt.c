#include "ticket/excerpt.h"

#include "report/select.h"

enum { EXCERPT_MAX = 16 << 20 };

/* A part is a file of its own, so that it is read as what it is without the lines around it. */
static const char lines_sql[] =
	"SELECT s.id, s.path || CASE WHEN s.parent_id IS NULL THEN '' ELSE '.d/' || s.first_line"
	" || '-' || coalesce(replace(substr(s.title, 1, 60), '/', '_'), s.parser) END, l.text FROM "
	"line l"
	" JOIN source s ON s.id = l.id >> 32 WHERE s.bundle_id = ?1 AND s.parser IS NOT NULL"
	" AND (s.parser NOT LIKE 'app-%' OR l.id IN (SELECT line_id FROM event)"
	"  OR l.id IN (SELECT line_id FROM fact) OR l.id IN (SELECT line_id FROM finding_line))"
	" ORDER BY l.id";

static enum gpudx_status add_excerpt(struct tk_pack *p, struct gpudx_buf *name,
				     struct gpudx_buf *text, struct gpudx_err *err)
{
	enum gpudx_status rc = GPUDX_OK;

	if (text->n)
		rc = gpudx_pack_add(p, sv_n(gpudx_buf_cstr(name), name->n), "excerpt",
				    sv_n(text->p, text->n), err);
	gpudx_buf_clear(text);
	gpudx_buf_clear(name);
	return rc;
}

enum gpudx_status gpudx_ticket_excerpts(sqlite3 *db, int64_t bundle, struct tk_pack *p,
					struct gpudx_err *err)
{
	struct rep_select q = gpudx_select(db, lines_sql, bundle, err);
	struct gpudx_buf text = { .max = EXCERPT_MAX + (2 << 20) }, name = { .max = 1 << 16 };
	enum gpudx_status rc = GPUDX_OK;
	int64_t member = -1;

	while (!rc && gpudx_select_next(&q)) {
		if (gpudx_col_int(q.st, 0, 0) != member) {
			rc = add_excerpt(p, &name, &text, err);
			member = gpudx_col_int(q.st, 0, 0);
			gpudx_buf_str(&name, "evidence/");
			gpudx_buf_sv(&name, gpudx_col_text(q.st, 1));
		}
		if (text.n < EXCERPT_MAX) {
			gpudx_buf_sv(&text, gpudx_col_text(q.st, 2));
			gpudx_buf_char(&text, '\n');
		}
	}
	if (!rc)
		rc = gpudx_select_end(&q);
	else
		(void)!gpudx_select_end(&q);
	if (!rc)
		rc = add_excerpt(p, &name, &text, err);
	gpudx_buf_free(&text);
	gpudx_buf_free(&name);
	return rc;
}
