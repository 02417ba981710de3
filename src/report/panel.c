#include "report/panel.h"

#include "report/select.h"
#include "report/words.h"

#include <math.h>
#include <stdio.h>

enum { STRIP_PX = 5, FEW_POINTS = 60 };

static const struct {
	const char *name, *unit;
	enum rep_ink ink;
	double least_span; /* of the axis, so that noise does not look like a cliff */
} columns[REP_COLS] = {
	[REP_CLOCK] = { "SM clock", "MHz", REP_INK_CLOCK, 60 },
	[REP_POWER] = { "power", "W", REP_INK_POWER, 20 },
	[REP_LIMIT] = { "power limit", "W", REP_INK_LIMIT, 20 },
	[REP_TEMP] = { "temperature", "C", REP_INK_TEMP, 10 },
	[REP_UTIL] = { "busy", "%", REP_INK_UTIL, 100 },
	[REP_MEMTEMP] = { "memory temperature", "C", REP_INK_TEMP, 10 },
};

const char *gpudx_panel_name(enum rep_col c)
{
	return columns[c].name;
}

const char *gpudx_panel_unit(enum rep_col c)
{
	return columns[c].unit;
}

/* ---- what is drawn into a trace ---- */

static bool band_ink(struct gpudx_sv kind, enum rep_ink *ink)
{
	static const struct {
		const char *kind;
		enum rep_ink ink;
	} kinds[] = { { "power_limit", REP_INK_LIMITED },
		      { "thermal_sw", REP_INK_HEAT },
		      { "thermal_hw", REP_INK_HEAT },
		      { "power_brake", REP_INK_HELD },
		      { "hw_slowdown", REP_INK_HELD } };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (sv_is(kind, kinds[i].kind)) {
			*ink = kinds[i].ink;
			return true;
		}
	return false;
}

static bool of_trace(const struct rep_episode *e, const struct rep_trace *t)
{
	for (size_t i = 0; i < t->nrefs; i++)
		if (t->refs[i]->id == e->ref_id)
			return true;
	return false;
}

/* Where an episode stands on the axis; false when it is not in the window. */
static bool place(const struct rep_episode *e, const struct rep_view *v, double *x0, double *x1)
{
	const struct rep_trace *t = v->t;
	int64_t from = e->span.t0_us, to = e->span.t1_us == GPUDX_NO_TIME ? from : e->span.t1_us;

	if (t->by_order) {
		from = e->order0 >= 0 && e->order0 < INT32_MAX ? e->order0 * GPUDX_SECOND
							       : GPUDX_NO_TIME;
		to = e->order1 >= 0 && e->order1 < INT32_MAX ? e->order1 * GPUDX_SECOND : from;
	}
	if (!gpudx_word_time_known(from) || !gpudx_word_time_known(to) || to < t->t0_us ||
	    from > t->t1_us)
		return false;
	*x0 = fmax(v->x.lo, (double)(from - t->t0_us) / GPUDX_SECOND);
	*x1 = fmin(v->x.hi, (double)(to - t->t0_us) / GPUDX_SECOND);
	return *x1 >= *x0;
}

/* A stretch of one sample is still a pixel wide; stretches that touch are one. */
static void add_band(struct rep_view *v, double x0, double x1, enum rep_ink ink, const char *words)
{
	double pixel = (v->x.hi - v->x.lo) / REP_BUCKETS;
	struct rep_band *last = v->nbands ? &v->bands[v->nbands - 1] : NULL;

	x1 = x1 - x0 < pixel ? x0 + pixel : x1;
	if (last && last->ink == ink && x0 <= last->x1 + pixel && x0 >= last->x0) {
		last->x1 = x1 > last->x1 ? x1 : last->x1;
		return;
	}
	if (v->nbands < REP_BANDS)
		v->bands[v->nbands++] = (struct rep_band){ x0, x1, ink, words };
}

static void take_levels(struct rep_view *v, const struct rep_episode *e, int64_t *longest)
{
	if (e->samples <= *longest ||
	    (!gpudx_trace_drawable(e->clock_ref_mhz) && !gpudx_trace_drawable(e->limit_w)))
		return;
	*longest = e->samples;
	v->clock_ref_mhz = e->clock_ref_mhz;
	v->clock_med_mhz = e->clock_med_mhz;
	v->limit_w = e->limit_w;
	v->limit_inferred = sv_is(e->limit_how, "plateau");
}

static void include(struct rep_axis *a, double v)
{
	if (!gpudx_trace_drawable(v))
		return;
	a->lo = v < a->lo ? v : a->lo;
	a->hi = v > a->hi ? v : a->hi;
}

static void fit_axis(struct rep_view *v, enum rep_col c)
{
	struct rep_axis *a = &v->y[c];

	*a = (struct rep_axis){ INFINITY, -INFINITY };
	for (size_t i = 0; i < REP_BUCKETS; i++)
		if (v->t->buckets[i].col[c].n) {
			include(a, v->t->buckets[i].col[c].min);
			include(a, v->t->buckets[i].col[c].max);
		}
}

void gpudx_view_init(struct rep_view *v, const struct rep_model *m, const struct rep_trace *t)
{
	int64_t longest = 0;

	*v = (struct rep_view){ .t = t,
				.clock_ref_mhz = NAN,
				.clock_med_mhz = NAN,
				.limit_w = NAN,
				.temp_limit_c = NAN };
	v->x = (struct rep_axis){ 0, rep_window_s(t) > 0 ? rep_window_s(t) : 1 };
	for (size_t i = 0; i < m->nepisodes; i++) {
		const struct rep_episode *e = &m->episodes[i];
		enum rep_ink ink;
		double x0, x1;

		if (!of_trace(e, t) || !place(e, v, &x0, &x1))
			continue;
		take_levels(v, e, &longest);
		if (band_ink(e->kind, &ink))
			add_band(v, x0, x1, ink, gpudx_word_episode(e->kind));
	}
	for (int c = 0; c < REP_COLS; c++)
		fit_axis(v, (enum rep_col)c);
	include(&v->y[REP_CLOCK], v->clock_ref_mhz);
	include(&v->y[REP_POWER], v->limit_w);
}

static void take_limit(struct rep_view *v, struct gpudx_sv key, double value)
{
	if (sv_is(key, "power.limit_w")) {
		if (gpudx_trace_drawable(v->limit_w))
			return;
		v->limit_w = value;
		include(&v->y[REP_POWER], value);
	} else if (!gpudx_trace_drawable(v->temp_limit_c)) { /* the lower of the two comes first */
		v->temp_limit_c = value;
		include(&v->y[REP_TEMP], value);
	}
}

enum gpudx_status gpudx_view_limits(struct rep_view *views, size_t n, const struct rep_model *m,
				    struct gpudx_err *err)
{
	struct rep_select q = gpudx_select(
		m->db,
		"SELECT gpu_id, key, num FROM contract WHERE gpu_id IS NOT NULL AND num IS NOT NULL"
		" AND key IN ('power.limit_w', 'temp.max_operating_c', 'temp.slowdown_c')"
		" AND state IN ('single', 'agreed') ORDER BY gpu_id, key",
		0, err);

	while (gpudx_select_next(&q)) {
		const struct rep_gpu *gpu = gpudx_model_gpu(m, gpudx_col_int(q.st, 0, -1));

		for (size_t i = 0; i < n && gpu; i++)
			if (views[i].t->gpu == gpu)
				take_limit(&views[i], gpudx_col_text(q.st, 1),
					   gpudx_col_real(q.st, 2));
	}
	return gpudx_select_end(&q);
}

/* Room around the values; percentages always show their whole scale. */
static void pad(struct rep_axis *a, enum rep_col c)
{
	double span;

	if (!(a->lo <= a->hi)) {
		*a = (struct rep_axis){ 0, columns[c].least_span };
		return;
	}
	if (c == REP_UTIL) {
		*a = (struct rep_axis){ 0, a->hi > 100 ? a->hi : 104 };
		return;
	}
	span = fmax(a->hi - a->lo, columns[c].least_span);
	a->lo = a->lo - span * 0.08 < 0 && a->lo >= 0 ? 0 : a->lo - span * 0.08;
	a->hi = fmax(a->hi, a->lo + span) + span * 0.14;
}

void gpudx_view_share(struct rep_view *views, size_t n)
{
	for (int c = 0; c < REP_COLS; c++) {
		struct rep_axis all = { INFINITY, -INFINITY };

		for (size_t i = 0; i < n; i++) {
			include(&all, views[i].y[c].lo);
			include(&all, views[i].y[c].hi);
		}
		for (size_t i = 0; i < n; i++)
			views[i].values[c] = all;
		/* What shares a panel shares its axis. */
		for (size_t i = 0; i < n && (c == REP_POWER || c == REP_TEMP); i++) {
			include(&all, views[i].y[c == REP_POWER ? REP_LIMIT : REP_MEMTEMP].lo);
			include(&all, views[i].y[c == REP_POWER ? REP_LIMIT : REP_MEMTEMP].hi);
		}
		pad(&all, (enum rep_col)c);
		for (size_t i = 0; i < n; i++)
			views[i].y[c] = all;
	}
}

/* ---- data ---- */

struct series {
	unsigned block, points;
	bool spread; /* some minimum differs from its maximum */
};

/* Whether the buckets around say the same as this one, so that the line stays as it is without. */
static bool is_flat(const struct rep_cell *before, const struct rep_cell *v,
		    const struct rep_cell *after)
{
	const double m = v->sum / v->n;

	return before && after->n && before->sum / before->n == m && after->sum / after->n == m &&
	       before->min == v->min && after->min == v->min && before->max == v->max &&
	       after->max == v->max;
}

/* Writes a block of "x mean min max"; a blank line is a gap. A point on its own gets a width. */
static struct series put_series(struct rep_sheet *s, const struct rep_trace *t, enum rep_col c)
{
	struct series out = { .block = ++s->blocks };
	const struct rep_cell *before = NULL;
	double last = -INFINITY, width = rep_window_s(t) / REP_BUCKETS / 2;

	gpudx_buf_printf(&s->script, "$d%u << EOD\n", out.block);
	for (size_t i = 0; i < REP_BUCKETS; i++) {
		const struct rep_bucket *b = &t->buckets[i];
		const struct rep_cell *v = &b->col[c];
		double x, mean;

		if (!v->n)
			continue;
		x = b->t_sum / b->n;
		mean = v->sum / v->n;
		if (out.points && x - last > t->gap_s) {
			gpudx_buf_printf(&s->script, "\n%.6g %.6g %.6g %.6g\n", x - width, mean,
					 v->min, v->max);
			before = NULL;
		}
		if (i + 1 == REP_BUCKETS || !is_flat(before, v, &b[1].col[c]))
			gpudx_buf_printf(&s->script, "%.6g %.6g %.6g %.6g\n", x, mean, v->min,
					 v->max);
		out.spread |= v->max > v->min;
		out.points++;
		last = x;
		before = v;
	}
	gpudx_buf_str(&s->script, "EOD\n");
	return out;
}

static void plot_series(struct rep_sheet *s, const struct series *d, enum rep_ink ink,
			const char *dash)
{
	const char *rgb = gpudx_ink(ink);

	if (d->spread)
		gpudx_buf_printf(
			&s->script,
			"$d%u using 1:3:4 with filledcurves fc rgb '%s' fs solid 0.25 noborder, ",
			d->block, rgb);
	gpudx_buf_printf(&s->script, "$d%u using 1:2 with lines lw 1.6 dt %s lc rgb '%s', ",
			 d->block, dash, rgb);
	if (d->points <= FEW_POINTS)
		gpudx_buf_printf(&s->script,
				 "$d%u using 1:2 with points pt 7 ps 0.35 lc rgb '%s', ", d->block,
				 rgb);
}

/* ---- a panel ---- */

static void temperature_legend(const struct rep_view *v, char *text, size_t n)
{
	const char *memory = v->t->has[REP_MEMTEMP] ? "dashed: memory" : "";

	if (gpudx_trace_drawable(v->temp_limit_c))
		snprintf(text, n, "%s%sline: limit %.0f", memory, *memory ? ", " : "",
			 v->temp_limit_c);
	else
		snprintf(text, n, "%s", memory);
}

/* "power, W" at the left of the strip over the panel, what the lines mean at its right. */
static void title(struct rep_sheet *s, const struct rep_view *v, const struct rep_panel *p)
{
	const struct rep_axis *a = &v->values[p->col];
	int y = p->box.top - STRIP_PX - 1;
	char text[64];

	if (p->row && a->lo <= a->hi)
		snprintf(text, sizeof(text), "%s %.0f-%.0f %s", columns[p->col].name, a->lo, a->hi,
			 columns[p->col].unit);
	else
		snprintf(text, sizeof(text), "%s, %s", columns[p->col].name, columns[p->col].unit);
	gpudx_sheet_text(s, p->box.left, y, REP_LEFT, columns[p->col].ink, text);
	text[0] = '\0';
	if (p->row)
		return;
	if (p->col == REP_CLOCK && gpudx_trace_drawable(v->clock_ref_mhz))
		snprintf(text, sizeof(text), "dashed: %.0f%s", v->clock_ref_mhz,
			 v->nbands ? " before" : ", its own top");
	else if (p->col == REP_POWER && v->t->has[REP_LIMIT])
		snprintf(text, sizeof(text), "black: limit");
	else if (p->col == REP_POWER && gpudx_trace_drawable(v->limit_w))
		snprintf(text, sizeof(text), "line: limit %.0f%s", v->limit_w,
			 v->limit_inferred ? ", inferred" : "");
	else if (p->col == REP_TEMP)
		temperature_legend(v, text, sizeof(text));
	gpudx_sheet_text(s, p->box.right, y, REP_RIGHT, REP_INK_LIMIT, text);
}

static void level(struct rep_sheet *s, const struct rep_view *v, double value, bool dashed)
{
	if (gpudx_trace_drawable(value))
		gpudx_sheet_line(s, v->x.lo, value, v->x.hi, value, REP_INK_LIMIT, dashed);
}

static void levels(struct rep_sheet *s, const struct rep_view *v, enum rep_col c)
{
	if (c == REP_CLOCK)
		level(s, v, v->clock_ref_mhz, true);
	if (c == REP_POWER && !v->t->has[REP_LIMIT])
		level(s, v, v->limit_w, false);
	if (c == REP_TEMP)
		level(s, v, v->temp_limit_c, false);
}

/* Events are lines through all panels; the labels stand in the one with the title. */
static void marks(struct rep_sheet *s, const struct rep_view *v, const struct rep_panel *p)
{
	char label[16];

	for (size_t i = 0; i < v->nmarks; i++) {
		double x = v->marks[i].x;

		gpudx_sheet_line(s, x, v->y[p->col].lo, x, v->y[p->col].hi, REP_INK_MARK, false);
		if (p->col == REP_CLOCK && !p->row)
			gpudx_sheet_text_at(
				s, x, v->y[p->col].lo + (v->y[p->col].hi - v->y[p->col].lo) * 0.1,
				x > (v->x.lo + v->x.hi) / 2 ? REP_RIGHT : REP_LEFT, REP_INK_MARK,
				gpudx_sheet_label(s, v->marks[i].label, label));
	}
}

void gpudx_panel_draw(struct rep_sheet *s, const struct rep_view *v, const struct rep_panel *p)
{
	struct series main = { 0 }, limit = { 0 }, memory = { 0 };
	enum rep_ink ink = columns[p->col].ink;
	char label[16];

	gpudx_sheet_panel(s, p->box, v->x, v->y[p->col]);
	if (p->row)
		gpudx_buf_str(&s->script, "unset ytics\n");
	else
		gpudx_sheet_y_tics(s, v->y[p->col], p->box.bottom - p->box.top);
	gpudx_sheet_time_tics(s, v->x, v->t->t0_us, v->t->quality, v->t->by_order,
			      p->box.right - p->box.left, !p->labels);
	for (size_t i = 0; i < v->nbands; i++)
		gpudx_sheet_band(s, v->bands[i].x0, v->bands[i].x1, v->bands[i].ink);
	if (p->title)
		title(s, v, p);
	if (p->name.p)
		gpudx_sheet_text(s, p->box.left - 8, (p->box.top + p->box.bottom) / 2, REP_RIGHT,
				 REP_INK_SOFT, gpudx_sheet_label(s, p->name, label));
	levels(s, v, p->col);
	marks(s, v, p);
	if (v->t->has[p->col])
		main = put_series(s, v->t, p->col);
	else
		gpudx_sheet_text(s, (p->box.left + p->box.right) / 2,
				 (p->box.top + p->box.bottom) / 2, REP_CENTRE, REP_INK_SOFT,
				 "not recorded");
	if (p->col == REP_POWER && v->t->has[REP_LIMIT])
		limit = put_series(s, v->t, REP_LIMIT);
	if (p->col == REP_TEMP && v->t->has[REP_MEMTEMP])
		memory = put_series(s, v->t, REP_MEMTEMP);
	gpudx_buf_str(&s->script, "plot ");
	if (main.points)
		plot_series(s, &main, ink, "1");
	if (limit.points)
		plot_series(s, &limit, REP_INK_LIMIT, "1");
	if (memory.points)
		plot_series(s, &memory, ink, "(4,3)");
	gpudx_buf_str(&s->script, "NaN\n");
}
