/* What monitoring calls things: fields of DCGM (by name and by the column tag of dcgmi dmon) and
 * the GPU gauges of Triton, with what they are here. Sources: dcgm_fields.h and dcgm_fields.cpp of
 * DCGM 2.x-4.6, default-counters.csv of dcgm-exporter, src/metrics.cc of Triton. */
#ifndef GPUDX_METRIC_FIELDS_H
#define GPUDX_METRIC_FIELDS_H

#include "parse/parser.h"

enum metric_kind {
	METRIC_SKIP,   /* known, and of no use here */
	METRIC_COL,    /* a sample column .col; .key, when set, a fact as well */
	METRIC_SERIES, /* .key */
	METRIC_FACT,   /* a fact that is a number */
	METRIC_ONOFF,  /* a fact: 0 disabled, 1 enabled */
	METRIC_YESNO,  /* a fact: 0 no, else yes */
	METRIC_TEXT,   /* a fact, as it is; numbers are not */
	METRIC_XID /* the last Xid, 0 none; stays until the exporter or the driver starts again */
};

struct metric_field {
	const char *names; /* of DCGM without "DCGM_FI_": all there were, blank-separated */
	const char *tag;   /* column of dcgmi dmon */
	enum metric_kind kind;
	const char *key;
	enum gpudx_col col;
	double scale;	/* to our unit; 0 = 1 */
	bool whole_gpu; /* also of a MIG slice it is the value of the whole GPU */
};

/* The field of this metric name; NULL unknown. */
const struct metric_field *metric_field(struct gpudx_sv name);

/* The field of a heading of dcgmi dmon; NULL unknown. */
const struct metric_field *metric_field_tag(struct gpudx_sv tag);

/* False for what is no value: NaN, infinities, and the blanks of DCGM that leak into outputs. */
bool metric_is_value(double v);

/* States the fact of a field of kind FACT, ONOFF, YESNO, or of a COL with a key. */
void metric_fact(struct gpudx_ctx *c, uint32_t ref, const struct metric_field *f, double v);

#endif
