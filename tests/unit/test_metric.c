#include "derive_db.h"

#define TOTALS                                                                                     \
	"SELECT metric_id, n, min, max, first, last, rise, t_max_raw_us, line_first & 4294967295," \
	" line_last & 4294967295, line_min & 4294967295, line_max & 4294967295"                    \
	" FROM metric_stat ORDER BY metric_id"

static void sums_up_a_series(void **state)
{
	struct derive_db *d = *state;

	sql(d, "INSERT INTO metric(id, source_id, key) VALUES(1, 1, 'temp.memory_c');"
	       "INSERT INTO metric_sample VALUES(1, 11, 1000, NULL, 71), (1, 12, 2000, NULL, 95),"
	       " (1, 13, 3000, NULL, 95), (1, 14, 4000, NULL, 60)");
	must(d, gpudx_derive_metrics(d->store, 1, &d->err));
	assert_rows(d, TOTALS, "1|4|60.0|95.0|71.0|60.0|24.0|2000|11|14|14|12\n");
	assert_rows(d, "SELECT DISTINCT line_max >> 32 FROM metric_stat", "1\n");
}

static void counts_the_growth_of_a_counter_past_its_reset(void **state)
{
	struct derive_db *d = *state;

	sql(d, "INSERT INTO metric(id, source_id, key) VALUES(1, 1, 'reasons.sync_boost_us'),"
	       " (2, 1, 'temp.memory_c');"
	       "INSERT INTO metric_sample VALUES(1, 1, NULL, 0, 500), (2, 1, NULL, 0, -4),"
	       " (1, 2, NULL, 1, 700), (1, 3, NULL, 2, 0), (1, 4, NULL, 3, 30)");
	must(d, gpudx_derive_metrics(d->store, 1, &d->err));
	assert_rows(d, TOTALS,
		    "1|4|0.0|700.0|500.0|30.0|230.0||1|4|3|2\n"
		    "2|1|-4.0|-4.0|-4.0|-4.0|0.0||1|1|1|1\n");
}

static void leaves_other_bundles_alone(void **state)
{
	struct derive_db *d = *state;

	sql(d, "INSERT INTO bundle(id, label, digest, members, unread) VALUES(2, 'b', '', 1, 0);"
	       "INSERT INTO source(id, bundle_id, path, status) VALUES(2, 2, 'b.csv', 'read');"
	       "INSERT INTO metric(id, source_id, key) VALUES(1, 1, 'k'), (2, 2, 'k'), (3, 1, 'l');"
	       "INSERT INTO metric_sample VALUES(1, 1, 0, 0, 1), (2, 1, 0, 0, 2), (3, 1, 0, 0, 3)");
	must(d, gpudx_derive_metrics(d->store, 1, &d->err));
	assert_rows(d, "SELECT metric_id, max FROM metric_stat ORDER BY 1", "1|1.0\n3|3.0\n");
	must(d, gpudx_derive_metrics(d->store, 2, &d->err));
	must(d, gpudx_derive_metrics(d->store, 1, &d->err));
	assert_rows(d, "SELECT metric_id FROM metric_stat ORDER BY 1", "1\n2\n3\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(sums_up_a_series, db_open, db_close),
		cmocka_unit_test_setup_teardown(counts_the_growth_of_a_counter_past_its_reset,
						db_open, db_close),
		cmocka_unit_test_setup_teardown(leaves_other_bundles_alone, db_open, db_close),
	};

	return cmocka_run_group_tests_name("metric", tests, NULL, NULL);
}
