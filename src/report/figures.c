/* Charts as files of their own. */
#include "report/chart.h"
#include "report/escape.h"
#include "report/report.h"

#include "base/embed.h"

#include <stdio.h>

enum { FIGURE_MAX = 16 << 20 };

struct figures {
	void (*each)(void *arg, const char *name, const char *content, size_t n);
	void *arg;
	bool failed;
};

/* The colours of the page, which the drawings name, up to where its layout begins. */
static void put_colours(struct gpudx_buf *b)
{
	struct gpudx_sv css = gpudx_embed("src/report/assets/report.css");

	gpudx_buf_str(b, "<style>");
	gpudx_buf_sv(b, sv_first(css, sv_find(css, "* {")));
	gpudx_buf_str(b, "svg { fill: none; stroke-width: 1; color: var(--ink); background: "
			 "var(--page); font: 11px system-ui, sans-serif; }</style>\n");
}

static void put_svg(struct figures *f, const char *name, const struct rep_figure *figure,
		    const struct rep_chart *c)
{
	struct gpudx_buf b = { .max = FIGURE_MAX };

	/* The first attribute is the mark by which gpudx knows its own files. */
	gpudx_buf_printf(&b,
			 "<svg data-by=\"gpudx\" xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
			 "height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\">\n<title>",
			 c->width, c->height, c->width, c->height);
	gpudx_html_text(&b, figure->title);
	gpudx_buf_str(&b, "</title>\n");
	put_colours(&b);
	gpudx_buf_sv(&b, c->body);
	gpudx_buf_str(&b, "</svg>\n");
	f->failed |= b.failed;
	if (!b.failed)
		f->each(f->arg, name, gpudx_buf_cstr(&b), b.n);
	gpudx_buf_free(&b);
}

/* stem.svg, and stem.png where it was drawn. */
static void put_figure(struct figures *f, const char *stem, const struct rep_figure *figure)
{
	const struct rep_chart *c = figure->wide.body.p ? &figure->wide : &figure->narrow;
	char name[40];

	if (!c->body.p)
		return;
	snprintf(name, sizeof(name), "%s.svg", stem);
	put_svg(f, name, figure, c);
	snprintf(name, sizeof(name), "%s.png", stem);
	if (c->png.p)
		f->each(f->arg, name, c->png.p, c->png.n);
}

static void put_all(struct figures *f, const struct rep_charts *c)
{
	char name[32];

	put_figure(f, "verdict", &c->proof);
	for (size_t i = 0; i < c->ngpus; i++) {
		snprintf(name, sizeof(name), "gpu%zu", i);
		put_figure(f, name, &c->gpus[i]);
	}
}

enum gpudx_status gpudx_report_charts(sqlite3 *db, int64_t bundle, struct gpudx_plot *plot,
				      void (*each)(void *arg, const char *name, const char *content,
						   size_t n),
				      void *arg, const char **missing, struct gpudx_err *err)
{
	struct figures f = { each, arg, false };
	struct gpudx_arena arena = { .limit = REP_ARENA };
	struct rep_charts charts = { .missing = NULL };
	struct rep_model m;
	enum gpudx_status rc = gpudx_model_load(db, bundle, &arena, &m, err);

	if (!rc)
		rc = gpudx_charts_draw(&m, plot, true, &charts, err);
	if (!rc) {
		put_all(&f, &charts);
		*missing = charts.missing ? charts.missing : charts.no_png;
	}
	if (!rc && f.failed)
		rc = gpudx_nomem(err);
	gpudx_arena_free(&arena);
	return rc;
}
