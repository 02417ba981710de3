#include "base/utf8.h"

enum { REPLACEMENT = 0xfffd };

/* How many bytes the sequence that begins with c has; 0 = c cannot begin one. */
static unsigned sequence_length(unsigned char c)
{
	if (c < 0x80)
		return 1;
	if (c >= 0xc2 && c <= 0xdf)
		return 2;
	if (c >= 0xe0 && c <= 0xef)
		return 3;
	if (c >= 0xf0 && c <= 0xf4)
		return 4;
	return 0;
}

/* Decodes one sequence; 0 = not valid. U+0000 decodes through *ok alone. */
static bool decode(struct gpudx_sv s, unsigned *len, uint32_t *out)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned char c = (unsigned char)s.p[0];
	uint32_t u;

	*len = sequence_length(c);
	if (!*len || s.n < *len)
		return false;
	u = *len == 1 ? c : c & (0x7fu >> *len);
	for (unsigned i = 1; i < *len; i++) {
		unsigned char x = (unsigned char)s.p[i];

		if ((x & 0xc0) != 0x80)
			return false;
		u = u << 6 | (x & 0x3f);
	}
	if (u < least[*len] || (u >= 0xd800 && u <= 0xdfff) || u > 0x10ffff)
		return false;
	*out = u;
	return true;
}

uint32_t gpudx_utf8_next(struct gpudx_sv *s)
{
	uint32_t u;
	unsigned len;

	if (!decode(*s, &len, &u)) {
		*s = sv_from(*s, 1);
		return REPLACEMENT;
	}
	*s = sv_from(*s, len);
	return u;
}

bool gpudx_utf8_valid(struct gpudx_sv s)
{
	uint32_t u;
	unsigned len;

	while (s.n) {
		if (!decode(s, &len, &u))
			return false;
		s = sv_from(s, len);
	}
	return true;
}

struct range {
	uint32_t from, to;
};

static bool in_ranges(uint32_t u, const struct range *r, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (u >= r[i].from && u <= r[i].to)
			return true;
	return false;
}

int gpudx_utf8_width(uint32_t u)
{
	static const struct range zero[] = { { 0x300, 0x36f },
					     { 0x200b, 0x200f },
					     { 0x20d0, 0x20ff },
					     { 0xfe00, 0xfe0f },
					     { 0xfe20, 0xfe2f } };
	static const struct range wide[] = {
		{ 0x1100, 0x115f },   { 0x2e80, 0x303e },   { 0x3041, 0xa4cf },	 { 0xac00, 0xd7a3 },
		{ 0xf900, 0xfaff },   { 0xfe30, 0xfe6f },   { 0xff00, 0xff60 },	 { 0xffe0, 0xffe6 },
		{ 0x1f300, 0x1f64f }, { 0x1f900, 0x1f9ff }, { 0x20000, 0x3fffd }
	};

	if (in_ranges(u, zero, sizeof(zero) / sizeof(zero[0])))
		return 0;
	return in_ranges(u, wide, sizeof(wide) / sizeof(wide[0])) ? 2 : 1;
}

bool gpudx_utf8_unprintable(uint32_t u)
{
	static const struct range bad[] = { { 0, 0x1f },	{ 0x7f, 0x9f },
					    { 0x61c, 0x61c },	{ 0x200e, 0x200f },
					    { 0x2028, 0x202e }, { 0x2066, 0x2069 },
					    { 0xfeff, 0xfeff }, { 0xfff9, 0xfffb } };

	return in_ranges(u, bad, sizeof(bad) / sizeof(bad[0]));
}

bool gpudx_utf8_show(struct gpudx_buf *b, struct gpudx_sv s)
{
	while (s.n) {
		uint32_t u = gpudx_utf8_next(&s);

		if (u == '\t')
			u = ' ';
		gpudx_buf_u32(b, gpudx_utf8_unprintable(u) ? REPLACEMENT : u);
	}
	return !b->failed;
}
