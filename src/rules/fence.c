#include "rules/fence.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

const struct gpudx_fence_limits gpudx_fence_default = {
	.steps = 200000000,
	.heap = 64 << 20,
	.rows = 10000,
	.length = 1000000,
};

/* How often SQLite asks whether to go on. */
enum { STEPS_A_CALL = 10000 };

/* Pure functions only, by the names that SQLite gives them, sorted. Not here, among others: what
 * reads files or loads code, random numbers, the clock of the day (rule_sql.c sees to the date
 * functions), and zeroblob, which is memory for nothing. Mathematics beyond this is not in every
 * build of SQLite; derive does it. */
static const char *const allowed[] = {
	"->",
	"->>",
	"abs",
	"avg",
	"char",
	"coalesce",
	"count",
	"cume_dist",
	"date",
	"datetime",
	"dense_rank",
	"first_value",
	"format",
	"glob",
	"group_concat",
	"hex",
	"ifnull",
	"iif",
	"instr",
	"json",
	"json_array",
	"json_array_length",
	"json_extract",
	"json_group_array",
	"json_group_object",
	"json_object",
	"json_quote",
	"json_type",
	"json_valid",
	"julianday",
	"lag",
	"last_value",
	"lead",
	"length",
	"like",
	"likelihood",
	"likely",
	"lower",
	"ltrim",
	"max",
	"min",
	"nth_value",
	"ntile",
	"nullif",
	"percent_rank",
	"printf",
	"quote",
	"rank",
	"replace",
	"round",
	"row_number",
	"rtrim",
	"sign",
	"strftime",
	"substr",
	"substring",
	"sum",
	"time",
	"total",
	"trim",
	"typeof",
	"unicode",
	"unixepoch",
	"unlikely",
	"upper",
};

/* What the rules themselves made: the order in which they run must not matter. */
static const char *const results[] = { "answer",       "answer_line",  "finding",
				       "finding_attr", "finding_edge", "finding_gpu",
				       "finding_line", "root",	       "rule",
				       "rule_run",     "verdict" };

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool is_in(const char *name, const char *const *list, size_t n)
{
	return name && bsearch(&name, list, n, sizeof(*list), compare_names);
}

static int deny(struct gpudx_fence *f, const char *what, const char *name)
{
	snprintf(f->denied, sizeof(f->denied), "%s%s%s", what, name ? " " : "", name ? name : "");
	return SQLITE_DENY;
}

static int authorize(void *arg, int op, const char *a, const char *b, const char *db,
		     const char *view)
{
	struct gpudx_fence *f = arg;

	(void)db;
	(void)view;
	switch (op) {
	case SQLITE_SELECT:
	case SQLITE_RECURSIVE:
		return SQLITE_OK;
	case SQLITE_READ:
		if (is_in(a, results, sizeof(results) / sizeof(*results)))
			return deny(f, "a rule may not read what rules found: table", a);
		if (sv_starts(sv_str(a), "pragma_"))
			return deny(f, "a rule may not use", a);
		return SQLITE_OK;
	case SQLITE_FUNCTION:
		if (is_in(b, allowed, sizeof(allowed) / sizeof(*allowed)))
			return SQLITE_OK;
		return deny(f, "a rule may not call function", b);
	case SQLITE_PRAGMA:
		return deny(f, "a rule may not use pragma", a);
	case SQLITE_ATTACH:
		return deny(f, "a rule may not attach a database", NULL);
	default:
		return deny(f, "a rule may only read", NULL);
	}
}

static int on_steps(void *arg)
{
	struct gpudx_fence *f = arg;

	f->steps += STEPS_A_CALL;
	return f->steps > f->limits.steps;
}

void gpudx_fence_start(struct gpudx_fence *f)
{
	f->steps = 0;
	f->denied[0] = '\0';
}

/* A table-valued function declares itself when it is first used, which the authorizer would take
 * for a CREATE TABLE. */
static void prime(sqlite3 *db)
{
	sqlite3_exec(db, "SELECT 1 FROM json_each('[]')", NULL, NULL, NULL);
}

void gpudx_fence_up(struct gpudx_fence *f, sqlite3 *db, const struct gpudx_fence_limits *limits)
{
	int64_t heap = sqlite3_memory_used() + limits->heap;

	if (f->db != db)
		prime(db);
	*f = (struct gpudx_fence){ .db = db, .limits = *limits };
	f->length_before = sqlite3_limit(db, SQLITE_LIMIT_LENGTH, limits->length);
	f->soft_heap_before = sqlite3_soft_heap_limit64(-1);
	f->heap_before = sqlite3_hard_heap_limit64(-1);
	if (!f->heap_before || f->heap_before > heap)
		sqlite3_hard_heap_limit64(heap);
	sqlite3_progress_handler(db, STEPS_A_CALL, on_steps, f);
	sqlite3_set_authorizer(db, authorize, f);
}

void gpudx_fence_down(struct gpudx_fence *f)
{
	sqlite3_set_authorizer(f->db, NULL, NULL);
	sqlite3_progress_handler(f->db, 0, NULL, NULL);
	sqlite3_hard_heap_limit64(f->heap_before);
	sqlite3_soft_heap_limit64(f->soft_heap_before);
	sqlite3_limit(f->db, SQLITE_LIMIT_LENGTH, f->length_before);
}

const char *gpudx_fence_why(const struct gpudx_fence *f, int rc, char buf[GPUDX_FENCE_TEXT])
{
	if (rc == SQLITE_AUTH || (rc == SQLITE_ERROR && f->denied[0]))
		snprintf(buf, GPUDX_FENCE_TEXT, "%s", f->denied);
	else if (rc == SQLITE_INTERRUPT)
		snprintf(buf, GPUDX_FENCE_TEXT, "stopped after %" PRId64 " steps", f->limits.steps);
	else if (rc == SQLITE_NOMEM)
		snprintf(buf, GPUDX_FENCE_TEXT, "it needs more than %" PRId64 " MiB of memory",
			 f->limits.heap >> 20);
	else if (rc == SQLITE_TOOBIG)
		snprintf(buf, GPUDX_FENCE_TEXT, "a value is longer than %d bytes",
			 f->limits.length);
	else
		snprintf(buf, GPUDX_FENCE_TEXT, "%s", sqlite3_errmsg(f->db));
	return buf;
}
