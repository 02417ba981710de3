/* Which year the stamps of a log without years are of. In this order: the same message in a log
 * with years; the file time, where it is the day of the newest stamp; the year that puts the newest
 * stamp not after a time with year in the same log (a journal says when it ends), else not after
 * the collection of the bundle. */
#include "derive/year.h"

#include "base/search.h"
#include "base/stamp.h"
#include "derive/collected.h"
#include "derive/derive.h"
#include "store/query.h"

#include <stdlib.h>

/* The clocks of two machines and two zones are no further apart than this. */
enum { SLACK_DAYS = 1, MTIME_DAYS = 3 };

struct log {
	int64_t source, newest, mtime;
	int64_t dated;	   /* newest stamp with year in the same source */
	int64_t leap_turn; /* of a 29 February, -1 none */
	int64_t year0;
	bool known;
};

struct years {
	sqlite3 *db;
	struct log *logs; /* by source */
	size_t n;
	struct gpudx_collected collected;
};

static bool is_leap(int64_t year)
{
	return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static int64_t day_floor(int64_t t_us)
{
	return t_us / GPUDX_DAY - (t_us % GPUDX_DAY < 0);
}

static int64_t year_of(int64_t t_us)
{
	unsigned month, day;
	int64_t year;

	gpudx_civil(day_floor(t_us), &year, &month, &day);
	return year;
}

int64_t gpudx_year_local(int64_t noyear_us, int64_t year0)
{
	int64_t days = day_floor(noyear_us), year;
	unsigned month, day;

	gpudx_civil(days, &year, &month, &day);
	year = year0 + gpudx_noyear_turn(noyear_us);
	if (month == 2 && day == 29 && !is_leap(year)) {
		month = 3;
		day = 1;
	}
	return gpudx_days(year, month, day) * GPUDX_DAY + (noyear_us - days * GPUDX_DAY);
}

static enum gpudx_status log_row(void *arg, sqlite3_stmt *row, struct gpudx_err *err)
{
	struct years *y = arg;

	(void)err;
	y->logs[y->n++] = (struct log){ .source = sqlite3_column_int64(row, 0),
					.newest = sqlite3_column_int64(row, 1),
					.mtime = gpudx_col_time(row, 2),
					.leap_turn = gpudx_col_int(row, 3, -1),
					.dated = gpudx_col_time(row, 4) };
	return GPUDX_OK;
}

static enum gpudx_status load_logs(struct years *y, int64_t bundle, struct gpudx_err *err)
{
	static const char count[] =
		"SELECT count(DISTINCT source_id) FROM source_span WHERE kind = 'noyear'";
	static const char logs[] =
		"WITH leap AS (SELECT source_id,"
		"  min((substr(date(raw / 1000000, 'unixepoch'), 1, 4) - 2000) / 4) AS turn FROM ("
		"   SELECT source_id, raw FROM temp.said WHERE kind = 'noyear'"
		"   UNION ALL SELECT source_id, first_us FROM source_span WHERE kind = 'noyear'"
		"   UNION ALL SELECT source_id, last_us FROM source_span WHERE kind = 'noyear')"
		"  WHERE substr(date(raw / 1000000, 'unixepoch'), 6) = '02-29' GROUP BY source_id)"
		" SELECT p.source_id, max(p.last_us), s.mtime_us, leap.turn,"
		" (SELECT max(d.last_us) FROM source_span d WHERE d.source_id = p.source_id"
		"  AND d.kind IN ('local', 'utc'))"
		" FROM source_span p JOIN source s ON s.id = p.source_id"
		" LEFT JOIN leap ON leap.source_id = p.source_id"
		" WHERE s.bundle_id = ?1 AND p.kind = 'noyear' GROUP BY p.source_id"
		" ORDER BY p.source_id";
	enum gpudx_status rc;
	int64_t n;

	rc = gpudx_db_int(y->db, count, 0, &n, err);
	if (rc)
		return rc;
	y->logs = calloc((size_t)n + 1, sizeof(*y->logs));
	if (!y->logs)
		return gpudx_nomem(err);
	return gpudx_query_each(y->db, logs, bundle, log_row, y, err);
}

/* ---- the same message in a log with years ---- */

static enum gpudx_status vote_row(void *arg, sqlite3_stmt *row, struct gpudx_err *err)
{
	int64_t source = sqlite3_column_int64(row, 0);
	struct years *y = arg;
	struct log *log = GPUDX_FIND(y->logs, y->n, struct log, source, source);

	(void)err;
	if (!log || log->known)
		return GPUDX_OK;
	log->year0 = sqlite3_column_int64(row, 1);
	log->known = true;
	return GPUDX_OK;
}

/* Dated messages count for their day and the days before and after: zones shift the date. Each
 * month and day on which both logs have the message is a vote. */
static enum gpudx_status vote(struct years *y, int64_t bundle, struct gpudx_err *err)
{
	static const char sql[] =
		"WITH shift(d) AS (VALUES(-86400), (0), (86400)),"
		" dated AS (SELECT host_id, key, substr(date(raw / 1000000 + d, 'unixepoch'),"
		" 6) AS md,"
		"  max(substr(date(raw / 1000000 + d, 'unixepoch'), 1, 4)) AS year"
		"  FROM temp.said, shift WHERE kind IN ('local', 'utc') GROUP BY 1, 2, 3),"
		" undated AS (SELECT DISTINCT source_id, host_id, key,"
		"  substr(date(raw / 1000000, 'unixepoch'), 6) AS md,"
		"  (substr(date(raw / 1000000, 'unixepoch'), 1, 4) - 2000) / 4 AS turn"
		"  FROM temp.said WHERE kind = 'noyear')"
		" SELECT u.source_id, d.year - u.turn AS year0, count(*) AS votes"
		" FROM undated u JOIN dated d ON d.host_id = u.host_id AND d.key = u.key"
		" AND d.md = u.md"
		" WHERE u.source_id IN (SELECT id FROM source WHERE bundle_id = ?1)"
		" GROUP BY 1, 2 ORDER BY votes DESC, year0 DESC";

	return gpudx_query_each(y->db, sql, bundle, vote_row, y, err);
}

/* ---- file time and collection ---- */

static int64_t newest_in(const struct log *l, int64_t year)
{
	return gpudx_year_local(l->newest, year - gpudx_noyear_turn(l->newest));
}

/* The file was written last on the day of its newest stamp, or a little later. */
static void ask_file_time(struct log *l)
{
	int64_t year, late;

	if (l->known || l->mtime == GPUDX_NO_TIME)
		return;
	for (year = year_of(l->mtime) + 1; year >= year_of(l->mtime) - 1; year--) {
		late = l->mtime - newest_in(l, year);
		if (late >= -SLACK_DAYS * GPUDX_DAY && late <= MTIME_DAYS * GPUDX_DAY) {
			l->year0 = year - gpudx_noyear_turn(l->newest);
			l->known = true;
			return;
		}
	}
}

static void ask_collection(const struct years *y, struct log *l)
{
	int64_t then = l->dated != GPUDX_NO_TIME ? l->dated : y->collected.raw_us, year;

	if (l->known || then == GPUDX_NO_TIME)
		return;
	year = year_of(then) + 1;
	while (newest_in(l, year) > then + SLACK_DAYS * GPUDX_DAY)
		year--;
	l->year0 = year - gpudx_noyear_turn(l->newest);
	l->known = true;
}

static void ask_leap_day(struct log *l)
{
	while (l->known && l->leap_turn >= 0 && !is_leap(l->year0 + l->leap_turn))
		l->year0--;
}

static enum gpudx_status write_years(struct years *y, struct gpudx_err *err)
{
	sqlite3_stmt *st = NULL;
	enum gpudx_status rc =
		gpudx_db_prepare(y->db, "UPDATE source SET year0 = ? WHERE id = ?", &st, err);

	for (size_t i = 0; i < y->n && !rc; i++) {
		if (!y->logs[i].known)
			continue;
		sqlite3_bind_int64(st, 1, y->logs[i].year0);
		sqlite3_bind_int64(st, 2, y->logs[i].source);
		rc = gpudx_db_run(st, err);
	}
	sqlite3_finalize(st);
	return rc;
}

enum gpudx_status gpudx_derive_years(struct gpudx_store *store, int64_t bundle,
				     struct gpudx_err *err)
{
	struct years y = { .db = gpudx_store_db(store) };
	enum gpudx_status rc = load_logs(&y, bundle, err);

	if (!rc && y.n)
		rc = gpudx_collected_find(y.db, bundle, &y.collected, err);
	if (!rc && y.n)
		rc = vote(&y, bundle, err);
	for (size_t i = 0; i < y.n && !rc; i++) {
		ask_file_time(&y.logs[i]);
		ask_collection(&y, &y.logs[i]);
		ask_leap_day(&y.logs[i]);
	}
	if (!rc)
		rc = write_years(&y, err);
	free(y.logs);
	return rc;
}
