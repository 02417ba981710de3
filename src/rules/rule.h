/* A rule: one SQL file with a header of "-- key: value" lines (docs/rules.md).
 *
 *   -- id:       power.cap-clock-drop
 *   -- title:    SM clock falls when power reaches the limit
 *   -- needs:    sample.sm_clock_mhz sample.power_limit_w|fact.power.limit_w
 *   -- params:   drop_pct=10 min_util_pct=80
 *   -- explains: clocks.busy-but-slow overlap gpu; compare.clock-shift any gpu
 *   -- meaning:  The card takes all the power that it may take,
 *   --           so it slows down.
 *   SELECT host_id, gpu_id, t0_us, t1_us, 0.85 AS confidence, json_array(line_worst) AS evidence
 * ... */
#ifndef GPUDX_RULE_H
#define GPUDX_RULE_H

#include "base/arena.h"
#include "bundle/digest.h"
#include "gpudx/status.h"
#include "rules/words.h"
#include "store/rows.h"

enum gpudx_rule_key {
	GPUDX_K_ID,
	GPUDX_K_TITLE,
	GPUDX_K_SCOPE,
	GPUDX_K_SEVERITY,
	GPUDX_K_SYMPTOM,
	GPUDX_K_KIND,
	GPUDX_K_POINTS,
	GPUDX_K_SHOWS,
	GPUDX_K_SETTLE,
	GPUDX_K_NEEDS,
	GPUDX_K_READS,
	GPUDX_K_PARAMS,
	GPUDX_K_EXPLAINS,
	GPUDX_K_SUMMARY,
	GPUDX_K_MEANING,
	GPUDX_K_ACTION,
	GPUDX_K_REMEDY,
	GPUDX_K_FALSEPOSITIVES,
	GPUDX_K_REFS,
	GPUDX_RULE_KEYS
};

enum { GPUDX_RULE_BYTES = 64 << 10 }; /* a longer file is refused */

/* "drop_pct=10". */
struct gpudx_param {
	struct gpudx_sv name, text; /* text: the default as written */
	struct gpudx_val set;	    /* from --set; type NULL: not set, the SQL's default holds */
	bool used;		    /* occurs in the SQL */
};

/* One term of "needs" or "reads": alternatives, of which one must hold. */
struct gpudx_need {
	struct gpudx_sv text; /* as written: "a|b" */
	struct gpudx_sv *alt;
	unsigned nalt;
};

enum gpudx_window { GPUDX_WINDOW_OVERLAP, GPUDX_WINDOW_AFTER, GPUDX_WINDOW_ANY };

/* "clocks.* +120 gpu": findings of this rule are the cause of those. */
struct gpudx_explains {
	struct gpudx_sv id; /* may end in ".*" */
	enum gpudx_window window;
	int64_t within_us; /* of AFTER */
	bool same_gpu;	   /* else the same host is enough */
};

struct gpudx_rule {
	const char *id;	  /* family.name, as the path says */
	const char *path; /* as messages show it */
	struct gpudx_sv text, sql;
	unsigned sql_line, query_line;	    /* first line of .sql, of its first word */
	const char *value[GPUDX_RULE_KEYS]; /* NULL: key not there */
	unsigned key_line[GPUDX_RULE_KEYS];
	const char *severity, *symptom, *kind, *points, *shows, *action; /* words.h */
	int scope;
	struct gpudx_param *params;
	struct gpudx_need *needs;
	struct gpudx_need *reads; /* as needs, of other terms (reads.h) */
	struct gpudx_explains *explains;
	unsigned nparams, nneeds, nreads, nexplains;
	bool per_gpu;	 /* it speaks about each GPU, not about the host (needs.h) */
	bool background; /* known to others only: not judged, its problems are not told */
	bool broken;
	char digest[GPUDX_SHA256_HEX];
};

/* What is wrong with rules: the list that "gpudx rules check" prints. */
struct gpudx_problem {
	const char *path, *rule, *text;
	unsigned line;
	struct gpudx_problem *next;
};

struct gpudx_problems {
	struct gpudx_arena *arena;
	struct gpudx_problem *first, *last;
	size_t n;
	bool no_memory; /* something could not be kept: the whole is void */
};

/* Adds a problem of this rule and marks the rule broken. line is one of the file. */
void gpudx_problem_add(struct gpudx_problems *ps, struct gpudx_rule *rule, unsigned line,
		       const char *fmt, ...) GPUDX_PRINTF(4, 5);

/* Reads .text, which lives as long as the rule, into the rest. What is wrong goes to ps; memory
 * comes from its arena. */
void gpudx_rule_parse(struct gpudx_rule *r, struct gpudx_problems *ps);

/* Checks what can be said of the SQL without a database: one SELECT or WITH, parameters written as
 * coalesce(:name, DEFAULT) and equal to "params", nothing that depends on the day or the machine.
 */
void gpudx_rule_check_sql(struct gpudx_rule *r, struct gpudx_problems *ps);

const char *gpudx_rule_key_name(enum gpudx_rule_key key);

/* True when an id of "explains" means this rule: equal, or the family of "family.*". */
bool gpudx_rule_matches(struct gpudx_sv pattern, const char *id);

#endif
