/* Messages of the kernel that stand inside other text: in prose and code spans, cells of tables, list
 * items, records of other programs, and behind other messages where line feeds were lost. */
#ifndef GPUDX_KLOG_QUOTE_H
#define GPUDX_KLOG_QUOTE_H

#include "parse/klog_prefix.h"

/* What is left of a line. Start with .line set and all else zero. */
struct klog_quotes {
	struct gpudx_sv line;
	size_t at;     /* where to look on */
	bool evidence; /* the last one was copied from a log, as far as the text around tells */
};

/* The next message. One counts that says which device, or with which code:
 *
 *   NVRM: Xid (PCI:0000:3b:00): 79, ...     nvidia-nvswitch3: SXid (PCI:0000:c1:00.0): 28006, ...
 *   NVRM: GPU 0000:3b:00.0: RmInitAdapter failed! (0x26:0x56:1474)
 *
 * so that text about such messages in general, and searches for them, are none.
 *
 * It comes without what closes the quotation and with the stamp, host and program that stand
 * directly in front of it, if any do. p: the prefixes of this text so far. False: no more. */
bool klog_quote_next(struct klog_quotes *q, struct klog_prefix *p, struct klog_line *out);

/* Cuts off what follows the first message in *message: the return value, empty mostly. */
struct gpudx_sv klog_cut_glued(const struct klog_prefix *p, struct gpudx_sv *message);

#endif
