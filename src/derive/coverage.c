/* What could have been seen: the terms of "needs" in rules. Rows of a log have no GPU: they hold
 * for every GPU of the host. */
#include "derive/clock.h"
#include "derive/derive.h"
#include "store/query.h"

#include <stdio.h>

/* ---- samples ---- */

/* A column of gpu_sample and the rollup that is NULL where it has no value. */
static const struct column {
	const char *name, *rollup;
} columns[] = {
	{ "pstate", "m.pstate_min" },	     { "sm_clock_mhz", "m.sm_avg" },
	{ "mem_clock_mhz", "m.memclk_avg" }, { "power_w", "m.power_avg" },
	{ "power_limit_w", "m.limit_min" },  { "temp_c", "m.temp_avg" },
	{ "util_pct", "m.util_avg" },	     { "mem_util_pct", "m.memutil_avg" },
	{ "mem_used_mib", "m.memused_avg" }, { "reasons", "m.reasons_or" },
};

enum { COLUMNS = sizeof(columns) / sizeof(columns[0]) };

/* The rollups know where the samples with a value begin and end: one look at them for all columns,
 * a row of first, last and n each. */
static enum gpudx_status find_spans(sqlite3 *db, int64_t bundle, struct gpudx_err *err)
{
	struct gpudx_buf sql = { .max = 8 << 10 };
	enum gpudx_status rc;

	gpudx_buf_str(&sql, "CREATE TEMP TABLE column_span AS SELECT m.ref_id");
	for (unsigned i = 0; i < COLUMNS; i++) {
		const char *has = columns[i].rollup;

		gpudx_buf_printf(&sql,
				 ", min(m.first_id) FILTER (WHERE %s IS NOT NULL) AS first%u"
				 ", max(m.last_id) FILTER (WHERE %s IS NOT NULL) AS last%u"
				 ", sum(m.n) FILTER (WHERE %s IS NOT NULL) AS n%u",
				 has, i, has, i, has, i);
	}
	gpudx_buf_str(&sql, " FROM gpu_minute m WHERE m.ref_id IN (SELECT r.id FROM gpu_ref r"
			    "  JOIN source s ON s.id = r.source_id WHERE s.bundle_id = ?1)"
			    " GROUP BY m.ref_id");
	rc = gpudx_query_run(db, "DROP TABLE IF EXISTS temp.column_span", bundle, err);
	if (!rc)
		rc = gpudx_query_run(db, gpudx_buf_cstr(&sql), bundle, err);
	gpudx_buf_free(&sql);
	return rc;
}

/* The samples at both ends are read by rowid. */
static enum gpudx_status cover_column(sqlite3 *db, int64_t bundle, unsigned i,
				      struct gpudx_err *err)
{
	struct gpudx_buf sql = { .max = 4 << 10 };
	enum gpudx_status rc;

	gpudx_buf_printf(
		&sql,
		"INSERT INTO coverage(host_id, gpu_id, what, from_us, to_us, n, whole, how, "
		"source_id)"
		" SELECT s.host_id, r.gpu_id, 'sample.%s', min(a.t_raw_us + r.t_offset_us),"
		" max(z.t_raw_us + r.t_offset_us), sum(w.n), NOT s.excerpt, s.parser, s.id"
		" FROM (SELECT ref_id, first%u AS first, last%u AS last, n%u AS n"
		"  FROM temp.column_span) w"
		" JOIN gpu_ref r ON r.id = w.ref_id JOIN source s ON s.id = r.source_id"
		" LEFT JOIN gpu_sample a ON a.rowid = w.first"
		" LEFT JOIN gpu_sample z ON z.rowid = w.last"
		" WHERE s.bundle_id = ?1 AND r.gpu_id IS NOT NULL AND w.n > 0"
		" GROUP BY r.gpu_id, s.id ORDER BY r.gpu_id, s.id",
		columns[i].name, i, i, i);
	rc = gpudx_query_run(db, gpudx_buf_cstr(&sql), bundle, err);
	gpudx_buf_free(&sql);
	return rc;
}

static enum gpudx_status cover_columns(sqlite3 *db, int64_t bundle, struct gpudx_err *err)
{
	enum gpudx_status rc = find_spans(db, bundle, err);

	for (unsigned i = 0; i < COLUMNS && !rc; i++)
		rc = cover_column(db, bundle, i, err);
	return rc;
}

/* ---- facts ---- */

static const char facts[] =
	"INSERT INTO coverage(host_id, gpu_id, what, from_us, to_us, n, whole, how, source_id)"
	" SELECT f.host_id, f.gpu_id, 'fact.' || f.key,"
	" CASE WHEN count(*) = count(f.t_us) THEN min(f.t_us) END,"
	" CASE WHEN count(*) = count(f.t_us) THEN max(f.t_us) END, count(*), NOT s.excerpt,"
	" s.parser, s.id FROM fact f JOIN source s ON s.id = f.source_id WHERE s.bundle_id = ?1"
	" AND (f.ref_id IS NULL OR f.gpu_id IS NOT NULL)"
	" GROUP BY f.host_id, f.gpu_id, f.key, s.id ORDER BY f.host_id, f.gpu_id, f.key, s.id";

/* Keys that the registry knows by their beginning: "fact.package.*" holds when any of them is
 * stated. LIMIT keeps these few apart from all others. */
#define FAMILIES "(SELECT key FROM kb_fact_keys WHERE key LIKE '%.*' LIMIT -1)"
static const char fact_families[] =
	"INSERT INTO coverage(host_id, gpu_id, what, from_us, to_us, n, whole, how, source_id)"
	" SELECT f.host_id, f.gpu_id, 'fact.' || k.key, NULL, NULL, count(*), NOT s.excerpt,"
	" s.parser, s.id FROM fact f JOIN source s ON s.id = f.source_id"
	" JOIN " FAMILIES " k ON f.key GLOB k.key WHERE s.bundle_id = ?1"
	" AND (f.ref_id IS NULL OR f.gpu_id IS NOT NULL)"
	" GROUP BY f.host_id, f.gpu_id, k.key, s.id ORDER BY f.host_id, f.gpu_id, k.key, s.id";

/* ---- logs ---- */

/* Which class of event kinds a source would show. dmesg, kern.log and journalctl -k have the lines
 * of the kernel only. What was taken out of the log of a program is no whole log. */
static const char *const classes[] = {
	"DROP TABLE IF EXISTS temp.log_class",
	"CREATE TEMP TABLE log_class AS"
	" SELECT s.id AS source_id, 'kernel' AS class,"
	" NOT s.excerpt AND s.status <> 'partly' AS whole FROM source s"
	"  WHERE s.bundle_id = ?1 AND s.parser = 'kernel-log'"
	" UNION ALL SELECT s.id, 'journal', NOT s.excerpt AND s.status <> 'partly' FROM source s"
	"  WHERE s.bundle_id = ?1 AND s.parser = 'kernel-log'"
	"  AND s.id IN (SELECT source_id FROM fact WHERE key = 'host.name' AND layer = 'syslog')"
	"  AND s.path NOT LIKE '%kern%' AND s.path NOT LIKE '%dmesg%'"
	"  AND coalesce(s.title, '') NOT LIKE '%dmesg%'"
	"  AND coalesce(s.title, '') NOT LIKE '%journalctl%-k%'"
	" UNION ALL SELECT s.id, 'smi', NOT s.excerpt FROM source s"
	"  WHERE s.bundle_id = ?1 AND s.parser LIKE 'smi-%'"
	" UNION ALL SELECT s.id, 'bmc', NOT s.excerpt AND s.status <> 'partly' FROM source s"
	"  WHERE s.bundle_id = ?1 AND s.parser IN " GPUDX_BMC_PARSERS
	" UNION ALL SELECT s.id, 'app', 0 FROM source s"
	"  WHERE s.bundle_id = ?1 AND s.parser = 'app-log'"
	" UNION ALL SELECT s.id, 'diag', NOT s.excerpt AND s.status <> 'partly' FROM source s"
	"  WHERE s.bundle_id = ?1 AND (s.parser LIKE 'dcgmi-diag%' OR s.parser = 'field-diag')"
	" UNION ALL SELECT s.id, s.parser, NOT s.excerpt AND s.status <> 'partly' FROM source s"
	"  WHERE s.bundle_id = ?1 AND s.parser IS NOT NULL",
	"DROP TABLE IF EXISTS temp.log_span",
	/* When, by boot; of a log with very many boots the last ones. */
	"CREATE TEMP TABLE log_span AS SELECT source_id, t0, t1, late_s FROM ("
	"  SELECT p.source_id,"
	"   CASE WHEN p.t_quality IN ('exact', 'aligned', 'zone_assumed') THEN p.t0_us END AS t0,"
	"   CASE WHEN p.t_quality IN ('exact', 'aligned', 'zone_assumed') THEN p.t1_us END AS t1,"
	"   CASE WHEN p.kind = 'boot' THEN p.first_us"
	"    WHEN b.start_quality = p.t_quality"
	"     OR b.start_quality <> 'zone_assumed' AND p.t_quality <> 'zone_assumed'"
	"    THEN p.t0_us - b.start_us END / 1000000 AS late_s,"
	"   row_number() OVER (PARTITION BY p.source_id ORDER BY p.src_boot DESC, p.kind) AS age"
	"  FROM source_span p JOIN source s ON s.id = p.source_id"
	"  LEFT JOIN boot b ON b.id = p.boot_id WHERE s.bundle_id = ?1) WHERE age <= 64",
	"CREATE INDEX temp.log_span_source ON log_span(source_id)",
	/* A log of several hosts covers each of them. */
	"DROP TABLE IF EXISTS temp.log_host",
	"CREATE TEMP TABLE log_host AS"
	" SELECT id AS source_id, host_id FROM source WHERE bundle_id = ?1"
	" UNION SELECT a.source_id, a.host_id FROM temp.host_at a"
	"  JOIN source s ON s.id = a.source_id WHERE s.bundle_id = ?1",
};

#define LOGS(kinds)                                                                             \
	"INSERT INTO coverage(host_id, gpu_id, what, from_us, to_us, n, whole, how, source_id)" \
	" SELECT h.host_id, NULL, 'log.' || k.kind, p.t0, p.t1, 1, c.whole,"                    \
	" CASE WHEN p.late_s > 60 THEN 'begins ' || p.late_s || ' s after the boot'"            \
	"  ELSE s.parser END, s.id"                                                             \
	" FROM " kinds " k JOIN temp.log_class c ON c.class = k.log"                            \
	" JOIN source s ON s.id = c.source_id JOIN temp.log_host h ON h.source_id = s.id"       \
	" LEFT JOIN temp.log_span p ON p.source_id = s.id"                                      \
	" GROUP BY h.host_id, k.kind, s.id, p.t0, p.t1"                                         \
	" ORDER BY h.host_id, k.kind, s.id, p.t0, p.t1"

/* Without knowledge of kinds: those that were seen, by the family of their names. */
#define SEEN_KINDS                                                                   \
	"(SELECT DISTINCT kind, CASE WHEN kind LIKE 'smi%' THEN 'smi'"               \
	" WHEN kind LIKE 'xid%' OR kind LIKE 'sxid%' OR kind LIKE 'nvrm.%'"          \
	" OR kind LIKE 'kernel.%' OR kind LIKE 'modeset.%' OR kind LIKE 'nvswitch%'" \
	" THEN 'kernel' WHEN kind LIKE 'bmc.%' THEN 'bmc' ELSE 'app' END AS log FROM event)"

static enum gpudx_status cover_logs(sqlite3 *db, int64_t bundle, struct gpudx_err *err)
{
	bool told = gpudx_db_has(db, "kb_event_kinds", "kind") &&
		    gpudx_db_has(db, "kb_event_kinds", "log");
	enum gpudx_status rc =
		gpudx_query_all(db, classes, sizeof(classes) / sizeof(classes[0]), bundle, err);

	return rc ? rc
		  : gpudx_query_run(db, told ? LOGS("kb_event_kinds") : LOGS(SEEN_KINDS), bundle,
				    err);
}

enum gpudx_status gpudx_derive_coverage(struct gpudx_store *store, int64_t bundle,
					struct gpudx_err *err)
{
	sqlite3 *db = gpudx_store_db(store);
	enum gpudx_status rc = cover_columns(db, bundle, err);

	if (!rc)
		rc = gpudx_query_run(db, facts, bundle, err);
	if (!rc && gpudx_db_has(db, "kb_fact_keys", "key"))
		rc = gpudx_query_run(db, fact_families, bundle, err);
	return rc ? rc : cover_logs(db, bundle, err);
}

/* ---- tables ---- */

#define INTO_COVERAGE \
	"INSERT INTO coverage(host_id, gpu_id, what, from_us, to_us, n, whole, how, source_id)"

/* Of a table whose rows say no more than that they are there. */
#define ROWS(name, host, gpu, from)                                                          \
	INTO_COVERAGE " SELECT w.host, w.gpu, 'table." name "', NULL, NULL, count(*), 1,"    \
		      " NULL, NULL FROM (SELECT " host " AS host, " gpu " AS gpu FROM " from \
		      ") w JOIN host h ON h.id = w.host WHERE h.bundle_id = ?1"              \
		      " GROUP BY w.host, w.gpu ORDER BY w.host, w.gpu"
#define SAMPLED                                                                          \
	"gpu_ref t JOIN source s ON s.id = t.source_id WHERE t.samples > 0 AND t.gpu_id" \
	" IS NOT NULL"
#define KNOWN "(t.ref_id IS NULL OR t.gpu_id IS NOT NULL)"

static const char *const tables[] = {
	/* lspci: of the host, and of each GPU that it shows. */
	INTO_COVERAGE " SELECT s.host_id, NULL, 'table.pci_device', NULL, NULL, count(*),"
		      " NOT s.excerpt, s.parser, s.id"
		      " FROM pci_device d JOIN source s ON s.id = d.source_id"
		      " WHERE s.bundle_id = ?1 GROUP BY s.id ORDER BY s.id",
	INTO_COVERAGE " SELECT d.host_id, d.gpu_id, 'table.pci_device', NULL, NULL, count(*),"
		      " NOT s.excerpt, s.parser, s.id"
		      " FROM pci_device d JOIN source s ON s.id = d.source_id"
		      " WHERE s.bundle_id = ?1 AND d.gpu_id IS NOT NULL"
		      " GROUP BY d.gpu_id, s.id ORDER BY d.gpu_id, s.id",
	INTO_COVERAGE
	" SELECT l.host_id, l.gpu_id, 'table.link', NULL, NULL, 1, 1, NULL, l.source_id"
	" FROM link l JOIN source s ON s.id = l.source_id WHERE s.bundle_id = ?1"
	" AND l.cap_width > 0"
	" ORDER BY l.gpu_id",
	/* Who lists clients or slices shows that there are none. The box of clients may be missing
	 * below a table, slices are in every one. */
	INTO_COVERAGE
	" SELECT s.host_id, r.gpu_id, 'table.process_sample', NULL, NULL, sum((SELECT count(*)"
	"  FROM process_sample p WHERE p.ref_id = r.id)), NOT s.excerpt, s.parser, s.id"
	" FROM gpu_ref r JOIN source s ON s.id = r.source_id"
	" WHERE s.bundle_id = ?1 AND r.gpu_id IS NOT NULL AND (s.parser = 'smi-pmon' OR s.id IN"
	"  (SELECT x.source_id FROM process_sample p JOIN gpu_ref x ON x.id = p.ref_id))"
	" GROUP BY r.gpu_id, s.id ORDER BY r.gpu_id, s.id",
	INTO_COVERAGE
	" SELECT s.host_id, r.gpu_id, 'table.gpu_instance', NULL, NULL, sum((SELECT count(*)"
	"  FROM gpu_instance i WHERE i.ref_id = r.id)), NOT s.excerpt, s.parser, s.id"
	" FROM gpu_ref r JOIN source s ON s.id = r.source_id"
	" WHERE s.bundle_id = ?1 AND r.gpu_id IS NOT NULL"
	" AND (s.parser IN ('smi-list', 'smi-table') OR s.id IN"
	"  (SELECT x.source_id FROM gpu_instance i JOIN gpu_ref x ON x.id = i.ref_id))"
	" GROUP BY r.gpu_id, s.id ORDER BY r.gpu_id, s.id",
	INTO_COVERAGE
	" SELECT s.host_id, m.gpu_id, 'table.metric_sample', NULL, NULL, count(*), NOT s.excerpt,"
	" s.parser, s.id"
	" FROM metric m JOIN source s ON s.id = m.source_id WHERE s.bundle_id = ?1"
	" AND (m.ref_id IS NULL OR m.gpu_id IS NOT NULL) GROUP BY s.host_id, m.gpu_id, s.id"
	" ORDER BY s.host_id, m.gpu_id, s.id",
	INTO_COVERAGE
	" SELECT s.host_id, m.gpu_id, 'metric.' || m.key, NULL, NULL, sum(t.n), NOT s.excerpt,"
	" s.parser, s.id FROM metric m JOIN metric_stat t ON t.metric_id = m.id"
	" JOIN source s ON s.id = m.source_id WHERE s.bundle_id = ?1"
	" AND (m.ref_id IS NULL OR m.gpu_id IS NOT NULL) GROUP BY s.host_id, m.gpu_id, m.key, s.id"
	" ORDER BY s.host_id, m.gpu_id, m.key, s.id",
	INTO_COVERAGE
	" SELECT s.host_id, r.gpu_id, 'table.gpu_stat', NULL, NULL, count(*), NOT s.excerpt,"
	" s.parser, s.id"
	" FROM gpu_stat t JOIN gpu_ref r ON r.id = t.ref_id JOIN source s ON s.id = r.source_id"
	" WHERE s.bundle_id = ?1 AND r.gpu_id IS NOT NULL GROUP BY r.gpu_id, s.id"
	" ORDER BY r.gpu_id, s.id",
	ROWS("source", "t.host_id", "NULL", "source t WHERE t.parser IS NOT NULL"),
	ROWS("boot", "t.host_id", "NULL", "boot t"),
	ROWS("gpu", "t.host_id", "t.id", "gpu t"),
	ROWS("gpu_minute", "s.host_id", "t.gpu_id", SAMPLED),
	ROWS("sample", "s.host_id", "t.gpu_id", SAMPLED),
	ROWS("fact", "t.host_id", "t.gpu_id", "fact t WHERE " KNOWN),
	ROWS("contract", "t.host_id", "t.gpu_id", "contract t"),
	ROWS("event", "t.host_id", "t.gpu_id", "event t WHERE " KNOWN),
	ROWS("xid", "t.host_id", "t.gpu_id", "event t WHERE t.kind = 'xid' AND " KNOWN),
	ROWS("incident", "t.host_id", "t.gpu_id", "incident t"),
	ROWS("episode", "g.host_id", "t.gpu_id", "episode t JOIN gpu g ON g.id = t.gpu_id"),
	ROWS("swap", "t.host_id", "t.gpu_before", "swap t"),
	ROWS("swap", "t.host_id", "t.gpu_after", "swap t"),
	/* What changed on the host changed for each of its GPUs. */
	ROWS("change", "t.host_id", "t.gpu_id", "change t"),
	ROWS("change", "t.host_id", "g.id",
	     "change t JOIN gpu g ON g.host_id = t.host_id WHERE t.gpu_id IS NULL"),
	/* Whether an error began with a change can be told where as much was watched before as
	 * would have shown it, or where there is no error. */
	INTO_COVERAGE
	" SELECT h.id, NULL, 'table.rate_test', NULL, NULL,"
	"  (SELECT count(*) FROM rate_test t WHERE t.host_id = h.id), 1, NULL, NULL"
	" FROM host h WHERE h.bundle_id = ?1"
	" AND EXISTS (SELECT 1 FROM change c WHERE c.host_id = h.id)"
	" AND NOT EXISTS (SELECT 1 FROM rate_test t WHERE t.host_id = h.id AND t.n_before = 0"
	"  AND t.n_after > 0 AND t.hours_needed IS NOT NULL)"
	" AND (EXISTS (SELECT 1 FROM rate_test t WHERE t.host_id = h.id)"
	"  OR NOT EXISTS (SELECT 1 FROM incident i WHERE i.host_id = h.id"
	"   AND i.kind NOT IN (SELECT kind FROM kb_change_effects)))"
	" ORDER BY h.id",
};

static const char memory_limits[] = ROWS("memory_limit", "t.host_id", "t.gpu_id", "memory_limit t");

/* As fact_families. */
static const char metric_families[] = INTO_COVERAGE
	" SELECT s.host_id, m.gpu_id, 'metric.' || k.key, NULL, NULL, sum(t.n), NOT s.excerpt,"
	" s.parser, s.id FROM metric m JOIN metric_stat t ON t.metric_id = m.id"
	" JOIN source s ON s.id = m.source_id"
	" JOIN " FAMILIES " k ON m.key GLOB k.key WHERE s.bundle_id = ?1"
	" AND (m.ref_id IS NULL OR m.gpu_id IS NOT NULL) GROUP BY s.host_id, m.gpu_id, k.key, s.id"
	" ORDER BY s.host_id, m.gpu_id, k.key, s.id";

enum gpudx_status gpudx_derive_coverage_of_tables(struct gpudx_store *store, int64_t bundle,
						  struct gpudx_err *err)
{
	sqlite3 *db = gpudx_store_db(store);
	enum gpudx_status rc =
		gpudx_query_all(db, tables, sizeof(tables) / sizeof(tables[0]), bundle, err);

	if (!rc && gpudx_db_has(db, "kb_fact_keys", "key"))
		rc = gpudx_query_run(db, metric_families, bundle, err);
	if (!rc && gpudx_db_has(db, "kb_gpu_model", "mem_max_c"))
		rc = gpudx_query_run(db, memory_limits, bundle, err);
	return rc;
}
