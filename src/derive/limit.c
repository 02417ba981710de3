#include "derive/limit.h"

#include <math.h>

/* What a snapshot states without a stamp was true when the bundle was collected. */
static const char limits_sql[] =
	"SELECT f.gpu_id, f.boot_id, coalesce(f.t_us, b.collected_us) AS at, f.num"
	" FROM fact f JOIN source s ON s.id = f.source_id JOIN bundle b ON b.id = s.bundle_id"
	" WHERE b.id = ?1 AND f.key = 'power.limit_w' AND f.num > 0 AND f.gpu_id IS NOT NULL"
	" AND f.instance_id IS NULL"
	" ORDER BY f.gpu_id, at IS NULL, at, f.id";
static const char count_sql[] = "SELECT count(*) FROM fact WHERE key = 'power.limit_w'";

static bool equal(const struct gpudx_limit *a, const struct gpudx_limit *b)
{
	return a->gpu_id == b->gpu_id && a->boot_id == b->boot_id && !(a->watts < b->watts) &&
	       !(a->watts > b->watts);
}

/* A third equal one in a row only moves the end of the second. */
static void add(struct gpudx_limits *out, struct gpudx_limit l)
{
	if (out->n >= 2 && equal(&out->v[out->n - 1], &l) && equal(&out->v[out->n - 2], &l))
		out->n--;
	out->v[out->n++] = l;
}

enum gpudx_status gpudx_limits_load(sqlite3 *db, int64_t bundle, struct gpudx_arena *arena,
				    struct gpudx_limits *out, struct gpudx_err *err)
{
	sqlite3_stmt *st;
	int64_t n;
	enum gpudx_status rc = gpudx_db_int(db, count_sql, 0, &n, err);
	bool row;

	*out = (struct gpudx_limits){ gpudx_arena_array(arena, (size_t)n + 1, sizeof(*out->v)), 0 };
	if (!rc && !out->v)
		rc = gpudx_fail(err, GPUDX_E_NOMEM, "out of memory");
	if (!rc)
		rc = gpudx_db_prepare(db, limits_sql, &st, err);
	if (rc)
		return rc;
	sqlite3_bind_int64(st, 1, bundle);
	while (!(rc = gpudx_db_step(st, &row, err)) && row)
		add(out, (struct gpudx_limit){ gpudx_col_int(st, 0, 0), gpudx_col_int(st, 1, 0),
					       gpudx_col_time(st, 2), gpudx_col_real(st, 3) });
	sqlite3_finalize(st);
	return rc;
}

struct gpudx_limits gpudx_limits_of(const struct gpudx_limits *all, int64_t gpu_id, int64_t boot_id,
				    struct gpudx_arena *arena)
{
	struct gpudx_limits out = { NULL, 0 };
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++)
		n += all->v[i].gpu_id == gpu_id;
	out.v = gpudx_arena_array(arena, n + 1, sizeof(*out.v));
	for (size_t i = 0; i < all->n && out.v; i++) {
		const struct gpudx_limit *l = &all->v[i];

		if (l->gpu_id == gpu_id && (!boot_id || !l->boot_id || l->boot_id == boot_id))
			out.v[out.n++] = *l;
	}
	return out;
}

/* How many of them have a time. */
static size_t dated(const struct gpudx_limits *l)
{
	size_t n = l->n;

	while (n && l->v[n - 1].t_us == GPUDX_NO_TIME)
		n--;
	return n;
}

double gpudx_limits_at(const struct gpudx_limits *of_gpu, int64_t t_us)
{
	const struct gpudx_limit *l = of_gpu->v;
	size_t n = dated(of_gpu), lo = 0, hi = n;

	if (!of_gpu->n)
		return (double)NAN;
	if (t_us == GPUDX_NO_TIME || !n)
		return l[of_gpu->n - 1].watts;
	while (lo < hi) { /* the first that is not before t_us */
		size_t mid = lo + (hi - lo) / 2;

		if (l[mid].t_us < t_us)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == n || (lo && t_us - l[lo - 1].t_us < l[lo].t_us - t_us))
		lo--;
	return l[lo].watts;
}
