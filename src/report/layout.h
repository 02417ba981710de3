/* Lines of text within a width, counted. Nothing of it contains control characters but the escape
 * sequences of colours, which are only written when asked for. */
#ifndef GPUDX_LAYOUT_H
#define GPUDX_LAYOUT_H

#include "base/buf.h"

/* Styles mark what the words say already. */
enum rep_style { REP_PLAIN, REP_BOLD, REP_BAD, REP_GOOD, REP_DIM };

struct rep_layout {
	struct gpudx_buf *out;
	int width; /* columns */
	bool colour;
	int lines; /* written so far */
};

/* One line: left at an indent, right at the right edge. What does not fit of left is cut. */
void gpudx_layout_line(struct rep_layout *l, int indent, enum rep_style style, struct gpudx_sv left,
		       struct gpudx_sv right);

/* Text over as many lines as it needs, at most `most`; then it ends in "…". lead stands before the
 * first line, in the margin of indent columns. right stands at the end of the last line, for which
 * a word or more goes there if it must. */
void gpudx_layout_text(struct rep_layout *l, int indent, const char *lead, struct gpudx_sv text,
		       struct gpudx_sv right, int most);

/* A command that may be pasted into a shell as it stands: where it is too long for a line it goes
 * on behind a backslash. lead as above. */
void gpudx_layout_command(struct rep_layout *l, int indent, const char *lead,
			  struct gpudx_sv command);

void gpudx_layout_blank(struct rep_layout *l);

#endif
