/* Messages of logs over time, in lanes: one for each GPU, one for what names none. */
#ifndef GPUDX_TIMELINE_H
#define GPUDX_TIMELINE_H

#include "report/sheet.h"

enum { REP_LANES = 10, REP_MOMENTS = 400 };

struct rep_moment {
	int64_t t_us;
	unsigned lane;
	struct gpudx_sv label;
	bool cited; /* by the finding that the strip is about */
};

struct rep_timeline {
	struct gpudx_sv lanes[REP_LANES];
	unsigned nlanes;
	struct rep_moment *moments; /* by time */
	size_t n;
	int64_t t0_us, t1_us;
	enum rep_quality quality;
};

/* Gathers the messages around a finding. False when it cites none that has a time. */
GPUDX_CHECK enum gpudx_status gpudx_timeline_load(const struct rep_model *m,
						  const struct rep_finding *f,
						  struct rep_timeline *t, struct gpudx_err *err);

/* Height that the strip needs in pixels. */
int gpudx_timeline_height(const struct rep_timeline *t);

/* Labels that are composed here live in the arena. */
void gpudx_timeline_draw(struct rep_sheet *s, const struct rep_timeline *t,
			 struct gpudx_arena *arena);

#endif
