#include "rules/explain.h"

#include "base/buf.h"

/* Depth-first search over rules: grey ones are on the path from where the search began. */
enum colour { WHITE, GREY, BLACK };

struct search {
	struct gpudx_ruleset *set;
	enum colour *colour;
	size_t *path;
	size_t depth;
};

static bool is_known(const struct gpudx_ruleset *s, struct gpudx_sv id)
{
	for (size_t i = 0; i < s->n; i++)
		if (gpudx_rule_matches(id, s->rule[i]->id))
			return true;
	return false;
}

static void check_ids(struct gpudx_ruleset *s, struct gpudx_rule *r)
{
	for (unsigned i = 0; i < r->nexplains; i++) {
		struct gpudx_sv id = r->explains[i].id;

		if (sv_is(id, r->id))
			gpudx_problem_add(&s->problems, r, r->key_line[GPUDX_K_EXPLAINS],
					  "explains: %s explains itself; take it out", r->id);
		else if (!is_known(s, id))
			gpudx_problem_add(&s->problems, r, r->key_line[GPUDX_K_EXPLAINS],
					  "explains: no rule is called \"%.*s\"", (int)id.n, id.p);
	}
}

static bool explains(const struct gpudx_rule *cause, const struct gpudx_rule *effect)
{
	for (unsigned i = 0; cause != effect && i < cause->nexplains; i++)
		if (gpudx_rule_matches(cause->explains[i].id, effect->id))
			return true;
	return false;
}

/* "a explains b explains a", told of the last rule of the circle that is judged here. */
static void report_circle(struct search *s, size_t again)
{
	struct gpudx_buf b = { .max = 400 };
	struct gpudx_rule *told = s->set->rule[s->path[s->depth - 1]];
	size_t from = s->depth - 1;

	while (s->path[from] != again)
		from--;
	for (size_t i = from; i < s->depth; i++) {
		struct gpudx_rule *r = s->set->rule[s->path[i]];

		if (!r->background)
			told = r;
		gpudx_buf_printf(&b, "%s explains ", r->id);
	}
	gpudx_buf_str(&b, s->set->rule[again]->id);
	gpudx_problem_add(&s->set->problems, told, told->key_line[GPUDX_K_EXPLAINS],
			  "explains goes in a circle: %s; take one of them out",
			  b.failed ? "over many rules" : b.p);
	gpudx_buf_free(&b);
}

static void visit(struct search *s, size_t at)
{
	s->colour[at] = GREY;
	s->path[s->depth++] = at;
	for (size_t i = 0; i < s->set->n; i++) {
		if (!explains(s->set->rule[at], s->set->rule[i]))
			continue;
		if (s->colour[i] == GREY)
			report_circle(s, i);
		else if (s->colour[i] == WHITE)
			visit(s, i);
	}
	s->depth--;
	s->colour[at] = BLACK;
}

void gpudx_explains_check(struct gpudx_ruleset *s)
{
	struct search search = { .set = s };

	for (size_t i = 0; i < s->n; i++)
		check_ids(s, s->rule[i]);
	search.colour = gpudx_arena_array(&s->arena, s->n + 1, sizeof(*search.colour));
	search.path = gpudx_arena_array(&s->arena, s->n + 1, sizeof(*search.path));
	if (!search.colour || !search.path) {
		s->problems.no_memory = true;
		return;
	}
	for (size_t i = 0; i < s->n; i++)
		if (search.colour[i] == WHITE)
			visit(&search, i);
}
