/* The boxes that dcgmi draws: "| name   | value   |" between "+---+---+" lines. */
#ifndef GPUDX_DCGMI_BOX_H
#define GPUDX_DCGMI_BOX_H

#include "base/sv.h"

/* "+----+----+", "+====+====+". */
bool dcgmi_rule(struct gpudx_sv line);

/* The two cells of a row, trimmed; a row of one wide cell leaves value empty. full: the value
 * fills its cell to the border, so that it may have been cut inside a word. */
bool dcgmi_row(struct gpudx_sv line, struct gpudx_sv *name, struct gpudx_sv *value, bool *full);

#endif
