/* The public interface over the stages. */
#include "gpudx/gpudx.h"

#include "ingest/ingest.h"

#include <stdlib.h>

struct gpudx_case {
	struct gpudx_store *store;
	struct gpudx_sigs *sigs; /* loaded with the first bundle */
};

const char *gpudx_version(void)
{
	return GPUDX_VERSION;
}

static enum gpudx_status case_alloc(struct gpudx_case **out, struct gpudx_err *err)
{
	*out = calloc(1, sizeof(**out));
	return *out ? GPUDX_OK : gpudx_fail(err, GPUDX_E_NOMEM, "out of memory");
}

enum gpudx_status gpudx_case_create(const char *path, struct gpudx_case **out, struct gpudx_err *err)
{
	enum gpudx_status rc = case_alloc(out, err);

	if (!rc)
		rc = gpudx_store_create(path, &(*out)->store, err);
	if (rc && *out) {
		gpudx_case_close(*out);
		*out = NULL;
	}
	return rc;
}

void gpudx_case_close(struct gpudx_case *c)
{
	if (!c)
		return;
	gpudx_store_close(c->store);
	gpudx_sigs_free(c->sigs);
	free(c);
}

enum gpudx_status gpudx_case_read(struct gpudx_case *c, const char *path, struct gpudx_read *out,
				  struct gpudx_err *err)
{
	struct gpudx_ingested in;
	enum gpudx_status rc = GPUDX_OK;

	if (!c->sigs)
		rc = gpudx_sigs_load(&c->sigs, err);
	if (!rc)
		rc = gpudx_ingest(c->store, c->sigs, path, &in, err);
	if (!rc)
		*out = (struct gpudx_read){ in.bundle, in.members, in.unread, in.limit };
	return rc;
}
