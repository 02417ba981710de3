/* A stretch of one ref's samples in one state while it is being cut: when it goes on, when it ends,
 * and what an episode row says of it. */
#ifndef GPUDX_STRETCH_H
#define GPUDX_STRETCH_H

#include "derive/dist.h"
#include "derive/kinds.h"

/* One sample, or one minute that is in the same state throughout. NAN is unknown. */
struct gpudx_item {
	int64_t first_id, last_id; /* rowids */
	int64_t first_us, last_us; /* on the clock of the source; seq * 1 s without stamps */
	uint32_t n;		   /* samples */
	double clock_min, clock, power_min, power, power_max; /* clock: median, power: mean */
	double util_min, temp_max;
	uint32_t reasons;
	double limit_w;
	const char *limit_how; /* sample | fact | plateau; NULL with limit_w unknown */
};

struct gpudx_stretch_room;

/* Rooms for distributions, given back by stretches that have ended. Start with { .arena = A }. */
struct gpudx_stretch_pool {
	struct gpudx_arena *arena;
	struct gpudx_stretch_room *free;
};

/* Start with { 0 }; .samples 0 = not open. */
struct gpudx_stretch {
	uint32_t samples;  /* in the state */
	uint32_t all;	   /* from the first to the last of these, pauses included */
	uint32_t with_bit; /* with one of the reason bits that were asked for */
	uint32_t pause;	   /* since the last in the state */
	int64_t first_id, last_id, first_us, last_us;
	int64_t last_item_id; /* the first rowid of the last item */
	double clock_min, power_min, power_max, util_min, temp_max;
	int64_t worst_first_id, worst_last_id; /* where the lowest clock is */
	uint32_t reasons;
	double limit_w;
	const char *limit_how;
	struct gpudx_dist clock, power;
	struct gpudx_stretch_room *room;
};

/* Whether an item in the state continues an open stretch. period_s: usual distance of samples. */
bool gpudx_stretch_joins(const struct gpudx_stretch *s, const struct gpudx_episode_kind *k,
			 const struct gpudx_item *in, double period_s);

/* Adds an item in the state and opens the stretch if need be. bit: what with_bit counts. */
void gpudx_stretch_add(struct gpudx_stretch *s, const struct gpudx_item *in, uint32_t bit,
		       struct gpudx_stretch_pool *pool);

/* An item outside the state goes by; true when the pause has become too long for a way back. */
bool gpudx_stretch_pass(struct gpudx_stretch *s, const struct gpudx_episode_kind *k,
			const struct gpudx_item *out);

/* Whether it reaches the floors of its kind. */
bool gpudx_stretch_counts(struct gpudx_stretch *s, const struct gpudx_episode_kind *k,
			  double period_s);

void gpudx_stretch_close(struct gpudx_stretch *s, struct gpudx_stretch_pool *pool);

#endif
