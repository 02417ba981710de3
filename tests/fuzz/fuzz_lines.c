/* Any bytes as the lines of a member. How the bytes come in must not matter; every line must say
 * where it is; what is left reachable must be readable. The first byte is the size of the pieces.
 */
#include "fuzz.h"

#include "bundle/lines.h"

static size_t find_e(const void *arg, const char *p, size_t n, size_t from)
{
	(void)arg;
	return from + sv_index(sv_n(p + from, n - from), 'e');
}

static void check_line(struct gpudx_lines *l, const struct gpudx_line *line,
		       const struct gpudx_line *before)
{
	const struct gpudx_line *prev = gpudx_lines_prev(l, 1), *next;

	must(line->no >= before->no && line->offset >= before->offset, "lines come in order");
	must(line->no > before->no || line->flags & GPUDX_LINE_PIECE || !before->no,
	     "a piece says so");
	must(line->text.n <= GPUDX_LINE_MAX, "a line is not longer than allowed");
	must(!memchr(line->text.n ? line->text.p : "", '\n', line->text.n), "no line feed is left");
	must(!(line->flags & GPUDX_LINE_HIT) ==
		     !memchr(line->text.n ? line->text.p : "", 'e', line->text.n),
	     "hits are where they are");
	must(!prev == !before->no, "the line before can be reached");
	if (prev)
		touch(prev->text);
	prev = gpudx_lines_prev(l, 2);
	if (prev)
		touch(prev->text);
	next = gpudx_lines_peek(l, 0);
	if (next)
		touch(next->text);
}

static uint64_t read_all(struct gpudx_sv bytes, size_t step, bool peek)
{
	struct gpudx_line before = { 0 };
	const struct gpudx_line *line;
	struct gpudx_err err = { 0 };
	struct gpudx_lines *l;
	struct mem_stream m;
	uint64_t sum = 0;

	must_ok(gpudx_lines_open(mem_open(&m, bytes, step), &l, &err), &err);
	gpudx_lines_find(l, find_e, NULL);
	for (size_t k = 0; peek && k < 100 && gpudx_lines_peek(l, k); k++)
		touch(gpudx_lines_peek(l, k)->text);
	while ((line = gpudx_lines_next(l)) != NULL) {
		sum = (sum * 31 + touch(line->text)) * 31 + (uint64_t)line->offset * 7 + line->no +
		      line->flags;
		if (peek) {
			struct gpudx_line copy = *line;

			check_line(l, &copy, &before);
			line = gpudx_lines_prev(l, 0);
		}
		before = *line;
	}
	must(gpudx_lines_bytes(l) <= (int64_t)bytes.n, "not more bytes than there are");
	must(m.rest.n || gpudx_lines_bytes(l) + 3 >= (int64_t)bytes.n,
	     "all bytes are accounted for");
	gpudx_lines_close(l);
	mem_close(&m);
	return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct gpudx_sv bytes;

	if (!n)
		return 0;
	bytes = sv_n((const char *)p + 1, n - 1);
	must(read_all(bytes, 0, false) == read_all(bytes, 1u + p[0], true), "pieces do not matter");
	return 0;
}
