/* Stamps in the rows of a query: its own, and those that scripts and spreadsheets make of them. */
#ifndef GPUDX_SMI_CSV_TIME_H
#define GPUDX_SMI_CSV_TIME_H

#include "base/stamp.h"

/* What the cells of one row said so far. Start with SMI_ROW_TIME. */
struct smi_row_time {
	enum gpudx_stamp_kind kind; /* NONE: not known yet */
	int64_t t_us;
	int64_t date_us, clock_us; /* GPUDX_NO_TIME; of cells that have only one of them */
};

#define SMI_ROW_TIME \
	((struct smi_row_time){ GPUDX_STAMP_NONE, GPUDX_NO_TIME, GPUDX_NO_TIME, GPUDX_NO_TIME })

/* Adds a cell; false when it is no stamp. A small number is one of a clock that began anywhere: it
 * is taken and says nothing. */
bool smi_row_time(struct smi_row_time *row, struct gpudx_sv cell);

#endif
