/* What brought a line here and wrote in front of it: pdsh and clush the host, kubectl the pod, a
 * container runtime or ts(1) the time, grep the file; a collector of logs all of them. It says whose
 * line it is, and when it was written where the line itself does not say. */
#ifndef GPUDX_CARRY_H
#define GPUDX_CARRY_H

#include "bundle/lines.h"
#include "parse/klog_prefix.h"

enum gpudx_carrier_kind {
	GPUDX_BY_RECORD, /* "\aMICROSECONDS\aHOST\atext": what unwrap.h makes of a record */
	GPUDX_BY_HOST,	 /* "node01: text" */
	GPUDX_BY_POD,	 /* "[pod/job-0/main] text" */
	GPUDX_BY_CRI,	 /* "2025-01-12T00:38:20.784070000Z stdout F text" */
	GPUDX_BY_GREP,	 /* "node01/kern.log:text", "kern.log:17:text" */
	GPUDX_BY_STAMP	 /* "2025-01-12T00:38:20+0100 text", "Jan 12 00:38:20 text" */
};

/* One behind the other in front of each line. */
enum { GPUDX_CARRIERS = 4, GPUDX_CARRIER_HEAD = 64 /* lines that are looked at */ };

struct gpudx_carriers {
	enum gpudx_carrier_kind kind[GPUDX_CARRIERS];
	unsigned n;
};

/* What they said of a line; .p NULL: nothing. */
struct gpudx_carried {
	struct gpudx_sv host, path;
	struct gpudx_stamp stamp;
};

/* Adds what the first lines of a text have in common. */
void gpudx_carriers_look(struct gpudx_carriers *c, const struct gpudx_line *v, size_t n);

/* Adds GPUDX_BY_STAMP when all those lines begin so. Logs of programs do, too: for texts that nobody
 * can read as they are. */
bool gpudx_carriers_stamp(struct gpudx_carriers *c, const struct gpudx_line *v, size_t n);

/* The text behind them. A line that does not have them is given as it is. */
struct gpudx_sv gpudx_carriers_peel(const struct gpudx_carriers *c, struct gpudx_sv line,
				    struct gpudx_carried *out);

/* A record as GPUDX_BY_RECORD reads it; t_us may be GPUDX_NO_TIME, host empty. */
struct gpudx_buf;
void gpudx_carry_record(struct gpudx_buf *b, int64_t t_us, struct gpudx_sv host);

#endif
