/* Reading rules: every mistake in a header or in the SQL is told with its place and what to do. */
#include "rules_case.h"
#include "tree.h"

#include <sys/stat.h>
#include <unistd.h>

#define BODY "\n" ROW(1, 10, 20, 4294967300)

static void finish(struct rules_case *c)
{
	assert_int_equal(gpudx_ruleset_finish(c->rules, &c->err), GPUDX_OK);
	assert_int_equal(gpudx_ruleset_check(c->rules, c->db, &c->err), GPUDX_OK);
}

/* All problems of the set, each as "line: text". */
static const char *problems(struct rules_case *c)
{
	size_t n = 0;

	c->answer[0] = '\0';
	for (const struct gpudx_problem *p = c->rules->problems.first; p; p = p->next)
		n += (size_t)snprintf(c->answer + n, sizeof(c->answer) - n, "%s%u: %s",
				      n ? "\n" : "", p->line, p->text);
	return c->answer;
}

static void expect(struct rules_case *c, const char *text)
{
	finish(c);
	assert_string_equal(problems(c), text);
}

static void reads_a_whole_header(void **state)
{
	struct rules_case *c = *state;
	const struct gpudx_rule *r;

	add_rule(c, "power.cap",
		 "-- needs:    sample.power_w sample.power_limit_w|fact.power.limit_w\n"
		 "-- params:   drop_pct=10 low=-0.5\n"
		 "-- explains: power.* any gpu; clocks.slow +90 host;\n"
		 "-- summary:  first part\n"
		 "--           and the second\n"
		 "--\n",
		 "\n-- a comment of the SQL: not a key\n" ROW(
			 1, 10, 20, 4294967300) " WHERE coalesce(:drop_pct, 10) > COALESCE( :low , "
						"-0.5 ) AND ':x' <> '';  -- end\n");
	add_rule(c, "clocks.slow", "", BODY);
	expect(c, "");
	r = gpudx_ruleset_find(c->rules, SV_LIT("power.cap"));
	assert_string_equal(r->value[GPUDX_K_SUMMARY], "first part and the second");
	assert_int_equal(r->nneeds, 2);
	assert_int_equal(r->needs[1].nalt, 2);
	assert_true(sv_is(r->needs[1].alt[1], "fact.power.limit_w"));
	assert_int_equal(r->nparams, 2);
	assert_int_equal(r->nexplains, 2);
	assert_int_equal(r->explains[1].within_us, 90000000);
	assert_false(r->explains[1].same_gpu);
	assert_true(r->per_gpu);
	assert_null(gpudx_ruleset_find(c->rules, SV_LIT("power.ca")));
}

static void names_an_unknown_and_a_repeated_key(void **state)
{
	struct rules_case *c = *state;

	add_rule(c, "a.b", "-- colour: red\n-- title: again\n-- title: and again\n", BODY);
	expect(c, "15: no key is called \"colour\"; see docs/rules.md\n"
		  "17: \"title\" stands already in line 16; keep one");
}

static void names_a_missing_and_an_empty_key(void **state)
{
	struct rules_case *c = *state;

	assert_int_equal(gpudx_ruleset_add(c->rules, "a/b.sql",
					   SV_LIT("-- id: a.b\n-- title:\n\nSELECT 1"), &c->err),
			 GPUDX_OK);
	assert_non_null(strstr(problems(c), "2: \"title\" is empty; write its value (what the rule "
					    "finds, in one line)"));
	assert_non_null(strstr(problems(c),
			       "1: \"refs\" is missing; add \"-- refs: ...\" (where the "
			       "claim comes from)"));
	assert_null(strstr(problems(c), "params"));
}

static void names_lines_that_are_neither_key_nor_continuation(void **state)
{
	struct rules_case *c = *state;

	add_rule(c, "a.b", "-- this is a remark\n--   of two lines\n--no blank\n", BODY);
	expect(c,
	       "16: not \"-- key: value\"; go on with a value by \"--\" and two or more blanks, or "
	       "leave a line empty before the SQL's own comments");
}

static void names_a_continuation_of_nothing(void **state)
{
	struct rules_case *c = *state;

	assert_int_equal(gpudx_ruleset_add(c->rules, "a/b.sql", SV_LIT("--   of what\n"), &c->err),
			 GPUDX_OK);
	assert_non_null(strstr(problems(c),
			       "1: neither \"-- key: value\" nor \"--   more\" of one; "
			       "write one blank before a key"));
}

static void names_words_that_are_not_in_their_list(void **state)
{
	struct rules_case *c = *state;

	add_rule(c, "a.b",
		 "-- scope: galaxy\n-- severity: W\n-- symptom: tired\n-- kind: bug\n"
		 "-- points: me\n-- shows: all\n-- action: pray\n",
		 BODY);
	expect(c, "9: scope is \"galaxy\"; write bundle, compare or fleet\n"
		  "10: severity is \"W\"; write critical, error, warning or info\n"
		  "11: symptom is \"tired\"; write slow, hang, crash, oom, missing, transfer, "
		  "start or none\n"
		  "12: kind is \"bug\"; write fault, explanation or operation\n"
		  "13: points is \"me\"; write driver, hardware, platform, application, policy or "
		  "unknown\n"
		  "14: shows is \"all\"; write effect or condition\n"
		  "15: action is \"pray\"; write none, watch, restart_app, restart_service, "
		  "reset_gpu, "
		  "reboot_node, power_cycle, drain_rma_candidate, fix_host, fix_config or collect");
}

static void wants_the_id_that_the_path_says(void **state)
{
	struct rules_case *c = *state;
	struct gpudx_buf b = { .max = 4096 };

	rule_text(&b, "power.cap", "", BODY);
	assert_int_equal(gpudx_ruleset_add(c->rules, "x/power/brake.sql", sv_n(b.p, b.n), &c->err),
			 GPUDX_OK);
	assert_int_equal(gpudx_ruleset_add(c->rules, "Power.sql", sv_n(b.p, b.n), &c->err),
			 GPUDX_OK);
	gpudx_buf_free(&b);
	assert_string_equal(
		problems(c),
		"1: the id is \"power.cap\" but folder and file say \"power.brake\"; make them "
		"equal\n"
		"1: a rule lives at FAMILY/NAME.sql, both of a-z, 0-9 and -\n"
		"1: the id is \"power.cap\" but folder and file say \".Power\"; make them equal");
}

static void refuses_what_is_no_text(void **state)
{
	struct rules_case *c = *state;
	static char big[GPUDX_RULE_BYTES + 1];

	memset(big, ' ', sizeof(big));
	assert_int_equal(gpudx_ruleset_add(c->rules, "a/b.sql", sv_n("-- id\0x", 7), &c->err),
			 GPUDX_OK);
	assert_int_equal(gpudx_ruleset_add(c->rules, "a/c.sql", SV_LIT("-- id: \xff"), &c->err),
			 GPUDX_OK);
	assert_int_equal(gpudx_ruleset_add(c->rules, "a/d.sql", sv_n(big, sizeof(big)), &c->err),
			 GPUDX_OK);
	assert_string_equal(problems(c), "1: not a rule file: text in UTF-8 of at most 64 KiB\n"
					 "1: not a rule file: text in UTF-8 of at most 64 KiB\n"
					 "1: not a rule file: text in UTF-8 of at most 64 KiB");
}

static void names_bad_parameters(void **state)
{
	struct rules_case *c = *state;

	add_rule(c, "a.b", "-- params: x Y=1 z=1e3 a=1 a=2\n", BODY " WHERE coalesce(:a, 1)");
	expect(c, "16: params: \"x\" is not name=number with a name of a-z, 0-9 and _\n"
		  "16: params: \"Y=1\" is not name=number with a name of a-z, 0-9 and _\n"
		  "16: params: \"z=1e3\" is not name=number with a name of a-z, 0-9 and _\n"
		  "16: params: a stands twice; keep one");
}

static void keeps_defaults_and_params_equal(void **state)
{
	struct rules_case *c = *state;

	add_rule(c, "a.b", "-- params: a=10 b=5 unused=1\n",
		 "\n" ROW(1, 10, 20, 4294967300) "\nWHERE coalesce(:a, 11) AND :b\n"
						 " AND coalesce(:missing, 3) AND ifnull(:b, 5) AND "
						 "coalesce(?1, 5)");
	expect(c,
	       "19: coalesce(:a, 11) but \"params\" says a=10; make them equal\n"
	       "19: write the parameter as coalesce(:b, NUMBER), so that the rule also runs where "
	       "nothing is bound\n"
	       "20: parameter :missing is not declared; add missing=3 to \"params\"\n"
	       "20: write the parameter as coalesce(:b, NUMBER), so that the rule also runs where "
	       "nothing is bound\n"
	       "20: write the parameter as coalesce(:1, NUMBER), so that the rule also runs where "
	       "nothing is bound\n"
	       "16: parameter b is never used; take it out of \"params\"\n"
	       "16: parameter unused is never used; take it out of \"params\"");
}

static void knows_the_bundles_of_a_comparison(void **state)
{
	struct rules_case *c = *state;

	add_rule(c, "compare.a", "-- scope: compare\n", BODY " WHERE :before < :after");
	add_rule(c, "power.b", "", BODY " WHERE :before < 1");
	expect(c, "17: write the parameter as coalesce(:before, NUMBER), so that the rule also "
		  "runs where "
		  "nothing is bound");
}

static void names_bad_reads(void **state)
{
	struct rules_case *c = *state;

	add_rule(c, "power.cap",
		 "-- reads: event.xid|xid.79 sample.power_w fact.power.limit_w table.change "
		 "event.typo xid.x table.finding log.xid sample.watts|\n",
		 BODY);
	expect(c, "16: reads: \"sample.watts|\" has an empty alternative; write TERM or TERM|TERM "
		  "without blanks\n"
		  "16: reads: no term is called \"event.typo\"; see docs/rules.md\n"
		  "16: reads: no term is called \"xid.x\"; see docs/rules.md\n"
		  "16: reads: no term is called \"table.finding\"; see docs/rules.md\n"
		  "16: reads: no term is called \"log.xid\"; see docs/rules.md");
}

static void names_bad_needs(void **state)
{
	struct rules_case *c = *state;

	add_rule(c, "a.b",
		 "-- needs: sample.power_w| sample.watts fact.power.limit fact.fan.speed_pct "
		 "fact.nvreg.Foo log.xids\n"
		 "--        episode.nap table.tables Trace log.xid|fact.driver.version\n"
		 "-- settle: no.such.thing\n",
		 BODY);
	expect(c,
	       "15: needs: \"sample.power_w|\" has an empty alternative; write TERM or TERM|TERM "
	       "without "
	       "blanks\n"
	       "15: needs: \"sample.watts\": no such column of gpu_sample\n"
	       "15: needs: \"fact.power.limit\": no such key in rules/kb/fact_keys.tsv\n"
	       "15: needs: \"fact.fan.speed_pct\": no such key in rules/kb/fact_keys.tsv\n"
	       "15: needs: \"log.xids\": no such kind in rules/kb/event_kinds.tsv\n"
	       "15: needs: \"episode.nap\": no such kind in rules/kb/episode_kinds.tsv\n"
	       "15: needs: \"table.tables\": no such table\n"
	       "15: needs: \"Trace\": a term is sample.COLUMN, metric.KEY, fact.KEY, log.KIND, "
	       "episode.KIND or table.NAME\n"
	       "17: settle: no line of rules/kb/collect.tsv says how to get no.such.thing; add "
	       "one");
}

static void wants_a_command_for_every_term(void **state)
{
	struct rules_case *c = *state;

	run_sql(c, "DELETE FROM kb_collect WHERE what IN ('log.*', 'log.xid')");
	add_rule(c, "a.b", "-- needs: log.xid\n", BODY);
	expect(c, "15: needs: no line of rules/kb/collect.tsv says how to get log.xid; add one");
	assert_true(gpudx_ruleset_find(c->rules, SV_LIT("a.b"))->broken);
}

static void tells_hosts_from_gpus(void **state)
{
	static const struct {
		const char *id, *needs;
		bool per_gpu;
	} cases[] = {
		{ "a.sample", "sample.util_pct", true },
		{ "a.episode", "episode.busy", true },
		{ "a.table", "table.process_sample", true },
		{ "a.hosttable", "table.boot", false },
		{ "a.view", "table.link", true },
		{ "a.gpufact", "fact.power.limit_w", true },
		{ "a.hostfact", "fact.driver.version", false },
		{ "a.gpulog", "log.xid", true },
		{ "a.hostlog", "log.kernel.panic", false },
		{ "a.either", "log.kernel.panic|sample.util_pct", true },
		{ "a.none", "none", false },
	};
	struct rules_case *c = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char header[100];

		snprintf(header, sizeof(header), "-- needs: %s\n", cases[i].needs);
		add_rule(c, cases[i].id, header, BODY);
	}
	expect(c, "");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(gpudx_ruleset_find(c->rules, sv_str(cases[i].id))->per_gpu,
				 cases[i].per_gpu);
}

static void names_bad_explanations(void **state)
{
	struct rules_case *c = *state;

	add_rule(c, "a.b",
		 "-- explains: a.c overlap; a.c sometimes gpu; a.c +x gpu; a.c any planet;\n"
		 "--           a.c any gpu twice; a.b any gpu; x.y any host; y.* +5 gpu; a.* any "
		 "gpu\n",
		 BODY);
	add_rule(c, "a.c", "", BODY);
#define SHAPE(x)                                                                               \
	"16: explains: \"" x "\" is not ID WINDOW SCOPE; WINDOW is overlap, +SECONDS or any, " \
	"SCOPE is gpu or host\n"
	expect(c,
	       SHAPE("a.c overlap") SHAPE("a.c sometimes gpu") SHAPE("a.c +x gpu") SHAPE(
		       "a.c any planet")
		       SHAPE("a.c any gpu twice") "16: explains: a.b explains itself; take it out\n"
						  "16: explains: no rule is called \"x.y\"\n"
						  "16: explains: no rule is called \"y.*\"");
}

static void names_circles(void **state)
{
	struct rules_case *c = *state;

	add_rule(c, "a.one", "-- explains: b.two any gpu\n", BODY);
	add_rule(c, "b.two", "-- explains: c.* any gpu\n", BODY);
	add_rule(c, "c.three", "-- explains: a.one any gpu; c.four any gpu\n", BODY);
	add_rule(c, "c.four", "", BODY);
	expect(c, "16: explains goes in a circle: a.one explains b.two explains c.three explains "
		  "a.one; "
		  "take one of them out");
	assert_true(gpudx_ruleset_find(c->rules, SV_LIT("c.three"))->broken);
	assert_false(gpudx_ruleset_find(c->rules, SV_LIT("a.one"))->broken);
}

static void names_two_rules_of_one_name(void **state)
{
	struct rules_case *c = *state;

	add_rule(c, "a.b", "", BODY);
	add_rule(c, "a.b", "", BODY);
	expect(c, "1: rule a.b stands already in rules/a/b.sql; give one another name");
	assert_int_equal(c->rules->n, 1);
}

static void wants_exactly_one_query(void **state)
{
	struct rules_case *c = *state;

	add_rule(c, "a.a", "", "\n-- nothing\n");
	add_rule(c, "a.b", "", "\nDELETE FROM finding");
	add_rule(c, "a.c", "", BODY ";\n;SELECT 1");
	add_rule(c, "a.d", "", "\nEXPLAIN SELECT 1");
	assert_int_equal(gpudx_ruleset_finish(c->rules, &c->err), GPUDX_OK);
	assert_string_equal(problems(c),
			    "18: there is no SQL; a rule is one SELECT, or WITH ... SELECT\n"
			    "17: this is no query; a rule is one SELECT, or WITH ... SELECT\n"
			    "18: a second statement; a rule is exactly one\n"
			    "17: this is no query; a rule is one SELECT, or WITH ... SELECT");
}

static void refuses_the_clock_of_the_day(void **state)
{
	struct rules_case *c = *state;

	add_rule(c, "a.b", "",
		 BODY ", strftime('%s', 'now') AS a, datetime() AS b,\n"
		      " datetime(1, 'unixepoch', 'localtime') AS c");
	add_rule(c, "a.c", "", BODY ", CURRENT_TIMESTAMP AS a");
	expect(c,
	       "17: 'now' depends on when and where the rule runs; use times of the bundle\n"
	       "17: datetime() depends on when the rule runs; use times of the bundle\n"
	       "18: 'localtime' depends on when and where the rule runs; use times of the bundle\n"
	       "17: a rule may not call function current_timestamp");
}

static void points_at_the_line_of_an_sql_error(void **state)
{
	struct rules_case *c = *state;

	add_rule(c, "a.b", "", BODY ",\n 1 AS fine,\n no_such_column AS bad");
	finish(c);
#if SQLITE_VERSION_NUMBER >= 3038000
	assert_string_equal(problems(c), "19: no such column: no_such_column");
#endif
}

static void wants_the_columns_of_the_contract_once(void **state)
{
	struct rules_case *c = *state;

	add_rule(c, "a.b", "",
		 "\nSELECT 1 AS host_id, 2 AS gpu_id, 3 AS x, 4 AS x, 5 AS confidence");
	expect(c, "17: the query gives no column t0_us; every rule must\n"
		  "17: the query gives no column t1_us; every rule must\n"
		  "17: the query gives no column evidence; every rule must\n"
		  "17: the query gives column x twice; rename one by AS");
}

static void wants_a_column_for_every_placeholder(void **state)
{
	struct rules_case *c = *state;

	add_rule(c, "a.b",
		 "-- summary: {gpu} of {host} from {t0_us} to {t1_us}: {x|no x}\n"
		 "-- meaning: {nothing} {confidence}\n"
		 "-- remedy: {x and } more\n",
		 BODY ", 1 AS x");
	add_rule(c, "a.c", "-- summary: open {x\n-- meaning: close }\n-- remedy: {}\n",
		 BODY ", 1 AS x");
	expect(c, "14: meaning: {nothing} is no column of the query that fills sentences; select "
		  "one AS "
		  "nothing\n"
		  "14: meaning: {confidence} is no column of the query that fills sentences; "
		  "select one AS "
		  "confidence\n"
		  "15: remedy: {x and } is no column of the query that fills sentences; select one "
		  "AS x and \n"
		  "13: summary: write placeholders as {column} or {column|text when NULL}\n"
		  "14: meaning: write placeholders as {column} or {column|text when NULL}\n"
		  "15: remedy: write placeholders as {column} or {column|text when NULL}");
}

static void refuses_to_walk_through_all_samples(void **state)
{
	struct rules_case *c = *state;

	add_rule(c, "a.all", "",
		 "\n" ROW(1, 10, 20,
			  4294967300) " FROM (SELECT max(power_w) FROM sample GROUP BY gpu_id)");
	add_rule(c, "a.range", "",
		 "\n" ROW(1, 10, 20, 4294967300) " FROM episode e JOIN sample s ON s.id BETWEEN "
						 "e.first_id AND e.last_id"
						 " GROUP BY e.id");
	expect(c,
	       "17: the query walks through all samples; read an episode, a statistic, or a range "
	       "sample.id BETWEEN first_id AND last_id");
	assert_false(gpudx_ruleset_find(c->rules, SV_LIT("a.range"))->broken);
}

static void sets_parameters(void **state)
{
	static const struct {
		const char *set, *error;
	} cases[] = {
		{ "a.b.x=5", NULL },
		{ "a.b.x=-2.5", NULL },
		{ "a.b.x=five", "a.b.x: \"five\" is no number" },
		{ "a.b.x", "\"a.b.x\" is not RULE.PARAMETER=NUMBER" },
		{ "a.c.x=1", "a.c.x=1: no rule is called \"a.c\"" },
		{ "x=1", "x=1: no rule is called \"\"" },
		{ "a.b.y=1", "rule a.b has no parameter y; it has: x=1" },
	};
	struct rules_case *c = *state;

	add_rule(c, "a.b", "-- params: x=1\n", BODY ", coalesce(:x, 1) AS x");
	finish(c);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		enum gpudx_status rc = gpudx_ruleset_set(c->rules, cases[i].set, &c->err);

		assert_int_equal(rc, cases[i].error ? GPUDX_E_USAGE : GPUDX_OK);
		if (cases[i].error)
			assert_string_equal(c->err.text[0], cases[i].error);
	}
	judge(c);
	assert_string_equal(ask(c, "SELECT num FROM finding_attr WHERE name = 'x'"), "-2.5");
	assert_string_equal(ask(c, "SELECT params FROM rule"), "x=-2.5");
}

static void digest_depends_on_texts_only(void **state)
{
	struct rules_case *c = *state;
	char one[GPUDX_SHA256_HEX], two[GPUDX_SHA256_HEX];
	struct gpudx_ruleset *other;

	add_rule(c, "a.b", "", BODY);
	add_rule(c, "a.a", "", BODY);
	finish(c);
	gpudx_ruleset_digest(c->rules, one);
	assert_int_equal(gpudx_ruleset_new(&other, &c->err), GPUDX_OK);
	gpudx_ruleset_free(c->rules);
	c->rules = other;
	add_rule(c, "a.a", "", BODY);
	add_rule(c, "a.b", "", BODY);
	finish(c);
	gpudx_ruleset_digest(c->rules, two);
	assert_string_equal(one, two);
	add_rule(c, "a.c", "", BODY);
	finish(c);
	gpudx_ruleset_digest(c->rules, two);
	assert_string_not_equal(one, two);
}

/* ---- files ---- */

static void write_file(const char *dir, const char *family, const char *name)
{
	struct gpudx_buf b = { .max = 4096 };
	char path[300], id[100];
	FILE *f;

	snprintf(id, sizeof(id), "%s.%s", family, name);
	rule_text(&b, id, "", BODY);
	snprintf(path, sizeof(path), "%s/%s/%s.sql", dir, family, name);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(b.p, f);
	fclose(f);
	gpudx_buf_free(&b);
}

static void make_directory(const char *dir, const char *below)
{
	char path[300];

	snprintf(path, sizeof(path), "%s/%s", dir, below);
	assert_int_equal(mkdir(path, 0700), 0);
}

static void reads_a_directory_of_families(void **state)
{
	char dir[] = "/tmp/gpudx-rules-XXXXXX", path[300];
	struct rules_case *c = *state;
	struct gpudx_ruleset *set;
	size_t all;
	FILE *f;

	assert_non_null(mkdtemp(dir));
	make_directory(dir, "site-power");
	make_directory(dir, "site-power/deeper");
	make_directory(dir, "site-xid");
	snprintf(path, sizeof(path), "%s/README", dir);
	f = fopen(path, "w");
	assert_non_null(f);
	fclose(f);
	write_file(dir, "site-power", "cap");
	write_file(dir, "site-power", "brake");
	write_file(dir, "site-xid", "other");
	assert_int_equal(gpudx_ruleset_load(dir, &set, &c->err), GPUDX_OK);
	assert_int_equal(set->problems.n, 0);
	assert_non_null(gpudx_ruleset_find(set, SV_LIT("site-power.brake")));
	assert_non_null(gpudx_ruleset_find(set, SV_LIT("site-xid.other")));
	assert_non_null(gpudx_ruleset_find(set, SV_LIT("xid.other"))); /* beside it */
	all = set->n;
	gpudx_ruleset_free(set);

	snprintf(path, sizeof(path), "%s/site-power/cap.sql", dir);
	assert_int_equal(gpudx_ruleset_load(path, &set, &c->err), GPUDX_OK);
	assert_int_equal(set->n, all - 2);
	gpudx_ruleset_free(set);
	snprintf(path, sizeof(path), "%s/site-power/", dir);
	assert_int_equal(gpudx_ruleset_load(path, &set, &c->err), GPUDX_OK);
	assert_int_equal(set->n, all - 1);
	gpudx_ruleset_free(set);
	assert_int_equal(tree_remove(dir), 0);
}

static void says_when_there_are_no_rules_in_a_directory(void **state)
{
	char dir[] = "/tmp/gpudx-rules-XXXXXX", text[300];
	struct rules_case *c = *state;
	struct gpudx_ruleset *set;

	assert_non_null(mkdtemp(dir));
	assert_int_equal(gpudx_ruleset_load(dir, &set, &c->err), GPUDX_E_USAGE);
	snprintf(text, sizeof(text), "%s: no rule in it; rules are FAMILY/NAME.sql", dir);
	assert_string_equal(c->err.text[0], text);
	assert_null(set);
	assert_int_equal(gpudx_ruleset_load("/no/such", &set, &c->err), GPUDX_E_USAGE);
	assert_string_equal(c->err.text[0], "/no/such: No such file or directory");
	assert_int_equal(rmdir(dir), 0);
}

static void the_rules_in_the_program_are_sound(void **state)
{
	struct rules_case *c = *state;
	struct gpudx_ruleset *set;
	struct gpudx_store *store;

	assert_int_equal(gpudx_ruleset_load(NULL, &set, &c->err), GPUDX_OK);
	assert_int_equal(gpudx_store_create(NULL, &store, &c->err), GPUDX_OK);
	assert_int_equal(gpudx_ruleset_check(set, gpudx_store_db(store), &c->err), GPUDX_OK);
	for (const struct gpudx_problem *p = set->problems.first; p; p = p->next)
		print_error("%s:%u: %s\n", p->path, p->line, p->text);
	assert_int_equal(set->problems.n, 0);
	gpudx_store_close(store);
	gpudx_ruleset_free(set);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, rules_case_open, rules_case_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(reads_a_whole_header),
		CASE(names_an_unknown_and_a_repeated_key),
		CASE(names_a_missing_and_an_empty_key),
		CASE(names_lines_that_are_neither_key_nor_continuation),
		CASE(names_a_continuation_of_nothing),
		CASE(names_words_that_are_not_in_their_list),
		CASE(wants_the_id_that_the_path_says),
		CASE(refuses_what_is_no_text),
		CASE(names_bad_parameters),
		CASE(keeps_defaults_and_params_equal),
		CASE(knows_the_bundles_of_a_comparison),
		CASE(names_bad_reads),
		CASE(names_bad_needs),
		CASE(wants_a_command_for_every_term),
		CASE(tells_hosts_from_gpus),
		CASE(names_bad_explanations),
		CASE(names_circles),
		CASE(names_two_rules_of_one_name),
		CASE(wants_exactly_one_query),
		CASE(refuses_the_clock_of_the_day),
		CASE(points_at_the_line_of_an_sql_error),
		CASE(wants_the_columns_of_the_contract_once),
		CASE(wants_a_column_for_every_placeholder),
		CASE(refuses_to_walk_through_all_samples),
		CASE(sets_parameters),
		CASE(digest_depends_on_texts_only),
		CASE(reads_a_directory_of_families),
		CASE(says_when_there_are_no_rules_in_a_directory),
		CASE(the_rules_in_the_program_are_sound),
	};

	return cmocka_run_group_tests_name("rules_load", tests, NULL, NULL);
}
