/* Any bytes as a bundle: containers in containers, every member read as lines. */
#include "fuzz.h"

#include "base/stamp.h"
#include "bundle/bundle.h"
#include "bundle/lines.h"

static enum gpudx_status on_member(void *arg, const struct gpudx_member *m, struct gpudx_err *err)
{
	const struct gpudx_line *line;
	struct gpudx_lines *lines;
	enum gpudx_status rc;

	(void)arg;
	touch(m->path);
	must(!m->stream == !!m->skip, "a member can be read, or it is said why not");
	must(m->mtime_us == GPUDX_NO_TIME || m->mtime_us > 0, "a time, or none");
	if (m->skip) {
		touch(sv_str(m->skip)), touch(sv_str(m->hint));
		return GPUDX_OK;
	}
	rc = gpudx_lines_open(m->stream, &lines, err);
	if (rc)
		return rc;
	while ((line = gpudx_lines_next(lines)) != NULL)
		touch(line->text);
	gpudx_lines_close(lines);
	return GPUDX_OK;
}

static void on_damage(void *arg, struct gpudx_sv path, const char *what)
{
	(void)arg;
	touch(path);
	must(what && *what, "damage is said in words");
}

static void on_stored(void *arg, struct gpudx_sv path, const char *sha256, uint64_t bytes)
{
	touch(path);
	must(strlen(sha256) == 64, "a digest has 64 digits");
	must(bytes == *(const uint64_t *)arg, "the digest is over the whole file");
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct gpudx_budget budget = gpudx_budget_default;
	uint64_t size = n;
	const struct gpudx_visitor v = { &size, on_member, on_damage, on_stored, NULL };
	struct gpudx_bundle_result res;
	struct gpudx_err err = { 0 };

	/* What is tried here is small: a few megabytes are far beyond what it may become. */
	budget.decoded_max = 4 << 20;
	budget.members_max = 200;
	must_ok(gpudx_bundle_walk((const char *const[]){ fuzz_file(p, n) }, 1, &budget, &v, &res,
				  &err),
		&err);
	must(strlen(res.digest) == 64, "the bundle has a digest");
	return 0;
}
