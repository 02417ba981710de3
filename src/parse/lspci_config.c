#include "parse/lspci_config.h"

enum {
	CFG_STATUS = 0x06,
	CFG_CLASS = 0x0a,
	CFG_HEADER_TYPE = 0x0e,
	CFG_SECONDARY = 0x19,
	CFG_SUBORDINATE = 0x1a,
	CFG_CAP_POINTER = 0x34,
	STATUS_CAP_LIST = 0x10,
	HEADER_BRIDGE = 1,
	CAP_EXPRESS = 0x10,
	/* offsets inside the PCI Express capability */
	EXP_FLAGS = 0x02,
	EXP_LNKCAP = 0x0c,
	EXP_LNKSTA = 0x12,
	EXP_LNKCTL2 = 0x30,
	HOPS_MAX = 48 /* 192 bytes of at least four each */
};

static bool two_hex(struct gpudx_sv *s, uint8_t *out)
{
	uint64_t v;

	if (!sv_hex(s, 2, 2, &v))
		return false;
	*out = (uint8_t)v;
	return true;
}

bool gpudx_pci_config_row(struct gpudx_pci_config *c, struct gpudx_sv line, uint32_t no)
{
	uint8_t row[16];
	uint64_t at;
	unsigned n = 0;

	line = sv_trim(line);
	if (!sv_hex(&line, 2, 3, &at) || at % 16 || !sv_char(&line, ':'))
		return false;
	while (n < 16 && sv_char(&line, ' ') && two_hex(&line, &row[n]))
		n++;
	if (n != 16 || line.n)
		return false;
	if (at >= sizeof(c->bytes))
		return true;
	memcpy(c->bytes + at, row, 16);
	c->have |= 1u << (at / 16);
	c->line[at / 16] = no;
	return true;
}

static bool has(const struct gpudx_pci_config *c, unsigned at, unsigned n)
{
	return at + n <= sizeof(c->bytes) && c->have >> (at / 16) & 1 &&
	       c->have >> ((at + n - 1) / 16) & 1;
}

static uint32_t word(const struct gpudx_pci_config *c, unsigned at)
{
	return (uint32_t)c->bytes[at] | (uint32_t)c->bytes[at + 1] << 8;
}

/* Place of the PCI Express capability; 0 when the device has none or the dump ends before it. */
static unsigned find_express(const struct gpudx_pci_config *c)
{
	unsigned at;

	if (!has(c, 0, 64) || !(word(c, CFG_STATUS) & STATUS_CAP_LIST))
		return 0;
	at = c->bytes[CFG_CAP_POINTER] & ~3u;
	for (int i = 0; i < HOPS_MAX && at >= 0x40 && has(c, at, 4); i++) {
		if (c->bytes[at] == CAP_EXPRESS)
			return at;
		at = c->bytes[at + 1] & ~3u;
	}
	return 0;
}

static const char *port_type(unsigned code)
{
	static const char *const types[16] = {
		[0] = "Endpoint",
		[1] = "Legacy Endpoint",
		[4] = "Root Port",
		[5] = "Upstream Port",
		[6] = "Downstream Port",
		[7] = "PCI-Express to PCI/PCI-X Bridge",
		[8] = "PCI/PCI-X to PCI-Express Bridge",
		[9] = "Root Complex Integrated Endpoint",
		[10] = "Root Complex Event Collector",
	};

	return types[code & 15];
}

static double speed_gts(unsigned code)
{
	static const double speeds[16] = { 0, 2.5, 5, 8, 16, 32, 64, 128 };

	return speeds[code & 15];
}

static void fill_link(const struct gpudx_pci_config *c, unsigned at, struct gpudx_device *d)
{
	if (has(c, at + EXP_LNKCAP, 4)) {
		if (d->cap_gts <= 0)
			d->cap_gts = speed_gts(word(c, at + EXP_LNKCAP));
		if (!d->line_cap) {
			d->cap_width = word(c, at + EXP_LNKCAP) >> 4 & 0x3f;
			d->line_cap = c->line[(at + EXP_LNKCAP) / 16];
		}
	}
	if (has(c, at + EXP_LNKSTA, 2)) {
		if (d->sta_gts <= 0)
			d->sta_gts = speed_gts(word(c, at + EXP_LNKSTA));
		if (!d->line_sta) {
			d->sta_width = word(c, at + EXP_LNKSTA) >> 4 & 0x3f;
			d->line_sta = c->line[(at + EXP_LNKSTA) / 16];
		}
	}
	if (d->target_gts <= 0 && (c->bytes[at + EXP_FLAGS] & 15) >= 2 &&
	    has(c, at + EXP_LNKCTL2, 2))
		d->target_gts = speed_gts(word(c, at + EXP_LNKCTL2));
}

static void fill_express(const struct gpudx_pci_config *c, struct gpudx_device *d)
{
	unsigned at = find_express(c), type;

	if (!at)
		return;
	type = c->bytes[at + EXP_FLAGS] >> 4;
	if (!d->port_type.p)
		d->port_type = sv_str(port_type(type));
	/* What is integrated into the root complex has no link. */
	if (type != 9 && type != 10)
		fill_link(c, at, d);
}

/* What reads return when no device answers. */
static bool all_ones(const struct gpudx_pci_config *c)
{
	for (unsigned i = 0; i < 16; i++)
		if (c->bytes[i] != 0xff)
			return false;
	return true;
}

void gpudx_pci_config_fill(const struct gpudx_pci_config *c, struct gpudx_device *d)
{
	if (!has(c, 0, 16))
		return;
	if (all_ones(c)) {
		d->dead = true;
		return;
	}
	if (d->vendor_id == UINT32_MAX) {
		d->vendor_id = word(c, 0);
		d->device_id = word(c, 2);
	}
	if (d->class_id == UINT32_MAX)
		d->class_id = word(c, CFG_CLASS);
	if ((c->bytes[CFG_HEADER_TYPE] & 0x7f) == HEADER_BRIDGE && d->secondary_bus < 0 &&
	    has(c, 16, 16)) {
		d->secondary_bus = c->bytes[CFG_SECONDARY];
		d->subordinate_bus = c->bytes[CFG_SUBORDINATE];
	}
	fill_express(c, d);
}
