/* The pictures of a comparison: the cloud that shows "the same curve, another limit", and
 * distributions. Only numbers go to gnuplot. */
#include "report/cmp.h"

#include <math.h>

#include "report/sheet.h"

enum {
	LEFT_PX = 46,
	RIGHT_PX = 10,
	STRIP_PX = 18,
	AXIS_PX = 22,
	GAP_PX = 58,
	PANEL_PX = 210,
	NARROW_PX = 480,
	SMALL_PX = 110,
	DRAWN_MOST = 4 << 20
};

static enum rep_ink ink_of(int side)
{
	return side == CMP_BEFORE ? REP_INK_CLOCK : REP_INK_POWER;
}

static bool finish(struct rep_sheet *s, struct gpudx_plot *plot, struct gpudx_arena *a,
		   struct rep_chart *out)
{
	struct gpudx_buf drawn = { .max = DRAWN_MOST }, page = { .max = DRAWN_MOST };

	gpudx_sheet_end(s);
	*out = (struct rep_chart){ .width = s->width, .height = s->height };
	if (!s->script.failed &&
	    gpudx_plot_run(plot, sv_n(gpudx_buf_cstr(&s->script), s->script.n), &drawn) &&
	    gpudx_svg_rewrite(sv_n(gpudx_buf_cstr(&drawn), drawn.n), s->labels, s->nlabels, &page))
		out->body = gpudx_arena_sv(a, sv_n(gpudx_buf_cstr(&page), page.n));
	gpudx_buf_free(&drawn);
	gpudx_buf_free(&page);
	gpudx_buf_free(&s->script);
	return out->body.p != NULL;
}

static struct rep_axis around(double lo, double hi)
{
	double room = fmax((hi - lo) * 0.05, 1e-6 + fabs(hi) * 0.002);

	return (struct rep_axis){ lo - room, hi + room };
}

static void title(struct rep_sheet *s, struct rep_box box, const char *text)
{
	gpudx_sheet_text(s, box.left, box.top - 9, REP_LEFT, REP_INK_SOFT, text);
}

/* ---- the cloud ---- */

static void include(struct rep_axis *a, const double *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		a->lo = fmin(a->lo, v[i]);
		a->hi = fmax(a->hi, v[i]);
	}
}

/* The limit that stands in the samples of the first pair. */
static double limit_of(const struct gpudx_comparison *c, int side)
{
	const struct cmp_change *k = gpudx_change_of(c, "power.limit_w");
	double w = c->loads[0].limit_w[side];

	return isnan(w) && k ? k->num[side] : w;
}

/* A limit near the cloud belongs into the picture, one far away would squeeze the cloud. */
static void include_limits(struct rep_axis *x, const struct gpudx_comparison *c)
{
	double most = x->hi + 0.5 * (x->hi - x->lo), least = x->lo - 0.5 * (x->hi - x->lo);

	for (int i = 0; i < CMP_SIDES; i++) {
		double w = limit_of(c, i);

		if (w > least && w < most)
			include(x, &w, 1);
	}
}

static void put_limits(struct rep_sheet *s, const struct gpudx_comparison *c, struct rep_axis x,
		       struct rep_axis y)
{
	for (int i = 0; i < CMP_SIDES; i++) {
		double w = limit_of(c, i);

		if (w > x.lo && w < x.hi)
			gpudx_sheet_line(s, w, y.lo, w, y.hi, ink_of(i), true);
	}
}

static void draw_cloud(struct rep_sheet *s, const struct gpudx_comparison *c, struct rep_box box)
{
	const struct cmp_cloud *v = c->cloud;
	struct rep_axis x = { INFINITY, -INFINITY }, y = x;

	for (int i = 0; i < CMP_SIDES; i++) {
		include(&x, v->power_w[i], v->n[i]);
		include(&y, v->clock_mhz[i], v->n[i]);
	}
	include_limits(&x, c);
	x = around(x.lo, x.hi);
	y = around(y.lo, y.hi);
	gpudx_sheet_panel(s, box, x, y);
	gpudx_sheet_y_tics(s, y, box.bottom - box.top);
	gpudx_sheet_x_tics(s, x, box.right - box.left);
	title(s, box, "SM clock (MHz) against power (W)");
	put_limits(s, c, x, y);
	for (int i = 0; i < CMP_SIDES; i++) {
		gpudx_buf_printf(&s->script, "$d%u << EOD\n", ++s->blocks);
		for (size_t k = 0; k < v->n[i]; k++)
			gpudx_buf_printf(&s->script, "%.6g %.6g\n", v->power_w[i][k],
					 v->clock_mhz[i][k]);
		gpudx_buf_str(&s->script, "EOD\n");
	}
	gpudx_buf_printf(&s->script,
			 "plot $d%u using 1:2 with points pt 7 ps 0.35 lc rgb '%s', $d%u using 1:2 "
			 "with points pt 7 ps 0.35 lc rgb '%s'\n",
			 s->blocks - 1, gpudx_ink(ink_of(0)), s->blocks, gpudx_ink(ink_of(1)));
}

/* ---- distributions ---- */

static void put_outline(struct rep_sheet *s, const struct cmp_histogram *h, int side)
{
	gpudx_buf_printf(&s->script, "$d%u << EOD\n", ++s->blocks);
	for (int i = 0; i < CMP_BINS; i++)
		gpudx_buf_printf(&s->script, "%.6g %.6g\n%.6g %.6g\n", h->lo + i * h->width,
				 100 * h->share[side][i], h->lo + (i + 1) * h->width,
				 100 * h->share[side][i]);
	gpudx_buf_str(&s->script, "EOD\n");
}

static void draw_histogram(struct rep_sheet *s, const struct cmp_histogram *h, struct rep_box box,
			   const char *text)
{
	struct rep_axis x = around(h->lo, h->lo + CMP_BINS * h->width), y = { 0, 0 };

	for (int i = 0; i < CMP_BINS; i++)
		y.hi = fmax(y.hi, 105 * fmax(h->share[0][i], h->share[1][i]));
	gpudx_sheet_panel(s, box, x, y);
	gpudx_sheet_y_tics(s, y, box.bottom - box.top);
	gpudx_sheet_x_tics(s, x, box.right - box.left);
	title(s, box, text);
	for (int i = 0; i < CMP_SIDES; i++)
		put_outline(s, h, i);
	gpudx_buf_printf(&s->script, "plot ");
	for (int i = 0; i < CMP_SIDES; i++)
		gpudx_buf_printf(
			&s->script,
			"%s$d%u using 1:2 with filledcurves y1=0 fc rgb '%s' fs solid 0.25 "
			"noborder, $d%u using 1:2 with lines lw 1.6 lc rgb '%s'",
			i ? ", " : "", s->blocks - 1 + (unsigned)i, gpudx_ink(ink_of(i)),
			s->blocks - 1 + (unsigned)i, gpudx_ink(ink_of(i)));
	gpudx_buf_char(&s->script, '\n');
}

static const struct cmp_histogram *clock_histogram(const struct gpudx_comparison *c)
{
	for (size_t i = 0; i < c->nhistograms; i++)
		if (strcmp(c->histograms[i].kind->key, "sample.sm_clock_mhz") == 0)
			return &c->histograms[i];
	return NULL;
}

/* Side by side, or one below the other where that is too narrow. */
bool gpudx_cmp_plot_proof(const struct gpudx_comparison *c, struct gpudx_plot *plot, int width,
			  struct gpudx_arena *a, struct rep_chart *out)
{
	const struct cmp_histogram *h = clock_histogram(c);
	struct rep_sheet s = { .script = { .max = 8 << 20 } };
	bool narrow = width < NARROW_PX;
	int row = STRIP_PX + PANEL_PX + AXIS_PX, half = (width - GAP_PX) / 2;
	struct rep_box left = { LEFT_PX, STRIP_PX, narrow ? width - RIGHT_PX : half + LEFT_PX / 2,
				STRIP_PX + PANEL_PX };
	struct rep_box right = left;

	if (!h || !c->cloud || !plot)
		return false;
	if (narrow) {
		right.top += row;
		right.bottom += row;
	} else {
		right.left = left.right + GAP_PX;
		right.right = width - RIGHT_PX;
	}
	gpudx_sheet_begin(&s, width, narrow ? 2 * row : row);
	draw_cloud(&s, c, left);
	draw_histogram(&s, h, right, "SM clock (MHz), % of the time");
	return finish(&s, plot, a, out);
}

bool gpudx_cmp_plot_histogram(const struct cmp_histogram *h, struct gpudx_plot *plot, int width,
			      struct gpudx_arena *a, struct rep_chart *out)
{
	struct rep_sheet s = { .script = { .max = 1 << 20 } };
	struct rep_box box = { LEFT_PX, STRIP_PX, width - RIGHT_PX, STRIP_PX + SMALL_PX };

	if (!plot)
		return false;
	gpudx_sheet_begin(&s, width, box.bottom + AXIS_PX);
	draw_histogram(&s, h, box, "% of the time");
	return finish(&s, plot, a, out);
}
