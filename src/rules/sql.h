/* Just enough of SQL's lexical grammar to find parameters, function calls and statement ends
 * without being fooled by strings and comments. SQLite itself judges the rest. */
#ifndef GPUDX_SQL_H
#define GPUDX_SQL_H

#include "base/sv.h"

enum gpudx_sql_kind {
	GPUDX_SQL_END,
	GPUDX_SQL_WORD, /* name or keyword */
	GPUDX_SQL_NUMBER,
	GPUDX_SQL_STRING, /* .text is what stands between the quotes */
	GPUDX_SQL_QUOTED, /* "name", [name] or `name`, with its quotes */
	GPUDX_SQL_PARAM,  /* :name, @name, $name, ?1 */
	GPUDX_SQL_PUNCT	  /* one character */
};

struct gpudx_sql_token {
	enum gpudx_sql_kind kind;
	struct gpudx_sv text;
	unsigned line;
};

/* A cursor; copy it to look ahead. Start with { text, line number of its first line }. */
struct gpudx_sql {
	struct gpudx_sv rest;
	unsigned line;
};

struct gpudx_sql_token gpudx_sql_next(struct gpudx_sql *s);

/* True for a token that is this one character, or this word in any case. */
static inline bool gpudx_sql_is(struct gpudx_sql_token t, const char *what)
{
	return (t.kind == GPUDX_SQL_WORD || t.kind == GPUDX_SQL_PUNCT) &&
	       sv_ieq(t.text, sv_str(what));
}

#endif
