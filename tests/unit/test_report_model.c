#include "report/chart.h"
#include "report/report.h"
#include "store/store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

/* A case with one host, two GPUs and two sources. */
static const char base[] =
	"INSERT INTO bundle VALUES(1, 'b', 'd', NULL, NULL, NULL, 2, 0, NULL);"
	"INSERT INTO host VALUES(1, 1, 'n1', NULL, 'test');"
	"INSERT INTO source(id, bundle_id, host_id, path, lines, parser, status) VALUES"
	" (1, 1, 1, 'a.csv', 100, 'x', 'read'), (2, 1, 1, 'b.log', 100, 'x', 'read');"
	"INSERT INTO gpu(id, host_id, key, label, idx, how) VALUES(1, 1, 'n1/gpu0', 'GPU 0', 0, "
	"'t'),"
	" (2, 1, 'n1/gpu1', 'GPU 1', 1, 't');";

struct fixture {
	struct gpudx_store *store;
	struct gpudx_arena arena;
	struct rep_model m;
};

static int open_case(void **state)
{
	struct fixture *f = test_calloc(1, sizeof(*f));
	struct gpudx_err err = { 0 };

	if (gpudx_store_create(NULL, &f->store, &err) ||
	    gpudx_db_exec(gpudx_store_db(f->store), base, &err))
		return -1;
	f->arena.limit = REP_ARENA;
	*state = f;
	return 0;
}

static int close_case(void **state)
{
	struct fixture *f = *state;

	gpudx_store_close(f->store);
	gpudx_arena_free(&f->arena);
	test_free(f);
	return 0;
}

static struct rep_model *load(struct fixture *f, const char *sql)
{
	struct gpudx_err err = { 0 };

	if (gpudx_db_exec(gpudx_store_db(f->store), sql, &err) ||
	    gpudx_model_load(gpudx_store_db(f->store), 1, &f->arena, &f->m, &err))
		fail_msg("%s", err.text[0]);
	return &f->m;
}

#define FINDING(id, rule, more)                                                                   \
	"INSERT INTO finding(id, rule, bundle_id, host_id, severity, confidence, kind, symptom, " \
	"points, shows, state,"                                                                   \
	" action, at_end, summary) VALUES(" id ", '" rule "', 1, 1, " more                        \
	", 'active', 'none', 1, 's');"
#define WARNING "'warning', 0.7, 'fault', 'slow', 'driver', 'effect'"

static void says_that_there_is_no_such_bundle(void **state)
{
	struct fixture *f = *state;
	struct gpudx_err err = { 0 };

	assert_int_equal(gpudx_model_load(gpudx_store_db(f->store), 7, &f->arena, &f->m, &err),
			 GPUDX_E_USAGE);
	assert_string_equal(err.text[0], "no bundle 7 in this database");
}

static void shows_cited_lines_in_order_with_what_stands_around(void **state)
{
	struct rep_model *m = load(
		*state, FINDING("1", "x.y", WARNING) "INSERT INTO line VALUES(1 << 32 | 4, 30, "
						     "'four'), (1 << 32 | 5, 40, 'five'),"
						     " (1 << 32 | 6, 50, 'six'), (1 << 32 | 9, 80, "
						     "'nine'), (2 << 32 | 1, 0, 'other');"
						     "INSERT INTO finding_line VALUES(1, 1 << 32 | "
						     "9, 'shows'), (1, 2 << 32 | 1, 'shows'),"
						     " (1, 1 << 32 | 5, 'shows'), (1, 1 << 32 | 5, "
						     "'shows'), (1, 1 << 32 | 4, 'against');");
	const struct rep_evidence *e = &m->findings[0].shown;
	const struct rep_line *l = e->places[0].lines;

	assert_int_equal(e->n, 2);
	assert_true(sv_is(e->places[0].path, "a.csv"));
	assert_int_equal(e->places[0].cited, 2);
	assert_int_equal(e->places[0].n, 4);
	assert_int_equal(l[0].number, 4);
	assert_false(l[0].cited);
	assert_int_equal(l[1].number, 5);
	assert_true(l[1].cited && l[1].verbatim);
	assert_int_equal(l[1].offset, 40);
	assert_int_equal(l[3].number, 9);
	assert_true(l[3].cited);
	assert_int_equal(e->places[1].n, 1);
	assert_int_equal(m->findings[0].against.places[0].cited, 1);
}

/* A loud rule must not push out what a quiet one has to say. */
static void hears_every_rule_where_there_are_too_many_findings(void **state)
{
	struct rep_model *m = load(
		*state,
		"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1500)"
		" INSERT INTO finding(id, rule, bundle_id, host_id, severity, confidence, kind,"
		" symptom, points, shows, state, action, at_end, summary)"
		" SELECT i, 'loud.one', 1, 1, 'error', 0.7, 'fault', 'slow', 'driver',"
		" 'effect', 'active', 'none', 1, 's' FROM n;"
		"INSERT INTO root SELECT 1, id, id FROM finding;" FINDING(
			"1501", "quiet.one", WARNING) FINDING("1502", "quiet.one", WARNING));

	assert_int_equal(m->counts.findings, 1502);
	assert_int_equal(m->nfindings, REP_FINDINGS);
	assert_int_equal(m->findings[0].id, 1);
	assert_int_equal(m->findings[997].id, 998);
	assert_int_equal(m->findings[998].id, 1501);
	assert_int_equal(m->findings[999].id, 1502);
}

static void takes_no_line_of_another_source_as_context(void **state)
{
	/* Line 4294967295 of one source is next to line 0 of the following one. */
	struct rep_model *m =
		load(*state,
		     FINDING("1", "x.y", WARNING) "INSERT INTO line VALUES(1 << 32 | 4294967295, "
						  "1, 'last'), (2 << 32 | 1, 0, 'first');"
						  "INSERT INTO finding_line VALUES(1, 2 << 32 | 1, "
						  "'shows'), (1, 1 << 32 | 4294967295, 'shows');");
	const struct rep_evidence *e = &m->findings[0].shown;

	assert_int_equal(e->n, 2);
	assert_int_equal(e->places[0].n, 1);
	assert_int_equal(e->places[1].n, 1);
	assert_true(sv_is(e->places[1].lines[0].text, "last"));
}

static const char samples[] =
	"INSERT INTO gpu_ref(id, source_id, src_boot, idx, samples, gpu_id, t_quality) VALUES"
	" (1, 1, 0, 0, 50, 1, 'exact'), (2, 1, 0, 1, 50, 2, 'exact');"
	"INSERT INTO gpu_sample(ref_id, line, t_raw_us, seq, sm_clock_mhz, temp_c)"
	" WITH RECURSIVE k(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM k WHERE n < 99)"
	" SELECT n % 2 + 1, n + 2, 1000000 * (n / 2), n / 2, 1400 - n, CASE n WHEN 40 THEN NULL "
	"ELSE 50.5 END FROM k;"
	"INSERT INTO gpu_minute(ref_id, t_raw_us, n, first_id, last_id, sm_avg, temp_max)"
	" SELECT ref_id, 0, count(*), min(rowid), max(rowid), avg(sm_clock_mhz), max(temp_c) FROM "
	"gpu_sample GROUP BY 1;";

static void renders_a_sample_from_its_columns_when_its_text_was_not_kept(void **state)
{
	struct fixture *f = *state;
	struct gpudx_err err = { 0 };
	struct rep_model *m;
	const struct rep_place *p;

	assert_int_equal(gpudx_db_exec(gpudx_store_db(f->store), samples, &err), GPUDX_OK);
	m = load(f, FINDING("1", "x.y", WARNING) "INSERT INTO finding_line VALUES(1, 1 << 32 | 2, "
						 "'shows'), (1, 1 << 32 | 42, 'shows'),"
						 " (1, 1 << 32 | 101, 'shows'), (1, 1 << 32 | 1, "
						 "'shows'), (1, 1 << 32 | 102, 'shows');");
	p = &m->findings[0].shown.places[0];
	assert_int_equal(p->n, 5);
	assert_null(p->lines[0].text.p);
	assert_true(sv_is(p->lines[1].text, "sm_clock_mhz=1400 temp_c=50.5"));
	assert_true(sv_is(p->lines[2].text, "sm_clock_mhz=1360"));
	assert_true(sv_is(p->lines[3].text, "sm_clock_mhz=1301 temp_c=50.5"));
	assert_null(p->lines[4].text.p);
	assert_false(p->lines[1].verbatim);
	assert_int_equal(p->lines[1].offset, -1);
}

static void cuts_long_lines_between_characters(void **state)
{
	struct rep_model *m =
		load(*state,
		     FINDING("1", "x.y",
			     WARNING) "INSERT INTO line SELECT 1 << 32 | 3, 0, "
				      "replace(hex(zeroblob(2100)), '00', 'ä') || 'z';"
				      "INSERT INTO finding_line VALUES(1, 1 << 32 | 3, 'shows');");
	const struct rep_line *l = &m->findings[0].shown.places[0].lines[0];

	assert_false(l->verbatim);
	assert_int_equal(l->text.n, REP_TEXT + 3);
	assert_true(sv_ends(l->text, "ä…"));
}

static void folds_each_finding_once_even_in_a_cycle(void **state)
{
	struct rep_model *m = load(
		*state,
		FINDING("1", "a.a", WARNING) FINDING("2", "b.b", WARNING) FINDING("3", "c.c",
										  WARNING)
			FINDING("4", "d.d",
				WARNING) "INSERT INTO finding_edge VALUES(1, 2, 'w'), (2, 3, 'w'), "
					 "(3, 2, 'w'), (3, 1, 'w'), (4, 3, 'w'), (9, 1, 'w');"
					 "INSERT INTO root VALUES(1, 1, 1), (1, 2, 4);"
					 "INSERT INTO verdict VALUES(1, 'fault', 1, 'r', 'none');");

	assert_int_equal(m->nroots, 2);
	assert_int_equal(m->first->id, 1);
	assert_int_equal(m->findings[0].nfolded, 2);
	assert_int_equal(m->findings[0].folded[0]->id, 2);
	assert_int_equal(m->findings[0].folded[1]->id, 3);
	assert_int_equal(m->findings[1].id, 4);
	assert_int_equal(m->findings[1].nfolded, 0);
}

static void knows_the_command_of_the_longest_pattern(void **state)
{
	struct rep_model *m = load(
		*state,
		"DROP TABLE IF EXISTS kb_collect; CREATE TABLE kb_collect(what, command, note, "
		"source);"
		"INSERT INTO kb_collect VALUES('sample.*', 'trace', NULL, ''), ('sample.temp*', "
		"'hot', 'n', ''), ('log.*', 'dmesg', NULL, '');"
		"INSERT INTO rule(id, title, scope, severity, symptom, kind, points, shows, "
		"summary, path, digest) VALUES"
		" ('a.a', 'A', 'bundle', 'info', 'crash', '', '', '', '', '', ''), ('b.b', 'B', "
		"'bundle', 'info', 'slow', '', '', '', '', '', ''),"
		" ('c.c', 'C', 'bundle', 'info', 'slow', '', '', '', '', '', ''), ('f.f', 'F', "
		"'fleet', 'info', 'slow', '', '', '', '', '', '');"
		"INSERT INTO meta VALUES('complaint', 'slow');"
		"INSERT INTO rule_run VALUES('a.a', 1, NULL, 'not_checkable', 'log.xid', NULL), "
		"('b.b', 1, 1, 'not_checkable', 'nothing.known|sample.temp_c sample.x', NULL),"
		" ('b.b', 1, 2, 'clean', NULL, NULL), ('c.c', 1, 1, 'clean', NULL, NULL), ('c.c', "
		"1, 2, 'clean', NULL, NULL), ('a.a', 1, 1, 'not_checkable', 'odd', NULL);");

	assert_int_equal(m->ncollects, 4);
	assert_true(sv_is(m->collects[0].command, "hot"));
	assert_true(sv_is(m->collects[1].command, "trace"));
	assert_true(sv_is(m->collects[2].command, "dmesg"));
	assert_null(m->collects[3].command.p);
	assert_true(m->collects[0].relevant && !m->collects[2].relevant);
	assert_true(sv_is(m->checks[2].collect, "hot"));
	assert_int_equal(m->counts.rules[REP_LACKING], 2);
	assert_int_equal(m->counts.rules[REP_CLEAN], 1);
	assert_int_equal(m->counts.rules[REP_FIRED], 0);
}

static void gathers_the_contract_by_key_host_and_gpu(void **state)
{
	struct rep_model *m =
		load(*state,
		     "DROP TABLE IF EXISTS kb_fact_keys; CREATE TABLE kb_fact_keys(key, type, "
		     "unit, scope, contract, meaning);"
		     "INSERT INTO kb_fact_keys VALUES('driver.version', 'word', NULL, 'host', "
		     "'yes', 'm'), ('temp', 'num', 'C', 'gpu', 'no', NULL), ('limit', 'num', 'W', "
		     "'gpu', 'yes', NULL);"
		     "INSERT INTO fact(source_id, src_boot, host_id, gpu_id, key, layer, value, "
		     "num, unit, line_id) VALUES"
		     " (1, 0, 1, NULL, 'driver.version', 'disk', '1.2', NULL, NULL, 1 << 32 | 3), "
		     "(2, 0, 1, NULL, 'driver.version', 'loaded', '1.3', NULL, NULL, 2 << 32 | 4),"
		     " (1, 0, 1, 2, 'limit', '', '300', 300, 'W', 1 << 32 | 5), (1, 0, 1, 1, "
		     "'limit', '', '400', 400, 'W', 1 << 32 | 6), (1, 0, 1, 1, 'temp', '', '60', "
		     "60, 'C', 1 << 32 | 7);");

	assert_int_equal(m->nterms, 2);
	assert_true(sv_is(m->terms[0].key, "driver.version"));
	assert_true(sv_is(m->terms[0].values[0].state, "conflict"));
	assert_true(sv_is(m->terms[0].values[1].path, "b.log"));
	assert_int_equal(m->terms[1].nvalues, 2);
	assert_ptr_equal(m->terms[1].values[0].gpu, &m->gpus[0]);
	assert_true(m->terms[1].values[0].is_num && m->terms[1].values[0].num == 400.0);
}

/* Wherever memory runs out, it is an error or something is missing; nothing worse. */
static void ends_in_order_wherever_memory_runs_out(void **state)
{
	struct fixture *f = *state;
	struct gpudx_report_options o = { .height = 24 };
	FILE *null = fopen("/dev/null", "w");
	unsigned failed = 0, made = 0;

	assert_non_null(null);
	load(f, samples);
	gpudx_arena_reset(&f->arena);
	load(f,
	     FINDING("1", "a.a", WARNING) FINDING(
		     "2", "b.b",
		     WARNING) "INSERT INTO line VALUES(2 << 32 | 3, 0, 'x'), (2 << 32 | 4, 2, 'y');"
			      "INSERT INTO finding_line VALUES(1, 1 << 32 | 42, 'shows'), (1, 2 << "
			      "32 | 3, 'shows');"
			      "INSERT INTO finding_gpu VALUES(1, 1, NULL), (1, 2, NULL);"
			      "INSERT INTO finding_edge VALUES(1, 2, 'w'); INSERT INTO root "
			      "VALUES(1, 1, 1);"
			      "INSERT INTO verdict VALUES(1, 'fault', 1, 'r', 'none');"
			      "INSERT INTO event(id, source_id, src_boot, kind, t_kind, text, "
			      "line_id) VALUES(1, 2, 0, 'xid', 'utc', 't', 2 << 32 | 3);"
			      "INSERT INTO fact(source_id, src_boot, host_id, key, value, line_id) "
			      "VALUES(2, 0, 1, 'driver.version', '1', 2 << 32 | 3);");
	for (size_t limit = 16; limit < 200000; limit += limit / 16 + 16) {
		struct gpudx_arena small = { .limit = limit };
		struct rep_out out = { { .max = 1 << 20 }, null, 0 };
		struct gpudx_err err = { 0 };
		struct rep_charts none = { .missing = "x" };
		struct rep_model m;

		if (gpudx_model_load(gpudx_store_db(f->store), 1, &small, &m, &err)) {
			assert_int_equal(err.st, GPUDX_E_NOMEM);
			failed++;
		} else {
			made += !gpudx_report_text(&m, &o, &out, &err) &&
				!gpudx_report_json(&m, &out, &err) &&
				!gpudx_report_html(&m, &none, &out, &err);
		}
		gpudx_buf_free(&out.b);
		gpudx_arena_free(&small);
	}
	assert_true(failed > 20 && made > 5);
	fclose(null);
}

static void says_that_the_report_could_not_be_written(void **state)
{
	struct fixture *f = *state;
	struct gpudx_err err = { 0 };
	FILE *full = fopen("/dev/full", "w");

	if (!full)
		skip();
	assert_int_equal(gpudx_report(gpudx_store_db(f->store), 1, GPUDX_HTML, NULL, full, &err),
			 GPUDX_E_IO);
	assert_string_equal(err.text[0], "cannot write the report: No space left on device");
	fclose(full);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(says_that_there_is_no_such_bundle, open_case,
						close_case),
		cmocka_unit_test_setup_teardown(shows_cited_lines_in_order_with_what_stands_around,
						open_case, close_case),
		cmocka_unit_test_setup_teardown(hears_every_rule_where_there_are_too_many_findings,
						open_case, close_case),
		cmocka_unit_test_setup_teardown(takes_no_line_of_another_source_as_context,
						open_case, close_case),
		cmocka_unit_test_setup_teardown(
			renders_a_sample_from_its_columns_when_its_text_was_not_kept, open_case,
			close_case),
		cmocka_unit_test_setup_teardown(cuts_long_lines_between_characters, open_case,
						close_case),
		cmocka_unit_test_setup_teardown(folds_each_finding_once_even_in_a_cycle, open_case,
						close_case),
		cmocka_unit_test_setup_teardown(knows_the_command_of_the_longest_pattern, open_case,
						close_case),
		cmocka_unit_test_setup_teardown(gathers_the_contract_by_key_host_and_gpu, open_case,
						close_case),
		cmocka_unit_test_setup_teardown(ends_in_order_wherever_memory_runs_out, open_case,
						close_case),
		cmocka_unit_test_setup_teardown(says_that_the_report_could_not_be_written,
						open_case, close_case),
	};

	return cmocka_run_group_tests_name("report_model", tests, NULL, NULL);
}
