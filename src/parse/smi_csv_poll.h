/* How many rows of a query CSV make one poll, when no column tells GPUs apart. */
#ifndef GPUDX_SMI_CSV_POLL_H
#define GPUDX_SMI_CSV_POLL_H

#include "parse/parser.h"

enum { SMI_POLL_MAX = 32 }; /* GPUs that are looked for */

/* By the times of the lines ahead (head may be NULL): rows of one poll are closer to each other than
 * polls are. 1 when they do not tell. *gap: us, longer than this is the way to the next poll; 0
 * unknown. */
unsigned smi_csv_poll(const struct gpudx_head *head, int64_t *gap);

#endif
