#include "parse/klog_boot.h"

enum {
	ANCHORS_MAX = 100,
	FRESH_LINES = 16 /* of a boot in front of "Linux version" */
};

/* Monotonic time may fall so far without a boot: lines of several CPUs, queues of journals. */
#define FALL_MAX GPUDX_MINUTE
/* So far the clocks may drift apart before they are tied anew. */
#define DRIFT_MAX (2 * GPUDX_SECOND)
/* The moment of a boot, wall minus mono, moves so far by delays of the logger alone. */
#define DELAY_MAX (5 * GPUDX_SECOND)

static bool known(int64_t t)
{
	return t != GPUDX_NO_TIME;
}

static bool apart(int64_t a, int64_t b, int64_t by)
{
	return a - b > by || b - a > by;
}

void klog_boot_init(struct klog_boot *b, bool began, bool due)
{
	*b = (struct klog_boot){ .began = began,
				 .due = due,
				 .mono_us = GPUDX_NO_TIME,
				 .wall_us = GPUDX_NO_TIME,
				 .between = { .wall_us = GPUDX_NO_TIME,
					      .mono_us = GPUDX_NO_TIME } };
}

/* True when the boot at hand has shown nothing but what stands in front of "Linux version": the
 * first lines of the microcode loader, within a second of time zero. */
static bool is_fresh(const struct klog_boot *b, const struct klog_moment *m)
{
	if (b->linux_seen || b->lines > FRESH_LINES)
		return false;
	if (known(b->mono_us))
		return b->mono_us < GPUDX_SECOND;
	return known(m->wall_us) && known(b->wall_us) && !apart(m->wall_us, b->wall_us, DELAY_MAX);
}

/* With both clocks in a line the moment of the boot is known: it differs, or it is the same boot,
 * whatever the order of lines. In a log that lost the beginnings a boot may also begin later than
 * the last line of the one before without that time falls: both were seen 5 s after their start. */
static bool ends_by_both(const struct klog_boot *b, const struct klog_moment *m)
{
	int64_t diff = m->wall_us - m->mono_us;

	if (!apart(diff, b->diff_us, DELAY_MAX))
		return false;
	if (m->mono_us < b->mono_us - DRIFT_MAX)
		return true;
	return !b->began && m->mono_us < 300 * GPUDX_SECOND && diff > b->wall_us;
}

bool klog_boot_ends(const struct klog_boot *b, const struct klog_moment *m)
{
	if (!b->lines)
		return false;
	if (m->linux_version)
		return !is_fresh(b, m);
	if (!known(m->mono_us) || !known(b->mono_us))
		return false;
	if (known(m->wall_us) && b->has_diff)
		return ends_by_both(b, m);
	return m->mono_us < b->mono_us - FALL_MAX;
}

bool klog_boot_ties(struct klog_boot *b, const struct klog_moment *m)
{
	int64_t diff;

	if (!known(m->mono_us) || !known(m->wall_us) || b->anchors == ANCHORS_MAX)
		return false;
	diff = m->wall_us - m->mono_us;
	if (b->has_diff && !apart(diff, b->diff_us, DRIFT_MAX))
		return false;
	b->has_diff = true;
	b->diff_us = diff;
	b->anchors++;
	return true;
}

bool klog_boot_between(struct klog_boot *b, const struct klog_moment *m, struct klog_moment *tie)
{
	int64_t passed;

	if (known(m->wall_us) && !known(m->mono_us)) {
		b->between.wall_us = m->wall_us;
		b->between.mono_us = b->mono_us;
		return false;
	}
	*tie = b->between;
	b->between.wall_us = GPUDX_NO_TIME;
	if (known(m->wall_us) || !known(tie->wall_us) || !known(tie->mono_us))
		return false;
	passed = m->mono_us - tie->mono_us;
	tie->mono_us = m->mono_us;
	return passed >= 0 && passed <= DRIFT_MAX;
}

bool klog_boot_add(struct klog_boot *b, const struct klog_moment *m)
{
	bool first;

	if (!b->lines++ && known(m->mono_us) && m->mono_us < GPUDX_SECOND)
		b->began = true;
	b->began |= m->linux_version;
	b->linux_seen |= m->linux_version;
	first = (b->due || b->began) && !b->anchored;
	b->anchored |= first;
	if (known(m->mono_us))
		b->mono_us = m->mono_us;
	if (known(m->wall_us))
		b->wall_us = m->wall_us;
	return first;
}
