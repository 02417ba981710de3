/* --no-sandbox, and what each command keeps: include/gpudx/sandbox.h says what is given up. */
#ifndef CLI_CONFINE_H
#define CLI_CONFINE_H

#include <stdbool.h>
#include <stddef.h>

#include "opt.h"

/* Paths as the command line has them; NULL and "-" stand for none. */
struct cli_keep {
	const char *const *reads; /* inputs */
	size_t nreads;
	const char *read[2];  /* more of them */
	const char *write[3]; /* outputs */
	const char *fill;     /* a directory of outputs */
	bool any_read;	      /* rules of a directory may be links to anywhere */
	bool off;	      /* --no-sandbox */
};

#define CLI_SANDBOX_OPTION(off)                                                               \
	{                                                                                     \
		OPT_FLAG, 0, "no-sandbox", NULL,                                              \
			"keep the right to open other files and to start programs while the " \
			"input is read",                                                      \
			off                                                                   \
	}

/* Behind gpudx_plot_start, before the first byte of an input, and before any thread. */
void cli_confine(const struct cli_keep *keep);

#endif
