/* The CSV of Triton's perf_analyzer (-f), old and new, with --verbose-csv or without:
 *
 *   Concurrency,Inferences/Second,Client Send,Network+Server Send/Recv,Server Queue,
 *   Server Compute Input,Server Compute Infer,Server Compute Output,Client Recv,p50 latency,...
 *   1,512.3,10,50,40,12,1700,5,1,1900,1950,1980,2100
 *
 * Times are us. Rows are sorted by throughput; the concurrency or request rate is the step. */
#include "parse/parser.h"

#include <stdio.h>

enum { COLUMNS = 48, NAME = 56 };

struct perf {
	unsigned ncols;
	char keys[COLUMNS][NAME];
};

static bool is_heading(struct gpudx_sv line)
{
	return (sv_starts(line, "Concurrency,") || sv_starts(line, "Request Rate,")) &&
	       sv_has(line, "Inferences/Second");
}

static void set_key(char key[NAME], struct gpudx_sv name)
{
	size_t n = (size_t)snprintf(key, NAME, "perf.");

	name = sv_trim(name);
	for (size_t i = 0; i < name.n && n + 1 < NAME; i++) {
		if (sv_is_alpha(name.p[i]) || sv_is_digit(name.p[i]))
			key[n++] = sv_lower(name.p[i]);
		else if (key[n - 1] != '_')
			key[n++] = '_';
	}
	key[n] = '\0';
}

static enum gpudx_take heading(struct perf *p, struct gpudx_sv line)
{
	struct gpudx_sv cell;

	for (p->ncols = 0; p->ncols < COLUMNS && sv_cell(&line, ',', &cell); p->ncols++)
		set_key(p->keys[p->ncols], cell);
	return GPUDX_TAKEN;
}

static enum gpudx_take row(struct gpudx_ctx *c, const struct perf *p, struct gpudx_sv line)
{
	struct gpudx_metric m = { .t_us = GPUDX_NO_TIME };
	struct gpudx_sv cell;
	double step;

	if (!sv_cell(&line, ',', &cell) || !sv_decimal(&cell, &step) || cell.n ||
	    !(step >= 0 && step < 1e12))
		return GPUDX_NOT_MINE;
	m.seq = (int64_t)step;
	for (unsigned i = 1; i < p->ncols && sv_cell(&line, ',', &cell); i++) {
		cell = sv_trim(cell);
		/* "GPU-uuid:0.95;" of the verbose columns is left out */
		if (!sv_decimal(&cell, &m.value) || cell.n)
			continue;
		m.key = sv_str(p->keys[i]);
		gpudx_put_metric(c, &m);
	}
	return GPUDX_TAKEN;
}

static enum gpudx_take perf_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct perf *p = gpudx_state(c);

	line = sv_trim(line);
	if (is_heading(line))
		return heading(p, line);
	return p->ncols ? row(c, p, line) : GPUDX_NOT_MINE;
}

static int perf_bid(const struct gpudx_head *head)
{
	return head->n && is_heading(head->lines[0].text) ? 80 : 0;
}

const struct gpudx_parser gpudx_parser_perf_analyzer = {
	.name = "perf-analyzer",
	.what = "CSV of Triton's perf_analyzer",
	.bid = perf_bid,
	.starts = is_heading,
	.line = perf_line,
	.state_size = sizeof(struct perf),
};
