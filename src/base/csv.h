/* CSV as of RFC 4180, for spreadsheets. */
#ifndef GPUDX_CSV_H
#define GPUDX_CSV_H

#include "base/buf.h"

/* Appends one cell: any text, made printable, in quotes where it needs them. What a spreadsheet
 * would take for a formula is led by an apostrophe. */
void gpudx_csv_text(struct gpudx_buf *b, struct gpudx_sv s);

#endif
