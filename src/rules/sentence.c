#include "rules/sentence.h"

#include "rules/fill.h"
#include "store/store.h"

enum { SENTENCE_MAX = 64 << 10 };

struct writer {
	const struct gpudx_scene *scene;
	const struct gpudx_finding *finding;
	sqlite3_stmt *attr, *update;
	struct gpudx_err *err;
	enum gpudx_status rc; /* of reading while a template is filled */
};

static bool fill_gpus(const struct writer *w, struct gpudx_buf *b)
{
	const struct gpudx_finding *f = w->finding;
	size_t at = b->n;

	gpudx_scene_gpus_text(w->scene, f->host, f->gpus, f->ngpus, b);
	if (at == 0 && b->n && b->p[0] >= 'a' && b->p[0] <= 'z') /* it begins the sentence */
		b->p[0] = (char)(b->p[0] - 'a' + 'A');
	return true;
}

static bool fill_time(const struct writer *w, int64_t t_us, struct gpudx_buf *b)
{
	if (t_us == GPUDX_NO_TIME)
		return false;
	gpudx_fill_time(b, t_us, w->finding->quality);
	return true;
}

static bool fill_attr(struct writer *w, struct gpudx_sv name, struct gpudx_buf *b)
{
	bool row = false;

	sqlite3_reset(w->attr);
	sqlite3_bind_int64(w->attr, 1, w->finding->id);
	gpudx_bind_text(w->attr, 2, name);
	if (!w->rc)
		w->rc = gpudx_db_step(w->attr, &row, w->err);
	if (!row || sqlite3_column_type(w->attr, 0) == SQLITE_NULL)
		return false;
	if (sv_ends(name, "_us") && sqlite3_column_type(w->attr, 1) != SQLITE_NULL)
		return fill_time(w, sqlite3_column_int64(w->attr, 1), b);
	gpudx_fill_text(b, gpudx_col_text(w->attr, 0));
	return true;
}

static bool fill_name(void *arg, struct gpudx_sv name, struct gpudx_buf *b)
{
	struct writer *w = arg;

	if (sv_is(name, "gpu"))
		return fill_gpus(w, b);
	if (sv_is(name, "host")) {
		gpudx_fill_text(b, sv_str(gpudx_scene_host(w->scene, w->finding->host)->name));
		return true;
	}
	if (sv_is(name, "t0_us"))
		return fill_time(w, w->finding->t0_us, b);
	if (sv_is(name, "t1_us"))
		return fill_time(w, w->finding->t1_us, b);
	return fill_attr(w, name, b);
}

static enum gpudx_status write_sentences(struct writer *w)
{
	static const enum gpudx_rule_key keys[] = { GPUDX_K_SUMMARY, GPUDX_K_MEANING,
						    GPUDX_K_REMEDY };

	for (int i = 0; i < 3; i++) {
		struct gpudx_buf b = { .max = SENTENCE_MAX };

		gpudx_fill(&b, sv_str(w->finding->rule->value[keys[i]]), fill_name, w);
		gpudx_bind_text(w->update, i + 1, sv_n(gpudx_buf_cstr(&b), b.n));
		gpudx_buf_free(&b);
	}
	sqlite3_bind_int64(w->update, 4, w->finding->id);
	return w->rc ? w->rc : gpudx_db_run(w->update, w->err);
}

enum gpudx_status gpudx_sentences(sqlite3 *db, const struct gpudx_scene *scene,
				  const struct gpudx_findings *findings, struct gpudx_err *err)
{
	struct writer w = { .scene = scene, .err = err };
	enum gpudx_status rc;

	rc = gpudx_db_prepare(db,
			      "SELECT value, num FROM finding_attr"
			      " WHERE finding_id = ?1 AND name = ?2",
			      &w.attr, err);
	if (!rc)
		rc = gpudx_db_prepare(
			db,
			"UPDATE finding SET summary = ?1 || coalesce((SELECT '; meant so: ' ||"
			" value FROM finding_attr WHERE finding_id = ?4 AND name = 'meant'), ''),"
			" meaning = ?2, remedy = ?3 WHERE id = ?4",
			&w.update, err);
	for (size_t i = 0; i < findings->n && !rc; i++) {
		w.finding = &findings->list[i];
		rc = write_sentences(&w);
	}
	sqlite3_finalize(w.attr);
	sqlite3_finalize(w.update);
	return rc;
}
