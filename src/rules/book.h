/* Rules as text, for people: gpudx rules list | show | check. */
#ifndef GPUDX_BOOK_H
#define GPUDX_BOOK_H

#include <stdio.h>

#include "rules/set.h"

/* One line a rule: id, severity, kind, title. Broken ones say so. */
void gpudx_book_list(const struct gpudx_ruleset *s, FILE *out);

/* Prose first, then what it needs, and the SQL as it stands. */
void gpudx_book_show(const struct gpudx_rule *r, FILE *out);

/* "PATH:LINE: what is wrong", one line a problem. */
void gpudx_book_problems(const struct gpudx_ruleset *s, FILE *out);

#endif
