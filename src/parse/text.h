/* Small things that several parsers do with text. */
#ifndef GPUDX_PARSE_TEXT_H
#define GPUDX_PARSE_TEXT_H

#include "base/stamp.h"
#include "base/sv.h"

/* Keeps s beyond its line, cut to what fits, as C string. */
static inline void text_keep(char *out, size_t size, struct gpudx_sv s)
{
	s = sv_first(s, size - 1);
	if (s.n)
		memcpy(out, s.p, s.n);
	out[s.n] = 0;
}

/* What stands behind the last slash. */
static inline struct gpudx_sv text_base_name(struct gpudx_sv path)
{
	for (size_t i = path.n; i > 0; i--)
		if (path.p[i - 1] == '/')
			return sv_from(path, i);
	return path;
}

/* Cuts off what stands behind the last divider: "a-b-c" is "a-b" and "c". False when one of both
 * would be empty. */
static inline bool text_cut_last(struct gpudx_sv *s, char divider, struct gpudx_sv *field)
{
	size_t i = s->n;

	while (i > 0 && s->p[i - 1] != divider)
		i--;
	if (i < 2 || i == s->n)
		return false;
	*field = sv_from(*s, i);
	*s = sv_first(*s, i - 1);
	return true;
}

/* Whether a line may be the border of what a collector put behind: a bar, a title, a fence, a
 * prompt. Who takes free text must leave these lines, or nobody else is asked for the rest of the
 * file. */
static inline bool text_may_be_border(struct gpudx_sv s)
{
	static const char *const marks[] = { "____", "####", "====", "----", "*** ", "```",
					     "~~~",  "$ ",   "# ",   "+ ",   ">>> " };
	size_t at;

	s = sv_trim(s);
	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
		if (sv_starts(s, marks[i]))
			return true;
	at = sv_index(s, '@');
	return at < s.n && at < 64 &&
	       (sv_has(s, "$ ") || sv_has(s, "# ") || sv_ends(s, "$") || sv_ends(s, "#"));
}

/* True when s begins with one of n words. */
static inline bool text_starts_any(struct gpudx_sv s, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (sv_starts(s, words[i]))
			return true;
	return false;
}

/* The next cell of a row of CSV, quotes off; quotes inside stay doubled. False when nothing is left. */
bool text_csv_cell(struct gpudx_sv *s, char separator, struct gpudx_sv *cell);

/* A time of twelve hours with what stands behind it: " PM" adds half a day. */
int64_t text_meridiem(struct gpudx_sv behind, int64_t day_us);

#endif
