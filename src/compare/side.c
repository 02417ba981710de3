/* One side of a comparison: machines, GPUs and contract of all its bundles. */
#include "compare/compare.h"

#include <limits.h>
#include <math.h>

#include "base/stamp.h"
#include "base/utf8.h"
#include "compare/list.h"
#include "store/query.h"

enum { TEXT_MAX = 4096, IDS_MAX = 1 << 20 };

const char *gpudx_cmp_text(struct gpudx_arena *a, sqlite3_stmt *st, int i)
{
	struct gpudx_sv raw = sv_first(gpudx_col_text(st, i), TEXT_MAX / 4);
	struct gpudx_buf b = { .max = TEXT_MAX };
	struct gpudx_sv copy = { NULL, 0 };

	if (!raw.p)
		return NULL;
	gpudx_utf8_show(&b, raw);
	copy = gpudx_arena_sv(a, sv_n(b.p ? b.p : "", b.n));
	gpudx_buf_free(&b);
	return copy.p;
}

static bool same(const char *a, const char *b)
{
	return a && b && strcmp(a, b) == 0;
}

enum gpudx_status gpudx_cmp_id_table(sqlite3 *db, const char *sql, struct gpudx_arena *a, int **out,
				     size_t *n, struct gpudx_err *err)
{
	int64_t most;
	enum gpudx_status rc = gpudx_db_int(db, sql, 0, &most, err);

	if (rc)
		return rc;
	if (most < 0 || most >= IDS_MAX)
		return gpudx_fail(err, GPUDX_E_LIMIT, "too many machines or GPUs to compare");
	*n = (size_t)most + 1;
	*out = gpudx_arena_array(a, *n, sizeof(**out));
	if (!*out)
		return gpudx_nomem(err);
	for (size_t i = 0; i < *n; i++)
		(*out)[i] = -1;
	return GPUDX_OK;
}

/* ---- machines ---- */

/* Bundles of one machine name make one machine; those without a name are one, too, when there is
 * no other. */
static int host_no(struct cmp_side *s, struct gpudx_arena *a, const char *name)
{
	const char **slot;

	for (size_t i = 0; i < s->nhosts; i++)
		if (same(s->hosts[i], name) || (!s->hosts[i] && !name))
			return (int)i;
	slot = CMP_PUSH(a, s->hosts, s->nhosts);
	if (!slot)
		return -1;
	*slot = name;
	return (int)s->nhosts - 1;
}

static enum gpudx_status load_hosts(struct cmp_side *s, struct gpudx_arena *a,
				    struct gpudx_err *err)
{
	sqlite3_stmt *st;
	bool row;
	enum gpudx_status rc = gpudx_cmp_id_table(s->db, "SELECT max(id) FROM host", a,
						  &s->host_by_id, &s->nhost_ids, err);

	if (!rc)
		rc = gpudx_db_prepare(s->db, "SELECT id, name FROM host ORDER BY id", &st, err);
	if (rc)
		return rc;
	while (!(rc = gpudx_db_step(st, &row, err)) && row) {
		int no = host_no(s, a, gpudx_cmp_text(a, st, 1));

		if (no < 0) {
			rc = gpudx_nomem(err);
			break;
		}
		s->host_by_id[gpudx_col_int(st, 0, 0)] = no;
	}
	sqlite3_finalize(st);
	return rc;
}

/* ---- GPUs ---- */

static void learn(const char **known, const char *said)
{
	if (!*known)
		*known = said;
}

/* The same card in another bundle of this side. */
static struct cmp_gpu *known_gpu(struct cmp_side *s, const struct cmp_gpu *g)
{
	for (size_t i = 0; i < s->ngpus; i++) {
		struct cmp_gpu *k = &s->gpus[i];

		if (k->uuid && g->uuid
			    ? same(k->uuid, g->uuid)
			    : k->host_no == g->host_no &&
				      (k->bdf && g->bdf ? same(k->bdf, g->bdf)
							: k->idx >= 0 && k->idx == g->idx))
			return k;
	}
	return NULL;
}

static struct cmp_gpu *take_gpu(struct cmp_side *s, struct gpudx_arena *a, const struct cmp_gpu *g)
{
	struct cmp_gpu *k = known_gpu(s, g);

	if (!k) {
		k = CMP_PUSH(a, s->gpus, s->ngpus);
		if (k)
			*k = *g;
		return k;
	}
	learn(&k->uuid, g->uuid);
	learn(&k->serial, g->serial);
	learn(&k->bdf, g->bdf);
	learn(&k->name, g->name);
	if (isnan(k->memory_mib))
		k->memory_mib = g->memory_mib;
	return k;
}

static struct cmp_gpu read_gpu(struct cmp_side *s, struct gpudx_arena *a, sqlite3_stmt *st)
{
	int64_t host = gpudx_col_int(st, 1, 0);
	struct cmp_gpu g = { .label = gpudx_cmp_text(a, st, 2),
			     .idx = gpudx_col_int(st, 3, -1),
			     .uuid = gpudx_cmp_text(a, st, 4),
			     .serial = gpudx_cmp_text(a, st, 5),
			     .bdf = gpudx_cmp_text(a, st, 6),
			     .name = gpudx_cmp_text(a, st, 7),
			     .memory_mib = gpudx_col_real(st, 8),
			     .compute_cap = gpudx_col_real(st, 9) };

	g.host_no = host > 0 && (size_t)host < s->nhost_ids ? s->host_by_id[host] : 0;
	if (g.host_no >= 0 && (size_t)g.host_no < s->nhosts)
		g.host = s->hosts[g.host_no];
	if (!g.label)
		g.label = "GPU";
	return g;
}

static enum gpudx_status load_gpus(struct cmp_side *s, struct gpudx_arena *a, struct gpudx_err *err)
{
	static const char sql[] =
		"SELECT g.id, g.host_id, g.label, g.idx, g.uuid, g.serial, g.bdf, g.name,"
		" (SELECT max(num) FROM contract c WHERE c.gpu_id = g.id AND c.key = "
		"'memory.total_mib'),"
		" (SELECT max(CAST(m.compute_cap AS REAL)) FROM kb_gpu_model m"
		"  WHERE g.name LIKE m.name_pattern)"
		" FROM gpu g ORDER BY g.host_id, g.idx IS NULL, g.idx, g.bdf, g.id";
	sqlite3_stmt *st;
	bool row;
	enum gpudx_status rc = gpudx_cmp_id_table(s->db, "SELECT max(id) FROM gpu", a,
						  &s->gpu_by_id, &s->ngpu_ids, err);

	if (!rc)
		rc = gpudx_db_prepare(s->db, sql, &st, err);
	if (rc)
		return rc;
	while (!(rc = gpudx_db_step(st, &row, err)) && row) {
		struct cmp_gpu g = read_gpu(s, a, st), *k = take_gpu(s, a, &g);

		if (!k) {
			rc = gpudx_nomem(err);
			break;
		}
		s->gpu_by_id[gpudx_col_int(st, 0, 0)] = (int)(k - s->gpus);
	}
	sqlite3_finalize(st);
	return rc;
}

/* ---- contract ---- */

/* Of each key and layer the value said last. A side that ends at a change (--split) has what stood
 * before it: what a later change says was there, else what was said until then; what was said only
 * afterwards nobody knows of the time before. */
#define CHANGED_LATER                                                             \
	" FROM change h WHERE h.host_id = c.host_id AND h.gpu_id IS c.gpu_id AND" \
	" h.what = c.key AND h.layer = c.layer AND h.t_us > ?1"
static const char terms_sql[] =
	"WITH known AS (SELECT key, length(key) AS len FROM kb_contract_class),"
	" wanted AS (SELECT DISTINCT f.key FROM (SELECT DISTINCT key FROM fact) f"
	"  JOIN known k ON f.key GLOB k.key"
	"  UNION SELECT DISTINCT substr(off, 2) FROM kb_contract_class WHERE off LIKE '@%'),"
	" then_said AS (SELECT c.*, CASE"
	"  WHEN EXISTS (SELECT 1" CHANGED_LATER ") THEN"
	"   (SELECT h.before" CHANGED_LATER " ORDER BY h.t_us LIMIT 1)"
	"  WHEN c.t_us > ?1 THEN (SELECT coalesce(f.value, printf('%.10g', f.num)) FROM fact f"
	"   WHERE f.key = c.key AND f.layer = c.layer AND f.host_id = c.host_id"
	"   AND f.gpu_id IS c.gpu_id AND f.instance_id IS NULL AND f.t_us <= ?1"
	"   ORDER BY f.t_us DESC, f.id DESC LIMIT 1)"
	"  ELSE coalesce(c.value, printf('%.10g', c.num)) END AS said,"
	"  c.t_us > ?1 OR EXISTS (SELECT 1" CHANGED_LATER ") AS later"
	"  FROM contract c JOIN wanted w ON w.key = c.key)"
	" SELECT c.gpu_id, c.host_id, c.key, c.layer, c.said, c.unit,"
	"  CASE WHEN c.later THEN NULL ELSE c.num END,"
	"  s.path || ':' || (c.line_id & 4294967295)"
	" FROM then_said c LEFT JOIN source s ON s.id = c.line_id >> 32"
	" WHERE c.said IS NOT NULL ORDER BY c.key, c.host_id, c.gpu_id, c.layer, c.line_id";

static enum gpudx_status read_term(struct cmp_side *s, struct gpudx_arena *a, sqlite3_stmt *st,
				   struct gpudx_err *err)
{
	int64_t host = gpudx_col_int(st, 1, 0);
	struct cmp_term *t = CMP_PUSH(a, s->terms, s->nterms);
	struct gpudx_sv text;
	double num;

	if (!t)
		return gpudx_nomem(err);
	*t = (struct cmp_term){ .gpu = cmp_gpu_of(s, gpudx_col_int(st, 0, 0)),
				.num = gpudx_col_real(st, 6) };
	if (host > 0 && (size_t)host < s->nhost_ids)
		t->host_no = s->host_by_id[host];
	t->key = gpudx_cmp_text(a, st, 2);
	t->layer = gpudx_cmp_text(a, st, 3);
	t->value = gpudx_cmp_text(a, st, 4);
	t->unit = gpudx_cmp_text(a, st, 5);
	t->place = gpudx_cmp_text(a, st, 7);
	text = sv_str(t->value ? t->value : "");
	if (isnan(t->num) && sv_decimal(&text, &num) && !text.n)
		t->num = num;
	return t->key && t->value ? GPUDX_OK : gpudx_nomem(err);
}

static enum gpudx_status load_terms(struct cmp_side *s, struct gpudx_arena *a,
				    struct gpudx_err *err)
{
	sqlite3_stmt *st;
	bool row;
	enum gpudx_status rc = gpudx_db_prepare(s->db, terms_sql, &st, err);

	if (rc)
		return rc;
	sqlite3_bind_int64(st, 1, s->to_us);
	while (!(rc = gpudx_db_step(st, &row, err)) && row && !(rc = read_term(s, a, st, err)))
		;
	sqlite3_finalize(st);
	return rc;
}

/* What a side is loaded with. */
struct loading {
	struct cmp_side *s;
	struct gpudx_arena *a;
};

static enum gpudx_status read_meant(void *arg, sqlite3_stmt *st, struct gpudx_err *err)
{
	struct loading *l = arg;
	struct cmp_side *s = l->s;
	int64_t host = gpudx_col_int(st, 1, 0);
	struct cmp_meant *m = CMP_PUSH(l->a, s->meant, s->nmeant);

	if (!m)
		return gpudx_nomem(err);
	*m = (struct cmp_meant){ .gpu = cmp_gpu_of(s, gpudx_col_int(st, 0, 0)),
				 .key = gpudx_cmp_text(l->a, st, 2),
				 .layer = gpudx_cmp_text(l->a, st, 3),
				 .expected = gpudx_cmp_text(l->a, st, 4),
				 .why = gpudx_cmp_text(l->a, st, 5),
				 .holds = gpudx_col_int(st, 6, 0) != 0 };
	if (host > 0 && (size_t)host < s->nhost_ids)
		m->host_no = s->host_by_id[host];
	return m->key && m->layer && m->expected && m->why ? GPUDX_OK : gpudx_nomem(err);
}

static enum gpudx_status load_meant(struct cmp_side *s, struct gpudx_arena *a,
				    struct gpudx_err *err)
{
	struct loading l = { s, a };

	return gpudx_query_each(s->db,
				"SELECT gpu_id, host_id, key, layer, expected, why, holds FROM site"
				" ORDER BY rowid",
				0, read_meant, &l, err);
}

static enum gpudx_status load_bundle(struct cmp_side *s, struct gpudx_arena *a,
				     struct gpudx_err *err)
{
	static const char sql[] =
		"SELECT group_concat(label, ' + '), max(CASE WHEN collected_quality IN"
		" ('exact', 'aligned', 'zone_assumed') AND collected_how <> 'archive mtime'"
		" THEN collected_us END)"
		" FROM (SELECT * FROM bundle ORDER BY id)";
	sqlite3_stmt *st;
	bool row;
	enum gpudx_status rc = gpudx_db_prepare(s->db, sql, &st, err);

	if (rc)
		return rc;
	rc = gpudx_db_step(st, &row, err);
	if (!rc && row) {
		if (!s->label)
			s->label = gpudx_cmp_text(a, st, 0);
		s->collected_us = gpudx_col_time(st, 1);
	}
	sqlite3_finalize(st);
	if (!s->label)
		s->label = "";
	return rc;
}

enum gpudx_status gpudx_side_load(struct cmp_side *s, struct gpudx_arena *a, struct gpudx_err *err)
{
	enum gpudx_status rc = load_bundle(s, a, err);

	if (!rc)
		rc = load_hosts(s, a, err);
	if (!rc)
		rc = load_gpus(s, a, err);
	if (!rc)
		rc = load_terms(s, a, err);
	if (!rc)
		rc = gpudx_side_slices(s, a, err);
	if (!rc)
		rc = load_meant(s, a, err);
	return rc;
}
