/* nvidia-smi -L: one line a GPU, and below it its MIG devices; `nvidia-smi nvlink` has links there.
 *
 *   GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-11111111-2222-3333-4444-555555555555)
 *     MIG 3g.40gb     Device  0: (UUID: MIG-66666666-7777-8888-9999-aaaaaaaaaaaa)
 *     MIG 1c.3g.20gb Device 0: (UUID: MIG-GPU-11111111-2222-3333-4444-555555555555/1/0)
 *
 * Up to R465 the name of a MIG device was made of the GPU's, its GPU instance and its compute
 * instance; later it tells neither. Source: formats 2.2. */
#include "parse/parser.h"
#include "parse/smi_message.h"
#include "parse/smi_nvlink.h"

struct list {
	uint32_t gpu; /* the last one, 0 before the first */
	struct smi_nvlink links;
};

struct gpu_line {
	uint64_t idx;
	struct gpudx_sv name, uuid;
};

/* "(UUID: GPU-...)" up to the end of the line. */
static bool uuid_in_brackets(struct gpudx_sv s, struct gpudx_sv *uuid)
{
	if (!sv_lit(&s, "(UUID: ") || !sv_until(&s, ")", uuid) || !sv_blank(s))
		return false;
	return sv_starts(*uuid, "GPU-") || sv_starts(*uuid, "MIG-");
}

static bool gpu_line(struct gpudx_sv s, struct gpu_line *g)
{
	size_t at;

	if (!sv_lit(&s, "GPU ") || !sv_u64(&s, &g->idx) || g->idx > 65535 || !sv_lit(&s, ": "))
		return false;
	at = sv_find(s, " (UUID: ");
	g->name = sv_trim(sv_first(s, at));
	return g->name.n && at < s.n && uuid_in_brackets(sv_from(s, at + 1), &g->uuid);
}

static enum gpudx_take take_gpu(struct gpudx_ctx *c, struct list *l, const struct gpu_line *g)
{
	struct gpudx_gpu_id id = GPUDX_GPU_NONE;

	id.idx = (int32_t)g->idx;
	id.uuid = g->uuid;
	l->gpu = gpudx_ref(c, &id);
	smi_nvlink_end(c, &l->links, l->gpu);
	gpudx_fact(c, l->gpu, "gpu.name", "nvml", g->name);
	return GPUDX_TAKEN;
}

/* "MIG-GPU-<uuid>/1/0": GPU instance and compute instance. */
static void instance_ids(struct gpudx_sv uuid, struct gpudx_instance *i)
{
	struct gpudx_sv gpu;
	uint64_t gi, ci;

	if (sv_until(&uuid, "/", &gpu) && sv_u64(&uuid, &gi) && sv_char(&uuid, '/') &&
	    sv_u64(&uuid, &ci) && gi < 256 && ci < 256) {
		i->gi = (int32_t)gi;
		i->ci = (int32_t)ci;
	}
}

static bool mig_line(struct gpudx_sv s, struct gpudx_instance *i)
{
	uint64_t device;

	s = sv_ltrim(s);
	return sv_lit(&s, "MIG ") && sv_spaces(&s) && sv_token(&s, &i->profile) && sv_spaces(&s) &&
	       sv_lit(&s, "Device") && sv_spaces(&s) && sv_u64(&s, &device) && sv_char(&s, ':') &&
	       sv_spaces(&s) && uuid_in_brackets(s, &i->uuid);
}

static enum gpudx_take list_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct gpudx_instance mig = { .gi = -1, .ci = -1 };
	struct list *l = gpudx_state(c);
	struct gpu_line gpu;

	if (gpu_line(sv_ltrim(line), &gpu))
		return take_gpu(c, l, &gpu);
	if (mig_line(line, &mig)) {
		if (!l->gpu) { /* a filtered list: whose devices they are was thrown away */
			l->gpu = gpudx_ref(c, &GPUDX_GPU_NONE);
			gpudx_excerpt(c);
		}
		mig.ref = l->gpu;
		instance_ids(mig.uuid, &mig);
		gpudx_put_instance(c, &mig);
		return GPUDX_TAKEN;
	}
	if (smi_nvlink_is(line))
		return smi_nvlink_take(c, &l->links, line);
	if (smi_message_take(c, line))
		return GPUDX_TAKEN;
	if (sv_has(line, "(UUID: ") && gpudx_this_line(c)->flags & GPUDX_LINE_NO_LF)
		return gpudx_reject(c, "the last line is cut off");
	return GPUDX_NOT_MINE;
}

static void list_finish(struct gpudx_ctx *c)
{
	struct list *l = gpudx_state(c);

	smi_nvlink_end(c, &l->links, 0);
}

static bool list_starts(struct gpudx_sv line)
{
	struct gpu_line gpu;

	return gpu_line(line, &gpu);
}

static int list_bid(const struct gpudx_head *head)
{
	struct gpudx_instance mig;

	for (size_t i = 0; i < head->n && i < 40; i++) {
		if (list_starts(sv_ltrim(head->lines[i].text)))
			return 80;
		if (mig_line(head->lines[i].text, &mig) || smi_nvlink_is(head->lines[i].text))
			return 60;
	}
	return 0;
}

const struct gpudx_parser gpudx_parser_smi_list = {
	.name = "smi-list",
	.what = "nvidia-smi -L and nvlink: GPUs with their UUIDs, MIG devices and links",
	.bid = list_bid,
	.starts = list_starts,
	.line = list_line,
	.finish = list_finish,
	.state_size = sizeof(struct list),
	.flags = GPUDX_P_RESUMES,
};
