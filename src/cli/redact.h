/* --redact and --map, which several commands take. */
#ifndef CLI_REDACT_H
#define CLI_REDACT_H

#include "gpudx/gpudx.h"
#include "opt.h"

struct cli_redact {
	const char *what;  /* NULL: not asked for; "" or "gpu" */
	const char *map;   /* file; NULL none */
	const char *cloud; /* whose support it is for; NULL nobody's */
	bool force;
};

#define CLI_REDACT_OPTIONS(r)                                                                 \
	{ OPT_MAYBE,                                                                          \
	  0,                                                                                  \
	  "redact",                                                                           \
	  "gpu]",                                                                             \
	  "without names, addresses and secrets; =gpu: without what identifies a GPU, too",   \
	  &(r)->what },                                                                       \
	{                                                                                     \
		OPT_TEXT, 0, "map", "FILE",                                                   \
			"with --redact: what stands for what; used again, it gives the same " \
			"names",                                                              \
			&(r)->map                                                             \
	}

/* False after saying on stderr what is wrong. */
bool cli_redact_check(const struct cli_redact *r, const char *command);

/* Writes the map: after all that may have added to it. */
GPUDX_CHECK enum gpudx_status cli_redact_map(const struct cli_redact *r, const struct gpudx_case *c,
					     struct gpudx_err *err);

/* Redacts the case if that was asked for, with the key of the map; unless for a ticket, writes the
 * map. */
GPUDX_CHECK enum gpudx_status cli_redact(const struct cli_redact *r, struct gpudx_case *c,
					 bool ticket, struct gpudx_err *err);

#endif
