/* Text of a bundle in Markdown: read as before, and inert. */
#include "report/markdown.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static const char *as_text(struct gpudx_buf *b, const char *s)
{
	gpudx_buf_clear(b);
	gpudx_md_str(b, s);
	return gpudx_buf_cstr(b);
}

static const char *as_code(struct gpudx_buf *b, const char *s, bool cell)
{
	gpudx_buf_clear(b);
	gpudx_md_code(b, sv_str(s), cell);
	return gpudx_buf_cstr(b);
}

static void test_text(void **state)
{
	static const struct {
		const char *in, *out;
	} cases[] = {
		{ "GPU 0: SM clock 1410 -> 1140 MHz (-19 %)",
		  "GPU 0: SM clock 1410 -\\> 1140 MHz (-19 %)" },
		{ "sm_clock_mhz _x_", "sm_clock_mhz \\_x\\_" },
		{ "<script>&amp;</script>", "\\<script\\>\\&amp;\\</script\\>" },
		{ "a|b", "a\\|b" },
		{ "`id` $(id) ~~x~~ *y*", "\\`id\\` \\$(id) \\~\\~x\\~\\~ \\*y\\*" },
		{ "[x](javascript:y) ![z](w)", "\\[x\\](javascript:y) !\\[z\\](w)" },
		{ "@team see #12 and !7", "@\u200bteam see #\u200b12 and !\u200b7" },
		{ "ops@example.org", "ops@\u200bexample.org" },
		{ "https://e.org www.e.org", "https:\u200b//e.org www\u200b.e.org" },
		{ "node@ # of 98 %", "node@ # of 98 %" },
		{ "# heading", "\\# heading" },
		{ "- item", "\\- item" },
		{ "+ item", "\\+ item" },
		{ "1. item", "1\\. item" },
		{ "12) item", "12\\) item" },
		{ "12 GPUs", "12 GPUs" },
		{ "    code", "code" },
		{ "===", "\\===" },
		{ "a\nb\r\n# c", "a b  # c" },
		{ "\x1b[31m\u202e", "\ufffd\\[31m\ufffd" },
		{ "", "" },
	};
	struct gpudx_buf b = { .max = 1 << 16 };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(as_text(&b, cases[i].in), cases[i].out);
	gpudx_buf_free(&b);
}

static void test_code(void **state)
{
	struct gpudx_buf b = { .max = 1 << 16 };

	(void)state;
	assert_string_equal(as_code(&b, "a.txt:3", false), "`a.txt:3`");
	assert_string_equal(as_code(&b, "a|b", false), "`a|b`");
	assert_string_equal(as_code(&b, "a|b", true), "`a\\|b`");
	assert_string_equal(as_code(&b, "a`b``c", false), "``` a`b``c ```");
	assert_string_equal(as_code(&b, " a", false), "`  a`");
	assert_string_equal(as_code(&b, "a\n<b>", false), "`a <b>`");
	assert_string_equal(as_code(&b, "", false), "");
	gpudx_buf_free(&b);
}

static void test_block(void **state)
{
	struct gpudx_buf b = { .max = 1 << 16 };

	(void)state;
	gpudx_md_block(&b, "sh", SV_LIT("nvidia-smi"));
	assert_string_equal(gpudx_buf_cstr(&b), "```sh\nnvidia-smi\n```\n");
	gpudx_buf_clear(&b);
	gpudx_md_block(&b, "", SV_LIT("```\nx\n````\n"));
	assert_string_equal(gpudx_buf_cstr(&b), "`````\n```\nx\n````\n`````\n");
	gpudx_buf_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_code),
		cmocka_unit_test(test_block),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
