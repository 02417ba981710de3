/* What a record of a BMC's log is about, whoever exports it: SEL, Redfish, iDRAC, iLO, XCC. */
#ifndef GPUDX_BMC_KIND_H
#define GPUDX_BMC_KIND_H

#include "parse/parser.h"

struct bmc_record {
	struct gpudx_sv id;	  /* number of the record */
	struct gpudx_sv sensor;	  /* "Power Supply #0x51", "PSU1 Status"; may be empty */
	struct gpudx_sv message;  /* "Power Supply AC lost" */
	struct gpudx_sv severity; /* as the log says: "Critical", "Warning", "OK"; may be empty */
	struct gpudx_sv state;	  /* "Asserted" | "Deasserted"; may be empty */
	struct gpudx_sv code;	  /* "PSU0003", "IPMI.1.0.ThresholdUpperCritical"; may be empty */
	struct gpudx_sv reading, threshold; /* may be empty */
	struct gpudx_stamp stamp;
	uint32_t line; /* that is cited (gpudx_cite); 0 = the line at hand */
};

/* What it is about, of rules/kb/event_kinds.tsv; NULL for what happens on a healthy machine. */
const char *bmc_kind(const struct bmc_record *r);

/* Puts the event of a record, if it is one. */
void bmc_put(struct gpudx_ctx *c, const struct bmc_record *r);

/* "01/13/2026" and "01/13/26", month first, at the cursor. */
bool bmc_scan_date(struct gpudx_sv *s, int64_t *day_us);

/* "01/13/2026 10:22:41", "2026-01-13 10:22:41", "2026-01-13T10:22:41-0600" with AM/PM or a zone
 * behind: a BMC's stamp. The zone of the tool that printed it is not the BMC's: only an offset or Z
 * makes it UTC. */
bool bmc_scan_stamp(struct gpudx_sv s, struct gpudx_stamp *out);

#endif
