/* nvidia-smi -q, whole or by sections (-d), also in a loop, and what grep left of it:
 *
 *   ==============NVSMI LOG==============
 *
 *   Timestamp                                 : Wed Nov 15 21:55:10 2023
 *   Driver Version                            : 535.113.01
 *
 *   Attached GPUs                             : 2
 *   GPU 00000000:2E:00.0
 *       Product Name                          : NVIDIA RTX A6000
 *       ECC Mode
 *           Current                           : Disabled
 *
 * A line's meaning is its path, because the same leaf stands under many sections, and a section of
 * one chip is a leaf on the next ("Remapped Rows : N/A"). Names that drivers changed share a field
 * of smi_fields.c. Power draws are held back until the board's highest limit is known: some sensors
 * tell nonsense. Source: formats 2.3, traps 5 to 12. */
#include "parse/smi_message.h"
#include "parse/smi_q_block.h"

struct q {
	struct smi_q_block block;
	bool in_gpu; /* a GPU line was seen since the header */
	unsigned gpu_indent;
	bool foreign; /* lines of something else stood between: only known names are ours now */
	bool any;     /* an excerpt began */
};

static bool is_header(struct gpudx_sv line)
{
	return sv_is(sv_trim(line), "==============NVSMI LOG==============");
}

static bool gpu_line(struct gpudx_sv line, struct gpudx_bdf *bdf)
{
	struct gpudx_sv s = sv_trim(line);

	return sv_lit(&s, "GPU ") && gpudx_bdf_parse(s, bdf);
}

static enum gpudx_take take_header(struct gpudx_ctx *c, struct q *q)
{
	smi_q_end(c, &q->block);
	q->block.gpu = NULL;
	q->block.whole = true;
	q->in_gpu = q->foreign = false;
	smi_q_reset(&q->block.path);
	gpudx_now(c, GPUDX_STAMP_NONE, GPUDX_NO_TIME);
	gpudx_cite(c);
	return GPUDX_TAKEN;
}

static enum gpudx_take take_gpu_line(struct gpudx_ctx *c, struct q *q, unsigned indent,
				     struct gpudx_bdf bdf)
{
	struct gpudx_gpu_id id = GPUDX_GPU_NONE;

	id.bdf = bdf;
	smi_q_end(c, &q->block);
	q->in_gpu = true;
	q->foreign = false;
	q->gpu_indent = indent;
	smi_q_reset(&q->block.path);
	gpudx_cite(c);
	if (!q->block.whole)
		gpudx_excerpt(c);
	if (!smi_q_select(c, &q->block, id))
		return gpudx_reject(c, "more GPUs than can be told apart");
	return GPUDX_TAKEN;
}

static bool is_below_gpu(const struct q *q, const struct smi_q_line *line)
{
	return q->in_gpu && line->indent > q->gpu_indent;
}

/* Below a header: the lines in front of the first GPU, then those indented below one; of others
 * only what bears a known name. */
static bool belongs(const struct q *q, const struct smi_q_line *line)
{
	if (!q->foreign && is_below_gpu(q, line) && (line->value.p || smi_q_is_name(line->key)))
		return true;
	if (!q->foreign && !q->in_gpu && line->value.p)
		return true;
	return smi_q_knows(line);
}

static enum gpudx_take whole_line(struct gpudx_ctx *c, struct q *q, const struct smi_q_line *line)
{
	const struct smi_field *f;

	if (!belongs(q, line) || !smi_q_enter(&q->block.path, line)) {
		q->foreign = true;
		return GPUDX_NOT_MINE;
	}
	if (!line->value.p)
		return GPUDX_TAKEN;
	f = smi_q_field(&q->block.path);
	if (!f && q->in_gpu && !is_below_gpu(q, line)) /* the indentation was lost */
		f = smi_q_guess(&q->block.path, line);
	return f ? smi_q_take(c, &q->block, f, line->value) : GPUDX_TAKEN;
}

/* Where no line names the GPUs, a field that was said already is that of the next one, or of the
 * next round; which GPU that is, only a UUID or address in it can tell. */
static void next_block(struct gpudx_ctx *c, struct q *q, const struct smi_field *f)
{
	if (q->in_gpu || f->kind == SMI_PROCESS || f->kind == SMI_MIG || f->kind == SMI_HOST ||
	    smi_q_first(q->block.said, f))
		return;
	smi_q_end(c, &q->block);
	q->block.gpu = NULL;
	smi_q_first(q->block.said, f);
}

static enum gpudx_take excerpt_line(struct gpudx_ctx *c, struct q *q, const struct smi_q_line *line)
{
	const struct smi_field *f;

	if (q->any && sv_is(line->key, "--")) /* grep -A, -B */
		return GPUDX_TAKEN;
	if (!smi_q_knows(line) || !smi_q_enter(&q->block.path, line))
		return GPUDX_NOT_MINE;
	q->any = true;
	gpudx_excerpt(c);
	if (!line->value.p)
		return GPUDX_TAKEN;
	f = smi_q_guess(&q->block.path, line);
	if (!f)
		return GPUDX_TAKEN;
	next_block(c, q, f);
	return smi_q_take(c, &q->block, f, line->value);
}

static enum gpudx_take q_line(struct gpudx_ctx *c, struct gpudx_sv text)
{
	struct q *q = gpudx_state(c);
	struct smi_q_line line;
	struct gpudx_bdf bdf;

	if (is_header(text))
		return take_header(c, q);
	if (!smi_q_split(text, &line))
		return GPUDX_NOT_MINE;
	if (gpu_line(text, &bdf))
		return take_gpu_line(c, q, line.indent, bdf);
	if (!line.indent && smi_message_take(c, text))
		return GPUDX_TAKEN;
	return q->block.whole ? whole_line(c, q, &line) : excerpt_line(c, q, &line);
}

static void q_begin(struct gpudx_ctx *c)
{
	struct q *q = gpudx_state(c);

	smi_q_begin(c, &q->block);
	q->block.path.from_q = sv_has(gpudx_command(c), "nvidia-smi");
}

static void q_finish(struct gpudx_ctx *c)
{
	struct q *q = gpudx_state(c);

	smi_q_end(c, &q->block);
}

/* An excerpt has next to nothing but names of -q, and one of them at least is unmistakable. */
static int excerpt_bid(const struct gpudx_head *head)
{
	bool from_q = sv_has(head->command, "nvidia-smi");
	unsigned n = 0, known = 0, certain = 0;
	struct smi_q_line line;
	struct gpudx_bdf bdf;

	for (size_t i = 0; i < head->n && n < 60; i++) {
		unsigned found = 0;

		if (!smi_q_split(head->lines[i].text, &line) || sv_is(line.key, "--"))
			continue;
		n++;
		known += gpu_line(head->lines[i].text, &bdf) || smi_q_knows(&line);
		if (line.value.p && smi_q_is_telling(line.key, from_q))
			certain += smi_field_tail(line.key, &found) &&
				   (found == 1 || smi_field_q(line.key));
	}
	if (!certain || known * 5 < n * 4)
		return 0;
	return from_q ? 80 : 50;
}

static int q_bid(const struct gpudx_head *head)
{
	for (size_t i = 0; i < head->n && i < 200; i++)
		if (is_header(head->lines[i].text))
			return 80;
	return excerpt_bid(head);
}

const struct gpudx_parser gpudx_parser_smi_q = {
	.name = "smi-q",
	.what = "nvidia-smi -q: all of it, sections, loops and excerpts",
	.bid = q_bid,
	.starts = is_header,
	.begin = q_begin,
	.line = q_line,
	.finish = q_finish,
	.state_size = sizeof(struct q),
	.flags = GPUDX_P_RESUMES,
};
