#include "rules/set.h"

#include "base/embed.h"
#include "rules/explain.h"

#include <stdlib.h>

enum { SET_BYTES = 64 << 20 };

enum gpudx_status gpudx_ruleset_new(struct gpudx_ruleset **out, struct gpudx_err *err)
{
	struct gpudx_ruleset *s = calloc(1, sizeof(*s));

	if (!s)
		return gpudx_nomem(err);
	s->arena.limit = SET_BYTES;
	s->problems.arena = &s->arena;
	*out = s;
	return GPUDX_OK;
}

void gpudx_ruleset_free(struct gpudx_ruleset *s)
{
	if (s)
		gpudx_arena_free(&s->arena);
	free(s);
}

static enum gpudx_status no_memory(struct gpudx_err *err)
{
	gpudx_fail(err, GPUDX_E_NOMEM, "out of memory for rules");
	return GPUDX_E_NOMEM;
}

/* "x/power/cap-clock-drop.sql" -> "power.cap-clock-drop"; NULL when out of memory. */
static const char *id_of_path(struct gpudx_arena *a, const char *path)
{
	struct gpudx_sv s = sv_str(path), name, family;
	size_t i = s.n, j;

	while (i && s.p[i - 1] != '/')
		i--;
	name = sv_from(s, i);
	if (sv_ends(name, ".sql"))
		name.n -= 4;
	if (i)
		i--;
	for (j = i; j && s.p[j - 1] != '/';)
		j--;
	family = sv_n(s.p + j, i - j);
	return gpudx_arena_printf(a, "%.*s.%.*s", (int)family.n, family.p, (int)name.n, name.p);
}

static bool is_id(struct gpudx_sv s)
{
	unsigned dots = 0;

	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		dots += c == '.';
		if (c != '.' && c != '-' && !sv_is_digit(c) &&
		    (!sv_is_alpha(c) || c != sv_lower(c)))
			return false;
	}
	return dots == 1 && s.n > 2 && s.p[0] != '.' && s.p[s.n - 1] != '.';
}

static bool push(struct gpudx_ruleset *s, struct gpudx_rule *r)
{
	struct gpudx_rule **bigger;

	if (s->n == s->room) {
		s->room = s->room ? s->room * 2 : 64;
		bigger = gpudx_arena_array(&s->arena, s->room, sizeof(*bigger));
		if (!bigger)
			return false;
		if (s->n)
			memcpy(bigger, s->rule, s->n * sizeof(*bigger));
		s->rule = bigger;
	}
	s->rule[s->n++] = r;
	return true;
}

static enum gpudx_status add(struct gpudx_ruleset *s, const char *path, struct gpudx_sv text,
			     bool background, struct gpudx_err *err)
{
	struct gpudx_rule *r = gpudx_arena_alloc(&s->arena, sizeof(*r));

	if (!r)
		return no_memory(err);
	r->path = gpudx_arena_sv(&s->arena, sv_str(path)).p;
	r->id = id_of_path(&s->arena, path);
	r->text = gpudx_arena_sv(&s->arena, text);
	r->background = background;
	if (!r->path || !r->id || !r->text.p || !push(s, r))
		return no_memory(err);
	if (!is_id(sv_str(r->id)))
		gpudx_problem_add(&s->problems, r, 1,
				  "a rule lives at FAMILY/NAME.sql, both of a-z, 0-9 and -");
	gpudx_rule_parse(r, &s->problems);
	return s->problems.no_memory ? no_memory(err) : GPUDX_OK;
}

enum gpudx_status gpudx_ruleset_add(struct gpudx_ruleset *s, const char *path, struct gpudx_sv text,
				    struct gpudx_err *err)
{
	return add(s, path, text, false, err);
}

enum gpudx_status gpudx_ruleset_add_embedded(struct gpudx_ruleset *s, bool background,
					     struct gpudx_err *err)
{
	enum gpudx_status rc = GPUDX_OK;

	for (size_t i = 0; i < gpudx_embedded_count && !rc; i++) {
		const struct gpudx_embedded *e = &gpudx_embedded[i];
		struct gpudx_sv path = sv_str(e->path);

		if (sv_starts(path, "rules/") && sv_ends(path, ".sql"))
			rc = add(s, e->path, sv_n(e->text, e->n), background, err);
	}
	return rc;
}

/* ---- finish ---- */

static int compare_rules(const void *a, const void *b)
{
	const struct gpudx_rule *x = *(struct gpudx_rule *const *)a;
	const struct gpudx_rule *y = *(struct gpudx_rule *const *)b;
	int c = strcmp(x->id, y->id);

	if (c)
		return c;
	return x->background != y->background ? x->background - y->background
					      : strcmp(x->path, y->path);
}

/* Of rules with the same id the first stays; one that is only known does no harm. */
static void drop_doubles(struct gpudx_ruleset *s)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->n; i++) {
		if (!kept || strcmp(s->rule[kept - 1]->id, s->rule[i]->id) != 0) {
			s->rule[kept++] = s->rule[i];
			continue;
		}
		gpudx_problem_add(&s->problems, s->rule[i], 1,
				  "rule %s stands already in %s; give one another name",
				  s->rule[i]->id, s->rule[kept - 1]->path);
	}
	s->n = kept;
}

/* Those that were only known by name have served when names are checked: they go, or judge too. */
static void settle_background(struct gpudx_ruleset *s)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->n; i++) {
		struct gpudx_rule *r = s->rule[i];

		if (s->beside)
			r->background = false;
		if (!r->background)
			s->rule[kept++] = r;
	}
	s->n = kept;
}

enum gpudx_status gpudx_ruleset_finish(struct gpudx_ruleset *s, struct gpudx_err *err)
{
	if (s->n)
		qsort(s->rule, s->n, sizeof(*s->rule), compare_rules);
	drop_doubles(s);
	gpudx_explains_check(s);
	settle_background(s);
	return s->problems.no_memory ? no_memory(err) : GPUDX_OK;
}

enum gpudx_status gpudx_ruleset_load(const char *dir, struct gpudx_ruleset **out,
				     struct gpudx_err *err)
{
	enum gpudx_status rc;

	*out = NULL;
	rc = gpudx_ruleset_new(out, err);
	if (!rc)
		rc = gpudx_ruleset_add_embedded(*out, dir != NULL, err);
	if (!rc)
		(*out)->beside = true;
	if (!rc && dir)
		rc = gpudx_ruleset_add_path(*out, dir, err);
	if (!rc)
		rc = gpudx_ruleset_finish(*out, err);
	if (!rc)
		return GPUDX_OK;
	gpudx_ruleset_free(*out);
	*out = NULL;
	return gpudx_while(err, "while loading the rules");
}

/* ---- use ---- */

static int compare_id(const void *key, const void *item)
{
	const struct gpudx_sv *id = key;
	const struct gpudx_rule *r = *(struct gpudx_rule *const *)item;
	struct gpudx_sv other = sv_str(r->id);
	size_t n = id->n < other.n ? id->n : other.n;
	int c = n ? memcmp(id->p, other.p, n) : 0;

	return c ? c : (id->n > other.n) - (id->n < other.n);
}

struct gpudx_rule *gpudx_ruleset_find(const struct gpudx_ruleset *s, struct gpudx_sv id)
{
	struct gpudx_rule **r =
		s->n ? bsearch(&id, s->rule, s->n, sizeof(*s->rule), compare_id) : NULL;

	return r ? *r : NULL;
}

/* A number as --set and "params" write it. */
static bool read_number(struct gpudx_sv s, struct gpudx_val *out)
{
	struct gpudx_sv digits = s;
	uint64_t u;
	double d;

	if (!sv_decimal(&s, &d) || s.n)
		return false;
	*out = (struct gpudx_val){ .type = GPUDX_V_REAL, .d = d };
	sv_char(&digits, '-');
	if (sv_u64(&digits, &u) && !digits.n && u <= INT64_C(1) << 53)
		*out = (struct gpudx_val){ .type = GPUDX_V_INT, .i = (int64_t)d };
	return true;
}

static enum gpudx_status set_param(struct gpudx_rule *r, struct gpudx_sv name,
				   struct gpudx_sv value, struct gpudx_err *err)
{
	for (unsigned i = 0; i < r->nparams; i++) {
		if (!sv_eq(r->params[i].name, name))
			continue;
		if (read_number(value, &r->params[i].set))
			return GPUDX_OK;
		return gpudx_fail(err, GPUDX_E_USAGE, "%s.%.*s: \"%.*s\" is no number", r->id,
				  (int)name.n, name.p, (int)value.n, value.p);
	}
	return gpudx_fail(err, GPUDX_E_USAGE, "rule %s has no parameter %.*s; it has: %s", r->id,
			  (int)name.n, name.p, r->nparams ? r->value[GPUDX_K_PARAMS] : "none");
}

enum gpudx_status gpudx_ruleset_set(struct gpudx_ruleset *s, const char *assignment,
				    struct gpudx_err *err)
{
	struct gpudx_sv value = sv_str(assignment), name, id;
	struct gpudx_rule *r;
	size_t dot;

	if (!sv_until(&value, "=", &name))
		return gpudx_fail(err, GPUDX_E_USAGE, "\"%s\" is not RULE.PARAMETER=NUMBER",
				  assignment);
	for (dot = name.n; dot && name.p[dot - 1] != '.';)
		dot--;
	id = sv_first(name, dot ? dot - 1 : 0);
	r = gpudx_ruleset_find(s, id);
	if (!r)
		return gpudx_fail(err, GPUDX_E_USAGE, "%s: no rule is called \"%.*s\"", assignment,
				  (int)id.n, id.p);
	return set_param(r, sv_from(name, dot), value, err);
}

void gpudx_ruleset_digest(const struct gpudx_ruleset *s, char out[GPUDX_SHA256_HEX])
{
	struct gpudx_sha256 sha;

	gpudx_sha256_init(&sha);
	for (size_t i = 0; i < s->n; i++) {
		gpudx_sha256_add(&sha, s->rule[i]->id, strlen(s->rule[i]->id) + 1);
		gpudx_sha256_add(&sha, s->rule[i]->digest, sizeof(s->rule[i]->digest));
	}
	gpudx_sha256_hex(&sha, out);
}
