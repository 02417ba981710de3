#include "rules/rule.h"

#include "base/utf8.h"

#include <stdarg.h>
#include <stdio.h>

static const struct {
	const char *name;
	bool required;
	const char *hint; /* what to write */
} keys[GPUDX_RULE_KEYS] = {
	[GPUDX_K_ID] = { "id", true, "family.name, as folder and file are called" },
	[GPUDX_K_TITLE] = { "title", true, "what the rule finds, in one line" },
	[GPUDX_K_SCOPE] = { "scope", true, "bundle, compare or fleet" },
	[GPUDX_K_SEVERITY] = { "severity", true, "critical, error, warning or info" },
	[GPUDX_K_SYMPTOM] = { "symptom", true, "the complaint that it answers, or none" },
	[GPUDX_K_KIND] = { "kind", true, "fault, explanation or operation" },
	[GPUDX_K_POINTS] = { "points", true, "where the evidence points, or unknown" },
	[GPUDX_K_SHOWS] = { "shows", true, "effect or condition" },
	[GPUDX_K_SETTLE] = { "settle", false, "what of rules/kb/collect.tsv would settle it" },
	[GPUDX_K_NEEDS] = { "needs", true, "what must have been observable, or none" },
	[GPUDX_K_READS] = { "reads", false, "what every row is made of" },
	[GPUDX_K_PARAMS] = { "params", false, "name=number of each parameter" },
	[GPUDX_K_EXPLAINS] = { "explains", false, "ID WINDOW SCOPE; ..." },
	[GPUDX_K_SUMMARY] = { "summary", true, "the finding in one sentence with {column}" },
	[GPUDX_K_MEANING] = { "meaning", true, "what it means for the reader" },
	[GPUDX_K_ACTION] = { "action", true, "none, watch, reset_gpu, ..." },
	[GPUDX_K_REMEDY] = { "remedy", true, "what to do now" },
	[GPUDX_K_FALSEPOSITIVES] = { "falsepositives", true,
				     "innocent look-alikes, or none known" },
	[GPUDX_K_REFS] = { "refs", true, "where the claim comes from" },
};

const char *gpudx_rule_key_name(enum gpudx_rule_key key)
{
	return keys[key].name;
}

void gpudx_problem_add(struct gpudx_problems *ps, struct gpudx_rule *rule, unsigned line,
		       const char *fmt, ...)
{
	struct gpudx_problem *p;
	char text[512];
	va_list ap;

	rule->broken = true;
	if (rule->background)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	p = gpudx_arena_alloc(ps->arena, sizeof(*p));
	if (p)
		*p = (struct gpudx_problem){ rule->path, rule->id, NULL, line, NULL };
	if (!p || !(p->text = gpudx_arena_sv(ps->arena, sv_str(text)).p)) {
		ps->no_memory = true;
		return;
	}
	if (ps->last)
		ps->last->next = p;
	else
		ps->first = p;
	ps->last = p;
	ps->n++;
}

bool gpudx_rule_matches(struct gpudx_sv pattern, const char *id)
{
	if (sv_ends(pattern, ".*"))
		return strlen(id) >= pattern.n && memcmp(id, pattern.p, pattern.n - 1) == 0;
	return sv_is(pattern, id);
}

/* ---- the header ---- */

static int key_index(struct gpudx_sv name)
{
	for (int k = 0; k < GPUDX_RULE_KEYS; k++)
		if (sv_is(name, keys[k].name))
			return k;
	return -1;
}

/* A further line of a value. */
static void continue_value(struct gpudx_rule *r, struct gpudx_problems *ps, int key,
			   struct gpudx_sv more)
{
	const char *was = r->value[key];

	r->value[key] = gpudx_arena_printf(ps->arena, "%s%s%.*s", was, *was ? " " : "", (int)more.n,
					   more.p);
	if (!r->value[key]) {
		ps->no_memory = true;
		r->value[key] = "";
	}
}

/* "id: value": the key's index, or -1 with a problem. */
static int begin_value(struct gpudx_rule *r, struct gpudx_problems *ps, unsigned line,
		       struct gpudx_sv s)
{
	struct gpudx_sv name;
	int key;

	if (!sv_until(&s, ":", &name) || sv_index(name, ' ') < name.n) {
		gpudx_problem_add(
			ps, r, line,
			"not \"-- key: value\"; go on with a value by \"--\" and two or "
			"more blanks, or leave a line empty before the SQL's own comments");
		return -1;
	}
	key = key_index(name);
	if (key < 0) {
		gpudx_problem_add(ps, r, line, "no key is called \"%.*s\"; see docs/rules.md",
				  (int)name.n, name.p);
		return -1;
	}
	if (r->value[key]) {
		gpudx_problem_add(ps, r, line, "\"%s\" stands already in line %u; keep one",
				  keys[key].name, r->key_line[key]);
		return -1;
	}
	r->key_line[key] = line;
	r->value[key] = "";
	continue_value(r, ps, key, sv_trim(s));
	return key;
}

/* Reads the lines that begin with "--"; leaves the rest in .sql. */
static void read_header(struct gpudx_rule *r, struct gpudx_problems *ps)
{
	struct gpudx_sv rest = r->text, next, line;
	bool bad_key = false;
	unsigned n = 0;
	int key = -1;

	sv_lit(&rest, "\xef\xbb\xbf"); /* as some editors begin a file */
	next = rest;

	for (; sv_line(&next, &line) && sv_lit(&line, "--"); rest = next) {
		n++;
		line = sv_rtrim(line);
		if (!line.n)
			continue;
		if (sv_is_space(line.p[0]) && line.n > 1 && !sv_is_space(line.p[1])) {
			key = begin_value(r, ps, n, sv_ltrim(line));
			bad_key = key < 0;
		} else if (key >= 0 && sv_is_space(line.p[0])) {
			continue_value(r, ps, key, sv_ltrim(line));
		} else if (!bad_key) {
			gpudx_problem_add(ps, r, n,
					  "neither \"-- key: value\" nor \"--   more\" of "
					  "one; write one blank before a key");
		}
	}
	r->sql = rest;
	r->sql_line = n + 1;
}

static void check_keys(struct gpudx_rule *r, struct gpudx_problems *ps)
{
	for (int k = 0; k < GPUDX_RULE_KEYS; k++) {
		if (!r->value[k] && keys[k].required)
			gpudx_problem_add(ps, r, 1, "\"%s\" is missing; add \"-- %s: ...\" (%s)",
					  keys[k].name, keys[k].name, keys[k].hint);
		else if (r->value[k] && !*r->value[k])
			gpudx_problem_add(ps, r, r->key_line[k],
					  "\"%s\" is empty; write its value (%s)%s", keys[k].name,
					  keys[k].hint, keys[k].required ? "" : " or take it out");
	}
	if (r->value[GPUDX_K_ID] && strcmp(r->value[GPUDX_K_ID], r->id) != 0)
		gpudx_problem_add(
			ps, r, r->key_line[GPUDX_K_ID],
			"the id is \"%s\" but folder and file say \"%s\"; make them equal",
			r->value[GPUDX_K_ID], r->id);
}

static const char *read_word(struct gpudx_rule *r, struct gpudx_problems *ps,
			     enum gpudx_rule_key key, enum gpudx_words list)
{
	char choices[GPUDX_CHOICES_TEXT];
	const char *w;

	if (!r->value[key] || !*r->value[key])
		return NULL;
	w = gpudx_word(list, sv_str(r->value[key]));
	if (!w)
		gpudx_problem_add(ps, r, r->key_line[key], "%s is \"%s\"; write %s", keys[key].name,
				  r->value[key], gpudx_word_choices(list, choices));
	return w;
}

static void read_words(struct gpudx_rule *r, struct gpudx_problems *ps)
{
	const char *scope = read_word(r, ps, GPUDX_K_SCOPE, GPUDX_W_SCOPE);

	r->scope = scope ? gpudx_word_rank(GPUDX_W_SCOPE, sv_str(scope)) : GPUDX_SCOPE_BUNDLE;
	r->severity = read_word(r, ps, GPUDX_K_SEVERITY, GPUDX_W_SEVERITY);
	r->symptom = read_word(r, ps, GPUDX_K_SYMPTOM, GPUDX_W_SYMPTOM);
	r->kind = read_word(r, ps, GPUDX_K_KIND, GPUDX_W_KIND);
	r->points = read_word(r, ps, GPUDX_K_POINTS, GPUDX_W_POINTS);
	r->shows = read_word(r, ps, GPUDX_K_SHOWS, GPUDX_W_SHOWS);
	r->action = read_word(r, ps, GPUDX_K_ACTION, GPUDX_W_ACTION);
}

/* ---- lists inside values ---- */

static struct gpudx_sv value_of(const struct gpudx_rule *r, enum gpudx_rule_key key)
{
	return sv_str(r->value[key] ? r->value[key] : "");
}

/* The next blank-separated word; false at the end. */
static bool next_word(struct gpudx_sv *s, struct gpudx_sv *out)
{
	*s = sv_ltrim(*s);
	return sv_token(s, out);
}

/* Room for as many things as s has separators and one more. */
static void *list_room(struct gpudx_problems *ps, struct gpudx_sv s, char sep, size_t size)
{
	size_t n = 1;
	void *p;

	for (size_t i = 0; i < s.n; i++)
		n += s.p[i] == sep || (sep == ' ' && s.p[i] == '\t');
	p = gpudx_arena_array(ps->arena, n, size);
	if (!p)
		ps->no_memory = true;
	return p;
}

static bool is_param_name(struct gpudx_sv s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!(sv_is_digit(s.p[i]) ? i > 0
					  : s.p[i] == '_' || (sv_is_alpha(s.p[i]) &&
							      s.p[i] == sv_lower(s.p[i]))))
			return false;
	return s.n > 0 && s.n <= 40;
}

static bool is_number(struct gpudx_sv s)
{
	double d;

	return sv_decimal(&s, &d) && !s.n;
}

static bool has_param(const struct gpudx_rule *r, struct gpudx_sv name)
{
	for (unsigned i = 0; i < r->nparams; i++)
		if (sv_eq(r->params[i].name, name))
			return true;
	return false;
}

static void read_params(struct gpudx_rule *r, struct gpudx_problems *ps)
{
	struct gpudx_sv s = value_of(r, GPUDX_K_PARAMS), word, name;
	unsigned line = r->key_line[GPUDX_K_PARAMS];

	r->params = list_room(ps, s, ' ', sizeof(*r->params));
	while (r->params && next_word(&s, &word)) {
		struct gpudx_sv all = word;

		if (!sv_until(&word, "=", &name) || !is_param_name(name) || !is_number(word))
			gpudx_problem_add(ps, r, line,
					  "params: \"%.*s\" is not name=number with a name of a-z, "
					  "0-9 and _",
					  (int)all.n, all.p);
		else if (has_param(r, name))
			gpudx_problem_add(ps, r, line, "params: %.*s stands twice; keep one",
					  (int)name.n, name.p);
		else
			r->params[r->nparams++] =
				(struct gpudx_param){ .name = name, .text = word };
	}
}

/* "sample.x|fact.y" */
static bool read_need(struct gpudx_problems *ps, struct gpudx_sv word, struct gpudx_need *out)
{
	struct gpudx_sv rest = word, alt;

	*out = (struct gpudx_need){ .text = word,
				    .alt = list_room(ps, word, '|', sizeof(*out->alt)) };
	while (out->alt && sv_cell(&rest, '|', &alt)) {
		if (!alt.n)
			return false;
		out->alt[out->nalt++] = alt;
	}
	return out->nalt && word.p[word.n - 1] != '|';
}

/* A list of terms; returns how many. */
static unsigned read_terms(struct gpudx_rule *r, struct gpudx_problems *ps, enum gpudx_rule_key key,
			   struct gpudx_need **out)
{
	struct gpudx_sv s = value_of(r, key), word;
	struct gpudx_need *terms = list_room(ps, s, ' ', sizeof(*terms));
	unsigned n = 0;

	*out = terms;
	while (terms && next_word(&s, &word)) {
		if (read_need(ps, word, &terms[n]))
			n++;
		else
			gpudx_problem_add(ps, r, r->key_line[key],
					  "%s: \"%.*s\" has an empty alternative; write "
					  "TERM or TERM|TERM without blanks",
					  keys[key].name, (int)word.n, word.p);
	}
	return n;
}

static void read_needs(struct gpudx_rule *r, struct gpudx_problems *ps)
{
	if (!sv_is(value_of(r, GPUDX_K_NEEDS), "none"))
		r->nneeds = read_terms(r, ps, GPUDX_K_NEEDS, &r->needs);
	r->nreads = read_terms(r, ps, GPUDX_K_READS, &r->reads);
}

/* "overlap", "any", "+120" */
static bool read_window(struct gpudx_sv s, struct gpudx_explains *e)
{
	uint64_t seconds;

	if (sv_is(s, "overlap")) {
		e->window = GPUDX_WINDOW_OVERLAP;
	} else if (sv_is(s, "any")) {
		e->window = GPUDX_WINDOW_ANY;
	} else {
		e->window = GPUDX_WINDOW_AFTER;
		if (!sv_char(&s, '+') || !sv_u64(&s, &seconds) || s.n || seconds > 1000000000)
			return false;
		e->within_us = (int64_t)seconds * 1000000;
	}
	return true;
}

static void read_explain(struct gpudx_rule *r, struct gpudx_problems *ps, struct gpudx_sv item)
{
	struct gpudx_explains *e = &r->explains[r->nexplains];
	struct gpudx_sv s = item, window, scope, rest;

	if (!next_word(&s, &e->id) || !next_word(&s, &window) || !next_word(&s, &scope) ||
	    next_word(&s, &rest) || !read_window(window, e) ||
	    (!sv_is(scope, "gpu") && !sv_is(scope, "host"))) {
		gpudx_problem_add(ps, r, r->key_line[GPUDX_K_EXPLAINS],
				  "explains: \"%.*s\" is not ID WINDOW SCOPE; WINDOW is overlap, "
				  "+SECONDS or any, SCOPE is gpu or host",
				  (int)item.n, item.p);
		return;
	}
	e->same_gpu = sv_is(scope, "gpu");
	r->nexplains++;
}

static void read_explains(struct gpudx_rule *r, struct gpudx_problems *ps)
{
	struct gpudx_sv s = value_of(r, GPUDX_K_EXPLAINS), item;

	r->explains = list_room(ps, s, ';', sizeof(*r->explains));
	while (r->explains && sv_cell(&s, ';', &item))
		if (!sv_blank(item))
			read_explain(r, ps, sv_trim(item));
}

void gpudx_rule_parse(struct gpudx_rule *r, struct gpudx_problems *ps)
{
	struct gpudx_sha256 sha;

	gpudx_sha256_init(&sha);
	gpudx_sha256_add(&sha, r->text.p, r->text.n);
	gpudx_sha256_hex(&sha, r->digest);
	if (r->text.n > GPUDX_RULE_BYTES || sv_index(r->text, '\0') < r->text.n ||
	    !gpudx_utf8_valid(r->text)) {
		gpudx_problem_add(ps, r, 1, "not a rule file: text in UTF-8 of at most 64 KiB");
		return;
	}
	read_header(r, ps);
	check_keys(r, ps);
	read_words(r, ps);
	read_params(r, ps);
	read_needs(r, ps);
	read_explains(r, ps);
	gpudx_rule_check_sql(r, ps);
}
