/* The one sentence, what stands under it, and what would settle what it leaves open. */
#include "compare/attribute.h"

#include <math.h>

#include "compare/list.h"

enum { CANDIDATES = 12, SENTENCE = 4096 };

struct attributing {
	struct gpudx_comparison *c;
	struct gpudx_buf b;
	const struct cmp_change *moved[CANDIDATES];
	size_t nmoved;
	struct gpudx_err *err;
};

/* Pairs whose SM clock moved one way. */
struct movers {
	size_t n;
	const struct cmp_shift *most; /* moved most */
	enum cmp_cause cause;	      /* of that one */
};

static bool clock_of_pair(const struct cmp_shift *s)
{
	return s->pair >= 0 && strcmp(s->kind->key, "sample.sm_clock_mhz") == 0;
}

static struct movers movers(const struct gpudx_comparison *c, enum cmp_verdict way)
{
	struct movers m = { 0 };

	for (size_t i = 0; i < c->nshifts; i++) {
		const struct cmp_shift *s = &c->shifts[i];

		if (!clock_of_pair(s) || s->verdict != way)
			continue;
		m.n++;
		if (!m.most || fabs(s->share) > fabs(m.most->share))
			m.most = s;
	}
	m.cause = m.most ? gpudx_cause_of(c, m.most) : CMP_CAUSE_NONE;
	return m;
}

static size_t clock_pairs(const struct gpudx_comparison *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->nshifts; i++)
		n += clock_of_pair(&c->shifts[i]);
	return n;
}

static const char *gpu_label(const struct gpudx_comparison *c, int pair)
{
	return c->side[CMP_BEFORE].gpus[c->pairs[pair].gpu[CMP_BEFORE]].label;
}

static bool add_text(struct gpudx_comparison *c, const char ***list, size_t *n, const char *text)
{
	const char **slot = text ? CMP_PUSH(&c->arena, *list, *n) : NULL;

	if (slot)
		*slot = text;
	return slot != NULL;
}

/* ---- causes in words ---- */

static void put_limit(struct attributing *a, int pair)
{
	const struct cmp_change *k = gpudx_change_of(a->c, "power.limit_w");
	const struct cmp_load *l = &a->c->loads[pair];

	if (k && k->pairs[pair])
		gpudx_change_text(&a->b, k);
	else
		gpudx_buf_printf(&a->b, "power limit %.0f → %.0f W", l->limit_w[0], l->limit_w[1]);
}

static void put_heat(struct attributing *a, int pair)
{
	const struct cmp_load *l = &a->c->loads[pair];
	const struct cmp_shift *t = gpudx_shift_of(a->c, "temp", pair, 0.5);

	gpudx_buf_printf(&a->b, "heat, in thermal slowdown %.0f %% → %.0f %% of the time",
			 100 * fmax(l->reason[0][1], isnan(l->reason[0][2]) ? 0 : l->reason[0][2]),
			 100 * fmax(l->reason[1][1], isnan(l->reason[1][2]) ? 0 : l->reason[1][2]));
	if (t)
		gpudx_buf_printf(&a->b, " at %.0f → %.0f C", t->side[0]->value, t->side[1]->value);
}

static void put_cause(struct attributing *a, enum cmp_cause cause, int pair)
{
	const struct cmp_change *k = gpudx_change_of(a->c, "clocks.app_graphics_mhz");

	switch (cause) {
	case CMP_CAUSE_LIMIT:
		put_limit(a, pair);
		break;
	case CMP_CAUSE_HEAT:
		put_heat(a, pair);
		break;
	case CMP_CAUSE_BRAKE:
		gpudx_buf_str(&a->b, "power brake or hardware slowdown");
		break;
	case CMP_CAUSE_CLOCKS:
		if (k)
			gpudx_change_text(&a->b, k);
		break;
	default:
		break;
	}
}

/* What a measured cause is called among candidates. */
static const char *candidate_of(enum cmp_cause cause)
{
	return cause == CMP_CAUSE_LIMIT ? "limit" : cause == CMP_CAUSE_CLOCKS ? "clocks" : "";
}

/* The candidates in one row, without the one that was named already. */
static size_t put_moved(struct attributing *a, const char *but)
{
	size_t n = 0;

	for (size_t i = 0; i < a->nmoved; i++) {
		if (strcmp(a->moved[i]->cause, but) == 0)
			continue;
		gpudx_buf_str(&a->b, n ? ", " : "");
		gpudx_change_text(&a->b, a->moved[i]);
		n++;
	}
	return n;
}

/* ": power limit 400 → 300 W, changed together with driver 535 → 550" */
static void put_because(struct attributing *a, const struct movers *m)
{
	size_t start;

	gpudx_buf_str(&a->b, ": ");
	if (m->cause) {
		put_cause(a, m->cause, m->most->pair);
		start = a->b.n;
		gpudx_buf_str(&a->b, m->cause == CMP_CAUSE_HEAT || m->cause == CMP_CAUSE_BRAKE
					     ? "; also changed: "
					     : ", changed together with ");
		if (!put_moved(a, candidate_of(m->cause)))
			a->b.n = start;
		return;
	}
	start = a->b.n;
	if (a->nmoved > 1)
		gpudx_buf_printf(&a->b, "%zu things changed together: ", a->nmoved);
	else
		gpudx_buf_str(&a->b, "together with ");
	if (!put_moved(a, "")) {
		a->b.n = start;
		gpudx_buf_str(&a->b, "nothing that both captures state has changed");
	}
}

/* ---- the sentence ---- */

static const struct cmp_shift *overall(const struct gpudx_comparison *c, const char *role)
{
	const struct cmp_shift *s = gpudx_shift_of(c, role, CMP_OF_ALL, 0.5);

	for (int p = 0; p < (int)c->npairs && !s; p++)
		s = gpudx_shift_of(c, role, p, 0.5);
	return s;
}

/* A busy GPU may do anything. Other power at the clock it had is other work, or another board. */
static bool other_work(const struct gpudx_comparison *c)
{
	const struct cmp_shift *clock = overall(c, "clock"), *power = overall(c, "power");

	return clock && power && fabs(clock->share) < 0.02 && fabs(power->share) >= 0.1 &&
	       power->sure;
}

/* As much power at another clock: held by something that neither side may have recorded, or work
 * that takes more of it. */
static bool held_by_power(const struct gpudx_comparison *c)
{
	const struct cmp_shift *clock = overall(c, "clock"), *power = overall(c, "power");

	return clock && power && clock->sure && fabs(clock->share) >= 0.03 &&
	       fabs(power->share) < 0.03;
}

/* More power at a lower clock is nothing that a limit or a version does to the same work. */
static bool heavier_work(const struct gpudx_comparison *c)
{
	const struct cmp_shift *clock = overall(c, "clock"), *power = overall(c, "power");

	return clock && power && clock->sure && power->sure && clock->share <= -0.03 &&
	       power->share >= 0.03;
}

/* Utilization alone does not show what was worked on; memory in use comes closer. */
static const char *same_what(const struct gpudx_comparison *c)
{
	bool memory = true;

	for (size_t i = 0; i < c->npairs; i++)
		memory &= !c->loads[i].comparable || c->loads[i].by_memory;
	return memory && !other_work(c) && !heavier_work(c) ? "Same work" : "Equally busy";
}

static void put_movers(struct attributing *a, const struct movers *m, size_t of, bool lower)
{
	const struct cmp_shift *all = gpudx_shift_of(a->c, "clock", CMP_OF_ALL, 0.5);
	const struct cmp_shift *s = m->n == of && all ? all : m->most;

	gpudx_buf_str(&a->b, m->n < of && m->n > 1 ? "up to " : "");
	gpudx_share_text(&a->b, s->share);
	gpudx_buf_printf(&a->b, " %s SM clock", lower ? "lower" : "higher");
	if (m->n < of && m->n == 1)
		gpudx_buf_printf(&a->b, " on %s", gpu_label(a->c, m->most->pair));
	else if (m->n < of)
		gpudx_buf_printf(&a->b, " on %zu of %zu GPUs", m->n, of);
}

static void put_throughput(struct attributing *a)
{
	for (size_t i = 0; i < a->c->nshifts; i++) {
		const struct cmp_shift *s = &a->c->shifts[i];

		if (strcmp(s->kind->role, "throughput") != 0 || !s->sure || s->pair != CMP_OF_JOB)
			continue;
		gpudx_buf_str(&a->b, ", ");
		gpudx_share_text(&a->b, s->share);
		gpudx_buf_printf(&a->b, " %s %s", s->change < 0 ? "fewer" : "more", s->kind->name);
		return;
	}
}

/* What was measured explains each of them; versions stand under the sentence. */
static void put_both_ways(struct attributing *a, const struct movers *up, const struct movers *down,
			  size_t of)
{
	const struct movers *m[] = { down, up };

	gpudx_buf_printf(&a->b, "%s, ", same_what(a->c));
	for (int i = 0; i < 2; i++) {
		gpudx_buf_str(&a->b, i ? "; " : "");
		put_movers(a, m[i], of, m[i] == down);
		if (m[i]->cause) {
			gpudx_buf_str(&a->b, ": ");
			put_cause(a, m[i]->cause, m[i]->most->pair);
		}
	}
	gpudx_buf_char(&a->b, '.');
}

static void put_one_way(struct attributing *a, const struct movers *m, size_t of, bool lower)
{
	gpudx_buf_printf(&a->b, "%s, ", same_what(a->c));
	put_movers(a, m, of, lower);
	put_throughput(a);
	put_because(a, m);
	gpudx_buf_char(&a->b, '.');
}

/* The clocks did not move, or it cannot be told. */
static void put_still(struct attributing *a)
{
	const struct cmp_shift *s = overall(a->c, "clock");
	size_t start;

	gpudx_buf_printf(&a->b, "%s, ", same_what(a->c));
	if (!s)
		gpudx_buf_str(&a->b, "no SM clock on both sides");
	else if (s->verdict == CMP_SAME)
		gpudx_buf_printf(&a->b, "same SM clock within ±%.1f %%", 100 * s->within);
	else
		gpudx_buf_printf(&a->b,
				 "cannot tell whether the SM clock moved (%+.1f %%, anything from "
				 "%+.1f to %+.1f %% fits)",
				 100 * s->share, 100 * s->share_range.lo, 100 * s->share_range.hi);
	put_throughput(a);
	start = a->b.n;
	gpudx_buf_str(&a->b, ", although these changed: ");
	if (!put_moved(a, "")) {
		a->b.n = start;
		gpudx_buf_str(&a->b, "; nothing that matters changed in the contract");
	}
	gpudx_buf_char(&a->b, '.');
}

static void put_incomparable(struct attributing *a)
{
	size_t start;

	gpudx_buf_printf(&a->b, "Behaviour is not comparable: %s.",
			 a->c->npairs ? a->c->loads[0].why_not
				      : "no GPU of one side is on the other");
	start = a->b.n;
	gpudx_buf_str(&a->b, " Changed: ");
	if (put_moved(a, ""))
		gpudx_buf_char(&a->b, '.');
	else
		a->b.n = start;
}

static bool lead(struct attributing *a, const struct movers *up, const struct movers *down)
{
	size_t of = clock_pairs(a->c);

	if (!a->c->comparable)
		put_incomparable(a);
	else if (up->n && down->n)
		put_both_ways(a, up, down, of);
	else if (up->n || down->n)
		put_one_way(a, up->n ? up : down, of, down->n > 0);
	else
		put_still(a);
	a->c->lead = gpudx_cmp_take(&a->c->arena, &a->b);
	return a->c->lead != NULL;
}

/* ---- under it ---- */

static bool explain(struct attributing *a, const struct movers *m)
{
	struct gpudx_comparison *c = a->c;

	if (!m->n)
		return true;
	if (m->cause && m->n < clock_pairs(c)) {
		put_cause(a, m->cause, m->most->pair);
		c->cause = c->cause ? c->cause : gpudx_cmp_take(&c->arena, &a->b);
		return c->cause != NULL;
	}
	if (m->cause) {
		put_cause(a, m->cause, m->most->pair);
		c->cause = c->cause ? c->cause : gpudx_cmp_take(&c->arena, &a->b);
		gpudx_buf_clear(&a->b);
		gpudx_buf_printf(&a->b, "The %s alone explains the clocks",
				 m->cause == CMP_CAUSE_LIMIT	? "limit"
				 : m->cause == CMP_CAUSE_HEAT	? "heat"
				 : m->cause == CMP_CAUSE_CLOCKS ? "application clock"
								: "hardware slowdown");
		if (a->nmoved > 1 || (a->nmoved && !*candidate_of(m->cause)))
			gpudx_buf_str(&a->b,
				      "; these runs do not show what else changed to matter");
		gpudx_buf_char(&a->b, '.');
	} else if (a->nmoved == 1) {
		gpudx_change_text(&a->b, a->moved[0]);
		c->cause = c->cause ? c->cause : gpudx_cmp_take(&c->arena, &a->b);
		gpudx_buf_clear(&a->b);
		gpudx_buf_str(&a->b, "Nothing else that both captures state changed; what they do "
				     "not state may have.");
	} else {
		return true;
	}
	return add_text(c, &c->reasons, &c->nreasons, gpudx_cmp_take(&c->arena, &a->b));
}

/* n causes that moved at once take n - 1 further runs: each puts one more back to what it was, and
 * the last step is known from the two runs that are there. The likeliest goes first. */
static bool separate(struct attributing *a)
{
	struct gpudx_comparison *c = a->c;

	if (a->nmoved < 2 || !c->npairs)
		return true;
	gpudx_buf_str(&a->b, "Not separable by these runs: ");
	put_moved(a, "");
	gpudx_buf_printf(&a->b, ". %zu further run%s would separate them: ", a->nmoved - 1,
			 a->nmoved == 2 ? "" : "s");
	for (size_t i = 0; i + 1 < a->nmoved; i++) {
		const struct cmp_change *k = a->moved[i];

		gpudx_buf_printf(&a->b, "%s%s back to ", i ? "; then also " : "", k->name);
		gpudx_buf_sv(&a->b, sv_first(sv_str(k->value[CMP_BEFORE]), 60));
		if (k->unit)
			gpudx_buf_printf(&a->b, " %s", k->unit);
	}
	gpudx_buf_str(&a->b, ", all else as after.");
	return add_text(c, &c->reasons, &c->nreasons, gpudx_cmp_take(&c->arena, &a->b));
}

/* What a reader must know before believing the sentence. */
static bool caution(struct attributing *a)
{
	struct gpudx_comparison *c = a->c;
	const struct cmp_shift *power = overall(c, "power");
	const char *text = NULL;

	if (!c->comparable || c->cause)
		return true;
	if (other_work(c))
		text = gpudx_arena_printf(
			&c->arena,
			"At the same clock the power differs (%.0f → %.0f W): other "
			"work, or another board.",
			power->side[0]->value, power->side[1]->value);
	else if (heavier_work(c))
		text = gpudx_arena_printf(
			&c->arena,
			"The clock fell while the power rose (%.0f → %.0f W): other work that "
			"takes "
			"more power for each clock, or a warmer chip, and something that holds the "
			"clock which was not recorded.",
			power->side[0]->value, power->side[1]->value);
	else if (held_by_power(c))
		text = gpudx_arena_printf(
			&c->arena,
			"Power stayed (%.0f → %.0f W) while the clock moved: either a limit holds "
			"both, "
			"which was not recorded, and this work takes more power for each clock, or "
			"voltage or firmware differ.",
			power->side[0]->value, power->side[1]->value);
	else
		return true;
	return add_text(c, &c->reasons, &c->nreasons, text);
}

static bool any_shift(const struct gpudx_comparison *c)
{
	for (size_t i = 0; i < c->nshifts; i++)
		if (c->shifts[i].sure)
			return true;
	for (size_t i = 0; i < c->nrates; i++)
		if (c->rates[i].sure)
			return true;
	return false;
}

static bool unmatched(struct attributing *a)
{
	static const char *const sides[] = { "before", "after" };
	struct gpudx_comparison *c = a->c;

	for (int s = 0; s < CMP_SIDES; s++) {
		size_t n = c->side[s].ngpus - c->npairs;

		if (!n)
			continue;
		gpudx_buf_printf(&a->b, "%zu GPU%s only %s:", n, n == 1 ? "" : "s", sides[s]);
		for (size_t i = 0; i < c->side[s].ngpus; i++)
			if (!c->paired[s][i])
				gpudx_buf_printf(&a->b, " %s", c->side[s].gpus[i].label);
		gpudx_buf_char(&a->b, '.');
		if (!add_text(c, &c->reasons, &c->nreasons, gpudx_cmp_take(&c->arena, &a->b)))
			return false;
	}
	return true;
}

/* Errors that cost data stand under the sentence, whatever that says. */
static bool grown(struct attributing *a)
{
	struct gpudx_comparison *c = a->c;

	for (size_t i = 0; i < c->ncounters; i++) {
		if (c->counters[i].grade != 'E' || !gpudx_counter_first(c, i))
			continue;
		gpudx_buf_str(&a->b, "Grown since: ");
		gpudx_counter_sentence(&a->b, c, i);
		gpudx_buf_char(&a->b, '.');
		if (!add_text(c, &c->reasons, &c->nreasons, gpudx_cmp_take(&c->arena, &a->b)))
			return false;
	}
	return true;
}

/* What to do next. */
static bool advise(struct attributing *a, const struct movers *down)
{
	struct gpudx_comparison *c = a->c;
	const struct cmp_change *k = gpudx_change_of(c, "power.limit_w");

	if (down->cause == CMP_CAUSE_LIMIT && k && isfinite(k->num[0]) &&
	    !add_text(c, &c->next, &c->nnext,
		      gpudx_arena_printf(&c->arena, "nvidia-smi -pl %.0f", k->num[0])))
		return false;
	if (!c->comparable || down->n || a->nmoved > 1)
		return add_text(c, &c->next, &c->nnext,
				"gpudx collect --trace 600 >collect.sh; sudo sh collect.sh");
	return true;
}

static void mark_followers(struct gpudx_comparison *c, const struct movers *m)
{
	if (m->cause != CMP_CAUSE_LIMIT)
		return;
	for (size_t i = 0; i < c->nshifts; i++)
		if (strcmp(c->shifts[i].kind->role, "power") == 0 && c->shifts[i].sure &&
		    (c->shifts[i].change < 0) == (m->most->change < 0))
			c->shifts[i].explained = "follows the limit";
}

enum gpudx_status gpudx_attribute(struct gpudx_comparison *c, struct gpudx_err *err)
{
	struct attributing a = { .c = c, .b = { .max = SENTENCE }, .err = err };
	struct movers up = movers(c, CMP_BETTER), down = movers(c, CMP_WORSE);
	bool ok;

	a.nmoved = gpudx_candidates(c, a.moved, CANDIDATES);
	mark_followers(c, &down);
	mark_followers(c, &up);
	ok = lead(&a, &up, &down) && grown(&a) && explain(&a, &down) &&
	     (down.n || explain(&a, &up)) && caution(&a) && (!any_shift(c) || separate(&a)) &&
	     unmatched(&a) && advise(&a, &down);
	gpudx_buf_free(&a.b);
	return ok ? gpudx_cmp_findings(c, err) : gpudx_nomem(err);
}
