/* Prometheus' text formats: name{label="value",...} value [timestamp]. Grammar: the exposition
 * formats of Prometheus and OpenMetrics. */
#ifndef GPUDX_PROM_LINE_H
#define GPUDX_PROM_LINE_H

#include "base/stamp.h"
#include "base/sv.h"

enum { PROM_LABELS = 48 };

struct prom_label {
	struct gpudx_sv name, value; /* escapes are left in */
};

struct prom_line {
	struct gpudx_sv name;
	unsigned nlabels; /* more than PROM_LABELS are left out */
	struct prom_label labels[PROM_LABELS];
	double value;
	int64_t t_us; /* epoch; GPUDX_NO_TIME without a stamp */
};

/* A sample line, not a comment; false when it is none. */
bool prom_scan(struct gpudx_sv line, struct prom_line *out);

/* The first label of these names, alternatives blank-separated; empty when there is none. */
struct gpudx_sv prom_label(const struct prom_line *l, const char *names);

#endif
