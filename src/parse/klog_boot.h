/* Where one boot ends and the next begins in the lines of a kernel log, and where its two clocks
 * have moved against each other. Knows nothing of lines: only of their times. */
#ifndef GPUDX_KLOG_BOOT_H
#define GPUDX_KLOG_BOOT_H

#include "base/stamp.h"

/* When a line was printed; GPUDX_NO_TIME where it does not say. */
struct klog_moment {
	int64_t wall_us, mono_us;
	bool linux_version; /* the kernel's first words */
};

/* What is known of the boot at hand. */
struct klog_boot {
	uint32_t lines;	    /* of it that have a stamp */
	bool began;	    /* its beginning was seen */
	bool linux_seen;    /* "Linux version" was */
	bool due, anchored; /* the anchor "boot": with the next line, said */
	bool has_diff;
	int64_t mono_us; /* of its last line that has one, else GPUDX_NO_TIME */
	int64_t wall_us; /* likewise */
	int64_t diff_us; /* wall minus mono, as last said by an anchor */
	unsigned anchors;
	struct klog_moment between; /* wall time of a line, and time since boot of the one before
				     * it, where each has only that; else unknown */
};

/* began: the lines that follow are the first of it. due: it shall be said with the first of them.
 */
void klog_boot_init(struct klog_boot *b, bool began, bool due);

/* Does another boot begin with this line? Never twice for one boot. */
bool klog_boot_ends(const struct klog_boot *b, const struct klog_moment *m);

/* True when the line should tie the two clocks: the first of a boot that has both, and again when
 * they have moved more than two seconds against each other, a hundred times at most. */
bool klog_boot_ties(struct klog_boot *b, const struct klog_moment *m);

/* A console mixes lines of the kernel, which show the time since boot, with lines of programs, which show
 * that of the wall. One of these between two of those that lie close together tells what both clocks
 * showed: true, in *tie, with the second of them. To be asked of each line, before it is added. */
bool klog_boot_between(struct klog_boot *b, const struct klog_moment *m, struct klog_moment *tie);

/* The line belongs to the boot. True when it is the one that shows its beginning. */
bool klog_boot_add(struct klog_boot *b, const struct klog_moment *m);

#endif
