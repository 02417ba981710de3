/* Host, boot, time and unit of facts; the clock of what samples point to. */
#include "derive/derive.h"
#include "derive/place.h"
#include "store/query.h"

static enum gpudx_status place_facts(const struct gpudx_clocks *c, struct gpudx_err *err)
{
	static const char facts[] =
		"SELECT f.id, f.source_id, f.src_boot, f.t_kind, f.t_raw_us, NULL,"
		" " GPUDX_HOST_OF_LINE("f") " FROM fact f JOIN source s ON s.id = f.source_id"
					    " WHERE s.bundle_id = ?1 ORDER BY f.id";
	static const char update[] = "UPDATE fact SET host_id = ?2, boot_id = ?3, t_us = ?4, "
				     "t_quality = ?5 WHERE id = ?1";

	return gpudx_place_rows(c, facts, update, err);
}

struct ref_placing {
	const struct gpudx_clocks *c;
	sqlite3_stmt *update;
};

/* Rows: ref, source, src_boot, first and last raw. A ref has one offset: where the clocks were
 * changed in between, half of its times are an hour off, and it says so. */
static enum gpudx_status ref_row(void *arg, sqlite3_stmt *row, struct gpudx_err *err)
{
	int64_t first = gpudx_col_time(row, 3), last = gpudx_col_time(row, 4);
	const struct gpudx_clock_boot *boot;
	const struct gpudx_clock_source *s;
	struct ref_placing *p = arg;
	struct gpudx_moment m, n;
	int32_t count = sqlite3_column_int(row, 2);
	int64_t offset;

	s = gpudx_clocks_source(p->c, sqlite3_column_int64(row, 1));
	if (!s || first == GPUDX_NO_TIME)
		return GPUDX_OK;
	m = gpudx_clocks_place(p->c, s->host, s, count, s->kind, first, &boot);
	n = gpudx_clocks_place(p->c, s->host, s, count, s->kind, last, &boot);
	if (m.t_us == GPUDX_NO_TIME)
		return GPUDX_OK;
	offset = gpudx_time_add(m.t_us, -first);
	if (n.t_us != gpudx_time_add(last, offset) && m.quality < GPUDX_Q_ZONE_ASSUMED)
		m.quality = GPUDX_Q_ZONE_ASSUMED;
	sqlite3_bind_int64(p->update, 1, sqlite3_column_int64(row, 0));
	sqlite3_bind_int64(p->update, 2, offset == GPUDX_NO_TIME ? 0 : offset);
	gpudx_bind_text(p->update, 3, sv_str(gpudx_quality_word(m.quality)));
	return gpudx_db_run(p->update, err);
}

static enum gpudx_status place_refs(const struct gpudx_clocks *c, struct gpudx_err *err)
{
	static const char refs[] =
		"WITH sampled AS (SELECT ref_id, min(t_raw_us) AS first, max(t_raw_us) AS last"
		" FROM gpu_minute GROUP BY 1),"
		" spanned AS (SELECT p.source_id, min(p.first_us) AS first, max(p.last_us) AS last"
		" FROM source_span p"
		"  JOIN source s ON s.id = p.source_id AND s.src_clock = p.kind GROUP BY 1)"
		" SELECT r.id, r.source_id, r.src_boot, coalesce(a.first, b.first),"
		" coalesce(a.last, b.last)"
		" FROM gpu_ref r JOIN source s ON s.id = r.source_id LEFT JOIN sampled a"
		" ON a.ref_id = r.id"
		" LEFT JOIN spanned b ON b.source_id = r.source_id"
		" WHERE s.bundle_id = ?1 AND s.src_clock <> 'none' ORDER BY r.id";
	static const char update[] =
		"UPDATE gpu_ref SET t_offset_us = ?2, t_quality = ?3 WHERE id = ?1";
	struct ref_placing p = { .c = c };
	enum gpudx_status rc = gpudx_db_prepare(c->db, update, &p.update, err);

	if (!rc)
		rc = gpudx_query_each(c->db, refs, c->bundle, ref_row, &p, err);
	sqlite3_finalize(p.update);
	return rc;
}

enum gpudx_status gpudx_derive_facts(struct gpudx_store *store, int64_t bundle,
				     struct gpudx_clocks *clocks, struct gpudx_err *err)
{
	/* Keys of the registry may end in a star. These are few: apart from the others (LIMIT keeps
	 * them so) they are compared with a key in no time. */
	static const char *const units[] = {
		"CREATE TEMP TABLE unit_of(key TEXT PRIMARY KEY, unit TEXT)",
		"INSERT INTO temp.unit_of SELECT f.key, CASE WHEN k.key IS NOT NULL THEN k.unit "
		"ELSE"
		"  (SELECT p.unit FROM (SELECT key, unit FROM kb_fact_keys WHERE key LIKE '%*'"
		"   LIMIT -1) p WHERE f.key GLOB p.key ORDER BY length(p.key) DESC LIMIT 1) END"
		" FROM (SELECT DISTINCT key FROM fact) f LEFT JOIN kb_fact_keys k ON k.key = f.key",
		("UPDATE fact SET unit = (SELECT u.unit FROM temp.unit_of u WHERE u.key = fact.key)"
		 " WHERE unit IS NULL"
		 " AND source_id IN (SELECT id FROM source WHERE bundle_id = ?1)"),
		"DROP TABLE temp.unit_of",
	};
	sqlite3 *db = gpudx_store_db(store);
	enum gpudx_status rc = place_facts(clocks, err);

	if (!rc)
		rc = place_refs(clocks, err);
	if (!rc && gpudx_db_has(db, "kb_fact_keys", "key") &&
	    gpudx_db_has(db, "kb_fact_keys", "unit"))
		rc = gpudx_query_all(db, units, sizeof(units) / sizeof(units[0]), bundle, err);
	return rc;
}
