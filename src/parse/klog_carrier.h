/* What a tool that carried a line of a log here wrote in front of it. */
#ifndef GPUDX_KLOG_CARRIER_H
#define GPUDX_KLOG_CARRIER_H

#include "base/stamp.h"
#include "base/sv.h"

struct klog_carrier {
	struct gpudx_sv host;	  /* whose line it is; .p NULL when the tool does not say */
	struct gpudx_stamp stamp; /* when the tool got it; kind NONE when it does not say */
};

/* Advances s behind one of
 *
 *   node01:                                        pdsh, clush
 *   /var/log/kern.log:   kern.log:17:   17:        grep -H, -n
 *   >                                              a quoted line
 *   [pod/driver-x7k2p/ctr]   [driver-x7k2p ctr]    kubectl logs --prefix, kubetail
 *   driver-x7k2p ctr                               stern, in front of a bracket
 *   driver-1  |                                    docker compose logs
 *   2024-05-11T10:00:01Z {host="node01"}           logcli, of Grafana Loki
 *
 * True and advanced, or false and untouched. */
bool klog_skip_carrier(struct gpudx_sv *s, struct klog_carrier *out);

/* "cpu12:2098765)WARNING: " in front of a message of ESXi's kernel: as above. */
bool klog_skip_world(struct gpudx_sv *s);

#endif
