/* Lines of kernel logs that have no stamp of their own, and how a kernel log is recognised. */
#ifndef GPUDX_KLOG_LOOK_H
#define GPUDX_KLOG_LOOK_H

#include "parse/parser.h"

enum klog_mark {
	KLOG_MARK_NONE,
	KLOG_MARK_BOOT,	   /* "-- Boot 0123456789abcdef0123456789abcdef --", "-- Reboot --" */
	KLOG_MARK_PART,	   /* "Panic#1 Part2" (pstore): the order of time ends here */
	KLOG_MARK_JOURNAL, /* "-- Logs begin at ..., end at ... --", "-- Journal begins at ..." */
	KLOG_MARK_PARTIAL, /* the tool says that it shows not everything, or nothing */
	KLOG_MARK_OTHER	   /* of the log, without meaning for us */
};

enum klog_mark klog_mark(struct gpudx_sv line);

/* "kernel: NVRM: ...", " kernel:[94555.573305] NVRM: ...", "NVRM: ...": a message whose stamp was
 * lost or never printed; mono_us: the time since boot where it
 * is. */
bool klog_bare(struct gpudx_sv line, struct gpudx_sv *message, int64_t *mono_us);

/* "  /var/log/kern.log:", "  journalctl -b -1:": what bug reports write over each part of their
 * search; not a continuation of the line above. */
bool klog_is_title(struct gpudx_sv line);

int klog_bid(const struct gpudx_head *head);
bool klog_starts(struct gpudx_sv line);

#endif
