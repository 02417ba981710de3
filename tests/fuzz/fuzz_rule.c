/* Any bytes as a rule file: header, lists, SQL tokens, SQLite's own parser behind the fence. */
#include "rules/judge.h"
#include "store/store.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	static struct gpudx_store *store; /* made once: it is only read */
	struct gpudx_err err = { 0 };
	struct gpudx_ruleset *rules;

	if (!store && gpudx_store_create(NULL, &store, &err))
		abort();
	if (gpudx_ruleset_new(&rules, &err) ||
	    gpudx_ruleset_add(rules, "rules/a/b.sql", sv_n((const char *)p, n), &err) ||
	    gpudx_ruleset_finish(rules, &err) ||
	    gpudx_ruleset_check(rules, gpudx_store_db(store), &err))
		abort();
	gpudx_ruleset_free(rules);
	return 0;
}
