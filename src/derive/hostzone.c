/* Which zone the local clocks of a host have. --tz decides; else offsets that were printed (ls -l
 * --full-time, "Date: ... UTC"), times that stand in both clocks, messages that stand in a log with
 * zone and in one without, and the RTC, which runs in UTC unless it runs in local time: then both
 * clocks agree, and nothing follows. */
#include "derive/clock.h"
#include "base/zone_name.h"
#include "store/query.h"

#include <stdlib.h>

/* Offsets are multiples of a quarter of an hour; two clocks of one machine, or two logs of one
 * message, are no further apart than a minute. */
enum { QUARTER_S = 15 * 60, APART_S = 60, FURTHEST_S = 14 * 3600 };

struct seen {
	int64_t host;
	struct gpudx_offset o;
	int count; /* messages that show it */
};

struct finding {
	struct gpudx_clocks *c;
	struct seen *seen;
	size_t n, cap;
	const char *how;
	int64_t error_us;
};

/* The offset of a local time against UTC; false when the two are not of one moment. */
static bool offset_of(int64_t local_us, int64_t utc_us, int32_t *offset_s)
{
	int64_t diff_s, rest, offset;

	if (local_us == GPUDX_NO_TIME || utc_us == GPUDX_NO_TIME)
		return false;
	diff_s = (local_us - utc_us) / GPUDX_SECOND;
	if (diff_s > FURTHEST_S + APART_S || diff_s < -FURTHEST_S - APART_S)
		return false;
	offset = (diff_s + (diff_s < 0 ? -QUARTER_S / 2 : QUARTER_S / 2)) / QUARTER_S * QUARTER_S;
	rest = diff_s - offset;
	*offset_s = (int32_t)offset;
	return rest <= APART_S && rest >= -APART_S;
}

static enum gpudx_status add_seen(struct finding *f, int64_t host, int64_t local_us,
				  int32_t offset_s, int64_t line, struct gpudx_err *err)
{
	struct seen *last = f->n ? &f->seen[f->n - 1] : NULL;

	/* Rows come by host and time: a run of the same offset is one, except for its ends. */
	if (f->n > 1 && last->host == host && last->o.offset_s == offset_s &&
	    last[-1].host == host && last[-1].o.offset_s == offset_s) {
		last->o.local_us = local_us;
		last->count++;
		return GPUDX_OK;
	}
	if (f->n == f->cap) {
		size_t cap = f->cap ? f->cap * 2 : 64;
		struct seen *bigger = gpudx_arena_array(&f->c->arena, cap, sizeof(*bigger));

		if (!bigger)
			return gpudx_nomem(err);
		if (f->n)
			memcpy(bigger, f->seen, f->n * sizeof(*bigger));
		f->seen = bigger;
		f->cap = cap;
	}
	f->seen[f->n++] = (struct seen){ host, { local_us, offset_s, line }, 1 };
	return GPUDX_OK;
}

/* ---- the ways to know, rows being host, source, kind, local, utc, minutes, line ---- */

static enum gpudx_status pair_row(void *arg, sqlite3_stmt *row, struct gpudx_err *err)
{
	const struct gpudx_clock_source *s;
	struct finding *f = arg;
	int64_t local = gpudx_col_time(row, 3), utc = gpudx_col_time(row, 4);
	int64_t minutes = gpudx_col_int(row, 5, INT32_MIN);
	int32_t offset_s = 0;

	s = gpudx_clocks_source(f->c, sqlite3_column_int64(row, 1));
	if (!s)
		return GPUDX_OK;
	if (sqlite3_column_type(row, 2) == SQLITE_NULL)
		local = local == GPUDX_NO_TIME ? local : gpudx_clocks_anchor_local(s, local);
	else
		local = gpudx_clocks_local(s, gpudx_stamp_kind_of(gpudx_col_text(row, 2)), local);
	if (minutes >= -FURTHEST_S / 60 && minutes <= FURTHEST_S / 60)
		offset_s = (int32_t)minutes * 60;
	else if (!offset_of(local, utc, &offset_s))
		return GPUDX_OK;
	if (local == GPUDX_NO_TIME)
		local = gpudx_time_add(utc, offset_s * GPUDX_SECOND);
	return local == GPUDX_NO_TIME
		       ? GPUDX_OK
		       : add_seen(f, s->host, local, offset_s, sqlite3_column_int64(row, 6), err);
}

/* An RTC in local time gives offset 0 in any zone. */
static enum gpudx_status rtc_row(void *arg, sqlite3_stmt *row, struct gpudx_err *err)
{
	struct finding *f = arg;
	size_t n = f->n;
	enum gpudx_status rc = pair_row(arg, row, err);

	if (!rc && f->n > n && !f->seen[n].o.offset_s)
		f->n = n;
	return rc;
}

/* "Date: Thu Aug 25 19:38:04 CEST 2022": host, source, local, the text of the line, line. */
static enum gpudx_status name_row(void *arg, sqlite3_stmt *row, struct gpudx_err *err)
{
	struct gpudx_sv text = gpudx_col_text(row, 3), word;
	const struct gpudx_clock_source *s;
	struct finding *f = arg;
	int32_t minutes;

	s = gpudx_clocks_source(f->c, sqlite3_column_int64(row, 1));
	while (s && sv_spaces(&text) && sv_token(&text, &word))
		if (gpudx_zone_name_minutes(word, &minutes))
			return add_seen(f, s->host, sqlite3_column_int64(row, 2), minutes * 60,
					sqlite3_column_int64(row, 4), err);
	return GPUDX_OK;
}

static const struct way {
	const char *how;
	int64_t error_us;
	bool chance; /* equal by chance is possible: what only few of many show does not count */
	gpudx_row_fn *row;
	const char *sql;
} ways[] = {
	{ "zone offset printed in the bundle", 0, false, pair_row,
	  "SELECT s.host_id, a.source_id, NULL, a.local_us, a.utc_us, a.offset_min, a.line_id"
	  " FROM clock_anchor a JOIN source s ON s.id = a.source_id WHERE s.bundle_id = ?1"
	  " AND (a.kind IN ('date', 'ls_offset', 'uptime_s') OR a.offset_min <> 0)"
	  " AND a.kind <> 'rtc'"
	  " AND (a.offset_min IS NOT NULL OR (a.local_us IS NOT NULL AND a.utc_us IS NOT NULL))"
	  " AND coalesce(a.local_us, a.utc_us) IS NOT NULL"
	  " ORDER BY s.host_id, coalesce(a.local_us, a.utc_us + a.offset_min * 60000000), "
	  "a.line_id" },
	{ "zone name printed in the bundle", 0, false, name_row,
	  "SELECT s.host_id, a.source_id, a.local_us, l.text, a.line_id"
	  " FROM clock_anchor a JOIN source s ON s.id = a.source_id JOIN line l"
	  " ON l.id = a.line_id"
	  " WHERE s.bundle_id = ?1 AND a.kind = 'date' AND a.local_us IS NOT NULL"
	  " ORDER BY s.host_id, a.local_us, a.line_id" },
	{ "local and universal time of the same boot", 2 * GPUDX_SECOND, false, pair_row,
	  "SELECT s.host_id, l.source_id, NULL, l.local_us, u.utc_us, NULL, l.line_id"
	  " FROM clock_anchor l JOIN source s ON s.id = l.source_id"
	  " JOIN clock_anchor u ON u.kind = 'btime' AND u.utc_us IS NOT NULL"
	  " JOIN source t ON t.id = u.source_id AND t.host_id = s.host_id"
	  " WHERE s.bundle_id = ?1 AND l.kind = 'uptime_s' AND l.local_us IS NOT NULL"
	  " ORDER BY s.host_id, l.local_us, l.line_id, u.line_id" },
	{ "the same message in a log with zone", 2 * GPUDX_SECOND, true, pair_row,
	  "WITH once AS (SELECT source_id, host_id, key, kind, min(raw) AS raw,"
	  " min(line_id) AS line"
	  "  FROM temp.said WHERE kind IN ('noyear', 'local', 'utc')"
	  "  GROUP BY source_id, key, kind HAVING count(*) = 1),"
	  " zoned AS (SELECT host_id, key, min(raw) AS utc FROM once WHERE kind = 'utc'"
	  " GROUP BY 1, 2)"
	  " SELECT o.host_id, o.source_id, o.kind, o.raw, z.utc, NULL, o.line FROM once o"
	  " JOIN zoned z ON z.host_id = o.host_id AND z.key = o.key"
	  " WHERE o.kind <> 'utc' ORDER BY o.host_id, z.utc, o.line" },
	{ "the hardware clock at boot", 5 * GPUDX_SECOND, true, rtc_row,
	  "SELECT s.host_id, a.source_id, NULL, t.local_us, a.utc_us + (t.mono_us - a.mono_us),"
	  " NULL,"
	  " a.line_id FROM clock_anchor a JOIN source s ON s.id = a.source_id"
	  " JOIN clock_anchor t ON t.source_id = a.source_id AND t.src_boot = a.src_boot"
	  "  AND t.kind IN ('two_stamps', 'rtc') AND t.local_us IS NOT NULL"
	  " AND t.mono_us IS NOT NULL"
	  " WHERE s.bundle_id = ?1 AND a.kind = 'rtc' AND a.utc_us IS NOT NULL"
	  "  AND abs(t.mono_us / 2) < 1000000000000000 AND abs(a.mono_us / 2) < 1000000000000000"
	  " ORDER BY s.host_id, t.local_us, a.line_id" },
};

/* ---- what was seen ---- */

enum { BUCKETS = 2 * FURTHEST_S / QUARTER_S + 3 };

static size_t bucket(const struct seen *s)
{
	return (size_t)((s->o.offset_s + FURTHEST_S + QUARTER_S) / QUARTER_S);
}

/* The offsets of one host; where chance plays a part those that a quarter of all messages show. */
static void take_zone(struct finding *f, struct gpudx_host_zone *z, bool chance)
{
	struct gpudx_offset *at = gpudx_arena_array(&f->c->arena, f->n + 1, sizeof(*at));
	int shown[BUCKETS] = { 0 }, all = 0;

	for (size_t i = 0; i < f->n; i++) {
		if (f->seen[i].host != z->host)
			continue;
		shown[bucket(&f->seen[i])] += f->seen[i].count;
		all += f->seen[i].count;
	}
	for (size_t i = 0; at && i < f->n; i++)
		if (f->seen[i].host == z->host &&
		    (!chance || shown[bucket(&f->seen[i])] * 4 >= all))
			at[z->n++] = f->seen[i].o;
	z->at = at;
	z->how = f->how;
	z->error_us = f->error_us;
}

static enum gpudx_status host_row(void *arg, sqlite3_stmt *row, struct gpudx_err *err)
{
	struct gpudx_clocks *c = arg;

	(void)err;
	c->zones[c->nzones++] = (struct gpudx_host_zone){ .host = sqlite3_column_int64(row, 0),
							  .tz = c->tz,
							  .how = "--tz" };
	return GPUDX_OK;
}

enum gpudx_status gpudx_clocks_find_zones(struct gpudx_clocks *c, struct gpudx_err *err)
{
	enum gpudx_status rc;
	int64_t n;

	rc = gpudx_db_int(c->db, "SELECT count(*) FROM host", 0, &n, err);
	if (rc)
		return rc;
	c->zones = gpudx_arena_array(&c->arena, (size_t)n + 1, sizeof(*c->zones));
	if (!c->zones)
		return gpudx_nomem(err);
	rc = gpudx_query_each(c->db, "SELECT id FROM host WHERE bundle_id = ?1 ORDER BY id",
			      c->bundle, host_row, c, err);
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]) && !rc && !c->tz; i++) {
		struct finding f = { .c = c, .how = ways[i].how, .error_us = ways[i].error_us };

		rc = gpudx_query_each(c->db, ways[i].sql, c->bundle, ways[i].row, &f, err);
		for (size_t k = 0; k < c->nzones && f.n && !rc; k++)
			if (!c->zones[k].n)
				take_zone(&f, &c->zones[k], ways[i].chance);
	}
	return rc;
}
