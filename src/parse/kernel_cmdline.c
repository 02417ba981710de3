/* /proc/cmdline: the parameters that the kernel was started with, one line.
 *
 *   BOOT_IMAGE=/vmlinuz-6.5.0-28-generic root=UUID=... ro quiet intel_iommu=on iommu=pt
 *   initrd=\initramfs.img root=/dev/sda2 rw nvidia-drm.modeset=1 dyndbg="file drivers/pci/ +p"
 *
 * Those that can matter to a GPU become facts cmdline.NAME; '-' and '_' are equal in names, written
 * '_'. The last one wins, but lists add up. A parameter without value is "yes". What follows "--"
 * is for init. Source: kernel Documentation/admin-guide/kernel-parameters. */
#include "parse/parser.h"

#include <stdio.h>

/* ---- which parameters matter ---- */

enum how {
	LAST = 1, /* the last one wins */
	LIST,	  /* each adds to the ones before */
};

struct param {
	const char *name; /* canonical; "x." all that begin with it */
	enum how how;
};

static const struct param params[] = {
	/* address translation and PCI */
	{ "iommu", LAST },
	{ "intel_iommu", LAST },
	{ "amd_iommu", LAST },
	{ "iommu.passthrough", LAST },
	{ "iommu.strict", LAST },
	{ "swiotlb", LAST },
	{ "pci", LIST },
	{ "pcie_aspm", LAST },
	{ "pcie_aspm.policy", LAST },
	{ "pcie_port_pm", LAST },
	{ "pcie_ports", LAST },
	{ "vfio_pci.ids", LIST },
	/* the driver and its rival */
	{ "nvidia.", LAST },
	{ "nvidia_drm.", LAST },
	{ "nvidia_modeset.", LAST },
	{ "nvidia_uvm.", LAST },
	{ "nvidia_peermem.", LAST },
	{ "modprobe.blacklist", LIST },
	{ "module_blacklist", LIST },
	{ "rd.driver.blacklist", LIST },
	{ "rd.driver.pre", LIST },
	{ "rdblacklist", LIST },
	{ "nouveau.modeset", LAST },
	{ "nouveau.blacklist", LAST },
	{ "nomodeset", LAST },
	{ "module.sig_enforce", LAST },
	{ "lockdown", LAST },
	/* the rest of the machine */
	{ "mitigations", LAST },
	{ "spectre_v2", LAST },
	{ "numa_balancing", LAST },
	{ "numa", LAST },
	{ "hugepages", LAST },
	{ "hugepagesz", LAST },
	{ "default_hugepagesz", LAST },
	{ "transparent_hugepage", LAST },
	{ "processor.max_cstate", LAST },
	{ "intel_idle.max_cstate", LAST },
	{ "intel_pstate", LAST },
	{ "amd_pstate", LAST },
	{ "cpufreq.default_governor", LAST },
	{ "cpuidle.off", LAST },
	{ "idle", LAST },
	{ "isolcpus", LAST },
	{ "nohz_full", LAST },
	{ "nosmt", LAST },
	{ "maxcpus", LAST },
	{ "nr_cpus", LAST },
	{ "mem", LAST },
	{ "crashkernel", LAST },
	{ "clocksource", LAST },
	{ "tsc", LAST },
	{ "panic", LAST },
	{ "nmi_watchdog", LAST },
	{ "watchdog", LAST },
	{ "systemd.unified_cgroup_hierarchy", LAST },
	{ "cgroup_enable", LIST },
	/* how it was started */
	{ "recovery", LAST },
	{ "single", LAST },
	{ "emergency", LAST },
	{ "systemd.unit", LAST },
	{ "acpi", LAST },
	{ "noapic", LAST },
	{ "nolapic", LAST },
};

static const struct param *find_param(struct gpudx_sv name)
{
	for (size_t i = 0; i < sizeof(params) / sizeof(params[0]); i++) {
		struct gpudx_sv p = sv_str(params[i].name);

		if (sv_eq(p, name) ||
		    (sv_ends(p, ".") && name.n > p.n && sv_starts(name, params[i].name)))
			return &params[i];
	}
	return NULL;
}

/* ---- one parameter ---- */

enum { PARAM_NAME = 64, PARAM_VALUE = 256, PARAMS_MAX = 64 };

struct found {
	size_t name_n, value_n;
	char name[PARAM_NAME], value[PARAM_VALUE];
};

struct found_list {
	unsigned n;
	struct found v[PARAMS_MAX];
};

/* The next word; quotes may hold blanks. */
static bool scan_word(struct gpudx_sv *s, struct gpudx_sv *out)
{
	bool quoted = false;
	size_t n = 0;

	sv_spaces(s);
	while (n < s->n && (quoted || !sv_is_space(s->p[n])))
		quoted ^= s->p[n++] == '"';
	*out = sv_first(*s, n);
	*s = sv_from(*s, n);
	return n > 0;
}

static struct gpudx_sv unquote(struct gpudx_sv s)
{
	if (s.n >= 2 && s.p[0] == '"' && s.p[s.n - 1] == '"')
		return sv_n(s.p + 1, s.n - 2);
	return s;
}

/* `"name=a b"`, `name="a b"`, `name`. */
static void split(struct gpudx_sv word, struct gpudx_sv *name, struct gpudx_sv *value)
{
	size_t eq;

	word = unquote(word);
	eq = sv_index(word, '=');
	*name = sv_first(word, eq);
	*value = eq < word.n ? unquote(sv_from(word, eq + 1)) : SV_LIT("yes");
}

static struct gpudx_sv canonical(struct gpudx_sv name, char buf[PARAM_NAME])
{
	name = sv_first(name, PARAM_NAME);
	for (size_t i = 0; i < name.n; i++)
		buf[i] = name.p[i] == '-' ? '_' : name.p[i];
	return sv_n(buf, name.n);
}

static struct found *slot(struct found_list *l, struct gpudx_sv name)
{
	struct found *f;

	for (unsigned i = 0; i < l->n; i++)
		if (sv_eq(sv_n(l->v[i].name, l->v[i].name_n), name))
			return &l->v[i];
	if (l->n == PARAMS_MAX)
		return NULL;
	f = &l->v[l->n++];
	memcpy(f->name, name.p, name.n);
	f->name_n = name.n;
	f->value_n = 0;
	return f;
}

static void set_value(struct found *f, struct gpudx_sv value, enum how how)
{
	if (how == LAST)
		f->value_n = 0;
	else if (f->value_n && f->value_n < PARAM_VALUE)
		f->value[f->value_n++] = ',';
	value = sv_first(value, PARAM_VALUE - f->value_n);
	if (value.n)
		memcpy(f->value + f->value_n, value.p, value.n);
	f->value_n += value.n;
}

static void add_param(struct found_list *l, struct gpudx_sv word)
{
	struct gpudx_sv name, value;
	const struct param *p;
	char buf[PARAM_NAME];
	struct found *f;

	split(word, &name, &value);
	name = canonical(name, buf);
	p = find_param(name);
	f = p ? slot(l, name) : NULL;
	if (f)
		set_value(f, value, p->how);
}

/* ---- the line ---- */

/* "(hd0,gpt2)/boot/vmlinuz-6.5.0-28-generic": names of images that are no release are left out. */
static void put_release(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct gpudx_sv skipped, image;

	if (!sv_until(&line, "vmlinuz-", &skipped) || !sv_has(skipped, "BOOT_IMAGE="))
		return;
	image = sv_first(line, sv_index(line, ' '));
	image = sv_first(image, sv_find(image, ".efi"));
	if (image.n && sv_is_digit(image.p[0]))
		gpudx_fact(c, 0, "kernel.release", "cmdline", image);
}

static void put_found(struct gpudx_ctx *c, const struct found *f)
{
	char key[PARAM_NAME + 16];
	int n = snprintf(key, sizeof(key), "cmdline.%.*s", (int)f->name_n, f->name);
	struct gpudx_fact fact = { .layer = SV_LIT("proc"), .value = sv_n(f->value, f->value_n) };

	fact.key = sv_n(key, n > 0 ? (size_t)n : 0);
	if (f->value_n)
		gpudx_put_fact(c, &fact);
}

/* Names that stand on nearly every command line, and hardly in any other text. */
static bool is_common(struct gpudx_sv word)
{
	static const char *const names[] = {
		"root=",	"initrd=",	"console=",    "rd.",
		"resume=",	"rootflags=",	"rootfstype=", "crashkernel=",
		"net.ifnames=", "biosdevname=", "cloud_init",  "panic="
	};
	static const char *const words[] = { "ro", "rw", "quiet", "splash", "nomodeset", "rhgb" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (sv_starts(word, names[i]))
			return true;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (sv_is(word, words[i]))
			return true;
	return false;
}

/* How many words of the line are parameters that one expects; 0 when it is no command line. */
static unsigned expected_words(struct gpudx_sv line)
{
	struct gpudx_sv word;
	unsigned common = 0, plain = 0, all = 0;

	while (scan_word(&line, &word) && !sv_is(word, "--")) { /* behind it: for init */
		char buf[PARAM_NAME];
		struct gpudx_sv name = canonical(sv_first(word, sv_index(word, '=')), buf);

		all++;
		common += is_common(word) || find_param(name) != NULL;
		plain += !sv_has(word, "=") && !is_common(word);
	}
	return plain * 2 <= all ? common : 0;
}

static bool is_named(struct gpudx_sv name)
{
	return sv_ends(name, "proc/cmdline") || sv_has(name, "proc/cmdline ") ||
	       sv_ends(name, "proc_cmdline");
}

static enum gpudx_take cmdline_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct found_list found = { 0 };
	struct gpudx_sv s = sv_trim(line), rest = s, word;
	bool named = is_named(gpudx_command(c)) || is_named(gpudx_path(c));

	if (!sv_starts(s, "BOOT_IMAGE=") && expected_words(s) < (named ? 1 : 2))
		return GPUDX_NOT_MINE;
	gpudx_fact(c, 0, "kernel.cmdline", "proc", s);
	put_release(c, s);
	while (scan_word(&rest, &word) && !sv_is(word, "--"))
		add_param(&found, word);
	for (unsigned i = 0; i < found.n; i++)
		put_found(c, &found.v[i]);
	return GPUDX_TAKEN;
}

static bool cmdline_starts(struct gpudx_sv line)
{
	return sv_starts(line, "BOOT_IMAGE=");
}

static int cmdline_bid(const struct gpudx_head *head)
{
	struct gpudx_sv line;
	size_t i = 0;

	while (i < head->n && sv_blank(head->lines[i].text))
		i++;
	if (i == head->n)
		return 0;
	line = sv_trim(head->lines[i].text);
	if (cmdline_starts(line))
		return 80;
	if ((is_named(head->path) || is_named(head->command)) && expected_words(line))
		return 80;
	return expected_words(line) >= 3 && sv_has(line, "root=") ? 60
	       : expected_words(line) >= 4			  ? 40
								  : 0;
}

const struct gpudx_parser gpudx_parser_kernel_cmdline = {
	.name = "kernel-cmdline",
	.what = "/proc/cmdline: parameters of the kernel",
	.bid = cmdline_bid,
	.starts = cmdline_starts,
	.line = cmdline_line,
};
