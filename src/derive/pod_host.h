/* Pods of Kubernetes stand where names of machines would: in front of lines of kubectl logs, as
 * the host of what ran in them, in paths. Where the bundle says on which node they ran, that is
 * meant. */
#ifndef GPUDX_POD_HOST_H
#define GPUDX_POD_HOST_H

#include "base/map.h"
#include "store/store.h"

struct gpudx_pods {
	struct gpudx_arena *arena; /* of the caller, set before loading */
	struct gpudx_map at;	   /* pod -> place in nodes */
	struct gpudx_sv *nodes;	   /* .p NULL: on several, one after another */
	size_t n, cap;
};

/* Reads the facts pod.node.* of a bundle. */
enum gpudx_status gpudx_pods_load(struct gpudx_pods *pods, sqlite3 *db, int64_t bundle,
				  struct gpudx_err *err);

/* The node of the pod of this name; .p NULL when it is none, or its node is not known. */
struct gpudx_sv gpudx_pod_node(const struct gpudx_pods *pods, struct gpudx_sv name);

/* The node of the innermost pod that a path names: ".../pods/POD/CONTAINER/...", "NAMESPACE_POD_UID",
 * "gpu_operand_pod_POD.log". *within: so much of the path reaches to the end of its name. */
struct gpudx_sv gpudx_pod_in_path(const struct gpudx_pods *pods, struct gpudx_sv path,
				  size_t *within);

#endif
