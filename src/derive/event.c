/* Host, boot, time and GPU of events. */
#include "derive/copies.h"
#include "derive/derive.h"
#include "derive/echo.h"
#include "derive/place.h"
#include "store/query.h"

enum gpudx_status gpudx_derive_events(struct gpudx_store *store, int64_t bundle,
				      struct gpudx_clocks *clocks, struct gpudx_err *err)
{
	static const char events[] =
		"SELECT e.id, e.source_id, e.src_boot, e.t_kind, e.t_raw_us, e.mono_us,"
		" " GPUDX_HOST_OF_LINE("e") " FROM event e JOIN source s ON s.id = e.source_id"
					    " WHERE s.bundle_id = ?1 ORDER BY e.id";
	static const char update[] = "UPDATE event SET host_id = ?2, boot_id = ?3, t_us = ?4, "
				     "t_quality = ?5 WHERE id = ?1";
	/* A log of several hosts: the ref is of the host that named it first. */
	static const char elsewhere[] =
		"UPDATE event SET gpu_id = (SELECT g.id FROM gpu g JOIN gpu_ref r"
		" ON r.id = event.ref_id"
		"  WHERE g.host_id = event.host_id AND (g.uuid = r.uuid OR (r.uuid IS NULL"
		" AND g.bdf = r.bdf))"
		"  ORDER BY g.id LIMIT 1), instance_id = NULL"
		" WHERE source_id IN (SELECT source_id FROM temp.host_at) AND gpu_id IN"
		" (SELECT g.id FROM gpu g WHERE g.host_id <> event.host_id)"
		" AND source_id IN (SELECT id FROM source WHERE bundle_id = ?1)";
	sqlite3 *db = gpudx_store_db(store);
	enum gpudx_status rc = gpudx_place_rows(clocks, events, update, err);

	if (!rc)
		rc = gpudx_query_run(db, elsewhere, bundle, err);
	if (!rc)
		rc = gpudx_copies_find(db, bundle, err);
	return rc ? rc : gpudx_echoes_find(db, bundle, err);
}
