/* Two rules of the kind that ships, in small, on databases as derive leaves them. */
#include "rules_case.h"

static const char power_cap_header[] =
	"-- title:    SM clock falls when power reaches the limit\n"
	"-- severity: info\n-- symptom: slow\n-- kind: explanation\n-- points: policy\n"
	"-- settle:   trace.reasons\n"
	"-- needs:    sample.sm_clock_mhz sample.power_w sample.util_pct\n"
	"--           sample.power_limit_w|fact.power.limit_w|episode.power_plateau\n"
	"-- params:   drop_pct=10 min_samples=3 short_trace=10 short_min_samples=2\n"
	"-- explains: clocks.busy-but-slow overlap gpu\n"
	"-- summary:  {gpu}: SM clock {clock_before_mhz} → {clock_at_limit_mhz} MHz from {t0_us|an "
	"unknown time}"
	" on, at {power_w} of {limit_w} W\n"
	"-- action:   none\n";

static const char power_cap_sql[] =
	"\nWITH capped AS (SELECT e.*, g.host_id,\n"
	"   count(*) OVER (PARTITION BY e.gpu_id) AS seen,\n"
	"   e.reasons_known & 4 AS recorded, e.reasons_set * 2 >= e.samples AS set_mostly\n"
	"  FROM episode e JOIN gpu g ON g.id = e.gpu_id\n"
	"  WHERE e.kind = 'power_limit'\n"
	"   AND e.clock_med_mhz <= e.clock_ref_mhz * (1 - coalesce(:drop_pct, 10) / 100.0)\n"
	"   AND e.samples >= CASE WHEN e.source_samples < coalesce(:short_trace, 10)\n"
	"        THEN coalesce(:short_min_samples, 2) ELSE coalesce(:min_samples, 3) END)\n"
	"SELECT host_id, gpu_id, t0_us, t1_us,\n"
	"  CASE WHEN limit_how = 'plateau' THEN 0.5 WHEN recorded AND set_mostly THEN 0.95\n"
	"       WHEN seen > 1 THEN 0.85 ELSE 0.7 END AS confidence,\n"
	"  json_array(line_first, line_worst, line_last) AS evidence,\n"
	"  CASE WHEN recorded AND reasons_set = 0 THEN json_array(line_worst) END AS against,\n"
	"  gpu_id AS grp, clock_ref_mhz AS clock_before_mhz, clock_med_mhz AS clock_at_limit_mhz,\n"
	"  power_med_w AS power_w, limit_w\n"
	"FROM capped\n";

/* An episode at the limit of GPU 0: in trace.csv dated, in dmesg.txt (for want of a dmon) not. */
static void add_episode(struct rules_case *c, int source, const char *t0, const char *t1,
			int samples, int of, double clock, int known, int set)
{
	run_sql(c,
		"INSERT INTO episode(gpu_id, ref_id, source_id, kind, t0_us, t1_us, t_quality, "
		"samples,"
		" source_samples, first_id, last_id, power_med_w, limit_w, limit_how, "
		"clock_med_mhz,"
		" clock_ref_mhz, reasons_known, reasons_set, line_first, line_worst, line_last)"
		" VALUES(1, 1, %d, 'power_limit', %s, %s, 'zone_assumed', %d, %d, 1, 3, 400.3, "
		"400.0,"
		" 'fact', %f, 1410.0, %d, %d, %lld, %lld, %lld)",
		source, t0, t1, samples, of, clock, known, set, AT(source, 4), AT(source, 5),
		AT(source, 6));
	run_sql(c, "INSERT OR IGNORE INTO clock(id, host_id, kind, quality, how)"
		   " VALUES(1, 1, 'local', 'zone_assumed', ''); UPDATE source SET clock_id = 1");
}

static const char *ten_twenty_six = "1768299993000000"; /* 2026-01-13 10:26:33 */
static const char *two_later = "1768299995000000";

static void add_power_cap(struct rules_case *c)
{
	add_rule(c, "power.cap-clock-drop", power_cap_header, power_cap_sql);
	add_rule(c, "clocks.busy-but-slow", "-- severity: warning\n-- symptom: slow\n",
		 "\n" ROW(1, 1768299992, 1768299996,
			  4294967300) " WHERE EXISTS (SELECT 1 FROM episode)");
}

static const char *summary(struct rules_case *c)
{
	return ask(c, "SELECT f.summary FROM verdict v JOIN finding f ON f.id = v.finding_id");
}

static void explains_a_slow_gpu_by_its_power_limit(void **state)
{
	struct rules_case *c = *state;

	add_power_cap(c);
	add_episode(c, TRACE, ten_twenty_six, two_later, 3, 5, 1140, 0, 0);
	add_episode(c, DMESG, "NULL", "NULL", 2, 4, 1140, 0, 0);
	judge(c);
	assert_int_equal(c->out.broken, 0);
	assert_string_equal(c->out.verdict, "explanation");
	assert_string_equal(summary(c),
			    "GPU 0: SM clock 1410 → 1140 MHz from 10:26:33 on, at 400.3 of 400 W");
	assert_string_equal(ask(c,
				"SELECT confidence || ' ' || severity || ' ' || settle FROM finding"
				" WHERE rule = 'power.cap-clock-drop'"),
			    "0.85 info trace.reasons");
	assert_string_equal(
		ask(c, "SELECT s.path || ':' || (l.line_id & 4294967295) FROM finding f"
		       " JOIN finding_line l ON l.finding_id = f.id"
		       " JOIN source s ON s.id = l.line_id >> 32"
		       " WHERE f.rule = 'power.cap-clock-drop' ORDER BY l.rowid"),
		"trace.csv:4 trace.csv:5 trace.csv:6 dmesg.txt:4 dmesg.txt:5 dmesg.txt:6");
	assert_string_equal(ask(c, "SELECT e.why FROM finding_edge e"),
			    "same GPU, at the same time");
	assert_string_equal(ask(c, "SELECT rule || ':' || outcome FROM rule_run WHERE gpu_id = 2"),
			    "power.cap-clock-drop:not_checkable");
}

static void reason_bits_settle_it_either_way(void **state)
{
	struct rules_case *c = *state;

	add_power_cap(c);
	add_episode(c, TRACE, ten_twenty_six, two_later, 10, 20, 1140, 4, 5);
	judge(c);
	assert_string_equal(ask(c, "SELECT confidence FROM finding WHERE rule LIKE 'power%%'"),
			    "0.95");
	run_sql(c, "UPDATE episode SET reasons_set = 0");
	judge(c);
	assert_string_equal(
		ask(c, "SELECT confidence || role FROM finding f JOIN finding_line l"
		       " ON l.finding_id = f.id WHERE rule LIKE 'power%%' AND role = 'against'"),
		"0.7against");
}

static void stays_quiet_below_ten_percent(void **state)
{
	struct rules_case *c = *state;

	add_power_cap(c);
	add_episode(c, TRACE, ten_twenty_six, two_later, 10, 20, 1275, 0, 0);
	run_sql(c, "INSERT INTO coverage(host_id, gpu_id, what, n, whole) VALUES"
		   " (1, 1, 'sample.sm_clock_mhz', 9, 1), (1, 1, 'sample.power_w', 9, 1),"
		   " (1, 1, 'sample.util_pct', 9, 1), (1, 1, 'fact.power.limit_w', 1, 1)");
	judge(c);
	assert_string_equal(ask(c,
				"SELECT gpu_id || outcome FROM rule_run WHERE rule LIKE 'power%%'"
				" ORDER BY gpu_id"),
			    "1clean 2not_checkable");
	assert_int_equal(gpudx_ruleset_set(c->rules, "power.cap-clock-drop.drop_pct=9", &c->err),
			 GPUDX_OK);
	judge(c);
	assert_string_equal(
		ask(c, "SELECT outcome FROM rule_run WHERE rule LIKE 'power%%' AND gpu_id = 1"),
		"fired");
}

/* ---- a card that is gone ---- */

static const char fallen_header[] =
	"-- title:    GPU has fallen off the bus\n"
	"-- severity: critical\n-- symptom: missing\n-- kind: fault\n-- points: hardware\n"
	"-- needs:    log.xid\n"
	"-- explains: xid.sympathetic +180 gpu\n"
	"-- summary:  {gpu} fell off the bus at {t0_us}{where|}\n"
	"-- action:   power_cycle\n";

static const char fallen_sql[] =
	"\nSELECT x.host_id, x.gpu_id, x.t_us AS t0_us, x.t_us AS t1_us, 0.95 AS confidence,\n"
	"  (SELECT json_group_array(line_id) FROM event_line l WHERE l.event_id = x.id) AS "
	"evidence,\n"
	"  x.incident_id AS grp, ', with all behind ' || i.port AS \"where\"\n"
	"FROM xid x LEFT JOIN incident i ON i.id = x.incident_id\n"
	"WHERE x.code = 79\n";

static void add_fallen(struct rules_case *c)
{
	add_rule(c, "xid.fallen-off-bus", fallen_header, fallen_sql);
	add_rule(c, "xid.sympathetic", "-- severity: info\n-- kind: operation\n-- symptom: crash\n",
		 "\nSELECT host_id, gpu_id, t_us AS t0_us, t_us AS t1_us, 0.95 AS confidence,"
		 " json_array(line_id) AS evidence FROM xid WHERE code = 45");
}

static void add_xid(struct rules_case *c, int id, int gpu, int code, int second, int boot,
		    int copy_of)
{
	run_sql(c,
		"INSERT INTO event(id, source_id, src_boot, host_id, boot_id, gpu_id, kind, code, "
		"t_kind,"
		" t_us, t_quality, text, copy_of, incident_id, line_id) VALUES(%d, 2, 0, 1, %d,"
		" nullif(%d, 0), 'xid', %d, 'utc', %d * 1000000, 'exact', '', nullif(%d, 0), 1, "
		"%lld)",
		id, boot, gpu, code, second, copy_of, AT(DMESG, id));
	run_sql(c, "INSERT INTO event_line VALUES(%d, %lld, 'first')", copy_of ? copy_of : id,
		AT(DMESG, id));
}

static void two_cards_behind_one_port_are_one_finding(void **state)
{
	struct rules_case *c = *state;

	run_sql(c,
		"INSERT INTO boot(id, host_id, seq, start_us, start_quality) VALUES(1, 1, 0, 0, "
		"'exact');"
		"INSERT INTO incident(id, host_id, root_event, kind, t_quality, events, gpus, port)"
		" VALUES(1, 1, 1, 'xid', 'exact', 2, 2, '0000:05:00.0')");
	add_fallen(c);
	add_xid(c, 10, 1, 79, 100, 1, 0);
	add_xid(c, 11, 2, 79, 100, 1, 0);
	add_xid(c, 12, 1, 79, 101, 1, 10); /* the same message in another log */
	add_xid(c, 13, 1, 45, 105, 1, 0);
	judge(c);
	assert_int_equal(c->out.broken, 0);
	assert_string_equal(c->out.verdict, "fault");
	assert_string_equal(summary(c),
			    "Both GPUs fell off the bus at 00:01:40 UTC, with all behind "
			    "0000:05:00.0");
	assert_string_equal(ask(c, "SELECT line_id & 255 FROM finding_line l JOIN finding f"
				   " ON f.id = l.finding_id WHERE rule LIKE '%%bus' ORDER BY 1"),
			    "10 11 12");
	assert_string_equal(ask(c, "SELECT why FROM finding_edge"), "same GPU, 5 s later");
	assert_string_equal(ask(c, "SELECT action FROM verdict"), "power_cycle");
	assert_string_equal(ask(c, "SELECT count(*) FROM root"), "1");
}

static void a_card_lost_in_an_older_boot_is_history(void **state)
{
	struct rules_case *c = *state;

	run_sql(c, "INSERT INTO boot(id, host_id, seq, start_us, start_quality) VALUES"
		   "(1, 1, -1, 0, 'exact'), (2, 1, 0, 900000000, 'exact')");
	add_fallen(c);
	add_rule(c, "pcie.width-reduced", "-- shows: condition\n-- symptom: transfer\n",
		 "\n" ROW(1, NULL, NULL, 12884901889));
	add_xid(c, 10, 1, 79, 100, 1, 0);
	judge(c);
	assert_string_equal(ask(c, "SELECT state FROM finding WHERE rule LIKE 'xid%%'"), "history");
	assert_string_equal(ask(c, "SELECT f.rule FROM root r JOIN finding f ON f.id = r.finding_id"
				   " ORDER BY rank"),
			    "pcie.width-reduced xid.fallen-off-bus");
	c->in.symptom = "missing";
	judge(c);
	assert_string_equal(ask(c, "SELECT f.rule FROM root r JOIN finding f ON f.id = r.finding_id"
				   " ORDER BY rank"),
			    "xid.fallen-off-bus pcie.width-reduced");
}

static void an_event_of_an_unknown_card_is_still_told(void **state)
{
	struct rules_case *c = *state;

	run_sql(c, "INSERT INTO coverage(host_id, what, n, whole) VALUES(1, 'log.xid', 9, 1)");
	add_fallen(c);
	add_xid(c, 10, 0, 79, 100, 1, 0);
	judge(c);
	assert_string_equal(summary(c), "An unidentified GPU fell off the bus at 00:01:40 UTC");
	assert_string_equal(ask(c, "SELECT ifnull(gpu_id, '-') || outcome FROM rule_run"
				   " WHERE rule = 'xid.fallen-off-bus'"),
			    "-fired");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, rules_case_open, rules_case_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(explains_a_slow_gpu_by_its_power_limit),
		CASE(reason_bits_settle_it_either_way),
		CASE(stays_quiet_below_ten_percent),
		CASE(two_cards_behind_one_port_are_one_finding),
		CASE(a_card_lost_in_an_older_boot_is_history),
		CASE(an_event_of_an_unknown_card_is_still_told),
	};

	return cmocka_run_group_tests_name("rules_proof", tests, NULL, NULL);
}
