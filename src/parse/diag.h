/* Results of hardware tests, whatever ran them: DCGM, EUD, field diagnostics. */
#ifndef GPUDX_DIAG_H
#define GPUDX_DIAG_H

#include "parse/parser.h"

enum diag_status { DIAG_UNKNOWN, DIAG_PASS, DIAG_SKIP, DIAG_WARN, DIAG_FAIL, DIAG_NOT_RUN };

struct diag_result {
	const char *by; /* "dcgmi", "field" */
	enum diag_status status;
	struct gpudx_sv test, message, error; /* error: the tool's own code; empty unknown */
	uint32_t line; /* 0 = the line at hand; else its text was kept with gpudx_cite */
};

/* "Pass", "FAIL", "Warn", "SKIP", "NOT_RUN", "Not Run", also with more behind: what stands first.
 */
enum diag_status diag_status(struct gpudx_sv s);

/* A result of one GPU, or with ref 0 of the host: a fact diag.TEST, and an event when it failed. */
void diag_put(struct gpudx_ctx *c, uint32_t ref, const struct diag_result *r);

/* The same for each GPU of a list like "0, 2" or "GPU: 0, 1"; without any number for the host. */
void diag_put_list(struct gpudx_ctx *c, struct gpudx_sv gpus, const struct diag_result *r);

#endif
