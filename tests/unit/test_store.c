#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <math.h>
#include <signal.h>
#include <sys/resource.h>

#include "base/stamp.h"
#include "own_dir.h"
#include "store/store.h"

static struct gpudx_sample sample(uint32_t i)
{
	struct gpudx_sample v = {
		.ref = 1 + i % 8, .line = i, .t_us = (int64_t)i * GPUDX_SECOND, .seq = i
	};

	gpudx_sample_set(&v, GPUDX_COL_SM_CLOCK, i);
	gpudx_sample_set(&v, GPUDX_COL_POWER, i + 0.25);
	return v;
}

static void put_line(struct gpudx_store *s, int64_t id, struct gpudx_sv text)
{
	struct gpudx_row r;

	gpudx_row_begin(&r, gpudx_store_rows(s), GPUDX_T_LINE);
	gpudx_row_int(&r, id);
	gpudx_row_int(&r, id * 10);
	gpudx_row_text(&r, text);
	gpudx_row_end(&r);
}

static int64_t number(struct gpudx_store *s, const char *sql)
{
	struct gpudx_err err = { 0 };
	int64_t n = -1;

	if (gpudx_db_int(gpudx_store_db(s), sql, -1, &n, &err))
		fail_msg("%s", err.text[0]);
	return n;
}

/* More than all batches hold, so both threads wait for each other. */
static void writes_samples_and_rows_in_order(void **state)
{
	struct gpudx_store *s;
	struct gpudx_err err = { 0 };

	(void)state;
	assert_int_equal(gpudx_store_create(NULL, &s, &err), GPUDX_OK);
	assert_int_equal(gpudx_store_begin(s, &err), GPUDX_OK);
	for (uint32_t i = 1; i <= 50001; i++) {
		struct gpudx_sample v = sample(i);

		assert_int_equal(gpudx_store_sample(s, &v), i);
		if (i % 5 == 0)
			put_line(s, i,
				 SV_LIT("text of a line that is somewhat longer than nothing"));
	}
	assert_true(gpudx_store_ok(s));
	assert_int_equal(gpudx_store_end(s, &err), GPUDX_OK);
	assert_int_equal(
		number(s,
		       "SELECT count(*) FROM gpu_sample WHERE rowid = line AND sm_clock_mhz = line"
		       " AND power_w = line + 0.25 AND pstate IS NULL"),
		50001);
	assert_int_equal(number(s, "SELECT count(*) FROM line WHERE byte_offset = id * 10"), 10000);
	/* A second run goes on behind the first. */
	assert_int_equal(gpudx_store_begin(s, &err), GPUDX_OK);
	assert_int_equal(
		gpudx_store_sample(s, &(struct gpudx_sample){ .ref = 1, .t_us = GPUDX_NO_TIME }),
		50002);
	assert_int_equal(gpudx_store_end(s, &err), GPUDX_OK);
	assert_int_equal(number(s, "SELECT count(*) FROM gpu_sample WHERE t_raw_us IS NULL"), 1);
	gpudx_store_close(s);
}

static void stores_what_is_unknown_as_null(void **state)
{
	struct gpudx_store *s;
	struct gpudx_err err = { 0 };
	struct gpudx_row r;

	(void)state;
	assert_int_equal(gpudx_store_create(NULL, &s, &err), GPUDX_OK);
	assert_int_equal(gpudx_store_begin(s, &err), GPUDX_OK);
	gpudx_row_begin(&r, gpudx_store_rows(s), GPUDX_T_ANCHOR);
	gpudx_row_int(&r, 1);
	gpudx_row_int(&r, 0);
	gpudx_row_str(&r, "rtc");
	gpudx_row_time(&r, GPUDX_NO_TIME);
	gpudx_row_unless(&r, -1, -1);
	gpudx_row_real(&r, (double)NAN);
	gpudx_row_text(&r, sv_n(NULL, 0));
	gpudx_row_int(&r, 1);
	gpudx_row_end(&r);
	assert_int_equal(gpudx_store_end(s, &err), GPUDX_OK);
	assert_int_equal(number(s, "SELECT count(*) FROM clock_anchor WHERE mono_us IS NULL AND "
				   "local_us IS NULL"
				   " AND utc_us IS NULL AND offset_min IS NULL"),
			 1);
	gpudx_store_close(s);
}

static void encodes_and_decodes_rows(void **state)
{
	struct gpudx_buf b = { .max = 4096 };
	struct gpudx_val v[32];
	enum gpudx_table t;
	struct gpudx_sv cursor;
	struct gpudx_row r;
	int n;

	(void)state;
	gpudx_row_begin(&r, &b, GPUDX_T_LINE);
	gpudx_row_int(&r, INT64_MIN);
	gpudx_row_real(&r, 0.5);
	gpudx_row_text(&r, sv_n("a\0\xff", 3));
	gpudx_row_end(&r);
	cursor = sv_n(b.p, b.n);
	assert_true(gpudx_row_next(&cursor, &t, v, &n));
	assert_int_equal(t, GPUDX_T_LINE);
	assert_int_equal(n, 3);
	assert_true(v[0].type == GPUDX_V_INT && v[0].i == INT64_MIN);
	assert_true(v[1].type == GPUDX_V_REAL && v[1].d > 0.4 && v[1].d < 0.6);
	assert_int_equal(v[2].type, GPUDX_V_TEXT);
	assert_int_equal(v[2].s.n, 5);
	assert_memory_equal(v[2].s.p, "a\0\xef\xbf\xbd", 5); /* valid UTF-8 */
	assert_false(gpudx_row_next(&cursor, &t, v, &n));
	gpudx_buf_free(&b);
}

/* The disk is full: the reader is told to stop, the end says why, nothing hangs. */
static void says_when_it_cannot_be_written(void **state)
{
	struct rlimit was, small;
	struct gpudx_store *s;
	struct gpudx_err err = { 0 };
	uint32_t i = 0;

	(void)state;
	assert_int_equal(gpudx_store_create("full.db", &s, &err), GPUDX_OK);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &was), 0);
	small = (struct rlimit){ 2 << 20, was.rlim_max };
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	assert_int_equal(gpudx_store_begin(s, &err), GPUDX_OK);
	while (gpudx_store_ok(s) && i < 5000000) {
		struct gpudx_sample v = sample(i++);

		gpudx_store_sample(s, &v);
	}
	assert_false(gpudx_store_ok(s));
	assert_int_equal(gpudx_store_end(s, &err), GPUDX_E_IO);
	assert_true(err.text[0][0] != '\0');
	gpudx_store_close(s);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &was), 0);
}

static void says_when_it_cannot_be_made(void **state)
{
	struct gpudx_store *s = NULL;
	struct gpudx_err err = { 0 };

	(void)state;
	assert_int_equal(gpudx_store_create("no/such/dir/x.db", &s, &err), GPUDX_E_IO);
	assert_non_null(strstr(err.text[1], "while creating the database no/such/dir/x.db"));
}

/* A run that was left without its end: closing must not wait for ever. */
static void closes_in_the_middle_of_a_run(void **state)
{
	struct gpudx_store *s;
	struct gpudx_err err = { 0 };

	(void)state;
	assert_int_equal(gpudx_store_create(NULL, &s, &err), GPUDX_OK);
	assert_int_equal(gpudx_store_begin(s, &err), GPUDX_OK);
	for (uint32_t i = 0; i < 5000; i++) {
		struct gpudx_sample v = sample(i);

		gpudx_store_sample(s, &v);
	}
	gpudx_store_close(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(writes_samples_and_rows_in_order),
		cmocka_unit_test(stores_what_is_unknown_as_null),
		cmocka_unit_test(encodes_and_decodes_rows),
		cmocka_unit_test(says_when_it_cannot_be_written),
		cmocka_unit_test(says_when_it_cannot_be_made),
		cmocka_unit_test(closes_in_the_middle_of_a_run),
	};

	return cmocka_run_group_tests_name("store", tests, own_dir_enter, own_dir_leave);
}
