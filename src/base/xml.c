#include "base/xml.h"

static bool is_blank(char c)
{
	return sv_is_space(c) || c == '\n' || c == '\r';
}

static bool is_name_start(char c)
{
	return sv_is_alpha(c) || c == '_' || (unsigned char)c >= 0x80;
}

static bool is_name(char c)
{
	return is_name_start(c) || sv_is_digit(c) || c == '-' || c == '.' || c == ':';
}

struct gpudx_sv gpudx_xml_path(const struct gpudx_xml *x)
{
	return sv_n(x->path, x->path_n);
}

bool gpudx_xml_inside(const struct gpudx_xml *x)
{
	return x->depth > 0 || x->lost > 0 || x->state != GPUDX_XML_IN_TEXT;
}

/* ---- texts ---- */

static void add_char(struct gpudx_xml *x, char c)
{
	if (x->text_n < GPUDX_XML_TEXT)
		x->chars[x->text_n++] = c;
}

static bool entity(struct gpudx_sv *s, uint32_t *code)
{
	static const struct {
		const char *text;
		char c;
	} named[] = { { "&amp;", '&' },
		      { "&lt;", '<' },
		      { "&gt;", '>' },
		      { "&quot;", '"' },
		      { "&apos;", '\'' } };
	struct gpudx_sv c = *s;
	uint64_t v;

	for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++) {
		if (sv_lit(s, named[i].text)) {
			*code = (uint32_t)named[i].c;
			return true;
		}
	}
	if (!sv_lit(&c, "&#"))
		return false;
	if (!(sv_char(&c, 'x') ? sv_hex(&c, 1, 6, &v) : sv_u64(&c, &v)) || !sv_char(&c, ';') ||
	    v > 0x10ffff)
		return false;
	*code = (uint32_t)v;
	*s = c;
	return true;
}

/* UTF-8 of a code point; always shorter than the reference that it replaces. */
static size_t put_utf8(char *to, uint32_t v)
{
	if (v < 0x80) {
		to[0] = (char)v;
		return 1;
	}
	if (v < 0x800) {
		to[0] = (char)(0xc0 | v >> 6);
		to[1] = (char)(0x80 | (v & 0x3f));
		return 2;
	}
	if (v < 0x10000) {
		to[0] = (char)(0xe0 | v >> 12);
		to[1] = (char)(0x80 | (v >> 6 & 0x3f));
		to[2] = (char)(0x80 | (v & 0x3f));
		return 3;
	}
	to[0] = (char)(0xf0 | v >> 18);
	to[1] = (char)(0x80 | (v >> 12 & 0x3f));
	to[2] = (char)(0x80 | (v >> 6 & 0x3f));
	to[3] = (char)(0x80 | (v & 0x3f));
	return 4;
}

/* Replaces entities in place; an '&' that is none stays. Control characters have no business here.
 */
static void finish_text(struct gpudx_xml *x)
{
	struct gpudx_sv s = sv_n(x->chars, x->text_n);
	size_t n = 0;
	uint32_t code;

	while (s.n) {
		if (s.p[0] == '&' && entity(&s, &code)) {
			if (code >= 0x20 && code != 0x7f)
				n += put_utf8(x->chars + n, code);
			continue;
		}
		x->chars[n++] = is_blank(s.p[0]) ? ' ' : s.p[0];
		s = sv_from(s, 1);
	}
	x->text = sv_trim(sv_n(x->chars, n));
	x->text_n = 0;
}

/* ---- elements ---- */

static struct gpudx_sv tag_name(struct gpudx_sv tag)
{
	size_t n = 0;

	while (n < tag.n && is_name(tag.p[n]))
		n++;
	return sv_first(tag, n);
}

static struct gpudx_sv open_name(const struct gpudx_xml *x, unsigned level)
{
	size_t from = level ? x->ends[level - 1] + 1 : 0;

	return sv_n(x->path + from, x->ends[level] - from);
}

/* Removes the innermost element, whose event was said. */
static void leave(struct gpudx_xml *x)
{
	x->left = false;
	if (!x->depth)
		return;
	x->depth--;
	x->path_n = x->depth ? x->ends[x->depth - 1] : 0;
	x->leaf = false;
}

static enum gpudx_xml_kind close_innermost(struct gpudx_xml *x)
{
	bool leaf = x->leaf;

	x->left = true;
	finish_text(x);
	return leaf ? GPUDX_XML_LEAF : GPUDX_XML_CLOSE;
}

static enum gpudx_xml_kind open_element(struct gpudx_xml *x, struct gpudx_sv name, bool empty)
{
	size_t n = x->path_n + (x->depth > 0) + name.n;

	if (x->lost || x->depth == GPUDX_XML_DEPTH || n >= GPUDX_XML_PATH) {
		x->lost += !empty;
		return GPUDX_XML_MORE;
	}
	if (x->depth)
		x->path[x->path_n++] = '/';
	memcpy(x->path + x->path_n, name.p, name.n);
	x->path_n = n;
	x->ends[x->depth++] = n;
	x->leaf = true;
	x->text_n = 0;
	x->closing = empty;
	return GPUDX_XML_OPEN;
}

/* The nearest open element of this name is closed with all inside it; none: the tag is damage. */
static void close_named(struct gpudx_xml *x, struct gpudx_sv name)
{
	if (x->lost) {
		x->lost--;
		return;
	}
	for (unsigned i = x->depth; i > 0; i--) {
		if (sv_eq(open_name(x, i - 1), name)) {
			x->closing = x->depth - i + 1;
			return;
		}
	}
}

/* A whole tag without its brackets. MORE: nothing to say. */
static enum gpudx_xml_kind take_tag(struct gpudx_xml *x)
{
	struct gpudx_sv tag = sv_n(x->tag, x->tag_n);

	if (sv_starts(tag, "?xml ") || sv_is(tag, "?xml?")) {
		x->depth = x->lost = x->closing = 0;
		x->path_n = x->text_n = 0;
		return GPUDX_XML_DOCUMENT;
	}
	if (sv_char(&tag, '/'))
		close_named(x, tag_name(tag));
	else if (tag.n && is_name_start(tag.p[0]))
		return open_element(x, tag_name(tag), tag.p[tag.n - 1] == '/');
	return GPUDX_XML_MORE;
}

struct gpudx_sv gpudx_xml_attr(const struct gpudx_xml *x, const char *name)
{
	struct gpudx_sv tag = sv_n(x->tag, x->tag_n), key, value;

	tag = sv_from(tag, tag_name(tag).n);
	while (sv_until(&tag, "=", &key)) {
		char quote = tag.n ? tag.p[0] : ' ';

		if (quote != '"' && quote != '\'')
			break;
		tag = sv_from(tag, 1);
		value = sv_first(tag, sv_index(tag, quote));
		tag = sv_from(tag, value.n + 1);
		if (sv_is(sv_trim(key), name))
			return value;
	}
	return (struct gpudx_sv){ 0 };
}

/* ---- characters ---- */

static bool tag_is(const struct gpudx_xml *x, const char *text)
{
	return x->tag_n == strlen(text) && memcmp(x->tag, text, x->tag_n) == 0;
}

/* What was held for a tag is none: it belongs to the text. */
static void tag_was_text(struct gpudx_xml *x)
{
	add_char(x, '<');
	for (size_t i = 0; i < x->tag_n; i++)
		add_char(x, x->tag[i]);
	x->tag_n = 0;
	x->state = GPUDX_XML_IN_TEXT;
}

static bool may_begin_tag(char c)
{
	return is_name_start(c) || c == '/' || c == '?' || c == '!';
}

static enum gpudx_xml_kind tag_char(struct gpudx_xml *x, char c)
{
	if (c == '>') {
		x->state = GPUDX_XML_IN_TEXT;
		return take_tag(x);
	}
	if (c == '<' || x->tag_n == GPUDX_XML_TAG || (!x->tag_n && !may_begin_tag(c))) {
		tag_was_text(x);
		if (c == '<')
			x->state = GPUDX_XML_IN_TAG;
		else
			add_char(x, c);
		return GPUDX_XML_MORE;
	}
	x->tag[x->tag_n++] = is_blank(c) ? ' ' : c;
	if (tag_is(x, "!--") || tag_is(x, "![CDATA[")) {
		x->state = x->tag[1] == '-' ? GPUDX_XML_IN_COMMENT : GPUDX_XML_IN_CDATA;
		x->tag_n = 0;
	}
	return GPUDX_XML_MORE;
}

/* Comments and CDATA end behind two equal characters and '>'; the two are held in tag. */
static void section_char(struct gpudx_xml *x, char c, char ender)
{
	bool text = x->state == GPUDX_XML_IN_CDATA;

	if (c == '>' && x->tag_n == 2) {
		x->tag_n = 0;
		x->state = GPUDX_XML_IN_TEXT;
		return;
	}
	if (c == ender && x->tag_n < 2) {
		x->tag[x->tag_n++] = c;
		return;
	}
	if (c == ender) { /* one more: the first was none of the two */
		if (text)
			add_char(x, c);
		return;
	}
	for (; x->tag_n; x->tag_n--)
		if (text)
			add_char(x, ender);
	if (text)
		add_char(x, c);
}

static enum gpudx_xml_kind any_char(struct gpudx_xml *x, char c)
{
	switch (x->state) {
	case GPUDX_XML_IN_TEXT:
		if (c == '<') {
			x->state = GPUDX_XML_IN_TAG;
			x->tag_n = 0;
		} else if (x->depth && !x->lost) {
			add_char(x, c);
		}
		return GPUDX_XML_MORE;
	case GPUDX_XML_IN_TAG:
		return tag_char(x, c);
	case GPUDX_XML_IN_COMMENT:
		section_char(x, c, '-');
		return GPUDX_XML_MORE;
	case GPUDX_XML_IN_CDATA:
		section_char(x, c, ']');
		return GPUDX_XML_MORE;
	}
	return GPUDX_XML_MORE;
}

enum gpudx_xml_kind gpudx_xml_next(struct gpudx_xml *x, struct gpudx_sv *piece)
{
	if (x->left)
		leave(x);
	while (true) {
		enum gpudx_xml_kind kind;

		if (x->closing) {
			x->closing--;
			return close_innermost(x);
		}
		if (!piece->n)
			return GPUDX_XML_MORE;
		kind = any_char(x, piece->p[0]);
		*piece = sv_from(*piece, 1);
		if (kind != GPUDX_XML_MORE)
			return kind;
	}
}
