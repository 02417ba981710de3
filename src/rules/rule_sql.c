/* What can be said of a rule's SQL from its tokens alone. */
#include "rules/rule.h"
#include "rules/sql.h"

struct checker {
	struct gpudx_rule *rule;
	struct gpudx_problems *problems;
	struct gpudx_sql_token before[2]; /* the two tokens in front, the nearer first */
};

static struct gpudx_param *find_param(struct gpudx_rule *r, struct gpudx_sv name)
{
	for (unsigned i = 0; i < r->nparams; i++)
		if (sv_eq(r->params[i].name, name))
			return &r->params[i];
	return NULL;
}

/* ":before" and ":after" are the two bundles of a comparison. */
static bool is_bundle_param(const struct gpudx_rule *r, struct gpudx_sv name)
{
	return r->scope == GPUDX_SCOPE_COMPARE && (sv_is(name, "before") || sv_is(name, "after"));
}

/* ", -10 )" behind a parameter: the number as written. */
static bool read_default(struct gpudx_sql look, struct gpudx_sv *out)
{
	struct gpudx_sql_token t = gpudx_sql_next(&look), sign = { 0 };

	if (!gpudx_sql_is(t, ","))
		return false;
	t = gpudx_sql_next(&look);
	if (gpudx_sql_is(t, "-")) {
		sign = t;
		t = gpudx_sql_next(&look);
	}
	if (t.kind != GPUDX_SQL_NUMBER)
		return false;
	*out = sign.text.p ? sv_n(sign.text.p, (size_t)(t.text.p + t.text.n - sign.text.p))
			   : t.text;
	return gpudx_sql_is(gpudx_sql_next(&look), ")");
}

static void check_param(struct checker *c, struct gpudx_sql_token t, struct gpudx_sql look)
{
	struct gpudx_sv name = sv_from(t.text, 1), value;
	struct gpudx_param *p = find_param(c->rule, name);
	int n = (int)name.n;

	if (t.text.p[0] == ':' && is_bundle_param(c->rule, name))
		return;
	if (t.text.p[0] != ':' || !gpudx_sql_is(c->before[0], "(") ||
	    !gpudx_sql_is(c->before[1], "coalesce") || !read_default(look, &value)) {
		gpudx_problem_add(c->problems, c->rule, t.line,
				  "write the parameter as coalesce(:%.*s, NUMBER), so that the "
				  "rule also runs "
				  "where nothing is bound",
				  n, name.p);
		return;
	}
	if (!p) {
		gpudx_problem_add(c->problems, c->rule, t.line,
				  "parameter :%.*s is not declared; add %.*s=%.*s to \"params\"", n,
				  name.p, n, name.p, (int)value.n, value.p);
		return;
	}
	p->used = true;
	if (!sv_eq(value, p->text))
		gpudx_problem_add(
			c->problems, c->rule, t.line,
			"coalesce(:%.*s, %.*s) but \"params\" says %.*s=%.*s; make them equal", n,
			name.p, (int)value.n, value.p, n, name.p, (int)p->text.n, p->text.p);
}

/* Output may depend on inputs only: not on the day, not on the zone of the machine. */
static void check_clock(struct checker *c, struct gpudx_sql_token t, struct gpudx_sql look)
{
	static const char *const words[] = { "now", "localtime", "utc" };
	static const char *const functions[] = { "date",      "time",	   "datetime",
						 "julianday", "unixepoch", "strftime" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]) && t.kind == GPUDX_SQL_STRING; i++)
		if (sv_ieq(t.text, sv_str(words[i])))
			gpudx_problem_add(c->problems, c->rule, t.line,
					  "'%s' depends on when and where the rule runs; use times "
					  "of the bundle",
					  words[i]);
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]) && t.kind == GPUDX_SQL_WORD;
	     i++) {
		struct gpudx_sql l = look;

		if (gpudx_sql_is(t, functions[i]) && gpudx_sql_is(gpudx_sql_next(&l), "(") &&
		    gpudx_sql_is(gpudx_sql_next(&l), ")"))
			gpudx_problem_add(
				c->problems, c->rule, t.line,
				"%s() depends on when the rule runs; use times of the bundle",
				functions[i]);
	}
}

static void check_unused(struct checker *c)
{
	for (unsigned i = 0; i < c->rule->nparams; i++)
		if (!c->rule->params[i].used)
			gpudx_problem_add(c->problems, c->rule, c->rule->key_line[GPUDX_K_PARAMS],
					  "parameter %.*s is never used; take it out of \"params\"",
					  (int)c->rule->params[i].name.n,
					  c->rule->params[i].name.p);
}

void gpudx_rule_check_sql(struct gpudx_rule *r, struct gpudx_problems *ps)
{
	struct checker c = { .rule = r, .problems = ps };
	struct gpudx_sql sql = { r->sql, r->sql_line };
	struct gpudx_sql_token t = gpudx_sql_next(&sql);
	bool ended = false;

	r->query_line = t.line;
	if (!gpudx_sql_is(t, "select") && !gpudx_sql_is(t, "with"))
		gpudx_problem_add(ps, r, t.line, "%s; a rule is one SELECT, or WITH ... SELECT",
				  t.kind == GPUDX_SQL_END ? "there is no SQL" : "this is no query");
	for (; t.kind != GPUDX_SQL_END; t = gpudx_sql_next(&sql)) {
		if (ended) {
			gpudx_problem_add(ps, r, t.line,
					  "a second statement; a rule is exactly one");
			break;
		}
		ended = gpudx_sql_is(t, ";");
		if (t.kind == GPUDX_SQL_PARAM)
			check_param(&c, t, sql);
		check_clock(&c, t, sql);
		c.before[1] = c.before[0];
		c.before[0] = t;
	}
	check_unused(&c);
}
