/* The lines that findings cite, with what stands around them, and the messages among them. */
#include "report/model.h"

#include "base/buf.h"
#include "report/select.h"

#include <math.h>
#include <stdlib.h>

enum {
	AROUND = 2,	  /* lines of context before and after */
	LINES_MOST = 100, /* of one finding: rules keep 50 for and 50 against */
};

struct reader {
	struct rep_model *m;
	struct gpudx_err *err;
	struct rep_select around; /* kept lines of an interval of ids */
	struct rep_select ids;	  /* the interval of rowids in which a source has samples */
	struct rep_select sample; /* the first sample from a rowid on */
	int64_t ids_of, lo, hi;	  /* the source of the last interval, and that */
	size_t text_left;
	bool no_memory;
};

static void *need(struct reader *r, void *p)
{
	if (!p)
		r->no_memory = true;
	return p;
}

/* ---- which lines ---- */

static struct rep_place *place_of(struct reader *r, struct rep_evidence *e, int64_t source_id)
{
	struct rep_place *all;

	for (size_t i = 0; i < e->n; i++)
		if (e->places[i].source_id == source_id)
			return &e->places[i];
	all = need(r, gpudx_report_grow(r->m->arena, e->places, e->n, sizeof(*all)));
	if (!all)
		return NULL;
	e->places = all;
	all[e->n] = (struct rep_place){ .source_id = source_id,
					.path = gpudx_model_path(r->m, source_id, r->err) };
	return &all[e->n++];
}

static struct rep_line *new_line(struct reader *r, struct rep_place *p, uint32_t number)
{
	struct rep_line *all =
		need(r, gpudx_report_grow(r->m->arena, p->lines, p->n, sizeof(*all)));

	if (!all)
		return NULL;
	p->lines = all;
	all[p->n] = (struct rep_line){ .number = number, .offset = -1 };
	return &all[p->n++];
}

static void cite(struct reader *r, struct rep_evidence *e, int64_t line_id)
{
	struct rep_place *p = place_of(r, e, rep_line_source(line_id));
	uint32_t number = rep_line_number(line_id);

	for (size_t i = 0; p && i < p->n; i++)
		if (p->lines[i].number == number)
			return;
	if (p && new_line(r, p, number)) {
		p->lines[p->n - 1].cited = true;
		p->cited++;
	}
}

static enum gpudx_status read_citations(struct reader *r)
{
	struct rep_select q =
		gpudx_select(r->m->db,
			     "SELECT l.finding_id, l.line_id, l.role FROM finding_line "
			     "l JOIN finding f ON f.id = l.finding_id"
			     " WHERE f.bundle_id = ?1 ORDER BY l.finding_id, l.rowid",
			     r->m->bundle, r->err);
	struct rep_finding *f = NULL;
	int64_t last = -1, n = 0;

	while (!r->no_memory && gpudx_select_next(&q)) {
		int64_t id = gpudx_col_int(q.st, 0, 0);

		if (id != last) {
			f = gpudx_model_finding(r->m, id);
			last = id;
			n = 0;
		}
		if (f && n++ < LINES_MOST)
			cite(r, sv_is(gpudx_col_text(q.st, 2), "against") ? &f->against : &f->shown,
			     gpudx_col_int(q.st, 1, 0));
	}
	return gpudx_select_end(&q);
}

static enum gpudx_status read_answer_citations(struct reader *r)
{
	struct rep_select q = gpudx_select(r->m->db,
					   "SELECT a.place, l.line_id FROM answer_line l"
					   " JOIN answer a USING (bundle_id, list, n)"
					   " WHERE l.bundle_id = ?1 ORDER BY a.place, l.rowid",
					   r->m->bundle, r->err);
	size_t i = 0;

	/* Answers and lines come in the same order. */
	while (!r->no_memory && gpudx_select_next(&q)) {
		int64_t place = gpudx_col_int(q.st, 0, 0);

		while (i < r->m->nanswers && r->m->answers[i].place < place)
			i++;
		if (i == r->m->nanswers)
			break;
		if (r->m->answers[i].place == place)
			cite(r, &r->m->answers[i].shown, gpudx_col_int(q.st, 1, 0));
	}
	return gpudx_select_end(&q);
}

/* ---- their text ---- */

static void put_text(struct reader *r, struct rep_line *l, struct gpudx_sv text)
{
	size_t most = l->cited ? REP_TEXT : REP_CONTEXT;
	struct gpudx_sv cut = sv_first(text, most);

	if (!text.p)
		return;
	if (cut.n > r->text_left) {
		r->m->texts_cut = true;
		return;
	}
	/* Not in the middle of a character. */
	while (cut.n < text.n && cut.n && (text.p[cut.n] & 0xc0) == 0x80)
		cut.n--;
	r->text_left -= cut.n;
	l->verbatim = cut.n == text.n;
	l->text = l->verbatim ? gpudx_arena_sv(r->m->arena, cut)
			      : sv_str(gpudx_arena_printf(r->m->arena, "%.*s…", (int)cut.n, cut.p));
}

static void add_number(struct gpudx_buf *b, const char *name, sqlite3_stmt *st, int column)
{
	double v = gpudx_col_real(st, column);

	if (isfinite(v))
		gpudx_buf_printf(b, "%s%s=%.10g", b->n ? " " : "", name, v);
}

static const char *const sample_columns[] = { "pstate",	  "sm_clock_mhz",  "mem_clock_mhz",
					      "power_w",  "power_limit_w", "temp_c",
					      "util_pct", "mem_util_pct",  "mem_used_mib",
					      "reasons" };

#define SAMPLE                                                                               \
	"SELECT s.rowid, s.line, r.source_id, s.pstate, s.sm_clock_mhz, s.mem_clock_mhz, "   \
	"s.power_w,"                                                                         \
	" s.power_limit_w, s.temp_c, s.util_pct, s.mem_util_pct, s.mem_used_mib, s.reasons"  \
	" FROM gpu_sample s JOIN gpu_ref r ON r.id = s.ref_id WHERE s.rowid >= ?1 ORDER BY " \
	"s.rowid LIMIT 1"

/* The interval of rowids in which a source has samples; empty when it has none. */
static void sample_interval(struct reader *r, int64_t source_id)
{
	if (r->ids_of == source_id)
		return;
	gpudx_select_again(&r->ids, source_id, 0);
	r->ids_of = source_id;
	r->lo = 1;
	r->hi = 0;
	if (gpudx_select_next(&r->ids)) {
		r->lo = gpudx_col_int(r->ids.st, 0, 1);
		r->hi = gpudx_col_int(r->ids.st, 1, 0);
	}
}

/* Stands on the first sample from this rowid on. */
static bool sample_at(struct reader *r, int64_t rowid)
{
	gpudx_select_again(&r->sample, rowid, 0);
	return gpudx_select_next(&r->sample);
}

/* Samples have no index, but within one member lines ascend with the rowid, so halving the
 * interval finds a line. */
static bool find_sample(struct reader *r, int64_t source_id, int64_t line)
{
	int64_t lo, hi;

	sample_interval(r, source_id);
	lo = r->lo;
	hi = r->hi;
	while (lo < hi) {
		int64_t mid = (int64_t)(((uint64_t)lo + (uint64_t)hi) / 2);

		if (lo < 0 || !sample_at(r, mid))
			return false;
		if (gpudx_col_int(r->sample.st, 1, 0) < line)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo == hi && sample_at(r, lo) && gpudx_col_int(r->sample.st, 1, 0) == line &&
	       gpudx_col_int(r->sample.st, 2, 0) == source_id;
}

/* A sample whose text was not kept is shown from its columns. */
static void render_sample(struct reader *r, struct rep_line *l, int64_t source_id)
{
	struct gpudx_buf b = { .max = 1024 };

	if (!find_sample(r, source_id, l->number))
		return;
	for (int i = 0; i < (int)(sizeof(sample_columns) / sizeof(sample_columns[0])); i++)
		add_number(&b, sample_columns[i], r->sample.st, 3 + i);
	l->text = gpudx_arena_sv(r->m->arena, sv_n(gpudx_buf_cstr(&b), b.n));
	gpudx_buf_free(&b);
}

/* Lines from..to of the place, in their order: the kept ones, and number in any case. */
static void add_lines(struct reader *r, struct rep_place *p, uint32_t from, uint32_t to,
		      uint32_t number)
{
	int64_t base = (int64_t)((uint64_t)p->source_id << 32);
	struct rep_line *l;
	bool met = false;

	gpudx_select_again(&r->around, base | from, base | to);
	while (!r->no_memory && gpudx_select_next(&r->around)) {
		uint32_t at = rep_line_number(gpudx_col_int(r->around.st, 0, 0));

		if (at > number && !met && new_line(r, p, number))
			p->lines[p->n - 1].cited = met = true;
		l = new_line(r, p, at);
		if (!l)
			return;
		l->cited = at == number;
		met |= l->cited;
		l->offset = gpudx_col_int(r->around.st, 1, -1);
		put_text(r, l, gpudx_col_text(r->around.st, 2));
	}
	if (!met && new_line(r, p, number))
		p->lines[p->n - 1].cited = true;
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = ((const struct rep_line *)a)->number, y = ((const struct rep_line *)b)->number;

	return (x > y) - (x < y);
}

/* Replaces the bare citations of a place by its lines with text and context. */
static void read_place(struct reader *r, struct rep_place *p)
{
	struct rep_line *cited = p->lines;
	size_t n = p->n;
	uint32_t next = 1; /* the first line not yet there */

	qsort(cited, n, sizeof(*cited), by_number);
	p->lines = NULL;
	p->n = 0;
	for (size_t i = 0; i < n && !r->no_memory; i++) {
		uint32_t at = cited[i].number, from = at > AROUND ? at - AROUND : 0;
		uint32_t to = at <= UINT32_MAX - AROUND ? at + AROUND : at;

		from = from < next ? next : from;
		if (i + 1 < n && to >= cited[i + 1].number)
			to = cited[i + 1].number - 1;
		add_lines(r, p, from > at ? at : from, to, at);
		next = to + 1;
	}
	for (size_t i = 0; i < p->n; i++)
		if (p->lines[i].cited && !p->lines[i].text.p)
			render_sample(r, &p->lines[i], p->source_id);
}

static void read_texts(struct reader *r)
{
	for (size_t i = 0; i < r->m->nfindings; i++) {
		struct rep_finding *f = &r->m->findings[i];

		for (size_t k = 0; k < f->shown.n; k++)
			read_place(r, &f->shown.places[k]);
		for (size_t k = 0; k < f->against.n; k++)
			read_place(r, &f->against.places[k]);
	}
	for (size_t i = 0; i < r->m->nanswers; i++)
		for (size_t k = 0; k < r->m->answers[i].shown.n; k++)
			read_place(r, &r->m->answers[i].shown.places[k]);
}

/* ---- messages ---- */

static bool add_event(struct reader *r, struct rep_finding *f, struct rep_select *q)
{
	struct rep_event *e =
		need(r, gpudx_report_grow(r->m->arena, f->events, f->nevents, sizeof(*e)));
	int64_t line_id = gpudx_col_int(q->st, 1, 0);

	if (!e)
		return false;
	f->events = e;
	e += f->nevents++;
	*e = (struct rep_event){
		.at = { gpudx_col_time(q->st, 2), GPUDX_NO_TIME,
			gpudx_model_quality(gpudx_col_text(q->st, 3)) },
		.kind = gpudx_select_text(q, r->m->arena, 4),
		.code = gpudx_col_int(q->st, 5, -1),
		.text = gpudx_arena_sv(r->m->arena,
				       sv_first(gpudx_col_text(q->st, 6), REP_CONTEXT)),
		.path = gpudx_model_path(r->m, rep_line_source(line_id), r->err),
		.line = rep_line_number(line_id),
	};
	return true;
}

static enum gpudx_status read_events(struct reader *r)
{
	struct rep_select q = gpudx_select(
		r->m->db,
		"SELECT l.finding_id, l.line_id, e.t_us, e.t_quality, e.kind, e.code, e.text"
		" FROM finding f JOIN finding_line l ON l.finding_id = f.id JOIN event e ON "
		"e.line_id = l.line_id"
		" WHERE f.bundle_id = ?1 AND l.role = 'shows' ORDER BY l.finding_id, e.t_us, e.id",
		r->m->bundle, r->err);

	while (!r->no_memory && gpudx_select_next(&q)) {
		struct rep_finding *f = gpudx_model_finding(r->m, gpudx_col_int(q.st, 0, 0));

		if (f && f->nevents < REP_EVENTS && !add_event(r, f, &q))
			break;
	}
	return gpudx_select_end(&q);
}

static void open_queries(struct reader *r)
{
	sqlite3 *db = r->m->db;

	r->around = gpudx_select(
		db, "SELECT id, byte_offset, text FROM line WHERE id BETWEEN ?1 AND ?2 ORDER BY id",
		0, r->err);
	r->ids = gpudx_select(db,
			      "SELECT min(m.first_id), max(m.last_id) FROM gpu_ref r"
			      " JOIN gpu_minute m ON m.ref_id = r.id WHERE r.source_id = ?1",
			      0, r->err);
	r->sample = gpudx_select(db, SAMPLE, 0, r->err);
}

enum gpudx_status gpudx_model_evidence(struct rep_model *m, struct gpudx_err *err)
{
	struct reader r = { .m = m, .err = err, .text_left = REP_TEXTS, .ids_of = -1 };
	enum gpudx_status rc, end[3];

	open_queries(&r);
	rc = read_citations(&r);
	if (!rc)
		rc = read_answer_citations(&r);
	if (!rc)
		read_texts(&r);
	if (!rc)
		rc = read_events(&r);
	end[0] = gpudx_select_end(&r.around);
	end[1] = gpudx_select_end(&r.ids);
	end[2] = gpudx_select_end(&r.sample);
	for (int i = 0; i < 3 && !rc; i++)
		rc = end[i];
	if (!rc && r.no_memory)
		rc = gpudx_nomem(err);
	return rc;
}
