/* Which column of a query's CSV holds what: by its heading, by the command, by the shape of its
 * cells. */
#ifndef GPUDX_SMI_CSV_HEAD_H
#define GPUDX_SMI_CSV_HEAD_H

#include "parse/parser.h"
#include "parse/smi_fields.h"

enum { SMI_CSV_COLUMNS = 320 };

struct smi_column {
	const struct smi_field *field; /* NULL: a heading that nobody knows */
	enum smi_kind kind;
	unsigned arg;
};

/* True when most cells are names of fields. Sets *known to how many. */
bool smi_csv_is_heading(struct gpudx_sv line, unsigned *known);

/* The column of a name, also as other programs spell it: power_draw_w, clocks_sm, date. */
struct smi_column smi_csv_column(struct gpudx_sv name);

/* The names behind --query-gpu= of a command whose output has no heading; .p NULL none. */
struct gpudx_sv smi_csv_asked(struct gpudx_sv command);

/* Lines without heading that only nvidia-smi prints: columns by the shape of their cells, as far as
 * that is sure. Returns how many columns there are; 0: this is no such table. */
unsigned smi_csv_shapes(const struct gpudx_head *head, struct smi_column columns[SMI_CSV_COLUMNS]);

#endif
