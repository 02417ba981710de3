/* What a scheduler says of a node of its cluster, however it prints it: tables, descriptions, objects. */
#ifndef GPUDX_NODE_SAID_H
#define GPUDX_NODE_SAID_H

#include "parse/parser.h"

struct node_said_out {
	char state[64], reason[160]; /* cut; without a NUL */
	size_t state_n, reason_n;
	struct gpudx_stamp since;
	uint32_t line; /* that says it; 0: it is in service */
};

struct node_said {
	char name[254];	 /* of the node at hand, without a NUL */
	size_t name_n;	 /* 0: unknown */
	int64_t boot_us; /* when it was started, by the scheduler's clock; GPUDX_NO_TIME unknown */
	struct node_said_out out;
};

/* Another node begins: scheduler.node. Layers: slurm, k8s. The one before ends. */
void node_begin(struct gpudx_ctx *c, struct node_said *n, struct gpudx_sv name, const char *layer);

/* This line says that it gets no work (several states are joined), and this why; both may come in any
 * order and in pieces. node_end puts scheduler.node_out of it, once. */
void node_is_held(struct gpudx_ctx *c, struct node_said *n, struct gpudx_sv state);
void node_held_for(struct node_said *n, struct gpudx_sv reason, const struct gpudx_stamp *since);
void node_end(struct gpudx_ctx *c, struct node_said *n, const char *layer);

/* What a fault is said of: the node, not the machine that was asked. Nodes without a fault make no
 * hosts: an output may list a thousand. */
void node_name_host(struct gpudx_ctx *c, const struct node_said *n, const char *layer);

/* Kubernetes: so many of a resource it has, or may be given to pods. Only whole GPUs are counted. */
void node_resource(struct gpudx_ctx *c, bool allocatable, struct gpudx_sv resource,
		   struct gpudx_sv number);

/* Kubernetes: a condition with this status is no trouble: what is called healthy or ready is bad when
 * it is not, all else when it is. */
bool node_condition_good(struct gpudx_sv type, struct gpudx_sv status);

/* Kubernetes: this pod runs on that node. Neither is a host yet. */
void node_has_pod(struct gpudx_ctx *c, struct gpudx_sv node, struct gpudx_sv pod);

#endif
