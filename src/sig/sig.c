#define PCRE2_CODE_UNIT_WIDTH 8

#include "sig/sig.h"

#include "base/embed.h"

#include <pcre2.h>
#include <stdlib.h>

enum { MATCH_LIMIT = 100000, GROUPS_MAX = 32, LINE_MATCHES = 16 };

struct compiled {
	struct gpudx_sig sig;
	pcre2_code *re;
	uint32_t names;
	struct group {
		struct gpudx_sv name;
		uint32_t number;
	} groups[GROUPS_MAX];
};

struct gpudx_sigs {
	struct gpudx_arena arena;
	struct compiled *v;
	size_t n, cap;
	struct gpudx_sv *literals; /* one a signature; equal ones may stand more than once */
	struct gpudx_prefilter *filter;
	pcre2_match_context *context;
	pcre2_match_data *data;
};

/* ---- loading ---- */

static enum gpudx_status sig_fail(const struct gpudx_sig *sig, const char *what,
				  struct gpudx_err *err)
{
	return gpudx_fail(err, GPUDX_E_RULE, "%s:%u: %s", sig->path, sig->line, what);
}

static void read_groups(struct compiled *c)
{
	uint32_t count = 0, size = 0;
	PCRE2_SPTR table = NULL;

	pcre2_pattern_info(c->re, PCRE2_INFO_NAMECOUNT, &count);
	pcre2_pattern_info(c->re, PCRE2_INFO_NAMEENTRYSIZE, &size);
	pcre2_pattern_info(c->re, PCRE2_INFO_NAMETABLE, &table);
	for (uint32_t i = 0; i < count && c->names < GROUPS_MAX; i++, table += size) {
		c->groups[c->names].number = (uint32_t)table[0] << 8 | table[1];
		c->groups[c->names++].name = sv_str((const char *)table + 2);
	}
}

static enum gpudx_status sig_compile(struct compiled *c, struct gpudx_err *err)
{
	PCRE2_UCHAR text[120];
	PCRE2_SIZE at;
	int code;

	c->re = pcre2_compile((PCRE2_SPTR)c->sig.pattern.p, c->sig.pattern.n, PCRE2_DUPNAMES, &code,
			      &at, NULL);
	if (!c->re) {
		pcre2_get_error_message(code, text, sizeof(text));
		return gpudx_fail(err, GPUDX_E_RULE, "%s:%u: pattern, character %zu: %s",
				  c->sig.path, c->sig.line, at + 1, (const char *)text);
	}
	pcre2_jit_compile(c->re, PCRE2_JIT_COMPLETE); /* without JIT it only is slower */
	read_groups(c);
	return GPUDX_OK;
}

static enum gpudx_status sig_row(struct gpudx_sigs *s, const char *path, unsigned line,
				 struct gpudx_sv row, struct gpudx_err *err)
{
	struct gpudx_sig sig = { .path = path, .line = line };
	struct compiled *grown;

	sv_cell(&row, '\t', &sig.kind);
	sv_cell(&row, '\t', &sig.literal);
	sv_cell(&row, '\t', &sig.pattern);
	sv_cell(&row, '\t', &sig.example);
	sv_cell(&row, '\t', &sig.attrs);
	if (!sig.kind.n || !sig.pattern.n || !sig.example.n)
		return sig_fail(&sig, "kind, pattern and example are needed", err);
	if (sig.literal.n < GPUDX_LITERAL_MIN)
		return sig_fail(&sig, "the literal needs at least six bytes", err);
	if (s->n == s->cap) {
		grown = realloc(s->v, (s->cap ? s->cap * 2 : 64) * sizeof(*grown));
		if (!grown)
			return gpudx_nomem(err);
		s->v = grown;
		s->cap = s->cap ? s->cap * 2 : 64;
	}
	s->v[s->n] = (struct compiled){ .sig = sig };
	return sig_compile(&s->v[s->n++], err);
}

static enum gpudx_status sig_file(struct gpudx_sigs *s, const char *path, struct gpudx_sv text,
				  struct gpudx_err *err)
{
	enum gpudx_status rc = GPUDX_OK;
	struct gpudx_sv row;
	bool heading = true;

	for (unsigned line = 1; !rc && sv_line(&text, &row); line++) {
		if (!row.n || sv_is(row, "#") || sv_starts(row, "# "))
			continue;
		if (heading)
			heading = false;
		else
			rc = sig_row(s, path, line, row, err);
	}
	return rc;
}

static enum gpudx_status make_filter(struct gpudx_sigs *s, struct gpudx_err *err)
{
	s->literals = gpudx_arena_array(&s->arena, s->n, sizeof(*s->literals));
	for (size_t i = 0; s->literals && i < s->n; i++)
		s->literals[i] = s->v[i].sig.literal;
	if (s->literals)
		s->filter = gpudx_prefilter_new(&s->arena, s->literals, s->n);
	s->context = pcre2_match_context_create(NULL);
	s->data = pcre2_match_data_create(GROUPS_MAX + 1, NULL);
	if (!s->filter || !s->context || !s->data)
		return gpudx_nomem(err);
	pcre2_set_match_limit(s->context, MATCH_LIMIT);
	return GPUDX_OK;
}

enum gpudx_status gpudx_sigs_load(struct gpudx_sigs **out, struct gpudx_err *err)
{
	struct gpudx_sigs *s = calloc(1, sizeof(*s));
	enum gpudx_status rc = GPUDX_OK;

	if (!s)
		return gpudx_nomem(err);
	for (size_t i = 0; i < gpudx_embedded_count && !rc; i++) {
		const struct gpudx_embedded *e = &gpudx_embedded[i];

		if (sv_starts(sv_str(e->path), "rules/signatures/"))
			rc = sig_file(s, e->path, sv_n(e->text, e->n), err);
	}
	if (!rc)
		rc = make_filter(s, err);
	if (rc) {
		gpudx_sigs_free(s);
		return gpudx_while(err, "while loading the signatures");
	}
	*out = s;
	return GPUDX_OK;
}

void gpudx_sigs_free(struct gpudx_sigs *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->n; i++)
		pcre2_code_free(s->v[i].re);
	pcre2_match_context_free(s->context);
	pcre2_match_data_free(s->data);
	free(s->v);
	gpudx_arena_free(&s->arena);
	free(s);
}

const struct gpudx_prefilter *gpudx_sigs_filter(const struct gpudx_sigs *s)
{
	return s->filter;
}

/* ---- matching ---- */

/* False when the signature does not match. */
static bool sig_match(const struct gpudx_sigs *s, const struct compiled *c, struct gpudx_sv msg,
		      struct gpudx_hit *hit)
{
	int rc = pcre2_match(c->re, (PCRE2_SPTR)msg.p, msg.n, 0, 0, s->data, s->context);
	PCRE2_SIZE *at = pcre2_get_ovector_pointer(s->data);

	if (rc < 0)
		return false;
	hit->sig = &c->sig;
	hit->n = 0;
	for (uint32_t i = 0; i < c->names && hit->n < GPUDX_CAPTURES_MAX; i++) {
		size_t g = c->groups[i].number;

		if ((rc && g >= (size_t)rc) || g > GROUPS_MAX || at[2 * g] == PCRE2_UNSET)
			continue;
		hit->captures[hit->n].name = c->groups[i].name;
		hit->captures[hit->n++].value = sv_n(msg.p + at[2 * g], at[2 * g + 1] - at[2 * g]);
	}
	return true;
}

/* The signatures whose literal stands in a message, in the order of the files, each once. */
struct candidates {
	uint32_t v[LINE_MATCHES + 1];
	unsigned n;
};

static void add_candidate(void *arg, size_t sig)
{
	struct candidates *c = arg;
	unsigned k = 0;

	while (k < c->n && c->v[k] < sig)
		k++;
	if ((k < c->n && c->v[k] == sig) || k == LINE_MATCHES)
		return;
	c->n -= c->n == LINE_MATCHES;
	memmove(c->v + k + 1, c->v + k, (c->n - k) * sizeof(c->v[0]));
	c->v[k] = (uint32_t)sig;
	c->n++;
}

void gpudx_sigs_match(const struct gpudx_sigs *s, struct gpudx_sv msg,
		      void (*on_hit)(void *arg, const struct gpudx_hit *hit), void *arg)
{
	struct candidates c = { .n = 0 };
	struct gpudx_hit hit;

	gpudx_prefilter_each(s->filter, msg, add_candidate, &c);
	for (unsigned i = 0; i < c.n; i++)
		if (sig_match(s, &s->v[c.v[i]], msg, &hit))
			on_hit(arg, &hit);
}

/* ---- for tests ---- */

size_t gpudx_sigs_count(const struct gpudx_sigs *s)
{
	return s->n;
}

const struct gpudx_sig *gpudx_sigs_at(const struct gpudx_sigs *s, size_t i)
{
	return &s->v[i].sig;
}

bool gpudx_sigs_example_matches(const struct gpudx_sigs *s, size_t i)
{
	const struct gpudx_sig *sig = &s->v[i].sig;
	size_t at = 0, n = sig->example.n;
	struct gpudx_hit hit;

	for (; at + sig->literal.n <= n; at++)
		if (memcmp(sig->example.p + at, sig->literal.p, sig->literal.n) == 0)
			return sig_match(s, &s->v[i], sig->example, &hit);
	return false;
}
