/* The public interface to rules as texts: no case is needed. */
#include "gpudx/gpudx.h"

#include "rules/book.h"
#include "rules/judge.h"
#include "store/store.h"

enum gpudx_status gpudx_rules_list(const char *dir, FILE *out, struct gpudx_err *err)
{
	struct gpudx_ruleset *rules;
	enum gpudx_status rc = gpudx_ruleset_load(dir, &rules, err);

	if (rc)
		return rc;
	gpudx_book_list(rules, out);
	gpudx_ruleset_free(rules);
	return GPUDX_OK;
}

enum gpudx_status gpudx_rules_show(const char *dir, const char *id, FILE *out,
				   struct gpudx_err *err)
{
	struct gpudx_ruleset *rules;
	const struct gpudx_rule *r;
	enum gpudx_status rc = gpudx_ruleset_load(dir, &rules, err);

	if (rc)
		return rc;
	r = gpudx_ruleset_find(rules, sv_str(id));
	if (r)
		gpudx_book_show(r, out);
	else
		rc = gpudx_fail(err, GPUDX_E_USAGE, "no rule is called \"%s\"", id);
	gpudx_ruleset_free(rules);
	return rc;
}

/* What is given, and the rules in the program as names that it may mention. */
static enum gpudx_status load_for_check(const char *const *paths, size_t n,
					struct gpudx_ruleset *rules, struct gpudx_err *err)
{
	enum gpudx_status rc = gpudx_ruleset_add_embedded(rules, n > 0, err);

	for (size_t i = 0; i < n && !rc; i++)
		rc = gpudx_ruleset_add_path(rules, paths[i], err);
	return rc ? rc : gpudx_ruleset_finish(rules, err);
}

enum gpudx_status gpudx_rules_check(const char *const *paths, size_t n, FILE *out, size_t *problems,
				    struct gpudx_err *err)
{
	struct gpudx_ruleset *rules;
	struct gpudx_store *store = NULL;
	enum gpudx_status rc = gpudx_ruleset_new(&rules, err);

	if (rc)
		return rc;
	rc = load_for_check(paths, n, rules, err);
	if (!rc)
		rc = gpudx_store_create(NULL, &store, err);
	if (!rc)
		rc = gpudx_ruleset_check(rules, gpudx_store_db(store), err);
	if (!rc) {
		gpudx_book_problems(rules, out);
		*problems = rules->problems.n;
	}
	gpudx_store_close(store);
	gpudx_ruleset_free(rules);
	return rc;
}
