#include "rules/fill.h"

#include "base/stamp.h"
#include "base/utf8.h"
#include "rules/words.h"

#include <inttypes.h>
#include <math.h>
#include <sqlite3.h>

bool gpudx_placeholder_next(struct gpudx_sv *t, struct gpudx_placeholder *out, bool *ok)
{
	size_t open = sv_index(*t, '{');
	struct gpudx_sv inside;

	*out = (struct gpudx_placeholder){ .before = sv_first(*t, open) };
	*ok = !sv_has(out->before, "}");
	if (!*ok || open == t->n) {
		*t = sv_from(*t, open);
		return false;
	}
	*t = sv_from(*t, open + 1);
	*ok = sv_until(t, "}", &inside) && !sv_has(inside, "{");
	if (!*ok)
		return false;
	out->has_otherwise = sv_index(inside, '|') < inside.n;
	out->name = sv_first(inside, sv_index(inside, '|'));
	out->otherwise = sv_from(inside, out->name.n + 1);
	*ok = out->name.n > 0;
	return *ok;
}

void gpudx_fill_text(struct gpudx_buf *b, struct gpudx_sv s)
{
	struct gpudx_sv rest = s;
	int n = 0;

	while (rest.n && n < GPUDX_FILL_MAX) {
		gpudx_utf8_next(&rest);
		n++;
	}
	gpudx_utf8_show(b, sv_first(s, s.n - rest.n));
	if (rest.n)
		gpudx_buf_str(b, "...");
}

void gpudx_fill_number(struct gpudx_buf *b, const struct gpudx_val *v)
{
	char text[40];

	if (v->type == GPUDX_V_INT)
		gpudx_buf_printf(b, "%" PRId64, v->i);
	else if (v->d == floor(v->d) && fabs(v->d) < 1e15)
		gpudx_buf_printf(b, "%.0f", v->d);
	else
		gpudx_buf_str(b, sqlite3_snprintf(sizeof(text), text, "%!.15g", v->d));
}

void gpudx_fill_time(struct gpudx_buf *b, int64_t t_us, int quality)
{
	char text[GPUDX_TIME_TEXT];
	struct gpudx_sv day, clock;

	if (quality == GPUDX_BOOT_RELATIVE) {
		gpudx_buf_printf(b, "%" PRId64 " s after boot", t_us / GPUDX_SECOND);
		return;
	}
	clock = sv_str(gpudx_time_text(t_us, false, text));
	sv_until(&clock, "T", &day);
	gpudx_buf_sv(b, sv_first(clock, 8));
	if (quality == GPUDX_EXACT || quality == GPUDX_ALIGNED)
		gpudx_buf_str(b, " UTC");
}

static void fill_one(struct gpudx_buf *b, const struct gpudx_placeholder *p, gpudx_fill_fn *fn,
		     void *arg)
{
	if (fn(arg, p->name, b))
		return;
	if (p->has_otherwise)
		gpudx_buf_sv(b, p->otherwise);
	else
		gpudx_buf_str(b, "unknown");
}

void gpudx_fill(struct gpudx_buf *b, struct gpudx_sv t, gpudx_fill_fn *fn, void *arg)
{
	struct gpudx_placeholder p;
	bool ok;

	while (gpudx_placeholder_next(&t, &p, &ok)) {
		gpudx_buf_sv(b, p.before);
		fill_one(b, &p, fn, arg);
	}
	gpudx_buf_sv(b, p.before);
}
