/* From rows to findings: the row contract, groups, evidence, sentences. */
#include "rules_case.h"

/* A full row by hand; every argument is SQL. */
#define R(host, gpu, t0, t1, conf, evidence)                                                     \
	"SELECT " host " AS host_id, " gpu " AS gpu_id, " t0 " AS t0_us, " t1 " AS t1_us, " conf \
	" AS confidence, " evidence " AS evidence"
#define LINE "'[4294967300]'"

static const struct {
	const char *body, *error;
} bad_rows[] = {
	{ R("9", "1", "1", "1", "0.5", LINE), "host_id must be a host.id; it is 9" },
	{ R("NULL", "1", "1", "1", "0.5", LINE), "host_id must be a host.id; it is NULL" },
	{ R("'x'", "1", "1", "1", "0.5", LINE), "host_id must be a host.id; it is x" },
	{ R("1", "3", "1", "1", "0.5", LINE),
	  "gpu_id must be a gpu.id of the same host, or NULL; it is 3" },
	{ R("1", "'0'", "1", "1", "0.5", LINE),
	  "gpu_id must be a gpu.id of the same host, or NULL; it is 0" },
	{ R("1", "1", "1.5", "2", "0.5", LINE),
	  "t0_us must be whole microseconds or NULL; it is 1.5" },
	{ R("1", "1", "1", "'2'", "0.5", LINE),
	  "t1_us must be whole microseconds or NULL; it is 2" },
	{ R("1", "1", "-9223372036854775807", "1", "0.5", LINE),
	  "t0_us must be whole microseconds or NULL; it is -9223372036854775807" },
	{ R("1", "1", "2", "1", "0.5", LINE), "t1_us lies before t0_us; it is 1" },
	{ R("1", "1", "1", "1", "NULL", LINE),
	  "confidence must be above 0 and at most 1; it is NULL" },
	{ R("1", "1", "1", "1", "1.5", LINE),
	  "confidence must be above 0 and at most 1; it is 1.5" },
	{ R("1", "1", "1", "1", "'high'", LINE),
	  "confidence must be above 0 and at most 1; it is high" },
	{ R("1", "1", "1", "1", "0.5", "NULL"),
	  "there is no evidence; a rule fires on lines that it can cite; it is NULL" },
	{ R("1", "1", "1", "1", "0.5", "'[]'"),
	  "there is no evidence; a rule fires on lines that it can cite; it is []" },
	{ R("1", "1", "1", "1", "0.5", "json_array(NULL)"), "evidence and against must be JSON" },
	{ R("1", "1", "1", "1", "0.5", "4294967300"), "evidence and against must be JSON" },
	{ R("1", "1", "1", "1", "0.5", "'[1,2'"), "evidence and against must be JSON" },
	{ R("1", "1", "1", "1", "0.5", "'[-1]'"), "evidence and against must be JSON" },
	{ R("1", "1", "1", "1", "0.5", "'[1.5]'"), "evidence and against must be JSON" },
	{ R("1", "1", "1", "1", "0.5", "'[4294967300] x'"), "evidence and against must be JSON" },
	{ R("1", "1", "1", "1", "0.5", "json_array(42949672960 + 1)"),
	  "a line id belongs to no source of the bundle; it is [42949672961]" },
	{ R("1", "1", "1", "1", "0.5", "json_array(4294967296)"),
	  "a line id belongs to no source of the bundle; it is [4294967296]" },
	{ R("1", "1", "1", "1", "0.5", "json_array(17179869185)"), /* of the other bundle */
	  "a line id belongs to no source of the bundle; it is [17179869185]" },
	{ R("1", "1", "1", "1", "0.5", LINE) ", '[1]' AS against",
	  "a line id belongs to no source of the bundle; it is [1]" },
	{ R("1", "1", "1", "1", "0.5", LINE) ", 'bad' AS severity",
	  "severity must be critical, error, warning or info, or NULL; it is bad" },
	{ R("1", "1", "1", "1", "0.5", LINE) ", 'off' AS state",
	  "state must be active, cured, history or unknown, or NULL; it is off" },
	{ R("1", "1", "1", "1", "0.5", LINE) ", 'x' AS action", "action must be none, watch" },
	{ R("1", "1", "1", "1", "0.5", LINE) ", 1 AS kind", "kind must be fault" },
	{ R("1", "1", "1", "1", "0.5", LINE) ", 'x' AS points", "points must be driver" },
	{ R("1", "1", "1", "1", "0.5", LINE) ", 'x' AS instance_id",
	  "instance_id must be a gpu_instance.id or NULL; it is x" },
	{ R("1", "1", "1", "1", "0.5", LINE) ", x'00' AS data",
	  "a column is a blob; return numbers and text" },
};

static void tells_what_is_wrong_with_a_row(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(bad_rows) / sizeof(bad_rows[0]); i++) {
		struct rules_case *c;
		void *fresh;
		const char *error;
		char body[600];

		rules_case_open(&fresh);
		c = fresh;
		snprintf(body, sizeof(body), "\n%s", bad_rows[i].body);
		add_rule(c, "a.b", "", body);
		judge(c);
		error = ask(c, "SELECT message FROM rule_run WHERE outcome = 'error'");
		if (!strstr(error, bad_rows[i].error) ||
		    !strstr(error, "rules/a/b.sql:17: row 1: "))
			fail_msg("%s: \"%s\" instead of \"%s\"", body, error, bad_rows[i].error);
		assert_int_equal(c->out.findings, 0);
		rules_case_close(&fresh);
	}
}

static void one_bad_row_voids_the_rule(void **state)
{
	struct rules_case *c = *state;

	add_rule(c, "a.b", "",
		 "\n" R("1", "1", "1", "1", "0.5", LINE) " UNION ALL " R("1", "1", "1", "1", "2",
									 LINE));
	judge(c);
	assert_int_equal(c->out.findings, 0);
	assert_non_null(strstr(ask(c, "SELECT message FROM rule_run"), "row 2: confidence"));
}

static void leaves_out_hosts_of_other_bundles(void **state)
{
	struct rules_case *c = *state;

	add_rule(c, "a.b", "",
		 "\n" R("h.id", "NULL", "1", "1", "0.5",
			"json_array(h.id << 34 | 1)") " FROM host h WHERE h.id = 2 UNION "
						      "ALL " R("1", "1", "1", "1", "0.5", LINE));
	judge(c);
	assert_int_equal(c->out.broken, 0);
	assert_string_equal(ask(c, "SELECT host_id FROM finding"), "1");
}

static void null_is_neither_zero_nor_a_row(void **state)
{
	struct rules_case *c = *state;

	run_sql(c,
		"INSERT INTO fact(source_id, src_boot, host_id, gpu_id, key, value, num, line_id)"
		" VALUES(3, 0, 1, 1, 'ecc.count', NULL, NULL, %lld),"
		" (3, 0, 1, 2, 'ecc.count', '3', 3, %lld)",
		AT(SNAPSHOT, 5), AT(SNAPSHOT, 6));
	add_rule(c, "a.b", "-- summary: {gpu}: {n} errors, {other} others, {pid|no process}\n",
		 "\nSELECT host_id, gpu_id, NULL AS t0_us, NULL AS t1_us, 0.95 AS confidence,"
		 " json_array(line_id) AS evidence, num AS n, NULL AS other, NULL AS pid"
		 " FROM fact WHERE key = 'ecc.count' AND num > 0");
	judge(c);
	assert_string_equal(ask(c, "SELECT summary FROM finding"),
			    "GPU 1: 3 errors, unknown others, no process");
	assert_string_equal(
		ask(c, "SELECT name || '=' || ifnull(value, 'NULL') || '/' || ifnull(num, 'NULL')"
		       " FROM finding_attr ORDER BY name"),
		"n=3/3.0 other=NULL/NULL pid=NULL/NULL");
}

static void takes_the_header_where_a_row_says_nothing(void **state)
{
	struct rules_case *c = *state;

	add_rule(c, "a.b",
		 "-- points: platform\n-- action: fix_host\n-- settle: boot.journal\n-- symptom: "
		 "hang\n",
		 "\n" R("1", "1", "1", "1", "0.5",
			LINE) ", NULL AS severity, NULL AS kind, NULL AS points,"
			      " NULL AS state, NULL AS action UNION ALL " R(
				      "1", "1", "2", "2", "0.5",
				      LINE) ", 'info', 'operation', 'policy', 'cured', 'none'");
	judge(c);
	assert_string_equal(ask(c, "SELECT severity || ',' || kind || ',' || points || ',' || "
				   "action || ',' || symptom"
				   " || ',' || shows || ',' || settle FROM finding ORDER BY id"),
			    "warning,fault,platform,fix_host,hang,effect,boot.journal "
			    "info,operation,policy,none,hang,effect,boot.journal");
	assert_string_equal(ask(c, "SELECT state || at_end FROM finding WHERE severity = 'info'"),
			    "cured0");
}

/* ---- groups ---- */

static void rows_of_a_group_are_one_finding(void **state)
{
	struct rules_case *c = *state;

	add_rule(c, "a.b", "-- summary: {gpu}: {who} {t0_us} to {t1_us}\n",
		 "\nSELECT 1 AS host_id, column1 AS gpu_id, column2 AS t0_us, column3 AS t1_us,"
		 " column4 AS confidence, column5 AS evidence, column6 AS against, column7 AS "
		 "severity,"
		 " 'same' AS grp, column8 AS who FROM (VALUES"
		 " (1, NULL, NULL, 0.95, '[4294967301]', NULL, 'info', 'undated'),"
		 " (1, 50000000, 60000000, 0.7, '[4294967302, 4294967303]', NULL, 'error', 'weak'),"
		 " (1, 30000000, 40000000, 0.85, '[4294967305, 4294967304]', '[8589934593]', "
		 "'info', 'late line'),"
		 " (1, 30000000, 40000000, 0.85, '[4294967303, 4294967303]', NULL, 'info', 'early "
		 "line'),"
		 " (1, 20000000, 90000000, 0.5, '[4294967306]', '[8589934593]', 'warning', "
		 "'weaker'))");
	judge(c);
	assert_int_equal(c->out.findings, 1);
	assert_string_equal(ask(c, "SELECT summary FROM finding"),
			    "GPU 0: early line 00:00:20 to 00:01:30");
	assert_string_equal(
		ask(c, "SELECT severity || ' ' || confidence || ' ' || grp FROM finding"),
		"error 0.85 same");
	assert_string_equal(ask(c,
				"SELECT line_id & 4294967295 FROM finding_line WHERE role = 'shows'"
				" ORDER BY rowid"),
			    "7 9 8 6 10 5");
	assert_string_equal(ask(c, "SELECT line_id >> 32 FROM finding_line WHERE role = 'against'"),
			    "2");
	assert_string_equal(ask(c, "SELECT gpu_id FROM finding_gpu"), "1");
}

static void rows_without_a_group_stand_alone(void **state)
{
	struct rules_case *c = *state;

	add_rule(c, "a.b", "",
		 "\nSELECT 1 AS host_id, column1 AS gpu_id, 1 AS t0_us, 1 AS t1_us, 0.5 AS "
		 "confidence,"
		 " '[4294967301]' AS evidence, column2 AS grp FROM (VALUES (1, NULL), (2, NULL),"
		 " (1, 7), (2, 7), (2, 'x'))");
	judge(c);
	assert_string_equal(
		ask(c, "SELECT ifnull(f.grp, '-') || ':' || (SELECT count(*) FROM finding_gpu g"
		       " WHERE g.finding_id = f.id) FROM finding f ORDER BY id"),
		"-:1 -:1 7:2 x:1");
}

static void keeps_fifty_lines_and_counts_the_rest(void **state)
{
	struct rules_case *c = *state;

	add_rule(c, "a.b", "",
		 "\nWITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)"
		 " SELECT 1 AS host_id, g AS gpu_id, g AS t0_us, g AS t1_us, 0.5 AS confidence, 1 "
		 "AS grp,"
		 " (SELECT json_group_array(4294967296 + i + 30 * (g - 1)) FROM n) AS evidence"
		 " FROM (SELECT 1 AS g UNION SELECT 2)");
	judge(c);
	assert_string_equal(ask(c, "SELECT more_lines FROM finding"), "40");
	assert_string_equal(
		ask(c, "SELECT count(*) || '-' || max(line_id & 4294967295) FROM finding_line"),
		"50-50");
}

static void names_the_gpus_of_a_finding(void **state)
{
	static const struct {
		const char *gpus, *text;
	} cases[] = {
		{ "(NULL)", "An unidentified GPU is hot, an unidentified GPU" },
		{ "(1)", "GPU 0 is hot, GPU 0" },
		{ "(2), (1)", "GPU 0 and GPU 1 is hot, GPU 0 and GPU 1" },
		{ "(1), (2), (11), (12), (13)",
		  "GPU 0, GPU 1, GPU 2 and 2 more is hot, GPU 0, GPU 1, GPU 2 and 2 more" },
		{ "(1), (2), (11), (12), (13), (14)", "All 6 GPUs is hot, all 6 GPUs" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct rules_case *c;
		void *fresh;
		char body[400];

		rules_case_open(&fresh);
		c = fresh;
		run_sql(c, "INSERT INTO gpu(id, host_id, key, label, how) VALUES(11, 1, '', 'GPU "
			   "2', ''),"
			   " (12, 1, '', 'GPU 3', ''), (13, 1, '', 'GPU 4', ''), (14, 1, '', 'GPU "
			   "5', '')");
		snprintf(body, sizeof(body),
			 "\nSELECT 1 AS host_id, column1 AS gpu_id, 1 AS t0_us, 1 AS t1_us, 0.5 AS "
			 "confidence,"
			 " '[4294967301]' AS evidence, 1 AS grp FROM (VALUES %s)",
			 cases[i].gpus);
		add_rule(c, "a.b", "-- summary: {gpu} is hot, {gpu}\n", body);
		judge(c);
		assert_string_equal(ask(c, "SELECT summary FROM finding"), cases[i].text);
		rules_case_close(&fresh);
	}
}

static void shows_numbers_times_and_hostile_text(void **state)
{
	struct rules_case *c = *state;

	add_rule(c, "a.b",
		 "-- summary: {whole} {part} {int} {seen_us} {never_us} on {host}\n-- meaning: "
		 "{evil}\n"
		 "-- remedy: {long}!\n",
		 "\n" R("1", "1", "1", "1", "0.5",
			LINE) ", 1410.0 AS whole, 399.7 AS part, -5 AS \"int\","
			      " 37230000000 AS seen_us, NULL AS never_us, 'a' || char(27, 10) || "
			      "'b' AS evil,"
			      " replace(printf('%.300c', 'x'), 'x', 'é') AS long");
	judge(c);
	assert_string_equal(ask(c, "SELECT summary FROM finding"),
			    "1410 399.7 -5 10:20:30 unknown on node1");
	assert_string_equal(ask(c, "SELECT meaning FROM finding"), "a\xef\xbf\xbd\xef\xbf\xbd"
								   "b");
	assert_string_equal(ask(c, "SELECT length(remedy) FROM finding"), "204");
	assert_string_equal(ask(c, "SELECT length(value) FROM finding_attr WHERE name = 'long'"),
			    "300");
}

static void says_by_which_clock(void **state)
{
	static const struct {
		const char *quality, *text;
	} cases[] = {
		{ "exact", "00:01:01 UTC" },	{ "aligned", "00:01:01 UTC" },
		{ "zone_assumed", "00:01:01" }, { "boot_relative", "61 s after boot" },
		{ "unknown", "00:01:01" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct rules_case *c;
		void *fresh;
		char body[400];

		rules_case_open(&fresh);
		c = fresh;
		snprintf(body, sizeof(body), "\n%s, '%s' AS t_quality",
			 R("1", "1", "61000000", "61000000", "0.5", LINE), cases[i].quality);
		add_rule(c, "a.b", "-- summary: {t0_us}\n", body);
		judge(c);
		assert_string_equal(ask(c, "SELECT summary FROM finding"), cases[i].text);
		rules_case_close(&fresh);
	}
}

static void compare_rules_know_both_bundles(void **state)
{
	struct rules_case *c = *state;

	add_rule(
		c, "compare.a", "-- scope: compare\n",
		"\n" R("1", "1", "NULL", "NULL", "0.5",
		       "json_array(4294967300, 17179869185)") ", :before AS was, :after AS is_now");
	judge(c);
	assert_string_equal(ask(c, "SELECT count(*) FROM rule_run"),
			    "0"); /* nothing to compare with */
	c->in.before = 2;
	judge(c);
	assert_string_equal(ask(c, "SELECT value FROM finding_attr ORDER BY name"), "1 2");
	assert_string_equal(ask(c, "SELECT outcome FROM rule_run"), "fired");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, rules_case_open, rules_case_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tells_what_is_wrong_with_a_row),
		CASE(one_bad_row_voids_the_rule),
		CASE(leaves_out_hosts_of_other_bundles),
		CASE(null_is_neither_zero_nor_a_row),
		CASE(takes_the_header_where_a_row_says_nothing),
		CASE(rows_of_a_group_are_one_finding),
		CASE(rows_without_a_group_stand_alone),
		CASE(keeps_fifty_lines_and_counts_the_rest),
		cmocka_unit_test(names_the_gpus_of_a_finding),
		CASE(shows_numbers_times_and_hostile_text),
		cmocka_unit_test(says_by_which_clock),
		CASE(compare_rules_know_both_bundles),
	};

	return cmocka_run_group_tests_name("rules_rows", tests, NULL, NULL);
}
