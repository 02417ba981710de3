/* Any bytes as text with secrets: what was replaced once is in no later output, the same text gives
 * the same, and what comes out is not much longer. The first byte chooses for whom it is. */
#include "fuzz.h"

#include "redact/redact.h"

enum { ROOM = 1 << 22 };

static void write_all(struct gpudx_redact *r, struct gpudx_sv text, struct gpudx_buf *out)
{
	struct gpudx_sv line;

	out->n = 0;
	while (sv_line(&text, &line)) {
		gpudx_redact_text(r, line, out);
		gpudx_buf_char(out, '\n');
	}
	must(!out->failed && !gpudx_redact_failed(r), "there is room for what is replaced");
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct gpudx_redact_options o = { .report = n && p[0] & 1,
					  .gpu = n && p[0] & 2,
					  .key = "key" };
	struct gpudx_buf first = { .max = ROOM }, second = { .max = ROOM };
	struct gpudx_redacted leak;
	struct gpudx_redact *r;
	struct gpudx_err err = { 0 };
	struct gpudx_sv text = n ? sv_n((const char *)p + 1, n - 1) : SV_LIT("");

	must_ok(gpudx_redact_new(&o, &r, &err), &err);
	write_all(r, text, &first); /* learns */
	gpudx_redact_settle(r);
	write_all(r, text, &first);
	write_all(r, text, &second);
	must(first.n == second.n && (!first.n || memcmp(first.p, second.p, first.n) == 0),
	     "the same text gives the same");
	if (gpudx_redact_leak(r, sv_n(first.p, first.n), &leak)) {
		fprintf(stderr, "fuzz: %.*s: %.*s\n", (int)leak.class_name.n, leak.class_name.p,
			(int)leak.original.n, leak.original.p);
		must(0, "what is replaced is gone");
	}
	gpudx_buf_free(&first);
	gpudx_buf_free(&second);
	gpudx_redact_free(r);
	return 0;
}
