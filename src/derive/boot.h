/* The boots of one host while they are found: boot.c joins what has a wall clock, bootmono.c what
 * has none, boot_rows.c writes. */
#ifndef GPUDX_BOOT_H
#define GPUDX_BOOT_H

#include "derive/bootseg.h"

enum { GPUDX_BOOTS_MAX = 4096 };

struct gpudx_boot {
	struct gpudx_start start, rtc;
	uint32_t back;	   /* start unknown: how many boots before the last that is known */
	int32_t ago;	   /* as a command said; -1 */
	int64_t open_line; /* 0 none */
	int64_t id;
};

struct gpudx_boots {
	struct gpudx_bootsegs segs;
	struct gpudx_clocks *c;
	struct gpudx_boot
		boot[GPUDX_BOOTS_MAX]; /* in order of time, those of unknown start first */
	size_t n;
	int64_t host;
	struct gpudx_bootseg *seg; /* of this host */
	size_t nseg;
};

static inline bool gpudx_start_known(const struct gpudx_start *s)
{
	return s->way != GPUDX_START_NONE;
}

/* How far off a start may be, -1 unknown. */
extern const int64_t gpudx_start_error[];

/* Both are of one boot. */
bool gpudx_start_same(const struct gpudx_start *a, const struct gpudx_start *b);

/* A boot behind all others; SIZE_MAX when there are absurdly many. */
size_t gpudx_boot_new(struct gpudx_boots *b, uint32_t back);

/* The count of a log is that boot. */
void gpudx_boot_take(struct gpudx_boots *b, struct gpudx_bootseg *g, size_t boot);

/* The first n boots being sorted, the one in which a moment lies; SIZE_MAX: before all. */
size_t gpudx_boot_at(const struct gpudx_boots *b, size_t n, struct gpudx_moment m);

/* Finds the boots of logs that have time since boot only. */
GPUDX_CHECK enum gpudx_status gpudx_boots_join_mono(struct gpudx_boots *b, struct gpudx_err *err);

/* Writes boot and clock rows of this host, and source_span.boot_id. */
GPUDX_CHECK enum gpudx_status gpudx_boots_write(struct gpudx_boots *b, struct gpudx_err *err);

/* Once the clocks know the boots: times of source_span, kernel and command line of boot. */
GPUDX_CHECK enum gpudx_status gpudx_boots_follow(struct gpudx_clocks *c, struct gpudx_err *err);

#endif
