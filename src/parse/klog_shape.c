#include "parse/klog_shape.h"

enum { KERNEL_MIN = 5, SUBSYSTEMS_MIN = 12, LINES_MIN = 40, RING_MIN = 48 << 10 };

static bool is_about_gpu(struct gpudx_sv message)
{
	return message.n && (message.p[0] | 0x20) == 'n' &&
	       (sv_starts(message, "NVRM: ") || sv_starts(message, "nvidia"));
}

void klog_shape_add(struct klog_shape *s, struct gpudx_sv message, bool kernel, bool known)
{
	uint32_t start = 0, hash;

	if (!kernel)
		return;
	memcpy(&start, message.n ? message.p : "", message.n < 4 ? message.n : 4);
	hash = start * UINT32_C(2654435761) >> 24;
	s->seen[hash / 64] |= UINT64_C(1) << hash % 64;
	s->bytes += message.n;
	s->kernel++;
	s->gpu += known || is_about_gpu(message);
}

unsigned klog_shape_subsystems(const struct klog_shape *s)
{
	unsigned n = 0;

	for (unsigned i = 0; i < 256; i++)
		n += (unsigned)(s->seen[i / 64] >> i % 64 & 1);
	return n;
}

bool klog_is_excerpt(const struct klog_shape *s)
{
	bool varied = klog_shape_subsystems(s) >= SUBSYSTEMS_MIN;

	if (s->partial || s->kernel < KERNEL_MIN)
		return true;
	if (!varied && (uint64_t)s->gpu * 3 >= (uint64_t)s->kernel * 2)
		return true;
	if (s->kernel < LINES_MIN && !(s->begins_at_boot && varied))
		return true;
	return !s->rotates && !s->begins_at_boot && s->bytes < RING_MIN;
}
