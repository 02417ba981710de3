#include "report/trace.h"
#include "store/store.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stddef.h>
#include <cmocka.h>

static const char base[] =
	"INSERT INTO bundle VALUES(1, 'b', 'd', NULL, NULL, NULL, 2, 0, NULL);"
	"INSERT INTO host VALUES(1, 1, 'n1', NULL, 'test');"
	"INSERT INTO source(id, bundle_id, host_id, path, lines, parser, status) VALUES"
	" (1, 1, 1, 'a.csv', 100, 'x', 'read'), (2, 1, 1, 'b.csv', 100, 'x', 'read'), (3, 1, 1, "
	"'dmon', 100, 'x', 'read');"
	"INSERT INTO gpu(id, host_id, key, label, idx, how) VALUES(1, 1, 'n1/gpu0', 'GPU 0', 0, "
	"'t');";

static const char rollup[] = "INSERT INTO gpu_minute(ref_id, t_raw_us, n, first_id, last_id, "
			     "sm_min, sm_avg, sm_max, power_min, power_avg, power_max)"
			     " SELECT ref_id, coalesce(t_raw_us, seq * 1000000) / 60000000 * "
			     "60000000 AS m, count(*), min(rowid), max(rowid),"
			     " min(sm_clock_mhz), avg(sm_clock_mhz), max(sm_clock_mhz), "
			     "min(power_w), avg(power_w), max(power_w)"
			     " FROM gpu_sample GROUP BY ref_id, m;";

struct fixture {
	struct gpudx_store *store;
	struct gpudx_arena arena;
	struct rep_model m;
	struct rep_trace t;
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

static void exec(struct fixture *f, const char *sql)
{
	struct gpudx_err err = { 0 };

	if (gpudx_db_exec(gpudx_store_db(f->store), sql, &err))
		fail_msg("%s", err.text[0]);
}

/* n samples of a ref, period microseconds apart, from t on; SM clock 1000, 1001, ... 1009, 1000 ...
 */
static void add_samples(struct fixture *f, int ref, int source, const char *quality, int64_t t_us,
			int n, int64_t period_us)
{
	char sql[1024];

	snprintf(sql, sizeof(sql),
		 "INSERT INTO gpu_ref(id, source_id, src_boot, idx, samples, gpu_id, t_quality) "
		 "VALUES(%d, %d, 0, 0, %d, 1, '%s');"
		 "INSERT INTO gpu_sample(ref_id, line, t_raw_us, seq, sm_clock_mhz)"
		 " WITH RECURSIVE k(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM k WHERE n < %d - 1)"
		 " SELECT %d, n + 2, CASE WHEN %lld < 0 THEN NULL ELSE %lld + n * %lld END, n, "
		 "1000 + n %% 10 FROM k;",
		 ref, source, n, quality, n, ref, (long long)t_us, (long long)t_us,
		 (long long)period_us);
	exec(f, sql);
}

static struct rep_trace *load(struct fixture *f, const struct rep_span *window)
{
	struct gpudx_err err = { 0 };

	exec(f, "DELETE FROM gpu_minute");
	exec(f, rollup);
	if (gpudx_model_load(gpudx_store_db(f->store), 1, &f->arena, &f->m, &err))
		fail_msg("%s", err.text[0]);
	if (!gpudx_trace_choose(&f->m, &f->m.gpus[0], NULL, &f->t))
		return NULL;
	if (window)
		gpudx_trace_narrow(&f->t, window);
	if (gpudx_trace_load(&f->m, &f->t, 1, &err))
		fail_msg("%s", err.text[0]);
	return &f->t;
}

static uint64_t samples_in(const struct rep_trace *t)
{
	uint64_t n = 0;

	for (int i = 0; i < REP_BUCKETS; i++)
		n += t->buckets[i].col[REP_CLOCK].n;
	return n;
}

static void draws_every_sample_of_a_short_trace(void **state)
{
	struct fixture *f = *state;
	struct rep_trace *t;

	add_samples(f, 1, 1, "zone_assumed", 5000000, 6, 1000000);
	t = load(f, NULL);
	assert_int_equal(samples_in(t), 6);
	assert_true(t->has[REP_CLOCK] && !t->has[REP_POWER]);
	assert_true(fabs(rep_window_s(t) - 5) < 1e-9);
	assert_int_equal(t->buckets[0].n, 1);
	assert_int_equal(t->buckets[REP_BUCKETS - 1].n, 1);
	assert_true(t->gap_s >= 3 && t->gap_s < 4);
}

static void prefers_stamps_to_order_and_leaves_a_far_snapshot_out(void **state)
{
	struct fixture *f = *state;
	struct rep_trace *t;

	add_samples(f, 1, 3, "unknown", -1, 50, 0);
	add_samples(f, 2, 1, "zone_assumed", 900000000, 10, 1000000);
	add_samples(f, 3, 2, "zone_assumed", 700000000, 5, 1000000);
	t = load(f, NULL);
	assert_int_equal(t->nrefs, 1);
	assert_int_equal(t->refs[0]->id, 2);
	assert_false(t->by_order);
}

static void joins_captures_that_are_near_on_the_same_clock(void **state)
{
	struct fixture *f = *state;
	struct rep_trace *t;

	add_samples(f, 1, 1, "zone_assumed", 0, 100, 1000000);
	add_samples(f, 2, 2, "zone_assumed", 150000000, 50, 1000000);
	add_samples(f, 3, 3, "exact", 250000000, 50, 1000000);
	t = load(f, NULL);
	assert_int_equal(t->nrefs, 2);
	assert_int_equal(samples_in(t), 150);
	assert_true(t->gap_s < 50);
}

static void counts_steps_where_there_are_no_stamps(void **state)
{
	struct fixture *f = *state;
	struct rep_trace *t;

	add_samples(f, 1, 3, "unknown", -1, 50, 0);
	t = load(f, NULL);
	assert_true(t->by_order);
	assert_int_equal(samples_in(t), 50);
	assert_true(fabs(rep_window_s(t) - 49) < 1e-9);
}

static void says_as_much_from_minutes_as_from_samples(void **state)
{
	struct fixture *f = *state;
	double min = INFINITY, max = -INFINITY, sum = 0;
	struct rep_trace *t;

	/* A day at 1 Hz is more than is read one by one. */
	add_samples(f, 1, 1, "exact", 0, 86400, 1000000);
	t = load(f, NULL);
	assert_int_equal(samples_in(t), 86400);
	for (int i = 0; i < REP_BUCKETS; i++) {
		const struct rep_cell *c = &t->buckets[i].col[REP_CLOCK];

		min = c->n ? fmin(min, c->min) : min;
		max = c->n ? fmax(max, c->max) : max;
		sum += c->sum;
	}
	assert_true(min == 1000.0 && max == 1009.0);
	assert_true(fabs(sum / 86400 - 1004.5) < 1e-6);
}

static void reads_single_samples_of_a_narrow_window_of_a_long_trace(void **state)
{
	struct fixture *f = *state;
	const struct rep_span window = { 40000 * GPUDX_SECOND, 40010 * GPUDX_SECOND, REP_T_EXACT };
	struct rep_trace *t;

	add_samples(f, 1, 1, "exact", 0, 86400, 1000000);
	t = load(f, &window);
	assert_int_equal(samples_in(t), 71); /* 30 s on both sides */
}

static void ignores_a_window_on_another_clock(void **state)
{
	struct fixture *f = *state;
	const struct rep_span window = { 10 * GPUDX_SECOND, 20 * GPUDX_SECOND, REP_T_ASSUMED };

	add_samples(f, 1, 1, "exact", 0, 100, 1000000);
	assert_int_equal(samples_in(load(f, &window)), 100);
}

static void takes_seconds_of_a_fast_source(void **state)
{
	struct fixture *f = *state;
	struct rep_trace *t;

	add_samples(f, 1, 1, "exact", 0, 70000, 100000);
	exec(f, "INSERT INTO gpu_second(ref_id, t_raw_us, n, first_id, last_id, sm_min, sm_avg, "
		"sm_max)"
		" SELECT ref_id, t_raw_us / 1000000 * 1000000 AS s, count(*), min(rowid), "
		"max(rowid), 7, 7, 7 FROM gpu_sample GROUP BY s;");
	t = load(f, NULL);
	assert_int_equal(samples_in(t), 70000);
	assert_true(t->buckets[5].col[REP_CLOCK].min == 7.0);
}

static void draws_nothing_where_nothing_was_measured(void **state)
{
	assert_null(load(*state, NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(draws_every_sample_of_a_short_trace, open_case,
						close_case),
		cmocka_unit_test_setup_teardown(
			prefers_stamps_to_order_and_leaves_a_far_snapshot_out, open_case,
			close_case),
		cmocka_unit_test_setup_teardown(joins_captures_that_are_near_on_the_same_clock,
						open_case, close_case),
		cmocka_unit_test_setup_teardown(counts_steps_where_there_are_no_stamps, open_case,
						close_case),
		cmocka_unit_test_setup_teardown(says_as_much_from_minutes_as_from_samples,
						open_case, close_case),
		cmocka_unit_test_setup_teardown(
			reads_single_samples_of_a_narrow_window_of_a_long_trace, open_case,
			close_case),
		cmocka_unit_test_setup_teardown(ignores_a_window_on_another_clock, open_case,
						close_case),
		cmocka_unit_test_setup_teardown(takes_seconds_of_a_fast_source, open_case,
						close_case),
		cmocka_unit_test_setup_teardown(draws_nothing_where_nothing_was_measured, open_case,
						close_case),
	};

	return cmocka_run_group_tests_name("report_trace", tests, NULL, NULL);
}
