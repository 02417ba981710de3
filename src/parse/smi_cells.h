/* What all CSV queries of nvidia-smi share, also after somebody saved them anew. */
#ifndef GPUDX_SMI_CELLS_H
#define GPUDX_SMI_CELLS_H

#include "base/sv.h"

/* What stands between the cells of a heading: tab, ';' (spreadsheets) or ','. */
char smi_separator(struct gpudx_sv heading);

/* `"clocks.current.sm [MHz]"`, `utilization.gpu(%)` -> the bare name. */
struct gpudx_sv smi_heading_name(struct gpudx_sv cell);

/* A cell without blanks and quotes around it. */
struct gpudx_sv smi_bare(struct gpudx_sv cell);

#endif
