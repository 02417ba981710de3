/* Counters that only go up until something resets them: errors of memory and links, pages and rows
 * that were taken out of use. What the same board says of them on both sides, and since when what it
 * says after has been counted: a counter that a restart cleared has not fallen, and one that only one
 * side states is not zero on the other. Which ones, and what their growth is worth, is in kb_counter. */
#include "compare/compare.h"

#include <math.h>
#include <stdlib.h>

#include "base/glob.h"
#include "base/stamp.h"
#include "compare/list.h"
#include "derive/poisson.h"
#include "store/query.h"

enum { READINGS_MOST = 8192, EXACT_MOST = 100000, GPU_TEXT = 512 };
static const double rate_alpha = 0.01, value_most = 1e18;
static const double boots_alike_s = 60;

/* What resets a counter, from the longest memory to the shortest. */
enum since { SINCE_LIFE, SINCE_DRIVER, SINCE_RESET, SINCE_BOOT };

struct row {
	const char *key, *within, *name;
	enum since since;
	enum cmp_count kind;
	char grade;
	double least;
	bool steady;
};

struct reading {
	const char *key, *layer, *place;
	int gpu;
	double value;
	int64_t t_us; /* GPUDX_NO_TIME unknown */
	size_t order;
};

struct counting {
	struct gpudx_comparison *c;
	struct row *rows;
	size_t nrows;
	struct reading *readings[CMP_SIDES];
	size_t nreadings[CMP_SIDES];
	int64_t *boot_us
		[CMP_SIDES]; /* by host of the side: when it started; GPUDX_NO_TIME unknown */
	struct gpudx_err *err;
};

/* ---- the table ---- */

static enum since since_of(struct gpudx_sv s)
{
	return sv_is(s, "life")	    ? SINCE_LIFE
	       : sv_is(s, "driver") ? SINCE_DRIVER
	       : sv_is(s, "reset")  ? SINCE_RESET
				    : SINCE_BOOT;
}

static enum gpudx_status read_row(void *arg, sqlite3_stmt *st, struct gpudx_err *err)
{
	struct counting *n = arg;
	struct gpudx_arena *a = &n->c->arena;
	struct row *k = CMP_PUSH(a, n->rows, n->nrows);

	if (!k)
		return gpudx_nomem(err);
	*k = (struct row){ .key = gpudx_cmp_text(a, st, 0),
			   .within = gpudx_cmp_text(a, st, 1),
			   .since = since_of(gpudx_col_text(st, 2)),
			   .least = gpudx_col_real(st, 5),
			   .steady = sv_is(gpudx_col_text(st, 6), "yes"),
			   .name = gpudx_cmp_text(a, st, 7) };
	k->kind = sv_is(gpudx_col_text(st, 3), "time")	  ? CMP_COUNT_TIME
		  : sv_is(gpudx_col_text(st, 3), "state") ? CMP_COUNT_STATE
							  : CMP_COUNT_OF;
	k->grade = sv_is(gpudx_col_text(st, 4), "error")     ? 'E'
		   : sv_is(gpudx_col_text(st, 4), "warning") ? 'W'
							     : 'I';
	return GPUDX_OK;
}

static enum gpudx_status load_rows(struct counting *n)
{
	return gpudx_query_each(n->c->side[CMP_AFTER].db,
				"SELECT key, within, since, kind, grade, least, steady, name"
				" FROM kb_counter ORDER BY rowid",
				0, read_row, n, n->err);
}

static const struct row *row_of(const struct counting *n, const char *key)
{
	const struct row *best = NULL;

	for (size_t i = 0; i < n->nrows; i++)
		if (gpudx_glob(sv_str(n->rows[i].key), sv_str(key)) &&
		    (!best || strlen(n->rows[i].key) > strlen(best->key)))
			best = &n->rows[i];
	return best;
}

/* ---- reading ---- */

/* When a file was last written says when somebody copied it: no time to count hours with.
 * ?1, ?2: the part of the side that counts; ?3: all of it does, also what has no time. */
static const char facts_sql[] =
	"WITH wanted AS (SELECT DISTINCT f.key FROM (SELECT DISTINCT key FROM fact) f"
	"  JOIN kb_counter k ON f.key GLOB k.key)"
	" SELECT f.gpu_id, f.key, f.layer, coalesce(f.num, f.value = 'yes'),"
	"  coalesce(CASE WHEN f.t_quality IN ('exact', 'aligned', 'zone_assumed') THEN f.t_us END,"
	"   CASE WHEN b.collected_how <> 'archive mtime'"
	"   THEN b.collected_us END) AS at,"
	"  s.path || ':' || (f.line_id & 4294967295)"
	" FROM fact f JOIN wanted w ON w.key = f.key JOIN source s ON s.id = f.source_id"
	"  JOIN bundle b ON b.id = s.bundle_id LEFT JOIN boot o ON o.id = f.boot_id"
	" WHERE f.gpu_id IS NOT NULL AND f.instance_id IS NULL"
	"  AND (f.num >= 0 OR f.value IN ('yes', 'no'))"
	"  AND CASE WHEN ?3 THEN coalesce(o.seq, 0) = 0 ELSE at BETWEEN ?1 AND ?2 END"
	" ORDER BY f.id";

static const char metrics_sql[] =
	"SELECT m.gpu_id, m.key, '', t.last,"
	" CASE WHEN b.collected_how <> 'archive mtime'"
	"  THEN b.collected_us END, s.path || ':' || t.line_last"
	" FROM metric m JOIN kb_counter k ON m.key GLOB k.key JOIN metric_stat t ON t.metric_id = "
	"m.id"
	"  JOIN source s ON s.id = m.source_id JOIN bundle b ON b.id = s.bundle_id"
	" WHERE m.gpu_id IS NOT NULL AND ?3 AND ?1 < ?2 GROUP BY m.id ORDER BY m.id";

/* The value that stood at the end of the part. */
static const char metrics_part_sql[] =
	"SELECT m.gpu_id, m.key, '', v.value, v.t_raw_us + r.t_offset_us,"
	" s.path || ':' || v.line, max(v.rowid)"
	" FROM metric_sample v JOIN metric m ON m.id = v.metric_id"
	"  JOIN source s ON s.id = m.source_id JOIN gpu_ref r ON r.id = m.ref_id"
	" WHERE m.gpu_id IS NOT NULL AND NOT ?3"
	"  AND m.key IN (SELECT d.key FROM metric d JOIN kb_counter k ON d.key GLOB k.key)"
	"  AND v.t_raw_us + r.t_offset_us BETWEEN ?1 AND ?2 GROUP BY m.id ORDER BY m.id";

static bool whole(const struct cmp_side *s)
{
	return s->from_us == INT64_MIN && s->to_us == INT64_MAX;
}

static enum gpudx_status take(struct counting *n, int side, sqlite3_stmt *st)
{
	struct gpudx_arena *a = &n->c->arena;
	const struct cmp_side *s = &n->c->side[side];
	int gpu = cmp_gpu_of(s, gpudx_col_int(st, 0, 0));
	double value = gpudx_col_real(st, 3);
	struct reading *r;

	if (!(value >= 0 && value < value_most)) /* no counter has that */
		return GPUDX_OK;
	if (gpu < 0 || n->nreadings[side] >= READINGS_MOST)
		return GPUDX_OK;
	r = CMP_PUSH(a, n->readings[side], n->nreadings[side]);
	if (!r)
		return gpudx_nomem(n->err);
	*r = (struct reading){ .gpu = gpu,
			       .key = gpudx_cmp_text(a, st, 1),
			       .layer = gpudx_cmp_text(a, st, 2),
			       .value = value,
			       .t_us = gpudx_col_time(st, 4),
			       .place = gpudx_cmp_text(a, st, 5),
			       .order = n->nreadings[side] };
	return r->key && r->layer ? GPUDX_OK : gpudx_nomem(n->err);
}

static enum gpudx_status read_with(struct counting *n, int side, const char *sql)
{
	const struct cmp_side *s = &n->c->side[side];
	sqlite3_stmt *st;
	bool row;
	enum gpudx_status rc = gpudx_db_prepare(s->db, sql, &st, n->err);

	if (rc)
		return rc;
	sqlite3_bind_int64(st, 1, s->from_us);
	sqlite3_bind_int64(st, 2, s->to_us);
	sqlite3_bind_int(st, 3, whole(s));
	while (!(rc = gpudx_db_step(st, &row, n->err)) && row && !(rc = take(n, side, st)))
		;
	sqlite3_finalize(st);
	return rc;
}

static int by_subject(const struct reading *a, const struct reading *b)
{
	int d = (a->gpu > b->gpu) - (a->gpu < b->gpu);

	d = d ? d : strcmp(a->key, b->key);
	return d ? d : strcmp(a->layer, b->layer);
}

/* What is said without a time is said of the time of the collection. */
static int by_age(const void *x, const void *y)
{
	const struct reading *a = x, *b = y;
	int d = by_subject(a, b);

	if (!d && a->t_us != GPUDX_NO_TIME && b->t_us != GPUDX_NO_TIME)
		d = (a->t_us > b->t_us) - (a->t_us < b->t_us);
	return d ? d : (a->order > b->order) - (a->order < b->order);
}

static void keep_newest(struct counting *n, int side)
{
	struct reading *v = n->readings[side];
	size_t kept = 0;

	if (!v)
		return;
	qsort(v, n->nreadings[side], sizeof(*v), by_age);
	for (size_t i = 0; i < n->nreadings[side]; i++)
		if (i + 1 == n->nreadings[side] || by_subject(&v[i], &v[i + 1]) != 0)
			v[kept++] = v[i];
	n->nreadings[side] = kept;
}

/* When each machine started, as far as that is known. */
static enum gpudx_status read_boots(struct counting *n, int side)
{
	static const char sql[] = "SELECT host_id, max(start_us) FROM boot WHERE start_quality IN"
				  " ('exact', 'aligned', 'zone_assumed') AND start_us <= ?1"
				  " AND (seq = 0 OR NOT ?2) GROUP BY host_id";
	const struct cmp_side *s = &n->c->side[side];
	int64_t *boot = gpudx_arena_array(&n->c->arena, s->nhosts + 1, sizeof(*boot));
	sqlite3_stmt *st;
	bool row;
	enum gpudx_status rc = gpudx_db_prepare(s->db, sql, &st, n->err);

	if (rc)
		return rc;
	n->boot_us[side] = boot;
	for (size_t i = 0; boot && i < s->nhosts; i++)
		boot[i] = GPUDX_NO_TIME;
	sqlite3_bind_int64(st, 1, s->to_us);
	sqlite3_bind_int(st, 2, whole(s));
	while (boot && !(rc = gpudx_db_step(st, &row, n->err)) && row) {
		int no = cmp_host_of(s, gpudx_col_int(st, 0, 0));

		if (no >= 0)
			boot[no] = gpudx_col_time(st, 1);
	}
	sqlite3_finalize(st);
	return boot ? rc : gpudx_nomem(n->err);
}

static enum gpudx_status read_side(struct counting *n, int side)
{
	enum gpudx_status rc = read_with(n, side, facts_sql);

	if (!rc)
		rc = read_with(n, side, whole(&n->c->side[side]) ? metrics_sql : metrics_part_sql);
	if (!rc)
		rc = read_boots(n, side);
	keep_newest(n, side);
	return rc;
}

/* ---- growth ---- */

static double hours_between(int64_t from_us, int64_t to_us)
{
	double h = (double)(to_us - from_us) / GPUDX_SECOND / 3600;

	return from_us == GPUDX_NO_TIME || to_us == GPUDX_NO_TIME || h <= 0 ? (double)NAN : h;
}

static int64_t boot_of(const struct counting *n, const struct cmp_pair *p, int side)
{
	int host = n->c->side[side].gpus[p->gpu[side]].host_no;

	return host >= 0 && (size_t)host < n->c->side[side].nhosts ? n->boot_us[side][host]
								   : GPUDX_NO_TIME;
}

/* It counts from a later start than the one before. */
static bool restarted(const struct counting *n, const struct row *k, const struct cmp_pair *p)
{
	int64_t before = boot_of(n, p, CMP_BEFORE), after = boot_of(n, p, CMP_AFTER);

	if (k->since == SINCE_LIFE)
		return false;
	if (k->since == SINCE_DRIVER && gpudx_change_of(n->c, "driver.version"))
		return true;
	return before != GPUDX_NO_TIME && after != GPUDX_NO_TIME &&
	       (double)(after - before) / GPUDX_SECOND > boots_alike_s;
}

static void measure(const struct counting *n, const struct row *k, const struct cmp_pair *p,
		    const struct reading *const r[CMP_SIDES], struct cmp_counter *v)
{
	int64_t boot = boot_of(n, p, CMP_AFTER);
	bool cleared = restarted(n, k, p) || (v->value[1] < v->value[0] && k->since != SINCE_LIFE);

	v->restarted = cleared;
	v->growth = cleared ? v->value[1] : fmax(0, v->value[1] - v->value[0]);
	v->fell = v->value[1] < v->value[0] && !cleared;
	v->hours = hours_between(r[CMP_BEFORE]->t_us, r[CMP_AFTER]->t_us);
	if (cleared && boot != GPUDX_NO_TIME && !(boot < r[CMP_BEFORE]->t_us))
		v->hours = hours_between(boot, r[CMP_AFTER]->t_us);
	v->hours_before = k->since == SINCE_LIFE
				  ? (double)NAN
				  : hours_between(boot_of(n, p, CMP_BEFORE), r[CMP_BEFORE]->t_us);
}

/* Of large counts everything is sure, and a tenth more is no news. */
static bool rate_rose(const struct cmp_counter *v)
{
	double before = v->value[0] / v->hours_before, after = v->growth / v->hours;

	if (v->kind == CMP_COUNT_TIME)
		return after > 1.5 * before;
	if (v->growth + v->value[0] > EXACT_MOST)
		return after > 1.1 * before;
	return gpudx_rate_compare((int64_t)v->value[0], v->hours_before, (int64_t)v->growth,
				  v->hours)
		       .p <= rate_alpha;
}

static char grade_of(const struct row *k, const struct cmp_counter *v)
{
	double share = v->growth / 3.6e9 / v->hours;

	if (v->growth <= 0)
		return 0;
	if (v->kind == CMP_COUNT_TIME ? !(share >= k->least) : v->growth < k->least)
		return 'I';
	if (k->steady && isfinite(v->hours) && isfinite(v->hours_before) && !rate_rose(v))
		return 'I';
	return k->grade;
}

/* ---- pairs ---- */

static bool is_address(const char *layer)
{
	return strchr(layer, ':') != NULL;
}

/* As the same layer says it, else as another one; what a port says is of the port. */
static const struct reading *reading_of(const struct counting *n, int side, int gpu,
					const char *key, const char *layer)
{
	const struct reading *other = NULL;

	for (size_t i = 0; i < n->nreadings[side]; i++) {
		const struct reading *r = &n->readings[side][i];

		if (r->gpu != gpu || strcmp(r->key, key) != 0)
			continue;
		if (strcmp(r->layer, layer) == 0)
			return r;
		if (!other && !is_address(layer) && !is_address(r->layer))
			other = r;
	}
	return other;
}

/* A counter that both sides have holds this one already. */
static bool held(const struct counting *n, const struct row *k, const struct cmp_pair *p)
{
	struct gpudx_sv rest = sv_str(k->within ? k->within : ""), pattern;

	while (rest.n && sv_cell(&rest, ' ', &pattern))
		for (size_t i = 0; i < n->nreadings[CMP_BEFORE]; i++) {
			const struct reading *r = &n->readings[CMP_BEFORE][i];

			if (r->gpu == p->gpu[CMP_BEFORE] && gpudx_glob(pattern, sv_str(r->key)) &&
			    reading_of(n, CMP_AFTER, p->gpu[CMP_AFTER], r->key, r->layer))
				return true;
		}
	return false;
}

static bool listed(const struct gpudx_comparison *c, int pair, const struct reading *r)
{
	for (size_t i = c->ncounters; i-- && c->counters[i].pair == pair;)
		if (strcmp(c->counters[i].key, r->key) == 0 && !is_address(r->layer))
			return true;
	return false;
}

static enum gpudx_status add(struct counting *n, size_t pair, const struct reading *before)
{
	struct gpudx_comparison *c = n->c;
	const struct cmp_pair *p = &c->pairs[pair];
	const struct row *k = row_of(n, before->key);
	const struct reading *r[CMP_SIDES] = { before, NULL };
	struct cmp_counter *v;

	r[CMP_AFTER] = reading_of(n, CMP_AFTER, p->gpu[CMP_AFTER], before->key, before->layer);
	if (!k || !r[CMP_AFTER] || listed(c, (int)pair, before) || held(n, k, p))
		return GPUDX_OK;
	v = CMP_PUSH(&c->arena, c->counters, c->ncounters);
	if (!v)
		return gpudx_nomem(n->err);
	*v = (struct cmp_counter){ .key = before->key,
				   .name = k->name,
				   .port = is_address(before->layer) ? before->layer : NULL,
				   .kind = k->kind,
				   .pair = (int)pair };
	for (int s = 0; s < CMP_SIDES; s++) {
		v->value[s] = r[s]->value;
		v->place[s] = r[s]->place;
	}
	measure(n, k, p, r, v);
	v->grade = grade_of(k, v);
	return GPUDX_OK;
}

/* Counters stay with the board. An address keeps its board as long as nothing speaks against it. */
static bool same_board(const struct gpudx_comparison *c, const struct cmp_pair *p)
{
	const struct cmp_gpu *b = &c->side[0].gpus[p->gpu[0]], *a = &c->side[1].gpus[p->gpu[1]];

	if (strcmp(p->how, "UUID") == 0 || strncmp(p->how, "serial", 6) == 0)
		return true;
	return (!b->uuid || !a->uuid) && (!b->serial || !a->serial) && b->bdf && a->bdf &&
	       strcmp(b->bdf, a->bdf) == 0 && b->host && a->host && strcmp(b->host, a->host) == 0;
}

enum gpudx_status gpudx_counters(struct gpudx_comparison *c, struct gpudx_err *err)
{
	struct counting n = { .c = c, .err = err };
	enum gpudx_status rc = load_rows(&n);
	size_t boards = 0;

	for (int s = 0; s < CMP_SIDES && !rc; s++)
		rc = read_side(&n, s);
	for (size_t p = 0; p < c->npairs && !rc; p++) {
		if (!same_board(c, &c->pairs[p]))
			continue;
		boards++;
		for (size_t i = 0; i < n.nreadings[CMP_BEFORE] && !rc; i++)
			if (n.readings[CMP_BEFORE][i].gpu == c->pairs[p].gpu[CMP_BEFORE])
				rc = add(&n, p, &n.readings[CMP_BEFORE][i]);
	}
	if (!c->ncounters)
		c->no_counters = c->npairs && !boards
					 ? "counters stay with the board, and nothing shows that "
					   "these are the same"
					 : "no counter of errors stands on both sides";
	return rc;
}
