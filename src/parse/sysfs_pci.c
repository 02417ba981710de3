/* Files of PCI devices under /sys, as `grep -r . /sys/bus/pci/devices/0000:3b:00.0/` prints them,
 * behind "==> PATH <==" of head and tail, or each as a member of the bundle:
 *
 *   /sys/bus/pci/devices/0000:3b:00.0/current_link_speed:32.0 GT/s PCIe
 *   /sys/bus/pci/devices/0000:3b:00.0/max_link_width:16
 *   /sys/bus/pci/devices/0000:3b:00.0/numa_node:0
 *   /sys/bus/pci/devices/0000:3b:00.0/aer_dev_correctable:RxErr 3
 *   /sys/bus/pci/devices/0000:3b:00.0/power/runtime_status:active
 *
 * The address may stand anywhere in the path: in resolved links the last one is the device's.
 * The counters of AER count since boot. Source: Documentation/ABI/testing/sysfs-bus-pci* of the
 * kernel; drivers/pci/pci-sysfs.c, pcie/aer.c. */
#include "parse/lspci_head.h"
#include "parse/tool.h"

#include <stdio.h>

enum { TEXT = 64, COUNTERS = 40, KEY = 80 };

struct counter {
	char key[KEY];
	uint32_t line;
	uint64_t n;
};

struct device {
	struct gpudx_device d;
	char driver[TEXT];
	struct counter counters[COUNTERS];
	unsigned ncounters;
	char d3cold[TEXT], status[TEXT];
	bool any;
	bool nvidia; /* its driver is NVIDIA's */
};

struct sysfs {
	struct device at;
	bool open;
	char file[TEXT]; /* of the lines without a path */
	size_t file_n;
	bool told; /* it has given its line */
};

/* ---- paths ---- */

/* The last address in a path, and the file behind it. */
static bool scan_path(struct gpudx_sv path, struct gpudx_bdf *bdf, struct gpudx_sv *file)
{
	bool found = false;

	for (size_t i = 0; i < path.n; i++) {
		struct gpudx_sv s = sv_from(path, i + 1);
		struct gpudx_bdf b;

		if (path.p[i] != '/' || !s.n || sv_hex_value(s.p[0]) < 0 || sv_index(s, ':') > 8 ||
		    !gpudx_bdf_scan(&s, &b) || !sv_char(&s, '/'))
			continue;
		*bdf = b;
		*file = s;
		found = true;
	}
	return found;
}

static bool is_sysfs(struct gpudx_sv path)
{
	return sv_has(path, "sys/bus/pci/") || sv_has(path, "sys/devices/pci") ||
	       sv_has(path, "/pci0000:") || sv_has(path, "sys/class/");
}

/* "/sys/.../0000:3b:00.0/FILE:VALUE": the colons of addresses are followed by two digits. */
static bool scan_line(struct gpudx_sv s, struct gpudx_bdf *bdf, struct gpudx_sv *file,
		      struct gpudx_sv *value)
{
	size_t slash = s.n, colon;

	if (!sv_starts(s, "/sys/") && !sv_starts(s, "sys/"))
		return false;
	for (size_t i = 0; i < s.n && s.p[i] != ' '; i++)
		if (s.p[i] == '/')
			slash = i;
	if (slash == s.n)
		return false;
	colon = sv_index(sv_from(s, slash), ':');
	if (slash + colon == s.n || !scan_path(sv_first(s, slash + colon), bdf, file))
		return false;
	*value = sv_trim(sv_from(s, slash + colon + 1));
	return is_sysfs(s);
}

/* ---- values ---- */

static bool scan_speed(struct gpudx_sv v, double *gts)
{
	return sv_decimal(&v, gts) && sv_lit(&v, " GT/s");
}

static bool scan_hex(struct gpudx_sv v, uint32_t *out)
{
	uint64_t n;

	if (!sv_lit(&v, "0x") || !sv_hex(&v, 1, 8, &n) || v.n)
		return false;
	*out = (uint32_t)n;
	return true;
}

static void set_width(struct gpudx_sv v, unsigned *width, uint32_t *line, uint32_t no)
{
	uint64_t n;

	/* 63 and 255 are all-ones reads of a device that is gone. */
	if (!sv_u64(&v, &n) || v.n || n > 32)
		return;
	*width = (unsigned)n;
	*line = no;
}

static void set_numa(struct gpudx_sv v, int *node)
{
	uint64_t n;

	if (sv_u64(&v, &n) && !v.n && n < 4096)
		*node = (int)n;
}

static void set_text(char *to, struct gpudx_sv v)
{
	v = sv_first(v, TEXT - 1);
	memcpy(to, v.p, v.n);
	to[v.n] = 0;
}

/* "RxErr 3", "TOTAL_ERR_COR 0" */
static bool count(struct device *d, const char *kind, struct gpudx_sv v, uint32_t no)
{
	struct gpudx_sv name;
	struct counter *k = &d->counters[d->ncounters];
	uint64_t n;

	if (!sv_token(&v, &name) || !sv_spaces(&v) || !sv_u64(&v, &n) || v.n)
		return false;
	if (d->ncounters == COUNTERS || name.n > 40)
		return true;
	snprintf(k->key, sizeof(k->key), "pcie.aer_%s.%.*s", kind, (int)name.n, name.p);
	k->n = n;
	k->line = no;
	d->ncounters++;
	return true;
}

static bool is_hex_file(struct device *d, struct gpudx_sv file, struct gpudx_sv v)
{
	uint32_t class_id;

	if (sv_is(file, "vendor"))
		scan_hex(v, &d->d.vendor_id);
	else if (sv_is(file, "device"))
		scan_hex(v, &d->d.device_id);
	else if (!sv_is(file, "class"))
		return false;
	else if (scan_hex(v, &class_id))
		d->d.class_id = class_id >> 8;
	return true;
}

static const char *const others[] = { "subsystem_vendor",
				      "subsystem_device",
				      "revision",
				      "irq",
				      "enable",
				      "modalias",
				      "local_cpulist",
				      "local_cpus",
				      "resource",
				      "dma_mask_bits",
				      "broken_parity_status",
				      "msi_bus",
				      "reset_method",
				      "ari_enabled",
				      "boot_vga",
				      "consistent_dma_mask_bits",
				      "power_state",
				      "label",
				      "index",
				      "uevent",
				      "sriov_numvfs",
				      "sriov_totalvfs",
				      "secondary_bus_number",
				      "subordinate_bus_number" };

static bool is_other(struct gpudx_sv file)
{
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (sv_is(file, others[i]))
			return true;
	return sv_starts(file, "power/") || sv_starts(file, "link/") || sv_starts(file, "drm/") ||
	       sv_starts(file, "msi_irqs/") || sv_starts(file, "i2c-") ||
	       sv_starts(file, "resource") || sv_starts(file, "virtfn") || sv_starts(file, "iommu");
}

static bool link_file(struct device *d, struct gpudx_sv file, struct gpudx_sv v, uint32_t no)
{
	if (sv_is(file, "current_link_speed"))
		scan_speed(v, &d->d.sta_gts);
	else if (sv_is(file, "max_link_speed"))
		scan_speed(v, &d->d.cap_gts);
	else if (sv_is(file, "current_link_width"))
		set_width(v, &d->d.sta_width, &d->d.line_sta, no);
	else if (sv_is(file, "max_link_width"))
		set_width(v, &d->d.cap_width, &d->d.line_cap, no);
	else
		return false;
	return true;
}

static bool read_file(struct device *d, struct gpudx_sv file, struct gpudx_sv v, uint32_t no)
{
	if (link_file(d, file, v, no) || is_hex_file(d, file, v))
		return true;
	if (sv_is(file, "aer_dev_correctable"))
		return count(d, "correctable", v, no);
	if (sv_is(file, "aer_dev_nonfatal"))
		return count(d, "nonfatal", v, no);
	if (sv_is(file, "aer_dev_fatal"))
		return count(d, "fatal", v, no);
	if (sv_starts(file, "aer_rootport_total_err_") || sv_starts(file, "aer_stats/"))
		return true;
	if (sv_is(file, "numa_node"))
		set_numa(v, &d->d.numa_node);
	else if (sv_is(file, "d3cold_allowed"))
		set_text(d->d3cold, v);
	else if (sv_is(file, "power/runtime_status"))
		set_text(d->status, v);
	else if (sv_is(file, "uevent") && sv_lit(&v, "DRIVER="))
		set_text(d->driver, v);
	else
		return is_other(file);
	return true;
}

/* ---- devices ---- */

static void put_counters(struct gpudx_ctx *c, const struct device *d)
{
	struct gpudx_fact f = { .ref = d->d.ref, .has_num = true };
	char buf[24], bdf[GPUDX_BDF_TEXT];
	int n;

	/* Of a port they are the host's, told apart by the address. */
	gpudx_bdf_text(d->d.bdf, bdf);
	f.layer = d->d.ref ? SV_LIT("sysfs") : sv_str(bdf);
	for (unsigned i = 0; i < d->ncounters; i++) {
		n = snprintf(buf, sizeof(buf), "%llu", (unsigned long long)d->counters[i].n);
		f.key = sv_str(d->counters[i].key);
		f.value = sv_n(buf, n > 0 ? (size_t)n : 0);
		f.num = (double)d->counters[i].n;
		f.line = d->counters[i].line;
		gpudx_put_fact(c, &f);
	}
}

/* Power states and lists of CPUs alone do not show what it is. */
static bool shows_device(const struct gpudx_device *d)
{
	return d->class_id != GPUDX_NO_ID || d->vendor_id != GPUDX_NO_ID || d->sta_gts > 0 ||
	       d->cap_gts > 0 || d->sta_width || d->cap_width || d->numa_node >= 0;
}

static void device_end(struct gpudx_ctx *c, struct sysfs *s)
{
	struct device *d = &s->at;

	if (!s->open || !d->any)
		return;
	s->open = false;
	if (d->nvidia || gpudx_lspci_is_gpu(d->d.class_id, d->d.vendor_id, sv_n(NULL, 0)))
		d->d.ref = gpudx_ref_bdf(c, d->d.bdf);
	if (d->driver[0])
		d->d.driver = sv_str(d->driver);
	if (shows_device(&d->d))
		gpudx_put_device(c, &d->d);
	put_counters(c, d);
	if (d->d.ref && d->d3cold[0])
		gpudx_fact(c, d->d.ref, "power.d3cold_allowed", "sysfs", sv_str(d->d3cold));
	if (d->d.ref && d->status[0])
		gpudx_fact(c, d->d.ref, "power.runtime_status", "sysfs", sv_str(d->status));
}

static void device_set(struct sysfs *s, struct gpudx_bdf bdf, uint32_t line)
{
	s->open = true;
	s->at = (struct device){ 0 };
	s->at.d = gpudx_device_at(bdf, line);
}

static void device_begin(struct gpudx_ctx *c, struct sysfs *s, struct gpudx_bdf bdf)
{
	if (s->open && gpudx_bdf_eq(s->at.d.bdf, bdf))
		return;
	device_end(c, s);
	device_set(s, bdf, gpudx_this_line(c)->no);
}

static void set_file(struct sysfs *s, struct gpudx_sv file)
{
	file = sv_first(file, sizeof(s->file));
	memcpy(s->file, file.p, file.n);
	s->file_n = file.n;
	s->told = false;
}

/* What follows a path is the content of that file only as long as it looks like it: most have one
 * line. */
static bool goes_on(struct sysfs *s, struct gpudx_sv file, struct gpudx_sv text)
{
	bool first = !s->told;

	s->told = true;
	if (sv_starts(file, "aer_"))
		return true; /* the counters are told by their shape */
	if (sv_is(file, "uevent"))
		return sv_index(text, '=') < text.n && sv_index(text, ' ') == text.n;
	if (sv_is(file, "resource"))
		return sv_starts(text, "0x");
	return first && text.n < 64;
}

/* ---- the parser ---- */

static enum gpudx_take sysfs_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct sysfs *s = gpudx_state(c);
	struct gpudx_sv text = sv_trim(line), file, value;
	struct gpudx_bdf bdf;

	if (sv_lit(&text, "==> ")) {
		if (!scan_path(sv_first(text, sv_find(text, " <==")), &bdf, &file) ||
		    !is_sysfs(text))
			return GPUDX_NOT_MINE;
		device_begin(c, s, bdf);
		set_file(s, file);
		return GPUDX_TAKEN;
	}
	if (scan_line(text, &bdf, &file, &value)) {
		device_begin(c, s, bdf);
		s->at.nvidia |= sv_has(text, "/drivers/nvidia/");
		s->file_n = 0;
	} else if (s->open && s->file_n) {
		file = sv_n(s->file, s->file_n);
		value = text;
	} else {
		return GPUDX_NOT_MINE;
	}
	if (s->file_n && !goes_on(s, file, value))
		return GPUDX_NOT_MINE;
	if (!read_file(&s->at, file, value, gpudx_this_line(c)->no))
		return s->file_n ? GPUDX_NOT_MINE : GPUDX_TAKEN;
	s->at.any = true;
	gpudx_cite(c);
	return GPUDX_TAKEN;
}

/* The path of command or member names device and file, when the lines do not. */
static bool names_file(struct gpudx_sv command, struct gpudx_sv path, struct gpudx_bdf *bdf,
		       struct gpudx_sv *file)
{
	struct gpudx_sv rest = command, word;

	while (sv_spaces(&rest) && sv_token(&rest, &word))
		if (is_sysfs(word) && scan_path(word, bdf, file))
			return true;
	return is_sysfs(path) && scan_path(path, bdf, file);
}

static void sysfs_begin(struct gpudx_ctx *c)
{
	struct sysfs *s = gpudx_state(c);
	struct gpudx_bdf bdf;
	struct gpudx_sv file;

	gpudx_excerpt(c); /* other devices may be there */
	if (!names_file(gpudx_command(c), gpudx_path(c), &bdf, &file) ||
	    sv_index(file, '*') < file.n)
		return;
	device_set(s, bdf, 0);
	set_file(s, file);
}

static void sysfs_finish(struct gpudx_ctx *c)
{
	device_end(c, gpudx_state(c));
}

static bool sysfs_starts(struct gpudx_sv line)
{
	struct gpudx_sv file, value;
	struct gpudx_bdf bdf;

	return sv_starts(line, "/sys/") && scan_line(line, &bdf, &file, &value);
}

static int sysfs_bid(const struct gpudx_head *head)
{
	struct gpudx_sv file, value;
	struct gpudx_bdf bdf;

	for (size_t i = 0, seen = 0; i < head->n && seen < 20; i++) {
		struct gpudx_sv s = sv_trim(head->lines[i].text);

		if (!s.n)
			continue;
		seen++;
		if (scan_line(s, &bdf, &file, &value) ||
		    (sv_lit(&s, "==> ") && is_sysfs(s) && scan_path(s, &bdf, &file)))
			return 80;
	}
	if (head->n && names_file(head->command, head->path, &bdf, &file)) {
		struct device d = { 0 };
		struct sysfs s = { .told = false };

		if (!goes_on(&s, file, sv_trim(head->lines[0].text)))
			return 0;
		return read_file(&d, file, sv_trim(head->lines[0].text), 1) ? 80 : 0;
	}
	return 0;
}

const struct gpudx_parser gpudx_parser_sysfs_pci = {
	.name = "sysfs-pci",
	.what = "files of PCI devices under /sys: link, NUMA node, AER counters",
	.bid = sysfs_bid,
	.starts = sysfs_starts,
	.begin = sysfs_begin,
	.line = sysfs_line,
	.finish = sysfs_finish,
	.state_size = sizeof(struct sysfs),
};
