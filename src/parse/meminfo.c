/* The memory of the host: free in any unit, /proc/meminfo.
 *
 *                  total        used        free      shared  buff/cache   available
 *   Mem:       528280644    12345678   500000000       12345    15934966   512000000
 *   Mem:           503Gi        11Gi       476Gi        12Mi        15Gi       488Gi
 *   Swap:              0           0           0
 *
 *   MemTotal:       528280644 kB
 *   HugePages_Total:       0
 *
 * free prints KiB unless -b, -m, -g or -h was asked for. Source: procps-ng, src/free.c; kernel,
 * fs/proc/meminfo.c. */
#include "parse/tool.h"

static const struct tool_label labels[] = {
	{ "MemTotal", "host.memory_mib", TOOL_MIB },
	{ "MemAvailable", "host.memory_available_mib", TOOL_MIB },
	{ "SwapTotal", "host.swap_mib", TOOL_MIB },
	{ "SwapFree", "host.swap_free_mib", TOOL_MIB },
	{ "Mlocked", "host.memory_locked_mib", TOOL_MIB },
	{ "HugePages_Total", "host.hugepages", TOOL_NUM },
	{ "HugePages_Free", "host.hugepages_free", TOOL_NUM },
	{ "Hugepagesize", "host.hugepage_mib", TOOL_MIB },
	{ "CmaTotal", NULL, TOOL_DROP },
};

static bool is_meminfo(struct gpudx_sv label)
{
	static const char *const more[] = { "MemFree",
					    "Buffers",
					    "Cached",
					    "SwapCached",
					    "Active",
					    "Inactive",
					    "Dirty",
					    "Writeback",
					    "AnonPages",
					    "Mapped",
					    "Shmem",
					    "Slab",
					    "PageTables",
					    "Bounce",
					    "NFS_Unstable",
					    "Unevictable",
					    "Percpu",
					    "KReclaimable",
					    "SReclaimable",
					    "SUnreclaim",
					    "KernelStack",
					    "SecPageTables",
					    "WritebackTmp",
					    "CommitLimit",
					    "Committed_AS",
					    "VmallocTotal",
					    "VmallocUsed",
					    "VmallocChunk",
					    "HardwareCorrupted",
					    "Unaccepted",
					    "Hugetlb",
					    "Zswap",
					    "Zswapped",
					    "Balloon",
					    "EarlyMemtestBad",
					    "GPUActive",
					    "GPUReclaim" };

	for (size_t i = 0; i < sizeof(more) / sizeof(more[0]); i++)
		if (sv_is(label, more[i]))
			return true;
	return sv_starts(label, "Active(") || sv_starts(label, "Inactive(") ||
	       sv_starts(label, "HugePages_") || sv_starts(label, "AnonHuge") ||
	       sv_starts(label, "ShmemHuge") || sv_starts(label, "ShmemPmd") ||
	       sv_starts(label, "File") || sv_starts(label, "DirectMap") || sv_starts(label, "Cma");
}

struct free {
	bool heading;
	bool doubt; /* in which unit the numbers are */
	char unit;
	unsigned available; /* its column; 0 there is none */
};

static bool heading(struct free *f, struct gpudx_sv s)
{
	struct gpudx_sv word;
	unsigned n = 0;

	if (!sv_starts(s, "total ") || !sv_has(s, " used ") || !sv_has(s, " free"))
		return false;
	f->heading = true;
	f->available = 0;
	while (sv_spaces(&s) && sv_token(&s, &word)) {
		n++;
		if (sv_is(word, "available"))
			f->available = n;
	}
	return true;
}

/* No host with a GPU has so few KiB: where no command tells the unit, these may be MiB. */
static bool is_small(struct gpudx_sv s)
{
	uint64_t n;

	return sv_spaces(&s) && sv_u64(&s, &n) && (!s.n || sv_is_space(s.p[0])) && n < 4000000;
}

/* "503Gi 11Gi 476Gi 12Mi 15Gi 488Gi": total and the column that tells what can be had. */
static void put_free(struct gpudx_ctx *c, struct free *f, bool swap, struct gpudx_sv s)
{
	struct gpudx_sv word;
	double mib;

	if (!swap)
		f->doubt &= is_small(s);
	for (unsigned n = 1; !f->doubt && sv_spaces(&s) && sv_token(&s, &word); n++) {
		if (!tool_mib(word, f->unit, &mib))
			continue;
		if (n == 1)
			gpudx_fact_num(c, 0, swap ? "host.swap_mib" : "host.memory_mib", "free",
				       mib);
		else if (swap && n == 3)
			gpudx_fact_num(c, 0, "host.swap_free_mib", "free", mib);
		else if (!swap && n == f->available)
			gpudx_fact_num(c, 0, "host.memory_available_mib", "free", mib);
	}
}

static bool free_line(struct gpudx_ctx *c, struct free *f, struct gpudx_sv s)
{
	bool swap;

	if (heading(f, s))
		return true;
	if (!f->heading)
		return false;
	swap = sv_lit(&s, "Swap:");
	if (!swap && !sv_lit(&s, "Mem:"))
		return sv_starts(s, "-/+ buffers/cache:") || sv_starts(s, "Total:") ||
		       sv_starts(s, "Low:") || sv_starts(s, "High:") || sv_starts(s, "Comm:");
	put_free(c, f, swap, s);
	return true;
}

static enum gpudx_take mem_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct gpudx_sv text = sv_trim(line), label, value;
	const struct tool_label *l;

	if (free_line(c, gpudx_state(c), text))
		return GPUDX_TAKEN;
	if (!tool_split(text, &label, &value))
		return GPUDX_NOT_MINE;
	l = tool_label(labels, sizeof(labels) / sizeof(labels[0]), label);
	if (l)
		tool_fact(c, l, "meminfo", value);
	else if (!is_meminfo(label))
		return GPUDX_NOT_MINE;
	return GPUDX_TAKEN;
}

/* The unit of cells without one, by the options: "free -m", "free_-m". */
static void mem_begin(struct gpudx_ctx *c)
{
	static const char units[] = "bmgt";
	struct free *f = gpudx_state(c);
	struct gpudx_sv command = gpudx_command(c), path = gpudx_path(c);
	char words[] = "free -?";

	f->unit = 'k';
	f->doubt = !tool_is("free", command, path);
	for (size_t i = 0; i < sizeof(units) - 1; i++) {
		words[6] = units[i];
		if (tool_says(words, command, path))
			f->unit = units[i];
	}
}

static bool mem_starts(struct gpudx_sv line)
{
	struct free f;
	struct gpudx_sv s = line, value;

	if (sv_lit(&s, "MemTotal:  "))
		return sv_ends(s, " kB");
	value = sv_ltrim(line);
	return value.n + 8 < line.n && heading(&f, value);
}

static int mem_bid(const struct gpudx_head *head)
{
	for (size_t i = 0, seen = 0; i < head->n && seen < 5; i++) {
		struct gpudx_sv s = head->lines[i].text;

		if (sv_blank(s))
			continue;
		seen++;
		if (mem_starts(s))
			return 80;
	}
	return 0;
}

const struct gpudx_parser gpudx_parser_meminfo = {
	.name = "meminfo",
	.what = "free and /proc/meminfo: memory of the host",
	.bid = mem_bid,
	.starts = mem_starts,
	.begin = mem_begin,
	.line = mem_line,
	.state_size = sizeof(struct free),
};
