/* What a counter did, in words. */
#include "compare/attribute.h"

#include <math.h>

enum { SAID = 4 };

static void put_span(struct gpudx_buf *b, double hours)
{
	if (hours >= 48)
		gpudx_buf_printf(b, "%.3g days", hours / 24);
	else if (hours >= 1)
		gpudx_buf_printf(b, "%.3g h", hours);
	else
		gpudx_buf_printf(b, "%.2g min", hours * 60);
}

/* "0.85 an hour", "2.1 a day": in the unit in which it is no tiny fraction. */
static void put_rate(struct gpudx_buf *b, double per_h)
{
	if (per_h >= 1)
		gpudx_buf_printf(b, "%.3g an hour", per_h);
	else
		gpudx_buf_printf(b, "%.2g a day", per_h * 24);
}

static void put_count(struct gpudx_buf *b, const struct cmp_counter *v)
{
	if (v->restarted)
		gpudx_buf_printf(b, "at least %.0f", v->growth);
	else
		gpudx_buf_printf(b, "%.0f → %.0f", v->value[0], v->value[1]);
	if (isfinite(v->hours)) {
		gpudx_buf_str(b, " in ");
		put_span(b, v->hours);
		gpudx_buf_str(b, v->restarted ? " since a restart (" : " (");
		put_rate(b, v->growth / v->hours);
	} else if (v->restarted) {
		gpudx_buf_str(b, " since a restart (");
	}
	if (isfinite(v->hours_before)) {
		gpudx_buf_str(b, isfinite(v->hours) ? ", before " : "before ");
		put_rate(b, v->value[0] / v->hours_before);
	} else if (v->restarted) {
		gpudx_buf_printf(b, isfinite(v->hours) ? ", %.0f before it" : "%.0f before it",
				 v->value[0]);
	}
	if (isfinite(v->hours) || v->restarted)
		gpudx_buf_char(b, ')');
}

void gpudx_counter_text(struct gpudx_buf *b, const struct cmp_counter *v)
{
	double seconds = v->growth / 1e6;

	switch (v->kind) {
	case CMP_COUNT_STATE:
		gpudx_buf_printf(b, "%s → %s", v->value[0] > 0 ? "yes" : "no",
				 v->value[1] > 0 ? "yes" : "no");
		break;
	case CMP_COUNT_TIME:
		gpudx_buf_printf(b, seconds < 600 ? "%s%.3g s more" : "%s%.0f s more",
				 v->restarted ? "at least " : "", seconds);
		if (isfinite(v->hours))
			gpudx_buf_printf(b, ", %.2g %% of the time",
					 100 * seconds / 3600 / v->hours);
		break;
	default:
		put_count(b, v);
		break;
	}
}

static const char *gpu_of(const struct gpudx_comparison *c, const struct cmp_counter *v)
{
	return c->side[CMP_BEFORE].gpus[c->pairs[v->pair].gpu[CMP_BEFORE]].label;
}

bool gpudx_counters_alike(const struct cmp_counter *a, const struct cmp_counter *b)
{
	return a->grade == b->grade && strcmp(a->name, b->name) == 0 &&
	       (a->port ? b->port && strcmp(a->port, b->port) == 0 : !b->port);
}

static void put_one(struct gpudx_buf *b, const struct gpudx_comparison *c, size_t first, size_t i,
		    size_t n)
{
	const struct cmp_counter *v = &c->counters[i];

	gpudx_buf_str(b, n ? "; " : ": ");
	if (i == first || v->pair != c->counters[first].pair)
		gpudx_buf_printf(b, "%.40s ", gpu_of(c, v));
	if (v->key != c->counters[first].key && strcmp(v->key, c->counters[first].key) != 0)
		gpudx_buf_printf(b, "(%.60s) ", v->key);
	gpudx_counter_text(b, v);
}

void gpudx_counter_sentence(struct gpudx_buf *b, const struct gpudx_comparison *c, size_t first)
{
	size_t n = 0;

	gpudx_buf_str(b, c->counters[first].name);
	if (c->counters[first].port)
		gpudx_buf_printf(b, " of the port %.20s", c->counters[first].port);
	for (size_t i = first; i < c->ncounters; i++) {
		if (!gpudx_counters_alike(&c->counters[i], &c->counters[first]))
			continue;
		if (n < SAID)
			put_one(b, c, first, i, n);
		n++;
	}
	if (n > SAID)
		gpudx_buf_printf(b, "; and %zu more", n - SAID);
}

bool gpudx_counter_first(const struct gpudx_comparison *c, size_t i)
{
	if (!c->counters[i].grade)
		return false;
	for (size_t k = 0; k < i; k++)
		if (gpudx_counters_alike(&c->counters[k], &c->counters[i]))
			return false;
	return true;
}
