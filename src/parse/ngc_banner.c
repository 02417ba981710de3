/* What NVIDIA's container images print when they start, in front of whatever the job prints:
 *
 *   =============
 *   == PyTorch ==
 *   =============
 *
 *   NVIDIA Release 23.09 (build 69180607)
 *   PyTorch Version 2.1.0a0+32f93b1
 *
 *   NOTE: CUDA Forward Compatibility mode ENABLED.
 *     Using CUDA 12.2 driver version 535.104.05 with kernel driver version 470.223.02.
 *
 *   WARNING: The NVIDIA Driver was not detected.  GPU functionality will not be available.
 *   ERROR: This container was built for NVIDIA Driver Release 535.104 or later, but
 *          version 470.82 was detected and compatibility mode is UNAVAILABLE.
 *   NOTE: The SHMEM allocation limit is set to the default of 64MB.  This may be
 *
 * The notes are broken into lines at the width of a terminal. Source: entry scripts of the images
 * (/opt/nvidia/entrypoint.d). */
#include "parse/package.h"
#include "parse/text.h"

#include <stdio.h>

struct ngc_banner {
	bool inside;
	bool note;	   /* the lines that follow belong to a note */
	char required[24]; /* driver that the image was built for, waiting for the one found */
	uint32_t required_n;
};

struct title {
	const char *text, *key; /* "PyTorch Version 2.1.0a0": key of the fact */
	unsigned parts;
};

static const struct title titles[] = {
	{ "PyTorch Version ", "torch.version", 0 },
	{ "TensorFlow Version ", "tensorflow.version", 0 },
	{ "Triton Server Version ", "triton.version", 0 },
	{ "CUDA Version ", "cuda.toolkit", 2 },
	{ "NVIDIA TensorRT Version ", "tensorrt.version", 3 },
	{ "TensorRT Version ", "tensorrt.version", 3 },
	{ "JAX Version ", "jax.version", 0 },
};

/* "== PyTorch ==": the name of the product. */
static bool scan_product(struct gpudx_sv s, struct gpudx_sv *name)
{
	static const char *const products[] = { "PyTorch",
						"TensorFlow",
						"CUDA",
						"TensorRT",
						"Triton Inference Server",
						"JAX",
						"MXNet",
						"NeMo Framework",
						"NVIDIA Modulus",
						"RAPIDS",
						"Kaldi",
						"DeepStream",
						"HPC SDK",
						"cuQuantum",
						"TensorRT-LLM",
						"Merlin",
						"PyTorch + TensorRT" };

	if (!sv_lit(&s, "== ") || !sv_ends(s, " =="))
		return false;
	*name = sv_first(s, s.n - 3);
	for (size_t i = 0; i < sizeof(products) / sizeof(products[0]); i++)
		if (sv_is(*name, products[i]))
			return true;
	return false;
}

static bool is_bar(struct gpudx_sv s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] != '=')
			return false;
	return s.n >= 8;
}

static bool version_line(struct gpudx_ctx *c, struct gpudx_sv s)
{
	struct gpudx_sv v;

	for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++) {
		if (!sv_lit(&s, titles[i].text))
			continue;
		v = titles[i].parts ? pkg_parts(s, titles[i].parts) : sv_trim(s);
		if (v.n)
			gpudx_fact(c, 0, titles[i].key, "container", v);
		return true;
	}
	if (!sv_lit(&s, "NVIDIA Release "))
		return false;
	if (sv_token(&s, &v))
		gpudx_fact(c, 0, "container.release", "container", v);
	return true;
}

/* "Using CUDA 12.2 driver version 535.104.05 with kernel driver version 470.223.02." */
static bool compat_line(struct gpudx_ctx *c, struct gpudx_sv s)
{
	struct gpudx_sv cuda, v;

	if (!sv_lit(&s, "Using CUDA ") || !sv_until(&s, " driver version ", &cuda))
		return false;
	v = pkg_parts(s, 4);
	if (v.n)
		gpudx_fact(c, 0, "cuda.compat", "container", v);
	if (sv_until(&s, "with kernel driver version ", &v) && pkg_parts(s, 4).n) {
		v = pkg_parts(s, 4);
		gpudx_fact(c, 0, "driver.version", "loaded", v);
	}
	return true;
}

/* "ERROR: This container was built for NVIDIA Driver Release 535.104 or later, but" */
static bool too_old_line(struct gpudx_ctx *c, struct ngc_banner *b, struct gpudx_sv s)
{
	struct gpudx_event e = gpudx_event_of(SV_LIT("cuda.driver_too_old"), GPUDX_NO_STAMP, s);
	struct gpudx_sv v, skipped;

	if (sv_until(&s, "was built for NVIDIA Driver Release ", &skipped)) {
		v = sv_first(pkg_parts(s, 4), sizeof(b->required));
		if (v.n)
			memcpy(b->required, v.p, v.n);
		b->required_n = (uint32_t)v.n;
	}
	if (!b->required_n || !sv_has(s, " was detected and compatibility mode is UNAVAILABLE") ||
	    !sv_until(&s, "version ", &skipped))
		return b->required_n > 0;
	v = pkg_parts(s, 4);
	e.attrs[e.nattrs++] =
		(struct gpudx_attr){ SV_LIT("required_driver"), sv_n(b->required, b->required_n) };
	if (v.n)
		e.attrs[e.nattrs++] = (struct gpudx_attr){ SV_LIT("found_driver"), v };
	gpudx_put_event(c, &e);
	b->required_n = 0;
	return true;
}

/* "... is set to the default of 64MB." */
static void put_shm(struct gpudx_ctx *c, struct gpudx_sv s)
{
	struct gpudx_sv skipped;
	uint64_t mib;

	if (sv_until(&s, "is set to the default of ", &skipped) && sv_u64(&s, &mib) &&
	    sv_starts(s, "MB"))
		gpudx_fact_num(c, 0, "container.shm_mib", "container", (double)mib);
}

static bool note_line(struct gpudx_ctx *c, struct ngc_banner *b, struct gpudx_sv line)
{
	struct gpudx_sv s = sv_trim(line);
	bool head = sv_starts(s, "NOTE: ") || sv_starts(s, "WARNING: ") || sv_starts(s, "ERROR: ");

	if (!head && !(b->note && line.n && sv_is_space(line.p[0])))
		return false;
	b->note = true;
	if (sv_starts(s, "WARNING: The NVIDIA Driver was not detected")) {
		struct gpudx_event e =
			gpudx_event_of(SV_LIT("container.no_driver"), GPUDX_NO_STAMP, s);

		gpudx_put_event(c, &e);
	}
	if (sv_starts(s, "NOTE: CUDA Forward Compatibility mode ENABLED"))
		gpudx_fact(c, 0, "cuda.forward_compat", "container", SV_LIT("enabled"));
	put_shm(c, s);
	if (!compat_line(c, s))
		too_old_line(c, b, s);
	return true;
}

static bool is_small_print(struct gpudx_sv s)
{
	static const char *const starts[] = { "Container image Copyright",
					      "Copyright (c) ",
					      "Various files include modifications",
					      "This container image and its contents are governed",
					      "By pulling and using the container",
					      "https://developer.nvidia.com/ngc/",
					      "NVIDIA Deep Learning Profiler",
					      "GOVERNING TERMS:",
					      "Project and library versions",
					      "All rights reserved",
					      "A copy of this license is made available",
					      "NVIDIA modifications are covered",
					      "https://www.nvidia.com/" };

	return text_starts_any(s, starts, sizeof(starts) / sizeof(starts[0]));
}

static enum gpudx_take ngc_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct ngc_banner *b = gpudx_state(c);
	struct gpudx_sv s = sv_trim(line), name;

	if (!s.n) {
		b->note = false;
		return GPUDX_TAKEN;
	}
	if (scan_product(s, &name)) {
		b->inside = true;
		gpudx_fact(c, 0, "container.product", "container", name);
		return GPUDX_TAKEN;
	}
	if (is_bar(s))
		return GPUDX_TAKEN;
	return b->inside && (version_line(c, s) || note_line(c, b, line) || is_small_print(s))
		       ? GPUDX_TAKEN
		       : GPUDX_NOT_MINE;
}

static bool ngc_starts(struct gpudx_sv line)
{
	struct gpudx_sv name;

	return scan_product(line, &name);
}

static int ngc_bid(const struct gpudx_head *head)
{
	for (size_t i = 0; i < head->n && i < 10; i++)
		if (ngc_starts(sv_trim(head->lines[i].text)))
			return 80;
	return 0;
}

const struct gpudx_parser gpudx_parser_ngc_banner = {
	.name = "ngc-banner",
	.what = "start banner of NVIDIA's container images",
	.bid = ngc_bid,
	.starts = ngc_starts,
	.line = ngc_line,
	.state_size = sizeof(struct ngc_banner),
	.flags = GPUDX_P_BLANKS,
};
