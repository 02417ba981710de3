/* What incidents are made of: incident_load.c reads it, incident.c links it, incident_rows.c writes
 * what came of it. */
#ifndef GPUDX_INCIDENT_H
#define GPUDX_INCIDENT_H

#include "base/arena.h"
#include "base/map.h"
#include "derive/clock.h"

/* What has no wall clock can only be ordered with what shares its own. */
enum gpudx_line_of_time { GPUDX_TIME_WALL, GPUDX_TIME_BOOT, GPUDX_TIME_ORDER };

/* An event that is no copy and of a kind that makes incidents. */
struct gpudx_inc_event {
	int64_t id, host, boot, gpu; /* 0 unknown */
	int64_t seat; /* the GPU; negative: an address that is of no known GPU, or a port; 0 none */
	int64_t device; /* seat of the device that the message names besides; 0 none */
	struct gpudx_moment m;
	enum gpudx_line_of_time time;
	int64_t stream;	   /* TIME_BOOT: the boot; TIME_ORDER: the source */
	int64_t at;	   /* place in its stream: microseconds, or number of the line */
	int64_t mono;	   /* since boot; GPUDX_NO_TIME unknown */
	bool precise;	   /* its stamp has microseconds */
	int32_t kind;	   /* number of the word */
	int64_t code;	   /* -1 none */
	int64_t caused_by; /* the Xid that the message itself names; -1 none */

	struct gpudx_inc_event *up; /* of the same incident */
	bool follows;		    /* from another event of it */
};

/* A row of kb_chains. */
struct gpudx_chain {
	int32_t cause, effect;		 /* kinds */
	int64_t cause_code, effect_code; /* -1 any */
	int64_t within_us;
	bool host_wide;
	bool one_path; /* host-wide, but not from one known GPU to another */
};

/* The ports above a GPU, from the nearest up. */
enum { GPUDX_PORTS_MAX = 16 };

struct gpudx_inc_gpu {
	int64_t id, host;
	int64_t board; /* the first GPU with the same serial number; 0: has none */
	unsigned nports;
	int64_t port[GPUDX_PORTS_MAX]; /* seats */
};

struct gpudx_incidents {
	sqlite3 *db;
	int64_t bundle;
	struct gpudx_arena arena;
	struct gpudx_map kinds;	     /* word -> number */
	struct gpudx_map seats;	     /* "host/address" -> -seat */
	struct gpudx_sv *seat_names; /* by -seat: the address */
	size_t nseats, seats_cap;
	struct gpudx_inc_event *event; /* by host, time, stream, at, id */
	size_t n;
	struct gpudx_chain *chain;
	size_t nchains;
	struct gpudx_inc_gpu *gpu; /* by id */
	size_t ngpus;
};

GPUDX_CHECK enum gpudx_status gpudx_incidents_load(struct gpudx_incidents *in,
						   struct gpudx_err *err);

/* The number of a kind; made when it is new. 0: out of memory. */
int32_t gpudx_incident_kind(struct gpudx_incidents *in, struct gpudx_sv word);

/* NULL: the seat is no GPU. */
const struct gpudx_inc_gpu *gpudx_incident_gpu(const struct gpudx_incidents *in, int64_t seat);

/* True when the seat is a port above the GPU. */
bool gpudx_incident_above(const struct gpudx_inc_gpu *gpu, int64_t port);

struct gpudx_inc_event *gpudx_incident_root(struct gpudx_inc_event *e);

/* Writes incident rows and event.incident_id. */
GPUDX_CHECK enum gpudx_status gpudx_incidents_write(struct gpudx_incidents *in,
						    struct gpudx_err *err);

#endif
