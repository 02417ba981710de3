#include "parse/prom_line.h"

#include "base/num.h"

static bool is_name_char(char c)
{
	return sv_is_alpha(c) || sv_is_digit(c) || c == '_' || c == ':';
}

static bool scan_name(struct gpudx_sv *s, struct gpudx_sv *out)
{
	size_t n = 0;

	while (n < s->n && is_name_char(s->p[n]))
		n++;
	if (!n || sv_is_digit(s->p[0]))
		return false;
	*out = sv_first(*s, n);
	*s = sv_from(*s, n);
	return true;
}

/* "..." with \" and \\ inside. */
static bool scan_quoted(struct gpudx_sv *s, struct gpudx_sv *out)
{
	size_t n = 1;

	if (!s->n || s->p[0] != '"')
		return false;
	while (n < s->n && s->p[n] != '"')
		n += s->p[n] == '\\' ? 2 : 1;
	if (n >= s->n)
		return false;
	*out = sv_n(s->p + 1, n - 1);
	*s = sv_from(*s, n + 1);
	return true;
}

/* What stands behind "{", up to and with "}". */
static bool scan_labels(struct gpudx_sv *s, struct prom_line *out)
{
	struct prom_label l;

	for (;;) {
		sv_spaces(s);
		if (sv_char(s, '}'))
			return true;
		if (!scan_name(s, &l.name) || !sv_spaces(s) || !sv_char(s, '=') || !sv_spaces(s) ||
		    !scan_quoted(s, &l.value))
			return false;
		if (out->nlabels < PROM_LABELS)
			out->labels[out->nlabels++] = l;
		sv_spaces(s);
		if (!sv_char(s, ',') && !(s->n && s->p[0] == '}'))
			return false;
	}
}

/* Milliseconds in the old format, seconds with or without a fraction in OpenMetrics. */
static bool scan_time(struct gpudx_sv *s, int64_t *t_us)
{
	double v;

	if (!gpudx_scan_real(s, &v) || !(v >= 0 && v < 1e15))
		return false;
	*t_us = (int64_t)(v < 1e11 ? v * 1e6 : v * 1e3);
	return true;
}

bool prom_scan(struct gpudx_sv line, struct prom_line *out)
{
	struct gpudx_sv s = sv_trim(line);

	out->nlabels = 0;
	out->t_us = GPUDX_NO_TIME;
	if (!scan_name(&s, &out->name))
		return false;
	sv_spaces(&s);
	if (sv_char(&s, '{') && !scan_labels(&s, out))
		return false;
	sv_spaces(&s);
	if (!gpudx_scan_real(&s, &out->value) || (s.n && !sv_is_space(s.p[0])))
		return false;
	sv_spaces(&s);
	if (s.n && s.p[0] != '#' && !scan_time(&s, &out->t_us))
		return false;
	/* An exemplar may follow in OpenMetrics. */
	sv_spaces(&s);
	return !s.n || s.p[0] == '#';
}

struct gpudx_sv prom_label(const struct prom_line *l, const char *names)
{
	struct gpudx_sv rest = sv_str(names), name;

	while (sv_cell(&rest, ' ', &name))
		for (unsigned i = 0; i < l->nlabels; i++)
			if (sv_eq(l->labels[i].name, name))
				return l->labels[i].value;
	return SV_LIT("");
}
