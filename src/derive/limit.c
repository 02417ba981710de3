#include "derive/limit.h"

#include "base/search.h"

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

enum gpudx_status gpudx_limits_load(sqlite3 *db, int64_t bundle, struct gpudx_arena *arena,
				    struct gpudx_limits *out, struct gpudx_err *err)
{
	sqlite3_stmt *st;
	struct gpudx_limit *v;
	int64_t room;
	enum gpudx_status rc = gpudx_db_int(db, count_sql, 0, &room, err);
	bool row;

	*out = (struct gpudx_limits){ 0 };
	v = gpudx_arena_array(arena, (size_t)room + 1, sizeof(*v));
	if (!rc && !v)
		return gpudx_nomem(err);
	if (!rc)
		rc = gpudx_db_prepare(db, limits_sql, &st, err);
	if (rc)
		return rc;
	sqlite3_bind_int64(st, 1, bundle);
	while (!(rc = gpudx_db_step(st, &row, err)) && row) {
		struct gpudx_limit l = { gpudx_col_int(st, 0, 0), gpudx_col_int(st, 1, 0),
					 gpudx_col_time(st, 2), gpudx_col_real(st, 3) };

		/* A third equal one in a row only moves the end of the second. */
		if (out->n >= 2 && equal(&v[out->n - 1], &l) && equal(&v[out->n - 2], &l))
			out->n--;
		v[out->n++] = l;
	}
	sqlite3_finalize(st);
	out->v = v;
	return rc;
}

static bool counts(const struct gpudx_limits *of, size_t i)
{
	return !of->boot_id || !of->v[i].boot_id || of->v[i].boot_id == of->boot_id;
}

/* The first that is of this GPU, or of a later one. */
static size_t first_of(const struct gpudx_limits *all, int64_t gpu_id)
{
	return GPUDX_LOWER_BOUND(all->v, all->n, struct gpudx_limit, gpu_id, gpu_id);
}

struct gpudx_limits gpudx_limits_of(const struct gpudx_limits *all, int64_t gpu_id, int64_t boot_id)
{
	size_t first = first_of(all, gpu_id), end = first_of(all, gpu_id + 1);
	struct gpudx_limits out = { all->v + first, end - first, boot_id };

	for (size_t i = 0; i < out.n; i++)
		if (counts(&out, i))
			return out;
	out.n = 0;
	return out;
}

double gpudx_limits_lowest(const struct gpudx_limits *of_gpu)
{
	double lowest = (double)NAN;

	for (size_t i = 0; i < of_gpu->n; i++)
		if (counts(of_gpu, i))
			lowest = fmin(lowest, of_gpu->v[i].watts);
	return lowest;
}

/* How many have a time; the first of these that is not before t_us. */
static size_t dated(const struct gpudx_limits *l)
{
	size_t n = l->n;

	while (n && l->v[n - 1].t_us == GPUDX_NO_TIME)
		n--;
	return n;
}

static size_t not_before(const struct gpudx_limits *l, size_t n, int64_t t_us)
{
	return GPUDX_LOWER_BOUND(l->v, n, struct gpudx_limit, t_us, t_us);
}

/* The last that counts before place i; its watts. */
static double last_before(const struct gpudx_limits *l, size_t i)
{
	while (i--)
		if (counts(l, i))
			return l->v[i].watts;
	return (double)NAN;
}

double gpudx_limits_at(const struct gpudx_limits *of_gpu, int64_t t_us)
{
	const struct gpudx_limit *v = of_gpu->v;
	size_t n = dated(of_gpu), after, before;

	if (t_us == GPUDX_NO_TIME || !n)
		return last_before(of_gpu, of_gpu->n);
	before = after = not_before(of_gpu, n, t_us);
	while (after < n && !counts(of_gpu, after))
		after++;
	while (before && !counts(of_gpu, before - 1))
		before--;
	if (after == n)
		return last_before(of_gpu, before ? before : of_gpu->n);
	if (before && t_us - v[before - 1].t_us < v[after].t_us - t_us)
		return v[before - 1].watts;
	return v[after].watts;
}
