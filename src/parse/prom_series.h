/* What a series of a monitoring system says of a GPU or of the host. The text format and the JSON
 * of queries share it. */
#ifndef GPUDX_PROM_SERIES_H
#define GPUDX_PROM_SERIES_H

#include "parse/metric_fields.h"
#include "parse/prom_line.h"

enum { PROM_GPUS = 4096, PROM_KEY = 96 };

/* A GPU as labels name it. */
struct prom_gpu {
	struct prom_gpu *next;
	struct gpudx_sv key; /* UUID, or host and index */
	uint32_t ref, number;
	struct gpudx_sample step; /* the step being gathered */
	int64_t xid;		  /* the last one seen; 0 none */
	bool xid_seen;
	uint64_t slices;  /* MIG instances that were told of */
	uint32_t reasons; /* bits that have a series */
};

/* "10.0.3.7" of instance="10.0.3.7:9400", and the name that was with it. */
struct prom_target {
	struct prom_target *next;
	struct gpudx_sv address, name;
};

/* One per source; zeroed at the start. */
struct prom {
	struct prom_gpu *gpus, *at;
	uint32_t ngpus;
	struct gpudx_sv host;	     /* of the series at hand */
	struct prom_target *targets; /* where hosts were reached that said their names */
};

enum prom_kind {
	PROM_NONE,
	PROM_COL,
	PROM_SERIES,
	PROM_FACT,
	PROM_XID,
	PROM_PROCESS,
	PROM_NODE,
	PROM_INFO
};

struct prom_what {
	enum prom_kind kind;
	const struct metric_field *field; /* COL with a fact, FACT */
	enum gpudx_col col;
	double scale;
	uint32_t bit; /* of the reasons that this series is alone; 0: it is the whole column */
	struct prom_gpu *gpu; /* NULL: of the host */
	uint32_t ref;	      /* the GPU's, or a slice's */
	char key[PROM_KEY];   /* SERIES, FACT of nvidia-smi */
};

/* True when a metric of this name is of interest here. */
bool prom_is_ours(struct gpudx_sv name);

/* What a series is, by its name and labels. kind NONE: of no use. Tells what the labels say of the
 * machine and its GPUs, too. */
void prom_what(struct gpudx_ctx *c, struct prom *p, const struct prom_line *l,
	       struct prom_what *out);

/* One value of it. A COL goes into the step of its GPU. Without a stamp t_us is GPUDX_NO_TIME. */
void prom_put(struct gpudx_ctx *c, const struct prom_what *w, const struct prom_line *l,
	      int64_t t_us, int64_t seq);

/* The value as our column counts it. */
double prom_scaled(const struct prom_what *w, double v);

/* Puts a value into a step; bits of the reasons come one by one. */
void prom_set(struct gpudx_sample *s, enum gpudx_col col, double v);

/* The series of a bit: this source tells it of its GPU. */
void prom_reason_known(struct gpudx_ctx *c, const struct prom_what *w);

/* Ends the step: one sample a GPU. */
void prom_step(struct gpudx_ctx *c, struct prom *p, int64_t t_us, int64_t seq);

#endif
