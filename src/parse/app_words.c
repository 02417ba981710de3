#include "parse/app_words.h"

enum { A_LETTER = 16 };

/* By their first letter: every line that nobody takes is searched for them, in one pass. */
static const char *const words[128][A_LETTER] = {
	['A'] = { "Allocator (GPU" },
	['B'] = { "BFCArena", "Bad return status for module build" },
	['C'] = { "CUDA device count", "CUDA error", "CUDA failure",
		  "CUDA initialization: Unexpected", "CUDA out of memory", "CUDA_ERROR_",
		  "CUDA_OOM", "ChildFailedError", "Cuda failure" },
	['F'] = { "Found no NVIDIA driver", "Failed to create CUDAExecutionProvider" },
	['G'] = { "GPU has fallen off" },
	['N'] = { "NCCL WARN", "NCCL error", "NVIDIA Driver Release ", "NVSwitch pci bus id",
		  "No available memory for the cache", "No CUDA GPUs are available",
		  "NCCL version " },
	['O'] = { "OOM when allocating", "Out of memory allocating", "Out of memory while trying",
		  "OutOfMemory" },
	['P'] = { "PTX was compiled with an unsupported" },
	['R'] = { "RESOURCE_EXHAUSTED", "Root Cause (first" },
	['T'] = { "TRITONBACKEND_ERROR", "TRITONBACKEND_ModelInstanceInitialize: ",
		  "TensorRT version: ", "TensorRT-LLM version: " },
	['W'] = { "Watchdog caught" },
	['a'] = { "an illegal memory access" },
	['c'] = { "could not select device driver", "cudaErr", "cudaMalloc failed", "cuDNN error",
		  "cuInit" },
	['d'] = { "device-side assert", "does not match DSO version",
		  "device marked unhealthy: ", "devices unavailable for nvidia.com/gpu" },
	['f'] = { "failed to load '" },
	['g'] = { "gres/gpu count ", "gres/gpu: count " },
	['i'] = { "initialize NVML", "is not compatible with the current PyTorch" },
	['k'] = { "kernel reported version" },
	['l'] = { "libcuda reported version" },
	['n'] = { "nvidia-container-cli: ", "ncclInternalError", "ncclRemoteError",
		  "ncclSystemError", "ncclUnhandledCudaError", "no CUDA-capable device",
		  "no NVIDIA driver" },
	['o'] = { "oom-kill event" },
	['s'] = { "slurmstepd: error: ", "srun: error: ", "successfully loaded '" },
	['u'] = { "uncorrectable ECC error encountered", "unsatisfied condition: " },
	['v'] = { "version is insufficient for CUDA" },
	['w'] = { "watchdog got stuck" },
	['y'] = { "your system is too old (found version" },
	['K'] = { "KV cache is needed, which", "Key was rejected by service" },
	['L'] = { "LLM API server version ", "LLM engine (v", "Loaded cuDNN version " },
	['.'] = { ". Status:GPU is lost", ". Status:GPU requires reset" },
	['['] = { "[TensorRT v" },
	['X'] = { "XidCriticalError: Xid=" },
	['Y'] = { "Your kernel headers for kernel " },
};

static bool begins(const char *const *list, struct gpudx_sv s)
{
	for (; *list; list++)
		if (s.p[1] == (*list)[1] && sv_starts(s, *list))
			return true;
	return false;
}

bool app_has_words(struct gpudx_sv line)
{
	for (size_t i = 0; i + 1 < line.n; i++) {
		unsigned char c = (unsigned char)line.p[i];

		if (c < 128 && words[c][0] && begins(words[c], sv_from(line, i)))
			return true;
	}
	return false;
}
