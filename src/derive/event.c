/* Host, boot, time and GPU of events. */
#include "derive/clock.h"
#include "derive/copies.h"
#include "derive/derive.h"
#include "derive/query.h"

struct placing {
	const struct gpudx_clocks *c;
	sqlite3_stmt *update;
};

/* Rows: id, source, src_boot, kind, raw, mono, host of the line. */
static enum gpudx_status event_row(void *arg, sqlite3_stmt *row, struct gpudx_err *err)
{
	enum gpudx_stamp_kind kind = gpudx_stamp_kind_of(gpudx_col_text(row, 3));
	int64_t raw = gpudx_col_time(row, 4), mono = gpudx_col_time(row, 5);
	const struct gpudx_clock_boot *boot;
	const struct gpudx_clock_source *s;
	struct placing *p = arg;
	struct gpudx_moment m;
	int64_t host;

	s = gpudx_clocks_source(p->c, sqlite3_column_int64(row, 1));
	if (!s)
		return GPUDX_OK;
	host = gpudx_col_int(row, 6, s->host);
	if (kind == GPUDX_STAMP_NONE && mono != GPUDX_NO_TIME) {
		kind = GPUDX_STAMP_BOOT;
		raw = mono;
	}
	m = gpudx_clocks_place(p->c, host, s, sqlite3_column_int(row, 2), kind, raw, &boot);
	sqlite3_bind_int64(p->update, 1, sqlite3_column_int64(row, 0));
	sqlite3_bind_int64(p->update, 2, host);
	gpudx_bind_unless(p->update, 3, boot ? boot->id : 0, 0);
	gpudx_bind_time(p->update, 4, m.t_us);
	gpudx_bind_text(p->update, 5, sv_str(gpudx_quality_word(m.quality)));
	return gpudx_db_run(p->update, err);
}

enum gpudx_status gpudx_derive_events(struct gpudx_store *store, int64_t bundle,
				      struct gpudx_clocks *clocks, struct gpudx_err *err)
{
	static const char events[] = "SELECT e.id, e.source_id, e.src_boot, e.t_kind, e.t_raw_us, "
				     "e.mono_us, (SELECT h.host_id"
				     "  FROM temp.host_at h WHERE h.source_id = e.source_id"
				     " AND h.line <= (e.line_id & 4294967295)"
				     "  ORDER BY h.line DESC LIMIT 1)"
				     " FROM event e JOIN source s ON s.id = e.source_id"
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
	struct placing p = { .c = clocks };
	enum gpudx_status rc = gpudx_db_prepare(db, update, &p.update, err);

	if (!rc)
		rc = gpudx_query_each(db, events, bundle, event_row, &p, err);
	sqlite3_finalize(p.update);
	if (!rc)
		rc = gpudx_query_run(db, elsewhere, bundle, err);
	return rc ? rc : gpudx_copies_find(db, bundle, err);
}
