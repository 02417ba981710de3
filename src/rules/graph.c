#include "rules/graph.h"

#include "store/store.h"

#include <inttypes.h>
#include <stdlib.h>

/* Stamps of kernel logs have whole seconds: that much a consequence may seem to come before. */
static const int64_t slack_us = GPUDX_SECOND;
static const int64_t burst_us = 180 * GPUDX_SECOND;

struct maker {
	const struct gpudx_findings *findings;
	struct gpudx_arena *arena;
	struct gpudx_graph *graph;
	size_t room;
	sqlite3_stmt *insert;
	struct gpudx_err *err;
};

/* Findings of one rule: list[from .. to - 1]. */
struct span {
	size_t from, to;
};

static enum gpudx_status no_memory(struct gpudx_err *err)
{
	return gpudx_fail(err, GPUDX_E_NOMEM, "out of memory for causes");
}

/* ---- does one finding explain another? ---- */

static bool share_gpu(const struct gpudx_finding *a, const struct gpudx_finding *b)
{
	size_t i = 0, j = 0;

	while (i < a->ngpus && j < b->ngpus) {
		if (a->gpus[i] == b->gpus[j])
			return true;
		if (a->gpus[i] < b->gpus[j])
			i++;
		else
			j++;
	}
	return false;
}

static bool is_dated(const struct gpudx_finding *f)
{
	return f->t0_us != GPUDX_NO_TIME;
}

/* How long there is nothing between the two; 0 when they overlap. Both are dated. */
static int64_t gap(const struct gpudx_finding *a, const struct gpudx_finding *b)
{
	if (a->t1_us < b->t0_us)
		return b->t0_us - a->t1_us;
	return b->t1_us < a->t0_us ? a->t0_us - b->t1_us : 0;
}

/* An undated finding is how things stand: it overlaps everything, and comes before nothing. */
static bool in_window(const struct gpudx_explains *e, const struct gpudx_finding *cause,
		      const struct gpudx_finding *effect)
{
	if (e->window == GPUDX_WINDOW_ANY)
		return true;
	if (!is_dated(cause) || !is_dated(effect))
		return e->window == GPUDX_WINDOW_OVERLAP;
	if (!gpudx_finding_comparable(cause, effect))
		return false;
	if (e->window == GPUDX_WINDOW_OVERLAP)
		return gap(cause, effect) <= slack_us;
	return effect->t0_us >= cause->t0_us - slack_us &&
	       effect->t0_us - cause->t1_us <= e->within_us;
}

static bool is_cause(const struct gpudx_explains *e, const struct gpudx_finding *cause,
		     const struct gpudx_finding *effect)
{
	return cause->host == effect->host && (!e->same_gpu || share_gpu(cause, effect)) &&
	       in_window(e, cause, effect);
}

static int64_t distance(const struct gpudx_finding *a, const struct gpudx_finding *b)
{
	return gpudx_finding_comparable(a, b) ? gap(a, b) : INT64_MAX;
}

/* ---- edges ---- */

static void describe(const struct gpudx_explains *e, const struct gpudx_finding *cause,
		     const struct gpudx_finding *effect, struct gpudx_buf *b)
{
	int64_t after;

	gpudx_buf_str(b, e->same_gpu ? "same GPU" : "same host");
	if (!gpudx_finding_comparable(cause, effect)) {
		gpudx_buf_str(b,
			      e->window == GPUDX_WINDOW_OVERLAP ? ", one of them always so" : "");
		return;
	}
	after = (effect->t0_us - cause->t0_us) / GPUDX_SECOND;
	if (gap(cause, effect) <= slack_us)
		gpudx_buf_str(b, ", at the same time");
	else
		gpudx_buf_printf(b, ", %" PRId64 " s %s", after < 0 ? -after : after,
				 after < 0 ? "earlier" : "later");
}

static enum gpudx_status add_edge(struct maker *m, const struct gpudx_explains *e, size_t cause,
				  size_t effect)
{
	const struct gpudx_finding *list = m->findings->list;
	struct gpudx_buf why = { .max = 200 };
	struct gpudx_edge *bigger;
	enum gpudx_status rc;

	if (m->graph->nedges == m->room) {
		m->room = m->room ? m->room * 2 : 64;
		bigger = gpudx_arena_array(m->arena, m->room, sizeof(*bigger));
		if (!bigger)
			return no_memory(m->err);
		if (m->graph->nedges)
			memcpy(bigger, m->graph->edge, m->graph->nedges * sizeof(*bigger));
		m->graph->edge = bigger;
	}
	m->graph->edge[m->graph->nedges++] = (struct gpudx_edge){ cause, effect };
	describe(e, &list[cause], &list[effect], &why);
	sqlite3_bind_int64(m->insert, 1, list[cause].id);
	sqlite3_bind_int64(m->insert, 2, list[effect].id);
	gpudx_bind_text(m->insert, 3, sv_n(gpudx_buf_cstr(&why), why.n));
	rc = gpudx_db_run(m->insert, m->err);
	gpudx_buf_free(&why);
	return rc;
}

/* The nearest cause of one effect among the findings of one rule. */
static enum gpudx_status explain_one(struct maker *m, const struct gpudx_rule *rule,
				     struct span causes, size_t effect)
{
	const struct gpudx_finding *list = m->findings->list;
	const struct gpudx_explains *by = NULL;
	size_t best = 0;

	for (unsigned k = 0; k < rule->nexplains && !by; k++) {
		const struct gpudx_explains *e = &rule->explains[k];

		if (!gpudx_rule_matches(e->id, list[effect].rule->id))
			continue;
		for (size_t i = causes.from; i < causes.to; i++)
			if (is_cause(e, &list[i], &list[effect]) &&
			    (!by || distance(&list[i], &list[effect]) <
					    distance(&list[best], &list[effect]))) {
				by = e;
				best = i;
			}
	}
	return by ? add_edge(m, by, best, effect) : GPUDX_OK;
}

static enum gpudx_status explain_all(struct maker *m, struct span causes)
{
	const struct gpudx_finding *list = m->findings->list;
	const struct gpudx_rule *rule = list[causes.from].rule;
	enum gpudx_status rc = GPUDX_OK;

	for (size_t i = 0; rule->nexplains && i < m->findings->n && !rc; i++)
		if (list[i].rule != rule)
			rc = explain_one(m, rule, causes, i);
	return rc;
}

static int compare_edges(const void *pa, const void *pb)
{
	const struct gpudx_edge *a = pa, *b = pb;

	if (a->cause != b->cause)
		return a->cause < b->cause ? -1 : 1;
	return (a->effect > b->effect) - (a->effect < b->effect);
}

static enum gpudx_status make_edges(struct maker *m)
{
	const struct gpudx_findings *f = m->findings;
	enum gpudx_status rc = GPUDX_OK;
	struct span s = { 0, 0 };

	for (; s.from < f->n && !rc; s.from = s.to) {
		for (s.to = s.from; s.to < f->n && f->list[s.to].rule == f->list[s.from].rule;)
			s.to++;
		rc = explain_all(m, s);
	}
	if (m->graph->nedges)
		qsort(m->graph->edge, m->graph->nedges, sizeof(*m->graph->edge), compare_edges);
	return rc;
}

/* ---- roots ---- */

/* A walk down from one root; seen[i] is the root + 1 that last came by. */
struct walk {
	const struct gpudx_findings *findings;
	const struct gpudx_graph *graph;
	size_t *seen, *stack, depth;
};

/* The first edge of a cause, or of the next one that has any. */
static size_t first_edge(const struct gpudx_graph *g, size_t cause)
{
	size_t lo = 0, hi = g->nedges;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (g->edge[mid].cause < cause)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static bool has_symptom(const struct gpudx_finding *f, const struct gpudx_question *q)
{
	return q->symptom && sv_is(sv_str(f->rule->symptom), q->symptom);
}

static bool is_effect(const struct gpudx_finding *f)
{
	return sv_is(sv_str(f->shows), "effect");
}

/* Says how complete the bundle is. It may explain others, but they stay what they are. */
static bool is_about_bundle(const struct gpudx_finding *f)
{
	return sv_starts(sv_str(f->rule->id), "bundle.");
}

static bool is_note(const struct gpudx_finding *f)
{
	return is_about_bundle(f) ||
	       (f->severity == GPUDX_INFO && (!is_effect(f) || sv_is(sv_str(f->kind), "fault")));
}

static void take_in(struct gpudx_root *r, const struct gpudx_finding *f,
		    const struct gpudx_question *q)
{
	r->fits = r->fits || has_symptom(f, q);
	r->at_end = r->at_end || f->at_end;
	r->effect = r->effect || is_effect(f);
	r->carries = r->carries || !is_note(f);
	if (f->severity < r->severity)
		r->severity = f->severity;
}

static void walk_down(struct walk *w, size_t root, const struct gpudx_question *q,
		      struct gpudx_root *out)
{
	const struct gpudx_graph *g = w->graph;

	w->stack[w->depth++] = root;
	w->seen[root] = root + 1;
	while (w->depth) {
		size_t at = w->stack[--w->depth];

		take_in(out, &w->findings->list[at], q);
		for (size_t i = first_edge(g, at); i < g->nedges && g->edge[i].cause == at; i++) {
			size_t effect = g->edge[i].effect;

			if (w->seen[effect] == root + 1)
				continue;
			w->seen[effect] = root + 1;
			w->stack[w->depth++] = effect;
			out->folded++;
		}
	}
}

static int64_t bursts_away(const struct gpudx_finding *f, const struct gpudx_question *q)
{
	struct gpudx_finding at = { .t0_us = q->at_us, .t1_us = q->at_us };

	if (q->at_us == GPUDX_NO_TIME)
		return 0;
	if (!is_dated(f) || f->quality >= GPUDX_BOOT_RELATIVE)
		return INT64_MAX;
	return gap(f, &at) / burst_us;
}

static void add_root(struct maker *m, struct walk *w, size_t i, const struct gpudx_question *q)
{
	const struct gpudx_finding *f = &m->findings->list[i];
	struct gpudx_root *r = &m->graph->root[m->graph->nroots];

	*r = (struct gpudx_root){ .finding = f, .severity = GPUDX_INFO, .away = bursts_away(f, q) };
	walk_down(w, i, q, r);
	m->graph->nroots += r->carries;
}

static int compare_roots(const void *a, const void *b)
{
	const char *why;

	return gpudx_root_compare(a, b, &why);
}

static enum gpudx_status make_roots(struct maker *m, const struct gpudx_question *q)
{
	size_t n = m->findings->n;
	struct walk w = { m->findings, m->graph, NULL, NULL, 0 };
	bool *explained = gpudx_arena_array(m->arena, n + 1, sizeof(*explained));

	w.seen = gpudx_arena_array(m->arena, n + 1, sizeof(*w.seen));
	w.stack = gpudx_arena_array(m->arena, n + 1, sizeof(*w.stack));
	m->graph->root = gpudx_arena_array(m->arena, n + 1, sizeof(*m->graph->root));
	if (!explained || !w.seen || !w.stack || !m->graph->root)
		return no_memory(m->err);
	for (size_t i = 0; i < m->graph->nedges; i++)
		if (!is_about_bundle(&m->findings->list[m->graph->edge[i].cause]))
			explained[m->graph->edge[i].effect] = true;
	for (size_t i = 0; i < n; i++)
		if (!explained[i] && !is_about_bundle(&m->findings->list[i]))
			add_root(m, &w, i, q);
	if (m->graph->nroots)
		qsort(m->graph->root, m->graph->nroots, sizeof(*m->graph->root), compare_roots);
	return GPUDX_OK;
}

static int order(bool less, bool greater, const char *words, const char **why)
{
	*why = words;
	return greater - less;
}

/* Critical, error, and the rest. */
static int serious(const struct gpudx_root *r)
{
	return r->severity < GPUDX_WARNING ? r->severity : GPUDX_WARNING;
}

/* The order of DESIGN section 3, one line a criterion. */
int gpudx_root_compare(const struct gpudx_root *a, const struct gpudx_root *b, const char **why)
{
	const struct gpudx_finding *x = a->finding, *y = b->finding;
	int c;

#define BEFORE(less, greater, words)                           \
	if ((c = order((less), (greater), (words), why)) != 0) \
	return c
	BEFORE(a->fits > b->fits, a->fits < b->fits, "what was complained about");
	BEFORE(a->away<b->away, a->away> b->away, "nearest to the time asked for");
	BEFORE(a->at_end > b->at_end, a->at_end < b->at_end, "still true at the end");
	BEFORE(serious(a) < serious(b), serious(a) > serious(b), "more severe");
	BEFORE(a->effect > b->effect, a->effect < b->effect, "something that was measured");
	BEFORE(a->severity<b->severity, a->severity> b->severity, "more severe");
	BEFORE(a->folded > b->folded, a->folded < b->folded, "the cause of more of the others");
	BEFORE(x->confidence > y->confidence, x->confidence < y->confidence, "surer");
	BEFORE(x->t1_us > y->t1_us, x->t1_us < y->t1_us, "the latest");
	BEFORE(x->id<y->id, x->id> y->id, "first among equals");
#undef BEFORE
	return 0;
}

static enum gpudx_status write_roots(sqlite3 *db, const struct gpudx_scene *scene,
				     const struct gpudx_graph *g, struct gpudx_err *err)
{
	enum gpudx_status rc;
	sqlite3_stmt *st;

	rc = gpudx_db_prepare(db, "INSERT INTO root(bundle_id, rank, finding_id) VALUES(?,?,?)",
			      &st, err);
	for (size_t i = 0; i < g->nroots && !rc; i++) {
		sqlite3_bind_int64(st, 1, scene->bundle);
		sqlite3_bind_int64(st, 2, (int64_t)i + 1);
		sqlite3_bind_int64(st, 3, g->root[i].finding->id);
		rc = gpudx_db_run(st, err);
	}
	sqlite3_finalize(st);
	return rc;
}

enum gpudx_status gpudx_graph_make(sqlite3 *db, const struct gpudx_scene *scene,
				   const struct gpudx_findings *findings,
				   const struct gpudx_question *q, struct gpudx_arena *a,
				   struct gpudx_graph *out, struct gpudx_err *err)
{
	struct maker m = { .findings = findings, .arena = a, .graph = out, .err = err };
	enum gpudx_status rc;

	*out = (struct gpudx_graph){ 0 };
	rc = gpudx_db_prepare(db,
			      "INSERT INTO finding_edge(cause_id, effect_id, why) VALUES(?,?,?)",
			      &m.insert, err);
	if (!rc)
		rc = make_edges(&m);
	sqlite3_finalize(m.insert);
	if (!rc)
		rc = make_roots(&m, q);
	return rc ? rc : write_roots(db, scene, out, err);
}
