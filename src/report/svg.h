/* gnuplot's SVG as part of a page: only drawing elements with checked attributes come through,
 * colours become those of the page (so that it works in light and dark), placeholders become text,
 * and what browsers do not need is left out. */
#ifndef GPUDX_SVG_H
#define GPUDX_SVG_H

#include "base/buf.h"

/* Colours by purpose. */
enum rep_ink {
	REP_INK_TEXT,
	REP_INK_SOFT, /* tics, secondary labels */
	REP_INK_GRID,
	REP_INK_CLOCK,
	REP_INK_POWER,
	REP_INK_TEMP,
	REP_INK_UTIL,
	REP_INK_LIMIT,	 /* limits and reference levels */
	REP_INK_LIMITED, /* shading: at the power limit */
	REP_INK_HEAT,	 /* shading: held back by heat */
	REP_INK_HELD,	 /* shading: other slowdowns */
	REP_INK_MARK,	 /* events */
	REP_INKS
};

/* The colour that a script uses for it: "#0072b2"; that of the page: "var(--clock)". */
const char *gpudx_ink(enum rep_ink ink);
const char *gpudx_ink_page(enum rep_ink ink);

/* Appends the inner elements of the SVG document, without the svg element itself. "@3@" in a text
 * becomes labels[3], escaped. False when it is not the SVG of gnuplot that we know. */
bool gpudx_svg_rewrite(struct gpudx_sv svg, const struct gpudx_sv *labels, size_t nlabels,
		       struct gpudx_buf *out);

#endif
