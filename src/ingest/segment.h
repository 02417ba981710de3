/* Where one output ends and the next begins in a text that holds several: prompts, section bars and
 * titles, banners, code fences. Only lines that the parser at hand does not take are looked at. */
#ifndef GPUDX_SEGMENT_H
#define GPUDX_SEGMENT_H

#include <stdbool.h>

#include "base/sv.h"

enum gpudx_boundary_kind {
	GPUDX_NO_BOUNDARY,
	GPUDX_BAR,    /* a section ends; its successor's title may follow */
	GPUDX_TITLE,  /* names what follows: "*** /proc/cmdline", "dmesg:" */
	GPUDX_PROMPT, /* a command, echoed by a shell or a script, whose output follows */
	GPUDX_FENCE,  /* a Markdown code fence */
	GPUDX_RULE    /* a line drawn across: no boundary, but the next line may be a title */
};

struct gpudx_boundary {
	enum gpudx_boundary_kind kind;
	struct gpudx_sv command; /* or the path or title; without sudo */
	struct gpudx_sv host;	 /* of a prompt that names it; .p NULL otherwise */
	struct gpudx_sv far;	 /* where the command ran, if not there; .p NULL otherwise */
	bool elsewhere;		 /* it ran on a machine that nobody names */
	bool fans_out;		 /* on many, each line with its host in front */
	bool excerpt;		 /* the command throws part of the output away (grep, head, tail) */
};

/* before: what the line before was (blanks not counted); behind a GPUDX_BAR a bare path or "name:" is
 * a title, too, behind a GPUDX_RULE the name of a program. */
struct gpudx_boundary gpudx_segment_look(struct gpudx_sv line, enum gpudx_boundary_kind before);

/* "sudo lspci -vvv" under the title "(2) lspci": the command of the title once more, in full. */
bool gpudx_segment_repeats(struct gpudx_sv command, struct gpudx_sv line,
			   struct gpudx_boundary *out);

#endif
