/* What rules may speak of: the hosts, GPUs and sources of the bundle that is judged (and of the one
 * it is compared with), read once. */
#ifndef GPUDX_SCENE_H
#define GPUDX_SCENE_H

#include <sqlite3.h>

#include "base/arena.h"
#include "base/buf.h"
#include "gpudx/status.h"

struct gpudx_scene_host {
	int64_t id;
	const char *name;	 /* "host" when unknown */
	size_t first_gpu, ngpus; /* in .gpus */
};

struct gpudx_scene_gpu {
	int64_t id, host;
	const char *label;
};

struct gpudx_scene {
	int64_t bundle, before;		/* before: 0 none */
	struct gpudx_scene_host *hosts; /* by id; of .bundle only */
	struct gpudx_scene_gpu *gpus;	/* by host, then id; of .bundle only */
	int64_t *others;		/* hosts of other bundles, by id */
	int64_t *sources;		/* of .bundle and .before, by id */
	size_t nhosts, ngpus, nothers, nsources;
};

GPUDX_CHECK enum gpudx_status gpudx_scene_load(sqlite3 *db, int64_t bundle, int64_t before,
					       struct gpudx_arena *a, struct gpudx_scene *out,
					       struct gpudx_err *err);

/* Are rules of this scope (words.h) judged here? */
bool gpudx_scene_wants(const struct gpudx_scene *s, int scope);

const struct gpudx_scene_host *gpudx_scene_host(const struct gpudx_scene *s, int64_t id);
/* The GPU, if it is one of this host. */
const struct gpudx_scene_gpu *gpudx_scene_gpu(const struct gpudx_scene *s, int64_t host,
					      int64_t id);
bool gpudx_scene_is_other(const struct gpudx_scene *s, int64_t host);
bool gpudx_scene_has_source(const struct gpudx_scene *s, int64_t source);

/* "GPU 0", "GPU 0 and GPU 3", "all 8 GPUs", "GPU 0, GPU 1, GPU 2 and 3 more", "an unidentified GPU"
 * for none. ids are distinct GPUs of one host. */
void gpudx_scene_gpus_text(const struct gpudx_scene *s, int64_t host, const int64_t *ids, size_t n,
			   struct gpudx_buf *b);

#endif
