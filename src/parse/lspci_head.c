#include "parse/lspci_head.h"

#include <stdio.h>

enum { NVIDIA = 0x10de };

struct pci_class {
	struct gpudx_sv name;
	uint32_t id;
};

/* Class names of pci.ids, old spellings included. */
static const struct pci_class classes[] = {
	{ SV("Non-VGA unclassified device"), 0x0000 },
	{ SV("VGA compatible unclassified device"), 0x0001 },
	{ SV("Image coprocessor"), 0x0005 },
	{ SV("SCSI storage controller"), 0x0100 },
	{ SV("IDE interface"), 0x0101 },
	{ SV("Floppy disk controller"), 0x0102 },
	{ SV("IPI bus controller"), 0x0103 },
	{ SV("RAID bus controller"), 0x0104 },
	{ SV("ATA controller"), 0x0105 },
	{ SV("SATA controller"), 0x0106 },
	{ SV("Serial Attached SCSI controller"), 0x0107 },
	{ SV("Non-Volatile memory controller"), 0x0108 },
	{ SV("Universal Flash Storage controller"), 0x0109 },
	{ SV("Mass storage controller"), 0x0180 },
	{ SV("Ethernet controller"), 0x0200 },
	{ SV("Token ring network controller"), 0x0201 },
	{ SV("FDDI network controller"), 0x0202 },
	{ SV("ATM network controller"), 0x0203 },
	{ SV("ISDN controller"), 0x0204 },
	{ SV("WorldFip controller"), 0x0205 },
	{ SV("PICMG controller"), 0x0206 },
	{ SV("Infiniband controller"), 0x0207 },
	{ SV("InfiniBand controller"), 0x0207 },
	{ SV("Fabric controller"), 0x0208 },
	{ SV("Network controller"), 0x0280 },
	{ SV("VGA compatible controller"), 0x0300 },
	{ SV("XGA compatible controller"), 0x0301 },
	{ SV("3D controller"), 0x0302 },
	{ SV("Display controller"), 0x0380 },
	{ SV("Multimedia video controller"), 0x0400 },
	{ SV("Multimedia audio controller"), 0x0401 },
	{ SV("Computer telephony device"), 0x0402 },
	{ SV("Audio device"), 0x0403 },
	{ SV("Multimedia controller"), 0x0480 },
	{ SV("RAM memory"), 0x0500 },
	{ SV("FLASH memory"), 0x0501 },
	{ SV("CXL"), 0x0502 },
	{ SV("Memory controller"), 0x0580 },
	{ SV("Host bridge"), 0x0600 },
	{ SV("ISA bridge"), 0x0601 },
	{ SV("EISA bridge"), 0x0602 },
	{ SV("MicroChannel bridge"), 0x0603 },
	{ SV("PCI bridge"), 0x0604 },
	{ SV("PCMCIA bridge"), 0x0605 },
	{ SV("NuBus bridge"), 0x0606 },
	{ SV("CardBus bridge"), 0x0607 },
	{ SV("RACEway bridge"), 0x0608 },
	{ SV("Semi-transparent PCI-to-PCI bridge"), 0x0609 },
	{ SV("InfiniBand to PCI host bridge"), 0x060a },
	{ SV("Bridge"), 0x0680 },
	{ SV("Serial controller"), 0x0700 },
	{ SV("Parallel controller"), 0x0701 },
	{ SV("Multiport serial controller"), 0x0702 },
	{ SV("Modem"), 0x0703 },
	{ SV("GPIB controller"), 0x0704 },
	{ SV("Smard Card controller"), 0x0705 },
	{ SV("Smart Card controller"), 0x0705 },
	{ SV("Communication controller"), 0x0780 },
	{ SV("PIC"), 0x0800 },
	{ SV("DMA controller"), 0x0801 },
	{ SV("Timer"), 0x0802 },
	{ SV("RTC"), 0x0803 },
	{ SV("PCI Hot-plug controller"), 0x0804 },
	{ SV("SD Host controller"), 0x0805 },
	{ SV("IOMMU"), 0x0806 },
	{ SV("Generic system peripheral"), 0x0807 },
	{ SV("Timing Card"), 0x0808 },
	{ SV("System peripheral"), 0x0880 },
	{ SV("Keyboard controller"), 0x0900 },
	{ SV("Digitizer Pen"), 0x0901 },
	{ SV("Mouse controller"), 0x0902 },
	{ SV("Scanner controller"), 0x0903 },
	{ SV("Gameport controller"), 0x0904 },
	{ SV("Input device controller"), 0x0980 },
	{ SV("Generic Docking Station"), 0x0a00 },
	{ SV("Docking Station"), 0x0a80 },
	{ SV("Co-processor"), 0x0b40 },
	{ SV("Processor"), 0x0b80 },
	{ SV("FireWire (IEEE 1394)"), 0x0c00 },
	{ SV("ACCESS Bus"), 0x0c01 },
	{ SV("SSA"), 0x0c02 },
	{ SV("USB controller"), 0x0c03 },
	{ SV("USB Controller"), 0x0c03 },
	{ SV("Fibre Channel"), 0x0c04 },
	{ SV("SMBus"), 0x0c05 },
	{ SV("InfiniBand"), 0x0c06 },
	{ SV("IPMI Interface"), 0x0c07 },
	{ SV("IPMI SMIC interface"), 0x0c07 },
	{ SV("SERCOS interface"), 0x0c08 },
	{ SV("CANBUS"), 0x0c09 },
	{ SV("Serial bus controller"), 0x0c80 },
	{ SV("IRDA controller"), 0x0d00 },
	{ SV("Consumer IR controller"), 0x0d01 },
	{ SV("RF controller"), 0x0d10 },
	{ SV("Bluetooth"), 0x0d11 },
	{ SV("Broadband"), 0x0d12 },
	{ SV("802.1a controller"), 0x0d20 },
	{ SV("802.1b controller"), 0x0d21 },
	{ SV("Wireless controller"), 0x0d80 },
	{ SV("I2O"), 0x0e00 },
	{ SV("Intelligent controller"), 0x0e80 },
	{ SV("Satellite communications controller"), 0x0f00 },
	{ SV("Network and computing encryption device"), 0x1000 },
	{ SV("Entertainment encryption device"), 0x1010 },
	{ SV("Encryption controller"), 0x1080 },
	{ SV("DPIO module"), 0x1100 },
	{ SV("Performance counters"), 0x1101 },
	{ SV("Communication synchronizer"), 0x1110 },
	{ SV("Signal processing management"), 0x1120 },
	{ SV("Signal processing controller"), 0x1180 },
	{ SV("Processing accelerators"), 0x1200 },
	{ SV("SNIA Smart Data Accelerator Interface (SDXI) controller"), 0x1201 },
	{ SV("Non-Essential Instrumentation"), 0x1300 },
	{ SV("Coprocessor"), 0x4000 },
	{ SV("Unassigned class"), 0xff00 },
};

/* Exactly four hex digits, the whole view. */
static bool four_hex(struct gpudx_sv s, uint32_t *out)
{
	uint64_t v;

	if (s.n != 4 || !sv_hex(&s, 4, 4, &v))
		return false;
	*out = (uint32_t)v;
	return true;
}

/* "10de:2330", the whole view. */
static bool id_pair(struct gpudx_sv s, uint32_t *vendor, uint32_t *device)
{
	uint32_t v, d;

	if (s.n != 9 || s.p[4] != ':' || !four_hex(sv_first(s, 4), &v) ||
	    !four_hex(sv_from(s, 5), &d))
		return false;
	*vendor = v;
	*device = d;
	return true;
}

/* Cuts "[0302]" off the end: a class, a vendor or a device. */
static bool cut_brackets(struct gpudx_sv *s, uint32_t *id)
{
	if (s->n < 6 || s->p[s->n - 6] != '[' || s->p[s->n - 1] != ']')
		return false;
	if (!four_hex(sv_n(s->p + s->n - 5, 4), id))
		return false;
	*s = sv_rtrim(sv_first(*s, s->n - 6));
	return true;
}

uint32_t gpudx_lspci_class(struct gpudx_sv name)
{
	uint32_t id;

	name = sv_trim(name);
	if (cut_brackets(&name, &id) || four_hex(name, &id))
		return id;
	if (sv_lit(&name, "Class ") && four_hex(name, &id))
		return id;
	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
		if (sv_eq(classes[i].name, name))
			return classes[i].id;
	return GPUDX_NO_ID;
}

bool gpudx_lspci_ids(struct gpudx_sv *name, uint32_t *vendor, uint32_t *device)
{
	struct gpudx_sv s = sv_rtrim(*name);

	if (s.n < 11 || s.p[s.n - 11] != '[' || s.p[s.n - 1] != ']')
		return false;
	if (!id_pair(sv_n(s.p + s.n - 10, 9), vendor, device))
		return false;
	*name = sv_rtrim(sv_first(s, s.n - 11));
	return true;
}

/* pci.ids wrote "nVidia Corporation" until 2014. */
static bool names_nvidia(struct gpudx_sv s)
{
	for (; s.n >= 6; s = sv_from(s, 1)) {
		struct gpudx_sv c = s;

		if (sv_ilit(&c, "nvidia"))
			return true;
	}
	return false;
}

bool gpudx_lspci_is_gpu(uint32_t class_id, uint32_t vendor_id, struct gpudx_sv name)
{
	if (class_id >> 8 != 0x03)
		return false;
	return vendor_id == GPUDX_NO_ID ? names_nvidia(name) : vendor_id == NVIDIA;
}

/* "NVIDIA Corporation Device 2330": younger than the list of names, so that the id is there. */
static void nameless_device(struct gpudx_sv s, struct gpudx_lspci_head *h)
{
	struct gpudx_sv skipped;
	uint32_t id;

	if (!sv_until(&s, " Device ", &skipped) || !four_hex(s, &id))
		return;
	h->vendor_id = NVIDIA;
	h->device_id = id;
}

/* "GH100 [H100] [10de:2330] (rev a1) (prog-if 00)" */
static void device_part(struct gpudx_sv s, struct gpudx_lspci_head *h)
{
	size_t rev = sv_find(s, " (rev "), prog = sv_find(s, " (prog-if ");

	h->dead = sv_starts(sv_from(s, rev), " (rev ff)");
	s = sv_rtrim(sv_first(s, rev < prog ? rev : prog));
	if (id_pair(s, &h->vendor_id, &h->device_id))
		return;
	h->name = s;
	if (!gpudx_lspci_ids(&h->name, &h->vendor_id, &h->device_id) && names_nvidia(s))
		nameless_device(s, h);
}

/* "text" with \" and \\ inside, as -m quotes. */
static bool quoted(struct gpudx_sv *s, struct gpudx_sv *out)
{
	struct gpudx_sv c = sv_ltrim(*s);
	size_t i = 1;

	if (!c.n || c.p[0] != '"')
		return false;
	while (i < c.n && c.p[i] != '"')
		i += c.p[i] == '\\' ? 2 : 1;
	if (i >= c.n)
		return false;
	*out = sv_n(c.p + 1, i - 1);
	*s = sv_from(c, i + 1);
	return true;
}

struct gpudx_sv gpudx_lspci_cut_id(struct gpudx_sv name, uint32_t *id)
{
	name = sv_trim(name);
	if (four_hex(name, id))
		return sv_n(NULL, 0);
	cut_brackets(&name, id);
	return name;
}

static bool machine_head(struct gpudx_sv s, struct gpudx_lspci_head *h)
{
	struct gpudx_sv cls, vendor, device;
	int n;

	if (!quoted(&s, &cls) || !quoted(&s, &vendor) || !quoted(&s, &device))
		return false;
	h->class_id = gpudx_lspci_class(cls);
	h->dead = sv_has(s, "-rff");
	h->sure = h->class_id != GPUDX_NO_ID;
	vendor = sv_first(gpudx_lspci_cut_id(vendor, &h->vendor_id), GPUDX_LSPCI_NAME / 2);
	device = sv_first(gpudx_lspci_cut_id(device, &h->device_id), GPUDX_LSPCI_NAME / 2 - 2);
	if (!vendor.n)
		return true;
	n = snprintf(h->buf, sizeof(h->buf), "%.*s %.*s", (int)vendor.n, vendor.p, (int)device.n,
		     device.n ? device.p : "");
	h->name = sv_n(h->buf, n > 0 ? (size_t)n : 0);
	return true;
}

/* "05:01.3 Timer: expired" of some log has the shape, too: a class of one word needs a number, a
 * domain or the vendor's name beside it. */
static bool is_sure(struct gpudx_sv line, struct gpudx_sv cls, const struct gpudx_lspci_head *h)
{
	if (h->class_id == GPUDX_NO_ID)
		return false;
	return sv_has(cls, " ") || h->vendor_id != GPUDX_NO_ID || sv_index(line, ':') >= 4 ||
	       names_nvidia(h->name);
}

bool gpudx_lspci_head(struct gpudx_sv line, struct gpudx_lspci_head *out)
{
	struct gpudx_sv c = line, cls;

	out->class_id = out->vendor_id = out->device_id = GPUDX_NO_ID;
	out->name = sv_n(NULL, 0);
	out->sure = out->dead = false;
	if (!gpudx_bdf_scan(&c, &out->bdf) || !sv_char(&c, ' '))
		return false;
	if (c.n && c.p[0] == '"')
		return machine_head(c, out);
	if (!sv_until(&c, ": ", &cls) || !cls.n || cls.n > 80)
		return false;
	out->class_id = gpudx_lspci_class(cls);
	device_part(c, out);
	out->sure = is_sure(line, cls, out);
	return true;
}
