#include "rules/moment.h"

#include "base/stamp.h"
#include "store/store.h"

/* Temporary tables carry keys that the tables of the schema do without. ?1 is the bundle. */
static const char *const prepare_steps[] = {
	"DROP TABLE IF EXISTS temp.cite",
	"DROP TABLE IF EXISTS temp.cited",
	"DROP TABLE IF EXISTS temp.source_end",
	"DROP TABLE IF EXISTS temp.source_clock",

	/* In the order in which they were united: lines of dated rows come first. */
	"CREATE TEMP TABLE cite(finding_id INTEGER, line_id INTEGER, nth INTEGER,"
	" PRIMARY KEY(finding_id, line_id)) WITHOUT ROWID",
	"INSERT OR IGNORE INTO cite SELECT l.finding_id, l.line_id, l.rowid FROM finding f"
	" JOIN finding_line l ON l.finding_id = f.id"
	" WHERE f.bundle_id = ?1 AND l.role = 'shows'",

	/* What the cited lines are: clock and boot of the event or fact. */
	"CREATE TEMP TABLE cited(line_id INTEGER PRIMARY KEY, t_quality TEXT, boot_seq INTEGER)",
	"INSERT OR IGNORE INTO cited SELECT e.line_id, e.t_quality, b.seq FROM event e"
	" LEFT JOIN boot b ON b.id = e.boot_id WHERE e.line_id IN (SELECT line_id FROM cite)",
	"INSERT OR IGNORE INTO cited SELECT f.line_id,"
	" CASE WHEN f.t_us IS NULL THEN 'unknown' ELSE f.t_quality END, b.seq FROM fact f"
	" LEFT JOIN boot b ON b.id = f.boot_id WHERE f.line_id IN (SELECT line_id FROM cite)",

	/* The clocks of the cited sources, where they have one: samples have theirs by GPU. */
	"CREATE TEMP TABLE source_clock(source_id INTEGER PRIMARY KEY, t_quality TEXT)",
	"INSERT INTO source_clock SELECT source_id, min(t_quality) FROM gpu_ref"
	" WHERE samples > 0 AND t_quality <> 'unknown'"
	" AND source_id IN (SELECT line_id >> 32 FROM cite) GROUP BY source_id",
	"INSERT OR IGNORE INTO source_clock SELECT s.id, k.quality FROM source s"
	" JOIN clock k ON k.id = s.clock_id WHERE k.quality <> 'unknown'"
	" AND s.id IN (SELECT line_id >> 32 FROM cite)",

	/* Where the cited sources end: samples at the last sample, others as coverage says. */
	"CREATE TEMP TABLE source_end(source_id INTEGER PRIMARY KEY, to_us INTEGER,"
	" slack_us INTEGER)",
	"INSERT INTO source_end SELECT r.source_id,"
	" max(z.t_raw_us + r.t_offset_us),"
	" max(CASE WHEN r.samples > 1 THEN 2 * (z.t_raw_us - a.t_raw_us) / (r.samples - 1) END)"
	" FROM (SELECT ref_id, min(first_id) AS first_id, max(last_id) AS last_id FROM gpu_minute"
	"  WHERE ref_id IN (SELECT id FROM gpu_ref"
	"   WHERE source_id IN (SELECT line_id >> 32 FROM cite)) GROUP BY ref_id) m"
	" JOIN gpu_ref r ON r.id = m.ref_id"
	" JOIN gpu_sample a ON a.rowid = m.first_id JOIN gpu_sample z ON z.rowid = m.last_id"
	" WHERE z.t_raw_us IS NOT NULL GROUP BY r.source_id",
	"INSERT OR IGNORE INTO source_end SELECT c.source_id, max(c.to_us), 0 FROM coverage c"
	" WHERE c.whole = 1 AND c.to_us IS NOT NULL"
	" AND c.source_id IN (SELECT line_id >> 32 FROM cite) GROUP BY c.source_id",
};

#define OPEN " WHERE bundle_id = ?1 AND "

static const char *const settle_steps[] = {
	/* The first line whose clock is known. */
	"UPDATE finding SET t_quality = coalesce("
	" (SELECT coalesce(nullif(d.t_quality, 'unknown'), s.t_quality) AS q FROM cite c"
	"  LEFT JOIN cited d ON d.line_id = c.line_id"
	"  LEFT JOIN source_clock s ON s.source_id = c.line_id >> 32"
	"  WHERE c.finding_id = finding.id AND q IS NOT NULL ORDER BY c.nth LIMIT 1),"
	" 'unknown')" OPEN "t_quality IS NULL AND t0_us IS NOT NULL",

	"UPDATE finding SET state = 'history'" OPEN "state = '' AND (SELECT max(d.boot_seq)"
	" FROM cite c JOIN cited d ON d.line_id = c.line_id WHERE c.finding_id = finding.id) < 0",

	/* Before the last boot. Clocks of different kinds may be apart by the zone: up to 14 h. */
	"UPDATE finding SET state = 'history'" OPEN "state = '' AND t1_us IS NOT NULL"
	" AND t_quality NOT IN ('boot_relative', 'unknown') AND EXISTS (SELECT 1 FROM boot b"
	"  WHERE b.host_id = finding.host_id AND b.seq = 0 AND b.start_us IS NOT NULL"
	"  AND b.start_quality NOT IN ('boot_relative', 'unknown')"
	"  AND finding.t1_us < b.start_us - CASE"
	"   WHEN (b.start_quality = 'zone_assumed') = (finding.t_quality = 'zone_assumed') THEN 0"
	"   ELSE 50400000000 END)",

	"UPDATE finding SET at_end = CASE WHEN state IN ('cured', 'history') THEN 0"
	" WHEN state = 'active' OR t0_us IS NULL THEN 1"
	" ELSE EXISTS (SELECT 1 FROM cite c JOIN source_end e ON e.source_id = c.line_id >> 32"
	"  WHERE c.finding_id = finding.id"
	"  AND finding.t1_us >= e.to_us - max(5000000, coalesce(e.slack_us, 0))) END" OPEN
	"at_end < 0",

	"UPDATE finding SET state = CASE WHEN at_end THEN 'active' ELSE 'unknown' END" OPEN
	"state = ''",
};

/* ?2 since, ?3 until; NULL none. */
static const char *const limit_steps[] = {
	"DELETE FROM finding" OPEN "t0_us IS NOT NULL"
	" AND t_quality NOT IN ('boot_relative', 'unknown') AND (t1_us < ?2 OR t0_us > ?3)",
	"DELETE FROM finding_gpu WHERE finding_id NOT IN (SELECT id FROM finding)",
	"DELETE FROM finding_line WHERE finding_id NOT IN (SELECT id FROM finding)",
	"DELETE FROM finding_attr WHERE finding_id NOT IN (SELECT id FROM finding)",
};

static const char *const cleanup_steps[] = {
	"DROP TABLE temp.cite",
	"DROP TABLE temp.cited",
	"DROP TABLE temp.source_end",
	"DROP TABLE temp.source_clock",
};

struct runner {
	sqlite3 *db;
	int64_t bundle, since_us, until_us;
	struct gpudx_err *err;
};

static enum gpudx_status run_step(const struct runner *r, const char *sql)
{
	sqlite3_stmt *st;
	enum gpudx_status rc = gpudx_db_prepare(r->db, sql, &st, r->err);

	if (rc)
		return rc;
	sqlite3_bind_int64(st, 1, r->bundle);
	gpudx_bind_time(st, 2, r->since_us);
	gpudx_bind_time(st, 3, r->until_us);
	rc = gpudx_db_run(st, r->err);
	sqlite3_finalize(st);
	return rc;
}

static enum gpudx_status run_steps(const struct runner *r, const char *const *sql, size_t n)
{
	enum gpudx_status rc = GPUDX_OK;

	for (size_t i = 0; i < n && !rc; i++)
		rc = run_step(r, sql[i]);
	return rc;
}

#define STEPS(list) list, sizeof(list) / sizeof((list)[0])

enum gpudx_status gpudx_moments(sqlite3 *db, int64_t bundle, int64_t since_us, int64_t until_us,
				struct gpudx_err *err)
{
	struct runner r = { db, bundle, since_us, until_us, err };
	enum gpudx_status rc = run_steps(&r, STEPS(prepare_steps));

	if (!rc)
		rc = run_steps(&r, STEPS(settle_steps));
	if (!rc && (since_us != GPUDX_NO_TIME || until_us != GPUDX_NO_TIME))
		rc = run_steps(&r, STEPS(limit_steps));
	if (!rc)
		rc = run_steps(&r, STEPS(cleanup_steps));
	return rc ? gpudx_while(err, "while placing findings in time") : GPUDX_OK;
}
