#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The file itself: its tables come with the program, broken ones only this way. */
#include "../../src/store/kb.c"

static enum gpudx_status load(const char *text, sqlite3 **db, struct gpudx_err *err)
{
	struct kb_table t = { .name = SV("t"), .path = "rules/kb/t.tsv" };

	assert_int_equal(sqlite3_open(":memory:", db), SQLITE_OK);
	return kb_table(*db, &t, sv_str(text), err);
}

static void expect(const char *text, const char *sql, const char *want)
{
	struct gpudx_err err = { 0 };
	sqlite3_stmt *st;
	sqlite3 *db;

	if (load(text, &db, &err))
		fail_msg("%s", err.text[0]);
	assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &st, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(st), SQLITE_ROW);
	assert_string_equal((const char *)sqlite3_column_text(st, 0), want);
	sqlite3_finalize(st);
	sqlite3_close(db);
}

static void gives_cells_the_types_that_they_look_like(void **state)
{
	(void)state;
	expect("# comment\na\tb\tc\n1\t-2\t\n",
	       "SELECT typeof(a) || a || typeof(b) || b || typeof(c) FROM kb_t",
	       "integer1integer-2null");
	expect("a\tb\n007\t1.5\n", "SELECT typeof(a) || typeof(b) FROM kb_t", "texttext");
	expect("a:text\tb:real\n12\t12.10\n", "SELECT typeof(a) || a || typeof(b) || b FROM kb_t",
	       "text12real12.1");
	expect("a\tb\nx\n", "SELECT a || typeof(b) FROM kb_t", "xnull");
	expect("a\n123456789012345678\n", "SELECT a FROM kb_t", "123456789012345678");
}

static void says_where_a_row_is_too_long(void **state)
{
	struct gpudx_err err = { 0 };
	sqlite3 *db;

	(void)state;
	assert_int_equal(load("# comment\n\na\tb\n1\t2\n1\t2\t3\n", &db, &err), GPUDX_E_RULE);
	assert_string_equal(err.text[0], "rules/kb/t.tsv:5: more cells than columns");
	assert_string_equal(err.text[1], "while loading rules/kb/t.tsv");
	sqlite3_close(db);
}

static void refuses_headings_that_are_no_names(void **state)
{
	struct gpudx_err err = { 0 };
	sqlite3 *db;

	(void)state;
	assert_int_not_equal(load("a\ta\n1\t2\n", &db, &err), GPUDX_OK);
	sqlite3_close(db);
	assert_int_not_equal(load("a b c, \"\n1\n", &db, &err), GPUDX_OK);
	sqlite3_close(db);
}

static void loads_all_that_comes_with_the_program(void **state)
{
	struct gpudx_err err = { 0 };
	int64_t n = 0, want = 0;
	sqlite3 *db;

	(void)state;
	for (size_t i = 0; i < gpudx_embedded_count; i++)
		want += sv_starts(sv_str(gpudx_embedded[i].path), "rules/kb/");
	assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
	assert_int_equal(gpudx_kb_load(db, &err), GPUDX_OK);
	assert_int_equal(gpudx_db_int(db, "SELECT count(*) FROM sqlite_master", 0, &n, &err),
			 GPUDX_OK);
	assert_int_equal(n, want);
	assert_int_equal(
		gpudx_db_int(db, "SELECT count(*) FROM kb_xid WHERE code = 79", 0, &n, &err),
		GPUDX_OK);
	assert_int_equal(n, 1);
	sqlite3_close(db);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gives_cells_the_types_that_they_look_like),
		cmocka_unit_test(says_where_a_row_is_too_long),
		cmocka_unit_test(refuses_headings_that_are_no_names),
		cmocka_unit_test(loads_all_that_comes_with_the_program),
	};

	return cmocka_run_group_tests_name("kb", tests, NULL, NULL);
}
