#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "head.h"
#include "ingest/match.h"
#include "ingest/sniff.h"
#include "sig/sig.h"

static struct gpudx_sigs *sigs;

static int load(void **state)
{
	struct gpudx_err err = { 0 };

	(void)state;
	return gpudx_sigs_load(&sigs, &err) ? -1 : 0;
}

static int unload(void **state)
{
	(void)state;
	gpudx_sigs_free(sigs);
	return 0;
}

static void expect(const char *text, const char *command, const char *parser)
{
	struct gpudx_sniffer s = { .arena = { .limit = 4 << 20 },
				   .match = gpudx_signature_match,
				   .match_arg = sigs };
	struct test_head h;
	const struct gpudx_parser *p = gpudx_sniff(&s, test_head(&h, text, command), false);
	const char *got = p ? p->name : "nobody";

	if (strcmp(got, parser) != 0)
		fail_msg("\"%s\" goes to %s, not to %s", text, got, parser);
	gpudx_arena_free(&s.arena);
}

static void gives_a_text_to_who_understands_most(void **state)
{
	(void)state;
	expect("[    1.000000] a\n[    2.000000] b\n", "", "kernel-log");
	expect("timestamp, index, power.draw [W]\n2026/01/13 10:00:00.000, 0, 1.00 W\n", "",
	       "smi-query-csv");
	expect("GPU 0: NVIDIA A100 (UUID: GPU-11111111-2222-3333-4444-555555555555)\n", "",
	       "smi-list");
	expect("Linux host 6.1.0-18-amd64 #1 SMP PREEMPT_DYNAMIC Debian 6.1.76-1 (2024-02-01) "
	       "x86_64 GNU/Linux\n",
	       "", "uname");
}

static void gives_prose_and_nothing_to_nobody(void **state)
{
	(void)state;
	expect("Dear all,\nthe node is slow since Monday.\n", "", "nobody");
	expect("", "", "nobody");
	expect("\n\n\n", "", "nobody");
	expect("{ \"json\": [1, 2, 3] }\n", "", "nobody");
}

/* A command alone reads nothing: what it printed must look like it. */
static void believes_a_command_only_with_its_output(void **state)
{
	(void)state;
	expect("6.1.0-18-amd64\n", "uname -r", "uname");
	expect("bash: nvidia-smi: command not found\n", "nvidia-smi -q -d POWER", "smi-message");
}

/* A trial must not leave anything behind: the same head gives the same winner again. */
static void decides_the_same_twice(void **state)
{
	struct gpudx_sniffer s = { .arena = { .limit = 4 << 20 },
				   .match = gpudx_signature_match,
				   .match_arg = sigs };
	struct test_head h;
	const struct gpudx_head *head =
		test_head(&h, "[    1.000000] NVRM: Xid (PCI:0000:3b:00): 79, x\n", "dmesg");

	(void)state;
	assert_ptr_equal(gpudx_sniff(&s, head, false), gpudx_sniff(&s, head, false));
	gpudx_arena_free(&s.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gives_a_text_to_who_understands_most),
		cmocka_unit_test(gives_prose_and_nothing_to_nobody),
		cmocka_unit_test(believes_a_command_only_with_its_output),
		cmocka_unit_test(decides_the_same_twice),
	};

	return cmocka_run_group_tests_name("sniff", tests, load, unload);
}
