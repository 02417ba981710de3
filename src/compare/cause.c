#include "compare/attribute.h"

#include <math.h>

enum { POWER_LIMIT_BIT, SW_THERMAL_BIT, HW_THERMAL_BIT, HW_SLOWDOWN_BIT, BRAKE_BIT };

/* The share of time in any of two reasons; 0 when none is recorded. */
static double held(const struct cmp_load *l, int side, int a, int b)
{
	return fmax(isnan(l->reason[side][a]) ? 0 : l->reason[side][a],
		    isnan(l->reason[side][b]) ? 0 : l->reason[side][b]);
}

static const struct cmp_shift *power_of(const struct gpudx_comparison *c, int pair)
{
	return gpudx_shift_of(c, "power", pair, 0.5);
}

static double limit_on(const struct gpudx_comparison *c, int pair, int side)
{
	const struct cmp_change *k = gpudx_change_of(c, "power.limit_w");

	if (!isnan(c->loads[pair].limit_w[side]))
		return c->loads[pair].limit_w[side];
	return k && k->pairs[pair] ? k->num[side] : (double)NAN;
}

/* At the limit by the reason bits, else by the power that it draws: power.draw is an average that
 * swings around the limit. */
static bool at_limit(const struct gpudx_comparison *c, int pair, int side, double limit)
{
	const struct cmp_shift *p = power_of(c, pair);

	if (c->loads[pair].reason[side][POWER_LIMIT_BIT] >= 0.3)
		return true;
	return p && p->side[side]->value >= 0.95 * limit;
}

static bool by_limit(const struct gpudx_comparison *c, int pair, bool lower)
{
	double before = limit_on(c, pair, CMP_BEFORE), after = limit_on(c, pair, CMP_AFTER);

	if (isnan(before) || isnan(after) || fabs(after - before) < 1 || (after < before) != lower)
		return false;
	return lower ? at_limit(c, pair, CMP_AFTER, after) : at_limit(c, pair, CMP_BEFORE, before);
}

static bool by_clocks(const struct gpudx_comparison *c, const struct cmp_shift *s)
{
	const struct cmp_change *k = gpudx_change_of(c, "clocks.app_graphics_mhz");

	return k && k->pairs[s->pair] && isfinite(k->num[1]) && isfinite(k->num[0]) &&
	       (k->num[1] < k->num[0]) == (s->change < 0) &&
	       fabs(s->side[CMP_AFTER]->value - k->num[1]) <= 0.03 * k->num[1];
}

/* A fifth of the time more (or less) than before is enough to move a median or a mean. */
static bool by_reason(const struct cmp_load *l, int a, int b, bool lower)
{
	double more = held(l, CMP_AFTER, a, b) - held(l, CMP_BEFORE, a, b);

	return lower ? more >= 0.2 : more <= -0.2;
}

enum cmp_cause gpudx_cause_of(const struct gpudx_comparison *c, const struct cmp_shift *clock)
{
	bool lower = clock->change < 0;
	const struct cmp_load *l;

	if (clock->pair < 0)
		return CMP_CAUSE_NONE;
	l = &c->loads[clock->pair];
	if (by_reason(l, SW_THERMAL_BIT, HW_THERMAL_BIT, lower))
		return CMP_CAUSE_HEAT;
	if (by_reason(l, BRAKE_BIT, HW_SLOWDOWN_BIT, lower))
		return CMP_CAUSE_BRAKE;
	if (by_limit(c, clock->pair, lower))
		return CMP_CAUSE_LIMIT;
	return by_clocks(c, clock) ? CMP_CAUSE_CLOCKS : CMP_CAUSE_NONE;
}

/* ---- words ---- */

static struct gpudx_sv branch(const char *version)
{
	struct gpudx_sv v = sv_str(version);

	return sv_first(v, sv_index(v, '.'));
}

void gpudx_change_text(struct gpudx_buf *b, const struct cmp_change *k)
{
	struct gpudx_sv before = sv_str(k->value[CMP_BEFORE]), after = sv_str(k->value[CMP_AFTER]);

	if (strcmp(k->key, "driver.version") == 0 && !sv_eq(branch(before.p), branch(after.p))) {
		before = branch(before.p);
		after = branch(after.p);
	}
	gpudx_buf_printf(b, "%s ", k->name);
	gpudx_buf_sv(b, sv_first(before, 60));
	gpudx_buf_str(b, " → ");
	gpudx_buf_sv(b, sv_first(after, 60));
	if (k->unit)
		gpudx_buf_printf(b, " %s", k->unit);
}

/* Within a cause the key that leads: others follow it or say the same in detail. */
size_t gpudx_candidates(const struct gpudx_comparison *c, const struct cmp_change **out, size_t max)
{
	size_t n = 0;

	for (size_t i = 0; i < c->nchanges && n < max; i++) {
		const struct cmp_change *k = &c->changes[i];
		bool there = !k->cause || k->group == CMP_ALONG;

		for (size_t j = 0; j < n; j++)
			there |= k->cause && strcmp(out[j]->cause, k->cause) == 0;
		if (!there)
			out[n++] = k;
	}
	return n;
}

const char *gpudx_cmp_take(struct gpudx_arena *a, struct gpudx_buf *b)
{
	const char *out = gpudx_arena_sv(a, sv_n(b->p ? b->p : "", b->n)).p;

	gpudx_buf_clear(b);
	return out;
}

void gpudx_share_text(struct gpudx_buf *b, double share)
{
	double pct = fabs(share) * 100;

	gpudx_buf_printf(b, pct < 9.95 ? "%.1f %%" : "%.0f %%", pct);
}
