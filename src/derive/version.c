/* Versions as numbers that can be compared, by the scale that the registry of keys names. */
#include "derive/stages.h"

#include "store/query.h"

enum { PARTS = 3 };

/* "550.54.14" or "2.10.1+cu128" into its leading numbers; how many there are. */
static int parts_of(struct gpudx_sv s, uint64_t part[PARTS])
{
	int n = 0;

	while (n < PARTS && sv_u64(&s, &part[n])) {
		n++;
		if (!sv_char(&s, '.'))
			break;
	}
	return n;
}

/* The last place of CUDA is of patch releases; it may hold a build instead, which orders nothing.
 */
int64_t gpudx_version_num(struct gpudx_sv scale, struct gpudx_sv version)
{
	uint64_t p[PARTS] = { 0 };

	if (parts_of(version, p) < 2 || p[0] > 9999 || p[1] > 999)
		return -1;
	if (sv_is(scale, "driver"))
		return p[2] > 999 ? -1 : (int64_t)(p[0] * 1000000 + p[1] * 1000 + p[2]);
	if (sv_is(scale, "cuda"))
		return p[1] > 99 ? -1 : (int64_t)(p[0] * 1000 + p[1] * 10 + (p[2] < 10 ? p[2] : 0));
	if (sv_is(scale, "torch"))
		return (int64_t)(p[0] * 1000 + p[1]);
	return -1;
}

/* Rows: id of the fact, scale, value. */
static enum gpudx_status version_row(void *arg, sqlite3_stmt *row, struct gpudx_err *err)
{
	sqlite3_stmt *update = arg;
	int64_t num = gpudx_version_num(gpudx_col_text(row, 1), gpudx_col_text(row, 2));

	if (num < 0)
		return GPUDX_OK;
	sqlite3_bind_int64(update, 1, sqlite3_column_int64(row, 0));
	sqlite3_bind_int64(update, 2, num);
	return gpudx_db_run(update, err);
}

enum gpudx_status gpudx_derive_versions(struct gpudx_store *store, int64_t bundle,
					struct gpudx_err *err)
{
	static const char versions[] =
		"SELECT f.id, k.num_as, f.value FROM fact f JOIN kb_fact_keys k ON k.key = f.key"
		" JOIN source s ON s.id = f.source_id"
		" WHERE s.bundle_id = ?1 AND k.num_as <> '' AND f.num IS NULL ORDER BY f.id";
	sqlite3 *db = gpudx_store_db(store);
	sqlite3_stmt *update = NULL;
	enum gpudx_status rc;

	if (!gpudx_db_has(db, "kb_fact_keys", "num_as"))
		return GPUDX_OK;
	rc = gpudx_db_prepare(db, "UPDATE fact SET num = ?2 WHERE id = ?1", &update, err);
	if (!rc)
		rc = gpudx_query_each(db, versions, bundle, version_row, update, err);
	sqlite3_finalize(update);
	return rc;
}
