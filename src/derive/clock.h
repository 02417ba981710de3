/* How the stamps of a bundle become points in time. Filled in two steps: first sources and zones of
 * hosts, so that wall clocks can be read, then boots, so that times since boot can. */
#ifndef GPUDX_CLOCK_H
#define GPUDX_CLOCK_H

#include "base/arena.h"
#include "base/stamp.h"
#include "base/zone.h"
#include "derive/derive.h"

/* Who reads the logs of BMCs, whose clocks are their own. */
#define GPUDX_BMC_PARSERS "('ipmi-sel', 'bmc-log', 'redfish-log')"

/* In order of how much is known; the words of t_quality. */
enum gpudx_quality {
	GPUDX_Q_EXACT,	      /* zone or epoch in the stamp */
	GPUDX_Q_ALIGNED,      /* UTC through an anchor */
	GPUDX_Q_ZONE_ASSUMED, /* local time as it stands */
	GPUDX_Q_BOOT,	      /* since boot, which is not known */
	GPUDX_Q_UNKNOWN
};

const char *gpudx_quality_word(enum gpudx_quality q);
enum gpudx_quality gpudx_quality_of(struct gpudx_sv word);
enum gpudx_stamp_kind gpudx_stamp_kind_of(struct gpudx_sv word);

struct gpudx_moment {
	int64_t t_us; /* GPUDX_NO_TIME: none */
	enum gpudx_quality quality;
};

#define GPUDX_NO_MOMENT ((struct gpudx_moment){ GPUDX_NO_TIME, GPUDX_Q_UNKNOWN })

/* Adds without overflow; GPUDX_NO_TIME when the sum is no time. */
int64_t gpudx_time_add(int64_t t_us, int64_t us);

/* False when one is local time of an unknown zone and the other UTC. */
bool gpudx_same_clock(struct gpudx_moment a, struct gpudx_moment b);

/* True when a is earlier than b for sure: where one is local time of an unknown zone and the other
 * UTC, half a day does not count. False when one has no time. */
bool gpudx_surely_before(struct gpudx_moment a, struct gpudx_moment b);

/* The offset that a zone had at a moment, and what shows it. */
struct gpudx_offset {
	int64_t local_us;
	int32_t offset_s;
	int64_t line_id; /* 0 none */
};

/* What is known of a host's zone: --tz, or offsets seen at some moments; of these the nearest one
 * counts. n = 0 and tz NULL: nothing, its local times are taken as they stand. */
struct gpudx_host_zone {
	int64_t host;
	const struct gpudx_zone *tz;
	const struct gpudx_offset *at; /* by local_us */
	size_t n;
	int64_t error_us; /* -1 unknown */
	const char *how;
};

struct gpudx_clock_source {
	int64_t id, host;
	enum gpudx_stamp_kind kind;   /* source.src_clock */
	int64_t year0;		      /* GPUDX_NO_TIME unknown */
	int64_t noyear_lo, noyear_hi; /* its stamps without year; lo > hi none */
	bool bmc;		      /* its local stamps are of the BMC's clock, not the host's */
	bool utc;		      /* its local stamps are UTC */
	const struct gpudx_clock_boot *last; /* that its input or capture can know of; NULL: the
						last of the host */
};

/* The clock of a host's BMC: shift_us makes its local times the host's, or UTC, by quality. */
struct gpudx_bmc_clock {
	int64_t host, shift_us;
	enum gpudx_quality quality;
	int64_t error_us;
	int64_t line_id; /* the anchor */
};

struct gpudx_clock_boot {
	int64_t id, host;
	int32_t seq;
	struct gpudx_moment start;
};

/* What a log's count of boots means. */
struct gpudx_clock_span {
	int64_t source;
	int32_t src_boot;
	size_t boot; /* index; SIZE_MAX: this source does not count boots, its times decide */
};

struct gpudx_clocks {
	sqlite3 *db;
	int64_t bundle;
	struct gpudx_arena arena;
	struct gpudx_zone *tz;		    /* --tz; NULL none */
	struct gpudx_clock_source *sources; /* by id */
	struct gpudx_host_zone *zones;	    /* by host */
	struct gpudx_bmc_clock *bmcs;	    /* by host; only of those that an anchor ties */
	struct gpudx_clock_boot *boots;	    /* by host and seq */
	struct gpudx_clock_span *spans;	    /* by source and src_boot */
	size_t nsources, nzones, nbmcs, nboots, nspans;
};

/* Loads sources and finds zones. */
GPUDX_CHECK enum gpudx_status gpudx_clocks_open(struct gpudx_clocks *c, sqlite3 *db, int64_t bundle,
						const char *tz, struct gpudx_err *err);
void gpudx_clocks_close(struct gpudx_clocks *c);

/* Fills c->zones from what the bundle says (hostzone.c); part of open. */
GPUDX_CHECK enum gpudx_status gpudx_clocks_find_zones(struct gpudx_clocks *c,
						      struct gpudx_err *err);

/* Fills c->bmcs (bmc_clock.c); part of open, behind zones. */
GPUDX_CHECK enum gpudx_status gpudx_clocks_find_bmcs(struct gpudx_clocks *c, struct gpudx_err *err);

/* What ties the clock of a host's BMC; NULL nothing does. */
const struct gpudx_bmc_clock *gpudx_clocks_bmc(const struct gpudx_clocks *c, int64_t host);

/* The moment of a local time of a host's BMC. */
struct gpudx_moment gpudx_clocks_bmc_moment(const struct gpudx_clocks *c, int64_t host,
					    int64_t local_us);

/* Fills c->boots and c->spans from the tables. */
GPUDX_CHECK enum gpudx_status gpudx_clocks_load_boots(struct gpudx_clocks *c,
						      struct gpudx_err *err);

/* Writes the clock rows of wall clocks, source.clock_id, bundle.collected_* (clock_rows.c). */
GPUDX_CHECK enum gpudx_status gpudx_clocks_write(const struct gpudx_clocks *c,
						 struct gpudx_err *err);

const struct gpudx_clock_source *gpudx_clocks_source(const struct gpudx_clocks *c, int64_t id);
const struct gpudx_host_zone *gpudx_clocks_zone(const struct gpudx_clocks *c, int64_t host);

/* The offset that was seen nearest to a local time; NULL when none was seen. */
const struct gpudx_offset *gpudx_clocks_offset(const struct gpudx_host_zone *z, int64_t local_us);

/* Seconds east of a host's zone at a local time; 0 when nothing is known of it. */
int32_t gpudx_clocks_offset_s(const struct gpudx_clocks *c, int64_t host, int64_t local_us);

/* Local time as civil time of a stamp of kind NOYEAR or LOCAL. */
int64_t gpudx_clocks_local(const struct gpudx_clock_source *s, enum gpudx_stamp_kind kind,
			   int64_t raw);

/* The same for the local time of an anchor, whose kind is not recorded. */
int64_t gpudx_clocks_anchor_local(const struct gpudx_clock_source *s, int64_t local_us);

/* The moment of a local time on a host. */
struct gpudx_moment gpudx_clocks_moment(const struct gpudx_clocks *c, int64_t host,
					int64_t local_us);

/* The moment of a wall-clock stamp; none for other kinds. */
struct gpudx_moment gpudx_clocks_wall(const struct gpudx_clocks *c,
				      const struct gpudx_clock_source *s,
				      enum gpudx_stamp_kind kind, int64_t raw);

/* Moment and boot (NULL unknown) of a row of a source. Rows without stamp belong to the last
 * boot, of several inputs to the last that theirs knows. */
struct gpudx_moment gpudx_clocks_place(const struct gpudx_clocks *c, int64_t host,
				       const struct gpudx_clock_source *s, int32_t src_boot,
				       enum gpudx_stamp_kind kind, int64_t raw,
				       const struct gpudx_clock_boot **boot);

#endif
