/* One event of Kubernetes as an object, in either API (v1, events.k8s.io/v1), field by field. */
#ifndef GPUDX_K8S_EVENT_H
#define GPUDX_K8S_EVENT_H

#include "parse/parser.h"
#include "parse/yaml_path.h"

struct k8s_event {
	struct yaml_text kind, name; /* of the object that it is about */
	struct yaml_text host;	     /* where the one ran who says it */
	struct yaml_text message, reason, type, time;
	uint32_t line; /* of what it says, cited; 0: nothing of interest */
};

/* A field of the object, with its path in it. Others than those of events are none of its business. */
void k8s_event_value(struct gpudx_ctx *c, struct k8s_event *e, struct gpudx_sv path,
		     struct gpudx_sv value);

/* The object is whole: what it says is put. */
void k8s_event_end(struct gpudx_ctx *c, const struct k8s_event *e);

/* The moment kubelet or the controller says that a node gets no work: an empty text for other reasons. */
struct gpudx_sv k8s_event_held(struct gpudx_sv reason);

#endif
