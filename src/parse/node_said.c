#include "parse/node_said.h"

#include "parse/node_out.h"

void node_begin(struct gpudx_ctx *c, struct node_said *n, struct gpudx_sv name, const char *layer)
{
	node_end(c, n, layer);
	n->name_n = name.n <= sizeof(n->name) ? name.n : 0;
	if (n->name_n)
		memcpy(n->name, name.p, n->name_n);
	n->boot_us = GPUDX_NO_TIME;
	gpudx_fact(c, 0, "scheduler.node", layer, name);
}

void node_is_held(struct gpudx_ctx *c, struct node_said *n, struct gpudx_sv state)
{
	struct node_said_out *o = &n->out;
	size_t room = sizeof(o->state) - o->state_n;

	if (o->state_n && room > 1) {
		o->state[o->state_n++] = ',';
		room--;
	}
	state = sv_first(state, state.n < room ? state.n : room);
	memcpy(o->state + o->state_n, state.p, state.n);
	o->state_n += state.n;
	if (!o->line) {
		o->line = gpudx_this_line(c)->no;
		gpudx_cite(c);
	}
}

void node_held_for(struct node_said *n, struct gpudx_sv reason, const struct gpudx_stamp *since)
{
	struct node_said_out *o = &n->out;

	o->reason_n = reason.n < sizeof(o->reason) ? reason.n : sizeof(o->reason);
	memcpy(o->reason, reason.p, o->reason_n);
	o->since = *since;
}

void node_end(struct gpudx_ctx *c, struct node_said *n, const char *layer)
{
	struct node_said_out *o = &n->out;

	if (o->line)
		node_put_out(c, sv_n(n->name, n->name_n), *layer == 's' ? "slurm" : "kubernetes",
			     sv_n(o->state, o->state_n), sv_n(o->reason, o->reason_n),
			     o->reason_n ? &o->since : &GPUDX_NO_STAMP, o->line);
	*o = (struct node_said_out){ .line = 0 };
}

void node_name_host(struct gpudx_ctx *c, const struct node_said *n, const char *layer)
{
	struct gpudx_anchor a = { .kind = SV_LIT("uptime_s"),
				  .mono_us = GPUDX_NO_TIME,
				  .local_us = n->boot_us,
				  .utc_us = GPUDX_NO_TIME };

	if (n->name_n)
		gpudx_fact(c, 0, "host.name", layer, sv_n(n->name, n->name_n));
	if (n->boot_us != GPUDX_NO_TIME)
		gpudx_put_anchor(c, &a);
}

/* Names of resources: nvidia.com/gpu, nvidia.com/mig-1g.10gb. */
void node_resource(struct gpudx_ctx *c, bool allocatable, struct gpudx_sv resource,
		   struct gpudx_sv number)
{
	uint64_t n;

	if (sv_is(resource, "nvidia.com/gpu") && sv_u64(&number, &n) && n <= 1000)
		gpudx_fact_num(c, 0, allocatable ? "scheduler.gpus_allocatable" : "scheduler.gpus",
			       "k8s", (double)n);
}

bool node_condition_good(struct gpudx_sv type, struct gpudx_sv status)
{
	bool healthy = sv_ends(type, "Ready") || sv_ends(type, "Healthy") || sv_ends(type, "OK");

	return !sv_is(status, healthy ? "False" : "True");
}

void node_has_pod(struct gpudx_ctx *c, struct gpudx_sv node, struct gpudx_sv pod)
{
	char key[16 + 254] = "pod.node.";
	size_t n = strlen(key);

	if (!pod.n || pod.n >= sizeof(key) - n || !node.n || node.p[0] == '<')
		return;
	memcpy(key + n, pod.p, pod.n);
	key[n + pod.n] = 0;
	gpudx_fact(c, 0, key, "k8s", node);
}
