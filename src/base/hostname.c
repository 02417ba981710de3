#include "base/hostname.h"

struct gpudx_sv gpudx_host_label(struct gpudx_sv s)
{
	return sv_first(s, sv_index(s, '.'));
}

bool gpudx_host_same(struct gpudx_sv a, struct gpudx_sv b)
{
	if (sv_index(a, '.') < a.n && sv_index(b, '.') < b.n)
		return sv_ieq(a, b);
	return sv_ieq(gpudx_host_label(a), gpudx_host_label(b));
}

/* What a machine calls itself before it knows its name. */
static bool is_nameless(struct gpudx_sv name)
{
	static const char *const nobody[] = { "localhost", "(none)", "none",
					      "unknown",   "linux",  "ip6-localhost" };

	for (size_t i = 0; i < sizeof(nobody) / sizeof(nobody[0]); i++)
		if (sv_ieq(gpudx_host_label(name), sv_str(nobody[i])))
			return true;
	return false;
}

/* The id of a container stands where its host name would: 12 or more hex digits, some of them
 * figures. */
static bool is_container_id(struct gpudx_sv s)
{
	bool digit = false;

	if (s.n < 12)
		return false;
	for (size_t i = 0; i < s.n; i++) {
		if (sv_hex_value(s.p[i]) < 0)
			return false;
		digit |= sv_is_digit(s.p[i]);
	}
	return digit;
}

static bool is_pod_char(char c)
{
	static const struct gpudx_sv alphabet = SV("bcdfghjklmnpqrstvwxz2456789");

	return sv_index(alphabet, c) < alphabet.n;
}

/* "vllm-6c9f8d7b54-x2x9z": the pod of a Kubernetes deployment. Its two hashes use letters that make
 * no words. */
static bool is_pod_name(struct gpudx_sv s)
{
	size_t hash = 0;

	if (s.n < 16 || s.p[s.n - 6] != '-')
		return false;
	for (size_t i = s.n - 5; i < s.n; i++)
		if (!is_pod_char(s.p[i]))
			return false;
	for (size_t i = s.n - 7; i > 0 && s.p[i] != '-'; i--, hash++)
		if (!is_pod_char(s.p[i]) && sv_hex_value(s.p[i]) < 0)
			return false;
	return hash >= 8 && hash <= 10;
}

static bool is_spelled_as_name(struct gpudx_sv s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!sv_is_alpha(s.p[i]) && !sv_is_digit(s.p[i]) && s.p[i] != '-' &&
		    s.p[i] != '.' && s.p[i] != '_')
			return false;
	return s.n > 0 && s.n < 256;
}

bool gpudx_host_names_machine(struct gpudx_sv name)
{
	return is_spelled_as_name(name) && !is_nameless(name) && !is_container_id(name) &&
	       !is_pod_name(name);
}
