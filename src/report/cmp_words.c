#include "report/cmp.h"

#include <errno.h>
#include <math.h>

const char *gpudx_cmp_group(enum cmp_group g)
{
	static const char *const names[CMP_GROUPS] = { [CMP_INTENDED] = "intended",
						       [CMP_ALONG] = "came along",
						       [CMP_SETTING] = "site policy",
						       [CMP_PART] = "machine" };

	return names[g];
}

const char *gpudx_cmp_outcome(enum cmp_outcome o)
{
	static const char *const names[] = {
		[CMP_PASS] = "PASS", [CMP_FAIL] = "FAIL", [CMP_INCONCLUSIVE] = "INCONCLUSIVE"
	};

	return names[o];
}

const char *gpudx_cmp_severity(char letter)
{
	return letter == 'E' ? "error" : letter == 'W' ? "warning" : "info";
}

static bool relative(const struct cmp_shift *s)
{
	return isfinite(s->share);
}

static const char *unit_of(const struct cmp_shift *s)
{
	if (isfinite(s->kind->floor_k))
		return " K";
	return s->kind->unit ? s->kind->unit : "";
}

void gpudx_cmp_difference(struct gpudx_buf *b, const struct cmp_shift *s)
{
	if (relative(s))
		gpudx_buf_printf(b, "%+.1f %%", 100 * s->share);
	else
		gpudx_buf_printf(b, "%+.1f%s", s->change, unit_of(s));
}

void gpudx_cmp_interval(struct gpudx_buf *b, const struct cmp_shift *s)
{
	if (relative(s))
		gpudx_buf_printf(b, "[%+.1f, %+.1f]", 100 * s->share_range.lo,
				 100 * s->share_range.hi);
	else
		gpudx_buf_printf(b, "[%+.1f, %+.1f]", s->range.lo, s->range.hi);
}

void gpudx_cmp_verdict(struct gpudx_buf *b, const struct cmp_shift *s)
{
	static const char *const names[] = { [CMP_BETTER] = "better",
					     [CMP_WORSE] = "worse",
					     [CMP_MORE] = "more",
					     [CMP_LESS] = "less",
					     [CMP_CANNOT_TELL] = "cannot tell" };

	if (s->by_reason)
		gpudx_buf_printf(b, "%s: held %.0f %%%s", names[s->verdict], 100 * s->held,
				 s->change > 0 ? " before" : "");
	else if (s->explained)
		gpudx_buf_str(b, s->explained);
	else if (s->verdict != CMP_SAME)
		gpudx_buf_str(b, names[s->verdict]);
	else if (relative(s))
		gpudx_buf_printf(b, "same within ±%.1f %%", 100 * s->within);
	else
		gpudx_buf_printf(b, "same within ±%.1f%s", s->within, unit_of(s));
}

void gpudx_cmp_shift_name(struct gpudx_buf *b, const struct gpudx_comparison *c,
			  const struct cmp_shift *s)
{
	gpudx_buf_str(b, s->kind->name);
	if (s->quantile != 0.5)
		gpudx_buf_printf(b, " p%.0f", s->quantile * 100);
	if (cmp_slice_no(s->pair) >= 0) {
		struct gpudx_arena a = { .limit = 1 << 12 };
		const char *label = gpudx_slice_label(&a, c, s->pair);

		gpudx_buf_printf(b, ", %s", label ? label : "slice");
		gpudx_arena_free(&a);
		return;
	}
	if (s->pair == CMP_OF_SLOWEST)
		gpudx_buf_printf(b, ", %s GPU",
				 strcmp(s->kind->role, "temp") == 0 ? "hottest" : "slowest");
	else if (s->pair >= 0 && c->npairs > 1)
		gpudx_buf_printf(b, ", %s",
				 c->side[CMP_BEFORE].gpus[c->pairs[s->pair].gpu[CMP_BEFORE]].label);
	else if (s->quantile == 0.5)
		gpudx_buf_str(b, ", median");
}

void gpudx_cmp_value(struct gpudx_buf *b, const struct cmp_shift *s, int side)
{
	double v = s->side[side]->value;

	gpudx_buf_printf(b, fabs(v) >= 100 ? "%.0f" : "%.3g", v);
	if (s->kind->unit)
		gpudx_buf_printf(b, " %s", s->kind->unit);
}

void gpudx_cmp_rate_name(struct gpudx_buf *b, const struct cmp_rate *r)
{
	gpudx_buf_str(b, r->kind);
	if (r->code >= 0)
		gpudx_buf_printf(b, " %lld", (long long)r->code);
}

void gpudx_cmp_rate_verdict(struct gpudx_buf *b, const struct cmp_rate *r)
{
	if (r->sure)
		gpudx_buf_printf(b, "rose: x%.2g, at least x%.2g", r->ratio, r->lo);
	else if (!r->watched[0] || !r->watched[1])
		gpudx_buf_printf(b, "no whole log with times %s",
				 r->watched[0]	 ? "after"
				 : r->watched[1] ? "before"
						 : "on either side");
	else if (isfinite(r->hi) && r->hi < 1 && r->n[CMP_BEFORE] >= 3)
		gpudx_buf_printf(b, "fell: x%.2g, at most x%.2g", r->ratio, r->hi);
	else if (isfinite(r->hours_needed))
		gpudx_buf_printf(b,
				 r->hours_needed < 1000
					 ? "says nothing yet: x3 needs about %.3g %s on each side"
					 : "says nothing yet: x3 needs about %.0f %s on each side",
				 r->hours_needed, r->of_gpus ? "GPU-h" : "h");
	else if (isfinite(r->hi))
		gpudx_buf_printf(b, "x%.2g to x%.2g fits", r->lo, r->hi);
	else
		gpudx_buf_printf(b, "x%.2g and more fits", r->lo);
}

void gpudx_cmp_counters_still(struct gpudx_buf *b, const struct gpudx_comparison *c)
{
	size_t grew = 0, restarted = 0, fell = 0, gpus = 0;

	if (c->no_counters) {
		gpudx_buf_printf(b, "Not compared: %s.", c->no_counters);
		return;
	}
	for (size_t i = 0; i < c->ncounters; i++) {
		const struct cmp_counter *v = &c->counters[i];

		grew += v->grade != 0;
		restarted += v->restarted;
		fell += v->fell;
		gpus += !i || v->pair != c->counters[i - 1].pair;
	}
	gpudx_buf_printf(b, "%zu counter%s of %zu GPU%s on both sides: %zu grew", c->ncounters,
			 c->ncounters == 1 ? "" : "s", gpus, gpus == 1 ? "" : "s", grew);
	if (restarted)
		gpudx_buf_printf(b, "; %zu began again in between", restarted);
	if (fell)
		gpudx_buf_printf(b, "; %zu went down, which nothing explains", fell);
	gpudx_buf_char(b, '.');
}

const char *gpudx_cmp_term(const struct cmp_side *s, const char *key)
{
	for (size_t i = 0; i < s->nterms; i++)
		if (strcmp(s->terms[i].key, key) == 0)
			return s->terms[i].value;
	return NULL;
}

bool gpudx_cmp_leads(const struct gpudx_comparison *c, const struct cmp_shift *s)
{
	size_t pairs = 0;

	if (cmp_slice_no(s->pair) >= 0)
		return s->sure;
	if (s->pair < 0)
		return true;
	for (size_t i = 0; i < c->nshifts; i++)
		pairs += c->shifts[i].kind == s->kind && c->shifts[i].quantile == s->quantile &&
			 c->shifts[i].pair >= 0;
	return pairs == 1;
}

static void write(const struct gpudx_comparison *c, enum gpudx_compare_format format,
		  const struct gpudx_compare_report *o, struct gpudx_buf *b)
{
	switch (format) {
	case GPUDX_CMP_TEXT:
		gpudx_cmp_text_report(c, o, b);
		break;
	case GPUDX_CMP_JSON:
		gpudx_cmp_json(c, b);
		break;
	case GPUDX_CMP_HTML:
		gpudx_cmp_html(c, o->plot, b);
		break;
	case GPUDX_CMP_MARKDOWN:
		gpudx_cmp_markdown(c, b);
		break;
	case GPUDX_CMP_JUNIT:
		gpudx_cmp_junit(c, b);
		break;
	}
}

enum gpudx_status gpudx_cmp_report(const struct gpudx_comparison *c,
				   enum gpudx_compare_format format,
				   const struct gpudx_compare_report *o, FILE *file,
				   struct gpudx_err *err)
{
	static const struct gpudx_compare_report none = { 0 };
	struct gpudx_buf b = { .max = 64 << 20 };
	enum gpudx_status rc = GPUDX_OK;

	write(c, format, o ? o : &none, &b);
	if (b.failed)
		rc = gpudx_nomem(err);
	else if ((b.n && fwrite(b.p, 1, b.n, file) != b.n) || fflush(file) != 0)
		rc = gpudx_fail(err, GPUDX_E_IO, "cannot write the report: %s", strerror(errno));
	gpudx_buf_free(&b);
	return rc;
}
