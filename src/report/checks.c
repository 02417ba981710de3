/* What the rules said of each GPU and host: what is excluded, what could not be told, and what
 * would have to be collected for that. */
#include "report/model.h"

#include "base/glob.h"
#include "report/select.h"

#include <stdlib.h>

/* The symptom that the reader has in mind. */
static struct gpudx_sv focus(const struct rep_model *m)
{
	if (m->complaint.n)
		return m->complaint;
	return m->first ? m->first->symptom : sv_n(NULL, 0);
}

static enum gpudx_status load_rules(struct rep_model *m, struct gpudx_err *err)
{
	struct rep_select q = gpudx_select(
		m->db,
		"SELECT id, title, symptom, severity FROM rule WHERE scope = 'bundle' UNION ALL"
		/* Too broken for a header of its own. */
		" SELECT DISTINCT rule, rule, 'none', 'info' FROM rule_run WHERE outcome = 'error'"
		" AND rule NOT IN (SELECT id FROM rule) ORDER BY id",
		0, err);
	struct gpudx_sv symptom = focus(m);

	while (gpudx_select_next(&q)) {
		struct rep_rule *r = gpudx_report_grow(m->arena, m->rules, m->nrules, sizeof(*r));

		if (!r)
			return gpudx_select_end(&q), gpudx_nomem(err);
		m->rules = r;
		r += m->nrules++;
		r->id = gpudx_select_text(&q, m->arena, 0);
		r->title = gpudx_select_text(&q, m->arena, 1);
		r->symptom = gpudx_select_text(&q, m->arena, 2);
		r->severity = gpudx_select_text(&q, m->arena, 3);
		r->outcome = REP_OUTCOMES; /* did not run */
		r->relevant = symptom.n && sv_eq(r->symptom, symptom);
	}
	return gpudx_select_end(&q);
}

static int by_id(const void *key, const void *rule)
{
	const struct gpudx_sv *a = key, *b = &((const struct rep_rule *)rule)->id;
	size_t n = a->n < b->n ? a->n : b->n;
	int c = n ? memcmp(a->p, b->p, n) : 0;

	return c ? c : (a->n > b->n) - (a->n < b->n);
}

static enum rep_outcome outcome_of(struct gpudx_sv text)
{
	if (sv_is(text, "fired"))
		return REP_FIRED;
	if (sv_is(text, "clean"))
		return REP_CLEAN;
	return sv_is(text, "not_checkable") ? REP_LACKING : REP_FAILED;
}

/* ---- the knowledge of commands ---- */

struct known {
	struct gpudx_sv what, command, note;
};

struct collector {
	struct rep_model *m;
	struct known *known;
	size_t n;
	bool no_memory;
};

static enum gpudx_status load_known(struct collector *c, struct gpudx_err *err)
{
	struct gpudx_arena *arena = c->m->arena;
	struct rep_select q;

	if (!gpudx_db_has(c->m->db, "kb_collect", NULL))
		return GPUDX_OK;
	q = gpudx_select(c->m->db, "SELECT what, command, note FROM kb_collect", 0, err);
	while (gpudx_select_next(&q)) {
		struct known *k = gpudx_report_grow(arena, c->known, c->n, sizeof(*k));

		if (!k)
			return gpudx_select_end(&q), gpudx_nomem(err);
		c->known = k;
		k[c->n++] = (struct known){ gpudx_select_text(&q, arena, 0),
					    gpudx_select_text(&q, arena, 1),
					    gpudx_select_text(&q, arena, 2) };
	}
	return gpudx_select_end(&q);
}

/* The row with the longest pattern that fits; NULL nobody knows. */
static const struct known *lookup(const struct collector *c, struct gpudx_sv what)
{
	const struct known *best = NULL;

	for (size_t i = 0; i < c->n; i++)
		if ((!best || c->known[i].what.n > best->what.n) && c->known[i].command.n &&
		    gpudx_glob(c->known[i].what, what))
			best = &c->known[i];
	return best;
}

/* A term of needs may have alternatives, of which the first with a command counts. */
static const struct known *lookup_term(const struct collector *c, struct gpudx_sv term)
{
	const struct known *k = NULL;
	struct gpudx_sv one;

	while (!k && sv_cell(&term, '|', &one))
		k = lookup(c, one);
	return k;
}

/* The command for the first of some terms; .p NULL unknown. */
static struct gpudx_sv command_for(const struct collector *c, struct gpudx_sv terms)
{
	struct gpudx_sv term;
	const struct known *k = NULL;

	while (!k && sv_cell(&terms, ' ', &term))
		k = term.n ? lookup_term(c, term) : NULL;
	return k ? k->command : sv_n(NULL, 0);
}

static struct rep_collect *collect_at(struct collector *c, struct gpudx_sv command,
				      struct gpudx_sv what)
{
	struct rep_model *m = c->m;
	struct rep_collect *all;

	for (size_t i = 0; i < m->ncollects; i++) {
		struct rep_collect *x = &m->collects[i];

		if (command.p ? sv_eq(x->command, command) : !x->command.p && sv_eq(x->what, what))
			return x;
	}
	all = gpudx_report_grow(m->arena, m->collects, m->ncollects, sizeof(*all));
	if (!all) {
		c->no_memory = true;
		return NULL;
	}
	m->collects = all;
	all[m->ncollects] = (struct rep_collect){ .command = command, .what = what };
	return &all[m->ncollects++];
}

static void add_rule(struct collector *c, struct rep_collect *x, const struct rep_rule *rule)
{
	const struct rep_rule **more;

	/* Checks come sorted by rule, so the last one is the only one that can be the same. */
	if (x->nrules && x->rules[x->nrules - 1] == rule)
		return;
	more = gpudx_report_grow(c->m->arena, x->rules, x->nrules, sizeof(const struct rep_rule *));
	if (!more) {
		c->no_memory = true;
		return;
	}
	x->rules = more;
	x->rules[x->nrules++] = rule;
	x->relevant |= rule->relevant;
}

static void collect_for(struct collector *c, struct rep_check *check)
{
	struct gpudx_sv rest = check->missing, term;

	while (sv_cell(&rest, ' ', &term)) {
		const struct known *k;
		struct rep_collect *x;

		if (!term.n)
			continue;
		k = lookup_term(c, term);
		x = collect_at(c, k ? k->command : sv_n(NULL, 0), term);
		if (!x)
			return;
		if (k) {
			x->note = k->note;
			check->collect = check->collect.p ? check->collect : k->command;
		}
		add_rule(c, x, check->rule);
	}
}

/* ---- the checks ---- */

static void note_outcome(struct rep_rule *rule, struct rep_model *m, struct rep_select *q)
{
	enum rep_outcome outcome = outcome_of(gpudx_col_text(q->st, 3));

	if (rule->outcome == REP_OUTCOMES || outcome > rule->outcome)
		rule->outcome = outcome;
	if (outcome == REP_FAILED && !rule->message.p)
		rule->message = gpudx_select_text(q, m->arena, 5);
}

/* The same few texts stand in all checks of a rule: *last is the one before. */
static struct gpudx_sv shared_text(struct rep_select *q, struct rep_model *m, int i,
				   struct gpudx_sv *last)
{
	struct gpudx_sv text = gpudx_col_text(q->st, i);

	if (!last->p || !text.p || !sv_eq(text, *last))
		*last = gpudx_select_text(q, m->arena, i);
	return *last;
}

/* Lists the check, or when there are too many only counts it. False: no memory. */
static bool list_check(struct rep_model *m, struct rep_check *check, struct rep_select *q)
{
	struct rep_check *all;

	m->counts.checks++;
	if (m->nchecks == REP_CHECKS)
		return true;
	check->host = gpudx_model_host(m, gpudx_col_int(q->st, 1, -1));
	check->gpu = gpudx_model_gpu(m, gpudx_col_int(q->st, 2, -1));
	all = gpudx_report_grow(m->arena, m->checks, m->nchecks, sizeof(*all));
	if (!all)
		return false;
	m->checks = all;
	all[m->nchecks++] = *check;
	return true;
}

static enum gpudx_status load_runs(struct collector *c, struct gpudx_err *err)
{
	struct rep_model *m = c->m;
	struct gpudx_sv outcome = { NULL, 0 }, missing = { NULL, 0 };
	struct rep_select q =
		gpudx_select(m->db,
			     "SELECT rule, host_id, gpu_id, outcome, missing, message "
			     "FROM rule_run WHERE host_id IS NULL"
			     " OR host_id IN (SELECT id FROM host WHERE bundle_id = "
			     "?1) ORDER BY rule, host_id, gpu_id, rowid",
			     m->bundle, err);

	while (gpudx_select_next(&q)) {
		struct gpudx_sv id = gpudx_col_text(q.st, 0);
		struct rep_rule *rule =
			m->nrules ? bsearch(&id, m->rules, m->nrules, sizeof(*rule), by_id) : NULL;
		struct rep_check check = { .rule = rule };

		if (!rule)
			continue;
		note_outcome(rule, m, &q);
		check.outcome = shared_text(&q, m, 3, &outcome);
		check.missing = shared_text(&q, m, 4, &missing);
		if (sv_is(check.outcome, "not_checkable"))
			collect_for(c, &check);
		if (!list_check(m, &check, &q))
			return gpudx_select_end(&q), gpudx_nomem(err);
	}
	return gpudx_select_end(&q);
}

/* Relevant first, then what makes most rules speak; what has no command comes last. */
static int by_use(const void *a, const void *b)
{
	const struct rep_collect *x = a, *y = b;
	size_t n = x->what.n < y->what.n ? x->what.n : y->what.n;
	int c;

	if (!x->command.p != !y->command.p)
		return x->command.p ? -1 : 1;
	if (x->relevant != y->relevant)
		return x->relevant ? -1 : 1;
	if (x->nrules != y->nrules)
		return x->nrules > y->nrules ? -1 : 1;
	c = memcmp(x->what.p, y->what.p, n);
	return c ? c : (x->what.n > y->what.n) - (x->what.n < y->what.n);
}

enum gpudx_status gpudx_model_checks(struct rep_model *m, struct gpudx_err *err)
{
	struct collector c = { .m = m };
	enum gpudx_status rc = load_rules(m, err);

	if (!rc)
		rc = load_known(&c, err);
	if (!rc)
		rc = load_runs(&c, err);
	if (rc)
		return rc;
	for (size_t i = 0; i < m->nrules; i++)
		if (m->rules[i].outcome < REP_OUTCOMES)
			m->counts.rules[m->rules[i].outcome]++;
	if (m->ncollects)
		qsort(m->collects, m->ncollects, sizeof(*m->collects), by_use);
	for (size_t i = 0; i < m->nfindings; i++) {
		struct rep_finding *f = &m->findings[i];
		const struct known *k = f->settle.n ? lookup_term(&c, f->settle) : NULL;

		if (k)
			f->settle_command = k->command;
	}
	for (size_t i = 0; i < m->nanswers; i++)
		m->answers[i].collect = command_for(&c, m->answers[i].missing);
	return c.no_memory ? gpudx_nomem(err) : GPUDX_OK;
}
