/* /usr/local/cuda/version.json: an object of objects, one a part of the toolkit.
 *
 *   {
 *      "cuda" : {
 *         "name" : "CUDA SDK",
 *         "version" : "12.2.20230823"
 *      },
 *      "nvidia_driver" : { "name" : "NVIDIA Linux Driver", "version" : "535.104.05" },
 *
 * The third part of the toolkit's version is an update or a date, so it is left out; the driver is
 * the one that the toolkit brought along, not the one that runs. */
#include "base/json.h"
#include "parse/json_head.h"
#include "parse/package.h"

struct cuda_json {
	struct gpudx_json json;
	bool broken;
};

static void take(struct gpudx_ctx *c, const struct gpudx_json *j)
{
	struct gpudx_sv v = j->text;

	if (j->kind != GPUDX_JSON_STRING)
		return;
	if (gpudx_json_at(j, "cuda.version") && pkg_parts(v, 2).n)
		gpudx_fact(c, 0, "cuda.toolkit", "file", pkg_parts(v, 2));
	else if (gpudx_json_at(j, "cuda_nvcc.version") && pkg_parts(v, 3).n)
		gpudx_fact(c, 0, "cuda.nvcc", "file", pkg_parts(v, 3));
	else if (gpudx_json_at(j, "nvidia_driver.version") && pkg_parts(v, 4).n)
		gpudx_fact(c, 0, "cuda.toolkit_driver", "file", pkg_parts(v, 4));
}

static enum gpudx_take cuda_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct cuda_json *s = gpudx_state(c);

	if (s->broken || (gpudx_json_whole(&s->json) && !sv_starts(sv_ltrim(line), "{")))
		return GPUDX_NOT_MINE;
	gpudx_json_feed(&s->json, line, true);
	while (gpudx_json_next(&s->json))
		take(c, &s->json);
	if (!s->json.error)
		return GPUDX_TAKEN;
	s->broken = true;
	return gpudx_reject(c, s->json.error);
}

static int cuda_bid(const struct gpudx_head *head)
{
	return json_head_opens(head, '{') && json_head_has(head, "\"CUDA SDK\"") &&
			       json_head_has(head, "\"version\"")
		       ? 80
		       : 0;
}

const struct gpudx_parser gpudx_parser_cuda_json = {
	.name = "cuda-json",
	.what = "version.json of a CUDA toolkit",
	.bid = cuda_bid,
	.line = cuda_line,
	.state_size = sizeof(struct cuda_json),
};
