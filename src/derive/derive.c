#include "derive/derive.h"

#include "derive/boot.h"
#include "derive/captures.h"
#include "derive/clock.h"
#include "derive/cluster_host.h"
#include "store/query.h"
#include "derive/said.h"
#include "derive/stages.h"

/* What an earlier run wrote. */
static const char *const forget[] = {
	"DELETE FROM gpu_name WHERE gpu_id IN (SELECT g.id FROM gpu g JOIN host h"
	" ON h.id = g.host_id WHERE h.bundle_id = ?1)",
	"DELETE FROM gpu WHERE host_id IN (SELECT id FROM host WHERE bundle_id = ?1)",
	"DELETE FROM clock WHERE host_id IN (SELECT id FROM host WHERE bundle_id = ?1)",
	"DELETE FROM boot WHERE host_id IN (SELECT id FROM host WHERE bundle_id = ?1)",
	"DELETE FROM incident WHERE host_id IN (SELECT id FROM host WHERE bundle_id = ?1)",
	"DELETE FROM coverage WHERE host_id IN (SELECT id FROM host WHERE bundle_id = ?1)",
	"DELETE FROM change WHERE host_id IN (SELECT id FROM host WHERE bundle_id = ?1)",
	"DELETE FROM rate_test WHERE host_id IN (SELECT id FROM host WHERE bundle_id = ?1)",
	"DELETE FROM episode WHERE source_id IN (SELECT id FROM source WHERE bundle_id = ?1)",
	"DELETE FROM gpu_stat WHERE ref_id IN (SELECT r.id FROM gpu_ref r JOIN source s"
	" ON s.id = r.source_id"
	" WHERE s.bundle_id = ?1)",
	"DELETE FROM event_line WHERE role = 'copy' AND event_id IN (SELECT e.id FROM event e"
	" JOIN source s ON s.id = e.source_id WHERE s.bundle_id = ?1)",
	"UPDATE event SET host_id = NULL, boot_id = NULL, gpu_id = NULL, instance_id = NULL,"
	" t_us = NULL,"
	" t_quality = 'unknown', copy_of = NULL, incident_id = NULL"
	" WHERE source_id IN (SELECT id FROM source WHERE bundle_id = ?1)",
	"UPDATE fact SET host_id = NULL, boot_id = NULL, gpu_id = NULL, instance_id = NULL,"
	" t_us = NULL,"
	" t_quality = 'unknown' WHERE source_id IN (SELECT id FROM source WHERE bundle_id = ?1)",
	"UPDATE gpu_instance SET gpu_id = NULL WHERE ref_id IN (SELECT r.id FROM gpu_ref r"
	" JOIN source s ON s.id = r.source_id WHERE s.bundle_id = ?1)",
	"UPDATE gpu_ref SET gpu_id = NULL, instance_id = NULL, how = NULL, confidence = NULL,"
	" t_offset_us = 0,"
	" t_quality = 'unknown' WHERE source_id IN (SELECT id FROM source WHERE bundle_id = ?1)",
	"UPDATE pci_device SET host_id = NULL, gpu_id = NULL, parent_id = NULL"
	" WHERE source_id IN (SELECT id FROM source WHERE bundle_id = ?1)",
	"UPDATE source_span SET boot_id = NULL, t0_us = NULL, t1_us = NULL, t_quality = 'unknown'"
	" WHERE source_id IN (SELECT id FROM source WHERE bundle_id = ?1)",
	"UPDATE source SET host_id = NULL, clock_id = NULL, year0 = NULL WHERE bundle_id = ?1",
	"DELETE FROM host WHERE bundle_id = ?1",
};

static enum gpudx_status row_seen(void *arg, sqlite3_stmt *row, struct gpudx_err *err)
{
	bool *seen = arg;

	(void)row;
	(void)err;
	*seen = true;
	return GPUDX_OK;
}

static enum gpudx_status forget_earlier_run(sqlite3 *db, int64_t bundle, struct gpudx_err *err)
{
	bool seen = false;
	enum gpudx_status rc;

	rc = gpudx_query_each(db, "SELECT 1 FROM host WHERE bundle_id = ?1 LIMIT 1", bundle,
			      row_seen, &seen, err);
	if (rc || !seen)
		return rc;
	return gpudx_query_all(db, forget, sizeof(forget) / sizeof(forget[0]), bundle, err);
}

/* Hosts, years, zones and boots: from here on every stamp has its place. */
static enum gpudx_status derive_time(struct gpudx_store *store, int64_t bundle, const char *tz,
				     struct gpudx_clocks *clocks, struct gpudx_err *err)
{
	sqlite3 *db = gpudx_store_db(store);
	enum gpudx_status rc = gpudx_said_spans(db, bundle, err);

	if (!rc)
		rc = gpudx_derive_hosts(store, bundle, err);
	if (!rc)
		rc = gpudx_cluster_host(gpudx_store_db(store), bundle, err);
	if (!rc)
		rc = gpudx_said_make(db, bundle, err);
	if (!rc)
		rc = gpudx_derive_years(store, bundle, err);
	if (!rc)
		rc = gpudx_clocks_open(clocks, db, bundle, tz, err);
	if (!rc)
		rc = gpudx_derive_boots(store, bundle, clocks, err);
	if (!rc)
		rc = gpudx_clocks_load_boots(clocks, err);
	if (!rc)
		rc = gpudx_boots_follow(clocks, err);
	if (!rc)
		rc = gpudx_captures_part(clocks, err);
	return rc ? rc : gpudx_clocks_write(clocks, err);
}

/* What samples, facts, events and devices are of. */
static enum gpudx_status derive_things(struct gpudx_store *store, int64_t bundle,
				       struct gpudx_clocks *clocks, struct gpudx_err *err)
{
	enum gpudx_status rc = gpudx_derive_pci(store, bundle, err);

	if (!rc)
		rc = gpudx_derive_identity(store, bundle, clocks, err);
	if (!rc)
		rc = gpudx_derive_facts(store, bundle, clocks, err);
	return rc ? rc : gpudx_derive_events(store, bundle, clocks, err);
}

typedef enum gpudx_status stage(struct gpudx_store *store, int64_t bundle, struct gpudx_err *err);

/* What follows from them. Exposure for rates is what logs cover. */
static stage *const stages[] = {
	gpudx_derive_versions, gpudx_derive_stats,   gpudx_derive_metrics,
	gpudx_derive_episodes, gpudx_derive_changes, gpudx_derive_incidents,
	gpudx_derive_coverage, gpudx_derive_rates,   gpudx_derive_coverage_of_tables,
};

static enum gpudx_status derive_all(struct gpudx_store *store, int64_t bundle, const char *tz,
				    struct gpudx_clocks *clocks, struct gpudx_err *err)
{
	enum gpudx_status rc = forget_earlier_run(gpudx_store_db(store), bundle, err);

	if (!rc)
		rc = derive_time(store, bundle, tz, clocks, err);
	if (!rc)
		rc = derive_things(store, bundle, clocks, err);
	for (size_t i = 0; i < sizeof(stages) / sizeof(stages[0]) && !rc; i++)
		rc = stages[i](store, bundle, err);
	return rc;
}

/* Temporary tables are of one run. */
static enum gpudx_status drop_temporary(sqlite3 *db, struct gpudx_err *err)
{
	return gpudx_db_exec(
		db,
		"DROP TABLE IF EXISTS temp.host_at; DROP TABLE IF EXISTS temp.said;"
		"DROP TABLE IF EXISTS temp.said_once;"
		"DROP TABLE IF EXISTS temp.boot_log; DROP TABLE IF EXISTS temp.no_gpu;"
		"DROP TABLE IF EXISTS temp.slice; DROP TABLE IF EXISTS temp.called;"
		"DROP TABLE IF EXISTS temp.log_class; DROP TABLE IF EXISTS temp.log_span;"
		"DROP TABLE IF EXISTS temp.log_host",
		err);
}

enum gpudx_status gpudx_derive(struct gpudx_store *store, int64_t bundle,
			       const struct gpudx_derive_options *options, struct gpudx_err *err)
{
	struct gpudx_clocks clocks = { 0 };
	sqlite3 *db = gpudx_store_db(store);
	enum gpudx_status rc = gpudx_db_exec(db, "BEGIN", err);

	if (rc)
		return rc;
	rc = derive_all(store, bundle, options ? options->tz : NULL, &clocks, err);
	gpudx_clocks_close(&clocks);
	if (!rc)
		rc = drop_temporary(db, err);
	if (!rc)
		rc = gpudx_db_exec(db, "COMMIT", err);
	return rc ? gpudx_while(err, "while working out hosts, clocks and GPUs") : GPUDX_OK;
}
