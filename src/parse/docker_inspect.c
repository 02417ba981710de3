/* docker inspect, podman inspect: an array with one object a container or image.
 *
 *   [
 *     {
 *       "Id": "0123...",
 *       "Created": "2024-05-01T10:00:00.123456789Z",
 *       "State": { "Status": "exited", "ExitCode": 137, "OOMKilled": true,
 *                  "StartedAt": "2024-05-01T10:00:01Z", "FinishedAt": "2024-05-01T12:00:00Z" },
 *       "Name": "/train",
 *       "HostConfig": { "ShmSize": 67108864, "Runtime": "nvidia",
 *                       "DeviceRequests": [{ "Count": -1, "DeviceIDs": null }] },
 *       "Config": { "Image": "nvcr.io/nvidia/pytorch:23.09-py3",
 *                   "Env": ["NVIDIA_VISIBLE_DEVICES=all", "CUDA_VERSION=12.2.2.003"] }
 *     }
 *   ]
 *
 * Facts carry the name of the container as layer, versions of its image the layer "container".
 * Times are UTC. Source: moby, api/types/container. */
#include "base/json.h"
#include "parse/json_head.h"
#include "parse/package_block.h"

#include <stdio.h>

struct docker_inspect {
	struct gpudx_json json;
	bool broken;
	bool oom, has_exit; /* from here on: of the container at hand */
	double exit_code, shm;
	char name[PKG_BLOCK_TEXT], ref[200], runtime[PKG_BLOCK_TEXT], status[PKG_BLOCK_TEXT];
	char devices[PKG_BLOCK_TEXT], visible[PKG_BLOCK_TEXT], shm_text[24];
	struct gpudx_stamp started, finished;
};

static void begin_object(struct docker_inspect *d)
{
	size_t after = offsetof(struct docker_inspect, oom);

	memset((char *)d + after, 0, sizeof(*d) - after);
}

/* "2024-05-01T10:00:01.5Z"; "0001-01-01T00:00:00Z" is never. */
static struct gpudx_stamp scan_time(struct gpudx_sv s)
{
	struct gpudx_stamp t;

	return !sv_starts(s, "0001-") && gpudx_scan_iso(&s, &t) && !s.n ? t : GPUDX_NO_STAMP;
}

/* ---- environment ---- */

static const struct variable {
	const char *name, *key;
	unsigned parts; /* 0: the text as it is */
} variables[] = {
	{ "CUDA_VERSION", "cuda.toolkit", 2 },
	{ "NV_CUDNN_VERSION", "cudnn.version", 3 },
	{ "CUDNN_VERSION", "cudnn.version", 3 },
	{ "NCCL_VERSION", "nccl.version", 3 },
	{ "NV_LIBNCCL_PACKAGE_VERSION", "nccl.version", 3 },
	{ "TRT_VERSION", "tensorrt.version", 3 },
	{ "TENSORRT_VERSION", "tensorrt.version", 3 },
	{ "PYTORCH_VERSION", "torch.version", 0 },
	{ "CUDA_DRIVER_VERSION", "cuda.toolkit_driver", 4 },
	{ "NVIDIA_PYTORCH_VERSION", "container.release", 0 },
	{ "NVIDIA_TENSORFLOW_VERSION", "container.release", 0 },
	{ "NVIDIA_TRITON_SERVER_VERSION", "container.release", 0 },
	{ "TRITON_SERVER_VERSION", "triton.version", 0 },
	{ "NVIDIA_REQUIRE_CUDA", "container.require_cuda", 0 },
};

static void take_env(struct gpudx_ctx *c, struct docker_inspect *d, struct gpudx_sv s)
{
	struct gpudx_sv name, v;

	if (!sv_until(&s, "=", &name) || !s.n)
		return;
	if (sv_is(name, "NVIDIA_VISIBLE_DEVICES"))
		text_keep(d->visible, PKG_BLOCK_TEXT, s);
	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) {
		if (!sv_is(name, variables[i].name))
			continue;
		v = variables[i].parts ? pkg_parts(s, variables[i].parts) : s;
		if (v.n)
			gpudx_fact(c, 0, variables[i].key, "container", v);
	}
}

/* ---- one container ---- */

static const struct text {
	const char *path;
	size_t at, size;
} texts[] = {
#define TEXT(path, member)                                           \
	{                                                            \
		path, offsetof(struct docker_inspect, member),       \
			sizeof(((struct docker_inspect *)0)->member) \
	}
	TEXT("[].Name", name),
	TEXT("[].Config.Image", ref),
	TEXT("[].RepoTags[]", ref),
	TEXT("[].State.Status", status),
	TEXT("[].HostConfig.Runtime", runtime),
	TEXT("[].HostConfig.DeviceRequests[].DeviceIDs[]", devices),
#undef TEXT
};

static bool take_text(struct docker_inspect *d)
{
	struct gpudx_sv v = d->json.text;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		if (d->json.kind != GPUDX_JSON_STRING || !gpudx_json_at(&d->json, texts[i].path))
			continue;
		sv_char(&v, '/'); /* in front of names */
		text_keep((char *)d + texts[i].at, texts[i].size, v);
		return true;
	}
	return false;
}

static void take_value(struct gpudx_ctx *c, struct docker_inspect *d)
{
	static const char *const paths[] = {
		"[].Config.Env[]",
		"[].State.ExitCode",
		"[].State.OOMKilled",
		"[].State.StartedAt",
		"[].State.FinishedAt",
		"[].HostConfig.ShmSize",
		"[].HostConfig.DeviceRequests[].Count",
	};
	const struct gpudx_json *j = &d->json;
	struct gpudx_sv v = j->text;

	switch (gpudx_json_find(j, paths, sizeof(paths) / sizeof(paths[0]))) {
	case 0:
		take_env(c, d, v);
		break;
	case 1:
		d->has_exit = j->kind == GPUDX_JSON_NUMBER;
		d->exit_code = j->num;
		break;
	case 2:
		d->oom = sv_is(v, "true");
		break;
	case 3:
		d->started = scan_time(v);
		break;
	case 4:
		d->finished = scan_time(v);
		break;
	case 5:
		d->shm = j->kind == GPUDX_JSON_NUMBER ? j->num : 0;
		break;
	case 6:
		if (j->kind == GPUDX_JSON_NUMBER && j->num < 0)
			text_keep(d->devices, sizeof(d->devices), SV_LIT("all"));
		break;
	default:
		break;
	}
}

static void put(struct gpudx_ctx *c, const char *key, struct gpudx_sv layer, struct gpudx_sv value)
{
	struct gpudx_fact f = { .key = sv_str(key), .layer = layer, .value = value };

	if (value.n)
		gpudx_put_fact(c, &f);
}

static void put_shm(struct gpudx_ctx *c, struct docker_inspect *d, struct gpudx_sv layer)
{
	struct gpudx_fact f = { .key = SV("container.shm_mib"), .layer = layer };
	int n;

	if (!(d->shm > 0 && d->shm < 1e16))
		return;
	f.has_num = true;
	f.num = d->shm / 1048576;
	n = snprintf(d->shm_text, sizeof(d->shm_text), "%.12g", f.num);
	f.value = sv_n(d->shm_text, n > 0 ? (size_t)n : 0);
	gpudx_put_fact(c, &f);
}

/* It ended, and how. */
static void put_stop(struct gpudx_ctx *c, const struct docker_inspect *d)
{
	struct gpudx_event e =
		gpudx_event_of(sv_str(d->oom ? "container.oom_killed" : "container.stopped"),
			       d->finished, sv_str(d->name));
	char code[16];

	if (d->finished.kind == GPUDX_STAMP_NONE || !d->has_exit ||
	    sv_is(sv_str(d->status), "running"))
		return;
	snprintf(code, sizeof(code), "%d",
		 d->exit_code >= 0 && d->exit_code <= 255 ? (int)d->exit_code : -1);
	e.attrs[e.nattrs++] = (struct gpudx_attr){ SV_LIT("exit_code"), sv_str(code) };
	e.attrs[e.nattrs++] = (struct gpudx_attr){ SV_LIT("image"), sv_str(d->ref) };
	gpudx_put_event(c, &e);
}

static void put_start(struct gpudx_ctx *c, const struct docker_inspect *d)
{
	struct gpudx_event e =
		gpudx_event_of(SV_LIT("container.started"), d->started, sv_str(d->name));

	if (d->started.kind == GPUDX_STAMP_NONE)
		return;
	e.attrs[e.nattrs++] = (struct gpudx_attr){ SV_LIT("image"), sv_str(d->ref) };
	gpudx_put_event(c, &e);
}

static void end_object(struct gpudx_ctx *c, struct docker_inspect *d)
{
	struct gpudx_sv layer = sv_str(d->name);

	put(c, "container.image", layer, sv_str(d->ref));
	put(c, "container.runtime", layer, sv_str(d->runtime));
	put(c, "container.gpus", layer, sv_str(d->devices[0] ? d->devices : d->visible));
	put_shm(c, d, layer);
	put_start(c, d);
	put_stop(c, d);
}

/* ---- the parser ---- */

static void take(struct gpudx_ctx *c, struct docker_inspect *d)
{
	const struct gpudx_json *j = &d->json;

	if (j->kind == GPUDX_JSON_OBJECT && sv_is(gpudx_json_path(j), "[]"))
		begin_object(d);
	else if (j->kind == GPUDX_JSON_OBJECT_END && sv_is(gpudx_json_path(j), "[]"))
		end_object(c, d);
	else if (j->kind == GPUDX_JSON_STRING || j->kind == GPUDX_JSON_NUMBER ||
		 j->kind == GPUDX_JSON_LITERAL) {
		if (!take_text(d))
			take_value(c, d);
	}
}

static enum gpudx_take inspect_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct docker_inspect *d = gpudx_state(c);

	if (d->broken || (gpudx_json_whole(&d->json) && !sv_starts(sv_ltrim(line), "[")))
		return GPUDX_NOT_MINE;
	gpudx_json_feed(&d->json, line, true);
	while (gpudx_json_next(&d->json))
		take(c, d);
	if (!d->json.error)
		return GPUDX_TAKEN;
	d->broken = true;
	return gpudx_reject(c, d->json.error);
}

static int inspect_bid(const struct gpudx_head *head)
{
	if (!json_head_opens(head, '[') || !json_head_has(head, "\"Id\""))
		return 0;
	return (json_head_has(head, "\"State\"") && json_head_has(head, "\"HostConfig\"")) ||
			       (json_head_has(head, "\"RepoTags\"") &&
				(json_head_has(head, "\"RootFS\"") ||
				 json_head_has(head, "\"RepoDigests\""))) ||
			       (json_head_has(head, "\"StartedAt\"") &&
				json_head_has(head, "\"Image\""))
		       ? 80
		       : 0;
}

const struct gpudx_parser gpudx_parser_docker_inspect = {
	.name = "docker-inspect",
	.what = "docker inspect of containers and images",
	.bid = inspect_bid,
	.line = inspect_line,
	.state_size = sizeof(struct docker_inspect),
};
