/* The sink of a real run: records become rows of the case database, samples also go through the
 * series. */
#ifndef GPUDX_RECORDER_H
#define GPUDX_RECORDER_H

#include "ingest/series.h"
#include "parse/ctx.h"
#include "store/store.h"

enum { GPUDX_REJECTS_KEPT = 100, GPUDX_LINES_KEPT = 2000 };

struct gpudx_recorder {
	struct gpudx_sink sink; /* first */
	struct gpudx_store *store;
	struct gpudx_series *series; /* of the source at hand */
	struct gpudx_ctx *ctx; /* the part at hand: told to keep lines that samples make notable */
	const struct gpudx_line
		*held;	       /* by that part, .no 0 none; its text is kept once it is cited */
	uint32_t sample_lines; /* kept so for this source */
	uint32_t metrics;      /* ids given out in this run */
	struct gpudx_map metric_ids; /* of the member at hand */
};

void gpudx_recorder_init(struct gpudx_recorder *r, struct gpudx_store *store);

/* source.id << 32 | line */
static inline int64_t gpudx_line_id(uint32_t source, uint32_t line)
{
	return (int64_t)source << 32 | line;
}

/* Keeps the text of a line. */
void gpudx_recorder_line(struct gpudx_recorder *r, uint32_t source, const struct gpudx_line *line);

#endif
