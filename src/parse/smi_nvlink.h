/* What `nvidia-smi nvlink` prints below the line of a GPU. */
#ifndef GPUDX_SMI_NVLINK_H
#define GPUDX_SMI_NVLINK_H

#include "parse/parser.h"

/* The links of one GPU while its lines come. Start with zeroed memory. */
struct smi_nvlink {
	uint32_t ref, line; /* line: the last that said a state, 0 none */
	int64_t rounds;	    /* blocks before this one */
	bool none_up;	    /* said of all at once */
	unsigned up, down, disabled;
	double replay, recovery, crc; /* sums over the links */
	uint32_t line_replay, line_recovery, line_crc;
};

/* True when the line is of `nvlink`: " Link 3: 25 GB/s", " Link 3: CRC Errors: 0", ... */
bool smi_nvlink_is(struct gpudx_sv line);

/* Takes such a line; what the GPU's links sum up to is said in _end. */
enum gpudx_take smi_nvlink_take(struct gpudx_ctx *c, struct smi_nvlink *n, struct gpudx_sv line);

/* The lines of this GPU are over; begins anew for GPU ref. */
void smi_nvlink_end(struct gpudx_ctx *c, struct smi_nvlink *n, uint32_t ref);

#endif
