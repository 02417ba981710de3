#include "compare/track.h"

#include <math.h>

#include "compare/list.h"

/* Below this a GPU does next to nothing; such pauses up to IDLE_S belong to the work. A hole in the
 * trace ends a stretch, too. */
static const double busy_pct = 20, idle_s = 30, hole_s = 120;

/* Die and heat sink reach their temperature within minutes; of short stretches a third goes. */
static const double warm_up_s = 240, warm_up_share = 1.0 / 3;

/* NVML: SwPowerCap, HwSlowdown, SwThermalSlowdown, HwThermalSlowdown, HwPowerBrakeSlowdown. */
static const int64_t throttle_bits = 0x4 | 0x8 | 0x20 | 0x40 | 0x80;

void gpudx_track_init(struct cmp_track *t, struct gpudx_arena *arena)
{
	*t = (struct cmp_track){ .arena = arena, .stride = 1, .util = NAN, .ref = -1 };
}

/* What was kept since the last busy sample was idle after all. */
static void close_stretch(struct cmp_track *t)
{
	if (!t->open)
		return;
	t->open = false;
	t->stretches[t->nstretches - 1].end_s = t->last_busy_s;
	while (t->n && t->v[t->n - 1].stretch == t->nstretches - 1 &&
	       t->v[t->n - 1].t_s > t->last_busy_s)
		t->n--;
}

static void open_stretch(struct cmp_track *t, double t_s)
{
	struct cmp_stretch *s = CMP_PUSH(t->arena, t->stretches, t->nstretches);

	if (!s) {
		t->failed = true;
		return;
	}
	*s = (struct cmp_stretch){ .start_s = t_s, .end_s = t_s, .throttle_s = NAN };
	t->open = true;
}

static void halve(struct cmp_track *t)
{
	size_t k = 0;

	for (size_t i = 0; i < t->n; i += 2)
		t->v[k++] = t->v[i];
	t->n = k;
	t->stride *= 2;
}

static struct cmp_sample *keep(struct cmp_track *t, const struct cmp_sample *s)
{
	if (++t->skipped < t->stride)
		return NULL;
	t->skipped = 0;
	if (!t->v)
		t->v = gpudx_arena_array(t->arena, CMP_KEPT, sizeof(*t->v));
	if (!t->v) {
		t->failed = true;
		return NULL;
	}
	if (t->n == CMP_KEPT)
		halve(t);
	t->v[t->n] = *s;
	t->v[t->n].col[CMP_UTIL] = t->util; /* some sources poll it less often than the rest */
	t->v[t->n].stretch = (uint32_t)t->nstretches - 1;
	return &t->v[t->n++];
}

static void note_reasons(struct cmp_track *t, const struct cmp_sample *s)
{
	struct cmp_stretch *k = &t->stretches[t->nstretches - 1];

	if (s->reasons < 0)
		return;
	k->reasons = true;
	if (isnan(k->throttle_s) && (s->reasons & throttle_bits))
		k->throttle_s = s->t_s - k->start_s;
}

struct cmp_sample *gpudx_track_add(struct cmp_track *t, const struct cmp_sample *s)
{
	double gap = s->t_s - t->last_s;
	bool first = t->ref != s->ref;

	t->samples++;
	if (first || gap < 0 || gap > hole_s)
		close_stretch(t);
	else
		t->seen_s += gap;
	if (first)
		t->util = NAN;
	t->ref = s->ref;
	t->last_s = s->t_s;
	if (!isnan(s->col[CMP_UTIL]))
		t->util = s->col[CMP_UTIL];
	if (t->util >= busy_pct) {
		if (!t->open)
			open_stretch(t, s->t_s);
		t->last_busy_s = s->t_s;
	} else if (t->open && s->t_s - t->last_busy_s > idle_s) {
		close_stretch(t);
	}
	if (!t->open || t->failed)
		return NULL;
	note_reasons(t, s);
	return keep(t, s);
}

static double warm_up(const struct cmp_stretch *s)
{
	return fmin(warm_up_s, (s->end_s - s->start_s) * warm_up_share);
}

double gpudx_track_finish(struct cmp_track *t)
{
	double s = 0;
	size_t k = 0;

	close_stretch(t);
	for (size_t i = 0; i < t->nstretches; i++)
		s += t->stretches[i].end_s - t->stretches[i].start_s - warm_up(&t->stretches[i]);
	for (size_t i = 0; i < t->n; i++) {
		const struct cmp_stretch *of = &t->stretches[t->v[i].stretch];

		if (t->v[i].t_s - of->start_s >= warm_up(of))
			t->v[k++] = t->v[i];
	}
	t->n = k;
	return s / 60;
}

double gpudx_track_throttle_after(const struct cmp_track *t)
{
	double least = NAN;

	for (size_t i = 0; i < t->nstretches; i++)
		least = fmin(least, t->stretches[i].throttle_s);
	return least;
}
