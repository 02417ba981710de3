/* `dcgmi nvlink -s`, whole or only its rows, and `dcgmi nvlink -e -g 0`, as box and with -j:
 *
 *   GPUs:
 *       gpuId 0:
 *           U U U D U U U U U U U U          U up, D down, X disabled, _ not supported
 *   NvSwitches:
 *       physicalId 8:
 *           U U U U ...
 *
 *   | NVLINK Error Counts                                                          |
 *   | GPU 0                                                                        |
 *   | Link 0                      |                                                |
 *   | -> CRC FLIT Error           | 0                                              |
 *
 *   {"body": {"Link 0": {"children": {"CRC Data Error": {"value": "0"}, ...}}, ...},
 *    "header": ["NVLINK Error Counts", "GPU 0"]}
 *
 * Source: dcgmi/Nvlink.cpp of NVIDIA/DCGM. */
#include "base/json.h"
#include "parse/dcgmi_box.h"
#include "parse/parser.h"

#include <stdio.h>

enum { ERRORS = 4, LINKS = 64 };

static const struct {
	const char *name, *key;
} errors[ERRORS] = {
	{ "CRC FLIT Error", "nvlink.crc_flit_errors" },
	{ "CRC Data Error", "nvlink.crc_data_errors" },
	{ "Replay Error", "nvlink.replay_errors" },
	{ "Recovery Error", "nvlink.recovery_errors" },
};

struct nvlink {
	struct gpudx_json json;
	int32_t gpu;	 /* of the rows that follow; -1 none */
	bool states;	 /* a row of letters follows */
	int64_t link;	 /* of the errors that follow */
	bool told, seen; /* a broken document was told of; there are counts */
	double sum[ERRORS], by_link[ERRORS][LINKS];
	bool known[ERRORS];
};

/* ---- errors ---- */

static void add_errors(struct nvlink *n, struct gpudx_sv name, struct gpudx_sv value)
{
	uint64_t v;

	if (n->link < 0 || n->link >= LINKS || !sv_u64(&value, &v) || value.n)
		return;
	for (int i = 0; i < ERRORS; i++) {
		if (!sv_is(name, errors[i].name))
			continue;
		n->known[i] = n->seen = true;
		n->sum[i] += (double)v;
		n->by_link[i][n->link] = (double)v;
	}
}

static void put_errors(struct gpudx_ctx *c, struct nvlink *n)
{
	struct gpudx_metric m = { .t_us = GPUDX_NO_TIME };
	char key[64];

	if (!n->seen || n->gpu < 0)
		return;
	m.ref = gpudx_ref_idx(c, n->gpu);
	for (int i = 0; i < ERRORS; i++) {
		if (!n->known[i])
			continue;
		m.key = sv_str(errors[i].key);
		m.value = n->sum[i];
		gpudx_put_metric(c, &m);
		for (int l = 0; l < LINKS; l++) {
			if (!(n->by_link[i][l] > 0))
				continue;
			snprintf(key, sizeof(key), "%s/link%d", errors[i].key, l);
			m.key = sv_str(key);
			m.value = n->by_link[i][l];
			gpudx_put_metric(c, &m);
		}
	}
	memset(n->sum, 0, sizeof(n->sum));
	memset(n->by_link, 0, sizeof(n->by_link));
	n->seen = false;
}

/* "Link 3", "GPU 0": the number behind the word. */
static int64_t number_behind(struct gpudx_sv s, const char *word)
{
	uint64_t v;

	return sv_lit(&s, word) && sv_u64(&s, &v) && !s.n && v < 4096 ? (int64_t)v : -1;
}

static enum gpudx_take box_row(struct gpudx_ctx *c, struct nvlink *n, struct gpudx_sv line)
{
	struct gpudx_sv name, value;
	bool full;

	if (!dcgmi_row(line, &name, &value, &full))
		return GPUDX_NOT_MINE;
	if (number_behind(name, "GPU ") >= 0) {
		put_errors(c, n);
		n->gpu = (int32_t)number_behind(name, "GPU ");
	} else if (number_behind(name, "Link ") >= 0) {
		n->link = number_behind(name, "Link ");
	} else if (sv_lit(&name, "-> ")) {
		add_errors(n, name, value);
	} else if (!sv_has(name, "NVLINK Error Counts") && !sv_has(name, "NvLink Link Status")) {
		return GPUDX_NOT_MINE;
	}
	return GPUDX_TAKEN;
}

/* ---- states ---- */

static bool scan_states(struct gpudx_sv s, unsigned count[256])
{
	unsigned n = 0;

	for (; sv_spaces(&s) && s.n; n++) {
		char ch = s.p[0];

		if ((ch != 'U' && ch != 'D' && ch != 'X' && ch != '_') ||
		    (s.n > 1 && !sv_is_space(s.p[1])))
			return false;
		count[(unsigned char)ch]++;
		s = sv_from(s, 1);
	}
	return n > 0;
}

static void put_states(struct gpudx_ctx *c, const struct nvlink *n, const unsigned count[256])
{
	uint32_t ref = gpudx_ref_idx(c, n->gpu);

	gpudx_fact_num(c, ref, "nvlink.links_up", "dcgmi", count['U']);
	gpudx_fact_num(c, ref, "nvlink.links_down", "dcgmi", count['D']);
	gpudx_fact_num(c, ref, "nvlink.links_disabled", "dcgmi", count['X']);
}

static bool scan_owner(struct gpudx_sv s, const char *word, uint64_t *id)
{
	s = sv_trim(s);
	return sv_lit(&s, word) && sv_u64(&s, id) && sv_is(s, ":");
}

static enum gpudx_take state_line(struct gpudx_ctx *c, struct nvlink *n, struct gpudx_sv line)
{
	unsigned count[256] = { 0 };
	struct gpudx_sv s = sv_trim(line);
	uint64_t id;

	if (scan_owner(s, "gpuId ", &id) && id < 4096) {
		n->gpu = (int32_t)id;
		n->states = true;
		return GPUDX_TAKEN;
	}
	if (scan_owner(s, "physicalId ", &id)) {
		n->gpu = -1;
		n->states = true;
		return GPUDX_TAKEN;
	}
	if (n->states && scan_states(s, count)) {
		if (n->gpu >= 0)
			put_states(c, n, count);
		return GPUDX_TAKEN;
	}
	return sv_is(s, "GPUs:") || sv_is(s, "NvSwitches:") || sv_starts(s, "No NvSwitches found")
		       ? GPUDX_TAKEN
		       : GPUDX_NOT_MINE;
}

/* ---- JSON ---- */

static void token(struct nvlink *n)
{
	struct gpudx_json *j = &n->json;
	int64_t id;

	if (j->kind == GPUDX_JSON_KEY && gpudx_json_at(j, "body.*")) {
		n->link = number_behind(j->text, "Link ");
	} else if (j->kind == GPUDX_JSON_STRING && gpudx_json_at(j, "body.*.children.*.value")) {
		struct gpudx_sv path = gpudx_json_path(j);

		path.n -= strlen(".value");
		for (int i = 0; i < ERRORS; i++)
			if (sv_ends(path, errors[i].name))
				add_errors(n, sv_str(errors[i].name), j->text);
	} else if (j->kind == GPUDX_JSON_STRING && gpudx_json_at(j, "header[]")) {
		id = number_behind(j->text, "GPU ");
		if (id >= 0)
			n->gpu = (int32_t)id;
	}
}

static enum gpudx_take json_line(struct gpudx_ctx *c, struct nvlink *n, struct gpudx_sv line)
{
	gpudx_json_feed(&n->json, line, !(gpudx_this_line(c)->flags & GPUDX_LINE_CUT));
	while (gpudx_json_next(&n->json))
		token(n);
	if (n->json.error && !n->told) {
		n->told = true;
		return gpudx_reject(c, n->json.error);
	}
	if (gpudx_json_whole(&n->json))
		put_errors(c, n);
	return n->told ? GPUDX_NOT_MINE : GPUDX_TAKEN;
}

/* ---- the parser ---- */

static enum gpudx_take nvlink_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct nvlink *n = gpudx_state(c);
	enum gpudx_take take;

	if (!gpudx_json_whole(&n->json) || sv_starts(sv_ltrim(line), "{"))
		return json_line(c, n, line);
	if (dcgmi_rule(line))
		return GPUDX_TAKEN;
	take = state_line(c, n, line);
	return take == GPUDX_NOT_MINE ? box_row(c, n, line) : take;
}

static void nvlink_begin(struct gpudx_ctx *c)
{
	struct nvlink *n = gpudx_state(c);

	n->gpu = -1;
	n->link = -1;
}

static void nvlink_finish(struct gpudx_ctx *c)
{
	put_errors(c, gpudx_state(c));
}

static bool is_states_head(struct gpudx_sv a, struct gpudx_sv b)
{
	unsigned count[256] = { 0 };
	uint64_t id;

	return (scan_owner(a, "gpuId ", &id) || scan_owner(a, "physicalId ", &id)) &&
	       scan_states(b, count);
}

static int nvlink_bid(const struct gpudx_head *head)
{
	for (size_t i = 0; i < head->n && i < 200; i++) {
		struct gpudx_sv s = head->lines[i].text;

		if (sv_has(s, "NVLINK Error Counts") || sv_has(s, "NvLink Link Status"))
			return 80;
		if (i && is_states_head(head->lines[i - 1].text, s))
			return 70;
	}
	return 0;
}

const struct gpudx_parser gpudx_parser_dcgmi_nvlink = {
	.name = "dcgmi-nvlink",
	.what = "dcgmi nvlink -s, dcgmi nvlink -e",
	.bid = nvlink_bid,
	.begin = nvlink_begin,
	.line = nvlink_line,
	.finish = nvlink_finish,
	.state_size = sizeof(struct nvlink),
	.flags = GPUDX_P_BYTES,
};
