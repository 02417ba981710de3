/* /proc/driver/nvidia/version: which driver is loaded, and whose build it is. Also the same line
 * alone, and /sys/module/nvidia/version, which is nothing but a number.
 *
 *   NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.154.05  Thu Dec 28 15:37:48 UTC 2023
 *   GCC version:  gcc version 11.4.0 (Ubuntu 11.4.0-1ubuntu1~22.04)
 *
 *   NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.95.05  Release Build  (root@h) Tue
 *   NVRM version:  NVIDIA UNIX Open Kernel Module for x86_64  515.57  Release Build Mi 20. Jul 2022
 *   NVRM version:   535.154.05                            (nvidia-container-cli info)
 *
 * The date is that of the build, in the builder's locale, and may be missing. Source: open modules,
 * kernel-open/nvidia/nv-procfs.c; captures. */
#include "parse/parser.h"

/* "550.54.14", "367.35": digits and dots, at least one dot. */
static bool is_version(struct gpudx_sv s)
{
	uint64_t part;
	unsigned dots = 0;

	for (;;) {
		if (!sv_u64(&s, &part))
			return false;
		if (!s.n)
			return dots >= 1 && dots <= 3;
		if (!sv_char(&s, '.'))
			return false;
		dots++;
	}
}

/* The first word that is a version; s becomes what follows it. */
static bool scan_version(struct gpudx_sv *s, struct gpudx_sv *out)
{
	struct gpudx_sv word;

	while (sv_spaces(s) && sv_token(s, &word)) {
		if (is_version(word)) {
			*out = word;
			return true;
		}
	}
	return false;
}

/* "Release Build  (root@host)  Tue Sep 23 ..." -> the date; the builder's name is nobody's
 * business. */
static struct gpudx_sv build_date(struct gpudx_sv s)
{
	struct gpudx_sv skipped;

	s = sv_trim(s);
	if (!sv_lit(&s, "Release Build"))
		sv_lit(&s, "Debug Build");
	s = sv_ltrim(s);
	if (sv_char(&s, '('))
		sv_until(&s, ")", &skipped);
	return sv_trim(s);
}

static enum gpudx_take nvrm_line(struct gpudx_ctx *c, struct gpudx_sv s)
{
	bool open = sv_has(s, "Open Kernel Module"), named = open || sv_has(s, "Kernel Module");
	struct gpudx_sv version, date;

	if (!scan_version(&s, &version))
		return gpudx_reject(c, "no driver version");
	gpudx_fact(c, 0, "driver.version", "loaded", version);
	if (!named)
		return GPUDX_TAKEN;
	gpudx_fact(c, 0, "driver.flavor", "loaded", open ? SV_LIT("open") : SV_LIT("proprietary"));
	date = build_date(s);
	if (date.n)
		gpudx_fact(c, 0, "driver.build", "loaded", date);
	return GPUDX_TAKEN;
}

static bool is_sys_version(struct gpudx_sv name)
{
	return sv_ends(name, "sys/module/nvidia/version");
}

static enum gpudx_take version_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct gpudx_sv s = sv_trim(line);

	if (sv_lit(&s, "NVRM version:"))
		return nvrm_line(c, s);
	if (sv_lit(&s, "GCC version:")) {
		s = sv_trim(s);
		if (s.n)
			gpudx_fact(c, 0, "module.compiler", "loaded", s);
		return GPUDX_TAKEN;
	}
	if (is_version(s) && (is_sys_version(gpudx_path(c)) || is_sys_version(gpudx_command(c)))) {
		gpudx_fact(c, 0, "driver.version", "loaded", s);
		return GPUDX_TAKEN;
	}
	/* What some compilers add to their name. */
	return sv_starts(s, "Selected multilib:") ? GPUDX_TAKEN : GPUDX_NOT_MINE;
}

static bool version_starts(struct gpudx_sv line)
{
	struct gpudx_sv version;

	return sv_lit(&line, "NVRM version:") && scan_version(&line, &version);
}

static int version_bid(const struct gpudx_head *head)
{
	for (size_t i = 0, seen = 0; i < head->n && seen < 3; i++) {
		struct gpudx_sv line = sv_trim(head->lines[i].text);

		if (!line.n)
			continue;
		seen++;
		if (version_starts(line))
			return 80;
		if (is_version(line) &&
		    (is_sys_version(head->path) || is_sys_version(head->command)))
			return 80;
	}
	return 0;
}

const struct gpudx_parser gpudx_parser_nv_proc_version = {
	.name = "nv-proc-version",
	.what = "/proc/driver/nvidia/version and /sys/module/nvidia/version",
	.bid = version_bid,
	.starts = version_starts,
	.line = version_line,
};
