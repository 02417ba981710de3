/* Tables of the nodes of a cluster and their states: sinfo in whatever format, kubectl get nodes.
 *
 *   PARTITION AVAIL  TIMELIMIT  NODES  STATE NODELIST
 *   gpu*         up   infinite      2 drain* gpu[014-015]
 *
 *   NODELIST   NODES PARTITION  STATE CPUS  S:C:T MEMORY TMP_DISK WEIGHT AVAIL_FE REASON         sinfo -Nel
 *   gpu013         1      gpu* drain*   96 2:24:2 515000        0      1   (null) GPU fell off the b
 *
 *   HOSTNAMES|STATE|REASON                                                                      sinfo -o "%n|%T|%E"
 *   gpu013|drained|Xid 79
 *
 *   NAME      STATUS                     ROLES    AGE    VERSION   INTERNAL-IP ...
 *   gpu-b12   Ready,SchedulingDisabled   worker   210d   v1.29.4   10.0.0.3 ...
 *
 * Columns are found by their headings. Only of a reason are blanks part, so what is before it is counted from the left
 * and what is behind from the right. Nodes in service are not named: there may be thousands. Sources: Slurm,
 * src/sinfo/print.c; kubectl, pkg/printers/internalversion. */
#include "parse/node_out.h"
#include "parse/said_fault.h"

enum { CELLS = 32 };

enum column { NODE, STATE, REASON, WHEN, COLUMNS };

struct node_table {
	bool piped, kubectl;
	int at[COLUMNS]; /* number of the cell, -1 not there */
	int n;
};

static int column_of(struct gpudx_sv heading)
{
	static const struct {
		const char *heading;
		enum column column;
	} known[] = { { "NODELIST", NODE }, { "HOSTNAMES", NODE },     { "NODEHOST", NODE },
		      { "STATE", STATE },   { "STATECOMPACT", STATE }, { "STATELONG", STATE },
		      { "REASON", REASON }, { "TIMESTAMP", WHEN } };

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (sv_is(heading, known[i].heading))
			return (int)known[i].column;
	return -1;
}

static bool next_cell(const struct node_table *t, struct gpudx_sv *line, struct gpudx_sv *cell)
{
	if (!t->piped) {
		*line = sv_ltrim(*line);
		return sv_token(line, cell);
	}
	if (!sv_cell(line, '|', cell))
		return false;
	*cell = sv_trim(*cell);
	return true;
}

static bool is_kubectl_heading(struct gpudx_sv line)
{
	static const char *const words[] = { "NAME", "STATUS", "ROLES", "AGE", "VERSION" };
	struct gpudx_sv word;

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++, sv_spaces(&line))
		if (!sv_token(&line, &word) || !sv_is(word, words[i]))
			return false;
	return true;
}

static bool is_heading(struct gpudx_sv line, struct node_table *t)
{
	struct gpudx_sv cell;
	bool jobs = false;

	*t = (struct node_table){ .at = { -1, -1, -1, -1 } };
	t->piped = sv_index(line, '|') < line.n;
	if (is_kubectl_heading(line)) {
		t->kubectl = true;
		t->at[NODE] = 0;
		t->at[STATE] = 1;
		return true;
	}
	for (; t->n < CELLS && next_cell(t, &line, &cell); t->n++) {
		int column = column_of(cell);

		jobs |= sv_starts(cell, "JOBID");
		if (column >= 0 && t->at[column] < 0)
			t->at[column] = t->n;
	}
	return t->at[NODE] >= 0 && t->at[STATE] >= 0 && !jobs;
}

/* What is between the cells before the reason and those behind it. */
static struct gpudx_sv take_reason(struct gpudx_sv *line, int behind)
{
	struct gpudx_sv s = sv_trim(*line);
	size_t at = s.n;

	for (int i = 0; i < behind; i++) {
		while (at > 0 && sv_is_space(s.p[at - 1]))
			at--;
		while (at > 0 && !sv_is_space(s.p[at - 1]))
			at--;
	}
	*line = sv_from(s, at);
	return sv_rtrim(sv_first(s, at));
}

static bool split_row(const struct node_table *t, struct gpudx_sv line,
		      struct gpudx_sv cells[COLUMNS])
{
	for (int i = 0; t->kubectl ? i < 2 : i < t->n; i++) {
		struct gpudx_sv cell;

		if (i == t->at[REASON] && !t->piped)
			cell = take_reason(&line, t->n - 1 - i);
		else if (!next_cell(t, &line, &cell))
			return false;
		for (int k = 0; k < COLUMNS; k++)
			if (t->at[k] == i)
				cells[k] = cell;
	}
	return t->kubectl || !sv_trim(line).n;
}

static bool is_word(struct gpudx_sv s)
{
	return s.n && sv_is_alpha(s.p[0]);
}

static void put_node(struct gpudx_ctx *c, const struct node_table *t, struct gpudx_sv node,
		     const struct gpudx_sv cells[COLUMNS])
{
	const char *layer = t->kubectl ? "kubernetes" : "slurm";
	struct gpudx_stamp when = GPUDX_NO_STAMP;
	struct gpudx_sv time = cells[WHEN], reason = cells[REASON];

	if (!gpudx_scan_iso(&time, &when))
		when = GPUDX_NO_STAMP;
	if (sv_is(reason, "none"))
		reason.n = 0;
	if (says_fault(reason)) {
		gpudx_fact(c, 0, "host.name", "slurm", node);
		said_fault(c, reason, "slurm", &when, 0);
	}
	node_put_out(c, node, layer, cells[STATE], reason, &when, 0);
}

static enum gpudx_take node_table_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct node_table *t = gpudx_state(c), heading;
	struct gpudx_sv cells[COLUMNS] = { { NULL, 0 } }, node;
	struct node_list list;
	char buf[NODE_NAME];

	if (is_heading(line, &heading)) {
		*t = heading;
		return GPUDX_TAKEN;
	}
	if (t->at[NODE] == t->at[STATE] || !split_row(t, line, cells) || !is_word(cells[NODE]) ||
	    !is_word(cells[STATE]))
		return GPUDX_NOT_MINE;
	if (!node_is_out(cells[STATE]))
		return GPUDX_TAKEN;
	node_list_begin(&list, cells[NODE]);
	while (node_list_next(&list, buf, &node))
		put_node(c, t, node, cells);
	return GPUDX_TAKEN;
}

static void node_table_begin(struct gpudx_ctx *c)
{
	gpudx_excerpt(c);
}

static bool node_table_starts(struct gpudx_sv line)
{
	struct node_table t;

	return sv_has(line, "STAT") && is_heading(line, &t) &&
	       !(t.at[REASON] == 0 && t.n >= 4 && t.n <= 5); /* sinfo -R */
}

static int node_table_bid(const struct gpudx_head *head)
{
	for (size_t i = 0; i < head->n && i < 8; i++)
		if (node_table_starts(head->lines[i].text))
			return 80;
	return 0;
}

const struct gpudx_parser gpudx_parser_node_table = {
	.name = "node-table",
	.what = "sinfo, kubectl get nodes: which nodes of a cluster are out of service",
	.bid = node_table_bid,
	.starts = node_table_starts,
	.begin = node_table_begin,
	.line = node_table_line,
	.state_size = sizeof(struct node_table),
};
