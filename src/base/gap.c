#include "base/gap.h"

#include <inttypes.h>

static const char start[] = "[gpudx: ", empty[] = " lines left out, nothing was found in them]",
		  open[] = " lines left out]";

void gpudx_gap_put(struct gpudx_buf *b, enum gpudx_gap gap, uint64_t n)
{
	gpudx_buf_printf(b, "%s%" PRIu64 "%s\n", start, n, gap == GPUDX_GAP_EMPTY ? empty : open);
}

enum gpudx_gap gpudx_gap_look(struct gpudx_sv line)
{
	uint64_t n;

	if (!sv_lit(&line, start) || !sv_u64(&line, &n))
		return GPUDX_NO_GAP;
	line = sv_rtrim(line);
	if (sv_is(line, empty))
		return GPUDX_GAP_EMPTY;
	return sv_is(line, open) ? GPUDX_GAP_OPEN : GPUDX_NO_GAP;
}
