#include "base/num.h"

#include <math.h>

#define MANTISSA_MAX UINT64_C(100000000000000000) /* one more digit fits */

enum { EXPONENT_MAX = 9999 };

static bool scan_word(struct gpudx_sv *s, double *out)
{
	if (sv_ilit(s, "nan"))
		*out = NAN;
	else if (sv_ilit(s, "infinity") || sv_ilit(s, "inf"))
		*out = INFINITY;
	else
		return false;
	return true;
}

/* Digits of the whole part or the fraction into m; e is the power of ten that m lacks. */
static bool scan_digits(struct gpudx_sv *s, bool fraction, uint64_t *m, int *e)
{
	const char *from = s->p;

	for (; s->n && sv_is_digit(s->p[0]); *s = sv_from(*s, 1)) {
		bool held = *m < MANTISSA_MAX;

		if (held)
			*m = *m * 10 + (unsigned)(s->p[0] - '0');
		if (held == fraction && *e<EXPONENT_MAX && * e> - EXPONENT_MAX)
			*e += fraction ? -1 : 1;
	}
	return s->p > from;
}

/* "e-05"; leaves an "e" without digits alone. */
static int scan_exponent(struct gpudx_sv *s)
{
	struct gpudx_sv c = *s;
	int e = 0;
	bool neg;

	if (!sv_char(&c, 'e') && !sv_char(&c, 'E'))
		return 0;
	neg = sv_char(&c, '-');
	if (!neg)
		sv_char(&c, '+');
	if (!c.n || !sv_is_digit(c.p[0]))
		return 0;
	for (; c.n && sv_is_digit(c.p[0]); c = sv_from(c, 1))
		if (e < EXPONENT_MAX)
			e = e * 10 + (c.p[0] - '0');
	*s = c;
	return neg ? -e : e;
}

/* m * 10^e; both factors are exact for what tools print, so the result is rounded once. */
static double scaled(uint64_t m, int e)
{
	if (!m)
		return 0;
	if (e < -300)
		return (double)m * pow(10, -300) * pow(10, e + 300);
	return e < 0 ? (double)m / pow(10, -e) : (double)m * pow(10, e);
}

bool gpudx_scan_real(struct gpudx_sv *s, double *out)
{
	struct gpudx_sv c = *s;
	bool neg = sv_char(&c, '-'), digits;
	uint64_t m = 0;
	int e = 0;

	if (!neg)
		sv_char(&c, '+');
	if (!scan_word(&c, out)) {
		digits = scan_digits(&c, false, &m, &e);
		if (sv_char(&c, '.'))
			digits |= scan_digits(&c, true, &m, &e);
		if (!digits)
			return false;
		*out = scaled(m, e + scan_exponent(&c));
	}
	if (neg)
		*out = -*out;
	*s = c;
	return true;
}

bool gpudx_real(struct gpudx_sv s, double *out)
{
	double v;

	s = sv_trim(s);
	if (!gpudx_scan_real(&s, &v) || s.n)
		return false;
	*out = v;
	return true;
}
