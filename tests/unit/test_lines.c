#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <sys/resource.h>

#include "base/buf.h"
#include "bundle/lines.h"
#include "mem.h"

/* Lines as "no@offset flags|text", one each, flags P N C H L; pieces of step bytes. */
static void render(struct gpudx_sv in, size_t step, gpudx_find_fn *find, struct gpudx_buf *out)
{
	static const char letters[] = "PNCHL";
	const struct gpudx_line *line;
	struct gpudx_err err = { 0 };
	struct gpudx_lines *l;
	struct mem_stream m;

	assert_int_equal(gpudx_lines_open(mem_open(&m, in, step), &l, &err), GPUDX_OK);
	gpudx_lines_find(l, find, NULL);
	while ((line = gpudx_lines_next(l)) != NULL) {
		gpudx_buf_printf(out, "%u@%lld ", line->no, (long long)line->offset);
		for (int i = 0; i < 5; i++)
			if (line->flags >> i & 1)
				gpudx_buf_char(out, letters[i]);
		gpudx_buf_printf(out, "|%.*s\n", (int)line->text.n,
				 line->text.n ? line->text.p : "");
	}
	assert_int_equal(gpudx_lines_bytes(l), in.n);
	gpudx_lines_close(l);
	mem_close(&m);
}

static void expect_n(const char *in, size_t n, const char *want)
{
	static const size_t steps[] = { 0, 1, 2, 3, 5 };

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		struct gpudx_buf out = { .max = 1 << 16 };

		render(sv_n(in, n), steps[i], NULL, &out);
		assert_string_equal(gpudx_buf_cstr(&out), want);
		gpudx_buf_free(&out);
	}
}

#define expect(in, want) expect_n((in), sizeof(in) - 1, (want))

static void numbers_lines_and_says_where_they_are(void **state)
{
	(void)state;
	expect("", "");
	expect("a", "1@0 L|a\n");
	expect("a\n\nb\n", "1@0 |a\n2@2 |\n3@3 |b\n");
	expect("a\r\nbb\r\r\nc", "1@0 |a\n2@3 |bb\n3@8 L|c\n");
}

/* The offset is that of the raw bytes, before anything was taken away. */
static void splits_at_lone_carriage_returns(void **state)
{
	(void)state;
	expect("10%\r20%\rdone\nx\n", "1@0 |10%\n1@4 P|20%\n1@8 P|done\n2@13 |x\n");
}

static void splits_at_runs_of_nuls_and_marks_what_follows(void **state)
{
	(void)state;
	expect("abc\n\0\0\0\0def\nghi\n", "1@0 |abc\n2@8 N|def\n3@12 |ghi\n");
	expect("ab\0\0cd\n", "1@0 |ab\n1@4 PN|cd\n");
	expect("ab\0\0\n", "1@0 |ab\n1@4 PN|\n");
}

static void takes_away_escape_sequences_and_backspaces(void **state)
{
	(void)state;
	expect("\033[1;31mred\033[0m\nnext\n", "1@0 |red\n2@15 |next\n");
	expect("\033]0;title\007text\n", "1@0 |text\n");
	expect("_\bN_\bV\nx\n", "1@0 |NV\n2@7 |x\n");
	expect("\b\bab\n", "1@0 |ab\n");
	expect("\033[\n\033\n\033]\nx\n", "1@0 |\n2@3 |\n3@5 |\n4@8 |x\n");
}

static void reads_utf16_with_and_without_a_mark(void **state)
{
	static const char le[] = "\xff\xfe"
				 "a\0\r\0\n\0\xac\x20\n\0",
			  be[] = "\xfe\xff\0a\0\n\xd8\x3d\xde\0\0\n\0x",
			  no_mark[] = "t\0e\0x\0t\0 \0o\0f\0 \0t\0o\0o\0l\0s\0\n\0b\0",
			  be_no_mark[] = "\0t\0e\0x\0t\0 \0o\0f\0 \0t\0o\0o\0l\0s\0\n\0b";
	struct gpudx_lines *l;
	struct gpudx_err err = { 0 };
	struct mem_stream m;

	(void)state;
	expect_n(le, sizeof(le) - 1, "1@2 |a\n2@8 |\xe2\x82\xac\n");
	expect_n(be, sizeof(be) - 1, "1@2 |a\n2@6 |\xf0\x9f\x98\x80\n3@12 L|x\n");
	expect_n(no_mark, sizeof(no_mark) - 1, "1@0 |text of tools\n2@28 L|b\n");
	expect_n(be_no_mark, sizeof(be_no_mark) - 1, "1@0 |text of tools\n2@28 L|b\n");
	assert_int_equal(gpudx_lines_open(mem_open(&m, sv_n(be, sizeof(be) - 1), 0), &l, &err),
			 GPUDX_OK);
	assert_null(gpudx_lines_encoding(l));
	assert_non_null(gpudx_lines_next(l));
	assert_string_equal(gpudx_lines_encoding(l), "UTF-16BE");
	gpudx_lines_close(l);
	mem_close(&m);
}

/* Peeling moves what stands in the buffer: lengths must be taken before. */
static void knows_where_it_is_in_utf16_that_is_peeled(void **state)
{
	static const char in[] = "\xff\xfe"
				 "\x1b\0[\0m\0\xe9\0\b\0a\0\n\0b\0\n\0";

	(void)state;
	expect_n(in, sizeof(in) - 1, "1@2 |a\n2@16 |b\n");
}

static void drops_a_byte_order_mark_of_utf8(void **state)
{
	(void)state;
	expect("\xef\xbb\xbfx\ny\n", "1@3 |x\n2@5 |y\n");
}

static void keeps_broken_utf16(void **state)
{
	static const char lone[] = "\xff\xfe\x00\xd8"
				   "a\0\n\0";

	(void)state;
	expect_n(lone, sizeof(lone) - 1,
		 "1@2 |\xef\xbf\xbd"
		 "a\n");
}

static void cuts_lines_that_are_too_long_between_characters(void **state)
{
	size_t n = GPUDX_LINE_MAX + 5000;
	char *in = malloc(n + 8);
	const struct gpudx_line *line;
	struct gpudx_err err = { 0 };
	struct gpudx_lines *l;
	struct mem_stream m;

	(void)state;
	assert_non_null(in);
	memset(in, 'x', n);
	memcpy(in + GPUDX_LINE_MAX - 1, "\xe2\x82\xac", 3); /* across the border */
	memcpy(in + n, "\nnext\n", 6);
	assert_int_equal(gpudx_lines_open(mem_open(&m, sv_n(in, n + 6), 0), &l, &err), GPUDX_OK);
	line = gpudx_lines_next(l);
	assert_int_equal(line->text.n, GPUDX_LINE_MAX - 1);
	assert_true(line->flags & GPUDX_LINE_CUT);
	line = gpudx_lines_next(l);
	assert_int_equal(line->flags, GPUDX_LINE_REST);
	assert_int_equal(line->text.n, 5001);
	line = gpudx_lines_next(l);
	assert_true(sv_is(line->text, "next"));
	assert_int_equal(line->no, 2);
	assert_int_equal(line->offset, n + 1);
	assert_null(gpudx_lines_next(l));
	gpudx_lines_close(l);
	mem_close(&m);
	free(in);
}

/* Only so much of a line is kept as is read at once, however long it is. */
static void needs_no_more_memory_for_longer_lines(void **state)
{
	const size_t n = (size_t)400 << 20;
	struct gpudx_err err = { 0 };
	struct gpudx_lines *l;
	struct mem_stream m;
	struct rusage before, after;
	char *piece = malloc(1 << 20);

	(void)state;
	assert_non_null(piece);
	memset(piece, 'x', 1 << 20);
	assert_int_equal(gpudx_lines_open(mem_open(&m, sv_n(piece, 1 << 20), 0), &l, &err),
			 GPUDX_OK);
	m.times = n >> 20;
	getrusage(RUSAGE_SELF, &before);
	while (gpudx_lines_next(l))
		continue;
	getrusage(RUSAGE_SELF, &after);
	assert_int_equal(gpudx_lines_bytes(l), n);
	assert_true(after.ru_maxrss - before.ru_maxrss < 64 << 10);
	gpudx_lines_close(l);
	mem_close(&m);
	free(piece);
}

static size_t find_hit(const void *arg, const char *p, size_t n, size_t from)
{
	struct gpudx_sv rest = sv_n(p + from, n - from);

	(void)arg;
	return from + sv_find(rest, "HIT");
}

static void flags_lines_that_the_finder_knows(void **state)
{
	static const size_t steps[] = { 0, 1, 4 };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct gpudx_buf out = { .max = 4096 };

		render(SV_LIT("a\nHIT x HIT\nb HI\nT\nxHIT\n"), steps[i], find_hit, &out);
		assert_string_equal(gpudx_buf_cstr(&out),
				    "1@0 |a\n2@2 H|HIT x HIT\n3@12 |b HI\n4@17 |T\n5@19 H|xHIT\n");
		gpudx_buf_free(&out);
	}
}

/* A large input in small pieces: what is behind, at and before the current line stays readable. */
static void reaches_lines_around_the_current_one(void **state)
{
	struct gpudx_buf in = { .max = 4 << 20 };
	struct gpudx_err err = { 0 };
	const struct gpudx_line *line;
	struct gpudx_lines *l;
	struct mem_stream m;
	uint32_t no = 0;
	char want[32];

	(void)state;
	for (unsigned i = 1; i <= 100000; i++)
		gpudx_buf_printf(&in, "line %u\n", i);
	assert_int_equal(gpudx_lines_open(mem_open(&m, sv_n(in.p, in.n), 4097), &l, &err),
			 GPUDX_OK);
	assert_null(gpudx_lines_prev(l, 0));
	while ((line = gpudx_lines_next(l)) != NULL) {
		no++;
		assert_int_equal(line->no, no);
		for (uint32_t k = 0; k < 3 && no % 501 == 0; k++) {
			snprintf(want, sizeof(want), "line %u", no + 1 + k);
			if (no + 1 + k <= 100000)
				assert_true(sv_is(gpudx_lines_peek(l, k)->text, want));
			snprintf(want, sizeof(want), "line %u", no - k);
			assert_true(sv_is(gpudx_lines_prev(l, k)->text, want));
		}
		if (no % 1000 == 0) {
			gpudx_lines_back(l);
			assert_int_equal(gpudx_lines_next(l)->no, no);
		}
	}
	assert_int_equal(no, 100000);
	assert_null(gpudx_lines_peek(l, 0));
	gpudx_lines_close(l);
	mem_close(&m);
	gpudx_buf_free(&in);
}

static void peeks_only_so_far(void **state)
{
	struct gpudx_buf in = { .max = 4 << 20 };
	struct gpudx_err err = { 0 };
	struct gpudx_lines *l;
	struct mem_stream m;
	size_t k = 0;

	(void)state;
	for (unsigned i = 0; i < 200000; i++)
		gpudx_buf_str(&in, "0123456\n");
	assert_int_equal(gpudx_lines_open(mem_open(&m, sv_n(in.p, in.n), 0), &l, &err), GPUDX_OK);
	while (gpudx_lines_peek(l, k))
		k++;
	assert_int_equal(k, GPUDX_HEAD / 8);
	gpudx_lines_close(l);
	mem_close(&m);
	gpudx_buf_free(&in);
}

static bool binary(const char *in, size_t n)
{
	struct gpudx_err err = { 0 };
	struct gpudx_lines *l;
	struct mem_stream m;
	bool is;

	assert_int_equal(gpudx_lines_open(mem_open(&m, sv_n(in, n), 0), &l, &err), GPUDX_OK);
	(void)gpudx_lines_next(l);
	is = gpudx_lines_binary(l);
	gpudx_lines_close(l);
	mem_close(&m);
	return is;
}

static void tells_binary_data_from_torn_logs(void **state)
{
	char bytes[512];

	(void)state;
	for (int i = 0; i < 512; i++)
		bytes[i] = (char)(i * 37 + 1);
	assert_true(binary(bytes, sizeof(bytes)));
	memset(bytes, 0, sizeof(bytes));
	assert_true(binary(bytes, sizeof(bytes)));
	memset(bytes, 'x', 300);
	assert_false(binary(bytes, sizeof(bytes))); /* a log with NULs behind */
	memset(bytes, 0, sizeof(bytes));
	memset(bytes + 400, 'x', 100);
	assert_false(binary(bytes, sizeof(bytes))); /* in front */
	memset(bytes, 'x', 60);
	assert_false(binary(bytes, sizeof(bytes))); /* between */
	for (int i = 0; i < 512; i++)
		bytes[i] = i % 32 < 8 ? 'x' : 0; /* words in records */
	assert_true(binary(bytes, sizeof(bytes)));
	assert_false(binary("\033[1mtext\033[0m\r\n\t\f\n", 18));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_lines_and_says_where_they_are),
		cmocka_unit_test(splits_at_lone_carriage_returns),
		cmocka_unit_test(splits_at_runs_of_nuls_and_marks_what_follows),
		cmocka_unit_test(takes_away_escape_sequences_and_backspaces),
		cmocka_unit_test(reads_utf16_with_and_without_a_mark),
		cmocka_unit_test(knows_where_it_is_in_utf16_that_is_peeled),
		cmocka_unit_test(drops_a_byte_order_mark_of_utf8),
		cmocka_unit_test(keeps_broken_utf16),
		cmocka_unit_test(cuts_lines_that_are_too_long_between_characters),
		cmocka_unit_test(needs_no_more_memory_for_longer_lines),
		cmocka_unit_test(flags_lines_that_the_finder_knows),
		cmocka_unit_test(reaches_lines_around_the_current_one),
		cmocka_unit_test(peeks_only_so_far),
		cmocka_unit_test(tells_binary_data_from_torn_logs),
	};

	return cmocka_run_group_tests_name("lines", tests, NULL, NULL);
}
