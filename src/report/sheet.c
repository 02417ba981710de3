#include "report/sheet.h"

#include "report/words.h"

#include <math.h>
#include <stdio.h>

enum { LABEL_MOST = 64, CHAR_PX = 6, TIC_PX = 28, EDGE_PX = 10 };

/* Screen coordinates run from 0 to 1, upwards. */
static double screen_x(const struct rep_sheet *s, int px)
{
	return (double)px / s->width;
}

static double screen_y(const struct rep_sheet *s, int px)
{
	return 1 - (double)px / s->height;
}

void gpudx_sheet_begin(struct rep_sheet *s, int width, int height)
{
	struct gpudx_buf script = s->script;

	gpudx_buf_clear(&script);
	*s = (struct rep_sheet){ .script = script, .width = width, .height = height };
	gpudx_buf_printf(
		&s->script,
		"reset\n"
		"set term svg size %d,%d noenhanced font 'sans-serif,11' butt dashlength 0.7\n"
		"set key off\nset border 0\nset style fill solid 1 noborder\n"
		"set tics nomirror scale 0 textcolor rgb '%s'\n"
		"set grid ytics lc rgb '%s' lw 1 dt 1\n"
		"set multiplot\n",
		width, height, gpudx_ink(REP_INK_SOFT), gpudx_ink(REP_INK_GRID));
}

void gpudx_sheet_end(struct rep_sheet *s)
{
	gpudx_buf_str(&s->script, "unset multiplot\n");
}

const char *gpudx_sheet_label(struct rep_sheet *s, struct gpudx_sv text, char buf[16])
{
	/* Nothing that fits into a chart is longer, and labels of ours are shorter. */
	text = sv_first(text, LABEL_MOST);
	buf[0] = '\0';
	if (s->nlabels < REP_LABELS) {
		snprintf(buf, 16, "@%zu@", s->nlabels);
		s->labels[s->nlabels++] = text;
	}
	return buf;
}

void gpudx_sheet_panel(struct rep_sheet *s, struct rep_box box, struct rep_axis x,
		       struct rep_axis y)
{
	s->items = 0;
	gpudx_buf_printf(&s->script,
			 "unset label\nunset arrow\nunset object\n"
			 "set lmargin at screen %.4f\nset rmargin at screen %.4f\n"
			 "set tmargin at screen %.4f\nset bmargin at screen %.4f\n"
			 "set xrange [%.6g:%.6g]\nset yrange [%.6g:%.6g]\n",
			 screen_x(s, box.left), screen_x(s, box.right), screen_y(s, box.top),
			 screen_y(s, box.bottom), x.lo, x.hi, y.lo, y.hi);
}

/* A round step so that span has at most n of them. */
static double round_step(double span, int n)
{
	double raw = n > 0 && isfinite(span) && span > 0 ? span / n : 1;
	double ten = pow(10, floor(log10(raw)));

	if (raw <= ten)
		return ten;
	if (raw <= 2 * ten)
		return 2 * ten;
	return raw <= 5 * ten ? 5 * ten : 10 * ten;
}

void gpudx_sheet_y_tics(struct rep_sheet *s, struct rep_axis y, int pixels)
{
	int n = pixels / TIC_PX > 2 ? pixels / TIC_PX : 2;
	double step = round_step(y.hi - y.lo, n), first;
	const char *comma = "";

	/* A single tic would not say the scale. */
	if ((floor(y.hi / step) - ceil(y.lo / step)) < 1)
		step /= 2;
	first = ceil(y.lo / step) * step;
	gpudx_buf_str(&s->script, "set ytics (");
	for (int i = 0; i < 20 && first + i * step <= y.hi; i++) {
		double v = first + i * step;

		gpudx_buf_printf(&s->script, "%s'%.10g' %.10g", comma, v, v);
		comma = ", ";
	}
	gpudx_buf_str(&s->script, ")\n");
}

void gpudx_sheet_x_tics(struct rep_sheet *s, struct rep_axis x, int pixels)
{
	int n = pixels / (9 * CHAR_PX) > 2 ? pixels / (9 * CHAR_PX) : 2;
	double step = round_step(x.hi - x.lo, n), first = ceil(x.lo / step) * step;
	const char *comma = "";

	gpudx_buf_str(&s->script, "set xtics (");
	for (int i = 0; i < 20 && first + i * step <= x.hi; i++) {
		gpudx_buf_printf(&s->script, "%s'%.10g' %.10g", comma, first + i * step,
				 first + i * step);
		comma = ", ";
	}
	gpudx_buf_str(&s->script, ")\n");
}

/* ---- time ---- */

static int64_t time_step_us(double span_s, int n)
{
	static const int32_t steps_s[] = { 1,	   2,	   5,	   10,	   15,	  30,
					   60,	   120,	   300,	   600,	   900,	  1800,
					   3600,   7200,   10800,  21600,  43200, 86400,
					   172800, 432000, 864000, 2592000 };

	if (span_s < 2 && span_s > 1e-5)
		return llround(round_step(span_s, n) * GPUDX_SECOND);
	for (size_t i = 0; i < sizeof(steps_s) / sizeof(steps_s[0]); i++)
		if (steps_s[i] >= span_s / n)
			return steps_s[i] * GPUDX_SECOND;
	return (int64_t)(round_step(span_s / 86400, n) * 86400) * GPUDX_SECOND;
}

/* As much of the time as the step needs: "14:03:08", "14:03", "6 Mar". */
static void time_label(struct gpudx_buf *b, int64_t t_us, enum rep_quality q, int64_t step_us,
		       bool by_order)
{
	char text[REP_TIME_TEXT];

	if (by_order) {
		gpudx_buf_printf(b, "%lld", (long long)(t_us / GPUDX_SECOND));
		return;
	}
	if (q == REP_T_BOOT) {
		int64_t ms = t_us / 1000;

		gpudx_buf_printf(b, "+%.10g s", (double)ms / 1000);
		return;
	}
	if (step_us >= GPUDX_DAY) {
		char *year;

		gpudx_word_date(t_us, text);
		if ((year = strrchr(text, ' ')) != NULL)
			*year = '\0';
	} else {
		gpudx_word_clock(t_us, q, text);
		if (step_us >= GPUDX_MINUTE && strlen(text) > 3)
			text[strlen(text) - 3] = '\0';
	}
	gpudx_buf_str(b, text);
	if (step_us < GPUDX_SECOND)
		gpudx_buf_printf(b, ".%01lld", (long long)(t_us % GPUDX_SECOND / 100000));
}

void gpudx_sheet_time_tics(struct rep_sheet *s, struct rep_axis x, int64_t base_us,
			   enum rep_quality q, bool by_order, int pixels, bool quiet)
{
	int n = pixels / (11 * CHAR_PX) > 1 ? pixels / (11 * CHAR_PX) : 1;
	int64_t step = time_step_us(x.hi - x.lo, n), t = base_us - base_us % step;
	const char *comma = "";

	gpudx_buf_str(&s->script, "set xtics (");
	for (int i = 0; i < 64; i++, t += step) {
		double at = (double)(t - base_us) / GPUDX_SECOND, half;
		size_t label;

		if (at < x.lo - 1e-9)
			continue;
		if (at > x.hi + 1e-9)
			break;
		gpudx_buf_printf(&s->script, "%s'", comma);
		label = s->script.n;
		if (!quiet)
			time_label(&s->script, t, q, step, by_order);
		/* One that would stand out of the picture is left out. */
		half = (double)(s->script.n - label) * CHAR_PX / 2;
		if (half > EDGE_PX + (x.hi - at) / (x.hi - x.lo) * pixels)
			s->script.n = label;
		gpudx_buf_printf(&s->script, "' %.10g", at);
		comma = ", ";
	}
	gpudx_buf_str(&s->script, ")\n");
}

/* ---- marks ---- */

static const char *const aligns[] = { "left", "center", "right" };

void gpudx_sheet_text(struct rep_sheet *s, int x, int y, enum rep_align a, enum rep_ink ink,
		      const char *text)
{
	if (*text)
		gpudx_buf_printf(&s->script,
				 "set label %u '%s' at screen %.4f,%.4f %s textcolor rgb '%s'\n",
				 ++s->items, text, screen_x(s, x), screen_y(s, y), aligns[a],
				 gpudx_ink(ink));
}

void gpudx_sheet_text_at(struct rep_sheet *s, double x, double y, enum rep_align a,
			 enum rep_ink ink, const char *text)
{
	if (*text)
		gpudx_buf_printf(&s->script,
				 "set label %u '%s' at %.6g,%.6g %s textcolor rgb '%s'\n",
				 ++s->items, text, x, y, aligns[a], gpudx_ink(ink));
}

void gpudx_sheet_line(struct rep_sheet *s, double x0, double y0, double x1, double y1,
		      enum rep_ink ink, bool dashed)
{
	gpudx_buf_printf(
		&s->script,
		"set arrow %u from %.6g,%.6g to %.6g,%.6g nohead lw 1.2 dt %s lc rgb '%s'\n",
		++s->items, x0, y0, x1, y1, dashed ? "(8,5)" : "1", gpudx_ink(ink));
}

void gpudx_sheet_band(struct rep_sheet *s, double x0, double x1, enum rep_ink ink)
{
	gpudx_buf_printf(&s->script,
			 "set object %u rect from %.6g, graph 0 to %.6g, graph 1 behind fc rgb "
			 "'%s' fs solid 0.5 noborder\n",
			 ++s->items, x0, x1, gpudx_ink(ink));
}
