/* What stands in front of lines, what collectors make of them, and commands that run elsewhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "base/buf.h"
#include "ingest/carry.h"
#include "ingest/records.h"
#include "ingest/remote.h"

#include <stdlib.h>

#define LINES(...) ((const char *const[]){ __VA_ARGS__, NULL })

static struct gpudx_carriers carriers_of(const char *const *texts, bool stamps)
{
	struct gpudx_line v[GPUDX_CARRIER_HEAD] = { { .no = 0 } };
	struct gpudx_carriers c = { .n = 0 };
	size_t n = 0;

	for (; texts[n]; n++)
		v[n].text = sv_str(texts[n]);
	gpudx_carriers_look(&c, v, n);
	if (stamps)
		gpudx_carriers_stamp(&c, v, n);
	return c;
}

static void expect_sv(struct gpudx_sv is, const char *text)
{
	if (!sv_is(is, text))
		fail_msg("\"%.*s\" is not \"%s\"", (int)is.n, is.p, text);
}

static void expect_line(const struct gpudx_carriers *c, const char *line, const char *host,
			const char *text)
{
	struct gpudx_carried said;

	expect_sv(gpudx_carriers_peel(c, sv_str(line), &said), text);
	expect_sv(said.host, host);
}

static void hosts_stand_in_front(void **state)
{
	struct gpudx_carriers c = carriers_of(
		LINES("gpu01: a b", "gpu02: c", "gpu01:", "pdsh@adm: gpu03: timed out"), false);

	(void)state;
	assert_int_equal(c.n, 1);
	expect_line(&c, "gpu02:  1, 2", "gpu02", " 1, 2");
	expect_line(&c, "no host here", "", "no host here");
}

static void what_is_numbered_is_no_host(void **state)
{
	(void)state;
	assert_int_equal(carriers_of(LINES("gpu0: a", "gpu1: b", "gpu2: c", "gpu3: d"), false).n,
			 0);
	assert_int_equal(
		carriers_of(LINES("rank0: a", "rank1: b", "rank0: c", "rank1: d"), false).n, 0);
	assert_int_equal(carriers_of(LINES("driver-535: a line alone"), false).n, 0);
	assert_int_equal(carriers_of(LINES("/sys/class/log:1", "/proc/log:2"), false).n, 0);
}

static void carriers_stand_behind_each_other(void **state)
{
	struct gpudx_carriers c =
		carriers_of(LINES("[pod/job-0/main] 2024-05-11T10:00:01.5Z stdout F a",
				  "[pod/job-1/main] 2024-05-11T10:00:01.5Z stderr P b"),
			    false);
	struct gpudx_carried said;

	(void)state;
	assert_int_equal(c.n, 2);
	expect_sv(gpudx_carriers_peel(
			  &c, SV_LIT("[pod/job-1/main] 2024-05-11T10:00:01.5Z stderr P b"), &said),
		  "b");
	expect_sv(said.host, "job-1");
	assert_int_equal(said.stamp.kind, GPUDX_STAMP_UTC);
	assert_true(said.stamp.t_us == INT64_C(1715421601500000));
}

static void files_are_named_by_grep(void **state)
{
	struct gpudx_carriers c = carriers_of(LINES("./hgx06/dmesg.txt:17:[  812.1] x",
						    "/var/log/messages:Jun  8 22:11:01 a b: c"),
					      false);
	struct gpudx_carried said;

	(void)state;
	assert_int_equal(c.n, 1);
	expect_sv(gpudx_carriers_peel(&c, SV_LIT("./hgx06/dmesg.txt:17:[  812.1] x"), &said),
		  "[  812.1] x");
	expect_sv(said.path, "hgx06/dmesg.txt");
	expect_sv(gpudx_carriers_peel(&c, SV_LIT("/var/log/a.log:10:11:12 x"), &said),
		  "10:11:12 x");
}

static void times_stand_in_front(void **state)
{
	static const struct {
		const char *line, *text;
		enum gpudx_stamp_kind kind;
	} rows[] = {
		{ "2024-06-11T10:00:00+0200 # gpu", "# gpu", GPUDX_STAMP_UTC },
		{ "[2024-06-11 10:00:00] # gpu", "# gpu", GPUDX_STAMP_LOCAL },
		{ "2024-06-11 10:00:00.25 # gpu", "# gpu", GPUDX_STAMP_LOCAL },
		{ "Jun 11 10:00:00   0 1", "  0 1", GPUDX_STAMP_NOYEAR },
		{ "1718100000.123456 a", "a", GPUDX_STAMP_UTC },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct gpudx_carriers c = carriers_of(LINES(rows[i].line), true);
		struct gpudx_carried said;

		assert_int_equal(c.n, 1);
		expect_sv(gpudx_carriers_peel(&c, sv_str(rows[i].line), &said), rows[i].text);
		assert_int_equal(said.stamp.kind, rows[i].kind);
	}
	assert_int_equal(carriers_of(LINES("123456 a", "2024 b"), true).n, 0);
}

/* ---- records ---- */

typedef void read_fn(struct gpudx_records *r, struct gpudx_sv line, struct gpudx_buf *out);

static void expect_records(read_fn *read, const char *const *lines, const char *want)
{
	struct gpudx_records *r = calloc(1, sizeof(*r));
	struct gpudx_buf out = { .max = 1 << 16 };

	assert_non_null(r);
	r->message.max = r->row.max = 1 << 16;
	for (; *lines; lines++)
		read(r, sv_str(*lines), &out);
	assert_string_equal(gpudx_buf_cstr(&out), want);
	gpudx_records_free(r);
	free(r);
	gpudx_buf_free(&out);
}

static void records_of_json(void **state)
{
	(void)state;
	expect_records(gpudx_records_json,
		       LINES("{\"@timestamp\":\"1970-01-01T00:00:01Z\",\"message\":\"a\\nb\","
			     "\"host\":{\"name\":\"n1\"},\"tags\":[{\"message\":\"no\"}]}",
			     "{\"message\":\"broken", "{\"message\":\"c\",\"time\":1718100000123}"),
		       "\a1000000\an1\aa\r\a1000000\an1\ab\r\a1718100000123000\a\ac");
	expect_records(gpudx_records_json,
		       LINES("{\"hits\":{\"hits\":[", "{\"_source\":{\"message\":\"a\",",
			     "\"host\":\"n1:22\"}},{\"_source\":{\"log\":\"b\"}}", "]}}"),
		       "\a\an1\aa\r\a\a\ab");
	expect_records(gpudx_records_json,
		       LINES("{\"stream\":{\"node\":\"n1\"},\"values\":[[\"1718100000000000000\","
			     "\"a\"],[\"1718100001000000000\",\"b\"]]}",
			     "{\"stream\":{\"job\":\"x\"},\"values\":[[\"1718100002000000000\","
			     "\"c\"]]}"),
		       "\a1718100000000000\an1\aa\r\a1718100001000000\an1\ab\r"
		       "\a1718100002000000\a\ac");
}

static void records_of_a_table(void **state)
{
	(void)state;
	assert_true(gpudx_records_are_csv(SV_LIT("\"_time\",host,\"_raw\"\nx")));
	assert_false(gpudx_records_are_csv(SV_LIT("index, message\n")));
	assert_false(gpudx_records_are_csv(SV_LIT("timestamp, index, temperature.gpu\n")));
	expect_records(gpudx_records_csv,
		       LINES("\"_time\",host,\"_raw\"", "1718100000,n1,\"say \"\"a\"\", b\"\r",
			     "2,,c", "1718100001,n2,\"d", "e\""),
		       "\a1718100000000000\an1\asay \"a\", b\r\a\a\ac"
		       "\r\a1718100001000000\an2\ad\r\a1718100001000000\an2\ae");
}

static void other_json_is_no_log(void **state)
{
	(void)state;
	assert_false(gpudx_records_are_json(
		SV_LIT("{\"apiVersion\":\"v1\",\"message\":\"\",\"time\":1}")));
	assert_false(gpudx_records_are_json(SV_LIT("{\"Message\":\"x\",\"Created\":\"2024\"}")));
	assert_false(gpudx_records_are_json(SV_LIT(
		"{\"data\":{\"resultType\":\"matrix\",\"result\":[{\"metric\":{},\"values\":")));
}

/* ---- remote ---- */

static void commands_that_run_elsewhere(void **state)
{
	static const struct {
		const char *line, *host, *command;
		bool elsewhere, fans_out;
	} rows[] = {
		{ "ssh gpu02 sudo dmesg", "gpu02", "sudo dmesg", false, false },
		{ "ssh -p 22 -o User=x root@gpu02.example.com 'dmesg | tail'", "gpu02.example.com",
		  "dmesg | tail", false, false },
		{ "sudo ssh -tt bastion ssh -i key gpu02", "gpu02", "", false, false },
		{ "srun -N1 --nodelist=gpu03 -p long nvidia-smi -q", "gpu03", "nvidia-smi -q",
		  false, false },
		{ "srun --jobid 7 nvidia-smi", "", "nvidia-smi", true, false },
		{ "pdsh -w gpu[01-04] dmesg", "", "dmesg", true, true },
		{ "clush -bw gpu01 dmesg", "gpu01", "dmesg", false, true },
		{ "kubectl -n x exec -it pod-0 -c main -- nvidia-smi -L", "", "nvidia-smi -L", true,
		  false },
		{ "oc debug node/gpu04 -- chroot /host dmesg -T", "gpu04", "dmesg -T", false,
		  false },
		{ "kubectl logs -f pod-0", "", "", true, false },
		{ "docker exec -it -u root box nvidia-smi", "", "nvidia-smi", false, false },
	};
	struct gpudx_remote far;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_true(gpudx_remote_look(sv_str(rows[i].line), &far));
		expect_sv(far.host, rows[i].host);
		expect_sv(far.command, rows[i].command);
		assert_int_equal(far.elsewhere, rows[i].elsewhere);
		assert_int_equal(far.fans_out, rows[i].fans_out);
	}
	assert_false(gpudx_remote_look(SV_LIT("dmesg -T"), &far));
	assert_false(gpudx_remote_look(SV_LIT("kubectl get pods -o wide"), &far));
	assert_false(gpudx_remote_look(SV_LIT("ssh -V"), &far));
	assert_false(gpudx_remote_look(SV_LIT(""), &far));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hosts_stand_in_front),
		cmocka_unit_test(what_is_numbered_is_no_host),
		cmocka_unit_test(carriers_stand_behind_each_other),
		cmocka_unit_test(files_are_named_by_grep),
		cmocka_unit_test(times_stand_in_front),
		cmocka_unit_test(records_of_json),
		cmocka_unit_test(records_of_a_table),
		cmocka_unit_test(other_json_is_no_log),
		cmocka_unit_test(commands_that_run_elsewhere),
	};

	return cmocka_run_group_tests_name("carry", tests, NULL, NULL);
}
