/* /proc/driver/nvidia/gpus/ADDRESS/information and .../power, one GPU after another:
 *
 *   Model: 		 NVIDIA H100 80GB HBM3
 *   IRQ:   		 18
 *   GPU UUID: 	 GPU-00000000-0000-0000-0000-000000000000
 *   Video BIOS: 	 96.00.74.00.01
 *   Bus Type: 	 PCIe
 *   Bus Location: 	 0000:3b:00.0
 *   Device Minor: 	 1
 *   GPU Firmware: 	 580.95.05
 *   GPU Excluded:	 No
 *
 *   Runtime D3 status:          Disabled by default
 *   Video Memory:               Active
 *
 * "GPU-????????-..." and "??.??.??.??.??" stand for what is not known before the GPU was first
 * opened. The address may stand in the section's title, in the path, in a "==> PATH <==" line or in
 * front of each line (grep). Source: open modules, kernel-open/nvidia/nv-procfs.c; captures. */
#include "parse/parser.h"

enum field {
	MODEL,
	UUID,
	VBIOS,
	ADDRESS,
	MINOR,
	FIRMWARE,
	EXCLUDED,
	D3,
	VIDEO_MEMORY,
	FIELDS,
	NO_FIELD
};

struct label {
	const char *text;
	enum field field;
};

static const struct label labels[] = {
	{ "Model:", MODEL },
	{ "IRQ:", NO_FIELD },
	{ "GPU UUID:", UUID },
	{ "Video BIOS:", VBIOS },
	{ "Bus Type:", NO_FIELD },
	{ "DMA Size:", NO_FIELD },
	{ "DMA Mask:", NO_FIELD },
	{ "Bus Location:", ADDRESS },
	{ "Device Minor:", MINOR },
	{ "GPU Firmware:", FIRMWARE },
	{ "GPU Excluded:", EXCLUDED },
	{ "GPU Blacklisted:", EXCLUDED },
	{ "Blacklisted:", EXCLUDED },
	{ "Card Type:", NO_FIELD },
	/* power */
	{ "Runtime D3 status:", D3 },
	{ "Video Memory:", VIDEO_MEMORY },
	{ "GPU Hardware Support:", NO_FIELD },
	{ "Video Memory Self Refresh:", NO_FIELD },
	{ "Video Memory Off:", NO_FIELD },
	{ "S0ix Power Management:", NO_FIELD },
	{ "Platform Support:", NO_FIELD },
	{ "Status:", NO_FIELD },
	{ "Power Limits:", NO_FIELD },
	{ "Default:", NO_FIELD },
	{ "GPU Boost:", NO_FIELD },
	{ "Notebook Dynamic Boost:", NO_FIELD },
};

/* Keys of the facts; NULL: identity. */
static const char *const fact_keys[FIELDS] = {
	[MODEL] = "gpu.name",
	[VBIOS] = "gpu.vbios",
	[MINOR] = "gpu.minor",
	[FIRMWARE] = "gsp.firmware",
	[EXCLUDED] = "gpu.excluded",
	[D3] = "power.runtime_d3",
	[VIDEO_MEMORY] = "power.video_memory",
};

struct value {
	uint32_t line; /* 0: not seen */
	size_t n;
	char p[120];
};

struct gpu {
	struct value v[FIELDS];
	struct gpudx_bdf bdf; /* from a title or path */
	uint32_t ref;	      /* 0: not known yet */
	bool any;
};

/* The address behind "gpus/"; false when there is none. */
static bool address_in(struct gpudx_sv path, struct gpudx_bdf *out)
{
	struct gpudx_sv skipped;

	return sv_until(&path, "gpus/", &skipped) && gpudx_bdf_scan(&path, out);
}

/* What the driver does not know yet, and what does not exist. */
static bool is_unknown(struct gpudx_sv v)
{
	return !v.n || sv_has(v, "??") || sv_is(v, "N/A") || sv_is(v, "Unknown");
}

static struct gpudx_sv text(const struct value *v)
{
	return v->line ? sv_n(v->p, v->n) : sv_n(NULL, 0);
}

static uint32_t gpu_ref(struct gpudx_ctx *c, const struct gpu *g)
{
	struct gpudx_gpu_id id = GPUDX_GPU_NONE;

	id.uuid = text(&g->v[UUID]);
	id.bdf = g->bdf;
	if (g->v[ADDRESS].line)
		gpudx_bdf_parse(text(&g->v[ADDRESS]), &id.bdf);
	return gpudx_ref(c, &id);
}

static void lower(struct value *v)
{
	if (!v->line)
		return;
	for (size_t i = 0; i < v->n; i++)
		v->p[i] = sv_lower(v->p[i]);
}

static void put_field(struct gpudx_ctx *c, uint32_t ref, enum field i, const struct value *v)
{
	struct gpudx_fact f = {
		.ref = ref, .key = sv_str(fact_keys[i]), .layer = SV_LIT("proc"), .line = v->line
	};
	struct gpudx_sv s;
	uint64_t n;

	f.value = s = text(v);
	if (i == MINOR) {
		if (!sv_u64(&s, &n) || s.n)
			return;
		f.has_num = true;
		f.num = (double)n;
	}
	gpudx_put_fact(c, &f);
}

static void gpu_end(struct gpudx_ctx *c, struct gpu *g)
{
	if (g->any && !g->ref)
		g->ref = gpu_ref(c, g);
	lower(&g->v[EXCLUDED]);
	for (enum field i = 0; i < FIELDS; i++) {
		if (fact_keys[i] && g->v[i].line)
			put_field(c, g->ref, i, &g->v[i]);
		g->v[i].line = 0;
	}
	g->ref = 0;
	g->any = false;
}

static void keep(struct gpudx_ctx *c, struct gpu *g, enum field field, struct gpudx_sv v)
{
	struct value *to = &g->v[field];

	/* The first field of a file, and any that comes again, are the next GPU's. */
	if (to->line || (field == MODEL && g->any))
		gpu_end(c, g);
	g->any = true;
	if (is_unknown(v))
		return;
	v = sv_first(v, sizeof(to->p));
	memcpy(to->p, v.p, v.n);
	to->n = v.n;
	to->line = gpudx_this_line(c)->no;
	gpudx_cite(c);
	if (field == ADDRESS)
		g->ref = gpu_ref(c, g); /* the UUID stands above it */
}

/* "==> /proc/driver/nvidia/gpus/0000:3b:00.0/information <==" of head and tail, or the path that
 * grep puts in front, which is cut off. */
static bool take_path(struct gpudx_ctx *c, struct gpu *g, struct gpudx_sv *s)
{
	struct gpudx_sv rest = *s, path;
	struct gpudx_bdf bdf;

	if (sv_lit(&rest, "==> ") && address_in(rest, &bdf)) {
		gpu_end(c, g);
		g->bdf = bdf;
		return true;
	}
	if (!sv_starts(rest, "/proc/") ||
	    !(sv_until(&rest, "/information:", &path) || sv_until(&rest, "/power:", &path)) ||
	    !address_in(path, &bdf))
		return false;
	if (g->any && !gpudx_bdf_eq(bdf, g->bdf))
		gpu_end(c, g);
	g->bdf = bdf;
	*s = rest;
	return false;
}

static enum gpudx_take gpu_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct gpu *g = gpudx_state(c);
	struct gpudx_sv s = line;

	if (take_path(c, g, &s))
		return GPUDX_TAKEN;
	s = sv_trim(s);
	for (size_t i = 0; i < sizeof(labels) / sizeof(labels[0]); i++) {
		if (!sv_lit(&s, labels[i].text))
			continue;
		if (labels[i].field != NO_FIELD)
			keep(c, g, labels[i].field, sv_trim(s));
		return GPUDX_TAKEN;
	}
	return GPUDX_NOT_MINE;
}

static void gpu_begin(struct gpudx_ctx *c)
{
	struct gpu *g = gpudx_state(c);

	if (!address_in(gpudx_command(c), &g->bdf))
		address_in(gpudx_path(c), &g->bdf);
}

static void gpu_finish(struct gpudx_ctx *c)
{
	gpu_end(c, gpudx_state(c));
}

/* Blank, TAB, blank behind the colon: nobody else aligns like this. */
static bool gpu_starts(struct gpudx_sv line)
{
	return sv_starts(line, "Model: \t") || sv_starts(line, "Runtime D3 status:  ");
}

static int gpu_bid(const struct gpudx_head *head)
{
	struct gpudx_bdf bdf;
	bool path = address_in(head->command, &bdf) || address_in(head->path, &bdf);
	unsigned known = 0;

	for (size_t i = 0, seen = 0; i < head->n && seen < 20; i++) {
		struct gpudx_sv s = head->lines[i].text;

		if (sv_blank(s))
			continue;
		seen++;
		if (gpu_starts(s) || (sv_has(s, "/driver/nvidia/gpus/") && sv_has(s, "Model: \t")))
			return 80;
		known += sv_starts(s, "GPU UUID:") || sv_starts(s, "Bus Location:") ||
			 sv_starts(s, "Video BIOS:") || sv_starts(s, "Model:");
	}
	return known >= 3 ? 80 : path && known ? 60 : 0;
}

const struct gpudx_parser gpudx_parser_nv_proc_gpu = {
	.name = "nv-proc-gpu",
	.what = "/proc/driver/nvidia/gpus/*/information and power",
	.bid = gpu_bid,
	.starts = gpu_starts,
	.begin = gpu_begin,
	.line = gpu_line,
	.finish = gpu_finish,
	.state_size = sizeof(struct gpu),
};
