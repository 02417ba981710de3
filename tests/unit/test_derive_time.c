#include "derive_case.h"

/* A source of this parser and kind of stamps. */
static void source(struct gpudx_store *s, int id, const char *path, const char *parser,
		   const char *clock, const char *mtime)
{
	run_sqlf(s,
		 "INSERT INTO source(id, bundle_id, path, title, parser, status, "
		 "src_clock, mtime_us)"
		 " VALUES(%d, 1, %Q, %Q, %Q, 'read', %Q, unixepoch(%Q) * 1000000)",
		 id, path, path, parser, clock, mtime);
}

#define EVENT                                                                                  \
	"INSERT INTO event(source_id, src_boot, kind, code, t_raw_us, t_kind, mono_us, text, " \
	"line_id) VALUES"
#define FACT                                                                                   \
	"INSERT INTO fact(source_id, src_boot, key, layer, value, t_raw_us, t_kind, line_id) " \
	"VALUES"
#define TIMES                                                                                   \
	"SELECT replace(datetime(t_us / 1000000, 'unixepoch'), ' ', 'T'), t_quality FROM event" \
	" ORDER BY id"
#define BOOTS                                                                        \
	"SELECT seq, replace(datetime(start_us / 1000000, 'unixepoch'), ' ', 'T'), " \
	"start_quality"                                                              \
	" FROM boot ORDER BY seq"

/* ---- zones ---- */

static void local_times_of_an_unknown_zone_stand_as_they_are_on_one_clock(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "trace.csv", "smi-query-csv", "local", NULL);
	source(s, 2, "dmesg-T.txt", "kernel-log", "local", NULL);
	run_sql(s,
		EVENT "(1, 0, 'smi_fault', NULL, at('2026-01-13 10:26:33'), 'local', NULL, 'a', 1),"
		      "(2, 0, 'xid', 31, at('2026-01-13 10:18:02'), 'local', NULL, 'b', 2)");
	derive(s);
	expect_rows(s, TIMES,
		    "2026-01-13T10:26:33 zone_assumed / 2026-01-13T10:18:02 zone_assumed");
	expect_rows(s, "SELECT kind, zone, offset_us, quality FROM clock WHERE kind <> 'boot'",
		    "local - 0 zone_assumed");
	expect_rows(s, "SELECT count(DISTINCT clock_id) FROM source", "1");
	expect_rows(s,
		    "SELECT collected_us = at('2026-01-13 10:26:33'), collected_quality,"
		    " collected_how FROM bundle",
		    "1 zone_assumed newest stamp");
}

static void the_zone_of_the_user_is_exact(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "trace.csv", "smi-query-csv", "local", NULL);
	run_sql(s, EVENT
		"(1, 0, 'smi_fault', NULL, at('2026-07-13 10:00:00'), 'local', NULL, 'a', 1)");
	derive_tz(s, "+02:00");
	expect_rows(s, TIMES, "2026-07-13T08:00:00 exact");
	expect_rows(s, "SELECT zone, offset_us, quality, how FROM clock WHERE kind = 'local'",
		    "+02:00 -7200000000 exact --tz");
}

static void a_zone_by_name_has_a_clock_for_summer_and_one_for_winter(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "kern.log", "kernel-log", "local", NULL);
	run_sql(s, EVENT "(1, 0, 'xid', 31, at('2026-03-28 12:00:00'), 'local', NULL, 'a', 1),"
			 "(1, 0, 'xid', 31, at('2026-03-30 12:00:00'), 'local', NULL, 'b', 2)");
	derive_tz(s, "Europe/Berlin");
	expect_rows(s, TIMES, "2026-03-28T11:00:00 exact / 2026-03-30T10:00:00 exact");
	expect_rows(s, "SELECT zone FROM clock WHERE kind = 'local' ORDER BY id",
		    "+01:00 / +02:00");
	expect_rows(s, "SELECT zone FROM clock c JOIN source s ON s.clock_id = c.id", "+02:00");
}

static void an_unknown_zone_is_an_error(void **state)
{
	struct gpudx_derive_options options = { .tz = "Mars/Base" };
	struct gpudx_store *s = *state;
	struct gpudx_err err = { 0 };

	assert_int_equal(gpudx_derive(s, 1, &options, &err), GPUDX_E_USAGE);
}

static void offsets_that_ls_printed_give_the_zone_nearest_in_time(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "nvidia-bug-report.log", "nvidia-bug-report", "none", NULL);
	source(s, 2, "kern.log", "kernel-log", "local", NULL);
	run_sql(s, ANCHOR "(1, 0, 'ls_offset', NULL, at('2024-01-10 00:00:00'), NULL, 60, 11),"
			  "(1, 0, 'ls_offset', NULL, at('2024-07-01 00:00:00'), NULL, 120, 12)");
	run_sql(s, EVENT "(2, 0, 'xid', 31, at('2024-02-01 12:00:00'), 'local', NULL, 'a', 21),"
			 "(2, 0, 'xid', 31, at('2024-06-01 12:00:00'), 'local', NULL, 'b', 22)");
	derive(s);
	expect_rows(s, TIMES, "2024-02-01T11:00:00 aligned / 2024-06-01T10:00:00 aligned");
	expect_rows(s, "SELECT zone, quality, line_id FROM clock WHERE kind = 'local' ORDER BY id",
		    "+01:00 aligned 11 / +02:00 aligned 12");
}

static void a_zone_name_behind_the_date_gives_the_zone_unless_it_means_several(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "nvidia-bug-report.log", "nvidia-bug-report", "local", NULL);
	run_sql(s,
		ANCHOR "(1, 0, 'date', NULL, at('2022-08-25 19:38:04'), NULL, NULL, line(1, 10));"
		       "INSERT INTO line VALUES"
		       "(line(1, 10), 0, 'Date: Thu Aug 25 19:38:04 CEST 2022')");
	run_sql(s, EVENT
		"(1, 0, 'xid', 31, at('2022-08-25 19:30:00'), 'local', NULL, 'a', line(1, 20))");
	derive(s);
	expect_rows(s, TIMES, "2022-08-25T17:30:00 aligned");
	expect_rows(s,
		    "SELECT collected_us = at('2022-08-25 17:38:04'), collected_quality,"
		    " collected_how FROM bundle",
		    "1 aligned bugreport date");
	run_sql(s, "UPDATE line SET text = 'Date: Thu Aug 25 19:38:04 CST 2022'");
	derive(s);
	expect_rows(s, TIMES, "2022-08-25T19:30:00 zone_assumed");
}

static void the_same_message_in_a_log_with_zone_gives_the_zone(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "journal.txt", "kernel-log", "utc", NULL);
	source(s, 2, "messages", "kernel-log", "local", NULL);
	run_sql(s, EVENT
		"(1, 0, 'xid', 79, at('2024-05-07 07:41:02'), 'utc', NULL, 'GPU fell off', 1),"
		"(2, 0, 'xid', 79, at('2024-05-07 09:41:02'), 'local', NULL, 'GPU fell off',"
		" 2),"
		"(2, 0, 'xid', 31, at('2024-05-07 09:50:00'), 'local', NULL, 'fault', 3)");
	derive(s);
	expect_rows(s, TIMES,
		    "2024-05-07T07:41:02 exact / 2024-05-07T07:41:02 aligned / 2024-05-07T07:50:00 "
		    "aligned");
	expect_rows(s, "SELECT zone, how FROM clock WHERE kind = 'local'",
		    "+02:00 the same message in a log with zone");
	expect_rows(s, "SELECT id, copy_of FROM event ORDER BY id", "1 - / 2 1 / 3 -");
}

static void an_rtc_in_utc_gives_the_zone(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "kern.log", "kernel-log", "local", NULL);
	run_sql(s,
		ANCHOR "(1, 0, 'rtc', 900000, NULL, at('2024-05-07 07:00:01'), NULL, 1),"
		       "(1, 0, 'two_stamps', 5000000, at('2024-05-07 09:00:05'), NULL, NULL, 2)");
	run_sql(s,
		EVENT "(1, 0, 'xid', 31, at('2024-05-07 09:10:00'), 'local', 600000000, 'a', 3)");
	derive(s);
	expect_rows(s, TIMES, "2024-05-07T07:10:00 aligned");
	expect_rows(s, BOOTS, "0 2024-05-07T07:00:00 aligned");
}

static void an_rtc_that_agrees_with_local_time_proves_nothing(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "kern.log", "kernel-log", "local", NULL);
	run_sql(s,
		ANCHOR "(1, 0, 'rtc', 900000, NULL, at('2024-05-07 09:00:01'), NULL, 1),"
		       "(1, 0, 'two_stamps', 5000000, at('2024-05-07 09:00:05'), NULL, NULL, 2)");
	run_sql(s,
		EVENT "(1, 0, 'xid', 31, at('2024-05-07 09:10:00'), 'local', 600000000, 'a', 3)");
	derive(s);
	expect_rows(s, TIMES, "2024-05-07T09:10:00 zone_assumed");
	expect_rows(s,
		    "SELECT how LIKE '%the hardware clock agrees: zone UTC,"
		    " or it runs in local time' FROM clock WHERE kind = 'boot'",
		    "1");
}

static void an_rtc_in_local_time_is_told(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "kern.log", "kernel-log", "local", NULL);
	source(s, 2, "dmesg", "kernel-log", "boot", NULL);
	run_sql(s, ANCHOR "(1, 0, 'ls_offset', NULL, at('2024-05-07 09:30:00'), NULL, 120, 9),"
			  "(1, 0, 'two_stamps', 5000000, at('2024-05-07 09:00:05'), NULL, NULL, 2),"
			  "(2, 0, 'rtc', 900000, NULL, at('2024-05-07 09:00:01'), NULL, 3)");
	run_sql(s, EVENT "(2, 0, 'xid', 31, 600000000, 'boot', NULL, 'a', 3)");
	derive(s);
	expect_rows(s, BOOTS, "0 2024-05-07T07:00:00 aligned");
	expect_rows(s, TIMES, "2024-05-07T07:10:00 aligned");
	expect_rows(s,
		    "SELECT how LIKE '%the hardware clock runs in local time' FROM clock"
		    " WHERE kind = 'boot'",
		    "1");
}

static void a_trace_over_a_clock_change_admits_it(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "trace.csv", "smi-query-csv", "local", NULL);
	run_sql(s, "INSERT INTO gpu_ref(id, source_id, src_boot, idx) VALUES"
		   "(1, 1, 0, 0), (2, 1, 0, 1);"
		   "INSERT INTO gpu_minute(ref_id, t_raw_us, n, first_id, last_id) VALUES"
		   "(1, at('2026-03-29 01:30:00'), 1, 1, 1), (1, at('2026-03-29 03:30:00'), 1, 2,"
		   " 2),"
		   "(2, at('2026-03-29 01:30:00'), 1, 3, 3)");
	derive_tz(s, "Europe/Berlin");
	expect_rows(s, "SELECT t_offset_us / 1000000, t_quality FROM gpu_ref ORDER BY id",
		    "-3600 zone_assumed / -3600 exact");
}

/* ---- years ---- */

static void the_same_message_with_a_year_gives_the_year(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "journal.txt", "kernel-log", "utc", NULL);
	source(s, 2, "messages", "kernel-log", "noyear", "2025-09-01 00:00:00");
	run_sql(s, EVENT
		"(1, 0, 'xid', 79, at('2022-12-31 23:30:00'), 'utc', NULL, 'fell off', 1),"
		"(2, 0, 'xid', 79, noyear(1, '01-01 01:30:00'), 'noyear', NULL, 'fell off', 2),"
		"(2, 0, 'xid', 31, noyear(0, '12-30 08:00:00'), 'noyear', NULL, 'fault', 3)");
	derive(s);
	expect_rows(s, "SELECT year0 FROM source WHERE id = 2", "2022");
	expect_rows(s, TIMES,
		    "2022-12-31T23:30:00 exact / 2022-12-31T23:30:00 aligned / 2022-12-30T06:00:00 "
		    "aligned");
}

static void years_turn_within_a_log(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "kern.log", "kernel-log", "noyear", NULL);
	source(s, 2, "trace.csv", "smi-query-csv", "local", NULL);
	run_sql(s, EVENT
		"(1, 0, 'xid', 31, noyear(0, '12-31 23:59:58'), 'noyear', NULL, 'a', 1),"
		"(1, 0, 'xid', 13, noyear(1, '01-01 00:00:03'), 'noyear', NULL, 'b', 2),"
		"(2, 0, 'smi_fault', NULL, at('2026-01-05 00:00:00'), 'local', NULL, 'c', 3)");
	derive(s);
	expect_rows(s, TIMES,
		    "2025-12-31T23:59:58 zone_assumed / 2026-01-01T00:00:03 zone_assumed /"
		    " 2026-01-05T00:00:00 zone_assumed");
}

static void the_newest_stamp_is_not_after_the_collection(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "kern.log", "kernel-log", "noyear", NULL);
	source(s, 2, "nvidia-bug-report.log", "nvidia-bug-report", "none", NULL);
	run_sql(s,
		ANCHOR "(2, 0, 'date', NULL, at('2024-03-10 12:00:00'), NULL, NULL, line(2, 10))");
	run_sql(s, EVENT "(1, 0, 'xid', 31, noyear(0, '03-11 11:00:00'), 'noyear', NULL, 'a', 1)");
	derive(s);
	expect_rows(s, TIMES, "2024-03-11T11:00:00 zone_assumed"); /* zones: a day of slack */
	run_sql(s, "UPDATE event SET t_raw_us = noyear(0, '03-20 11:00:00');"
		   " DELETE FROM source_span");
	derive(s);
	expect_rows(s, TIMES, "2023-03-20T11:00:00 zone_assumed");
}

static void a_file_written_on_the_day_of_its_newest_stamp_gives_the_year(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "messages", "kernel-log", "noyear", "2021-06-02 03:00:00");
	source(s, 2, "trace.csv", "smi-query-csv", "local", NULL);
	run_sql(s, EVENT
		"(1, 0, 'xid', 31, noyear(0, '06-01 22:00:00'), 'noyear', NULL, 'a', 1),"
		"(2, 0, 'smi_fault', NULL, at('2021-01-05 00:00:00'), 'local', NULL, 'c', 3)");
	derive(s);
	expect_rows(s, "SELECT year0 FROM source WHERE id = 1", "2021");
}

static void a_leap_day_needs_a_leap_year(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "kern.log", "kernel-log", "noyear", "2023-08-01 00:00:00");
	run_sql(s, EVENT "(1, 0, 'xid', 31, noyear(0, '02-29 10:00:00'), 'noyear', NULL, 'a', 1),"
			 "(1, 0, 'xid', 31, noyear(0, '03-01 10:00:00'), 'noyear', NULL, 'b', 2)");
	derive(s);
	expect_rows(s, TIMES,
		    "2020-02-29T10:00:00 zone_assumed / 2020-03-01T10:00:00 zone_assumed");
}

static void without_any_year_order_is_all_there_is(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "-", "kernel-log", "noyear", NULL);
	run_sql(s, EVENT "(1, 0, 'xid', 31, noyear(0, '02-28 10:00:00'), 'noyear', NULL, 'a', 1),"
			 "(1, 0, 'xid', 31, noyear(0, '03-01 10:00:00'), 'noyear', NULL, 'b', 2)");
	derive(s);
	expect_rows(s, "SELECT t_quality FROM event ORDER BY t_us", "unknown / unknown");
	expect_rows(s, "SELECT year0 FROM source", "-");
}

/* ---- boots ---- */

static void a_boot_that_two_logs_saw_is_one(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "kern.log", "kernel-log", "local", NULL);
	source(s, 2, "journal.txt", "kernel-log", "local", NULL);
	run_sql(s,
		ANCHOR "(1, 1, 'two_stamps', 9000000, at('2024-05-07 08:00:20'), NULL, NULL, 1),"
		       "(1, 1, 'two_stamps', 90000000, at('2024-05-07 08:01:30'), NULL, NULL, 2),"
		       "(1, 2, 'two_stamps', 8000000, at('2024-05-07 09:00:08'), NULL, NULL, 3),"
		       "(2, 1, 'boot', NULL, at('2024-05-07 08:00:04'), NULL, NULL, 4),"
		       "(2, 2, 'boot', NULL, at('2024-05-07 09:00:12'), NULL, NULL, 5)");
	run_sql(s,
		EVENT "(1, 1, 'xid', 31, at('2024-05-07 08:10:00'), 'local', 600000000, 'a', 11),"
		      "(1, 2, 'xid', 31, at('2024-05-07 09:10:00'), 'local', 600000000, 'a', 12),"
		      "(2, 1, 'xid', 13, at('2024-05-07 08:00:04'), 'local', NULL, 'c', 13),"
		      "(2, 2, 'xid', 13, at('2024-05-07 09:00:12'), 'local', NULL, 'c', 14)");
	derive(s);
	expect_rows(s, BOOTS,
		    "-1 2024-05-07T08:00:00 zone_assumed / 0 2024-05-07T09:00:00 zone_assumed");
	expect_rows(s,
		    "SELECT e.source_id, b.seq FROM event e JOIN boot b ON b.id = e.boot_id"
		    " ORDER BY e.id",
		    "1 -1 / 1 0 / 2 -1 / 2 0");
}

static void fast_reboots_stay_apart(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "kern.log", "kernel-log", "local", NULL);
	run_sql(s,
		ANCHOR "(1, 0, 'two_stamps', 4000000, at('2024-05-07 08:00:04'), NULL, NULL, 1),"
		       "(1, 1, 'two_stamps', 4000000, at('2024-05-07 08:00:24'), NULL, NULL, 2),"
		       "(1, 2, 'two_stamps', 4000000, at('2024-05-07 08:00:44'), NULL, NULL, 3)");
	derive(s);
	expect_rows(s, "SELECT count(*), min(seq) FROM boot", "3 -2");
}

static void equal_times_since_boot_tie_dmesg_to_a_log(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "kern.log", "kernel-log", "local", NULL);
	source(s, 2, "dmesg.old", "kernel-log", "boot", NULL);
	run_sql(s,
		ANCHOR "(1, 0, 'two_stamps', 100000000, at('2024-05-07 08:01:40'), NULL, NULL, 1),"
		       "(1, 1, 'two_stamps', 100000000, at('2024-05-07 09:01:40'), NULL, NULL, 2)");
	run_sql(s, EVENT
		"(1, 0, 'xid', 31, at('2024-05-07 08:10:00'), 'local', 600123456, 'fault', 11),"
		"(1, 1, 'xid', 31, at('2024-05-07 09:20:00'), 'local', 1200654321, 'fault',"
		" 12),"
		"(2, 0, 'xid', 31, 600123456, 'boot', NULL, 'fault', 13),"
		"(2, 0, 'xid', 13, 700000000, 'boot', NULL, 'other', 14)");
	derive(s);
	expect_rows(
		s,
		"SELECT b.seq FROM event e JOIN boot b ON b.id = e.boot_id WHERE e.source_id = 2",
		"-1 / -1");
	expect_rows(s, "SELECT id, copy_of FROM event ORDER BY id", "1 - / 2 - / 3 1 / 4 -");
	expect_rows(s, "SELECT time(t_us / 1000000, 'unixepoch') FROM event WHERE id = 4",
		    "08:11:39");
}

static void the_same_message_in_a_journal_dates_dmesg(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "journalctl -b -1", "kernel-log", "noyear", "2024-05-08 00:00:00");
	source(s, 2, "journalctl -b -0", "kernel-log", "noyear", "2024-05-08 00:00:00");
	source(s, 3, "dmesg", "kernel-log", "boot", NULL);
	run_sql(s,
		EVENT "(1, 0, 'xid', 13, noyear(0, '05-06 07:00:00'), 'noyear', NULL, 'load', 1),"
		      "(2, 0, 'xid', 13, noyear(0, '05-07 08:00:09'), 'noyear', NULL, 'load', 2),"
		      "(2, 0, 'xid', 31, noyear(0, '05-07 08:10:00'), 'noyear', NULL, 'fault', 3),"
		      "(3, 0, 'xid', 13, 5000000, 'boot', NULL, 'load', 4),"
		      "(3, 0, 'xid', 31, 600000000, 'boot', NULL, 'fault', 5),"
		      "(3, 0, 'xid', 79, 900000000, 'boot', NULL, 'gone', 6)");
	derive(s);
	expect_rows(s, BOOTS,
		    "-1 2024-05-06T07:00:00 zone_assumed / 0 2024-05-07T08:00:00 zone_assumed");
	expect_rows(s, "SELECT quality, error_us, how FROM clock WHERE kind = 'boot' ORDER BY id",
		    "zone_assumed - not after the first stamp of an excerpt /"
		    " zone_assumed 2000000 the same message in two logs");
	expect_rows(s, "SELECT time(t_us / 1000000, 'unixepoch') FROM event WHERE id = 6",
		    "08:15:00");
}

static void btime_and_uptime_date_the_last_boot(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "dmesg", "kernel-log", "boot", NULL);
	source(s, 2, "proc/stat", "host-date", "none", NULL);
	run_sql(s, EVENT "(1, 0, 'xid', 31, 3600000000, 'boot', NULL, 'a', 1)");
	run_sql(s, ANCHOR "(2, 0, 'btime', NULL, NULL, at('2024-05-07 06:00:00'), NULL, 2)");
	derive(s);
	expect_rows(s, BOOTS, "0 2024-05-07T06:00:00 aligned");
	expect_rows(s, TIMES, "2024-05-07T07:00:00 aligned");
	run_sql(s, "DELETE FROM clock_anchor;" ANCHOR
		   "(2, 0, 'uptime', 7200000000, NULL, NULL, NULL, 2), (2, 0, 'date', NULL,"
		   " at('2024-05-07 10:00:00'), NULL, NULL, 3)");
	derive(s);
	expect_rows(s, BOOTS, "0 2024-05-07T08:00:00 zone_assumed");
	expect_rows(s, "SELECT error_us, how FROM clock WHERE kind = 'boot'",
		    "60000000 date minus uptime");
	run_sql(s, "DELETE FROM clock_anchor;" ANCHOR
		   "(2, 0, 'uptime_s', NULL, at('2024-05-07 05:00:00'), NULL, NULL, 2)");
	derive(s);
	expect_rows(s, BOOTS, "0 2024-05-07T05:00:00 zone_assumed");
}

static void a_boot_that_no_log_reaches_is_one_more(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "kern.log", "kernel-log", "local", NULL);
	source(s, 2, "uptime.txt", "host-date", "none", NULL);
	run_sql(s, ANCHOR "(1, 0, 'two_stamps', 9000000, at('2024-05-01 08:00:09'), NULL, NULL, 1),"
			  "(2, 0, 'uptime_s', NULL, at('2024-05-07 05:00:00'), NULL, NULL, 2)");
	run_sql(s,
		EVENT "(1, 0, 'xid', 79, at('2024-05-02 08:00:00'), 'local', 86400000000, 'a', 1)");
	derive(s);
	expect_rows(s, BOOTS,
		    "-1 2024-05-01T08:00:00 zone_assumed / 0 2024-05-07T05:00:00 zone_assumed");
	expect_rows(s, "SELECT b.seq FROM event e JOIN boot b ON b.id = e.boot_id", "-1");
}

static void without_anchor_times_stay_since_boot(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "dmesg", "kernel-log", "boot", NULL);
	run_sql(s, EVENT "(1, 0, 'xid', 31, 90000000, 'boot', NULL, 'a', 1)");
	derive(s);
	expect_rows(s, "SELECT t_us, t_quality FROM event", "90000000 boot_relative");
	expect_rows(s, "SELECT kind, offset_us, quality, how FROM clock",
		    "boot - boot_relative nothing ties time since boot to a wall clock");
	expect_rows(s, "SELECT k.kind FROM source s JOIN clock k ON k.id = s.clock_id", "boot");
}

static void an_rtc_alone_dates_a_boot_unless_its_battery_is_empty(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "dmesg", "kernel-log", "boot", NULL);
	run_sql(s, EVENT "(1, 0, 'xid', 31, 60000000, 'boot', NULL, 'a', 1)");
	run_sql(s, ANCHOR "(1, 0, 'rtc', 1000000, NULL, at('2024-05-07 07:00:01'), NULL, 2)");
	derive(s);
	expect_rows(s, TIMES, "2024-05-07T07:01:00 aligned");
	run_sql(s, "UPDATE clock_anchor SET utc_us = at('2000-01-01 00:00:05')");
	derive(s);
	expect_rows(s, "SELECT t_quality FROM event", "boot_relative");
}

static void a_crash_dump_is_of_a_boot_before(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "dmesg", "kernel-log", "boot", NULL);
	source(s, 2, "var/lib/systemd/pstore/dmesg.txt", "kernel-log", "boot", NULL);
	run_sql(s, EVENT "(1, 0, 'xid', 31, 60000000, 'boot', NULL, 'a', 1),"
			 "(2, 0, 'kernel.panic', NULL, 990000000, 'boot', NULL, 'b', 2)");
	derive(s);
	expect_rows(s, "SELECT b.seq FROM event e JOIN boot b ON b.id = e.boot_id ORDER BY e.id",
		    "0 / -1");
}

static void what_was_traced_before_the_last_boot_is_of_the_boot_before(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "trace.csv", "smi-query-csv", "local", NULL);
	source(s, 2, "uptime.txt", "host-date", "none", NULL);
	source(s, 3, "nvidia-smi-q.txt", "smi-q", "none", NULL);
	run_sql(s, ANCHOR "(2, 0, 'uptime_s', NULL, at('2024-05-07 11:00:00'), NULL, NULL, 2)");
	run_sql(s,
		FACT "(1, 0, 'driver.version', 'nvml', '550', at('2024-05-07 10:26:00'), 'local',"
		     " 1),"
		     "(3, 0, 'driver.version', 'nvml', '560', NULL, 'none', 2)");
	derive(s);
	expect_rows(
		s,
		"SELECT f.value, b.seq FROM fact f JOIN boot b ON b.id = f.boot_id ORDER BY f.id",
		"550 -1 / 560 0");
	expect_rows(s, "SELECT value, state FROM contract", "560 single");
}

static void the_log_names_the_kernel_of_each_boot(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "kern.log", "kernel-log", "local", NULL);
	source(s, 2, "uname.txt", "uname", "none", NULL);
	run_sql(s, ANCHOR "(1, 0, 'two_stamps', 0, at('2024-05-01 08:00:00'), NULL, NULL, 1),"
			  "(1, 1, 'two_stamps', 0, at('2024-05-02 08:00:00'), NULL, NULL, 2),"
			  "(1, 2, 'two_stamps', 0, at('2024-05-03 08:00:00'), NULL, NULL, 3)");
	run_sql(s,
		FACT "(1, 0, 'kernel.release', 'kernel', '5.15.0-100', at('2024-05-01 08:00:00'),"
		     " 'local', 1),"
		     "(1, 1, 'kernel.release', 'kernel', '5.15.0-105', at('2024-05-02 08:00:00'),"
		     " 'local', 2),"
		     "(2, 0, 'kernel.release', 'uname', '5.15.0-107', NULL, 'none', 3)");
	derive(s);
	expect_rows(s, "SELECT seq, kernel FROM boot ORDER BY seq",
		    "-2 5.15.0-100 / -1 5.15.0-105 / 0 5.15.0-107");
}

static void absurd_times_are_no_times(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "dmesg", "kernel-log", "boot", NULL);
	run_sql(s, ANCHOR
		"(1, 0, 'rtc', 1, NULL, at('2024-05-07 07:00:01'), NULL, 2),"
		"(1, 0, 'two_stamps', -9223372036854775807, 9223372036854775807, NULL, NULL, 3)");
	run_sql(s, EVENT "(1, 0, 'xid', 31, 9223372036854775807, 'boot', NULL, 'a', 1)");
	derive(s);
	expect_rows(s, "SELECT count(*) FROM event WHERE t_us IS NULL", "1");
}

static void a_second_run_says_the_same(void **state)
{
	struct gpudx_buf first = { .max = 1 << 20 }, second = { .max = 1 << 20 };
	static const char all[] = "SELECT b.id, b.seq, b.start_us, c.id, c.how, e.t_us, e.copy_of "
				  "FROM boot b, clock c, event e"
				  " ORDER BY 1, 4, e.id";
	struct gpudx_store *s = *state;

	source(s, 1, "journal.txt", "kernel-log", "utc", NULL);
	source(s, 2, "messages", "kernel-log", "local", NULL);
	run_sql(s, EVENT
		"(1, 0, 'xid', 79, at('2024-05-07 07:41:02'), 'utc', NULL, 'GPU fell off', 1),"
		"(2, 0, 'xid', 79, at('2024-05-07 09:41:02'), 'local', NULL, 'GPU fell off', 2)");
	derive(s);
	rows_text(s, all, &first);
	derive_tz(s, "+05:00");
	derive(s);
	rows_text(s, all, &second);
	assert_string_equal(gpudx_buf_cstr(&first), gpudx_buf_cstr(&second));
	gpudx_buf_free(&first);
	gpudx_buf_free(&second);
}

/* ---- the BMC ---- */

static void a_bmc_that_nothing_ties_is_not_read_in_the_zone_of_the_host(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "sel.txt", "ipmi-sel", "local", NULL);
	source(s, 2, "date.txt", "host-date", "utc", NULL);
	run_sql(s, EVENT "(1, 0, 'bmc.power_lost', NULL, at('2026-01-13 09:26:31'), 'local', NULL,"
			 " 'a', 1)");
	run_sql(s, ANCHOR "(2, 0, 'date', NULL, at('2026-01-13 10:32:00'),"
			  " at('2026-01-13 09:32:00'), 60, 1)");
	derive(s);
	expect_rows(s, TIMES, "2026-01-13T09:26:31 zone_assumed");
}

static void sel_time_get_ties_the_bmc_to_the_date_of_the_host(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "sel.txt", "ipmi-sel", "local", NULL);
	source(s, 2, "all.txt", "ipmi-sel", "none", NULL);
	source(s, 3, "all.txt", "host-date", "utc", NULL);
	run_sql(s, EVENT "(1, 0, 'bmc.power_lost', NULL, at('2026-01-13 01:20:31'), 'local', NULL,"
			 " 'a', 1)");
	run_sql(s, ANCHOR "(2, 0, 'sel_time', NULL, at('2026-01-13 01:26:00'), NULL, NULL, 7),"
			  "(3, 0, 'date', NULL, at('2026-01-13 10:32:00'),"
			  " at('2026-01-13 09:32:00'), 60, 5)");
	derive(s);
	/* Eight hours and six minutes behind. */
	expect_rows(s, TIMES, "2026-01-13T09:26:31 aligned");
	expect_rows(s,
		    "SELECT kind, offset_us / 1000000, quality, line_id FROM clock"
		    " WHERE kind = 'bmc'",
		    "bmc 29160 aligned 7");
}

static void minutes_between_two_files_are_no_fault_of_the_bmc(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "sel.txt", "ipmi-sel", "local", NULL);
	source(s, 2, "sel-time.txt", "ipmi-sel", "none", NULL);
	source(s, 3, "date.txt", "host-date", "local", NULL);
	run_sql(s, EVENT "(1, 0, 'bmc.power_lost', NULL, at('2026-01-13 01:20:31'), 'local', NULL,"
			 " 'a', 1)");
	run_sql(s, ANCHOR "(2, 0, 'sel_time', NULL, at('2026-01-13 01:35:10'), NULL, NULL, 1),"
			  "(3, 0, 'date', NULL, at('2026-01-13 09:32:00'), NULL, NULL, 1)");
	derive(s);
	expect_rows(s, TIMES, "2026-01-13T09:20:31 zone_assumed");
}

static void a_bmc_in_the_future_does_not_date_the_collection(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "sel.txt", "ipmi-sel", "local", NULL);
	source(s, 2, "dmesg.txt", "kernel-log", "local", NULL);
	run_sql(s, SPAN "(1, 0, 'local', at('2031-01-01 00:00:00'), at('2031-01-02 00:00:00')),"
			"(2, 0, 'local', at('2026-01-13 08:00:00'), at('2026-01-13 09:00:00'))");
	derive(s);
	expect_rows(s, "SELECT collected_us = at('2026-01-13 09:00:00') FROM bundle", "1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		case_test(a_bmc_that_nothing_ties_is_not_read_in_the_zone_of_the_host),
		case_test(sel_time_get_ties_the_bmc_to_the_date_of_the_host),
		case_test(minutes_between_two_files_are_no_fault_of_the_bmc),
		case_test(a_bmc_in_the_future_does_not_date_the_collection),
		case_test(local_times_of_an_unknown_zone_stand_as_they_are_on_one_clock),
		case_test(the_zone_of_the_user_is_exact),
		case_test(a_zone_by_name_has_a_clock_for_summer_and_one_for_winter),
		case_test(an_unknown_zone_is_an_error),
		case_test(offsets_that_ls_printed_give_the_zone_nearest_in_time),
		case_test(a_zone_name_behind_the_date_gives_the_zone_unless_it_means_several),
		case_test(the_same_message_in_a_log_with_zone_gives_the_zone),
		case_test(an_rtc_in_utc_gives_the_zone),
		case_test(an_rtc_that_agrees_with_local_time_proves_nothing),
		case_test(an_rtc_in_local_time_is_told),
		case_test(a_trace_over_a_clock_change_admits_it),
		case_test(the_same_message_with_a_year_gives_the_year),
		case_test(years_turn_within_a_log),
		case_test(the_newest_stamp_is_not_after_the_collection),
		case_test(a_file_written_on_the_day_of_its_newest_stamp_gives_the_year),
		case_test(a_leap_day_needs_a_leap_year),
		case_test(without_any_year_order_is_all_there_is),
		case_test(a_boot_that_two_logs_saw_is_one),
		case_test(fast_reboots_stay_apart),
		case_test(equal_times_since_boot_tie_dmesg_to_a_log),
		case_test(the_same_message_in_a_journal_dates_dmesg),
		case_test(btime_and_uptime_date_the_last_boot),
		case_test(a_boot_that_no_log_reaches_is_one_more),
		case_test(without_anchor_times_stay_since_boot),
		case_test(an_rtc_alone_dates_a_boot_unless_its_battery_is_empty),
		case_test(a_crash_dump_is_of_a_boot_before),
		case_test(what_was_traced_before_the_last_boot_is_of_the_boot_before),
		case_test(the_log_names_the_kernel_of_each_boot),
		case_test(absurd_times_are_no_times),
		case_test(a_second_run_says_the_same),
	};

	return cmocka_run_group_tests_name("derive_time", tests, NULL, NULL);
}
