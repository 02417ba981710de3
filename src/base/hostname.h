/* Names of machines, and what stands in the place of one and names none. */
#ifndef GPUDX_HOSTNAME_H
#define GPUDX_HOSTNAME_H

#include "base/sv.h"

/* The name without its domain. */
struct gpudx_sv gpudx_host_label(struct gpudx_sv name);

/* "node1" and "node1.example.com" are one host; the same label in two domains is not. */
bool gpudx_host_same(struct gpudx_sv a, struct gpudx_sv b);

/* In the place of a name: on a machine, not this one, that nobody names. */
#define GPUDX_ELSEWHERE "(elsewhere)"

/* False for those, for the ids of containers, the pods of Kubernetes, and what is no name at all. */
bool gpudx_host_names_machine(struct gpudx_sv name);

#endif
