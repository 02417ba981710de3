/* Patterns of the knowledge base: '*' stands for anything, all else for itself. */
#ifndef GPUDX_GLOB_H
#define GPUDX_GLOB_H

#include "base/sv.h"

/* Goes back to the last star only, so that no pattern takes long. */
bool gpudx_glob(struct gpudx_sv pattern, struct gpudx_sv text);

#endif
