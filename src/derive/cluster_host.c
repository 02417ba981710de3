#include "derive/cluster_host.h"

#include "store/query.h"

/* What sinfo or kubectl print is of the nodes that it names. */
#define CLUSTER                                                                                \
	"('node-table', 'slurm-table', 'k8s-events', 'k8s-object', 'k8s-pods', 'node-state', " \
	"'slurm-json')"

enum gpudx_status gpudx_cluster_host(sqlite3 *db, int64_t bundle, struct gpudx_err *err)
{
	static const char *const steps[] = {
		"CREATE TEMP TABLE IF NOT EXISTS no_machine(id INT)",
		"DELETE FROM temp.no_machine",
		"INSERT INTO temp.no_machine SELECT h.id FROM host h JOIN source s ON s.host_id = "
		"h.id"
		" WHERE h.bundle_id = ?1 AND h.name IS NULL"
		" AND EXISTS (SELECT 1 FROM host o WHERE o.bundle_id = ?1 AND o.name IS NOT NULL)"
		" GROUP BY h.id HAVING max(s.parser IN " CLUSTER ") = 1"
		" AND min(coalesce(s.parser IN " CLUSTER ", s.status <> 'read')) = 1",
		("UPDATE source SET host_id = (SELECT min(id) FROM host WHERE bundle_id = ?1"
		 "  AND name IS NOT NULL) WHERE host_id IN (SELECT id FROM temp.no_machine)"),
		"DELETE FROM host WHERE id IN (SELECT id FROM temp.no_machine)",
	};

	return gpudx_query_all(db, steps, sizeof(steps) / sizeof(steps[0]), bundle, err);
}
