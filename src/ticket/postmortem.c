#include "ticket/postmortem.h"

#include "report/markdown.h"
#include "report/words.h"
#include "ticket/write.h"

#include <stdlib.h>

enum { PAGE_MAX = 8 << 20 };

static void put_page(struct gpudx_buf *b, const struct rep_model *m, const struct tk_table *t)
{
	struct gpudx_buf line = { .max = 1 << 16 };

	gpudx_buf_str(b, "# Post-mortem\n\n");
	gpudx_word_read(&line, m);
	gpudx_md_text(b, sv_n(gpudx_buf_cstr(&line), line.n));
	gpudx_buf_free(&line);
	gpudx_buf_str(b, "\n\n");
	for (size_t i = 0; i < t->n; i++)
		gpudx_ticket_md_section(b, &t->sections[i], SIZE_MAX);
}

enum gpudx_status gpudx_postmortem(sqlite3 *db, int64_t bundle, FILE *out, struct gpudx_err *err)
{
	struct gpudx_arena arena = { .limit = REP_ARENA };
	struct tk_table *t = calloc(1, sizeof(*t));
	struct gpudx_buf b = { .max = PAGE_MAX };
	struct rep_model m;
	enum gpudx_status rc;

	if (!t)
		return gpudx_nomem(err);
	t->arena = &arena;
	rc = gpudx_model_load(db, bundle, &arena, &m, err);
	if (!rc)
		rc = gpudx_ticket_table(db, bundle, "src/ticket/postmortem/", t, err);
	if (!rc)
		put_page(&b, &m, t);
	if (!rc && b.failed)
		rc = gpudx_nomem(err);
	if (!rc && fwrite(b.p, 1, b.n, out) != b.n)
		rc = gpudx_fail(err, GPUDX_E_IO, "cannot write the report");
	gpudx_buf_free(&b);
	gpudx_arena_free(&arena);
	free(t);
	return rc ? gpudx_while(err, "while writing the post-mortem") : GPUDX_OK;
}
