/* What a rule may not do, and how it is stopped. */
#include "rules_case.h"

#include <unistd.h>

/* Judges with this one rule and gives the error that is written of it. */
static const char *error_of(struct rules_case *c, const char *body)
{
	add_rule(c, "a.b", "", body);
	judge(c);
	return ask(c, "SELECT message FROM rule_run WHERE rule = 'a.b' AND outcome = 'error'"
		      " AND host_id IS NULL");
}

static void refuses_all_but_reading(void **state)
{
	static const struct {
		const char *body, *error;
	} cases[] = {
		{ "\nSELECT load_extension('x')", "a rule may not call function load_extension" },
		{ "\nSELECT readfile('/etc/passwd')", "no such function: readfile" },
		{ "\nSELECT randomblob(10)", "a rule may not call function randomblob" },
		{ "\nSELECT zeroblob(1000000000)", "a rule may not call function zeroblob" },
		{ "\nSELECT random()", "a rule may not call function random" },
		{ "\nSELECT last_insert_rowid()",
		  "a rule may not call function last_insert_rowid" },
		{ "\nSELECT * FROM pragma_table_info('gpu')",
		  "a rule may not use pragma_table_info" },
		{ "\nSELECT * FROM finding",
		  "a rule may not read what rules found: table finding" },
		{ "\nSELECT count(*) FROM rule_run",
		  "a rule may not read what rules found: table rule_run" },
		{ "\nWITH x AS (SELECT 1) DELETE FROM gpu", "a rule may only read" },
		{ "\nWITH x AS (SELECT 1) INSERT INTO gpu SELECT * FROM gpu",
		  "a rule may only read" },
		{ "\nWITH x AS (SELECT 1) UPDATE gpu SET label = ''", "a rule may only read" },
		{ "\nATTACH 'x.db' AS y", "this is no query" },
		{ "\nPRAGMA table_info(gpu)", "this is no query" },
		{ "\nSELECT 1; ATTACH 'x.db' AS y", "a second statement" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		void *fresh;
		const char *error;

		rules_case_open(&fresh);
		error = error_of(fresh, cases[i].body);
		if (!strstr(error, cases[i].error))
			fail_msg("%s: \"%s\" instead of \"%s\"", cases[i].body, error,
				 cases[i].error);
		rules_case_close(&fresh);
	}
	assert_int_equal(access("x.db", F_OK), -1);
}

static void allows_json_windows_and_recursion(void **state)
{
	struct rules_case *c = *state;

	add_rule(c, "a.b", "",
		 "\nWITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3)"
		 " SELECT 1 AS host_id, NULL AS gpu_id, NULL AS t0_us, NULL AS t1_us, 0.5 AS "
		 "confidence,"
		 " json_array(j.value) AS evidence, row_number() OVER (ORDER BY j.value) AS place,"
		 " printf('%d', max(j.value) OVER ()) AS text"
		 " FROM n, json_each('[4294967297, 4294967298]') j WHERE n.i = 1");
	judge(c);
	assert_int_equal(c->out.broken, 0);
	assert_int_equal(c->out.findings, 2);
}

static void views_of_the_schema_may_be_read(void **state)
{
	struct rules_case *c = *state;

	add_rule(c, "a.b", "",
		 "\n" ROW(0, 1, 1,
			  4294967297) " FROM (SELECT count(*) FROM contract),"
				      " (SELECT count(*) FROM link), (SELECT count(*) FROM xid)");
	judge(c);
	assert_int_equal(c->out.broken, 0);
	assert_int_equal(c->out.findings, 1);
}

static void ends_a_rule_that_never_ends(void **state)
{
	struct gpudx_fence_limits limits = gpudx_fence_default;
	struct rules_case *c = *state;

	limits.steps = 1000000;
	c->in.limits = &limits;
	assert_string_equal(
		error_of(c, "\nWITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
			    " SELECT i AS host_id, i AS gpu_id, i AS t0_us, i AS t1_us,"
			    " i AS confidence, i AS evidence FROM n WHERE i < 0"),
		"rules/a/b.sql:17: stopped after 1000000 steps");
	assert_int_equal(c->out.broken, 1);
	assert_int_equal(c->out.findings, 0);
}

static void counts_steps_of_each_rule_alone(void **state)
{
	struct gpudx_fence_limits limits = gpudx_fence_default;
	struct rules_case *c = *state;
	char id[20];

	limits.steps = 1000000;
	c->in.limits = &limits;
	for (int i = 0; i < 5; i++) {
		snprintf(id, sizeof(id), "a.b%d", i);
		add_rule(c, id, "",
			 "\nWITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i "
			 "< 50000)"
			 " SELECT 1 AS host_id, NULL AS gpu_id, NULL AS t0_us, NULL AS t1_us, 0.5 "
			 "AS confidence,"
			 " json_array(4294967297) AS evidence, sum(i) AS s FROM n");
	}
	judge(c);
	assert_int_equal(c->out.broken, 0);
	assert_int_equal(c->out.findings, 5);
}

static void keeps_what_a_rule_found_before_a_limit(void **state)
{
	struct gpudx_fence_limits limits = gpudx_fence_default;
	struct rules_case *c = *state;

	limits.steps = 1000000;
	c->in.limits = &limits;
	assert_string_equal(
		error_of(c, "\nWITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
			    " SELECT 1 AS host_id, NULL AS gpu_id, NULL AS t0_us, NULL AS t1_us,"
			    " 0.5 AS confidence, json_array(4294967297) AS evidence FROM n"
			    " WHERE i < 4"),
		"rules/a/b.sql:17: stopped after 1000000 steps; its first 3 "
		"rows are kept");
	assert_int_equal(c->out.broken, 1);
	assert_int_equal(c->out.findings, 3);
	/* it did not look at everything: nobody is clean */
	assert_string_equal(ask(c, "SELECT count(*) FROM rule_run WHERE outcome <> 'error'"), "0");
}

static void keeps_the_first_of_too_many_rows(void **state)
{
	struct rules_case *c = *state;
	const char *body =
		"\nWITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)"
		" SELECT 1 AS host_id, NULL AS gpu_id, NULL AS t0_us, NULL AS t1_us, 0.5 AS "
		"confidence,"
		" json_array(4294967297) AS evidence FROM n";
	char text[400];

	sqlite3_snprintf(sizeof(text), text, body, 10000);
	add_rule(c, "a.enough", "", text);
	sqlite3_snprintf(sizeof(text), text, body, 10001);
	assert_string_equal(
		error_of(c, text),
		"rules/a/b.sql:17: more than 10000 rows; aggregate, or use grp; its first "
		"10000 rows are kept");
	assert_int_equal(c->out.findings, 20000);
}

static void refuses_huge_values(void **state)
{
	struct rules_case *c = *state;

	assert_string_equal(
		error_of(c, "\n" ROW(0, 1, 1, 4294967297) ", replace(printf('%.900000c', 'x'), "
							  "'x', 'xx') AS huge"),
		"rules/a/b.sql:17: a value is longer than 1000000 bytes");
}

static void refuses_to_eat_all_memory(void **state)
{
	struct gpudx_fence_limits limits = gpudx_fence_default;
	struct rules_case *c = *state;

	limits.heap = 4 << 20;
	c->in.limits = &limits;
	assert_string_equal(error_of(c,
				     "\nWITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 "
				     "FROM n WHERE i < 100000)"
				     " SELECT i AS host_id, i AS gpu_id, i AS t0_us, i AS t1_us, i "
				     "AS confidence,"
				     " printf('%.1000c', 'x') || i AS evidence FROM n ORDER BY 6"),
			    "rules/a/b.sql:17: it needs more than 4 MiB of memory");
}

static void a_broken_rule_does_not_stop_the_others(void **state)
{
	struct rules_case *c = *state;

	add_rule(c, "a.a", "-- severity: bad\n", "\n" ROW(1, 1, 2, 4294967297));
	add_rule(c, "a.b", "", "\nSELECT nothing");
	add_rule(c, "a.c", "", "\n" ROW(1, 1, 2, 4294967297));
	judge(c);
	assert_int_equal(c->out.broken, 2);
	assert_int_equal(c->out.rules, 1);
	assert_int_equal(c->out.findings, 1);
	assert_string_equal(ask(c, "SELECT rule || ':' || outcome FROM rule_run ORDER BY rule"),
			    "a.a:error a.b:error a.c:fired");
	assert_string_equal(ask(c, "SELECT id FROM rule"), "a.b a.c");
}

static void leaves_no_trace_on_the_handle(void **state)
{
	struct rules_case *c = *state;
	int length = sqlite3_limit(c->db, SQLITE_LIMIT_LENGTH, -1);
	int64_t hard = sqlite3_hard_heap_limit64(-1), soft = sqlite3_soft_heap_limit64(-1);

	add_rule(c, "a.b", "", "\nSELECT load_extension('x')");
	judge(c);
	assert_int_equal(sqlite3_limit(c->db, SQLITE_LIMIT_LENGTH, -1), length);
	assert_int_equal(sqlite3_hard_heap_limit64(-1), hard);
	assert_int_equal(sqlite3_soft_heap_limit64(-1), soft);
	run_sql(c, "CREATE TABLE afterwards(x); DROP TABLE afterwards; SELECT random()");
	assert_string_equal(ask(c, "SELECT count(*) FROM sqlite_temp_master"), "0");
}

static void judging_again_replaces_what_was_there(void **state)
{
	struct rules_case *c = *state;

	add_rule(c, "a.b", "", "\n" ROW(1, 1, 2, 4294967297));
	add_rule(c, "a.c", "-- explains: a.b any gpu\n", "\n" ROW(1, 1, 2, 4294967298));
	add_rule(c, "a.d", "", "\nSELECT x");
	judge(c);
	judge(c);
	assert_string_equal(ask(c, "SELECT (SELECT count(*) FROM finding) || '/' ||"
				   " (SELECT count(*) FROM finding_line) || '/' ||"
				   " (SELECT count(*) FROM finding_edge) || '/' ||"
				   " (SELECT count(*) FROM rule_run) || '/' ||"
				   " (SELECT count(*) FROM root) || '/' ||"
				   " (SELECT count(*) FROM verdict)"),
			    "2/2/1/3/1/1");
}

static void refuses_an_open_transaction_and_unknown_complaints(void **state)
{
	struct rules_case *c = *state;

	run_sql(c, "BEGIN");
	assert_int_equal(gpudx_judge(c->db, c->rules, &c->in, &c->out, &c->err), GPUDX_E_BUG);
	run_sql(c, "COMMIT");
	c->in.symptom = "tired";
	assert_int_equal(gpudx_judge(c->db, c->rules, &c->in, &c->out, &c->err), GPUDX_E_USAGE);
	assert_string_equal(c->err.text[0],
			    "no complaint is called \"tired\"; one of slow, hang, crash, "
			    "oom, missing, transfer, start or none");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, rules_case_open, rules_case_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_all_but_reading),
		CASE(allows_json_windows_and_recursion),
		CASE(views_of_the_schema_may_be_read),
		CASE(ends_a_rule_that_never_ends),
		CASE(counts_steps_of_each_rule_alone),
		CASE(keeps_what_a_rule_found_before_a_limit),
		CASE(keeps_the_first_of_too_many_rows),
		CASE(refuses_huge_values),
		CASE(refuses_to_eat_all_memory),
		CASE(a_broken_rule_does_not_stop_the_others),
		CASE(leaves_no_trace_on_the_handle),
		CASE(judging_again_replaces_what_was_there),
		CASE(refuses_an_open_transaction_and_unknown_complaints),
	};

	return cmocka_run_group_tests_name("rules_fence", tests, NULL, NULL);
}
