/* Causes, roots and their order. */
#include "rules_case.h"

static const char *edges(struct rules_case *c)
{
	return ask(c, "SELECT a.rule || '>' || b.rule FROM finding_edge e"
		      " JOIN finding a ON a.id = e.cause_id JOIN finding b ON b.id = e.effect_id"
		      " ORDER BY e.cause_id, e.effect_id");
}

static const char *roots(struct rules_case *c)
{
	return ask(c, "SELECT f.rule FROM root r JOIN finding f ON f.id = r.finding_id"
		      " WHERE r.bundle_id = 1 ORDER BY r.rank");
}

#define DATED ", 'exact' AS t_quality"

/* A rule that fires once: GPU, seconds (NULL undated). */
static void fires(struct rules_case *c, const char *id, const char *header, int gpu, const char *t0,
		  const char *t1)
{
	char body[500];

	snprintf(body, sizeof(body),
		 "\nSELECT 1 AS host_id, nullif(%d, 0) AS gpu_id, %s * 1000000 AS t0_us,"
		 " %s * 1000000 AS t1_us, 0.7 AS confidence, '[4294967300]' AS evidence%s",
		 gpu, t0, t1, DATED);
	add_rule(c, id, header, body);
}

static void windows_decide_what_is_explained(void **state)
{
	static const struct {
		const char *window;
		const char *cause[2], *effect[2];
		bool explained;
	} cases[] = {
		{ "overlap", { "10", "20" }, { "15", "30" }, true },
		{ "overlap", { "10", "20" }, { "1", "10" }, true },
		{ "overlap", { "10", "20" }, { "21", "30" }, true }, /* stamps of one second */
		{ "overlap", { "10", "20" }, { "22", "30" }, false },
		{ "overlap", { "NULL", "NULL" }, { "22", "30" }, true },
		{ "overlap", { "10", "20" }, { "NULL", "NULL" }, true },
		{ "+60", { "10", "20" }, { "80", "90" }, true },
		{ "+60", { "10", "20" }, { "81", "90" }, false },
		{ "+60", { "10", "20" }, { "9", "90" }, true },
		{ "+60", { "10", "20" }, { "8", "90" }, false },
		{ "+60", { "NULL", "NULL" }, { "8", "90" }, false },
		{ "+60", { "10", "20" }, { "NULL", "NULL" }, false },
		{ "any", { "10", "20" }, { "8000", "9000" }, true },
		{ "any", { "NULL", "NULL" }, { "8", "90" }, true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct rules_case *c;
		void *fresh;
		char header[100];

		rules_case_open(&fresh);
		c = fresh;
		snprintf(header, sizeof(header), "-- explains: b.effect %s gpu\n", cases[i].window);
		fires(c, "a.cause", header, 1, cases[i].cause[0], cases[i].cause[1]);
		fires(c, "b.effect", "", 1, cases[i].effect[0], cases[i].effect[1]);
		judge(c);
		if ((*edges(c) != '\0') != cases[i].explained)
			fail_msg("case %zu (%s): %s", i, cases[i].window, edges(c));
		assert_string_equal(ask(c, "SELECT count(*) FROM root"),
				    cases[i].explained ? "1" : "2");
		rules_case_close(&fresh);
	}
}

static void clocks_of_different_kinds_are_not_compared(void **state)
{
	struct rules_case *c = *state;

	add_rule(c, "a.cause", "-- explains: b.* overlap gpu\n",
		 "\n" ROW(1, 10, 20, 4294967300) ", 'exact' AS t_quality");
	add_rule(c, "b.aligned", "", "\n" ROW(1, 10, 20, 4294967300) ", 'aligned' AS t_quality");
	add_rule(c, "b.boot", "", "\n" ROW(1, 10, 20, 4294967300) ", 'boot_relative' AS t_quality");
	add_rule(c, "b.local", "", "\n" ROW(1, 10, 20, 4294967300) ", 'zone_assumed' AS t_quality");
	add_rule(c, "b.unknown", "", "\n" ROW(1, 10, 20, 4294967300) ", 'unknown' AS t_quality");
	judge(c);
	assert_string_equal(edges(c), "a.cause>b.aligned");
}

static void scope_is_the_gpu_or_the_host(void **state)
{
	struct rules_case *c = *state;

	run_sql(c, "INSERT INTO host(id, bundle_id, name, how) VALUES(5, 1, 'node5', '')");
	fires(c, "a.gpu", "-- explains: b.* any gpu\n", 1, "1", "2");
	fires(c, "a.host", "-- explains: b.* any host\n", 1, "1", "2");
	fires(c, "b.none", "", 0, "1", "2");
	fires(c, "b.other", "", 2, "1", "2");
	fires(c, "b.same", "", 1, "1", "2");
	add_rule(c, "b.far", "",
		 "\nSELECT 5 AS host_id, NULL AS gpu_id, 1 AS t0_us, 1 AS t1_us,"
		 " 0.7 AS confidence, '[4294967300]' AS evidence" DATED);
	judge(c);
	assert_string_equal(edges(c), "a.gpu>b.same a.host>b.none a.host>b.other a.host>b.same");
}

static void the_nearest_finding_of_a_rule_is_the_cause(void **state)
{
	struct rules_case *c = *state;

	add_rule(c, "a.cause", "-- explains: b.* any gpu\n",
		 "\n" ROW(1, 10, 20, 4294967300) DATED
		 ", 'far' AS w UNION ALL "
		 "SELECT 1, 1, 90000000, 91000000, 0.7, '[4294967300]', 'exact', 'near' UNION ALL "
		 "SELECT 1, 1, 300000000, 400000000, 0.7, '[4294967300]', 'exact', 'later'");
	fires(c, "b.effect", "", 1, "100", "120");
	judge(c);
	assert_string_equal(ask(c, "SELECT a.value FROM finding_edge e JOIN finding_attr a"
				   " ON a.finding_id = e.cause_id"),
			    "near");
	assert_string_equal(ask(c, "SELECT why FROM finding_edge"), "same GPU, 10 s later");
}

static void a_chain_has_one_root_that_counts_all_below(void **state)
{
	struct rules_case *c = *state;

	fires(c, "a.one", "-- explains: b.two any gpu\n", 1, "1", "2");
	fires(c, "b.two", "-- explains: c.* any gpu\n", 1, "1", "2");
	fires(c, "c.three", "", 1, "1", "2");
	fires(c, "c.four", "", 1, "1", "2");
	fires(c, "d.alone", "-- severity: warning\n", 1, "1", "2");
	judge(c);
	assert_string_equal(roots(c), "a.one d.alone");
	assert_string_equal(ask(c, "SELECT reason FROM verdict"),
			    "first of 2: the cause of more of the others");
}

static void notes_are_no_roots(void **state)
{
	struct rules_case *c = *state;

	fires(c, "a.condition", "-- severity: info\n-- shows: condition\n-- kind: explanation\n", 1,
	      "1", "2");
	fires(c, "a.fault", "-- severity: info\n", 1, "1", "2");
	fires(c, "a.explanation", "-- severity: info\n-- kind: explanation\n", 1, "1", "2");
	fires(c, "a.operation", "-- severity: info\n-- kind: operation\n", 1, "1", "2");
	fires(c, "bundle.x", "-- severity: warning\n", 1, "1", "2");
	judge(c);
	assert_string_equal(roots(c), "a.explanation a.operation");
}

static void a_note_that_explains_more_than_notes_stands_for_it(void **state)
{
	struct rules_case *c = *state;

	fires(c, "a.note",
	      "-- severity: info\n-- shows: condition\n-- explains: b.effect any gpu\n", 1, "1",
	      "2");
	fires(c, "a.other", "-- severity: error\n-- shows: condition\n", 1, "1", "2");
	fires(c, "b.effect", "-- severity: error\n", 1, "1", "2");
	fires(c, "bundle.x", "-- explains: b.effect any gpu\n", 1, "1", "2");
	judge(c);
	assert_string_equal(roots(c), "a.note a.other");
}

static void what_the_bundle_lacks_takes_no_finding_away(void **state)
{
	struct rules_case *c = *state;

	fires(c, "b.effect", "", 1, "1", "2");
	fires(c, "bundle.x", "-- explains: b.effect any gpu\n", 1, "1", "2");
	judge(c);
	assert_string_equal(roots(c), "b.effect");
}

/* ---- the order, one pair a criterion; the first must lead although the second wins all that
 * comes later ---- */

struct side {
	const char *header, *t, *rest;
};

#define UNDATED "NULL"

static const struct {
	const char *why;
	struct side first, second;
	const char *symptom;
	int64_t at_us;
} order[] = {
	{ "what was complained about",
	  { "-- symptom: hang\n-- severity: info\n-- kind: explanation\n", "10",
	    ", 'unknown' AS state" },
	  { "-- severity: critical\n", UNDATED, "" },
	  "hang",
	  GPUDX_NO_TIME },
	{ "nearest to the time asked for",
	  { "", "1000", "" },
	  { "-- severity: critical\n", "1400", "" },
	  NULL,
	  1100 * GPUDX_SECOND },
	{ "nearest to the time asked for",
	  { "", "1000", "" },
	  { "-- severity: critical\n", UNDATED, "" },
	  NULL,
	  1100 * GPUDX_SECOND },
	{ "still true at the end",
	  { "-- shows: condition\n", UNDATED, "" },
	  { "-- severity: critical\n", "10", "" },
	  NULL,
	  GPUDX_NO_TIME },
	{ "more severe",
	  { "-- severity: critical\n-- shows: condition\n", "10", "" },
	  { "-- severity: error\n", "20", "" },
	  NULL,
	  GPUDX_NO_TIME },
	{ "more severe",
	  { "-- severity: error\n-- shows: condition\n", "10", "" },
	  { "", "20", "" },
	  NULL,
	  GPUDX_NO_TIME },
	{ "something that was measured",
	  { "-- severity: info\n-- kind: explanation\n", "10", "" },
	  { "-- shows: condition\n", "20", "" },
	  NULL,
	  GPUDX_NO_TIME },
	{ "more severe",
	  { "", "10", "" },
	  { "-- severity: info\n-- kind: explanation\n", "20", "" },
	  NULL,
	  GPUDX_NO_TIME },
	{ "surer", { "", "10", "" }, { "", "20", " - 0.1 AS less" }, NULL, GPUDX_NO_TIME },
	{ "the latest", { "", "20", "" }, { "", "10", "" }, NULL, GPUDX_NO_TIME },
	{ "nearest to the time asked for",
	  { "", "20", "" },
	  { "-- severity: critical\n", "10", ", 'boot_relative' AS t_quality" },
	  NULL,
	  10 * GPUDX_SECOND },
};

static void add_side(struct rules_case *c, const char *id, const struct side *s)
{
	bool less = strstr(s->rest, "less") != NULL, quality = strstr(s->rest, "t_quality") != NULL;
	char body[500];

	snprintf(body, sizeof(body),
		 "\nSELECT 1 AS host_id, 1 AS gpu_id, %s * 1000000 AS t0_us, %s * 1000000 AS t1_us,"
		 " %s AS confidence, '[4294967300]' AS evidence%s%s",
		 s->t, s->t, less ? "0.6" : "0.7", less ? "" : s->rest, quality ? "" : DATED);
	add_rule(c, id, s->header, body);
}

static void orders_roots_by_one_criterion_after_the_other(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		struct rules_case *c;
		void *fresh;
		char want[100];

		rules_case_open(&fresh);
		c = fresh;
		add_side(c, "z.first", &order[i].first);
		add_side(c, "a.second", &order[i].second);
		c->in.symptom = order[i].symptom;
		c->in.at_us = order[i].at_us;
		judge(c);
		snprintf(want, sizeof(want), "first of 2: %s", order[i].why);
		if (strcmp(roots(c), "z.first a.second") != 0)
			fail_msg("case %zu: %s", i, roots(c));
		assert_string_equal(ask(c, "SELECT reason FROM verdict"), want);
		rules_case_close(&fresh);
	}
}

static void names_decide_at_last(void **state)
{
	struct rules_case *c = *state;

	fires(c, "b.b", "", 1, "1", "2");
	fires(c, "b.a", "", 1, "1", "2");
	judge(c);
	assert_string_equal(roots(c), "b.a b.b");
	assert_string_equal(ask(c, "SELECT reason FROM verdict"), "first of 2: first among equals");
}

static void a_root_fits_when_what_it_explains_was_complained_about(void **state)
{
	struct rules_case *c = *state;

	fires(c, "a.cause", "-- explains: b.hang any gpu\n-- symptom: crash\n", 1, "1", "2");
	fires(c, "b.hang", "-- symptom: hang\n", 1, "1", "2");
	fires(c, "c.worse", "-- severity: critical\n", 1, "1", "2");
	c->in.symptom = "hang";
	judge(c);
	assert_string_equal(roots(c), "a.cause c.worse");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, rules_case_open, rules_case_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(windows_decide_what_is_explained),
		CASE(clocks_of_different_kinds_are_not_compared),
		CASE(scope_is_the_gpu_or_the_host),
		CASE(the_nearest_finding_of_a_rule_is_the_cause),
		CASE(a_chain_has_one_root_that_counts_all_below),
		CASE(notes_are_no_roots),
		CASE(a_note_that_explains_more_than_notes_stands_for_it),
		CASE(what_the_bundle_lacks_takes_no_finding_away),
		cmocka_unit_test(orders_roots_by_one_criterion_after_the_other),
		CASE(names_decide_at_last),
		CASE(a_root_fits_when_what_it_explains_was_complained_about),
	};

	return cmocka_run_group_tests_name("rules_graph", tests, NULL, NULL);
}
