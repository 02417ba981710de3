/* A comparison on a terminal: the sentence, what changed, what it did, the gate. */
#include "report/cmp.h"

#include <math.h>
#include <stdio.h>

#include "base/stamp.h"
#include "report/layout.h"
#include "report/words.h"

enum {
	LINE = 8192,
	CHANGES = 12,
	SAME_NAMED = 9,
	SINGLE_NAMED = 6,
	GPU_ROWS = 16,
	RATES = 6,
	SLICES = 4
};

struct text {
	const struct gpudx_comparison *c;
	struct rep_layout l;
	struct gpudx_buf line;
};

static void print(struct text *t, int indent, enum rep_style style)
{
	gpudx_layout_line(&t->l, indent, style, sv_n(t->line.n ? t->line.p : "", t->line.n),
			  sv_n(NULL, 0));
	gpudx_buf_clear(&t->line);
}

static void wrap(struct text *t, int indent, const char *lead)
{
	gpudx_layout_text(&t->l, indent, lead, sv_n(t->line.n ? t->line.p : "", t->line.n),
			  sv_n(NULL, 0), 100);
	gpudx_buf_clear(&t->line);
}

/* Fills the line with blanks up to a column; one at least. */
static void column(struct text *t, int at)
{
	int w = gpudx_word_width(sv_n(t->line.n ? t->line.p : "", t->line.n));

	do
		gpudx_buf_char(&t->line, ' ');
	while (++w < at);
}

/* ---- the head ---- */

static double minutes(const struct gpudx_comparison *c, int side)
{
	double most = 0;

	for (size_t i = 0; i < c->npairs; i++)
		most = fmax(most, c->loads[i].minutes[side]);
	return most;
}

static void head_side(struct text *t, int s, const char *name)
{
	const struct cmp_side *v = &t->c->side[s];
	const char *driver = gpudx_cmp_term(v, "driver.version");
	char date[REP_TIME_TEXT];

	gpudx_word_path(&t->line, sv_str(v->label), 26);
	gpudx_buf_printf(&t->line, "  %zu x %.30s", v->ngpus,
			 v->gpus[0].name ? v->gpus[0].name : "GPU");
	gpudx_buf_printf(&t->line, "  driver %.20s", driver ? driver : "unknown");
	gpudx_buf_printf(&t->line, "  %.3g min under load", minutes(t->c, s));
	if (v->collected_us != GPUDX_NO_TIME)
		gpudx_buf_printf(&t->line, "  %s", gpudx_word_date(v->collected_us, date));
	wrap(t, 8, name);
}

static void pairing(struct text *t)
{
	const struct gpudx_comparison *c = t->c;
	const char *how = NULL;
	bool mixed = false;

	for (size_t i = 0; i < c->npairs; i++) {
		mixed |= how && strcmp(how, c->pairs[i].how) != 0;
		how = c->pairs[i].how;
	}
	gpudx_buf_printf(&t->line, "pairs   %zu GPU%s", c->npairs, c->npairs == 1 ? "" : "s");
	if (!mixed && how)
		gpudx_buf_printf(&t->line, " by %s", how);
	for (size_t i = 0; i < c->npairs && mixed; i++)
		gpudx_buf_printf(&t->line, "%s %s by %s", i ? "," : ":",
				 c->side[0].gpus[c->pairs[i].gpu[0]].label, c->pairs[i].how);
	wrap(t, 8, "");
}

/* "slices  2 MIG slices paired; only after: GPU 0 3g.20gb" */
static void slices(struct text *t)
{
	static const char *const sides[] = { "before", "after" };
	const struct gpudx_comparison *c = t->c;

	if (!c->side[0].nslices && !c->side[1].nslices)
		return;
	gpudx_buf_printf(&t->line, "slices  %zu MIG slice%s paired", c->nslices,
			 c->nslices == 1 ? "" : "s");
	for (size_t i = 0; i < c->nslices && i < SLICES; i++) {
		const struct cmp_slice *v = &c->side[0].slices[c->slices[i].slice[0]];

		gpudx_buf_printf(&t->line, "%s %s %.40s by %s", i ? "," : ":",
				 c->side[0].gpus[v->gpu].label, v->profile ? v->profile : "slice",
				 c->slices[i].how);
	}
	if (c->nslices > SLICES)
		gpudx_buf_printf(&t->line, " and %zu more", c->nslices - SLICES);
	for (int s = 0; s < CMP_SIDES; s++) {
		size_t n = 0;

		for (size_t i = 0; i < c->side[s].nslices; i++) {
			const struct cmp_slice *v = &c->side[s].slices[i];

			if (v->paired || n++ >= SLICES)
				continue;
			gpudx_buf_printf(&t->line, "%s %s %.40s",
					 n == 1 ? (s ? "; only after:" : "; only before:") : ",",
					 c->side[s].gpus[v->gpu].label,
					 v->profile ? v->profile : "slice");
		}
		if (n > SLICES)
			gpudx_buf_printf(&t->line, " and %zu more %s", n - SLICES, sides[s]);
	}
	wrap(t, 8, "");
}

static void load_line(struct text *t)
{
	const struct gpudx_comparison *c = t->c;
	double least = INFINITY, cut = 0;
	size_t refused = 0, first = 0;

	for (size_t i = 0; i < c->npairs; i++) {
		const struct cmp_load *l = &c->loads[i];

		if (!l->comparable) {
			first = refused++ ? first : i;
			continue;
		}
		least = fmin(least, l->overlap);
		cut = fmax(cut, fmax(l->cut_min[0], l->cut_min[1]));
	}
	if (isfinite(least))
		gpudx_buf_printf(
			&t->line,
			"load overlap %.0f %%: comparable; idle and warm-up cut off (up to "
			"%.3g min)",
			100 * least, cut);
	if (refused && isfinite(least))
		gpudx_buf_printf(&t->line, "; %zu pair%s not comparable: %s", refused,
				 refused == 1 ? "" : "s", c->loads[first].why_not);
	if (t->line.n)
		wrap(t, 0, "");
	for (size_t i = 0; i < c->nuntranslated; i++) {
		gpudx_buf_str(&t->line, c->untranslated[i]);
		wrap(t, 0, "");
	}
}

static void head(struct text *t)
{
	head_side(t, CMP_BEFORE, "before  ");
	head_side(t, CMP_AFTER, "after   ");
	if (t->c->split_by) {
		gpudx_buf_printf(&t->line, "split at %s", t->c->split_by);
		wrap(t, 0, "");
	}
	pairing(t);
	slices(t);
	load_line(t);
	gpudx_layout_blank(&t->l);
	gpudx_buf_str(&t->line, t->c->lead);
	gpudx_layout_text(&t->l, 0, "", sv_n(t->line.p, t->line.n), sv_n(NULL, 0), 100);
	gpudx_buf_clear(&t->line);
	for (size_t i = 0; i < t->c->nreasons; i++) {
		gpudx_buf_str(&t->line, t->c->reasons[i]);
		wrap(t, 0, "");
	}
}

/* ---- contract ---- */

static void names(struct text *t, const char *const *v, size_t n, size_t most)
{
	for (size_t i = 0; i < n && i < most; i++)
		gpudx_buf_printf(&t->line, "%s%.60s", i ? ", " : "", v[i]);
	if (n > most)
		gpudx_buf_printf(&t->line, " and %zu more", n - most);
}

static void change_row(struct text *t, const struct cmp_change *k)
{
	const struct cmp_change *leader = k->follows ? gpudx_change_of(t->c, k->follows) : NULL;

	for (int s = 0; s < CMP_SIDES; s++) {
		if (!s) {
			gpudx_word_head(&t->line, sv_str(k->key), 30);
			gpudx_buf_printf(&t->line, "  %.24s", k->who);
		}
		column(t, s ? 55 : 40);
		gpudx_word_head(&t->line, sv_str(k->value[s]), 14);
	}
	column(t, 70);
	gpudx_buf_str(&t->line, k->lost ? "LOST" : gpudx_cmp_group(k->group));
	if (k->group == CMP_ALONG)
		gpudx_buf_printf(&t->line, ": %.20s", leader ? leader->name : k->follows);
	else if (k->lost)
		gpudx_buf_printf(&t->line, ": %.60s", k->note + strlen("lost: "));
	else if (k->note)
		gpudx_buf_printf(&t->line, ", %.60s", k->note);
	print(t, 2, k->lost ? REP_BOLD : REP_PLAIN);
}

static void contract(struct text *t)
{
	static const char *const sides[] = { "before", "after" };
	const struct gpudx_comparison *c = t->c;

	gpudx_layout_blank(&t->l);
	gpudx_buf_str(&t->line, c->nchanges ? "CHANGED" : "CHANGED  nothing that both sides state");
	if (c->nchanges) {
		column(t, 42);
		gpudx_buf_str(&t->line, "before");
		column(t, 57);
		gpudx_buf_str(&t->line, "after");
		column(t, 72);
		gpudx_buf_str(&t->line, "class");
	}
	print(t, 0, REP_BOLD);
	for (size_t i = 0; i < c->nchanges && i < CHANGES; i++)
		change_row(t, &c->changes[i]);
	if (c->nchanges > CHANGES) {
		gpudx_buf_printf(&t->line, "and %zu more: the page and JSON have all",
				 c->nchanges - CHANGES);
		print(t, 2, REP_DIM);
	}
	gpudx_buf_printf(&t->line, "same (%zu keys): ", c->nsame);
	names(t, c->same, c->nsame, SAME_NAMED);
	if (c->nsame)
		wrap(t, 2, "");
	gpudx_buf_clear(&t->line);
	for (int s = 0; s < CMP_SIDES; s++) {
		if (!c->none_sided[s])
			continue;
		gpudx_buf_printf(&t->line, "known only %s (%zu): ", sides[s], c->none_sided[s]);
		names(t, c->one_sided[s], c->none_sided[s], SINGLE_NAMED);
		wrap(t, 2, "");
	}
}

/* ---- effect ---- */

static void shift_row(struct text *t, const struct cmp_shift *s)
{
	gpudx_cmp_shift_name(&t->line, t->c, s);
	column(t, 30);
	gpudx_cmp_value(&t->line, s, CMP_BEFORE);
	column(t, 42);
	gpudx_cmp_value(&t->line, s, CMP_AFTER);
	column(t, 54);
	gpudx_cmp_difference(&t->line, s);
	column(t, 64);
	gpudx_cmp_interval(&t->line, s);
	column(t, 80);
	gpudx_cmp_verdict(&t->line, s);
	print(t, 2, s->verdict == CMP_WORSE ? REP_BOLD : REP_PLAIN);
}

static void reason_row(struct text *t, size_t r)
{
	const struct gpudx_comparison *c = t->c;
	double lo[CMP_SIDES] = { INFINITY, INFINITY }, hi[CMP_SIDES] = { 0, 0 };

	for (size_t i = 0; i < c->npairs; i++)
		for (int s = 0; s < CMP_SIDES && c->loads[i].comparable; s++)
			if (!isnan(c->loads[i].reason[s][r])) {
				lo[s] = fmin(lo[s], c->loads[i].reason[s][r]);
				hi[s] = fmax(hi[s], c->loads[i].reason[s][r]);
			}
	if ((!isfinite(lo[0]) && !isfinite(lo[1])) || (hi[0] < 0.005 && hi[1] < 0.005))
		return;
	gpudx_buf_printf(&t->line, "time: %s", gpudx_cmp_reasons[r].name);
	for (int s = 0; s < CMP_SIDES; s++) {
		column(t, s ? 42 : 30);
		if (!isfinite(lo[s]))
			gpudx_buf_str(&t->line, "unknown");
		else if (hi[s] - lo[s] < 0.01)
			gpudx_buf_printf(&t->line, "%.0f %%", 100 * hi[s]);
		else
			gpudx_buf_printf(&t->line, "%.0f-%.0f %%", 100 * lo[s], 100 * hi[s]);
	}
	print(t, 2, REP_PLAIN);
}

static void throttle_row(struct text *t)
{
	double least[CMP_SIDES] = { NAN, NAN };

	for (size_t i = 0; i < t->c->npairs; i++)
		for (int s = 0; s < CMP_SIDES; s++)
			least[s] = fmin(least[s], t->c->loads[i].throttle_after_s[s]);
	if (isnan(least[0]) && isnan(least[1]))
		return;
	gpudx_buf_str(&t->line, "load to first slowdown");
	for (int s = 0; s < CMP_SIDES; s++) {
		column(t, s ? 42 : 30);
		if (isnan(least[s]))
			gpudx_buf_str(&t->line, "never");
		else
			gpudx_buf_printf(&t->line, "%.0f s", least[s]);
	}
	print(t, 2, REP_PLAIN);
}

/* Where the GPUs differ, a row of SM clock for each. */
static void gpu_rows(struct text *t)
{
	const struct gpudx_comparison *c = t->c;
	double lo = INFINITY, hi = -INFINITY;
	size_t n = 0;

	for (int p = 0; p < (int)c->npairs; p++) {
		const struct cmp_shift *s = gpudx_shift_of(c, "clock", p, 0.5);

		if (!s)
			continue;
		lo = fmin(lo, s->share);
		hi = fmax(hi, s->share);
		n++;
	}
	if (n < 2)
		return;
	if (hi - lo < 0.02) {
		gpudx_buf_str(&t->line, "per GPU: ");
		if (n == 2)
			gpudx_buf_str(&t->line, "both");
		else
			gpudx_buf_printf(&t->line, "all %zu", n);
		gpudx_buf_printf(&t->line, " alike (%+.1f … %+.1f %%), no straggler", 100 * lo,
				 100 * hi);
		print(t, 2, REP_PLAIN);
		return;
	}
	for (int p = 0; p < (int)c->npairs && p < GPU_ROWS; p++) {
		const struct cmp_shift *s = gpudx_shift_of(c, "clock", p, 0.5);

		if (s)
			shift_row(t, s);
	}
}

static void effect(struct text *t)
{
	const struct gpudx_comparison *c = t->c;

	gpudx_layout_blank(&t->l);
	if (!c->nshifts) {
		gpudx_buf_str(&t->line, "EFFECT  not comparable");
		print(t, 0, REP_BOLD);
		return;
	}
	gpudx_buf_str(&t->line, c->comparable ? "EFFECT at equal load" : "EFFECT");
	column(t, 32);
	gpudx_buf_str(&t->line, "before");
	column(t, 44);
	gpudx_buf_str(&t->line, "after");
	column(t, 56);
	gpudx_buf_str(&t->line, "change");
	column(t, 66);
	gpudx_buf_str(&t->line, "95 % interval");
	print(t, 0, REP_BOLD);
	for (size_t i = 0; i < c->nshifts; i++)
		if (gpudx_cmp_leads(c, &c->shifts[i]))
			shift_row(t, &c->shifts[i]);
	gpu_rows(t);
	for (size_t r = 0; r < CMP_REASONS; r++)
		reason_row(t, r);
	throttle_row(t);
}

/* ---- errors ---- */

static void errors(struct text *t)
{
	const struct gpudx_comparison *c = t->c;

	for (size_t i = 0; i < c->nrates && i < RATES; i++) {
		const struct cmp_rate *r = &c->rates[i];

		gpudx_cmp_rate_name(&t->line, r);
		gpudx_buf_printf(&t->line,
				 "  %lld in %.4g %s → %lld in %.4g %s: ", (long long)r->n[0],
				 r->hours[0], r->of_gpus ? "GPU-h" : "h", (long long)r->n[1],
				 r->hours[1], r->of_gpus ? "GPU-h" : "h");
		gpudx_cmp_rate_verdict(&t->line, r);
		wrap(t, 8, i ? "" : "ERRORS  ");
	}
	if (c->nrates > RATES) {
		gpudx_buf_printf(&t->line, "and %zu more kinds", c->nrates - RATES);
		wrap(t, 8, "");
	}
	names(t, c->new_kinds, c->nnew_kinds, 12);
	if (!c->nnew_kinds)
		gpudx_buf_str(&t->line, "kinds of event: none");
	wrap(t, 8, "NEW     ");
}

static void counters(struct text *t)
{
	const struct gpudx_comparison *c = t->c;
	size_t n = 0;

	for (const char *grade = "EWI"; *grade; grade++)
		for (size_t i = 0; i < c->ncounters; i++) {
			if (c->counters[i].grade != *grade || !gpudx_counter_first(c, i) ||
			    n++ >= RATES)
				continue;
			gpudx_buf_printf(&t->line, "%c ", *grade);
			gpudx_counter_sentence(&t->line, c, i);
			wrap(t, 10, n == 1 ? "COUNTERS  " : "");
		}
	if (n > RATES) {
		gpudx_buf_printf(&t->line, "and %zu more: the page and JSON have all", n - RATES);
		wrap(t, 10, "");
	}
	gpudx_cmp_counters_still(&t->line, c);
	wrap(t, 10, n ? "" : "COUNTERS  ");
}

/* ---- gate ---- */

static void condition_row(struct text *t, const struct cmp_condition *k)
{
	char first[32];

	snprintf(first, sizeof(first), "%-14s", gpudx_cmp_outcome(k->outcome));
	gpudx_buf_printf(&t->line, "%.40s: %s", k->name, k->said);
	if (k->cause)
		gpudx_buf_printf(&t->line, "; cause: %s", k->cause);
	if (k->needs)
		gpudx_buf_printf(&t->line, "; needs %s", k->needs);
	wrap(t, 16, first);
}

static void gate(struct text *t)
{
	const struct gpudx_comparison *c = t->c;
	struct gpudx_compared sum = gpudx_comparison_sum(c);

	if (!c->ngate)
		return;
	gpudx_layout_blank(&t->l);
	gpudx_buf_printf(&t->line, "GATE %s  %zu condition%s: %zu failed, %zu inconclusive",
			 sum.gate_failed ? "FAILED" : "PASSED", sum.conditions,
			 sum.conditions == 1 ? "" : "s", sum.failed, sum.inconclusive);
	if (sum.inconclusive)
		gpudx_buf_str(&t->line, c->options.allow_inconclusive
						? " (allowed)"
						: " (fails without --allow-inconclusive)");
	print(t, 0, sum.gate_failed ? REP_BAD : REP_GOOD);
	for (size_t i = 0; i < c->ngate; i++)
		condition_row(t, &c->gate[i]);
}

static void foot(struct text *t, const struct gpudx_compare_report *o)
{
	const struct gpudx_comparison *c = t->c;

	for (size_t i = 0; i < c->nnext; i++)
		gpudx_layout_command(&t->l, 6, i ? "" : "NEXT  ", sv_str(c->next[i]));
	gpudx_layout_blank(&t->l);
	if (o->files)
		gpudx_buf_printf(&t->line, "%s    ", o->files);
	gpudx_buf_printf(&t->line, "seed %llu  block ", (unsigned long long)c->options.seed);
	if (c->options.block_s > 0)
		gpudx_buf_printf(&t->line, "%.3g s", c->options.block_s);
	else
		gpudx_buf_str(&t->line, "by the memory of each series");
	print(t, 0, REP_DIM);
}

void gpudx_cmp_text_report(const struct gpudx_comparison *c, const struct gpudx_compare_report *o,
			   struct gpudx_buf *b)
{
	struct text t = {
		.c = c,
		.l = { .out = b, .width = o->width ? o->width : 100, .colour = o->colour },
		.line = { .max = (size_t)LINE * 8 }
	};

	head(&t);
	contract(&t);
	effect(&t);
	errors(&t);
	counters(&t);
	gate(&t);
	foot(&t, o);
	gpudx_buf_free(&t.line);
}
