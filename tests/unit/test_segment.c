#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ingest/segment.h"

static void expect(const char *line, bool after_bar, enum gpudx_boundary_kind kind,
		   const char *command)
{
	struct gpudx_boundary b = gpudx_segment_look(sv_str(line), after_bar);

	if (b.kind != kind)
		fail_msg("\"%s\" is %d, not %d", line, (int)b.kind, (int)kind);
	if (command && !sv_is(b.command, command))
		fail_msg("\"%s\": the command is \"%.*s\"", line, (int)b.command.n, b.command.p);
}

static void knows_prompts_and_whose_they_are(void **state)
{
	struct gpudx_boundary b =
		gpudx_segment_look(SV_LIT("root@gpu-7:/var/log# sudo LC_ALL=C dmesg -T"), false);

	(void)state;
	assert_int_equal(b.kind, GPUDX_PROMPT);
	assert_true(sv_is(b.host, "gpu-7") && sv_is(b.command, "dmesg -T"));
	expect("[me@host ~]$ nvidia-smi", false, GPUDX_PROMPT, "nvidia-smi");
	expect("(base) me@host:~$ nvidia-smi -q", false, GPUDX_PROMPT, "nvidia-smi -q");
	expect("me@host:~$", false, GPUDX_PROMPT, "");
	expect("$ nvidia-smi", false, GPUDX_PROMPT, "nvidia-smi");
	expect("+ lspci -vv", false, GPUDX_PROMPT, "lspci -vv");
	expect("# nvidia-smi -q", false, GPUDX_PROMPT, "nvidia-smi -q");
	expect("===== nvidia-smi -q =====", false, GPUDX_PROMPT, "nvidia-smi -q");
	expect("/usr/bin/nvidia-smi --query", false, GPUDX_PROMPT, "/usr/bin/nvidia-smi --query");
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
		expect(not [i], false, GPUDX_NO_BOUNDARY, NULL);
}

static void knows_bars_titles_and_fences(void **state)
{
	(void)state;
	expect("____________________________________________", false, GPUDX_BAR, NULL);
	expect("*** /proc/cmdline", false, GPUDX_TITLE, "/proc/cmdline");
	expect("dmesg:", true, GPUDX_TITLE, "dmesg");
	expect("dmesg:", false, GPUDX_NO_BOUNDARY, NULL);
	expect("```console", false, GPUDX_FENCE, NULL);
}

static void knows_what_throws_output_away(void **state)
{
	(void)state;
	assert_true(gpudx_segment_look(SV_LIT("$ dmesg | grep -i nvrm"), false).excerpt);
	assert_true(gpudx_segment_look(SV_LIT("$ dmesg | sudo tail -50"), false).excerpt);
	assert_true(gpudx_segment_look(SV_LIT("$ grep NVRM /var/log/kern.log"), false).excerpt);
	assert_false(gpudx_segment_look(SV_LIT("$ dmesg | cat"), false).excerpt);
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
	assert_int_equal(gpudx_segment_look(sv_n(line, 5000), false).kind, GPUDX_NO_BOUNDARY);
	free(line);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(knows_prompts_and_whose_they_are),
		cmocka_unit_test(takes_text_for_no_border),
		cmocka_unit_test(knows_bars_titles_and_fences),
		cmocka_unit_test(knows_what_throws_output_away),
		cmocka_unit_test(looks_at_any_line_without_harm),
	};

	return cmocka_run_group_tests_name("segment", tests, NULL, NULL);
}
