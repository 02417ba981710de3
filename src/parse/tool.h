/* What the parsers of small tools share: who printed a text, and lines "Label: value". */
#ifndef GPUDX_TOOL_H
#define GPUDX_TOOL_H

#include "parse/parser.h"

/* True when the first word of the command is this program, with or without its path, or when the
 * member is called like it: "lsmod", "lsmod.txt", "lsmod_-v", "sudo_lsmod". */
bool tool_is(const char *program, struct gpudx_sv command, struct gpudx_sv path);

/* True when the command has these words, or the name of the member has them joined by underscores,
 * dashes or dots, as collectors write commands: "ipmitool sel list", "ipmitool_sel_list.txt". */
bool tool_says(const char *words, struct gpudx_sv command, struct gpudx_sv path);

/* The path of what the text is: "/proc/modules" as argument of the command or as the end of the
 * member's path. */
bool tool_shows(const char *file, struct gpudx_sv command, struct gpudx_sv path);

enum tool_as {
	TOOL_DROP, /* known, and of no use here */
	TOOL_TEXT,
	TOOL_WORD, /* in lower case */
	TOOL_NUM,  /* a number in front, its unit dropped */
	TOOL_MIB   /* "65536 kB", "64Gi", "512 MB" */
};

struct tool_label {
	const char *text;
	const char *key; /* of the fact */
	enum tool_as as;
};

/* "Label   : value": both trimmed. False without a colon or a label. */
bool tool_split(struct gpudx_sv line, struct gpudx_sv *label, struct gpudx_sv *value);

/* The row of this label, letters' case apart; NULL when there is none. */
const struct tool_label *tool_label(const struct tool_label *table, size_t n,
				    struct gpudx_sv label);

/* States the fact of a row, unless the value says nothing: "N/A", "Not Specified", "To Be Filled By
 * O.E.M.", blanks. */
void tool_fact(struct gpudx_ctx *c, const struct tool_label *l, const char *layer,
	       struct gpudx_sv value);

/* A word that stands for no value. */
bool tool_is_nothing(struct gpudx_sv value);

/* "64Gi", "65536 kB", "1.5T", "512" with unit for the last when it has none: MiB. */
bool tool_mib(struct gpudx_sv value, char unit, double *mib);

#endif
