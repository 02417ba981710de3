/* What ipmitool says of machine and BMC beside logs and sensors:
 *
 *   FRU Device Description : Builtin FRU Device (ID 0)                                  fru
 *    Product Manufacturer  : Supermicro
 *    Product Name          : SYS-420GP-TNR
 *    Product Serial        : S000000X0000000
 *   Firmware Revision         : 1.05                                                    mc info
 *   System Power         : on                                               chassis status
 *   Last Power Event     : ac-failed
 *   System restart cause: power-up via power button                  chassis restart_cause
 *
 * Only the builtin FRU is the machine; power supplies and boards have their own names. Source:
 * ipmitool, lib/ipmi_fru.c, ipmi_mc.c, ipmi_chassis.c. */
#include "parse/tool.h"

struct info {
	bool machine; /* the FRU at hand is the whole machine, or no FRU was named */
	bool fru;     /* inside a FRU */
	bool mc;      /* inside mc info */
};

static const struct tool_label fru[] = {
	{ "Chassis Type", NULL, TOOL_DROP },
	{ "Chassis Part Number", NULL, TOOL_DROP },
	{ "Chassis Serial", "host.chassis_serial", TOOL_TEXT },
	{ "Chassis Area Checksum", NULL, TOOL_DROP },
	{ "Chassis Extra", NULL, TOOL_DROP },
	{ "Board Mfg Date", NULL, TOOL_DROP },
	{ "Board Mfg", "host.board_vendor", TOOL_TEXT },
	{ "Board Product", "host.board", TOOL_TEXT },
	{ "Board Serial", "host.board_serial", TOOL_TEXT },
	{ "Board Part Number", NULL, TOOL_DROP },
	{ "Board FRU ID", NULL, TOOL_DROP },
	{ "Board Extra", NULL, TOOL_DROP },
	{ "Board Area Checksum", NULL, TOOL_DROP },
	{ "Product Manufacturer", "host.vendor", TOOL_TEXT },
	{ "Product Name", "host.product", TOOL_TEXT },
	{ "Product Part Number", NULL, TOOL_DROP },
	{ "Product Version", NULL, TOOL_DROP },
	{ "Product Serial", "host.serial", TOOL_TEXT },
	{ "Product Asset Tag", NULL, TOOL_DROP },
	{ "Product FRU ID", NULL, TOOL_DROP },
	{ "Product Extra", NULL, TOOL_DROP },
	{ "Product Area Checksum", NULL, TOOL_DROP },
	{ "Memory Type", NULL, TOOL_DROP },
	{ "Memory Size", NULL, TOOL_DROP },
	{ "Manufacturer", NULL, TOOL_DROP },
	{ "Serial Number", NULL, TOOL_DROP },
	{ "Part Number", NULL, TOOL_DROP },
};

static const struct tool_label mc[] = {
	{ "Device ID", NULL, TOOL_DROP },
	{ "Device Revision", NULL, TOOL_DROP },
	{ "Firmware Revision", "bmc.firmware", TOOL_TEXT },
	{ "IPMI Version", NULL, TOOL_DROP },
	{ "Manufacturer ID", NULL, TOOL_DROP },
	{ "Manufacturer Name", "bmc.vendor", TOOL_TEXT },
	{ "Product ID", NULL, TOOL_DROP },
	{ "Product Name", NULL, TOOL_DROP },
	{ "Device Available", NULL, TOOL_DROP },
	{ "Provides Device SDRs", NULL, TOOL_DROP },
	{ "Additional Device Support", NULL, TOOL_DROP },
	{ "Aux Firmware Rev Info", NULL, TOOL_DROP },
};

static const struct tool_label chassis[] = {
	{ "System Power", "bmc.system_power", TOOL_WORD },
	{ "Power Overload", "bmc.power_overload", TOOL_WORD },
	{ "Power Interlock", NULL, TOOL_DROP },
	{ "Main Power Fault", "bmc.main_power_fault", TOOL_WORD },
	{ "Power Control Fault", "bmc.power_control_fault", TOOL_WORD },
	{ "Power Restore Policy", "bmc.power_restore_policy", TOOL_WORD },
	{ "Last Power Event", "bmc.last_power_event", TOOL_WORD },
	{ "Chassis Intrusion", NULL, TOOL_DROP },
	{ "Front-Panel Lockout", NULL, TOOL_DROP },
	{ "Drive Fault", NULL, TOOL_DROP },
	{ "Cooling/Fan Fault", "bmc.cooling_fault", TOOL_WORD },
	{ "Sleep Button Disable", NULL, TOOL_DROP },
	{ "Diag Button Disable", NULL, TOOL_DROP },
	{ "Reset Button Disable", NULL, TOOL_DROP },
	{ "Power Button Disable", NULL, TOOL_DROP },
	{ "Sleep Button Disabled", NULL, TOOL_DROP },
	{ "Diag Button Disabled", NULL, TOOL_DROP },
	{ "Reset Button Disabled", NULL, TOOL_DROP },
	{ "Power Button Disabled", NULL, TOOL_DROP },
	{ "System restart cause", "bmc.restart_cause", TOOL_WORD },
};

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static const struct tool_label *find(struct info *s, struct gpudx_sv label)
{
	const struct tool_label *l = s->fru ? tool_label(fru, COUNT(fru), label) : NULL;

	if (!l && s->mc)
		l = tool_label(mc, COUNT(mc), label);
	if (l)
		return l;
	l = tool_label(chassis, COUNT(chassis), label);
	if (l)
		s->fru = s->mc = false;
	return l;
}

/* "Builtin FRU Device (ID 0)" */
static bool is_machine(struct gpudx_sv name)
{
	return sv_starts(name, "Builtin FRU") || sv_has(name, "(ID 0)");
}

static enum gpudx_take info_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct info *s = gpudx_state(c);
	struct gpudx_sv label, value;
	const struct tool_label *l;

	if (!tool_split(line, &label, &value))
		return (s->fru || s->mc) && line.n && sv_is_space(line.p[0]) ? GPUDX_TAKEN
									     : GPUDX_NOT_MINE;
	if (sv_is(label, "FRU Device Description")) {
		s->fru = true;
		s->mc = false;
		s->machine = is_machine(value);
		return GPUDX_TAKEN;
	}
	if (sv_is(label, "Device ID") && !value.n)
		return GPUDX_NOT_MINE;
	if (sv_is(label, "Device ID") && !s->fru)
		s->mc = true;
	l = find(s, label);
	if (!l)
		return (s->fru || s->mc) && (sv_is_space(line.p[0]) || sv_has(line, " : "))
			       ? GPUDX_TAKEN
			       : GPUDX_NOT_MINE;
	if (!s->fru || s->machine)
		tool_fact(c, l, "ipmi", value);
	return GPUDX_TAKEN;
}

static bool info_starts(struct gpudx_sv line)
{
	return sv_starts(line, "FRU Device Description :") ||
	       sv_starts(line, "System Power         :") ||
	       sv_starts(line, "System restart cause:") ||
	       sv_starts(line, "Device ID                 :");
}

static int info_bid(const struct gpudx_head *head)
{
	for (size_t i = 0, seen = 0; i < head->n && seen < 8; i++) {
		if (sv_blank(head->lines[i].text))
			continue;
		seen++;
		if (info_starts(head->lines[i].text))
			return 80;
	}
	return 0;
}

const struct gpudx_parser gpudx_parser_ipmi_info = {
	.name = "ipmi-info",
	.what = "ipmitool fru, mc info, chassis status: machine and BMC",
	.bid = info_bid,
	.starts = info_starts,
	.line = info_line,
	.state_size = sizeof(struct info),
	.flags = GPUDX_P_RESUMES,
};
