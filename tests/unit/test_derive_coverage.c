#include "derive_case.h"

#include "gpudx/gpudx.h"
#include "ingest/ingest.h"

#include <stdlib.h>
#include <unistd.h>

static void kinds(struct gpudx_store *s)
{
	run_sql(s, "CREATE TABLE kb_event_kinds(kind, log, incident);"
		   " INSERT INTO kb_event_kinds VALUES"
		   "('xid', 'kernel', 'yes'), ('service.failed', 'journal', 'yes'), ('smi_fault',"
		   " 'smi', 'yes'),"
		   "('cuda.driver_too_old', 'app', 'yes')");
}

static void source(struct gpudx_store *s, int id, const char *path, const char *title,
		   const char *parser, const char *status, int excerpt)
{
	run_sqlf(
		s,
		"INSERT INTO source(id, bundle_id, path, title, parser, status, excerpt, src_clock)"
		" VALUES(%d, 1, %Q, %Q, %Q, %Q, %d, 'local')",
		id, path, title, parser, status, excerpt);
}

static void a_kernel_log_covers_kernel_kinds_from_its_first_to_its_last_stamp(void **state)
{
	struct gpudx_store *s = *state;

	kinds(s);
	source(s, 1, "kern.log", NULL, "kernel-log", "read", 0);
	source(s, 2, "dmesg-grep.txt", NULL, "kernel-log", "read", 1);
	source(s, 3, "torn.log", NULL, "kernel-log", "partly", 0);
	run_sql(s, SPAN
		"(1, 0, 'local', 1000000000, 2000000000), (1, 1, 'local', 5000000000, 6000000000),"
		"(2, 0, 'local', 3000000000, 3000000000)");
	derive(s);
	expect_rows(s,
		    "SELECT what, gpu_id, from_us, to_us, whole, source_id FROM coverage"
		    " WHERE what LIKE 'log.%' ORDER BY rowid",
		    "log.xid - 1000000000 2000000000 1 1 / log.xid - 5000000000 6000000000 1 1 /"
		    " log.xid - 3000000000 3000000000 0 2 / log.xid - - - 0 3");
}

static void a_ring_buffer_that_wrapped_is_whole_for_its_own_time_and_says_so(void **state)
{
	struct gpudx_store *s = *state;

	kinds(s);
	source(s, 1, "dmesg", NULL, "kernel-log", "read", 0);
	run_sql(s, "UPDATE source SET src_clock = 'boot';" SPAN
		   "(1, 0, 'boot', 7200000000, 9000000000);"
		   "INSERT INTO clock_anchor(source_id, src_boot, kind, utc_us, line_id) VALUES(1, "
		   "0, 'btime', 1715075935000000, 1)");
	derive(s);
	expect_rows(s, "SELECT from_us, to_us, whole, how FROM coverage WHERE what = 'log.xid'",
		    "1715083135000000 1715084935000000 1 begins 7200 s after the boot");
}

static void a_journal_has_the_lines_of_programs_and_a_kernel_log_has_not(void **state)
{
	struct gpudx_store *s = *state;

	kinds(s);
	source(s, 1, "journal.txt", NULL, "kernel-log", "read", 0);
	source(s, 2, "j.txt", "journalctl -k", "kernel-log", "read", 0);
	source(s, 3, "dmesg", NULL, "kernel-log", "read", 0);
	run_sql(s, "INSERT INTO fact(source_id, src_boot, key, layer, value, line_id) VALUES"
		   "(1, 0, 'host.name', 'syslog', 'n', 1), (2, 0, 'host.name', 'syslog', 'n', 2)");
	derive(s);
	expect_rows(s,
		    "SELECT what, source_id FROM coverage WHERE what LIKE 'log.%' ORDER BY what, "
		    "source_id",
		    "log.service.failed 1 / log.xid 1 / log.xid 2 / log.xid 3");
}

static void
any_output_of_nvidia_smi_covers_its_faults_and_a_snippet_of_a_program_is_not_whole(void **state)
{
	struct gpudx_store *s = open_case();

	(void)state;
	kinds(s);
	source(s, 1, "q.txt", NULL, "smi-q", "read", 0);
	source(s, 2, "q-power.txt", NULL, "smi-q", "read", 1);
	source(s, 3, "train.log", NULL, "app-log", "read", 0);
	derive(s);
	expect_rows(s,
		    "SELECT what, whole, source_id FROM coverage WHERE what LIKE 'log.%'"
		    " ORDER BY what, source_id",
		    "log.cuda.driver_too_old 0 3 / log.smi_fault 1 1 / log.smi_fault 0 2");
	gpudx_store_close(s);
}

static void facts_and_tables_cover_what_they_state(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "pmon.txt", NULL, "smi-pmon", "read", 0);
	source(s, 2, "lspci.txt", NULL, "lspci", "read", 0);
	source(s, 3, "L.txt", NULL, "smi-list", "read", 0);
	run_sql(s, "INSERT INTO gpu_ref(id, source_id, src_boot, idx, bdf) VALUES"
		   "(1, 1, 0, 0, NULL), (2, 2, 0, NULL, '0000:3b:00.0'), (3, 3, 0, 0, NULL);"
		   "INSERT INTO fact(source_id, ref_id, src_boot, key, value, line_id) VALUES"
		   "(3, 3, 0, 'gpu.name', 'A', 1), (3, NULL, 0, 'driver.version', '5', 2);"
		   "INSERT INTO gpu_instance(ref_id, gi, ci, line_id) VALUES"
		   "(3, 1, 0, 1);"
		   "INSERT INTO pci_device(source_id, ref_id, bdf, class_id, vendor_id,"
		   " cap_width, sta_width, dead, denied, line_id) VALUES"
		   "(2, 2, '0000:3b:00.0', 770, 4318, 16, 8, 0, 0, 1), (2, NULL, '0000:00:00.0',"
		   " 1536, 1, NULL, NULL, 0, 0, 2)");
	derive(s);
	expect_rows(s,
		    "SELECT what, gpu_id, n FROM coverage WHERE what NOT LIKE 'log.%'"
		    " ORDER BY what, gpu_id",
		    "fact.driver.version - 1 / fact.gpu.name 1 1 / table.boot - 1 / "
		    "table.contract - 1 / table.contract 1 1 / table.fact - 1 / table.fact 1 1 / "
		    "table.gpu 1 1 / table.gpu_instance 1 1 / table.link 1 1 / "
		    "table.pci_device - 2 / table.pci_device 1 1 / table.process_sample 1 0 / "
		    "table.source - 3");
}

static void a_fact_covers_in_each_source_the_time_in_which_it_is_stated(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "q.txt", NULL, "smi-q", "read", 0);
	source(s, 2, "kern.log", NULL, "kernel-log", "read", 1);
	run_sql(s, "INSERT INTO fact(source_id, src_boot, key, value, t_raw_us, t_kind, line_id) "
		   "VALUES(1, 0, 'driver.version', '550', 9000, 'local', 1),"
		   "(2, 0, 'driver.version', '550', 1000, 'local', 2),"
		   "(2, 0, 'driver.version', '560', 3000, 'local', 3),"
		   "(1, 0, 'host.model', 'A', NULL, 'none', 4)");
	derive(s);
	expect_rows(s,
		    "SELECT what, n, from_us, to_us, whole, how FROM coverage"
		    " WHERE what LIKE 'fact.%' ORDER BY rowid",
		    "fact.driver.version 1 9000 9000 1 smi-q / fact.driver.version 2 1000 3000 0 "
		    "kernel-log / fact.host.model 1 - - 1 smi-q");
}

static void units_come_from_the_registry(void **state)
{
	struct gpudx_store *s = *state;

	run_sql(s, "CREATE TABLE kb_fact_keys(key, unit); INSERT INTO kb_fact_keys "
		   "VALUES('power.limit_w', 'W'), ('temp.*', 'C')");
	source(s, 1, "q.txt", NULL, "smi-q", "read", 0);
	run_sql(s, "INSERT INTO fact(source_id, src_boot, key, value, line_id) VALUES(1, 0, "
		   "'power.limit_w', '300', 1),"
		   "(1, 0, 'temp.slowdown_c', '90', 2), (1, 0, 'other', 'x', 3)");
	derive(s);
	expect_rows(s, "SELECT key, unit FROM fact ORDER BY id",
		    "power.limit_w W / temp.slowdown_c C / other -");
}

static void what_is_said_of_the_last_boot_is_the_contract(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "q.txt", NULL, "smi-q", "read", 0);
	source(s, 2, "modinfo.txt", NULL, "modinfo", "read", 0);
	run_sql(s, "INSERT INTO fact(source_id, src_boot, key, layer, value, t_raw_us, t_kind,"
		   " line_id) VALUES"
		   "(1, 0, 'driver.version', 'nvml', '550', 1000, 'local', 1), (1, 0,"
		   " 'driver.version', 'nvml', '560', 2000, 'local', 2),"
		   "(2, 0, 'driver.version', 'disk', '570', NULL, 'none', 3), (2, 0,"
		   " 'driver.flavor', 'disk', 'open', NULL, 'none', 4)");
	derive(s);
	expect_rows(s, "SELECT key, layer, value, state FROM contract ORDER BY key, layer",
		    "driver.flavor disk open single / driver.version disk 570 conflict / "
		    "driver.version nvml 560 conflict");
}

static void containers_and_builds_make_no_conflict(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "a.txt", NULL, "collect-env", "read", 0);
	run_sql(s,
		"INSERT INTO fact(source_id, src_boot, key, layer, value, t_kind, line_id) VALUES"
		"(1, 0, 'cuda.toolkit', 'container', '12.2', 'none', 1),"
		"(1, 0, 'cuda.toolkit', 'nvcc', '11.8', 'none', 2),"
		"(1, 0, 'torch.version', 'pip', '2.1.0', 'none', 3),"
		"(1, 0, 'torch.version', 'python', '2.1.0+cu121', 'none', 4)");
	derive(s);
	expect_rows(s, "SELECT layer, value, state FROM contract ORDER BY key, layer",
		    "container 12.2 single / nvcc 11.8 single / pip 2.1.0 agreed / "
		    "python 2.1.0+cu121 agreed");
}

static void a_family_of_facts_holds_when_one_is_stated(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "dpkg.txt", NULL, "dpkg-list", "read", 0);
	run_sql(s,
		"CREATE TABLE kb_fact_keys(key, kind, type, scope, unit);"
		"INSERT INTO kb_fact_keys(key, kind, type, scope)"
		" VALUES('package.*', 'fact', 'text', 'host'), ('disk.*', 'fact', 'num', 'host')");
	run_sql(s,
		"INSERT INTO fact(source_id, src_boot, key, layer, value, t_kind, line_id) VALUES"
		"(1, 0, 'package.nvidia-dkms-570', 'dpkg', '570.1', 'none', 1),"
		"(1, 0, 'package.torch', 'dpkg', '2.1', 'none', 2)");
	derive(s);
	expect_rows(s, "SELECT what, n, whole FROM coverage WHERE what GLOB 'fact.*[*]'",
		    "fact.package.* 2 1");
}

/* ---- through the real ingest ---- */

static void write_file(const char *dir, const char *name, const char *text)
{
	char path[200];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "wbe");
	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

static struct gpudx_store *ingest(const char *dir)
{
	struct gpudx_store *s = open_case();
	struct gpudx_err err = { 0 };
	struct gpudx_ingested in;
	struct gpudx_sigs *sigs;

	run_sql(s, "DELETE FROM bundle");
	assert_int_equal(gpudx_sigs_load(&sigs, &err), GPUDX_OK);
	assert_int_equal(gpudx_ingest(s, sigs, (const char *const[]){ dir }, 1, NULL, &in, &err),
			 GPUDX_OK);
	gpudx_sigs_free(sigs);
	return s;
}

static const char trace[] = "timestamp, index, driver_version, pstate, clocks.sm [MHz], power.draw "
			    "[W], temperature.gpu\n"
			    "2026/01/13 10:26:31.000, 0, 550.54.14, P0, 1410, 225.11, 56\n"
			    "2026/01/13 10:26:31.004, 1, 550.54.14, P0, 1410, 225.11, 56\n"
			    "2026/01/13 10:27:32.000, 0, 550.54.14, P0, 1140, 401.10, 67\n"
			    "2026/01/13 10:27:32.004, 1, 550.54.14, P0, 1410, [N/A], 67\n";

static void columns_of_a_trace_are_covered_by_its_samples(void **state)
{
	char dir[] = "/tmp/gpudx-test-XXXXXX", path[200];
	struct gpudx_store *s;

	(void)state;
	assert_non_null(mkdtemp(dir));
	write_file(dir, "trace.csv", trace);
	s = ingest(dir);
	derive_tz(s, "+01:00");
	expect_rows(s,
		    "SELECT gpu_id, what, n, whole, (to_us - from_us) / 1000 FROM coverage"
		    " WHERE what IN ('sample.power_w', 'sample.util_pct', 'sample.sm_clock_mhz')"
		    " ORDER BY gpu_id, what",
		    "1 sample.power_w 2 1 61000 / 1 sample.sm_clock_mhz 2 1 61000 /"
		    " 2 sample.power_w 1 1 0 / 2 sample.sm_clock_mhz 2 1 61000");
	expect_rows(s,
		    "SELECT time(t_us / 1000000, 'unixepoch'), t_quality, gpu_id, "
		    "sm_clock_mhz FROM sample",
		    "09:26:31 exact 1 1410.0 / 09:26:31 exact 2 1410.0 / 09:27:32 exact 1 1140.0 / "
		    "09:27:32 exact 2 1410.0");
	expect_rows(s,
		    "SELECT substr(datetime(collected_us / 1000000, 'unixepoch'), 9), "
		    "collected_quality FROM bundle",
		    "13 09:27:32 exact");
	gpudx_store_close(s);
	snprintf(path, sizeof(path), "%s/trace.csv", dir);
	unlink(path);
	rmdir(dir);
}

/* The statements that cover samples, divided by LF. */
static int note_statement(unsigned what, void *arg, void *st, void *text)
{
	const char *sql = sqlite3_sql(st);

	(void)what;
	(void)text;
	if (sql && strstr(sql, "INTO coverage") && strstr(sql, "gpu_sample")) {
		gpudx_buf_str(arg, sql);
		gpudx_buf_char(arg, '\n');
	}
	return 0;
}

static void no_statement_scans_or_sorts_samples(void **state)
{
	struct gpudx_buf seen = { .max = 1 << 20 };
	struct gpudx_store *s = *state;
	struct gpudx_sv rest, sql;
	int n = 0;

	source(s, 1, "trace.csv", NULL, "smi-query-csv", "read", 0);
	run_sql(s, "INSERT INTO gpu_ref(id, source_id, src_boot, idx) VALUES(1, 1, 0, 0)");
	sqlite3_trace_v2(gpudx_store_db(s), SQLITE_TRACE_STMT, note_statement, &seen);
	derive(s);
	sqlite3_trace_v2(gpudx_store_db(s), 0, NULL, NULL);
	rest = sv_n(seen.p, seen.n);
	for (; sv_line(&rest, &sql); n++) {
		struct gpudx_buf plan = { .max = 1 << 16 }, explain = { .max = 1 << 16 };

		gpudx_buf_printf(&explain, "EXPLAIN QUERY PLAN %.*s", (int)sql.n, sql.p);
		rows_text(s, gpudx_buf_cstr(&explain), &plan);
		/* a and z are the first and the last sample of a series. */
		assert_null(strstr(gpudx_buf_cstr(&plan), "SCAN a"));
		assert_null(strstr(gpudx_buf_cstr(&plan), "SCAN z"));
		assert_null(strstr(gpudx_buf_cstr(&plan), "SCAN gpu_sample"));
		assert_non_null(
			strstr(gpudx_buf_cstr(&plan), "SEARCH a USING INTEGER PRIMARY KEY"));
		gpudx_buf_free(&plan);
		gpudx_buf_free(&explain);
	}
	assert_int_equal(n, 10); /* one a column */
	gpudx_buf_free(&seen);
}

static void the_same_input_gives_the_same_rows(void **state)
{
	static const char *const tables[] = {
		"SELECT * FROM host", "SELECT * FROM boot",	"SELECT * FROM clock",
		"SELECT * FROM gpu",  "SELECT * FROM gpu_name", "SELECT * FROM gpu_ref",
		"SELECT * FROM fact", "SELECT * FROM coverage", "SELECT * FROM source_span",
	};
	char dir[] = "/tmp/gpudx-test-XXXXXX", path[200];
	struct gpudx_store *a, *b;

	(void)state;
	assert_non_null(mkdtemp(dir));
	write_file(dir, "trace.csv", trace);
	a = ingest(dir);
	b = ingest(dir);
	derive(a);
	derive(b);
	derive(b);
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		struct gpudx_buf want = { .max = 1 << 20 };

		rows_text(a, tables[i], &want);
		expect_rows(b, tables[i], gpudx_buf_cstr(&want));
		gpudx_buf_free(&want);
	}
	gpudx_store_close(a);
	gpudx_store_close(b);
	snprintf(path, sizeof(path), "%s/trace.csv", dir);
	unlink(path);
	rmdir(dir);
}

/* A host, a boot, a GPU, a fact, an event, an incident and coverage of each bundle. */
static void two_bundles(struct gpudx_store *s)
{
	run_sql(s, "INSERT INTO bundle(id, label, digest, members, unread) VALUES"
		   "(2, 'b', '', 0, 0);"
		   "INSERT INTO source(id, bundle_id, path, parser, status, src_clock) VALUES"
		   "(1, 1, 'dmesg', 'kernel-log', 'read', 'local'),"
		   "(2, 2, 'dmesg', 'kernel-log', 'read', 'local');"
		   "INSERT INTO gpu_ref(id, source_id, src_boot, bdf) VALUES"
		   "(1, 1, 0, '0000:3b:00.0'), (2, 2, 0, '0000:3b:00.0');"
		   "INSERT INTO fact(source_id, src_boot, key, layer, value, line_id) VALUES"
		   "(1, 0, 'host.name', '', 'node-a', 1), (2, 0, 'host.name', '', 'node-a', 1);"
		   "INSERT INTO event(id, source_id, ref_id, src_boot, kind, code, t_raw_us,"
		   " t_kind, text, line_id) VALUES"
		   "(1, 1, 1, 0, 'xid', 31, 1000000, 'local', 'm', 1),"
		   "(2, 2, 2, 0, 'xid', 31, 1000000, 'local', 'm', 1)");
}

#define OF_BUNDLE(table, n) \
	"SELECT * FROM " table " WHERE host_id IN (SELECT id FROM host WHERE bundle_id = " #n ")"

static void what_one_bundle_said_stays_when_another_is_derived(void **state)
{
	static const char *const tables[] = {
		OF_BUNDLE("gpu", 1),  OF_BUNDLE("boot", 1),	OF_BUNDLE("clock", 1),
		OF_BUNDLE("fact", 1), OF_BUNDLE("event", 1),	OF_BUNDLE("incident", 1),
		OF_BUNDLE("xid", 1),  OF_BUNDLE("coverage", 1),
	};
	enum { TABLES = sizeof(tables) / sizeof(tables[0]) };
	struct gpudx_store *s = *state;
	struct gpudx_buf want[TABLES];
	struct gpudx_err err = { 0 };

	kinds(s);
	two_bundles(s);
	derive(s);
	for (size_t i = 0; i < TABLES; i++) {
		want[i] = (struct gpudx_buf){ .max = 1 << 20 };
		rows_text(s, tables[i], &want[i]);
		assert_true(want[i].n > 0);
	}
	for (int again = 0; again < 2; again++)
		assert_int_equal(gpudx_derive(s, 2, NULL, &err), GPUDX_OK);
	for (size_t i = 0; i < TABLES; i++) {
		expect_rows(s, tables[i], gpudx_buf_cstr(&want[i]));
		gpudx_buf_free(&want[i]);
	}
	expect_rows(s, "SELECT bundle_id, count(*) FROM host GROUP BY 1", "1 1 / 2 1");
	expect_rows(s, "SELECT count(*), count(DISTINCT host_id), sum(events) FROM incident",
		    "2 2 2");
	expect_rows(s, "SELECT count(*) FROM event WHERE copy_of IS NOT NULL", "0");
}

static void a_case_is_derived_through_the_public_interface(void **state)
{
	char dir[] = "/tmp/gpudx-test-XXXXXX", path[200];
	struct gpudx_err err = { 0 };
	struct gpudx_progress seen = { 0 };
	struct gpudx_case *c;
	struct gpudx_read in;

	(void)state;
	assert_non_null(mkdtemp(dir));
	write_file(dir, "trace.csv", trace);
	assert_int_equal(gpudx_case_create(NULL, &c, &err), GPUDX_OK);
	gpudx_case_watch(c, &seen);
	assert_int_equal(gpudx_case_read(c, dir, &in, &err), GPUDX_OK);
	assert_int_equal(atomic_load(&seen.bytes), strlen(trace));
	assert_int_equal(gpudx_case_derive(c, in.bundle, NULL, &err), GPUDX_OK);
	assert_int_equal(gpudx_case_derive(c, in.bundle, "Europe/Berlin", &err), GPUDX_OK);
	gpudx_case_close(c);
	assert_int_equal(gpudx_case_create(NULL, &c, &err), GPUDX_OK);
	assert_int_equal(gpudx_case_read(c, dir, &in, &err), GPUDX_OK);
	assert_int_equal(gpudx_case_derive(c, in.bundle, "25:00", &err), GPUDX_E_USAGE);
	gpudx_case_close(c);
	snprintf(path, sizeof(path), "%s/trace.csv", dir);
	unlink(path);
	rmdir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		case_test(a_kernel_log_covers_kernel_kinds_from_its_first_to_its_last_stamp),
		case_test(a_ring_buffer_that_wrapped_is_whole_for_its_own_time_and_says_so),
		case_test(a_journal_has_the_lines_of_programs_and_a_kernel_log_has_not),
		cmocka_unit_test(
			any_output_of_nvidia_smi_covers_its_faults_and_a_snippet_of_a_program_is_not_whole),
		case_test(facts_and_tables_cover_what_they_state),
		case_test(a_fact_covers_in_each_source_the_time_in_which_it_is_stated),
		case_test(units_come_from_the_registry),
		case_test(what_is_said_of_the_last_boot_is_the_contract),
		case_test(containers_and_builds_make_no_conflict),
		case_test(a_family_of_facts_holds_when_one_is_stated),
		cmocka_unit_test(columns_of_a_trace_are_covered_by_its_samples),
		case_test(no_statement_scans_or_sorts_samples),
		cmocka_unit_test(the_same_input_gives_the_same_rows),
		case_test(what_one_bundle_said_stays_when_another_is_derived),
		cmocka_unit_test(a_case_is_derived_through_the_public_interface),
	};

	return cmocka_run_group_tests_name("derive_coverage", tests, NULL, NULL);
}
