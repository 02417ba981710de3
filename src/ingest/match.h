/* Signatures at work: a message of a log becomes events, facts, anchors and names of GPUs. */
#ifndef GPUDX_MATCH_H
#define GPUDX_MATCH_H

#include "parse/ctx.h"

/* The .match of a gpudx_ctx; its .match_arg is a struct gpudx_sigs. */
bool gpudx_signature_match(struct gpudx_ctx *c, struct gpudx_sv msg,
			   const struct gpudx_stamp *stamp);

#endif
