#include "derive/place.h"

#include "store/query.h"

struct placing {
	const struct gpudx_clocks *c;
	sqlite3_stmt *update;
};

static enum gpudx_status place_row(void *arg, sqlite3_stmt *row, struct gpudx_err *err)
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

enum gpudx_status gpudx_place_rows(const struct gpudx_clocks *c, const char *select,
				   const char *update, struct gpudx_err *err)
{
	struct placing p = { .c = c };
	enum gpudx_status rc = gpudx_db_prepare(c->db, update, &p.update, err);

	if (!rc)
		rc = gpudx_query_each(c->db, select, c->bundle, place_row, &p, err);
	sqlite3_finalize(p.update);
	return rc;
}
