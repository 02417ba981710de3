#include "ticket/plan.h"

#include "base/search.h"
#include "parse/parser.h"
#include "report/select.h"

#include <stdlib.h>

enum {
	AROUND = 10,	     /* lines kept on either side of what was found */
	LOG_WHOLE = 200,     /* a log of no more lines is kept whole */
	TRACE_WHOLE = 20000, /* a series of no more lines, too */
	TIGHT_WHOLE = 2000,  /* where room is short, documents of no more lines are kept whole */
	RANGES_MAX = 4 << 20
};

/* ---- sources ---- */

static const char parts_sql[] =
	"SELECT s.id, s.member, s.first_line, s.lines, s.parser, s.excerpt OR s.status = 'partly',"
	" EXISTS (SELECT 1 FROM source_span p WHERE p.source_id = s.id AND p.last_us > p.first_us),"
	" m.bytes / max(m.lines, 1) + 1, m.bytes"
	" FROM main.source s JOIN main.source m ON m.id = coalesce(s.parent_id, s.id)"
	" WHERE s.bundle_id = ?1 AND s.parser IS NOT NULL AND s.member IS NOT NULL"
	" ORDER BY s.member, s.first_line, s.id";

/* What only holds parts ("sections") has no parser of its own. */
static unsigned flags_of(struct gpudx_sv name)
{
	for (const struct gpudx_parser *const *p = gpudx_parsers; *p; p++)
		if (sv_is(name, (*p)->name))
			return (*p)->flags;
	return GPUDX_P_CONTAINER;
}

static enum tk_kind kind_of(struct gpudx_sv parser, uint32_t lines, bool timed)
{
	unsigned flags = flags_of(parser);

	if (sv_starts(parser, "app-"))
		return TK_APP;
	if (flags & GPUDX_P_CONTAINER)
		return TK_FRAME;
	if (flags & GPUDX_P_FIND)
		return lines > LOG_WHOLE ? TK_LOG : TK_STATE;
	return timed && lines > TRACE_WHOLE ? TK_TRACE : TK_STATE;
}

enum gpudx_status gpudx_plan_load(struct tk_plan *p, sqlite3 *db, int64_t bundle, uint64_t max,
				  uint64_t member_max, struct gpudx_arena *arena,
				  struct gpudx_err *err)
{
	struct rep_select q = gpudx_select(db, parts_sql, bundle, err);
	struct tk_part *parts = NULL;
	uint64_t bytes, all = 0;
	size_t n = 0;

	while (gpudx_select_next(&q)) {
		struct tk_part *more = gpudx_report_grow(arena, parts, n, sizeof(*more));

		if (!more)
			return (void)!gpudx_select_end(&q), gpudx_nomem(err);
		parts = more;
		parts[n] = (struct tk_part){ .id = gpudx_col_int(q.st, 0, 0),
					     .member = gpudx_col_int(q.st, 1, 0),
					     .first = (uint32_t)gpudx_col_int(q.st, 2, 0),
					     .lines = (uint32_t)gpudx_col_int(q.st, 3, 0),
					     .line_bytes = (uint32_t)gpudx_col_int(q.st, 7, 1),
					     .open = gpudx_col_int(q.st, 5, 0) != 0 };
		parts[n].kind = kind_of(gpudx_col_text(q.st, 4), parts[n].lines,
					gpudx_col_int(q.st, 6, 0) != 0);
		bytes = (uint64_t)gpudx_col_int(q.st, 8, 0);
		if (!n || parts[n - 1].member != parts[n].member)
			all += bytes < member_max ? bytes : member_max;
		n++;
	}
	*p = (struct tk_plan){ .db = db, .arena = arena, .parts = parts, .nparts = n };
	p->tight = all > max;
	return gpudx_select_end(&q);
}

/* ---- what was found ---- */

/* ?1, ?2: the first and the last line of a source. */
static const char lines_sql[] = "SELECT id FROM main.line WHERE id BETWEEN ?1 AND ?2 ORDER BY id";
static const char cited_sql[] =
	"SELECT id FROM main.line WHERE id BETWEEN ?1 AND ?2"
	" AND (id IN (SELECT line_id FROM main.event) OR id IN (SELECT line_id FROM main.fact)"
	"  OR id IN (SELECT line_id FROM main.finding_line)) ORDER BY id";
static const char shown_sql[] =
	"SELECT DISTINCT line_id FROM main.finding_line WHERE line_id BETWEEN ?1 AND ?2 ORDER BY 1";

struct ranges {
	struct tk_range *p;
	size_t n, cap;
	uint32_t app_from;
};

/* From app_from on lines that were not found are somebody's business. */
static bool add_range(struct ranges *r, uint32_t line, uint32_t around)
{
	struct tk_range *at;

	if (r->n == r->cap) {
		size_t cap = r->cap ? 2 * r->cap : 64;
		struct tk_range *p = cap > RANGES_MAX ? NULL : realloc(r->p, cap * sizeof(*p));

		if (!p)
			return false;
		r->p = p;
		r->cap = cap;
	}
	at = &r->p[r->n++];
	*at = (struct tk_range){ line, line };
	if (line >= r->app_from)
		return true;
	at->from = line > around ? line - around : 1;
	at->to = around > r->app_from - 1 - line ? r->app_from - 1 : line + around;
	return true;
}

static enum gpudx_status add_lines(const struct tk_plan *p, const struct tk_part *s,
				   const char *sql, uint32_t around, struct ranges *r,
				   struct gpudx_err *err)
{
	struct rep_select q = gpudx_select(p->db, sql, 0, err);
	int64_t base = s->id << 32;
	bool room = true;

	gpudx_select_again(&q, base, base | UINT32_MAX);
	while (room && gpudx_select_next(&q))
		room = add_range(r, (uint32_t)gpudx_col_int(q.st, 0, 0), around);
	if (!room)
		return (void)!gpudx_select_end(&q), gpudx_nomem(err);
	return gpudx_select_end(&q);
}

/* The stretches of a series that findings are about share the room that there is. */
static enum gpudx_status add_stretches(const struct tk_plan *p, const struct tk_part *s,
				       struct ranges *r, struct gpudx_err *err)
{
	size_t before = r->n, n;
	enum gpudx_status rc = add_lines(p, s, shown_sql, 0, r, err);
	uint32_t around;

	if (rc || (n = r->n - before) == 0)
		return rc;
	around = n < TRACE_WHOLE / (2 * AROUND) ? (uint32_t)(TRACE_WHOLE / (2 * n)) : AROUND;
	r->n = before;
	return add_lines(p, s, shown_sql, around, r, err);
}

/* What findings show, and how the part begins. */
static enum gpudx_status add_shown(const struct tk_plan *p, const struct tk_part *s,
				   struct ranges *r, struct gpudx_err *err)
{
	if (s->first && !add_range(r, s->first, s->kind == TK_APP ? 0 : 1))
		return gpudx_nomem(err);
	if (s->kind == TK_APP)
		return add_lines(p, s, shown_sql, 0, r, err);
	return add_stretches(p, s, r, err);
}

static enum gpudx_status add_part(const struct tk_plan *p, const struct tk_part *s,
				  struct ranges *r, struct gpudx_err *err)
{
	enum gpudx_status rc = GPUDX_OK;

	if (s->kind == TK_APP)
		return add_lines(p, s, cited_sql, 0, r, err);
	if (s->kind == TK_TRACE)
		rc = add_stretches(p, s, r, err);
	if (!rc && s->first && !add_range(r, s->first, s->kind == TK_FRAME ? 0 : AROUND))
		rc = gpudx_nomem(err);
	return rc ? rc : add_lines(p, s, lines_sql, s->kind == TK_TRACE ? 1 : AROUND, r, err);
}

static int by_line(const void *a, const void *b)
{
	const struct tk_range *x = a, *y = b;

	return x->from < y->from ? -1 : x->from > y->from;
}

/* Sorts, and unites what overlaps. */
static void unite(struct ranges *r)
{
	size_t n = 0;

	if (r->n)
		qsort(r->p, r->n, sizeof(*r->p), by_line);
	for (size_t i = 0; i < r->n; i++) {
		if (n && r->p[i].from <= r->p[n - 1].to + UINT64_C(1)) {
			if (r->p[i].to > r->p[n - 1].to)
				r->p[n - 1].to = r->p[i].to;
		} else {
			r->p[n++] = r->p[i];
		}
	}
	r->n = n;
}

/* ---- one member ---- */

/* Where the log of a program begins, and whether it goes on behind what begins after it. */
static void look_for_app(struct tk_choice *c)
{
	c->app_from = UINT32_MAX;
	for (size_t i = c->nparts; i-- > 0;) {
		const struct tk_part *s = &c->parts[i];

		if (s->kind != TK_APP)
			continue;
		c->app_from = s->first;
		for (size_t k = i + 1; k < c->nparts; k++)
			if (c->parts[k].first >= s->first &&
			    c->parts[k].first - s->first < s->lines)
				c->mixed = true;
	}
}

static bool is_whole(const struct tk_choice *c, const struct tk_part *s)
{
	return s->kind == TK_STATE && !(c->mixed && s->first >= c->app_from) &&
	       !(c->tight && s->lines > TIGHT_WHOLE);
}

/* Bytes that will be kept; what is kept for two reasons counts twice. */
static uint64_t size_of(const struct tk_choice *c, const struct ranges *r)
{
	uint64_t lines = 0;

	for (size_t i = 0; i < r->n; i++)
		lines += r->p[i].to - r->p[i].from + 1;
	for (size_t i = 0; i < c->nparts; i++)
		lines += is_whole(c, &c->parts[i]) ? c->parts[i].lines : 0;
	return c->nparts ? lines * c->parts[0].line_bytes : 0;
}

static enum gpudx_status choose(const struct tk_plan *p, struct tk_choice *c, struct ranges *r,
				struct gpudx_err *err)
{
	enum gpudx_status rc = GPUDX_OK;

	r->n = 0;
	for (size_t i = 0; i < c->nparts && !rc; i++)
		rc = c->tight ? add_shown(p, &c->parts[i], r, err)
			      : add_part(p, &c->parts[i], r, err);
	unite(r);
	return rc;
}

enum gpudx_status gpudx_plan_member(const struct tk_plan *p, uint32_t member, uint64_t max,
				    struct tk_choice *c, struct gpudx_err *err)
{
	struct ranges r = { .n = 0 };
	enum gpudx_status rc;
	size_t from = GPUDX_LOWER_BOUND(p->parts, p->nparts, struct tk_part, member, member), end;

	for (end = from; end < p->nparts && p->parts[end].member == member;)
		end++;
	*c = (struct tk_choice){ .parts = p->parts + from, .nparts = end - from };
	c->tight = p->tight;
	look_for_app(c);
	r.app_from = c->app_from;
	rc = choose(p, c, &r, err);
	if (!rc && !c->tight && size_of(c, &r) > max) {
		c->tight = true;
		rc = choose(p, c, &r, err);
	}
	c->ranges = r.p;
	c->nranges = r.n;
	return rc;
}

void gpudx_choice_free(struct tk_choice *c)
{
	free(c->ranges);
	c->ranges = NULL;
}

/* What begins with this line. */
static void begin_parts(struct tk_choice *c, uint32_t no)
{
	bool any = false;

	for (; c->part < c->nparts && c->parts[c->part].first <= no; c->part++) {
		const struct tk_part *s = &c->parts[c->part];

		c->open = (any && c->open) || s->open || s->kind == TK_TRACE || c->tight;
		any = true;
		if (is_whole(c, s))
			c->whole += s->lines;
	}
}

bool gpudx_choice_line(struct tk_choice *c, uint32_t no, struct gpudx_sv text)
{
	bool again = no == c->last, blank = sv_blank(text), keep = c->whole > 0;
	struct gpudx_boundary b;

	begin_parts(c, no);
	keep |= c->whole > 0;
	if (c->whole && !blank && !again)
		c->whole--;
	c->last = no;
	while (c->range < c->nranges && c->ranges[c->range].to < no)
		c->range++;
	keep |= c->range < c->nranges && c->ranges[c->range].from <= no;
	if (blank)
		return keep;
	b = gpudx_segment_look(text, c->before);
	c->before = b.kind;
	return keep || (b.kind != GPUDX_NO_BOUNDARY && b.kind != GPUDX_RULE);
}
