#include "parse/package.h"

#include "base/glob.h"
#include "base/map.h"
#include "parse/text.h"

#include <stdio.h>

enum { BY_SYSTEM = 1 << PKG_DPKG | 1 << PKG_RPM, BY_PYTHON = 1 << PKG_PIP | 1 << PKG_CONDA };
enum { BY_DPKG = 1 << PKG_DPKG, BY_RPM = 1 << PKG_RPM, BY_CONDA = 1 << PKG_CONDA };
enum { NAME_MAX_BYTES = 100 };

/* How a version is written as a fact. */
enum form {
	FORM_WHOLE,  /* as it is */
	FORM_DRIVER, /* 550.54.14: three digits lead, or it is no driver's */
	FORM_CUDA,   /* 12.4 */
	FORM_THREE,  /* 8.9.2 */
	FORM_FLAVOR, /* by the name */
	FORM_KERNEL  /* as uname -r says it */
};

static const struct part {
	const char *key;
	enum form form;
} parts[PKG_PARTS] = {
	[PKG_DRIVER] = { "driver.version", FORM_DRIVER },
	[PKG_DRIVER_USER] = { "driver.version", FORM_DRIVER },
	[PKG_FLAVOR] = { "driver.flavor", FORM_FLAVOR },
	[PKG_FABRIC] = { "fabricmanager.version", FORM_DRIVER },
	[PKG_IMEX] = { "imex.version", FORM_DRIVER },
	[PKG_DCGM] = { "dcgm.version", FORM_THREE },
	[PKG_CONTAINER_TOOLKIT] = { "container_toolkit.version", FORM_THREE },
	[PKG_DOCKER] = { "docker.version", FORM_THREE },
	[PKG_TOOLKIT] = { "cuda.toolkit", FORM_CUDA },
	[PKG_RUNTIME] = { "cuda.runtime", FORM_CUDA },
	[PKG_COMPAT] = { "cuda.compat", FORM_DRIVER },
	[PKG_CUDNN] = { "cudnn.version", FORM_THREE },
	[PKG_NCCL] = { "nccl.version", FORM_THREE },
	[PKG_TENSORRT] = { "tensorrt.version", FORM_THREE },
	[PKG_KERNEL] = { "kernel.package", FORM_KERNEL },
	[PKG_TORCH] = { "torch.version", FORM_WHOLE },
	[PKG_TORCHVISION] = { "torchvision.version", FORM_WHOLE },
	[PKG_TENSORFLOW] = { "tensorflow.version", FORM_WHOLE },
	[PKG_JAX] = { "jax.version", FORM_WHOLE },
	[PKG_JAXLIB] = { "jaxlib.version", FORM_WHOLE },
	[PKG_ONNXRUNTIME] = { "onnxruntime.version", FORM_WHOLE },
	[PKG_VLLM] = { "vllm.version", FORM_WHOLE },
	[PKG_TRITON] = { "triton_lang.version", FORM_WHOLE },
	[PKG_PYTHON] = { "python.version", FORM_WHOLE },
};

/* The first row that fits holds. Names of Debian, Ubuntu, CUDA's own repositories, Lambda, RHEL,
 * Fedora, RPM Fusion and SUSE; of PyPI, conda-forge and the channels pytorch and nvidia. */
static const struct kind {
	const char *name;
	int by;
	enum pkg_part part, other;
} kinds[] = {
	{ "nvidia-driver-libs*", BY_SYSTEM, PKG_DRIVER_USER, 0 },
	{ "nvidia-driver-cuda*", BY_SYSTEM, PKG_DRIVER_USER, 0 },
	{ "nvidia-driver-bin*", BY_SYSTEM, PKG_DRIVER_USER, 0 },
	{ "nvidia-driver-NVML*", BY_SYSTEM, PKG_DRIVER_USER, 0 },
	{ "nvidia-driver-assistant", BY_SYSTEM, PKG_NO_PART, 0 },
	{ "nvidia-driver-local-repo*", BY_SYSTEM, PKG_NO_PART, 0 },
	{ "nvidia-driver-*kmp*", BY_SYSTEM, PKG_DRIVER, PKG_FLAVOR },
	{ "nvidia-open-driver-*kmp*", BY_SYSTEM, PKG_DRIVER, PKG_FLAVOR },
	{ "nvidia-gfxG*kmp*", BY_SYSTEM, PKG_DRIVER, PKG_FLAVOR },
	{ "nvidia-driver*", BY_SYSTEM, PKG_DRIVER, 0 },
	{ "nvidia-tesla-*driver*", BY_SYSTEM, PKG_DRIVER, 0 },
	{ "nvidia-headless-*", BY_SYSTEM, PKG_DRIVER, 0 },
	{ "nvidia-dkms-*", BY_DPKG, PKG_DRIVER, PKG_FLAVOR },
	{ "nvidia-kernel-open-dkms", BY_DPKG, PKG_DRIVER, PKG_FLAVOR },
	{ "nvidia-*kernel-dkms", BY_DPKG, PKG_DRIVER, PKG_FLAVOR },
	{ "nvidia-kernel-source-*", BY_DPKG, PKG_DRIVER, PKG_FLAVOR },
	{ "nvidia-kernel-common-*", BY_DPKG, PKG_DRIVER, 0 },
	{ "nvidia-kernel-support", BY_DPKG, PKG_DRIVER, 0 },
	{ "nvidia-kernel-*", BY_DPKG, PKG_NO_PART, 0 },
	{ "nvidia-kmod-common", BY_RPM, PKG_DRIVER, 0 },
	{ "kmod-nvidia*", BY_RPM, PKG_DRIVER, PKG_FLAVOR },
	{ "akmod-nvidia*", BY_RPM, PKG_DRIVER, PKG_FLAVOR },
	{ "dkms-nvidia*", BY_RPM, PKG_DRIVER, PKG_FLAVOR },
	{ "nvidia-opencl*", BY_SYSTEM, PKG_NO_PART, 0 },
	{ "nvidia-open*", BY_SYSTEM, PKG_DRIVER, 0 },
	{ "cuda-drivers-fabricmanager*", BY_SYSTEM, PKG_FABRIC, 0 },
	{ "cuda-drivers*", BY_SYSTEM, PKG_DRIVER, 0 },
	{ "xorg-x11-drv-nvidia*-libs", BY_RPM, PKG_DRIVER_USER, 0 },
	{ "xorg-x11-drv-nvidia*-cuda*", BY_RPM, PKG_DRIVER_USER, 0 },
	{ "xorg-x11-drv-nvidia*", BY_RPM, PKG_DRIVER, 0 },
	{ "linux-modules-nvidia-*", BY_DPKG, PKG_NO_PART, 0 },
	{ "linux-objects-nvidia-*", BY_DPKG, PKG_NO_PART, 0 },
	{ "linux-signatures-nvidia-*", BY_DPKG, PKG_NO_PART, 0 },
	{ "libnvidia-compute-*", BY_DPKG, PKG_DRIVER_USER, 0 },
	{ "libnvidia-ml1", BY_DPKG, PKG_DRIVER_USER, 0 },
	{ "libcuda1", BY_DPKG, PKG_DRIVER_USER, 0 },
	{ "nvidia-utils-*", BY_DPKG, PKG_DRIVER_USER, 0 },
	{ "nvidia-smi", BY_SYSTEM, PKG_DRIVER_USER, 0 },
	{ "nvidia-compute*", BY_SYSTEM, PKG_DRIVER_USER, 0 },
	{ "libnvidia-nscq*", BY_SYSTEM, PKG_NO_PART, 0 },
	{ "libnvidia-container*", BY_SYSTEM, PKG_NO_PART, 0 },
	{ "libnvidia-*", BY_SYSTEM, PKG_NO_PART, 0 },
	{ "nvidia-firmware*", BY_SYSTEM, PKG_NO_PART, 0 },
	{ "nvidia-gsp-firmware", BY_SYSTEM, PKG_NO_PART, 0 },
	{ "firmware-nvidia-gsp*", BY_DPKG, PKG_NO_PART, 0 },
	{ "nvidia-fabric*manager*-dev*", BY_SYSTEM, PKG_NO_PART, 0 },
	{ "nvidia-fabric*manager*", BY_SYSTEM, PKG_FABRIC, 0 },
	{ "nvidia-imex*", BY_SYSTEM, PKG_IMEX, 0 },
	{ "nvidia-persistenced*", BY_SYSTEM, PKG_NO_PART, 0 },
	{ "nvidia-peermem*", BY_SYSTEM, PKG_NO_PART, 0 },
	{ "nvidia-modprobe*", BY_SYSTEM, PKG_NO_PART, 0 },
	{ "nvidia-container-toolkit-base", BY_SYSTEM, PKG_NO_PART, 0 },
	{ "nvidia-container-toolkit", BY_SYSTEM, PKG_CONTAINER_TOOLKIT, 0 },
	{ "nvidia-container-runtime*", BY_SYSTEM, PKG_NO_PART, 0 },
	{ "nvidia-docker2", BY_SYSTEM, PKG_NO_PART, 0 },
	{ "nvidia-vgpu*", BY_SYSTEM, PKG_NO_PART, 0 },
	{ "datacenter-gpu-manager-exporter*", BY_SYSTEM, PKG_NO_PART, 0 },
	{ "datacenter-gpu-manager-4-core", BY_SYSTEM, PKG_DCGM, 0 },
	{ "datacenter-gpu-manager-4-*", BY_SYSTEM, PKG_NO_PART, 0 },
	{ "datacenter-gpu-manager*", BY_SYSTEM, PKG_DCGM, 0 },
	{ "docker-ce", BY_SYSTEM, PKG_DOCKER, 0 },
	{ "docker.io", BY_DPKG, PKG_DOCKER, 0 },
	{ "moby-engine", BY_SYSTEM, PKG_DOCKER, 0 },
	{ "containerd*", BY_SYSTEM, PKG_NO_PART, 0 },
	{ "podman", BY_SYSTEM, PKG_NO_PART, 0 },
	{ "singularity*", BY_SYSTEM, PKG_NO_PART, 0 },
	{ "apptainer", BY_SYSTEM, PKG_NO_PART, 0 },
	{ "enroot*", BY_SYSTEM, PKG_NO_PART, 0 },
	{ "cuda-toolkit-*-config-common", BY_SYSTEM, PKG_NO_PART, 0 },
	{ "cuda-toolkit-config-common", BY_SYSTEM, PKG_NO_PART, 0 },
	{ "cuda-toolkit*", BY_SYSTEM, PKG_TOOLKIT, 0 },
	{ "nvidia-cuda-toolkit-*", BY_DPKG, PKG_NO_PART, 0 },
	{ "nvidia-cuda-toolkit", BY_SYSTEM, PKG_TOOLKIT, 0 },
	{ "cuda-nvcc-*", BY_SYSTEM, PKG_TOOLKIT, 0 },
	{ "cuda-runtime-*", BY_SYSTEM, PKG_RUNTIME, 0 },
	{ "cuda-compat-*", BY_SYSTEM, PKG_COMPAT, 0 },
	{ "cuda-cudart-*", BY_SYSTEM, PKG_RUNTIME, 0 },
	{ "libcudart*", BY_DPKG, PKG_RUNTIME, 0 },
	{ "libcudnn*-dev*", BY_SYSTEM, PKG_NO_PART, 0 },
	{ "libcudnn*-headers*", BY_SYSTEM, PKG_NO_PART, 0 },
	{ "libcudnn*-samples", BY_SYSTEM, PKG_NO_PART, 0 },
	{ "libcudnn*", BY_SYSTEM, PKG_CUDNN, 0 },
	{ "nvidia-cudnn", BY_DPKG, PKG_CUDNN, 0 },
	{ "cudnn-license", BY_DPKG, PKG_CUDNN, 0 },
	{ "libnccl-dev*", BY_SYSTEM, PKG_NO_PART, 0 },
	{ "libnccl*", BY_SYSTEM, PKG_NCCL, 0 },
	{ "libnvinfer-dev*", BY_SYSTEM, PKG_NO_PART, 0 },
	{ "libnvinfer*", BY_SYSTEM, PKG_TENSORRT, 0 },
	{ "tensorrt", BY_SYSTEM, PKG_TENSORRT, 0 },
	{ "linux-image-unsigned-*", BY_DPKG, PKG_KERNEL, 0 },
	{ "linux-image-*", BY_DPKG, PKG_KERNEL, 0 },
	{ "linux-firmware", BY_SYSTEM, PKG_NO_PART, 0 },
	{ "kernel", BY_RPM, PKG_KERNEL, 0 },
	{ "kernel-core", BY_RPM, PKG_KERNEL, 0 },
	{ "kernel-default", BY_RPM, PKG_KERNEL, 0 },
	{ "dkms", BY_SYSTEM, PKG_NO_PART, 0 },
	{ "mlnx-ofed*", BY_SYSTEM, PKG_NO_PART, 0 },
	{ "doca-ofed*", BY_SYSTEM, PKG_NO_PART, 0 },
	{ "rdma-core", BY_SYSTEM, PKG_NO_PART, 0 },
	{ "python3-torch-cuda", BY_DPKG, PKG_TORCH, 0 },
	{ "python3-torch", BY_DPKG, PKG_TORCH, 0 },
	{ "python3-torchvision*", BY_DPKG, PKG_TORCHVISION, 0 },
	{ "python3-tensorflow-cuda", BY_DPKG, PKG_TENSORFLOW, 0 },
	{ "python3-jax-cuda", BY_DPKG, PKG_JAX, 0 },
	{ "python3-jaxlib-cuda", BY_DPKG, PKG_JAXLIB, 0 },

	{ "torch", BY_PYTHON, PKG_TORCH, 0 },
	{ "pytorch", BY_CONDA, PKG_TORCH, 0 },
	{ "pytorch-gpu", BY_CONDA, PKG_NO_PART, 0 },
	{ "torchvision", BY_PYTHON, PKG_TORCHVISION, 0 },
	{ "torchaudio", BY_PYTHON, PKG_NO_PART, 0 },
	{ "tensorflow-io*", BY_PYTHON, PKG_NO_PART, 0 },
	{ "tensorflow", BY_PYTHON, PKG_TENSORFLOW, 0 },
	{ "tensorflow-gpu", BY_PYTHON, PKG_TENSORFLOW, 0 },
	{ "tensorflow-cpu", BY_PYTHON, PKG_NO_PART, 0 },
	{ "jax", BY_PYTHON, PKG_JAX, 0 },
	{ "jaxlib", BY_PYTHON, PKG_JAXLIB, 0 },
	{ "jax-cuda*", BY_PYTHON, PKG_NO_PART, 0 },
	{ "onnxruntime-gpu", BY_PYTHON, PKG_ONNXRUNTIME, 0 },
	{ "onnxruntime", BY_PYTHON, PKG_ONNXRUNTIME, 0 },
	{ "vllm", BY_PYTHON, PKG_VLLM, 0 },
	{ "triton", BY_PYTHON, PKG_TRITON, 0 },
	{ "pytorch-triton", BY_PYTHON, PKG_TRITON, 0 },
	{ "tensorrt", BY_PYTHON, PKG_TENSORRT, 0 },
	{ "nvidia-cudnn-*", BY_PYTHON, PKG_CUDNN, 0 },
	{ "cudnn", BY_CONDA, PKG_CUDNN, 0 },
	{ "nvidia-nccl-*", BY_PYTHON, PKG_NCCL, 0 },
	{ "nccl", BY_CONDA, PKG_NCCL, 0 },
	{ "nvidia-cuda-runtime*", BY_PYTHON, PKG_RUNTIME, 0 },
	{ "cudatoolkit", BY_CONDA, PKG_RUNTIME, 0 },
	{ "cuda-cudart", BY_CONDA, PKG_RUNTIME, 0 },
	{ "cuda-runtime", BY_CONDA, PKG_RUNTIME, 0 },
	{ "cuda-toolkit", BY_CONDA, PKG_TOOLKIT, 0 },
	{ "cuda-nvcc", BY_CONDA, PKG_TOOLKIT, 0 },
	{ "python", BY_CONDA, PKG_PYTHON, 0 },
	{ "pytorch-cuda", BY_CONDA, PKG_NO_PART, 0 },
	{ "cuda-*", BY_CONDA, PKG_NO_PART, 0 },
	{ "nvidia-*", BY_PYTHON, PKG_NO_PART, 0 },
	{ "cupy*", BY_PYTHON, PKG_NO_PART, 0 },
	{ "flash-attn", BY_PYTHON, PKG_NO_PART, 0 },
	{ "xformers", BY_PYTHON, PKG_NO_PART, 0 },
	{ "deepspeed", BY_PYTHON, PKG_NO_PART, 0 },
	{ "apex", BY_PYTHON, PKG_NO_PART, 0 },
	{ "transformer-engine*", BY_PYTHON, PKG_NO_PART, 0 },
	{ "bitsandbytes", BY_PYTHON, PKG_NO_PART, 0 },
	{ "accelerate", BY_PYTHON, PKG_NO_PART, 0 },
	{ "transformers", BY_PYTHON, PKG_NO_PART, 0 },
	{ "lightning", BY_PYTHON, PKG_NO_PART, 0 },
	{ "pytorch-lightning", BY_PYTHON, PKG_NO_PART, 0 },
	{ "sglang", BY_PYTHON, PKG_NO_PART, 0 },
	{ "tensorrt-llm", BY_PYTHON, PKG_NO_PART, 0 },
	{ "pynvml", BY_PYTHON, PKG_NO_PART, 0 },
	{ "numba", BY_PYTHON, PKG_NO_PART, 0 },
	{ "numpy", BY_PYTHON, PKG_NO_PART, 0 },
};

/* ---- names ---- */

/* Python's names are equal whatever their case and dividers. */
static struct gpudx_sv plain_name(enum pkg_by by, struct gpudx_sv name, char buf[NAME_MAX_BYTES])
{
	bool python = by == PKG_PIP || by == PKG_CONDA;

	if (!name.n || name.n > NAME_MAX_BYTES)
		return sv_n(NULL, 0);
	for (size_t i = 0; i < name.n; i++) {
		char c = name.p[i];

		buf[i] = python && (c == '_' || c == '.') ? '-' : python ? sv_lower(c) : c;
	}
	return sv_n(buf, name.n);
}

static const struct kind *kind_of(enum pkg_by by, struct gpudx_sv name)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (kinds[i].by >> by & 1 && gpudx_glob(sv_str(kinds[i].name), name))
			return &kinds[i];
	return NULL;
}

bool pkg_is_ours(enum pkg_by by, struct gpudx_sv name)
{
	char buf[NAME_MAX_BYTES];

	name = plain_name(by, name, buf);
	return name.n && kind_of(by, name);
}

/* ---- versions ---- */

/* "1:12.2.2-1" without its epoch. */
static struct gpudx_sv no_epoch(struct gpudx_sv v)
{
	struct gpudx_sv s = v;
	uint64_t epoch;

	return sv_u64(&s, &epoch) && sv_char(&s, ':') ? s : v;
}

struct gpudx_sv pkg_parts(struct gpudx_sv version, unsigned max)
{
	struct gpudx_sv s = no_epoch(version), start = s;
	uint64_t number;
	unsigned n = 0;
	size_t used = 0;

	while (n < max && sv_u64(&s, &number)) {
		n++;
		used = (size_t)(s.p - start.p);
		if (!sv_char(&s, '.'))
			break;
	}
	return n >= 2 ? sv_first(start, used) : sv_n(NULL, 0);
}

/* linux-image-unsigned-6.8.0-62-generic: what runs is in the name; of meta packages nothing is. */
static struct gpudx_sv kernel_of(enum pkg_by by, const struct pkg *p, char *buf, size_t size)
{
	struct gpudx_sv s = p->name;
	int n;

	if (by == PKG_DPKG) {
		sv_lit(&s, "linux-image-");
		sv_lit(&s, "unsigned-");
		return s.n && sv_is_digit(s.p[0]) && !sv_ends(s, "-dbg") && !sv_ends(s, "-dbgsym")
			       ? s
			       : sv_n(NULL, 0);
	}
	s = no_epoch(p->version);
	n = snprintf(buf, size, "%.*s%s%.*s", (int)s.n, s.p, p->arch.n ? "." : "", (int)p->arch.n,
		     p->arch.n ? p->arch.p : "");
	return n > 0 && (size_t)n < size ? sv_n(buf, (size_t)n) : sv_n(NULL, 0);
}

enum { VALUE_MAX = sizeof(((struct pkg_track *)0)->value) };

/* What this version says of the part; empty: nothing. */
static struct gpudx_sv value_of(enum pkg_by by, enum pkg_part part, const struct pkg *p, char *buf)
{
	struct gpudx_sv none = { NULL, 0 }, v = none;

	if (!p->version.n)
		return none;
	switch (parts[part].form) {
	case FORM_WHOLE:
		v = by == PKG_PIP || by == PKG_CONDA ? p->version : pkg_parts(p->version, 3);
		break;
	case FORM_DRIVER:
		v = pkg_parts(p->version, 4);
		if (v.n < 6 || v.p[3] != '.' || !sv_is_digit(v.p[2]))
			return none;
		break;
	case FORM_CUDA:
		v = pkg_parts(p->version, 2);
		break;
	case FORM_THREE:
		v = pkg_parts(p->version, 3);
		break;
	case FORM_FLAVOR:
		v = sv_has(p->name, "open") ? SV_LIT("open") : SV_LIT("proprietary");
		break;
	case FORM_KERNEL:
		v = kernel_of(by, p, buf, VALUE_MAX);
		break;
	}
	return v.n && v.n < VALUE_MAX ? v : none;
}

/* "cu121" is 12.1, "cu92" 9.2. */
void pkg_torch_wheel(struct gpudx_ctx *c, struct gpudx_sv version)
{
	struct gpudx_sv local = sv_from(version, sv_index(version, '+') + 1);
	char buf[24];
	uint64_t v;
	int n;

	if (sv_is(local, "cpu"))
		gpudx_fact(c, 0, "torch.cuda", "wheel", SV_LIT("none"));
	if (!sv_lit(&local, "cu") || !sv_u64(&local, &v) || local.n || v < 70 || v > 300)
		return;
	n = snprintf(buf, sizeof(buf), "%u.%u", (unsigned)v / 10, (unsigned)v % 10);
	gpudx_fact(c, 0, "torch.cuda", "wheel", sv_n(buf, n > 0 ? (size_t)n : 0));
}

/* "py3.10_cuda12.1_cudnn8.9.2_0" (channel pytorch), "cuda120_py311h..." and "cpu_..."
 * (conda-forge). */
static void torch_conda_build(struct gpudx_ctx *c, struct gpudx_sv build)
{
	struct gpudx_sv s = sv_from(build, sv_find(build, "cudnn")), v;

	if (sv_lit(&s, "cudnn") && (v = pkg_parts(s, 3)).n)
		gpudx_fact(c, 0, "torch.cudnn", "conda", v);
	s = build;
	while (s.n && !sv_starts(s, "cuda"))
		s = sv_from(s, 1);
	if (sv_lit(&s, "cuda") && (v = pkg_parts(s, 2)).n) {
		gpudx_fact(c, 0, "torch.cuda", "conda", v);
	} else if (s.n > 3 && sv_is_digit(s.p[0]) && sv_is_digit(s.p[1]) && sv_is_digit(s.p[2])) {
		char text[] = { s.p[0], s.p[1], '.', s.p[2] };

		gpudx_fact(c, 0, "torch.cuda", "conda", sv_n(text, sizeof(text)));
	} else if (sv_has(build, "_cpu") || sv_starts(build, "cpu")) {
		gpudx_fact(c, 0, "torch.cuda", "conda", SV_LIT("none"));
	}
}

static bool is_rpm_arch(struct gpudx_sv s)
{
	static const char *const names[] = { "x86_64", "noarch", "aarch64", "i686",
					     "i586",   "i486",	 "i386",    "ppc64le",
					     "s390x",  "src",	 "nosrc",   "x86_64_v2" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (sv_is(s, names[i]))
			return true;
	return false;
}

bool pkg_split_rpm(struct gpudx_sv s, struct pkg *p)
{
	struct gpudx_sv rest = no_epoch(s), release, version, arch;
	struct gpudx_sv bare = rest;

	*p = (struct pkg){ .name = { NULL, 0 } };
	if (sv_has(s, " ") || sv_has(s, "\t"))
		return false;
	if (text_cut_last(&bare, '.', &arch) && is_rpm_arch(arch)) {
		p->arch = arch;
		rest = bare;
	}
	bare = rest;
	if (!text_cut_last(&bare, '-', &release) || !text_cut_last(&bare, '-', &version) || !bare.n)
		return false;
	p->name = bare;
	p->version = no_epoch(sv_n(version.p, version.n + 1 + release.n));
	return true;
}

bool pkg_split_conda(struct gpudx_sv s, struct pkg *p)
{
	struct gpudx_sv channel, rest = s;

	*p = (struct pkg){ .name = { NULL, 0 } };
	if (sv_until(&rest, "::", &channel))
		s = rest;
	s = text_base_name(s);
	if (sv_ends(s, ".tar.bz2"))
		s.n -= strlen(".tar.bz2");
	else if (sv_ends(s, ".conda"))
		s.n -= strlen(".conda");
	if (sv_has(s, " ") || !text_cut_last(&s, '-', &p->build) ||
	    !text_cut_last(&s, '-', &p->version))
		return false;
	p->name = s;
	return s.n > 0;
}

struct gpudx_sv pkg_no_arch(struct gpudx_sv name)
{
	return sv_first(name, sv_index(name, ':'));
}

/* ---- facts ---- */

static const char *layer_of(enum pkg_by by, enum pkg_part part)
{
	if (by == PKG_PIP)
		return "pip";
	if (by == PKG_CONDA)
		return "conda";
	return part == PKG_DRIVER_USER ? "package.user" : "package";
}

static void say(struct gpudx_ctx *c, struct gpudx_sv key, const char *layer, struct gpudx_sv value,
		struct gpudx_stamp stamp, uint32_t line)
{
	struct gpudx_fact f = {
		.key = key, .layer = sv_str(layer), .value = value, .stamp = stamp, .line = line
	};

	gpudx_put_fact(c, &f);
}

static void say_package(struct gpudx_ctx *c, enum pkg_by by, struct gpudx_sv name,
			struct gpudx_sv version, struct gpudx_stamp stamp, uint32_t line)
{
	static const char *const layers[] = { "dpkg", "rpm", "pip", "conda" };
	char key[NAME_MAX_BYTES + 16];
	int n = snprintf(key, sizeof(key), "package.%.*s", (int)name.n, name.p);

	say(c, sv_n(key, n > 0 ? (size_t)n : 0), layers[by], version, stamp, line);
}

static struct gpudx_stamp no_stamp(void)
{
	return GPUDX_NO_STAMP;
}

static void say_part(struct gpudx_ctx *c, enum pkg_by by, enum pkg_part part, const struct pkg *p)
{
	char buf[VALUE_MAX];
	struct gpudx_sv value;

	if (part == PKG_NO_PART)
		return;
	value = value_of(by, part, p, buf);
	if (value.n)
		say(c, sv_str(parts[part].key), layer_of(by, part), value, no_stamp(), 0);
}

void pkg_installed(struct gpudx_ctx *c, enum pkg_by by, const struct pkg *p)
{
	char buf[NAME_MAX_BYTES];
	struct pkg plain = *p;
	const struct kind *k;

	plain.name = plain_name(by, p->name, buf);
	k = plain.name.n && p->version.n ? kind_of(by, plain.name) : NULL;
	if (!k)
		return;
	say_package(c, by, plain.name, p->version, no_stamp(), 0);
	/* Several kernels are installed side by side: a list does not say which is the newest. */
	if (k->part != PKG_KERNEL)
		say_part(c, by, k->part, &plain);
	say_part(c, by, k->other, &plain);
	if (k->part == PKG_TORCH && by == PKG_CONDA && p->build.n)
		torch_conda_build(c, p->build);
	if (k->part == PKG_TORCH)
		pkg_torch_wheel(c, p->version);
}

/* ---- logs ---- */

/* What is gone may come back with the next package of the same transaction. */
static const int64_t replaced_us = 1800 * GPUDX_SECOND;

static struct gpudx_sv known(const struct pkg_track *t)
{
	return sv_n(t->value, t->n);
}

static void track(struct pkg_log *log, struct pkg_track *t, struct gpudx_sv value, uint64_t owner)
{
	memcpy(t->value, value.p, value.n);
	t->n = (uint8_t)value.n;
	t->owner = owner;
	if (t->leaving)
		log->leaving--;
	t->leaving = false;
}

static void leave(struct pkg_log *log, struct pkg_track *t, const struct pkg_step *s, uint32_t line)
{
	if (!t->leaving)
		log->leaving++;
	t->leaving = true;
	t->left = s->done;
	t->left_line = line;
}

/* One part of the stack takes the step of a package, when it is its step. */
static void step_part(struct gpudx_ctx *c, struct pkg_log *log, enum pkg_by by, enum pkg_part part,
		      const struct pkg_step *s)
{
	struct pkg_track *t = &log->of[part];
	struct pkg before = s->now;
	char old_buf[VALUE_MAX], new_buf[VALUE_MAX];
	struct gpudx_sv old, now, key = sv_str(parts[part].key);
	uint64_t owner = gpudx_hash(s->now.name);
	const char *layer = layer_of(by, part);

	if (part == PKG_NO_PART)
		return;
	before.version = s->old;
	old = value_of(by, part, &before, old_buf);
	now = value_of(by, part, &s->now, new_buf);
	/* The step of another branch that is installed, too. */
	if (t->n && old.n && t->owner != owner && !sv_eq(old, known(t)))
		return;
	if (!t->n && old.n) {
		say(c, key, layer, old, s->began, s->old_line);
		track(log, t, old, owner);
	}
	if (now.n) {
		say(c, key, layer, now, s->done, s->line);
		track(log, t, now, owner);
	} else if (!s->now.version.n && t->n) {
		leave(log, t, s, s->line ? s->line : gpudx_this_line(c)->no);
		gpudx_cite(c);
	}
}

void pkg_log_step(struct gpudx_ctx *c, struct pkg_log *log, enum pkg_by by,
		  const struct pkg_step *step)
{
	struct pkg_step s = *step;
	char buf[NAME_MAX_BYTES];
	const struct kind *k;

	s.now.name = plain_name(by, step->now.name, buf);
	k = s.now.name.n ? kind_of(by, s.now.name) : NULL;
	if (!k)
		return;
	/* The old version was there until the second before. */
	if (s.began.t_us != GPUDX_NO_TIME)
		s.began.t_us -= GPUDX_SECOND;
	if (s.old.n)
		say_package(c, by, s.now.name, s.old, s.began, s.old_line);
	say_package(c, by, s.now.name, s.now.version.n ? s.now.version : SV_LIT("none"), s.done,
		    s.line);
	step_part(c, log, by, k->part, &s);
	step_part(c, log, by, k->other, &s);
}

void pkg_log_reached(struct gpudx_ctx *c, struct pkg_log *log, enum pkg_by by, int64_t t_us)
{
	for (int i = 0; log->leaving && i < PKG_PARTS; i++) {
		struct pkg_track *t = &log->of[i];

		if (!t->leaving || (t_us != INT64_MAX && t_us - t->left.t_us < replaced_us))
			continue;
		say(c, sv_str(parts[i].key), layer_of(by, (enum pkg_part)i), SV_LIT("none"),
		    t->left, t->left_line);
		t->leaving = false;
		t->n = 0;
		log->leaving--;
	}
}

void pkg_log_end(struct gpudx_ctx *c, struct pkg_log *log, enum pkg_by by)
{
	pkg_log_reached(c, log, by, INT64_MAX);
}
