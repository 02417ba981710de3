/* Files that are part of the program: schema, knowledge base, signatures, rules, report assets.
 * The array is made by the Makefile (src/tools/embed.sh), sorted by path. */
#ifndef GPUDX_EMBED_H
#define GPUDX_EMBED_H

#include "base/sv.h"

struct gpudx_embedded {
	const char *path; /* in the source tree: "rules/kb/xid.tsv" */
	const char *text; /* n bytes, then a NUL */
	size_t n;
};

extern const struct gpudx_embedded gpudx_embedded[];
extern const size_t gpudx_embedded_count;

/* The content of one file; .p NULL when it is not there. */
struct gpudx_sv gpudx_embed(const char *path);

#endif
