/* A case in memory whose raw tables a test fills by SQL, as ingest would. Rows are compared as
 * text: cells divided by blanks, rows by " / ", NULL as "-". */
#ifndef DERIVE_CASE_H
#define DERIVE_CASE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>

#include "base/buf.h"
#include "base/stamp.h"
#include "derive/derive.h"

static inline void run_sql(struct gpudx_store *s, const char *sql)
{
	struct gpudx_err err = { 0 };

	if (gpudx_db_exec(gpudx_store_db(s), sql, &err))
		fail_msg("%s\nin: %s", err.text[0], sql);
}

/* The same of a format as sqlite3_mprintf knows it: %Q is a quoted text, or NULL. */
static inline void run_sqlf(struct gpudx_store *s, const char *fmt, ...)
{
	va_list ap;
	char *sql;

	va_start(ap, fmt);
	sql = sqlite3_vmprintf(fmt, ap);
	va_end(ap);
	if (!sql)
		fail_msg("no memory for %s", fmt);
	run_sql(s, sql);
	sqlite3_free(sql);
}

static inline void result_moment(sqlite3_context *ctx, const char *text)
{
	struct gpudx_sv s = sv_str(text);
	int64_t t_us;

	if (gpudx_scan_ymd_hms(&s, &t_us) && !s.n)
		sqlite3_result_int64(ctx, t_us);
	else
		sqlite3_result_error(ctx, "no such moment", -1);
}

/* at('2024-05-07 10:00:00'): that moment in microseconds. */
static inline void sql_at(sqlite3_context *ctx, int n, sqlite3_value **arg)
{
	(void)n;
	result_moment(ctx, (const char *)sqlite3_value_text(arg[0]));
}

/* noyear(0, '05-07 10:00:00'): a stamp without year; the first number counts the turns of the year
 * in its source (base/stamp.h). */
static inline void sql_noyear(sqlite3_context *ctx, int n, sqlite3_value **arg)
{
	char text[64];

	(void)n;
	snprintf(text, sizeof(text), "%d-%s", 2000 + 4 * sqlite3_value_int(arg[0]),
		 (const char *)sqlite3_value_text(arg[1]));
	result_moment(ctx, text);
}

/* line(2, 7): the id of line 7 of source 2. */
static inline void sql_line(sqlite3_context *ctx, int n, sqlite3_value **arg)
{
	(void)n;
	sqlite3_result_int64(ctx, sqlite3_value_int64(arg[0]) << 32 | sqlite3_value_int64(arg[1]));
}

static inline void add_functions(struct gpudx_store *s)
{
	sqlite3 *db = gpudx_store_db(s);

	sqlite3_create_function(db, "at", 1, SQLITE_UTF8, NULL, sql_at, NULL, NULL);
	sqlite3_create_function(db, "noyear", 2, SQLITE_UTF8, NULL, sql_noyear, NULL, NULL);
	sqlite3_create_function(db, "line", 2, SQLITE_UTF8, NULL, sql_line, NULL, NULL);
}

/* Knowledge is what the test says it is. */
static inline struct gpudx_store *open_case(void)
{
	struct gpudx_err err = { 0 };
	struct gpudx_store *s = NULL;

	if (gpudx_store_create(NULL, &s, &err))
		fail_msg("%s", err.text[0]);
	add_functions(s);
	run_sql(s, "INSERT INTO bundle(id, label, digest, members, unread) VALUES(1, 'case', '', "
		   "0, 0);"
		   "DROP TABLE IF EXISTS kb_chains; DROP TABLE IF EXISTS kb_event_kinds;"
		   "DELETE FROM kb_gpu_model; DROP TABLE IF EXISTS kb_fact_keys;");
	return s;
}

/* A test that finds such a case in *state. */
static inline int case_setup(void **state)
{
	*state = open_case();
	return 0;
}

static inline int case_teardown(void **state)
{
	gpudx_store_close(*state);
	return 0;
}

#define case_test(f) cmocka_unit_test_setup_teardown(f, case_setup, case_teardown)

/* Rows of what most tests state. */
#define SPAN "INSERT INTO source_span(source_id, src_boot, kind, first_us, last_us) VALUES"
#define ANCHOR                                                                            \
	"INSERT INTO clock_anchor(source_id, src_boot, kind, mono_us, local_us, utc_us, " \
	"offset_min, line_id) VALUES"

static inline void derive_tz(struct gpudx_store *s, const char *tz)
{
	const struct gpudx_derive_options options = { .tz = tz };
	struct gpudx_err err = { 0 };

	if (gpudx_derive(s, 1, &options, &err))
		fail_msg("%s / %s", err.text[0], err.depth > 1 ? err.text[1] : "");
}

static inline void derive(struct gpudx_store *s)
{
	derive_tz(s, NULL);
}

static inline void rows_text(struct gpudx_store *s, const char *sql, struct gpudx_buf *out)
{
	struct gpudx_err err = { 0 };
	sqlite3_stmt *st = NULL;
	bool row = true;

	if (gpudx_db_prepare(gpudx_store_db(s), sql, &st, &err))
		fail_msg("%s\nin: %s", err.text[0], sql);
	while (gpudx_db_step(st, &row, &err) == GPUDX_OK && row) {
		if (out->n)
			gpudx_buf_str(out, " / ");
		for (int i = 0; i < sqlite3_column_count(st); i++) {
			struct gpudx_sv v = gpudx_col_text(st, i);

			if (i)
				gpudx_buf_char(out, ' ');
			gpudx_buf_sv(out, v.p ? v : SV_LIT("-"));
		}
	}
	sqlite3_finalize(st);
	if (err.depth)
		fail_msg("%s\nin: %s", err.text[0], sql);
}

static inline void expect_rows(struct gpudx_store *s, const char *sql, const char *want)
{
	struct gpudx_buf got = { .max = 1 << 20 };

	rows_text(s, sql, &got);
	if (strcmp(gpudx_buf_cstr(&got), want) != 0)
		fail_msg("%s\n  want: %s\n  got:  %s", sql, want, gpudx_buf_cstr(&got));
	gpudx_buf_free(&got);
}

#endif
