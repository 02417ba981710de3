#include "rules/scene.h"

#include "rules/words.h"
#include "store/store.h"

#include <stdlib.h>

/* One query with parameters ?1 = bundle and ?2 = before; add is called for each row. */
struct reader {
	sqlite3 *db;
	struct gpudx_arena *arena;
	struct gpudx_scene *scene;
	struct gpudx_err *err;
};

typedef bool add_fn(struct reader *r, sqlite3_stmt *st);

static enum gpudx_status read_rows(struct reader *r, const char *sql, add_fn *add)
{
	enum gpudx_status rc;
	sqlite3_stmt *st;
	bool row = true;

	rc = gpudx_db_prepare(r->db, sql, &st, r->err);
	if (rc)
		return rc;
	sqlite3_bind_int64(st, 1, r->scene->bundle);
	sqlite3_bind_int64(st, 2, r->scene->before);
	while (!rc && row) {
		rc = gpudx_db_step(st, &row, r->err);
		if (!rc && row && !add(r, st))
			rc = gpudx_nomem(r->err);
	}
	sqlite3_finalize(st);
	return rc;
}

static const char *text_copy(struct reader *r, sqlite3_stmt *st, int i, const char *null)
{
	struct gpudx_sv s = gpudx_col_text(st, i);

	return gpudx_arena_sv(r->arena, s.p ? s : sv_str(null)).p;
}

static bool make_room(struct reader *r, sqlite3_stmt *st)
{
	struct gpudx_scene *s = r->scene;

	s->hosts = gpudx_arena_array(r->arena, (size_t)sqlite3_column_int64(st, 0) + 1,
				     sizeof(*s->hosts));
	s->gpus = gpudx_arena_array(r->arena, (size_t)sqlite3_column_int64(st, 1) + 1,
				    sizeof(*s->gpus));
	s->others = gpudx_arena_array(r->arena, (size_t)sqlite3_column_int64(st, 0) + 1,
				      sizeof(*s->others));
	s->sources = gpudx_arena_array(r->arena, (size_t)sqlite3_column_int64(st, 2) + 1,
				       sizeof(*s->sources));
	return s->hosts && s->gpus && s->others && s->sources;
}

static bool add_host(struct reader *r, sqlite3_stmt *st)
{
	struct gpudx_scene *s = r->scene;
	struct gpudx_scene_host *h = &s->hosts[s->nhosts];

	if (sqlite3_column_int64(st, 2) != s->bundle) {
		s->others[s->nothers++] = sqlite3_column_int64(st, 0);
		return true;
	}
	h->id = sqlite3_column_int64(st, 0);
	h->name = text_copy(r, st, 1, "host");
	s->nhosts++;
	return h->name != NULL;
}

static bool add_gpu(struct reader *r, sqlite3_stmt *st)
{
	struct gpudx_scene *s = r->scene;
	struct gpudx_scene_gpu *g = &s->gpus[s->ngpus];

	g->id = sqlite3_column_int64(st, 0);
	g->host = sqlite3_column_int64(st, 1);
	g->label = text_copy(r, st, 2, "GPU");
	for (size_t i = 0; i < s->nhosts; i++)
		if (s->hosts[i].id == g->host && s->hosts[i].ngpus++ == 0)
			s->hosts[i].first_gpu = s->ngpus;
	s->ngpus++;
	return g->label != NULL;
}

static bool add_source(struct reader *r, sqlite3_stmt *st)
{
	r->scene->sources[r->scene->nsources++] = sqlite3_column_int64(st, 0);
	return true;
}

enum gpudx_status gpudx_scene_load(sqlite3 *db, int64_t bundle, int64_t before,
				   struct gpudx_arena *a, struct gpudx_scene *out,
				   struct gpudx_err *err)
{
	struct reader r = { db, a, out, err };
	enum gpudx_status rc;

	*out = (struct gpudx_scene){ .bundle = bundle, .before = before };
	rc = read_rows(&r,
		       "SELECT (SELECT count(*) FROM host), (SELECT count(*) FROM gpu),"
		       " (SELECT count(*) FROM source)",
		       make_room);
	if (!rc)
		rc = read_rows(&r, "SELECT id, name, bundle_id FROM host ORDER BY id", add_host);
	if (!rc)
		rc = read_rows(&r,
			       "SELECT g.id, g.host_id, g.label FROM gpu g"
			       " JOIN host h ON h.id = g.host_id WHERE h.bundle_id = ?1"
			       " ORDER BY g.host_id, g.id",
			       add_gpu);
	if (!rc)
		rc = read_rows(&r, "SELECT id FROM source WHERE bundle_id IN (?1, ?2) ORDER BY id",
			       add_source);
	return rc;
}

bool gpudx_scene_wants(const struct gpudx_scene *s, int scope)
{
	return scope == GPUDX_SCOPE_BUNDLE || (scope == GPUDX_SCOPE_COMPARE && s->before);
}

static int compare_ids(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

const struct gpudx_scene_host *gpudx_scene_host(const struct gpudx_scene *s, int64_t id)
{
	for (size_t i = 0; i < s->nhosts; i++)
		if (s->hosts[i].id == id)
			return &s->hosts[i];
	return NULL;
}

const struct gpudx_scene_gpu *gpudx_scene_gpu(const struct gpudx_scene *s, int64_t host, int64_t id)
{
	const struct gpudx_scene_host *h = gpudx_scene_host(s, host);

	for (size_t i = 0; h && i < h->ngpus; i++)
		if (s->gpus[h->first_gpu + i].id == id)
			return &s->gpus[h->first_gpu + i];
	return NULL;
}

bool gpudx_scene_is_other(const struct gpudx_scene *s, int64_t host)
{
	return s->nothers && bsearch(&host, s->others, s->nothers, sizeof(host), compare_ids);
}

bool gpudx_scene_has_source(const struct gpudx_scene *s, int64_t source)
{
	return s->nsources &&
	       bsearch(&source, s->sources, s->nsources, sizeof(source), compare_ids);
}

enum { LABELS_MAX = 4 };

void gpudx_scene_gpus_text(const struct gpudx_scene *s, int64_t host, const int64_t *ids, size_t n,
			   struct gpudx_buf *b)
{
	const struct gpudx_scene_host *h = gpudx_scene_host(s, host);
	size_t shown = n > LABELS_MAX ? LABELS_MAX - 1 : n;

	if (!n) {
		gpudx_buf_str(b, "an unidentified GPU");
		return;
	}
	if (n > 1 && h && n == h->ngpus) {
		if (n == 2)
			gpudx_buf_str(b, "both GPUs");
		else
			gpudx_buf_printf(b, "all %zu GPUs", n);
		return;
	}
	for (size_t i = 0; i < shown; i++) {
		const struct gpudx_scene_gpu *g = gpudx_scene_gpu(s, host, ids[i]);

		gpudx_buf_str(b, i == 0 ? "" : i + 1 == n ? " and " : ", ");
		gpudx_buf_str(b, g ? g->label : "GPU");
	}
	if (shown < n)
		gpudx_buf_printf(b, " and %zu more", n - shown);
}
