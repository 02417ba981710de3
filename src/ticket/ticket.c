#include "ticket/ticket.h"

#include "redact/audit.h"
#include "report/report.h"
#include "report/select.h"
#include "ticket/excerpt.h"
#include "ticket/write.h"

#include <stdio.h>
#include <stdlib.h>

enum { FILE_MAX = 64 << 20 };

struct making {
	sqlite3 *db;
	struct gpudx_redact *r;
	int64_t bundle;
	const struct gpudx_ticket_options *o;
	struct tk_from from;
	struct gpudx_arena arena;
	struct rep_model m;
	struct tk_table t;
	struct tk_pack pack;
	struct tk_excerpts excerpts;
	size_t left; /* files of the bundle that a copy cannot hold */
};

static enum gpudx_status add_buf(struct making *k, const char *name, const char *what,
				 struct gpudx_buf *b, struct gpudx_err *err)
{
	enum gpudx_status rc = b->failed ? gpudx_fail(err, GPUDX_E_LIMIT, "%s is too large", name)
					 : gpudx_pack_add(&k->pack, sv_str(name), what,
							  sv_n(gpudx_buf_cstr(b), b->n), err);

	gpudx_buf_free(b);
	return rc;
}

static enum gpudx_status add_report(struct making *k, struct gpudx_err *err)
{
	const struct gpudx_report_options o = { .plot = k->o->plot };
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);
	enum gpudx_status rc;

	if (!f)
		return gpudx_nomem(err);
	rc = gpudx_report(k->db, k->bundle, GPUDX_HTML, &o, f, err);
	if (fclose(f) && !rc)
		rc = gpudx_nomem(err);
	if (!rc)
		rc = gpudx_pack_add(&k->pack, SV_LIT("report.html"), "report", sv_n(text, n), err);
	free(text);
	return rc;
}

static enum gpudx_status add_tables(struct making *k, struct gpudx_err *err)
{
	enum gpudx_status rc = GPUDX_OK;

	for (size_t i = 0; i < k->t.n && !rc; i++) {
		struct gpudx_buf b = { .max = FILE_MAX };

		if (!k->t.sections[i].csv.p)
			continue;
		gpudx_ticket_csv(&k->t.sections[i], &b);
		rc = gpudx_pack_add(&k->pack, k->t.sections[i].csv, "table",
				    sv_n(gpudx_buf_cstr(&b), b.n), err);
		gpudx_buf_free(&b);
	}
	return rc;
}

/* What the bundle was made of, without the names that are nobody's business: the inputs if there are
 * several, in their order. */
static const char inputs_sql[] =
	"SELECT digest, name FROM (SELECT digest, name, nr FROM input WHERE bundle_id = ?1"
	" UNION ALL SELECT digest, label, 0 FROM bundle WHERE id = ?1"
	"  AND NOT EXISTS (SELECT 1 FROM input WHERE bundle_id = ?1)) ORDER BY nr";

/* The inputs are called in sealed/ what the case calls them. */
static enum gpudx_status add_originals(struct making *k, struct gpudx_err *err)
{
	struct rep_select q = gpudx_select(k->db, inputs_sql, k->bundle, err);
	struct gpudx_buf name = { .max = 1 << 16 };
	enum gpudx_status rc = GPUDX_OK, end;

	for (size_t i = 0; i < k->o->npaths && !rc && gpudx_select_next(&q); i++) {
		gpudx_buf_clear(&name);
		gpudx_buf_str(&name, "sealed/");
		gpudx_buf_sv(&name, gpudx_col_text(q.st, 1));
		rc = gpudx_pack_file(&k->pack, sv_n(gpudx_buf_cstr(&name), name.n),
				     "original, not redacted", k->o->paths[i], err);
	}
	gpudx_buf_free(&name);
	end = gpudx_select_end(&q);
	return rc ? rc : end;
}

/* Standard input cannot be read again. */
static bool can_reread(const struct gpudx_ticket_options *o)
{
	for (size_t i = 0; i < o->npaths; i++)
		if (sv_is(sv_str(o->paths[i]), "-"))
			return false;
	return o->npaths > 0;
}

static enum gpudx_status add_excerpts(struct making *k, struct gpudx_err *err)
{
	if (can_reread(k->o))
		return gpudx_ticket_reread(k->db, k->bundle, k->r, &k->from, &k->pack, &k->excerpts,
					   err);
	return gpudx_ticket_excerpts(k->db, k->bundle, &k->pack, err);
}

static enum gpudx_status add_bundle(struct making *k, struct gpudx_err *err)
{
	if (k->o->include == GPUDX_REDACTED_COPY)
		return gpudx_ticket_copy(k->r, &k->from, &k->pack, &k->left, err);
	return k->o->include == GPUDX_ORIGINAL ? add_originals(k, err) : GPUDX_OK;
}

/* How much of the bundle evidence/ is, and what that means for whoever reads it. */
static void put_excerpts(const struct tk_excerpts *x, struct gpudx_buf *b)
{
	if (!x->again) {
		gpudx_buf_str(
			b, "\nevidence/ was made from a database, which keeps single lines and no "
			   "series: analysing it may find less than was found here. A ticket made "
			   "from the bundle has more.\n");
		return;
	}
	gpudx_buf_printf(
		b,
		"\nevidence/ holds %llu lines of %llu files; %llu lines were left out, and "
		"marks stand where. ",
		(unsigned long long)x->kept, (unsigned long long)x->files,
		(unsigned long long)x->left);
	if (x->cut)
		gpudx_buf_printf(
			b,
			"Of %llu files more was wanted than fits into an excerpt: analysing "
			"it may find less than was found here.\n",
			(unsigned long long)x->cut);
	else
		gpudx_buf_str(b, "What was found here can be found in it again.\n");
}

static void put_audit(const struct making *k, struct gpudx_buf *b)
{
	gpudx_redact_audit(k->r, b);
	put_excerpts(&k->excerpts, b);
	if (k->o->include == GPUDX_REDACTED_COPY)
		gpudx_buf_printf(b, "\nFiles that are no text and were left out of the copy: %zu\n",
				 k->left);
	gpudx_buf_str(b,
		      k->o->include == GPUDX_ORIGINAL
			      ? "\n**sealed/ holds the original as it is. It was not searched.**\n"
			      : "\nThe finished archive was searched for every value above, and "
				"none was found.\n");
}

static void put_redaction(const struct gpudx_buf *audit, struct gpudx_buf *b)
{
	/* As all our text does, so that it is not taken for evidence. */
	gpudx_buf_printf(b, "ticket: 0 files read, 0 unread\n\n# Redaction\n\n%.*s\n",
			 (int)audit->n, audit->p);
	gpudx_buf_str(b, "Equal values have equal pseudonyms, in all files and all tickets made "
			 "with the same key. Who made this ticket has the key and the list of what "
			 "stands for what; neither is in here.\n");
}

static enum gpudx_status add_texts(struct making *k, struct gpudx_err *err)
{
	struct gpudx_buf audit = { .max = FILE_MAX }, md = { .max = FILE_MAX },
			 json = { .max = FILE_MAX }, redaction = { .max = FILE_MAX };
	struct tk_ticket ticket = { .m = &k->m, .t = &k->t, .pack = &k->pack };
	enum gpudx_status rc;

	put_audit(k, &audit);
	put_redaction(&audit, &redaction);
	rc = add_buf(k, "REDACTION.md", "what was replaced", &redaction, err);
	ticket.audit = sv_n(gpudx_buf_cstr(&audit), audit.n);
	gpudx_ticket_json(&ticket, &json);
	gpudx_ticket_md(&ticket, &md);
	if (!rc)
		rc = add_buf(k, "ticket.json", "ticket for programs", &json, err);
	if (!rc)
		rc = add_buf(k, "TICKET.md", "ticket", &md, err);
	gpudx_buf_free(&audit);
	gpudx_buf_free(&md);
	gpudx_buf_free(&json);
	return rc;
}

/* Rows: digest, name. */
static enum gpudx_status put_digests(const struct making *k, const char *sql, struct gpudx_buf *b,
				     struct gpudx_err *err)
{
	struct rep_select q = gpudx_select(k->db, sql, k->bundle, err);

	while (gpudx_select_next(&q)) {
		gpudx_buf_str(b, "# input ");
		gpudx_buf_sv(b, gpudx_col_text(q.st, 0));
		gpudx_buf_str(b, "  ");
		gpudx_pack_name(b, gpudx_col_text(q.st, 1));
		gpudx_buf_char(b, '\n');
	}
	return gpudx_select_end(&q);
}

/* Lines for sha256sum -c; inputs as comments, because they are not in here. */
static enum gpudx_status add_manifest(struct making *k, struct gpudx_err *err)
{
	static const char files_sql[] =
		"SELECT sha256, path FROM source WHERE bundle_id = ?1 AND sha256 IS NOT NULL"
		" AND parent_id IS NULL ORDER BY id";
	struct gpudx_buf b = { .max = FILE_MAX };
	enum gpudx_status rc = put_digests(k, inputs_sql, &b, err);

	if (!rc)
		rc = put_digests(k, files_sql, &b, err);
	for (size_t i = 0; i < k->pack.n; i++)
		gpudx_buf_printf(&b, "%s  %s\n", k->pack.files[i].sha256, k->pack.files[i].name.p);
	if (rc)
		return gpudx_buf_free(&b), rc;
	return add_buf(k, "MANIFEST.sha256", "digests", &b, err);
}

static enum gpudx_status fill(struct making *k, struct gpudx_err *err)
{
	static enum gpudx_status (*const parts[])(struct making *, struct gpudx_err *) = {
		add_excerpts, add_report, add_tables, add_bundle, add_texts, add_manifest
	};
	enum gpudx_status rc = gpudx_model_load(k->db, k->bundle, &k->arena, &k->m, err);

	if (!rc)
		rc = gpudx_ticket_table(k->db, k->bundle, "src/ticket/", &k->t, err);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]) && !rc; i++)
		rc = parts[i](k, err);
	return rc;
}

enum gpudx_status gpudx_ticket_prepare(sqlite3 *db, struct gpudx_redact *r, int64_t bundle,
				       const struct gpudx_ticket_options *o,
				       const struct gpudx_budget *limits, struct gpudx_err *err)
{
	const struct tk_from from = { o->paths, o->npaths, limits };

	if (o->include == GPUDX_REDACTED_COPY)
		return gpudx_ticket_learn(r, &from, err);
	return can_reread(o) ? gpudx_ticket_look(db, bundle, r, &from, err) : GPUDX_OK;
}

enum gpudx_status gpudx_ticket(sqlite3 *db, struct gpudx_redact *r, int64_t bundle,
			       const struct gpudx_ticket_options *o,
			       const struct gpudx_budget *limits, const char *path,
			       struct gpudx_err *err)
{
	struct making *k = calloc(1, sizeof(*k));
	struct gpudx_err later = { 0 };
	enum gpudx_status rc, closed;

	if (!k)
		return gpudx_nomem(err);
	*k = (struct making){
		.db = db, .r = r, .bundle = bundle, .o = o, .from = { o->paths, o->npaths, limits }
	};
	k->arena.limit = REP_ARENA;
	k->t.arena = &k->arena;
	rc = gpudx_ticket_prepare(db, r, bundle, o, limits, err);
	if (!rc)
		rc = gpudx_pack_open(&k->pack, path, &k->arena, err);
	if (!rc)
		rc = fill(k, err);
	closed = gpudx_pack_close(&k->pack, rc ? &later : err);
	rc = rc ? rc : closed;
	if (!rc && gpudx_redact_failed(r))
		rc = gpudx_nomem(err);
	if (!rc)
		rc = gpudx_ticket_check(r, path, err);
	gpudx_arena_free(&k->arena);
	free(k);
	return rc ? gpudx_while(err, "while making the ticket") : GPUDX_OK;
}
