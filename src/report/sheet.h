/* Writing a gnuplot script: panels with axes on one canvas, in pixels. Only numbers and words of
 * our own go into the script. Text from anywhere else becomes a placeholder that is filled in later
 * (svg.h). */
#ifndef GPUDX_SHEET_H
#define GPUDX_SHEET_H

#include "report/model.h"
#include "report/svg.h"

enum { REP_LABELS = 200 };

struct rep_sheet {
	struct gpudx_buf script;
	int width, height;
	struct gpudx_sv labels[REP_LABELS];
	size_t nlabels;
	unsigned blocks; /* of data, so far */
	unsigned items;	 /* labels, arrows and boxes of the panel at hand */
};

struct rep_axis {
	double lo, hi;
};

/* A panel's place in pixels, from the left and the top. */
struct rep_box {
	int left, top, right, bottom;
};

void gpudx_sheet_begin(struct rep_sheet *s, int width, int height);
void gpudx_sheet_end(struct rep_sheet *s);

/* The placeholder for a text, "" when there are too many: then the label is left out. */
const char *gpudx_sheet_label(struct rep_sheet *s, struct gpudx_sv text, char buf[16]);

/* Begins a panel; what belongs to the one before is forgotten. */
void gpudx_sheet_panel(struct rep_sheet *s, struct rep_box box, struct rep_axis x,
		       struct rep_axis y);

/* Tics at round values, and a faint line at each, as many as fit. */
void gpudx_sheet_y_tics(struct rep_sheet *s, struct rep_axis y, int pixels);

/* The same below the panel, for values that are no times. */
void gpudx_sheet_x_tics(struct rep_sheet *s, struct rep_axis x, int pixels);

/* Tics at round times below the panel; without labels when quiet. base_us is the time of x = 0.
 * by_order: x counts steps. */
void gpudx_sheet_time_tics(struct rep_sheet *s, struct rep_axis x, int64_t base_us,
			   enum rep_quality q, bool by_order, int pixels, bool quiet);

enum rep_align { REP_LEFT, REP_CENTRE, REP_RIGHT };

/* Text at a pixel, or at a value of the panel. text is ours or a placeholder. */
void gpudx_sheet_text(struct rep_sheet *s, int x, int y, enum rep_align a, enum rep_ink ink,
		      const char *text);
void gpudx_sheet_text_at(struct rep_sheet *s, double x, double y, enum rep_align a,
			 enum rep_ink ink, const char *text);

/* A line between two points of the panel. */
void gpudx_sheet_line(struct rep_sheet *s, double x0, double y0, double x1, double y1,
		      enum rep_ink ink, bool dashed);

/* The whole height of the panel between two x, behind everything. */
void gpudx_sheet_band(struct rep_sheet *s, double x0, double x1, enum rep_ink ink);

#endif
