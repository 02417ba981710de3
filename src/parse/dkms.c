/* DKMS: make.log of a module that was built for a kernel, and dkms status.
 *
 *   DKMS make.log for nvidia-535.154.05 for kernel 6.8.0-62-generic (x86_64)
 *   Tue Jun 24 14:36:50 UTC 2025
 *   make[1]: Entering directory '/usr/src/linux-headers-6.8.0-62-generic'
 *     CC [M]  /var/lib/dkms/nvidia/535.154.05/build/nvidia/nv.o
 *   .../nvidia/nv-pci.c:123:5: error: implicit declaration of function 'pci_foo'
 *   make: *** [Makefile:82: modules] Error 2
 *
 *   nvidia/535.154.05, 6.8.0-62-generic, x86_64: installed
 *   nvidia, 470.223.02, 5.15.0-91-generic, x86_64: installed (WARNING! Diff between built and
 * installed) nvidia/550.54.14: added
 *
 * Only the first error of a build is said; the rest follows from it. Source: dkms, dkms.in. */
#include "parse/package.h"
#include "parse/text.h"

struct dkms {
	bool inside, failed;
	struct gpudx_stamp at;
	char module[64], kernel[96];
};

/* ---- make.log ---- */

static bool scan_head(struct gpudx_sv s, struct gpudx_sv *module, struct gpudx_sv *kernel)
{
	if (!sv_lit(&s, "DKMS make.log for ") && !sv_lit(&s, "DKMS (dkms-"))
		return false;
	/* dkms 3.1: "DKMS (dkms-3.1.0) make.log for nvidia/550 for kernel ..." */
	if (sv_has(s, "make.log for "))
		s = sv_from(s, sv_find(s, "make.log for ") + strlen("make.log for "));
	if (!sv_until(&s, " for kernel ", module))
		return false;
	*kernel = sv_first(s, sv_find(s, " ("));
	return kernel->n > 0;
}

static bool is_error(struct gpudx_sv s)
{
	return sv_has(s, ": error: ") || sv_has(s, ": fatal error: ") ||
	       sv_starts(s, "ERROR: modpost:") || sv_has(s, "undefined!") ||
	       (sv_starts(s, "make") && sv_has(s, "*** ")) || sv_starts(s, "FATAL: modpost:");
}

static void put_failed(struct gpudx_ctx *c, struct dkms *d, struct gpudx_sv s)
{
	struct gpudx_event e = gpudx_event_of(SV_LIT("module.build_failed"), d->at, s);

	if (d->failed) {
		return;
	}
	d->failed = true;
	e.attrs[e.nattrs++] = (struct gpudx_attr){ SV_LIT("module"), sv_str(d->module) };
	e.attrs[e.nattrs++] = (struct gpudx_attr){ SV_LIT("kernel"), sv_str(d->kernel) };
	gpudx_put_event(c, &e);
}

static void make_line(struct gpudx_ctx *c, struct dkms *d, struct gpudx_sv s)
{
	struct gpudx_stamp t;
	struct gpudx_sv rest = s;

	if (d->at.kind == GPUDX_STAMP_NONE && gpudx_scan_ctime(&rest, &t) && sv_blank(rest)) {
		d->at = t;
		gpudx_now(c, t.kind, t.t_us);
	} else if (is_error(s)) {
		put_failed(c, d, s);
	}
}

/* ---- dkms status ---- */

static bool is_state(struct gpudx_sv s)
{
	return sv_starts(s, "installed") || sv_starts(s, "built") || sv_starts(s, "added") ||
	       sv_starts(s, "broken");
}

/* "module/version[, kernel, arch]: state", older "module, version, kernel, arch: state" */
static bool scan_status(struct gpudx_sv s, struct gpudx_sv *module, struct gpudx_sv *version,
			struct gpudx_sv *kernel, struct gpudx_sv *state)
{
	struct gpudx_sv left, arch;

	if (!sv_until(&s, ": ", &left) || !is_state(*state = sv_trim(s)))
		return false;
	if (sv_index(left, '/') < sv_index(left, ',')) {
		if (!sv_until(&left, "/", module))
			return false;
	} else if (!sv_until(&left, ", ", module)) {
		return false;
	}
	*version = sv_first(left, sv_index(left, ','));
	left = sv_ltrim(sv_from(left, version->n + 1));
	*kernel = sv_first(left, sv_index(left, ','));
	arch = sv_trim(sv_from(left, kernel->n + 1));
	return version->n && !sv_has(*module, " ") && !sv_has(*version, " ") &&
	       (!kernel->n || arch.n || sv_starts(*state, "added"));
}

static bool status_line(struct gpudx_ctx *c, struct gpudx_sv s)
{
	struct gpudx_sv module, version, kernel, state;
	struct gpudx_fact f = { .key = SV("dkms.nvidia") };
	char value[96];

	if (!scan_status(s, &module, &version, &kernel, &state))
		return false;
	if (!sv_starts(module, "nvidia") || version.n > 40)
		return true;
	state = sv_first(state, sv_index(state, ' '));
	memcpy(value, version.p, version.n);
	value[version.n] = ' ';
	text_keep(value + version.n + 1, sizeof(value) - version.n - 1, state);
	f.layer = kernel;
	f.value = sv_str(value);
	gpudx_put_fact(c, &f);
	return true;
}

/* ---- the parser ---- */

static enum gpudx_take dkms_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct dkms *d = gpudx_state(c);
	struct gpudx_sv s = sv_trim(line), module, kernel;

	if (scan_head(s, &module, &kernel)) {
		*d = (struct dkms){ .inside = true };
		d->at.t_us = d->at.mono_us = GPUDX_NO_TIME;
		text_keep(d->module, sizeof(d->module), module);
		text_keep(d->kernel, sizeof(d->kernel), kernel);
		return GPUDX_TAKEN;
	}
	if (!d->inside)
		return status_line(c, s) ? GPUDX_TAKEN : GPUDX_NOT_MINE;
	if (text_may_be_border(line))
		return GPUDX_NOT_MINE;
	make_line(c, d, s);
	return GPUDX_TAKEN;
}

static bool dkms_starts(struct gpudx_sv line)
{
	struct gpudx_sv module, kernel;

	return scan_head(line, &module, &kernel);
}

static int dkms_bid(const struct gpudx_head *head)
{
	bool asked = sv_has(head->command, "dkms status");
	struct gpudx_sv module, version, kernel, state;
	unsigned rows = 0, others = 0;

	for (size_t i = 0; i < head->n && i < 10; i++) {
		struct gpudx_sv s = sv_trim(head->lines[i].text);

		if (dkms_starts(s))
			return 80;
		if (scan_status(s, &module, &version, &kernel, &state) &&
		    (asked || kernel.n || sv_starts(module, "nvidia")))
			rows++;
		else if (s.n)
			others++;
	}
	return rows && rows > others ? asked ? 80 : 60 : 0;
}

const struct gpudx_parser gpudx_parser_dkms = {
	.name = "dkms",
	.what = "make.log of DKMS, dkms status",
	.bid = dkms_bid,
	.starts = dkms_starts,
	.line = dkms_line,
	.state_size = sizeof(struct dkms),
};
