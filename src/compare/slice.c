/* MIG slices: which of them are the same on both sides, and how each GPU is cut up. A slice is never a
 * GPU: it belongs to one, and to the pair of that one. */
#include "compare/compare.h"

#include <math.h>

#include "compare/list.h"
#include "store/query.h"

enum { SLICES_MOST = 512, LAYOUT = 512 };

static bool same(const char *a, const char *b)
{
	return a && b && strcmp(a, b) == 0;
}

/* ---- a side ---- */

/* Several bundles of one side may list the same slice: its index; -1 none. */
static int listed(const struct cmp_side *s, const struct cmp_slice *v)
{
	for (size_t i = 0; i < s->nslices; i++) {
		const struct cmp_slice *k = &s->slices[i];

		if (k->gpu == v->gpu &&
		    (k->uuid && v->uuid ? same(k->uuid, v->uuid)
					: v->gi >= 0 && k->gi == v->gi && k->ci == v->ci))
			return (int)i;
	}
	return -1;
}

/* What slices are read into. */
struct slicing {
	struct cmp_side *s;
	struct gpudx_arena *a;
};

static enum gpudx_status read_slice(void *arg, sqlite3_stmt *st, struct gpudx_err *err)
{
	struct slicing *r = arg;
	struct cmp_side *s = r->s;
	int64_t id = gpudx_col_int(st, 6, 0);
	struct cmp_slice *slot, v = { .gpu = cmp_gpu_of(s, gpudx_col_int(st, 0, 0)),
				      .profile = gpudx_cmp_text(r->a, st, 1),
				      .uuid = gpudx_cmp_text(r->a, st, 2),
				      .gi = gpudx_col_int(st, 3, -1),
				      .ci = gpudx_col_int(st, 4, -1),
				      .place = gpudx_cmp_text(r->a, st, 5) };
	int no;

	if (s->nslices >= SLICES_MOST || v.gpu < 0 || id <= 0 || (size_t)id >= s->nslice_ids)
		return GPUDX_OK;
	no = listed(s, &v);
	s->slice_by_id[id] = no >= 0 ? no : (int)s->nslices;
	if (no >= 0)
		return GPUDX_OK;
	slot = CMP_PUSH(r->a, s->slices, s->nslices);
	if (!slot)
		return gpudx_nomem(err);
	*slot = v;
	return GPUDX_OK;
}

static enum gpudx_status read_slices(struct cmp_side *s, struct gpudx_arena *a,
				     struct gpudx_err *err)
{
	/* Where there are too many to be told apart, none is. */
	static const char most[] = "SELECT iif(max(id) < 1048576, max(id), 0) FROM gpu_instance";
	static const char sql[] =
		"SELECT i.gpu_id, i.profile, i.uuid, i.gi, i.ci,"
		" p.path || ':' || (i.line_id & 4294967295), i.id"
		" FROM gpu_instance i LEFT JOIN source p ON p.id = i.line_id >> 32"
		" WHERE i.gpu_id IS NOT NULL ORDER BY i.gpu_id, i.gi, i.ci, i.id";
	struct slicing r = { s, a };
	enum gpudx_status rc =
		gpudx_cmp_id_table(s->db, most, a, &s->slice_by_id, &s->nslice_ids, err);

	return rc ? rc : gpudx_query_each(s->db, sql, 0, read_slice, &r, err);
}

/* ---- the layout, as a line of the contract ---- */

/* How many slices of that profile a GPU has; 0 when an earlier one was of it, too. */
static size_t of_profile(const struct cmp_side *s, size_t i)
{
	size_t n = 0;

	for (size_t k = 0; k < s->nslices; k++) {
		if (s->slices[k].gpu != s->slices[i].gpu ||
		    !same(s->slices[k].profile, s->slices[i].profile))
			continue;
		if (k < i)
			return 0;
		n++;
	}
	return n;
}

/* Profiles in the order of the alphabet, so that the order of a list is no change. */
static size_t next_profile(const struct cmp_side *s, int gpu, const char *after)
{
	size_t best = s->nslices;

	for (size_t i = 0; i < s->nslices; i++) {
		const char *p = s->slices[i].profile;

		if (s->slices[i].gpu == gpu && p && (!after || strcmp(p, after) > 0) &&
		    of_profile(s, i) &&
		    (best == s->nslices || strcmp(p, s->slices[best].profile) < 0))
			best = i;
	}
	return best;
}

/* "1 x 3g.20gb, 2 x 1g.5gb"; NULL when a slice's profile is not known, or there is none. */
static const char *layout(const struct cmp_side *s, struct gpudx_arena *a, int gpu,
			  const char **place)
{
	struct gpudx_buf b = { .max = LAYOUT };
	const char *last = NULL, *out;

	for (size_t i = 0; i < s->nslices; i++)
		if (s->slices[i].gpu == gpu && !s->slices[i].profile)
			return NULL;
	for (size_t i; (i = next_profile(s, gpu, last)) < s->nslices; last = s->slices[i].profile) {
		gpudx_buf_printf(&b, "%s%zu x %.40s", last ? ", " : "", of_profile(s, i),
				 s->slices[i].profile);
		*place = *place ? *place : s->slices[i].place;
	}
	out = b.n ? gpudx_arena_sv(a, sv_n(b.p, b.n)).p : NULL;
	gpudx_buf_free(&b);
	return out;
}

/* With MIG switched off there is none; with MIG on and no list of slices nobody knows. */
static const struct cmp_term *mig_off(const struct cmp_side *s, int gpu)
{
	for (size_t i = 0; i < s->nterms; i++)
		if (s->terms[i].gpu == gpu && strcmp(s->terms[i].key, "mig.mode") == 0 &&
		    strcmp(s->terms[i].value, "disabled") == 0)
			return &s->terms[i];
	return NULL;
}

static enum gpudx_status add_layout(struct cmp_side *s, struct gpudx_arena *a, int gpu,
				    struct gpudx_err *err)
{
	const struct cmp_term *off = mig_off(s, gpu);
	const char *place = NULL, *value = layout(s, a, gpu, &place);
	struct cmp_term t = { .gpu = gpu,
			      .host_no = s->gpus[gpu].host_no,
			      .key = "mig.layout",
			      .layer = "nvml",
			      .num = NAN };
	struct cmp_term *slot;

	t.value = value ? value : off ? "none" : NULL;
	t.place = value ? place : off ? off->place : NULL;
	if (!t.value)
		return GPUDX_OK;
	slot = CMP_PUSH(a, s->terms, s->nterms);
	if (!slot)
		return gpudx_nomem(err);
	*slot = t;
	return GPUDX_OK;
}

enum gpudx_status gpudx_side_slices(struct cmp_side *s, struct gpudx_arena *a,
				    struct gpudx_err *err)
{
	enum gpudx_status rc = read_slices(s, a, err);

	for (size_t i = 0; i < s->ngpus && !rc; i++)
		rc = add_layout(s, a, (int)i, err);
	return rc;
}

/* ---- pairs ---- */

static bool by_uuid(const struct cmp_slice *a, const struct cmp_slice *b)
{
	return same(a->uuid, b->uuid);
}

static bool by_ids(const struct cmp_slice *a, const struct cmp_slice *b)
{
	return a->gi >= 0 && a->gi == b->gi && a->ci == b->ci && same(a->profile, b->profile);
}

static bool by_profile(const struct cmp_slice *a, const struct cmp_slice *b)
{
	return same(a->profile, b->profile);
}

static const struct {
	const char *how;
	bool (*fits)(const struct cmp_slice *a, const struct cmp_slice *b);
} ways[] = {
	{ "UUID", by_uuid },
	{ "instance", by_ids },
	{ "profile and order", by_profile },
};

static bool pair_slice(struct gpudx_comparison *c, size_t pair, size_t way, size_t i)
{
	const struct cmp_side *b = &c->side[CMP_BEFORE], *a = &c->side[CMP_AFTER];
	struct cmp_slice_pair *p;

	for (size_t k = 0; k < a->nslices; k++) {
		if (a->slices[k].gpu != c->pairs[pair].gpu[CMP_AFTER] || a->slices[k].paired ||
		    !ways[way].fits(&b->slices[i], &a->slices[k]))
			continue;
		p = CMP_PUSH(&c->arena, c->slices, c->nslices);
		if (!p)
			return false;
		*p = (struct cmp_slice_pair){ { (int)i, (int)k }, (int)pair, ways[way].how };
		b->slices[i].paired = a->slices[k].paired = true;
		break;
	}
	return true;
}

enum gpudx_status gpudx_pair_slices(struct gpudx_comparison *c, struct gpudx_err *err)
{
	const struct cmp_side *b = &c->side[CMP_BEFORE];

	for (size_t p = 0; p < c->npairs; p++)
		for (size_t way = 0; way < sizeof(ways) / sizeof(ways[0]); way++)
			for (size_t i = 0; i < b->nslices; i++)
				if (b->slices[i].gpu == c->pairs[p].gpu[CMP_BEFORE] &&
				    !b->slices[i].paired && !pair_slice(c, p, way, i))
					return gpudx_nomem(err);
	return GPUDX_OK;
}

const char *gpudx_slice_label(struct gpudx_arena *a, const struct gpudx_comparison *c, int of)
{
	const struct cmp_side *s = &c->side[CMP_BEFORE];
	int no = cmp_slice_no(of);
	const struct cmp_slice *v;

	if (no < 0 || (size_t)no >= c->nslices)
		return "";
	v = &s->slices[c->slices[no].slice[CMP_BEFORE]];
	if (v->gi >= 0)
		return gpudx_arena_printf(a, "%.40s %.40s (instance %lld)", s->gpus[v->gpu].label,
					  v->profile ? v->profile : "slice", (long long)v->gi);
	return gpudx_arena_printf(a, "%.40s %.40s", s->gpus[v->gpu].label,
				  v->profile ? v->profile : "slice");
}
