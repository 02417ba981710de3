/* What an exporter serves at /metrics: dcgm-exporter, nvidia_gpu_exporter, Triton, vLLM,
 * node_exporter; one scrape, or several one behind the other:
 *
 *   # HELP DCGM_FI_DEV_GPU_TEMP GPU temperature (in C).
 *   # TYPE DCGM_FI_DEV_GPU_TEMP gauge
 *   DCGM_FI_DEV_GPU_TEMP{gpu="0",UUID="GPU-0000...",pci_bus_id="00000000:53:00.0",...} 30
 *   nv_gpu_utilization{gpu_uuid="GPU-ec44..."} 0.97
 *   nvidia_smi_power_draw_watts{uuid="7389..."} 433.78
 *   node_uname_info{machine="x86_64",nodename="node01",release="5.15.0-105-generic",...} 1
 *
 * Mostly without stamps: then a scrape is a step. Metrics of no use here are taken and left. */
#include "parse/prom_series.h"

struct text {
	struct prom prom;
	uint64_t first; /* the series that begins a scrape */
	int64_t step;
	int64_t t_us; /* of the scrape at hand */
};

/* Name and labels of a sample line. */
static uint64_t series_hash(struct gpudx_sv line)
{
	size_t end = sv_index(line, '}');
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	if (end == line.n)
		end = sv_index(line, ' ');
	for (size_t i = 0; i < end; i++)
		hash = (hash ^ (unsigned char)line.p[i]) * UINT64_C(0x100000001b3);
	return hash | 1;
}

static bool is_comment(struct gpudx_sv line)
{
	return sv_starts(line, "# HELP ") || sv_starts(line, "# TYPE ") ||
	       sv_starts(line, "# UNIT ") || sv_is(line, "# EOF");
}

/* A scrape ends: where its stamp is not known the time of the source at hand holds. */
static void end_scrape(struct gpudx_ctx *c, struct text *t)
{
	prom_step(c, &t->prom, t->t_us, t->step);
	t->step++;
	t->t_us = GPUDX_NO_TIME;
}

static void begin_line(struct gpudx_ctx *c, struct text *t, struct gpudx_sv line,
		       const struct prom_line *l)
{
	uint64_t hash = series_hash(line);

	if (!t->first)
		t->first = hash;
	else if (t->first == hash)
		end_scrape(c, t);
	if (l->t_us == GPUDX_NO_TIME)
		return;
	t->t_us = l->t_us;
	gpudx_now(c, GPUDX_STAMP_UTC, l->t_us);
}

static enum gpudx_take prometheus_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct text *t = gpudx_state(c);
	struct prom_what what;
	struct prom_line l;

	line = sv_trim(line);
	if (is_comment(line))
		return GPUDX_TAKEN;
	if (!prom_scan(line, &l))
		return prom_is_ours(line) ? gpudx_reject(c, "not a sample of Prometheus")
					  : GPUDX_NOT_MINE;
	begin_line(c, t, line, &l);
	prom_what(c, &t->prom, &l, &what);
	prom_put(c, &what, &l, l.t_us, t->step);
	return GPUDX_TAKEN;
}

static void prometheus_begin(struct gpudx_ctx *c)
{
	((struct text *)gpudx_state(c))->t_us = GPUDX_NO_TIME;
}

static void prometheus_finish(struct gpudx_ctx *c)
{
	struct text *t = gpudx_state(c);

	end_scrape(c, t);
}

/* A comment names the metric it speaks of. */
static bool is_sure(struct gpudx_sv line)
{
	struct prom_line l;
	struct gpudx_sv c = line;

	if (sv_lit(&c, "# HELP ") || sv_lit(&c, "# TYPE "))
		return prom_is_ours(c);
	return prom_is_ours(line) && prom_scan(line, &l) && (l.nlabels || sv_starts(line, "node_"));
}

static int prometheus_bid(const struct gpudx_head *head)
{
	size_t good = 0, lines = 0;
	bool sure = false;
	struct prom_line l;

	for (size_t i = 0; i < head->n && lines < 400; i++) {
		struct gpudx_sv line = sv_trim(head->lines[i].text);

		if (!line.n)
			continue;
		lines++;
		good += is_comment(line) || prom_scan(line, &l);
		sure |= is_sure(line);
	}
	if (!sure || good * 2 < lines)
		return 0;
	return good == lines ? 80 : 60;
}

const struct gpudx_parser gpudx_parser_prometheus = {
	.name = "prometheus",
	.what = "metrics of dcgm-exporter, nvidia_gpu_exporter, Triton, vLLM, node_exporter as "
		"text",
	.bid = prometheus_bid,
	.starts = is_sure,
	.begin = prometheus_begin,
	.line = prometheus_line,
	.finish = prometheus_finish,
	.state_size = sizeof(struct text),
	.flags = GPUDX_P_RESUMES,
};
