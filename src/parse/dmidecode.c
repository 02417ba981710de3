/* dmidecode, whole or -t: blocks of the firmware's tables.
 *
 *   Handle 0x0001, DMI type 1, 27 bytes
 *   System Information
 *   	Manufacturer: Supermicro
 *   	Product Name: SYS-420GP-TNR
 *   	Serial Number: S000000X0000000
 *
 * Kept are BIOS, system, base board and chassis, the slots that GPUs sit in, and power supplies.
 * "Not Specified" and what makers forget to fill in say nothing. Source: dmidecode.c 3.x. */
#include "parse/tool.h"

#include <stdio.h>

enum { TEXT = 80 };

struct text {
	size_t n;
	char p[TEXT];
};

struct dmi {
	unsigned type; /* of the block; 0 is BIOS, too: see .inside */
	bool inside;
	struct text name, width, address; /* of a slot */
};

static const struct {
	unsigned type;
	struct tool_label l;
} labels[] = {
	{ 0, { "Version", "host.bios", TOOL_TEXT } },
	{ 0, { "Release Date", "host.bios_date", TOOL_TEXT } },
	{ 0, { "Vendor", NULL, TOOL_DROP } },
	{ 0, { "Firmware Revision", "bmc.firmware", TOOL_TEXT } },
	{ 1, { "Manufacturer", "host.vendor", TOOL_TEXT } },
	{ 1, { "Product Name", "host.product", TOOL_TEXT } },
	{ 1, { "Serial Number", "host.serial", TOOL_TEXT } },
	{ 2, { "Manufacturer", "host.board_vendor", TOOL_TEXT } },
	{ 2, { "Product Name", "host.board", TOOL_TEXT } },
	{ 2, { "Serial Number", "host.board_serial", TOOL_TEXT } },
	{ 3, { "Serial Number", "host.chassis_serial", TOOL_TEXT } },
};

static void keep(struct text *t, struct gpudx_sv v)
{
	v = sv_first(v, sizeof(t->p));
	memcpy(t->p, v.p, v.n);
	t->n = v.n;
}

/* The slot with its electrical form, by the address of the card in it. */
static void slot_end(struct gpudx_ctx *c, struct dmi *d)
{
	struct gpudx_sv address = sv_n(d->address.p, d->address.n);
	struct gpudx_bdf bdf;
	char key[GPUDX_BDF_TEXT + 16], text[2 * TEXT + 4], addr[GPUDX_BDF_TEXT];

	if (d->inside && d->type == 9 && d->name.n && gpudx_bdf_parse(address, &bdf)) {
		snprintf(key, sizeof(key), "slot.%s", gpudx_bdf_text(bdf, addr));
		snprintf(text, sizeof(text), "%.*s, %.*s", (int)d->name.n, d->name.p,
			 (int)d->width.n, d->width.p);
		gpudx_fact(c, 0, key, "dmi", sv_str(text));
	}
	d->name.n = d->width.n = d->address.n = 0;
}

static void slot_line(struct dmi *d, struct gpudx_sv label, struct gpudx_sv value)
{
	if (sv_is(label, "Designation"))
		keep(&d->name, value);
	else if (sv_is(label, "Type"))
		keep(&d->width, value);
	else if (sv_is(label, "Bus Address"))
		keep(&d->address, value);
}

/* "Handle 0x0001, DMI type 1, 27 bytes" */
static bool scan_handle(struct gpudx_sv s, unsigned *type)
{
	struct gpudx_sv handle;
	uint64_t n;

	if (!sv_lit(&s, "Handle 0x") || !sv_until(&s, ", DMI type ", &handle) || !sv_u64(&s, &n) ||
	    !sv_lit(&s, ", ") || n > 255)
		return false;
	*type = (unsigned)n;
	return true;
}

/* The titles that stand for a type where handles were left out (-q). */
static bool scan_title(struct gpudx_sv s, unsigned *type)
{
	static const struct {
		const char *title;
		unsigned type;
	} titles[] = { { "BIOS Information", 0 },	{ "System Information", 1 },
		       { "Base Board Information", 2 }, { "Chassis Information", 3 },
		       { "Processor Information", 4 },	{ "System Slot Information", 9 },
		       { "Memory Device", 17 },		{ "System Power Supply", 39 } };

	for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++)
		if (sv_is(s, titles[i].title)) {
			*type = titles[i].type;
			return true;
		}
	return false;
}

static void field(struct gpudx_ctx *c, struct dmi *d, struct gpudx_sv text)
{
	struct gpudx_sv label, value;

	if (!tool_split(text, &label, &value))
		return;
	if (d->type == 9)
		slot_line(d, label, value);
	for (size_t i = 0; i < sizeof(labels) / sizeof(labels[0]); i++)
		if (labels[i].type == d->type && sv_is(label, labels[i].l.text))
			tool_fact(c, &labels[i].l, "dmi", value);
}

static bool is_notice(struct gpudx_sv s)
{
	return sv_starts(s, "# dmidecode ") || sv_starts(s, "Getting SMBIOS data from") ||
	       sv_starts(s, "SMBIOS ") || sv_starts(s, "Table at 0x") ||
	       sv_starts(s, "End Of Table") || sv_has(s, "structures occupying ") ||
	       sv_starts(s, "# SMBIOS implementations") ||
	       sv_starts(s, "# fully supported by this version") || sv_starts(s, "/dev/mem: ");
}

static enum gpudx_take dmi_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct dmi *d = gpudx_state(c);
	struct gpudx_sv text = sv_trim(line);
	unsigned type;

	if (scan_handle(text, &type) || (!sv_is_space(line.p[0]) && scan_title(text, &type))) {
		slot_end(c, d);
		d->type = type;
		d->inside = true;
		return GPUDX_TAKEN;
	}
	if (is_notice(text))
		return GPUDX_TAKEN;
	if (!d->inside)
		return GPUDX_NOT_MINE;
	if (sv_is_space(line.p[0])) {
		field(c, d, text);
		return GPUDX_TAKEN;
	}
	/* A title of a block of which nothing is kept. */
	return sv_index(text, ':') == text.n && text.n < 60 ? GPUDX_TAKEN : GPUDX_NOT_MINE;
}

static void dmi_finish(struct gpudx_ctx *c)
{
	slot_end(c, gpudx_state(c));
}

static bool dmi_starts(struct gpudx_sv line)
{
	unsigned type;

	return sv_starts(line, "# dmidecode ") || scan_handle(line, &type);
}

static int dmi_bid(const struct gpudx_head *head)
{
	unsigned type;

	for (size_t i = 0, seen = 0; i < head->n && seen < 8; i++) {
		struct gpudx_sv s = sv_trim(head->lines[i].text);

		if (!s.n)
			continue;
		seen++;
		if (dmi_starts(s))
			return 80;
		if (tool_is("dmidecode", head->command, head->path) && scan_title(s, &type))
			return 60;
	}
	return 0;
}

const struct gpudx_parser gpudx_parser_dmidecode = {
	.name = "dmidecode",
	.what = "dmidecode: machine, board, firmware, slots",
	.bid = dmi_bid,
	.starts = dmi_starts,
	.line = dmi_line,
	.finish = dmi_finish,
	.state_size = sizeof(struct dmi),
};
