/* The history as a drawing in lanes and as a table. Both can be read as they are; with JavaScript
 * (assets/report.js) they can be narrowed to a stretch of time and to a lane. */
#include "report/history.h"
#include "report/html.h"

#include <stdio.h>
#include <string.h>

/* In units of the drawing. */
enum { WIDTH = 1000, MARGIN = 5, LANE = 22, TICKS = 5 };

/* What lies on the axis: wall clocks, or only times since boot where there is nothing else. */
struct axis {
	bool boot;
	int64_t t0_us, t1_us;
	size_t n;
};

static bool on_axis(const struct axis *a, const struct rep_happened *x)
{
	return gpudx_word_time_known(x->t_us) && x->quality >= REP_T_BOOT &&
	       (x->quality == REP_T_BOOT) == a->boot;
}

static void reach(struct axis *a, int64_t t_us)
{
	if (!gpudx_word_time_known(t_us))
		return;
	a->t0_us = t_us < a->t0_us ? t_us : a->t0_us;
	a->t1_us = t_us > a->t1_us ? t_us : a->t1_us;
}

static struct axis axis_of(const struct rep_history *h)
{
	struct axis a = { true, INT64_MAX, INT64_MIN, 0 };

	for (size_t i = 0; i < h->n; i++)
		a.boot &= !gpudx_word_time_known(h->v[i].t_us) || h->v[i].quality <= REP_T_BOOT;
	for (size_t i = 0; i < h->n; i++)
		if (on_axis(&a, &h->v[i])) {
			reach(&a, h->v[i].t_us);
			reach(&a, h->v[i].t1_us);
			a.n++;
		}
	if (a.n && a.t1_us - a.t0_us < GPUDX_SECOND)
		a.t1_us = a.t0_us + GPUDX_SECOND;
	return a;
}

static double place(const struct axis *a, int64_t t_us)
{
	return WIDTH * ((double)(t_us - a->t0_us) / (double)(a->t1_us - a->t0_us));
}

/* ---- the drawing ---- */

/* A stretch is a bar, a moment a stroke: full height when a finding cites it. */
static void mark(struct gpudx_buf *b, const struct axis *a, const struct rep_happened *x, size_t i)
{
	double x0 = place(a, x->t_us), y = (double)(x->lane * LANE);

	if (gpudx_word_time_known(x->t1_us) && x->t1_us > x->t_us)
		gpudx_html_put(
			b,
			"<rect data-i=\"%zu\" x=\"%.2f\" y=\"%.0f\" width=\"%.2f\" height=\"6\"/>",
			i, x0, y + 13, place(a, x->t1_us) - x0);
	else
		gpudx_html_put(b, "<path data-i=\"%zu\"%s d=\"M%.2f %.0fV%.0f\"/>", i,
			       x->cited ? " class=\"c\"" : "", x0, y + (x->cited ? 2 : 8), y + 19);
}

/* "2026-01-11 06:00:00", and behind that what differs from it: "08:00:45", over days "01-13 08:00". */
static void tick(struct rep_page *p, const struct axis *a, int n)
{
	int64_t t_us = a->t0_us + (a->t1_us - a->t0_us) / (TICKS - 1) * n;
	bool days = a->t1_us - a->t0_us >= GPUDX_DAY;
	char buf[REP_TIME_TEXT], *when = buf;

	gpudx_word_iso(t_us, a->boot ? REP_T_BOOT : REP_T_ASSUMED, buf);
	if (!a->boot && strlen(buf) >= 19) {
		buf[10] = ' ';
		buf[n && days ? 16 : 19] = '\0';
		when += !n ? 0 : days ? 5 : 11;
	}
	gpudx_html_put(p->b, "<span>%s</span>", when);
}

static void lane_names(struct gpudx_buf *b, const struct rep_history *h)
{
	gpudx_buf_str(b, "<ol>");
	for (size_t i = 0; i < h->nlanes; i++) {
		gpudx_buf_str(b, "<li>");
		gpudx_html_name(b, h->lanes[i]);
		gpudx_buf_str(b, "</li>");
	}
	gpudx_buf_str(b, "</ol>\n");
}

static void drawing(struct rep_page *p, const struct rep_history *h, const struct axis *a)
{
	struct gpudx_buf *b = p->b;

	gpudx_html_put(b,
		       "<div class=\"lanes\" data-t0=\"%lld\" data-t1=\"%lld\" data-boot=\"%d\" "
		       "role=\"img\" aria-label=\"%zu of the rows of the table below, over time in "
		       "%zu lanes\">\n",
		       (long long)(a->t0_us / 1000), (long long)(a->t1_us / 1000), a->boot, a->n,
		       h->nlanes);
	lane_names(b, h);
	gpudx_html_put(b,
		       "<div><svg viewBox=\"%d 0 %d %zu\" preserveAspectRatio=\"none\" "
		       "aria-hidden=\"true\">",
		       -MARGIN, WIDTH + 2 * MARGIN, h->nlanes * LANE);
	for (size_t i = 0; i < h->nlanes; i++)
		gpudx_html_put(b, "<path class=\"g\" d=\"M%d %zuH%d\"/>", -MARGIN,
			       i * LANE + LANE - 3, WIDTH + MARGIN);
	for (size_t i = 0; i < h->n; i++)
		if (on_axis(a, &h->v[i]))
			mark(b, a, &h->v[i], i);
	gpudx_buf_str(b, "</svg></div>\n<p class=\"ticks\">");
	for (int i = 0; i < TICKS; i++)
		tick(p, a, i);
	gpudx_buf_str(b, "</p></div>\n");
}

/* ---- the table ---- */

static void cell(struct gpudx_buf *b, const char *text)
{
	gpudx_html_put(b, "<td>%s</td>", text);
}

/* As the source printed it, but for its order: "02-06 10:15:02" of a stamp without year. */
static const char *raw_text(const struct rep_happened *x, char buf[REP_TIME_TEXT])
{
	static const char *const months[] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun",
					      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };
	int64_t year;
	unsigned month, day;

	if (x->raw_us == GPUDX_NO_TIME || x->raw_kind == GPUDX_STAMP_NONE)
		return "";
	if (x->raw_kind == GPUDX_STAMP_BOOT) {
		snprintf(buf, REP_TIME_TEXT, "[%.6f]", (double)x->raw_us / GPUDX_SECOND);
		return buf;
	}
	gpudx_word_iso(x->raw_us, x->raw_kind == GPUDX_STAMP_UTC ? REP_T_EXACT : REP_T_ASSUMED,
		       buf);
	if (x->raw_kind == GPUDX_STAMP_NOYEAR && strlen(buf) > 11) {
		char time[REP_TIME_TEXT];

		gpudx_civil(x->raw_us / GPUDX_DAY - (x->raw_us % GPUDX_DAY < 0), &year, &month,
			    &day);
		snprintf(time, sizeof(time), "%s", buf + 11);
		snprintf(buf, REP_TIME_TEXT, "%s %2u %.40s", months[(month - 1) % 12], day, time);
	}
	return buf;
}

static void row(struct rep_page *p, const struct rep_history *h, const struct axis *a, size_t i)
{
	const struct rep_happened *x = &h->v[i];
	struct gpudx_buf *b = p->b;
	char buf[REP_TIME_TEXT];

	gpudx_html_put(b, "<tr%s data-lane=\"%zu\"", x->cited ? " class=\"cited\"" : "", x->lane);
	if (on_axis(a, x))
		gpudx_html_put(b, " data-t=\"%lld\"", (long long)(x->t_us / 1000));
	if (on_axis(a, x) && gpudx_word_time_known(x->t1_us))
		gpudx_html_put(b, " data-u=\"%lld\"", (long long)(x->t1_us / 1000));
	gpudx_buf_char(b, '>');
	cell(b, x->quality >= REP_T_ALIGNED ? gpudx_word_iso(x->t_us, x->quality, buf)
		: x->quality == REP_T_BOOT  ? gpudx_word_iso(x->t_us, x->quality, buf)
					    : "-");
	cell(b,
	     x->local_us == GPUDX_NO_TIME ? "-" : gpudx_word_iso(x->local_us, REP_T_ASSUMED, buf));
	gpudx_buf_str(b, "<td class=\"raw\">");
	if (x->stamp.n)
		gpudx_html_text(b, x->stamp);
	else
		gpudx_html_str(b, raw_text(x, buf));
	gpudx_buf_str(b, "</td><td>");
	gpudx_html_name(b, h->lanes[x->lane]);
	gpudx_buf_str(b, "</td><td><b>");
	gpudx_html_name(b, x->what);
	gpudx_buf_str(b, "</b> ");
	gpudx_html_sentence(b, sv_first(x->text, 240));
	if (x->line) {
		gpudx_buf_str(b, " <small>");
		gpudx_html_path(b, x->path);
		gpudx_html_put(b, ":%u</small>", x->line);
	}
	gpudx_buf_str(b, "</td></tr>\n");
}

static void table(struct rep_page *p, const struct rep_history *h, const struct axis *a)
{
	struct gpudx_buf *b = p->b;

	gpudx_buf_str(
		b,
		"<table class=\"history\">\n<thead><tr><th scope=\"col\">UTC</th><th scope=\"col\">"
		"Local</th><th scope=\"col\">Stamp</th><th scope=\"col\">Of</th><th scope=\"col\">"
		"What</th></tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < h->n; i++) {
		row(p, h, a, i);
		gpudx_report_flush(p->out);
	}
	gpudx_buf_str(b, "</tbody>\n</table>\n");
}

enum gpudx_status gpudx_html_history(struct rep_page *p)
{
	struct gpudx_buf *b = p->b;
	struct rep_history h;
	enum gpudx_status rc = gpudx_history_load(p->m, &h, p->err);
	struct axis a;

	if (rc || !h.n)
		return rc;
	a = axis_of(&h);
	gpudx_buf_str(b, "<section aria-labelledby=\"history\">\n<h2 id=\"history\">What happened "
			 "when</h2>\n<p>Messages, stretches of samples, changes and boots of all "
			 "sources.");
	if (h.all > (int64_t)h.n)
		gpudx_html_put(b, " %zu of %lld, those that findings cite first.", h.n,
			       (long long)h.all);
	gpudx_buf_str(b, " A dash: nobody knows that clock.</p>\n");
	if (a.n > 1)
		drawing(p, &h, &a);
	table(p, &h, &a);
	gpudx_buf_str(b, "</section>\n");
	gpudx_report_flush(p->out);
	return GPUDX_OK;
}
