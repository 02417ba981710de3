/* Whole traces through ingest and derive: text written here in the likeness of nvidia-smi's, and,
 * where they are at hand, real ones. */
#include "derive_db.h"

#include <string.h>
#include <unistd.h>

#include "ingest/ingest.h"

/* Reads a file into a fresh case; every ref becomes the GPU of its index on one host. */
static void read_trace(struct derive_db *d, const char *path)
{
	struct gpudx_sigs *sigs;
	struct gpudx_ingested in;

	must(d, gpudx_store_create(NULL, &d->store, &d->err));
	d->db = gpudx_store_db(d->store);
	must(d, gpudx_sigs_load(&sigs, &d->err));
	must(d, gpudx_ingest(d->store, sigs, &path, 1, NULL, &in, &d->err));
	gpudx_sigs_free(sigs);
	sql(d, "INSERT INTO host(id, bundle_id, how) VALUES(1, 1, 'test'); UPDATE source SET "
	       "host_id = 1;"
	       "UPDATE fact SET host_id = 1;"
	       "INSERT INTO gpu(id, host_id, key, label, idx, how) SELECT DISTINCT coalesce(idx, "
	       "0) + 1, 1,"
	       " 'host/gpu' || coalesce(idx, 0), 'GPU ' || coalesce(idx, 0), coalesce(idx, 0), 't' "
	       "FROM gpu_ref;"
	       "UPDATE gpu_ref SET gpu_id = coalesce(idx, 0) + 1, t_quality = 'zone_assumed'");
}

static void derive(struct derive_db *d)
{
	must(d, gpudx_derive_stats(d->store, 1, &d->err));
	must(d, gpudx_derive_episodes(d->store, 1, &d->err));
	must(d, gpudx_derive_changes(d->store, 1, &d->err));
	must(d, gpudx_derive_rates(d->store, 1, &d->err));
}

static void close_trace(struct derive_db *d)
{
	gpudx_store_close(d->store);
	gpudx_arena_free(&d->arena);
}

/* ---- text of our own ---- */

struct writer {
	FILE *f;
	char path[64];
	uint64_t seed;
};

static unsigned below(struct writer *w, unsigned n)
{
	w->seed = w->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned)(w->seed >> 33) % n;
}

static void begin_text(struct writer *w)
{
	const char *dir = getenv("TMPDIR");

	snprintf(w->path, sizeof(w->path), "%s/gpudx-trace-%ld.csv",
		 dir && strlen(dir) < 32 ? dir : "/tmp", (long)getpid());
	w->f = fopen(w->path, "w");
	assert_non_null(w->f);
}

static void end_text(struct writer *w)
{
	assert_int_equal(fclose(w->f), 0);
}

enum { GPUS = 8, SECONDS = 3 * 3600 };

/* A job on all GPUs from 600 s on. GPU g is at its limit of 400 W for g * 100 s from 2000 s on; GPU
 * 5 is hot from 7000 to 7400 s; a cell in fifty is missing. */
static void write_row(struct writer *w, int second, int g, bool with_limit)
{
	bool busy = second >= 600, limit = busy && second >= 2000 && second < 2000 + g * 100,
	     hot = g == 5 && second >= 7000 && second < 7400;
	int sm = hot ? 1005 : limit ? 1140 + 15 * (int)below(w, 4) : busy ? 1410 : 210;
	double watts = hot     ? 150
		       : limit ? 396 + below(w, 500) / 100.0
		       : busy  ? 250 + below(w, 3000) / 100.0
			       : 55;

	fprintf(w->f, "2026/02/03 %02d:%02d:%02d.250, %d, P0, %d MHz, ", 7 + second / 3600,
		second / 60 % 60, second % 60, g, sm);
	if (below(w, 50))
		fprintf(w->f, "%.2f W, ", watts);
	else
		fprintf(w->f, "[N/A], ");
	if (with_limit)
		fprintf(w->f, "400.00 W, ");
	fprintf(w->f, "%d, %d %%, 0x%016x\n", hot ? 87 : 61, busy ? 97 + (int)below(w, 4) : 0,
		hot	? 0x20
		: limit ? 4
		: busy	? 0
			: 1);
}

static void write_trace(struct writer *w, bool with_limit)
{
	begin_text(w);
	fprintf(w->f,
		"timestamp, index, pstate, clocks.current.sm [MHz], power.draw [W], "
		"%stemperature.gpu, "
		"utilization.gpu [%%], clocks_event_reasons.active\n",
		with_limit ? "power.limit [W], " : "");
	for (int s = 0; s < SECONDS; s++)
		for (int g = 0; g < GPUS; g++)
			write_row(w, s, g, with_limit);
	end_text(w);
}

static void finds_what_was_planted(void **state)
{
	struct writer w = { .seed = 5 };
	struct derive_db d = { 0 };

	(void)state;
	write_trace(&w, true);
	read_trace(&d, w.path);
	unlink(w.path);
	derive(&d);
	/* Line 2 is GPU 0 at second 0; a stretch begins at second 2000, give or take missing cells.
	 */
	assert_rows(
		&d,
		"SELECT gpu_id - 1, limit_w, limit_how, clock_ref_mhz,"
		" abs((line_first - (1 << 32) - 2) / 8 - 2000) < 3,"
		" abs((line_last - (1 << 32) - 2) / 8 - 1999 - 100 * (gpu_id - 1)) < 3,"
		" samples BETWEEN 95 * (gpu_id - 1) AND 100 * (gpu_id - 1), reasons_set = samples,"
		" clock_med_mhz IN (1155, 1170) FROM episode WHERE kind = 'power_limit' ORDER BY "
		"gpu_id",
		"1|400.0|sample|1410.0|1|1|1|1|1\n2|400.0|sample|1410.0|1|1|1|1|1\n"
		"3|400.0|sample|1410.0|1|1|1|1|1\n4|400.0|sample|1410.0|1|1|1|1|1\n"
		"5|400.0|sample|1410.0|1|1|1|1|1\n6|400.0|sample|1410.0|1|1|1|1|1\n"
		"7|400.0|sample|1410.0|1|1|1|1|1\n");
	assert_rows(
		&d,
		"SELECT gpu_id - 1, samples, reasons_set, temp_max_c, clock_med_mhz FROM episode"
		" WHERE kind = 'thermal_sw'",
		"5|400|400|87.0|1005.0\n");
	assert_rows(&d,
		    "SELECT count(*), min(samples), max(samples) FROM episode WHERE kind = 'busy'",
		    "8|10200|10200\n");
	assert_rows(&d,
		    "SELECT count(*), min(samples), max(samples) FROM episode WHERE kind = 'idle'",
		    "8|600|600\n");
	assert_rows(&d, "SELECT count(*) FROM episode WHERE kind = 'power_plateau'", "0\n");
	assert_rows(&d,
		    "SELECT count(*), min(top), max(top) FROM gpu_stat WHERE col = 'sm_clock_mhz'",
		    "8|1410.0|1410.0\n");
	close_trace(&d);
}

static void infers_what_is_not_written(void **state)
{
	struct writer w = { .seed = 6 };
	struct derive_db d = { 0 };

	(void)state;
	write_trace(&w, false);
	read_trace(&d, w.path);
	unlink(w.path);
	derive(&d);
	assert_rows(&d,
		    "SELECT gpu_id - 1, limit_how, abs(limit_w - 398.5) < 1, samples >= 95 * "
		    "(gpu_id - 1)"
		    " FROM episode WHERE kind = 'power_limit' ORDER BY gpu_id",
		    "1|plateau|1|1\n2|plateau|1|1\n3|plateau|1|1\n4|plateau|1|1\n5|plateau|1|1\n"
		    "6|plateau|1|1\n7|plateau|1|1\n");
	close_trace(&d);
}

/* ---- the statements ---- */

struct statements {
	struct gpudx_buf text; /* NUL-terminated, one after the other */
};

static int note_statement(unsigned event, void *arg, void *stmt, void *sql)
{
	struct statements *s = arg;
	const char *text = sqlite3_sql(stmt);

	(void)event;
	(void)sql;
	/* Triggers and the like have none. A text may come a thousand times: keep the first. */
	for (size_t at = 0; text && at < s->text.n; at += strlen(s->text.p + at) + 1)
		if (strcmp(s->text.p + at, text) == 0)
			return 0;
	if (text)
		gpudx_buf_add(&s->text, text, strlen(text) + 1);
	return 0;
}

static void no_function(sqlite3_context *c, int n, sqlite3_value **v)
{
	(void)c, (void)n, (void)v;
}

static void no_end(sqlite3_context *c)
{
	(void)c;
}

/* How often the plan of a statement uses gpu_sample; each time by rowid, and nothing is sorted. */
static int check_plan(struct derive_db *d, const char *text)
{
	struct gpudx_buf explain = { .max = 1 << 16 };
	bool row, sorts = false;
	sqlite3_stmt *st;
	int uses = 0;

	gpudx_buf_printf(&explain, "EXPLAIN QUERY PLAN %s", text);
	must(d, gpudx_db_prepare(d->db, gpudx_buf_cstr(&explain), &st, &d->err));
	for (;;) {
		const char *detail;

		must(d, gpudx_db_step(st, &row, &d->err));
		if (!row)
			break;
		detail = gpudx_col_text(st, 3).p;
		sorts = sorts || strstr(detail, "TEMP B-TREE");
		if (!strstr(detail, "gpu_sample"))
			continue;
		uses++;
		if (strncmp(detail, "SEARCH gpu_sample USING INTEGER PRIMARY KEY", 43) != 0)
			fail_msg("%s\n%s", text, detail);
	}
	if (uses && sorts)
		fail_msg("%s\nsorts", text);
	sqlite3_finalize(st);
	gpudx_buf_free(&explain);
	return uses;
}

static void no_statement_scans_or_sorts_samples(void **state)
{
	struct writer w = { .seed = 7 };
	struct derive_db d = { 0 };
	struct statements s = { { .max = 1 << 20 } };
	int uses = 0, n = 0;

	(void)state;
	write_trace(&w, false);
	read_trace(&d, w.path);
	unlink(w.path);
	sqlite3_trace_v2(d.db, SQLITE_TRACE_STMT, note_statement, &s);
	derive(&d);
	sqlite3_trace_v2(d.db, 0, NULL, NULL);
	assert_int_equal(sqlite3_create_function(d.db, "gpudx_take", 10, SQLITE_UTF8, NULL, NULL,
						 no_function, no_end),
			 SQLITE_OK);
	for (size_t at = 0; at < s.text.n; at += strlen(s.text.p + at) + 1, n++)
		uses += check_plan(&d, s.text.p + at);
	assert_true(n >= 12 && uses >= 5);
	gpudx_buf_free(&s.text);
	close_trace(&d);
}

/* ---- real ones ---- */

#define CORPUS "../shared/corpus/smi-csv/"

static bool real_trace(struct derive_db *d, const char *path)
{
	if (access(path, R_OK) != 0) {
		print_message("skip: no %s\n", path);
		return false;
	}
	read_trace(d, path);
	return true;
}

/* A100 of 250 W whose clock falls 9.6 % at the limit: whatever the limit comes from, a rule that
 * asks for 10 % must find its numbers in the row. */
static void a_drop_just_below_ten_percent_can_be_told(void **state)
{
	struct derive_db d = { 0 };

	(void)state;
	if (!real_trace(&d, CORPUS "a100pcie250-burst-maxpower.csv.gz"))
		skip();
	sql(&d, "INSERT INTO fact(source_id, src_boot, host_id, gpu_id, key, value, num, line_id)"
		" VALUES(1, 0, 1, 1, 'power.limit_w', '250', 250, 1)");
	derive(&d);
	assert_rows(&d,
		    "SELECT kind, clock_ref_mhz, clock_med_mhz, clock_med_mhz > 0.9 * "
		    "clock_ref_mhz FROM episode",
		    "power_limit|1410.0|1275.0|1\n");
	sql(&d, "DELETE FROM fact"); /* and once more, from the database */
	derive(&d);
	assert_rows(&d,
		    "SELECT count(*) FROM episode WHERE kind = 'power_limit'"
		    " AND clock_med_mhz <= 0.9 * clock_ref_mhz",
		    "0\n");
	close_trace(&d);
}

static void a_plateau_near_350_w_is_found(void **state)
{
	struct derive_db d = { 0 };

	(void)state;
	if (!real_trace(&d, CORPUS "h100pcie-fp8burst-maxpower.csv.gz"))
		skip();
	derive(&d);
	assert_rows(&d,
		    "SELECT kind, limit_w, limit_how, clock_ref_mhz, clock_med_mhz FROM episode",
		    "power_plateau|348.0|plateau|1755.0|1020.0\npower_limit|348.0|plateau|1755.0|"
		    "1020.0\n");
	close_trace(&d);
}

static void traces_without_a_limit_give_none(void **state)
{
	static const char *const names[] = {
		CORPUS "h20-dvfs-random-NA.csv.gz",
		CORPUS "h100pcie-burst2-random.csv.gz",
		CORPUS "a100pcie250-burst-random.csv.gz",
		CORPUS "nw-h100-llama33-pandas.csv.gz",
	};
	int seen = 0;

	(void)state;
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct derive_db d = { 0 };

		if (!real_trace(&d, names[i]))
			continue;
		derive(&d);
		assert_rows(&d,
			    "SELECT kind, limit_w FROM episode WHERE kind NOT IN ('busy', 'idle')",
			    "");
		close_trace(&d);
		seen++;
	}
	if (!seen)
		skip();
}

static void the_founding_trace_is_at_its_limit_from_the_third_row_on(void **state)
{
	struct derive_db d = { 0 };

	(void)state;
	if (!real_trace(&d, "../shared/seed-case/trace.csv"))
		skip();
	sql(&d, "INSERT INTO fact(source_id, src_boot, host_id, gpu_id, key, value, num, line_id)"
		" VALUES(1, 0, 1, 1, 'power.limit_w', '400', 400, 1)");
	derive(&d);
	assert_rows(&d,
		    "SELECT kind, samples, source_samples, limit_w, limit_how, clock_med_mhz, "
		    "clock_ref_mhz,"
		    " line_first & 65535, line_worst & 65535, line_last & 65535 FROM episode",
		    "power_limit|3|5|400.0|fact|1140.0|1410.0|4|5|6\n");
	close_trace(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_what_was_planted),
		cmocka_unit_test(infers_what_is_not_written),
		cmocka_unit_test(no_statement_scans_or_sorts_samples),
		cmocka_unit_test(a_drop_just_below_ten_percent_can_be_told),
		cmocka_unit_test(a_plateau_near_350_w_is_found),
		cmocka_unit_test(traces_without_a_limit_give_none),
		cmocka_unit_test(the_founding_trace_is_at_its_limit_from_the_third_row_on),
	};

	return cmocka_run_group_tests_name("traces", tests, NULL, NULL);
}
