/* /var/log/nvidia-installer.log, nvidia-uninstall.log: the .run installer.
 *
 *   nvidia-installer log file '/var/log/nvidia-installer.log'
 *   creation time: Tue May  7 09:58:55 2024
 *   installer version: 535.154.05
 *   -> There appears to already be a driver installed on your system (version: 470.223.02).  As
 * part
 *   -> Installing NVIDIA driver version 535.154.05.
 *   ERROR: Unable to load the kernel module 'nvidia.ko'.  This happens most frequently when ...
 *   ERROR: Installation has failed.  Please see the file '/var/log/nvidia-installer.log' ...
 *   -> Installation of the NVIDIA Accelerated Graphics Driver for Linux-x86_64 (version:
 * 535.154.05) is now complete.
 *
 * One time stands for all: the start. Source: nvidia-installer, log.c, install-from-cwd.c. */
#include "parse/package.h"
#include "parse/text.h"

struct installer {
	struct gpudx_stamp at;
	bool inside;
	uint32_t new_n;
	char version[24]; /* of the installer, which installs its own */
};

static void put_version(struct gpudx_ctx *c, const struct installer *i, struct gpudx_sv v,
			int64_t shift_us)
{
	struct gpudx_fact f = {
		.key = SV("driver.version"), .layer = SV("installer"), .value = v, .stamp = i->at
	};

	if (f.stamp.kind != GPUDX_STAMP_NONE)
		f.stamp.t_us += shift_us;
	if (v.n)
		gpudx_put_fact(c, &f);
}

static void put_event(struct gpudx_ctx *c, const struct installer *i, const char *kind,
		      struct gpudx_sv text)
{
	struct gpudx_event e = gpudx_event_of(sv_str(kind), i->at, text);

	e.attrs[e.nattrs++] = (struct gpudx_attr){ SV_LIT("version"), sv_n(i->version, i->new_n) };
	gpudx_put_event(c, &e);
}

/* "... (version: 470.223.02)": the first one. */
static struct gpudx_sv version_in(struct gpudx_sv s)
{
	struct gpudx_sv skipped;

	return sv_until(&s, "(version: ", &skipped) ? pkg_parts(s, 4) : sv_n(NULL, 0);
}

static void body_line(struct gpudx_ctx *c, struct installer *i, struct gpudx_sv s)
{
	struct gpudx_sv kernel = s;
	int64_t mono;

	/* The last messages of the kernel are copied in; of which boot is known by the date only.
	 */
	if (sv_char(&kernel, '[') && sv_spaces(&kernel) && gpudx_scan_mono(&kernel, &mono) &&
	    sv_char(&kernel, ']')) {
		gpudx_match(c, sv_trim(kernel), &i->at);
		return;
	}
	sv_lit(&s, "-> ");
	if (sv_has(s, "already be a driver installed on your system (version: "))
		put_version(c, i, version_in(s), -GPUDX_SECOND);
	else if (sv_has(s, "nstallation of the ") && sv_has(s, "is now complete"))
		put_version(c, i, sv_n(i->version, i->new_n), 0);
	else if (sv_starts(s, "Uninstallation of existing driver: ") && sv_has(s, "is complete"))
		put_version(c, i, SV_LIT("none"), 0);
	else if (sv_starts(s, "ERROR: "))
		put_event(c, i,
			  sv_has(s, "Unable to build the NVIDIA kernel module") ||
					  sv_has(s, "An error occurred while performing the step: "
						    "\"Building") ||
					  sv_has(s, "Failed to run `/usr/sbin/dkms build")
				  ? "module.build_failed"
				  : "driver.install_failed",
			  s);
}

static enum gpudx_take installer_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct installer *i = gpudx_state(c);
	struct gpudx_sv s = sv_trim(line);

	if (sv_starts(s, "nvidia-installer log file ") ||
	    sv_starts(s, "nvidia-uninstall log file ")) {
		i->inside = true;
		i->at.kind = GPUDX_STAMP_NONE;
		i->at.t_us = GPUDX_NO_TIME;
		i->new_n = 0;
		return GPUDX_TAKEN;
	}
	if (!i->inside || text_may_be_border(line))
		return GPUDX_NOT_MINE;
	if (sv_lit(&s, "creation time: ")) {
		if (!gpudx_scan_ctime(&s, &i->at))
			return gpudx_reject(c, "no date");
		gpudx_now(c, i->at.kind, i->at.t_us);
	} else if (sv_lit(&s, "installer version: ")) {
		s = sv_first(pkg_parts(s, 4), sizeof(i->version));
		if (s.n)
			memcpy(i->version, s.p, s.n);
		i->new_n = (uint32_t)s.n;
	} else {
		body_line(c, i, s);
	}
	return GPUDX_TAKEN;
}

static void installer_begin(struct gpudx_ctx *c)
{
	struct installer *i = gpudx_state(c);

	i->at.t_us = i->at.mono_us = GPUDX_NO_TIME;
}

static bool installer_starts(struct gpudx_sv line)
{
	return sv_starts(line, "nvidia-installer log file '") ||
	       sv_starts(line, "nvidia-uninstall log file '");
}

static int installer_bid(const struct gpudx_head *head)
{
	for (size_t i = 0; i < head->n && i < 5; i++)
		if (installer_starts(sv_trim(head->lines[i].text)))
			return 80;
	return 0;
}

const struct gpudx_parser gpudx_parser_nvidia_installer = {
	.name = "nvidia-installer",
	.what = "nvidia-installer.log of the .run package",
	.bid = installer_bid,
	.starts = installer_starts,
	.begin = installer_begin,
	.line = installer_line,
	.state_size = sizeof(struct installer),
	.flags = GPUDX_P_FIND,
};
