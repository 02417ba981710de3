#include "parse/prom_node.h"

#include <stdio.h>

/* Labels of *_info metrics that are facts of the host. */
static const struct info {
	const char *metric, *label, *key;
} infos[] = {
	{ "node_uname_info", "nodename", "host.name" },
	{ "node_uname_info", "release", "kernel.release" },
	{ "node_uname_info", "machine", "host.machine" },
	{ "node_os_info", "pretty_name", "host.os" },
	{ "node_os_info", "id", "host.os_id" },
	{ "node_os_info", "version_id", "host.os_version" },
	{ "node_dmi_info", "product_name", "host.product" },
	{ "node_dmi_info", "system_vendor", "host.vendor" },
	{ "node_dmi_info", "bios_version", "host.bios" },
	{ "node_dmi_info", "bios_date", "host.bios_date" },
};

static const struct node_series {
	const char *metric, *key, *labels;
	double scale;
} series[] = {
	{ "node_load1", "node.load1", "", 1 },
	{ "node_memory_MemTotal_bytes", "node.memory_total_mib", "", 1.0 / (1 << 20) },
	{ "node_memory_MemAvailable_bytes", "node.memory_available_mib", "", 1.0 / (1 << 20) },
	{ "node_memory_SwapFree_bytes", "node.swap_free_mib", "", 1.0 / (1 << 20) },
	{ "node_vmstat_oom_kill", "node.oom_kills", "", 1 },
	{ "node_edac_uncorrectable_errors_total", "node.edac_uncorrectable", "controller", 1 },
	{ "node_edac_correctable_errors_total", "node.edac_correctable", "controller", 1 },
	{ "node_infiniband_link_downed_total", "node.ib_link_downed", "device", 1 },
	{ "node_infiniband_link_error_recovery_total", "node.ib_link_recovery", "device", 1 },
	{ "node_infiniband_symbol_error_total", "node.ib_symbol_errors", "device", 1 },
	{ "node_cpu_package_throttles_total", "node.cpu_package_throttles", "package", 1 },
};

static void put_boot(struct gpudx_ctx *c, double seconds)
{
	struct gpudx_anchor a = { .kind = SV_LIT("btime"),
				  .mono_us = GPUDX_NO_TIME,
				  .local_us = GPUDX_NO_TIME };

	a.utc_us = (int64_t)(seconds * 1e6);
	gpudx_put_anchor(c, &a);
}

static bool put_infos(struct gpudx_ctx *c, const struct prom_line *l)
{
	bool any = false;

	for (size_t i = 0; i < sizeof(infos) / sizeof(infos[0]); i++) {
		struct gpudx_sv v;

		if (!sv_is(l->name, infos[i].metric))
			continue;
		v = prom_label(l, infos[i].label);
		if (v.n)
			gpudx_fact(c, 0, infos[i].key, "exporter", v);
		any = true;
	}
	return any;
}

static void put_series(struct gpudx_ctx *c, const struct node_series *s, const struct prom_line *l,
		       int64_t t_us, int64_t seq)
{
	struct gpudx_sv label = sv_first(*s->labels ? prom_label(l, s->labels) : SV_LIT(""), 24);
	struct gpudx_metric m = { .t_us = t_us, .seq = seq, .value = l->value * s->scale };
	char key[80];
	int n = snprintf(key, sizeof(key), "%s%s%.*s", s->key, label.n ? "/" : "", (int)label.n,
			 label.n ? label.p : "");

	m.key = sv_n(key, n > 0 ? (size_t)n : 0);
	gpudx_put_metric(c, &m);
}

void prom_node_put(struct gpudx_ctx *c, const struct prom_line *l, int64_t t_us, int64_t seq)
{
	bool epoch = l->value > 0 && l->value < 1e11;

	if (put_infos(c, l))
		return;
	if (sv_is(l->name, "node_boot_time_seconds") && epoch)
		put_boot(c, l->value);
	if (sv_is(l->name, "node_time_seconds") && epoch)
		gpudx_now(c, GPUDX_STAMP_UTC, (int64_t)(l->value * 1e6));
	for (size_t i = 0; i < sizeof(series) / sizeof(series[0]); i++)
		if (sv_is(l->name, series[i].metric))
			put_series(c, &series[i], l, t_us, seq);
}
