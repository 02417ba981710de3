#include "report/escape.h"
#include "report/layout.h"
#include "report/words.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static const char *with_path(struct gpudx_buf *b, const char *path, int columns)
{
	gpudx_buf_clear(b);
	gpudx_word_path(b, sv_str(path), columns);
	return gpudx_buf_cstr(b);
}

static void shortens_the_middle_of_a_path(void **state)
{
	struct gpudx_buf b = { .max = 1 << 16 };

	(void)state;
	assert_string_equal(with_path(&b, "trace.csv", 9), "trace.csv");
	assert_string_equal(with_path(&b, "logs/2026-03-06/kern.log", 15), "logs/…/kern.log");
	assert_string_equal(with_path(&b, "日本語日本語.log", 9), "日….log");
	gpudx_buf_free(&b);
}

static void counts_columns_as_they_are_shown(void **state)
{
	(void)state;
	assert_int_equal(gpudx_word_width(SV_LIT("abc")), 3);
	assert_int_equal(gpudx_word_width(SV_LIT("日本")), 4);
	assert_int_equal(gpudx_word_width(SV_LIT("e\xcc\x81")), 1);
	/* What is replaced takes the column of the sign that stands for it. */
	assert_int_equal(gpudx_word_width(SV_LIT("\x1b[m")), 3);
	assert_int_equal(gpudx_word_width(SV_LIT("\xe2\x80\x8f")), 1);
}

static void groups_consecutive_lines(void **state)
{
	struct rep_line lines[] = { { .number = 2 },
				    { .number = 4, .cited = true },
				    { .number = 5, .cited = true },
				    { .number = 6, .cited = true },
				    { .number = 7 },
				    { .number = 9, .cited = true },
				    { .number = 11, .cited = true } };
	struct rep_place p = { .lines = lines, .n = 7, .cited = 5 };
	struct gpudx_buf b = { .max = 4096 };

	(void)state;
	gpudx_word_lines(&b, &p, 9);
	assert_string_equal(gpudx_buf_cstr(&b), "4-6,9,11");
	gpudx_buf_clear(&b);
	gpudx_word_lines(&b, &p, 2);
	assert_string_equal(gpudx_buf_cstr(&b), "4-6,9,…");
	gpudx_buf_free(&b);
}

static const char *span(int64_t t0, int64_t t1, enum rep_quality q, bool utc,
			char buf[2 * REP_TIME_TEXT])
{
	return gpudx_word_span(&(struct rep_span){ t0, t1, q }, utc, buf);
}

static void says_the_time_as_well_as_it_is_known(void **state)
{
	const int64_t t = 1772805788 * GPUDX_SECOND, second = GPUDX_SECOND;
	char buf[2 * REP_TIME_TEXT];

	(void)state;
	assert_string_equal(span(t, t + 3 * second, REP_T_ASSUMED, true, buf),
			    "2026-03-06 14:03:08 to 14:03:11");
	assert_string_equal(span(t, t + 86400 * second, REP_T_EXACT, true, buf),
			    "2026-03-06 14:03:08 to 2026-03-07 14:03:08Z");
	assert_string_equal(span(t, t, REP_T_EXACT, true, buf), "2026-03-06 14:03:08Z");
	assert_string_equal(span(t, GPUDX_NO_TIME, REP_T_EXACT, false, buf), "2026-03-06 14:03:08");
	assert_string_equal(span(12 * second + 345000, GPUDX_NO_TIME, REP_T_BOOT, true, buf),
			    "12.345 s after boot");
	assert_string_equal(span(t, t, REP_T_UNKNOWN, true, buf), "");
	assert_string_equal(span(INT64_MIN + 1, INT64_MAX, REP_T_EXACT, true, buf), "");
	assert_string_equal(span(-1, -1, REP_T_EXACT, true, buf), "1969-12-31 23:59:59Z");
}

static void separates_thousands(void **state)
{
	struct gpudx_buf b = { .max = 4096 };

	(void)state;
	gpudx_word_plural(&b, 1, "file", "files");
	gpudx_buf_char(&b, ' ');
	gpudx_word_count(&b, 20776);
	gpudx_buf_char(&b, ' ');
	gpudx_word_count(&b, -1234567);
	assert_string_equal(gpudx_buf_cstr(&b), "1 file 20,776 -1,234,567");
	gpudx_buf_free(&b);
}

static void takes_the_first_sentence(void **state)
{
	(void)state;
	assert_true(sv_is(gpudx_word_sentence(SV_LIT("At 1.5 V it stops. Then it goes on.")),
			  "At 1.5 V it stops."));
	assert_true(sv_is(gpudx_word_sentence(SV_LIT("One, e.g. this")), "One, e.g. this"));
	assert_int_equal(gpudx_word_sentence(sv_n(NULL, 0)).n, 0);
}

/* ---- layout ---- */

static void wraps_at_blanks_and_keeps_the_right_side(void **state)
{
	struct gpudx_buf b = { .max = 4096 };
	struct rep_layout l = { .out = &b, .width = 20 };

	(void)state;
	gpudx_layout_text(&l, 2, "", SV_LIT("alpha beta gamma delta"), SV_LIT("id"), 9);
	assert_string_equal(gpudx_buf_cstr(&b), "  alpha beta gamma\n  delta           id\n");
	assert_int_equal(l.lines, 2);
	gpudx_buf_clear(&b);
	gpudx_layout_text(&l, 2, "", SV_LIT("alpha beta gamma"), SV_LIT("id"), 9);
	assert_string_equal(gpudx_buf_cstr(&b), "  alpha beta\n  gamma           id\n");
	gpudx_buf_free(&b);
}

static void cuts_after_the_last_line_and_breaks_long_words(void **state)
{
	struct gpudx_buf b = { .max = 4096 };
	struct rep_layout l = { .out = &b, .width = 12 };

	(void)state;
	gpudx_layout_text(&l, 2, "", SV_LIT("abcdefghijklmnopqrstuvwxyz"), sv_n(NULL, 0), 2);
	assert_string_equal(gpudx_buf_cstr(&b), "  abcdefghij\n  klmnopqrs…\n");
	gpudx_buf_free(&b);
}

static void writes_commands_that_can_be_pasted(void **state)
{
	struct gpudx_buf b = { .max = 4096 };
	struct rep_layout l = { .out = &b, .width = 20 };

	(void)state;
	gpudx_layout_command(&l, 6,
			     "run:  ", SV_LIT("tool --first --query=abcdefghijklmnopqrstuvw -x"));
	assert_string_equal(gpudx_buf_cstr(&b), "run:  tool --first \\\n"
						"      --query=abcd\\\n"
						"efghijklmnopqrstuv\\\n"
						"w -x\n");
	gpudx_buf_free(&b);
}

static void puts_no_control_characters_out(void **state)
{
	struct gpudx_buf b = { .max = 4096 };
	struct rep_layout l = { .out = &b, .width = 40 };

	(void)state;
	gpudx_layout_line(&l, 0, REP_BOLD, SV_LIT("a\x1b[31mb\x07\nc\xc2\x9b"), SV_LIT("\x1b]0;x"));
	assert_null(memchr(b.p, 0x1b, b.n));
	assert_null(memchr(b.p, 0x07, b.n));
	assert_int_equal(l.lines, 1);
	assert_ptr_equal(memchr(b.p, '\n', b.n), b.p + b.n - 1);
	gpudx_buf_clear(&b);
	l.colour = true;
	gpudx_layout_line(&l, 0, REP_BOLD, SV_LIT("x"), sv_n(NULL, 0));
	assert_string_equal(gpudx_buf_cstr(&b), "\033[1mx\033[0m\n");
	gpudx_buf_free(&b);
}

static void escapes_markup(void **state)
{
	struct gpudx_buf b = { .max = 4096 };

	(void)state;
	gpudx_html_text(&b, SV_LIT("<a href=\"x\" o='y'>&amp;\x1b\xe2\x80\xae\t\xff"));
	assert_string_equal(gpudx_buf_cstr(&b),
			    "&lt;a href=&quot;x&quot; o=&#39;y&#39;&gt;&amp;amp;"
			    "\xef\xbf\xbd\xef\xbf\xbd \xef\xbf\xbd");
	gpudx_buf_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shortens_the_middle_of_a_path),
		cmocka_unit_test(counts_columns_as_they_are_shown),
		cmocka_unit_test(groups_consecutive_lines),
		cmocka_unit_test(says_the_time_as_well_as_it_is_known),
		cmocka_unit_test(separates_thousands),
		cmocka_unit_test(takes_the_first_sentence),
		cmocka_unit_test(wraps_at_blanks_and_keeps_the_right_side),
		cmocka_unit_test(cuts_after_the_last_line_and_breaks_long_words),
		cmocka_unit_test(writes_commands_that_can_be_pasted),
		cmocka_unit_test(puts_no_control_characters_out),
		cmocka_unit_test(escapes_markup),
	};

	return cmocka_run_group_tests_name("report_words", tests, NULL, NULL);
}
