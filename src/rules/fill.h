/* Templates: "{gpu}: SM clock {clock_before_mhz} -> {clock_med_mhz} MHz by {process|an unknown
 * program}". A name is a column of the rule's row, or gpu or host; behind | stands what is written
 * when the column is NULL ("unknown" without it). */
#ifndef GPUDX_FILL_H
#define GPUDX_FILL_H

#include "base/buf.h"
#include "store/rows.h"

enum { GPUDX_FILL_MAX = 200 }; /* characters of one filled value; more is cut with "..." */

struct gpudx_placeholder {
	struct gpudx_sv before; /* literal text in front of it */
	struct gpudx_sv name, otherwise;
	bool has_otherwise;
};

/* The next placeholder of a template. At the end: false and the rest in .before. *ok is false when
 * braces do not pair or a name is empty. */
bool gpudx_placeholder_next(struct gpudx_sv *t, struct gpudx_placeholder *out, bool *ok);

/* A number as sentences show it: as SQL gives it, a whole one without ".0". */
void gpudx_fill_number(struct gpudx_buf *b, const struct gpudx_val *v);

/* Text of the bundle as sentences show it: harmless, its first GPUDX_FILL_MAX characters. */
void gpudx_fill_text(struct gpudx_buf *b, struct gpudx_sv s);

/* A moment as sentences show it: "10:26:33" (local), "10:26:33 UTC" (exact and aligned),
 * "882 s after boot". quality is a rank in GPUDX_W_QUALITY. */
void gpudx_fill_time(struct gpudx_buf *b, int64_t t_us, int quality);

/* Writes the value of a name; false when it is NULL. */
typedef bool gpudx_fill_fn(void *arg, struct gpudx_sv name, struct gpudx_buf *b);

/* Fills a template that gpudx_placeholder_next found sound. */
void gpudx_fill(struct gpudx_buf *b, struct gpudx_sv t, gpudx_fill_fn *fn, void *arg);

#endif
