/* config.pbtxt of a Triton model, protobuf's text format:
 *
 *   name: "resnet50"
 *   platform: "tensorrt_plan"
 *   max_batch_size: 8
 *   dynamic_batching { preferred_batch_size: [ 4, 8 ] max_queue_delay_microseconds: 100 }
 *   instance_group [ { count: 2 kind: KIND_GPU gpus: [ 0, 1 ] } ]
 *
 * The few settings that decide over batching and placement are facts. An empty block
 * dynamic_batching { } switches it on. */
#include "parse/parser.h"

#include <stdio.h>

enum { DEPTH = 16, NAME = 40 };

struct config {
	unsigned depth;
	bool in_list; /* of plain values */
	char list[64];
	size_t list_n;
	char blocks[DEPTH][NAME];
	char last[NAME]; /* the identifier that was read last */
};

static const struct {
	const char *path, *key;
} facts[] = {
	{ "name", "triton.config.name" },
	{ "platform", "triton.config.platform" },
	{ "backend", "triton.config.backend" },
	{ "max_batch_size", "triton.config.max_batch_size" },
	{ "dynamic_batching/max_queue_delay_microseconds", "triton.config.max_queue_delay_us" },
	{ "dynamic_batching/preferred_batch_size", "triton.config.preferred_batch_size" },
	{ "dynamic_batching/default_queue_policy/max_queue_size", "triton.config.max_queue_size" },
	{ "instance_group/count", "triton.config.instance_count" },
	{ "instance_group/kind", "triton.config.instance_kind" },
	{ "instance_group/gpus", "triton.config.instance_gpus" },
};

static bool is_name_char(char ch)
{
	return sv_is_alpha(ch) || sv_is_digit(ch) || ch == '_';
}

static void value(struct gpudx_ctx *c, const struct config *k, struct gpudx_sv v)
{
	char path[DEPTH * NAME];
	size_t n = 0;

	path[0] = '\0';
	for (unsigned i = 0; i < k->depth && n < sizeof(path); i++)
		if (k->blocks[i][0])
			n += (size_t)snprintf(path + n, sizeof(path) - n, "%s/", k->blocks[i]);
	if (n < sizeof(path))
		snprintf(path + n, sizeof(path) - n, "%s", k->last);
	for (size_t i = 0; v.n && i < sizeof(facts) / sizeof(facts[0]); i++)
		if (sv_is(sv_str(path), facts[i].path))
			gpudx_fact(c, 0, facts[i].key, "config", v);
}

static void plain(struct gpudx_ctx *c, struct config *k, struct gpudx_sv v)
{
	int n;

	if (!k->in_list) {
		value(c, k, v);
		return;
	}
	n = snprintf(k->list + k->list_n, sizeof(k->list) - k->list_n, "%s%.*s",
		     k->list_n ? "," : "", (int)sv_first(v, sizeof(k->list)).n, v.p);
	if (n > 0 && k->list_n + (size_t)n < sizeof(k->list))
		k->list_n += (size_t)n;
}

static void open_block(struct gpudx_ctx *c, struct config *k)
{
	if (k->depth < DEPTH)
		snprintf(k->blocks[k->depth], NAME, "%s", k->last);
	k->depth++;
	if (sv_is(sv_str(k->last), "dynamic_batching") && k->depth == 1)
		gpudx_fact(c, 0, "triton.config.dynamic_batching", "config", SV_LIT("enabled"));
	k->last[0] = '\0';
}

static void bracket(struct gpudx_ctx *c, struct config *k, char ch)
{
	if (ch == ']' && k->in_list)
		value(c, k, sv_n(k->list, k->list_n));
	if (ch == '{')
		open_block(c, k);
	else if (ch == '}' && k->depth)
		k->depth--;
	k->in_list = ch == '[';
	k->list_n = 0;
}

/* One item of the text; false when the line is done. */
static bool item(struct gpudx_ctx *c, struct config *k, struct gpudx_sv *s)
{
	struct gpudx_sv v;
	size_t n = 0;

	while (s->n && (sv_is_space(s->p[0]) || strchr(",;:", s->p[0] ? s->p[0] : 'x')))
		*s = sv_from(*s, 1);
	if (!s->n || s->p[0] == '#')
		return false;
	if (s->p[0] == '{' || s->p[0] == '}' || s->p[0] == '[' || s->p[0] == ']') {
		bracket(c, k, s->p[0]);
		*s = sv_from(*s, 1);
		return true;
	}
	if (s->p[0] == '"' || s->p[0] == '\'') {
		char quote[2] = { s->p[0], '\0' };

		*s = sv_from(*s, 1);
		if (!sv_until(s, quote, &v))
			return false;
		plain(c, k, v);
		return true;
	}
	while (n < s->n &&
	       (is_name_char(s->p[n]) || s->p[n] == '-' || s->p[n] == '+' || s->p[n] == '.'))
		n++;
	v = sv_first(*s, n ? n : 1);
	*s = sv_from(*s, n ? n : 1);
	if (sv_starts(sv_ltrim(*s), ":") || sv_starts(sv_ltrim(*s), "{") ||
	    sv_starts(sv_ltrim(*s), "["))
		snprintf(k->last, NAME, "%.*s", (int)sv_first(v, NAME - 1).n, v.p);
	else
		plain(c, k, v);
	return true;
}

static enum gpudx_take config_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct config *k = gpudx_state(c);

	while (k->depth <= DEPTH && item(c, k, &line))
		continue;
	return GPUDX_TAKEN;
}

static int config_bid(const struct gpudx_head *head)
{
	static const char *const keys[] = {
		"max_batch_size", "instance_group",    "dynamic_batching",    "platform",
		"backend",	  "sequence_batching", "ensemble_scheduling", "version_policy"
	};
	unsigned known = 0;
	bool io = false;

	for (size_t i = 0; i < head->n && i < 400; i++) {
		struct gpudx_sv s = sv_trim(head->lines[i].text);

		for (size_t j = 0; j < sizeof(keys) / sizeof(keys[0]); j++) {
			struct gpudx_sv rest = s;

			known += sv_lit(&rest, keys[j]) && rest.n &&
				 (sv_is_space(rest.p[0]) || strchr(":{[", rest.p[0]));
		}
		io |= sv_has(s, "data_type") && sv_has(s, "TYPE_");
		io |= sv_starts(s, "input") || sv_starts(s, "data_type");
	}
	if (!known)
		return 0;
	return sv_ends(head->path, ".pbtxt") ? 70 : known >= 2 && io ? 60 : 0;
}

const struct gpudx_parser gpudx_parser_triton_config = {
	.name = "triton-config",
	.what = "config.pbtxt of a Triton model",
	.bid = config_bid,
	.line = config_line,
	.state_size = sizeof(struct config),
};
