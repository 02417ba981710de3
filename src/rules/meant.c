#include "rules/meant.h"

#include "store/query.h"

/* A finding without GPUs is of its host. */
#define MEANT                                                                                  \
	" FROM finding f JOIN kb_site_setting k ON k.rule = f.rule WHERE f.bundle_id = ?1"     \
	" AND EXISTS(SELECT 1 FROM site s WHERE s.host_id = f.host_id AND s.key = k.key)"      \
	" AND NOT EXISTS(SELECT 1 FROM finding_gpu g WHERE g.finding_id = f.id AND NOT EXISTS" \
	"  (SELECT 1 FROM site s WHERE s.gpu_id = g.gpu_id AND s.key = k.key AND s.holds))"    \
	" AND NOT EXISTS(SELECT 1 FROM site s WHERE s.host_id = f.host_id AND s.key = k.key"   \
	"  AND NOT s.holds AND s.gpu_id IS NULL)"

static const char *const steps[] = {
	"INSERT INTO finding_line(finding_id, line_id, role) SELECT DISTINCT m.id, s.line_id, "
	"'against'"
	" FROM (SELECT f.id, f.host_id, k.key" MEANT ") m"
	" JOIN site s ON s.host_id = m.host_id AND s.key = m.key AND s.holds"
	" WHERE s.gpu_id IS NULL OR s.gpu_id IN (SELECT gpu_id FROM finding_gpu WHERE finding_id = "
	"m.id)",

	"INSERT OR REPLACE INTO finding_attr(finding_id, name, value) SELECT m.id, 'meant', "
	"min(s.why)"
	" FROM (SELECT f.id, f.host_id, k.key" MEANT ") m"
	" JOIN site s ON s.host_id = m.host_id AND s.key = m.key AND s.holds GROUP BY m.id",

	"UPDATE finding SET severity = 'info', action = 'none' WHERE id IN (SELECT f.id" MEANT ")",
};

enum gpudx_status gpudx_meant(sqlite3 *db, int64_t bundle, struct gpudx_err *err)
{
	if (!gpudx_db_has(db, "kb_site_setting", NULL))
		return GPUDX_OK;
	return gpudx_query_all(db, steps, sizeof(steps) / sizeof(steps[0]), bundle, err);
}
