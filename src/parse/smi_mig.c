/* nvidia-smi mig -lgi, -lci, and the lists of profiles -lgip, -lcip:
 *
 *   +-------------------------------------------------------+
 *   | GPU instances:                                        |
 *   | GPU   Name             Profile  Instance   Placement  |
 *   |                          ID       ID       Start:Size |
 *   |=======================================================|
 *   |   0  MIG 3g.40gb          9        2          0:4     |
 *
 *   | Compute instances:                                                 |
 *   | GPU     GPU       Name             Profile   Instance   Placement  |
 *   |       Instance                       ID        ID       Start:Size |
 *   |   0      2       MIG 3g.40gb          2         0          0:4     |
 *
 * Profiles are what could be, so they are only recognised. Source: formats 2.9. */
#include "parse/parser.h"

enum box { NO_BOX, GPU_INSTANCES, COMPUTE_INSTANCES, PROFILES };

struct mig {
	enum box box;
};

/* What stands between the bars at both ends. */
static bool inside(struct gpudx_sv line, struct gpudx_sv *out)
{
	*out = sv_trim(line);
	if (out->n < 2 || out->p[0] != '|' || out->p[out->n - 1] != '|')
		return false;
	*out = sv_trim(sv_n(out->p + 1, out->n - 2));
	return true;
}

static bool is_border(struct gpudx_sv line)
{
	struct gpudx_sv s = sv_trim(line);

	if (s.n < 20)
		return false;
	for (size_t i = 0; i < s.n; i++)
		if (!memchr("+-=|", s.p[i], 4))
			return false;
	return true;
}

static enum box title(struct gpudx_sv line)
{
	struct gpudx_sv s;

	if (!inside(line, &s))
		return NO_BOX;
	if (sv_is(s, "GPU instances:"))
		return GPU_INSTANCES;
	if (sv_is(s, "Compute instances:"))
		return COMPUTE_INSTANCES;
	if (sv_is(s, "GPU instance profiles:") || sv_is(s, "Compute instance profiles:"))
		return PROFILES;
	return NO_BOX;
}

static bool is_sentence(struct gpudx_sv line)
{
	static const char *const texts[] = { "No MIG-enabled devices found",
					     "No GPU instances found",
					     "No compute instances found" };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (sv_starts(sv_trim(line), texts[i]))
			return true;
	return false;
}

static bool small(struct gpudx_sv *s, uint64_t *v)
{
	return sv_spaces(s) && sv_u64(s, v) && *v < 4096;
}

/* "0  MIG 3g.40gb  9  2  0:4", with a GPU instance behind the index of the GPU for compute ones. */
static bool read_row(struct gpudx_sv s, bool compute, struct gpudx_instance *out, int32_t *gpu)
{
	uint64_t idx, gi = 0, profile, id, start;

	if (!small(&s, &idx) || (compute && !small(&s, &gi)) || !sv_spaces(&s) ||
	    !sv_lit(&s, "MIG ") || !sv_spaces(&s) || !sv_token(&s, &out->profile) ||
	    !small(&s, &profile) || !small(&s, &id))
		return false;
	if (!small(&s, &start) || !sv_char(&s, ':'))
		return false;
	*gpu = (int32_t)idx;
	out->gi = (int32_t)(compute ? gi : id);
	out->ci = compute ? (int32_t)id : -1;
	return true;
}

static enum gpudx_take take_row(struct gpudx_ctx *c, const struct mig *m, struct gpudx_sv row)
{
	struct gpudx_instance i = { .gi = -1, .ci = -1 };
	int32_t gpu;

	/* Lines of the heading, and the second line of a profile, begin with no number or have no
	 * name. */
	if (!row.n || !sv_is_digit(row.p[0]) || m->box == PROFILES)
		return GPUDX_TAKEN;
	if (!read_row(row, m->box == COMPUTE_INSTANCES, &i, &gpu))
		return gpudx_reject(c, "a row is none of an instance");
	i.ref = gpudx_ref_idx(c, gpu);
	gpudx_put_instance(c, &i);
	return GPUDX_TAKEN;
}

static enum gpudx_take mig_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct mig *m = gpudx_state(c);
	enum box box = title(line);
	struct gpudx_sv row;

	if (box != NO_BOX) {
		m->box = box;
		gpudx_cite(c);
		return GPUDX_TAKEN;
	}
	if (is_sentence(line))
		return GPUDX_TAKEN;
	if (is_border(line))
		return GPUDX_TAKEN;
	return m->box != NO_BOX && inside(line, &row) ? take_row(c, m, row) : GPUDX_NOT_MINE;
}

static bool mig_starts(struct gpudx_sv line)
{
	return title(line) != NO_BOX;
}

static int mig_bid(const struct gpudx_head *head)
{
	for (size_t i = 0; i < head->n && i < 40; i++) {
		if (mig_starts(head->lines[i].text))
			return 80;
		if (is_sentence(head->lines[i].text))
			return 60;
	}
	return 0;
}

const struct gpudx_parser gpudx_parser_smi_mig = {
	.name = "smi-mig",
	.what = "nvidia-smi mig -lgi, -lci, -lgip: slices and what slices there could be",
	.bid = mig_bid,
	.starts = mig_starts,
	.line = mig_line,
	.state_size = sizeof(struct mig),
	.flags = GPUDX_P_RESUMES,
};
