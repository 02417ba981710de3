/* What a scheduler thinks of a node: scontrol show node, kubectl describe node.
 *
 *   NodeName=gpu-b12 Arch=x86_64 CoresPerSocket=48
 *      Gres=gpu:h100:8(S:0-1)
 *      State=IDLE+DRAIN ThreadsPerCore=2 TmpDisk=0 Weight=1 Owner=N/A MCS_label=N/A
 *      Reason=Xid 79 on GPU 3 [root@2026-02-11T04:12:00]
 *
 *   Name:               gpu-b12
 *   Roles:              worker
 *   Taints:             nvidia.com/gpu=unhealthy:NoSchedule
 *   Unschedulable:      false
 *   Capacity:
 *     nvidia.com/gpu:     8
 *   Allocatable:
 *     nvidia.com/gpu:     7
 *   Conditions:
 *     XidError  True  Tue, ... +0000  Tue, 11 Jun 2024 09:58:01 +0000  XidErrorDetected  NVRM: Xid ...
 *   Events:
 *     Warning  XidError  2m  kernel-monitor  NVRM: Xid (PCI:0000:8a:00): 79, ...
 *
 * Each node begins with its name: scheduler.node. Sources: Slurm, src/api/node_info.c; kubectl,
 * pkg/describe. */
#include "parse/node_out.h"
#include "parse/node_said.h"
#include "parse/said_fault.h"
#include "parse/tool.h"

enum block { BLOCK_NONE, BLOCK_CAPACITY, BLOCK_ALLOCATABLE, BLOCK_CONDITIONS, BLOCK_EVENTS };

struct node_state {
	bool kubectl;
	enum block block;
	struct node_said node; /* the one at hand */
};

/* ---- Slurm ---- */

/* "gpu:h100:8(S:0-1),gpu:a100:2": GPUs in all. */
static bool count_gres(struct gpudx_sv s, double *n)
{
	struct gpudx_sv item;
	bool any = false;

	for (*n = 0; sv_cell(&s, ',', &item);) {
		struct gpudx_sv part, last = sv_n(NULL, 0);
		uint64_t v;

		if (!sv_starts(item, "gpu:"))
			continue;
		item = sv_first(item, sv_index(item, '('));
		while (sv_cell(&item, ':', &part))
			last = part;
		if (sv_u64(&last, &v) && !last.n && v < 1000) {
			*n += (double)v;
			any = true;
		}
	}
	return any;
}

static void put_lower(struct gpudx_ctx *c, const char *key, const char *layer, struct gpudx_sv s)
{
	char buf[64];
	size_t n = s.n < sizeof(buf) ? s.n : sizeof(buf);

	for (size_t i = 0; i < n; i++)
		buf[i] = sv_lower(s.p[i]);
	gpudx_fact(c, 0, key, layer, sv_n(buf, n));
}

static bool is_slurm_node(struct gpudx_sv line)
{
	return sv_starts(line, "NodeName=") && sv_has(line, " Arch=");
}

/* "Xid 79 on GPU 3 [root@2026-02-11T04:12:00]": who said it when stands behind. */
static void slurm_reason(struct gpudx_ctx *c, struct node_said *n, struct gpudx_sv s)
{
	struct gpudx_sv reason = s, who;
	struct gpudx_stamp t = GPUDX_NO_STAMP;
	size_t open = s.n;

	if (!s.n)
		return;
	gpudx_fact(c, 0, "scheduler.reason", "slurm", s);
	while (open > 0 && s.p[open - 1] != '[')
		open--;
	if (open) {
		struct gpudx_sv behind = sv_from(s, open);

		if (sv_until(&behind, "@", &who) && gpudx_scan_iso(&behind, &t))
			reason = sv_rtrim(sv_first(s, open - 1));
		else
			t = GPUDX_NO_STAMP;
	}
	node_held_for(n, reason, &t);
	if (!says_fault(reason))
		return;
	node_name_host(c, n, "slurm");
	said_fault(c, reason, "slurm", &t, 0);
}

/* "2026-02-11T05:31:12", by the clock of the controller. */
static int64_t boot_time(struct gpudx_sv s)
{
	struct gpudx_stamp t;

	return gpudx_scan_iso(&s, &t) && t.kind == GPUDX_STAMP_LOCAL ? t.t_us : GPUDX_NO_TIME;
}

static void slurm_state(struct gpudx_ctx *c, struct node_said *n, struct gpudx_sv state)
{
	put_lower(c, "scheduler.state", "slurm", state);
	if (node_is_out(state))
		node_is_held(c, n, state);
}

/* "Reason=" goes on to the end of its line, or to who said it when; the other values hold no blank that
 * matters. */
static void slurm_words(struct gpudx_ctx *c, struct node_state *t, struct gpudx_sv s)
{
	struct gpudx_sv word;
	double n;

	for (; sv_token(&s, &word); sv_spaces(&s)) {
		if (sv_lit(&word, "NodeName=")) {
			node_begin(c, &t->node, word, "slurm");
		} else if (sv_lit(&word, "BootTime=")) {
			t->node.boot_us = boot_time(word);
		}
		if (sv_lit(&word, "State="))
			slurm_state(c, &t->node, word);
		else if (sv_lit(&word, "Gres=") && count_gres(word, &n))
			gpudx_fact_num(c, 0, "scheduler.gpus", "slurm", n);
	}
}

/* With scontrol -o a node is one line, and its reason is in the middle of it. */
static void slurm_line(struct gpudx_ctx *c, struct node_state *t, struct gpudx_sv s)
{
	size_t at = sv_starts(s, "Reason=") ? 0 : sv_find(s, " Reason=");
	struct gpudx_sv reason = sv_ltrim(sv_from(s, at));
	size_t end;

	slurm_words(c, t, sv_first(s, at));
	if (!sv_lit(&reason, "Reason="))
		return;
	end = sv_find(reason, "] ");
	slurm_reason(c, &t->node, end < reason.n ? sv_first(reason, end + 1) : reason);
}

/* ---- Kubernetes ---- */

static bool is_kubectl_name(struct gpudx_sv line)
{
	return sv_starts(line, "Name:  ");
}

/* "XidError  True  Tue, 11 Jun 2024 10:00:01 +0000  Tue, 11 Jun 2024 09:58:01 +0000  Reason  Message":
 * the second time is since when it is so. */
static void put_condition(struct gpudx_ctx *c, struct node_said *n, struct gpudx_sv s)
{
	struct gpudx_stamp t = GPUDX_NO_STAMP;
	struct gpudx_sv type, status;
	unsigned weekday;

	if (!sv_token(&s, &type) || !sv_spaces(&s) || !sv_token(&s, &status))
		return;
	if (node_condition_good(type, status))
		return;
	for (int i = 0; i < 2; i++) {
		struct gpudx_sv rest = sv_ltrim(s);

		if (!gpudx_scan_weekday(&rest, &weekday) || !sv_lit(&rest, ", ") ||
		    !gpudx_scan_ctime(&rest, &t))
			break;
		s = rest;
	}
	if (sv_is(type, "Ready")) {
		node_is_held(c, n, SV_LIT("NotReady"));
		node_held_for(n, sv_trim(s), &t);
	}
	if (!says_fault(s))
		return;
	node_name_host(c, n, "k8s");
	said_fault(c, sv_trim(s), "kubernetes", &t, 0);
}

/* "Warning  XidError  2m (x3 over 1h)  kernel-monitor  NVRM: ...": when is only said by age. */
static void put_event_row(struct gpudx_ctx *c, const struct node_said *n, struct gpudx_sv s)
{
	static const struct gpudx_stamp none = { .t_us = GPUDX_NO_TIME, .mono_us = GPUDX_NO_TIME };
	struct gpudx_sv type;

	if (!sv_token(&s, &type) || !sv_is(type, "Warning") || !says_fault(s))
		return;
	node_name_host(c, n, "k8s");
	said_fault(c, sv_trim(s), "kubernetes", &none, 0);
}

static enum block block_of(struct gpudx_sv label)
{
	return sv_is(label, "Capacity")	     ? BLOCK_CAPACITY
	       : sv_is(label, "Allocatable") ? BLOCK_ALLOCATABLE
	       : sv_is(label, "Conditions")  ? BLOCK_CONDITIONS
	       : sv_is(label, "Events")	     ? BLOCK_EVENTS
					     : BLOCK_NONE;
}

static void kubectl_label(struct gpudx_ctx *c, struct node_state *t, struct gpudx_sv label,
			  struct gpudx_sv value)
{
	t->block = block_of(label);
	if (sv_is(label, "Name")) {
		node_begin(c, &t->node, value, "k8s");
	} else if (sv_is(label, "Unschedulable")) {
		gpudx_fact(c, 0, "scheduler.state", "k8s",
			   sv_is(value, "true") ? SV_LIT("cordoned") : SV_LIT("ready"));
		if (sv_is(value, "true"))
			node_is_held(c, &t->node, SV_LIT("cordoned"));
	} else if (sv_is(label, "Taints") && sv_has(value, "gpu")) {
		gpudx_fact(c, 0, "scheduler.reason", "k8s", value);
	}
}

static void kubectl_line(struct gpudx_ctx *c, struct node_state *t, struct gpudx_sv line)
{
	struct gpudx_sv label, value, s = sv_trim(line);
	bool inner = sv_is_space(line.p[0]);

	if (inner && t->block == BLOCK_CONDITIONS)
		put_condition(c, &t->node, s);
	else if (inner && t->block == BLOCK_EVENTS)
		put_event_row(c, &t->node, s);
	else if (tool_split(line, &label, &value) && inner &&
		 (t->block == BLOCK_CAPACITY || t->block == BLOCK_ALLOCATABLE))
		node_resource(c, t->block == BLOCK_ALLOCATABLE, label, value);
	else if (!inner && label.n)
		kubectl_label(c, t, label, value);
}

/* ---- the format ---- */

static enum gpudx_take node_state_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct node_state *t = gpudx_state(c);
	struct gpudx_sv s = sv_trim(line);

	if (!s.n)
		return GPUDX_TAKEN;
	if (is_slurm_node(s))
		t->kubectl = false;
	else if (is_kubectl_name(line))
		t->kubectl = true;
	if (t->kubectl)
		kubectl_line(c, t, line);
	else if (is_slurm_node(s) || sv_is_space(line.p[0]))
		slurm_line(c, t, s);
	else
		return GPUDX_NOT_MINE;
	return GPUDX_TAKEN;
}

static void node_state_finish(struct gpudx_ctx *c)
{
	struct node_state *t = gpudx_state(c);

	node_end(c, &t->node, t->kubectl ? "k8s" : "slurm");
}

static bool node_state_starts(struct gpudx_sv line)
{
	return is_slurm_node(line);
}

/* "Name:" alone begins many things: kubectl is known by its resources. */
static int node_state_bid(const struct gpudx_head *head)
{
	bool name = false;

	for (size_t i = 0; i < head->n && i < 400; i++) {
		struct gpudx_sv s = head->lines[i].text;

		if (is_slurm_node(sv_trim(s)))
			return 80;
		name = name || is_kubectl_name(s);
		if (name && (sv_starts(s, "Allocatable:") || sv_starts(s, "Unschedulable:")))
			return 70;
	}
	return 0;
}

const struct gpudx_parser gpudx_parser_node_state = {
	.name = "node-state",
	.what = "scontrol show node, kubectl describe node: what a scheduler thinks of a node",
	.bid = node_state_bid,
	.starts = node_state_starts,
	.line = node_state_line,
	.finish = node_state_finish,
	.state_size = sizeof(struct node_state),
	.flags = GPUDX_P_FIND,
};
