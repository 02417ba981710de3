/* Lines longer than the cap come in pieces that together are the line. */
#include "base/buf.h"
#include "bundle/lines.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct memory {
	struct gpudx_stream base;
	struct gpudx_sv left;
};

static size_t pull(struct gpudx_stream *s, void *buf, size_t n)
{
	struct memory *m = (struct memory *)s;

	if (n > m->left.n)
		n = m->left.n;
	memcpy(buf, m->left.p, n);
	m->left = sv_from(m->left, n);
	return n;
}

/* "short", a line of n times 'x', "behind", each behind a line feed; the last without one. */
static struct gpudx_buf text_with(size_t n)
{
	struct gpudx_buf b = { .max = 1 << 24 };

	gpudx_buf_str(&b, "short\n");
	memset(gpudx_buf_room(&b, n), 'x', n);
	b.n += n;
	gpudx_buf_str(&b, "\nbehind");
	return b;
}

static struct gpudx_lines *open_lines(struct memory *m)
{
	struct gpudx_err err = { 0 };
	struct gpudx_lines *l;

	assert_int_equal(gpudx_lines_open(&m->base, &l, &err), GPUDX_OK);
	return l;
}

static void check_long(size_t n)
{
	struct gpudx_buf text = text_with(n);
	struct memory m = { .base = { .pull = pull }, .left = { text.p, text.n } };
	struct gpudx_lines *l = open_lines(&m);
	const struct gpudx_line *line = gpudx_lines_next(l);
	size_t got = 0;
	unsigned pieces = 0;
	bool more;

	assert_true(sv_is(line->text, "short"));
	do {
		line = gpudx_lines_next(l);
		assert_non_null(line);
		assert_int_equal(line->no, 2);
		assert_int_equal(line->offset, 6 + got);
		assert_true(line->text.n <= GPUDX_LINE_MAX);
		assert_int_equal(!!(line->flags & GPUDX_LINE_REST), pieces > 0);
		got += line->text.n;
		pieces++;
		more = line->flags & GPUDX_LINE_CUT;
	} while (more);
	assert_int_equal(got, n);
	assert_int_equal(pieces > 1, n > GPUDX_LINE_MAX);
	line = gpudx_lines_next(l);
	assert_true(sv_is(line->text, "behind"));
	assert_int_equal(line->no, 3);
	assert_int_equal(line->offset, 6 + n + 1);
	assert_int_equal(line->flags, GPUDX_LINE_NO_LF);
	assert_null(gpudx_lines_next(l));
	gpudx_lines_close(l);
	gpudx_stream_close(&m.base);
	gpudx_buf_free(&text);
}

static void gives_long_lines_in_pieces(void **state)
{
	static const size_t sizes[] = { 0,
					1000,
					GPUDX_LINE_MAX - 1,
					GPUDX_LINE_MAX,
					GPUDX_LINE_MAX + 1,
					GPUDX_LINE_MAX + 70000,
					5 * (size_t)GPUDX_LINE_MAX };

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		check_long(sizes[i]);
}

static void ends_inside_a_long_line(void **state)
{
	struct gpudx_buf text = text_with(3 * (size_t)GPUDX_LINE_MAX);
	struct memory m = { .base = { .pull = pull }, .left = { text.p, text.n - 7 } };
	struct gpudx_lines *l = open_lines(&m);
	const struct gpudx_line *line;
	size_t got = 0;

	(void)state;
	gpudx_lines_next(l);
	while ((line = gpudx_lines_next(l)) != NULL)
		got += line->text.n;
	assert_int_equal(got, 3 * (size_t)GPUDX_LINE_MAX);
	assert_int_equal(gpudx_lines_count(l), 2);
	gpudx_lines_close(l);
	gpudx_stream_close(&m.base);
	gpudx_buf_free(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gives_long_lines_in_pieces),
		cmocka_unit_test(ends_inside_a_long_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
