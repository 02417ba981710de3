/* The line that begins a device in the output of lspci, in all its spellings:
 *
 *   3b:00.0 3D controller: NVIDIA Corporation GH100 [H100 SXM5 80GB] (rev a1)
 *   0000:3b:00.0 3D controller [0302]: NVIDIA Corporation GH100 [10de:2330] (rev a1) (prog-if 00)
 *   3b:00.0 0302: 10de:2330 (rev a1)                                                  (-n)
 *   3b:00.0 "3D controller" "NVIDIA Corporation" "GH100 [H100 SXM5 80GB]" -ra1 "" ""  (-m)
 *
 * Source: pciutils, lspci.c, show_terse and show_machine. */
#ifndef GPUDX_LSPCI_HEAD_H
#define GPUDX_LSPCI_HEAD_H

#include <stdbool.h>
#include <stdint.h>

#include "parse/record.h"

enum { GPUDX_LSPCI_NAME = 200 };

struct gpudx_lspci_head {
	struct gpudx_bdf bdf;
	uint32_t class_id, vendor_id, device_id; /* GPUDX_NO_ID: not shown */
	struct gpudx_sv name; /* vendor and device; borrows from the line or from buf */
	bool sure;	      /* nothing but lspci prints such a line */
	bool dead;	      /* revision ff: configuration space reads as all ones */
	char buf[GPUDX_LSPCI_NAME];
};

bool gpudx_lspci_head(struct gpudx_sv line, struct gpudx_lspci_head *out);

/* The number of a class as the pci.ids list names it, with or without "[0302]" behind it;
 * GPUDX_NO_ID when unknown. */
uint32_t gpudx_lspci_class(struct gpudx_sv name);

/* Cuts "[10de:2330]" off the end of a name; false and untouched when there is none. */
bool gpudx_lspci_ids(struct gpudx_sv *name, uint32_t *vendor, uint32_t *device);

/* The same of one id: "NVIDIA Corporation [10de]" or "10de", as -m and -vmm print them. */
struct gpudx_sv gpudx_lspci_cut_id(struct gpudx_sv name, uint32_t *id);

/* True for what is a GPU of NVIDIA by class and vendor; the ids may be unknown. */
bool gpudx_lspci_is_gpu(uint32_t class_id, uint32_t vendor_id, struct gpudx_sv name);

#endif
