#include "parse/bmc_place.h"

enum { BUS, DEVICE, FUNCTION, PARTS };

struct part {
	struct gpudx_sv digits; /* .n 0: not told */
	bool hex;
};

static bool is_between(char c)
{
	return c == ' ' || c == ':' || c == '=' || c == '#' || c == ',' || c == ';';
}

/* "0xc1", "c1", "193" at the cursor. */
static bool scan_number(struct gpudx_sv *s, struct part *out)
{
	struct gpudx_sv c = *s;
	size_t n = 0;

	out->hex = sv_lit(&c, "0x");
	while (n < c.n && sv_hex_value(c.p[n]) >= 0) {
		out->hex |= !sv_is_digit(c.p[n]);
		n++;
	}
	if (!n || n > 4 || (n < c.n && sv_is_alpha(c.p[n])))
		return false;
	out->hex |= n > 1 && c.p[0] == '0';
	out->digits = sv_first(c, n);
	*s = sv_from(c, n);
	return true;
}

/* One of the words, and the number behind it. */
static bool scan_part(struct gpudx_sv *s, const char *const words[3], struct part *out)
{
	struct gpudx_sv c = *s;

	while (c.n && (is_between(c.p[0]) || c.p[0] == '/'))
		c = sv_from(c, 1);
	for (size_t i = 0; i < 3 && words[i]; i++) {
		struct gpudx_sv d = c;

		if (!sv_lit(&d, words[i]))
			continue;
		sv_lit(&d, " number");
		while (d.n && is_between(d.p[0]))
			d = sv_from(d, 1);
		if (!scan_number(&d, out))
			return false;
		*s = d;
		return true;
	}
	return false;
}

static uint64_t value_of(const struct part *p, bool hex)
{
	struct gpudx_sv s = p->digits;
	uint64_t v = 0;

	if (s.n && (hex ? !sv_hex(&s, 1, 4, &v) : !sv_u64(&s, &v)))
		return UINT64_MAX;
	return v;
}

/* Behind the word "bus". */
static bool scan_address(struct gpudx_sv s, struct gpudx_bdf *out)
{
	static const char *const device[3] = { "device", "dev" }, *const bus[3] = { "bus" };
	static const char *const function[3] = { "function", "func", "fn" };
	struct part p[PARTS] = { 0 };
	uint64_t b, d, f;
	bool hex;

	if (!scan_part(&s, bus, &p[BUS]) || !scan_part(&s, device, &p[DEVICE]))
		return false;
	scan_part(&s, function, &p[FUNCTION]);
	hex = p[BUS].hex || p[DEVICE].hex || p[FUNCTION].hex;
	b = value_of(&p[BUS], hex);
	d = value_of(&p[DEVICE], hex);
	f = value_of(&p[FUNCTION], hex);
	if (b > 255 || d > 31 || f > 7 || !(b || d || f))
		return false;
	*out = (struct gpudx_bdf){
		.bus = (uint8_t)b, .dev = (uint8_t)d, .fn = (uint8_t)f, .known = true
	};
	return true;
}

bool bmc_address(struct gpudx_sv text, struct gpudx_bdf *out)
{
	size_t at = 0;

	while (at += sv_find(sv_from(text, at), "bus"), at < text.n) {
		bool word = !at || !sv_is_alpha(text.p[at - 1]);

		if (word && scan_address(sv_from(text, at), out))
			return true;
		at += 3;
	}
	return false;
}
