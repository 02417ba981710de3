#include "base/bdf.h"

#include <stdio.h>

static bool bdf_function(struct gpudx_sv *s, uint64_t *fn)
{
	struct gpudx_sv c = *s;

	if (!sv_char(&c, '.') || !sv_hex(&c, 1, 1, fn) || *fn > 7)
		return false;
	*s = c;
	return true;
}

/* "bus:dev" with the rest, after an optional "domain:". */
static bool bdf_after_domain(struct gpudx_sv *s, uint64_t domain, bool need_fn,
			     struct gpudx_bdf *out)
{
	struct gpudx_sv c = *s;
	uint64_t bus, dev, fn = 0;

	if (!sv_hex(&c, 2, 2, &bus) || !sv_char(&c, ':') || !sv_hex(&c, 2, 2, &dev) || dev > 31)
		return false;
	if (!bdf_function(&c, &fn) && need_fn)
		return false;
	if (c.n && sv_hex_value(c.p[0]) >= 0)
		return false;
	*out = (struct gpudx_bdf){ (uint32_t)domain, (uint8_t)bus, (uint8_t)dev, (uint8_t)fn,
				   true };
	*s = c;
	return true;
}

bool gpudx_bdf_scan(struct gpudx_sv *s, struct gpudx_bdf *out)
{
	struct gpudx_sv c = *s, d;
	uint64_t domain;

	sv_lit(&c, "PCI:");
	d = c;
	if (!sv_hex(&d, 4, 8, &domain) || !sv_char(&d, ':') ||
	    !bdf_after_domain(&d, domain, false, out)) {
		/* Without a domain the function is demanded, or every clock time would match. */
		d = c;
		if (!bdf_after_domain(&d, 0, true, out))
			return false;
	}
	*s = d;
	return true;
}

bool gpudx_bdf_parse(struct gpudx_sv s, struct gpudx_bdf *out)
{
	s = sv_trim(s);
	return gpudx_bdf_scan(&s, out) && s.n == 0;
}

const char *gpudx_bdf_text(struct gpudx_bdf b, char buf[GPUDX_BDF_TEXT])
{
	if (b.known)
		snprintf(buf, GPUDX_BDF_TEXT, "%04x:%02x:%02x.%x", (unsigned)b.domain, b.bus, b.dev,
			 b.fn);
	else
		buf[0] = '\0';
	return buf;
}
