/* What nvidia-smi says in a cell, whatever the format: a value, none, or a fault; and how it becomes
 * a fact or an event. */
#ifndef GPUDX_SMI_VALUE_H
#define GPUDX_SMI_VALUE_H

#include "parse/parser.h"
#include "parse/smi_fields.h"

/* The layer of what the driver library said: "container" when the command, or else the path of the
 * member, tells that the tool ran inside one, otherwise "nvml". */
const char *smi_layer(const struct gpudx_ctx *c);

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

/* "nan MHz", "NaN", "None", "null", "<NA>": what programs that wrote the table anew put where they had
 * no number. Some of these words are values in other columns. */
bool smi_no_number(struct gpudx_sv cell);

/* "17": a whole number of at most max, and nothing else. */
bool smi_whole(struct gpudx_sv cell, int64_t max, int64_t *out);

/* A number that is a counter below zero or an all-ones read: "18446744073709.21 sec",
 * "4294967295". It says nothing of the GPU. */
bool smi_impossible(struct gpudx_sv cell);

/* "P8" -> 8; "0x...04" -> mask without the bits above 31. */
bool smi_pstate(struct gpudx_sv cell, double *out);
bool smi_mask(struct gpudx_sv cell, double *out);

/* States a fact of kind TEXT, WORD, NUM or HOST in the way of its kind. */
void smi_fact(struct gpudx_ctx *c, uint32_t ref, const struct smi_field *f, const char *layer,
	      struct gpudx_sv cell);

/* An event of this kind about a GPU: a tool said it instead of a value. */
void smi_fault(struct gpudx_ctx *c, uint32_t ref, const char *kind, struct gpudx_sv text);

/* The faults of one line, which make one event with an attribute a cell: "fan"="ERR!". */
struct smi_faults {
	const char *kind; /* of the worst */
	unsigned n;
	struct gpudx_attr cells[GPUDX_ATTRS_MAX];
};

/* Notes a cell that is a fault of this kind. */
void smi_note(struct smi_faults *f, const char *kind, const char *name, struct gpudx_sv cell);

/* What a cell is, as smi_value_of; a fault is noted under this name. */
enum smi_value smi_look(struct smi_faults *f, const char *name, struct gpudx_sv cell);

/* How bad they are: 0 none, 1 an error, 2 it asks for a reset, 3 it is lost. A fault is news until the
 * GPU is well again, and once more when it gets worse. */
unsigned smi_faults_grade(const struct smi_faults *f);

/* Puts the event, if there is one, and begins anew. */
void smi_faults_put(struct gpudx_ctx *c, uint32_t ref, struct smi_faults *f);

/* smi.implausible: a reading that cannot be true and is left out (attributes key and value). */
void smi_implausible(struct gpudx_ctx *c, uint32_t ref, struct gpudx_sv key, struct gpudx_sv value);

#endif
