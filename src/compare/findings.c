/* What deserves attention, by the names of RULES: compare.*. */
#include "compare/attribute.h"

#include <math.h>

#include "compare/list.h"

enum { SENTENCE = 4096, WHO = 512 };

struct concluding {
	struct gpudx_comparison *c;
	struct gpudx_buf b;
	bool failed;
};

static void add(struct concluding *f, const char *id, char severity, const char *who)
{
	struct cmp_finding *v = CMP_PUSH(&f->c->arena, f->c->findings, f->c->nfindings);
	const char *text = gpudx_cmp_take(&f->c->arena, &f->b);

	if (v)
		*v = (struct cmp_finding){ id, severity, who, text };
	f->failed |= !v || !text || !who;
}

/* ---- contract ---- */

static bool narrower(const struct cmp_change *k)
{
	return isfinite(k->num[0]) && isfinite(k->num[1]) && k->num[1] < k->num[0];
}

/* Something that nobody asked for: a setting that got lost or moved, a part that became less. */
static char severity_of(const struct cmp_change *k)
{
	if (k->group == CMP_SETTING)
		return k->lost || k->cause ? 'W' : 'I';
	return k->group == CMP_PART && narrower(k) ? 'W' : 'I';
}

static bool is_nccl_path(const struct cmp_change *k)
{
	return strcmp(k->key, "nccl.network") == 0 || strcmp(k->key, "nccl.gdr") == 0 ||
	       strcmp(k->key, "nccl.nvls") == 0 || strncmp(k->key, "nccl.via.", 9) == 0;
}

static void contract(struct concluding *f)
{
	for (size_t i = 0; i < f->c->nchanges; i++) {
		const struct cmp_change *k = &f->c->changes[i];

		if (k->group == CMP_ALONG)
			continue;
		gpudx_change_text(&f->b, k);
		if (k->lost)
			gpudx_buf_printf(&f->b, " (%s: %s)", k->note,
					 k->by_site ? "policy.site-lost"
						    : "policy.limit-not-reapplied");
		else if (k->by_site)
			gpudx_buf_printf(&f->b, " (%s)", k->note);
		add(f, is_nccl_path(k) ? "compare.nccl-path-changed" : "compare.contract-changed",
		    is_nccl_path(k) ? 'W' : severity_of(k), k->who);
	}
}

/* ---- shifts ---- */

static const char *id_of(const char *role)
{
	static const struct {
		const char *role, *id;
	} ids[] = {
		{ "clock", "compare.clock-shift" },	  { "mem_clock", "compare.clock-shift" },
		{ "power", "compare.power-shift" },	  { "temp", "compare.temp-shift" },
		{ "memory", "compare.memory-baseline" },  { "latency", "compare.throughput-shift" },
		{ "series", "compare.throughput-shift" }, { "slice", "compare.throughput-shift" },
	};

	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++)
		if (strcmp(role, ids[i].role) == 0)
			return ids[i].id;
	return "compare.throughput-shift";
}

static bool alike(const struct cmp_shift *a, const struct cmp_shift *b)
{
	if (a->pair != b->pair && (cmp_slice_no(a->pair) >= 0 || cmp_slice_no(b->pair) >= 0))
		return false;
	return a->kind == b->kind && a->quantile == b->quantile && a->sure && b->sure &&
	       a->by_reason == b->by_reason && a->verdict == b->verdict &&
	       (a->pair < 0) == (b->pair < 0);
}

static const char *label(const struct gpudx_comparison *c, int pair)
{
	return c->side[CMP_BEFORE].gpus[c->pairs[pair].gpu[CMP_BEFORE]].label;
}

/* The GPUs that moved alike; n counts them. */
static const char *who(struct concluding *f, size_t first, size_t *n)
{
	const struct gpudx_comparison *c = f->c;
	struct gpudx_buf b = { .max = WHO };
	const char *out;

	*n = 0;
	if (c->shifts[first].pair < 0)
		return gpudx_slice_label(&f->c->arena, c, c->shifts[first].pair);
	for (size_t i = first; i < c->nshifts; i++) {
		if (!alike(&c->shifts[i], &c->shifts[first]))
			continue;
		if (b.n < WHO - 64)
			gpudx_buf_printf(&b, "%s%.40s", *n ? ", " : "",
					 label(c, c->shifts[i].pair));
		++*n;
	}
	if (*n == 2 && c->npairs == 2)
		out = "both GPUs";
	else if (*n > 1 && *n == c->npairs)
		out = gpudx_arena_printf(&f->c->arena, "all %zu GPUs", *n);
	else
		out = gpudx_cmp_take(&f->c->arena, &b);
	gpudx_buf_free(&b);
	return out;
}

static bool told(const struct gpudx_comparison *c, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (alike(&c->shifts[k], &c->shifts[i]))
			return true;
	return false;
}

static void tell_shift(struct concluding *f, size_t i)
{
	const struct cmp_shift *s = &f->c->shifts[i];
	size_t n;
	const char *of = who(f, i, &n);
	bool bad = s->verdict == CMP_WORSE ||
		   (s->verdict == CMP_MORE && strcmp(s->kind->role, "memory") == 0);

	gpudx_buf_printf(&f->b, "%s", s->kind->name);
	if (s->quantile != 0.5)
		gpudx_buf_printf(&f->b, " p%.0f", s->quantile * 100);
	gpudx_buf_printf(&f->b, " %.4g → %.4g%s%s", s->side[0]->value, s->side[1]->value,
			 s->kind->unit ? " " : "", s->kind->unit ? s->kind->unit : "");
	if (isfinite(s->share))
		gpudx_buf_printf(&f->b, " (%+.1f %%, 95 %% interval %+.1f to %+.1f %%)",
				 100 * s->share, 100 * s->share_range.lo, 100 * s->share_range.hi);
	else
		gpudx_buf_printf(&f->b, " (%+.1f, 95 %% interval %+.1f to %+.1f)", s->change,
				 s->range.lo, s->range.hi);
	if (n > 1)
		gpudx_buf_printf(&f->b, " on %s", label(f->c, s->pair));
	if (s->by_reason)
		gpudx_buf_printf(&f->b, ", held back %.0f %% of the time%s", 100 * s->held,
				 s->change > 0 ? " before" : "");
	if (s->explained)
		gpudx_buf_printf(&f->b, ", %s", s->explained);
	add(f, id_of(s->kind->role), bad && !s->explained ? 'W' : 'I', of);
}

static void shifts(struct concluding *f)
{
	for (size_t i = 0; i < f->c->nshifts; i++) {
		const struct cmp_shift *s = &f->c->shifts[i];

		if (s->sure && gpudx_shift_single(s) && !told(f->c, i))
			tell_shift(f, i);
	}
}

/* ---- the rest ---- */

static void rates(struct concluding *f)
{
	for (size_t i = 0; i < f->c->nrates; i++) {
		const struct cmp_rate *r = &f->c->rates[i];

		if (!r->sure)
			continue;
		gpudx_buf_str(&f->b, r->kind);
		if (r->code >= 0)
			gpudx_buf_printf(&f->b, " %lld", (long long)r->code);
		gpudx_buf_printf(&f->b,
				 " %lld incidents in %.4g %s → %lld in %.4g: rate x%.3g (95 %% "
				 "interval from x%.3g)",
				 (long long)r->n[0], r->hours[0], r->of_gpus ? "GPU-h" : "h",
				 (long long)r->n[1], r->hours[1], r->ratio, r->lo);
		add(f, "compare.error-rate", 'W', "");
	}
	if (!f->c->nnew_kinds)
		return;
	gpudx_buf_str(&f->b, "kinds of event that were not there before:");
	for (size_t i = 0; i < f->c->nnew_kinds; i++)
		gpudx_buf_printf(&f->b, " %s", f->c->new_kinds[i]);
	add(f, "compare.error-rate", 'I', "");
}

static const char *who_grew(struct concluding *f, size_t first)
{
	const struct gpudx_comparison *c = f->c;
	struct gpudx_buf b = { .max = WHO };
	const char *out;
	int last = -1;

	for (size_t i = first; i < c->ncounters && b.n < WHO - 64; i++) {
		if (!gpudx_counters_alike(&c->counters[i], &c->counters[first]) ||
		    c->counters[i].pair == last)
			continue;
		last = c->counters[i].pair;
		gpudx_buf_printf(&b, "%s%.40s", b.n ? ", " : "", label(c, last));
	}
	out = gpudx_cmp_take(&f->c->arena, &b);
	gpudx_buf_free(&b);
	return out;
}

static void counters(struct concluding *f)
{
	for (size_t i = 0; i < f->c->ncounters; i++) {
		if (!gpudx_counter_first(f->c, i))
			continue;
		gpudx_counter_sentence(&f->b, f->c, i);
		add(f, "compare.counter-growth", f->c->counters[i].grade, who_grew(f, i));
	}
}

static void open_questions(struct concluding *f)
{
	for (size_t i = 0; i < f->c->nreasons; i++) {
		if (!sv_starts(sv_str(f->c->reasons[i]), "Not separable"))
			continue;
		gpudx_buf_str(&f->b, f->c->reasons[i]);
		add(f, "compare.not-separable", 'I', "");
	}
}

static int rank(const struct cmp_finding *f)
{
	return f->severity == 'E' ? 0 : f->severity == 'W' ? 1 : 2;
}

/* Worst first, otherwise as found. */
static void sort(struct gpudx_comparison *c)
{
	for (size_t i = 1; i < c->nfindings; i++)
		for (size_t k = i; k > 0 && rank(&c->findings[k]) < rank(&c->findings[k - 1]);
		     k--) {
			struct cmp_finding x = c->findings[k];

			c->findings[k] = c->findings[k - 1];
			c->findings[k - 1] = x;
		}
}

enum gpudx_status gpudx_cmp_findings(struct gpudx_comparison *c, struct gpudx_err *err)
{
	struct concluding f = { .c = c, .b = { .max = SENTENCE } };

	shifts(&f);
	rates(&f);
	counters(&f);
	contract(&f);
	open_questions(&f);
	sort(c);
	gpudx_buf_free(&f.b);
	return f.failed ? gpudx_nomem(err) : GPUDX_OK;
}
