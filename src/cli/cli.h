/* What the commands share. */
#ifndef CLI_H
#define CLI_H

#include "gpudx/gpudx.h"
#include "opt.h"

/* Exit status; where several apply, the first of 5, 4, 3, 1, 0. 2 is for usage, before any work. */
enum cli_status {
	CLI_OK = 0,
	CLI_FAIL_ON = 1, /* --fail-on was reached, or a gate failed */
	CLI_USAGE = 2,
	CLI_NOTHING = 3, /* nothing readable */
	CLI_RULES = 4,	 /* a rule file is broken */
	CLI_ERROR = 5	 /* I/O, memory, internal */
};

extern const struct cmd cmd_analyze, cmd_compare, cmd_sources, cmd_report, cmd_ticket, cmd_rules,
	cmd_xid, cmd_query, cmd_collect, cmd_ingest;

/* Prints "gpudx: WHAT: WHY" and its contexts; returns the exit status that fits. */
int cli_fail(const struct gpudx_err *err);

/* The worse of two statuses. */
int cli_worse(int a, int b);

/* By the words of --format; false when there is no such format. */
bool cli_format(const char *name, enum gpudx_format *out);

/* True when colour is wanted on this stream: a terminal, and NO_COLOR not set. */
bool cli_colour(FILE *f);

/* --limit, which the commands take that read bundles. */
#define CLI_LIMIT_OPTION(texts)                                                               \
	{                                                                                     \
		OPT_TEXTS, 0, "limit", "NAME=N",                                              \
			"how much work a bundle may cause, e.g. decoded=200G; several times", \
			texts                                                                 \
	}

/* Sets what --limit was given with. */
GPUDX_CHECK enum gpudx_status cli_limits(struct gpudx_case *c, const struct opt_texts *limits,
					 struct gpudx_err *err);

/* Columns and lines of the terminal on this stream; 0 when it is none. */
void cli_size(FILE *f, int *width, int *height);

/* "dir/x.tar.gz" -> "x": what output files of an input are called. NULL when memory is out. */
char *cli_stem(const char *path);

#endif
