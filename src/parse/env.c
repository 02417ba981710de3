/* The environment of a process: env, printenv, export -p, declare -x, set, a shell's exports, and
 * /proc/PID/environ.
 *
 *   CUDA_VISIBLE_DEVICES=0,1            export NCCL_DEBUG="INFO"
 *   LD_LIBRARY_PATH=/usr/local/cuda/lib64:/opt/x     declare -x NCCL_IB_HCA="mlx5_0:1"
 *
 * Only variables that steer GPUs and their libraries are kept, by a list: an environment is full of
 * secrets. Values of others are not even looked at. */
#include "parse/tool.h"

#include <stdio.h>

/* A * at the end stands for any rest. */
static const char *const kept[] = {
	"CUDA_*",
	"CUDNN_*",
	"CUBLAS_*",
	"NCCL_*",
	"NVIDIA_*",
	"NVSHMEM_*",
	"LD_LIBRARY_PATH",
	"LD_PRELOAD",
	"PYTORCH_*",
	"TORCH_*",
	"TORCHINDUCTOR_*",
	"TF_*",
	"XLA_*",
	"JAX_*",
	"UCX_*",
	"GLOO_*",
	"OMP_NUM_THREADS",
	"OMP_PROC_BIND",
	"OMP_PLACES",
	"KMP_AFFINITY",
	"MKL_NUM_THREADS",
	"CUDAARCHS",
	"GPU_*",
	"GGML_*",
	"ROCR_VISIBLE_DEVICES",
	"HIP_VISIBLE_DEVICES",
	"RANK",
	"LOCAL_RANK",
	"WORLD_SIZE",
	"LOCAL_WORLD_SIZE",
	"SLURM_JOB_ID",
	"SLURM_JOB_GPUS",
	"SLURM_STEP_GPUS",
	"SLURM_GPUS*",
	"SLURM_NODELIST",
	"SLURM_JOB_NODELIST",
	"SLURM_NTASKS",
	"SLURM_PROCID",
	"VLLM_*",
	"CONDA_DEFAULT_ENV",
	"VIRTUAL_ENV",
	"CUDA_MPS_*",
	"DCGM_*",
	"OMPI_MCA_btl",
	"OMPI_MCA_pml",
	"FI_PROVIDER",
	"FI_EFA_*",
	"DISABLE_ADDMM_CUDA_LT",
	"DS_*",
	"TRITON_*",
};

/* Names that hold keys to something, whatever they begin with. */
static bool is_secret(struct gpudx_sv name)
{
	return sv_has(name, "TOKEN") || sv_has(name, "SECRET") || sv_has(name, "PASS") ||
	       sv_has(name, "_KEY") || sv_has(name, "CREDENTIAL") || sv_has(name, "AUTH");
}

static bool is_kept(struct gpudx_sv name)
{
	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
		size_t n = strlen(kept[i]);

		if (kept[i][n - 1] == '*' ? name.n >= n && memcmp(name.p, kept[i], n - 1) == 0
					  : sv_is(name, kept[i]))
			return !is_secret(name);
	}
	return false;
}

static bool is_name(struct gpudx_sv s)
{
	if (!s.n || s.n > 80 || sv_is_digit(s.p[0]))
		return false;
	for (size_t i = 0; i < s.n; i++)
		if (!sv_is_alpha(s.p[i]) && !sv_is_digit(s.p[i]) && s.p[i] != '_')
			return false;
	return true;
}

static struct gpudx_sv unquote(struct gpudx_sv s)
{
	s = sv_trim(s);
	sv_lit(&s, "$'");
	if (s.n >= 2 && (s.p[0] == '"' || s.p[0] == '\'') && s.p[s.n - 1] == s.p[0])
		return sv_n(s.p + 1, s.n - 2);
	return s;
}

/* NAME=VALUE behind what a shell puts in front. A name without a value is declared only. */
static bool scan(struct gpudx_sv s, struct gpudx_sv *name, struct gpudx_sv *value)
{
	static const char *const before[] = { "export ", "declare -x ",	 "typeset -x ",
					      "setenv ", "Environment=", "ENV ",
					      "set " };

	s = sv_trim(s);
	for (size_t i = 0; i < sizeof(before) / sizeof(before[0]); i++)
		if (sv_lit(&s, before[i])) {
			sv_char(&s, '"');
			break;
		}
	if (!sv_until(&s, "=", name) || !is_name(*name))
		return false;
	*value = unquote(s);
	return true;
}

/* Functions of bash that are exported: "BASH_FUNC_module%%=() {  eval ...", to the closing brace.
 */
struct env {
	bool function;
};

static enum gpudx_take env_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct env *e = gpudx_state(c);
	struct gpudx_sv name, value;
	char key[100];

	if (e->function) {
		e->function = !sv_is(sv_trim(line), "}");
		return GPUDX_TAKEN;
	}
	if (sv_starts(line, "BASH_FUNC_")) {
		e->function = !sv_ends(sv_rtrim(line), "}");
		return GPUDX_TAKEN;
	}
	if (!scan(line, &name, &value)) {
		name = sv_trim(line);
		return sv_lit(&name, "declare -x ") && is_name(name) ? GPUDX_TAKEN : GPUDX_NOT_MINE;
	}
	if (is_kept(name)) {
		snprintf(key, sizeof(key), "env.%.*s", (int)name.n, name.p);
		gpudx_fact(c, 0, key, "", value.n ? value : SV_LIT("\"\""));
	}
	/* Where Slurm ran it; HOSTNAME may be that of a container. */
	if (sv_is(name, "SLURMD_NODENAME") && value.n)
		gpudx_fact(c, 0, "host.name", "environment", value);
	return GPUDX_TAKEN;
}

/* Names that every environment has, and that no other list of NAME=VALUE has. */
static bool is_common(struct gpudx_sv name)
{
	static const char *const names[] = { "PATH", "HOME",	"PWD",	 "SHELL",  "USER",
					     "TERM", "LOGNAME", "SHLVL", "OLDPWD", "HOSTNAME" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (sv_is(name, names[i]))
			return true;
	return false;
}

/* A batch script or a service that sets variables is none of this. */
static bool is_script(struct gpudx_sv s)
{
	return sv_starts(s, "#!") || sv_starts(s, "[Unit]") || sv_starts(s, "FROM ") ||
	       sv_starts(s, "#SBATCH");
}

static int env_bid(const struct gpudx_head *head)
{
	bool named = tool_is("env", head->command, head->path) ||
		     tool_is("printenv", head->command, head->path) ||
		     tool_is("environ", head->command, head->path) ||
		     sv_starts(head->command, "export") || sv_starts(head->command, "declare -x");
	unsigned common = 0, ours = 0, other = 0;

	for (size_t i = 0, seen = 0; i < head->n && seen < 200; i++) {
		struct gpudx_sv s = sv_trim(head->lines[i].text), name, value;

		if (!s.n)
			continue;
		if (!seen++ && is_script(s))
			return 0;
		if (!scan(s, &name, &value)) {
			other++;
			continue;
		}
		common += is_common(name);
		ours += is_kept(name);
	}
	if ((named && common + ours) || common >= 3 || (common && ours))
		return 60;
	return ours && ours > other ? 60 : 0;
}

const struct gpudx_parser gpudx_parser_env = {
	.name = "environment",
	.what = "env, printenv, export: the variables that steer GPUs and their libraries",
	.bid = env_bid,
	.line = env_line,
	.state_size = sizeof(struct env),
	.flags = GPUDX_P_RESUMES,
};
