#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <dirent.h>

#include "base/buf.h"
#include "own_dir.h"
#include "store/store.h"

static struct gpudx_buf real = { .max = 64 << 20 };

/* A case database as another run would have left it, in file x.db and in memory. */
static void make(const char *path)
{
	struct gpudx_err err = { 0 };
	struct gpudx_store *s;
	FILE *f;
	int c;

	unlink(path);
	assert_int_equal(gpudx_store_create(path, &s, &err), GPUDX_OK);
	gpudx_store_close(s);
	f = fopen(path, "rb");
	assert_non_null(f);
	gpudx_buf_clear(&real);
	while ((c = getc(f)) != EOF)
		gpudx_buf_char(&real, (char)c);
	fclose(f);
}

static void change(const char *sql)
{
	sqlite3 *db;
	char *why = NULL;

	make("x.db");
	assert_int_equal(sqlite3_open("x.db", &db), SQLITE_OK);
	if (sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK)
		fail_msg("%s: %s", sql, why);
	sqlite3_close(db);
}

static void refused(const char *path, enum gpudx_status want, const char *why)
{
	struct gpudx_store *s = NULL;
	struct gpudx_err err = { 0 };
	enum gpudx_status rc = gpudx_store_open(path, &s, &err);

	if (rc != want || !strstr(err.text[0], why))
		fail_msg("%s: status %d, \"%s\"", path, (int)rc, err.text[0]);
}

static unsigned files(void)
{
	DIR *d = opendir(".");
	unsigned n = 0;

	assert_non_null(d);
	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

static void opens_what_was_made_by_the_same_program(void **state)
{
	struct gpudx_store *s;
	struct gpudx_err err = { 0 };
	unsigned before;

	(void)state;
	make("a?b%20#c.db");
	before = files();
	assert_int_equal(gpudx_store_open("a?b%20#c.db", &s, &err), GPUDX_OK);
	assert_int_not_equal(
		gpudx_db_exec(gpudx_store_db(s), "INSERT INTO meta VALUES('x', 'y')", &err),
		GPUDX_OK);
	gpudx_store_close(s);
	assert_int_equal(files(), before);
}

static void refuses_any_other_schema(void **state)
{
	static const char *const changes[] = {
		"CREATE TRIGGER t AFTER INSERT ON meta BEGIN SELECT 1; END",
		"CREATE TABLE mine(x)",
		"CREATE INDEX mine ON event(kind)",
		"CREATE VIEW mine AS SELECT 1",
		"DROP VIEW sample; CREATE VIEW sample AS SELECT 1 AS id",
		"ALTER TABLE event ADD COLUMN mine TEXT",
		"DROP TABLE verdict",
		"DROP TABLE kb_xid",
		("PRAGMA writable_schema=ON; UPDATE sqlite_master SET sql = sql || ' ' WHERE name "
		 "= "
		 "'event'"),
	};

	(void)state;
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		change(changes[i]);
		refused("x.db", GPUDX_E_INPUT, "its schema is not that of gpudx");
	}
}

static void refuses_other_marks(void **state)
{
	(void)state;
	change("PRAGMA application_id=1");
	refused("x.db", GPUDX_E_INPUT, "not a database of gpudx");
	change("PRAGMA user_version=9999");
	refused("x.db", GPUDX_E_INPUT, "made by another gpudx (schema 9999");
}

static void refuses_what_is_damaged_or_no_database(void **state)
{
	(void)state;
	make("x.db");
	write_file("cut.db", real.p, 100);
	refused("cut.db", GPUDX_E_INPUT, "cut.db");
	write_file("cut.db", real.p, real.n / 2);
	refused("cut.db", GPUDX_E_INPUT, "cut.db");
	memset(real.p + 100, 0xff, 4000); /* the first page: the schema */
	write_file("cut.db", real.p, real.n);
	refused("cut.db", GPUDX_E_INPUT, "cut.db");
	write_file("text.db", "hello", 5);
	refused("text.db", GPUDX_E_INPUT, "text.db");
	write_file("empty.db", "", 0);
	refused("empty.db", GPUDX_E_INPUT, "empty.db");
	refused("none.db", GPUDX_E_USAGE, "none.db");
	refused(".", GPUDX_E_INPUT, ".");
}

/* Immutable: neither a journal nor a write-ahead log beside it is looked at, replayed or removed.
 */
static void leaves_what_stands_beside_it_alone(void **state)
{
	struct gpudx_store *s = NULL;
	struct gpudx_err err = { 0 };
	unsigned before;

	(void)state;
	make("x.db");
	real.p[18] = real.p[19] = 2; /* says that it is in WAL mode */
	write_file("wal.db", real.p, real.n);
	write_file("wal.db-wal", "hostile", 7);
	write_file("wal.db-journal", "hostile", 7);
	before = files();
	if (gpudx_store_open("wal.db", &s, &err) == GPUDX_OK)
		gpudx_store_close(s);
	assert_int_equal(files(), before);
	assert_int_equal(access("wal.db-wal", F_OK) | access("wal.db-journal", F_OK), 0);
}

/* Single bytes anywhere: opened or refused, never worse. */
static void survives_flipped_bytes(void **state)
{
	struct gpudx_buf copy = { .max = 64 << 20 };

	(void)state;
	make("x.db");
	gpudx_buf_add(&copy, real.p, real.n);
	for (size_t i = 0; i < 150; i++) {
		size_t at = i < 100 ? i : (i * 7919 * 131) % copy.n;
		struct gpudx_store *s = NULL;
		struct gpudx_err err = { 0 };
		char was = copy.p[at];

		copy.p[at] = (char)~was;
		write_file("flip.db", copy.p, copy.n);
		if (gpudx_store_open("flip.db", &s, &err) == GPUDX_OK)
			gpudx_store_close(s);
		else
			assert_int_equal(err.st, GPUDX_E_INPUT);
		copy.p[at] = was;
	}
	gpudx_buf_free(&copy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(opens_what_was_made_by_the_same_program),
		cmocka_unit_test(refuses_any_other_schema),
		cmocka_unit_test(refuses_other_marks),
		cmocka_unit_test(refuses_what_is_damaged_or_no_database),
		cmocka_unit_test(leaves_what_stands_beside_it_alone),
		cmocka_unit_test(survives_flipped_bytes),
	};
	int failed = cmocka_run_group_tests_name("foreign", tests, own_dir_enter, own_dir_leave);

	gpudx_buf_free(&real);
	return failed;
}
