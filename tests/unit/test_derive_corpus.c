/* Real bundles, where they are at hand: which hosts, boots, GPUs and incidents come out. */
#include "derive_case.h"

#include <unistd.h>

#include "ingest/ingest.h"

#define SHARED "../shared/"

/* NULL where there is no such file. */
static struct gpudx_store *read_shared(const char *path)
{
	struct gpudx_err err = { 0 };
	struct gpudx_ingested in;
	struct gpudx_store *s;
	struct gpudx_sigs *sigs;

	if (access(path, R_OK)) {
		print_message("skip: no %s\n", path);
		return NULL;
	}
	assert_int_equal(gpudx_store_create(NULL, &s, &err), GPUDX_OK);
	assert_int_equal(gpudx_sigs_load(&sigs, &err), GPUDX_OK);
	assert_int_equal(gpudx_ingest(s, sigs, &path, 1, NULL, &in, &err), GPUDX_OK);
	gpudx_sigs_free(sigs);
	derive(s);
	return s;
}

#define UNRESOLVED "SELECT count(*) FROM gpu_ref WHERE gpu_id IS NULL"
#define XID_INCIDENTS                                                                 \
	"SELECT code, gpus, count(*) FROM incident WHERE kind = 'xid' GROUP BY 1, 2 " \
	"ORDER BY 1, 2"

static void the_founding_incident_is_of_one_gpu_however_it_is_handed_over(void **state)
{
	static const char *const paths[] = { SHARED "seed-case",
					     SHARED "seed-case/transcript.txt" };

	(void)state;
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		struct gpudx_store *s = read_shared(paths[i]);

		if (!s)
			skip();
		expect_rows(s, "SELECT count(*) FROM host", "1");
		expect_rows(s, "SELECT count(*) FROM gpu", "1");
		expect_rows(s, UNRESOLVED, "0");
		expect_rows(s, XID_INCIDENTS, "31 1 1");
		gpudx_store_close(s);
	}
}

/* The machine was started again and again, and its buses were renumbered in between; three GPUs
 * fell off the bus at once, later single ones. */
static void renumbered_buses_do_not_make_more_gpus(void **state)
{
	struct gpudx_store *s =
		read_shared(SHARED "corpus/bugreport/br02-3x4070-x1riser-xid79.log.gz");

	(void)state;
	if (!s)
		skip();
	expect_rows(s, "SELECT count(*) FROM host", "1");
	expect_rows(s, "SELECT count(*) FROM gpu", "3");
	expect_rows(s, XID_INCIDENTS, "79 1 2 / 79 3 1");
	gpudx_store_close(s);
}

/* The same messages stand in syslog, dmesg and the journal of the report. */
static void what_several_logs_say_happened_once(void **state)
{
	struct gpudx_store *s =
		read_shared(SHARED "corpus/bugreport/br04-p3200m-driver-mess.log.gz");

	(void)state;
	if (!s)
		skip();
	expect_rows(s, "SELECT count(*) FROM gpu", "1");
	expect_rows(s, XID_INCIDENTS, "31 1 1");
	expect_rows(s, "SELECT count(*) FROM incident WHERE kind = 'nvrm.fallen_off_bus'", "5");
	gpudx_store_close(s);
}

static void clocks_of_a_report_follow_the_zone_that_its_date_names(void **state)
{
	struct gpudx_store *s =
		read_shared(SHARED "corpus/bugreport/br06-2xa6000-busy-powercap-85C.log.gz");

	(void)state;
	if (!s)
		skip();
	expect_rows(s, "SELECT count(*) FROM gpu", "2");
	expect_rows(s, UNRESOLVED, "0");
	expect_rows(s, "SELECT collected_quality FROM bundle", "aligned");
	expect_rows(s, "SELECT count(*) FROM incident", "0");
	gpudx_store_close(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_founding_incident_is_of_one_gpu_however_it_is_handed_over),
		cmocka_unit_test(renumbered_buses_do_not_make_more_gpus),
		cmocka_unit_test(what_several_logs_say_happened_once),
		cmocka_unit_test(clocks_of_a_report_follow_the_zone_that_its_date_names),
	};

	return cmocka_run_group_tests_name("derive_corpus", tests, NULL, NULL);
}
