/* Which CUDA toolkit, cuDNN and NCCL a machine has, from the files and tools that only say that:
 *
 *   nvcc: NVIDIA (R) Cuda compiler driver
 *   Copyright (c) 2005-2023 NVIDIA Corporation
 *   Built on Tue_Jun_13_19:16:58_PDT_2023
 *   Cuda compilation tools, release 12.2, V12.2.91
 *   Build cuda_12.2.r12.2/compiler.32965470_0
 *
 *   CUDA Version 10.2.89                                /usr/local/cuda/version.txt
 *
 *   #define CUDNN_MAJOR 8                               cudnn_version.h, cudnn.h
 *   #define CUDNN_MINOR 9
 *   #define CUDNN_PATCHLEVEL 2
 *   #define NCCL_MAJOR 2                                nccl.h
 *   #define NV_TENSORRT_MAJOR 8                         NvInferVersion.h
 *   #define CUDA_VERSION 12020                          cuda.h
 *
 * The date is the compiler's. Headers are often grep'd, so lines may stand alone or carry a path.
 */
#include "parse/package.h"
#include "parse/text.h"

#include <stdio.h>

enum { LIB_CUDNN, LIB_NCCL, LIB_TENSORRT, LIBS };

struct cuda_version {
	unsigned part[LIBS][3], seen[LIBS];
};

static const struct define {
	const char *name;
	uint8_t lib, place;
} defines[] = {
	{ "CUDNN_MAJOR", LIB_CUDNN, 0 },
	{ "CUDNN_MINOR", LIB_CUDNN, 1 },
	{ "CUDNN_PATCHLEVEL", LIB_CUDNN, 2 },
	{ "NCCL_MAJOR", LIB_NCCL, 0 },
	{ "NCCL_MINOR", LIB_NCCL, 1 },
	{ "NCCL_PATCH", LIB_NCCL, 2 },
	{ "NV_TENSORRT_MAJOR", LIB_TENSORRT, 0 },
	{ "NV_TENSORRT_MINOR", LIB_TENSORRT, 1 },
	{ "NV_TENSORRT_PATCH", LIB_TENSORRT, 2 },
};

/* ---- nvcc ---- */

/* "Cuda compilation tools, release 12.2, V12.2.91" */
static bool scan_release(struct gpudx_sv s, struct gpudx_sv *release, struct gpudx_sv *full)
{
	if (!sv_lit(&s, "Cuda compilation tools, release "))
		return false;
	*release = pkg_parts(s, 2);
	s = sv_from(s, sv_index(s, 'V'));
	sv_char(&s, 'V');
	*full = pkg_parts(s, 3);
	return release->n > 0;
}

static bool nvcc_line(struct gpudx_ctx *c, struct gpudx_sv s)
{
	struct gpudx_sv release, full;

	if (scan_release(s, &release, &full)) {
		gpudx_fact(c, 0, "cuda.toolkit", "nvcc", release);
		if (full.n)
			gpudx_fact(c, 0, "cuda.nvcc", "nvcc", full);
		return true;
	}
	return sv_starts(s, "nvcc: NVIDIA (R) Cuda compiler driver") ||
	       sv_starts(s, "Copyright (c) 2005-") || sv_starts(s, "Build cuda_") ||
	       (sv_starts(s, "Built on ") && sv_has(s, "_"));
}

/* "CUDA Version 10.2.89" of version.txt; "CUDA Patch Version 10.2.1" may follow. */
static bool txt_line(struct gpudx_ctx *c, struct gpudx_sv s)
{
	struct gpudx_sv v;

	if (!sv_lit(&s, "CUDA Version ") || !(v = pkg_parts(s, 3)).n)
		return false;
	if (!sv_blank(sv_from(s, v.n)))
		return false;
	gpudx_fact(c, 0, "cuda.toolkit", "file", pkg_parts(v, 2));
	return true;
}

/* ---- headers ---- */

/* "[path:[line:]]#define NAME VALUE" */
static bool scan_define(struct gpudx_sv s, struct gpudx_sv *name, uint64_t *value)
{
	struct gpudx_sv path;

	if (!sv_starts(s, "#") && !sv_until(&s, ":#", &path))
		return false;
	sv_char(&s, '#');
	sv_spaces(&s);
	if (!sv_lit(&s, "define") || !s.n || !sv_is_space(s.p[0]))
		return false;
	sv_spaces(&s);
	return sv_token(&s, name) && sv_spaces(&s) && sv_u64(&s, value);
}

static void put_lib(struct gpudx_ctx *c, struct cuda_version *v, unsigned lib)
{
	static const char *const names[] = { "cudnn.version", "nccl.version", "tensorrt.version" };
	char buf[40];
	int n = snprintf(buf, sizeof(buf), "%u.%u.%u", v->part[lib][0], v->part[lib][1],
			 v->part[lib][2]);

	gpudx_fact(c, 0, names[lib], "header", sv_n(buf, n > 0 ? (size_t)n : 0));
	v->seen[lib] = 0;
}

/* cuda.h: 12020 is 12.2. */
static void put_cuda_h(struct gpudx_ctx *c, uint64_t value)
{
	char buf[24];
	int n = snprintf(buf, sizeof(buf), "%u.%u", (unsigned)value / 1000,
			 (unsigned)value % 1000 / 10);

	if (value >= 5000 && value < 100000)
		gpudx_fact(c, 0, "cuda.toolkit", "header", sv_n(buf, n > 0 ? (size_t)n : 0));
}

static bool is_our_define(struct gpudx_sv s)
{
	struct gpudx_sv name;
	uint64_t value;

	if (!scan_define(s, &name, &value))
		return false;
	for (size_t i = 0; i < sizeof(defines) / sizeof(defines[0]); i++)
		if (sv_is(name, defines[i].name))
			return true;
	return sv_is(name, "CUDA_VERSION") || sv_is(name, "CUDNN_VERSION") ||
	       sv_is(name, "CUDNN_MAX_SM_MAJOR_NUMBER");
}

static bool define_line(struct gpudx_ctx *c, struct cuda_version *v, struct gpudx_sv s)
{
	struct gpudx_sv name;
	uint64_t value;

	if (!scan_define(s, &name, &value) || value > 9999999)
		return false;
	if (sv_is(name, "CUDA_VERSION"))
		put_cuda_h(c, value);
	for (size_t i = 0; i < sizeof(defines) / sizeof(defines[0]); i++) {
		const struct define *d = &defines[i];

		if (!sv_is(name, d->name))
			continue;
		if (d->place == 0)
			v->seen[d->lib] = 0; /* the next file of a grep */
		v->part[d->lib][d->place] = (unsigned)value;
		v->seen[d->lib] |= 1u << d->place;
		if (v->seen[d->lib] == 7)
			put_lib(c, v, d->lib);
	}
	return true;
}

/* What else a C header has. */
static bool is_header_line(struct gpudx_sv s)
{
	if (text_may_be_border(s) && !sv_starts(s, "--"))
		return false;
	return sv_starts(s, "#") || sv_starts(s, "/*") || sv_starts(s, "*") || sv_starts(s, "//") ||
	       sv_starts(s, "--") || sv_has(s, ":#define ") || sv_has(s, "-#define ");
}

/* ---- the parser ---- */

static enum gpudx_take cuda_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct cuda_version *v = gpudx_state(c);
	struct gpudx_sv s = sv_trim(line);

	if (nvcc_line(c, s) || txt_line(c, s) || define_line(c, v, s))
		return GPUDX_TAKEN;
	return is_header_line(s) || sv_starts(s, "CUDA Patch Version ") ? GPUDX_TAKEN
									: GPUDX_NOT_MINE;
}

static bool cuda_starts(struct gpudx_sv line)
{
	struct gpudx_sv release, full;

	return sv_starts(line, "nvcc: NVIDIA (R) Cuda compiler driver") ||
	       scan_release(line, &release, &full);
}

static int cuda_bid(const struct gpudx_head *head)
{
	unsigned defined = 0;

	for (size_t i = 0; i < head->n && i < 200; i++) {
		struct gpudx_sv s = sv_trim(head->lines[i].text), v = s;

		if (cuda_starts(s))
			return 80;
		if (i < 3 && sv_lit(&v, "CUDA Version ") && pkg_parts(v, 3).n == v.n &&
		    pkg_parts(v, 3).n > 3)
			return 60;
		defined += is_our_define(s);
	}
	return defined > 1 ? 60 : 0;
}

const struct gpudx_parser gpudx_parser_cuda_version = {
	.name = "cuda-version",
	.what = "nvcc --version, version.txt, cudnn_version.h and other headers",
	.bid = cuda_bid,
	.starts = cuda_starts,
	.line = cuda_line,
	.state_size = sizeof(struct cuda_version),
};
