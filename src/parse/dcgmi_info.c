/* `dcgmi health -c`, `dcgmi discovery -l` and `dcgmi -v`:
 *
 *   | Health Monitor Report                                                                |
 *   | Overall Health            | Failure                                                  |
 *   | -> 0                      | Failure                                                  |
 *   |       -> Memory system    | Failure                                                  |
 *   |                           | A DBE was detected in GPU 0 ... over several rows        |
 *
 *   | GPU ID | Device Information                                                   |
 *   | 0      | Name: NVIDIA H100 80GB HBM3                                          |
 *   |        | PCI Bus ID: 00000000:19:00.0                                         |
 *   |        | Device UUID: GPU-...                                                 |
 *
 *   Version : 3.3.5
 *   Build ID : 12
 *   ...
 *   Hostengine build info:
 *   Version : 3.3.5
 *
 * Source: dcgmi/Health.cpp, Query.cpp, Version.cpp of NVIDIA/DCGM. */
#include "parse/dcgmi_box.h"
#include "parse/diag.h"

enum { TEXT = 512, SYSTEM = 64 };

enum part { PART_NONE, PART_HEALTH, PART_DISCOVERY };

struct info {
	enum part part;
	bool hostengine; /* of dcgmi -v: the versions of the daemon follow */
	/* health: the system at hand */
	uint32_t ref, line;
	enum diag_status status;
	char system[SYSTEM], message[TEXT];
	size_t system_n, message_n;
	/* discovery: the GPU at hand */
	int32_t idx;
	char name[SYSTEM], bdf[32];
	size_t name_n, bdf_n;
};

static void keep(char *to, size_t size, size_t *n, struct gpudx_sv s)
{
	if (*n && *n < size)
		to[(*n)++] = ' ';
	s = sv_first(s, size - *n);
	if (s.n)
		memcpy(to + *n, s.p, s.n);
	*n += s.n;
}

/* ---- health ---- */

static enum diag_status health_status(struct gpudx_sv s)
{
	return sv_is(s, "Healthy") ? DIAG_PASS : sv_is(s, "Warning") ? DIAG_WARN : diag_status(s);
}

static void put_health(struct gpudx_ctx *c, uint32_t ref, struct gpudx_sv s)
{
	char buf[16];

	s = sv_first(s, sizeof(buf));
	for (size_t i = 0; i < s.n; i++)
		buf[i] = sv_lower(s.p[i]);
	gpudx_fact(c, ref, "dcgm.health", "dcgmi", sv_n(buf, s.n));
}

static void end_system(struct gpudx_ctx *c, struct info *h)
{
	struct diag_result r = { .by = "dcgmi-health",
				 .status = h->status,
				 .test = sv_n(h->system, h->system_n),
				 .message = sv_n(h->message, h->message_n),
				 .line = h->line };

	diag_put(c, h->ref, &r);
	h->system_n = h->message_n = 0;
}

static void health_row(struct gpudx_ctx *c, struct info *h, struct gpudx_sv name,
		       struct gpudx_sv value)
{
	uint64_t id;

	if (!name.n) {
		keep(h->message, sizeof(h->message), &h->message_n, value);
		return;
	}
	end_system(c, h);
	if (sv_is(name, "Overall Health") && value.n) {
		put_health(c, 0, value);
		return;
	}
	if (!sv_lit(&name, "-> "))
		return;
	name = sv_trim(name);
	if (sv_u64(&name, &id) && !name.n && id < 4096) {
		h->ref = gpudx_ref_idx(c, (int32_t)id);
		if (value.n)
			put_health(c, h->ref, value);
	} else if (value.n && health_status(value) != DIAG_UNKNOWN) {
		h->status = health_status(value);
		keep(h->system, sizeof(h->system), &h->system_n, name);
		h->line = gpudx_this_line(c)->no;
		gpudx_cite(c);
	}
}

/* ---- discovery ---- */

static void end_gpu(struct gpudx_ctx *c, struct info *d, struct gpudx_sv uuid)
{
	struct gpudx_gpu_id id = GPUDX_GPU_NONE;
	uint32_t ref;

	if (d->idx < 0)
		return;
	id.idx = d->idx;
	gpudx_bdf_parse(sv_n(d->bdf, d->bdf_n), &id.bdf);
	id.uuid = uuid;
	ref = gpudx_ref(c, &id);
	if (d->name_n)
		gpudx_fact(c, ref, "gpu.name", "nvml", sv_n(d->name, d->name_n));
	d->idx = -1;
}

static void discovery_row(struct gpudx_ctx *c, struct info *d, struct gpudx_sv name,
			  struct gpudx_sv value)
{
	uint64_t id;

	if (sv_u64(&name, &id) && !name.n && id < 4096 && value.n) {
		end_gpu(c, d, sv_n(NULL, 0));
		d->idx = (int32_t)id;
		d->name_n = d->bdf_n = 0;
	}
	if (d->idx < 0)
		return;
	if (sv_lit(&value, "Name: "))
		keep(d->name, sizeof(d->name), &d->name_n, value);
	else if (sv_lit(&value, "PCI Bus ID: "))
		keep(d->bdf, sizeof(d->bdf), &d->bdf_n, value);
	else if (sv_lit(&value, "Device UUID: "))
		end_gpu(c, d, value);
}

/* ---- version ---- */

static enum gpudx_take version_line(struct gpudx_ctx *c, struct info *v, struct gpudx_sv line)
{
	static const char *const others[] = { "Build ID :",	  "Build Date :",  "Build Type :",
					      "Commit ID :",	  "Branch Name :", "CPU Arch :",
					      "Build Platform :", "CRC :" };
	struct gpudx_sv s = sv_trim(line);

	if (sv_is(s, "Hostengine build info:")) {
		v->hostengine = true;
		return GPUDX_TAKEN;
	}
	if (sv_lit(&s, "Version :")) {
		gpudx_fact(c, 0, "dcgm.version", v->hostengine ? "hostengine" : "dcgmi",
			   sv_trim(s));
		return GPUDX_TAKEN;
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (sv_starts(s, others[i]))
			return GPUDX_TAKEN;
	return GPUDX_NOT_MINE;
}

/* ---- the parser ---- */

static bool is_found(struct gpudx_sv s)
{
	uint64_t n;

	s = sv_trim(s);
	return sv_u64(&s, &n) &&
	       (sv_starts(s, " GPU") || sv_starts(s, " NvSwitch") || sv_starts(s, " ConnectX") ||
		sv_starts(s, " CPU")) &&
	       sv_ends(s, " found.");
}

static enum gpudx_take info_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct info *i = gpudx_state(c);
	struct gpudx_sv name, value;
	bool full;

	if (dcgmi_rule(line) || is_found(line))
		return GPUDX_TAKEN;
	if (!dcgmi_row(line, &name, &value, &full))
		return version_line(c, i, line);
	if (sv_is(name, "Health Monitor Report") || sv_has(value, "Health Monitor Report"))
		i->part = PART_HEALTH;
	else if (sv_is(name, "GPU ID") && sv_starts(value, "Device Information"))
		i->part = PART_DISCOVERY;
	else if (sv_ends(name, " ID"))
		i->part = PART_NONE;
	else if (i->part == PART_HEALTH)
		health_row(c, i, name, value);
	else if (i->part == PART_DISCOVERY)
		discovery_row(c, i, name, value);
	return GPUDX_TAKEN;
}

static void info_begin(struct gpudx_ctx *c)
{
	((struct info *)gpudx_state(c))->idx = -1;
}

static void info_finish(struct gpudx_ctx *c)
{
	struct info *i = gpudx_state(c);

	end_system(c, i);
	end_gpu(c, i, sv_n(NULL, 0));
}

static int info_bid(const struct gpudx_head *head)
{
	bool version = false, build = false;

	for (size_t i = 0; i < head->n && i < 100; i++) {
		struct gpudx_sv s = sv_trim(head->lines[i].text);

		if (sv_has(s, "| Health Monitor Report ") ||
		    (sv_has(s, "| GPU ID |") && sv_has(s, "Device Information")))
			return 80;
		version |= sv_starts(s, "Version : ");
		build |= sv_starts(s, "Build ID : ");
	}
	return version && build ? 70 : 0;
}

const struct gpudx_parser gpudx_parser_dcgmi_info = {
	.name = "dcgmi-info",
	.what = "dcgmi health, dcgmi discovery, dcgmi -v",
	.bid = info_bid,
	.begin = info_begin,
	.line = info_line,
	.finish = info_finish,
	.state_size = sizeof(struct info),
};
