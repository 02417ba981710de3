/* The YAML that programs write: blocks of keys and of lists, scalars plain, quoted, folded or as
 * blocks, documents divided by "---". Each scalar comes with its path, spelt as base/json.h spells
 * paths: "status.conditions[].type". Anchors, tags and lists in brackets are not looked into.
 *
 *	known = yaml_feed(&y, line);
 *	while (yaml_next(&y))
 *		if (!y.is_edge) use(y.at, y.value);
 *
 * A scalar of several lines comes with each of them, so far as it is known. */
#ifndef GPUDX_YAML_PATH_H
#define GPUDX_YAML_PATH_H

#include <stdbool.h>

#include "base/sv.h"

enum {
	YAML_DEPTH = 32, /* what is deeper has the path of what it is in */
	YAML_PATH = 256, /* bytes; longer keys are left out */
	YAML_TEXT = 512	 /* bytes of a scalar; the rest is dropped */
};

/* A text with an end of its own: what is longer is cut. */
struct yaml_text {
	size_t n;
	char p[YAML_TEXT];
};

void yaml_set(struct yaml_text *t, struct gpudx_sv s);
void yaml_append(struct yaml_text *t, struct gpudx_sv s);
struct gpudx_sv yaml_sv(const struct yaml_text *t);

struct yaml_level {
	size_t indent, path_n; /* path_n: of what it is in */
	bool item;	       /* of a list, else of a key */
};

/* Zeroed to begin with. */
struct yaml_path {
	/* What yaml_next found; valid until the next call. */
	struct gpudx_sv at, value;
	bool is_edge; /* the element of a list at this path ended; an empty path: the document did */

	/* inside */
	struct yaml_level level[YAML_DEPTH];
	unsigned depth;
	char path[YAML_PATH];
	size_t path_n;
	struct gpudx_sv line; /* what is left of the line */
	size_t indent;	      /* of that */
	bool ends;	      /* the document does */
	bool open;	      /* what is deeper than key_indent goes on with the scalar */
	size_t key_indent;
	struct yaml_text scalar;
};

/* False, and nothing is to come: no line of YAML. */
bool yaml_feed(struct yaml_path *y, struct gpudx_sv line);
/* Ends the document. */
void yaml_end(struct yaml_path *y);
bool yaml_next(struct yaml_path *y);

#endif
