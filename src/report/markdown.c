#include "report/markdown.h"

#include "base/utf8.h"

/* Characters that mean something wherever they stand. */
static bool special(uint32_t u)
{
	return u < 0x80 && u && strchr("\\`*[]<>|~&$", (int)u) != NULL;
}

static bool is_alnum(uint32_t u)
{
	return u >= 0x80 || (u < 0x80 && (sv_is_digit((char)u) || sv_is_alpha((char)u)));
}

/* The character that s begins with; 0 at the end. */
static uint32_t ahead(struct gpudx_sv s)
{
	return s.n ? gpudx_utf8_next(&s) : 0;
}

/* What would begin a list, heading, quotation or underline where a text is the first of its line.
 * "1." and "1)" begin a list by what stands behind the number. */
static void put_start(struct gpudx_buf *b, struct gpudx_sv *s)
{
	size_t digits = 0;

	*s = sv_ltrim(*s);
	if (s->n && strchr("#+-=", s->p[0])) {
		gpudx_buf_char(b, '\\');
		return;
	}
	while (digits < s->n && sv_is_digit(s->p[digits]))
		digits++;
	if (!digits || digits == s->n || (s->p[digits] != '.' && s->p[digits] != ')'))
		return;
	gpudx_buf_sv(b, sv_first(*s, digits));
	gpudx_buf_char(b, '\\');
	*s = sv_from(*s, digits);
}

/* Whether a link, a mention or a reference would begin between u and what follows: "@name",
 * "#12", "!12", "%name", "://", "www.". */
static bool comes_alive(uint32_t before, uint32_t u, struct gpudx_sv rest)
{
	if (u == '@' || u == '#' || u == '!' || u == '%')
		return is_alnum(ahead(rest)) || ahead(rest) == '"';
	if (u == ':')
		return sv_starts(rest, "//");
	return (u == 'w' || u == 'W') && (before == 'w' || before == 'W') && ahead(rest) == '.';
}

void gpudx_md_text(struct gpudx_buf *b, struct gpudx_sv s)
{
	uint32_t before = 0;

	put_start(b, &s);
	while (s.n) {
		uint32_t u = gpudx_utf8_next(&s);

		if (u == '\t' || u == '\n' || u == '\r')
			u = ' ';
		if (gpudx_utf8_unprintable(u))
			u = 0xfffd;
		/* Inside of words an underscore is no emphasis. */
		if (special(u) || (u == '_' && !(is_alnum(before) && is_alnum(ahead(s)))))
			gpudx_buf_char(b, '\\');
		gpudx_buf_u32(b, u);
		if (comes_alive(before, u, s))
			gpudx_buf_u32(b, 0x200b);
		before = u;
	}
}

void gpudx_md_str(struct gpudx_buf *b, const char *s)
{
	gpudx_md_text(b, sv_str(s));
}

/* The longest run of back-quotes. */
static unsigned longest_run(struct gpudx_sv s)
{
	unsigned run = 0, most = 0;

	for (size_t i = 0; i < s.n; i++) {
		run = s.p[i] == '`' ? run + 1 : 0;
		most = run > most ? run : most;
	}
	return most;
}

static void put_fence(struct gpudx_buf *b, unsigned n)
{
	while (n--)
		gpudx_buf_char(b, '`');
}

void gpudx_md_code(struct gpudx_buf *b, struct gpudx_sv s, bool cell)
{
	unsigned fence = longest_run(s) + 1;

	if (!s.n)
		return;
	put_fence(b, fence);
	/* A blank beside a back-quote belongs to the fence; so it does where the text has its own. */
	if (fence > 1 || sv_is_space(s.p[0]) || sv_is_space(s.p[s.n - 1]))
		gpudx_buf_char(b, ' ');
	while (s.n) {
		uint32_t u = gpudx_utf8_next(&s);

		if (u == '\t' || u == '\n' || u == '\r')
			u = ' ';
		if (u == '|' && cell)
			gpudx_buf_char(b, '\\');
		gpudx_buf_u32(b, gpudx_utf8_unprintable(u) ? 0xfffd : u);
	}
	if (fence > 1 || b->p[b->n - 1] == ' ')
		gpudx_buf_char(b, ' ');
	put_fence(b, fence);
}

void gpudx_md_block(struct gpudx_buf *b, const char *language, struct gpudx_sv text)
{
	unsigned fence = longest_run(text) + 1;
	struct gpudx_sv line;

	fence = fence < 3 ? 3 : fence;
	put_fence(b, fence);
	gpudx_buf_printf(b, "%s\n", language);
	while (sv_line(&text, &line)) {
		gpudx_utf8_show(b, line);
		gpudx_buf_char(b, '\n');
	}
	put_fence(b, fence);
	gpudx_buf_str(b, "\n");
}
