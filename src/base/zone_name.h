/* What abbreviations of time zones mean, where tools print nothing else. */
#ifndef GPUDX_ZONE_NAME_H
#define GPUDX_ZONE_NAME_H

#include <stdbool.h>
#include <stdint.h>

#include "base/sv.h"

/* "CEST", "PDT": minutes east. False for what means several offsets (CST, IST, AST) or is no name. */
bool gpudx_zone_name_minutes(struct gpudx_sv name, int32_t *minutes);

#endif
