/* Reads XML that tools print, in pieces cut anywhere, and damaged as it may be: a document that
 * ends early, several in a row, a raw '&' or '<' in a text, a tag that was never opened. It needs
 * no memory beyond its struct. No namespaces, no DTD, no entities but the five and numbers. */
#ifndef GPUDX_XML_H
#define GPUDX_XML_H

#include "base/sv.h"

enum { GPUDX_XML_DEPTH = 24, GPUDX_XML_PATH = 512, GPUDX_XML_TEXT = 2048, GPUDX_XML_TAG = 512 };

enum gpudx_xml_kind {
	GPUDX_XML_MORE,	    /* the piece is used up */
	GPUDX_XML_DOCUMENT, /* "<?xml": whatever was open is over */
	GPUDX_XML_OPEN,	    /* an element begins: path, tag for its attributes */
	GPUDX_XML_LEAF,	    /* an element without children ends: path, text */
	GPUDX_XML_CLOSE	    /* an element with children ends: path */
};

enum gpudx_xml_state {
	GPUDX_XML_IN_TEXT,
	GPUDX_XML_IN_TAG,
	GPUDX_XML_IN_COMMENT,
	GPUDX_XML_IN_CDATA
};

struct gpudx_xml {
	/* of the event at hand */
	struct gpudx_sv text; /* trimmed, entities replaced; cut at GPUDX_XML_TEXT */

	enum gpudx_xml_state state;
	unsigned depth;	  /* of open elements */
	unsigned closing; /* elements to close, because one further out was closed */
	bool leaf;	  /* nothing was opened inside the innermost one */
	bool left;	  /* its path goes before the next event */
	unsigned lost;	  /* open elements too deep to be named */
	size_t ends[GPUDX_XML_DEPTH];
	size_t path_n, text_n, tag_n;
	char path[GPUDX_XML_PATH]; /* "nvidia_smi_log/gpu/fan_speed" */
	char chars[GPUDX_XML_TEXT], tag[GPUDX_XML_TAG];
};

/* Reads on to the next event. Start with a zeroed struct; go on with the same piece until MORE. */
enum gpudx_xml_kind gpudx_xml_next(struct gpudx_xml *x, struct gpudx_sv *piece);

/* Where the event stands; valid until the next call. */
struct gpudx_sv gpudx_xml_path(const struct gpudx_xml *x);

/* The value of an attribute of the element that was just opened; .p NULL when it has none. */
struct gpudx_sv gpudx_xml_attr(const struct gpudx_xml *x, const char *name);

/* True when something is open: an element, a tag, a comment. */
bool gpudx_xml_inside(const struct gpudx_xml *x);

#endif
