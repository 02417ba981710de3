#include "base/oom.h"

#include <stdatomic.h>

/* The one thing in the library that outlives a call: see the header. Any thread may set it. */
static atomic_bool seen;

void gpudx_oom_note(void)
{
	atomic_store_explicit(&seen, true, memory_order_relaxed);
}

bool gpudx_oom_seen(void)
{
	return atomic_load_explicit(&seen, memory_order_relaxed);
}

enum gpudx_status gpudx_oom_or(enum gpudx_status rc, struct gpudx_err *err)
{
	return rc || !gpudx_oom_seen() ? rc : gpudx_nomem(err);
}
