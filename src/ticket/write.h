/* The files of a ticket that are composed from its sections. */
#ifndef GPUDX_TICKET_WRITE_H
#define GPUDX_TICKET_WRITE_H

#include "report/model.h"
#include "ticket/pack.h"
#include "ticket/table.h"

/* What all of them are made of. */
struct tk_ticket {
	const struct rep_model *m;
	const struct tk_table *t;
	const struct tk_pack *pack; /* what is attached so far */
	struct gpudx_sv audit;	    /* of the redaction, in Markdown */
};

/* The first page is the body of a mail; behind the rule stand all sections in full. */
void gpudx_ticket_md(const struct tk_ticket *k, struct gpudx_buf *b);

/* One section as a table, at most so many rows of it. */
void gpudx_ticket_md_section(struct gpudx_buf *b, const struct tk_section *s, size_t most);

void gpudx_ticket_json(const struct tk_ticket *k, struct gpudx_buf *b);
void gpudx_ticket_csv(const struct tk_section *s, struct gpudx_buf *b);

#endif
