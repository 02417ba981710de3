/* The public interface over the stages. */
#include "gpudx/gpudx.h"

#include "base/oom.h"
#include "case/case.h"
#include "case/site.h"
#include "derive/derive.h"
#include "ingest/ingest.h"
#include "rules/judge.h"
#include "redact/redact.h"
#include "report/report.h"

#include <stdlib.h>

bool gpudx_memory_ran_out(void)
{
	return gpudx_oom_seen();
}

const char *gpudx_version(void)
{
	return GPUDX_VERSION;
}

static enum gpudx_status case_alloc(struct gpudx_case **out, struct gpudx_err *err)
{
	*out = calloc(1, sizeof(**out));
	if (!*out)
		return gpudx_nomem(err);
	(*out)->limits = gpudx_budget_default;
	return GPUDX_OK;
}

static enum gpudx_status close_failed(struct gpudx_case **c, enum gpudx_status rc)
{
	if (rc) {
		gpudx_case_close(*c);
		*c = NULL;
	}
	return rc;
}

enum gpudx_status gpudx_case_create(const char *path, struct gpudx_case **out,
				    struct gpudx_err *err)
{
	enum gpudx_status rc = case_alloc(out, err);

	return rc ? rc : close_failed(out, gpudx_store_create(path, &(*out)->store, err));
}

enum gpudx_status gpudx_case_open(const char *path, struct gpudx_case **out, struct gpudx_err *err)
{
	enum gpudx_status rc = case_alloc(out, err);

	return rc ? rc : close_failed(out, gpudx_store_open(path, &(*out)->store, err));
}

void gpudx_case_close(struct gpudx_case *c)
{
	if (!c)
		return;
	gpudx_store_close(c->store);
	gpudx_redact_free(c->redact);
	gpudx_site_free(c->site);
	gpudx_sigs_free(c->sigs);
	free(c);
}

void gpudx_case_watch(struct gpudx_case *c, struct gpudx_progress *p)
{
	c->limits.progress = p;
}

enum gpudx_status gpudx_case_limit(struct gpudx_case *c, const char *limit, struct gpudx_err *err)
{
	return gpudx_budget_set(&c->limits, limit, err);
}

enum gpudx_status gpudx_case_read(struct gpudx_case *c, const char *path, struct gpudx_read *out,
				  struct gpudx_err *err)
{
	return gpudx_case_read_all(c, &path, 1, out, err);
}

enum gpudx_status gpudx_case_read_all(struct gpudx_case *c, const char *const *paths, size_t n,
				      struct gpudx_read *out, struct gpudx_err *err)
{
	struct gpudx_ingested in;
	enum gpudx_status rc = GPUDX_OK;

	if (!c->sigs)
		rc = gpudx_sigs_load(&c->sigs, err);
	if (!rc)
		rc = gpudx_ingest(c->store, c->sigs, paths, n, &c->limits, &in, err);
	rc = gpudx_oom_or(rc, err);
	if (!rc)
		*out = (struct gpudx_read){ in.bundle, in.members, in.unread, in.limit };
	return rc;
}

enum gpudx_status gpudx_case_derive(struct gpudx_case *c, int64_t bundle, const char *tz,
				    struct gpudx_err *err)
{
	const struct gpudx_derive_options options = { .tz = tz };

	return gpudx_oom_or(gpudx_derive(c->store, bundle, &options, err), err);
}

enum gpudx_status gpudx_case_site(struct gpudx_case *c, const char *path, struct gpudx_err *err)
{
	struct gpudx_site *site;
	enum gpudx_status rc = gpudx_site_read(path, &site, err);

	if (rc)
		return rc;
	gpudx_site_free(c->site);
	c->site = site;
	return gpudx_site_check(site, c->store, err);
}

static int64_t or_no_time(const int64_t *t_us)
{
	return t_us ? *t_us : GPUDX_NO_TIME;
}

static enum gpudx_status judge_with(struct gpudx_case *c, struct gpudx_ruleset *rules,
				    int64_t bundle, const struct gpudx_judge_options *o,
				    struct gpudx_judged *out, struct gpudx_err *err)
{
	struct gpudx_judge_in in = { .bundle = bundle,
				     .before = o->before,
				     .symptom = o->complaint,
				     .at_us = or_no_time(o->at_us),
				     .since_us = or_no_time(o->since_us),
				     .until_us = or_no_time(o->until_us) };
	struct gpudx_judge_out judged;
	enum gpudx_status rc = GPUDX_OK;

	for (size_t i = 0; i < o->nsets && !rc; i++)
		rc = gpudx_ruleset_set(rules, o->sets[i], err);
	if (!rc && c->site)
		rc = gpudx_site_write(c->site, c->store, bundle, err);
	if (!rc)
		rc = gpudx_judge(gpudx_store_db(c->store), rules, &in, &judged, err);
	rc = gpudx_oom_or(rc, err);
	if (rc)
		return rc;
	*out = (struct gpudx_judged){ .rules = judged.rules,
				      .broken = judged.broken,
				      .findings = judged.findings,
				      .verdict = judged.verdict };
	return gpudx_case_sum_up(c, bundle, out, err);
}

enum gpudx_status gpudx_case_judge(struct gpudx_case *c, int64_t bundle,
				   const struct gpudx_judge_options *options,
				   struct gpudx_judged *out, struct gpudx_err *err)
{
	static const struct gpudx_judge_options none;
	const struct gpudx_judge_options *o = options ? options : &none;
	struct gpudx_ruleset *rules;
	enum gpudx_status rc = gpudx_ruleset_load(o->rules_dir, &rules, err);

	if (rc)
		return rc;
	rc = judge_with(c, rules, bundle, o, out, err);
	gpudx_ruleset_free(rules);
	return rc;
}

enum gpudx_status gpudx_case_report(struct gpudx_case *c, int64_t bundle, enum gpudx_format format,
				    const struct gpudx_report_options *options, FILE *out,
				    struct gpudx_err *err)
{
	enum gpudx_status rc =
		gpudx_report(gpudx_store_db(c->store), bundle, format, options, out, err);

	return gpudx_oom_or(rc, err);
}

enum gpudx_status gpudx_case_charts(struct gpudx_case *c, int64_t bundle, struct gpudx_plot *plot,
				    void (*each)(void *arg, const char *name, const char *content,
						 size_t n),
				    void *arg, const char **missing, struct gpudx_err *err)
{
	return gpudx_report_charts(gpudx_store_db(c->store), bundle, plot, each, arg, missing, err);
}
