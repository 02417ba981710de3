/* python -m torch.utils.collect_env, and vLLM's longer one: what PyTorch sees of its machine.
 *
 *   Collecting environment information...
 *   PyTorch version: 2.1.0+cu121
 *   CUDA used to build PyTorch: 12.1
 *   OS: Ubuntu 22.04.3 LTS (x86_64)
 *   Python platform: Linux-5.15.0-91-generic-x86_64-with-glibc2.35
 *   Is CUDA available: True
 *   CUDA runtime version: 12.1.105
 *   GPU models and configuration:
 *   GPU 0: NVIDIA A100-SXM4-80GB
 *   Nvidia driver version: 535.154.05
 *   cuDNN version: Probably one of the following:
 *   /usr/lib/x86_64-linux-gnu/libcudnn.so.8.9.2
 *   Versions of relevant libraries:
 *   [pip3] torch==2.1.0+cu121
 *   [conda] pytorch    2.1.0   py3.10_cuda12.1_cudnn8.9.2_0    pytorch
 *
 * The runtime version is nvcc's, the driver's comes from nvidia-smi. What the script could not run
 * is "Could not collect": unknown. Source: torch/utils/collect_env.py; vllm/collect_env.py. */
#include "parse/package.h"

struct collect_env {
	bool gpus;    /* lines of GPUs follow */
	bool drivers; /* more lines of driver versions follow */
	bool cudnn;   /* lines of paths follow */
	bool cpu;     /* lscpu's lines follow */
};

enum what {
	WHAT_OTHER,
	WHAT_TORCH,
	WHAT_TORCH_CUDA,
	WHAT_AVAILABLE,
	WHAT_NVCC,
	WHAT_GPUS,
	WHAT_DRIVER,
	WHAT_CUDNN,
	WHAT_PLATFORM,
	WHAT_PYTHON,
	WHAT_CPU,
	WHAT_TEXT
};

static const struct key {
	const char *name;
	enum what what;
	const char *fact; /* WHAT_TEXT: where the text goes */
} keys[] = {
	{ "PyTorch version", WHAT_TORCH, NULL },
	{ "TorchVision version", WHAT_OTHER, NULL },
	{ "Is debug build", WHAT_OTHER, NULL },
	{ "CUDA used to build PyTorch", WHAT_TORCH_CUDA, NULL },
	{ "ROCM used to build PyTorch", WHAT_OTHER, NULL },
	{ "XPU used to build PyTorch", WHAT_OTHER, NULL },
	{ "OS", WHAT_TEXT, "host.os" },
	{ "GCC version", WHAT_OTHER, NULL },
	{ "Clang version", WHAT_OTHER, NULL },
	{ "CMake version", WHAT_OTHER, NULL },
	{ "Libc version", WHAT_TEXT, "host.libc" },
	{ "Python version", WHAT_PYTHON, NULL },
	{ "Python platform", WHAT_PLATFORM, NULL },
	{ "Is CUDA available", WHAT_AVAILABLE, NULL },
	{ "CUDA runtime version", WHAT_NVCC, NULL },
	{ "CUDA_MODULE_LOADING set to", WHAT_OTHER, NULL },
	{ "GPU models and configuration", WHAT_GPUS, NULL },
	{ "Nvidia driver version", WHAT_DRIVER, NULL },
	{ "cuDNN version", WHAT_CUDNN, NULL },
	{ "Is XPU available", WHAT_OTHER, NULL },
	{ "HIP runtime version", WHAT_OTHER, NULL },
	{ "MIOpen runtime version", WHAT_OTHER, NULL },
	{ "Is XNNPACK available", WHAT_OTHER, NULL },
	{ "Caching allocator config", WHAT_OTHER, NULL },
	{ "CPU", WHAT_CPU, NULL },
	{ "Versions of relevant libraries", WHAT_OTHER, NULL },
	{ "ROCM Version", WHAT_OTHER, NULL },
	{ "Neuron SDK Version", WHAT_OTHER, NULL },
	{ "Aphrodite Version", WHAT_OTHER, NULL },
	{ "vLLM Version", WHAT_TEXT, "vllm.version" },
	{ "vLLM Build Flags", WHAT_OTHER, NULL },
	{ "CUDA Archs", WHAT_OTHER, NULL },
	{ "GPU Topology", WHAT_OTHER, NULL },
};

/* "Key: value", in vLLM's tables "Key      : value". */
static const struct key *scan_key(struct gpudx_sv s, struct gpudx_sv *value)
{
	struct gpudx_sv key = sv_first(s, sv_index(s, ':'));

	if (key.n == s.n)
		return NULL;
	*value = sv_trim(sv_from(s, key.n + 1));
	key = sv_trim(key);
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (sv_is(key, keys[i].name))
			return &keys[i];
	return NULL;
}

static bool is_known(struct gpudx_sv v)
{
	return v.n && !sv_is(v, "Could not collect") && !sv_is(v, "N/A") && !sv_is(v, "Unknown") &&
	       !sv_is(v, "No CUDA");
}

/* ---- values ---- */

static bool is_driver(struct gpudx_sv v)
{
	return pkg_parts(v, 4).n == v.n && v.n >= 5 && sv_is_digit(v.p[2]);
}

/* "Linux-5.15.0-91-generic-x86_64-with-glibc2.35" */
static void put_platform(struct gpudx_ctx *c, struct gpudx_sv v)
{
	static const char *const machines[] = { "-x86_64-with", "-aarch64-with", "-ppc64le-with" };
	size_t end = v.n;

	if (!sv_lit(&v, "Linux-"))
		return;
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
		size_t at = sv_find(v, machines[i]);

		end = at < v.n ? at : end;
	}
	if (end < v.n)
		gpudx_fact(c, 0, "kernel.release", "python", sv_first(v, end));
}

/* ".../libcudnn.so.8.9.2", "...cudnn64_8.dll": only a full version says something. */
static void put_cudnn(struct gpudx_ctx *c, struct gpudx_sv path)
{
	struct gpudx_sv v = path, skipped;

	if (!sv_until(&v, "libcudnn.so.", &skipped))
		return;
	v = pkg_parts(v, 3);
	if (v.n)
		gpudx_fact(c, 0, "cudnn.version", "library", v);
}

/* "GPU 0: NVIDIA A100-SXM4-80GB"; older ones leave the UUID behind the name. */
static bool gpu_line(struct gpudx_ctx *c, struct gpudx_sv s)
{
	struct gpudx_gpu_id id = GPUDX_GPU_NONE;
	struct gpudx_sv uuid;
	uint64_t idx;

	if (!sv_lit(&s, "GPU ") || !sv_u64(&s, &idx) || idx > 65535 || !sv_lit(&s, ": "))
		return false;
	id.idx = (int32_t)idx;
	if (sv_ends(s, ")") && sv_has(s, " (UUID: GPU-")) {
		uuid = sv_from(s, sv_find(s, " (UUID: ") + strlen(" (UUID: "));
		id.uuid = sv_first(uuid, uuid.n - 1);
		s = sv_first(s, sv_find(s, " (UUID: "));
	}
	gpudx_fact(c, gpudx_ref(c, &id), "gpu.name", "nvml", sv_trim(s));
	return true;
}

static void put_torch(struct gpudx_ctx *c, struct gpudx_sv v)
{
	gpudx_fact(c, 0, "torch.version", "python", v);
	pkg_torch_wheel(c, v);
}

/* "9.0.176" -> "9.0": what the kernels are built for; the rest is the compiler's. */
static void put_cuda(struct gpudx_ctx *c, const char *key, const char *layer, struct gpudx_sv v)
{
	v = pkg_parts(v, 2);
	if (v.n)
		gpudx_fact(c, 0, key, layer, v);
}

static void put_yes_no(struct gpudx_ctx *c, struct gpudx_sv v)
{
	if (sv_is(v, "True") || sv_is(v, "Yes"))
		gpudx_fact(c, 0, "torch.cuda_available", "python", SV_LIT("yes"));
	else if (sv_is(v, "False") || sv_is(v, "No"))
		gpudx_fact(c, 0, "torch.cuda_available", "python", SV_LIT("no"));
}

static void take_value(struct gpudx_ctx *c, struct collect_env *e, const struct key *k,
		       struct gpudx_sv v)
{
	struct gpudx_sv word = v;

	e->gpus = k->what == WHAT_GPUS;
	e->drivers = k->what == WHAT_DRIVER;
	e->cudnn = k->what == WHAT_CUDNN;
	e->cpu = k->what == WHAT_CPU;
	if (k->what == WHAT_TORCH_CUDA && (sv_is(v, "None") || sv_is(v, "Could not collect")))
		gpudx_fact(c, 0, "torch.cuda", "python", SV_LIT("none"));
	if (!is_known(v) || sv_is(v, "None"))
		return;
	if (k->what == WHAT_TORCH)
		put_torch(c, v);
	else if (k->what == WHAT_TORCH_CUDA)
		put_cuda(c, "torch.cuda", "python", v);
	else if (k->what == WHAT_AVAILABLE)
		put_yes_no(c, v);
	else if (k->what == WHAT_NVCC)
		put_cuda(c, "cuda.toolkit", "nvcc", v);
	else if (k->what == WHAT_GPUS)
		gpu_line(c, v);
	else if (k->what == WHAT_DRIVER && is_driver(v))
		gpudx_fact(c, 0, "driver.version", "nvml", v);
	else if (k->what == WHAT_CUDNN)
		put_cudnn(c, v);
	else if (k->what == WHAT_PLATFORM)
		put_platform(c, v);
	else if (k->what == WHAT_PYTHON && sv_token(&word, &v))
		gpudx_fact(c, 0, "python.version", "python", v);
	else if (k->what == WHAT_TEXT)
		gpudx_fact(c, 0, k->fact, "python", v);
}

/* ---- lines without a key of ours ---- */

/* "[pip3] torch==2.1.0", "[conda] torch 2.1.0 pypi_0 pypi", "[pip] Could not collect" */
static bool library_line(struct gpudx_ctx *c, struct gpudx_sv s)
{
	struct pkg p = { .name = { NULL, 0 } };
	struct gpudx_sv channel;
	bool conda = sv_lit(&s, "[conda] ");

	if (!conda && !sv_lit(&s, "[pip3] ") && !sv_lit(&s, "[pip] "))
		return false;
	s = sv_trim(s);
	if (!conda) {
		if (sv_until(&s, "==", &p.name)) {
			p.version = sv_trim(s);
			pkg_installed(c, PKG_PIP, &p);
		}
		return true;
	}
	if (sv_token(&s, &p.name) && sv_spaces(&s) && sv_token(&s, &p.version) && sv_spaces(&s)) {
		sv_token(&s, &p.build);
		channel = sv_trim(s);
		if (sv_is_digit(p.version.p[0]))
			pkg_installed(c,
				      sv_is(channel, "pypi") || sv_is(p.build, "pypi_0")
					      ? PKG_PIP
					      : PKG_CONDA,
				      &p);
	}
	return true;
}

/* "======" and the titles between: vLLM's. */
static bool is_ornament(struct gpudx_sv s)
{
	static const char *const titles[] = { "System Info",
					      "PyTorch Info",
					      "Python Environment",
					      "CUDA / GPU Info",
					      "CPU Info",
					      "vLLM Info",
					      "Environment Variables",
					      "Versions of relevant libraries",
					      "Your output of `python collect_env.py` here" };
	size_t bar = 0;

	while (bar < s.n && s.p[bar] == '=')
		bar++;
	if (bar == s.n)
		return bar > 8;
	for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++)
		if (sv_is(s, titles[i]))
			return true;
	return false;
}

static enum gpudx_take env_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct collect_env *e = gpudx_state(c);
	struct gpudx_sv s = sv_trim(line), v;
	const struct key *k = scan_key(s, &v);

	if (k) {
		take_value(c, e, k, v);
		return GPUDX_TAKEN;
	}
	if (sv_starts(s, "Collecting environment information..."))
		return GPUDX_TAKEN;
	if (e->gpus && (gpu_line(c, s) || sv_starts(s, "MIG ")))
		return GPUDX_TAKEN;
	if (e->drivers && is_driver(s)) {
		gpudx_fact(c, 0, "driver.version", "nvml", s);
		return GPUDX_TAKEN;
	}
	if (e->cudnn && sv_has(s, "cudnn")) {
		put_cudnn(c, s);
		return GPUDX_TAKEN;
	}
	if (library_line(c, s))
		return GPUDX_TAKEN;
	if (is_ornament(s)) {
		e->cpu = false;
		return GPUDX_TAKEN;
	}
	return e->cpu && sv_has(s, ":") ? GPUDX_TAKEN : GPUDX_NOT_MINE;
}

static bool env_starts(struct gpudx_sv line)
{
	return sv_starts(line, "Collecting environment information...");
}

static int env_bid(const struct gpudx_head *head)
{
	struct gpudx_sv v;
	unsigned seen = 0;

	for (size_t i = 0; i < head->n && i < 60; i++) {
		const struct key *k = scan_key(sv_trim(head->lines[i].text), &v);

		if (env_starts(sv_trim(head->lines[i].text)))
			return 80;
		if (k && (k->what == WHAT_TORCH || k->what == WHAT_TORCH_CUDA ||
			  k->what == WHAT_AVAILABLE || k->what == WHAT_GPUS))
			seen |= 1u << k->what;
	}
	return seen & (seen - 1) ? 80 : 0;
}

const struct gpudx_parser gpudx_parser_collect_env = {
	.name = "collect-env",
	.what = "torch.utils.collect_env and vLLM's collect_env.py",
	.bid = env_bid,
	.starts = env_starts,
	.line = env_line,
	.state_size = sizeof(struct collect_env),
};
