/* The rows of one rule, checked and kept: the SQL runs to its end behind the fence, then they are
 * put in groups, each of which becomes one finding. */
#ifndef GPUDX_ROW_H
#define GPUDX_ROW_H

#include "rules/scene.h"
#include "rules/statement.h"

struct gpudx_lines_cited {
	int64_t *id; /* line ids, as the rule lists them */
	size_t n;
};

/* One row; words are NULL where the row says nothing. */
struct gpudx_row_seen {
	int64_t host, gpu, instance; /* gpu, instance: 0 none */
	int64_t t0_us, t1_us;	     /* GPUDX_NO_TIME undated */
	double confidence;
	struct gpudx_lines_cited evidence, against;
	int64_t first_line; /* smallest id of the evidence */
	const char *severity, *kind, *points, *state, *action, *quality;
	struct gpudx_sv grp;	/* .p NULL: a finding of its own */
	struct gpudx_val *cell; /* all columns, in the order of the query */
	size_t place;		/* in the result of the query */
};

/* All rows of a rule, sorted so that groups stand together, each led by its first row in the order
 * dated, confidence, t0, line id. */
struct gpudx_rows {
	struct gpudx_row_seen *row;
	size_t n;
	const char **name; /* of the columns */
	int columns;
};

/* Runs the prepared rule. Memory comes from a. False: something is wrong with a row; the
 * problems say what, and there are no rows. A rule that ran into a limit of the fence is a problem
 * and keeps the rows before it; without any it is false. Rows of hosts of other bundles are left
 * out. */
bool gpudx_rows_read(struct gpudx_statement *s, struct gpudx_fence *f, struct gpudx_rule *r,
		     const struct gpudx_scene *scene, struct gpudx_arena *a, struct gpudx_rows *out,
		     struct gpudx_problems *ps);

/* Rows at i and behind that are one finding with it. */
size_t gpudx_rows_group(const struct gpudx_rows *rows, size_t i);

#endif
