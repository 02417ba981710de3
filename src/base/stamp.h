/* Points in time as inputs print them. All times are microseconds. What a stamp means depends on
 * its kind; derive turns it into UTC through the clock of its source. */
#ifndef GPUDX_STAMP_H
#define GPUDX_STAMP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/sv.h"

#define GPUDX_NO_TIME INT64_MIN
#define GPUDX_SECOND INT64_C(1000000)
#define GPUDX_MINUTE (60 * GPUDX_SECOND)
#define GPUDX_HOUR (60 * GPUDX_MINUTE)
#define GPUDX_DAY (24 * GPUDX_HOUR)

/* In order of how much is known. */
enum gpudx_stamp_kind {
	GPUDX_STAMP_NONE,   /* order only */
	GPUDX_STAMP_BOOT,   /* since boot */
	GPUDX_STAMP_NOYEAR, /* local, year unknown: see gpudx_noyear */
	GPUDX_STAMP_LOCAL,  /* local wall clock, zone unknown: the civil time read as if UTC */
	GPUDX_STAMP_UTC	    /* zone or epoch in the stamp: true UTC */
};

struct gpudx_stamp {
	enum gpudx_stamp_kind kind;
	int64_t t_us;	    /* by kind; GPUDX_NO_TIME when none */
	int64_t mono_us;    /* since boot when the line has that, too; else GPUDX_NO_TIME */
	bool has_offset;    /* UTC only: the zone offset below was printed */
	int32_t offset_min; /* minutes east of Greenwich */
};

#define GPUDX_NO_STAMP ((struct gpudx_stamp){ .t_us = GPUDX_NO_TIME, .mono_us = GPUDX_NO_TIME })

/* Civil date to days since 1970-01-01 and back (proleptic Gregorian; year within +-9999). */
int64_t gpudx_days(int64_t year, unsigned month, unsigned day);
void gpudx_civil(int64_t days, int64_t *year, unsigned *month, unsigned *day);

/* False when the date or the time of day does not exist (a leap second :60 is taken as :59). */
bool gpudx_civil_us(int64_t year, unsigned month, unsigned day, unsigned h, unsigned m, unsigned s,
		    uint32_t us, int64_t *out);

/* A stamp without year is kept in a year of its own count: 2000 + 4 * turn, always a leap year.
 * turn counts the new years that the source passed. derive maps turns to real years. */
int64_t gpudx_noyear(unsigned turn, unsigned month, unsigned day, int64_t day_us);
unsigned gpudx_noyear_turn(int64_t t_us);

/* ---- scanners, true and advanced or false and untouched ---- */

/* "10:26:31", "10:26:31.123", "10:26:31,285060": microseconds of the day. */
bool gpudx_scan_clock(struct gpudx_sv *s, int64_t *day_us);
/* ".123456" or ",123": up to 9 digits, as microseconds; false when there is no such fraction. */
bool gpudx_scan_fraction(struct gpudx_sv *s, uint32_t *us);
/* A month or weekday name at the cursor in English or one of the languages of kernel logs, with
 * or without a dot behind it; 1-12 and 0-6 (Sunday 0). */
bool gpudx_scan_month(struct gpudx_sv *s, unsigned *month);
bool gpudx_scan_weekday(struct gpudx_sv *s, unsigned *weekday);
/* "2026/01/13 10:26:31.977" (nvidia-smi), "2026-01-13 10:26:31": local. */
bool gpudx_scan_ymd_hms(struct gpudx_sv *s, int64_t *local_us);
/* "2025-01-21T04:41:44,285060+00:00", "...Z", "+0000", also without zone (kind LOCAL). */
bool gpudx_scan_iso(struct gpudx_sv *s, struct gpudx_stamp *out);
/* "Tue Jan 13 10:22:41 2026" and, as date(1) prints, "Tue May  7 09:58:55 UTC 2024"; also
 * "jeu. 25 août 2022 19:38:04 CEST". UTC and GMT give kind UTC; other zone names stay LOCAL. */
bool gpudx_scan_ctime(struct gpudx_sv *s, struct gpudx_stamp *out);
/* "May  7 09:58:55[.123456]", "août 25 19:38:04", "15 avril 07:56:59": month, day, time of day. */
bool gpudx_scan_month_day(struct gpudx_sv *s, unsigned *month, unsigned *day, int64_t *day_us);
/* "[  882.456994]" without the brackets: seconds since boot, twelve digits at most. */
bool gpudx_scan_mono(struct gpudx_sv *s, int64_t *us);
/* "+0200", "+02:00", "+02", "Z", "UTC", "GMT": minutes east. */
bool gpudx_scan_offset(struct gpudx_sv *s, int32_t *minutes);

enum { GPUDX_TIME_TEXT = 40 };

/* "2026-01-13T10:26:33" with ".123456" when it has a fraction and 'Z' when utc; "" for no time. */
const char *gpudx_time_text(int64_t t_us, bool utc, char buf[GPUDX_TIME_TEXT]);

#endif
