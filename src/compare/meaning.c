/* Columns that do not mean the same on both sides: because the driver's branch gave them another
 * meaning, or because a relative stood in where a trace lacks the usual column. What each of them was
 * and whether it can be compared all the same is in kb_column_meaning. */
#include "compare/compare.h"

#include <math.h>

#include "compare/list.h"
#include "store/query.h"

struct meaning {
	const char *column, *before, *after, *told_by;
	double since, same_from;
};

struct translating {
	struct gpudx_comparison *c;
	struct gpudx_err *err;
};

/* "550.54.14" -> 550; 0 unknown. */
static uint64_t branch(const struct cmp_side *s)
{
	for (size_t i = 0; i < s->nterms; i++) {
		struct gpudx_sv v = sv_str(s->terms[i].value);
		uint64_t n;

		if (strcmp(s->terms[i].key, "driver.version") == 0 && sv_u64(&v, &n))
			return n;
	}
	return 0;
}

bool gpudx_refused(const struct gpudx_comparison *c, const char *column)
{
	for (size_t i = 0; i < c->nrefused; i++)
		if (strcmp(c->refused[i], column) == 0)
			return true;
	return false;
}

/* The change of a refused key is none that could be told. */
static void drop_change(struct gpudx_comparison *c, const char *key)
{
	size_t kept = 0;

	for (size_t i = 0; i < c->nchanges; i++)
		if (strcmp(c->changes[i].key, key) != 0)
			c->changes[kept++] = c->changes[i];
	c->nchanges = kept;
}

static enum gpudx_status refuse(struct translating *t, const struct meaning *m, const char *text)
{
	struct gpudx_comparison *c = t->c;
	const char **why = CMP_PUSH(&c->arena, c->untranslated, c->nuntranslated);
	const char **which = CMP_PUSH(&c->arena, c->refused, c->nrefused);

	if (!why || !which || !text)
		return gpudx_nomem(t->err);
	*why = text;
	*which = m->column;
	drop_change(c, m->column);
	return GPUDX_OK;
}

/* ---- by branch ---- */

static enum gpudx_status by_branch(struct translating *t, const struct meaning *m)
{
	double from = (double)branch(&t->c->side[CMP_BEFORE]);
	double to = (double)branch(&t->c->side[CMP_AFTER]);

	if (from <= 0 || to <= 0 || (from < m->since) == (to < m->since))
		return GPUDX_OK;
	return refuse(t, m,
		      gpudx_arena_printf(&t->c->arena,
					 "%s before driver %.0f, %s since: not compared", m->before,
					 m->since, m->after));
}

/* ---- by the column that stood in ---- */

enum word { USUAL, STAND_IN, BOTH };

/* Which of the two the sources of a side have that state the column at all. */
static enum gpudx_status word_of(struct translating *t, const struct meaning *m, int side,
				 enum word *out)
{
	static const char sql[] =
		"SELECT count(*), sum(EXISTS (SELECT 1 FROM fact f WHERE f.source_id = s.id"
		"  AND f.key = ?1)) FROM source s WHERE CASE WHEN ?2 GLOB 'sample.*'"
		" THEN EXISTS (SELECT 1 FROM gpu_ref r WHERE r.source_id = s.id AND r.samples > 0)"
		" ELSE EXISTS (SELECT 1 FROM fact x WHERE x.source_id = s.id AND x.key = ?2) END";
	sqlite3_stmt *st;
	bool row;
	enum gpudx_status rc = gpudx_db_prepare(t->c->side[side].db, sql, &st, t->err);

	if (rc)
		return rc;
	gpudx_bind_text(st, 1, sv_str(m->told_by));
	gpudx_bind_text(st, 2, sv_str(m->column));
	rc = gpudx_db_step(st, &row, t->err);
	if (!rc && row) {
		int64_t n = gpudx_col_int(st, 0, 0), told = gpudx_col_int(st, 1, 0);

		*out = !told ? USUAL : told == n ? STAND_IN : BOTH;
	}
	sqlite3_finalize(st);
	return rc;
}

/* All GPUs of the pairs are of a compute capability from which on both columns say the same. */
static bool same_on_all(const struct translating *t, double from)
{
	const struct gpudx_comparison *c = t->c;

	for (size_t p = 0; p < c->npairs; p++)
		for (int s = 0; s < CMP_SIDES; s++)
			if (!(c->side[s].gpus[c->pairs[p].gpu[s]].compute_cap >= from))
				return false;
	return c->npairs > 0;
}

/* A limit in force is the one that was asked for, or lower: where that alone tells which way it moved
 * it may be told. */
static bool moved_all_the_same(const struct gpudx_comparison *c, const struct meaning *m,
			       const enum word w[CMP_SIDES])
{
	const struct cmp_change *k = gpudx_change_of(c, m->column);

	if (!k || strcmp(m->column, "power.limit_w") != 0)
		return false;
	return w[CMP_BEFORE] == STAND_IN && w[CMP_AFTER] == USUAL   ? k->num[1] > k->num[0]
	       : w[CMP_BEFORE] == USUAL && w[CMP_AFTER] == STAND_IN ? k->num[1] < k->num[0]
								    : false;
}

static enum gpudx_status by_column(struct translating *t, const struct meaning *m)
{
	enum word w[CMP_SIDES] = { USUAL, USUAL };
	const char *names[] = { [USUAL] = m->before, [STAND_IN] = m->after, [BOTH] = "both" };
	enum gpudx_status rc = GPUDX_OK;

	for (int s = 0; s < CMP_SIDES && !rc; s++)
		rc = word_of(t, m, s, &w[s]);
	if (rc || w[0] == w[1] || (m->same_from > 0 && same_on_all(t, m->same_from)) ||
	    moved_all_the_same(t->c, m, w))
		return rc;
	return refuse(t, m,
		      gpudx_arena_printf(&t->c->arena, "%s before, %s after: not compared",
					 names[w[0]], names[w[1]]));
}

/* ---- all ---- */

static enum gpudx_status translate(void *arg, sqlite3_stmt *st, struct gpudx_err *err)
{
	struct translating *t = arg;
	struct gpudx_arena *a = &t->c->arena;
	struct meaning m = { .column = gpudx_cmp_text(a, st, 0),
			     .since = gpudx_col_real(st, 1),
			     .before = gpudx_cmp_text(a, st, 2),
			     .after = gpudx_cmp_text(a, st, 3),
			     .told_by = gpudx_cmp_text(a, st, 4),
			     .same_from = gpudx_col_real(st, 5) };

	if (!m.column || !m.before || !m.after)
		return gpudx_nomem(err);
	return m.told_by ? by_column(t, &m) : by_branch(t, &m);
}

enum gpudx_status gpudx_meanings(struct gpudx_comparison *c, struct gpudx_err *err)
{
	struct translating t = { .c = c, .err = err };

	return gpudx_query_each(c->side[CMP_AFTER].db,
				"SELECT column, since, before, after, told_by, same_from"
				" FROM kb_column_meaning WHERE do = 'refuse' ORDER BY rowid",
				0, translate, &t, err);
}
