/* The small parts: SQL tokens, templates, patterns, and rules as text for people. */
#include "rules_case.h"
#include "tree.h"

#include "base/glob.h"
#include "gpudx/gpudx.h"
#include "rules/book.h"
#include "rules/fill.h"
#include "rules/sql.h"

#include <sys/stat.h>
#include <unistd.h>

static void reads_sql_tokens(void **state)
{
	static const struct {
		enum gpudx_sql_kind kind;
		const char *text;
		unsigned line;
	} want[] = {
		{ GPUDX_SQL_WORD, "SELECT", 1 },
		{ GPUDX_SQL_STRING, "it''s -- no", 2 },
		{ GPUDX_SQL_PUNCT, ",", 2 },
		{ GPUDX_SQL_QUOTED, "\"a\"\"b\"", 4 },
		{ GPUDX_SQL_QUOTED, "[c]", 4 },
		{ GPUDX_SQL_QUOTED, "`d`", 4 },
		{ GPUDX_SQL_NUMBER, "1.5e-3", 5 },
		{ GPUDX_SQL_PUNCT, "-", 5 },
		{ GPUDX_SQL_NUMBER, ".5", 5 },
		{ GPUDX_SQL_NUMBER, "0x1F", 5 },
		{ GPUDX_SQL_PARAM, ":name_1", 5 },
		{ GPUDX_SQL_PARAM, "?1", 5 },
		{ GPUDX_SQL_PARAM, "@x", 5 },
		{ GPUDX_SQL_WORD,
		  "gr\xc3\xb6\xc3\x9f"
		  "e",
		  5 },
		{ GPUDX_SQL_PUNCT, ";", 5 },
		{ GPUDX_SQL_END, "", 6 },
		{ GPUDX_SQL_END, "", 6 },
	};
	struct gpudx_sql s = { SV_LIT("SELECT\n'it''s -- no', -- : ; '\n/* ; '\n*/\"a\"\"b\" [c] "
				      "`d`\n1.5e-3-.5 0x1F :name_1"
				      " ?1 @x gr\xc3\xb6\xc3\x9f"
				      "e;/**/ -- end\n"),
			       1 };

	(void)state;
	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		struct gpudx_sql_token t = gpudx_sql_next(&s);

		if (t.kind != want[i].kind || !sv_is(t.text, want[i].text))
			fail_msg("token %zu: %d \"%.*s\"", i, (int)t.kind, (int)t.text.n, t.text.p);
		assert_int_equal(t.line, want[i].line);
	}
}

static void ends_at_what_is_not_closed(void **state)
{
	static const char *const texts[] = { "'open",	"\"open", "[open", "/* open",
					     "-- open", "'",	  "/*",	   "" };

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct gpudx_sql s = { sv_str(texts[i]), 1 };

		while (gpudx_sql_next(&s).kind != GPUDX_SQL_END)
			;
		assert_int_equal(s.rest.n, 0);
	}
}

static void star_stands_for_anything(void **state)
{
	static const struct {
		const char *pattern, *text;
		bool match;
	} cases[] = {
		{ "a", "a", true },
		{ "a", "ab", false },
		{ "*", "", true },
		{ "fact.*", "fact.x.y", true },
		{ "fact.*", "facts", false },
		{ "*.b", "a.b", true },
		{ "a*b*c", "axbxbc", true },
		{ "a*b*c", "axbx", false },
		{ "**", "x", true },
		{ "", "", true },
		{ "", "x", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(gpudx_glob(sv_str(cases[i].pattern), sv_str(cases[i].text)),
				 cases[i].match);
}

static bool fill_name(void *arg, struct gpudx_sv name, struct gpudx_buf *b)
{
	(void)arg;
	if (sv_is(name, "none"))
		return false;
	return gpudx_buf_sv(b, name);
}

static void fills_templates(void **state)
{
	static const char *const cases[][2] = {
		{ "", "" },
		{ "plain", "plain" },
		{ "{a}", "a" },
		{ "x {a} y {b|c} z", "x a y b z" },
		{ "{none} {none|} {none|in words, even a | here}",
		  "unknown  in words, even a | here" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct gpudx_buf b = { .max = 1000 };

		gpudx_fill(&b, sv_str(cases[i][0]), fill_name, NULL);
		assert_string_equal(gpudx_buf_cstr(&b), cases[i][1]);
		gpudx_buf_free(&b);
	}
}

static void choices_are_a_sentence(void **state)
{
	char buf[GPUDX_CHOICES_TEXT];

	(void)state;
	for (int i = 0; i < GPUDX_W_LISTS; i++)
		assert_true(strlen(gpudx_word_choices((enum gpudx_words)i, buf)) < sizeof(buf) - 1);
	assert_string_equal(gpudx_word_choices(GPUDX_W_SHOWS, buf), "effect or condition");
}

/* ---- as text ---- */

static char *text_of_file(FILE *f, char *buf, size_t n)
{
	rewind(f);
	buf[fread(buf, 1, n - 1, f)] = '\0';
	fclose(f);
	return buf;
}

static void shows_a_rule_in_prose_first(void **state)
{
	struct rules_case *c = *state;
	FILE *f = tmpfile();
	char buf[4000];

	add_rule(c, "power.cap",
		 "-- params: x=1\n-- meaning: one two three four five six seven eight nine ten "
		 "eleven twelve"
		 " thirteen fourteen\n",
		 "\nSELECT coalesce(:x, 1)\n");
	assert_int_equal(gpudx_ruleset_finish(c->rules, &c->err), GPUDX_OK);
	gpudx_book_show(c->rules->rule[0], f);
	assert_string_equal(
		text_of_file(f, buf, sizeof(buf)),
		"power.cap\na test\n\n"
		"says:           something\n"
		"means:          one two three four five six seven eight nine ten eleven "
		"twelve\n"
		"                thirteen fourteen\n"
		"do:             look\n"
		"look-alikes:    none known\n"
		"kind:           warning, fault; answers to: none; points to: unknown; shows: "
		"effect\n"
		"action:         watch\n"
		"needs:          none\n"
		"parameters:     x=1\n"
		"sources:        none\n"
		"\n\nSELECT coalesce(:x, 1)\n");
}

static void lists_rules_and_their_problems(void **state)
{
	struct rules_case *c = *state;
	char buf[4000];
	FILE *f = tmpfile();

	add_rule(c, "power.cap", "", "\nSELECT 1");
	add_rule(c, "power.bad", "-- kind: odd\n", "\nSELECT 1");
	assert_int_equal(gpudx_ruleset_finish(c->rules, &c->err), GPUDX_OK);
	gpudx_book_list(c->rules, f);
	gpudx_book_problems(c->rules, f);
	assert_string_equal(
		text_of_file(f, buf, sizeof(buf)),
		"power.bad                         warning   odd          (broken: see gpudx rules "
		"check)\n"
		"power.cap                         warning   fault        a test\n"
		"rules/power/bad.sql:15: kind is \"odd\"; write fault, explanation or operation\n");
}

static void write_rule(const char *dir, const char *header, const char *body)
{
	struct gpudx_buf b = { .max = 4096 };
	char path[300];
	FILE *f;

	snprintf(path, sizeof(path), "%s/mine.sql", dir);
	rule_text(&b, "site.mine", header, body);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(b.p, f);
	fclose(f);
	gpudx_buf_free(&b);
}

/* A directory DIR/site with rule mine in it. */
static char *make_site(char *dir)
{
	assert_non_null(mkdtemp(dir));
	memcpy(dir + strlen(dir), "/site", 6);
	assert_int_equal(mkdir(dir, 0700), 0);
	return dir;
}

static void remove_site(char *dir)
{
	dir[strlen(dir) - 5] = '\0';
	assert_int_equal(tree_remove(dir), 0);
}

static void checks_files_that_are_no_part_of_the_program(void **state)
{
	char dir[40] = "/tmp/gpudx-site-XXXXXX", buf[4000];
	struct gpudx_err err = { 0 };
	const char *paths[1];
	size_t problems;
	FILE *f = tmpfile();

	(void)state;
	paths[0] = make_site(dir);
	write_rule(dir, "-- explains: no.such any gpu\n", "\nSELECT 1 AS host_id");
	assert_int_equal(gpudx_rules_check(paths, 1, f, &problems, &err), GPUDX_OK);
	assert_int_equal(problems, 6);
	text_of_file(f, buf, sizeof(buf));
	assert_non_null(
		strstr(buf, "/site/mine.sql:16: explains: no rule is called \"no.such\"\n"));
	assert_non_null(strstr(
		buf, "/site/mine.sql:18: the query gives no column gpu_id; every rule must\n"));
	remove_site(dir);
}

static void judges_through_the_public_interface(void **state)
{
	static const char *const sets[] = { "site.mine.x=7" }, *const bad[] = { "site.mine.y=7" };
	char dir[40] = "/tmp/gpudx-site-XXXXXX", buf[16384];
	struct gpudx_judge_options o = { .complaint = "slow", .sets = sets, .nsets = 1 };
	struct gpudx_err err = { 0 };
	struct gpudx_judged judged;
	struct gpudx_case *c;
	FILE *f = tmpfile();

	(void)state;
	o.rules_dir = make_site(dir);
	write_rule(dir, "-- params: x=1\n", "\n" ROW(0, 1, 1, 1) " WHERE coalesce(:x, 1) = 1");
	assert_int_equal(gpudx_case_create(NULL, &c, &err), GPUDX_OK);
	assert_int_equal(gpudx_case_judge(c, 1, &o, &judged, &err), GPUDX_OK);
	assert_true(judged.rules > 1);	    /* those that ship judge too */
	assert_int_equal(judged.broken, 0); /* with 1 it would have cited a line of no source */
	assert_string_equal(judged.verdict, "cannot_tell");
	o.sets = bad;
	assert_int_equal(gpudx_case_judge(c, 1, &o, &judged, &err), GPUDX_E_USAGE);
	o.nsets = 0;
	assert_int_equal(gpudx_case_judge(c, 1, &o, &judged, &err), GPUDX_OK);
	assert_int_equal(judged.broken, 1);
	gpudx_case_close(c);
	assert_int_equal(gpudx_rules_show(dir, "site.other", f, &err), GPUDX_E_USAGE);
	assert_int_equal(gpudx_rules_show(dir, "site.mine", f, &err), GPUDX_OK);
	assert_int_equal(gpudx_rules_list(dir, f, &err), GPUDX_OK);
	text_of_file(f, buf, sizeof(buf));
	assert_non_null(
		strstr(buf, "site.mine                         warning   fault        a test\n"));
	remove_site(dir);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, rules_case_open, rules_case_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_sql_tokens),
		cmocka_unit_test(ends_at_what_is_not_closed),
		cmocka_unit_test(star_stands_for_anything),
		cmocka_unit_test(fills_templates),
		cmocka_unit_test(choices_are_a_sentence),
		CASE(shows_a_rule_in_prose_first),
		CASE(lists_rules_and_their_problems),
		cmocka_unit_test(checks_files_that_are_no_part_of_the_program),
		cmocka_unit_test(judges_through_the_public_interface),
	};

	return cmocka_run_group_tests_name("rules_text", tests, NULL, NULL);
}
