/* Nodes that a scheduler gives no work to, and lists of nodes as Slurm writes them. */
#ifndef GPUDX_NODE_OUT_H
#define GPUDX_NODE_OUT_H

#include "parse/parser.h"

enum {
	NODE_NAME = 254,
	NODE_LIST_MAX = 1024 /* names out of one list; more are left out */
};

/* Whether a node in this state gets no work because it is broken, or because somebody wants it so: the
 * words of sinfo, scontrol and kubectl, several of them joined by '+', ',' or blanks. Nodes that sleep to
 * save power are not out of service. */
bool node_is_out(struct gpudx_sv state);

/* Puts scheduler.node_out. reason may be empty. layer: slurm or kubernetes, static text. line: that said
 * it, already cited; 0 = the line at hand. */
void node_put_out(struct gpudx_ctx *c, struct gpudx_sv node, const char *layer,
		  struct gpudx_sv state, struct gpudx_sv reason, const struct gpudx_stamp *stamp,
		  uint32_t line);

/* "gpu[014-015,17]-ib,login1": one name after the other. */
struct node_list {
	struct gpudx_sv left, stem, ranges, tail; /* ranges: what is left between the brackets */
	uint64_t next, last;			  /* numbers of the range at hand */
	unsigned digits, n;
	bool in_range;
};

void node_list_begin(struct node_list *l, struct gpudx_sv text);
/* The next name, written into buf where it stands in brackets. A name with two pairs of brackets is left
 * out. False at the end. */
bool node_list_next(struct node_list *l, char buf[NODE_NAME], struct gpudx_sv *name);

#endif
