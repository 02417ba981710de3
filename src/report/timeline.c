#include "report/timeline.h"

#include "report/select.h"
#include "report/words.h"

enum { LANE_PX = 30, TOP_PX = 8, AXIS_PX = 22, CHAR_PX = 6, LEAST_MARGIN_S = 60, LANE_MOST = 14 };

/* ---- gathering ---- */

static bool span_of(const struct rep_finding *f, struct rep_timeline *t)
{
	bool any = false;

	for (size_t i = 0; i < f->nevents; i++) {
		const struct rep_span *at = &f->events[i].at;

		if (!gpudx_word_time_known(at->t0_us) || at->quality < REP_T_BOOT)
			continue;
		if (!any) {
			t->t0_us = t->t1_us = at->t0_us;
			t->quality = at->quality;
		}
		any = true;
		t->t0_us = at->t0_us < t->t0_us ? at->t0_us : t->t0_us;
		t->t1_us = at->t0_us > t->t1_us ? at->t0_us : t->t1_us;
	}
	return any;
}

/* The lane of this name, a new one at the end; the last takes what comes when all are in use. */
static unsigned lane_at(struct rep_timeline *t, struct gpudx_sv name)
{
	unsigned i = 0;

	while (i < t->nlanes && !sv_eq(t->lanes[i], name))
		i++;
	if (i == t->nlanes && t->nlanes < REP_LANES) {
		t->lanes[t->nlanes++] = name;
	} else if (i == t->nlanes) {
		i = REP_LANES - 1;
		t->lanes[i] = SV_LIT("others");
	}
	return i;
}

static struct gpudx_sv lane_of(const struct rep_gpu *gpu, struct gpudx_sv log)
{
	if (gpu)
		return sv_first(gpu->label, LANE_MOST);
	if (sv_is(log, "kernel"))
		return SV_LIT("kernel");
	if (sv_is(log, "journal"))
		return SV_LIT("system log");
	if (sv_is(log, "app"))
		return SV_LIT("programs");
	return sv_is(log, "smi") ? SV_LIT("nvidia-smi") : SV_LIT("host");
}

static struct gpudx_sv label_of(const struct rep_model *m, struct rep_select *q)
{
	struct gpudx_sv kind = gpudx_col_text(q->st, 1);
	int64_t code = gpudx_col_int(q->st, 2, -1);

	if (code >= 0 && sv_is(kind, "xid"))
		return sv_str(gpudx_arena_printf(m->arena, "%lld", (long long)code));
	if (code >= 0)
		return sv_str(gpudx_arena_printf(m->arena, "%.*s %lld", (int)kind.n, kind.p,
						 (long long)code));
	return gpudx_select_text(q, m->arena, 1);
}

#define EVENTS(log, join)                                                                         \
	"SELECT e.gpu_id, e.kind, e.code, e.t_us, e.t_quality, " log ","                          \
	" EXISTS(SELECT 1 FROM finding_line l WHERE l.finding_id = ?4 AND l.line_id = e.line_id)" \
	" FROM event e " join " WHERE e.host_id = ?1 AND e.copy_of IS NULL"                       \
	" AND e.t_us BETWEEN ?2 AND ?3 AND (e.kind <> 'kernel.gpu_found' OR EXISTS("              \
	"  SELECT 1 FROM finding_line l WHERE l.finding_id = ?4 AND l.line_id = e.line_id))"      \
	" ORDER BY e.t_us, e.id LIMIT 400"

static enum gpudx_status load_moments(const struct rep_model *m, const struct rep_finding *f,
				      struct rep_timeline *t, struct gpudx_err *err)
{
	bool kinds = gpudx_db_has(m->db, "kb_event_kinds", NULL);
	struct rep_select q = gpudx_select(
		m->db,
		kinds ? EVENTS("k.log", "LEFT JOIN kb_event_kinds k ON k.kind = e.kind")
		      : EVENTS("NULL", ""),
		f->host->id, err);

	if (q.st) {
		sqlite3_bind_int64(q.st, 2, t->t0_us);
		sqlite3_bind_int64(q.st, 3, t->t1_us);
		sqlite3_bind_int64(q.st, 4, f->id);
	}
	while (t->n < REP_MOMENTS && gpudx_select_next(&q)) {
		struct rep_moment *x = &t->moments[t->n];
		enum rep_quality quality = gpudx_model_quality(gpudx_col_text(q.st, 4));

		if ((quality >= REP_T_ALIGNED) != (t->quality >= REP_T_ALIGNED) ||
		    (quality == REP_T_BOOT) != (t->quality == REP_T_BOOT))
			continue;
		x->t_us = gpudx_col_time(q.st, 3);
		x->label = label_of(m, &q);
		x->cited = gpudx_col_int(q.st, 6, 0) != 0;
		x->lane = lane_at(t, lane_of(gpudx_model_gpu(m, gpudx_col_int(q.st, 0, -1)),
					     gpudx_col_text(q.st, 5)));
		t->n++;
	}
	return gpudx_select_end(&q);
}

/* Lanes of which nothing is said take room and say nothing. */
static void drop_empty_lanes(struct rep_timeline *t)
{
	unsigned to[REP_LANES] = { 0 }, kept = 0;

	for (size_t i = 0; i < t->n; i++)
		to[t->moments[i].lane] = 1;
	for (unsigned i = 0; i < t->nlanes; i++) {
		bool used = to[i] != 0;

		to[i] = kept;
		if (used)
			t->lanes[kept++] = t->lanes[i];
	}
	t->nlanes = kept;
	for (size_t i = 0; i < t->n; i++)
		t->moments[i].lane = to[t->moments[i].lane];
}

enum gpudx_status gpudx_timeline_load(const struct rep_model *m, const struct rep_finding *f,
				      struct rep_timeline *t, struct gpudx_err *err)
{
	enum gpudx_status rc;
	int64_t margin;

	*t = (struct rep_timeline){ 0 };
	if (!f->host || !span_of(f, t))
		return GPUDX_OK;
	margin = (t->t1_us - t->t0_us) / 5;
	if (margin < LEAST_MARGIN_S * GPUDX_SECOND)
		margin = LEAST_MARGIN_S * GPUDX_SECOND;
	t->t0_us -= margin;
	t->t1_us += margin;
	t->moments = gpudx_arena_array(m->arena, REP_MOMENTS, sizeof(*t->moments));
	if (!t->moments)
		return gpudx_nomem(err);
	for (size_t i = 0; i < f->ngpus && i < REP_LANES - 2; i++)
		lane_at(t, sv_first(f->gpus[i]->label, LANE_MOST));
	rc = load_moments(m, f, t, err);
	drop_empty_lanes(t);
	return rc;
}

/* ---- drawing ---- */

int gpudx_timeline_height(const struct rep_timeline *t)
{
	return TOP_PX + (int)t->nlanes * LANE_PX + AXIS_PX;
}

struct cluster {
	double x; /* pixels from the left of the panel */
	char text[64];
	size_t used, more;
	struct gpudx_sv last;
	bool cited;
};

static void flush(struct rep_sheet *s, struct cluster *c, const struct rep_timeline *t, double y,
		  int pixels, struct gpudx_arena *arena)
{
	double scale = ((double)t->t1_us - (double)t->t0_us) / GPUDX_SECOND / pixels;
	bool right = c->x + (double)c->used * CHAR_PX > pixels;
	const char *text;
	char label[16];

	if (!c->used)
		return;
	text = gpudx_arena_printf(arena, c->more ? "%s +%zu" : "%s", c->text, c->more);
	if (text)
		gpudx_sheet_text_at(s, (right ? pixels : c->x) * scale, y + 0.34,
				    right ? REP_RIGHT : REP_LEFT,
				    c->cited ? REP_INK_TEXT : REP_INK_SOFT,
				    gpudx_sheet_label(s, sv_str(text), label));
	c->used = c->more = 0;
}

/* Adds a label to the cluster: not the same twice in a row, and no more than has room. */
static void gather(struct cluster *c, const struct rep_moment *x, size_t room)
{
	size_t need = x->label.n + (c->used > 0);

	c->cited |= x->cited;
	if (c->used && sv_eq(c->last, x->label))
		return;
	c->last = x->label;
	if (c->used + need > room || c->used + need >= sizeof(c->text)) {
		if (c->used) {
			c->more++;
			return;
		}
		need = room < sizeof(c->text) - 1 ? room : sizeof(c->text) - 1;
	}
	if (c->used)
		c->text[c->used++] = ' ';
	need -= c->used && need > x->label.n;
	need = need < x->label.n ? need : x->label.n;
	memcpy(c->text + c->used, x->label.p, need);
	c->used += need;
	c->text[c->used] = '\0';
}

static void draw_lane(struct rep_sheet *s, const struct rep_timeline *t, unsigned lane, int pixels,
		      struct gpudx_arena *arena)
{
	double y = (double)(t->nlanes - lane) - 0.6,
	       span = ((double)t->t1_us - (double)t->t0_us) / GPUDX_SECOND;
	double last = -10;
	struct cluster c = { 0 };

	gpudx_sheet_line(s, 0, y, span, y, REP_INK_GRID, false);
	for (size_t i = 0; i < t->n; i++) {
		const struct rep_moment *m = &t->moments[i];
		double at = ((double)m->t_us - (double)t->t0_us) / GPUDX_SECOND,
		       x = at / span * pixels;

		if (m->lane != lane || !m->label.p)
			continue;
		if (x - last >= 1) {
			gpudx_sheet_line(s, at, y - 0.2, at, y + 0.2,
					 m->cited ? REP_INK_MARK : REP_INK_SOFT, false);
			last = x;
		}
		if (c.used && x > c.x + (double)(c.used + 3) * CHAR_PX)
			flush(s, &c, t, y, pixels, arena);
		if (!c.used) {
			c.x = x;
			c.cited = false;
		}
		gather(&c, m, (size_t)(pixels / 2 / CHAR_PX));
	}
	flush(s, &c, t, y, pixels, arena);
}

void gpudx_timeline_draw(struct rep_sheet *s, const struct rep_timeline *t,
			 struct gpudx_arena *arena)
{
	int left = s->width >= 600 ? 90 : 66;
	struct rep_box box = { left, TOP_PX, s->width - 8, TOP_PX + (int)t->nlanes * LANE_PX };
	struct rep_axis x = { 0, ((double)t->t1_us - (double)t->t0_us) / GPUDX_SECOND };
	struct rep_axis y = { 0, t->nlanes };
	char label[16];

	gpudx_sheet_panel(s, box, x, y);
	gpudx_buf_str(&s->script, "unset ytics\n");
	gpudx_sheet_time_tics(s, x, t->t0_us, t->quality, false, box.right - box.left, false);
	for (unsigned i = 0; i < t->nlanes; i++) {
		gpudx_sheet_text(s, left - 8, TOP_PX + (int)i * LANE_PX + LANE_PX * 6 / 10,
				 REP_RIGHT, REP_INK_SOFT, gpudx_sheet_label(s, t->lanes[i], label));
		draw_lane(s, t, i, box.right - box.left, arena);
	}
	gpudx_buf_str(&s->script, "plot NaN\n");
}
