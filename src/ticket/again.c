#include "ticket/again.h"

void gpudx_again_name(struct gpudx_redact *r, const char *folder, struct gpudx_sv path,
		      struct gpudx_buf *b)
{
	static const char *const packed[] = { ".gz", ".xz", ".zst", ".bz2", ".lz4" };

	for (size_t i = 0; i < sizeof(packed) / sizeof(packed[0]); i++)
		if (sv_ends(path, packed[i]))
			path.n -= strlen(packed[i]);
	gpudx_buf_str(b, folder);
	gpudx_redact_text(r, path, b);
}

static void on_damage(void *arg, struct gpudx_sv path, const char *what)
{
	(void)arg;
	(void)path;
	(void)what;
}

static void on_stored(void *arg, struct gpudx_sv path, const char *sha256, uint64_t bytes)
{
	(void)arg;
	(void)path;
	(void)sha256;
	(void)bytes;
}

enum gpudx_status gpudx_again(const struct tk_from *from, struct gpudx_budget *left,
			      gpudx_member_fn *fn, void *arg, struct gpudx_err *err)
{
	const struct gpudx_visitor v = { arg, fn, on_damage, on_stored, NULL };
	struct gpudx_budget budget = *from->limits;
	struct gpudx_bundle_result res;
	enum gpudx_status rc = gpudx_bundle_walk(from->paths, from->npaths, &budget, &v, &res, err);

	if (left)
		*left = budget;
	return rc;
}
