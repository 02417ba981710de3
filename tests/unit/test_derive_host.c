#include "derive_case.h"

static void source(struct gpudx_store *s, int id, int parent, const char *path, const char *title,
		   int line)
{
	run_sqlf(s,
		 "INSERT INTO source(id, bundle_id, parent_id, path, title, first_line, "
		 "parser, status)"
		 " VALUES(%d, 1, nullif(%d, 0), %Q, %Q, %d, 'x', 'read')",
		 id, parent, path, title, line);
}

static void name(struct gpudx_store *s, int source_id, int line, const char *layer,
		 const char *value)
{
	run_sqlf(s,
		 "INSERT INTO fact(source_id, src_boot, key, layer, value, line_id)"
		 " VALUES(%d, 0, 'host.name', %Q, %Q, %d << 32 | %d)",
		 source_id, layer, value, source_id, line);
}

static void line(struct gpudx_store *s, int source_id, int no, const char *text)
{
	run_sqlf(s, "INSERT INTO line VALUES(%d << 32 | %d, 0, %Q)", source_id, no, text);
}

#define HOSTS "SELECT coalesce(name, '?') FROM host ORDER BY id"
#define WHERE_ARE                                                                          \
	"SELECT s.id, coalesce(h.name, '?') FROM source s JOIN host h ON h.id = s.host_id" \
	" ORDER BY s.id"

static void a_bundle_without_names_is_one_host_without_name(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, 0, "trace.csv", NULL, 1);
	source(s, 2, 0, "lspci.txt", NULL, 1);
	derive(s);
	expect_rows(s, "SELECT name, how FROM host", "- no source names it");
	expect_rows(s, WHERE_ARE, "1 ? / 2 ?");
}

static void an_empty_bundle_has_a_host_and_a_boot(void **state)
{
	struct gpudx_store *s = *state;

	derive(s);
	expect_rows(s, HOSTS, "?");
	expect_rows(s, "SELECT seq, start_us, start_quality FROM boot", "0 - unknown");
}

static void short_and_long_names_are_one_host(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, 0, "kern.log", NULL, 1);
	source(s, 2, 0, "uname.txt", NULL, 1);
	source(s, 3, 0, "trace.csv", NULL, 1);
	name(s, 1, 1, "syslog", "gpu07.example.org");
	name(s, 2, 1, "uname", "GPU07");
	derive(s);
	expect_rows(s, "SELECT name, how FROM host", "gpu07 syslog");
	expect_rows(s, WHERE_ARE, "1 gpu07 / 2 gpu07 / 3 gpu07");
}

static void one_label_in_two_domains_is_two_hosts(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, 0, "a/kern.log", NULL, 1);
	source(s, 2, 0, "b/kern.log", NULL, 1);
	name(s, 1, 1, "syslog", "gpu1.east.example.org");
	name(s, 2, 1, "syslog", "gpu1.west.example.org");
	derive(s);
	expect_rows(s, HOSTS, "gpu1.east.example.org / gpu1.west.example.org");
}

static void sources_without_name_go_where_their_directory_goes(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, 0, "case/n1/var/log/kern.log", NULL, 1);
	source(s, 2, 0, "case/n1/smi/trace.csv", NULL, 1);
	source(s, 3, 0, "case/n2/uname.txt", NULL, 1);
	source(s, 4, 0, "case/n2/trace.csv", NULL, 1);
	source(s, 5, 0, "case/notes.txt", NULL, 1);
	source(s, 6, 0, "case/gpu-b-lspci.txt", NULL, 1);
	name(s, 1, 1, "syslog", "gpu-a");
	name(s, 3, 1, "uname", "gpu-b");
	derive(s);
	expect_rows(s, WHERE_ARE, "1 gpu-a / 2 gpu-a / 3 gpu-b / 4 gpu-b / 5 ? / 6 gpu-b");
	expect_rows(s, "SELECT how FROM host WHERE name IS NULL", "of sources that name no host");
}

static void parts_of_a_transcript_follow_the_prompt_above(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, 0, "session.txt", NULL, 1);
	source(s, 2, 1, "session.txt", "nvidia-smi", 2);
	source(s, 3, 1, "session.txt", "dmesg", 40);
	name(s, 1, 1, "prompt", "gpu1");
	name(s, 1, 39, "prompt", "gpu2");
	derive(s);
	expect_rows(s, WHERE_ARE, "1 gpu1 / 2 gpu1 / 3 gpu2");
}

static void a_container_is_no_host(void **state)
{
	static const char *const ids[] = { "4f5e6d7c8b9a", "vllm-6c9f8d7b54-x2x9z", "localhost",
					   "(none)" };

	(void)state;
	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
		struct gpudx_store *s = open_case();

		source(s, 1, 0, "session.txt", NULL, 1);
		source(s, 2, 1, "session.txt", "nvidia-smi", 2);
		source(s, 3, 1, "session.txt", "nvidia-smi", 40);
		name(s, 1, 1, "prompt", "gpu1");
		name(s, 1, 39, "prompt", ids[i]);
		derive(s);
		expect_rows(s, WHERE_ARE, "1 gpu1 / 2 gpu1 / 3 gpu1");
		gpudx_store_close(s);
	}
}

static void a_shell_that_begins_outside_the_home_directory_is_in_a_container(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, 0, "session.txt", NULL, 1);
	source(s, 2, 1, "session.txt", "nvidia-smi", 12);
	name(s, 1, 1, "prompt", "gpu1");
	name(s, 1, 10, "prompt", "trainer");
	name(s, 1, 30, "prompt", "gpu2");
	line(s, 1, 1, "me@gpu1:~$ docker exec -it trainer bash");
	line(s, 1, 10, "root@trainer:/workspace# nvidia-smi");
	line(s, 1, 30, "me@gpu2:~$ nvidia-smi");
	derive(s);
	expect_rows(s, HOSTS, "gpu1");
	run_sql(s, "INSERT INTO fact(source_id, src_boot, key, layer, value, line_id)"
		   " VALUES(2, 0, 'host.name', 'uname', 'trainer', 2 << 32 | 13)");
	derive(s);
	expect_rows(s, "SELECT count(*) FROM host WHERE name = 'trainer'", "1");
}

static void a_name_that_comes_late_is_the_name(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, 0, "syslog", NULL, 1);
	source(s, 2, 0, "trace.csv", NULL, 1);
	name(s, 1, 1, "syslog", "ubuntu");
	name(s, 1, 90, "syslog", "gpu7");
	derive(s);
	expect_rows(s, WHERE_ARE, "1 gpu7 / 2 gpu7");
}

static void a_bug_report_is_of_one_host_whatever_its_logs_say(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, 0, "nvidia-bug-report.log", NULL, 1);
	source(s, 2, 1, "nvidia-bug-report.log", "journalctl -b -0", 10);
	source(s, 3, 1, "nvidia-bug-report.log", "lspci", 50);
	name(s, 1, 3, "uname", "gpu1");
	name(s, 2, 11, "syslog", "dhcp-10-0-0-7");
	derive(s);
	expect_rows(s, WHERE_ARE, "1 gpu1 / 2 gpu1 / 3 gpu1");
}

static void lines_of_a_collected_log_belong_to_the_host_named_last(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, 0, "central.log", NULL, 1);
	name(s, 1, 1, "syslog", "gpu1");
	name(s, 1, 5, "syslog", "gpu2");
	name(s, 1, 9, "syslog", "gpu1");
	run_sql(s, "INSERT INTO gpu_ref(id, source_id, src_boot, bdf, line_id) VALUES"
		   "(1, 1, 0, '0000:3b:00.0', line(1, 2)), (2, 1, 0, '0000:86:00.0', line(1, 6));"
		   "INSERT INTO event(source_id, ref_id, src_boot, kind, code, t_raw_us, t_kind,"
		   " text, line_id) VALUES"
		   "(1, 1, 0, 'xid', 79, at('2024-05-07 10:00:00'), 'local', 'a', line(1, 2)),"
		   "(1, 2, 0, 'xid', 79, at('2024-05-07 10:00:01'), 'local', 'b', line(1, 6)),"
		   "(1, 1, 0, 'xid', 79, at('2024-05-07 10:00:02'), 'local', 'a', line(1, 10))");
	derive(s);
	expect_rows(s,
		    "SELECT h.name, g.key FROM event e JOIN host h ON h.id = e.host_id"
		    " LEFT JOIN gpu g ON g.id = e.gpu_id ORDER BY e.id",
		    "gpu1 gpu1/0000:3b:00.0 / gpu2 gpu2/0000:86:00.0 / gpu1 gpu1/0000:3b:00.0");
	expect_rows(s, "SELECT host_id, events FROM incident ORDER BY host_id", "1 2 / 2 1");
}

static void a_crowd_that_does_not_say_whose_line_is_whose_is_nobody(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, 0, "central.log", NULL, 1);
	source(s, 2, 0, "uname.txt", NULL, 1);
	name(s, 1, 1, "syslog", "gpu1");
	name(s, 1, 5, "syslog", "gpu2");
	name(s, 1, 9, "syslog", "gpu3");
	name(s, 2, 1, "uname", "gpu1");
	derive(s);
	expect_rows(s, WHERE_ARE, "1 gpu1 / 2 gpu1");
	name(s, 2, 2, "prompt", "login1");
	source(s, 3, 0, "other.txt", NULL, 1);
	name(s, 3, 1, "uname", "gpu2");
	derive(s);
	expect_rows(s,
		    "SELECT coalesce(h.name, '?') FROM source s JOIN host h ON h.id = s.host_id "
		    "WHERE s.id = 1",
		    "?");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		case_test(a_bundle_without_names_is_one_host_without_name),
		case_test(an_empty_bundle_has_a_host_and_a_boot),
		case_test(short_and_long_names_are_one_host),
		case_test(one_label_in_two_domains_is_two_hosts),
		case_test(sources_without_name_go_where_their_directory_goes),
		case_test(parts_of_a_transcript_follow_the_prompt_above),
		cmocka_unit_test(a_container_is_no_host),
		case_test(a_shell_that_begins_outside_the_home_directory_is_in_a_container),
		case_test(a_name_that_comes_late_is_the_name),
		case_test(a_bug_report_is_of_one_host_whatever_its_logs_say),
		case_test(lines_of_a_collected_log_belong_to_the_host_named_last),
		case_test(a_crowd_that_does_not_say_whose_line_is_whose_is_nobody),
	};

	return cmocka_run_group_tests_name("derive_host", tests, NULL, NULL);
}
