/* /proc/driver/nvidia/params: the parameters of the loaded module, all of them:
 *
 *   ResmanDebugLevel: 4294967295
 *   EnableMSI: 1
 *   DynamicPowerManagement: 3
 *   RegistryDwords: "PerfLevelSrc=0x2222"
 *
 * and the parameters under /sys, as `grep -Hr . /sys/module/nvidia/parameters` prints them:
 *
 *   /sys/module/nvidia/parameters/NVreg_EnableMSI:1
 *   /sys/module/nvidia_drm/parameters/modeset:Y
 *
 * Those of nvidia become nvreg.NAME, those of its companions modparam.MODULE.NAME. An empty string
 * is the default and says nothing. Source: open modules, nv-procfs.c and nv-reg.h; captures. */
#include "parse/parser.h"

#include <stdio.h>

/* Names that were there in every driver of the last fifteen years. */
static const char *const anchors[] = { "ResmanDebugLevel",
				       "RmLogonRC",
				       "ModifyDeviceFiles",
				       "DeviceFileUID",
				       "DeviceFileGID",
				       "DeviceFileMode",
				       "UsePageAttributeTable",
				       "EnableMSI",
				       "EnablePCIeGen3",
				       "MemoryPoolSize",
				       "RegistryDwords",
				       "RegistryDwordsPerDevice",
				       "RmMsg" };

static bool is_name(struct gpudx_sv s)
{
	if (!s.n || s.n > 60)
		return false;
	for (size_t i = 0; i < s.n; i++)
		if (!sv_is_alpha(s.p[i]) && !sv_is_digit(s.p[i]) && s.p[i] != '_')
			return false;
	return true;
}

static void put(struct gpudx_ctx *c, const char *prefix, struct gpudx_sv name,
		struct gpudx_sv value)
{
	struct gpudx_fact f = { .layer = SV_LIT("loaded"), .value = value };
	struct gpudx_sv s = value;
	char key[140];
	uint64_t num;
	int n = snprintf(key, sizeof(key), "%s%.*s", prefix, (int)name.n, name.p);

	f.key = sv_n(key, n > 0 && (size_t)n < sizeof(key) ? (size_t)n : 0);
	f.has_num = sv_u64(&s, &num) && !s.n;
	if (f.has_num)
		f.num = (double)num;
	if (value.n)
		gpudx_put_fact(c, &f);
}

/* `EnableMSI: 1`, `RmMsg: ""` */
static bool scan_param(struct gpudx_sv s, struct gpudx_sv *name, struct gpudx_sv *value)
{
	struct gpudx_sv v;
	uint64_t n;

	if (!sv_until(&s, ": ", name) || !is_name(*name))
		return false;
	*value = s = sv_trim(s);
	v = s;
	if (sv_u64(&v, &n) && !v.n)
		return true;
	if (s.n < 2 || s.p[0] != '"' || s.p[s.n - 1] != '"')
		return false;
	*value = sv_n(s.p + 1, s.n - 2);
	return true;
}

/* "/sys/module/nvidia_drm/parameters/modeset:Y" */
static bool scan_sys(struct gpudx_sv s, struct gpudx_sv *module, struct gpudx_sv *name,
		     struct gpudx_sv *value)
{
	if (!sv_lit(&s, "/sys/module/") || !sv_starts(s, "nvidia") ||
	    !sv_until(&s, "/parameters/", module) || !sv_until(&s, ":", name) ||
	    !is_name(*module) || !is_name(*name))
		return false;
	*value = sv_trim(s);
	return true;
}

static void put_sys(struct gpudx_ctx *c, struct gpudx_sv module, struct gpudx_sv name,
		    struct gpudx_sv value)
{
	char prefix[80];

	if (sv_is(value, "(null)"))
		return;
	if (sv_is(module, "nvidia") && sv_lit(&name, "NVreg_")) {
		put(c, "nvreg.", name, value);
		return;
	}
	snprintf(prefix, sizeof(prefix), "modparam.%.*s.", (int)module.n, module.p);
	put(c, prefix, name, value);
}

static enum gpudx_take params_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct gpudx_sv module, name, value;

	if (scan_param(line, &name, &value))
		put(c, "nvreg.", name, value);
	else if (scan_sys(line, &module, &name, &value))
		put_sys(c, module, name, value);
	else
		return GPUDX_NOT_MINE;
	return GPUDX_TAKEN;
}

static bool is_anchor(struct gpudx_sv line)
{
	struct gpudx_sv name, value;

	if (!scan_param(line, &name, &value))
		return false;
	for (size_t i = 0; i < sizeof(anchors) / sizeof(anchors[0]); i++)
		if (sv_is(name, anchors[i]))
			return true;
	return false;
}

static int params_bid(const struct gpudx_head *head)
{
	bool named =
		sv_ends(head->command, "/params") || sv_ends(head->path, "driver/nvidia/params");
	struct gpudx_sv module, name, value;
	unsigned known = 0;

	for (size_t i = 0, seen = 0; i < head->n && seen < 40; i++) {
		if (sv_blank(head->lines[i].text))
			continue;
		seen++;
		if (scan_sys(head->lines[i].text, &module, &name, &value))
			return 80;
		known += is_anchor(head->lines[i].text);
	}
	return known >= 3 ? 80 : known && (named || known == 2) ? 60 : 0;
}

const struct gpudx_parser gpudx_parser_nv_proc_params = {
	.name = "nv-proc-params",
	.what = "parameters of the loaded modules, from /proc/driver/nvidia/params and /sys",
	.bid = params_bid,
	.line = params_line,
};
