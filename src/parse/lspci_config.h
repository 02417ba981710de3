/* PCI configuration space as lspci -x, -xxx and -xxxx dump it behind the text of a device:
 *
 *   00: de 10 bb 1b 07 00 10 00 a1 00 00 03 10 00 80 00
 *   70: 00 00 00 00 00 00 00 00 10 00 02 00 e1 8d 2c 01
 *   100: 02 00 01 25 ...
 *
 * Only the first 256 bytes are kept: identity, bridge buses and the PCI Express capability with the
 * state of the link. Source: PCI Express base specification 7.5.3; pciutils, lib/header.h. */
#ifndef GPUDX_LSPCI_CONFIG_H
#define GPUDX_LSPCI_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "parse/record.h"

struct gpudx_pci_config {
	uint8_t bytes[256];
	uint32_t have;	   /* bit per row of 16 bytes */
	uint32_t line[16]; /* where each row stands */
};

/* True when the line is a row of a dump; rows from 100h on are recognised and dropped. *row is its
 * offset. */
bool gpudx_pci_config_row(struct gpudx_pci_config *c, struct gpudx_sv line, uint32_t no);

/* Fills what the text of the device did not say. port_type becomes static text. */
void gpudx_pci_config_fill(const struct gpudx_pci_config *c, struct gpudx_device *d);

#endif
