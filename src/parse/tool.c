#include "parse/tool.h"

#include <math.h>

static struct gpudx_sv base_name(struct gpudx_sv path)
{
	for (size_t i = path.n; i > 0; i--)
		if (path.p[i - 1] == '/')
			return sv_from(path, i);
	return path;
}

static bool is_joint(char c)
{
	return c == '_' || c == '-' || c == '.' || c == ' ' || c == '+';
}

/* Where needle stands in name, between ends or joints; name.n when it does not. A blank of the
 * needle stands for any joint. */
static size_t find_joined(struct gpudx_sv name, const char *needle)
{
	size_t n = strlen(needle);

	for (size_t at = 0; at + n <= name.n; at++) {
		size_t i = 0;

		if (at && !is_joint(name.p[at - 1]))
			continue;
		while (i < n && (needle[i] == ' ' ? is_joint(name.p[at + i])
						  : sv_lower(name.p[at + i]) == needle[i]))
			i++;
		if (i == n && (at + n == name.n || is_joint(name.p[at + n])))
			return at;
	}
	return name.n;
}

bool tool_is(const char *program, struct gpudx_sv command, struct gpudx_sv path)
{
	struct gpudx_sv word = sv_first(command, sv_index(command, ' '));

	if (sv_is(base_name(word), program))
		return true;
	path = base_name(path);
	return find_joined(path, program) < path.n;
}

/* All words of the command in this order, others between them. */
static bool has_words(struct gpudx_sv command, struct gpudx_sv words)
{
	struct gpudx_sv word, got;

	while (sv_spaces(&words) && sv_token(&words, &word)) {
		do {
			sv_spaces(&command);
			if (!sv_token(&command, &got))
				return false;
		} while (!sv_eq(base_name(got), word));
	}
	return true;
}

bool tool_says(const char *words, struct gpudx_sv command, struct gpudx_sv path)
{
	if (has_words(command, sv_str(words)))
		return true;
	path = base_name(path);
	return find_joined(path, words) < path.n;
}

bool tool_shows(const char *file, struct gpudx_sv command, struct gpudx_sv path)
{
	return sv_ends(sv_rtrim(command), file) || sv_ends(path, file) ||
	       (sv_eq(path, sv_str(file + 1)));
}

bool tool_split(struct gpudx_sv line, struct gpudx_sv *label, struct gpudx_sv *value)
{
	size_t at = sv_index(line, ':');

	*label = sv_trim(sv_first(line, at));
	*value = sv_trim(sv_from(line, at + 1));
	return at < line.n && label->n;
}

const struct tool_label *tool_label(const struct tool_label *table, size_t n, struct gpudx_sv label)
{
	for (size_t i = 0; i < n; i++)
		if (sv_ieq(label, sv_str(table[i].text)))
			return &table[i];
	return NULL;
}

bool tool_is_nothing(struct gpudx_sv v)
{
	static const char *const words[] = { "",
					     "-",
					     "n/a",
					     "na",
					     "none",
					     "unknown",
					     "not specified",
					     "not available",
					     "not present",
					     "not provided",
					     "unspecified",
					     "default string",
					     "to be filled by o.e.m.",
					     "system product name",
					     "system manufacturer",
					     "system serial number",
					     "<out of spec>",
					     "<bad index>" };

	v = sv_trim(v);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (sv_ieq(v, sv_str(words[i])))
			return true;
	return false;
}

bool tool_mib(struct gpudx_sv v, char unit, double *mib)
{
	static const char units[] = "bkmgtp";
	const char *at;
	double n;

	v = sv_trim(v);
	if (!sv_decimal(&v, &n) || n < 0)
		return false;
	sv_spaces(&v);
	if (v.n)
		unit = sv_lower(v.p[0]);
	at = unit ? strchr(units, unit) : NULL;
	if (!at)
		return false;
	*mib = ldexp(n, 10 * ((int)(at - units) - 2));
	return true;
}

static void fact_num(struct gpudx_ctx *c, const struct tool_label *l, const char *layer,
		     struct gpudx_sv v)
{
	double n;

	if (l->as == TOOL_MIB ? tool_mib(v, 'b', &n) : sv_decimal(&v, &n))
		gpudx_fact_num(c, 0, l->key, layer, n);
}

void tool_fact(struct gpudx_ctx *c, const struct tool_label *l, const char *layer,
	       struct gpudx_sv v)
{
	char word[64];

	v = sv_trim(v);
	if (l->as == TOOL_DROP || tool_is_nothing(v))
		return;
	if (l->as == TOOL_TEXT) {
		gpudx_fact(c, 0, l->key, layer, v);
	} else if (l->as == TOOL_WORD) {
		v = sv_first(v, sizeof(word));
		for (size_t i = 0; i < v.n; i++)
			word[i] = sv_lower(v.p[i]);
		gpudx_fact(c, 0, l->key, layer, sv_n(word, v.n));
	} else {
		fact_num(c, l, layer, v);
	}
}
