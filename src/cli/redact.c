#include "redact.h"

#include "out.h"

#include <string.h>

static bool is_cloud(const char *name)
{
	return strcmp(name, "azure") == 0 || strcmp(name, "aws") == 0 || strcmp(name, "gcp") == 0;
}

bool cli_redact_check(const struct cli_redact *r, const char *command)
{
	if (r->what && *r->what && strcmp(r->what, "gpu") != 0)
		fprintf(stderr, "gpudx: %s: --redact %s: must be nothing or gpu\n", command,
			r->what);
	else if (r->map && !r->what)
		fprintf(stderr, "gpudx: %s: --map goes with --redact\n", command);
	else if (r->cloud && !is_cloud(r->cloud))
		fprintf(stderr, "gpudx: %s: --for %s: must be azure, aws or gcp\n", command,
			r->cloud);
	else
		return true;
	return false;
}

/* Whoever can read the map can undo the redaction: nobody else may. */
enum gpudx_status cli_redact_map(const struct cli_redact *r, const struct gpudx_case *c,
				 struct gpudx_err *err)
{
	struct out_file file = { .f = NULL };
	enum gpudx_status rc = out_open(&file, r->map, OUT_PRIVATE, true, err);

	if (!rc) {
		gpudx_case_map(c, file.f);
		rc = out_commit(&file, err);
	}
	out_close(&file);
	return rc;
}

enum gpudx_status cli_redact(const struct cli_redact *r, struct gpudx_case *c, bool ticket,
			     struct gpudx_err *err)
{
	struct gpudx_redact_how how = { .ticket = ticket };
	enum gpudx_status rc;

	if (!r->what)
		return GPUDX_OK;
	how.gpu = strcmp(r->what, "gpu") == 0;
	how.cloud = r->cloud != NULL;
	rc = gpudx_map_key(r->map, how.key, err);
	if (!rc)
		rc = gpudx_case_redact(c, &how, err);
	return rc || !r->map || ticket ? rc : cli_redact_map(r, c, err);
}
