/* nccl-tests (all_reduce_perf and the like):
 *
 *   #  Rank  0 Group  0 Pid  29615 on     node01 device  0 [0x2a] NVIDIA H20
 *   #                                                   out-of-place                in-place
 *   #       size     count  type  redop  root   time   algbw   busbw #wrong   time   algbw   busbw
 * #wrong #        (B)  (elements)                    (us)  (GB/s)  (GB/s)          (us)  (GB/s)
 * (GB/s) 8         8  int8    sum    -1   16.35    0.00    0.00      0  14.44    0.00    0.00 0 #
 * Out of bounds values : 0 OK # Avg bus bandwidth    : 73.1218
 *
 * Columns come and go with the version (redop, root; "N/A" for #wrong): those of the bandwidth are
 * found from the heading. Source: src/common.cu of NVIDIA/nccl-tests. */
#include "parse/parser.h"

enum { COLUMNS = 24 };

struct nccl_tests {
	int ncols, busbw[2], wrong[2], nbusbw,
		nwrong; /* places of the columns; out of place, in place */
	double best, best_size, wrongs;
	unsigned ranks;
	bool any;
};

/* "#  size  count  type ... busbw #wrong": the names follow the mark. */
static bool scan_heading(struct gpudx_sv s, struct nccl_tests *t)
{
	struct nccl_tests h = { .best = 0 };
	struct gpudx_sv word;

	if (!sv_char(&s, '#') || !sv_spaces(&s) || !sv_starts(s, "size ") || !sv_has(s, "busbw"))
		return false;
	for (; sv_spaces(&s) && sv_token(&s, &word) && h.ncols < COLUMNS; h.ncols++) {
		if (sv_is(word, "busbw") && h.nbusbw < 2)
			h.busbw[h.nbusbw++] = h.ncols;
		if ((sv_is(word, "#wrong") || sv_is(word, "error")) && h.nwrong < 2)
			h.wrong[h.nwrong++] = h.ncols;
	}
	if (t) {
		h.ranks = t->ranks;
		h.best = t->best;
		h.best_size = t->best_size;
		h.wrongs = t->wrongs;
		h.any = t->any;
		h.ranks = t->ranks;
		*t = h;
	}
	return true;
}

static bool number(struct gpudx_sv s, double *v)
{
	return sv_decimal(&s, v) && !s.n;
}

static enum gpudx_take row(struct gpudx_ctx *c, struct nccl_tests *t, struct gpudx_sv line)
{
	static const char *const keys[] = { "nccl.busbw_gbps", "nccl.busbw_in_place_gbps" };
	struct gpudx_sv cell[COLUMNS], s = line;
	struct gpudx_metric m = { .t_us = GPUDX_NO_TIME };
	double size;
	int n = 0;

	while (n < COLUMNS && sv_spaces(&s) && sv_token(&s, &cell[n]))
		n++;
	if (!n || !number(cell[0], &size) || !(size >= 0 && size < 1e15))
		return GPUDX_NOT_MINE;
	if (n != t->ncols)
		return gpudx_reject(c, "other cells than the heading has columns");
	m.seq = (int64_t)size;
	for (int i = 0; i < t->nbusbw; i++) {
		if (!number(cell[t->busbw[i]], &m.value))
			continue;
		m.key = sv_str(keys[i]);
		gpudx_put_metric(c, &m);
		t->any = true;
		if (m.value > t->best) {
			t->best = m.value;
			t->best_size = size;
		}
	}
	for (int i = 0; i < t->nwrong; i++)
		if (number(cell[t->wrong[i]], &m.value) && m.value > 0)
			t->wrongs += m.value;
	return GPUDX_TAKEN;
}

/* "Rank  0 Group  0 Pid  29615 on     node01 device  0 [0x2a] NVIDIA H20" */
static void rank(struct gpudx_ctx *c, struct nccl_tests *t, struct gpudx_sv s)
{
	struct gpudx_sv skipped, host;

	if (!sv_until(&s, " on ", &skipped) || !sv_spaces(&s) || !sv_token(&s, &host) ||
	    !sv_until(&s, " device ", &skipped))
		return;
	gpudx_fact(c, 0, "nccl.hosts", "nccl-tests", host);
	t->ranks++;
	/* The device is CUDA's number and the address lacks its domain: no GPU of a list. */
	if (sv_until(&s, "] ", &skipped))
		gpudx_fact(c, 0, "nccl.gpu_name", "nccl-tests", sv_trim(s));
}

static void value_fact(struct gpudx_ctx *c, struct gpudx_sv s, const char *key)
{
	double v;

	s = sv_ltrim(sv_from(s, sv_index(s, ':') + 1));
	if (sv_decimal(&s, &v))
		gpudx_fact_num(c, 0, key, "nccl-tests", v);
}

static enum gpudx_take nccl_tests_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct nccl_tests *t = gpudx_state(c);
	struct gpudx_sv s = sv_ltrim(line);

	if (!s.n || s.p[0] != '#')
		return t->ncols ? row(c, t, line) : GPUDX_NOT_MINE;
	if (scan_heading(s, t))
		return GPUDX_TAKEN;
	s = sv_ltrim(sv_from(s, 1));
	if (sv_starts(s, "Rank "))
		rank(c, t, s);
	else if (sv_starts(s, "Avg bus bandwidth"))
		value_fact(c, s, "nccl.busbw_avg_gbps");
	else if (sv_starts(s, "Out of bounds values"))
		value_fact(c, s, "nccl.out_of_bounds");
	return GPUDX_TAKEN;
}

static void nccl_tests_finish(struct gpudx_ctx *c)
{
	struct nccl_tests *t = gpudx_state(c);

	if (t->ranks)
		gpudx_fact_num(c, 0, "nccl.ranks", "nccl-tests", t->ranks);
	if (!t->any)
		return;
	gpudx_fact_num(c, 0, "nccl.busbw_max_gbps", "nccl-tests", t->best);
	gpudx_fact_num(c, 0, "nccl.wrong", "nccl-tests", t->wrongs);
}

static bool nccl_tests_starts(struct gpudx_sv line)
{
	struct gpudx_sv s = sv_ltrim(line);

	return sv_starts(s, "# nThread ") || (sv_starts(s, "#") && scan_heading(s, NULL));
}

static int nccl_tests_bid(const struct gpudx_head *head)
{
	for (size_t i = 0; i < head->n && i < 400; i++)
		if (nccl_tests_starts(head->lines[i].text))
			return 80;
	return 0;
}

const struct gpudx_parser gpudx_parser_nccl_tests = {
	.name = "nccl-tests",
	.what = "tables of nccl-tests: bus bandwidth by size, wrong values",
	.bid = nccl_tests_bid,
	.starts = nccl_tests_starts,
	.line = nccl_tests_line,
	.finish = nccl_tests_finish,
	.state_size = sizeof(struct nccl_tests),
	.flags = GPUDX_P_RESUMES,
};
