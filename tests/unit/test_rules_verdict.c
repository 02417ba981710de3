/* The verdict: its kinds, its reasons, and what it takes to call a machine healthy. */
#include "rules_case.h"

#define QUIET "\n" ROW(0, 1, 1, 4294967300) " WHERE 0"
#define FIRES "\n" ROW(1, 1, 1, 4294967300) ", 'exact' AS t_quality"

static const char *verdict(struct rules_case *c)
{
	return ask(
		c,
		"SELECT v.kind || ' ' || ifnull(f.rule, '-') || ' ' || v.action || ': ' || v.reason"
		" FROM verdict v LEFT JOIN finding f ON f.id = v.finding_id WHERE v.bundle_id = 1");
}

static void cover(struct rules_case *c, int gpu, const char *what, int whole)
{
	run_sql(c,
		"INSERT INTO coverage(host_id, gpu_id, what, n, whole) VALUES(1, nullif(%d, 0), "
		"%Q, 9, %d)",
		gpu, what, whole);
}

static void is_the_kind_of_the_first_root(void **state)
{
	static const struct {
		const char *header, *want;
	} cases[] = {
		{ "", "fault a.b watch: the only finding that nothing else explains" },
		{ "-- kind: explanation\n-- severity: info\n-- action: none\n",
		  "explanation a.b none: the only finding that nothing else explains" },
		{ "-- kind: operation\n-- severity: info\n-- action: restart_app\n",
		  "operation a.b restart_app: the only finding that nothing else explains" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct rules_case *c;
		void *fresh;

		rules_case_open(&fresh);
		c = fresh;
		add_rule(c, "a.b", cases[i].header, FIRES);
		judge(c);
		assert_string_equal(verdict(c), cases[i].want);
		assert_int_equal(strncmp(verdict(c), c->out.verdict, strlen(c->out.verdict)), 0);
		rules_case_close(&fresh);
	}
}

static void is_healthy_when_a_whole_log_was_seen(void **state)
{
	struct rules_case *c = *state;

	add_rule(c, "a.b", "", QUIET);
	cover(c, 0, "log.xid", 1);
	judge(c);
	assert_string_equal(
		verdict(c),
		"healthy - none: no warning and no error was found, and enough could be "
		"seen of every GPU");
}

static void is_healthy_although_there_are_notes(void **state)
{
	struct rules_case *c = *state;

	add_rule(c, "a.b", "-- severity: info\n", FIRES);
	add_rule(c, "bundle.truncated", "", FIRES);
	cover(c, 0, "log.xid", 1);
	judge(c);
	assert_string_equal(c->out.verdict, "healthy");
	assert_int_equal(c->out.findings, 2);
}

static void cannot_tell_from_an_excerpt(void **state)
{
	struct rules_case *c = *state;

	add_rule(c, "a.b", "", QUIET);
	cover(c, 0, "log.xid", 0);
	judge(c);
	assert_string_equal(
		verdict(c),
		"cannot_tell - collect: nothing was found, but too little could be seen of GPU 0; "
		"that takes a whole kernel log of the boot");
}

static void every_gpu_must_have_been_seen(void **state)
{
	struct rules_case *c = *state;

	add_rule(c, "a.b", "", QUIET);
	c->in.symptom = "slow";
	for (int gpu = 1; gpu <= 2; gpu++) {
		judge(c);
		assert_string_equal(c->out.verdict, "cannot_tell");
		cover(c, gpu, "sample.sm_clock_mhz", 1);
		cover(c, gpu, "sample.power_w", 1);
		cover(c, gpu, "fact.power.limit_w", 1);
		cover(c, gpu, "episode.busy", 1);
	}
	judge(c);
	assert_string_equal(c->out.verdict, "healthy");
}

static void each_complaint_takes_other_evidence(void **state)
{
	struct rules_case *c = *state;

	run_sql(c, "DELETE FROM gpu WHERE id = 2");
	add_rule(c, "a.b", "", QUIET);
	cover(c, 1, "sample.sm_clock_mhz", 1);
	cover(c, 1, "sample.power_w", 1);
	cover(c, 1, "sample.power_limit_w", 1);
	judge(c);
	assert_string_equal(c->out.verdict, "cannot_tell");
	cover(c, 0, "log.xid", 1);
	judge(c);
	assert_string_equal(c->out.verdict, "healthy");
	c->in.symptom = "slow"; /* an idle trace shows no slowness */
	judge(c);
	assert_string_equal(c->out.verdict, "cannot_tell");
	cover(c, 1, "episode.busy", 1);
	judge(c);
	assert_string_equal(c->out.verdict, "healthy");
	c->in.symptom = "none";
	judge(c);
	assert_string_equal(c->out.verdict, "healthy");
}

static void cannot_tell_what_was_cut_off(void **state)
{
	struct rules_case *c = *state;

	add_rule(c, "a.b", "", QUIET);
	cover(c, 0, "log.xid", 1);
	run_sql(c, "UPDATE source SET damage = 'Truncated tar archive' WHERE id = 2");
	judge(c);
	assert_string_equal(verdict(c), "cannot_tell - collect: nothing was found in what could be "
					"read, but dmesg.txt is damaged: Truncated tar archive");
}

static void cannot_tell_with_an_error_that_no_rule_judges(void **state)
{
	struct rules_case *c = *state;

	add_rule(c, "a.b", "", QUIET);
	cover(c, 0, "log.xid", 1);
	run_sql(c,
		"INSERT INTO event(id, source_id, src_boot, host_id, kind, t_kind, text, line_id)"
		" VALUES(1, 2, 0, 1, 'kernel.panic', 'none', 'Kernel panic', 8589934597)");
	run_sql(c, "INSERT INTO event_line VALUES(1, 8589934597, 'first')");
	judge(c);
	assert_string_equal(verdict(c), "cannot_tell - collect: nothing was found, but no rule "
					"judges the error at dmesg.txt:5: Kernel panic");
	add_rule(c, "a.c", "-- severity: info\n", "\n" ROW(0, 1, 1, 8589934597));
	judge(c);
	assert_string_equal(c->out.verdict, "healthy");
}

static void cannot_tell_with_a_broken_rule(void **state)
{
	struct rules_case *c = *state;

	add_rule(c, "a.b", "", QUIET);
	add_rule(c, "a.c", "", "\nSELECT x");
	cover(c, 0, "log.xid", 1);
	judge(c);
	assert_string_equal(verdict(c), "cannot_tell - collect: 1 of the rules could not run");
}

static void cannot_tell_without_rules_or_gpus(void **state)
{
	struct rules_case *c = *state;

	cover(c, 0, "log.xid", 1);
	judge(c);
	assert_string_equal(verdict(c), "cannot_tell - collect: there are no rules to judge by");
	add_rule(c, "a.b", "", QUIET);
	run_sql(c, "DELETE FROM gpu");
	judge(c);
	assert_string_equal(verdict(c), "cannot_tell - collect: nothing in the bundle names a GPU");
}

static void says_when_nothing_fits_the_complaint(void **state)
{
	struct rules_case *c = *state;

	add_rule(c, "a.b", "-- symptom: slow\n", FIRES);
	c->in.symptom = "oom";
	judge(c);
	assert_string_equal(verdict(c),
			    "fault a.b watch: nothing found fits the complaint (oom); the only "
			    "finding that nothing else explains");
}

static void remembers_what_was_asked(void **state)
{
	struct rules_case *c = *state;

	c->in.symptom = "oom";
	c->in.at_us = 37230 * GPUDX_SECOND;
	judge(c);
	assert_string_equal(
		ask(c, "SELECT key || '=' || length(value) FROM meta WHERE key = 'rules_digest'"),
		"rules_digest=64");
	assert_string_equal(
		ask(c, "SELECT key || '=' || value FROM meta WHERE key <> 'rules_digest'"
		       " AND value IS NOT NULL AND key IN ('at', 'complaint') ORDER BY key"),
		"at=1970-01-01T10:20:30 complaint=oom");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, rules_case_open, rules_case_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(is_the_kind_of_the_first_root),
		CASE(is_healthy_when_a_whole_log_was_seen),
		CASE(is_healthy_although_there_are_notes),
		CASE(cannot_tell_from_an_excerpt),
		CASE(every_gpu_must_have_been_seen),
		CASE(each_complaint_takes_other_evidence),
		CASE(cannot_tell_what_was_cut_off),
		CASE(cannot_tell_with_an_error_that_no_rule_judges),
		CASE(cannot_tell_with_a_broken_rule),
		CASE(cannot_tell_without_rules_or_gpus),
		CASE(says_when_nothing_fits_the_complaint),
		CASE(remembers_what_was_asked),
	};

	return cmocka_run_group_tests_name("rules_verdict", tests, NULL, NULL);
}
