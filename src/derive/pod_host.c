#include "derive/pod_host.h"

#include "store/query.h"

static struct gpudx_sv *new_node(struct gpudx_pods *p)
{
	if (p->n == p->cap) {
		size_t cap = p->cap ? p->cap * 2 : 64;
		struct gpudx_sv *bigger = gpudx_arena_array(p->arena, cap, sizeof(*bigger));

		if (!bigger)
			return NULL;
		if (p->n)
			memcpy(bigger, p->nodes, p->n * sizeof(*bigger));
		p->nodes = bigger;
		p->cap = cap;
	}
	return &p->nodes[p->n++];
}

static enum gpudx_status pod_row(void *arg, sqlite3_stmt *row, struct gpudx_err *err)
{
	struct gpudx_pods *p = arg;
	struct gpudx_sv pod = gpudx_col_text(row, 0), node = gpudx_col_text(row, 1);
	bool is_new;
	uint32_t *at = gpudx_map_at(&p->at, pod, &is_new);
	struct gpudx_sv *place;

	if (!at)
		return gpudx_nomem(err);
	if (!is_new) {
		if (!sv_eq(p->nodes[*at], node))
			p->nodes[*at] = sv_n(NULL, 0);
		return GPUDX_OK;
	}
	place = new_node(p);
	if (!place)
		return gpudx_nomem(err);
	*at = (uint32_t)(place - p->nodes);
	*place = gpudx_arena_sv(p->arena, node);
	return place->p ? GPUDX_OK : gpudx_nomem(err);
}

enum gpudx_status gpudx_pods_load(struct gpudx_pods *pods, sqlite3 *db, int64_t bundle,
				  struct gpudx_err *err)
{
	static const char sql[] =
		"SELECT substr(f.key, 10), f.value FROM fact f JOIN source s ON s.id = f.source_id"
		" WHERE s.bundle_id = ?1 AND f.key GLOB 'pod.node.*' AND f.value IS NOT NULL"
		" ORDER BY f.id";

	pods->at.arena = pods->arena;
	return gpudx_query_each(db, sql, bundle, pod_row, pods, err);
}

struct gpudx_sv gpudx_pod_node(const struct gpudx_pods *pods, struct gpudx_sv name)
{
	const uint32_t *at = pods->n ? gpudx_map_get(&pods->at, name) : NULL;

	return at ? pods->nodes[*at] : sv_n(NULL, 0);
}

/* Names of pods have no underscore, and may have dots, as the ends of files do. */
struct gpudx_sv gpudx_pod_in_path(const struct gpudx_pods *pods, struct gpudx_sv path,
				  size_t *within)
{
	struct gpudx_sv found = sv_n(NULL, 0);

	for (size_t from = 0, to; pods->n && from < path.n; from = to + 1) {
		for (to = from; to < path.n && path.p[to] != '/' && path.p[to] != '_';)
			to++;
		for (size_t end = to; end > from; end--) {
			struct gpudx_sv node;

			if (end < to && path.p[end] != '.')
				continue;
			node = gpudx_pod_node(pods, sv_n(path.p + from, end - from));
			if (!node.p)
				continue;
			found = node;
			*within = end;
			break;
		}
	}
	return found;
}
