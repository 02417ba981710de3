#include "derive/collected.h"

#include "derive/clock.h"
#include "store/query.h"

static enum gpudx_status collected_row(void *arg, sqlite3_stmt *row, struct gpudx_err *err)
{
	struct gpudx_collected *c = arg;

	(void)err;
	c->raw_us = gpudx_col_time(row, 0);
	c->kind = sqlite3_column_int(row, 1) ? GPUDX_STAMP_UTC : GPUDX_STAMP_LOCAL;
	c->source = gpudx_col_int(row, 2, 0);
	return GPUDX_OK;
}

enum gpudx_status gpudx_collected_find(sqlite3 *db, int64_t bundle, struct gpudx_collected *out,
				       struct gpudx_err *err)
{
	static const struct {
		const char *how, *sql;
	} ways[] = {
		{ "bugreport date",
		  "SELECT coalesce(a.utc_us, a.local_us) AS t, a.utc_us IS NOT NULL, a.source_id"
		  " FROM clock_anchor a JOIN source s ON s.id = a.source_id"
		  " LEFT JOIN source m ON m.id = s.parent_id"
		  " WHERE s.bundle_id = ?1 AND a.kind = 'date' AND t IS NOT NULL"
		  " AND 'nvidia-bug-report' IN (s.parser, m.parser)"
		  " ORDER BY t DESC, a.source_id LIMIT 1" },
		{ "newest stamp",
		  "SELECT p.t, p.utc, p.source_id FROM ("
		  "  SELECT last_us AS t, kind = 'utc' AS utc, source_id FROM source_span"
		  "  WHERE kind IN ('local', 'utc') AND source_id NOT IN"
		  "   (SELECT id FROM source WHERE parser IN " GPUDX_BMC_PARSERS ")"
		  "  UNION ALL SELECT coalesce(utc_us, local_us), utc_us IS NOT NULL, source_id"
		  "  FROM clock_anchor WHERE kind = 'date') p"
		  " JOIN source s ON s.id = p.source_id WHERE s.bundle_id = ?1 AND p.t IS NOT NULL"
		  " ORDER BY p.t DESC, p.utc DESC, p.source_id LIMIT 1" },
		{ "archive mtime", "SELECT max(mtime_us), 1, 0 FROM source WHERE bundle_id = ?1" },
	};
	enum gpudx_status rc = GPUDX_OK;

	*out = (struct gpudx_collected){ .raw_us = GPUDX_NO_TIME };
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		if (rc || out->raw_us != GPUDX_NO_TIME)
			break;
		out->how = ways[i].how;
		rc = gpudx_query_each(db, ways[i].sql, bundle, collected_row, out, err);
	}
	return rc;
}
