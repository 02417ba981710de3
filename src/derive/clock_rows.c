/* The clock table: what clock.c knows, as rows for reports and rules. */
#include "derive/clock.h"
#include "derive/collected.h"
#include "store/query.h"

struct writing {
	const struct gpudx_clocks *c;
	sqlite3_stmt *find, *insert, *link;
};

struct clock_row {
	int64_t host, offset_us; /* GPUDX_NO_TIME: cannot be placed */
	const char *kind, *zone;
	enum gpudx_quality quality;
	int64_t error_us; /* -1 unknown */
	const char *how;
	int64_t line; /* 0 none */
};

/* The id of the row of this host, kind and offset; it is made when it is asked for first. */
static enum gpudx_status clock_id(struct writing *w, const struct clock_row *r, int64_t *id,
				  struct gpudx_err *err)
{
	bool found;
	enum gpudx_status rc;

	sqlite3_bind_int64(w->find, 1, r->host);
	gpudx_bind_text(w->find, 2, sv_str(r->kind));
	gpudx_bind_time(w->find, 3, r->offset_us);
	rc = gpudx_db_step(w->find, &found, err);
	*id = !rc && found ? sqlite3_column_int64(w->find, 0) : 0;
	sqlite3_reset(w->find);
	if (rc || found)
		return rc;
	sqlite3_bind_int64(w->insert, 1, r->host);
	gpudx_bind_text(w->insert, 2, sv_str(r->kind));
	gpudx_bind_text(w->insert, 3, sv_str(r->zone));
	gpudx_bind_time(w->insert, 4, r->offset_us);
	gpudx_bind_text(w->insert, 5, sv_str(gpudx_quality_word(r->quality)));
	gpudx_bind_unless(w->insert, 6, r->error_us, -1);
	gpudx_bind_text(w->insert, 7, sv_str(r->how));
	gpudx_bind_unless(w->insert, 8, r->line, 0);
	rc = gpudx_db_run(w->insert, err);
	*id = sqlite3_last_insert_rowid(w->c->db);
	return rc;
}

static void zone_text(int64_t offset_us, char buf[16])
{
	int64_t m = (offset_us < 0 ? -offset_us : offset_us) / GPUDX_SECOND / 60;

	sqlite3_snprintf(16, buf, "%c%02d:%02d", offset_us < 0 ? '-' : '+', (int)(m / 60),
			 (int)(m % 60));
}

static enum gpudx_status bmc_row(struct writing *w, int64_t host, int64_t *id,
				 struct gpudx_err *err)
{
	const struct gpudx_bmc_clock *b = gpudx_clocks_bmc(w->c, host);
	struct clock_row r = {
		.host = host,
		.kind = "bmc",
		.quality = GPUDX_Q_ZONE_ASSUMED,
		.error_us = -1,
		.how = "the BMC's clock as it stands: nothing ties it to the host's"
	};

	if (b) {
		r.offset_us = b->shift_us;
		r.quality = b->quality;
		r.error_us = b->error_us;
		r.how = "the BMC's clock against the date of the collection";
		r.line = b->line_id;
	}
	return clock_id(w, &r, id, err);
}

/* One row for each offset that the host's local clocks had. */
static enum gpudx_status local_clock(struct writing *w, const struct gpudx_clock_source *s,
				     enum gpudx_stamp_kind kind, int64_t raw, int64_t *id,
				     struct gpudx_err *err)
{
	const struct gpudx_host_zone *z = gpudx_clocks_zone(w->c, s->host);
	int64_t local = gpudx_clocks_local(s, kind, raw);
	struct gpudx_moment m = gpudx_clocks_moment(w->c, s->host, local);
	struct clock_row r = { .host = s->host,
			       .kind = "local",
			       .offset_us = gpudx_time_add(m.t_us, -local),
			       .quality = m.quality,
			       .error_us = -1,
			       .how = "local time of a zone that nothing in the bundle names" };
	char zone[16];

	if (m.quality < GPUDX_Q_ZONE_ASSUMED) {
		const struct gpudx_offset *o = gpudx_clocks_offset(z, local);

		zone_text(-r.offset_us, zone);
		r.zone = zone;
		r.error_us = z->error_us;
		r.how = z->how;
		r.line = o ? o->line_id : 0;
	}
	return clock_id(w, &r, id, err);
}

static enum gpudx_status utc_clock(struct writing *w, int64_t host, int64_t *id,
				   struct gpudx_err *err)
{
	const struct clock_row r = {
		.host = host,
		.kind = "utc",
		.zone = "UTC",
		.quality = GPUDX_Q_EXACT,
		.how = "zone or epoch in the stamps, or a program that writes UTC"
	};

	return clock_id(w, &r, id, err);
}

static enum gpudx_status order_clock(struct writing *w, int64_t host, int64_t *id,
				     struct gpudx_err *err)
{
	const struct clock_row r = { .host = host,
				     .kind = "order",
				     .offset_us = GPUDX_NO_TIME,
				     .quality = GPUDX_Q_UNKNOWN,
				     .error_us = -1,
				     .how = "no time stamps" };

	return clock_id(w, &r, id, err);
}

/* One kind of stamps of a source: the rows of its clock at both ends, the later one being that of
 * the source when the kind is. */
static enum gpudx_status span_row(void *arg, sqlite3_stmt *row, struct gpudx_err *err)
{
	enum gpudx_stamp_kind kind = gpudx_stamp_kind_of(gpudx_col_text(row, 1));
	int64_t id = gpudx_col_int(row, 4, 0);
	const struct gpudx_clock_source *s;
	enum gpudx_status rc = GPUDX_OK;
	struct writing *w = arg;

	s = gpudx_clocks_source(w->c, sqlite3_column_int64(row, 0));
	if (!s)
		return GPUDX_OK;
	if (kind == GPUDX_STAMP_NONE)
		rc = order_clock(w, s->host, &id, err);
	else if (kind == GPUDX_STAMP_UTC || (s->utc && kind != GPUDX_STAMP_BOOT))
		rc = utc_clock(w, s->host, &id, err);
	else if (s->bmc)
		rc = bmc_row(w, s->host, &id, err);
	else if (kind != GPUDX_STAMP_BOOT)
		rc = local_clock(w, s, kind, gpudx_col_time(row, 2), &id, err);
	if (!rc && !s->bmc && !s->utc && (kind == GPUDX_STAMP_NOYEAR || kind == GPUDX_STAMP_LOCAL))
		rc = local_clock(w, s, kind, gpudx_col_time(row, 3), &id, err);
	if (rc || kind != s->kind || !id)
		return rc;
	sqlite3_bind_int64(w->link, 1, id);
	sqlite3_bind_int64(w->link, 2, s->id);
	return gpudx_db_run(w->link, err);
}

static enum gpudx_status write_collected(const struct gpudx_clocks *c, struct gpudx_err *err)
{
	static const char sql[] =
		"UPDATE bundle SET collected_us = ?2, collected_quality = ?3, collected_how = ?4"
		" WHERE id = ?1";
	const struct gpudx_clock_source *s;
	struct gpudx_collected found;
	enum gpudx_status rc = gpudx_collected_find(c->db, c->bundle, &found, err);
	struct gpudx_moment m = { found.raw_us, GPUDX_Q_EXACT };
	sqlite3_stmt *st = NULL;

	if (rc || found.raw_us == GPUDX_NO_TIME)
		return rc;
	s = gpudx_clocks_source(c, found.source);
	if (found.kind == GPUDX_STAMP_LOCAL)
		m = s ? gpudx_clocks_moment(c, s->host, found.raw_us) : GPUDX_NO_MOMENT;
	rc = gpudx_db_prepare(c->db, sql, &st, err);
	if (rc)
		return rc;
	sqlite3_bind_int64(st, 1, c->bundle);
	gpudx_bind_time(st, 2, m.t_us);
	gpudx_bind_text(st, 3, sv_str(gpudx_quality_word(m.quality)));
	gpudx_bind_text(st, 4, sv_str(found.how));
	rc = gpudx_db_run(st, err);
	sqlite3_finalize(st);
	return rc;
}

enum gpudx_status gpudx_clocks_write(const struct gpudx_clocks *c, struct gpudx_err *err)
{
	/* Oldest first, so that the newest stamp of a source decides on its clock. */
	static const char spans[] =
		"SELECT p.source_id, p.kind, p.first_us, p.last_us, k.id FROM source_span p"
		" JOIN source s ON s.id = p.source_id"
		" LEFT JOIN clock k ON k.boot_id = p.boot_id AND k.kind = 'boot'"
		" WHERE s.bundle_id = ?1"
		" UNION ALL SELECT s.id, 'none', NULL, NULL, NULL FROM source s"
		" WHERE s.bundle_id = ?1 AND s.src_clock = 'none' AND s.parser IS NOT NULL"
		" ORDER BY 1, 4, 2";
	static const char find[] =
		"SELECT id FROM clock WHERE host_id = ? AND kind = ? AND offset_us IS ?"
		" AND boot_id IS NULL";
	static const char insert[] =
		"INSERT INTO clock(host_id, kind, zone, offset_us, quality, error_us, how,"
		" line_id) VALUES(?, ?, ?, ?, ?, ?, ?, ?)";
	static const char link[] = "UPDATE source SET clock_id = ? WHERE id = ?";
	struct writing w = { .c = c };
	enum gpudx_status rc;

	rc = gpudx_db_prepare(c->db, find, &w.find, err);
	if (!rc)
		rc = gpudx_db_prepare(c->db, insert, &w.insert, err);
	if (!rc)
		rc = gpudx_db_prepare(c->db, link, &w.link, err);
	if (!rc)
		rc = gpudx_query_each(c->db, spans, c->bundle, span_row, &w, err);
	sqlite3_finalize(w.find);
	sqlite3_finalize(w.insert);
	sqlite3_finalize(w.link);
	return rc ? rc : write_collected(c, err);
}
