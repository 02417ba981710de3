/* A bug report's scan of the logs, its dmesg and a separate kern.log show one message three times.
 * Of equal messages of a host these are one event, in this order:
 *
 *   what texts quote, and what they quote: of an equal time since boot where the quotation has one
 *   equal time since boot in the same boot (the driver prints microseconds)
 *   two logs, no more than two seconds apart, the nearest first; within one log the same stamp
 *   a log without stamps: what it says was said when a log with stamps says so
 *   times computed from time since boot drift: two logs that both cover the times and have the
 *   message equally often have it in the same order, up to a quarter of an hour apart
 *
 * The event is the one whose time is known best; the others are its copies. */
#include "derive/copies.h"

#include "base/arena.h"
#include "base/map.h"
#include "base/search.h"
#include "derive/clock.h"
#include "store/query.h"

#include <stdlib.h>

#define WINDOW (2 * GPUDX_SECOND)
#define DRIFT (15 * GPUDX_MINUTE)

enum { LOOK_BACK = 256, DRIFT_MAX = 64, MEMBERS_MAX = 64 };

/* Spans of sources: what a log covers. */
struct cover {
	int64_t source, t0, t1;
};

struct ev {
	uint64_t key; /* of host, kind, code and text */
	int64_t id, boot, source, mono;
	struct gpudx_moment m;
	bool derived; /* its time is computed from time since boot */
	bool excerpt;
	bool quoted;	 /* in a text that is no log */
	uint32_t size;	 /* of a root: events of its tree */
	struct ev *best; /* of a root: the one that the others are copies of */
	struct ev *up;	 /* of the same event: a tree ... */
	struct ev *next; /* ... and a ring */
};

struct copies {
	sqlite3 *db;
	int64_t bundle;
	struct ev *ev;
	size_t n;
	struct cover *cover; /* by source */
	size_t ncover;
};

/* ---- loading ---- */

/* Blanks differ between logs, and so may what a log appends to a line. */
static uint64_t text_key(struct gpudx_sv text, uint64_t key)
{
	struct gpudx_sv word;

	while (sv_spaces(&text) && sv_token(&text, &word))
		key = (key ^ gpudx_hash(sv_rtrim(word))) * UINT64_C(0x100000001b3);
	return key;
}

/* Rows: id, host, boot, source, mono, t, quality, kind, code, text, derived, excerpt, quoted. */
static enum gpudx_status event_row(void *arg, sqlite3_stmt *row, struct gpudx_err *err)
{
	struct copies *c = arg;
	struct ev *e = &c->ev[c->n++];

	(void)err;
	*e = (struct ev){ .id = sqlite3_column_int64(row, 0),
			  .boot = gpudx_col_int(row, 2, 0),
			  .source = sqlite3_column_int64(row, 3),
			  .mono = gpudx_col_time(row, 4),
			  .m = { gpudx_col_time(row, 5), gpudx_quality_of(gpudx_col_text(row, 6)) },
			  .derived = sqlite3_column_int(row, 10),
			  .excerpt = sqlite3_column_int(row, 11),
			  .quoted = sqlite3_column_int(row, 12) };
	e->key = gpudx_hash(gpudx_col_text(row, 7));
	e->key = (e->key ^ (uint64_t)sqlite3_column_int64(row, 1)) * UINT64_C(0x100000001b3);
	e->key = (e->key ^ (uint64_t)gpudx_col_int(row, 8, -1)) * UINT64_C(0x100000001b3);
	e->key = text_key(gpudx_col_text(row, 9), e->key);
	e->next = e;
	e->size = 1;
	return GPUDX_OK;
}

static enum gpudx_status cover_row(void *arg, sqlite3_stmt *row, struct gpudx_err *err)
{
	struct copies *c = arg;

	(void)err;
	c->cover[c->ncover++] =
		(struct cover){ sqlite3_column_int64(row, 0), sqlite3_column_int64(row, 1),
				sqlite3_column_int64(row, 2) };
	return GPUDX_OK;
}

static enum gpudx_status load(struct copies *c, struct gpudx_arena *a, struct gpudx_err *err)
{
	static const char events[] = "SELECT e.id, e.host_id, e.boot_id, e.source_id,"
				     " CASE WHEN e.t_kind = 'boot' THEN e.t_raw_us"
				     "  ELSE e.mono_us END,"
				     " e.t_us, e.t_quality, e.kind, e.code, e.text,"
				     " e.t_kind = 'boot' OR s.path LIKE '%dmesg%'"
				     " OR coalesce(s.title, '') LIKE '%dmesg%', s.excerpt,"
				     " s.parser = 'kernel-quote'"
				     " FROM event e JOIN source s ON s.id = e.source_id"
				     " WHERE s.bundle_id = ?1 ORDER BY e.id";
	static const char spans[] = "SELECT p.source_id, min(p.t0_us), max(p.t1_us)"
				    " FROM source_span p JOIN source s ON s.id = p.source_id"
				    " WHERE s.bundle_id = ?1 AND p.t0_us IS NOT NULL"
				    " AND p.t_quality IN ('exact', 'aligned', 'zone_assumed')"
				    " GROUP BY p.source_id ORDER BY p.source_id";
	enum gpudx_status rc;
	int64_t n, m = 0;

	rc = gpudx_db_int(c->db, "SELECT count(*) FROM event", 0, &n, err);
	if (!rc)
		rc = gpudx_db_int(c->db, "SELECT count(*) FROM source_span", 0, &m, err);
	if (rc)
		return rc;
	c->ev = gpudx_arena_array(a, (size_t)n + 1, sizeof(*c->ev));
	c->cover = gpudx_arena_array(a, (size_t)m + 1, sizeof(*c->cover));
	if (!c->ev || !c->cover)
		return gpudx_nomem(err);
	rc = gpudx_query_each(c->db, events, c->bundle, event_row, c, err);
	return rc ? rc : gpudx_query_each(c->db, spans, c->bundle, cover_row, c, err);
}

/* ---- one event ---- */

static struct ev *root(struct ev *e)
{
	while (e->up) {
		if (e->up->up)
			e->up = e->up->up;
		e = e->up;
	}
	return e;
}

static void join(struct ev *a, struct ev *b)
{
	struct ev *ra = root(a), *rb = root(b), *t;

	if (ra == rb)
		return;
	rb->up = ra;
	ra->size += rb->size;
	t = a->next;
	a->next = b->next;
	b->next = t;
}

/* A log that has the message once has it once. What very many logs have takes no more. */
static bool has_source(struct ev *of, int64_t source)
{
	const struct ev *e = of;

	if (root(of)->size >= MEMBERS_MAX)
		return true;
	do {
		if (e->source == source)
			return true;
		e = e->next;
	} while (e != of);
	return false;
}

/* True when a source has the message in both. */
static bool share_source(struct ev *a, struct ev *b)
{
	const struct ev *e = a;

	if (root(a)->size >= MEMBERS_MAX)
		return true;

	do {
		if (has_source(b, e->source))
			return true;
		e = e->next;
	} while (e != a);
	return false;
}

static bool is_dated(const struct ev *e)
{
	return e->m.t_us != GPUDX_NO_TIME && e->m.quality <= GPUDX_Q_ZONE_ASSUMED;
}

/* ---- quotations ---- */

static bool may_quote(const struct ev *quote, const struct ev *e)
{
	if (e == quote)
		return false;
	if (quote->m.t_us == GPUDX_NO_TIME && quote->mono == GPUDX_NO_TIME)
		return true;
	return quote->mono > 0 && quote->mono == e->mono;
}

/* Logs come before other texts that quote the same. */
static void join_quoted(struct ev **g, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct ev *of = NULL;

		for (size_t k = 0; k < n && k < LOOK_BACK && g[i]->quoted; k++)
			if (may_quote(g[i], g[k]) && (!of || (of->quoted && !g[k]->quoted)))
				of = g[k];
		if (of)
			join(of, g[i]);
	}
}

/* ---- equal time since boot ---- */

static int by_mono(const void *pa, const void *pb)
{
	const struct ev *a = *(struct ev *const *)pa, *b = *(struct ev *const *)pb;

	if (a->boot != b->boot)
		return a->boot < b->boot ? -1 : 1;
	if (a->mono != b->mono)
		return a->mono < b->mono ? -1 : 1;
	return (a->id > b->id) - (a->id < b->id);
}

static void join_mono(struct ev **g, size_t n)
{
	qsort(g, n, sizeof(*g), by_mono);
	for (size_t i = 1; i < n; i++)
		if (g[i]->mono > 0 && g[i]->mono == g[i - 1]->mono && g[i]->boot == g[i - 1]->boot)
			join(g[i - 1], g[i]);
}

/* ---- near in time ---- */

static int by_time(const void *pa, const void *pb)
{
	const struct ev *a = *(struct ev *const *)pa, *b = *(struct ev *const *)pb;

	if (is_dated(a) != is_dated(b))
		return is_dated(b) - is_dated(a);
	if (a->m.t_us != b->m.t_us)
		return a->m.t_us < b->m.t_us ? -1 : 1;
	return (a->id > b->id) - (a->id < b->id);
}

static void join_near(struct ev **g, size_t n)
{
	for (size_t i = 1; i < n && is_dated(g[i]); i++) {
		struct ev *best = NULL;

		for (size_t k = i;
		     k-- > 0 && i - k <= LOOK_BACK && g[i]->m.t_us - g[k]->m.t_us <= WINDOW;) {
			if (!gpudx_same_clock(g[i]->m, g[k]->m) || root(g[k]) == root(g[i]))
				continue;
			if (g[k]->source == g[i]->source) {
				if (g[k]->m.t_us == g[i]->m.t_us)
					join(g[k], g[i]);
				continue;
			}
			if (!share_source(g[k], g[i]) && !best)
				best = g[k];
		}
		if (best)
			join(best, g[i]);
	}
}

/* ---- without stamps ---- */

static int by_source(const void *pa, const void *pb)
{
	const struct ev *a = *(struct ev *const *)pa, *b = *(struct ev *const *)pb;

	if (a->source != b->source)
		return a->source < b->source ? -1 : 1;
	return (a->id > b->id) - (a->id < b->id);
}

static bool is_alone(const struct ev *e)
{
	return e->next == e;
}

/* The messages [from, to) of one log are copies of dated ones of other logs, both from the last one
 * on. */
static void join_to_dated(struct ev **g, size_t dated, size_t from, size_t to)
{
	size_t k = dated;

	for (size_t i = to; i > from; i--) {
		if (!is_alone(g[i - 1]))
			continue;
		while (k > 0 && has_source(g[k - 1], g[i - 1]->source))
			k--;
		if (!k)
			return;
		join(g[k - 1], g[i - 1]);
	}
}

/* What is left of a log: its n-th message is the n-th of another one. first has the n-th that was
 * seen; returns how many there are now. */
static size_t join_in_order(struct ev **g, size_t from, size_t to, struct ev **first, size_t n)
{
	size_t at = 0;

	for (size_t i = from; i < to; i++) {
		if (!is_alone(g[i]))
			continue;
		if (at < n)
			join(first[at++], g[i]);
		else
			first[n++] = g[i], at++;
	}
	return n;
}

static void join_undated(struct ev **g, size_t n, struct ev **first)
{
	size_t dated = 0, to, seen = 0;

	while (dated < n && is_dated(g[dated]))
		dated++;
	qsort(g + dated, n - dated, sizeof(*g), by_source);
	for (size_t from = dated; from < n; from = to) {
		for (to = from; to < n && g[to]->source == g[from]->source; to++)
			;
		join_to_dated(g, dated, from, to);
		seen = join_in_order(g, from, to, first, seen);
	}
}

/* ---- computed times ---- */

static const struct cover *cover_of(const struct copies *c, int64_t source)
{
	return GPUDX_FIND(c->cover, c->ncover, struct cover, source, source);
}

/* The events of source a that source b lacks though it covers their time. */
static size_t lacking(const struct copies *c, struct ev **g, size_t n, int64_t a, int64_t b,
		      int64_t boot, struct ev **out)
{
	const struct cover *cb = cover_of(c, b);
	size_t found = 0;

	for (size_t i = 0; i < n && cb; i++)
		if (g[i]->source == a && g[i]->boot == boot && is_dated(g[i]) &&
		    !has_source(g[i], b) && g[i]->m.t_us >= cb->t0 && g[i]->m.t_us <= cb->t1)
			out[found++] = g[i];
	return found;
}

static void join_drifted(const struct copies *c, struct ev **g, size_t n, const struct ev *a,
			 const struct ev *b)
{
	struct ev *in_a[DRIFT_MAX], *in_b[DRIFT_MAX];
	size_t na = lacking(c, g, n, a->source, b->source, a->boot, in_a);
	size_t nb = lacking(c, g, n, b->source, a->source, a->boot, in_b);

	if (!na || na != nb)
		return;
	for (size_t i = 0; i < na; i++) {
		int64_t d = in_a[i]->m.t_us - in_b[i]->m.t_us;

		if (d > DRIFT || d < -DRIFT || !gpudx_same_clock(in_a[i]->m, in_b[i]->m) ||
		    share_source(in_a[i], in_b[i]))
			return;
	}
	for (size_t i = 0; i < na; i++)
		join(in_a[i], in_b[i]);
}

static void join_computed(const struct copies *c, struct ev **g, size_t n)
{
	if (n > DRIFT_MAX)
		return;
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n && g[i]->derived; k++)
			if (g[k]->source != g[i]->source && !g[k]->derived &&
			    g[k]->boot == g[i]->boot && root(g[k]) != root(g[i]))
				join_drifted(c, g, n, g[i], g[k]);
}

/* ---- all of it ---- */

static int by_key(const void *pa, const void *pb)
{
	const struct ev *a = *(struct ev *const *)pa, *b = *(struct ev *const *)pb;

	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	return (a->id > b->id) - (a->id < b->id);
}

static enum gpudx_status join_all(struct copies *c, struct gpudx_arena *arena,
				  struct gpudx_err *err)
{
	struct ev **g = gpudx_arena_array(arena, c->n + 1, sizeof(struct ev *));
	struct ev **room = gpudx_arena_array(arena, c->n + 1, sizeof(struct ev *));
	size_t from, to;

	if (!g || !room)
		return gpudx_nomem(err);
	for (size_t i = 0; i < c->n; i++)
		g[i] = &c->ev[i];
	if (c->n)
		qsort(g, c->n, sizeof(*g), by_key);
	for (from = 0; from < c->n; from = to) {
		for (to = from + 1; to < c->n && g[to]->key == g[from]->key; to++)
			;
		if (to - from == 1)
			continue;
		join_quoted(g + from, to - from);
		join_mono(g + from, to - from);
		qsort(g + from, to - from, sizeof(*g), by_time);
		join_near(g + from, to - from);
		join_undated(g + from, to - from, room);
		join_computed(c, g + from, to - from);
	}
	return GPUDX_OK;
}

/* The wall clock of a log is better than a computed one, a whole log better than an excerpt. */
static bool better(const struct ev *a, const struct ev *b)
{
	if (a->m.quality != b->m.quality)
		return a->m.quality < b->m.quality;
	if (a->derived != b->derived)
		return !a->derived;
	if (a->excerpt != b->excerpt)
		return !a->excerpt;
	return a->id < b->id;
}

enum gpudx_status gpudx_copies_begin(sqlite3 *db, sqlite3_stmt **insert, struct gpudx_err *err)
{
	static const char table[] =
		"DROP TABLE IF EXISTS temp.copies; DROP TABLE IF EXISTS temp.more;"
		"CREATE TEMP TABLE copies(copy INTEGER PRIMARY KEY, original INTEGER)";
	enum gpudx_status rc = gpudx_db_exec(db, table, err);

	return rc ? rc : gpudx_db_prepare(db, "INSERT INTO temp.copies VALUES(?, ?)", insert, err);
}

enum gpudx_status gpudx_copies_apply(sqlite3 *db, int64_t bundle, struct gpudx_err *err)
{
	static const char *const after[] = {
		/* copies of what is itself a copy now */
		"INSERT OR IGNORE INTO temp.copies SELECT e.id, p.original FROM temp.copies p"
		" JOIN event e ON e.copy_of = p.copy",
		"UPDATE event SET copy_of = (SELECT p.original FROM temp.copies p"
		" WHERE p.copy = event.id)"
		" WHERE id IN (SELECT copy FROM temp.copies)",
		"INSERT OR IGNORE INTO event_line(event_id, line_id, role)"
		" SELECT p.original, l.line_id, 'copy'"
		" FROM temp.copies p JOIN event_line l ON l.event_id = p.copy ORDER BY 1, 2",
		"INSERT OR IGNORE INTO event_attr(event_id, name, value, num)"
		" SELECT p.original, a.name, a.value, a.num FROM temp.copies p JOIN event_attr a"
		" ON a.event_id = p.copy"
		" ORDER BY p.original, p.copy, a.name",
		"CREATE TEMP TABLE more AS SELECT p.original, min(e.gpu_id) AS gpu_id,"
		" min(e.instance_id) AS instance_id,"
		" min(e.ref_id) AS ref_id, min(e.pid) AS pid, min(e.process) AS process,"
		" max(e.repeats) AS repeats"
		" FROM temp.copies p JOIN event e ON e.id = p.copy GROUP BY p.original",
		"CREATE INDEX temp.more_original ON more(original)",
		"UPDATE event SET (gpu_id, instance_id, ref_id, pid, process, repeats) ="
		" (SELECT coalesce(event.gpu_id, m.gpu_id), coalesce(event.instance_id,"
		" m.instance_id),"
		"  coalesce(event.ref_id, m.ref_id), coalesce(event.pid, m.pid),"
		" coalesce(event.process, m.process),"
		"  max(event.repeats, m.repeats) FROM temp.more m WHERE m.original = event.id)"
		" WHERE id IN (SELECT original FROM temp.more)",
		"DROP TABLE temp.more",
		"DROP TABLE temp.copies",
	};

	return gpudx_query_all(db, after, sizeof(after) / sizeof(after[0]), bundle, err);
}

static enum gpudx_status write_copies(struct copies *c, struct gpudx_err *err)
{
	sqlite3_stmt *st = NULL;
	enum gpudx_status rc = gpudx_copies_begin(c->db, &st, err);

	for (size_t i = 0; i < c->n; i++) {
		struct ev *r = root(&c->ev[i]);

		if (!r->best || better(&c->ev[i], r->best))
			r->best = &c->ev[i];
	}
	for (size_t i = 0; i < c->n && !rc; i++) {
		const struct ev *e = &c->ev[i], *best = root(&c->ev[i])->best;

		if (best == e)
			continue;
		sqlite3_bind_int64(st, 1, e->id);
		sqlite3_bind_int64(st, 2, best->id);
		rc = gpudx_db_run(st, err);
	}
	sqlite3_finalize(st);
	return rc ? rc : gpudx_copies_apply(c->db, c->bundle, err);
}

enum gpudx_status gpudx_copies_find(sqlite3 *db, int64_t bundle, struct gpudx_err *err)
{
	struct gpudx_arena arena = { .limit = 512 << 20 };
	struct copies c = { .db = db, .bundle = bundle };
	enum gpudx_status rc = load(&c, &arena, err);

	if (!rc)
		rc = join_all(&c, &arena, err);
	if (!rc)
		rc = write_copies(&c, err);
	gpudx_arena_free(&arena);
	return rc;
}
