#include "report/layout.h"

#include "base/utf8.h"
#include "report/words.h"

enum { GAP = 2 }; /* columns before what stands at the right edge */

static void spaces(struct rep_layout *l, int n)
{
	for (; n > 0; n--)
		gpudx_buf_char(l->out, ' ');
}

static void style(struct rep_layout *l, enum rep_style s)
{
	static const char *const codes[] = { "\033[0m", "\033[1m", "\033[1;31m", "\033[1;32m",
					     "\033[2m" };

	if (l->colour)
		gpudx_buf_str(l->out, codes[s]);
}

static void end_line(struct rep_layout *l)
{
	gpudx_buf_char(l->out, '\n');
	l->lines++;
}

void gpudx_layout_blank(struct rep_layout *l)
{
	end_line(l);
}

/* What stands at the right edge, used columns being taken, then the end of the line. */
static void finish(struct rep_layout *l, int used, struct gpudx_sv right)
{
	if (right.n) {
		spaces(l, l->width - used - gpudx_word_width(right));
		style(l, REP_DIM);
		gpudx_utf8_show(l->out, right);
		style(l, REP_PLAIN);
	}
	end_line(l);
}

void gpudx_layout_line(struct rep_layout *l, int indent, enum rep_style s, struct gpudx_sv left,
		       struct gpudx_sv right)
{
	int room = l->width - indent - (right.n ? gpudx_word_width(right) + GAP : 0);
	int used = gpudx_word_width(left);

	if (room < 1)
		room = 1;
	spaces(l, indent);
	if (s != REP_PLAIN)
		style(l, s);
	gpudx_word_head(l->out, left, room);
	if (s != REP_PLAIN)
		style(l, REP_PLAIN);
	finish(l, indent + (used < room ? used : room), right);
}

/* Takes the words that fit into columns off the front of text. A word that is longer than a whole
 * line is broken. */
static struct gpudx_sv take_line(struct gpudx_sv *text, int columns)
{
	struct gpudx_sv rest = *text, line;
	size_t fit = 0, end = 0;
	int used = 0;

	while (rest.n) {
		size_t at = text->n - rest.n;

		if (rest.p[0] == ' ')
			fit = at;
		used += gpudx_word_next_width(&rest);
		if (used > columns) {
			end = fit ? fit : at;
			break;
		}
	}
	if (used <= columns)
		end = text->n;
	if (!end) /* one wide character in one column */
		end = text->n - rest.n;
	line = sv_rtrim(sv_first(*text, end));
	*text = sv_ltrim(sv_from(*text, end));
	return line;
}

/* Looks no farther than it must: texts may be long. */
static bool fits(struct gpudx_sv s, int columns)
{
	while (s.n && columns >= 0)
		columns -= gpudx_word_next_width(&s);
	return columns >= 0;
}

static void begin_line(struct rep_layout *l, int indent, const char *lead)
{
	spaces(l, indent - gpudx_word_width(sv_str(lead)));
	gpudx_buf_str(l->out, lead);
}

void gpudx_layout_text(struct rep_layout *l, int indent, const char *lead, struct gpudx_sv text,
		       struct gpudx_sv right, int most)
{
	int room = l->width - indent > 10 ? l->width - indent : 10;
	int tail = right.n ? gpudx_word_width(right) + GAP : 0;
	struct gpudx_sv line;

	text = sv_trim(text);
	if (tail > room - 10) { /* no word would fit beside it */
		gpudx_layout_text(l, indent, lead, text, sv_n(NULL, 0), most);
		finish(l, 0, right);
		return;
	}
	for (int i = 0; text.n || !i; i++, lead = "") {
		bool last = i + 1 >= most;

		line = take_line(&text, last		   ? room - tail - 1
					: fits(text, room) ? room - tail
							   : room);
		begin_line(l, indent, lead);
		gpudx_utf8_show(l->out, line);
		if (last && text.n) {
			gpudx_buf_str(l->out, "…");
			finish(l, indent + gpudx_word_width(line) + 1, right);
			return;
		}
		finish(l, indent + gpudx_word_width(line), text.n ? sv_n(NULL, 0) : right);
	}
}

void gpudx_layout_command(struct rep_layout *l, int indent, const char *lead,
			  struct gpudx_sv command)
{
	struct gpudx_sv line, rest = sv_trim(command);
	int at = indent;
	bool blank;

	for (; rest.n; lead = "") {
		line = rest;
		take_line(&rest, l->width - at - 2);
		line = sv_first(line, line.n - rest.n);
		/* Behind a blank the line may be indented; within a word it may not. */
		blank = line.n && line.p[line.n - 1] == ' ';
		begin_line(l, at, lead);
		gpudx_utf8_show(l->out, line);
		gpudx_buf_str(l->out, rest.n ? "\\" : "");
		end_line(l);
		at = blank ? indent : 0;
	}
}
