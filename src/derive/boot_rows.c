#include "derive/boot.h"
#include "store/query.h"

/* ---- rows ---- */

static const char *const way_words[] = {
	[GPUDX_START_TWO] = "lines with both wall clock and time since boot",
	[GPUDX_START_MESSAGE] = "the same message in two logs",
	[GPUDX_START_BTIME] = "btime of /proc/stat",
	[GPUDX_START_UPTIME_S] = "uptime -s",
	[GPUDX_START_DATE_UPTIME] = "date minus uptime",
	[GPUDX_START_RTC] = "hardware clock at boot, checked against nothing",
	[GPUDX_START_FIRST] = "first stamp of the boot",
	[GPUDX_START_NOT_AFTER] = "not after the first stamp of an excerpt",
	[GPUDX_START_NONE] = "nothing ties time since boot to a wall clock",
};

/* What the hardware clock says besides; it may run in local time. */
static void rtc_words(const struct gpudx_boots *b, const struct gpudx_boot *boot, char *buf,
		      int size)
{
	int64_t d_s, offset_s;

	buf[0] = '\0';
	if (!gpudx_start_known(&boot->rtc) || boot->start.way >= GPUDX_START_RTC)
		return;
	d_s = (boot->rtc.m.t_us - boot->start.m.t_us) / GPUDX_SECOND;
	offset_s = gpudx_clocks_offset_s(b->c, b->host, boot->start.m.t_us);
	if (boot->start.m.quality == GPUDX_Q_ZONE_ASSUMED)
		sqlite3_snprintf(
			size, buf,
			d_s > -120 && d_s < 120
				? "; the hardware clock agrees: zone UTC, or it runs in local time"
				: "");
	else if (offset_s && d_s - offset_s > -120 && d_s - offset_s < 120)
		sqlite3_snprintf(size, buf, "; the hardware clock runs in local time");
	else if (d_s <= -120 || d_s >= 120)
		sqlite3_snprintf(size, buf, "; the hardware clock was off by %lld s",
				 (long long)d_s);
}

static enum gpudx_status insert_clock(struct gpudx_boots *b, const struct gpudx_boot *boot,
				      sqlite3_stmt *st, struct gpudx_err *err)
{
	char how[200], rtc[100];

	rtc_words(b, boot, rtc, sizeof(rtc));
	sqlite3_snprintf(sizeof(how), how, "%s%s", way_words[boot->start.way], rtc);
	sqlite3_bind_int64(st, 1, b->host);
	sqlite3_bind_int64(st, 2, boot->id);
	gpudx_bind_time(st, 3,
			gpudx_start_known(&boot->start) ? boot->start.m.t_us : GPUDX_NO_TIME);
	gpudx_bind_text(
		st, 4,
		sv_str(gpudx_quality_word(gpudx_start_known(&boot->start) ? boot->start.m.quality
									  : GPUDX_Q_BOOT)));
	gpudx_bind_unless(st, 5, gpudx_start_error[boot->start.way], -1);
	gpudx_bind_text(st, 6, sv_str(how));
	gpudx_bind_unless(st, 7, boot->start.line_id, 0);
	return gpudx_db_run(st, err);
}

static enum gpudx_status insert_boot(struct gpudx_boots *b, size_t i, sqlite3_stmt *st,
				     struct gpudx_err *err)
{
	struct gpudx_boot *boot = &b->boot[i];
	enum gpudx_status rc;

	sqlite3_bind_int64(st, 1, b->host);
	sqlite3_bind_int64(st, 2, (int64_t)i + 1 - (int64_t)b->n);
	gpudx_bind_time(st, 3,
			gpudx_start_known(&boot->start) ? boot->start.m.t_us : GPUDX_NO_TIME);
	gpudx_bind_text(st, 4, sv_str(gpudx_quality_word(boot->start.m.quality)));
	gpudx_bind_unless(st, 5, boot->open_line ? boot->open_line : boot->start.line_id, 0);
	rc = gpudx_db_run(st, err);
	boot->id = sqlite3_last_insert_rowid(b->c->db);
	return rc;
}

static enum gpudx_status link_segs(struct gpudx_boots *b, sqlite3_stmt *st, struct gpudx_err *err)
{
	enum gpudx_status rc = GPUDX_OK;

	for (size_t i = 0; i < b->nseg && !rc; i++) {
		const struct gpudx_bootseg *g = &b->seg[i];

		if (g->boot == SIZE_MAX)
			continue;
		sqlite3_bind_int64(st, 1, b->boot[g->boot].id);
		sqlite3_bind_int64(st, 2, g->s->id);
		sqlite3_bind_int(st, 3, g->src_boot);
		rc = gpudx_db_run(st, err);
	}
	return rc;
}

enum gpudx_status gpudx_boots_write(struct gpudx_boots *b, struct gpudx_err *err)
{
	static const char *const sql[] = {
		"INSERT INTO boot(host_id, seq, start_us, start_quality, line_id)"
		" VALUES(?, ?, ?, ?, ?)",
		"INSERT INTO clock(host_id, boot_id, kind, offset_us, quality, error_us, how,"
		" line_id)"
		" VALUES(?, ?, 'boot', ?, ?, ?, ?, ?)",
		"UPDATE source_span SET boot_id = ? WHERE source_id = ? AND src_boot = ?",
	};
	sqlite3_stmt *st[3] = { NULL };
	enum gpudx_status rc = GPUDX_OK;

	for (size_t i = 0; i < 3 && !rc; i++)
		rc = gpudx_db_prepare(b->c->db, sql[i], &st[i], err);
	for (size_t i = 0; i < b->n && !rc; i++) {
		rc = insert_boot(b, i, st[0], err);
		if (!rc)
			rc = insert_clock(b, &b->boot[i], st[1], err);
	}
	if (!rc)
		rc = link_segs(b, st[2], err);
	for (size_t i = 0; i < 3; i++)
		sqlite3_finalize(st[i]);
	return rc;
}

/* ---- what follows from the boots ---- */

struct spans {
	const struct gpudx_clocks *c;
	sqlite3_stmt *update;
};

/* Rows: rowid, source, src_boot, kind, first, last. */
static enum gpudx_status span_row(void *arg, sqlite3_stmt *row, struct gpudx_err *err)
{
	enum gpudx_stamp_kind kind = gpudx_stamp_kind_of(gpudx_col_text(row, 3));
	const struct gpudx_clock_boot *boot, *unused;
	const struct gpudx_clock_source *s;
	struct spans *w = arg;
	struct gpudx_moment first, last;
	int32_t count = sqlite3_column_int(row, 2);

	s = gpudx_clocks_source(w->c, sqlite3_column_int64(row, 1));
	if (!s)
		return GPUDX_OK;
	first = gpudx_clocks_place(w->c, s->host, s, count, kind, gpudx_col_time(row, 4), &boot);
	last = gpudx_clocks_place(w->c, s->host, s, count, kind, gpudx_col_time(row, 5), &unused);
	sqlite3_bind_int64(w->update, 1, sqlite3_column_int64(row, 0));
	gpudx_bind_unless(w->update, 2, boot ? boot->id : 0, 0);
	gpudx_bind_time(w->update, 3, first.t_us);
	gpudx_bind_time(w->update, 4, last.t_us);
	gpudx_bind_text(w->update, 5, sv_str(gpudx_quality_word(first.quality)));
	return gpudx_db_run(w->update, err);
}

enum gpudx_status gpudx_boots_follow(struct gpudx_clocks *c, struct gpudx_err *err)
{
	static const char spans[] =
		"SELECT p.rowid, p.source_id, p.src_boot, p.kind, p.first_us, p.last_us"
		" FROM source_span p"
		" JOIN source s ON s.id = p.source_id WHERE s.bundle_id = ?1 ORDER BY p.rowid";
	static const char update[] =
		"UPDATE source_span SET boot_id = coalesce(boot_id, ?2), t0_us = ?3, t1_us = ?4,"
		" t_quality = ?5 WHERE rowid = ?1";
	/* The log of a boot names its kernel; of the last boot the tools do, too. */
	static const char *const names[] = {
		"CREATE TEMP TABLE boot_name AS SELECT p.boot_id, f.key, f.value, min(f.id) AS id"
		" FROM fact f JOIN source_span p ON p.source_id = f.source_id"
		"  AND p.src_boot = f.src_boot JOIN source s ON s.id = f.source_id"
		" WHERE s.bundle_id = ?1 AND f.key IN ('kernel.release', 'kernel.cmdline')"
		"  AND f.layer = 'kernel' GROUP BY 1, 2",
		"INSERT INTO temp.boot_name SELECT b.id, f.key, f.value, min(f.id)"
		" FROM fact f JOIN source s ON s.id = f.source_id"
		" JOIN boot b ON b.host_id = s.host_id AND b.seq = 0"
		" WHERE s.bundle_id = ?1 AND f.key IN ('kernel.release', 'kernel.cmdline')"
		"  AND f.layer <> 'kernel' AND NOT EXISTS (SELECT 1 FROM temp.boot_name n"
		"   WHERE n.boot_id = b.id AND n.key = f.key) GROUP BY 1, 2",
		"UPDATE boot SET kernel = (SELECT value FROM temp.boot_name n"
		"  WHERE n.boot_id = boot.id AND n.key = 'kernel.release'),"
		" cmdline = (SELECT value FROM temp.boot_name n"
		"  WHERE n.boot_id = boot.id AND n.key = 'kernel.cmdline')"
		" WHERE id IN (SELECT boot_id FROM temp.boot_name)",
		"DROP TABLE temp.boot_name",
	};
	struct spans w = { .c = c };
	enum gpudx_status rc = gpudx_db_prepare(c->db, update, &w.update, err);

	if (!rc)
		rc = gpudx_query_each(c->db, spans, c->bundle, span_row, &w, err);
	sqlite3_finalize(w.update);
	return rc ? rc
		  : gpudx_query_all(c->db, names, sizeof(names) / sizeof(names[0]), c->bundle, err);
}
