/* Lines of any bytes as messages of a log: the literal filter finds what a naive search finds, and
 * what patterns capture lies inside the message. */
#include "fuzz.h"

struct seen {
	struct gpudx_sv msg;
	unsigned hits;
};

static void on_hit(void *arg, const struct gpudx_hit *hit)
{
	struct seen *s = arg;

	s->hits++;
	must(hit->n <= GPUDX_CAPTURES_MAX, "not more captures than there is room for");
	for (unsigned i = 0; i < hit->n; i++) {
		struct gpudx_sv v = hit->captures[i].value;

		must(v.p >= s->msg.p && v.p + v.n <= s->msg.p + s->msg.n,
		     "a capture lies in the message");
		touch(v), touch(hit->captures[i].name);
	}
}

/* Where the first literal begins, the slow way. */
static size_t naive(const struct gpudx_sigs *sigs, struct gpudx_sv msg)
{
	size_t best = msg.n;

	for (size_t i = 0; i < gpudx_sigs_count(sigs); i++) {
		struct gpudx_sv lit = gpudx_sigs_at(sigs, i)->literal;
		const char *at = msg.n ? memmem(msg.p, msg.n, lit.p, lit.n) : NULL;

		if (at && (size_t)(at - msg.p) < best)
			best = (size_t)(at - msg.p);
	}
	return best;
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	const struct gpudx_sigs *sigs = fuzz_sigs();
	struct gpudx_sv rest = sv_n((const char *)p, n), msg;

	for (int lines = 0; lines < 64 && sv_line(&rest, &msg); lines++) {
		struct seen seen = { msg, 0 };
		size_t first = naive(sigs, msg);

		must(gpudx_prefilter_find(gpudx_sigs_filter(sigs), msg.p, msg.n, 0) == first,
		     "the filter finds the first literal");
		gpudx_sigs_match(sigs, msg, on_hit, &seen);
		must(first < msg.n || !seen.hits, "nothing matches without its literal");
	}
	return 0;
}
