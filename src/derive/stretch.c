#include "derive/stretch.h"

#include <math.h>

#include "base/stamp.h"

/* Clocks are whole MHz, so their bins lose nothing; a GPU draws below 2048 W. */
static const double clock_bin_mhz = 1, power_bin_w = 0.5;

struct gpudx_stretch_room {
	struct gpudx_stretch_room *next;
	union gpudx_dist_room clock, power;
};

static struct gpudx_stretch_room *take_room(struct gpudx_stretch_pool *pool)
{
	struct gpudx_stretch_room *r = pool->free;

	if (!r)
		return gpudx_arena_alloc(pool->arena, sizeof(*r));
	pool->free = r->next;
	return r;
}

static double seconds(int64_t from_us, int64_t to_us)
{
	return (double)(to_us - from_us) / GPUDX_SECOND;
}

static bool limit_moved(const struct gpudx_stretch *s, const struct gpudx_item *in)
{
	return in->limit_w < s->limit_w || in->limit_w > s->limit_w;
}

bool gpudx_stretch_joins(const struct gpudx_stretch *s, const struct gpudx_episode_kind *k,
			 const struct gpudx_item *in, double period_s)
{
	double apart = seconds(s->last_us, in->first_us);

	if (apart < 0 || (!isnan(k->power_pct) && limit_moved(s, in)))
		return false;
	if (apart <= k->join_s)
		return true;
	/* One period more than the samples need, for those that come late. */
	return s->pause <= k->join_samples && apart <= (k->join_samples + 2) * period_s;
}

static void open_stretch(struct gpudx_stretch *s, const struct gpudx_item *in,
			 struct gpudx_stretch_pool *pool)
{
	*s = (struct gpudx_stretch){
		.first_id = in->first_id,
		.first_us = in->first_us,
		.clock_min = (double)NAN,
		.power_min = (double)NAN,
		.power_max = (double)NAN,
		.util_min = (double)NAN,
		.temp_max = (double)NAN,
		.limit_w = in->limit_w,
		.limit_how = in->limit_how,
		.clock = { .width = clock_bin_mhz },
		.power = { .width = power_bin_w },
		.room = take_room(pool),
	};
	if (s->room) {
		s->clock.room = &s->room->clock;
		s->power.room = &s->room->power;
	}
}

static void note_clock(struct gpudx_stretch *s, const struct gpudx_item *in)
{
	gpudx_dist_add(&s->clock, in->clock, in->n);
	if (isnan(in->clock_min) || in->clock_min >= s->clock_min)
		return;
	s->clock_min = in->clock_min;
	s->worst_first_id = in->first_id;
	s->worst_last_id = in->last_id;
}

void gpudx_stretch_add(struct gpudx_stretch *s, const struct gpudx_item *in, uint32_t bit,
		       struct gpudx_stretch_pool *pool)
{
	if (!s->samples)
		open_stretch(s, in, pool);
	s->samples += in->n;
	s->all += s->pause + in->n;
	s->pause = 0;
	if (in->reasons & bit)
		s->with_bit += in->n;
	s->last_item_id = in->first_id;
	s->last_id = in->last_id;
	s->last_us = in->last_us;
	note_clock(s, in);
	gpudx_dist_add(&s->power, in->power, in->n);
	s->power_min = fmin(s->power_min, in->power_min);
	s->power_max = fmax(s->power_max, in->power_max);
	s->util_min = fmin(s->util_min, in->util_min);
	s->temp_max = fmax(s->temp_max, in->temp_max);
	s->reasons |= in->reasons;
}

bool gpudx_stretch_pass(struct gpudx_stretch *s, const struct gpudx_episode_kind *k,
			const struct gpudx_item *out)
{
	s->pause += out->n;
	return s->pause > k->join_samples && seconds(s->last_us, out->last_us) > k->join_s;
}

bool gpudx_stretch_counts(struct gpudx_stretch *s, const struct gpudx_episode_kind *k,
			  double period_s)
{
	double p50;

	if (s->samples < k->min_samples || seconds(s->first_us, s->last_us) + period_s < k->min_s)
		return false;
	if (isnan(k->spread_pct))
		return true;
	p50 = gpudx_dist_at(&s->power, 0.5);
	return (gpudx_dist_at(&s->power, 0.9) - gpudx_dist_at(&s->power, 0.1)) * 100 <=
	       k->spread_pct * p50;
}

void gpudx_stretch_close(struct gpudx_stretch *s, struct gpudx_stretch_pool *pool)
{
	if (s->room) {
		s->room->next = pool->free;
		pool->free = s->room;
	}
	*s = (struct gpudx_stretch){ 0 };
}
