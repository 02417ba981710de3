/* Room on file systems: df in any unit, mount and /proc/mounts.
 *
 *   Filesystem      Size  Used Avail Use% Mounted on
 *   /dev/nvme0n1p2  1.8T  1.7T   12G 100% /
 *   tmpfs            64M     0   64M   0% /dev/shm
 *   tmpfs on /dev/shm type tmpfs (rw,nosuid,nodev,size=65536k)
 *   tmpfs /dev/shm tmpfs rw,nosuid,nodev,size=65536k 0 0
 *
 * Kept is how full real file systems are, and shared memory, which NCCL and data loaders need.
 * Source: coreutils, src/df.c; util-linux, sys-utils/mount.c; kernel, fs/proc_namespace.c. */
#include "parse/tool.h"

enum { PATH = 60 };

struct df {
	char unit;   /* of cells without one */
	bool inodes; /* df -i */
	bool heading;
};

static struct gpudx_sv last_word(struct gpudx_sv s)
{
	size_t at = sv_find(s, "% /");

	return at < s.n ? sv_from(s, at + 2) : sv_n(NULL, 0);
}

/* "Filesystem     1K-blocks     Used Available Use% Mounted on" */
static bool df_heading(struct gpudx_sv s, struct df *d)
{
	if (!sv_lit(&s, "Filesystem ") || !sv_has(s, "Mounted on"))
		return false;
	d->inodes = sv_has(s, "Inodes");
	d->unit = sv_has(s, "1M-blocks")   ? 'm'
		  : sv_has(s, "1G-blocks") ? 'g'
		  : sv_has(s, "1B-blocks") ? 'b'
					   : 'k';
	d->heading = true;
	return true;
}

/* File systems that live in memory or in packages are always full or never. */
static bool is_real(struct gpudx_sv device, struct gpudx_sv mount)
{
	static const char *const none[] = { "udev",	"devtmpfs", "overlay",
					    "efivarfs", "squashfs", "none" };

	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		if (sv_is(device, none[i]))
			return false;
	return !sv_starts(device, "/dev/loop") && !sv_starts(mount, "/snap/") &&
	       !sv_starts(mount, "/run") && !sv_starts(mount, "/sys") && mount.n <= PATH;
}

/* "/" is root, "/dev/shm" dev.shm. */
static void put_num(struct gpudx_ctx *c, const char *prefix, struct gpudx_sv mount,
		    const char *layer, double num)
{
	char key[PATH + 24];
	size_t n = strlen(prefix);

	memcpy(key, prefix, n);
	mount = sv_from(mount, 1);
	if (!mount.n)
		mount = SV_LIT("root");
	mount = sv_first(mount, PATH);
	for (size_t i = 0; i < mount.n; i++)
		key[n++] = mount.p[i] == '/' ? '.' : mount.p[i];
	key[n] = 0;
	gpudx_fact_num(c, 0, key, layer, num);
}

static void put_df(struct gpudx_ctx *c, const struct df *d, struct gpudx_sv mount,
		   struct gpudx_sv size, struct gpudx_sv used)
{
	double mib, pct;

	if (sv_decimal(&used, &pct) && sv_is(used, "%"))
		put_num(c, d->inodes ? "disk.inodes_pct." : "disk.used_pct.", mount, "df", pct);
	if (!d->inodes && tool_mib(size, d->unit, &mib))
		put_num(c, "disk.size_mib.", mount, "df", mib);
}

static bool df_row(struct gpudx_ctx *c, const struct df *d, struct gpudx_sv s)
{
	struct gpudx_sv mount = sv_trim(last_word(s)), device, size, word, used = { NULL, 0 };

	if (!d->heading || !sv_token(&s, &device) || !sv_spaces(&s))
		return false;
	/* A long name of a device stands on a line of its own. */
	if (!s.n)
		return sv_has(device, "/") || sv_has(device, ":");
	if (!mount.n || !sv_token(&s, &size))
		return sv_has(s, " - ") || sv_has(s, "% ");
	while (sv_spaces(&s) && sv_token(&s, &word) && !used.n)
		if (sv_ends(word, "%"))
			used = word;
	if (sv_is_digit(device.p[0])) { /* the name stood above: what looked like it is the size */
		size = device;
		device = SV_LIT("/dev");
	}
	if (is_real(device, mount))
		put_df(c, d, mount, size, used);
	return used.n > 0;
}

struct mount {
	struct gpudx_sv at, type, options;
};

/* "DEVICE on PATH type TYPE (OPTIONS)", "DEVICE PATH TYPE OPTIONS 0 0" */
static bool scan_mount(struct gpudx_sv s, struct mount *m)
{
	struct gpudx_sv device, rest = s, tail;

	if (sv_until(&rest, " on /", &device) && sv_until(&rest, " type ", &m->at) &&
	    sv_token(&rest, &m->type) && sv_lit(&rest, " (")) {
		m->at = sv_n(m->at.p - 1, m->at.n + 1);
		m->options = sv_first(rest, sv_index(rest, ')'));
		return true;
	}
	if (!sv_token(&s, &device) || !sv_char(&s, ' ') || !sv_starts(s, "/") ||
	    !sv_token(&s, &m->at) || !sv_char(&s, ' ') || !sv_token(&s, &m->type) ||
	    !sv_char(&s, ' ') || !sv_token(&s, &m->options) || !sv_char(&s, ' '))
		return false;
	tail = sv_trim(s);
	return tail.n == 3 && sv_is_digit(tail.p[0]) && tail.p[1] == ' ' &&
	       sv_is_digit(tail.p[2]) &&
	       (sv_starts(m->options, "rw") || sv_starts(m->options, "ro"));
}

/* Only shared memory: its size, where it was set. */
static void put_mount(struct gpudx_ctx *c, const struct mount *m)
{
	struct gpudx_sv s = m->options, skipped, size;
	double mib;

	if (!sv_is(m->at, "/dev/shm") || !sv_until(&s, "size=", &skipped))
		return;
	size = sv_first(s, sv_index(s, ','));
	if (tool_mib(size, 'b', &mib))
		put_num(c, "disk.size_mib.", m->at, "mount", mib);
}

static enum gpudx_take mounts_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct df *d = gpudx_state(c);
	struct gpudx_sv text = sv_trim(line);
	struct mount m;

	if (df_heading(text, d) || df_row(c, d, text))
		return GPUDX_TAKEN;
	if (!scan_mount(text, &m))
		return GPUDX_NOT_MINE;
	put_mount(c, &m);
	return GPUDX_TAKEN;
}

static bool mounts_starts(struct gpudx_sv line)
{
	struct df d;

	return df_heading(line, &d);
}

static int mounts_bid(const struct gpudx_head *head)
{
	unsigned n = 0;
	struct mount m;

	for (size_t i = 0, seen = 0; i < head->n && seen < 10; i++) {
		struct gpudx_sv s = sv_trim(head->lines[i].text);

		if (!s.n)
			continue;
		seen++;
		if (mounts_starts(s))
			return 80;
		n += scan_mount(s, &m);
	}
	return n >= 2 || (n && (tool_is("mount", head->command, head->path) ||
				tool_is("mounts", head->command, head->path)))
		       ? 60
		       : 0;
}

const struct gpudx_parser gpudx_parser_mounts = {
	.name = "mounts",
	.what = "df, mount, /proc/mounts: full file systems, shared memory",
	.bid = mounts_bid,
	.starts = mounts_starts,
	.line = mounts_line,
	.state_size = sizeof(struct df),
};
