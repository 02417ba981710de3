/* Tables of Slurm that say what failed: sinfo -R (also -Rl, -RN) and sacct.
 *
 *   REASON               USER      TIMESTAMP           NODELIST
 *   Xid 94 GPU2          root      2024-06-12T10:00:03 gpu[014-015]
 *
 *   JobID           JobName  Partition    Account  AllocCPUS      State ExitCode
 *   ------------ ---------- ---------- ---------- ---------- ---------- --------
 *   4242              train        gpu      teamA         64  NODE_FAIL      1:0
 *
 *   JobID|JobName|State|ExitCode|End|NodeList                            sacct -p, -P
 *
 * Columns are found by their headings. A job's steps say what the job says and are left out. What a list
 * says of several nodes is said of each. Sources: Slurm, src/sinfo/print.c, src/sacct/print.c. */
#include "parse/node_out.h"
#include "parse/said_fault.h"

enum { CELLS = 64 };

enum what { JOB, STATE, END, NODELIST, WHATS };

struct slurm_table {
	bool sacct, piped;
	unsigned behind;	       /* of sinfo: columns behind the reason */
	int column[WHATS];	       /* of sacct: number of the cell, -1 not there */
	size_t from[CELLS], to[CELLS]; /* of sacct without pipes: bytes of the line */
	unsigned n;
};

/* ---- sinfo -R ---- */

/* The last word of s, which loses it. */
static struct gpudx_sv pop_word(struct gpudx_sv *s)
{
	struct gpudx_sv all = sv_rtrim(*s);
	size_t at = all.n;

	while (at > 0 && !sv_is_space(all.p[at - 1]))
		at--;
	*s = sv_first(all, at);
	return sv_from(all, at);
}

static bool is_sinfo_heading(struct gpudx_sv line, unsigned *behind)
{
	struct gpudx_sv word;

	if (!sv_token(&line, &word) || !sv_is(word, "REASON"))
		return false;
	for (*behind = 0; sv_spaces(&line) && sv_token(&line, &word); ++*behind)
		if (sv_is(word, "NODELIST") && *behind >= 2 && *behind <= 3)
			return true;
	return false;
}

static void put_nodes(struct gpudx_ctx *c, struct gpudx_sv nodes, struct gpudx_sv state,
		      struct gpudx_sv reason, const struct gpudx_stamp *when)
{
	bool fault = says_fault(reason);
	struct gpudx_sv node;
	struct node_list list;
	char buf[NODE_NAME];

	node_list_begin(&list, nodes);
	while (node_list_next(&list, buf, &node)) {
		if (fault) {
			gpudx_fact(c, 0, "host.name", "slurm", node);
			said_fault(c, reason, "slurm", when, 0);
		}
		node_put_out(c, node, "slurm", state, reason, when, 0);
	}
}

static enum gpudx_take sinfo_row(struct gpudx_ctx *c, const struct slurm_table *t,
				 struct gpudx_sv line)
{
	struct gpudx_stamp when = GPUDX_NO_STAMP;
	struct gpudx_sv word, state = { NULL, 0 }, nodes = pop_word(&line);
	bool known = false; /* that the time is not */

	for (unsigned i = 1; i < t->behind; i++) {
		word = pop_word(&line);
		known |= sv_is(word, "Unknown") || sv_is(word, "N/A");
		if (word.n && sv_is_alpha(word.p[0]) && node_is_out(word))
			state = word;
		if (when.kind == GPUDX_STAMP_NONE && !gpudx_scan_iso(&word, &when))
			when = GPUDX_NO_STAMP;
	}
	if (when.kind == GPUDX_STAMP_NONE && !known)
		return GPUDX_NOT_MINE;
	pop_word(&line); /* who said it */
	put_nodes(c, nodes, state, sv_trim(line), &when);
	return GPUDX_TAKEN;
}

/* ---- sacct ---- */

static const char *const headings[WHATS] = { "JobID", "State", "End", "NodeList" };

static void name_column(struct slurm_table *t, struct gpudx_sv cell, unsigned number)
{
	for (unsigned i = 0; i < WHATS; i++)
		if (sv_is(cell, headings[i]))
			t->column[i] = (int)number;
}

static bool is_sacct_heading(struct gpudx_sv line, struct slurm_table *t)
{
	struct gpudx_sv cell;
	unsigned n = 0;

	*t = (struct slurm_table){ .sacct = true, .column = { -1, -1, -1, -1 } };
	t->piped = sv_index(line, '|') < line.n;
	line = sv_trim(line);
	while (n < CELLS &&
	       (t->piped ? sv_cell(&line, '|', &cell) : sv_spaces(&line) && sv_token(&line, &cell)))
		name_column(t, cell, n++);
	t->n = n;
	return t->column[JOB] >= 0 && t->column[STATE] >= 0 && n > 2;
}

/* "------------ ---------- ": where the columns are; headings of others than these may hold blanks
 * nowhere, so there are as many. */
static bool take_dashes(struct slurm_table *t, struct gpudx_sv line)
{
	unsigned n = 0;

	for (size_t i = 0; i < line.n && n < CELLS; n++) {
		while (i < line.n && line.p[i] == ' ')
			i++;
		t->from[n] = i;
		while (i < line.n && line.p[i] == '-')
			i++;
		t->to[n] = i;
		if (t->from[n] == i)
			return i == line.n && n == t->n;
	}
	return n == t->n;
}

static struct gpudx_sv cell_of(const struct slurm_table *t, struct gpudx_sv line, enum what what)
{
	struct gpudx_sv cell = { NULL, 0 };
	int at = t->column[what];

	if (at < 0)
		return cell;
	if (!t->piped)
		return sv_trim(sv_first(sv_from(line, t->from[at]), t->to[at] - t->from[at]));
	for (int i = 0; i <= at; i++)
		if (!sv_cell(&line, '|', &cell))
			return sv_n(NULL, 0);
	return sv_trim(cell);
}

static const char *kind_of_state(struct gpudx_sv state)
{
	return sv_starts(state, "NODE_FAIL")   ? "slurm.node_failed"
	       : sv_starts(state, "OUT_OF_ME") ? "slurm.oom_killed"
					       : NULL;
}

static bool is_job(struct gpudx_sv id)
{
	uint64_t n;

	return sv_u64(&id, &n) && (!id.n || id.p[0] == '_' || id.p[0] == '+');
}

static enum gpudx_take sacct_row(struct gpudx_ctx *c, const struct slurm_table *t,
				 struct gpudx_sv line)
{
	struct gpudx_sv job = cell_of(t, line, JOB), end = cell_of(t, line, END);
	struct gpudx_sv node = cell_of(t, line, NODELIST);
	struct gpudx_event e = gpudx_event_of(SV_LIT(""), GPUDX_NO_STAMP, sv_trim(line));
	const char *kind = kind_of_state(cell_of(t, line, STATE));
	uint64_t n;

	if (!sv_u64(&(struct gpudx_sv){ job.p, job.n }, &n))
		return GPUDX_NOT_MINE;
	if (!kind || !is_job(job))
		return GPUDX_TAKEN;
	e.kind = sv_str(kind);
	if (!gpudx_scan_iso(&end, &e.stamp))
		e.stamp = GPUDX_NO_STAMP;
	e.attrs[e.nattrs++] = (struct gpudx_attr){ SV_LIT("job"), job };
	if (node.n && !sv_is(node, "None assigned"))
		e.attrs[e.nattrs++] = (struct gpudx_attr){ SV_LIT("node"), node };
	gpudx_put_event(c, &e);
	return GPUDX_TAKEN;
}

/* ---- the format ---- */

static enum gpudx_take slurm_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct slurm_table *t = gpudx_state(c), heading;
	unsigned behind;

	if (is_sinfo_heading(line, &behind)) {
		*t = (struct slurm_table){ .behind = behind };
		return GPUDX_TAKEN;
	}
	if (is_sacct_heading(line, &heading)) {
		*t = heading;
		return GPUDX_TAKEN;
	}
	if (t->behind)
		return sinfo_row(c, t, line);
	if (!t->sacct)
		return GPUDX_NOT_MINE;
	if (!t->piped && !t->to[0])
		return take_dashes(t, line) ? GPUDX_TAKEN : GPUDX_NOT_MINE;
	return sacct_row(c, t, line);
}

/* What is listed are failures: how long there were none is not said. */
static void slurm_begin(struct gpudx_ctx *c)
{
	gpudx_excerpt(c);
}

static bool slurm_starts(struct gpudx_sv line)
{
	struct slurm_table t;
	unsigned behind;

	if (!line.n || (line.p[0] != 'R' && line.p[0] != 'J' && line.p[0] != ' '))
		return false;
	return is_sinfo_heading(line, &behind) ||
	       (sv_has(line, "JobID") && is_sacct_heading(line, &t));
}

static int slurm_bid(const struct gpudx_head *head)
{
	for (size_t i = 0; i < head->n && i < 8; i++)
		if (slurm_starts(head->lines[i].text))
			return 80;
	return 0;
}

const struct gpudx_parser gpudx_parser_slurm_table = {
	.name = "slurm-table",
	.what = "sinfo -R and sacct: why nodes are out of service and how jobs ended",
	.bid = slurm_bid,
	.starts = slurm_starts,
	.begin = slurm_begin,
	.line = slurm_line,
	.state_size = sizeof(struct slurm_table),
};
