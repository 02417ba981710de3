/* The contract between machine and GPUs: what each source said last of driver, firmware, limits,
 * modes and links. */
#include "report/model.h"

#include "report/select.h"

/* The registry says which facts belong to the contract; without it all do. */
static const char with_registry[] =
	"SELECT c.host_id, c.gpu_id, c.key, c.layer, c.value,"
	" CASE WHEN k.type = 'num' THEN c.num END, c.unit, c.state, c.line_id, s.path, k.meaning"
	" FROM contract c JOIN host h ON h.id = c.host_id JOIN kb_fact_keys k ON k.key = c.key"
	" LEFT JOIN source s ON s.id = c.line_id >> 32"
	" WHERE h.bundle_id = ?1 AND k.contract = 'yes'"
	" ORDER BY c.key, c.host_id, c.gpu_id IS NOT NULL, c.gpu_id,"
	" c.layer = 'container', c.layer, c.line_id";
static const char without_registry[] =
	"SELECT c.host_id, c.gpu_id, c.key, c.layer, c.value, c.num, c.unit, c.state, c.line_id, "
	"s.path, NULL"
	" FROM contract c JOIN host h ON h.id = c.host_id"
	" LEFT JOIN source s ON s.id = c.line_id >> 32 WHERE h.bundle_id = ?1"
	" ORDER BY c.key, c.host_id, c.gpu_id IS NOT NULL, c.gpu_id, c.layer, c.line_id";

static struct rep_term *term_at(struct rep_model *m, struct rep_select *q)
{
	const struct rep_host *host = gpudx_model_host(m, gpudx_col_int(q->st, 0, 0));
	struct gpudx_sv key = gpudx_col_text(q->st, 2);
	struct rep_term *t = m->nterms ? &m->terms[m->nterms - 1] : NULL;

	if (t && t->host == host && sv_eq(t->key, key))
		return t;
	t = gpudx_report_grow(m->arena, m->terms, m->nterms, sizeof(*t));
	if (!t)
		return NULL;
	m->terms = t;
	t += m->nterms++;
	*t = (struct rep_term){ .host = host,
				.key = gpudx_select_text(q, m->arena, 2),
				.meaning = gpudx_select_text(q, m->arena, 10) };
	return t;
}

static bool add_value(struct rep_model *m, struct rep_term *t, struct rep_select *q)
{
	struct rep_value *v = gpudx_report_grow(m->arena, t->values, t->nvalues, sizeof(*v));

	if (!v)
		return false;
	t->values = v;
	v += t->nvalues++;
	v->gpu = gpudx_model_gpu(m, gpudx_col_int(q->st, 1, -1));
	v->layer = gpudx_select_text(q, m->arena, 3);
	v->text = gpudx_select_text(q, m->arena, 4);
	v->is_num = sqlite3_column_type(q->st, 5) != SQLITE_NULL;
	v->num = gpudx_col_real(q->st, 5);
	v->unit = gpudx_select_text(q, m->arena, 6);
	v->path = gpudx_select_text(q, m->arena, 9);
	v->line = rep_line_number(gpudx_col_int(q->st, 8, 0));
	v->state = gpudx_select_text(q, m->arena, 7);
	return true;
}

enum gpudx_status gpudx_model_contract(struct rep_model *m, struct gpudx_err *err)
{
	bool registry = gpudx_db_has(m->db, "kb_fact_keys", NULL);
	struct rep_select q =
		gpudx_select(m->db, registry ? with_registry : without_registry, m->bundle, err);

	while (gpudx_select_next(&q)) {
		struct rep_term *t = term_at(m, &q);

		if (!t || !add_value(m, t, &q))
			return gpudx_select_end(&q), gpudx_nomem(err);
	}
	return gpudx_select_end(&q);
}
