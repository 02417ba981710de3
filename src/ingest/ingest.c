#include "ingest/ingest.h"

#include "ingest/match.h"
#include "ingest/member.h"

#include <stdio.h>
#include <stdlib.h>

/* What the notes and one trial may need besides the lines themselves. */
enum { NOTES_MEMORY = 16 << 20, TRIAL_MEMORY = 4 << 20 };

/* What the walk says of a path while the database belongs to the writer; written afterwards. */
struct note {
	struct note *next;
	struct gpudx_sv path;
	const char *damage, *sha256; /* one of them */
	bool input;		     /* of several: path is how those of this one begin */
};

struct ingest {
	struct gpudx_run run;
	struct gpudx_arena arena; /* of the notes */
	struct note *notes;
	bool notes_lost;
};

static struct note *add_note(struct ingest *in, struct gpudx_sv path)
{
	struct note *n = gpudx_arena_alloc(&in->arena, sizeof(*n));

	if (n)
		n->path = gpudx_arena_sv(&in->arena, path);
	if (!n || !n->path.p) {
		in->notes_lost = true;
		return NULL;
	}
	n->next = in->notes;
	in->notes = n;
	return n;
}

static enum gpudx_status on_member(void *arg, const struct gpudx_member *m, struct gpudx_err *err)
{
	struct ingest *in = arg;
	enum gpudx_status rc = gpudx_member_read(&in->run, m, err);

	if (!rc && !gpudx_store_ok(in->run.store))
		rc = gpudx_fail(err, GPUDX_E_IO, "the database cannot be written");
	return rc;
}

static void on_damage(void *arg, struct gpudx_sv path, const char *what)
{
	struct ingest *in = arg;
	struct note *n = add_note(in, path);

	if (n)
		n->damage = gpudx_arena_sv(&in->arena, sv_str(what)).p;
}

static void on_stored(void *arg, struct gpudx_sv path, const char *sha256, uint64_t bytes)
{
	struct ingest *in = arg;
	struct note *n = add_note(in, path);

	(void)bytes;
	if (n)
		n->sha256 = gpudx_arena_sv(&in->arena, sv_str(sha256)).p;
}

static void on_input(void *arg, struct gpudx_sv name, const char *sha256)
{
	struct ingest *in = arg;
	struct note *n = add_note(in, name);

	if (!n)
		return;
	n->sha256 = gpudx_arena_sv(&in->arena, sv_str(sha256)).p;
	n->input = true;
}

/* "before", of several "before + after". */
static void put_label(struct gpudx_buf *b, const char *const *paths, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		gpudx_buf_str(b, i ? " + " : "");
		gpudx_buf_sv(b, gpudx_bundle_label(paths[i]));
	}
}

static enum gpudx_status insert_bundle(struct ingest *in, const char *const *paths, size_t n,
				       struct gpudx_err *err)
{
	sqlite3 *db = gpudx_store_db(in->run.store);
	struct gpudx_buf label = { .max = 1 << 16 };
	enum gpudx_status rc;
	sqlite3_stmt *st;
	int64_t v;

	rc = gpudx_db_int(db, "SELECT max(id) FROM source", 0, &v, err);
	in->run.ids.source = (uint32_t)v;
	if (!rc)
		rc = gpudx_db_int(db, "SELECT max(id) FROM gpu_ref", 0, &v, err);
	in->run.ids.ref = (uint32_t)v;
	if (!rc)
		rc = gpudx_db_int(db, "SELECT max(id) FROM event", 0, &v, err);
	in->run.ids.event = (uint32_t)v;
	if (!rc)
		rc = gpudx_db_int(db, "SELECT max(id) FROM metric", 0, &v, err);
	in->run.recorder.metrics = (uint32_t)v;
	if (!rc)
		rc = gpudx_db_prepare(
			db,
			"INSERT INTO bundle(label, digest, members, unread) VALUES(?, '', 0, 0)",
			&st, err);
	if (rc)
		return rc;
	put_label(&label, paths, n);
	gpudx_bind_text(st, 1, sv_n(gpudx_buf_cstr(&label), label.n));
	rc = gpudx_db_run(st, err);
	gpudx_buf_free(&label);
	sqlite3_finalize(st);
	in->run.bundle = sqlite3_last_insert_rowid(db);
	return rc;
}

/* Damage of an archive belongs to each source of that name, or, when the archive itself is no
 * source, to the bundle's first. */
static enum gpudx_status write_note(sqlite3 *db, const struct ingest *in, const struct note *n,
				    struct gpudx_err *err)
{
	static const char damage[] =
		"UPDATE source SET damage = ?1 WHERE id = coalesce("
		"(SELECT max(id) FROM source WHERE bundle_id = ?2 AND path = ?3 AND parent_id IS "
		"NULL),"
		"(SELECT max(id) FROM source WHERE bundle_id = ?2 AND parent_id IS NULL))";
	static const char sha256[] = "UPDATE source SET sha256 = ?1 WHERE bundle_id = ?2 AND path "
				     "= ?3 AND parent_id IS NULL";
	/* The path has the number in front: "2-after". */
	static const char input[] = "INSERT INTO input(bundle_id, nr, name, digest)"
				    " VALUES(?2, CAST(?3 AS INTEGER), ?3, ?1)";
	enum gpudx_status rc;
	sqlite3_stmt *st;

	rc = gpudx_db_prepare(db, n->damage ? damage : n->input ? input : sha256, &st, err);
	if (rc)
		return rc;
	gpudx_bind_text(st, 1, sv_str(n->damage ? n->damage : n->sha256));
	sqlite3_bind_int64(st, 2, in->run.bundle);
	gpudx_bind_text(st, 3, n->path);
	rc = gpudx_db_run(st, err);
	sqlite3_finalize(st);
	return rc;
}

static enum gpudx_status finish_bundle(struct ingest *in, const struct gpudx_bundle_result *res,
				       const char *limit, struct gpudx_err *err)
{
	sqlite3 *db = gpudx_store_db(in->run.store);
	enum gpudx_status rc = gpudx_db_exec(db, "BEGIN", err);
	sqlite3_stmt *st;

	for (struct note *n = in->notes; n && !rc; n = n->next)
		rc = write_note(db, in, n, err);
	if (!rc)
		rc = gpudx_db_prepare(db,
				      "UPDATE bundle SET digest=?1, members=?2, unread=?3, "
				      "limit_hit=?4 WHERE id=?5",
				      &st, err);
	if (rc)
		return rc;
	gpudx_bind_text(st, 1, sv_str(res->digest));
	sqlite3_bind_int64(st, 2, in->run.members);
	sqlite3_bind_int64(st, 3, in->run.unread);
	gpudx_bind_text(st, 4, limit ? sv_str(limit) : sv_n(NULL, 0));
	sqlite3_bind_int64(st, 5, in->run.bundle);
	rc = gpudx_db_run(st, err);
	sqlite3_finalize(st);
	return rc ? rc : gpudx_db_exec(db, "COMMIT", err);
}

/* A path that could not be read at all was no bundle. */
static void drop_bundle(struct ingest *in)
{
	struct gpudx_err none = { 0 };
	sqlite3_stmt *st;

	if (in->run.members || gpudx_db_prepare(gpudx_store_db(in->run.store),
						"DELETE FROM bundle WHERE id = ?", &st, &none))
		return;
	sqlite3_bind_int64(st, 1, in->run.bundle);
	if (gpudx_db_run(st, &none))
		in->run.bundle = 0;
	sqlite3_finalize(st);
}

static enum gpudx_status walk(struct ingest *in, const char *const *paths, size_t n,
			      struct gpudx_bundle_result *res, struct gpudx_budget budget,
			      const char **limit, struct gpudx_err *err)
{
	const struct gpudx_visitor visitor = { in, on_member, on_damage, on_stored, on_input };
	struct gpudx_err end = { 0 };
	enum gpudx_status rc = gpudx_store_begin(in->run.store, err), rc_end;

	if (rc)
		return rc;
	rc = gpudx_bundle_walk(paths, n, &budget, &visitor, res, err);
	rc_end = gpudx_store_end(in->run.store, &end);
	if (rc_end) {
		*err = end;
		rc = rc_end;
	}
	*limit = budget.hit ? budget.hit : in->notes_lost ? "more damage than can be listed" : NULL;
	return rc;
}

enum gpudx_status gpudx_ingest(struct gpudx_store *store, const struct gpudx_sigs *sigs,
			       const char *const *paths, size_t npaths,
			       const struct gpudx_budget *limits, struct gpudx_ingested *out,
			       struct gpudx_err *err)
{
	struct ingest *in = calloc(1, sizeof(*in));
	struct gpudx_budget budget = limits ? *limits : gpudx_budget_default;
	struct gpudx_bundle_result res;
	const char *limit = NULL;
	enum gpudx_status rc;

	if (!in)
		return gpudx_nomem(err);
	in->arena.limit = NOTES_MEMORY;
	in->run.store = store;
	in->run.arena.limit = budget.memory_max;
	in->run.sniffer.arena.limit = TRIAL_MEMORY;
	in->run.sniffer.match = gpudx_signature_match;
	in->run.sniffer.match_arg = sigs;
	in->run.find = gpudx_prefilter_find;
	in->run.find_arg = gpudx_sigs_filter(sigs);
	gpudx_recorder_init(&in->run.recorder, store);
	rc = insert_bundle(in, paths, npaths, err);
	if (!rc)
		rc = walk(in, paths, npaths, &res, budget, &limit, err);
	if (!rc)
		rc = finish_bundle(in, &res, limit, err);
	else
		drop_bundle(in);
	*out = (struct gpudx_ingested){ in->run.bundle, in->run.members, in->run.unread, limit };
	gpudx_arena_free(&in->arena);
	gpudx_arena_free(&in->run.arena);
	gpudx_arena_free(&in->run.sniffer.arena);
	free(in);
	return rc ? gpudx_while(err, "while reading %s", paths[0]) : GPUDX_OK;
}
