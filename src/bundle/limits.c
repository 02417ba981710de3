/* The limits of a run by name, for those who have larger evidence or less patience. */
#include "bundle/stream.h"

#include <stddef.h>

static const struct {
	const char *name;
	size_t at; /* in struct gpudx_budget; all are uint64_t */
	uint64_t least, most;
} limits[] = {
	{ "decoded", offsetof(struct gpudx_budget, decoded_max), 1, INT64_MAX },
	{ "depth", offsetof(struct gpudx_budget, depth_max), 1, 64 },
	{ "members", offsetof(struct gpudx_budget, members_max), 1, INT32_MAX },
	{ "memory", offsetof(struct gpudx_budget, memory_max), 1 << 20, UINT64_C(1) << 40 },
	{ "ratio", offsetof(struct gpudx_budget, ratio_max), 1, INT64_MAX },
	{ "ratio-after", offsetof(struct gpudx_budget, ratio_after), 1, INT64_MAX },
	{ "window", offsetof(struct gpudx_budget, window_max), 1 << 20, UINT64_C(1) << 40 },
};
enum { LIMITS = sizeof(limits) / sizeof(limits[0]) };

/* "10", "64K", "160M", "2G", "1T": units are powers of 1024. */
static bool amount(struct gpudx_sv s, uint64_t *out)
{
	static const char units[] = "KMGT";
	unsigned shift = 0;

	if (!sv_u64(&s, out))
		return false;
	for (unsigned i = 0; s.n && i < sizeof(units) - 1; i++)
		if (s.p[0] == units[i])
			shift = 10 * (i + 1);
	s = sv_from(s, shift ? 1 : 0);
	if (s.n || *out > UINT64_MAX >> shift)
		return false;
	*out <<= shift;
	return true;
}

enum gpudx_status gpudx_budget_set(struct gpudx_budget *b, const char *text, struct gpudx_err *err)
{
	struct gpudx_sv rest = sv_str(text), name;
	uint64_t n;

	if (!sv_cell(&rest, '=', &name))
		name = SV_LIT("");
	for (size_t i = 0; i < LIMITS; i++) {
		if (!sv_is(name, limits[i].name))
			continue;
		if (!amount(rest, &n) || n < limits[i].least || n > limits[i].most)
			return gpudx_fail(
				err, GPUDX_E_USAGE,
				"limit %s: must be a number (K, M, G, T) from %llu to %llu", text,
				(unsigned long long)limits[i].least,
				(unsigned long long)limits[i].most);
		memcpy((char *)b + limits[i].at, &n, sizeof(n));
		return GPUDX_OK;
	}
	return gpudx_fail(err, GPUDX_E_USAGE,
			  "limit %s: must be decoded, depth, members, memory, ratio, ratio-after "
			  "or window, = and a number",
			  text);
}
