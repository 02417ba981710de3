/* Faults of GPUs as the layers above the driver word them: reasons of schedulers, events of
 * Kubernetes, records of a BMC.
 *
 *   NHC: check_nvidia: GPU 3 fell off the bus (Xid 79)
 *   XidErrorDetected: NVRM: Xid (PCI:0000:8a:00): 79, pid=0, GPU has fallen off the bus.
 *   XID errors 48,63 on GPU-11111111-2222-3333-4444-555555555555
 *   gres/gpu count reported lower than configured (7 < 8) */
#ifndef GPUDX_SAID_FAULT_H
#define GPUDX_SAID_FAULT_H

#include "parse/parser.h"

/* Whether the text says such a thing, without putting it. */
bool says_fault(struct gpudx_sv text);

/* Puts an event for each Xid that the text names, or for the loss of a GPU when it names none, with
 * the attribute "by" = layer (static text). line: that said it, already cited; 0 = the line at hand, in
 * which a line of the driver is read as such where the parser is one of GPUDX_P_FIND. True when there
 * was a fault. */
bool said_fault(struct gpudx_ctx *c, struct gpudx_sv text, const char *layer,
		const struct gpudx_stamp *stamp, uint32_t line);

#endif
