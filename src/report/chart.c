#include "report/chart.h"

#include "report/panel.h"
#include "report/png.h"
#include "report/select.h"
#include "report/timeline.h"
#include "report/words.h"

#include <math.h>

enum {
	WIDE_PX = 720,
	NARROW_PX = 356,
	LEFT_PX = 38, /* for the value axis */
	RIGHT_PX = 10,
	STRIP_PX = 17, /* over a panel, for its title */
	AXIS_PX = 22,
	ROWS_MOST = 8,
	SVG_MOST = 4 << 20
};

struct drawer {
	const struct rep_model *m;
	struct gpudx_plot *plot;
	struct rep_sheet sheet;
	struct gpudx_buf drawn, page;
	bool png;	 /* as pictures, too */
	const char *why; /* what went wrong, besides gnuplot itself */
};

/* The sheet as a picture, as far as that works: the drawing counts without. */
static void add_png(struct drawer *d, struct rep_chart *chart)
{
	if (d->png && gpudx_png_draw(d->plot, &d->sheet, &d->page, &d->drawn))
		chart->png =
			gpudx_arena_sv(d->m->arena, sv_n(gpudx_buf_cstr(&d->drawn), d->drawn.n));
}

/* Sends the sheet to gnuplot and keeps what comes back. */
static bool finish(struct drawer *d, struct rep_chart *chart)
{
	struct rep_sheet *s = &d->sheet;

	gpudx_sheet_end(s);
	gpudx_buf_clear(&d->drawn);
	gpudx_buf_clear(&d->page);
	if (s->script.failed ||
	    !gpudx_plot_run(d->plot, sv_n(gpudx_buf_cstr(&s->script), s->script.n), &d->drawn))
		return false;
	if (!gpudx_svg_rewrite(sv_n(gpudx_buf_cstr(&d->drawn), d->drawn.n), s->labels, s->nlabels,
			       &d->page)) {
		d->why = "gnuplot's drawing is of an unknown form";
		return false;
	}
	chart->body = gpudx_arena_sv(d->m->arena, sv_n(gpudx_buf_cstr(&d->page), d->page.n));
	chart->width = s->width;
	chart->height = s->height;
	add_png(d, chart);
	return chart->body.p != NULL;
}

/* ---- one trace in stacked panels ---- */

static bool draw_stack(struct drawer *d, const struct rep_view *v, const enum rep_col *cols, int n,
		       int width, int panel_px, struct rep_chart *chart)
{
	int top = STRIP_PX;

	gpudx_sheet_begin(&d->sheet, width, n * (panel_px + STRIP_PX) + AXIS_PX);
	for (int i = 0; i < n; i++, top += panel_px + STRIP_PX) {
		struct rep_panel p = { cols[i],
				       { LEFT_PX, top, width - RIGHT_PX, top + panel_px },
				       .title = true,
				       .labels = i == n - 1 };

		gpudx_panel_draw(&d->sheet, v, &p);
	}
	return finish(d, chart);
}

/* ---- several traces as small multiples: a row each, two columns ---- */

static bool draw_rows(struct drawer *d, const struct rep_view *views, size_t n,
		      const enum rep_col cols[2], int width, int row_px, struct rep_chart *chart)
{
	int names = width == WIDE_PX ? 84 : 46, gap = 16;
	int panel_px = (width - names - RIGHT_PX - gap) / 2;

	gpudx_sheet_begin(&d->sheet, width, STRIP_PX + (int)n * row_px + AXIS_PX);
	for (size_t i = 0; i < n; i++)
		for (int c = 0; c < 2; c++) {
			int left = names + c * (panel_px + gap), top = STRIP_PX + (int)i * row_px;
			struct rep_panel p = { cols[c],
					       { left, top, left + panel_px, top + row_px - 5 },
					       .title = !i,
					       .labels = i == n - 1,
					       .row = true };

			if (!c)
				p.name =
					sv_first(views[i].t->gpu->label, width == WIDE_PX ? 14 : 7);
			gpudx_panel_draw(&d->sheet, &views[i], &p);
		}
	return finish(d, chart);
}

/* ---- events in the traces ---- */

/* Incidents that began in the window on the GPU of the view, on a clock that fits. */
static void take_mark(struct rep_view *v, struct gpudx_sv label, int64_t t_us, enum rep_quality q)
{
	const struct rep_trace *t = v->t;

	if (t->by_order || t_us < t->t0_us || t_us > t->t1_us || v->nmarks == REP_MARKS ||
	    (q >= REP_T_ALIGNED) != (t->quality >= REP_T_ALIGNED) ||
	    (q == REP_T_BOOT) != (t->quality == REP_T_BOOT))
		return;
	v->marks[v->nmarks++] =
		(struct rep_mark){ (double)(t_us - t->t0_us) / GPUDX_SECOND, label };
}

static enum gpudx_status load_marks(const struct rep_model *m, struct rep_view *views, size_t n,
				    struct gpudx_err *err)
{
	struct rep_select q = gpudx_select(
		m->db,
		"SELECT i.gpu_id, i.kind, i.code, i.t0_us, i.t_quality FROM incident i JOIN host h "
		"ON h.id = i.host_id"
		" WHERE h.bundle_id = ?1 AND i.t0_us IS NOT NULL ORDER BY i.t0_us, i.id",
		m->bundle, err);

	while (gpudx_select_next(&q)) {
		const struct rep_gpu *gpu = gpudx_model_gpu(m, gpudx_col_int(q.st, 0, -1));
		struct gpudx_sv label = gpudx_col_text(q.st, 1);
		int64_t code = gpudx_col_int(q.st, 2, -1);

		for (size_t i = 0; i < n; i++) {
			if (views[i].t->gpu != gpu || views[i].nmarks == REP_MARKS)
				continue;
			label = sv_is(label, "xid") ? SV_LIT("Xid") : label;
			take_mark(&views[i],
				  sv_str(code >= 0 ? gpudx_arena_printf(m->arena, "%.*s %lld",
									(int)label.n, label.p,
									(long long)code)
						   : gpudx_arena_printf(m->arena, "%.*s",
									(int)label.n, label.p)),
				  gpudx_col_time(q.st, 3),
				  gpudx_model_quality(gpudx_col_text(q.st, 4)));
		}
	}
	return gpudx_select_end(&q);
}

static enum gpudx_status make_views(const struct rep_model *m, struct rep_trace *traces, size_t n,
				    struct rep_view **views, struct gpudx_err *err)
{
	enum gpudx_status rc = gpudx_trace_load(m, traces, n, err);

	*views = gpudx_arena_array(m->arena, n, sizeof(**views));
	if (!rc && !*views)
		rc = gpudx_nomem(err);
	for (size_t i = 0; i < n && !rc; i++)
		gpudx_view_init(&(*views)[i], m, &traces[i]);
	if (!rc)
		rc = load_marks(m, *views, n, err);
	if (!rc)
		rc = gpudx_view_limits(*views, n, m, err);
	if (!rc)
		gpudx_view_share(*views, n);
	return rc;
}

/* ---- words for those who do not see the chart ---- */

static void put_range(struct gpudx_buf *b, const struct rep_view *v, enum rep_col c)
{
	struct rep_axis a = { INFINITY, -INFINITY };

	if (!v->t->has[c])
		return;
	for (size_t i = 0; i < REP_BUCKETS; i++)
		if (v->t->buckets[i].col[c].n) {
			a.lo = fmin(a.lo, v->t->buckets[i].col[c].min);
			a.hi = fmax(a.hi, v->t->buckets[i].col[c].max);
		}
	gpudx_buf_printf(b, ", %s %.0f to %.0f %s", gpudx_panel_name(c), a.lo, a.hi,
			 gpudx_panel_unit(c));
}

static void put_when(struct gpudx_buf *b, const struct rep_model *m, const struct rep_trace *t)
{
	struct rep_span span = { t->t0_us, t->t1_us, t->quality };
	char when[2 * REP_TIME_TEXT];

	gpudx_word_span(&span, gpudx_word_mark_utc(m), when);
	if (t->by_order)
		gpudx_buf_str(b, ", in the order of the samples, without times");
	else if (*when)
		gpudx_buf_printf(b, ", %s", when);
}

static struct gpudx_sv describe(struct drawer *d, const struct rep_view *v,
				const enum rep_col *cols, int n)
{
	struct gpudx_buf *b = &d->page;

	gpudx_buf_clear(b);
	gpudx_word_path(b, v->t->gpu->label, 40);
	put_when(b, d->m, v->t);
	for (int i = 0; i < n; i++)
		put_range(b, v, cols[i]);
	if (isfinite(v->limit_w))
		gpudx_buf_printf(b, "; power limit %.0f W%s", v->limit_w,
				 v->limit_inferred ? " (inferred)" : "");
	if (isfinite(v->clock_ref_mhz) && isfinite(v->clock_med_mhz))
		gpudx_buf_printf(b, "; SM clock %.0f MHz before, %.0f MHz in the shaded time",
				 v->clock_ref_mhz, v->clock_med_mhz);
	return gpudx_arena_sv(d->m->arena, sv_n(gpudx_buf_cstr(b), b->n));
}

/* "trace.csv, 6 samples. Lines: means; bands around them: lowest to highest." */
static struct gpudx_sv caption(struct drawer *d, const struct rep_trace *t)
{
	struct gpudx_buf *b = &d->page;
	struct gpudx_err err = { 0 };
	int64_t samples = 0;
	bool merged = false;

	gpudx_buf_clear(b);
	for (size_t i = 0; i < t->nrefs; i++)
		samples += t->refs[i]->samples;
	for (size_t i = 0; i < REP_BUCKETS; i++)
		merged |= t->buckets[i].n > 1;
	gpudx_word_path(b, gpudx_model_path(d->m, t->refs[0]->source_id, &err), 60);
	if (t->nrefs > 1)
		gpudx_buf_printf(b, " and %zu more", t->nrefs - 1);
	gpudx_buf_str(b, ", ");
	gpudx_word_plural(b, samples, "sample", "samples");
	if (merged)
		gpudx_buf_str(b, "; lines are means, bands go from the lowest to the highest");
	return gpudx_arena_sv(d->m->arena, sv_n(gpudx_buf_cstr(b), b->n));
}

static void take_shades(struct rep_figure *f, const struct rep_view *views, size_t n)
{
	const size_t most = sizeof(f->shades) / sizeof(f->shades[0]);

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < views[i].nbands; k++) {
			const struct rep_band *b = &views[i].bands[k];
			size_t at = 0;

			while (at < most && f->shades[at].words && f->shades[at].ink != b->ink)
				at++;
			if (at == most)
				continue;
			f->shades[at].ink = b->ink;
			f->shades[at].words = b->words;
		}
}

/* ---- the chart that a verdict rests on ---- */

enum proof_kind { PROOF_TRACE, PROOF_EVENTS };

/* By family of the rule. Others have no chart that would prove them. */
static const struct proof {
	const char *family;
	enum proof_kind kind;
	enum rep_col cols[2];
} proofs[] = {
	{ "power.", PROOF_TRACE, { REP_CLOCK, REP_POWER } },
	{ "clocks.", PROOF_TRACE, { REP_CLOCK, REP_POWER } },
	{ "thermal.", PROOF_TRACE, { REP_CLOCK, REP_TEMP } },
	{ "load.", PROOF_TRACE, { REP_UTIL, REP_POWER } },
	{ "xid.", PROOF_EVENTS, { 0 } },
	{ "driver.", PROOF_EVENTS, { 0 } },
	{ "memory.", PROOF_EVENTS, { 0 } },
	{ "fabric.", PROOF_EVENTS, { 0 } },
	{ "pcie.", PROOF_EVENTS, { 0 } },
	{ "host.", PROOF_EVENTS, { 0 } },
	{ "change.", PROOF_EVENTS, { 0 } },
	{ "network.", PROOF_EVENTS, { 0 } },
	{ "bmc.", PROOF_EVENTS, { 0 } },
};

static const struct proof *proof_of(const struct rep_finding *f)
{
	for (size_t i = 0; f && i < sizeof(proofs) / sizeof(proofs[0]); i++)
		if (sv_starts(f->rule, proofs[i].family))
			return &proofs[i];
	return NULL;
}

/* With several GPUs the sentence is about all of them. */
static struct gpudx_sv describe_rows(struct drawer *d, const struct rep_view *views, size_t n,
				     size_t all, const enum rep_col cols[2])
{
	struct gpudx_buf *b = &d->page;

	gpudx_buf_clear(b);
	gpudx_word_plural(b, (int64_t)n, "GPU", "GPUs");
	if (n < all)
		gpudx_buf_printf(b, " of %zu", all);
	put_when(b, d->m, views[0].t);
	for (int c = 0; c < 2; c++)
		if (views[0].values[cols[c]].lo <= views[0].values[cols[c]].hi)
			gpudx_buf_printf(b, ", %s %.0f to %.0f %s", gpudx_panel_name(cols[c]),
					 views[0].values[cols[c]].lo, views[0].values[cols[c]].hi,
					 gpudx_panel_unit(cols[c]));
	return gpudx_arena_sv(d->m->arena, sv_n(gpudx_buf_cstr(b), b->n));
}

static enum gpudx_status prove_by_trace(struct drawer *d, const struct rep_finding *f,
					const struct proof *p, struct rep_figure *out,
					struct gpudx_err *err)
{
	struct rep_trace *traces = gpudx_arena_array(d->m->arena, ROWS_MOST, sizeof(*traces));
	struct rep_view *views;
	enum gpudx_status rc;
	size_t n = 0;

	if (!traces)
		return gpudx_nomem(err);
	for (size_t i = 0; i < f->ngpus && n < ROWS_MOST; i++)
		if (gpudx_trace_choose(d->m, f->gpus[i], &f->shown, &traces[n]))
			gpudx_trace_narrow(&traces[n++], &f->span);
	rc = n ? make_views(d->m, traces, n, &views, err) : GPUDX_OK;
	if (rc || !n || !(traces[0].has[p->cols[0]] || traces[0].has[p->cols[1]]))
		return rc;
	if (n == 1) {
		if (draw_stack(d, views, p->cols, 2, WIDE_PX, 96, &out->wide))
			draw_stack(d, views, p->cols, 2, NARROW_PX, 64, &out->narrow);
		out->gpu = traces[0].gpu;
		out->title = describe(d, views, p->cols, 2);
	} else {
		if (draw_rows(d, views, n, p->cols, WIDE_PX, 36, &out->wide))
			draw_rows(d, views, n, p->cols, NARROW_PX, 26, &out->narrow);
		out->title = describe_rows(d, views, n, f->ngpus, p->cols);
	}
	take_shades(out, views, n);
	out->caption = caption(d, &traces[0]);
	return GPUDX_OK;
}

#define GREY "grey: messages that the verdict does not rest on"

static bool has_codes(const struct rep_timeline *t)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->moments[i].label.n && sv_is_digit(t->moments[i].label.p[0]))
			return true;
	return false;
}

static enum gpudx_status prove_by_events(struct drawer *d, const struct rep_finding *f,
					 struct rep_figure *out, struct gpudx_err *err)
{
	static const int widths[] = { WIDE_PX, NARROW_PX };
	struct rep_timeline t;
	enum gpudx_status rc = gpudx_timeline_load(d->m, f, &t, err);
	struct rep_span span = { t.t0_us, t.t1_us, t.quality };
	char when[2 * REP_TIME_TEXT];

	if (rc || !t.n)
		return rc;
	for (int i = 0; i < 2; i++) {
		gpudx_sheet_begin(&d->sheet, widths[i], gpudx_timeline_height(&t));
		gpudx_timeline_draw(&d->sheet, &t, d->m->arena);
		if (!finish(d, i ? &out->narrow : &out->wide))
			break;
	}
	gpudx_word_span(&span, gpudx_word_mark_utc(d->m), when);
	out->title =
		sv_str(gpudx_arena_printf(d->m->arena, "Messages of the logs, %s: %zu in %u %s",
					  when, t.n, t.nlanes, t.nlanes == 1 ? "lane" : "lanes"));
	out->caption = has_codes(&t) ? SV_LIT("numbers are Xid codes; " GREY) : SV_LIT(GREY);
	return GPUDX_OK;
}

/* ---- every GPU ---- */

static const enum rep_col all_columns[] = { REP_CLOCK, REP_POWER, REP_TEMP, REP_UTIL };
enum { COLUMNS = sizeof(all_columns) / sizeof(all_columns[0]) };

/* GPUs of the verdict come first when there are too many for all. */
static size_t choose_gpus(const struct rep_model *m, struct rep_trace *traces, size_t *left_out)
{
	size_t n = 0, all = 0;

	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < m->ngpus; i++) {
			bool first = false;

			for (size_t k = 0; m->first && k < m->first->ngpus; k++)
				first |= m->first->gpus[k] == &m->gpus[i];
			if (first != !pass || !gpudx_trace_choose(m, &m->gpus[i], NULL, &traces[n]))
				continue;
			all++;
			n += n < REP_CHARTED_GPUS;
		}
	*left_out = all - n;
	return n;
}

/* Columns that some GPU has. */
static int recorded(const struct rep_trace *traces, size_t n, enum rep_col cols[COLUMNS])
{
	int found = 0;

	for (int c = 0; c < COLUMNS; c++) {
		bool any = false;

		for (size_t i = 0; i < n; i++)
			any |= traces[i].has[all_columns[c]];
		if (any)
			cols[found++] = all_columns[c];
	}
	return found;
}

static enum gpudx_status draw_gpus(struct drawer *d, struct rep_charts *out, struct gpudx_err *err)
{
	struct rep_trace *traces =
		gpudx_arena_array(d->m->arena, REP_CHARTED_GPUS + 1, sizeof(*traces));
	struct rep_view *views;
	enum rep_col cols[COLUMNS];
	enum gpudx_status rc;
	size_t n;
	int ncols;

	out->gpus = gpudx_arena_array(d->m->arena, REP_CHARTED_GPUS, sizeof(*out->gpus));
	if (!traces || !out->gpus)
		return gpudx_nomem(err);
	n = choose_gpus(d->m, traces, &out->left_out);
	rc = n ? make_views(d->m, traces, n, &views, err) : GPUDX_OK;
	if (rc || !n)
		return rc;
	ncols = recorded(traces, n, cols);
	for (size_t i = 0; i < n && ncols; i++) {
		struct rep_figure *f = &out->gpus[out->ngpus];

		f->gpu = traces[i].gpu;
		if (!draw_stack(d, &views[i], cols, ncols, NARROW_PX, 70, &f->narrow))
			break;
		/* A wide one only where it does not make the page heavy. */
		if (n <= 2)
			draw_stack(d, &views[i], cols, ncols, WIDE_PX, 84, &f->wide);
		f->title = describe(d, &views[i], cols, ncols);
		f->caption = caption(d, &traces[i]);
		take_shades(f, &views[i], 1);
		out->ngpus++;
	}
	return GPUDX_OK;
}

enum gpudx_status gpudx_charts_draw(const struct rep_model *m, struct gpudx_plot *plot, bool png,
				    struct rep_charts *c, struct gpudx_err *err)
{
	struct drawer d = { .m = m,
			    .plot = plot,
			    .sheet = { .script = { .max = SVG_MOST } },
			    .drawn = { .max = SVG_MOST },
			    .page = { .max = SVG_MOST } };
	const struct proof *p = proof_of(m->first);
	enum gpudx_status rc = GPUDX_OK;

	*c = (struct rep_charts){ .missing = plot ? gpudx_plot_why(plot) : "none were asked for" };
	if (c->missing)
		return GPUDX_OK;
	d.png = png && gpudx_png_possible(plot);
	c->no_png = png && !d.png ? "this gnuplot has no pngcairo terminal" : NULL;
	if (p && p->kind == PROOF_TRACE)
		rc = prove_by_trace(&d, m->first, p, &c->proof, err);
	else if (p)
		rc = prove_by_events(&d, m->first, &c->proof, err);
	if (!rc)
		rc = draw_gpus(&d, c, err);
	c->missing = gpudx_plot_why(plot) ? gpudx_plot_why(plot) : d.why;
	gpudx_buf_free(&d.sheet.script);
	gpudx_buf_free(&d.drawn);
	gpudx_buf_free(&d.page);
	return rc;
}
