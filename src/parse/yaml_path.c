#include "parse/yaml_path.h"

void yaml_set(struct yaml_text *t, struct gpudx_sv s)
{
	t->n = 0;
	yaml_append(t, s);
}

void yaml_append(struct yaml_text *t, struct gpudx_sv s)
{
	size_t n = s.n < sizeof(t->p) - t->n ? s.n : sizeof(t->p) - t->n;

	if (n)
		memcpy(t->p + t->n, s.p, n);
	t->n += n;
}

struct gpudx_sv yaml_sv(const struct yaml_text *t)
{
	return sv_n(t->p, t->n);
}

/* ---- lines ---- */

static bool is_item(struct gpudx_sv s)
{
	return sv_starts(s, "- ") || sv_is(s, "-");
}

/* "key: value" and "key:"; keys may be quoted. */
static bool split(struct gpudx_sv s, struct gpudx_sv *key, struct gpudx_sv *value)
{
	char quote = s.n && (s.p[0] == '"' || s.p[0] == '\'') ? s.p[0] : 0;
	size_t at;

	if (quote) {
		s = sv_from(s, 1);
		at = sv_index(s, quote);
		*key = sv_first(s, at);
		s = sv_from(s, at < s.n ? at + 1 : at);
		*value = sv_trim(sv_from(s, 1));
		return key->n && (sv_starts(s, ": ") || sv_is(s, ":"));
	}
	at = sv_find(s, ": ");
	if (at == s.n && sv_ends(s, ":"))
		at--;
	*key = sv_first(s, at);
	*value = at < s.n ? sv_trim(sv_from(s, at + 1)) : sv_n(NULL, 0);
	return at && at < s.n;
}

static bool goes_on(const struct yaml_path *y)
{
	return y->open && y->indent > y->key_indent;
}

bool yaml_feed(struct yaml_path *y, struct gpudx_sv line)
{
	struct gpudx_sv key, value;

	y->line = sv_ltrim(line);
	y->indent = line.n - y->line.n;
	y->line = sv_rtrim(y->line);
	y->ends = !y->indent && (sv_is(y->line, "---") || sv_is(y->line, "..."));
	if (y->ends || goes_on(y) || is_item(y->line) || split(y->line, &key, &value))
		return true;
	if (y->line.n && y->line.p[0] != '#')
		return false;
	y->line.n = 0;
	return true;
}

void yaml_end(struct yaml_path *y)
{
	y->line.n = 0;
	y->ends = true;
}

/* ---- paths ---- */

static void push(struct yaml_path *y, bool item, struct gpudx_sv name)
{
	size_t dot = !item && y->path_n;

	if (y->depth == YAML_DEPTH)
		return;
	y->level[y->depth++] =
		(struct yaml_level){ .indent = y->indent, .path_n = y->path_n, .item = item };
	if (y->path_n + dot + name.n > sizeof(y->path))
		return;
	if (dot)
		y->path[y->path_n++] = '.';
	memcpy(y->path + y->path_n, name.p, name.n);
	y->path_n += name.n;
}

/* Whether the innermost level is over, where the line at hand begins. */
static bool is_over(const struct yaml_path *y)
{
	const struct yaml_level *top = y->depth ? &y->level[y->depth - 1] : NULL;

	if (!top || y->ends)
		return top != NULL;
	return top->indent > y->indent ||
	       (top->indent == y->indent && (top->item || !is_item(y->line)));
}

static bool edge(struct yaml_path *y, size_t path_n)
{
	y->at = sv_n(y->path, path_n);
	y->is_edge = true;
	return true;
}

/* The scalar so far, without its quotes. */
static bool scalar(struct yaml_path *y)
{
	struct gpudx_sv v = yaml_sv(&y->scalar);

	if (v.n && (v.p[0] == '"' || v.p[0] == '\'')) {
		if (v.n > 1 && v.p[v.n - 1] == v.p[0])
			v.n--;
		v = sv_from(v, 1);
	}
	y->line.n = 0;
	y->at = sv_n(y->path, y->path_n);
	y->value = v;
	y->is_edge = false;
	return true;
}

static bool begin_scalar(struct yaml_path *y, struct gpudx_sv value)
{
	y->key_indent = y->indent;
	y->open = value.n > 0;
	y->line.n = 0;
	if (!y->open)
		return false;
	yaml_set(&y->scalar, value);
	return scalar(y);
}

static void begin_item(struct yaml_path *y)
{
	struct gpudx_sv rest = sv_ltrim(sv_from(y->line, 1));

	push(y, true, SV_LIT("[]"));
	y->indent += y->line.n - rest.n;
	y->line = rest;
	y->open = false;
}

bool yaml_next(struct yaml_path *y)
{
	struct gpudx_sv key, value;

	while (y->ends || y->line.n) {
		if (!y->ends && goes_on(y)) {
			yaml_append(&y->scalar, SV_LIT(" "));
			yaml_append(&y->scalar, y->line);
			return scalar(y);
		}
		if (is_over(y)) {
			const struct yaml_level top = y->level[--y->depth];
			size_t n = y->path_n;

			y->path_n = top.path_n;
			if (top.item)
				return edge(y, n);
		} else if (y->ends) {
			y->ends = y->open = false;
			y->line.n = 0;
			return edge(y, 0);
		} else if (is_item(y->line)) {
			begin_item(y);
		} else if (split(y->line, &key, &value)) {
			push(y, false, key);
			return begin_scalar(y, value);
		} else {
			return begin_scalar(y, y->line);
		}
	}
	return false;
}
