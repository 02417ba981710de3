/* torch.cuda.memory_summary():
 *
 *   |                  PyTorch CUDA memory summary, device ID 0                 |
 *   |            CUDA OOMs: 0            |        cudaMalloc retries: 0         |
 *   |        Metric         | Cur Usage  | Peak Usage | Tot Alloc  | Tot Freed  |
 *   | Allocated memory      |  14356 MiB |  23806 MiB |  32225 MiB |  17868 MiB |
 *   |       from large pool |  14356 MiB | ...
 *
 * KB, MB, GB of older versions are of 1024 as well. Source: torch/cuda/memory.py. */
#include "parse/parser.h"

#include <stdio.h>

static const struct {
	const char *name, *key;
} rows[] = {
	{ "Allocated memory", "torch.memory.allocated" },
	{ "Active memory", "torch.memory.active" },
	{ "Requested memory", "torch.memory.requested" },
	{ "GPU reserved memory", "torch.memory.reserved" },
	{ "Non-releasable memory", "torch.memory.non_releasable" },
};

static bool is_title(struct gpudx_sv line)
{
	return sv_has(line, "PyTorch CUDA memory summary, device ID ");
}

/* "14356 MiB", "24 GB", "0 B" in MiB. */
static bool scan_size(struct gpudx_sv s, double *mib)
{
	static const char units[] = "BKMGT";
	const char *at;

	s = sv_trim(s);
	if (!sv_decimal(&s, mib) || !sv_spaces(&s) || !s.n || !s.p[0] ||
	    !(at = strchr(units, s.p[0])))
		return false;
	for (long i = at - units; i < 2; i++)
		*mib /= 1024;
	for (long i = at - units; i > 2; i--)
		*mib *= 1024;
	return true;
}

static void put(struct gpudx_ctx *c, const char *key, const char *what, double v)
{
	struct gpudx_metric m = { .t_us = GPUDX_NO_TIME, .value = v };
	char full[80];
	int n = snprintf(full, sizeof(full), "%s%s", key, what);

	m.key = sv_n(full, n > 0 ? (size_t)n : 0);
	gpudx_put_metric(c, &m);
}

static void put_row(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct gpudx_sv name, cell;
	double v;

	sv_char(&line, '|');
	if (!sv_cell(&line, '|', &name))
		return;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (!sv_is(sv_trim(name), rows[i].name))
			continue;
		if (sv_cell(&line, '|', &cell) && scan_size(cell, &v))
			put(c, rows[i].key, "_mib", v);
		if (sv_cell(&line, '|', &cell) && scan_size(cell, &v))
			put(c, rows[i].key, "_peak_mib", v);
		return;
	}
}

static void put_count(struct gpudx_ctx *c, struct gpudx_sv line, const char *name, const char *key)
{
	size_t at = sv_find(line, name);
	uint64_t v;

	line = sv_from(line, at + strlen(name));
	if (sv_spaces(&line) && sv_u64(&line, &v))
		put(c, key, "", (double)v);
}

static enum gpudx_take memory_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	bool *begun = gpudx_state(c);

	line = sv_trim(line);
	if (!sv_starts(line, "|"))
		return GPUDX_NOT_MINE;
	*begun |= is_title(line);
	if (sv_starts(line, "|===") || sv_starts(line, "|---"))
		return GPUDX_TAKEN;
	if (!*begun)
		return GPUDX_NOT_MINE;
	put_count(c, line, "CUDA OOMs:", "torch.memory.ooms");
	put_count(c, line, "cudaMalloc retries:", "torch.memory.malloc_retries");
	put_row(c, line);
	return GPUDX_TAKEN;
}

static int memory_bid(const struct gpudx_head *head)
{
	for (size_t i = 0; i < head->n && i < 100; i++)
		if (is_title(head->lines[i].text))
			return 80;
	return 0;
}

const struct gpudx_parser gpudx_parser_torch_memory = {
	.name = "torch-memory",
	.what = "torch.cuda.memory_summary()",
	.bid = memory_bid,
	.starts = is_title,
	.line = memory_line,
	.state_size = sizeof(bool),
	.flags = GPUDX_P_RESUMES,
};
