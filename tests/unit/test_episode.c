#include "derive_db.h"

/* So many samples a second apart that are alike. */
struct run {
	int n;
	double util, sm, power, reasons; /* NAN missing */
};

#define WORK(n, sm, power)                    \
	{                                     \
		n, 99, sm, power, (double)NAN \
	}
#define REST(n)                            \
	{                                  \
		n, 0, 210, 60, (double)NAN \
	}
#define RUNS(...)                     \
	(const struct run[])          \
	{                             \
		__VA_ARGS__,          \
		{                     \
			0, 0, 0, 0, 0 \
		}                     \
	}

enum { STAMPS = 1, LIMIT = 2, NOTHING = 0 };

/* One GPU's series in a source of its own; the limit is 400 W where it is recorded. */
static void put_runs(struct derive_db *d, uint32_t ref, const struct run *r, int how, int apart_s)
{
	int i = 0;

	for (; r->n; r++)
		for (int k = 0; k < r->n; k++, i++) {
			struct sample s = { GPUDX_NO_TIME, i,  r->sm,	r->power,
					    (double)NAN,   60, r->util, r->reasons };

			if (how & STAMPS)
				s.t_us = ten_o_clock + (int64_t)i * apart_s * GPUDX_SECOND;
			if (how & LIMIT)
				s.limit = 400;
			put(d, ref, &s);
		}
}

static void derive(struct derive_db *d)
{
	must(d, gpudx_derive_stats(d->store, 1, &d->err));
	must(d, gpudx_derive_episodes(d->store, 1, &d->err));
}

static void one_gpu(struct derive_db *d, const struct run *r, int how, int apart_s)
{
	add_ref(d, 1, 1, 1);
	samples_begin(d);
	put_runs(d, 1, r, how, apart_s);
	samples_end(d);
	derive(d);
}

/* A statement of another source; t_s: seconds after ten, or NULL. */
static void state_limit(struct derive_db *d, int gpu, double watts, const char *t_s, int boot)
{
	sql(d,
	    "INSERT INTO fact(source_id, src_boot, host_id, gpu_id, boot_id, key, layer, value, "
	    "num, t_us,"
	    " t_quality, line_id) VALUES(1, 0, 1, %d, %d, 'power.limit_w', 'nvml', '%g', %g, %lld "
	    "+ %s * 1000000,"
	    " 'zone_assumed', 1)",
	    gpu, boot, watts, watts, (long long)ten_o_clock, t_s);
}

#define SHAPE                                                         \
	"SELECT kind, samples, (t0_us - 1768298400000000) / 1000000," \
	" (t1_us - 1768298400000000) / 1000000, first_id, last_id FROM episode"

/* ---- the power limit ---- */

static const struct run short_drop[] = {
	{ 1, 85, 1410, 225.11, (double)NAN }, { 1, 92, 1410, 238.42, (double)NAN },
	{ 1, 98, 1170, 399.72, (double)NAN }, { 1, 99, 1140, 401.03, (double)NAN },
	{ 1, 99, 1140, 401.10, (double)NAN }, { 0, 0, 0, 0, 0 },
};

static void sees_the_limit_that_another_source_states(void **state)
{
	struct derive_db *d = *state;

	state_limit(d, 1, 400, "NULL", 1);
	one_gpu(d, short_drop, STAMPS, 1);
	assert_rows(d, SHAPE, "power_limit|3|2|4|3|5\n");
	assert_rows(
		d,
		"SELECT source_samples, power_min_w, power_med_w, power_max_w, limit_w, limit_how,"
		" clock_min_mhz, clock_med_mhz, clock_ref_mhz, util_min_pct, temp_max_c, "
		"reasons_or,"
		" reasons_known, reasons_set, t_quality FROM episode",
		"5|399.72|401.03|401.1|400.0|fact|1140.0|1140.0|1410.0|98.0|60.0||||zone_"
		"assumed\n");
	assert_rows(d,
		    "SELECT line_first - (1 << 32), line_worst - (1 << 32), line_last - (1 << 32) "
		    "FROM episode",
		    "4|5|6\n");
}

static void goes_by_steps_without_stamps(void **state)
{
	struct derive_db *d = *state;

	state_limit(d, 1, 400, "0", 1);
	one_gpu(d, short_drop, NOTHING, 1);
	assert_rows(
		d,
		"SELECT kind, samples, t0_us, t1_us, first_id, last_id, clock_med_mhz FROM episode",
		"power_limit|3|||3|5|1140.0\n");
}

static void prefers_the_limit_of_the_sample(void **state)
{
	struct derive_db *d = *state;

	state_limit(d, 1, 250, "0", 1);
	one_gpu(d, RUNS(WORK(5, 1410, 300), WORK(5, 1200, 398)), STAMPS | LIMIT, 1);
	assert_rows(d, "SELECT kind, samples, limit_w, limit_how FROM episode",
		    "power_limit|5|400.0|sample\n");
}

static void takes_the_statement_nearest_in_time_of_the_same_boot(void **state)
{
	struct derive_db *d = *state;

	sql(d,
	    "INSERT INTO boot(id, host_id, seq, start_quality, start_us) VALUES(2, 1, -1, 'exact', "
	    "0);"
	    "UPDATE boot SET start_us = %lld WHERE id = 1",
	    (long long)(ten_o_clock - GPUDX_DAY));
	state_limit(d, 1, 250, "-10", 2); /* nearer, but of the boot before */
	state_limit(d, 1, 300, "-60", 1);
	state_limit(d, 1, 400, "600", 1);
	state_limit(d, 2, 200, "0", 1);
	/* At the lower limit first, then, ten minutes later, at the higher one. */
	one_gpu(d,
		RUNS(WORK(2, 1410, 200), WORK(10, 1200, 299), WORK(588, 1410, 200),
		     WORK(10, 1200, 399)),
		STAMPS, 1);
	assert_rows(d, SHAPE " WHERE kind = 'power_limit' ORDER BY first_id",
		    "power_limit|10|2|11|3|12\npower_limit|10|600|609|601|610\n");
	assert_rows(d, "SELECT limit_w FROM episode WHERE kind = 'power_limit' ORDER BY first_id",
		    "300.0\n400.0\n");
}

static void needs_utilization_to_call_it_a_limit(void **state)
{
	struct derive_db *d = *state;

	one_gpu(d,
		RUNS({ 10, (double)NAN, 1200, 399, (double)NAN },
		     { 10, 79, 1200, 399, (double)NAN },
		     { 10, 99, 1200, (double)NAN, (double)NAN }),
		STAMPS | LIMIT, 1);
	assert_rows(d, SHAPE, "");
}

static void begins_at_97_percent_of_the_limit_and_80_percent_busy(void **state)
{
	struct derive_db *d = *state;

	one_gpu(d,
		RUNS({ 3, 99, 1200, 387.9, (double)NAN }, { 3, 80, 1200, 388, (double)NAN },
		     { 3, 79, 1200, 400, (double)NAN }),
		STAMPS | LIMIT, 1);
	assert_rows(d, SHAPE, "power_limit|3|3|5|4|6\n");
}

static void one_sample_is_no_stretch(void **state)
{
	struct derive_db *d = *state;

	one_gpu(d, RUNS(WORK(20, 1410, 300), WORK(1, 1200, 399), WORK(20, 1410, 300)),
		STAMPS | LIMIT, 1);
	assert_rows(d, SHAPE, "");
}

static void goes_on_across_short_pauses_and_ends_at_longer_ones(void **state)
{
	struct derive_db *d = *state;

	/* Pauses of 1 and 4 samples (2 and 5 s between those at the limit), then one of 5 (6 s). */
	one_gpu(d,
		RUNS(WORK(3, 1200, 399), WORK(1, 1300, 350), WORK(3, 1200, 399), WORK(4, 1300, 350),
		     WORK(3, 1200, 399), WORK(5, 1300, 350), WORK(3, 1200, 399)),
		STAMPS | LIMIT, 1);
	assert_rows(d, SHAPE, "power_limit|9|0|13|1|14\npower_limit|3|19|21|20|22\n");
	assert_rows(d, "SELECT power_min_w, clock_med_mhz FROM episode",
		    "399.0|1200.0\n399.0|1200.0\n");
}

static void counts_pauses_in_samples_when_these_are_far_apart(void **state)
{
	struct derive_db *d = *state;

	one_gpu(d,
		RUNS(WORK(3, 1200, 399), WORK(1, 1300, 350), WORK(3, 1200, 399), WORK(2, 1300, 350),
		     WORK(3, 1200, 399)),
		STAMPS | LIMIT, 30);
	assert_rows(d, SHAPE " WHERE kind = 'power_limit'",
		    "power_limit|6|0|180|1|7\npower_limit|3|270|330|10|12\n");
}

static void ends_where_samples_are_missing(void **state)
{
	struct derive_db *d = *state;
	struct sample s = { ten_o_clock, 0, 1200, 399, 400, 60, 99, (double)NAN };

	add_ref(d, 1, 1, 1);
	samples_begin(d);
	for (int i = 0; i < 120; i++, s.t_us += GPUDX_SECOND) {
		if (i == 70)
			s.t_us += 3600 * GPUDX_SECOND;
		put(d, 1, &s);
	}
	samples_end(d);
	derive(d);
	assert_rows(d, SHAPE " WHERE kind = 'power_limit'",
		    "power_limit|70|0|69|1|70\npower_limit|50|3670|3719|71|120\n");
}

static void ends_when_the_limit_moves(void **state)
{
	struct derive_db *d = *state;
	struct sample s = { ten_o_clock, 0, 1200, 399, 400, 60, 99, (double)NAN };

	add_ref(d, 1, 1, 1);
	samples_begin(d);
	for (int i = 0; i < 20; i++, s.t_us += GPUDX_SECOND) {
		s.limit = i == 5 ? (double)NAN : i < 10 ? 400 : 300; /* a missing cell is no move */
		s.power = i < 10 ? 399 : 299;
		put(d, 1, &s);
	}
	samples_end(d);
	derive(d);
	assert_rows(d, "SELECT kind, samples, limit_w FROM episode",
		    "power_limit|10|400.0\npower_limit|10|300.0\n");
}

static void counts_the_reason_bit_where_it_is_recorded(void **state)
{
	struct derive_db *d = *state;

	one_gpu(d, RUNS({ 4, 99, 1200, 399, 4 }, { 3, 99, 1200, 399, 0 }, { 1, 99, 1200, 399, 1 }),
		STAMPS | LIMIT, 1);
	assert_rows(d, "SELECT kind, samples, reasons_or, reasons_known, reasons_set FROM episode",
		    "power_limit|8|5|511|4\n");
}

static void knows_when_the_bit_was_not_recorded(void **state)
{
	struct derive_db *d = *state;

	add_ref(d, 1, 1, 1);
	samples_begin(d);
	gpudx_series_reasons(&d->series, 1, 0x20);
	put_runs(d, 1, RUNS({ 8, 99, 1200, 399, 0 }), STAMPS | LIMIT, 1);
	samples_end(d);
	derive(d);
	assert_rows(d, "SELECT kind, reasons_or, reasons_known, reasons_set FROM episode",
		    "power_limit|0|32|\n");
}

static void leaves_snapshots_slices_and_unknown_gpus_alone(void **state)
{
	struct derive_db *d = *state;

	for (int ref = 1; ref <= 3; ref++)
		add_ref(d, ref, ref, 1);
	sql(d, "UPDATE gpu_ref SET gpu_id = NULL WHERE id = 2; UPDATE gpu_ref SET gi = 7 WHERE id "
	       "= 3");
	samples_begin(d);
	put_runs(d, 1, RUNS(WORK(1, 1200, 399)), STAMPS | LIMIT, 1);
	put_runs(d, 2, RUNS(WORK(9, 1200, 399)), STAMPS | LIMIT, 1);
	put_runs(d, 3, RUNS(WORK(9, 1200, 399)), STAMPS | LIMIT, 1);
	samples_end(d);
	derive(d);
	assert_rows(d, SHAPE, "");
}

static void a_stretch_of_hours_is_one_with_exact_medians(void **state)
{
	struct derive_db *d = *state;

	add_ref(d, 1, 1, 1);
	samples_begin(d);
	for (int i = 0; i < 3 * 3600; i++) {
		struct sample s = { ten_o_clock + i * GPUDX_SECOND,
				    i,
				    1140 + 15 * (i * 7 % 5),
				    398,
				    400,
				    66,
				    98,
				    (double)NAN };

		put(d, 1, &s);
	}
	samples_end(d);
	derive(d);
	assert_rows(d, SHAPE " WHERE kind <> 'busy'",
		    "power_limit|10800|0|10799|1|10800\nsoak|10800|0|10799|1|10800\n");
	assert_rows(d,
		    "SELECT clock_min_mhz, clock_med_mhz, power_med_w, line_worst - (1 << 32)"
		    " FROM episode WHERE kind = 'power_limit'",
		    "1140.0|1170.0|398.0|2\n");
}

/* ---- plateaus ---- */

static void infers_a_limit_from_steady_power_at_low_clocks(void **state)
{
	struct derive_db *d = *state;

	one_gpu(d, short_drop, STAMPS, 1);
	assert_rows(d, "SELECT kind, samples, limit_w, limit_how, clock_med_mhz FROM episode",
		    "power_plateau|3|401.03|plateau|1140.0\npower_limit|3|401.03|plateau|1140.0\n");
}

static void infers_nothing_where_a_limit_is_stated(void **state)
{
	struct derive_db *d = *state;

	state_limit(d, 1, 500, "0", 1);
	one_gpu(d, short_drop, STAMPS, 1);
	assert_rows(d, SHAPE, "");
}

static void power_that_swings_is_no_plateau(void **state)
{
	struct derive_db *d = *state;

	add_ref(d, 1, 1, 1);
	samples_begin(d);
	put_runs(d, 1, RUNS(WORK(3, 1755, 200)), STAMPS, 1);
	for (int i = 3; i < 200; i++) {
		struct sample s = { ten_o_clock + i * GPUDX_SECOND,
				    i,
				    1275,
				    290 + i % 40,
				    (double)NAN,
				    60,
				    99,
				    (double)NAN };

		put(d, 1, &s);
	}
	samples_end(d);
	derive(d);
	assert_rows(d, SHAPE " WHERE kind LIKE 'power%'", "");
}

static void a_level_below_what_the_gpu_draws_elsewhere_is_no_limit(void **state)
{
	struct derive_db *d = *state;

	one_gpu(d, RUNS(WORK(20, 1410, 280), WORK(100, 900, 140)), STAMPS, 1);
	assert_rows(d, SHAPE " WHERE kind LIKE 'power%'", "");
}

static void another_reason_explains_steady_power(void **state)
{
	struct derive_db *d = *state;

	one_gpu(d, RUNS({ 5, 99, 1410, 120, 0 }, { 100, 99, 900, 140, 0x20 }), STAMPS, 1);
	assert_rows(d, SHAPE " WHERE kind LIKE 'power%'", "");
	assert_rows(d, SHAPE " WHERE kind LIKE 'thermal%'", "thermal_sw|100|5|104|6|105\n");
}

static void clocks_less_than_10_percent_down_are_no_plateau(void **state)
{
	struct derive_db *d = *state;

	one_gpu(d, RUNS(WORK(5, 1410, 200), WORK(50, 1275, 249)), STAMPS, 1);
	assert_rows(d, SHAPE, "");
}

/* ---- clocks under load ---- */

static void measures_slowness_against_its_own_best_minute(void **state)
{
	struct derive_db *d = *state;

	/* 31 s past the minute; 20 s above do not make the reference, 60 s do. */
	one_gpu(d,
		RUNS(REST(31), WORK(20, 1980, 300), WORK(60, 1800, 300), WORK(30, 1630, 300),
		     WORK(40, 1620, 300)),
		STAMPS, 1);
	assert_rows(d, SHAPE " WHERE kind = 'busy_slow'", "busy_slow|40|141|180|142|181\n");
	assert_rows(d,
		    "SELECT clock_ref_mhz, clock_med_mhz, util_min_pct FROM episode WHERE kind = "
		    "'busy_slow'",
		    "1800.0|1620.0|99.0\n");
}

static void less_than_a_minute_of_work_gives_no_reference(void **state)
{
	struct derive_db *d = *state;

	one_gpu(d, RUNS(REST(60), WORK(30, 1980, 300), WORK(29, 1200, 300)), STAMPS, 1);
	assert_rows(d, SHAPE " WHERE kind = 'busy_slow'", "");
}

static void slow_whole_minutes_are_found(void **state)
{
	struct derive_db *d = *state;

	one_gpu(d, RUNS(WORK(200, 1980, 300), WORK(600, 1500, 300), WORK(100, 1980, 300)), STAMPS,
		1);
	assert_rows(d, SHAPE " WHERE kind = 'busy_slow'", "busy_slow|600|200|799|201|800\n");
}

/* ---- load ---- */

static void busy_begins_and_ends_at_its_samples(void **state)
{
	struct derive_db *d = *state;

	one_gpu(d,
		RUNS(REST(17), WORK(60, 1410, 200), REST(30), WORK(59, 1410, 200), REST(20),
		     WORK(400, 1410, 200), REST(70)),
		STAMPS, 1);
	assert_rows(d, SHAPE " WHERE kind = 'busy'",
		    "busy|60|17|76|18|77\nbusy|400|186|585|187|586\n");
}

static void a_pause_within_a_busy_minute_does_not_end_it(void **state)
{
	struct derive_db *d = *state;

	one_gpu(d, RUNS(WORK(200, 1410, 200), REST(8), WORK(292, 1410, 200), REST(40)), STAMPS, 1);
	assert_rows(d, SHAPE " WHERE kind = 'busy'", "busy|500|0|499|1|500\n");
}

static void a_last_minute_that_is_left_early_does_not_count_in_full(void **state)
{
	struct derive_db *d = *state;

	/* 9 s of one minute and 50 of the next, which is busy on the whole: 59 s in all. */
	one_gpu(d, RUNS(REST(51), WORK(59, 1410, 200), REST(70)), STAMPS, 1);
	assert_rows(d, SHAPE " WHERE kind = 'busy'", "");
}

/* A dip of its utilization does not end what whole minutes show, and the medians are levels that were
 * there: none in between. */
static void whole_minutes_at_the_limit_stand_for_their_samples(void **state)
{
	struct derive_db *d = *state;

	one_gpu(d,
		RUNS(WORK(90, 1410, 300), WORK(100, 1170, 399), WORK(97, 1155, 400),
		     { 8, 50, 1155, 399, (double)NAN }, WORK(95, 1170, 400), WORK(60, 1410, 300)),
		STAMPS | LIMIT, 1);
	assert_rows(
		d,
		"SELECT kind, samples, (t0_us - 1768298400000000) / 1000000,"
		" (t1_us - 1768298400000000) / 1000000, clock_med_mhz, clock_min_mhz, util_min_pct"
		" FROM episode WHERE kind = 'power_limit'",
		"power_limit|300|90|389|1170.0|1155.0|80.0\n");
}

/* A sample of the minute that is not there cannot be told to be at the limit. */
static void a_minute_with_missing_cells_is_looked_at(void **state)
{
	struct derive_db *d = *state;

	one_gpu(d,
		RUNS(WORK(60, 1410, 300), WORK(80, 1170, 399),
		     { 20, 99, 1170, (double)NAN, (double)NAN }, WORK(80, 1170, 400)),
		STAMPS | LIMIT, 1);
	assert_rows(d, SHAPE " WHERE kind = 'power_limit'",
		    "power_limit|80|60|139|61|140\npower_limit|80|160|239|161|240\n");
}

static void rest_is_cut_at_minutes(void **state)
{
	struct derive_db *d = *state;

	one_gpu(d, RUNS(REST(130), WORK(20, 1410, 200), REST(400), WORK(70, 1410, 200)), STAMPS, 1);
	assert_rows(d, SHAPE " WHERE kind = 'idle'",
		    "idle|120|0|119|1|120\nidle|360|180|539|181|540\n");
}

static void a_series_of_rest_alone_is_one(void **state)
{
	struct derive_db *d = *state;

	one_gpu(d, RUNS(REST(7300)), STAMPS, 1);
	assert_rows(d, SHAPE, "idle|7300|0|7299|1|7300\n");
	assert_rows(d, "SELECT power_min_w, power_max_w, clock_med_mhz, clock_ref_mhz FROM episode",
		    "60.0|60.0|210.0|210.0\n");
}

/* ---- reasons ---- */

static void heat_goes_on_across_a_minute_and_counts_all(void **state)
{
	struct derive_db *d = *state;

	one_gpu(d,
		RUNS({ 10, 99, 900, 140, 0x20 }, { 40, 99, 1000, 140, 0 },
		     { 10, 99, 900, 140, 0x24 }, { 80, 99, 1000, 140, 0 },
		     { 1, 99, 900, 140, 0x20 }),
		STAMPS | LIMIT, 1);
	assert_rows(d,
		    "SELECT kind, samples, reasons_set, reasons_or FROM episode WHERE kind LIKE "
		    "'thermal%'",
		    "thermal_sw|60|20|36\nthermal_sw|1|1|32\n");
}

static void tells_the_hardware_reasons_apart(void **state)
{
	struct derive_db *d = *state;

	one_gpu(d,
		RUNS({ 3, 99, 900, 140, 0x48 }, { 10, 99, 1410, 140, 0 }, { 3, 99, 900, 140, 0x88 },
		     { 10, 99, 1410, 140, 0 }, { 3, 99, 900, 140, 0x8 }),
		STAMPS | LIMIT, 1);
	assert_rows(d, "SELECT kind, samples, reasons_set, first_id FROM episode ORDER BY first_id",
		    "thermal_hw|3|3|1\npower_brake|3|3|14\nhw_slowdown|3|3|27\n");
}

static void needs_no_utilization_for_reasons(void **state)
{
	struct derive_db *d = *state;

	one_gpu(d, RUNS({ 3, (double)NAN, (double)NAN, (double)NAN, 0x80 }, { 3, 0, 0, 0, 0 }),
		STAMPS, 1);
	assert_rows(d, "SELECT kind, samples, clock_med_mhz, line_worst FROM episode",
		    "power_brake|3||\n");
}

/* ---- many GPUs ---- */

static void polls_of_several_gpus_do_not_mix(void **state)
{
	struct derive_db *d = *state;

	for (int g = 1; g <= 4; g++)
		add_ref(d, g, g, 1);
	samples_begin(d);
	for (int i = 0; i < 1000; i++)
		for (uint32_t g = 1; g <= 4; g++) {
			bool hit = i >= 100 * (int)g && i < 100 * (int)g + 50;
			struct sample s = { ten_o_clock + i * GPUDX_SECOND + g * 3000,
					    i,
					    hit ? 1200 : 1410,
					    hit ? 399 : 200,
					    400,
					    60,
					    99,
					    (double)NAN };

			put(d, g, &s);
		}
	samples_end(d);
	derive(d);
	assert_rows(d,
		    "SELECT gpu_id, samples, (first_id - 1) / 4, (last_id - 1) / 4 FROM episode"
		    " WHERE kind = 'power_limit' ORDER BY gpu_id",
		    "1|50|100|149\n2|50|200|249\n3|50|300|349\n4|50|400|449\n");
	assert_rows(d, "SELECT gpu_id, samples FROM episode WHERE kind = 'busy' ORDER BY gpu_id",
		    "1|1000\n2|1000\n3|1000\n4|1000\n");
}

static void series_may_stand_one_after_the_other(void **state)
{
	struct derive_db *d = *state;

	for (int g = 1; g <= 4; g++)
		add_ref(d, g, g, 1);
	samples_begin(d);
	for (uint32_t g = 1; g <= 4; g++)
		put_runs(d, g, RUNS(WORK(100, 1410, 200), WORK(95, 1200, 399)), STAMPS | LIMIT, 1);
	samples_end(d);
	derive(d);
	assert_rows(
		d,
		"SELECT gpu_id, samples, first_id, last_id FROM episode WHERE kind = 'power_limit'"
		" ORDER BY gpu_id",
		"1|95|101|195\n2|95|296|390\n3|95|491|585\n4|95|686|780\n");
}

static void says_which_kinds_a_gpu_has(void **state)
{
	struct derive_db *d = *state;

	one_gpu(d, RUNS(WORK(60, 1410, 300), WORK(9, 1200, 399)), STAMPS | LIMIT, 1);
	derive(d); /* a second run replaces the first */
	assert_rows(
		d,
		"SELECT host_id, gpu_id, what, n, whole, (to_us - from_us) / 1000000 FROM coverage",
		"1|1|episode.busy|1|1|68\n1|1|episode.busy_slow|1|1|8\n"
		"1|1|episode.power_limit|1|1|8\n");
	assert_rows(d, "SELECT count(*) FROM gpu_stat", "4\n");
}

/* ---- against the definition ---- */

/* What power_limit means, without minutes: pauses of up to 5 s or one sample, two samples, 1 s. */
struct naive {
	int64_t n, first, last, last_t, first_t, pause, found, samples;
};

static void naive_end(struct naive *x)
{
	if (x->n >= 2 && x->last_t - x->first_t >= 0) {
		x->found++;
		x->samples += x->n;
	}
	x->n = 0;
}

static void naive_feed(struct naive *x, int64_t t, bool in)
{
	if (!in) {
		x->pause++;
		return;
	}
	if (x->n && t - x->last_t > 5 * GPUDX_SECOND &&
	    (x->pause > 1 || t - x->last_t > 3 * GPUDX_SECOND))
		naive_end(x);
	if (!x->n)
		x->first_t = t;
	x->n++;
	x->last_t = t;
	x->pause = 0;
}

static void finds_what_a_plain_scan_finds(void **state)
{
	struct derive_db *d = *state;
	struct naive want[4] = { { 0 } };
	uint64_t seed = 3;
	int level[4] = { 0 };

	for (int g = 1; g <= 4; g++)
		add_ref(d, g, g, 1);
	samples_begin(d);
	for (int i = 0; i < 40000; i++)
		for (uint32_t g = 0; g < 4; g++) {
			struct sample s = { ten_o_clock + i * GPUDX_SECOND,
					    i,
					    1410,
					    200,
					    400,
					    60,
					    99,
					    (double)NAN };
			uint64_t r = (seed = seed * UINT64_C(6364136223846793005) +
					     1442695040888963407) >>
				     40;

			if (r % 300 == 0)
				level[g] = (int)(r / 300 % 3); /* rest, work, limit */
			if (level[g] == 0)
				s.util = 0, s.power = 60;
			if (level[g] == 2 && r % 7 > 1)
				s.power = 395, s.sm = 1200;
			if (r % 97 == 5)
				s.util = (double)NAN;
			put(d, g + 1, &s);
			naive_feed(&want[g], s.t_us, s.util >= 80 && s.power >= 388);
		}
	samples_end(d);
	derive(d);
	for (int g = 0; g < 4; g++) {
		char text[64];

		naive_end(&want[g]);
		snprintf(text, sizeof(text), "%lld|%lld\n", (long long)want[g].found,
			 (long long)want[g].samples);
		assert_true(want[g].found > 10);
		sql(d, "DROP TABLE IF EXISTS temp.g; CREATE TEMP TABLE g AS SELECT %d AS id",
		    g + 1);
		assert_rows(d,
			    "SELECT count(*), sum(samples) FROM episode WHERE kind = 'power_limit'"
			    " AND gpu_id = (SELECT id FROM g)",
			    text);
	}
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, db_open, db_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(sees_the_limit_that_another_source_states),
		TEST(goes_by_steps_without_stamps),
		TEST(prefers_the_limit_of_the_sample),
		TEST(takes_the_statement_nearest_in_time_of_the_same_boot),
		TEST(needs_utilization_to_call_it_a_limit),
		TEST(begins_at_97_percent_of_the_limit_and_80_percent_busy),
		TEST(one_sample_is_no_stretch),
		TEST(goes_on_across_short_pauses_and_ends_at_longer_ones),
		TEST(counts_pauses_in_samples_when_these_are_far_apart),
		TEST(ends_where_samples_are_missing),
		TEST(ends_when_the_limit_moves),
		TEST(counts_the_reason_bit_where_it_is_recorded),
		TEST(knows_when_the_bit_was_not_recorded),
		TEST(leaves_snapshots_slices_and_unknown_gpus_alone),
		TEST(a_stretch_of_hours_is_one_with_exact_medians),
		TEST(infers_a_limit_from_steady_power_at_low_clocks),
		TEST(infers_nothing_where_a_limit_is_stated),
		TEST(power_that_swings_is_no_plateau),
		TEST(a_level_below_what_the_gpu_draws_elsewhere_is_no_limit),
		TEST(another_reason_explains_steady_power),
		TEST(clocks_less_than_10_percent_down_are_no_plateau),
		TEST(measures_slowness_against_its_own_best_minute),
		TEST(less_than_a_minute_of_work_gives_no_reference),
		TEST(slow_whole_minutes_are_found),
		TEST(busy_begins_and_ends_at_its_samples),
		TEST(a_pause_within_a_busy_minute_does_not_end_it),
		TEST(a_last_minute_that_is_left_early_does_not_count_in_full),
		TEST(whole_minutes_at_the_limit_stand_for_their_samples),
		TEST(a_minute_with_missing_cells_is_looked_at),
		TEST(rest_is_cut_at_minutes),
		TEST(a_series_of_rest_alone_is_one),
		TEST(heat_goes_on_across_a_minute_and_counts_all),
		TEST(tells_the_hardware_reasons_apart),
		TEST(needs_no_utilization_for_reasons),
		TEST(polls_of_several_gpus_do_not_mix),
		TEST(series_may_stand_one_after_the_other),
		TEST(says_which_kinds_a_gpu_has),
		TEST(finds_what_a_plain_scan_finds),
	};

	return cmocka_run_group_tests_name("episode", tests, NULL, NULL);
}
