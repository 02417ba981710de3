#include "report/svg.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static bool rewrite(const char *svg, struct gpudx_buf *out)
{
	static const struct gpudx_sv labels[] = { SV("GPU <0>"), SV("a@0@\x1b") };

	gpudx_buf_clear(out);
	return gpudx_svg_rewrite(sv_str(svg), labels, 2, out);
}

static void keeps_what_is_drawn_and_nothing_else(void **state)
{
	struct gpudx_buf b = { .max = 1 << 16 };

	(void)state;
	assert_true(
		rewrite("<?xml version=\"1.0\"?>\n<!-- x --><svg \n width=\"9\">\n<title>t</title>"
			"<defs><circle id='a' r='1'/><path d='M0,0'/></defs>"
			"<script>alert(1)</script><foreignObject><b>x</b></foreignObject>"
			"<g fill=\"none\" stroke=\"currentColor\" stroke-width=\"2.00\">\n"
			"<path stroke='rgb(  0, 114, 178)' onload='evil()' d='M46.14,98.51 "
			"L42.02,98.51  '/></g></svg>",
			&b));
	assert_string_equal(
		gpudx_buf_cstr(&b),
		"<path d=\"M46.1,98.5l-4.1,0\" stroke-width=\"2\" stroke=\"var(--clock)\"/>\n");
	gpudx_buf_free(&b);
}

static void knows_its_colours_in_both_spellings(void **state)
{
	struct gpudx_buf b = { .max = 1 << 16 }, svg = { .max = 4096 };

	(void)state;
	for (int i = 0; i < REP_INKS; i++) {
		gpudx_buf_clear(&svg);
		gpudx_buf_printf(&svg, "<svg><path stroke='%s' d='M1,1 L2,2'/></svg>",
				 gpudx_ink((enum rep_ink)i));
		assert_true(rewrite(gpudx_buf_cstr(&svg), &b));
		assert_non_null(strstr(gpudx_buf_cstr(&b), gpudx_ink_page((enum rep_ink)i)));
	}
	assert_true(rewrite("<svg><path stroke='rgb(1,2,3)' d='M1,1 L2,2'/></svg>", &b));
	assert_non_null(strstr(gpudx_buf_cstr(&b), "stroke=\"currentColor\""));
	gpudx_buf_free(&svg);
	gpudx_buf_free(&b);
}

static void fills_placeholders_once_and_escaped(void **state)
{
	struct gpudx_buf b = { .max = 1 << 16 };

	(void)state;
	assert_true(
		rewrite("<svg><g transform=\"translate(34.33,102.09)\" fill=\"rgb(0,0,1)\" "
			"text-anchor=\"end\">\n"
			"<text><tspan font-family=\"x\"> @0@ 12 @1@ @9@</tspan></text></g></svg>",
			&b));
	assert_string_equal(gpudx_buf_cstr(&b), "<text transform=\"translate(34.3,102.1)\" "
						"text-anchor=\"end\" fill=\"currentColor\">"
						"GPU &lt;0&gt; 12 a@0@\xef\xbf\xbd @9@</text>\n");
	gpudx_buf_free(&b);
}

static void draws_points_and_areas(void **state)
{
	struct gpudx_buf b = { .max = 1 << 16 };

	(void)state;
	assert_true(rewrite(
		"<svg><use xlink:href='#gpPt6' transform='translate(46.14,25.88) scale(2.06)'"
		" color='rgb(  0, 114, 178)'/>"
		"<polygon fill = 'rgb(242,209,107)' fill-opacity = '0.50000' points = '1,2 3,4 3,5 "
		"'/></svg>",
		&b));
	assert_string_equal(
		gpudx_buf_cstr(&b),
		"<circle r=\"1\" transform=\"translate(46.1,25.9) scale(2.1)\" "
		"fill=\"var(--clock)\"/>\n"
		"<path d=\"M1,2l2,2 0,1z\" fill=\"var(--limited)\" fill-opacity=\".5\"/>\n");
	gpudx_buf_free(&b);
}

static void leaves_out_attributes_that_could_be_more_than_numbers(void **state)
{
	struct gpudx_buf b = { .max = 1 << 16 };

	(void)state;
	assert_true(rewrite("<svg><path stroke-dasharray='1\"onload=\"x' d='M1,1 L2,2'/>"
			    "<path d='M1,1 L2,2' transform='rotate(1)&quot;'/></svg>",
			    &b));
	assert_string_equal(gpudx_buf_cstr(&b), "<path d=\"M1,1l1,1\"/>\n<path d=\"M1,1l1,1\"/>\n");
	gpudx_buf_free(&b);
}

#define NESTED_8 "<g><g><g><g><g><g><g><g>"

static void refuses_what_it_does_not_understand(void **state)
{
	static const char *const bad[] = {
		"",
		"gnuplot: out of colours",
		"<svg",
		"<svg><g>",
		"<svg></g></svg>",
		"<svg><text>x",
		"<svg><title>",
		"<svg><path d='M1,1 C2,2 3,3 4,4'/></svg>",
		"<svg>" NESTED_8 NESTED_8 NESTED_8 "<g></svg>",
	};
	struct gpudx_buf b = { .max = 1 << 16 };

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(rewrite(bad[i], &b));
	gpudx_buf_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_what_is_drawn_and_nothing_else),
		cmocka_unit_test(knows_its_colours_in_both_spellings),
		cmocka_unit_test(fills_placeholders_once_and_escaped),
		cmocka_unit_test(draws_points_and_areas),
		cmocka_unit_test(leaves_out_attributes_that_could_be_more_than_numbers),
		cmocka_unit_test(refuses_what_it_does_not_understand),
	};

	return cmocka_run_group_tests_name("report_svg", tests, NULL, NULL);
}
