/* What container tools say of themselves and of the driver: docker version, docker info,
 * nvidia-container-cli info, nvidia-ctk, singularity, apptainer, enroot; docker ps.
 *
 *   Client: Docker Engine - Community
 *    Version:           24.0.7
 *   Server: Docker Engine - Community
 *    Engine:
 *     Version:          24.0.7
 *
 *    Server Version: 24.0.7
 *    Runtimes: io.containerd.runc.v2 nvidia runc
 *    Default Runtime: runc
 *    Cgroup Driver: systemd
 *
 *   NVRM version:   535.154.05
 *   CUDA version:   12.2
 *   Device Index:   0
 *   Model:          NVIDIA A100-SXM4-80GB
 *   GPU UUID:       GPU-11111111-2222-3333-4444-555555555555
 *   Bus Location:   00000000:3b:00.0
 *
 *   Docker version 24.0.7, build afdd53b
 *   NVIDIA Container Toolkit CLI version 1.14.3
 *   apptainer version 1.2.5-1.el9
 *
 *   CONTAINER ID   IMAGE                              COMMAND    CREATED       STATUS       NAMES
 *
 * Source: docker/cli, cli/command/system; libnvidia-container, src/cli/info.c. */
#include "parse/package.h"
#include "parse/text.h"

struct container_tool {
	enum { IN_NONE, IN_CLIENT, IN_ENGINE, IN_OTHER, IN_INFO, IN_TABLE } in;
	struct gpudx_gpu_id gpu; /* nvidia-container-cli: of the device at hand */
	char model[96];
	uint32_t model_line;
	char uuid[48];
	size_t image_at; /* column of a table */
	bool device;
};

/* ---- nvidia-container-cli info ---- */

static void put_device(struct gpudx_ctx *c, struct container_tool *t)
{
	struct gpudx_fact f = { .key = SV_LIT("gpu.name"), .layer = SV_LIT("nvml") };

	if (t->device && t->model[0]) {
		f.ref = gpudx_ref(c, &t->gpu);
		f.value = sv_str(t->model);
		f.line = t->model_line;
		gpudx_put_fact(c, &f);
	}
	t->device = false;
}

static void begin_device(struct gpudx_ctx *c, struct container_tool *t, struct gpudx_sv v)
{
	uint64_t idx;

	put_device(c, t);
	t->gpu = GPUDX_GPU_NONE;
	t->model[0] = t->uuid[0] = 0;
	if (!sv_u64(&v, &idx) || idx > 65535)
		return;
	t->gpu.idx = (int32_t)idx;
	t->device = true;
}

static bool cli_line(struct gpudx_ctx *c, struct container_tool *t, struct gpudx_sv s)
{
	struct gpudx_sv key, v;

	if (!sv_until(&s, ":", &key))
		return false;
	v = sv_trim(s);
	if (sv_is(key, "NVRM version")) {
		if (pkg_parts(v, 4).n)
			gpudx_fact(c, 0, "driver.version", "nvml", pkg_parts(v, 4));
	} else if (sv_is(key, "CUDA version")) {
		if (pkg_parts(v, 2).n)
			gpudx_fact(c, 0, "cuda.driver_max", "nvml", pkg_parts(v, 2));
	} else if (sv_is(key, "Device Index")) {
		begin_device(c, t, v);
	} else if (sv_is(key, "Model")) {
		text_keep(t->model, sizeof(t->model), v);
		t->model_line = gpudx_this_line(c)->no;
		gpudx_cite(c);
	} else if (sv_is(key, "GPU UUID")) {
		text_keep(t->uuid, sizeof(t->uuid), v);
		t->gpu.uuid = sv_str(t->uuid);
	} else if (sv_is(key, "Bus Location")) {
		gpudx_bdf_parse(v, &t->gpu.bdf);
	} else {
		return sv_is(key, "Device Minor") || sv_is(key, "Brand") ||
		       sv_is(key, "Architecture");
	}
	return true;
}

/* ---- docker version and docker info ---- */

static const struct label {
	const char *text, *key, *layer;
} labels[] = {
	{ "Server Version: ", "docker.version", "engine" },
	{ "Runtimes: ", "docker.runtimes", "engine" },
	{ "Default Runtime: ", "docker.default_runtime", "engine" },
	{ "Cgroup Driver: ", "docker.cgroup_driver", "engine" },
	{ "Cgroup Version: ", "docker.cgroup_version", "engine" },
	{ "Kernel Version: ", "kernel.release", "docker" },
	{ "Operating System: ", "host.os", "docker" },
	{ "Name: ", "host.name", "docker" },
};

static const char *const ignored[] = {
	"Context:",
	"Debug Mode:",
	"Plugins:",
	"Containers:",
	"Running:",
	"Paused:",
	"Stopped:",
	"Images:",
	"Storage Driver:",
	"Backing Filesystem:",
	"Supports d_type:",
	"Using metacopy:",
	"Native Overlay Diff:",
	"userxattr:",
	"Logging Driver:",
	"Volume:",
	"Network:",
	"Log:",
	"Swarm:",
	"Init Binary:",
	"containerd version:",
	"runc version:",
	"init version:",
	"Security Options:",
	"OSType:",
	"Architecture:",
	"CPUs:",
	"Total Memory:",
	"ID:",
	"Docker Root Dir:",
	"Registry:",
	"Labels:",
	"Experimental:",
	"Insecure Registries:",
	"Live Restore Enabled:",
	"API version:",
	"Go version:",
	"Git commit:",
	"Built:",
	"OS/Arch:",
	"GitCommit:",
	"seccomp",
	"apparmor",
	"Profile:",
	"127.0.0.0/8",
	"cgroupns",
	"CDI spec directories:",
	"HTTP Proxy:",
	"HTTPS Proxy:",
	"No Proxy:",
	"buildx:",
	"compose:",
	"Path:",
	"Product License:",
	"Registry Mirrors:",
	"Username:",
	"Minimum API version:",
	"Discovered Devices:",
	"cdi:",
	"Cgroup",
};

static bool is_ignored(struct gpudx_sv s)
{
	return text_starts_any(s, ignored, sizeof(ignored) / sizeof(ignored[0])) ||
	       sv_starts(s, "/etc/cdi") || sv_starts(s, "/var/run/cdi") ||
	       sv_starts(s, "WARNING: ");
}

static bool docker_line(struct gpudx_ctx *c, struct container_tool *t, struct gpudx_sv line)
{
	struct gpudx_sv s = sv_trim(line);

	if (sv_starts(s, "Client:") || sv_starts(s, "Server:")) {
		t->in = sv_starts(s, "Client:") ? IN_CLIENT : IN_INFO;
		return true;
	}
	if (t->in == IN_NONE || t->in == IN_TABLE)
		return false;
	if (sv_is(s, "Engine:") || sv_is(s, "containerd:") || sv_is(s, "runc:") ||
	    sv_is(s, "nvidia:") || sv_is(s, "docker-init:") || sv_is(s, "crun:")) {
		t->in = sv_is(s, "Engine:") ? IN_ENGINE : IN_OTHER;
		return true;
	}
	if (sv_lit(&s, "Version:")) {
		s = sv_trim(s);
		if (t->in != IN_OTHER && pkg_parts(s, 3).n)
			gpudx_fact(c, 0, "docker.version", t->in == IN_ENGINE ? "engine" : "client",
				   pkg_parts(s, 3));
		return true;
	}
	for (size_t i = 0; i < sizeof(labels) / sizeof(labels[0]); i++) {
		if (!sv_lit(&s, labels[i].text))
			continue;
		if (sv_trim(s).n && t->in != IN_CLIENT)
			gpudx_fact(c, 0, labels[i].key, labels[i].layer, sv_trim(s));
		return true;
	}
	return is_ignored(s);
}

/* ---- one line that says a version ---- */

static const struct banner {
	const char *text, *key, *layer;
} banners[] = {
	{ "Docker version ", "docker.version", "client" },
	{ "podman version ", "podman.version", "tool" },
	{ "NVIDIA Container Toolkit CLI version ", "container_toolkit.version", "tool" },
	{ "NVIDIA Container Runtime version ", "container_toolkit.version", "tool" },
	{ "NVIDIA Container Runtime Hook version ", "container_toolkit.version", "tool" },
	{ "cli-version: ", "libnvidia_container.version", "tool" },
	{ "lib-version: ", "libnvidia_container.version", "tool" },
	{ "singularity-ce version ", "singularity.version", "tool" },
	{ "singularity version ", "singularity.version", "tool" },
	{ "apptainer version ", "singularity.version", "tool" },
	{ "enroot version ", "enroot.version", "tool" },
};

/* c NULL: only look. */
static bool banner_line(struct gpudx_ctx *c, struct gpudx_sv s)
{
	for (size_t i = 0; i < sizeof(banners) / sizeof(banners[0]); i++) {
		struct gpudx_sv v = s;

		if (!sv_lit(&v, banners[i].text) || !pkg_parts(v, 3).n)
			continue;
		if (c)
			gpudx_fact(c, 0, banners[i].key, banners[i].layer, pkg_parts(v, 3));
		return true;
	}
	return false;
}

/* ---- docker ps ---- */

static bool is_table_head(struct gpudx_sv s)
{
	return sv_starts(s, "CONTAINER ID  ") && sv_has(s, "  IMAGE ") && sv_has(s, "COMMAND");
}

static bool is_hex_id(struct gpudx_sv s)
{
	for (size_t i = 0; i < s.n; i++)
		if (sv_hex_value(s.p[i]) < 0)
			return false;
	return s.n == 12 || s.n == 64;
}

static bool ps_line(struct gpudx_ctx *c, struct container_tool *t, struct gpudx_sv line)
{
	struct gpudx_sv id, image, name, s = line;
	struct gpudx_fact f = { .key = SV("container.image") };

	if (t->in != IN_TABLE || !sv_token(&s, &id) || !is_hex_id(id))
		return false;
	s = sv_from(line, t->image_at);
	if (!sv_token(&s, &image))
		return true;
	for (name = sv_rtrim(s); name.n && !sv_is_space(name.p[name.n - 1]); name.n--)
		;
	f.layer = sv_trim(sv_from(sv_rtrim(s), name.n));
	f.value = image;
	gpudx_put_fact(c, &f);
	return true;
}

/* ---- the parser ---- */

static enum gpudx_take tool_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct container_tool *t = gpudx_state(c);
	struct gpudx_sv s = sv_trim(line);

	if (is_table_head(s)) {
		t->in = IN_TABLE;
		t->image_at = sv_find(line, "  IMAGE ") + 2;
		return GPUDX_TAKEN;
	}
	if (banner_line(c, s) || ps_line(c, t, line) || cli_line(c, t, s) ||
	    docker_line(c, t, line))
		return GPUDX_TAKEN;
	return GPUDX_NOT_MINE;
}

static void tool_finish(struct gpudx_ctx *c)
{
	put_device(c, gpudx_state(c));
}

static bool tool_starts(struct gpudx_sv line)
{
	return is_table_head(line) || banner_line(NULL, line) ||
	       sv_starts(line, "NVRM version:   ") || sv_starts(line, "Client: Docker Engine");
}

static int tool_bid(const struct gpudx_head *head)
{
	bool server = false, version = false, nvrm = false, device = false;

	for (size_t i = 0; i < head->n && i < 60; i++) {
		struct gpudx_sv line = head->lines[i].text, s = sv_trim(line);

		if (is_table_head(s) || sv_starts(s, "Client: Docker Engine") ||
		    (i < 3 && banner_line(NULL, s)))
			return 80;
		nvrm |= sv_starts(s, "NVRM version:") && !sv_has(s, "NVIDIA UNIX");
		device |= sv_starts(s, "Device Index:");
		server |= sv_starts(s, "Server:") || sv_starts(s, "Client:");
		version |= sv_starts(s, "Server Version: ") || sv_starts(s, "API version: ");
	}
	return (nvrm && device) || (server && version) ? 80 : 0;
}

const struct gpudx_parser gpudx_parser_container_tool = {
	.name = "container-tool",
	.what = "docker version, info and ps, nvidia-container-cli info, other container tools",
	.bid = tool_bid,
	.starts = tool_starts,
	.line = tool_line,
	.finish = tool_finish,
	.state_size = sizeof(struct container_tool),
};
