/* What nvidia-smi calls things: one table for the CSV queries, the -q text and the XML, so that all
 * three give the same facts. Sources: `nvidia-smi --help-query-gpu` of R466-R610, -q captures. */
#ifndef GPUDX_SMI_FIELDS_H
#define GPUDX_SMI_FIELDS_H

#include "parse/parser.h"

enum smi_kind {
	SMI_SKIP,   /* known, and of no use here */
	SMI_TIME,   /* wall clock of the query */
	SMI_INDEX,  /* identity ... */
	SMI_UUID,
	SMI_SERIAL,
	SMI_BDF,
	SMI_COL,    /* a sample column: .arg is an enum gpudx_col; a number with or without unit */
	SMI_PSTATE, /* "P0" */
	SMI_MASK,   /* "0x0000000000000004": all event reasons */
	SMI_REASON, /* "Active" | "Not Active": .arg is the bit */
	SMI_TEXT,   /* a fact, its text as it is */
	SMI_WORD,   /* a fact: "Enabled", "Not Active", "Yes" in lower case */
	SMI_NUM,    /* a fact that is a number */
	SMI_HOST,   /* a fact of the host, text */
	SMI_METRIC  /* a series */
};

struct smi_field {
	const char *csv;   /* canonical header text of --query-gpu; "" when there is none */
	const char *alias; /* other names for it, blank-separated */
	const char *q;     /* paths in -q, "/" between levels, ";" between alternatives; "" none */
	enum smi_kind kind;
	const char *key; /* fact key or series */
	unsigned arg;
};

/* The field of a CSV heading: name, alias or old name; letters' case does not matter. NULL unknown. */
const struct smi_field *smi_field_csv(struct gpudx_sv name);

/* The field of a -q path below the GPU's block. NULL unknown. */
const struct smi_field *smi_field_q(struct gpudx_sv path);

/* What a cell is. */
enum smi_value {
	SMI_VALUE,
	SMI_MISSING, /* [N/A], [Not Supported], Insufficient Permissions, ...: no value */
	SMI_FAULT    /* [Unknown Error], ERR!, [GPU is lost], ...: no value, and that is an event */
};

/* event: the kind of event for SMI_FAULT, else untouched. */
enum smi_value smi_value_of(struct gpudx_sv cell, const char **event);

/* "432.21 W", "38%", "1980": the number; what follows must look like a unit. */
bool smi_number(struct gpudx_sv cell, double *out);

/* "P8" -> 8; "0x...04" -> mask without the bits above 31. */
bool smi_pstate(struct gpudx_sv cell, double *out);
bool smi_mask(struct gpudx_sv cell, double *out);

/* States a fact of kind TEXT, WORD, NUM or HOST in the way of its kind. */
void smi_fact(struct gpudx_ctx *c, uint32_t ref, const struct smi_field *f, const char *layer,
	      struct gpudx_sv cell);

/* An event of this kind about a GPU: a tool said it instead of a value. */
void smi_fault(struct gpudx_ctx *c, uint32_t ref, const char *kind, struct gpudx_sv text);

#endif
