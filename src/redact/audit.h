/* What a redaction did, for people. */
#ifndef GPUDX_REDACT_AUDIT_H
#define GPUDX_REDACT_AUDIT_H

#include "redact/redact.h"

/* Appends it in Markdown, without any original value. */
void gpudx_redact_audit(const struct gpudx_redact *r, struct gpudx_buf *b);

#endif
