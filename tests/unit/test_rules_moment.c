/* When a finding was and whether it still holds. */
#include "rules_case.h"

/* A trace of one sample a second from t0 to t1, of GPU 0 in trace.csv. */
static void add_trace(struct rules_case *c, int64_t t0_s, int64_t t1_s, const char *quality)
{
	run_sql(c,
		"INSERT INTO gpu_ref(id, source_id, src_boot, gpu_id, samples, t_offset_us, "
		"t_quality)"
		" VALUES(1, 1, 0, 1, %lld, 1000000, %Q)",
		t1_s - t0_s + 1, quality);
	run_sql(c,
		"WITH RECURSIVE n(t) AS (SELECT %lld UNION ALL SELECT t + 1 FROM n WHERE t < %lld)"
		" INSERT INTO gpu_sample(ref_id, line, t_raw_us) SELECT 1, t, (t - 1) * 1000000 "
		"FROM n",
		t0_s, t1_s);
	run_sql(c, "INSERT INTO gpu_minute(ref_id, t_raw_us, n, first_id, last_id)"
		   " SELECT 1, 0, count(*), min(rowid), max(rowid) FROM gpu_sample");
}

static const char *when(struct rules_case *c)
{
	return ask(c,
		   "SELECT rule || ':' || ifnull(t_quality, '-') || ':' || state || ':' || at_end"
		   " FROM finding ORDER BY id");
}

static void undated_is_active_at_the_end(void **state)
{
	struct rules_case *c = *state;

	add_rule(c, "a.b", "", "\n" ROW(1, NULL, NULL, 12884901889));
	judge(c);
	assert_string_equal(when(c), "a.b:-:active:1");
}

static void the_end_of_a_trace_is_five_seconds_wide(void **state)
{
	struct rules_case *c = *state;

	add_trace(c, 1, 100, "exact");
	add_rule(c, "a.a", "", "\n" ROW(1, 90, 94, 4294967297));
	add_rule(c, "a.b", "", "\n" ROW(1, 90, 95, 4294967297));
	add_rule(c, "a.c", "", "\n" ROW(1, 90, 100, 4294967297));
	judge(c);
	assert_string_equal(when(c), "a.a:exact:unknown:0 a.b:exact:active:1 a.c:exact:active:1");
}

static void or_two_sampling_periods(void **state)
{
	struct rules_case *c = *state;

	add_trace(c, 1, 100, "zone_assumed");
	run_sql(c, "UPDATE gpu_sample SET t_raw_us = t_raw_us * 10");
	add_rule(c, "a.a", "", "\n" ROW(1, 90, 970, 4294967297));
	add_rule(c, "a.b", "", "\n" ROW(1, 90, 971, 4294967297));
	judge(c);
	assert_string_equal(when(c), "a.a:zone_assumed:unknown:0 a.b:zone_assumed:active:1");
}

static void a_log_ends_where_its_coverage_does_if_it_is_whole(void **state)
{
	struct rules_case *c = *state;

	run_sql(c, "INSERT INTO coverage(host_id, what, from_us, to_us, n, whole, source_id) VALUES"
		   "(1, 'log.xid', 0, 100000000, 9, 1, 2), (1, 'log.sxid', 0, 50000000, 9, 1, 2),"
		   "(1, 'log.xid', 0, 20000000, 9, 0, 3)");
	add_rule(c, "a.last", "", "\n" ROW(1, 99, 99, 8589934593));
	add_rule(c, "a.before", "", "\n" ROW(1, 50, 50, 8589934593));
	add_rule(c, "a.excerpt", "", "\n" ROW(1, 20, 20, 12884901889));
	judge(c);
	assert_string_equal(when(c), "a.before:unknown:unknown:0 a.excerpt:unknown:unknown:0 "
				     "a.last:unknown:active:1");
}

static void the_clock_is_that_of_what_is_cited(void **state)
{
	struct rules_case *c = *state;

	add_trace(c, 1, 100, "zone_assumed");
	run_sql(c, "INSERT INTO clock(id, host_id, kind, quality, how) VALUES(1, 1, 'utc', "
		   "'aligned', '');"
		   "UPDATE source SET clock_id = 1 WHERE id IN (2, 3)");
	run_sql(c,
		"INSERT INTO event(id, source_id, src_boot, kind, t_kind, t_us, t_quality, text, "
		"line_id)"
		" VALUES(1, 2, 0, 'xid', 'boot', 9, 'boot_relative', '', %lld)",
		AT(DMESG, 7));
	add_rule(c, "a.event", "", "\n" ROW(1, 9, 9, 8589934599));
	add_rule(c, "a.fact", "", "\n" ROW(1, 9, 9, 12884901889));
	add_rule(c, "a.sample", "", "\n" ROW(1, 9, 9, 4294967299));
	add_rule(c, "a.own", "", "\n" ROW(1, 9, 9, 4294967299) ", 'exact' AS t_quality");
	judge(c);
	assert_string_equal(
		ask(c, "SELECT rule || ':' || t_quality FROM finding ORDER BY id"),
		"a.event:boot_relative a.fact:aligned a.own:exact a.sample:zone_assumed");
}

/* Undated rows are led by dated ones, whatever order their sources have and whatever is known of
 * the clocks of what they cite. */
static void dated_rows_give_the_clock(void **state)
{
	struct rules_case *c = *state;

	run_sql(c, "INSERT INTO clock(id, host_id, kind, quality, how) VALUES"
		   "(1, 1, 'utc', 'aligned', ''), (2, 1, 'order', 'unknown', '');"
		   "UPDATE source SET clock_id = 1 WHERE id = 3;"
		   "UPDATE source SET clock_id = 2 WHERE id IN (1, 2)");
	run_sql(c,
		"INSERT INTO event(id, source_id, src_boot, kind, t_kind, t_us, t_quality, text, "
		"line_id)"
		" VALUES(1, 2, 0, 'xid', 'boot', 9, 'boot_relative', '', %lld)",
		AT(DMESG, 7));
	add_rule(
		c, "a.event", "",
		"\n" ROW(1, 9, 9, 12884901889) ", 'g' AS grp UNION ALL "
					       "SELECT 1, 2, NULL, NULL, 0.9, '[8589934599]', 'g'");
	add_rule(
		c, "a.order", "",
		"\n" ROW(1, 9, 9, 12884901889) ", 'g' AS grp UNION ALL "
					       "SELECT 1, 2, NULL, NULL, 0.9, '[4294967297]', 'g'");
	add_rule(c, "a.says", "",
		 "\n" ROW(1, 9, 9,
			  12884901889) ", 'g' AS grp, NULL AS t_quality UNION ALL "
				       "SELECT 1, 2, NULL, NULL, 0.9, '[12884901889]', 'g', "
				       "'unknown'");
	judge(c);
	assert_string_equal(ask(c, "SELECT rule || ':' || t_quality FROM finding ORDER BY id"),
			    "a.event:aligned a.order:aligned a.says:aligned");
}

static void what_lies_before_the_last_boot_is_history(void **state)
{
	struct rules_case *c = *state;

	run_sql(c, "INSERT INTO boot(id, host_id, seq, start_us, start_quality) VALUES"
		   "(1, 1, -1, 0, 'exact'), (2, 1, 0, 100000000000, 'exact')");
	add_rule(c, "a.after", "",
		 "\n" ROW(1, 100001, 100001, 4294967297) ", 'aligned' AS t_quality");
	add_rule(c, "a.across", "",
		 "\n" ROW(1, 99999, 100001, 4294967297) ", 'exact' AS t_quality");
	add_rule(c, "a.before", "", "\n" ROW(1, 99999, 99999, 4294967297) ", 'exact' AS t_quality");
	add_rule(c, "a.maybe", "",
		 "\n" ROW(1, 50000, 50000, 4294967297) ", 'zone_assumed' AS t_quality");
	add_rule(c, "a.surely", "",
		 "\n" ROW(1, 49000, 49000, 4294967297) ", 'zone_assumed' AS t_quality");
	add_rule(c, "a.sinceboot", "",
		 "\n" ROW(1, 9, 9, 4294967297) ", 'boot_relative' AS t_quality");
	judge(c);
	assert_string_equal(ask(c, "SELECT rule || ':' || state FROM finding ORDER BY id"),
			    "a.across:unknown a.after:unknown a.before:history a.maybe:unknown "
			    "a.sinceboot:unknown a.surely:history");
}

static void what_cites_only_older_boots_is_history(void **state)
{
	struct rules_case *c = *state;

	run_sql(c, "INSERT INTO boot(id, host_id, seq, start_quality) VALUES(1, 1, -1, 'unknown'),"
		   " (2, 1, 0, 'unknown')");
	run_sql(c,
		"INSERT INTO event(id, source_id, src_boot, boot_id, kind, t_kind, text, line_id)"
		" VALUES(1, 2, 0, 1, 'xid', 'none', '', %lld), (2, 2, 1, 2, 'xid', 'none', '', "
		"%lld)",
		AT(DMESG, 7), AT(DMESG, 8));
	add_rule(c, "a.both", "",
		 "\n" ROW(1, NULL, NULL,
			  8589934600) " UNION ALL "
				      "SELECT 1, 1, NULL, NULL, 0.7, '[8589934599, 8589934600]'");
	add_rule(c, "a.old", "", "\n" ROW(1, NULL, NULL, 8589934599));
	judge(c);
	assert_string_equal(when(c), "a.both:-:active:1 a.both:-:active:1 a.old:-:history:0");
}

static void a_row_may_know_better(void **state)
{
	struct rules_case *c = *state;

	add_trace(c, 1, 100, "exact");
	add_rule(c, "a.active", "", "\n" ROW(1, 10, 10, 4294967297) ", 'active' AS state");
	add_rule(c, "a.cured", "", "\n" ROW(1, 10, 100, 4294967297) ", 'cured' AS state");
	add_rule(c, "a.history", "", "\n" ROW(1, NULL, NULL, 4294967297) ", 'history' AS state");
	add_rule(c, "a.open", "", "\n" ROW(1, 10, 100, 4294967297) ", 'unknown' AS state");
	judge(c);
	assert_string_equal(when(c),
			    "a.active:exact:active:1 a.cured:exact:cured:0 a.history:-:history:0 "
			    "a.open:exact:unknown:1");
}

static void since_and_until_limit_what_is_judged(void **state)
{
	struct rules_case *c = *state;

	add_rule(c, "a.boot", "", "\n" ROW(1, 1, 1, 4294967297) ", 'boot_relative' AS t_quality");
	add_rule(c, "a.in", "", "\n" ROW(1, 50, 60, 4294967297) ", 'exact' AS t_quality");
	add_rule(c, "a.left", "", "\n" ROW(1, 10, 39, 4294967297) ", 'exact' AS t_quality, 5 AS x");
	add_rule(c, "a.right", "", "\n" ROW(1, 71, 99, 4294967297) ", 'exact' AS t_quality");
	add_rule(c, "a.touch", "", "\n" ROW(1, 70, 99, 4294967297) ", 'exact' AS t_quality");
	add_rule(c, "a.undated", "", "\n" ROW(1, NULL, NULL, 4294967297));
	c->in.since_us = 40000000;
	c->in.until_us = 70000000;
	judge(c);
	assert_string_equal(ask(c, "SELECT rule FROM finding ORDER BY id"),
			    "a.boot a.in a.touch a.undated");
	assert_string_equal(ask(c, "SELECT count(*) FROM finding_line"), "4");
	assert_string_equal(ask(c, "SELECT count(*) FROM finding_attr"), "0");
	assert_string_equal(ask(c, "SELECT outcome FROM rule_run WHERE rule = 'a.left'"), "clean");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, rules_case_open, rules_case_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(undated_is_active_at_the_end),
		CASE(the_end_of_a_trace_is_five_seconds_wide),
		CASE(or_two_sampling_periods),
		CASE(a_log_ends_where_its_coverage_does_if_it_is_whole),
		CASE(the_clock_is_that_of_what_is_cited),
		CASE(dated_rows_give_the_clock),
		CASE(what_lies_before_the_last_boot_is_history),
		CASE(what_cites_only_older_boots_is_history),
		CASE(a_row_may_know_better),
		CASE(since_and_until_limit_what_is_judged),
	};

	return cmocka_run_group_tests_name("rules_moment", tests, NULL, NULL);
}
