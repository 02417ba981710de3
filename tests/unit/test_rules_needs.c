/* What "no row" means: clean, or not checkable and what was missing. */
#include "rules_case.h"

#define NOTHING "\n" ROW(0, 1, 1, 4294967297) " WHERE 0"

static void cover(struct rules_case *c, int gpu, const char *what, int whole)
{
	run_sql(c,
		"INSERT INTO coverage(host_id, gpu_id, what, n, whole) VALUES(1, nullif(%d, 0), "
		"%Q, 9, %d)",
		gpu, what, whole);
}

static const char *runs(struct rules_case *c)
{
	return ask(
		c,
		"SELECT ifnull(gpu_id, '-') || ':' || outcome || ifnull('(' || missing || ')', '')"
		" FROM rule_run ORDER BY gpu_id");
}

static void clean_needs_all_terms(void **state)
{
	struct rules_case *c = *state;

	add_rule(c, "a.b",
		 "-- needs: sample.power_w sample.power_limit_w|fact.power.limit_w episode.busy\n",
		 NOTHING);
	cover(c, 1, "sample.power_w", 1);
	cover(c, 1, "fact.power.limit_w", 0);
	cover(c, 1, "episode.busy", 1);
	cover(c, 2, "sample.power_w", 1);
	judge(c);
	assert_string_equal(runs(c),
			    "1:clean 2:not_checkable(sample.power_limit_w|fact.power.limit_w "
			    "episode.busy)");
}

static void needs_none_is_always_clean(void **state)
{
	struct rules_case *c = *state;

	add_rule(c, "a.b", "-- needs: none\n", NOTHING);
	judge(c);
	assert_string_equal(runs(c), "-:clean");
}

static void an_excerpt_of_a_log_is_never_clean(void **state)
{
	struct rules_case *c = *state;

	add_rule(c, "a.b", "-- needs: log.xid\n", NOTHING);
	cover(c, 0, "log.xid", 0);
	judge(c);
	assert_string_equal(runs(c), "1:not_checkable(log.xid) 2:not_checkable(log.xid)");
}

static void a_whole_log_covers_all_gpus(void **state)
{
	struct rules_case *c = *state;

	add_rule(c, "a.b", "-- needs: log.xid\n", NOTHING);
	cover(c, 0, "log.xid", 1);
	judge(c);
	assert_string_equal(runs(c), "1:clean 2:clean");
}

static void facts_of_an_unknown_gpu_cover_none(void **state)
{
	struct rules_case *c = *state;

	add_rule(c, "a.b", "-- needs: fact.power.limit_w\n", NOTHING);
	cover(c, 0, "fact.power.limit_w", 1);
	judge(c);
	assert_string_equal(runs(c), "1:not_checkable(fact.power.limit_w) "
				     "2:not_checkable(fact.power.limit_w)");
}

static void terms_of_the_host_hold_for_all_its_gpus(void **state)
{
	struct rules_case *c = *state;

	add_rule(c, "a.b", "-- needs: fact.driver.version sample.util_pct\n", NOTHING);
	cover(c, 1, "fact.driver.version", 1); /* stated by GPU 0's row of a trace */
	cover(c, 1, "sample.util_pct", 1);
	cover(c, 2, "sample.util_pct", 1);
	judge(c);
	assert_string_equal(runs(c), "1:clean 2:clean");
}

static void fires_also_out_of_an_excerpt(void **state)
{
	struct rules_case *c = *state;

	add_rule(c, "a.b", "-- needs: log.xid\n", "\n" ROW(1, 1, 1, 8589934593));
	cover(c, 0, "log.xid", 0);
	judge(c);
	assert_string_equal(runs(c), "1:fired 2:not_checkable(log.xid)");
}

static void no_gpu_is_clean_when_the_finding_names_none(void **state)
{
	struct rules_case *c = *state;

	add_rule(c, "a.b", "-- needs: log.xid\n", "\n" ROW(0, 1, 1, 8589934593));
	cover(c, 0, "log.xid", 1);
	judge(c);
	assert_string_equal(runs(c), "-:fired");
}

static void a_rule_of_the_host_has_one_row(void **state)
{
	struct rules_case *c = *state;

	add_rule(c, "a.b", "-- needs: log.kernel.panic\n", "\n" ROW(2, 1, 1, 8589934593));
	judge(c);
	assert_string_equal(runs(c), "-:fired");
}

static void a_host_without_gpus_is_asked_itself(void **state)
{
	struct rules_case *c = *state;

	run_sql(c, "DELETE FROM gpu");
	add_rule(c, "a.b", "-- needs: log.xid\n", NOTHING);
	add_rule(c, "a.c", "-- needs: sample.power_w\n", NOTHING);
	cover(c, 0, "log.xid", 1);
	judge(c);
	assert_string_equal(runs(c), "-:clean -:not_checkable(sample.power_w)");
}

static void each_host_is_asked(void **state)
{
	struct rules_case *c = *state;

	run_sql(c, "INSERT INTO host(id, bundle_id, name, how) VALUES(5, 1, 'node5', '')");
	add_rule(c, "a.b", "-- needs: log.kernel.panic\n", NOTHING);
	cover(c, 0, "log.kernel.panic", 1);
	judge(c);
	assert_string_equal(ask(c, "SELECT host_id || outcome FROM rule_run ORDER BY host_id"),
			    "1clean 5not_checkable");
}

static void coverage_of_other_times_does_not_count(void **state)
{
	struct rules_case *c = *state;

	run_sql(c, "INSERT INTO coverage(host_id, what, from_us, to_us, n, whole) VALUES"
		   "(1, 'log.kernel.panic', 1000, 2000, 9, 1)");
	add_rule(c, "a.b", "-- needs: log.kernel.panic\n", NOTHING);
	c->in.since_us = 1500;
	judge(c);
	assert_string_equal(runs(c), "-:clean");
	c->in.since_us = 2500;
	judge(c);
	assert_string_equal(runs(c), "-:not_checkable(log.kernel.panic)");
	c->in.since_us = GPUDX_NO_TIME;
	c->in.until_us = 500;
	judge(c);
	assert_string_equal(runs(c), "-:not_checkable(log.kernel.panic)");
}

static const char *settles(struct rules_case *c)
{
	judge(c);
	return ask(c, "SELECT coalesce(settle, '-') FROM finding");
}

static void what_is_there_whole_for_all_gpus_settles_nothing_more(void **state)
{
	struct rules_case *c = *state;

	add_rule(c, "a.b", "-- settle: sample.reasons\n",
		 "\n" ROW(1, 5, 6, 4294967297) " UNION ALL " ROW(2, 5, 6, 4294967297));
	assert_string_equal(settles(c), "sample.reasons sample.reasons");
	cover(c, 1, "sample.reasons", 0);
	cover(c, 2, "sample.reasons", 1);
	assert_string_equal(settles(c), "sample.reasons -");
	cover(c, 0, "sample.reasons", 1);
	assert_string_equal(settles(c), "- -");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, rules_case_open, rules_case_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(clean_needs_all_terms),
		CASE(needs_none_is_always_clean),
		CASE(an_excerpt_of_a_log_is_never_clean),
		CASE(a_whole_log_covers_all_gpus),
		CASE(facts_of_an_unknown_gpu_cover_none),
		CASE(terms_of_the_host_hold_for_all_its_gpus),
		CASE(fires_also_out_of_an_excerpt),
		CASE(no_gpu_is_clean_when_the_finding_names_none),
		CASE(a_rule_of_the_host_has_one_row),
		CASE(a_host_without_gpus_is_asked_itself),
		CASE(each_host_is_asked),
		CASE(what_is_there_whole_for_all_gpus_settles_nothing_more),
		CASE(coverage_of_other_times_does_not_count),
	};

	return cmocka_run_group_tests_name("rules_needs", tests, NULL, NULL);
}
