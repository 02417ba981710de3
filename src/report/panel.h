/* One trace as panels: what is measured, shaded episodes, levels and events. */
#ifndef GPUDX_PANEL_H
#define GPUDX_PANEL_H

#include "report/sheet.h"
#include "report/trace.h"

enum { REP_BANDS = 200, REP_MARKS = 40 };

struct rep_band {
	double x0, x1;
	enum rep_ink ink;
	const char *words;
};

struct rep_mark {
	double x;
	struct gpudx_sv label;
};

/* A trace with what is drawn into it. */
struct rep_view {
	const struct rep_trace *t;
	struct rep_axis x, y[REP_COLS];
	struct rep_axis
		values[REP_COLS]; /* from the lowest to the highest value; y has room around */
	double clock_ref_mhz, clock_med_mhz,
		limit_w; /* of the longest episode in the window; NAN none */
	bool limit_inferred;
	double temp_limit_c; /* of the die, as a source states it; NAN unknown */
	struct rep_band bands[REP_BANDS];
	size_t nbands;
	struct rep_mark marks[REP_MARKS];
	size_t nmarks;
};

/* Fills a view from the episodes of the model; axes fit its own trace. */
void gpudx_view_init(struct rep_view *v, const struct rep_model *m, const struct rep_trace *t);

/* Limits that the contract states, where episodes and samples have none. */
GPUDX_CHECK enum gpudx_status gpudx_view_limits(struct rep_view *views, size_t n,
						const struct rep_model *m, struct gpudx_err *err);

/* Widens the axes of all views to those that fit all, so that small multiples compare. */
void gpudx_view_share(struct rep_view *views, size_t n);

struct rep_panel {
	enum rep_col col;
	struct rep_box box;
	bool title;	      /* in the strip above the box, with what is shaded */
	bool labels;	      /* at the time axis */
	bool row;	      /* one of many: no value axis, its range is said in the title */
	struct gpudx_sv name; /* left of the box; .p NULL none */
};

void gpudx_panel_draw(struct rep_sheet *s, const struct rep_view *v, const struct rep_panel *p);

/* "SM clock" of REP_CLOCK, and its unit. */
const char *gpudx_panel_name(enum rep_col c);
const char *gpudx_panel_unit(enum rep_col c);

#endif
