/* lspci in any verbosity (-v ... -vvv, -k, -n, -nn, -D, -m, -vmm, -x ... -xxxx), of pciutils 3.1 to
 * 3.14, also grep'd:
 *
 *   3b:00.0 3D controller [0302]: NVIDIA Corporation GH100 [H100 SXM5 80GB] [10de:2330] (rev a1)
 *   	Physical Slot: 3
 *   	NUMA node: 0
 *   	Region 2: Memory at 210000000000 (64-bit, prefetchable) [size=128G]
 *   	Capabilities: [60] Express (v2) Endpoint, MSI 00
 *   		LnkCap:	Port #0, Speed 32GT/s, Width x16, ASPM not supported
 *   		LnkSta:	Speed 16GT/s (downgraded), Width x8 (downgraded)
 *   	Capabilities: [100 v1] Advanced Error Reporting
 *   		UESta:	DLP- SDES- TLP- FCP- CmpltTO- CmpltAbrt- UnxCmplt- RxOF- MalfTLP-
 *   			ECRC- UnsupReq- ACSViol- UncorrIntErr- BlockedTLP- AtomicOpBlocked-
 *   		CESta:	RxErr+ BadTLP- BadDLLP- Rollover- Timeout- AdvNonFatalErr+
 *   	Kernel driver in use: nvidia
 *   00: de 10 30 23 07 04 10 00 a1 00 00 03 00 00 80 00
 *
 * Every function becomes a device: the way up to the root port matters. What the tool says in words
 * of the link ("downgraded", "ok", nothing) depends on its version and is not read: the numbers
 * are. Indentation may be lost. Lines without a device in front are an excerpt: the command's -s
 * may name the address, else a single device of unknown address is the only thing they can be. What
 * somebody asked for in this way is taken for a GPU unless it shows that it is a port. */
#include "parse/lspci_config.h"
#include "parse/lspci_head.h"
#include "parse/parser.h"

#include <stdio.h>

/* What a device shows once: shown again, the header in between was filtered out. */
enum field {
	F_CAP = 1 << 0,
	F_STA = 1 << 1,
	F_TARGET = 1 << 2,
	F_BUSES = 1 << 3,
	F_NUMA = 1 << 4,
	F_GROUP = 1 << 5,
	F_DRIVER = 1 << 6,
	F_SLOT = 1 << 7,
	F_UE = 1 << 8,
	F_CE = 1 << 9,
	F_ACS = 1 << 10
};

struct text {
	size_t n;
	char p[GPUDX_LSPCI_NAME];
};

/* The device being read. */
struct device {
	struct gpudx_device d; /* its strings are those below */
	struct text name, driver, slot, ue, ce, acs;
	struct gpudx_pci_config config;
	unsigned seen; /* enum field */
	bool headed, gpu;
	bool port;	   /* it shows that it cannot be a GPU */
	bool capabilities; /* their list has begun: regions from here on are of virtual functions */
	int region;	   /* number of the last one, -1 none */
	double bar_mib;	   /* largest prefetchable region */
	uint32_t bar_line;
	struct text *more;	  /* takes the flags of lines that go on */
	struct gpudx_sv *more_of; /* ... and the field that shows them */
};

struct lspci {
	struct device at;
	bool open;		   /* a device is being read */
	bool inside;		   /* indented lines belong to it */
	bool sure;		   /* this is lspci: headers of unknown class count, too */
	uint32_t no;		   /* of the line at hand */
	bool cite;		   /* it will be cited */
	struct gpudx_bdf asked;	   /* -s of the command */
	bool asked_nvidia;	   /* -d 10de: of the command */
	unsigned headed, nameless; /* devices so far, with and without a header */
	/* Of the nameless the first waits until the end tells whether it is the only one. */
	struct gpudx_device first;
	bool first_port, differ; /* it is a port; others have another link */
};

/* ---- devices ---- */

static void device_begin(struct gpudx_ctx *c, struct lspci *s, struct gpudx_bdf bdf, bool headed)
{
	s->at = (struct device){ .headed = headed, .region = -1 };
	s->at.d = gpudx_device_at(bdf, gpudx_this_line(c)->no);
	s->headed += headed;
	s->open = s->inside = true;
	gpudx_cite(c);
}

static bool same_link(const struct gpudx_device *a, const struct gpudx_device *b)
{
	return a->cap_width == b->cap_width && a->sta_width == b->sta_width &&
	       !(a->cap_gts < b->cap_gts || a->cap_gts > b->cap_gts) &&
	       !(a->sta_gts < b->sta_gts || a->sta_gts > b->sta_gts);
}

/* The first nameless device waits: it may be the only one. */
static void keep_first(struct gpudx_ctx *c, struct lspci *s)
{
	struct gpudx_arena *a = gpudx_memory(c);

	s->first = s->at.d;
	s->first_port = s->at.port;
	s->first.driver = s->at.d.driver.p ? gpudx_arena_sv(a, s->at.d.driver) : s->at.d.driver;
	s->first.slot = s->at.d.slot.p ? gpudx_arena_sv(a, s->at.d.slot) : s->at.d.slot;
	s->first.ue_status =
		s->at.d.ue_status.p ? gpudx_arena_sv(a, s->at.d.ue_status) : s->at.d.ue_status;
	s->first.ce_status =
		s->at.d.ce_status.p ? gpudx_arena_sv(a, s->at.d.ce_status) : s->at.d.ce_status;
	s->first.acs_ctl = s->at.d.acs_ctl.p ? gpudx_arena_sv(a, s->at.d.acs_ctl) : s->at.d.acs_ctl;
}

static void put_bar(struct gpudx_ctx *c, const struct lspci *s)
{
	struct gpudx_fact f = {
		.ref = s->at.d.ref, .has_num = true, .num = s->at.bar_mib, .line = s->at.bar_line
	};
	char buf[32];
	int n = snprintf(buf, sizeof(buf), "%.12g", s->at.bar_mib);

	f.key = SV_LIT("pcie.bar1_mib");
	f.layer = SV_LIT("lspci");
	f.value = sv_n(buf, n > 0 ? (size_t)n : 0);
	gpudx_put_fact(c, &f);
}

static void device_end(struct gpudx_ctx *c, struct lspci *s)
{
	if (!s->open)
		return;
	s->open = false;
	gpudx_pci_config_fill(&s->at.config, &s->at.d);
	if (!s->at.headed && s->at.d.bdf.known && !s->at.port)
		s->at.d.ref = gpudx_ref_bdf(c, s->at.d.bdf);
	if (s->at.headed || s->at.d.bdf.known) {
		gpudx_put_device(c, &s->at.d);
		if (s->at.gpu && s->at.bar_mib >= 1)
			put_bar(c, s);
		return;
	}
	if (s->nameless++ == 0) {
		keep_first(c, s);
		return;
	}
	s->differ |= !same_link(&s->first, &s->at.d);
	gpudx_put_device(c, &s->at.d);
}

/* Lines of a device whose header is not there. */
static void nameless_begin(struct gpudx_ctx *c, struct lspci *s)
{
	device_end(c, s);
	device_begin(c, s, s->asked, false);
	gpudx_excerpt(c);
}

static void set_text(struct text *t, struct gpudx_sv *field, struct gpudx_sv value)
{
	value = sv_first(value, sizeof(t->p));
	if (value.n)
		memcpy(t->p, value.p, value.n);
	t->n = value.n;
	*field = sv_n(t->p, t->n);
}

static void add_name(struct lspci *s, struct gpudx_sv more)
{
	more = sv_first(more, sizeof(s->at.name.p) / 2);
	if (s->at.name.n + more.n + 1 > sizeof(s->at.name.p))
		return;
	s->at.name.p[s->at.name.n] = ' ';
	memcpy(s->at.name.p + s->at.name.n + 1, more.p, more.n);
	s->at.name.n += more.n + 1;
	s->at.d.name = sv_n(s->at.name.p, s->at.name.n);
}

static void set_gpu(struct gpudx_ctx *c, struct lspci *s)
{
	s->at.gpu = gpudx_lspci_is_gpu(s->at.d.class_id, s->at.d.vendor_id, s->at.d.name);
	if (s->at.gpu)
		s->at.d.ref = gpudx_ref_bdf(c, s->at.d.bdf);
}

static void head_line(struct gpudx_ctx *c, struct lspci *s, const struct gpudx_lspci_head *h)
{
	device_end(c, s);
	device_begin(c, s, h->bdf, true);
	s->sure |= h->sure;
	s->at.d.class_id = h->class_id;
	s->at.d.vendor_id = h->vendor_id;
	s->at.d.device_id = h->device_id;
	s->at.d.dead = h->dead;
	if (h->name.n)
		set_text(&s->at.name, &s->at.d.name, h->name);
	set_gpu(c, s);
}

/* ---- values ---- */

/* "Port #0, Speed 16GT/s (ok), Width x16 (ok)": false when neither number is there. Speed is left
 * 0 when the tool did not know it. */
static bool scan_link(struct gpudx_sv s, double *gts, unsigned *width)
{
	struct gpudx_sv skipped, w = s;
	uint64_t x;
	bool found = false;

	if (sv_until(&s, "Speed ", &skipped))
		found = (sv_decimal(&s, gts) && sv_lit(&s, "GT/s")) || sv_ilit(&s, "unknown");
	if (sv_until(&w, "Width x", &skipped) && sv_u64(&w, &x) && x <= 64) {
		*width = (unsigned)x;
		found = true;
	}
	return found;
}

/* All words are flags: "RxErr+ BadTLP-". */
static bool is_flags(struct gpudx_sv s)
{
	struct gpudx_sv word;
	unsigned n = 0;

	while (sv_spaces(&s) && sv_token(&s, &word)) {
		if (word.n < 2 || (word.p[word.n - 1] != '+' && word.p[word.n - 1] != '-'))
			return false;
		if (!sv_is_alpha(word.p[0]) && !sv_is_digit(word.p[0]))
			return false;
		n++;
	}
	return n > 0;
}

/* Adds the names of those that are set. */
static void add_flags(struct text *t, struct gpudx_sv s)
{
	struct gpudx_sv word;

	while (sv_spaces(&s) && sv_token(&s, &word)) {
		if (word.p[word.n - 1] != '+' || t->n + word.n + 1 > sizeof(t->p))
			continue;
		if (t->n)
			t->p[t->n++] = ' ';
		memcpy(t->p + t->n, word.p, word.n - 1);
		t->n += word.n - 1;
	}
}

static void read_flags(struct lspci *s, struct text *t, struct gpudx_sv *field, struct gpudx_sv v)
{
	t->n = 0;
	add_flags(t, v);
	*field = sv_n(t->p, t->n);
	s->at.more = t;
	s->at.more_of = field;
}

static int scan_int(struct gpudx_sv v, int none)
{
	uint64_t n;

	v = sv_ltrim(v);
	return sv_u64(&v, &n) && n <= INT32_MAX ? (int)n : none;
}

/* ---- lines, each with what follows its label ---- */

/* "Port #5, ...": cards are number 0, ports of switches and root complexes mostly are not. */
static bool is_port(struct gpudx_sv v)
{
	struct gpudx_sv skipped;
	uint64_t n;

	return sv_until(&v, "Port #", &skipped) && sv_u64(&v, &n) && n != 0;
}

typedef void read_fn(struct lspci *s, struct gpudx_sv v);

static void read_cap(struct lspci *s, struct gpudx_sv v)
{
	if (!scan_link(v, &s->at.d.cap_gts, &s->at.d.cap_width))
		return;
	s->at.d.line_cap = s->no;
	s->cite = true;
	s->at.port |= is_port(v);
}

static void read_sta(struct lspci *s, struct gpudx_sv v)
{
	if (!scan_link(v, &s->at.d.sta_gts, &s->at.d.sta_width))
		return;
	s->at.d.line_sta = s->no;
	s->cite = true;
}

static void read_target(struct lspci *s, struct gpudx_sv v)
{
	struct gpudx_sv skipped;
	double gts;

	if (sv_until(&v, "Target Link Speed: ", &skipped) && sv_decimal(&v, &gts) &&
	    sv_lit(&v, "GT/s"))
		s->at.d.target_gts = gts;
}

/* "primary=00, secondary=01, subordinate=01, sec-latency=0" */
static void read_buses(struct lspci *s, struct gpudx_sv v)
{
	struct gpudx_sv skipped;
	uint64_t secondary, subordinate;

	if (sv_until(&v, "secondary=", &skipped) && sv_hex(&v, 2, 2, &secondary) &&
	    sv_until(&v, "subordinate=", &skipped) && sv_hex(&v, 2, 2, &subordinate)) {
		s->at.d.secondary_bus = (int)secondary;
		s->at.d.subordinate_bus = (int)subordinate;
	}
}

static void read_numa(struct lspci *s, struct gpudx_sv v)
{
	s->at.d.numa_node = scan_int(v, -1);
}

static void read_group(struct lspci *s, struct gpudx_sv v)
{
	s->at.d.iommu_group = scan_int(v, -1);
}

static void read_driver(struct lspci *s, struct gpudx_sv v)
{
	set_text(&s->at.driver, &s->at.d.driver, sv_trim(v));
}

static void read_slot(struct lspci *s, struct gpudx_sv v)
{
	set_text(&s->at.slot, &s->at.d.slot, sv_trim(v));
}

/* The label of the mainboard; a slot number says more. Until pciutils 3.6 no line feed followed. */
static void read_label(struct lspci *s, struct gpudx_sv v)
{
	if (!(s->at.seen & F_SLOT))
		set_text(&s->at.slot, &s->at.d.slot,
			 sv_trim(sv_first(v, sv_find(v, "\tSubsystem:"))));
}

static void read_ue(struct lspci *s, struct gpudx_sv v)
{
	read_flags(s, &s->at.ue, &s->at.d.ue_status, v);
}

static void read_ce(struct lspci *s, struct gpudx_sv v)
{
	read_flags(s, &s->at.ce, &s->at.d.ce_status, v);
}

static void read_acs(struct lspci *s, struct gpudx_sv v)
{
	read_flags(s, &s->at.acs, &s->at.d.acs_ctl, v);
}

/* The words of lspci, so that they can outlive the line. */
static const char *const port_types[] = { "Legacy Endpoint",
					  "Endpoint",
					  "Root Port",
					  "Upstream Port",
					  "Downstream Port",
					  "Root Complex Integrated Endpoint",
					  "Root Complex Event Collector",
					  "PCI-Express to PCI/PCI-X Bridge",
					  "PCI/PCI-X to PCI-Express Bridge" };

/* "[60] Express (v2) Endpoint, MSI 00" and all other capabilities. */
static void read_capability(struct lspci *s, struct gpudx_sv v)
{
	struct gpudx_sv skipped, version;

	s->at.capabilities = true;
	s->at.d.denied |= sv_has(v, "<access denied>");
	if (!sv_until(&v, "] Express ", &skipped))
		return;
	if (sv_lit(&v, "("))
		sv_until(&v, ") ", &version);
	for (size_t i = 0; i < sizeof(port_types) / sizeof(port_types[0]); i++)
		if (sv_starts(v, port_types[i]))
			s->at.d.port_type = sv_str(port_types[i]);
	s->at.port |= s->at.d.port_type.p && !sv_ends(s->at.d.port_type, "Endpoint");
}

/* "bus master, fast devsel, latency 0, IRQ 18, NUMA node 0, IOMMU group 45" of -v */
static void read_v_flags(struct lspci *s, struct gpudx_sv v)
{
	struct gpudx_sv skipped, w = v;

	if (sv_until(&v, "NUMA node ", &skipped))
		s->at.d.numa_node = scan_int(v, s->at.d.numa_node);
	if (sv_until(&w, "IOMMU group ", &skipped))
		s->at.d.iommu_group = scan_int(w, s->at.d.iommu_group);
}

/* "[size=32G]" in MiB; 0 when there is none. */
static double scan_size(struct gpudx_sv v)
{
	static const char units[] = "KMGT";
	struct gpudx_sv skipped;
	double mib;
	uint64_t n;

	if (!sv_until(&v, "[size=", &skipped) || !sv_u64(&v, &n))
		return 0;
	mib = (double)n / (1 << 20);
	for (size_t i = 0; v.n && i < sizeof(units) - 1; i++) {
		mib *= 1024;
		if (v.p[0] == units[i])
			return mib;
	}
	return (double)n / (1 << 20);
}

/* "Memory at 210000000000 (64-bit, prefetchable) [size=128G]" */
static void read_memory(struct lspci *s, struct gpudx_sv v)
{
	double mib;

	if (!s->at.gpu || s->at.capabilities || sv_has(v, "non-prefetchable") ||
	    !sv_has(v, "prefetchable"))
		return;
	mib = scan_size(v);
	if (mib <= s->at.bar_mib)
		return;
	s->at.bar_mib = mib;
	s->at.bar_line = s->no;
	s->cite = true;
}

/* "2: Memory at ..." of -vv */
static void read_region(struct lspci *s, struct gpudx_sv v)
{
	s->at.region = scan_int(v, -1);
	read_memory(s, v);
}

/* "!!! Unknown header type 7f" */
static void read_header_type(struct lspci *s, struct gpudx_sv v)
{
	s->at.d.dead |= sv_starts(v, "7f") || sv_starts(v, "ff");
}

struct label {
	const char *text;
	read_fn *read;
	unsigned field; /* enum field; 0 may come more than once */
	bool opens;	/* tells something even without a header */
};

static const struct label labels[] = {
	{ "LnkCap:", read_cap, F_CAP, true },
	{ "LnkSta:", read_sta, F_STA, true },
	{ "LnkCtl2:", read_target, F_TARGET, false },
	{ "UESta:", read_ue, F_UE, true },
	{ "CESta:", read_ce, F_CE, true },
	{ "ACSCtl:", read_acs, F_ACS, false },
	{ "Capabilities:", read_capability, 0, false },
	{ "Region ", read_region, 0, false },
	{ "Memory at ", read_memory, 0, false },
	{ "Bus: ", read_buses, F_BUSES, false },
	{ "Flags: ", read_v_flags, 0, false },
	{ "NUMA node:", read_numa, F_NUMA, false },
	{ "NUMANode:", read_numa, F_NUMA, false },
	{ "IOMMU group:", read_group, F_GROUP, false },
	{ "IOMMUGroup:", read_group, F_GROUP, false },
	{ "Kernel driver in use:", read_driver, F_DRIVER, false },
	{ "Driver:", read_driver, F_DRIVER, false },
	{ "Physical Slot:", read_slot, F_SLOT, false },
	{ "PhySlot:", read_slot, F_SLOT, false },
	{ "DeviceName:", read_label, 0, false },
	{ "!!! Unknown header type ", read_header_type, 0, false },
};

/* True for what this device cannot show any more. LnkCap stands in front of LnkSta; the numbers of
 * regions grow. */
static bool is_another(const struct lspci *s, const struct label *l, struct gpudx_sv v)
{
	if (l->read == read_region)
		return !s->at.capabilities && scan_int(v, INT32_MAX) <= s->at.region;
	return s->at.seen & l->field || (l->field == F_CAP && s->at.seen & F_STA);
}

static bool label_line(struct gpudx_ctx *c, struct lspci *s, struct gpudx_sv text)
{
	for (size_t i = 0; i < sizeof(labels) / sizeof(labels[0]); i++) {
		const struct label *l = &labels[i];

		if (!sv_lit(&text, l->text))
			continue;
		if (!s->open && !l->opens)
			return false;
		s->at.more = NULL;
		if (!s->open || is_another(s, l, text))
			nameless_begin(c, s);
		l->read(s, text);
		s->at.seen |= l->field;
		return true;
	}
	return false;
}

/* -vmm: one "Key:<TAB>value" a line, Slot first, Class and Vendor before Device. */
static bool machine_line(struct gpudx_ctx *c, struct lspci *s, struct gpudx_sv text)
{
	struct gpudx_sv key;
	struct gpudx_bdf bdf;

	if (!sv_until(&text, ":\t", &key))
		return false;
	if ((sv_is(key, "Slot") || sv_is(key, "Device")) && gpudx_bdf_parse(text, &bdf)) {
		device_end(c, s);
		device_begin(c, s, bdf, true);
	} else if (!s->open) {
		return false;
	} else if (sv_is(key, "Class")) {
		s->at.d.class_id = gpudx_lspci_class(text);
	} else if (sv_is(key, "Vendor")) {
		set_text(&s->at.name, &s->at.d.name,
			 sv_first(gpudx_lspci_cut_id(text, &s->at.d.vendor_id), 80));
		set_gpu(c, s);
	} else if (sv_is(key, "Device")) {
		add_name(s, gpudx_lspci_cut_id(text, &s->at.d.device_id));
	} else {
		return sv_is(key, "SVendor") || sv_is(key, "SDevice") || sv_is(key, "Rev") ||
		       sv_is(key, "ProgIf") || sv_is(key, "Module") || sv_is(key, "DTNode");
	}
	return true;
}

/* ---- lines without a label that means something here ---- */

/* How other lines of a device begin, for text that lost its indentation. */
static const char *const beginnings[] = {
	"Subsystem:", "Control:", "Status:", "Latency:", "Latency ", "Interrupt:", "BIST ",
	"I/O ports at ", "I/O behind bridge", "Memory behind bridge",
	"Prefetchable memory behind bridge", "Expansion ROM at ", "[virtual] ",
	"Secondary status:", "BridgeCtl:", "PriDiscTmr",
	"Kernel modules:", "Address:", "Masking:", "Flags:", "DevCap", "DevCtl", "DevSta", "LnkCap",
	"LnkCtl", "LnkSta", "SltCap", "SltCtl", "SltSta", "RootCap", "RootCtl", "RootSta",
	"RootCmd", "ErrorSrc:", "UEMsk:", "UESvrt:", "CEMsk:", "AERCap:", "HeaderLog:", "ACSCap:",
	"MaxPayload ", "RlxdOrd", "ExtTag", "ClockPM", "ExtSynch", "TrErr", "10BitTag",
	"EmergencyPowerReduction", "FRS", "AtomicOps", "Transmit Margin:", "Compliance ",
	"Equalization", "Retimer", "Slot #", "Changed:", "FirstFatal", "MultHdrRec",
	"Vector table:", "PBA:", "BAR ", "Caps:", "Arb:", "Ctrl:", "VC", "Max snoop latency",
	"Max no snoop latency", "Port Arbitration Table", "L1SubC", "PortCommonModeRestoreTime",
	"T_CommonMode", "LaneErr", "PTMCap", "PTMControl", "ARICap", "ARICtl", "IOVCap", "IOVCtl",
	"IOVSta", "Initial VFs", "VF offset", "Supported Page Size", "VF Migration", "TPH",
	"Interrupt vector mode", "Steering table", "DpcC", "DpcSta",
	"Source:", "Product Name:", "Read-only fields:", "Read/write fields:", "[PN]", "[EC]",
	"[SN]", "[V0]", "[RV]", "End", "Physical Resizable BAR", "Port:", "FltModeDis",
	"<access denied", "!!! ",
	/* what the tool says to the terminal */
	"pcilib:", "lspci:"
};

static bool begins_like_detail(struct gpudx_sv text)
{
	for (size_t i = 0; i < sizeof(beginnings) / sizeof(beginnings[0]); i++)
		if (sv_starts(text, beginnings[i]))
			return true;
	return is_flags(text);
}

/* The flags of a status may go on over several lines. */
static void more_flags(struct lspci *s, struct gpudx_sv text)
{
	if (!s->at.more)
		return;
	if (is_flags(text)) {
		add_flags(s->at.more, text);
		s->at.more_of->n = s->at.more->n;
	} else {
		s->at.more = NULL;
	}
}

/* Only where the text may lack the link will the dump be cited: in GPUs and what is above them. */
static void dump_line(struct gpudx_ctx *c, const struct lspci *s)
{
	if (!s->at.d.line_sta && (s->at.gpu || s->at.d.class_id == 0x0604))
		gpudx_cite(c);
}

static enum gpudx_take lspci_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct lspci *s = gpudx_state(c);
	struct gpudx_sv text = sv_trim(line);
	struct gpudx_lspci_head h;
	bool indented = line.n && sv_is_space(line.p[0]);

	s->no = gpudx_this_line(c)->no;
	s->cite = false;
	if (gpudx_lspci_head(text, &h) && (h.sure || s->sure)) {
		head_line(c, s, &h);
	} else if (s->open && gpudx_pci_config_row(&s->at.config, text, s->no)) {
		dump_line(c, s);
	} else if (label_line(c, s, text)) {
		if (s->cite)
			gpudx_cite(c);
	} else if (s->inside && (indented || begins_like_detail(text))) {
		more_flags(s, text);
	} else if (!machine_line(c, s, text)) {
		s->inside = false;
		return GPUDX_NOT_MINE;
	}
	return GPUDX_TAKEN;
}

static void lspci_finish(struct gpudx_ctx *c)
{
	struct lspci *s = gpudx_state(c);
	struct gpudx_gpu_id nobody = GPUDX_GPU_NONE;

	device_end(c, s);
	if (!s->nameless)
		return;
	/* Beside named devices it is some other that was filtered out. A GPU and its audio function
	 * share a link. */
	if (!s->headed && !s->first_port && (s->nameless == 1 || (s->asked_nvidia && !s->differ)))
		s->first.ref = gpudx_ref(c, &nobody);
	gpudx_put_device(c, &s->first);
}

/* ---- what the command asked for ---- */

/* "3b:00.0", "0000:3b:00.0", "3b:00", with quotes or without. */
static bool scan_slot(struct gpudx_sv s, struct gpudx_bdf *out)
{
	uint64_t bus, dev;

	if (s.n >= 2 && (s.p[0] == '"' || s.p[0] == '\'') && s.p[s.n - 1] == s.p[0])
		s = sv_n(s.p + 1, s.n - 2);
	if (gpudx_bdf_parse(s, out))
		return true;
	if (!sv_hex(&s, 1, 2, &bus) || !sv_char(&s, ':') || !sv_hex(&s, 1, 2, &dev) || s.n ||
	    dev > 31)
		return false;
	*out = (struct gpudx_bdf){ .bus = (uint8_t)bus, .dev = (uint8_t)dev, .known = true };
	return true;
}

/* Options may be joined: "-vvs 3b:00.0", "-s3b:00.0". */
static void lspci_begin(struct gpudx_ctx *c)
{
	struct lspci *s = gpudx_state(c);
	struct gpudx_sv rest = gpudx_command(c), word;
	bool slot = false;

	rest = sv_first(rest, sv_index(rest, '|'));
	while (sv_spaces(&rest) && sv_token(&rest, &word)) {
		s->asked_nvidia |= sv_has(word, "10de:");
		if (slot)
			scan_slot(word, &s->asked);
		slot = word.p[0] == '-' && sv_ends(word, "s");
		if (sv_starts(word, "-s") && word.n > 2)
			scan_slot(sv_from(word, 2), &s->asked);
	}
}

/* ---- recognition ---- */

static bool is_link_line(struct gpudx_sv text)
{
	double gts = 0;
	unsigned width = 0;

	return (sv_lit(&text, "LnkCap:") || sv_lit(&text, "LnkSta:")) &&
	       scan_link(text, &gts, &width);
}

static bool is_machine_slot(struct gpudx_sv text)
{
	struct gpudx_bdf bdf;

	return sv_lit(&text, "Slot:\t") && gpudx_bdf_parse(text, &bdf);
}

static bool lspci_starts(struct gpudx_sv line)
{
	struct gpudx_lspci_head h;

	return (gpudx_lspci_head(line, &h) && h.sure) || is_link_line(sv_trim(line));
}

enum { BID_LINES = 60 };

static int lspci_bid(const struct gpudx_head *head)
{
	struct gpudx_lspci_head h;
	int bid = 0;

	for (size_t i = 0, seen = 0; i < head->n && seen < BID_LINES; i++) {
		struct gpudx_sv text = sv_trim(head->lines[i].text);

		if (!text.n)
			continue;
		if ((gpudx_lspci_head(text, &h) && h.sure) || is_machine_slot(text))
			return seen < 2 ? 80 : 60;
		if (is_link_line(text))
			bid = 60;
		else if (!bid && (sv_starts(text, "UESta:") || sv_starts(text, "CESta:")) &&
			 sv_has(text, "BadTLP"))
			bid = 60;
		seen++;
	}
	return bid;
}

const struct gpudx_parser gpudx_parser_lspci = {
	.name = "lspci",
	.what = "lspci in any verbosity, also grep'd: links, AER status, topology",
	.bid = lspci_bid,
	.starts = lspci_starts,
	.begin = lspci_begin,
	.line = lspci_line,
	.finish = lspci_finish,
	.state_size = sizeof(struct lspci),
};
