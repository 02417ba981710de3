/* PCI addresses. Tools spell one address in five ways; this is the only place that knows them.
 *   0000:3b:00.0  00000000:3B:00.0  3b:00.0  PCI:0000:3b:00  0000:3b:00   (facts: formats 0.4)
 * Canonical: lower case, domain of at least four digits, with function: "0000:3b:00.0". */
#ifndef GPUDX_BDF_H
#define GPUDX_BDF_H

#include <stdbool.h>
#include <stdint.h>

#include "base/sv.h"

struct gpudx_bdf {
	uint32_t domain;
	uint8_t bus, dev, fn;
	bool known;
};

enum { GPUDX_BDF_TEXT = 24 };

/* Scans any spelling above at the cursor. A missing domain is 0, a missing function 0. */
bool gpudx_bdf_scan(struct gpudx_sv *s, struct gpudx_bdf *out);

/* As gpudx_bdf_scan, but the whole view must be the address. */
bool gpudx_bdf_parse(struct gpudx_sv s, struct gpudx_bdf *out);

/* Writes the canonical form, "" when not known; returns buf. */
const char *gpudx_bdf_text(struct gpudx_bdf b, char buf[GPUDX_BDF_TEXT]);

static inline bool gpudx_bdf_eq(struct gpudx_bdf a, struct gpudx_bdf b)
{
	return a.known == b.known && a.domain == b.domain && a.bus == b.bus && a.dev == b.dev &&
	       a.fn == b.fn;
}

#endif
