/* Packages of the GPU stack: which they are, and what their versions say of the contract. All
 * readers of package lists and logs state the same facts through here: package.NAME (layer dpkg,
 * rpm, pip, conda) for every package of the stack, and the version of the part it brings:
 * driver.version, driver.flavor, cuda.toolkit, cudnn.version, torch.version ... in the layer
 * "package" (of the system: what is on the disk), "package.user" (libraries of the driver), "pip"
 * or "conda". Other packages are read over. */
#ifndef GPUDX_PACKAGE_H
#define GPUDX_PACKAGE_H

#include "parse/parser.h"

enum pkg_by { PKG_DPKG, PKG_RPM, PKG_PIP, PKG_CONDA };

enum pkg_part {
	PKG_NO_PART, /* of the stack, but its version is of nothing else */
	PKG_DRIVER,
	PKG_DRIVER_USER,
	PKG_FLAVOR,
	PKG_FABRIC,
	PKG_IMEX,
	PKG_DCGM,
	PKG_CONTAINER_TOOLKIT,
	PKG_DOCKER,
	PKG_TOOLKIT,
	PKG_RUNTIME,
	PKG_COMPAT,
	PKG_CUDNN,
	PKG_NCCL,
	PKG_TENSORRT,
	PKG_KERNEL,
	PKG_TORCH,
	PKG_TORCHVISION,
	PKG_TENSORFLOW,
	PKG_JAX,
	PKG_JAXLIB,
	PKG_ONNXRUNTIME,
	PKG_VLLM,
	PKG_TRITON,
	PKG_PYTHON,
	PKG_PARTS
};

/* name without architecture; version as the tool prints it. */
struct pkg {
	struct gpudx_sv name, version;
	struct gpudx_sv build; /* conda's build string, or empty */
	struct gpudx_sv arch;  /* rpm's, or empty */
};

/* "name-[epoch:]version-release[.arch]" and "epoch:name-version-release.arch". */
bool pkg_split_rpm(struct gpudx_sv s, struct pkg *p);

/* "[channel/platform::]name-version-build[.conda]", also as URL. */
bool pkg_split_conda(struct gpudx_sv s, struct pkg *p);

/* "name:arch" without the architecture. */
struct gpudx_sv pkg_no_arch(struct gpudx_sv name);

/* True when the package is of the GPU stack. */
bool pkg_is_ours(enum pkg_by by, struct gpudx_sv name);

/* States that it is installed, at the time that gpudx_now said last. */
void pkg_installed(struct gpudx_ctx *c, enum pkg_by by, const struct pkg *p);

/* "2.1.0+cu121", "2.1.0+cpu": states the CUDA that the wheel was built with. */
void pkg_torch_wheel(struct gpudx_ctx *c, struct gpudx_sv version);

/* "12.2.140" -> "12.2", "8.9.2.26-1" -> "8.9.2": the first parts of a version, at least two; empty
 * when it does not begin with so many. */
struct gpudx_sv pkg_parts(struct gpudx_sv version, unsigned parts);

/* ---- logs of changes ---- */

struct pkg_track {
	uint64_t owner; /* hash of the package whose version it is */
	char value[48];
	uint8_t n; /* 0: nothing said yet */
	bool leaving;
	struct gpudx_stamp left;
	uint32_t left_line;
};

/* What a log has said so far; zeroed at its start. Of a part that several packages bring, only the
 * steps that follow from its last known version are its changes. */
struct pkg_log {
	struct pkg_track of[PKG_PARTS];
	unsigned leaving;
};

/* One package went from one version to another. */
struct pkg_step {
	struct pkg now;			/* .version empty: removed */
	struct gpudx_sv old;		/* empty: it was not there */
	struct gpudx_stamp began, done; /* the old version was there until the one, the new one
					 * since the other; equal where the log has one stamp */
	uint32_t line, old_line;	/* that say it; 0 = the line at hand */
};

/* States both versions with their times. What was removed and not replaced within half an hour
 * becomes "none". */
void pkg_log_step(struct gpudx_ctx *c, struct pkg_log *log, enum pkg_by by,
		  const struct pkg_step *step);

/* The log has come to this time, or to its end: what is gone by now is said. */
void pkg_log_reached(struct gpudx_ctx *c, struct pkg_log *log, enum pkg_by by, int64_t t_us);
void pkg_log_end(struct gpudx_ctx *c, struct pkg_log *log, enum pkg_by by);

#endif
