/* Short lists of keys and values that nvidia-smi prints: --version, conf-compute, vgpu -q.
 *
 *   NVIDIA-SMI version  : 610.57.04
 *   NVML version        : 610.57
 *   DRIVER version      : Deprecated, see "KMD version" instead
 *   KMD version         : 610.57.04
 *   CUDA UMD version    : 13.3
 *
 *   CC status: OFF
 *
 *   GPU 00000000:3B:00.0
 *       Active vGPUs                      : 1
 *       vGPU ID                           : 3251634213
 *           vGPU Name                     : NVIDIA L40S-8Q
 *           FB Memory Usage
 *
 * What a vGPU uses is none of the GPU's own readings, so only how many there are is said. Source:
 * formats 2.9. */
#include "parse/smi_value.h"

enum form {
	TEXT,	 /* a fact of the host */
	TOOL,	 /* the same, of the tool alone */
	WORD,	 /* in lower case */
	GPU_NUM, /* a number of the GPU at hand */
	NOTHING	 /* only recognised */
};

/* sure: no other text has such a line. */
static const struct key {
	struct gpudx_sv name;
	enum form form;
	const char *fact;
	bool sure;
} keys[] = {
	{ SV("NVIDIA-SMI version"), TOOL, "driver.version", true },
	{ SV("NVML version"), TEXT, "nvml.version", true },
	{ SV("DRIVER version"), TEXT, "driver.version", true },
	{ SV("KMD version"), TEXT, "driver.version", true },
	{ SV("CUDA Version"), TEXT, "cuda.driver_max", false },
	{ SV("CUDA version"), TEXT, "cuda.driver_max", false },
	{ SV("CUDA UMD version"), TEXT, "cuda.driver_max", true },
	{ SV("CC status"), WORD, "conf_compute.state", true },
	{ SV("CC State"), WORD, "conf_compute.state", true },
	{ SV("Multi-GPU Mode"), WORD, "conf_compute.multi_gpu", false },
	{ SV("CC Environment"), WORD, "conf_compute.environment", true },
	{ SV("DevTools Mode"), WORD, "conf_compute.devtools", false },
	{ SV("CPU CC Capabilities"), WORD, "conf_compute.cpu", true },
	{ SV("GPU CC Capabilities"), WORD, "conf_compute.gpu", true },
	{ SV("CC GPUs Ready State"), WORD, "conf_compute.ready", true },
	{ SV("Confidential Compute GPUs Ready state"), WORD, "conf_compute.ready", true },
	{ SV("Active vGPUs"), GPU_NUM, "vgpu.active", true },
	{ SV("vGPU ID"), NOTHING, "", true },
};

struct list {
	uint32_t ref;
	bool vgpu; /* below "Active vGPUs": what is indented belongs to it */
};

static bool cut(struct gpudx_sv line, struct gpudx_sv *name, struct gpudx_sv *value)
{
	size_t at = sv_index(line, ':');

	if (at == line.n)
		return false;
	*name = sv_trim(sv_first(line, at));
	*value = sv_trim(sv_from(line, at + 1));
	return name->n > 0;
}

static const struct key *key_named(struct gpudx_sv name)
{
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (sv_eq(keys[i].name, name))
			return &keys[i];
	return NULL;
}

static const struct key *key_of(struct gpudx_sv line, struct gpudx_sv *value)
{
	struct gpudx_sv name;

	return cut(line, &name, value) ? key_named(name) : NULL;
}

static bool gpu_line(struct gpudx_sv line, struct gpudx_bdf *bdf)
{
	return sv_lit(&line, "GPU ") && gpudx_bdf_parse(sv_trim(line), bdf);
}

static bool is_header(struct gpudx_sv line)
{
	return sv_is(sv_trim(line), "==============NVSMI CONF-COMPUTE LOG==============");
}

static void put_text(struct gpudx_ctx *c, const struct key *k, struct gpudx_sv value)
{
	if (!sv_is_digit(value.n ? value.p[0] : ' ')) /* Deprecated, see "KMD version" instead */
		return;
	gpudx_fact(c, 0, k->fact, k->form == TOOL ? "tool" : smi_layer(c),
		   sv_first(value, sv_index(value, ' ')));
}

static void put_word(struct gpudx_ctx *c, const struct key *k, struct gpudx_sv value)
{
	char buf[64];

	value = sv_first(value, sizeof(buf));
	for (size_t i = 0; i < value.n; i++)
		buf[i] = sv_lower(value.p[i]);
	gpudx_fact(c, 0, k->fact, "nvml", sv_n(buf, value.n));
}

static void put(struct gpudx_ctx *c, struct list *l, const struct key *k, struct gpudx_sv value)
{
	const char *event;
	double v;

	if (smi_value_of(value, &event) != SMI_VALUE)
		return;
	switch (k->form) {
	case TEXT:
	case TOOL:
		put_text(c, k, value);
		break;
	case WORD:
		put_word(c, k, value);
		break;
	case GPU_NUM:
		if (l->ref && smi_number(value, &v))
			gpudx_fact_num(c, l->ref, k->fact, "nvml", v);
		break;
	case NOTHING:
		break;
	}
}

static enum gpudx_take keys_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct list *l = gpudx_state(c);
	struct gpudx_sv value;
	struct gpudx_bdf bdf;
	const struct key *k;

	if (gpu_line(line, &bdf)) {
		l->ref = gpudx_ref_bdf(c, bdf);
		l->vgpu = false;
		return GPUDX_TAKEN;
	}
	if (is_header(line))
		return GPUDX_TAKEN;
	k = key_of(line, &value);
	if (!k)
		return l->vgpu && sv_is_space(line.p[0]) ? GPUDX_TAKEN : GPUDX_NOT_MINE;
	l->vgpu |= k->form == GPU_NUM;
	put(c, l, k, value);
	return GPUDX_TAKEN;
}

static bool keys_starts(struct gpudx_sv line)
{
	struct gpudx_sv value;
	const struct key *k = key_of(line, &value);

	return (k && k->sure && k->form != GPU_NUM && k->form != NOTHING) || is_header(line);
}

static int keys_bid(const struct gpudx_head *head)
{
	struct gpudx_sv value;

	for (size_t i = 0; i < head->n && i < 40; i++) {
		const struct key *k = key_of(head->lines[i].text, &value);

		if ((k && k->sure) || is_header(head->lines[i].text))
			return k && k->form == GPU_NUM ? 85 : 70;
	}
	return 0;
}

const struct gpudx_parser gpudx_parser_smi_keys = {
	.name = "smi-keys",
	.what = "nvidia-smi --version, conf-compute, vgpu -q: short lists of keys and values",
	.bid = keys_bid,
	.starts = keys_starts,
	.line = keys_line,
	.state_size = sizeof(struct list),
	.flags = GPUDX_P_RESUMES,
};
