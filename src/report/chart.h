/* The charts of a report, drawn by gnuplot. */
#ifndef GPUDX_CHART_H
#define GPUDX_CHART_H

#include "report/model.h"
#include "report/plot.h"
#include "report/svg.h"

/* Inner elements of an SVG of this size. .body.p NULL: not drawn. */
struct rep_chart {
	struct gpudx_sv body;
	struct gpudx_sv png; /* the same as a picture; .p NULL: not asked for, or not drawn */
	int width, height;
};

/* One chart in the sizes that it is needed in: wide screens and paper, phones. */
struct rep_figure {
	const struct rep_gpu *gpu; /* NULL: of several */
	struct rep_chart wide, narrow;
	struct gpudx_sv title;	 /* what it shows, in words: the text that stands for it */
	struct gpudx_sv caption; /* how to read it */
	struct {
		enum rep_ink ink;
		const char *words;
	} shades[3]; /* what the shaded stretches are; .words NULL = no more */
};

enum { REP_CHARTED_GPUS = 16 };

struct rep_charts {
	const char *missing; /* why there are none; NULL when all was drawn */
	const char *no_png;  /* why there are no pictures, although they were asked for, or NULL */
	struct rep_figure proof; /* what the verdict rests on; not drawn for most kinds */
	struct rep_figure *gpus;
	size_t ngpus;
	size_t left_out; /* GPUs with samples beyond REP_CHARTED_GPUS */
};

/* Draws what there is to draw, with png also as pictures; plot may be NULL. Missing charts are no error. */
GPUDX_CHECK enum gpudx_status gpudx_charts_draw(const struct rep_model *m, struct gpudx_plot *plot,
						bool png, struct rep_charts *c,
						struct gpudx_err *err);

#endif
