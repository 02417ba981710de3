/* The sentences that nvidia-smi prints instead of its output, or beside it. */
#ifndef GPUDX_SMI_MESSAGE_H
#define GPUDX_SMI_MESSAGE_H

#include "parse/parser.h"

/* True when the line is one of them. */
bool smi_message_is(struct gpudx_sv line);

/* The same, and makes the event of it, at the time that gpudx_now said last. */
bool smi_message_take(struct gpudx_ctx *c, struct gpudx_sv line);

#endif
