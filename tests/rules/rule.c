/* gpudx-rule DB FAMILY/NAME.sql...: the raw rows of rules as the engine sees them, each headed by
 * "== PATH", in the form of "sqlite3 -header -list -separator '|' -nullvalue NULL". With
 * --check [PATH...] it checks rules as "gpudx rules check" does. */
#include "gpudx/gpudx.h"

#include "rules/book.h"
#include "rules/reads.h"
#include "rules/statement.h"

#include <string.h>

static int die(const struct gpudx_err *err)
{
	fprintf(stderr, "gpudx-rule: %s\n", err->text[0]);
	return 1;
}

static void print_rows(struct gpudx_statement *s)
{
	bool first = true;

	while (sqlite3_step(s->st) == SQLITE_ROW) {
		for (int i = 0; i < s->n && first; i++)
			printf("%s%s", i ? "|" : "", sqlite3_column_name(s->st, i));
		if (first)
			putchar('\n');
		first = false;
		for (int i = 0; i < s->n; i++) {
			const char *v = (const char *)sqlite3_column_text(s->st, i);

			printf("%s%s", i ? "|" : "", v ? v : "NULL");
		}
		putchar('\n');
	}
}

/* As in judging, a rule that has nothing to read is not run: the shell, which runs it, finds a row
 * where that was wrong. */
static bool run(sqlite3 *db, const struct gpudx_present *present, struct gpudx_ruleset *rules,
		struct gpudx_rule *r)
{
	struct gpudx_statement st;
	struct gpudx_fence fence = { 0 };
	char why[GPUDX_FENCE_TEXT];
	bool ok;
	int rc;

	printf("== %s\n", r->path);
	if (!gpudx_reads_some(present, r))
		return true;
	gpudx_fence_up(&fence, db, &gpudx_fence_default);
	ok = gpudx_statement_open(&st, &fence, r, 0, 0, &rules->problems);
	if (ok) {
		print_rows(&st);
		rc = sqlite3_reset(st.st); /* the result of the last step */
		if (rc != SQLITE_OK)
			printf("%s\n", gpudx_fence_why(&fence, rc, why));
		ok = rc == SQLITE_OK;
		gpudx_statement_close(&st);
	}
	gpudx_fence_down(&fence);
	return ok;
}

static int check(char **paths, int n)
{
	struct gpudx_err err = { 0 };
	size_t problems;

	if (gpudx_rules_check((const char *const *)paths, (size_t)n, stdout, &problems, &err))
		return die(&err);
	return problems > 0;
}

int main(int argc, char **argv)
{
	struct gpudx_err err = { 0 };
	struct gpudx_ruleset *rules;
	struct gpudx_present *present;
	bool ok = true;
	sqlite3 *db;

	if (argc > 1 && strcmp(argv[1], "--check") == 0)
		return check(argv + 2, argc - 2);
	if (argc < 3) {
		fputs("usage: gpudx-rule DB RULE... | --check [PATH...]\n", stderr);
		return 2;
	}
	if (gpudx_ruleset_new(&rules, &err))
		return die(&err);
	for (int i = 2; i < argc; i++)
		if (gpudx_ruleset_add_path(rules, argv[i], &err))
			return die(&err);
	if (sqlite3_open_v2(argv[1], &db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK) {
		fprintf(stderr, "gpudx-rule: %s: %s\n", argv[1], sqlite3_errmsg(db));
		return 1;
	}
	if (gpudx_present_load(db, &rules->arena, &present, &err))
		return die(&err);
	for (size_t i = 0; i < rules->n; i++)
		ok = run(db, present, rules, rules->rule[i]) && ok;
	gpudx_book_problems(rules, stdout);
	sqlite3_close(db);
	gpudx_ruleset_free(rules);
	return !ok;
}
