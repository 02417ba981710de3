/* What nvidia-smi calls things: one table for the CSV queries, the -q text and the XML, so that all
 * three give the same facts. Sources: `nvidia-smi --help-query-gpu` of R466-R610, -q captures. */
#ifndef GPUDX_SMI_FIELDS_H
#define GPUDX_SMI_FIELDS_H

#include "base/sv.h"
#include "parse/record.h"

enum smi_kind {
	SMI_SKIP,  /* known, and of no use here */
	SMI_TIME,  /* wall clock of the query */
	SMI_INDEX, /* identity ... */
	SMI_UUID,
	SMI_SERIAL,
	SMI_BDF,
	SMI_COL,     /* a sample column: .arg is an enum gpudx_col; a number with or without unit */
	SMI_PSTATE,  /* "P0" */
	SMI_MASK,    /* "0x0000000000000004": all event reasons */
	SMI_REASON,  /* "Active" | "Not Active": .arg is the bit */
	SMI_TEXT,    /* a fact, its text as it is */
	SMI_WORD,    /* a fact: "Enabled", "Not Active", "Yes" in lower case */
	SMI_NUM,     /* a fact that is a number, at most .arg unless that is 0 */
	SMI_HOST,    /* a fact of the host, text */
	SMI_METRIC,  /* a series */
	SMI_PROCESS, /* of -q's list of processes: .arg is an enum smi_process */
	SMI_MIG	     /* of a MIG device in -q: .arg is an enum smi_mig */
};

enum smi_process {
	SMI_PROCESS_GI,
	SMI_PROCESS_CI,
	SMI_PROCESS_PID,
	SMI_PROCESS_TYPE,
	SMI_PROCESS_NAME,
	SMI_PROCESS_MEMORY
};

enum smi_mig { SMI_MIG_INDEX, SMI_MIG_GI, SMI_MIG_CI, SMI_MIG_TOTAL, SMI_MIG_USED, SMI_MIG_ECC };

struct smi_field {
	const char *csv;   /* canonical header text of --query-gpu; "" when there is none */
	const char *alias; /* other names for it, blank-separated */
	const char *q;	   /* paths in -q, "/" between levels, ";" between alternatives; "" none */
	enum smi_kind kind;
	const char *key; /* fact key or series */
	unsigned arg;
};

/* The field of a CSV heading: name, alias or old name; letters' case does not matter. NULL unknown. */
const struct smi_field *smi_field_csv(struct gpudx_sv name);

/* The field of a heading that somebody made a plain name: '.' and '_' are one, and case becomes '_'
 * ("power_draw", "clocks_sm", "encoder_stats_session_count" of "encoder.stats.sessionCount"). */
const struct smi_field *smi_field_spelled(struct gpudx_sv name);

/* The field of a -q path below the GPU's block. NULL unknown. */
const struct smi_field *smi_field_q(struct gpudx_sv path);

/* The same without regard to case and signs between words ("fb_memory_usage/Total"). */
const struct smi_field *smi_field_like(struct gpudx_sv path);

/* The field whose -q path ends in this tail ("ECC Mode/Current", "Fan Speed"); *found is how many
 * fields have such a path: with more than one the answer means nothing. NULL none. */
const struct smi_field *smi_field_tail(struct gpudx_sv tail, unsigned *found);

/* The place of a field in the table, below SMI_FIELDS_MAX: for sets of fields. */
enum { SMI_FIELDS_MAX = 512 };
unsigned smi_field_number(const struct smi_field *f);

/* Whether some -q path has a section of this tail. */
bool smi_section_tail(struct gpudx_sv tail);

/* Whether the field has this very -q path. */
bool smi_field_has_path(const struct smi_field *f, struct gpudx_sv path);

#endif
