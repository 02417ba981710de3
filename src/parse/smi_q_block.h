/* What one GPU's block of `nvidia-smi -q` collects: facts and series at once, one sample when the
 * block is over. */
#ifndef GPUDX_SMI_Q_BLOCK_H
#define GPUDX_SMI_Q_BLOCK_H

#include "base/map.h"
#include "parse/smi_q_path.h"
#include "parse/smi_value.h"

enum { SMI_Q_VALUE = 32, SMI_Q_NAME = 256, SMI_Q_SERIAL = 48 };

/* A power draw that waits for the board's highest limit. */
struct smi_q_reading {
	bool have, missing; /* missing: said to be N/A */
	double v;
	uint32_t line;
	char text[SMI_Q_VALUE];
};

enum smi_q_draw { SMI_Q_DRAW, SMI_Q_AVERAGE, SMI_Q_INSTANT, SMI_Q_DRAWS };

struct smi_q_gpu {
	struct smi_q_gpu *next;
	struct gpudx_gpu_id id; /* an address or, in excerpts, a UUID */
	uint32_t ref;
	int64_t blocks; /* finished */
	uint32_t reasons_known;
	unsigned fault; /* grade of it in its last block */
};

struct smi_q_process {
	int64_t pid; /* -1 none at hand */
	int32_t gi, ci;
	size_t type_n, name_n;
	char type[8], name[SMI_Q_NAME];
};

struct smi_q_block {
	struct smi_q_path path;
	bool whole;		      /* a header was seen: everything below it is of -q */
	struct smi_q_gpu *gpus, *gpu; /* .gpu NULL: the one that the excerpt does not name */
	struct smi_q_gpu unnamed;
	unsigned ngpus;
	struct gpudx_map series; /* the last text of each */
	/* until the end of the block */
	struct gpudx_sample s;
	uint32_t reasons, reasons_seen;
	struct smi_q_reading draw[SMI_Q_DRAWS];
	bool draws_settled;
	double limit_max; /* W; NAN not known */
	unsigned faults;  /* lines that said so */
	unsigned fault;	  /* the grade of the worst */
	struct smi_q_process process;
	struct gpudx_instance mig;
	size_t serial_n;
	char serial[SMI_Q_SERIAL];
	unsigned char said[SMI_FIELDS_MAX / 8]; /* in an excerpt: fields seen in this block */
};

/* Start with zeroed memory. */
void smi_q_begin(struct gpudx_ctx *c, struct smi_q_block *q);

/* What follows is of this GPU. False when it is one more than can be told apart: then it is of one
 * that nobody names. */
bool smi_q_select(struct gpudx_ctx *c, struct smi_q_block *q, struct gpudx_gpu_id id);

/* The field of the line at hand with its value. */
enum gpudx_take smi_q_take(struct gpudx_ctx *c, struct smi_q_block *q, const struct smi_field *f,
			   struct gpudx_sv value);

/* The block of the GPU at hand is over. */
void smi_q_end(struct gpudx_ctx *c, struct smi_q_block *q);

#endif
