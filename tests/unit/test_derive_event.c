#include "derive_case.h"

static void source(struct gpudx_store *s, int id, const char *path, const char *clock)
{
	run_sqlf(s,
		 "INSERT INTO source(id, bundle_id, path, parser, status, src_clock)"
		 " VALUES(%d, 1, %Q, 'kernel-log', 'read', %Q)",
		 id, path, clock);
}

/* GPU number id at this address, as lspci of source 9 and logs of other sources name it. */
static void gpu(struct gpudx_store *s, int ref, int source_id, const char *bdf, const char *serial)
{
	run_sqlf(s,
		 "INSERT INTO gpu_ref(id, source_id, src_boot, bdf, serial) VALUES(%d, %d, "
		 "0, %Q, %Q)",
		 ref, source_id, bdf, serial);
}

/* One event of a log with local times at second t of an hour; t < 0: without stamp. */
static void event(struct gpudx_store *s, int id, int source_id, int ref, const char *kind, int code,
		  double t, const char *text)
{
	run_sqlf(s,
		 "INSERT INTO event(id, source_id, ref_id, src_boot, kind, code, t_raw_us, t_kind, "
		 "text, line_id)"
		 " VALUES(%d, %d, nullif(%d, 0), 0, %Q, nullif(%d, -1),"
		 " CASE WHEN %f >= 0 THEN 1715075935000000 + CAST(%f * 1000000 AS INTEGER) END,"
		 " CASE WHEN %f >= 0 THEN 'local' ELSE 'none' END, %Q, %d << 32 | %d);"
		 "INSERT INTO event_line VALUES(%d, %d << 32 | %d, 'first')",
		 id, source_id, ref, kind, code, t, t, t, text, source_id, id, id, source_id, id);
}

static void xid(struct gpudx_store *s, int id, int ref, int code, double t)
{
	char text[80];

	sqlite3_snprintf(sizeof(text), text, "Xid %d of #%d at %f", code, ref, t);
	event(s, id, 1, ref, "xid", code, t, text);
}

static void mono(struct gpudx_store *s, int id, long long us)
{
	run_sqlf(s, "UPDATE event SET mono_us = %lld WHERE id = %d", us, id);
}

static void attr(struct gpudx_store *s, int id, const char *name, const char *value)
{
	run_sqlf(s, "INSERT INTO event_attr VALUES(%d, %Q, %Q, CAST(%Q AS REAL))", id, name, value,
		 value);
}

static void chains(struct gpudx_store *s, const char *rows)
{
	run_sql(s, "CREATE TABLE kb_chains(cause_kind, cause_code, effect_kind, effect_code, "
		   "within_s, scope, why, source)");
	if (rows)
		run_sql(s, rows);
}

#define COPIES "SELECT id, copy_of FROM event ORDER BY id"
#define INCIDENTS "SELECT root_event, kind, code, events, gpus FROM incident ORDER BY id"

/* ---- copies ---- */

static void four_logs_are_one_event(void **state)
{
	static const char text[] = "NVRM: Xid (PCI:0000:9b:00): 79, GPU has fallen off the bus.";
	struct gpudx_store *s = *state;

	source(s, 1, "kern.log", "local");
	source(s, 2, "dmesg", "boot");
	source(s, 3, "journal.txt", "local");
	source(s, 4, "kern.log.1", "local");
	for (int i = 1; i <= 4; i++)
		gpu(s, i, i, "0000:9b:00.0", NULL);
	event(s, 1, 1, 1, "xid", 79, 10.2, text);
	event(s, 2, 2, 2, "xid", 79, -1, text);
	event(s, 3, 3, 3, "xid", 79, 11,
	      "NVRM: Xid (PCI:0000:9b:00):  79, GPU has fallen off the bus. ");
	event(s, 4, 4, 4, "xid", 79, 10.2, text);
	mono(s, 1, 7009456994);
	mono(s, 4, 7009456994);
	run_sql(s, "UPDATE event SET t_kind = 'boot', t_raw_us = 7009456994 WHERE id = 2");
	attr(s, 3, "bus", "9b");
	derive(s);
	expect_rows(s, COPIES, "1 - / 2 1 / 3 1 / 4 1");
	expect_rows(s, "SELECT count(*), sum(role = 'copy') FROM event_line WHERE event_id = 1",
		    "4 3");
	expect_rows(s, "SELECT value FROM event_attr WHERE event_id = 1", "9b");
	expect_rows(s, INCIDENTS, "1 xid 79 1 1");
	expect_rows(s, "SELECT count(*) FROM gpu", "1");
}

static void what_is_further_apart_than_two_seconds_is_another_event(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "kern.log", "local");
	source(s, 2, "messages", "local");
	event(s, 1, 1, 0, "xid", 31, 10, "fault");
	event(s, 2, 2, 0, "xid", 31, 12, "fault");
	event(s, 3, 2, 0, "xid", 31, 15, "fault");
	event(s, 4, 1, 0, "xid", 31, 18, "fault");
	event(s, 5, 2, 0, "xid", 32, 10, "fault");
	derive(s);
	expect_rows(s, COPIES, "1 - / 2 1 / 3 - / 4 - / 5 -");
}

static void a_log_that_says_it_twice_means_it_twice(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "kern.log", "local");
	source(s, 2, "messages", "local");
	event(s, 1, 1, 0, "xid", 31, 10, "fault");
	event(s, 2, 1, 0, "xid", 31, 11, "fault");
	event(s, 3, 2, 0, "xid", 31, 10, "fault");
	event(s, 4, 2, 0, "xid", 31, 11, "fault");
	derive(s);
	expect_rows(s, COPIES, "1 - / 2 - / 3 1 / 4 2");
}

static void what_has_no_stamp_is_a_copy_of_what_has_one(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "issue.md", "none");
	source(s, 2, "kern.log", "local");
	event(s, 1, 1, 0, "xid", 31, -1, "fault");
	event(s, 2, 1, 0, "xid", 31, -1, "fault");
	event(s, 3, 2, 0, "xid", 31, 10, "fault");
	event(s, 4, 2, 0, "xid", 31, 900, "fault");
	event(s, 5, 2, 0, "xid", 31, 1800, "fault");
	derive(s);
	expect_rows(s, COPIES, "1 4 / 2 5 / 3 - / 4 - / 5 -");
}

static void times_of_dmesg_T_may_have_drifted(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "dmesg-T.txt", "local");
	source(s, 2, "journal.txt", "local");
	event(s, 1, 1, 0, "xid", 31, 100, "fault");
	event(s, 2, 1, 0, "xid", 13, 400, "other");
	event(s, 3, 2, 0, "xid", 31, 137, "fault");
	event(s, 4, 2, 0, "xid", 13, 437, "other");
	event(s, 5, 2, 0, "kernel.shutdown", -1, 10, "x");
	event(s, 6, 1, 0, "kernel.shutdown", -1, 700, "y");
	derive(s);
	expect_rows(s, COPIES, "1 3 / 2 4 / 3 - / 4 - / 5 - / 6 -");
	/* Two journals do not drift against each other. */
	run_sql(s, "UPDATE source SET path = 'messages' WHERE id = 1");
	derive(s);
	expect_rows(s, COPIES, "1 - / 2 - / 3 - / 4 - / 5 - / 6 -");
}

static void hosts_have_no_copies_of_each_other(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "a/kern.log", "local");
	source(s, 2, "b/kern.log", "local");
	run_sql(s, "INSERT INTO fact(source_id, src_boot, key, layer, value, line_id) VALUES"
		   "(1, 0, 'host.name', 'syslog', 'gpu1', 1), (2, 0, 'host.name', 'syslog',"
		   " 'gpu2', 2)");
	event(s, 1, 1, 0, "xid", 31, 10, "fault");
	event(s, 2, 2, 0, "xid", 31, 10, "fault");
	derive(s);
	expect_rows(s, COPIES, "1 - / 2 -");
	expect_rows(s, "SELECT count(DISTINCT host_id) FROM incident", "2");
}

/* ---- incidents ---- */

static void a_burst_ends_after_three_minutes_of_silence(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "kern.log", "local");
	gpu(s, 1, 1, "0000:3b:00.0", NULL);
	gpu(s, 2, 1, "0000:86:00.0", NULL);
	xid(s, 1, 1, 31, 0);
	xid(s, 2, 1, 31, 179);
	xid(s, 3, 1, 31, 359);
	xid(s, 4, 1, 31, 540);
	xid(s, 5, 2, 31, 100);
	xid(s, 6, 1, 13, 100);
	derive(s);
	expect_rows(s, INCIDENTS, "1 xid 31 3 1 / 5 xid 31 1 1 / 6 xid 13 1 1 / 4 xid 31 1 1");
	expect_rows(s, "SELECT t1_us - t0_us, gpu_id, t_quality FROM incident WHERE root_event = 1",
		    "359000000 1 zone_assumed");
}

static void chains_link_what_follows_on_the_gpu_or_the_host(void **state)
{
	struct gpudx_store *s = *state;

	chains(s, "INSERT INTO kb_chains VALUES('xid', 79, 'xid', 154, 60, 'gpu', '', ''), ('xid', "
		  "79, 'sxid', NULL, 60, 'host', '', ''),"
		  "('xid', 48, 'xid', 63, 60, 'gpu', '', '')");
	source(s, 1, "kern.log", "local");
	gpu(s, 1, 1, "0000:3b:00.0", NULL);
	gpu(s, 2, 1, "0000:86:00.0", NULL);
	xid(s, 1, 1, 79, 10);
	xid(s, 2, 1, 154, 12);
	xid(s, 3, 2, 154, 13); /* another GPU */
	event(s, 4, 1, 0, "sxid", 20034, 22, "switch 1");
	event(s, 5, 1, 0, "sxid", 20034, 23, "switch 2");
	attr(s, 4, "device", "0000:05:00.0");
	attr(s, 5, "device", "0000:06:00.0");
	xid(s, 6, 1, 63, 30);  /* 48 did not come */
	xid(s, 7, 1, 154, 90); /* too late for the chain, but the burst goes on */
	derive(s);
	expect_rows(s, INCIDENTS, "1 xid 79 5 1 / 3 xid 154 1 1 / 6 xid 63 1 1");
	expect_rows(s, "SELECT id FROM event WHERE incident_id = 1 ORDER BY id",
		    "1 / 2 / 4 / 5 / 7");
}

static void within_one_second_order_does_not_decide_who_leads(void **state)
{
	struct gpudx_store *s = *state;

	chains(s, "INSERT INTO kb_chains VALUES('xid', 48, 'xid', 63, 60, 'gpu', '', '')");
	source(s, 1, "kern.log", "local");
	gpu(s, 1, 1, "0000:3b:00.0", NULL);
	xid(s, 1, 1, 63, 10);
	xid(s, 2, 1, 48, 10);
	xid(s, 3, 1, 63, 1000.25);
	xid(s, 4, 1, 48, 1000.5);
	derive(s);
	expect_rows(s, INCIDENTS, "2 xid 48 2 1 / 3 xid 63 1 1 / 4 xid 48 1 1");
}

static void sympathetic_codes_never_lead_when_a_cause_is_there(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "kern.log", "local");
	gpu(s, 1, 1, "0000:3b:00.0", NULL);
	gpu(s, 2, 1, "0000:86:00.0", NULL);
	xid(s, 1, 1, 31, 10);
	xid(s, 2, 1, 45, 11);
	xid(s, 3, 1, 43, 12);
	xid(s, 4, 2, 45, 12);  /* alone on its GPU */
	xid(s, 5, 1, 45, 300); /* the cause is too long ago */
	derive(s);
	expect_rows(s, INCIDENTS, "1 xid 31 3 1 / 4 xid 45 1 1 / 5 xid 45 1 1");
}

static void a_message_may_name_its_cause_without_any_stamp(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "paste.txt", "none");
	gpu(s, 1, 1, "0000:dc:00.0", NULL);
	gpu(s, 2, 1, "0000:ed:00.0", NULL);
	event(s, 1, 1, 1, "xid", 45, -1, "a");
	event(s, 2, 1, 2, "xid", 45, -1, "b");
	event(s, 3, 1, 1, "xid", 149, -1, "c");
	event(s, 4, 1, 1, "xid", 13, -1, "d");
	attr(s, 1, "caused_by", "149");
	attr(s, 2, "caused_by", "149");
	derive(s);
	expect_rows(s, INCIDENTS, "3 xid 149 3 2 / 4 xid 13 1 1");
	expect_rows(s, "SELECT t0_us, t_quality FROM incident", "- unknown / - unknown");
	run_sql(s, "DELETE FROM event WHERE id = 3");
	derive(s);
	expect_rows(s, INCIDENTS, "1 xid 45 1 1 / 2 xid 45 1 1 / 4 xid 13 1 1");
}

static void boots_are_not_crossed(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "kern.log", "local");
	run_sql(s, "INSERT INTO clock_anchor(source_id, src_boot, kind, mono_us, local_us,"
		   " line_id) VALUES"
		   "(1, 0, 'two_stamps', 900000000, 1715075935000000, 1), (1, 1, 'two_stamps',"
		   " 1000000, 1715075995000000, 2)");
	event(s, 1, 1, 0, "xid", 79, 10, "a");
	event(s, 2, 1, 0, "xid", 79, 70, "b");
	run_sql(s, "UPDATE event SET src_boot = 1 WHERE id = 2");
	derive(s);
	expect_rows(s, "SELECT b.seq, i.events FROM incident i JOIN boot b ON b.id = i.boot_id",
		    "-1 1 / 0 1");
}

static void times_since_boot_have_silence_too(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "dmesg", "boot");
	event(s, 1, 1, 0, "xid", 31, -1, "a");
	event(s, 2, 1, 0, "xid", 31, -1, "b");
	event(s, 3, 1, 0, "xid", 31, -1, "c");
	run_sql(s, "UPDATE event SET t_kind = 'boot', t_raw_us = CASE id WHEN 3 THEN 900000000 "
		   "ELSE id * 10000000 END");
	derive(s);
	expect_rows(s, "SELECT root_event, events, t0_us, t1_us, t_quality FROM incident",
		    "1 2 10000000 20000000 boot_relative / 3 1 900000000 900000000 boot_relative");
}

/* 0000:40:01.1 leads to both GPUs through a switch, 0000:80:01.1 to a third. */
static void ports(struct gpudx_store *s)
{
	run_sql(s, "INSERT INTO source(id, bundle_id, path, parser, status) VALUES(9, 1, 'lspci', "
		   "'lspci', 'read')");
	gpu(s, 91, 9, "0000:43:00.0", NULL);
	gpu(s, 92, 9, "0000:44:00.0", NULL);
	gpu(s, 93, 9, "0000:81:00.0", NULL);
	run_sql(s, "INSERT INTO pci_device(source_id, ref_id, bdf, class_id, vendor_id, "
		   "secondary_bus, subordinate_bus, dead, denied, line_id)"
		   " VALUES(9, NULL, '0000:40:01.1', 1540, 4130, 65, 68, 0, 0, 1), (9, NULL, "
		   "'0000:41:00.0', 1540, 4130, 66, 68, 0, 0, 2),"
		   "(9, NULL, '0000:42:00.0', 1540, 4130, 67, 67, 0, 0, 3), (9, NULL, "
		   "'0000:42:01.0', 1540, 4130, 68, 68, 0, 0, 4),"
		   "(9, 91, '0000:43:00.0', 770, 4318, NULL, NULL, 0, 0, 5), (9, 92, "
		   "'0000:44:00.0', 770, 4318, NULL, NULL, 0, 0, 6),"
		   "(9, NULL, '0000:80:01.1', 1540, 4130, 129, 129, 0, 0, 7), (9, 93, "
		   "'0000:81:00.0', 770, 4318, NULL, NULL, 0, 0, 8)");
}

static void several_gpus_behind_one_port_are_one_incident(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "kern.log", "local");
	ports(s);
	gpu(s, 1, 1, "0000:43:00.0", NULL);
	gpu(s, 2, 1, "0000:44:00.0", NULL);
	gpu(s, 3, 1, "0000:81:00.0", NULL);
	xid(s, 1, 1, 79, 10);
	xid(s, 2, 2, 79, 11);
	xid(s, 3, 3, 79, 11);
	xid(s, 4, 1, 31, 600);
	xid(s, 5, 2, 31, 603); /* not within a second */
	derive(s);
	expect_rows(s, "SELECT root_event, events, gpus, gpu_id, port FROM incident",
		    "1 2 2 - 0000:41:00.0 / 3 1 1 3 - / 4 1 1 1 - / 5 1 1 2 -");
}

static void a_port_and_the_gpu_below_it_are_one_place(void **state)
{
	struct gpudx_store *s = *state;

	chains(s, "INSERT INTO kb_chains VALUES('kernel.aer', NULL, 'xid', 79, 60, 'gpu', '', ''), "
		  "('xid', 79, 'kernel.dpc', NULL, 60, 'gpu', '', '')");
	source(s, 1, "kern.log", "local");
	ports(s);
	gpu(s, 1, 1, "0000:43:00.0", NULL);
	event(s, 1, 1, 0, "kernel.aer", -1, 10, "port error");
	attr(s, 1, "device", "0000:40:01.1");
	event(s, 2, 1, 0, "kernel.aer", -1, 10, "port error elsewhere");
	attr(s, 2, "device", "0000:80:01.1");
	xid(s, 3, 1, 79, 12);
	event(s, 4, 1, 0, "kernel.dpc", -1, 14, "contained");
	attr(s, 4, "device", "0000:42:00.0");
	derive(s);
	expect_rows(s, "SELECT root_event, events, gpus, gpu_id, port FROM incident",
		    "1 3 1 1 0000:42:00.0 / 2 1 0 - -");
}

static void at_the_same_millisecond_no_port_is_needed(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "kern.log", "local");
	gpu(s, 1, 1, "0000:43:00.0", NULL);
	gpu(s, 2, 1, "0000:81:00.0", NULL);
	xid(s, 1, 1, 79, 10);
	xid(s, 2, 2, 79, 10);
	derive(s);
	expect_rows(s, INCIDENTS, "1 xid 79 1 1 / 2 xid 79 1 1");
	mono(s, 1, 44643002804);
	mono(s, 2, 44643002866);
	derive(s);
	expect_rows(s, INCIDENTS, "1 xid 79 2 2");
}

static void what_is_of_no_known_gpu_is_of_the_host(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "kern.log", "local");
	run_sql(s, "INSERT INTO source(id, bundle_id, path, parser, status) VALUES(9, 1, 'L.txt', "
		   "'smi-list', 'read');"
		   "INSERT INTO gpu_ref(id, source_id, src_boot, idx, uuid) VALUES(91, 9, 0, 0, "
		   "'GPU-a'), (92, 9, 0, 1, 'GPU-b')");
	gpu(s, 1, 1, "0000:43:00.0", NULL);
	gpu(s, 2, 1, "0000:81:00.0", NULL);
	xid(s, 1, 1, 79, 10);
	xid(s, 2, 2, 79, 12);
	derive(s);
	expect_rows(s, "SELECT events, gpus, gpu_id FROM incident", "2 2 -");
}

static void only_trouble_makes_incidents(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "kern.log", "local");
	event(s, 1, 1, 0, "kernel.shutdown", -1, 10, "a");
	event(s, 2, 1, 0, "nvrm.load", -1, 10, "b");
	event(s, 3, 1, 0, "nvrm.no_gpu", -1, 10, "c");
	event(s, 4, 1, 0, "kernel.segfault", -1, 10, "d");
	derive(s);
	expect_rows(s, INCIDENTS, "3 nvrm.no_gpu - 1 0 / 4 kernel.segfault - 1 0");
	run_sql(s, "CREATE TABLE kb_event_kinds(kind, log, incident);"
		   " INSERT INTO kb_event_kinds VALUES"
		   "('kernel.segfault', 'kernel', 'no'), ('nvrm.load', 'kernel', 'no'),"
		   " ('kernel.shutdown', 'kernel', 'yes')");
	derive(s);
	expect_rows(s, INCIDENTS, "1 kernel.shutdown - 1 0 / 3 nvrm.no_gpu - 1 0");
}

static void the_view_of_xids_leaves_copies_out(void **state)
{
	struct gpudx_store *s = *state;

	run_sql(s, "DROP TABLE IF EXISTS kb_xid; CREATE TABLE kb_xid(code, mnemonic, description, "
		   "severity, action, rule);"
		   "INSERT INTO kb_xid VALUES(79, 'GPU_FELL', 'x', 'critical', 'reset_gpu', "
		   "'xid.fallen-off-bus')");
	source(s, 1, "kern.log", "local");
	source(s, 2, "messages", "local");
	event(s, 1, 1, 0, "xid", 79, 10, "a");
	event(s, 2, 2, 0, "xid", 79, 10, "a");
	event(s, 3, 2, 0, "xid", 999, 20, "b");
	derive(s);
	expect_rows(s, "SELECT id, code, mnemonic, incident_id FROM xid ORDER BY id",
		    "1 79 GPU_FELL 1 / 3 999 - 2");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		case_test(four_logs_are_one_event),
		case_test(what_is_further_apart_than_two_seconds_is_another_event),
		case_test(a_log_that_says_it_twice_means_it_twice),
		case_test(what_has_no_stamp_is_a_copy_of_what_has_one),
		case_test(times_of_dmesg_T_may_have_drifted),
		case_test(hosts_have_no_copies_of_each_other),
		case_test(a_burst_ends_after_three_minutes_of_silence),
		case_test(chains_link_what_follows_on_the_gpu_or_the_host),
		case_test(within_one_second_order_does_not_decide_who_leads),
		case_test(sympathetic_codes_never_lead_when_a_cause_is_there),
		case_test(a_message_may_name_its_cause_without_any_stamp),
		case_test(boots_are_not_crossed),
		case_test(times_since_boot_have_silence_too),
		case_test(several_gpus_behind_one_port_are_one_incident),
		case_test(a_port_and_the_gpu_below_it_are_one_place),
		case_test(at_the_same_millisecond_no_port_is_needed),
		case_test(what_is_of_no_known_gpu_is_of_the_host),
		case_test(only_trouble_makes_incidents),
		case_test(the_view_of_xids_leaves_copies_out),
	};

	return cmocka_run_group_tests_name("derive_event", tests, NULL, NULL);
}
