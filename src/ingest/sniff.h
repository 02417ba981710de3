/* Which parser reads what begins here: parsers bid on the head, the bidders try it, the one that
 * understands most of it wins. */
#ifndef GPUDX_SNIFF_H
#define GPUDX_SNIFF_H

#include "parse/ctx.h"

/* What a trial needs; shared by all of a run. */
struct gpudx_sniffer {
	struct gpudx_arena arena; /* .limit set */
	bool (*match)(struct gpudx_ctx *c, struct gpudx_sv msg, const struct gpudx_stamp *stamp);
	const void *match_arg;
};

/* The head at the next line of l: up to GPUDX_HEAD bytes or the next boundary. Valid until the
 * next call on l. */
struct gpudx_head gpudx_sniff_head(struct gpudx_lines *l, struct gpudx_sv path,
				   struct gpudx_sv command);

/* How many of n lines come before the next boundary. */
size_t gpudx_sniff_head_end(const struct gpudx_line *v, size_t n);

/* The winner; NULL when nobody can read it. containers: only those, or only the others. */
const struct gpudx_parser *gpudx_sniff(struct gpudx_sniffer *s, const struct gpudx_head *head,
				       bool containers);

/* The same, and by how many lines it understands more than it does not. */
const struct gpudx_parser *gpudx_sniff_best(struct gpudx_sniffer *s, const struct gpudx_head *head,
					    bool containers, long *how_well);

#endif
