/* Incidents of both sides over the time that whole logs cover, kind by kind. An incident is what
 * derive made of all lines that belong together; incidents at times that no whole log covers do
 * not count. The test is exact and conditional (poisson.h). */
#include "compare/compare.h"

#include <math.h>

#include "base/stamp.h"
#include "compare/list.h"
#include "derive/poisson.h"
#include "derive/span.h"
#include "store/store.h"

/* Of all tests of one comparison together; shift.c has the rest of 5 %. */
static const double family_alpha = 0.01;

/* Seven before and three times as many after, over equal exposures, have p = 0.006. */
static const double events_needed = 7;

struct incident {
	const char *kind;
	int64_t code, t_us; /* code -1 none */
	int host_no;
	const char *place;
};

struct watch {
	const char *what; /* "log.KIND" */
	int host_no;
	struct gpudx_span span;
};

struct rating {
	struct gpudx_comparison *c;
	struct incident *incidents[CMP_SIDES];
	struct watch *watches[CMP_SIDES];
	size_t nincidents[CMP_SIDES], nwatches[CMP_SIDES];
	struct gpudx_arena scratch;
	struct gpudx_err *err;
};

static bool dated_within(const struct cmp_side *s, int64_t t_us)
{
	return t_us != GPUDX_NO_TIME && t_us >= s->from_us && t_us <= s->to_us;
}

/* ---- reading ---- */

/* Two bundles of one machine may hold the same log: what is equal in all that is known is one. */
static enum gpudx_status read_incidents(struct rating *r, int side)
{
	static const char sql[] =
		"SELECT i.kind, i.code, CASE WHEN i.t_quality IN ('exact', 'aligned', "
		"'zone_assumed') THEN i.t0_us END, min(i.host_id),"
		" s.path || ':' || (min(e.line_id) & 4294967295)"
		" FROM incident i JOIN event e ON e.id = i.root_event JOIN host h ON h.id = "
		"i.host_id"
		" LEFT JOIN gpu g ON g.id = i.gpu_id LEFT JOIN source s ON s.id = e.line_id >> 32"
		" GROUP BY i.kind, i.code, h.name, g.bdf, coalesce(i.t0_us, -i.id), i.t_quality"
		" ORDER BY i.kind, i.code, 3, min(i.id)";
	const struct cmp_side *s = &r->c->side[side];
	sqlite3_stmt *st;
	bool row;
	enum gpudx_status rc = gpudx_db_prepare(s->db, sql, &st, r->err);

	if (rc)
		return rc;
	while (!(rc = gpudx_db_step(st, &row, r->err)) && row) {
		struct incident *i =
			CMP_PUSH(&r->c->arena, r->incidents[side], r->nincidents[side]);

		if (!i) {
			rc = gpudx_nomem(r->err);
			break;
		}
		*i = (struct incident){ .kind = gpudx_cmp_text(&r->c->arena, st, 0),
					.code = gpudx_col_int(st, 1, -1),
					.t_us = gpudx_col_time(st, 2),
					.host_no = cmp_host_of(s, gpudx_col_int(st, 3, 0)),
					.place = gpudx_cmp_text(&r->c->arena, st, 4) };
		if (!i->kind) {
			rc = gpudx_nomem(r->err);
			break;
		}
	}
	sqlite3_finalize(st);
	return rc;
}

static enum gpudx_status read_watches(struct rating *r, int side)
{
	static const char sql[] =
		"SELECT c.what, c.host_id, c.from_us, c.to_us FROM coverage c"
		" LEFT JOIN source s ON s.id = c.source_id LEFT JOIN clock k ON k.id = s.clock_id"
		" WHERE c.what LIKE 'log.%' AND c.whole = 1 AND c.from_us < c.to_us"
		" AND (k.id IS NULL OR k.quality IN ('exact', 'aligned', 'zone_assumed'))"
		" AND c.gpu_id IS NULL";
	const struct cmp_side *s = &r->c->side[side];
	sqlite3_stmt *st;
	bool row;
	enum gpudx_status rc = gpudx_db_prepare(s->db, sql, &st, r->err);

	if (rc)
		return rc;
	while (!(rc = gpudx_db_step(st, &row, r->err)) && row) {
		struct watch *w = CMP_PUSH(&r->c->arena, r->watches[side], r->nwatches[side]);

		if (!w) {
			rc = gpudx_nomem(r->err);
			break;
		}
		*w = (struct watch){ .what = gpudx_cmp_text(&r->c->arena, st, 0),
				     .host_no = cmp_host_of(s, gpudx_col_int(st, 1, 0)),
				     .span = { gpudx_col_int(st, 2, 0), gpudx_col_int(st, 3, 0) } };
		if (!w->what) {
			rc = gpudx_nomem(r->err);
			break;
		}
	}
	sqlite3_finalize(st);
	return rc;
}

/* ---- exposure ---- */

static size_t gpus_of(const struct cmp_side *s, int host)
{
	size_t n = 0;

	for (size_t i = 0; i < s->ngpus; i++)
		n += s->gpus[i].host_no == host;
	return n;
}

/* Adds the exposure of one machine to a rate, and counts its incidents within. */
static enum gpudx_status expose(struct rating *r, struct cmp_rate *v, int side, int host)
{
	const struct cmp_side *s = &r->c->side[side];
	struct gpudx_span *spans =
		gpudx_arena_array(&r->scratch, r->nwatches[side] + 1, sizeof(*spans));
	size_t n = 0, gpus = gpus_of(s, host);
	double hours;

	if (!spans)
		return gpudx_nomem(r->err);
	for (size_t i = 0; i < r->nwatches[side]; i++) {
		const struct watch *w = &r->watches[side][i];

		if (w->host_no == host && strcmp(w->what + 4, v->kind) == 0)
			spans[n++] = w->span;
	}
	n = gpudx_spans_join(spans, n);
	hours = gpudx_spans_hours(spans, n, (struct gpudx_span){ s->from_us, s->to_us });
	v->watched[side] |= hours > 0;
	v->hours[side] += hours * (v->of_gpus && gpus ? (double)gpus : 1);
	for (size_t i = 0; i < r->nincidents[side]; i++) {
		const struct incident *k = &r->incidents[side][i];

		if (k->host_no != host || strcmp(k->kind, v->kind) != 0 ||
		    (v->code >= 0 && k->code != v->code) || !dated_within(s, k->t_us) ||
		    !gpudx_spans_cover(spans, n, k->t_us))
			continue;
		v->n[side]++;
		if (side == CMP_AFTER && !v->place)
			v->place = k->place;
	}
	gpudx_arena_reset(&r->scratch);
	return GPUDX_OK;
}

static void test(struct cmp_rate *v)
{
	struct gpudx_rate_ratio t = gpudx_rate_compare(v->n[0], v->hours[0], v->n[1], v->hours[1]);
	double hours = v->hours[0] + v->hours[1];
	double rate = ((double)(v->n[0] + v->n[1]) + 0.5) / hours;

	v->ratio = t.ratio;
	v->lo = t.lo;
	v->hi = t.hi;
	v->p = t.p;
	v->hours_needed = NAN;
	if (v->hours[0] > 0 && v->hours[1] > 0 &&
	    fmin(v->hours[0], v->hours[1]) < events_needed / rate)
		v->hours_needed = events_needed / rate;
}

/* ---- kinds ---- */

static bool known(const struct gpudx_comparison *c, const char *kind, int64_t code)
{
	for (size_t i = 0; i < c->nrates; i++)
		if (strcmp(c->rates[i].kind, kind) == 0 && c->rates[i].code == code)
			return true;
	return false;
}

static enum gpudx_status add_rate(struct rating *r, const char *kind, int64_t code, bool of_gpus)
{
	struct gpudx_comparison *c = r->c;
	struct cmp_rate *v;
	enum gpudx_status rc = GPUDX_OK;

	if (known(c, kind, code))
		return GPUDX_OK;
	v = CMP_PUSH(&c->arena, c->rates, c->nrates);
	if (!v)
		return gpudx_nomem(r->err);
	*v = (struct cmp_rate){ .kind = kind, .code = code, .of_gpus = of_gpus };
	for (int s = 0; s < CMP_SIDES; s++)
		for (size_t h = 0; h < c->side[s].nhosts && !rc; h++)
			rc = expose(r, v, s, (int)h);
	test(v);
	return rc;
}

/* "xid.31" asks for xid. */
static bool asked_for(const struct gpudx_comparison *c, const char *kind)
{
	size_t n = strlen(kind);

	for (size_t i = 0; i < c->options.nno_new; i++) {
		const char *asked = c->options.no_new[i];

		if (strncmp(asked, kind, n) == 0 && (!asked[n] || asked[n] == '.'))
			return true;
	}
	return strcmp(kind, "xid") == 0;
}

/* Kinds that a side has incidents of or that the gate asks for; xid always, because its absence is
 * news, too. */
static enum gpudx_status add_rates(struct rating *r)
{
	static const char sql[] = "SELECT kind, scope = 'gpu' FROM kb_event_kinds WHERE incident = "
				  "'yes' ORDER BY kind <> 'xid', rowid";
	struct gpudx_comparison *c = r->c;
	sqlite3_stmt *st;
	bool row;
	enum gpudx_status rc = gpudx_db_prepare(c->side[CMP_AFTER].db, sql, &st, r->err);

	if (rc)
		return rc;
	while (!(rc = gpudx_db_step(st, &row, r->err)) && row) {
		const char *kind = gpudx_cmp_text(&c->arena, st, 0);
		bool of_gpus = sqlite3_column_int(st, 1) != 0;

		if (!kind) {
			rc = gpudx_nomem(r->err);
			break;
		}
		if (asked_for(c, kind))
			rc = add_rate(r, kind, -1, of_gpus);
		for (int s = 0; s < CMP_SIDES && !rc; s++)
			for (size_t i = 0; i < r->nincidents[s] && !rc; i++) {
				if (strcmp(r->incidents[s][i].kind, kind) != 0)
					continue;
				rc = add_rate(r, kind, -1, of_gpus);
				if (!rc && r->incidents[s][i].code >= 0)
					rc = add_rate(r, kind, r->incidents[s][i].code, of_gpus);
			}
		if (rc)
			break;
	}
	sqlite3_finalize(st);
	return rc;
}

/* Bonferroni over what can say anything. */
static void judge(struct gpudx_comparison *c)
{
	size_t family = 0;

	for (size_t i = 0; i < c->nrates; i++)
		family += c->rates[i].n[0] + c->rates[i].n[1] > 0;
	for (size_t i = 0; i < c->nrates; i++)
		c->rates[i].sure = c->rates[i].n[1] > 0 && c->rates[i].hours[0] > 0 &&
				   c->rates[i].p <= family_alpha / (double)family;
}

/* ---- new kinds ---- */

static bool had(const struct rating *r, const struct incident *k)
{
	const struct cmp_side *s = &r->c->side[CMP_BEFORE];

	for (size_t i = 0; i < r->nincidents[CMP_BEFORE]; i++) {
		const struct incident *b = &r->incidents[CMP_BEFORE][i];

		if (b->code == k->code && strcmp(b->kind, k->kind) == 0 &&
		    (b->t_us == GPUDX_NO_TIME || dated_within(s, b->t_us)))
			return true;
	}
	return false;
}

static enum gpudx_status list_new(struct rating *r)
{
	struct gpudx_comparison *c = r->c;

	for (size_t i = 0; i < r->nincidents[CMP_AFTER]; i++) {
		const struct incident *k = &r->incidents[CMP_AFTER][i];
		const char *name, **slot;
		bool listed = false;

		if (had(r, k) || (c->split_by && !dated_within(&c->side[CMP_AFTER], k->t_us)))
			continue;
		name = k->code >= 0 ? gpudx_arena_printf(&c->arena, "%s.%lld", k->kind,
							 (long long)k->code)
				    : k->kind;
		for (size_t n = 0; n < c->nnew_kinds && name; n++)
			listed |= strcmp(c->new_kinds[n], name) == 0;
		if (listed)
			continue;
		slot = name ? CMP_PUSH(&c->arena, c->new_kinds, c->nnew_kinds) : NULL;
		if (!slot)
			return gpudx_nomem(r->err);
		*slot = name;
	}
	return GPUDX_OK;
}

enum gpudx_status gpudx_rates(struct gpudx_comparison *c, struct gpudx_err *err)
{
	struct rating r = { .c = c, .err = err };
	enum gpudx_status rc = GPUDX_OK;

	for (int s = 0; s < CMP_SIDES && !rc; s++) {
		rc = read_incidents(&r, s);
		if (!rc)
			rc = read_watches(&r, s);
	}
	if (!rc)
		rc = add_rates(&r);
	if (!rc)
		rc = list_new(&r);
	judge(c);
	gpudx_arena_free(&r.scratch);
	return rc;
}
