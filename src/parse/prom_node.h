/* What of node_exporter matters around GPUs: which machine, kernel and boot, memory, load, ports.
 */
#ifndef GPUDX_PROM_NODE_H
#define GPUDX_PROM_NODE_H

#include "parse/prom_line.h"
#include "parse/parser.h"

void prom_node_put(struct gpudx_ctx *c, const struct prom_line *l, int64_t t_us, int64_t seq);

#endif
