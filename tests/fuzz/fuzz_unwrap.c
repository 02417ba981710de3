/* Any bytes as a log inside another form, and as the output of many hosts: a line stays a line, and
 * the text does not grow beyond what it takes to say so. The first byte chooses the form. */
#include "fuzz.h"

#include "ingest/crowd.h"
#include "ingest/unwrap.h"

static size_t line_feeds(struct gpudx_sv s)
{
	size_t n = 0;

	for (size_t i = 0; i < s.n; i++)
		n += s.p[i] == '\n';
	return n;
}

/* Reads s to its end and returns how many bytes and line feeds there were. */
static size_t drain(struct gpudx_stream *s, size_t *lines)
{
	char buf[1000];
	size_t n, all = 0;

	*lines = 0;
	while ((n = gpudx_stream_read(s, buf, sizeof(buf))) > 0) {
		*lines += line_feeds(sv_n(buf, n));
		all += n;
	}
	return all;
}

static void unwrap(struct gpudx_sv bytes, enum gpudx_wrapping kind)
{
	struct gpudx_err err = { 0 };
	struct gpudx_stream *out;
	struct mem_stream m;
	size_t lines;

	must_ok(gpudx_unwrap_open(mem_open(&m, bytes, 7), kind, &out, &err), &err);
	must(drain(out, &lines) >= bytes.n, "what is taken away leaves its room");
	must(lines == line_feeds(bytes), "a line stays a line");
	gpudx_stream_close(out);
	mem_close(&m);
}

static void crowd(struct gpudx_sv bytes)
{
	struct gpudx_crowd *c = calloc(1, sizeof(*c));
	struct mem_stream m;
	size_t lines;

	must(c && gpudx_crowd_read(c, mem_open(&m, bytes, 7)), "memory");
	for (unsigned i = 0; i < c->n && i < 4; i++) {
		struct gpudx_crowd_stream s;

		gpudx_crowd_open(&s, c, i);
		must(drain(&s.base, &lines) == bytes.n, "each host has the room of all");
		must(lines == line_feeds(bytes), "a line stays a line");
		gpudx_stream_close(&s.base);
	}
	gpudx_crowd_free(c);
	free(c);
	mem_close(&m);
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct gpudx_sv bytes;

	if (!n)
		return 0;
	bytes = sv_n((const char *)p + 1, n - 1);
	(void)gpudx_wrapping_of(bytes);
	(void)gpudx_is_crowd(bytes);
	unwrap(bytes, (enum gpudx_wrapping)(1 + p[0] % GPUDX_GREPPED));
	crowd(bytes);
	return 0;
}
