#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <zlib.h>

#include "base/buf.h"
#include "mem.h"

/* Adds text as one gzip member. */
static void add_member(struct gpudx_buf *b, const char *text)
{
	z_stream z = { 0 };
	char *to;

	assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
	to = gpudx_buf_room(b, strlen(text) + 200);
	assert_non_null(to);
	z.next_in = (Bytef *)(uintptr_t)text;
	z.avail_in = (uInt)strlen(text);
	z.next_out = (Bytef *)to;
	z.avail_out = (uInt)(strlen(text) + 200);
	assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
	b->n += z.total_out;
	deflateEnd(&z);
}

/* Decodes with pieces of every size; the result must not depend on it. */
static void expect(const struct gpudx_buf *in, const char *text, const char *damage)
{
	static const size_t steps[] = { 0, 1, 2, 3, 7, 64, 1000 };

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		struct gpudx_buf out = { .max = 1 << 22 };
		struct gpudx_err err = { 0 };
		struct mem_stream m;
		struct gpudx_stream *s;
		char piece[100];
		size_t n;

		assert_int_equal(
			gpudx_gzip_open(mem_open(&m, sv_n(in->p, in->n), steps[i]), &s, &err),
			GPUDX_OK);
		while ((n = gpudx_stream_some(s, piece, i % 2 ? sizeof(piece) : 1)) > 0)
			gpudx_buf_add(&out, piece, n);
		assert_string_equal(gpudx_buf_cstr(&out), text);
		if (!damage)
			assert_string_equal(s->damage, "");
		else if (!strstr(s->damage, damage))
			fail_msg("damage is \"%s\", not \"%s\"", s->damage, damage);
		gpudx_stream_close(s);
		gpudx_buf_free(&out);
		mem_close(&m);
	}
}

static void reads_all_members_also_empty_ones(void **state)
{
	struct gpudx_buf b = { .max = 1 << 22 }, text = { .max = 1 << 20 };

	(void)state;
	for (int i = 0; i < 300; i++) {
		add_member(&b, i % 2 ? "" : "line\n");
		gpudx_buf_str(&text, i % 2 ? "" : "line\n");
	}
	expect(&b, text.p, NULL);
	gpudx_buf_add(&b, "\0\0\0\0\0\0", 6); /* filling behind the last one */
	expect(&b, text.p, NULL);
	gpudx_buf_free(&text);
	gpudx_buf_free(&b);
}

static void gives_what_was_good_of_a_cut_file(void **state)
{
	struct gpudx_buf b = { .max = 1 << 20 };

	(void)state;
	add_member(&b, "first\n");
	add_member(&b, "second\n");
	b.n -= 8; /* CRC and length */
	expect(&b, "first\nsecond\n", "cut short inside member 2");
	b.n -= b.n - 5;
	expect(&b, "", "cut short inside member 1");
	gpudx_buf_free(&b);
}

static void says_a_wrong_crc_and_keeps_the_data(void **state)
{
	struct gpudx_buf b = { .max = 1 << 20 };

	(void)state;
	add_member(&b, "first\n");
	b.p[b.n - 7] = (char)~b.p[b.n - 7];
	add_member(&b, "second\n");
	expect(&b, "first\nsecond\n", "member 1 is damaged");
	gpudx_buf_free(&b);
}

static void finds_the_next_member_behind_garbage(void **state)
{
	struct gpudx_buf b = { .max = 1 << 20 };

	(void)state;
	add_member(&b, "first\n");
	gpudx_buf_str(&b, "garbage \x1f\x8b and more");
	add_member(&b, "second\n");
	expect(&b, "first\nsecond\n", "data behind member 1 is not gzip");
	gpudx_buf_free(&b);
}

/* A writer that was killed, and another run that appended: zlib takes the header of the second
 * member for data of the first and only later finds the contradiction. */
static void finds_a_member_behind_one_that_was_cut(void **state)
{
	struct gpudx_buf text = { .max = 1 << 20 }, b = { .max = 1 << 20 };
	unsigned found = 0, seed = 1;

	(void)state;
	for (int i = 0; i < 400; i++) {
		seed = seed * 1103515245 + 12345;
		gpudx_buf_printf(&text, "%08x ", seed);
	}
	add_member(&b, text.p);
	for (size_t cut = 30; cut < b.n - 20; cut += 17) {
		struct gpudx_buf damaged = { .max = 1 << 20 }, out = { .max = 1 << 20 };
		struct gpudx_err err = { 0 };
		struct mem_stream m;
		struct gpudx_stream *s;
		char piece[512];
		size_t n;

		gpudx_buf_add(&damaged, b.p, cut);
		add_member(&damaged, "\nsecond member\n");
		assert_int_equal(
			gpudx_gzip_open(mem_open(&m, sv_n(damaged.p, damaged.n), 0), &s, &err),
			GPUDX_OK);
		while ((n = gpudx_stream_some(s, piece, sizeof(piece))) > 0)
			gpudx_buf_add(&out, piece, n);
		assert_true(s->damage[0] != '\0');
		found += strstr(gpudx_buf_cstr(&out), "\nsecond member\n") != NULL;
		if (!strstr(gpudx_buf_cstr(&out), "\nsecond member\n"))
			fail_msg("cut at %zu: the second member is lost", cut);
		gpudx_stream_close(s);
		mem_close(&m);
		gpudx_buf_free(&damaged);
		gpudx_buf_free(&out);
	}
	assert_true(found > 50);
	gpudx_buf_free(&text);
	gpudx_buf_free(&b);
}

/* A file of nothing but magic: going back behind each fault must not cost the square of it. */
static void goes_back_only_so_often(void **state)
{
	struct gpudx_buf b = { .max = 1 << 22 };
	struct gpudx_err err = { 0 };
	struct mem_stream m;
	struct gpudx_stream *s;
	char piece[4096];

	(void)state;
	for (int i = 0; i < 100000; i++)
		gpudx_buf_str(&b, "\x1f\x8b\x08\x08name");
	assert_int_equal(gpudx_gzip_open(mem_open(&m, sv_n(b.p, b.n), 0), &s, &err), GPUDX_OK);
	while (gpudx_stream_some(s, piece, sizeof(piece)) > 0)
		continue;
	assert_true(s->damage[0] != '\0');
	gpudx_stream_close(s);
	mem_close(&m);
	gpudx_buf_free(&b);
}

static void ends_a_bomb(void **state)
{
	static char zeros[1 << 20];
	z_stream z = { 0 };
	struct gpudx_buf b = { .max = 1 << 22 };
	struct gpudx_err err = { 0 };
	struct mem_stream m;
	struct gpudx_stream *s;
	uint64_t total = 0;
	size_t n;

	(void)state;
	assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
	z.next_out = (Bytef *)gpudx_buf_room(&b, 1 << 21);
	z.avail_out = 1 << 21;
	for (int i = 0; i < 64; i++) {
		z.next_in = (Bytef *)zeros;
		z.avail_in = sizeof(zeros);
		assert_int_equal(deflate(&z, i == 63 ? Z_FINISH : Z_NO_FLUSH),
				 i == 63 ? Z_STREAM_END : Z_OK);
	}
	b.n = z.total_out;
	deflateEnd(&z);
	assert_int_equal(gpudx_gzip_open(mem_open(&m, sv_n(b.p, b.n), 0), &s, &err), GPUDX_OK);
	m.budget.ratio_after = 4 << 20;
	while ((n = gpudx_stream_some(s, zeros, sizeof(zeros))) > 0)
		total += n;
	assert_in_range(total, 4 << 20, 50 << 20);
	assert_non_null(m.budget.hit);
	assert_non_null(strstr(s->damage, "limit: compressed far beyond"));
	gpudx_stream_close(s);
	mem_close(&m);
	gpudx_buf_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_all_members_also_empty_ones),
		cmocka_unit_test(gives_what_was_good_of_a_cut_file),
		cmocka_unit_test(says_a_wrong_crc_and_keeps_the_data),
		cmocka_unit_test(finds_the_next_member_behind_garbage),
		cmocka_unit_test(finds_a_member_behind_one_that_was_cut),
		cmocka_unit_test(goes_back_only_so_often),
		cmocka_unit_test(ends_a_bomb),
	};

	return cmocka_run_group_tests_name("gzip", tests, NULL, NULL);
}
