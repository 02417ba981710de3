/* scontrol show node --json and sinfo --json: what Slurm thinks of its nodes.
 *
 *   {"nodes": [{"boot_time": {"set": true, "number": 1781000000}, "gres": "gpu:h100:8", "name": "gpu014",
 *     "reason": "Xid 79 on GPU 3", "reason_changed_at": {"set": true, "number": 1781100000},
 *     "state": ["IDLE", "DRAIN"], ...
 *
 *   {"sinfo": [{"node": {"state": ["DOWN", "NOT_RESPONDING"]}, "nodes": {"nodes": ["gpu014", "gpu015"]},
 *     "reason": {"description": "Not responding", "time": {"number": 1781100000}}, ...
 *
 * Fields come in any order; numbers and states stood bare before data_parser v0.0.39. Source: Slurm,
 * src/plugins/data_parser. */
#include "base/json.h"
#include "parse/json_head.h"
#include "parse/node_out.h"
#include "parse/node_said.h"
#include "parse/said_fault.h"
#include "parse/yaml_path.h"

struct slurm_json {
	struct gpudx_json json;
	bool broken;
	struct yaml_text names, state, reason; /* names: with commas between */
	int64_t since_s, boot_s;	       /* 0 not said */
	uint32_t reason_line;
	struct node_said node;
};

static void begin_entry(struct slurm_json *k)
{
	k->names.n = k->state.n = k->reason.n = 0;
	k->since_s = k->boot_s = 0;
	k->reason_line = 0;
	k->node.out = (struct node_said_out){ .line = 0 };
}

static void add_to(struct yaml_text *t, const char *between, struct gpudx_sv s)
{
	if (t->n)
		yaml_append(t, sv_str(between));
	yaml_append(t, s);
}

/* The field of an entry, without ".number" of numbers that may be unset. */
static bool entry_field(struct gpudx_sv *path)
{
	if (!sv_lit(path, "nodes[].") && !sv_lit(path, "sinfo[]."))
		return false;
	if (sv_ends(*path, ".number"))
		path->n -= strlen(".number");
	return true;
}

static void text_field(struct gpudx_ctx *c, struct slurm_json *k, struct gpudx_sv field,
		       struct gpudx_sv value)
{
	if (sv_is(field, "name") || sv_is(field, "nodes.nodes[]")) {
		add_to(&k->names, ",", value);
	} else if (sv_is(field, "state") || sv_is(field, "state[]") ||
		   sv_is(field, "state_flags[]") || sv_is(field, "node.state[]")) {
		add_to(&k->state, "+", value);
		if (node_is_out(value))
			node_is_held(c, &k->node, value);
	} else if (sv_is(field, "reason") || sv_is(field, "reason.description")) {
		yaml_set(&k->reason, value);
		k->reason_line = gpudx_this_line(c)->no;
		if (says_fault(value))
			gpudx_cite(c);
	}
}

static void number_field(struct slurm_json *k, struct gpudx_sv field, double num)
{
	if (!(num > 0 && num < 4e9))
		return;
	if (sv_is(field, "reason_changed_at") || sv_is(field, "reason.time"))
		k->since_s = (int64_t)num;
	else if (sv_is(field, "boot_time"))
		k->boot_s = (int64_t)num;
}

static void put_node(struct gpudx_ctx *c, struct slurm_json *k, struct gpudx_sv name,
		     const struct gpudx_stamp *since)
{
	struct node_said_out out = k->node.out;
	struct gpudx_sv reason = yaml_sv(&k->reason);

	k->node.out.line = 0; /* of the one before, which is put */
	node_begin(c, &k->node, name, "slurm");
	k->node.out = out;
	gpudx_fact(c, 0, "scheduler.state", "slurm", yaml_sv(&k->state));
	if (reason.n) {
		gpudx_fact(c, 0, "scheduler.reason", "slurm", reason);
		node_held_for(&k->node, reason, since);
	}
	if (says_fault(reason)) {
		node_name_host(c, &k->node, "slurm");
		said_fault(c, reason, "slurm", since, k->reason_line);
	}
	node_end(c, &k->node, "slurm");
	k->node.out = out;
}

static void end_entry(struct gpudx_ctx *c, struct slurm_json *k)
{
	struct gpudx_stamp since = GPUDX_NO_STAMP;
	struct gpudx_sv name;
	struct node_list list;
	char buf[NODE_NAME];

	if (k->since_s) {
		since.kind = GPUDX_STAMP_UTC;
		since.t_us = k->since_s * 1000000;
	}
	for (size_t i = 0; i < k->state.n; i++)
		k->state.p[i] = sv_lower(k->state.p[i]);
	node_list_begin(&list, yaml_sv(&k->names));
	while (node_list_next(&list, buf, &name))
		put_node(c, k, name, &since);
	begin_entry(k);
}

static void take_token(struct gpudx_ctx *c, struct slurm_json *k)
{
	struct gpudx_json *j = &k->json;
	struct gpudx_sv path = gpudx_json_path(j);

	if (j->kind == GPUDX_JSON_OBJECT_END && (sv_is(path, "nodes[]") || sv_is(path, "sinfo[]")))
		end_entry(c, k);
	else if (j->kind == GPUDX_JSON_STRING && entry_field(&path))
		text_field(c, k, path, j->text);
	else if (j->kind == GPUDX_JSON_NUMBER && entry_field(&path))
		number_field(k, path, j->num);
}

static enum gpudx_take slurm_json_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct slurm_json *k = gpudx_state(c);
	struct gpudx_json *j = &k->json;

	if (k->broken || (gpudx_json_whole(j) && sv_trim(line).n && sv_ltrim(line).p[0] != '{'))
		return GPUDX_NOT_MINE;
	gpudx_json_feed(j, line, true);
	while (gpudx_json_next(j))
		take_token(c, k);
	if (!j->error)
		return GPUDX_TAKEN;
	k->broken = true;
	return gpudx_reject(c, j->error);
}

static int slurm_json_bid(const struct gpudx_head *head)
{
	if (!json_head_opens(head, '{'))
		return 0;
	if (json_head_has(head, "\"sinfo\"") && json_head_has(head, "\"state\""))
		return 80;
	return json_head_has(head, "\"nodes\"") && json_head_has(head, "\"state\"") &&
			       (json_head_has(head, "\"gres\"") ||
				json_head_has(head, "\"slurmd_start_time\""))
		       ? 80
		       : 0;
}

const struct gpudx_parser gpudx_parser_slurm_json = {
	.name = "slurm-json",
	.what = "scontrol show node --json, sinfo --json: what Slurm thinks of its nodes",
	.bid = slurm_json_bid,
	.line = slurm_json_line,
	.state_size = sizeof(struct slurm_json),
};
