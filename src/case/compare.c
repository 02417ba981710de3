/* The public interface to comparisons. */
#include "gpudx/compare.h"

#include "base/stamp.h"
#include "case/case.h"
#include "case/site.h"
#include "compare/compare.h"
#include "report/cmp.h"
#include "store/query.h"

#include <math.h>
#include <stdlib.h>

enum { ARENA_MAX = 1 << 30 };

struct gpudx_compare_options gpudx_compare_defaults(void)
{
	return (struct gpudx_compare_options){ .max_clock_drop = NAN,
					       .max_throughput_drop = NAN,
					       .max_error_rate_ratio = NAN,
					       .seed = 1 };
}

static enum gpudx_status begin(const struct gpudx_compare_options *options,
			       struct gpudx_comparison **out, struct gpudx_err *err)
{
	struct gpudx_comparison *c = calloc(1, sizeof(*c));

	*out = c;
	if (!c)
		return gpudx_nomem(err);
	c->arena.limit = ARENA_MAX;
	c->options = options ? *options : gpudx_compare_defaults();
	if (!c->options.seed)
		c->options.seed = 1;
	c->side[CMP_BEFORE].label = c->options.before_label;
	c->side[CMP_AFTER].label = c->options.after_label;
	for (int s = 0; s < CMP_SIDES; s++) {
		c->side[s].from_us = INT64_MIN;
		c->side[s].to_us = INT64_MAX;
		c->side[s].collected_us = GPUDX_NO_TIME;
	}
	return GPUDX_OK;
}

static enum gpudx_status end(enum gpudx_status rc, struct gpudx_comparison **out)
{
	if (rc) {
		gpudx_comparison_free(*out);
		*out = NULL;
	}
	return rc;
}

static enum gpudx_status write_site_of(void *arg, sqlite3_stmt *bundle, struct gpudx_err *err)
{
	struct gpudx_case *c = arg;

	return gpudx_site_write(c->site, c->store, gpudx_col_int(bundle, 0, 0), err);
}

/* What the site means to have, for each bundle. A database has what it was analyzed with. */
static enum gpudx_status write_site(struct gpudx_case *c, struct gpudx_err *err)
{
	return c->site ? gpudx_query_each(gpudx_store_db(c->store), "SELECT id FROM bundle", 0,
					  write_site_of, c, err)
		       : GPUDX_OK;
}

enum gpudx_status gpudx_compare(struct gpudx_case *before, struct gpudx_case *after,
				const struct gpudx_compare_options *options,
				struct gpudx_comparison **out, struct gpudx_err *err)
{
	enum gpudx_status rc = begin(options, out, err);

	if (!rc)
		rc = write_site(before, err);
	if (!rc)
		rc = write_site(after, err);
	if (!rc) {
		(*out)->side[CMP_BEFORE].db = gpudx_store_db(before->store);
		(*out)->side[CMP_AFTER].db = gpudx_store_db(after->store);
		rc = gpudx_compare_sides(*out, err);
	}
	return end(rc, out);
}

/* What ran, not what lay on the disk; the driver before all others, then the latest. One source says
 * a version again only when it changes: the old one ran until then. Between two sources nobody
 * knows. */
static enum gpudx_status find_change(struct gpudx_comparison *c, struct gpudx_err *err)
{
	static const char sql[] =
		"SELECT what || ' ' || before || ' → ' || after,"
		" CASE WHEN line_before >> 32 = line_after >> 32 THEN t_us - 1"
		"  ELSE coalesce(t_before_us, t_us - 1) END, t_us"
		" FROM change WHERE t_us IS NOT NULL"
		" AND t_quality IN ('exact', 'aligned', 'zone_assumed')"
		" AND what IN ('driver.version', 'kernel.release', 'cuda.toolkit', 'torch.version',"
		"  'gsp.firmware', 'gpu.vbios')"
		" ORDER BY what <> 'driver.version', what <> 'kernel.release',"
		"  layer IN ('package', 'installer', 'disk'), t_us DESC, id LIMIT 1";
	sqlite3_stmt *st;
	bool row = false;
	enum gpudx_status rc = gpudx_db_prepare(c->side[0].db, sql, &st, err);

	if (rc)
		return rc;
	rc = gpudx_db_step(st, &row, err);
	if (!rc && !row)
		rc = gpudx_fail(err, GPUDX_E_INPUT,
				"no change of driver, kernel or toolkit at a known time in it");
	if (!rc) {
		c->split_by = gpudx_cmp_text(&c->arena, st, 0);
		c->side[CMP_BEFORE].to_us = gpudx_col_int(st, 1, 0);
		c->side[CMP_AFTER].from_us = gpudx_col_int(st, 2, 0);
		if (!c->split_by)
			rc = gpudx_nomem(err);
	}
	sqlite3_finalize(st);
	return rc;
}

enum gpudx_status gpudx_compare_split(struct gpudx_case *c,
				      const struct gpudx_compare_options *options,
				      struct gpudx_comparison **out, struct gpudx_err *err)
{
	enum gpudx_status rc = begin(options, out, err);

	if (!rc)
		rc = write_site(c, err);
	if (!rc) {
		(*out)->side[CMP_BEFORE].db = gpudx_store_db(c->store);
		(*out)->side[CMP_AFTER].db = gpudx_store_db(c->store);
		rc = find_change(*out, err);
	}
	if (!rc)
		rc = gpudx_compare_sides(*out, err);
	return end(rc, out);
}

void gpudx_comparison_free(struct gpudx_comparison *c)
{
	if (!c)
		return;
	gpudx_arena_free(&c->arena);
	free(c);
}

struct gpudx_compared gpudx_comparison_sum(const struct gpudx_comparison *c)
{
	struct gpudx_compared sum = { .conditions = c->ngate };

	for (size_t i = 0; i < c->ngate; i++) {
		sum.failed += c->gate[i].outcome == CMP_FAIL;
		sum.inconclusive += c->gate[i].outcome == CMP_INCONCLUSIVE;
	}
	for (size_t i = 0; i < c->nfindings; i++)
		sum.findings += c->findings[i].severity != 'I';
	sum.gate_failed = sum.failed || (sum.inconclusive && !c->options.allow_inconclusive);
	return sum;
}

enum gpudx_status gpudx_comparison_report(const struct gpudx_comparison *c,
					  enum gpudx_compare_format format,
					  const struct gpudx_compare_report *options, FILE *out,
					  struct gpudx_err *err)
{
	return gpudx_cmp_report(c, format, options, out, err);
}
