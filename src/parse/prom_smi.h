/* Metrics of exporters that ask nvidia-smi (utkuozdemir/nvidia_gpu_exporter and the like):
 * nvidia_smi_FIELD[_UNIT]{uuid="..."}, FIELD being the name of the query with underscores. */
#ifndef GPUDX_PROM_SMI_H
#define GPUDX_PROM_SMI_H

#include "parse/prom_series.h"

void prom_smi_what(struct prom_what *w, const struct prom_line *l);

/* A number that is a fact: switches are words. */
void prom_smi_fact(struct gpudx_ctx *c, uint32_t ref, const struct prom_what *w, double v);

/* nvidia_smi_gpu_info: texts in labels. */
void prom_smi_info(struct gpudx_ctx *c, uint32_t ref, const struct prom_line *l);

/* nvidia_smi_compute_app_used_memory_bytes: one client of a GPU. */
void prom_smi_process(struct gpudx_ctx *c, uint32_t ref, const struct prom_line *l, int64_t t_us,
		      int64_t seq);

#endif
