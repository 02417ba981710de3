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
 *
 * Each node begins with its name: scheduler.node. Sources: Slurm, src/api/node_info.c; kubectl,
 * pkg/describe. */
#include "parse/tool.h"

enum block { BLOCK_NONE, BLOCK_CAPACITY, BLOCK_ALLOCATABLE };

struct node_state {
	bool kubectl;
	enum block block;
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

/* "Reason=" goes on to the end of its line; the other values hold no blank that matters. */
static void slurm_line(struct gpudx_ctx *c, struct gpudx_sv s)
{
	struct gpudx_sv word;
	double n;

	if (sv_lit(&s, "Reason=")) {
		if (s.n)
			gpudx_fact(c, 0, "scheduler.reason", "slurm", s);
		return;
	}
	for (; sv_token(&s, &word); sv_spaces(&s)) {
		if (sv_lit(&word, "NodeName="))
			gpudx_fact(c, 0, "scheduler.node", "slurm", word);
		else if (sv_lit(&word, "State="))
			put_lower(c, "scheduler.state", "slurm", word);
		else if (sv_lit(&word, "Gres=") && count_gres(word, &n))
			gpudx_fact_num(c, 0, "scheduler.gpus", "slurm", n);
	}
}

/* ---- Kubernetes ---- */

static bool is_kubectl_name(struct gpudx_sv line)
{
	return sv_starts(line, "Name:  ");
}

/* Names of resources: nvidia.com/gpu, nvidia.com/mig-1g.10gb. Only whole GPUs are counted. */
static void put_resource(struct gpudx_ctx *c, enum block block, struct gpudx_sv label,
			 struct gpudx_sv value)
{
	uint64_t n;

	if (!sv_is(label, "nvidia.com/gpu") || !sv_u64(&value, &n) || n > 1000)
		return;
	if (block == BLOCK_CAPACITY)
		gpudx_fact_num(c, 0, "scheduler.gpus", "k8s", (double)n);
	else if (block == BLOCK_ALLOCATABLE)
		gpudx_fact_num(c, 0, "scheduler.gpus_allocatable", "k8s", (double)n);
}

static void kubectl_line(struct gpudx_ctx *c, struct node_state *t, struct gpudx_sv line)
{
	struct gpudx_sv label, value;

	if (!tool_split(line, &label, &value))
		return;
	if (sv_is_space(line.p[0])) {
		put_resource(c, t->block, label, value);
		return;
	}
	t->block = sv_is(label, "Capacity")	 ? BLOCK_CAPACITY
		   : sv_is(label, "Allocatable") ? BLOCK_ALLOCATABLE
						 : BLOCK_NONE;
	if (sv_is(label, "Name"))
		gpudx_fact(c, 0, "scheduler.node", "k8s", value);
	else if (sv_is(label, "Unschedulable"))
		gpudx_fact(c, 0, "scheduler.state", "k8s",
			   sv_is(value, "true") ? SV_LIT("cordoned") : SV_LIT("ready"));
	else if (sv_is(label, "Taints") && sv_has(value, "gpu"))
		gpudx_fact(c, 0, "scheduler.reason", "k8s", value);
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
		slurm_line(c, s);
	else
		return GPUDX_NOT_MINE;
	return GPUDX_TAKEN;
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
	.state_size = sizeof(struct node_state),
};
