/* Objects of Kubernetes as kubectl, oc and must-gather write them, in YAML or JSON, one or a list:
 * what it thinks of the GPUs of its nodes, and on which node a pod runs.
 *
 *   apiVersion: v1
 *   kind: Node
 *   metadata:
 *     name: gpu-b12
 *   spec:
 *     taints:
 *     - effect: NoSchedule
 *       key: nvidia.com/gpu
 *     unschedulable: true
 *   status:
 *     allocatable:
 *       nvidia.com/gpu: "7"
 *     conditions:
 *     - lastTransitionTime: "2026-05-12T08:57:30Z"
 *       message: 'NVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off the bus.'
 *       status: "True"
 *       type: XidError
 *
 *   - apiVersion: v1
 *     involvedObject:
 *       kind: Node
 *       name: gpu-b12
 *     kind: Event
 *     lastTimestamp: "2026-05-12T08:57:30Z"
 *     message: 'NVRM: Xid ...'
 *
 *   {"kind": "Pod", "metadata": {"name": "train-0"}, "spec": {"nodeName": "gpu-b12"}, ...
 *
 * Both become paths as those of base/json.h, "status.conditions[].type". Sources: Kubernetes,
 * staging/src/k8s.io/api/core/v1/types.go. */
#include "base/json.h"
#include "parse/json_head.h"
#include "parse/k8s_event.h"
#include "parse/node_said.h"
#include "parse/said_fault.h"
#include "parse/yaml_path.h"

enum kind { KIND_UNKNOWN, KIND_NODE, KIND_POD, KIND_EVENT, KIND_OTHER };

/* An element of a list, whose fields come in any order. */
struct element {
	struct yaml_text key, value; /* of a taint; a condition: type and status */
	struct yaml_text text, time; /* message or effect; since when, or when it ended */
	uint32_t line;		     /* of the text when it tells a fault */
};

struct k8s_object {
	struct gpudx_json json;
	struct yaml_path yaml;
	bool is_json, broken, cordoned;
	bool state_said;
	enum kind kind,
		of_list; /* of_list: of what a NodeList or PodList holds, which does not say it */
	struct node_said node; /* its own name, or that of a pod's node */
	struct yaml_text name; /* of the object */
	struct element at;     /* the one at hand */
	struct k8s_event event;
};

/* ---- elements ---- */

static void begin_element(struct k8s_object *k)
{
	k->at = (struct element){ .line = 0 };
}

/* "nvidia.com/gpu=unhealthy:NoSchedule", as kubectl describes it. */
static void put_taint(struct gpudx_ctx *c, const struct element *e)
{
	struct yaml_text whole = e->key;

	if (!sv_has(yaml_sv(&e->key), "gpu"))
		return;
	if (e->value.n) {
		yaml_append(&whole, SV_LIT("="));
		yaml_append(&whole, yaml_sv(&e->value));
	}
	yaml_append(&whole, SV_LIT(":"));
	yaml_append(&whole, yaml_sv(&e->text));
	gpudx_fact(c, 0, "scheduler.reason", "k8s", yaml_sv(&whole));
}

/* A condition that is not about a fault: only whether it is ready counts. */
static void hold_unready(struct gpudx_ctx *c, struct k8s_object *k)
{
	const struct element *e = &k->at;
	struct gpudx_sv since = yaml_sv(&e->time);
	struct gpudx_stamp t = GPUDX_NO_STAMP;

	if (!sv_is(yaml_sv(&e->key), "Ready") || sv_is(yaml_sv(&e->value), "True"))
		return;
	if (!gpudx_scan_iso(&since, &t))
		t = GPUDX_NO_STAMP;
	node_is_held(c, &k->node, SV_LIT("NotReady"));
	node_held_for(&k->node, yaml_sv(&e->text), &t);
}

static void put_condition(struct gpudx_ctx *c, const struct element *e)
{
	struct gpudx_stamp t = GPUDX_NO_STAMP;
	struct gpudx_sv since = yaml_sv(&e->time);

	if (!e->line || node_condition_good(yaml_sv(&e->key), yaml_sv(&e->value)))
		return;
	if (!gpudx_scan_iso(&since, &t))
		t = GPUDX_NO_STAMP;
	said_fault(c, yaml_sv(&e->text), "kubernetes", &t, e->line);
}

static bool is_field(struct gpudx_sv path, const char *list, struct gpudx_sv *field)
{
	*field = path;
	return sv_lit(field, list) && sv_lit(field, "[].");
}

static void taint_field(struct element *e, struct gpudx_sv field, struct gpudx_sv value)
{
	if (sv_is(field, "key"))
		yaml_set(&e->key, value);
	else if (sv_is(field, "value"))
		yaml_set(&e->value, value);
	else if (sv_is(field, "effect"))
		yaml_set(&e->text, value);
}

/* The host is named where its fault is told, before the line that ends the condition. */
static void condition_field(struct gpudx_ctx *c, struct k8s_object *k, struct gpudx_sv field,
			    struct gpudx_sv value)
{
	if (sv_is(field, "type")) {
		yaml_set(&k->at.key, value);
	} else if (sv_is(field, "status")) {
		yaml_set(&k->at.value, value);
	} else if (sv_is(field, "lastTransitionTime")) {
		yaml_set(&k->at.time, value);
	} else if (sv_is(field, "message")) {
		yaml_set(&k->at.text, value);
		if (!k->at.line && says_fault(value)) {
			k->at.line = gpudx_this_line(c)->no;
			node_name_host(c, &k->node, "k8s");
			gpudx_cite(c);
		}
	}
}

/* ---- objects ---- */

/* What a list holds comes after its kind or before it; an object of its own follows "---". */
static struct gpudx_sv inside_list(struct gpudx_sv path)
{
	sv_lit(&path, "items[].");
	return path;
}

static void begin_object(struct k8s_object *k)
{
	k->kind = k->of_list;
	k->cordoned = k->state_said = false;
	k->name.n = k->node.name_n = 0;
	begin_element(k);
}

static void next_object(struct gpudx_ctx *c, struct k8s_object *k)
{
	if (k->kind == KIND_NODE)
		node_end(c, &k->node, "k8s");
	else if (k->kind == KIND_EVENT)
		k8s_event_end(c, &k->event);
	k->event = (struct k8s_event){ .line = 0 };
	begin_object(k);
}

static void node_value(struct gpudx_ctx *c, struct k8s_object *k, struct gpudx_sv path,
		       struct gpudx_sv value)
{
	struct gpudx_sv field;

	if (!k->state_said && sv_starts(path, "status.")) {
		gpudx_fact(c, 0, "scheduler.state", "k8s",
			   k->cordoned ? SV_LIT("cordoned") : SV_LIT("ready"));
		k->state_said = true;
	}
	if (sv_is(path, "metadata.name"))
		node_begin(c, &k->node, value, "k8s");
	else if (sv_is(path, "spec.unschedulable")) {
		k->cordoned = sv_is(value, "true");
		if (k->cordoned)
			node_is_held(c, &k->node, SV_LIT("cordoned"));
	} else if (is_field(path, "spec.taints", &field))
		taint_field(&k->at, field, value);
	else if (is_field(path, "status.conditions", &field))
		condition_field(c, k, field, value);
	else if (sv_lit(&path, "status.capacity."))
		node_resource(c, false, path, value);
	else if (sv_lit(&path, "status.allocatable."))
		node_resource(c, true, path, value);
}

/* "status.containerStatuses[].state.terminated.reason" and the like. */
static void container_value(struct gpudx_ctx *c, struct k8s_object *k, struct gpudx_sv path,
			    struct gpudx_sv value)
{
	struct gpudx_event e;
	struct gpudx_stamp t = GPUDX_NO_STAMP;

	if (sv_ends(path, ".terminated.finishedAt"))
		yaml_set(&k->at.time, value);
	if (!sv_ends(path, ".terminated.reason") || !sv_is(value, "OOMKilled"))
		return;
	value = yaml_sv(&k->at.time);
	if (!gpudx_scan_iso(&value, &t))
		t = GPUDX_NO_STAMP;
	node_name_host(c, &k->node, "k8s");
	e = gpudx_event_of(SV_LIT("container.oom_killed"), t, SV_LIT("OOMKilled"));
	gpudx_put_event(c, &e);
}

static void pod_value(struct gpudx_ctx *c, struct k8s_object *k, struct gpudx_sv path,
		      struct gpudx_sv value)
{
	if (sv_is(path, "metadata.name")) {
		yaml_set(&k->name, value);
	} else if (sv_is(path, "spec.nodeName")) {
		node_has_pod(c, value, yaml_sv(&k->name));
		k->node = (struct node_said){ .boot_us = GPUDX_NO_TIME };
		if (value.n <= sizeof(k->node.name))
			memcpy(k->node.name, value.p, k->node.name_n = value.n);
	} else if (sv_starts(path, "status.")) {
		container_value(c, k, path, value);
	}
}

static void kind_value(struct k8s_object *k, struct gpudx_sv value)
{
	if (sv_is(value, "NodeList"))
		k->of_list = KIND_NODE;
	else if (sv_is(value, "PodList"))
		k->of_list = KIND_POD;
	else if (sv_is(value, "EventList"))
		k->of_list = KIND_EVENT;
	k->kind = sv_is(value, "Node")	  ? KIND_NODE
		  : sv_is(value, "Pod")	  ? KIND_POD
		  : sv_is(value, "Event") ? KIND_EVENT
					  : KIND_OTHER;
}

static void object_value(struct gpudx_ctx *c, struct k8s_object *k, struct gpudx_sv path,
			 struct gpudx_sv value)
{
	path = inside_list(path);
	if (sv_is(path, "kind"))
		kind_value(k, value);
	else if (k->kind == KIND_NODE)
		node_value(c, k, path, value);
	else if (k->kind == KIND_POD)
		pod_value(c, k, path, value);
	else
		k8s_event_value(c, &k->event, path, value);
}

/* An element of a list begins or ends, or an object. */
static void object_edge(struct gpudx_ctx *c, struct k8s_object *k, struct gpudx_sv path)
{
	bool item = sv_is(path, "items[]") || !path.n;

	path = inside_list(path);
	if (k->kind == KIND_NODE && sv_is(path, "spec.taints[]"))
		put_taint(c, &k->at);
	else if (k->kind == KIND_NODE && sv_is(path, "status.conditions[]")) {
		hold_unready(c, k);
		put_condition(c, &k->at);
	}
	if (!path.n)
		k->of_list = KIND_UNKNOWN;
	if (item)
		next_object(c, k);
	else if (sv_ends(path, "[]"))
		begin_element(k);
}

/* ---- the two spellings ---- */

static enum gpudx_take json_line(struct gpudx_ctx *c, struct k8s_object *k, struct gpudx_sv line)
{
	struct gpudx_json *j = &k->json;

	if (k->broken || (gpudx_json_whole(j) && sv_trim(line).n && sv_ltrim(line).p[0] != '{'))
		return GPUDX_NOT_MINE;
	gpudx_json_feed(j, line, true);
	while (gpudx_json_next(j)) {
		if (j->kind == GPUDX_JSON_OBJECT || j->kind == GPUDX_JSON_OBJECT_END)
			object_edge(c, k, gpudx_json_path(j));
		else if (j->kind >= GPUDX_JSON_STRING)
			object_value(c, k, gpudx_json_path(j), j->text);
	}
	if (!j->error)
		return GPUDX_TAKEN;
	k->broken = true;
	return gpudx_reject(c, j->error);
}

static void take_yaml(struct gpudx_ctx *c, struct k8s_object *k)
{
	struct yaml_path *y = &k->yaml;

	while (yaml_next(y))
		if (y->is_edge)
			object_edge(c, k, y->at);
		else
			object_value(c, k, y->at, y->value);
}

static enum gpudx_take yaml_line(struct gpudx_ctx *c, struct k8s_object *k, struct gpudx_sv line)
{
	if (!yaml_feed(&k->yaml, line))
		return GPUDX_NOT_MINE;
	take_yaml(c, k);
	return GPUDX_TAKEN;
}

/* ---- the format ---- */

static void k8s_object_begin(struct gpudx_ctx *c)
{
	struct k8s_object *k = gpudx_state(c);

	k->is_json = json_head_opens(gpudx_head(c), '{');
	begin_object(k);
}

static enum gpudx_take k8s_object_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct k8s_object *k = gpudx_state(c);

	return k->is_json ? json_line(c, k, line) : yaml_line(c, k, line);
}

static void k8s_object_finish(struct gpudx_ctx *c)
{
	struct k8s_object *k = gpudx_state(c);

	yaml_end(&k->yaml);
	take_yaml(c, k);
	next_object(c, k);
}

static bool is_kind(struct gpudx_sv line)
{
	struct gpudx_sv c = sv_trim(line);

	sv_lit(&c, "- ");
	return sv_is(c, "kind: Node") || sv_is(c, "kind: Pod") || sv_is(c, "kind: NodeList") ||
	       sv_is(c, "kind: PodList") || sv_is(c, "kind: Event") || sv_is(c, "kind: EventList");
}

static bool has_json_kind(const struct gpudx_head *head)
{
	static const char *const kinds[] = { "\"kind\": \"Node",      "\"kind\":\"Node",
					     "\"kind\": \"Pod\"",     "\"kind\":\"Pod\"",
					     "\"kind\": \"PodList\"", "\"kind\":\"PodList\"",
					     "\"kind\": \"Event",     "\"kind\":\"Event" };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (json_head_has(head, kinds[i]))
			return true;
	return false;
}

static int k8s_object_bid(const struct gpudx_head *head)
{
	bool version = false, kind = false;

	if (json_head_opens(head, '{'))
		return json_head_has(head, "\"apiVersion\"") && has_json_kind(head) ? 80 : 0;
	for (size_t i = 0; i < head->n && i < 24; i++) {
		version = version || sv_starts(head->lines[i].text, "apiVersion: ");
		kind = kind || is_kind(head->lines[i].text);
	}
	return version && kind ? 80 : 0;
}

const struct gpudx_parser gpudx_parser_k8s_object = {
	.name = "k8s-object",
	.what = "nodes, pods and events of Kubernetes as YAML or JSON: their GPUs, what is "
		"complained of, and which pod is on which node",
	.bid = k8s_object_bid,
	.begin = k8s_object_begin,
	.line = k8s_object_line,
	.finish = k8s_object_finish,
	.state_size = sizeof(struct k8s_object),
};
