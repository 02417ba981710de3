/* String views and scanners. A view borrows its bytes and is never NUL-terminated. A scanner
 * advances the cursor only when it succeeds, so a format reads as one chain of && and ||. */
#ifndef GPUDX_SV_H
#define GPUDX_SV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct gpudx_sv {
	const char *p;
	size_t n;
};

/* A view of a string literal; usable in static initialisers. */
/* clang-format off */
#define SV(lit) { (lit), sizeof(lit) - 1 }
/* clang-format on */
#define SV_LIT(lit) ((struct gpudx_sv){ (lit), sizeof(lit) - 1 })

static inline struct gpudx_sv sv_n(const char *p, size_t n)
{
	return (struct gpudx_sv){ p, n };
}

static inline struct gpudx_sv sv_str(const char *s)
{
	return (struct gpudx_sv){ s, s ? strlen(s) : 0 };
}

static inline bool sv_is_space(char c)
{
	return c == ' ' || c == '\t';
}

static inline bool sv_is_digit(char c)
{
	return (unsigned char)(c - '0') < 10;
}

static inline bool sv_is_alpha(char c)
{
	return (unsigned char)((c | 0x20) - 'a') < 26;
}

static inline char sv_lower(char c)
{
	return (char)((unsigned char)(c - 'A') < 26 ? c | 0x20 : c);
}

static inline int sv_hex_value(char c)
{
	if (sv_is_digit(c))
		return c - '0';
	c = sv_lower(c);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static inline bool sv_eq(struct gpudx_sv a, struct gpudx_sv b)
{
	return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

static inline bool sv_is(struct gpudx_sv a, const char *s)
{
	return sv_eq(a, sv_str(s));
}

static inline bool sv_ieq(struct gpudx_sv a, struct gpudx_sv b)
{
	if (a.n != b.n)
		return false;
	for (size_t i = 0; i < a.n; i++)
		if (sv_lower(a.p[i]) != sv_lower(b.p[i]))
			return false;
	return true;
}

static inline bool sv_starts(struct gpudx_sv s, const char *lit)
{
	size_t n = strlen(lit);

	return s.n >= n && memcmp(s.p, lit, n) == 0;
}

static inline bool sv_ends(struct gpudx_sv s, const char *lit)
{
	size_t n = strlen(lit);

	return s.n >= n && memcmp(s.p + s.n - n, lit, n) == 0;
}

static inline struct gpudx_sv sv_from(struct gpudx_sv s, size_t i)
{
	if (i > s.n)
		i = s.n;
	return (struct gpudx_sv){ s.p + i, s.n - i };
}

static inline struct gpudx_sv sv_first(struct gpudx_sv s, size_t n)
{
	return (struct gpudx_sv){ s.p, n < s.n ? n : s.n };
}

static inline struct gpudx_sv sv_ltrim(struct gpudx_sv s)
{
	while (s.n && sv_is_space(s.p[0]))
		s.p++, s.n--;
	return s;
}

static inline struct gpudx_sv sv_rtrim(struct gpudx_sv s)
{
	while (s.n && (sv_is_space(s.p[s.n - 1]) || s.p[s.n - 1] == '\r' || s.p[s.n - 1] == '\n'))
		s.n--;
	return s;
}

static inline struct gpudx_sv sv_trim(struct gpudx_sv s)
{
	return sv_rtrim(sv_ltrim(s));
}

static inline bool sv_blank(struct gpudx_sv s)
{
	return sv_trim(s).n == 0;
}

/* Index of the first c, or s.n. */
static inline size_t sv_index(struct gpudx_sv s, char c)
{
	const char *q = s.n ? memchr(s.p, c, s.n) : NULL;

	return q ? (size_t)(q - s.p) : s.n;
}

/* Index of the first lit, or s.n. */
static inline size_t sv_find(struct gpudx_sv s, const char *lit)
{
	size_t n = strlen(lit), at = 0;

	while (n && s.n - at >= n) {
		const char *q = memchr(s.p + at, lit[0], s.n - at - n + 1);

		if (!q)
			break;
		at = (size_t)(q - s.p);
		if (memcmp(q, lit, n) == 0)
			return at;
		at++;
	}
	return s.n;
}

static inline bool sv_has(struct gpudx_sv s, const char *lit)
{
	return sv_find(s, lit) < s.n;
}

/* ---- scanners: true and advanced, or false and untouched ---- */

static inline bool sv_lit(struct gpudx_sv *s, const char *lit)
{
	if (!sv_starts(*s, lit))
		return false;
	*s = sv_from(*s, strlen(lit));
	return true;
}

static inline bool sv_ilit(struct gpudx_sv *s, const char *lit)
{
	size_t n = strlen(lit);

	if (s->n < n || !sv_ieq(sv_first(*s, n), sv_n(lit, n)))
		return false;
	*s = sv_from(*s, n);
	return true;
}

static inline bool sv_char(struct gpudx_sv *s, char c)
{
	if (!s->n || s->p[0] != c)
		return false;
	s->p++, s->n--;
	return true;
}

/* Skips blanks and tabs; always true, so it fits into a chain. */
static inline bool sv_spaces(struct gpudx_sv *s)
{
	*s = sv_ltrim(*s);
	return true;
}

/* What stands before lit; lit is consumed, too. */
static inline bool sv_until(struct gpudx_sv *s, const char *lit, struct gpudx_sv *out)
{
	size_t at = sv_find(*s, lit);

	if (at == s->n)
		return false;
	*out = sv_first(*s, at);
	*s = sv_from(*s, at + strlen(lit));
	return true;
}

/* One or more characters up to the next blank or the end. */
static inline bool sv_token(struct gpudx_sv *s, struct gpudx_sv *out)
{
	size_t i = 0;

	while (i < s->n && !sv_is_space(s->p[i]))
		i++;
	if (!i)
		return false;
	*out = sv_first(*s, i);
	*s = sv_from(*s, i);
	return true;
}

/* Decimal digits, at least one, without overflow. */
static inline bool sv_u64(struct gpudx_sv *s, uint64_t *out)
{
	uint64_t v = 0;
	size_t i = 0;

	for (; i < s->n && sv_is_digit(s->p[i]); i++) {
		unsigned d = (unsigned)(s->p[i] - '0');

		if (v > (UINT64_MAX - d) / 10)
			return false;
		v = v * 10 + d;
	}
	if (!i)
		return false;
	*out = v;
	*s = sv_from(*s, i);
	return true;
}

/* Exactly n digits, n <= 9. */
static inline bool sv_digits(struct gpudx_sv *s, unsigned n, uint32_t *out)
{
	uint32_t v = 0;

	if (s->n < n)
		return false;
	for (unsigned i = 0; i < n; i++) {
		if (!sv_is_digit(s->p[i]))
			return false;
		v = v * 10 + (uint32_t)(s->p[i] - '0');
	}
	*out = v;
	*s = sv_from(*s, n);
	return true;
}

/* Hex digits without 0x, at least min and at most max of them. */
static inline bool sv_hex(struct gpudx_sv *s, unsigned min, unsigned max, uint64_t *out)
{
	uint64_t v = 0;
	unsigned i = 0;
	int digit;

	for (; i < s->n && i < max && (digit = sv_hex_value(s->p[i])) >= 0; i++)
		v = v << 4 | (uint64_t)digit;
	if (i < min)
		return false;
	*out = v;
	*s = sv_from(*s, i);
	return true;
}

/* [-]digits[.digits], the dot being the only decimal sign that the tools print. No exponent. */
static inline bool sv_decimal(struct gpudx_sv *s, double *out)
{
	static const double scale[] = { 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9 };
	struct gpudx_sv c = *s;
	bool neg = sv_char(&c, '-');
	uint64_t whole, frac = 0;
	unsigned digits = 0;

	if (!sv_u64(&c, &whole))
		return false;
	if (c.n > 1 && c.p[0] == '.' && sv_is_digit(c.p[1])) {
		c = sv_from(c, 1);
		for (; c.n && sv_is_digit(c.p[0]); c = sv_from(c, 1))
			if (digits < 9) {
				frac = frac * 10 + (uint64_t)(c.p[0] - '0');
				digits++;
			}
	}
	*out = (double)whole + (double)frac / scale[digits];
	if (neg)
		*out = -*out;
	*s = c;
	return true;
}

/* The next line of a text, without its LF and one CR; false at the end. */
static inline bool sv_line(struct gpudx_sv *s, struct gpudx_sv *out)
{
	size_t i = sv_index(*s, '\n');

	if (!s->n)
		return false;
	*out = sv_first(*s, i);
	*s = sv_from(*s, i + 1);
	if (out->n && out->p[out->n - 1] == '\r')
		out->n--;
	return true;
}

/* The next cell up to sep or the end; false when nothing is left. An empty last cell is not seen:
 * callers that care count separators. */
static inline bool sv_cell(struct gpudx_sv *s, char sep, struct gpudx_sv *out)
{
	size_t i;

	if (!s->n)
		return false;
	i = sv_index(*s, sep);
	*out = sv_first(*s, i);
	*s = sv_from(*s, i + 1);
	return true;
}

#endif
