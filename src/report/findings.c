/* Findings, whom they concern and what explains what. */
#include "report/model.h"

#include "report/select.h"
#include "report/words.h"

/* Where there are more than a report may hold, each rule is heard: its worst first, then the second
 * of each. */
#define WORST                                                                                 \
	" r.rank IS NULL, r.rank, CASE f.severity WHEN 'critical' THEN 0 WHEN 'error' THEN 1" \
	" WHEN 'warning' THEN 2 ELSE 3 END, f.id"
static const char findings_sql[] =
	"WITH nth(id, n, at) AS (SELECT f.id, row_number() OVER (PARTITION BY f.rule ORDER BY" WORST
	"), row_number() OVER (ORDER BY" WORST ") FROM finding f"
	" LEFT JOIN root r ON r.bundle_id = f.bundle_id AND r.finding_id = f.id"
	" WHERE f.bundle_id = ?1), kept(id) AS (SELECT id FROM nth ORDER BY n, at LIMIT 1000)"
	" SELECT f.id, r.rank, f.severity, f.confidence, f.rule, u.title, f.kind, f.symptom, "
	"f.points, f.shows, f.state,"
	" f.action, f.t_quality, f.summary, f.meaning, f.remedy, f.settle, f.t0_us, f.t1_us, "
	"f.more_lines, f.host_id"
	" FROM finding f LEFT JOIN root r ON r.bundle_id = f.bundle_id AND r.finding_id = f.id"
	" LEFT JOIN rule u ON u.id = f.rule WHERE f.id IN kept ORDER BY" WORST;
_Static_assert(REP_FINDINGS == 1000, "is the LIMIT above");

static void fill_finding(struct rep_finding *f, const struct rep_model *m, struct rep_select *q)
{
	struct gpudx_sv *const texts[] = { &f->rule,	&f->title,   &f->kind,	  &f->symptom,
					   &f->points,	&f->shows,   &f->state,	  &f->action,
					   &f->quality, &f->summary, &f->meaning, &f->remedy,
					   &f->settle };
	sqlite3_stmt *st = q->st;

	f->id = gpudx_col_int(st, 0, 0);
	f->rank = gpudx_col_int(st, 1, 0);
	f->severity = gpudx_word_severity(gpudx_col_text(st, 2));
	f->confidence = gpudx_col_real(st, 3);
	for (int i = 0; i < (int)(sizeof(texts) / sizeof(texts[0])); i++)
		*texts[i] = gpudx_select_text(q, m->arena, 4 + i);
	f->span = (struct rep_span){ gpudx_col_time(st, 17), gpudx_col_time(st, 18),
				     gpudx_model_quality(f->quality) };
	f->more_lines = gpudx_col_int(st, 19, 0);
	f->host = gpudx_model_host(m, gpudx_col_int(st, 20, 0));
}

static enum gpudx_status load_findings(struct rep_model *m, struct gpudx_err *err)
{
	struct rep_select q = gpudx_select(m->db, findings_sql, m->bundle, err);

	while (m->nfindings < REP_FINDINGS && gpudx_select_next(&q)) {
		struct rep_finding *f =
			gpudx_report_grow(m->arena, m->findings, m->nfindings, sizeof(*f));

		if (!f)
			return gpudx_select_end(&q), gpudx_nomem(err);
		m->findings = f;
		fill_finding(&f[m->nfindings], m, &q);
		m->nroots += f[m->nfindings].rank > 0;
		m->nfindings++;
	}
	return gpudx_select_end(&q);
}

static enum gpudx_status load_gpus_of(struct rep_model *m, struct gpudx_err *err)
{
	struct rep_select q = gpudx_select(m->db,
					   "SELECT DISTINCT fg.finding_id, fg.gpu_id FROM "
					   "finding_gpu fg JOIN finding f ON f.id = fg.finding_id"
					   " WHERE f.bundle_id = ?1 ORDER BY fg.finding_id",
					   m->bundle, err);

	while (gpudx_select_next(&q)) {
		struct rep_finding *f = gpudx_model_finding(m, gpudx_col_int(q.st, 0, 0));
		const struct rep_gpu *g = gpudx_model_gpu(m, gpudx_col_int(q.st, 1, 0));
		const struct rep_gpu **all;

		if (!f || !g)
			continue;
		all = gpudx_report_grow(m->arena, f->gpus, f->ngpus, sizeof(struct rep_gpu *));
		if (!all)
			return gpudx_select_end(&q), gpudx_nomem(err);
		f->gpus = all;
		f->gpus[f->ngpus++] = g;
	}
	return gpudx_select_end(&q);
}

/* GPUs stand in the order of the model, so that a list of eight reads 0 to 7. */
static void order_gpus(struct rep_finding *f)
{
	for (size_t i = 1; i < f->ngpus; i++)
		for (size_t k = i; k && f->gpus[k] < f->gpus[k - 1]; k--) {
			const struct rep_gpu *g = f->gpus[k];

			f->gpus[k] = f->gpus[k - 1];
			f->gpus[k - 1] = g;
		}
}

static bool append(struct gpudx_arena *arena, const struct rep_finding ***list, size_t *n,
		   const struct rep_finding *f)
{
	const struct rep_finding **more =
		gpudx_report_grow(arena, *list, *n, sizeof(const struct rep_finding *));

	if (!more)
		return false;
	*list = more;
	more[(*n)++] = f;
	return true;
}

static enum gpudx_status load_edges(struct rep_model *m, struct gpudx_err *err)
{
	struct rep_select q =
		gpudx_select(m->db,
			     "SELECT e.cause_id, e.effect_id, e.why FROM finding_edge "
			     "e JOIN finding f ON f.id = e.cause_id"
			     " WHERE f.bundle_id = ?1 ORDER BY e.cause_id, e.effect_id",
			     m->bundle, err);

	while (gpudx_select_next(&q)) {
		struct rep_finding *cause = gpudx_model_finding(m, gpudx_col_int(q.st, 0, 0));
		struct rep_finding *effect = gpudx_model_finding(m, gpudx_col_int(q.st, 1, 0));

		if (!cause || !effect || cause == effect)
			continue;
		if (!effect->cause) {
			effect->cause = cause;
			effect->why = gpudx_select_text(&q, m->arena, 2);
		}
		if (!append(m->arena, &cause->effects, &cause->neffects, effect))
			return gpudx_select_end(&q), gpudx_nomem(err);
	}
	return gpudx_select_end(&q);
}

/* All that follows from a root, breadth first. A finding belongs to the first root that reaches
 * it, so a cycle in a foreign database ends, too. */
static bool fold(struct rep_model *m, struct rep_finding *root)
{
	const struct rep_finding *at = root;

	for (size_t next = 0; at; at = next < root->nfolded ? root->folded[next++] : NULL)
		for (size_t i = 0; i < at->neffects; i++) {
			struct rep_finding *e = &m->findings[at->effects[i] - m->findings];

			if (e == root || e->root || e->rank)
				continue;
			e->root = root;
			if (!append(m->arena, &root->folded, &root->nfolded, e))
				return false;
		}
	return true;
}

enum gpudx_status gpudx_model_findings(struct rep_model *m, struct gpudx_err *err)
{
	enum gpudx_status rc = load_findings(m, err);

	if (!rc)
		rc = load_gpus_of(m, err);
	if (!rc)
		rc = load_edges(m, err);
	if (rc)
		return rc;
	for (size_t i = 0; i < m->nfindings; i++)
		order_gpus(&m->findings[i]);
	for (size_t i = 0; i < m->nroots; i++)
		if (!fold(m, &m->findings[i]))
			return gpudx_nomem(err);
	return GPUDX_OK;
}
