/* Captures that cannot be of one boot. */
#ifndef GPUDX_CAPTURES_H
#define GPUDX_CAPTURES_H

#include "derive/clock.h"

/* A card does not move while the machine runs. Where what tools printed in what seems to be one boot
 * disagrees on which card (by UUID) sits at which address, the older capture is of an earlier boot, the
 * last that fits: it and what stands beside it in its directory know of no later one. Nothing
 * changes where no earlier boot is known. Behind boots. */
GPUDX_CHECK enum gpudx_status gpudx_captures_part(struct gpudx_clocks *c, struct gpudx_err *err);

#endif
