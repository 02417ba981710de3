/* What each log says of the boots that it counts, before they are held against each other. */
#ifndef GPUDX_BOOTSEG_H
#define GPUDX_BOOTSEG_H

#include "derive/clock.h"

/* How a boot's start is known, best first. */
enum gpudx_start_way {
	GPUDX_START_TWO,     /* both stamps in one line */
	GPUDX_START_MESSAGE, /* the same message in two logs */
	GPUDX_START_BTIME,
	GPUDX_START_UPTIME_S,
	GPUDX_START_DATE_UPTIME,
	GPUDX_START_RTC,
	GPUDX_START_FIRST,     /* the first stamp behind the border */
	GPUDX_START_NOT_AFTER, /* the first stamp of an excerpt */
	GPUDX_START_NONE
};

struct gpudx_start {
	enum gpudx_start_way way;
	struct gpudx_moment m;
	int64_t mono_us; /* of the line that shows it: the latest one counts */
	int64_t line_id;
};

/* One boot as one source counts it. */
struct gpudx_bootseg {
	const struct gpudx_clock_source *s;
	int32_t src_boot;
	bool log;    /* of a source that counts boots */
	bool opens;  /* a line shows that a boot begins */
	bool former; /* a crash dump: of a boot that is over */
	int32_t ago; /* "journalctl -b -1": so many boots before the last; -1 not said */
	bool mono;   /* has times since boot */
	int64_t open_line;
	struct gpudx_moment first, last; /* wall clock; none without */
	struct gpudx_start start, rtc;
	size_t boot; /* index; SIZE_MAX: not yet known */
};

struct gpudx_bootsegs {
	struct gpudx_clocks *c;
	struct gpudx_bootseg *seg; /* by host, source, src_boot */
	size_t n;
	/* Starts that tools state of the boot in which they ran. */
	struct gpudx_stated {
		int64_t host;
		struct gpudx_start start;
	} * stated;
	size_t nstated, stated_cap;
};

/* When the clock that counts from boot was 0, being mono_us at m. It is read off another clock, so
 * it is aligned at best. */
struct gpudx_moment gpudx_start_zero(struct gpudx_moment m, int64_t mono_us);

/* Memory is of the clocks' arena. */
GPUDX_CHECK enum gpudx_status gpudx_bootsegs_load(struct gpudx_bootsegs *b, struct gpudx_clocks *c,
						  struct gpudx_err *err);

/* NULL when the source does not have that count. */
struct gpudx_bootseg *gpudx_bootseg_of(const struct gpudx_bootsegs *b, int64_t source,
				       int32_t src_boot);

#endif
