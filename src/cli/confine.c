#include "confine.h"

#include "gpudx/sandbox.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

void cli_confine(const struct cli_keep *keep)
{
	struct gpudx_sandbox s;

	if (keep->off)
		return;
	gpudx_sandbox_open(&s, keep->any_read);
	for (size_t i = 0; i < keep->nreads; i++)
		gpudx_sandbox_reads(&s, keep->reads[i]);
	for (size_t i = 0; i < COUNT(keep->read); i++)
		gpudx_sandbox_reads(&s, keep->read[i]);
	for (size_t i = 0; i < COUNT(keep->write); i++)
		gpudx_sandbox_writes(&s, keep->write[i]);
	gpudx_sandbox_fills(&s, keep->fill);
	gpudx_sandbox_enter(&s);
}
