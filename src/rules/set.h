/* A set of rules: those in the program, those of a directory beside them, read, checked and sorted by id. */
#ifndef GPUDX_SET_H
#define GPUDX_SET_H

#include <sqlite3.h>

#include "rules/rule.h"

struct gpudx_ruleset {
	struct gpudx_arena arena; /* everything below lives here */
	struct gpudx_rule **rule; /* by id, after gpudx_ruleset_finish; broken ones as well */
	size_t n, room;
	bool beside; /* rules known by name judge too, unless another has their id */
	struct gpudx_problems problems;
};

GPUDX_CHECK enum gpudx_status gpudx_ruleset_new(struct gpudx_ruleset **out, struct gpudx_err *err);
void gpudx_ruleset_free(struct gpudx_ruleset *s);

/* ---- filling it; each rule's problems are noted, not returned ---- */

/* One rule. path must end in family/name.sql, which makes the id; both texts are copied. */
GPUDX_CHECK enum gpudx_status gpudx_ruleset_add(struct gpudx_ruleset *s, const char *path,
						struct gpudx_sv text, struct gpudx_err *err);
/* The rules in the program. background: only as ids that other rules may name. */
GPUDX_CHECK enum gpudx_status gpudx_ruleset_add_embedded(struct gpudx_ruleset *s, bool background,
							 struct gpudx_err *err);
/* A rule file, or a directory with family/name.sql inside. */
GPUDX_CHECK enum gpudx_status gpudx_ruleset_add_path(struct gpudx_ruleset *s, const char *path,
						     struct gpudx_err *err);

/* Sorts, and checks what rules say of each other: equal ids, unknown ids and circles in "explains".
 */
GPUDX_CHECK enum gpudx_status gpudx_ruleset_finish(struct gpudx_ruleset *s, struct gpudx_err *err);

/* new, add, finish: the embedded rules, and beside them those of dir, of which one with the id of an
 * embedded rule replaces it. */
GPUDX_CHECK enum gpudx_status gpudx_ruleset_load(const char *dir, struct gpudx_ruleset **out,
						 struct gpudx_err *err);

/* ---- using it ---- */

/* NULL when there is none. */
struct gpudx_rule *gpudx_ruleset_find(const struct gpudx_ruleset *s, struct gpudx_sv id);

/* "power.cap-clock-drop.drop_pct=5" changes a parameter; GPUDX_E_USAGE says what is wrong. */
GPUDX_CHECK enum gpudx_status gpudx_ruleset_set(struct gpudx_ruleset *s, const char *assignment,
						struct gpudx_err *err);

/* SHA-256 over ids and texts in order of ids: equal sets judge alike. */
void gpudx_ruleset_digest(const struct gpudx_ruleset *s, char out[GPUDX_SHA256_HEX]);

#endif
