/* Where in the machine a record of a BMC says that something is. */
#ifndef GPUDX_BMC_PLACE_H
#define GPUDX_BMC_PLACE_H

#include "base/bdf.h"

/* "at bus 193 device 0 function 0", "(Slot 4, Bus 193, Device 0, Function 0)", "Bus:0xC1 Device:0x0
 * Function:0x0", "Bus C1 Dev 00 Func 0". Numbers are hexadecimal where one of them can be nothing else:
 * with 0x, a letter or a zero in front. text in lower case. Bus 0 device 0 function 0 is what a BMC
 * writes that does not know, and no address. */
bool bmc_address(struct gpudx_sv text, struct gpudx_bdf *out);

#endif
