/* What frameworks print of their own versions: jax.print_environment_info(), TensorFlow's
 * get_build_info(), and a bare __version__ behind a command that names the framework.
 *
 *   jax:    0.4.23
 *   jaxlib: 0.4.23
 *   numpy:  1.26.2
 *   python: 3.10.12 (main, Nov 20 2023, 15:14:05) [GCC 11.4.0]
 *   jax.devices (1 total, 1 local): [cuda(id=0)]
 *
 *   OrderedDict([('cpu_compiler', ...), ('cuda_version', '12.2'), ('cudnn_version', '8')])
 *   {'cuda_version': '12.2', 'cudnn_version': '8', 'is_cuda_build': True}
 *
 *   $ python -c "import tensorflow as tf; print(tf.__version__)"
 *   2.15.0
 *
 * PyTorch's are read by torch-print. Source: jax, _src/environment_info.py; tensorflow,
 * python/platform/sysconfig.py. */
#include "parse/package.h"

static const struct framework {
	const char *word, *key;
} frameworks[] = {
	{ "tensorflow", "tensorflow.version" },
	{ "jaxlib", "jaxlib.version" },
	{ "jax", "jax.version" },
	{ "onnxruntime", "onnxruntime.version" },
	{ "tensorrt_llm", "tensorrt_llm.version" },
	{ "tensorrt", "tensorrt.version" },
	{ "vllm", "vllm.version" },
};

/* "2.15.0", "0.4.23.dev1+g0123", nothing else in the line. */
static bool is_version(struct gpudx_sv s)
{
	struct gpudx_sv v = pkg_parts(s, 3);

	if (!v.n || s.n > 40)
		return false;
	for (size_t i = v.n; i < s.n; i++)
		if (!sv_is_alpha(s.p[i]) && !sv_is_digit(s.p[i]) && !strchr(".+-_", s.p[i]))
			return false;
	return true;
}

/* The framework whose __version__ the command prints. */
static const struct framework *asked(struct gpudx_sv command)
{
	if (!sv_has(command, "python") || !sv_has(command, "__version__"))
		return NULL;
	for (size_t i = 0; i < sizeof(frameworks) / sizeof(frameworks[0]); i++)
		if (sv_has(command, frameworks[i].word))
			return &frameworks[i];
	return NULL;
}

/* ---- JAX ---- */

static bool jax_line(struct gpudx_ctx *c, struct gpudx_sv s)
{
	static const char *const others[] = { "numpy:",		"python:",	"jax.devices ",
					      "process_count:", "device info:", "platform:" };
	struct gpudx_sv v = s, word;
	bool lib = sv_lit(&v, "jaxlib:");

	if (lib || sv_lit(&v, "jax:")) {
		v = sv_trim(v);
		if (!is_version(v))
			return false;
		if (c)
			gpudx_fact(c, 0, lib ? "jaxlib.version" : "jax.version", "python", v);
		return true;
	}
	if (c && sv_lit(&v, "python:") && sv_spaces(&v) && sv_token(&v, &word))
		gpudx_fact(c, 0, "python.version", "python", word);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (sv_starts(s, others[i]))
			return true;
	return false;
}

/* ---- TensorFlow ---- */

/* The value behind 'name', whichever way Python writes a dictionary. */
static struct gpudx_sv value_of(struct gpudx_sv s, const char *name)
{
	struct gpudx_sv skipped;

	if (!sv_until(&s, name, &skipped) || !(sv_lit(&s, "'")))
		return sv_n(NULL, 0);
	while (s.n && strchr(",: ", s.p[0]))
		s = sv_from(s, 1);
	if (!sv_char(&s, '\''))
		return sv_n(NULL, 0);
	return sv_first(s, sv_index(s, '\''));
}

static bool is_build_info(struct gpudx_sv s)
{
	return (sv_starts(s, "OrderedDict([(") || sv_starts(s, "{'")) &&
	       sv_has(s, "'is_cuda_build'");
}

static bool build_line(struct gpudx_ctx *c, struct gpudx_sv s)
{
	struct gpudx_sv cuda, cudnn;

	if (!is_build_info(s))
		return false;
	cuda = value_of(s, "'cuda_version");
	cudnn = value_of(s, "'cudnn_version");
	if (pkg_parts(cuda, 2).n)
		gpudx_fact(c, 0, "tensorflow.cuda", "python", pkg_parts(cuda, 2));
	else if (sv_has(s, "'is_cuda_build': False") || sv_has(s, "'is_cuda_build', False"))
		gpudx_fact(c, 0, "tensorflow.cuda", "python", SV_LIT("none"));
	if (cudnn.n)
		gpudx_fact(c, 0, "tensorflow.cudnn", "python", cudnn);
	return true;
}

/* ---- the parser ---- */

static enum gpudx_take print_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	const struct framework *f = asked(gpudx_command(c));
	struct gpudx_sv s = sv_trim(line);

	if (jax_line(c, s) || build_line(c, s))
		return GPUDX_TAKEN;
	if (!f || !is_version(s))
		return GPUDX_NOT_MINE;
	gpudx_fact(c, 0, f->key, "python", s);
	return GPUDX_TAKEN;
}

static int print_bid(const struct gpudx_head *head)
{
	bool jax = false, jaxlib = false;

	for (size_t i = 0; i < head->n && i < 20; i++) {
		struct gpudx_sv s = sv_trim(head->lines[i].text);

		if (is_build_info(s))
			return 80;
		jax |= sv_starts(s, "jax:") && jax_line(NULL, s);
		jaxlib |= sv_starts(s, "jaxlib:") && jax_line(NULL, s);
		if (is_version(s) && asked(head->command))
			return 80;
	}
	return jax && jaxlib ? 80 : 0;
}

const struct gpudx_parser gpudx_parser_framework_print = {
	.name = "framework-print",
	.what = "versions printed by JAX, TensorFlow, ONNX Runtime, TensorRT, vLLM",
	.bid = print_bid,
	.line = print_line,
};
