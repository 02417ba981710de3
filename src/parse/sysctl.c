/* sysctl -a: settings of the kernel that bear on GPUs, memory and hangs.
 *
 *   kernel.numa_balancing = 1
 *   vm.nr_hugepages = 0
 *
 * Files under /etc/sysctl.d look alike, but say what shall be, not what is: another layer. Source:
 * procps-ng, src/sysctl.c. */
#include "parse/tool.h"

static const char *const kept[] = {
	"kernel.numa_balancing",
	"kernel.hung_task_timeout_secs",
	"kernel.hung_task_panic",
	"kernel.panic",
	"kernel.panic_on_oops",
	"kernel.softlockup_panic",
	"kernel.hardlockup_panic",
	"kernel.watchdog_thresh",
	"kernel.nmi_watchdog",
	"kernel.unknown_nmi_panic",
	"kernel.panic_on_io_nmi",
	"kernel.panic_on_unrecovered_nmi",
	"kernel.perf_event_paranoid",
	"kernel.yama.ptrace_scope",
	"kernel.shmmax",
	"kernel.shmall",
	"kernel.pid_max",
	"kernel.threads-max",
	"kernel.tainted",
	"kernel.sysrq",
	"kernel.unprivileged_bpf_disabled",
	"vm.nr_hugepages",
	"vm.overcommit_memory",
	"vm.overcommit_ratio",
	"vm.swappiness",
	"vm.zone_reclaim_mode",
	"vm.max_map_count",
	"vm.min_free_kbytes",
	"vm.panic_on_oom",
	"vm.compaction_proactiveness",
	"fs.file-max",
	"fs.nr_open",
	"net.core.rmem_max",
	"net.core.wmem_max",
};

/* The trees under /proc/sys. */
static bool is_tree(struct gpudx_sv name)
{
	static const char *const trees[] = { "kernel.", "vm.",	 "net.",   "fs.",     "dev.",
					     "abi.",	"user.", "debug.", "sunrpc.", "crypto." };

	for (size_t i = 0; i < sizeof(trees) / sizeof(trees[0]); i++)
		if (sv_starts(name, trees[i]))
			return true;
	return false;
}

static bool is_name(struct gpudx_sv s)
{
	for (size_t i = 0; i < s.n; i++)
		if (sv_is_space(s.p[i]) || s.p[i] == '"' || s.p[i] == '(' || s.p[i] == ',')
			return false;
	return s.n > 3 && is_tree(s);
}

static bool scan(struct gpudx_sv s, struct gpudx_sv *name, struct gpudx_sv *value)
{
	sv_char(&s, '-'); /* of files: errors do not matter */
	if (!sv_until(&s, "=", name))
		return false;
	*name = sv_trim(*name);
	*value = sv_trim(s);
	return is_name(*name);
}

static bool is_config(struct gpudx_sv path)
{
	return sv_has(path, "sysctl.d/") || sv_ends(path, "sysctl.conf");
}

static void put(struct gpudx_ctx *c, const char *name, struct gpudx_sv value)
{
	bool config = is_config(gpudx_command(c)) || is_config(gpudx_path(c));
	struct gpudx_fact f = { .layer = config ? SV_LIT("config") : SV_LIT("kernel"),
				.value = value };
	char key[64] = "sysctl.";
	size_t n = strlen(name);
	struct gpudx_sv s = value;
	uint64_t num;

	memcpy(key + 7, name, n + 1);
	f.key = sv_n(key, n + 7);
	f.has_num = sv_u64(&s, &num) && !s.n;
	if (f.has_num)
		f.num = (double)num;
	if (value.n)
		gpudx_put_fact(c, &f);
}

static enum gpudx_take sysctl_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct gpudx_sv text = sv_trim(line), name, value;

	if (!text.n)
		return GPUDX_NOT_MINE;
	if (sv_starts(text, "sysctl: ") || text.p[0] == '#' || text.p[0] == ';')
		return GPUDX_TAKEN;
	if (!scan(text, &name, &value))
		return GPUDX_NOT_MINE;
	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++)
		if (sv_is(name, kept[i]))
			put(c, kept[i], value);
	return GPUDX_TAKEN;
}

static int sysctl_bid(const struct gpudx_head *head)
{
	bool named = tool_is("sysctl", head->command, head->path) || is_config(head->command) ||
		     is_config(head->path);
	struct gpudx_sv name, value;
	unsigned n = 0;

	for (size_t i = 0, seen = 0; i < head->n && seen < 30; i++) {
		struct gpudx_sv s = sv_trim(head->lines[i].text);

		if (!s.n)
			continue;
		seen++;
		n += scan(s, &name, &value);
	}
	return n >= 5 || (named && n) ? 60 : 0;
}

const struct gpudx_parser gpudx_parser_sysctl = {
	.name = "sysctl",
	.what = "sysctl -a: settings of the kernel around memory, hangs and panics",
	.bid = sysctl_bid,
	.line = sysctl_line,
};
