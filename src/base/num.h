/* Numbers as programs write them for programs: with exponents, NaN and infinities. */
#ifndef GPUDX_NUM_H
#define GPUDX_NUM_H

#include "base/sv.h"

/* "12", "-0.5", "1.5e+09", ".5", "5.", "NaN", "+Inf", "-Infinity" (any case): true and advanced, or
 * false and untouched. Exact for up to 15 digits and small exponents, else within two ulp. */
bool gpudx_scan_real(struct gpudx_sv *s, double *out);

/* The whole of s, blanks around it apart, as such a number; it may be NAN. */
bool gpudx_real(struct gpudx_sv s, double *out);

#endif
