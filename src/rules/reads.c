#include "rules/reads.h"

#include "base/glob.h"
#include "store/store.h"

struct gpudx_present {
	struct gpudx_map map; /* "event.xid", "xid.79", "table.change" */
	struct gpudx_sv *name;
	size_t n, room;
};

/* Tables are those that a rule may name and that can be empty in a whole bundle. */
#define TABLE(name) " UNION ALL SELECT 'table." name "' WHERE EXISTS (SELECT 1 FROM " name ")"

static const char present_sql[] =
	"SELECT 'event.' || kind FROM event GROUP BY kind"
	" UNION ALL SELECT 'xid.' || code FROM event WHERE kind = 'xid' GROUP BY code"
	" UNION ALL SELECT 'fact.' || key FROM fact GROUP BY key"
	" UNION ALL SELECT 'metric.' || key FROM metric GROUP BY key"
	" UNION ALL SELECT 'episode.' || kind FROM episode GROUP BY kind"
	" UNION ALL SELECT what FROM coverage WHERE what BETWEEN 'sample.' AND 'sample/'"
	" GROUP BY what" TABLE("change") TABLE("rate_test") TABLE("process_sample")
		TABLE("pci_device") TABLE("gpu_minute") TABLE("gpu_instance") TABLE("metric");

static const char *const tables[] = { "change",	    "rate_test",    "process_sample", "pci_device",
				      "gpu_minute", "gpu_instance", "metric" };

static bool add(struct gpudx_present *p, struct gpudx_arena *a, struct gpudx_sv name)
{
	struct gpudx_sv *bigger;
	bool is_new;

	if (!name.p)
		return true;
	if (p->n == p->room) {
		p->room = p->room ? p->room * 2 : 512;
		bigger = gpudx_arena_array(a, p->room, sizeof(*bigger));
		if (!bigger)
			return false;
		if (p->n)
			memcpy(bigger, p->name, p->n * sizeof(*bigger));
		p->name = bigger;
	}
	p->name[p->n] = gpudx_arena_sv(a, name);
	return p->name[p->n++].p && gpudx_map_at(&p->map, name, &is_new);
}

enum gpudx_status gpudx_present_load(sqlite3 *db, struct gpudx_arena *a, struct gpudx_present **out,
				     struct gpudx_err *err)
{
	struct gpudx_present *p = gpudx_arena_alloc(a, sizeof(*p));
	enum gpudx_status rc;
	sqlite3_stmt *st;
	bool row = true;

	if (!p)
		return gpudx_nomem(err);
	*p = (struct gpudx_present){ .map = { .arena = a } };
	rc = gpudx_db_prepare(db, present_sql, &st, err);
	if (rc)
		return rc;
	while (!(rc = gpudx_db_step(st, &row, err)) && row)
		if (!add(p, a, gpudx_col_text(st, 0))) {
			rc = gpudx_nomem(err);
			break;
		}
	sqlite3_finalize(st);
	*out = p;
	return rc;
}

static bool holds(const struct gpudx_present *p, struct gpudx_sv term)
{
	if (!sv_has(term, "*"))
		return gpudx_map_get(&p->map, term) != NULL;
	for (size_t i = 0; i < p->n; i++)
		if (gpudx_glob(term, p->name[i]))
			return true;
	return false;
}

static bool any_holds(const struct gpudx_present *p, const struct gpudx_need *need)
{
	for (unsigned i = 0; i < need->nalt; i++)
		if (holds(p, need->alt[i]))
			return true;
	return false;
}

bool gpudx_reads_some(const struct gpudx_present *p, const struct gpudx_rule *r)
{
	for (unsigned i = 0; i < r->nreads; i++)
		if (!any_holds(p, &r->reads[i]))
			return false;
	return true;
}

/* ---- checking ---- */

static bool is_code(struct gpudx_sv s)
{
	uint64_t code;

	return sv_u64(&s, &code) && !s.n;
}

static bool is_table(struct gpudx_sv s)
{
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		if (sv_is(s, tables[i]))
			return true;
	return false;
}

/* Messages have their kinds in common with "needs", which calls them by the log that shows them. */
static bool is_event(const struct gpudx_vocabulary *v, struct gpudx_sv kind)
{
	char log[128] = "log.";

	if (kind.n > sizeof(log) - 5)
		return false;
	memcpy(log + 4, kind.p, kind.n);
	return gpudx_term(v, sv_n(log, kind.n + 4)) != GPUDX_TERM_UNKNOWN;
}

static bool is_term(const struct gpudx_vocabulary *v, struct gpudx_sv term)
{
	struct gpudx_sv s = term;

	if (sv_lit(&s, "xid."))
		return is_code(s);
	if (sv_lit(&s, "event."))
		return is_event(v, s);
	if (sv_lit(&s, "table."))
		return is_table(s);
	return !sv_starts(s, "log.") && gpudx_term(v, s) != GPUDX_TERM_UNKNOWN;
}

static void check_rule(const struct gpudx_vocabulary *v, struct gpudx_ruleset *rules,
		       struct gpudx_rule *r, const struct gpudx_need *need)
{
	for (unsigned i = 0; i < need->nalt; i++)
		if (!is_term(v, need->alt[i]))
			gpudx_problem_add(&rules->problems, r, r->key_line[GPUDX_K_READS],
					  "reads: no term is called \"%.*s\"; see docs/rules.md",
					  (int)need->alt[i].n, need->alt[i].p);
}

void gpudx_reads_check(const struct gpudx_vocabulary *v, struct gpudx_ruleset *rules)
{
	for (size_t i = 0; i < rules->n; i++)
		for (unsigned k = 0; k < rules->rule[i]->nreads; k++)
			check_rule(v, rules, rules->rule[i], &rules->rule[i]->reads[k]);
}
