/* gpudx-judge BUNDLE DB [--complaint WORD] [--rules DIR] [--set RULE.PARAM=N] [--tz ZONE]
 * [--at TIME] [--site FILE]: the whole pipeline, and what came out of it as lines that tests/rules/run.sh compares:
 *   verdict KIND RULE|- REASON
 *   finding RULE SEVERITY STATE PATH:LINE...
 *   outcome RULE fired|clean|not_checkable [MISSING...]     (over all hosts and GPUs)
 *   error RULE MESSAGE */
#include "gpudx/gpudx.h"

#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

enum { SETS_MAX = 16 };

static int die(const struct gpudx_err *err)
{
	for (int i = 0; i < err->depth; i++)
		fprintf(stderr, "%s%s\n", i ? "  " : "gpudx-judge: ", err->text[i]);
	return 1;
}

/* One row becomes one line; columns are separated by blanks, NULL ones left out. */
static int print_row(void *arg, int n, char **value, char **name)
{
	(void)arg;
	(void)name;
	for (int i = 0; i < n; i++)
		if (value[i])
			printf("%s%s", i ? " " : "", value[i]);
	putchar('\n');
	return 0;
}

static const char *const queries[] = {
	"SELECT 'verdict', v.kind, coalesce(f.rule, '-'), v.reason FROM verdict v"
	" LEFT JOIN finding f ON f.id = v.finding_id",

	"SELECT 'finding', f.rule, f.severity, f.state, (SELECT group_concat(place, ' ') FROM"
	"  (SELECT s.path || ':' || (l.line_id & 4294967295) AS place FROM finding_line l"
	"   JOIN source s ON s.id = l.line_id >> 32 WHERE l.finding_id = f.id AND l.role = 'shows'"
	"   ORDER BY l.line_id)) FROM finding f ORDER BY f.id",

	"SELECT 'outcome', rule, CASE WHEN max(outcome = 'fired') THEN 'fired'"
	" WHEN max(outcome = 'not_checkable') THEN 'not_checkable' ELSE 'clean' END,"
	" group_concat(DISTINCT missing) FROM rule_run WHERE outcome <> 'error'"
	" GROUP BY rule ORDER BY rule",

	"SELECT 'error', rule, message FROM rule_run WHERE outcome = 'error' ORDER BY rule",
};

static int print_results(const char *path)
{
	sqlite3 *db;
	int rc = sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL);

	for (size_t i = 0; i < sizeof(queries) / sizeof(queries[0]) && rc == SQLITE_OK; i++)
		rc = sqlite3_exec(db, queries[i], print_row, NULL, NULL);
	if (rc != SQLITE_OK)
		fprintf(stderr, "gpudx-judge: %s: %s\n", path, sqlite3_errmsg(db));
	sqlite3_close(db);
	return rc != SQLITE_OK;
}

/* The values of options, which outlive the reading of them. */
struct values {
	const char *sets[SETS_MAX], *tz, *site;
	int64_t at_us;
};

static int read_options(char **argv, struct gpudx_judge_options *o, struct values *v)
{
	struct gpudx_err err = { 0 };

	for (; argv[0] && argv[1]; argv += 2) {
		if (strcmp(argv[0], "--complaint") == 0)
			o->complaint = argv[1];
		else if (strcmp(argv[0], "--rules") == 0)
			o->rules_dir = argv[1];
		else if (strcmp(argv[0], "--tz") == 0)
			v->tz = argv[1];
		else if (strcmp(argv[0], "--site") == 0)
			v->site = argv[1];
		else if (strcmp(argv[0], "--set") == 0 && o->nsets < SETS_MAX)
			v->sets[o->nsets++] = argv[1];
		else if (strcmp(argv[0], "--at") == 0 &&
			 !gpudx_parse_time(argv[1], &v->at_us, &err))
			o->at_us = &v->at_us;
		else
			return 2;
	}
	return argv[0] ? 2 : 0;
}

int main(int argc, char **argv)
{
	struct values values = { .tz = NULL };
	struct gpudx_judge_options options = { .sets = values.sets };
	struct gpudx_judged judged;
	struct gpudx_err err = { 0 };
	struct gpudx_case *c;
	struct gpudx_read in;
	int rc;

	if (argc < 3 || read_options(argv + 3, &options, &values)) {
		fputs("usage: gpudx-judge BUNDLE DB [--complaint WORD] [--rules DIR] [--set SET]"
		      " [--tz ZONE] [--at TIME] [--site FILE]\n",
		      stderr);
		return 2;
	}
	unlink(argv[2]);
	if (gpudx_case_create(argv[2], &c, &err))
		return die(&err);
	rc = (values.site && gpudx_case_site(c, values.site, &err)) ||
	     gpudx_case_read(c, argv[1], &in, &err) ||
	     gpudx_case_derive(c, in.bundle, values.tz, &err) ||
	     gpudx_case_judge(c, in.bundle, &options, &judged, &err);
	gpudx_case_close(c);
	return rc ? die(&err) : print_results(argv[2]);
}
