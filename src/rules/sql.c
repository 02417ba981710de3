#include "rules/sql.h"

static bool is_word(char c)
{
	return sv_is_alpha(c) || sv_is_digit(c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static void skip(struct gpudx_sql *s, size_t n)
{
	for (size_t i = 0; i < n && i < s->rest.n; i++)
		s->line += s->rest.p[i] == '\n';
	s->rest = sv_from(s->rest, n);
}

static void skip_blanks_and_comments(struct gpudx_sql *s)
{
	size_t n, end;

	for (;;) {
		for (n = 0; n < s->rest.n && is_blank(s->rest.p[n]);)
			n++;
		if (!n && sv_starts(s->rest, "--"))
			n = sv_index(s->rest, '\n');
		if (!n && sv_starts(s->rest, "/*")) {
			end = sv_find(sv_from(s->rest, 2), "*/");
			n = end + 4;
		}
		if (!n)
			return;
		skip(s, n);
	}
}

/* Length of a quoted thing, its quotes included; a doubled quote stands for itself. */
static size_t quoted_length(struct gpudx_sv s, char close)
{
	size_t i = 1;

	for (; i < s.n; i++) {
		if (s.p[i] != close)
			continue;
		if (close == ']' || i + 1 == s.n || s.p[i + 1] != close)
			return i + 1;
		i++;
	}
	return s.n;
}

static size_t word_length(struct gpudx_sv s, size_t from)
{
	while (from < s.n && is_word(s.p[from]))
		from++;
	return from;
}

/* Digits, fraction and exponent; "0x1f" comes out right, too. */
static size_t number_length(struct gpudx_sv s)
{
	size_t i = 0;

	while (i < s.n && (is_word(s.p[i]) || s.p[i] == '.' ||
			   ((s.p[i] == '+' || s.p[i] == '-') && sv_lower(s.p[i - 1]) == 'e')))
		i++;
	return i;
}

static struct gpudx_sql_token token(struct gpudx_sv s)
{
	char c = s.p[0];
	size_t n;

	if (c == '\'') {
		n = quoted_length(s, c);
		return (struct gpudx_sql_token){ GPUDX_SQL_STRING, sv_first(s, n), 0 };
	}
	if (c == '"' || c == '`' || c == '[') {
		n = quoted_length(s, c == '[' ? ']' : c);
		return (struct gpudx_sql_token){ GPUDX_SQL_QUOTED, sv_first(s, n), 0 };
	}
	if (sv_is_digit(c) || (c == '.' && s.n > 1 && sv_is_digit(s.p[1])))
		return (struct gpudx_sql_token){ GPUDX_SQL_NUMBER, sv_first(s, number_length(s)),
						 0 };
	if (c == ':' || c == '@' || c == '$' || c == '?')
		return (struct gpudx_sql_token){ GPUDX_SQL_PARAM, sv_first(s, word_length(s, 1)),
						 0 };
	if (is_word(c))
		return (struct gpudx_sql_token){ GPUDX_SQL_WORD, sv_first(s, word_length(s, 0)),
						 0 };
	return (struct gpudx_sql_token){ GPUDX_SQL_PUNCT, sv_first(s, 1), 0 };
}

struct gpudx_sql_token gpudx_sql_next(struct gpudx_sql *s)
{
	struct gpudx_sql_token t = { GPUDX_SQL_END, { s->rest.p, 0 }, s->line };

	skip_blanks_and_comments(s);
	if (!s->rest.n) {
		t.line = s->line;
		return t;
	}
	t = token(s->rest);
	t.line = s->line;
	skip(s, t.text.n);
	if (t.kind == GPUDX_SQL_STRING) {
		size_t quotes = t.text.n > 1 ? 2 : 1;

		t.text = sv_n(t.text.p + 1, t.text.n - quotes);
	}
	return t;
}
