/* By their programs:
 *
 *   iteration  10/ 1000 | consumed samples: 2560 | elapsed time per iteration (ms): 1147.6 |
 *     throughput per GPU (TFLOP/s/GPU): 398.2 | lm loss: 9.1E+00 | ...              Megatron
 *   {'loss': 1.234, 'grad_norm': 0.5, 'learning_rate': 2e-05, 'epoch': 0.1}         Hugging Face
 *   14%|#4        | 7/50 [1:13:36<7:32:25, 631.28s/it]                              tqdm
 *   epoch=0/micro_step=10/global_step=10, ..., CurrSamplesPerSec=12.1, MemAllocated=10.0GB
 * DeepSpeed step: 10  loss:  8.1  memory: 30.5GiB(38.2%)  tps: 5,123  mfu: 41.2% torchtitan Avg
 * prompt throughput: 102.2 tokens/s, ... Running: 1 reqs, ...                 vLLM Decode batch.
 * #running-req: 3, ..., gen throughput (token/s): 98.7, ...         SGLang */
#include "parse/app_series.h"

#include "base/num.h"

#include <math.h>

enum { FIELDS = 9 };

struct app_field {
	const char *before; /* stands in front of the number */
	const char *key;
	double scale;
};

static const struct program {
	const char *anchor; /* in every line of this kind */
	const char *step;   /* in front of the number of the step; "" none */
	struct app_field fields[FIELDS];
} programs[] = {
	{ "elapsed time per iteration (ms):",
	  "iteration",
	  { { "elapsed time per iteration (ms):", "train.step_ms", 1 },
	    { "throughput per GPU (TFLOP/s/GPU):", "train.tflops_per_gpu", 1 },
	    { "TFLOPs:", "train.tflops_per_gpu", 1 },
	    { "lm loss:", "train.loss", 1 },
	    { "grad norm:", "train.grad_norm", 1 },
	    { "number of nan iterations:", "train.nan_iterations", 1 },
	    { "tokens per second:", "train.tokens_per_s", 1 } } },
	{ "CurrSamplesPerSec=",
	  "global_step=",
	  { { "CurrSamplesPerSec=", "train.samples_per_s", 1 },
	    { ", MemAllocated=", "train.mem_allocated_mib", 1024 },
	    { "MaxMemAllocated=", "train.mem_allocated_max_mib", 1024 } } },
	{ "tps: ",
	  "step:",
	  { { "loss:", "train.loss", 1 },
	    { "grad_norm:", "train.grad_norm", 1 },
	    { "memory:", "train.mem_reserved_mib", 1024 },
	    { "tps:", "train.tokens_per_s", 1 },
	    { "tflops:", "train.tflops_per_gpu", 1 },
	    { "mfu:", "train.mfu_pct", 1 } } },
	{ "'loss': ",
	  "",
	  { { "'loss':", "train.loss", 1 }, { "'grad_norm':", "train.grad_norm", 1 } } },
	{ "'train_runtime': ",
	  "",
	  { { "'train_samples_per_second':", "train.samples_per_s", 1 },
	    { "'train_steps_per_second':", "train.steps_per_s", 1 } } },
	{ "Avg prompt throughput: ",
	  "",
	  { { "Avg prompt throughput:", "serve.prompt_tokens_per_s", 1 },
	    { "Avg generation throughput:", "serve.generation_tokens_per_s", 1 },
	    { "Running:", "serve.running", 1 },
	    { "Waiting:", "serve.waiting", 1 },
	    { "Pending:", "serve.waiting", 1 },
	    { "Swapped:", "serve.swapped", 1 },
	    { "GPU KV cache usage:", "serve.kv_cache_pct", 1 },
	    { "Prefix cache hit rate:", "serve.prefix_hit_pct", 1 } } },
	{ "gen throughput (token/s): ",
	  "",
	  { { "gen throughput (token/s):", "serve.generation_tokens_per_s", 1 },
	    { "#running-req:", "serve.running", 1 },
	    { "#queue-req:", "serve.waiting", 1 },
	    { "token usage:", "serve.kv_cache_pct", 100 } } },
	{ "tokens_per_second_per_gpu:",
	  "",
	  { { "tokens_per_second_per_gpu:", "train.tokens_per_s", 1 },
	    { "loss:", "train.loss", 1 } } },
	{ "train_step_timing in s=", "", { { "train_step_timing in s=", "train.step_ms", 1000 } } },
	{ "[I] Throughput: ", "", { { "[I] Throughput:", "serve.queries_per_s", 1 } } },
};

/* "5,123" with thousands separators, "9.1E+00"; false for "nan" and what is none. */
static bool scan_number(struct gpudx_sv s, double *v)
{
	char buf[32];
	size_t n = 0;
	struct gpudx_sv t;

	s = sv_ltrim(s);
	for (size_t i = 0; i < s.n && n < sizeof(buf); i++) {
		bool thousands = s.p[i] == ',' && i && sv_is_digit(s.p[i - 1]) && i + 3 < s.n &&
				 sv_is_digit(s.p[i + 1]) && sv_is_digit(s.p[i + 2]) &&
				 sv_is_digit(s.p[i + 3]) &&
				 (i + 4 >= s.n || !sv_is_digit(s.p[i + 4]));

		if (thousands)
			continue;
		if (!sv_is_digit(s.p[i]) && !strchr("+-.eE", s.p[i]))
			break;
		buf[n++] = s.p[i];
	}
	t = sv_n(buf, n);
	return n && gpudx_scan_real(&t, v) && isfinite(*v);
}

static bool number_behind(struct gpudx_sv message, const char *before, double *v)
{
	size_t at = sv_find(message, before);

	return at < message.n && scan_number(sv_from(message, at + strlen(before)), v);
}

static void put(struct gpudx_ctx *c, const char *key, double v, int64_t t_us, int64_t seq)
{
	struct gpudx_metric m = { .key = sv_str(key), .t_us = t_us, .seq = seq, .value = v };

	gpudx_put_metric(c, &m);
}

static void put_program(struct gpudx_ctx *c, const struct program *p, struct gpudx_sv message,
			int64_t t_us, int64_t *count)
{
	int64_t seq = *count;
	double v;

	if (*p->step && number_behind(message, p->step, &v) && v >= 0 && v < 1e15)
		seq = (int64_t)v;
	for (int i = 0; i < FIELDS && p->fields[i].before; i++)
		if (number_behind(message, p->fields[i].before, &v))
			put(c, p->fields[i].key, v * p->fields[i].scale, t_us, seq);
	++*count;
}

/* Where the unit of a bar's rate stands: "9.8it/s]", "9.8it/s, v_num=0]" of Lightning, "1.2s/it]". The
 * length of the message without one. */
static size_t bar_end(struct gpudx_sv message, bool *per_step)
{
	static const struct {
		const char *unit;
		bool per_step;
	} units[] = {
		{ "s/it]", true }, { "s/it, ", true }, { "it/s]", false }, { "it/s, ", false }
	};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		size_t at = sv_find(message, units[i].unit);

		*per_step = units[i].per_step;
		if (at < message.n)
			return at;
	}
	return message.n;
}

/* "| 7/50 [1:13:36<7:32:25, 631.28s/it]": the last such bar of the line counts. */
static bool bar(struct gpudx_ctx *c, struct gpudx_sv message, int64_t t_us)
{
	bool per_step = false;
	size_t end = bar_end(message, &per_step), from;
	struct gpudx_sv s;
	uint64_t step;
	double v;

	if (end == message.n)
		return false;
	for (from = end; from && message.p[from - 1] != ' ' && message.p[from - 1] != ','; from--)
		continue;
	s = sv_from(message, from);
	if (!sv_decimal(&s, &v) || !(v > 0))
		return false;
	while (from && message.p[from] != '[')
		from--;
	s = sv_rtrim(sv_first(message, from));
	for (from = s.n; from && (sv_is_digit(s.p[from - 1]) || s.p[from - 1] == '/'); from--)
		continue;
	s = sv_from(s, from);
	if (!sv_u64(&s, &step) || !sv_char(&s, '/'))
		return false;
	if (c)
		put(c, "train.step_ms", per_step ? v * 1000 : 1000 / v, t_us, (int64_t)step);
	return true;
}

bool app_series(struct gpudx_ctx *c, struct gpudx_sv message, int64_t t_us, int64_t *count)
{
	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
		if (!sv_has(message, programs[i].anchor))
			continue;
		if (c)
			put_program(c, &programs[i], message, t_us, count);
		return true;
	}
	return bar(c, message, t_us);
}
