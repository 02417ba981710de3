/* Events of Kubernetes as a table, and what kubectl tells of one pod:
 *
 *   LAST SEEN   TYPE      REASON     OBJECT            MESSAGE
 *   2m          Warning   XidError   node/gpu-pool-1   NVRM: Xid (PCI:0000:8a:00): 79, ...
 *
 *   Name:             train-0
 *   Namespace:        ml
 *   Node:             gpu-pool-1/10.0.0.3
 *   Containers:
 *     main:
 *       State:          Terminated
 *         Reason:       OOMKilled
 *         Exit Code:    137
 *         Finished:     Thu, 11 Jun 2026 09:58:03 +0000
 *   Events:
 *     Type     Reason     Age   From     Message
 *
 * Events say how long ago they were, not when. Source: kubectl, pkg/describe and pkg/cmd/events. */
#include "parse/k8s_event.h"
#include "parse/node_out.h"
#include "parse/node_said.h"
#include "parse/said_fault.h"
#include "parse/tool.h"

struct k8s {
	bool table, pod, events; /* events: at the end of a pod */
	bool with_namespace;
	size_t name_n;
	char name[254];		  /* of the pod, without a NUL */
	struct gpudx_event ended; /* of the container at hand; kind empty: did not fail */
};

/* ---- events ---- */

static bool is_heading(struct gpudx_sv line, bool *with_namespace)
{
	*with_namespace = sv_lit(&line, "NAMESPACE");
	sv_spaces(&line);
	return sv_lit(&line, "LAST SEEN") && sv_has(line, "TYPE ") && sv_has(line, "REASON ") &&
	       sv_has(line, "OBJECT ") && sv_has(line, "MESSAGE");
}

/* A fault that the message tells in words, or a sentence of a program that is known. */
static void put_message(struct gpudx_ctx *c, struct gpudx_sv message)
{
	struct gpudx_stamp none = GPUDX_NO_STAMP;

	if (!said_fault(c, message, "kubernetes", &none, 0))
		gpudx_match(c, message, &none);
}

/* "2m (x5 over 10m)": an age, of which the table of pods says more. */
static bool scan_age(struct gpudx_sv *s)
{
	struct gpudx_sv c = *s, age, more;

	if (!sv_token(&c, &age) || !(sv_is_digit(age.p[0]) || sv_is(age, "<unknown>")))
		return false;
	sv_spaces(&c);
	if (sv_char(&c, '(') && !sv_until(&c, ")", &more))
		return false;
	sv_spaces(&c);
	*s = c;
	return true;
}

static enum gpudx_take table_row(struct gpudx_ctx *c, const struct k8s *k, struct gpudx_sv s)
{
	struct gpudx_sv space, type, reason, object, node;

	if (k->with_namespace && !(sv_token(&s, &space) && sv_spaces(&s)))
		return GPUDX_NOT_MINE;
	if (!scan_age(&s) || !sv_token(&s, &type) || !sv_spaces(&s) || !sv_token(&s, &reason) ||
	    !sv_spaces(&s) || !sv_token(&s, &object) || !sv_has(object, "/"))
		return GPUDX_NOT_MINE;
	node = object;
	if (k8s_event_held(reason).n && sv_lit(&node, "node/"))
		node_put_out(c, node, "kubernetes", k8s_event_held(reason), SV_LIT(""),
			     &GPUDX_NO_STAMP, 0);
	if (!sv_is(type, "Warning"))
		return GPUDX_TAKEN;
	node = object;
	if (sv_lit(&node, "node/") && says_fault(s))
		gpudx_fact(c, 0, "host.name", "k8s", node);
	put_message(c, sv_trim(s));
	return GPUDX_TAKEN;
}

/* "Warning  Failed  2m  kubelet  Error: ...", also without an age. */
static void pod_event(struct gpudx_ctx *c, struct gpudx_sv s)
{
	struct gpudx_sv type, reason;

	if (sv_token(&s, &type) && sv_is(type, "Warning") && sv_spaces(&s) && sv_token(&s, &reason))
		put_message(c, sv_trim(s));
}

/* ---- pods ---- */

static bool scan_moment(struct gpudx_sv s, struct gpudx_stamp *t)
{
	unsigned weekday;

	return gpudx_scan_weekday(&s, &weekday) && sv_lit(&s, ", ") && gpudx_scan_ctime(&s, t);
}

static void put_ended(struct gpudx_ctx *c, struct k8s *k)
{
	if (k->ended.kind.n)
		gpudx_put_event(c, &k->ended);
	k->ended.kind.n = 0;
}

/* The lines of a container's state: the last of them is when it ended. */
static void state_line(struct gpudx_ctx *c, struct k8s *k, struct gpudx_sv label,
		       struct gpudx_sv value)
{
	if (sv_is(label, "State") || sv_is(label, "Last State")) {
		put_ended(c, k);
	} else if (sv_is(label, "Reason") && sv_is(value, "OOMKilled")) {
		k->ended = gpudx_event_of(SV_LIT("container.oom_killed"), GPUDX_NO_STAMP,
					  SV_LIT("OOMKilled"));
		k->ended.line = gpudx_this_line(c)->no;
		gpudx_cite(c);
	} else if (sv_is(label, "Finished") && k->ended.kind.n) {
		if (!scan_moment(value, &k->ended.stamp))
			k->ended.stamp = GPUDX_NO_STAMP;
		put_ended(c, k);
	}
}

static void pod_node(struct gpudx_ctx *c, const struct k8s *k, struct gpudx_sv node)
{
	gpudx_fact(c, 0, "host.name", "k8s", node);
	node_has_pod(c, node, sv_n(k->name, k->name_n));
}

static void pod_line(struct gpudx_ctx *c, struct k8s *k, struct gpudx_sv line)
{
	struct gpudx_sv label, value, s = sv_trim(line);

	if (sv_is_space(line.p[0]) && k->events) {
		pod_event(c, s);
		return;
	}
	if (!tool_split(line, &label, &value))
		return;
	if (sv_is_space(line.p[0])) {
		state_line(c, k, label, value);
		return;
	}
	put_ended(c, k);
	k->events = sv_is(label, "Events");
	if (sv_is(label, "Name") && value.n <= sizeof(k->name))
		memcpy(k->name, value.p, k->name_n = value.n);
	else if (sv_is(label, "Node") && value.n && value.p[0] != '<')
		pod_node(c, k, sv_first(value, sv_index(value, '/')));
	else if (sv_is(label, "Message"))
		put_message(c, value);
}

/* ---- the format ---- */

/* "Type  Reason  Age  From  Message": the end of what describe tells, on its own. */
static bool is_describe_heading(struct gpudx_sv line)
{
	static const char *const words[] = { "Type", "Reason", "Age", "From", "Message" };
	struct gpudx_sv word;

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (sv_spaces(&line), !sv_token(&line, &word) || !sv_is(word, words[i]))
			return false;
	return true;
}

static enum gpudx_take k8s_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct k8s *k = gpudx_state(c);
	bool with_namespace;

	if (is_heading(line, &with_namespace)) {
		k->table = true;
		k->pod = false;
		k->with_namespace = with_namespace;
		return GPUDX_TAKEN;
	}
	if (!k->pod && is_describe_heading(line)) {
		k->table = false;
		k->pod = k->events = true;
		return GPUDX_TAKEN;
	}
	if (sv_starts(line, "Name:  ")) {
		put_ended(c, k);
		k->table = k->events = false;
		k->pod = true;
	}
	if (k->table)
		return table_row(c, k, sv_trim(line));
	if (!k->pod)
		return GPUDX_NOT_MINE;
	if (!sv_is_space(line.p[0]) && sv_index(line, ':') == line.n)
		return GPUDX_NOT_MINE;
	pod_line(c, k, line);
	return GPUDX_TAKEN;
}

static void k8s_begin(struct gpudx_ctx *c)
{
	gpudx_excerpt(c);
}

static void k8s_finish(struct gpudx_ctx *c)
{
	put_ended(c, gpudx_state(c));
}

static bool k8s_starts(struct gpudx_sv line)
{
	bool with_namespace;

	return line.n && (line.p[0] == 'L' || line.p[0] == 'N') &&
	       is_heading(line, &with_namespace);
}

/* A pod is known by its namespace and what stands below. */
static int k8s_bid(const struct gpudx_head *head)
{
	bool name = false, space = false;

	for (size_t i = 0; i < head->n && i < 400; i++) {
		struct gpudx_sv s = head->lines[i].text;

		if (i < 8 && k8s_starts(s))
			return 80;
		if (i < 4 && is_describe_heading(s))
			return 60;
		name |= sv_starts(s, "Name:  ");
		space |= name && sv_starts(s, "Namespace:  ");
		if (space && (sv_starts(s, "Containers:") || sv_starts(s, "Init Containers:")))
			return 70;
	}
	return 0;
}

const struct gpudx_parser gpudx_parser_k8s_events = {
	.name = "k8s-events",
	.what = "kubectl get events, kubectl describe pod: what Kubernetes complains of",
	.bid = k8s_bid,
	.starts = k8s_starts,
	.begin = k8s_begin,
	.line = k8s_line,
	.finish = k8s_finish,
	.state_size = sizeof(struct k8s),
	.flags = GPUDX_P_FIND,
};
