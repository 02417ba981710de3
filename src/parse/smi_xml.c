/* nvidia-smi -q -x, also in a loop, cut off, or with parts that somebody deleted:
 *
 *   <?xml version="1.0" ?>
 *   <!DOCTYPE nvidia_smi_log SYSTEM "nvsmi_device_v12.dtd">
 *   <nvidia_smi_log>
 *           <timestamp>Thu Jul 20 17:00:50 2023</timestamp>
 *           <driver_version>536.40</driver_version>
 *           <gpu id="00000000:04:00.0">
 *                   <product_name>NVIDIA GeForce RTX 3080</product_name>
 *                   <fb_memory_usage>
 *                           <total>10240 MiB</total>
 *
 * The same tree as -q, whose reader takes the values: so both give the same facts. Source: formats
 * 2.4. */
#include "base/xml.h"
#include "parse/smi_message.h"
#include "parse/smi_q_block.h"
#include "parse/smi_xml_path.h"

#define ROOT "nvidia_smi_log"
#define GPU ROOT "/gpu"

enum { HEX_TEXT = 10 };

struct xml {
	struct gpudx_xml scan;
	struct smi_q_block block;
	struct smi_xml_fields fields;
	bool any;  /* a document began */
	bool open; /* and is not over */
};

static void end_document(struct gpudx_ctx *c, struct xml *x)
{
	smi_q_end(c, &x->block);
	x->block.gpu = NULL;
	x->open = false;
}

static void begin_document(struct gpudx_ctx *c, struct xml *x)
{
	end_document(c, x);
	x->any = x->open = x->block.whole = true;
	gpudx_now(c, GPUDX_STAMP_NONE, GPUDX_NO_TIME);
	gpudx_cite(c);
}

static enum gpudx_take begin_gpu(struct gpudx_ctx *c, struct xml *x)
{
	struct gpudx_gpu_id id = GPUDX_GPU_NONE;

	smi_q_end(c, &x->block);
	x->block.gpu = NULL;
	gpudx_cite(c);
	/* Without an address the UUID or the address inside tells which it is. */
	if (!gpudx_bdf_parse(gpudx_xml_attr(&x->scan, "id"), &id.bdf))
		return GPUDX_TAKEN;
	if (!smi_q_select(c, &x->block, id))
		return gpudx_reject(c, "more GPUs than can be told apart");
	return GPUDX_TAKEN;
}

/* The path in -q: what faults are named by. */
static void name_field(struct smi_q_block *q, const struct smi_field *f)
{
	struct gpudx_sv path = sv_first(sv_str(f->q), sv_index(sv_str(f->q), ';'));

	path = sv_first(path, SMI_Q_TEXT - 1);
	if (path.n)
		memcpy(q->path.text, path.p, path.n);
	q->path.text[path.n] = '\0';
}

/* XML prints ids of the bus without the 0x that -q and the queries give them. */
static struct gpudx_sv canonical(const struct smi_field *f, struct gpudx_sv text,
				 char buf[HEX_TEXT])
{
	if ((strcmp(f->key, "gpu.pci_id") != 0 && strcmp(f->key, "gpu.subsystem_id") != 0) ||
	    text.n != 8)
		return text;
	memcpy(buf, "0x", 2);
	memcpy(buf + 2, text.p, text.n);
	return sv_n(buf, text.n + 2);
}

static enum gpudx_take take_leaf(struct gpudx_ctx *c, struct xml *x)
{
	struct gpudx_sv path = gpudx_xml_path(&x->scan);
	const struct smi_field *f;
	char buf[HEX_TEXT];

	if (!sv_lit(&path, GPU "/") && !sv_lit(&path, ROOT "/"))
		return GPUDX_TAKEN;
	f = smi_xml_field(&x->fields, path);
	if (!f)
		return GPUDX_TAKEN;
	name_field(&x->block, f);
	return smi_q_take(c, &x->block, f, canonical(f, x->scan.text, buf));
}

static enum gpudx_take take_event(struct gpudx_ctx *c, struct xml *x, enum gpudx_xml_kind kind)
{
	struct gpudx_sv path = gpudx_xml_path(&x->scan);

	switch (kind) {
	case GPUDX_XML_DOCUMENT:
		end_document(c, x);
		break;
	case GPUDX_XML_OPEN:
		if (sv_is(path, ROOT))
			begin_document(c, x);
		else if (sv_is(path, GPU))
			return begin_gpu(c, x);
		break;
	case GPUDX_XML_LEAF:
	case GPUDX_XML_CLOSE:
		if (sv_is(path, GPU)) {
			smi_q_end(c, &x->block);
			x->block.gpu = NULL;
		} else if (sv_is(path, ROOT)) {
			end_document(c, x);
		} else if (kind == GPUDX_XML_LEAF) {
			return take_leaf(c, x);
		}
		break;
	case GPUDX_XML_MORE:
		break;
	}
	return GPUDX_TAKEN;
}

/* What may stand before the root, and the root itself. */
static bool is_head(struct gpudx_sv line)
{
	struct gpudx_sv s = sv_ltrim(line);

	return sv_starts(s, "<?xml ") || sv_starts(s, "<!DOCTYPE " ROOT) ||
	       sv_starts(s, "<" ROOT ">") || sv_starts(s, "<" ROOT " ");
}

/* Inside a document all lines with tags are its own, and texts that go on from the line before. */
static bool belongs(const struct xml *x, struct gpudx_sv line)
{
	if (gpudx_xml_inside(&x->scan))
		return sv_has(line, "<") || x->scan.state != GPUDX_XML_IN_TEXT ||
		       (x->scan.leaf && line.n < 400);
	return is_head(line) || sv_starts(sv_ltrim(line), "<!--");
}

static enum gpudx_take xml_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct xml *x = gpudx_state(c);
	bool rest = gpudx_this_line(c)->flags & GPUDX_LINE_REST, bad = false;
	struct gpudx_sv parts[2] = { SV_LIT("\n"), line };

	if (!rest && !belongs(x, line))
		return smi_message_take(c, line) ? GPUDX_TAKEN : GPUDX_NOT_MINE;
	for (size_t i = rest; i < 2; i++) {
		enum gpudx_xml_kind kind;

		while ((kind = gpudx_xml_next(&x->scan, &parts[i])) != GPUDX_XML_MORE)
			bad |= take_event(c, x, kind) == GPUDX_BAD;
	}
	return bad ? GPUDX_BAD : GPUDX_TAKEN;
}

static void xml_begin(struct gpudx_ctx *c)
{
	struct xml *x = gpudx_state(c);

	smi_q_begin(c, &x->block);
}

static void xml_finish(struct gpudx_ctx *c)
{
	struct xml *x = gpudx_state(c);

	smi_q_end(c, &x->block);
}

static bool xml_starts(struct gpudx_sv line)
{
	return is_head(line) && sv_has(line, ROOT);
}

static int xml_bid(const struct gpudx_head *head)
{
	for (size_t i = 0; i < head->n && i < 20; i++)
		if (sv_has(sv_first(head->lines[i].text, 400), "<" ROOT) ||
		    sv_has(sv_first(head->lines[i].text, 400), "<!DOCTYPE " ROOT))
			return 80;
	return 0;
}

const struct gpudx_parser gpudx_parser_smi_xml = {
	.name = "smi-xml",
	.what = "nvidia-smi -q -x: the same as -q in XML",
	.bid = xml_bid,
	.starts = xml_starts,
	.begin = xml_begin,
	.line = xml_line,
	.finish = xml_finish,
	.state_size = sizeof(struct xml),
	.flags = GPUDX_P_RESUMES | GPUDX_P_BYTES,
};
