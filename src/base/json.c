#include "base/json.h"

#include "base/num.h"

enum state {
	VALUE,	/* a value comes next; in an array perhaps its end */
	MEMBER, /* a key or the end of the object */
	COLON,
	AFTER, /* behind a value: a comma or the end of the container */
	STRING,
	ESCAPE,
	UNIT, /* the digits of \uXXXX */
	WORD  /* a number or literal */
};

enum { REPLACEMENT = 0xfffd };

void gpudx_json_reset(struct gpudx_json *j)
{
	memset(j, 0, offsetof(struct gpudx_json, level));
}

void gpudx_json_feed(struct gpudx_json *j, struct gpudx_sv piece, bool line_end)
{
	j->in = piece;
	j->lf = line_end;
}

bool gpudx_json_whole(const struct gpudx_json *j)
{
	return !j->error && !j->open && j->state == VALUE;
}

/* ---- the piece ---- */

static void take(struct gpudx_json *j, size_t n)
{
	j->offset += n;
	if (j->in.n)
		j->in = sv_from(j->in, n);
	else
		j->lf = false;
}

static bool fail(struct gpudx_json *j, const char *why)
{
	j->error = why;
	return false;
}

static bool token(struct gpudx_json *j, enum gpudx_json_kind kind)
{
	j->kind = kind;
	j->depth = j->open;
	return true;
}

/* ---- paths ---- */

static struct gpudx_json_level *innermost(struct gpudx_json *j)
{
	return j->open ? &j->level[j->open - 1] : NULL;
}

static void path_add(struct gpudx_json *j, const char *p, size_t n)
{
	size_t room = sizeof(j->path) - j->path_n;

	if (n > room)
		n = room;
	memcpy(j->path + j->path_n, p, n);
	j->path_n = (uint16_t)(j->path_n + n);
}

static void path_key(struct gpudx_json *j, struct gpudx_sv key)
{
	struct gpudx_json_level *l = innermost(j);

	l->index++;
	j->path_n = l->path_n;
	if (j->path_n)
		path_add(j, ".", 1);
	j->key_at = j->path_n;
	path_add(j, key.p, key.n);
	j->key_n = (uint16_t)(j->path_n - j->key_at);
}

/* A value begins; in an object its key has made the path. */
static void path_value(struct gpudx_json *j)
{
	struct gpudx_json_level *l = innermost(j);

	if (!l) {
		j->path_n = j->key_at = j->key_n = 0;
	} else if (l->array) {
		l->index++;
		j->path_n = l->path_n;
		j->key_at = l->key_at;
		j->key_n = l->key_n;
		path_add(j, "[]", 2);
	}
}

static bool open_container(struct gpudx_json *j, bool array)
{
	if (j->open == GPUDX_JSON_DEPTH)
		return fail(j, "nested too deep");
	path_value(j);
	token(j, array ? GPUDX_JSON_ARRAY : GPUDX_JSON_OBJECT);
	j->level[j->open++] = (struct gpudx_json_level){
		.path_n = j->path_n, .key_at = j->key_at, .key_n = j->key_n, .array = array
	};
	j->state = array ? VALUE : MEMBER;
	return true;
}

static void value_ends(struct gpudx_json *j)
{
	j->state = j->open ? AFTER : VALUE;
}

static bool close_container(struct gpudx_json *j, bool array)
{
	struct gpudx_json_level *l = innermost(j);

	if (!l || l->array != array)
		return fail(j, "a bracket closes what is not open");
	j->path_n = l->path_n;
	j->key_at = l->key_at;
	j->key_n = l->key_n;
	j->open--;
	value_ends(j);
	return token(j, array ? GPUDX_JSON_ARRAY_END : GPUDX_JSON_OBJECT_END);
}

/* ---- texts ---- */

static void text_add(struct gpudx_json *j, const char *p, size_t n)
{
	size_t room = sizeof(j->buf) - j->text_n;

	if (n > room) {
		n = room;
		j->cut = true;
	}
	memcpy(j->buf + j->text_n, p, n);
	j->text_n += n;
}

static void text_u32(struct gpudx_json *j, uint32_t u)
{
	char s[4];

	if (u < 0x80) {
		s[0] = (char)u;
		text_add(j, s, 1);
	} else if (u < 0x800) {
		s[0] = (char)(0xc0 | u >> 6);
		s[1] = (char)(0x80 | (u & 0x3f));
		text_add(j, s, 2);
	} else if (u < 0x10000) {
		s[0] = (char)(0xe0 | u >> 12);
		s[1] = (char)(0x80 | (u >> 6 & 0x3f));
		s[2] = (char)(0x80 | (u & 0x3f));
		text_add(j, s, 3);
	} else {
		s[0] = (char)(0xf0 | u >> 18);
		s[1] = (char)(0x80 | (u >> 12 & 0x3f));
		s[2] = (char)(0x80 | (u >> 6 & 0x3f));
		s[3] = (char)(0x80 | (u & 0x3f));
		text_add(j, s, 4);
	}
}

/* A high surrogate whose low one did not come. */
static void drop_high(struct gpudx_json *j)
{
	if (j->high)
		text_u32(j, REPLACEMENT);
	j->high = 0;
}

static void begin_text(struct gpudx_json *j, enum state state)
{
	j->state = (uint8_t)state;
	j->text_n = 0;
	j->high = 0;
	j->begun = false;
}

static bool end_string(struct gpudx_json *j)
{
	if (!j->is_key) {
		value_ends(j);
		return token(j, GPUDX_JSON_STRING);
	}
	path_key(j, j->text);
	j->state = COLON;
	return token(j, GPUDX_JSON_KEY);
}

/* Plain bytes up to a quote or a backslash. A string that stands whole in the piece is not copied.
 */
static bool read_string(struct gpudx_json *j)
{
	size_t n = 0;

	while (n < j->in.n && j->in.p[n] != '"' && j->in.p[n] != '\\')
		n++;
	if (n || !j->in.n || j->in.p[0] != '\\')
		drop_high(j);
	if (n < j->in.n && j->in.p[n] == '"' && !j->begun && !j->text_n) {
		j->cut = n > sizeof(j->buf);
		j->text = sv_first(j->in, j->cut ? sizeof(j->buf) : n);
		take(j, n + 1);
		return end_string(j);
	}
	j->begun = true;
	text_add(j, j->in.p, n);
	if (n < j->in.n && j->in.p[n] == '"') {
		j->text = sv_n(j->buf, j->text_n);
		take(j, n + 1);
		return end_string(j);
	}
	if (n < j->in.n) {
		take(j, n + 1);
		j->state = ESCAPE;
	} else if (n) {
		take(j, n);
	} else {
		text_add(j, "\n", 1);
		take(j, 1);
	}
	return false;
}

static bool read_escape(struct gpudx_json *j, char c)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	const char *at = c ? strchr(from, c) : NULL;

	if (c == 'u') {
		j->unit = 0;
		j->digits = 0;
		j->state = UNIT;
	} else if (at) {
		drop_high(j);
		text_add(j, &to[at - from], 1);
		j->state = STRING;
	} else {
		return fail(j, "unknown escape in a string");
	}
	take(j, 1);
	return false;
}

/* One UTF-16 unit is complete: pairs make a character, what has no partner or is NUL U+FFFD. */
static void unit_ends(struct gpudx_json *j)
{
	uint32_t u = j->unit;

	if (j->high && u >= 0xdc00 && u < 0xe000) {
		text_u32(j, 0x10000 + ((j->high - 0xd800) << 10) + (u - 0xdc00));
		j->high = 0;
		return;
	}
	drop_high(j);
	if (u >= 0xd800 && u < 0xdc00)
		j->high = u;
	else
		text_u32(j, !u || (u >= 0xdc00 && u < 0xe000) ? REPLACEMENT : u);
}

static bool read_unit(struct gpudx_json *j, char c)
{
	int digit = sv_hex_value(c);

	if (digit < 0)
		return fail(j, "unknown escape in a string");
	j->unit = j->unit << 4 | (uint32_t)digit;
	take(j, 1);
	if (++j->digits == 4) {
		unit_ends(j);
		j->state = STRING;
	}
	return false;
}

/* ---- numbers and literals ---- */

static bool in_word(char c)
{
	return sv_is_alpha(c) || sv_is_digit(c) || c == '-' || c == '+' || c == '.';
}

static bool end_word(struct gpudx_json *j)
{
	j->text = sv_n(j->buf, j->text_n);
	value_ends(j);
	if (sv_is(j->text, "true") || sv_is(j->text, "false") || sv_is(j->text, "null"))
		return token(j, GPUDX_JSON_LITERAL);
	if (gpudx_real(j->text, &j->num))
		return token(j, GPUDX_JSON_NUMBER);
	return fail(j, "neither a value nor a number");
}

static bool read_word(struct gpudx_json *j, char c)
{
	if (!in_word(c))
		return end_word(j);
	text_add(j, &c, 1);
	take(j, 1);
	return false;
}

/* ---- between ---- */

static bool begin_string(struct gpudx_json *j, bool key)
{
	take(j, 1);
	if (!key)
		path_value(j);
	j->is_key = key;
	begin_text(j, STRING);
	return false;
}

static bool read_value(struct gpudx_json *j, char c)
{
	if (c == '"')
		return begin_string(j, false);
	if (in_word(c)) {
		path_value(j);
		begin_text(j, WORD);
		return false;
	}
	if (c != '{' && c != '[' && c != ']')
		return fail(j, "no value where one must be");
	/* "[1, ]" is let pass, '{"a": ]' fails because no array is open. */
	if (c == ']' ? !close_container(j, true) : !open_container(j, c == '['))
		return false;
	take(j, 1);
	return true;
}

static bool read_member(struct gpudx_json *j, char c)
{
	if (c == '"')
		return begin_string(j, true);
	if (c != '}')
		return fail(j, "no key where one must be");
	take(j, 1);
	return close_container(j, false);
}

static bool read_colon(struct gpudx_json *j, char c)
{
	if (c != ':')
		return fail(j, "no colon behind a key");
	take(j, 1);
	j->state = VALUE;
	return false;
}

static bool read_after(struct gpudx_json *j, char c)
{
	if (c == ',') {
		take(j, 1);
		j->state = innermost(j)->array ? VALUE : MEMBER;
		return false;
	}
	if (c != '}' && c != ']')
		return fail(j, "no comma behind a value");
	if (!close_container(j, c == ']'))
		return false;
	take(j, 1);
	return true;
}

/* RS (0x1e) divides the documents of a JSON text sequence. */
static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\x1e';
}

/* Reads some of the piece; true when that ended a token. */
static bool step(struct gpudx_json *j)
{
	char c = j->in.n ? j->in.p[0] : '\n';

	if (j->state < STRING && is_space(c)) {
		take(j, 1);
		return false;
	}
	switch ((enum state)j->state) {
	case VALUE:
		return read_value(j, c);
	case MEMBER:
		return read_member(j, c);
	case COLON:
		return read_colon(j, c);
	case AFTER:
		return read_after(j, c);
	case STRING:
		return read_string(j);
	case ESCAPE:
		return read_escape(j, c);
	case UNIT:
		return read_unit(j, c);
	case WORD:
		return read_word(j, c);
	}
	return false;
}

bool gpudx_json_next(struct gpudx_json *j)
{
	if (j->kind != GPUDX_JSON_NONE)
		j->cut = false;
	j->kind = GPUDX_JSON_NONE;
	while (!j->error && (j->in.n || j->lf))
		if (step(j))
			return true;
	return false;
}

/* ---- asking for paths ---- */

struct gpudx_sv gpudx_json_path(const struct gpudx_json *j)
{
	return sv_n(j->path, j->path_n);
}

struct gpudx_sv gpudx_json_key(const struct gpudx_json *j)
{
	return sv_n(j->path + j->key_at, j->key_n);
}

uint32_t gpudx_json_index(const struct gpudx_json *j)
{
	return j->depth && j->level[j->depth - 1].index ? j->level[j->depth - 1].index - 1 : 0;
}

/* Does the pattern fit the steps of the path from the container at this level on? */
static bool fits(const struct gpudx_json *j, unsigned level, struct gpudx_sv pattern)
{
	bool first = true;

	for (; level < j->depth; level++, first = false) {
		size_t from = j->level[level].path_n;
		size_t to = level + 1 < j->depth ? j->level[level + 1].path_n : j->path_n;
		struct gpudx_sv step = sv_n(j->path + from, to - from);

		if (!j->level[level].array && from)
			sv_char(&step, '.');
		if (!j->level[level].array && !first && !sv_char(&pattern, '.'))
			return false;
		if (!j->level[level].array && sv_char(&pattern, '*'))
			continue;
		if (!sv_eq(sv_first(pattern, step.n), step))
			return false;
		pattern = sv_from(pattern, step.n);
	}
	return !pattern.n;
}

bool gpudx_json_at(const struct gpudx_json *j, const char *pattern)
{
	struct gpudx_sv p = sv_str(pattern);

	if (!sv_lit(&p, "**."))
		return fits(j, 0, p);
	for (unsigned level = 0; level < j->depth; level++)
		if (fits(j, level, p))
			return true;
	return false;
}

size_t gpudx_json_find(const struct gpudx_json *j, const char *const *patterns, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (gpudx_json_at(j, patterns[i]))
			return i;
	return n;
}
