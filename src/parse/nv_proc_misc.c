/* The small files under /proc/driver/nvidia, known by their paths:
 *
 *   Binary: ""                                  registry, gpus/ADDRESS/registry
 *   suspend hibernate resume                    suspend
 *   DeviceFileMinor: 3                          capabilities/...
 *   This is an experimental ...                 warnings/NAME, patches/NAME
 *
 * Source: open modules, kernel-open/nvidia/nv-procfs.c, nv-caps.c. */
#include "parse/tool.h"

enum file { NONE, REGISTRY, SUSPEND, CAPABILITY, WARNING, PATCH };

enum { TEXT_LINES = 8 };

struct misc {
	enum file file;
	unsigned lines; /* of text so far */
};

static const struct {
	const char *part;
	enum file file;
} parts[] = {
	{ "/registry", REGISTRY },	  { "/suspend", SUSPEND },   { "/suspend_depth", SUSPEND },
	{ "/capabilities/", CAPABILITY }, { "/warnings/", WARNING }, { "/patches/", PATCH },
};

static enum file file_of(struct gpudx_sv path)
{
	struct gpudx_sv skipped;

	if (!sv_until(&path, "driver/nvidia", &skipped))
		return NONE;
	/* The file that says what the others are for. */
	if (sv_ends(path, "/README"))
		return NONE;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (sv_has(path, parts[i].part))
			return parts[i].file;
	return NONE;
}

static bool registry(struct gpudx_ctx *c, struct gpudx_sv s)
{
	if (!sv_lit(&s, "Binary: \""))
		return false;
	s = sv_first(s, sv_index(s, '"'));
	if (s.n)
		gpudx_fact(c, 0, "driver.registry_binary", "proc", s);
	return true;
}

static enum gpudx_take misc_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct misc *m = gpudx_state(c);
	struct gpudx_sv s = sv_trim(line);
	bool taken = false;

	if (m->file == REGISTRY) {
		taken = registry(c, s);
	} else if (m->file == SUSPEND) {
		taken = sv_is(s, "suspend hibernate resume") || sv_starts(s, "default ");
	} else if (m->file == CAPABILITY) {
		taken = sv_starts(s, "DeviceFile");
	} else if ((m->file == WARNING || m->file == PATCH) && m->lines++ < TEXT_LINES &&
		   !sv_starts(s, "____") && !sv_starts(s, "***")) {
		gpudx_fact(c, 0, m->file == WARNING ? "driver.warning" : "driver.patch", "proc", s);
		taken = true;
	}
	return taken ? GPUDX_TAKEN : GPUDX_NOT_MINE;
}

static void misc_begin(struct gpudx_ctx *c)
{
	struct misc *m = gpudx_state(c);

	m->file = file_of(gpudx_command(c));
	if (m->file == NONE)
		m->file = file_of(gpudx_path(c));
}

static int misc_bid(const struct gpudx_head *head)
{
	return file_of(head->command) != NONE || file_of(head->path) != NONE ? 60 : 0;
}

const struct gpudx_parser gpudx_parser_nv_proc_misc = {
	.name = "nv-proc-misc",
	.what = "registry, suspend, capabilities, warnings under /proc/driver/nvidia",
	.bid = misc_bid,
	.begin = misc_begin,
	.line = misc_line,
	.state_size = sizeof(struct misc),
};
