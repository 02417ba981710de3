/* change: values of facts that became others in time, each layer for itself. */
#include "derive/stages.h"

#include "store/query.h"

/* Settings and versions whose change matters, whatever the registry of keys says. */
#define WATCHED                                                                                 \
	"VALUES ('driver.version'), ('driver.flavor'), ('kernel.release'), ('kernel.cmdline')," \
	" ('gsp.firmware'), ('gpu.vbios'), ('power.limit_w'), ('ecc.mode'), ('mig.mode'),"      \
	" ('persistence.mode'), ('compute.mode'), ('iommu.domain')"
#define CONTRACT "SELECT key FROM kb_fact_keys WHERE contract = 'yes'"

/* "350.00" and "350" are one limit. So are 535.161.08 and 535.161.8; the
 * other scales of versions are coarser than their texts. */
#define SAME "coalesce(f.num, f.value)"
#define SAME_BY_KEY                                                                            \
	"CASE WHEN f.key IN (SELECT key FROM kb_fact_keys WHERE num_as IN ('cuda', 'torch')) " \
	"THEN f.value"                                                                         \
	" ELSE " SAME " END"

/* seen: facts with their place in time. Stamps order facts within a boot only. A fact without boot
 * lies in the latest that began before it, if starts are known; one without a time is of the
 * collection, in the last boot.
 *
 * step: each fact beside the one before it. Two values at one moment contradict each other; what
 * comes before and after such a pair is no change.
 *
 * A change is a step to another value in a known order: in a later boot; or at a later time of an
 * equal clock, 14 hours later where one of the zones is unknown; or, without a stamp, an hour
 * before the end of the collection or earlier, because one collection takes minutes; or without any
 * stamp in a later one of several inputs. */
#define CHANGES(watched, same)                                                                     \
	"WITH watched(key) AS (" watched "),"                                                      \
	" seen AS (SELECT f.id, f.host_id, f.gpu_id, f.key, f.layer, f.value,"                     \
	"  " same " AS v, f.t_us, f.t_quality, f.line_id,"                                         \
	"  n.collected_us, n.collected_quality,"                                                   \
	"  iif(EXISTS (SELECT 1 FROM input i WHERE i.bundle_id = n.id),"                           \
	"   CAST(s.path AS INTEGER), 0) AS input,"                                                 \
	"  CASE WHEN b.id IS NOT NULL THEN b.seq"                                                  \
	"   WHEN f.t_us IS NULL OR f.t_quality IN ('boot_relative', 'unknown') THEN 0"             \
	"   WHEN NOT EXISTS(SELECT 1 FROM boot x WHERE x.host_id = f.host_id"                      \
	"    AND x.start_us IS NOT NULL) THEN 0"                                                   \
	"   ELSE coalesce((SELECT max(x.seq) FROM boot x WHERE x.host_id = f.host_id"              \
	"    AND x.start_us <= f.t_us), -1000000) END AS seq"                                      \
	"  FROM fact f JOIN source s ON s.id = f.source_id JOIN bundle n ON n.id = s.bundle_id"    \
	"   LEFT JOIN boot b ON b.id = f.boot_id"                                                  \
	"  WHERE n.id = ?1 AND f.host_id IS NOT NULL AND f.instance_id IS NULL"                    \
	"   AND (f.ref_id IS NULL OR f.gpu_id IS NOT NULL) AND f.value IS NOT NULL"                \
	"   AND f.key IN (SELECT key FROM watched)),"                                              \
	" placed AS (SELECT *,"                                                                    \
	"  CASE t_quality WHEN 'exact' THEN 'utc' WHEN 'aligned' THEN 'utc' ELSE t_quality END"    \
	"   AS clock,"                                                                             \
	"  min(v) OVER moment <> max(v) OVER moment AS torn FROM seen"                             \
	"  WINDOW moment AS (PARTITION BY host_id, gpu_id, key, layer, seq, t_us, input)),"        \
	" step AS (SELECT *, lag(value) OVER past AS old, lag(v) OVER past AS old_v,"              \
	"  lag(seq) OVER past AS old_seq, lag(t_us) OVER past AS old_us,"                          \
	"  lag(clock) OVER past AS old_clock, lag(torn) OVER past AS old_torn,"                    \
	"  lag(line_id) OVER past AS old_line, lag(input) OVER past AS old_input FROM placed"      \
	"  WINDOW past AS (PARTITION BY host_id, gpu_id, key, layer"                               \
	"   ORDER BY seq, t_us IS NULL, t_us, input, line_id, id)),"                               \
	" apart AS (SELECT *, CASE WHEN t_us IS NULL"                                              \
	"   THEN collected_us - 3600000000 - old_us ELSE t_us - old_us END"                        \
	"  - CASE WHEN clock = old_clock OR t_us IS NULL THEN 0"                                   \
	"     WHEN clock IN ('utc', 'zone_assumed') AND old_clock IN ('utc', 'zone_assumed')"      \
	"     THEN 14 * 3600000000 END AS apart_us FROM step WHERE v <> old_v)"                    \
	" INSERT INTO change(host_id, gpu_id, what, layer, before, after, t_before_us, t_us,"      \
	"  t_quality, line_before, line_after)"                                                    \
	" SELECT host_id, gpu_id, key, layer, old, value, old_us, coalesce(t_us, collected_us),"   \
	"  CASE WHEN t_us IS NULL THEN coalesce(collected_quality, 'unknown') ELSE t_quality END," \
	"  old_line, line_id"                                                                      \
	" FROM apart WHERE NOT torn AND NOT old_torn AND (seq > old_seq OR apart_us > 0"           \
	"  OR (input > old_input AND t_us IS NULL AND old_us IS NULL))"                            \
	" ORDER BY host_id, gpu_id, key, layer, seq, t_us IS NULL, t_us, line_id, id"

static const char clear_sql[] =
	"DELETE FROM change WHERE host_id IN (SELECT id FROM host WHERE bundle_id = ?1)";
static const char plain_sql[] = CHANGES(WATCHED, SAME);
static const char contract_sql[] = CHANGES(WATCHED " UNION " CONTRACT, SAME_BY_KEY);

enum gpudx_status gpudx_derive_changes(struct gpudx_store *store, int64_t bundle,
				       struct gpudx_err *err)
{
	sqlite3 *db = gpudx_store_db(store);
	const char *sql = gpudx_db_has(db, "kb_fact_keys", "num_as") ? contract_sql : plain_sql;
	enum gpudx_status rc = gpudx_query_run(db, clear_sql, bundle, err);

	if (!rc)
		rc = gpudx_query_run(db, sql, bundle, err);
	return rc ? gpudx_while(err, "while looking for changes of versions and settings")
		  : GPUDX_OK;
}
