#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "member_case.h"

/* Numbers of the lines whose text is kept. */
#define KEPT "SELECT group_concat(id & 4294967295, ',') FROM (SELECT id FROM line ORDER BY id)"

#define HEAD \
	"timestamp, index, pstate, clocks.current.sm [MHz], power.draw [W], utilization.gpu [%]\n"

/* Rows of a steady load; drop: seconds from which the clock is halved. */
static void add_trace(struct gpudx_buf *b, int rows, int drop)
{
	gpudx_buf_str(b, HEAD);
	for (int i = 0; i < rows; i++)
		gpudx_buf_printf(b, "2026/01/13 10:%02d:%02d.000, 0, P0, %d MHz, 300.00 W, 99 %%\n",
				 i / 60, i % 60, i < drop ? 1800 : 900);
}

static void keeps_an_event_with_two_lines_around(void **state)
{
	struct gpudx_store *s = read_text("[    1.000001] usb 1-1: new device\n"
					  "[    2.000001] usb 1-2: new device\n"
					  "[    3.000001] usb 1-3: new device\n"
					  "[    4.000001] usb 1-4: new device\n"
					  "[    5.000001] NVRM: Xid (PCI:0000:3b:00): 79, pid=1, "
					  "GPU has fallen off the bus.\n"
					  "[    6.000001] usb 1-5: new device\n"
					  "[    7.000001] usb 1-6: new device\n"
					  "[    8.000001] usb 1-7: new device\n"
					  "[    9.000001] usb 1-8: new device\n");

	(void)state;
	expect_rows(s, "SELECT kind, code, line_id & 4294967295 FROM event", "xid 79 5");
	expect_rows(s, KEPT, "1,3,4,5,6,7,9"); /* 1 and 9: from when to when the log goes */
	expect_rows(s, "SELECT text FROM line WHERE id & 4294967295 = 7",
		    "[    7.000001] usb 1-6: new device");
	gpudx_store_close(s);
}

/* The last stamped line is known only when the log has ended, or when the next boot begins. */
static void keeps_the_last_line_of_a_log_that_its_span_cites(void **state)
{
	struct gpudx_store *s =
		read_text("[    0.000000] Linux version 6.1.0 (x@y) (gcc) #1 SMP\n"
			  "[    5.000001] NVRM: Xid (PCI:0000:3b:00): 79, pid=1, GPU has fallen "
			  "off the bus.\n"
			  "[    6.000000] a\n[    7.000000] b\n[    8.000000] c\n[    9.000000] d\n"
			  "[    0.000000] Linux version 6.1.0 (x@y) (gcc) #1 SMP\n"
			  "[    1.000000] e\n[    2.000000] f\n[    3.000000] g\n\n\n\n\n");

	(void)state;
	expect_rows(s,
		    "SELECT layer, line_id & 4294967295 FROM fact WHERE key = 'log.span' ORDER BY "
		    "line_id",
		    "first 1 / last 6 / first 7 / last 10");
	expect_rows(s, "SELECT count(*) FROM fact WHERE line_id NOT IN (SELECT id FROM line)", "0");
	expect_rows(s, "SELECT text FROM line WHERE id & 4294967295 = 6", "[    9.000000] d");
	gpudx_store_close(s);
}

/* What a part says of its end cites a line that nobody had reason to keep. */
static void keeps_the_line_where_a_bug_report_stops(void **state)
{
	struct gpudx_store *s = read_text(
		"____________________________________________\n\n"
		"Start of NVIDIA bug report log file.  Please include this file, along\n\n"
		"nvidia-bug-report.sh Version: 28481344\n\n"
		"____________________________________________\n\n"
		"*** /etc/issue\nsome system\nand no more\n");

	(void)state;
	expect_rows(s, "SELECT value FROM fact WHERE key = 'bugreport.complete'", "no");
	expect_rows(s, "SELECT count(*) FROM fact WHERE line_id NOT IN (SELECT id FROM line)", "0");
	gpudx_store_close(s);
}

static void keeps_of_samples_what_is_notable(void **state)
{
	struct gpudx_buf b = { .max = 1 << 20 };
	struct gpudx_store *s;

	(void)state;
	add_trace(&b, 100, 50);
	s = read_member("trace.csv", sv_n(b.p, b.n));
	expect_rows(s, "SELECT count(*), min(line), max(line) FROM gpu_sample", "100 2 101");
	/* the heading, the first sample and two around, the drop of the clock and two around */
	expect_rows(s, KEPT, "1,2,3,4,50,51,52,53,54");
	gpudx_store_close(s);
	gpudx_buf_free(&b);
}

static void keeps_not_more_sample_lines_than_allowed(void **state)
{
	struct gpudx_buf b = { .max = 4 << 20 };
	struct gpudx_store *s;

	(void)state;
	gpudx_buf_str(&b, HEAD);
	for (int i = 0; i < 20000; i++)
		gpudx_buf_printf(
			&b, "2026/01/13 %02d:%02d:%02d.000, 0, P%d, 1800 MHz, 300.00 W, 99 %%\n",
			i / 3600, i / 60 % 60, i % 60, i / 4 % 2 * 8);
	s = read_member("trace.csv", sv_n(b.p, b.n));
	expect_rows(s, "SELECT count(*) FROM gpu_sample", "20000");
	expect_rows(s, "SELECT count(*) BETWEEN 2000 AND 10100 FROM line", "1");
	gpudx_store_close(s);
	gpudx_buf_free(&b);
}

static void rolls_up_minutes_seconds_and_distributions(void **state)
{
	struct gpudx_buf b = { .max = 1 << 20 };
	struct gpudx_store *s;

	(void)state;
	add_trace(&b, 90, 60);
	s = read_member("trace.csv", sv_n(b.p, b.n));
	expect_rows(s,
		    "SELECT n, first_id, last_id, sm_min, sm_avg, sm_max, util_avg, pstate_min, "
		    "reasons_or "
		    "FROM gpu_minute ORDER BY t_raw_us",
		    "60 1 60 1800.0 1800.0 1800.0 99.0 0 - / 30 61 90 900.0 900.0 900.0 99.0 0 -");
	expect_rows(s, "SELECT count(*) FROM gpu_second", "0"); /* one a second: nothing to gain */
	expect_rows(s, "SELECT busy, lo, n FROM gpu_hist WHERE col = 'sm_clock_mhz' ORDER BY lo",
		    "1 900.0 30 / 1 1800.0 60");
	expect_rows(s, "SELECT samples FROM gpu_ref", "90");
	gpudx_store_close(s);
	gpudx_buf_free(&b);
}

/* Missing is NULL; numbers that no column of integers holds are numbers all the same. */
static void keeps_what_is_missing_and_what_is_huge(void **state)
{
	struct gpudx_store *s = read_member(
		"t.csv",
		SV_LIT(HEAD "2026/01/13 10:00:00.000, 0, P0, [N/A], 99999999999.50 W, 1 %\n"
			    "2026/01/13 10:00:01.000, 0, [N/A], 99999999999 MHz, 1.00 W, [Not "
			    "Supported]\n"));

	(void)state;
	expect_rows(s,
		    "SELECT pstate, sm_clock_mhz, power_w, util_pct FROM gpu_sample ORDER BY rowid",
		    "0 - 99999999999.5 1.0 / - 99999999999.0 1.0 -");
	gpudx_store_close(s);
}

static void counts_lines_that_came_in_pieces_once(void **state)
{
	struct gpudx_store *s = read_text("[    1.000001] a: progress 1\r[    1.000002] a: "
					  "progress 2\r[    1.000003] a: done\n"
					  "[    2.000001] NVRM: loading NVIDIA UNIX x86_64 Kernel "
					  "Module  550.54.15  Tue Mar  5 22:23:56 UTC 2024\n");

	(void)state;
	expect_rows(s, "SELECT lines, taken FROM source", "2 2");
	gpudx_store_close(s);
}

static void counts_and_locates_bad_lines(void **state)
{
	struct gpudx_buf b = { .max = 1 << 20 };
	struct gpudx_store *s;

	(void)state;
	add_trace(&b, 10, 99);
	for (int i = 0; i < 150; i++)
		gpudx_buf_str(&b, "2026/13/45 99:00:00.000, 0, P0, 1 MHz, 1 W, 1 %\n");
	add_trace(&b, 10, 99);
	s = read_member("trace.csv", sv_n(b.p, b.n));
	expect_rows(s, "SELECT rejected, (SELECT count(*) FROM gpu_sample) FROM source", "150 20");
	expect_rows(s, "SELECT count(*), min(line_id & 4294967295) FROM reject", "100 12");
	expect_rows(s, "SELECT count(*) FROM reject WHERE line_id NOT IN (SELECT id FROM line)",
		    "0");
	gpudx_store_close(s);
	gpudx_buf_free(&b);
}

static void makes_parts_of_what_was_pasted(void **state)
{
	struct gpudx_store *s = read_text(
		"Hello, my GPU is slow. See below.\n\n"
		"me@box:~$ uname -r\n6.1.0-18-amd64\n"
		"me@box:~$ sudo dmesg | grep -i nvrm\n"
		"[    5.000001] NVRM: Xid (PCI:0000:3b:00): 79, pid=1, GPU has fallen off the "
		"bus.\n"
		"me@box:~$ nvidia-smi -L\n"
		"GPU 0: NVIDIA A100-SXM4-40GB (UUID: GPU-11111111-2222-3333-4444-555555555555)\n"
		"Thanks!\n");

	(void)state;
	expect_rows(s, "SELECT parser FROM source WHERE parent_id IS NULL", "transcript");
	expect_rows(s,
		    "SELECT parser, title, first_line, lines, excerpt FROM source WHERE parent_id "
		    "IS NOT NULL "
		    "ORDER BY first_line",
		    "uname uname -r 4 1 0 / kernel-log dmesg | grep -i nvrm 6 1 1 / smi-list "
		    "nvidia-smi -L 8 2 0");
	expect_rows(s, "SELECT value FROM fact WHERE key = 'host.name'", "box");
	gpudx_store_close(s);
}

static void resumes_a_series_behind_the_same_command(void **state)
{
	struct gpudx_buf b = { .max = 1 << 20 };
	struct gpudx_store *s;

	(void)state;
	for (int i = 0; i < 3; i++) {
		gpudx_buf_str(&b, "$ nvidia-smi --query-gpu=x --format=csv\n");
		add_trace(&b, 5, 99);
		gpudx_buf_str(&b, "\nsome words\n");
	}
	s = read_member("paste.txt", sv_n(b.p, b.n));
	expect_rows(s, "SELECT count(*) FROM source WHERE parser = 'smi-query-csv'", "1");
	expect_rows(s, "SELECT count(*), samples FROM gpu_ref", "1 15");
	gpudx_store_close(s);
	gpudx_buf_free(&b);
}

static void says_what_nobody_can_read(void **state)
{
	char bytes[2000];
	struct gpudx_store *s = read_text("just some prose\nand more of it\n");

	(void)state;
	expect_rows(s, "SELECT status, reason, lines FROM source", "unread no known format 2");
	gpudx_store_close(s);
	s = read_text("");
	expect_rows(s, "SELECT status, reason, lines FROM source", "empty empty 0");
	gpudx_store_close(s);
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (char)(i * 37 + 1);
	s = read_member("x", sv_n(bytes, sizeof(bytes)));
	expect_rows(s, "SELECT parser, status FROM source", "- unread");
	expect_rows(s, "SELECT reason FROM source", "binary data");
	gpudx_store_close(s);
}

/* Of a line with invalid bytes the text in the database is valid. */
static void stores_valid_text_only(void **state)
{
	struct gpudx_store *s = read_text(
		"[    1.000001] NVRM: Xid (PCI:0000:3b:00): 43, pid=7, name=caf\xe9\xff, Ch 1\n");

	(void)state;
	expect_rows(s, "SELECT count(*) FROM line WHERE text LIKE '%caf\xef\xbf\xbd\xef\xbf\xbd%'",
		    "1");
	gpudx_store_close(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_an_event_with_two_lines_around),
		cmocka_unit_test(keeps_the_last_line_of_a_log_that_its_span_cites),
		cmocka_unit_test(keeps_the_line_where_a_bug_report_stops),
		cmocka_unit_test(keeps_of_samples_what_is_notable),
		cmocka_unit_test(keeps_not_more_sample_lines_than_allowed),
		cmocka_unit_test(rolls_up_minutes_seconds_and_distributions),
		cmocka_unit_test(keeps_what_is_missing_and_what_is_huge),
		cmocka_unit_test(counts_lines_that_came_in_pieces_once),
		cmocka_unit_test(counts_and_locates_bad_lines),
		cmocka_unit_test(makes_parts_of_what_was_pasted),
		cmocka_unit_test(resumes_a_series_behind_the_same_command),
		cmocka_unit_test(says_what_nobody_can_read),
		cmocka_unit_test(stores_valid_text_only),
	};

	return cmocka_run_group_tests_name("member", tests, NULL, NULL);
}
