/* Stamps without year (see gpudx_noyear in base/stamp.h) in the calendar. */
#ifndef GPUDX_YEAR_H
#define GPUDX_YEAR_H

#include <stdint.h>

/* The local time of a stamp whose source begins in calendar year year0. A 29 February that year0
 * does not have becomes 1 March. */
int64_t gpudx_year_local(int64_t noyear_us, int64_t year0);

#endif
