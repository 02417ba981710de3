/* What the two monitors of nvidia-smi, dmon and pmon, have in common: two heading lines behind a
 * '#', the first with names and the second with units, which come again every so often; then rows.
 * Cells stand apart by blanks, with --format csv by commas. */
#ifndef GPUDX_SMI_MON_H
#define GPUDX_SMI_MON_H

#include "parse/parser.h"

enum { SMI_MON_COLUMNS = 64, SMI_MON_GPUS = 1024 };

enum smi_mon_line { SMI_MON_ROW, SMI_MON_NAMES, SMI_MON_UNITS };

/* A line cut into cells. */
struct smi_mon_cells {
	struct gpudx_sv cell[SMI_MON_COLUMNS];
	unsigned n;
	bool more; /* there were more than that */
};

/* Cuts a line; for headings without the '#'. "# gpu" and "#Date  Time  gpu" are names, "# Idx" and
 * "#YYYYMMDD  HH:MM:SS  Idx" are units; anything else is called a row. */
enum smi_mon_line smi_mon_cut(struct gpudx_sv line, struct smi_mon_cells *out);

/* True when the names belong to pmon. */
bool smi_mon_is_processes(const struct smi_mon_cells *names);

/* "20240501" and "10:00:00", as -o DT prints them. */
bool smi_mon_time(struct gpudx_sv date, struct gpudx_sv time, int64_t *local_us);

/* The index of a GPU, or the id of an instance. */
bool smi_mon_index(struct gpudx_sv cell, int32_t *out);

/* A whole number, or a "-". */
bool smi_mon_is_value(struct gpudx_sv cell);

/* A number of a cell; false for "-" and the other words for none. */
bool smi_mon_number(struct gpudx_sv cell, double *out);

#endif
