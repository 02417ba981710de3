#include "derive/kinds.h"

#include <math.h>

static const char kinds_sql[] =
	"SELECT kind, util_min, util_max, clock_pct, clock_of = 'busy', power_pct, spread_pct,"
	" coalesce(bits, 0), coalesce(not_bits, 0), min_samples, join_samples, min_s, join_s,"
	" coalesce(counts, 0)"
	" FROM kb_episode_kinds ORDER BY rowid";

static struct gpudx_episode_kind kind_of(sqlite3_stmt *st, struct gpudx_arena *arena)
{
	return (struct gpudx_episode_kind){
		.name = gpudx_arena_sv(arena, gpudx_col_text(st, 0)),
		.util_min = gpudx_col_real(st, 1),
		.util_max = gpudx_col_real(st, 2),
		.clock_pct = gpudx_col_real(st, 3),
		.of_busy = gpudx_col_int(st, 4, 0) != 0,
		.power_pct = gpudx_col_real(st, 5),
		.spread_pct = gpudx_col_real(st, 6),
		.bits = (uint32_t)gpudx_col_int(st, 7, 0),
		.not_bits = (uint32_t)gpudx_col_int(st, 8, 0),
		.min_samples = (uint32_t)gpudx_col_int(st, 9, 1),
		.join_samples = (uint32_t)gpudx_col_int(st, 10, 0),
		.min_s = gpudx_col_real(st, 11),
		.join_s = gpudx_col_real(st, 12),
		.counts = (uint32_t)gpudx_col_int(st, 13, 0),
	};
}

enum gpudx_status gpudx_kinds_load(sqlite3 *db, struct gpudx_arena *arena,
				   struct gpudx_episode_kinds *out, struct gpudx_err *err)
{
	sqlite3_stmt *st;
	enum gpudx_status rc = gpudx_db_prepare(db, kinds_sql, &st, err);
	bool row;

	out->n = 0;
	if (rc)
		return rc;
	while (!(rc = gpudx_db_step(st, &row, err)) && row) {
		if (out->n == GPUDX_KINDS_MAX) {
			rc = gpudx_fail(err, GPUDX_E_RULE, "kb_episode_kinds: more than %d kinds",
					GPUDX_KINDS_MAX);
			break;
		}
		out->v[out->n++] = kind_of(st, arena);
	}
	sqlite3_finalize(st);
	return rc;
}
