#include "derive/bootseg.h"

#include "store/query.h"

#include <stdlib.h>

/* ---- one entry for each count of each source ---- */

static void widen(struct gpudx_bootseg *g, struct gpudx_moment m)
{
	if (m.t_us == GPUDX_NO_TIME)
		return;
	if (g->first.t_us == GPUDX_NO_TIME || m.t_us < g->first.t_us)
		g->first = m;
	if (g->last.t_us == GPUDX_NO_TIME || m.t_us > g->last.t_us)
		g->last = m;
}

/* "journalctl -b -1", "--boot=-1", and as names of files "journalctl_--boot_-1": how many boots
 * before the last; -1 when that is not said. */
static int32_t boots_ago(struct gpudx_sv command)
{
	struct gpudx_sv c = sv_from(command, sv_find(command, "journalctl"));
	size_t at = sv_find(c, "--boot");
	uint64_t n;

	if (at < c.n) {
		c = sv_from(c, at + 6);
	} else {
		at = sv_find(c, "-b");
		if (at == c.n)
			return -1;
		c = sv_from(c, at + 2);
	}
	while (c.n && (c.p[0] == ' ' || c.p[0] == '_' || c.p[0] == '='))
		c = sv_from(c, 1);
	if (sv_char(&c, '-') && sv_u64(&c, &n))
		return n < 4096 ? (int32_t)n : -1;
	return !sv_u64(&c, &n) || !n ? 0 : -1; /* -b 1 counts from the first */
}

/* Rows: source, src_boot, kind, first, last, log, former, command. Of one source and count they
 * follow each other. */
static enum gpudx_status seg_row(void *arg, sqlite3_stmt *row, struct gpudx_err *err)
{
	const struct gpudx_clock_source *s;
	struct gpudx_bootsegs *b = arg;
	enum gpudx_stamp_kind kind = gpudx_stamp_kind_of(gpudx_col_text(row, 2));
	int32_t src_boot = sqlite3_column_int(row, 1);
	struct gpudx_bootseg *g;

	(void)err;
	s = gpudx_clocks_source(b->c, sqlite3_column_int64(row, 0));
	if (!s)
		return GPUDX_OK;
	if (!b->n || b->seg[b->n - 1].s != s || b->seg[b->n - 1].src_boot != src_boot)
		b->seg[b->n++] = (struct gpudx_bootseg){
			.s = s,
			.src_boot = src_boot,
			.log = sqlite3_column_int(row, 5),
			.former = sqlite3_column_int(row, 6),
			.ago = boots_ago(gpudx_col_text(row, 7)),
			.first = GPUDX_NO_MOMENT,
			.last = GPUDX_NO_MOMENT,
			.start = { .way = GPUDX_START_NONE, .m = GPUDX_NO_MOMENT },
			.rtc = { .way = GPUDX_START_NONE, .m = GPUDX_NO_MOMENT },
			.boot = SIZE_MAX
		};
	g = &b->seg[b->n - 1];
	g->mono |= kind == GPUDX_STAMP_BOOT;
	widen(g, gpudx_clocks_wall(b->c, s, kind, gpudx_col_time(row, 3)));
	widen(g, gpudx_clocks_wall(b->c, s, kind, gpudx_col_time(row, 4)));
	return GPUDX_OK;
}

static int by_host_source_count(const void *pa, const void *pb)
{
	const struct gpudx_bootseg *a = pa, *b = pb;

	if (a->s->host != b->s->host)
		return a->s->host < b->s->host ? -1 : 1;
	if (a->s->id != b->s->id)
		return a->s->id < b->s->id ? -1 : 1;
	return (a->src_boot > b->src_boot) - (a->src_boot < b->src_boot);
}

struct gpudx_bootseg *gpudx_bootseg_of(const struct gpudx_bootsegs *b, int64_t source,
				       int32_t src_boot)
{
	const struct gpudx_clock_source *s = gpudx_clocks_source(b->c, source);
	const struct gpudx_bootseg key = { .s = s, .src_boot = src_boot };

	return s && b->n ? bsearch(&key, b->seg, b->n, sizeof(key), by_host_source_count) : NULL;
}

static enum gpudx_status load_segs(struct gpudx_bootsegs *b, struct gpudx_err *err)
{
	static const char count[] =
		"SELECT (SELECT count(*) FROM source_span) + (SELECT count(*) FROM clock_anchor)";
	static const char sql[] =
		"SELECT v.source_id, v.src_boot, v.kind, v.first_us, v.last_us,"
		" l.source_id IS NOT NULL,"
		" s.path LIKE '%pstore%' OR s.path LIKE '%vmcore%' OR s.path LIKE '%/crash/%',"
		" CASE WHEN s.title LIKE '%journalctl%' THEN s.title ELSE s.path END FROM ("
		"  SELECT source_id, src_boot, kind, first_us, last_us FROM source_span UNION ALL"
		"  SELECT source_id, src_boot, 'none', NULL, NULL FROM clock_anchor"
		"  WHERE kind IN ('two_stamps', 'boot', 'rtc')) v"
		" JOIN source s ON s.id = v.source_id LEFT JOIN temp.boot_log l"
		" ON l.source_id = s.id"
		" WHERE s.bundle_id = ?1 ORDER BY 1, 2, 3";
	enum gpudx_status rc;
	int64_t n;

	rc = gpudx_db_int(b->c->db, count, 0, &n, err);
	if (rc)
		return rc;
	b->seg = gpudx_arena_array(&b->c->arena, (size_t)n + 1, sizeof(*b->seg));
	if (!b->seg)
		return gpudx_nomem(err);
	rc = gpudx_query_each(b->c->db, sql, b->c->bundle, seg_row, b, err);
	if (b->n)
		qsort(b->seg, b->n, sizeof(*b->seg), by_host_source_count);
	return rc;
}

/* ---- starts that the log itself shows ---- */

/* A hardware clock without battery starts in 1970, 1980, 2000 or 2002. */
#define EMPTY_BATTERY (INT64_C(1104537600) * GPUDX_SECOND) /* 2005-01-01 */

static struct gpudx_moment anchor_moment(const struct gpudx_bootsegs *b,
					 const struct gpudx_clock_source *s, int64_t local_us,
					 int64_t utc_us)
{
	if (utc_us != GPUDX_NO_TIME)
		return (struct gpudx_moment){ utc_us, GPUDX_Q_EXACT };
	if (local_us == GPUDX_NO_TIME)
		return GPUDX_NO_MOMENT;
	return gpudx_clocks_moment(b->c, s->host, gpudx_clocks_anchor_local(s, local_us));
}

/* No machine runs for a century. */
#define CENTURY (INT64_C(36525) * GPUDX_DAY)

struct gpudx_moment gpudx_start_zero(struct gpudx_moment m, int64_t mono_us)
{
	m.t_us =
		mono_us < 0 || mono_us > CENTURY ? GPUDX_NO_TIME : gpudx_time_add(m.t_us, -mono_us);
	if (m.t_us == GPUDX_NO_TIME)
		return GPUDX_NO_MOMENT;
	if (m.quality == GPUDX_Q_EXACT)
		m.quality = GPUDX_Q_ALIGNED;
	return m;
}

/* Lines of early boot are stamped late; the last line with both stamps is right. */
static void offer(struct gpudx_start *to, enum gpudx_start_way way, struct gpudx_moment zero,
		  int64_t mono_us, int64_t line_id)
{
	if (zero.t_us == GPUDX_NO_TIME || zero.quality > GPUDX_Q_ZONE_ASSUMED || way > to->way)
		return;
	if (way == to->way && mono_us < to->mono_us)
		return;
	*to = (struct gpudx_start){ way, zero, mono_us, line_id };
}

/* Rows: source, src_boot, kind, mono, local, utc, line. */
static enum gpudx_status anchor_row(void *arg, sqlite3_stmt *row, struct gpudx_err *err)
{
	int64_t mono = gpudx_col_time(row, 3), line = sqlite3_column_int64(row, 6);
	struct gpudx_sv kind = gpudx_col_text(row, 2);
	struct gpudx_bootsegs *b = arg;
	struct gpudx_bootseg *g;
	struct gpudx_moment m;

	(void)err;
	g = gpudx_bootseg_of(b, sqlite3_column_int64(row, 0), sqlite3_column_int(row, 1));
	if (!g)
		return GPUDX_OK;
	if (sv_is(kind, "rtc")) {
		m = (struct gpudx_moment){ gpudx_col_time(row, 5), GPUDX_Q_EXACT };
		if (m.t_us < EMPTY_BATTERY)
			return GPUDX_OK;
		offer(&g->rtc, GPUDX_START_RTC, gpudx_start_zero(m, mono), mono, line);
		return GPUDX_OK;
	}
	m = anchor_moment(b, g->s, gpudx_col_time(row, 4), gpudx_col_time(row, 5));
	offer(&g->start, GPUDX_START_TWO, gpudx_start_zero(m, mono), mono, line);
	if (sv_is(kind, "boot") && !g->opens) {
		g->opens = true;
		g->open_line = line;
	}
	return GPUDX_OK;
}

/* Rows: source, src_boot, kind of stamp, stamp, mono, line. */
static enum gpudx_status event_row(void *arg, sqlite3_stmt *row, struct gpudx_err *err)
{
	int64_t mono = gpudx_col_time(row, 4);
	struct gpudx_bootsegs *b = arg;
	struct gpudx_bootseg *g;
	struct gpudx_moment m;

	(void)err;
	g = gpudx_bootseg_of(b, sqlite3_column_int64(row, 0), sqlite3_column_int(row, 1));
	if (!g)
		return GPUDX_OK;
	m = gpudx_clocks_wall(b->c, g->s, gpudx_stamp_kind_of(gpudx_col_text(row, 2)),
			      gpudx_col_time(row, 3));
	offer(&g->start, GPUDX_START_TWO, gpudx_start_zero(m, mono), mono,
	      sqlite3_column_int64(row, 5));
	return GPUDX_OK;
}

static enum gpudx_status load_shown(struct gpudx_bootsegs *b, struct gpudx_err *err)
{
	static const char anchors[] =
		"SELECT a.source_id, a.src_boot, a.kind, a.mono_us, a.local_us, a.utc_us,"
		" a.line_id"
		" FROM clock_anchor a JOIN source s ON s.id = a.source_id WHERE s.bundle_id = ?1"
		" AND a.kind IN ('two_stamps', 'boot', 'rtc')"
		" ORDER BY a.source_id, a.line_id, a.rowid";
	static const char events[] = "SELECT e.source_id, e.src_boot, e.t_kind, e.t_raw_us, "
				     "e.mono_us, e.line_id FROM event e"
				     " JOIN source s ON s.id = e.source_id WHERE s.bundle_id = ?1"
				     " AND e.mono_us IS NOT NULL"
				     " AND e.t_kind IN ('noyear', 'local', 'utc') ORDER BY e.id";
	enum gpudx_status rc =
		gpudx_query_each(b->c->db, anchors, b->c->bundle, anchor_row, b, err);

	if (!rc)
		rc = gpudx_query_each(b->c->db, events, b->c->bundle, event_row, b, err);
	return rc;
}

/* ---- starts that tools state ---- */

static enum gpudx_status add_stated(struct gpudx_bootsegs *b, int64_t host,
				    struct gpudx_start start, struct gpudx_err *err)
{
	if (start.m.t_us == GPUDX_NO_TIME || start.m.quality > GPUDX_Q_ZONE_ASSUMED)
		return GPUDX_OK;
	if (b->nstated == b->stated_cap) {
		size_t cap = b->stated_cap ? b->stated_cap * 2 : 16;
		struct gpudx_stated *bigger = gpudx_arena_array(&b->c->arena, cap, sizeof(*bigger));

		if (!bigger)
			return gpudx_nomem(err);
		if (b->nstated)
			memcpy(bigger, b->stated, b->nstated * sizeof(*bigger));
		b->stated = bigger;
		b->stated_cap = cap;
	}
	b->stated[b->nstated++] = (struct gpudx_stated){ host, start };
	return GPUDX_OK;
}

/* Rows: source, kind, mono, local, utc, line; then source, local, utc of the date that belongs to
 * an uptime without one. */
static enum gpudx_status stated_row(void *arg, sqlite3_stmt *row, struct gpudx_err *err)
{
	struct gpudx_sv kind = gpudx_col_text(row, 1);
	int64_t mono = gpudx_col_time(row, 2), line = sqlite3_column_int64(row, 5);
	const struct gpudx_clock_source *s, *date;
	struct gpudx_bootsegs *b = arg;
	struct gpudx_moment m;
	enum gpudx_start_way way;

	s = gpudx_clocks_source(b->c, sqlite3_column_int64(row, 0));
	if (!s)
		return GPUDX_OK;
	m = anchor_moment(b, s, gpudx_col_time(row, 3), gpudx_col_time(row, 4));
	if (sv_is(kind, "uptime")) {
		date = gpudx_clocks_source(b->c, gpudx_col_int(row, 6, 0));
		if (m.t_us == GPUDX_NO_TIME && date)
			m = anchor_moment(b, date, gpudx_col_time(row, 7), gpudx_col_time(row, 8));
		way = GPUDX_START_DATE_UPTIME;
	} else {
		mono = mono == GPUDX_NO_TIME ? 0 : mono;
		way = sv_is(kind, "btime") ? GPUDX_START_BTIME : GPUDX_START_UPTIME_S;
	}
	return add_stated(b, s->host,
			  (struct gpudx_start){ way, gpudx_start_zero(m, mono), mono, line }, err);
}

static enum gpudx_status load_stated(struct gpudx_bootsegs *b, struct gpudx_err *err)
{
	/* The date nearest to an uptime: of the same source, else of the same member, else the
	 * newest. */
	static const char sql[] =
		"SELECT source_id, kind, mono_us, local_us, utc_us, line_id, date_source,"
		" date_local, date_utc"
		" FROM (SELECT a.*, d.source_id AS date_source, d.local_us AS date_local,"
		" d.utc_us AS date_utc,"
		"   row_number() OVER (PARTITION BY a.rowid"
		" ORDER BY d.source_id = a.source_id DESC,"
		"    t.path = s.path DESC, coalesce(d.utc_us, d.local_us) DESC, d.rowid) AS rank"
		"  FROM clock_anchor a JOIN source s ON s.id = a.source_id"
		"  LEFT JOIN source t ON a.kind = 'uptime' AND t.host_id = s.host_id"
		"   AND t.id IN (SELECT source_id FROM clock_anchor WHERE kind = 'date')"
		"  LEFT JOIN clock_anchor d ON d.source_id = t.id AND d.kind = 'date'"
		"  WHERE s.bundle_id = ?1 AND a.kind IN ('btime', 'uptime_s', 'uptime'))"
		" WHERE rank = 1 ORDER BY line_id LIMIT 1000";

	return gpudx_query_each(b->c->db, sql, b->c->bundle, stated_row, b, err);
}

enum gpudx_status gpudx_bootsegs_load(struct gpudx_bootsegs *b, struct gpudx_clocks *c,
				      struct gpudx_err *err)
{
	static const char *const logs[] = {
		"DROP TABLE IF EXISTS temp.boot_log",
		"CREATE TEMP TABLE boot_log AS SELECT s.id AS source_id FROM source s"
		" WHERE s.bundle_id = ?1"
		" AND (s.parser = 'kernel-log'"
		"  OR s.id IN (SELECT source_id FROM source_span WHERE kind = 'boot'"
		" OR src_boot > 0)"
		"  OR s.id IN (SELECT source_id FROM clock_anchor"
		" WHERE kind IN ('two_stamps', 'boot', 'rtc')))",
	};
	enum gpudx_status rc;

	*b = (struct gpudx_bootsegs){ .c = c };
	rc = gpudx_query_all(c->db, logs, sizeof(logs) / sizeof(logs[0]), c->bundle, err);
	if (!rc)
		rc = load_segs(b, err);
	if (!rc)
		rc = load_shown(b, err);
	return rc ? rc : load_stated(b, err);
}
