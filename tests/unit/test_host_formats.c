/* What the small formats of a host must not take, and the awkward things they must. */
#include "head.h"
#include "sig/sig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

extern const struct gpudx_parser gpudx_parser_torch_print, gpudx_parser_app_log,
	gpudx_parser_modinfo, gpudx_parser_kernel_cmdline, gpudx_parser_uname,
	gpudx_parser_host_date, gpudx_parser_nv_proc_version, gpudx_parser_nv_proc_params;

static int bid(const struct gpudx_parser *p, const char *text, const char *command)
{
	struct test_head h;

	return p->bid(test_head(&h, text, command));
}

static void does_not_grab_three_arbitrary_numbers(void **state)
{
	const struct gpudx_parser *p = &gpudx_parser_torch_print;

	(void)state;
	assert_int_equal(bid(p, "1.2.3\n4.5\n6789\n", ""), 0);
	assert_int_equal(bid(p, "10.2.1\n12.1\n8902\n", ""), 0);
	assert_int_equal(bid(p, "3\n4\n5\n", ""), 0);
	assert_int_equal(bid(p, "2.2.1\n12.1\n", ""), 0);
	assert_int_equal(bid(p, "2.2.1\n12.1\n8902\n17\n", ""), 0);
	assert_int_equal(bid(p, "2.2.1 8902\n", ""), 0);
	assert_int_equal(bid(p, "2.2.1\n12.1\n8902\n", ""), 60);
	assert_int_equal(bid(p, "2.2.1+cu121\nTrue\n", ""), 60);
	assert_int_equal(bid(p, "2.2.1\n", "python -c 'import torch; print(torch.__version__)'"),
			 80);
}

static void looks_for_the_words_of_every_app_signature(void **state)
{
	struct gpudx_sigs *sigs;
	struct gpudx_err err;
	unsigned seen = 0;

	(void)state;
	assert_int_equal(gpudx_sigs_load(&sigs, &err), GPUDX_OK);
	for (size_t i = 0; i < gpudx_sigs_count(sigs); i++) {
		const struct gpudx_sig *sig = gpudx_sigs_at(sigs, i);
		struct gpudx_line line = { .text = sig->example };
		struct gpudx_head head = { .lines = &line, .n = 1 };

		if (!sv_ends(sv_str(sig->path), "/app.tsv") &&
		    !sv_ends(sv_str(sig->path), "/framework.tsv"))
			continue;
		/* facts and further attributes come with lines that are known otherwise */
		if (sig->kind.p[0] == '=' || sig->kind.p[0] == '+')
			continue;
		seen++;
		assert_true(gpudx_sigs_example_matches(sigs, i));
		if (gpudx_parser_app_log.bid(&head) < 40)
			fail_msg("nothing in app_words.c finds: %.*s", (int)sig->example.n,
				 sig->example.p);
	}
	assert_true(seen >= 40);
	gpudx_sigs_free(sigs);
}

static void tells_modinfo_from_other_lists_of_keys(void **state)
{
	const struct gpudx_parser *p = &gpudx_parser_modinfo;

	(void)state;
	assert_int_equal(bid(p, "name: thing\nversion: 1.2\nlicense: MIT\nauthor: me\n", ""), 0);
	assert_int_equal(bid(p, "version:        535.154.05\n", "modinfo nvidia | grep ^version"),
			 60);
	assert_int_equal(
		bid(p, "vermagic:       5.15.0-91-generic SMP mod_unload modversions\n", ""), 80);
	assert_int_equal(bid(p, "modinfo: ERROR: Module nvidia not found.\n", ""), 60);
}

static void knows_a_command_line_without_boot_image(void **state)
{
	const struct gpudx_parser *p = &gpudx_parser_kernel_cmdline;

	(void)state;
	assert_int_equal(bid(p, "root=/dev/sda1 ro quiet iommu=pt\n", ""), 60);
	assert_int_equal(bid(p, "console=ttyS0\n", "cat /proc/cmdline"), 80);
	assert_int_equal(bid(p, "The root=cause is quiet and ro means read-only\n", ""), 0);
	assert_int_equal(bid(p, "PATH=/bin HOME=/root SHELL=/bin/sh\n", ""), 0);
	assert_false(p->starts(SV_LIT("Kernel command line: BOOT_IMAGE=/vmlinuz")));
}

static void does_not_read_the_kernel_log_as_uname(void **state)
{
	const struct gpudx_parser *p = &gpudx_parser_uname;

	(void)state;
	assert_false(p->starts(
		SV_LIT("Linux version 5.15.0-91-generic (buildd@x) (gcc) #101-Ubuntu SMP")));
	assert_int_equal(bid(p, "Linux is not unix 5.15 #1\n", ""), 0);
	assert_int_equal(bid(p, "5.15.0-91-generic\n", ""), 0);
	assert_int_equal(bid(p, "5.15.0-91-generic\n", "uname -r"), 80);
}

static void takes_bare_words_only_behind_their_command(void **state)
{
	const struct gpudx_parser *p = &gpudx_parser_host_date;
	struct test_head h;

	(void)state;
	assert_int_equal(bid(p, "node01\n", ""), 0);
	assert_int_equal(bid(p, "node01\n", "hostname"), 60);
	assert_int_equal(bid(p, "2026-01-11 08:12:01\n", ""), 0);
	assert_int_equal(bid(p, "2026-01-11 08:12:01\n", "uptime -s"), 80);
	test_head(&h, "2026-01-11 08:12:01\n", "");
	h.head.path = SV_LIT("node01/uptime_s.txt");
	assert_int_equal(p->bid(&h.head), 80);
	h.head.path = SV_LIT("node01/uptime.txt");
	assert_int_equal(p->bid(&h.head), 80);
	h.head.path = SV_LIT("node01/downtime.txt");
	assert_int_equal(p->bid(&h.head), 0);
	assert_int_equal(bid(p, "1.5 2.5\n", ""), 0);
	assert_int_equal(bid(p, "PATH=/bin\nHOME=/root\n", "env"), 0);
	assert_int_equal(bid(p, "10:22:41 up and running\n", ""), 0);
}

static void wants_more_than_one_known_parameter(void **state)
{
	(void)state;
	assert_int_equal(bid(&gpudx_parser_nv_proc_params, "EnableMSI: 1\nsomething: 2\n", ""), 0);
	assert_int_equal(
		bid(&gpudx_parser_nv_proc_params, "EnableMSI: 1\nRmLogonRC: 1\nRmMsg: \"\"\n", ""),
		80);
	assert_int_equal(bid(&gpudx_parser_nv_proc_version, "550.54.15\n", ""), 0);
	assert_int_equal(
		bid(&gpudx_parser_nv_proc_version, "550.54.15\n", "/sys/module/nvidia/version"),
		80);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(does_not_grab_three_arbitrary_numbers),
		cmocka_unit_test(looks_for_the_words_of_every_app_signature),
		cmocka_unit_test(tells_modinfo_from_other_lists_of_keys),
		cmocka_unit_test(knows_a_command_line_without_boot_image),
		cmocka_unit_test(does_not_read_the_kernel_log_as_uname),
		cmocka_unit_test(takes_bare_words_only_behind_their_command),
		cmocka_unit_test(wants_more_than_one_known_parameter),
	};

	return cmocka_run_group_tests_name("host_formats", tests, NULL, NULL);
}
