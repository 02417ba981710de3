/* How far a case is with reading, for whoever wants to show it: another thread may look at any time. */
#ifndef GPUDX_PROGRESS_H
#define GPUDX_PROGRESS_H

#include <stdatomic.h>
#include <stdint.h>

struct gpudx_progress {
	_Atomic uint64_t bytes; /* read so far, of files as they are stored; only grows */
};

#endif
