#include "derive/said.h"

#include "store/query.h"

enum gpudx_status gpudx_said_spans(sqlite3 *db, int64_t bundle, struct gpudx_err *err)
{
	static const char sql[] =
		"INSERT INTO source_span(source_id, src_boot, kind, first_us, last_us)"
		" SELECT v.source_id, v.src_boot, v.kind, min(v.raw), max(v.raw) FROM ("
		"  SELECT source_id, src_boot, t_kind AS kind, t_raw_us AS raw FROM event"
		"  UNION ALL SELECT source_id, src_boot, t_kind, t_raw_us FROM fact"
		"  UNION ALL SELECT r.source_id, r.src_boot, s.src_clock, m.t_raw_us"
		" FROM gpu_minute m"
		"   JOIN gpu_ref r ON r.id = m.ref_id JOIN source s ON s.id = r.source_id) v"
		" JOIN source s ON s.id = v.source_id"
		" WHERE s.bundle_id = ?1 AND v.kind <> 'none' AND v.raw IS NOT NULL"
		"  AND NOT EXISTS (SELECT 1 FROM source_span p WHERE p.source_id = v.source_id)"
		" GROUP BY v.source_id, v.src_boot, v.kind";

	return gpudx_query_run(db, sql, bundle, err);
}

/* A log, for our purposes: it is the kernel's, has time since boot, or counts boots. */
#define IS_LOG                                                                         \
	"(s.parser = 'kernel-log' OR s.id IN (SELECT source_id FROM source_span WHERE" \
	" kind = 'boot' OR src_boot > 0))"

enum gpudx_status gpudx_said_make(sqlite3 *db, int64_t bundle, struct gpudx_err *err)
{
	static const char *const make[] = {
		"DROP TABLE IF EXISTS temp.said",
		"CREATE TEMP TABLE said(source_id INTEGER, src_boot INTEGER, host_id INTEGER,"
		" key TEXT, kind TEXT, raw INTEGER, mono INTEGER, line_id INTEGER)",
		"DROP TABLE IF EXISTS temp.said_once",
		"CREATE TEMP TABLE said_once(source_id INTEGER, src_boot INTEGER, host_id INTEGER,"
		" key TEXT, kind TEXT, raw INTEGER, line_id INTEGER)",
	};
	static const char *const fill[] = {
		"INSERT INTO temp.said SELECT e.source_id, e.src_boot, s.host_id,"
		" e.kind || '|' || coalesce(e.code, '') || '|' || rtrim(substr(e.text, 1, 300)),"
		" e.t_kind, e.t_raw_us,"
		" CASE WHEN e.t_kind = 'boot' THEN e.t_raw_us ELSE e.mono_us END, e.line_id"
		" FROM event e JOIN source s ON s.id = e.source_id"
		" WHERE s.bundle_id = ?1 AND e.t_kind <> 'none' AND e.t_raw_us IS NOT NULL",
		"INSERT INTO temp.said SELECT f.source_id, f.src_boot, s.host_id,"
		" '=' || f.key || '|' || f.layer || '|' || coalesce(substr(f.value, 1, 300), ''),"
		" f.t_kind, f.t_raw_us, CASE WHEN f.t_kind = 'boot' THEN f.t_raw_us END, f.line_id"
		" FROM fact f JOIN source s ON s.id = f.source_id"
		" WHERE s.bundle_id = ?1 AND f.t_kind <> 'none' AND f.t_raw_us IS NOT NULL"
		" AND f.key <> 'host.name' AND " IS_LOG,
		"CREATE INDEX temp.said_key ON said(host_id, key)",
		"CREATE INDEX temp.said_mono ON said(mono)",
		"INSERT INTO temp.said_once SELECT source_id, src_boot, host_id, key, kind,"
		" min(raw), min(line_id) FROM temp.said"
		" GROUP BY source_id, src_boot, kind, key HAVING count(*) = 1",
		"CREATE INDEX temp.said_once_key ON said_once(host_id, key)",
	};
	static const char streams[] = "SELECT count(*) FROM (SELECT DISTINCT source_id, kind"
				      " FROM source_span WHERE kind <> 'none' LIMIT 2)";
	enum gpudx_status rc;
	int64_t n = 0;

	rc = gpudx_query_all(db, make, sizeof(make) / sizeof(make[0]), bundle, err);
	if (!rc)
		rc = gpudx_db_int(db, streams, 0, &n, err);
	if (!rc && n > 1)
		rc = gpudx_query_all(db, fill, sizeof(fill) / sizeof(fill[0]), bundle, err);
	return rc;
}
