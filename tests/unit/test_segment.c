#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ingest/segment.h"

static void expect(const char *line, enum gpudx_boundary_kind before, enum gpudx_boundary_kind kind,
		   const char *command)
{
	struct gpudx_boundary b = gpudx_segment_look(sv_str(line), before);

	if (b.kind != kind)
		fail_msg("\"%s\" is %d, not %d", line, (int)b.kind, (int)kind);
	if (command && !sv_is(b.command, command))
		fail_msg("\"%s\": the command is \"%.*s\"", line, (int)b.command.n, b.command.p);
}

static void knows_prompts_and_whose_they_are(void **state)
{
	struct gpudx_boundary b = gpudx_segment_look(
		SV_LIT("root@gpu-7:/var/log# sudo LC_ALL=C dmesg -T"), GPUDX_NO_BOUNDARY);

	(void)state;
	assert_int_equal(b.kind, GPUDX_PROMPT);
	assert_true(sv_is(b.host, "gpu-7") && sv_is(b.command, "dmesg -T"));
	expect("[me@host ~]$ nvidia-smi", GPUDX_NO_BOUNDARY, GPUDX_PROMPT, "nvidia-smi");
	expect("(base) me@host:~$ nvidia-smi -q", GPUDX_NO_BOUNDARY, GPUDX_PROMPT, "nvidia-smi -q");
	expect("me@host:~$", GPUDX_NO_BOUNDARY, GPUDX_PROMPT, "");
	expect("$ nvidia-smi", GPUDX_NO_BOUNDARY, GPUDX_PROMPT, "nvidia-smi");
	expect("+ lspci -vv", GPUDX_NO_BOUNDARY, GPUDX_PROMPT, "lspci -vv");
	expect("# nvidia-smi -q", GPUDX_NO_BOUNDARY, GPUDX_PROMPT, "nvidia-smi -q");
	expect("===== nvidia-smi -q =====", GPUDX_NO_BOUNDARY, GPUDX_PROMPT, "nvidia-smi -q");
	expect("/usr/bin/nvidia-smi --query", GPUDX_NO_BOUNDARY, GPUDX_PROMPT,
	       "/usr/bin/nvidia-smi --query");
}

static void takes_text_for_no_border(void **state)
{
	static const char *const not [] = {
		"",
		"# a comment",
		"$ is a currency",
		"write to me@host for more",
		"a@b: no prompt",
		"2026-01-13T10:00:00 host kernel: x",
		"------",
		"+---------+",
		"*** not found",
		"/usr/bin/nvidia-smi: not found",
		"[    1.000000] x",
		"GPU 0: NVIDIA A100 (UUID: GPU-1)",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(not ) / sizeof(not [0]); i++)
		expect(not [i], GPUDX_NO_BOUNDARY, GPUDX_NO_BOUNDARY, NULL);
}

static void knows_bars_titles_and_fences(void **state)
{
	(void)state;
	expect("____________________________________________", GPUDX_NO_BOUNDARY, GPUDX_BAR, NULL);
	expect("*** /proc/cmdline", GPUDX_NO_BOUNDARY, GPUDX_TITLE, "/proc/cmdline");
	expect("Scanning kernel log files:", GPUDX_BAR, GPUDX_TITLE, "Scanning kernel log files");
	expect("Scanning kernel log files:", GPUDX_NO_BOUNDARY, GPUDX_NO_BOUNDARY, NULL);
	expect("dmesg:", GPUDX_NO_BOUNDARY, GPUDX_TITLE, "dmesg");
	expect("python:", GPUDX_NO_BOUNDARY, GPUDX_NO_BOUNDARY, NULL);
	expect("lspci -vv", GPUDX_RULE, GPUDX_TITLE, "lspci -vv");
	expect("lspci -vv", GPUDX_NO_BOUNDARY, GPUDX_NO_BOUNDARY, NULL);
	expect("==========", GPUDX_NO_BOUNDARY, GPUDX_RULE, NULL);
	expect("---------------", GPUDX_NO_BOUNDARY, GPUDX_BAR, NULL);
	expect("==> /var/log/kern.log <==", GPUDX_NO_BOUNDARY, GPUDX_TITLE, "/var/log/kern.log");
	expect("+ /opt/c.sh:12: lspci -vv", GPUDX_NO_BOUNDARY, GPUDX_PROMPT, "lspci -vv");
	expect("```console", GPUDX_NO_BOUNDARY, GPUDX_FENCE, NULL);
}

static void knows_headings_with_hosts(void **state)
{
	struct gpudx_boundary b =
		gpudx_segment_look(SV_LIT("node01 | CHANGED | rc=0 >>"), GPUDX_NO_BOUNDARY);

	(void)state;
	assert_true(sv_is(b.host, "node01"));
	b = gpudx_segment_look(SV_LIT("gpu-node-17.example.com"), GPUDX_BAR);
	assert_true(sv_is(b.host, "gpu-node-17.example.com"));
	b = gpudx_segment_look(SV_LIT("gpu-node-17"), GPUDX_NO_BOUNDARY);
	assert_true(b.kind == GPUDX_NO_BOUNDARY);
}

static void knows_what_throws_output_away(void **state)
{
	(void)state;
	assert_true(
		gpudx_segment_look(SV_LIT("$ dmesg | grep -i nvrm"), GPUDX_NO_BOUNDARY).excerpt);
	assert_true(
		gpudx_segment_look(SV_LIT("$ dmesg | sudo tail -50"), GPUDX_NO_BOUNDARY).excerpt);
	assert_true(gpudx_segment_look(SV_LIT("$ grep NVRM /var/log/kern.log"), GPUDX_NO_BOUNDARY)
			    .excerpt);
	assert_false(gpudx_segment_look(SV_LIT("$ dmesg | cat"), GPUDX_NO_BOUNDARY).excerpt);
}

static void looks_at_any_line_without_harm(void **state)
{
	char *line = malloc(5000);

	(void)state;
	assert_non_null(line);
	memset(line, '@', 5000);
	for (size_t n = 0; n <= 5000; n += 7)
		(void)gpudx_segment_look(sv_n(line, n), n % 2);
	memset(line, '_', 5000);
	assert_int_equal(gpudx_segment_look(sv_n(line, 5000), GPUDX_NO_BOUNDARY).kind,
			 GPUDX_NO_BOUNDARY);
	free(line);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(knows_prompts_and_whose_they_are),
		cmocka_unit_test(takes_text_for_no_border),
		cmocka_unit_test(knows_bars_titles_and_fences),
		cmocka_unit_test(knows_headings_with_hosts),
		cmocka_unit_test(knows_what_throws_output_away),
		cmocka_unit_test(looks_at_any_line_without_harm),
	};

	return cmocka_run_group_tests_name("segment", tests, NULL, NULL);
}
