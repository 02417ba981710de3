/* lscpu and numactl -H: the processors of the host and its NUMA nodes.
 *
 *   Model name:            AMD EPYC 7763 64-Core Processor
 *   Socket(s):             2
 *   NUMA node0 CPU(s):     0-63,128-191
 *
 *   available: 2 nodes (0-1)
 *   node 0 cpus: 0 1 2 3
 *   node 0 size: 257653 MB
 *   node 0 free: 1234 MB
 *
 * lscpu speaks the language of the terminal; other languages are left. Source: util-linux,
 * sys-utils/lscpu.c; numactl. */
#include "parse/tool.h"

#include <stdio.h>

static const struct tool_label labels[] = {
	{ "Architecture", "host.machine", TOOL_TEXT },
	{ "CPU(s)", "cpu.count", TOOL_NUM },
	{ "On-line CPU(s) list", "cpu.online", TOOL_TEXT },
	{ "Off-line CPU(s) list", "cpu.offline", TOOL_TEXT },
	{ "Thread(s) per core", "cpu.threads_per_core", TOOL_NUM },
	{ "Core(s) per socket", "cpu.cores_per_socket", TOOL_NUM },
	{ "Socket(s)", "cpu.sockets", TOOL_NUM },
	{ "NUMA node(s)", "cpu.numa_nodes", TOOL_NUM },
	{ "Vendor ID", "cpu.vendor", TOOL_TEXT },
	{ "Model name", "cpu.model", TOOL_TEXT },
	{ "CPU max MHz", "cpu.max_mhz", TOOL_NUM },
	{ "CPU min MHz", "cpu.min_mhz", TOOL_NUM },
	{ "Hypervisor vendor", "host.hypervisor", TOOL_TEXT },
	{ "Frequency boost", "cpu.boost", TOOL_WORD },
};

/* "0 cpus: 0 1 2", "0 size: 257653 MB" behind "node " */
static bool numactl_line(struct gpudx_ctx *c, struct gpudx_sv s)
{
	struct gpudx_sv what;
	char key[40];
	double mib;
	uint64_t n;

	if (sv_starts(s, "node distances:") || sv_starts(s, "node   "))
		return true;
	if (sv_lit(&s, "available: ")) {
		if (!sv_u64(&s, &n) || !sv_starts(s, " node"))
			return false;
		gpudx_fact_num(c, 0, "cpu.numa_nodes", "numactl", (double)n);
		return true;
	}
	if (!sv_lit(&s, "node ") || !sv_u64(&s, &n) || n > 4096 || !sv_char(&s, ' ') ||
	    !sv_until(&s, ":", &what))
		return false;
	s = sv_trim(s);
	if (sv_is(what, "cpus")) {
		snprintf(key, sizeof(key), "cpu.numa_cpus.%u", (unsigned)n);
		if (s.n)
			gpudx_fact(c, 0, key, "numactl", s);
		return true;
	}
	if (!sv_is(what, "size") && !sv_is(what, "free"))
		return false;
	snprintf(key, sizeof(key), "numa.%s_mib.%u", sv_is(what, "size") ? "size" : "free",
		 (unsigned)n);
	if (tool_mib(s, 0, &mib))
		gpudx_fact_num(c, 0, key, "numactl", mib);
	return true;
}

/* The rows of the table of distances: "  0:  10  32". */
static bool is_distance(struct gpudx_sv s)
{
	uint64_t n;

	if (!sv_u64(&s, &n) || !sv_char(&s, ':') || !sv_spaces(&s))
		return false;
	while (sv_u64(&s, &n))
		sv_spaces(&s);
	return !s.n;
}

/* "NUMA node0 CPU(s)" */
static bool node_cpus(struct gpudx_ctx *c, struct gpudx_sv label, struct gpudx_sv value)
{
	char key[40];
	uint64_t n;

	if (!sv_lit(&label, "NUMA node") || !sv_u64(&label, &n) || n > 4096 ||
	    !sv_is(sv_trim(label), "CPU(s)"))
		return false;
	snprintf(key, sizeof(key), "cpu.numa_cpus.%u", (unsigned)n);
	if (value.n)
		gpudx_fact(c, 0, key, "lscpu", value);
	return true;
}

static enum gpudx_take lscpu_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct gpudx_sv text = sv_trim(line), label, value;
	const struct tool_label *l;

	if (numactl_line(c, text) || is_distance(text))
		return GPUDX_TAKEN;
	if (!tool_split(text, &label, &value))
		return GPUDX_NOT_MINE;
	l = tool_label(labels, sizeof(labels) / sizeof(labels[0]), label);
	if (l)
		tool_fact(c, l, "lscpu", value);
	else if (!node_cpus(c, label, value) && !(sv_is_alpha(label.p[0]) && label.n < 40))
		return GPUDX_NOT_MINE;
	return GPUDX_TAKEN;
}

static bool lscpu_starts(struct gpudx_sv line)
{
	struct gpudx_sv s = line;
	uint64_t n;

	if (sv_lit(&s, "available: "))
		return sv_u64(&s, &n) && sv_has(s, " nodes (");
	return sv_lit(&s, "Architecture:  ") && sv_spaces(&s) && s.n;
}

static int lscpu_bid(const struct gpudx_head *head)
{
	unsigned cpu = 0;

	for (size_t i = 0, seen = 0; i < head->n && seen < 40; i++) {
		struct gpudx_sv s = sv_trim(head->lines[i].text), label, value;

		if (!s.n)
			continue;
		if (lscpu_starts(s) && !seen)
			return sv_starts(s, "available: ") ? 80 : 60;
		seen++;
		cpu += tool_split(s, &label, &value) &&
		       (sv_is(label, "CPU op-mode(s)") || sv_is(label, "Thread(s) per core") ||
			sv_is(label, "Core(s) per socket") || sv_is(label, "On-line CPU(s) list"));
	}
	return cpu >= 2 ? 80 : 0;
}

const struct gpudx_parser gpudx_parser_lscpu = {
	.name = "lscpu",
	.what = "lscpu and numactl -H: processors and NUMA nodes",
	.bid = lscpu_bid,
	.starts = lscpu_starts,
	.line = lscpu_line,
};
