/* Any bytes as a log inside another form, and behind what carriers write: a line stays a line, and
 * the text does not grow beyond what it takes to say so. The first byte chooses the form. */
#include "fuzz.h"

#include "ingest/carry.h"
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

/* Whatever carriers are found, the text behind them lies inside its line. */
static void carriers(struct gpudx_sv bytes)
{
	struct gpudx_line v[GPUDX_CARRIER_HEAD] = { { .no = 0 } };
	struct gpudx_carriers c = { .n = 0 };
	struct gpudx_sv rest = bytes;
	size_t n = 0;

	while (n < GPUDX_CARRIER_HEAD && sv_line(&rest, &v[n].text))
		n++;
	gpudx_carriers_look(&c, v, n);
	gpudx_carriers_stamp(&c, v, n);
	for (size_t i = 0; i < n; i++) {
		struct gpudx_carried said;
		struct gpudx_sv text = gpudx_carriers_peel(&c, v[i].text, &said);

		must(text.n <= v[i].text.n, "a carrier adds nothing");
		must(!text.n || (text.p >= v[i].text.p &&
				 text.p + text.n == v[i].text.p + v[i].text.n),
		     "the text is the end of its line");
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct gpudx_sv bytes;

	if (!n)
		return 0;
	bytes = sv_n((const char *)p + 1, n - 1);
	(void)gpudx_wrapping_of(bytes);
	unwrap(bytes, (enum gpudx_wrapping)(1 + p[0] % GPUDX_HTML));
	carriers(bytes);
	return 0;
}
