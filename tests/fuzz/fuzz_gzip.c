/* Any bytes through the gzip loop: how they come in and how they are asked for must not matter, and
 * damage is said. The first byte is the size of the pieces. */
#include "fuzz.h"

static uint64_t read_all(struct gpudx_sv bytes, size_t step, size_t ask, bool *damaged)
{
	struct gpudx_err err = { 0 };
	struct gpudx_stream *s;
	unsigned char buf[4096];
	struct mem_stream m;
	uint64_t sum = 0, total = 0;
	size_t n;

	must_ok(gpudx_gzip_open(mem_open(&m, bytes, step), &s, &err), &err);
	while ((n = gpudx_stream_some(s, buf, ask)) > 0) {
		must(n <= ask, "not more than was asked for");
		for (size_t i = 0; i < n; i++)
			sum = sum * 31 + buf[i];
		total += n;
	}
	must(total <= bytes.n * 1100 + 1100, "deflate does not expand more than that");
	*damaged = s->damage[0] != '\0';
	must(*damaged || !m.rest.n, "the end is the end, or it is said why not");
	gpudx_stream_close(s);
	mem_close(&m);
	return sum ^ total << 40;
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct gpudx_sv bytes;
	bool one, other;

	if (!n)
		return 0;
	bytes = sv_n((const char *)p + 1, n - 1);
	must(read_all(bytes, 0, 4096, &one) == read_all(bytes, 1u + p[0], 1u + p[0], &other),
	     "pieces do not matter");
	must(one == other, "damage does not depend on pieces");
	return 0;
}
