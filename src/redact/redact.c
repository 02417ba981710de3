#define PCRE2_CODE_UNIT_WIDTH 8

#include "redact/redact.h"

#include "base/embed.h"
#include "base/glob.h"
#include "base/map.h"
#include "redact/pseudonym.h"
#include "redact/words.h"

#include <pcre2.h>
#include <stdlib.h>

enum {
	MATCH_LIMIT = 200000,
	DETECTORS = 256,
	CLASSES = 64,
	KEYS = 128,
	MEMORY = 128 << 20,
	NUMBER_MIN = 10, /* shorter numbers are replaced only where they were found */
	KEEP = CLASSES	 /* class of the rows that protect */
};

struct class_of {
	struct gpudx_sv name;
	enum gpudx_pseudonym_how how;
	bool on;
};

struct detector {
	struct gpudx_sv where, pattern, example;
	uint32_t class_index, group;
	pcre2_code *re;
};

struct key_class {
	struct gpudx_sv pattern;
	uint32_t class_index; /* KEEP: as it is; KEEP + 1: as text */
};

struct entry {
	struct gpudx_sv original, pseudonym;
	uint32_t class_index;
	uint64_t times;
	const char *weak;
};

struct gpudx_redact {
	struct gpudx_redact_options o;
	struct gpudx_arena arena;
	struct class_of classes[CLASSES];
	struct detector detectors[DETECTORS];
	struct key_class keys[KEYS];
	size_t nclasses, ndetectors, nkeys;
	struct gpudx_map known;	 /* original -> entry + 1 */
	struct gpudx_map common; /* words that are no secret */
	struct entry *entries;
	size_t n, cap;
	struct gpudx_words words; /* of entries */
	struct gpudx_words kept;
	pcre2_match_context *context;
	pcre2_match_data *data;
	bool failed;
};

/* A stretch of a line that is replaced, or kept. */
struct span {
	size_t at, n;
	uint32_t entry; /* index + 1; 0: kept */
};

enum { SPANS = 4096 };

struct spans {
	struct span v[SPANS]; /* by place, without overlap */
	size_t n;
};

/* ---- loading ---- */

static enum gpudx_status row_fail(const char *path, unsigned line, const char *what,
				  struct gpudx_err *err)
{
	return gpudx_fail(err, GPUDX_E_RULE, "%s:%u: %s", path, line, what);
}

static bool class_named(const struct gpudx_redact *r, struct gpudx_sv name, uint32_t *out)
{
	for (size_t i = 0; i < r->nclasses; i++)
		if (sv_eq(r->classes[i].name, name)) {
			*out = (uint32_t)i;
			return true;
		}
	*out = sv_is(name, "text") ? KEEP + 1 : KEEP;
	return sv_is(name, "keep") || sv_is(name, "text");
}

static const char *class_row(struct gpudx_redact *r, struct gpudx_sv *cells)
{
	static const char *const hows[] = { "word", "shape", "ipv4", "ipv6", "remove" };
	struct class_of *c = &r->classes[r->nclasses];
	size_t how = 0;

	while (how < sizeof(hows) / sizeof(hows[0]) && !sv_is(cells[1], hows[how]))
		how++;
	if (r->nclasses == CLASSES || how == sizeof(hows) / sizeof(hows[0]))
		return "no such way, or too many classes";
	*c = (struct class_of){ cells[0], (enum gpudx_pseudonym_how)how, true };
	if (sv_is(cells[2], "report"))
		c->on = r->o.report;
	else if (sv_is(cells[2], "gpu"))
		c->on = r->o.gpu;
	else if (sv_is(cells[2], "cloud"))
		c->on = !r->o.cloud;
	r->nclasses++;
	return NULL;
}

static const char *detector_row(struct gpudx_redact *r, struct gpudx_sv *cells)
{
	struct detector *d = &r->detectors[r->ndetectors];
	PCRE2_SIZE at;
	int code, group;

	if (r->ndetectors == DETECTORS || !class_named(r, cells[0], &d->class_index))
		return "no such class, or too many patterns";
	d->where = cells[1];
	d->pattern = cells[2];
	d->example = cells[3];
	d->re = pcre2_compile((PCRE2_SPTR)d->pattern.p, d->pattern.n, 0, &code, &at, NULL);
	if (!d->re)
		return "the pattern is wrong";
	pcre2_jit_compile(d->re, PCRE2_JIT_COMPLETE); /* without JIT it only is slower */
	group = pcre2_substring_number_from_name(d->re, (PCRE2_SPTR) "v");
	d->group = group > 0 ? (uint32_t)group : 0;
	r->ndetectors++;
	return NULL;
}

static const char *key_row(struct gpudx_redact *r, struct gpudx_sv *cells)
{
	struct key_class *k = &r->keys[r->nkeys];

	if (r->nkeys == KEYS || !class_named(r, cells[1], &k->class_index))
		return "no such class, or too many keys";
	k->pattern = cells[0];
	r->nkeys++;
	return NULL;
}

static const char *common_row(struct gpudx_redact *r, struct gpudx_sv *cells)
{
	bool is_new;

	return gpudx_map_at(&r->common, cells[0], &is_new) ? NULL : "out of memory";
}

static enum gpudx_status load(struct gpudx_redact *r, const char *path,
			      const char *(*row)(struct gpudx_redact *, struct gpudx_sv *),
			      struct gpudx_err *err)
{
	struct gpudx_sv text = gpudx_embed(path), line;
	const char *wrong = NULL;
	bool heading = true;

	for (unsigned no = 1; sv_line(&text, &line); no++) {
		struct gpudx_sv cells[4] = { { NULL, 0 } };

		if (!line.n || line.p[0] == '#')
			continue;
		if (heading) {
			heading = false;
			continue;
		}
		for (size_t i = 0; i < 4 && sv_cell(&line, '\t', &cells[i]); i++)
			;
		wrong = row(r, cells);
		if (wrong)
			return row_fail(path, no, wrong, err);
	}
	return heading ? gpudx_fail(err, GPUDX_E_BUG, "no %s in the program", path) : GPUDX_OK;
}

enum gpudx_status gpudx_redact_new(const struct gpudx_redact_options *o, struct gpudx_redact **out,
				   struct gpudx_err *err)
{
	struct gpudx_redact *r = calloc(1, sizeof(*r));
	enum gpudx_status rc;

	if (!r)
		return gpudx_nomem(err);
	r->o = *o;
	r->arena.limit = MEMORY;
	r->known.arena = r->common.arena = &r->arena;
	r->context = pcre2_match_context_create(NULL);
	r->data = pcre2_match_data_create(16, NULL);
	rc = r->context && r->data ? GPUDX_OK : gpudx_nomem(err);
	if (!rc)
		pcre2_set_match_limit(r->context, MATCH_LIMIT);
	if (!rc)
		rc = load(r, "rules/redact/classes.tsv", class_row, err);
	if (!rc)
		rc = load(r, "rules/redact/detectors.tsv", detector_row, err);
	if (!rc)
		rc = load(r, "rules/redact/keys.tsv", key_row, err);
	if (!rc)
		rc = load(r, "rules/redact/common.tsv", common_row, err);
	if (rc)
		gpudx_redact_free(r);
	else
		*out = r;
	return rc;
}

void gpudx_redact_free(struct gpudx_redact *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->ndetectors; i++)
		pcre2_code_free(r->detectors[i].re);
	pcre2_match_context_free(r->context);
	pcre2_match_data_free(r->data);
	gpudx_words_free(&r->words);
	gpudx_words_free(&r->kept);
	free(r->entries);
	gpudx_arena_free(&r->arena);
	free(r);
}

const unsigned char *gpudx_redact_key(const struct gpudx_redact *r)
{
	return r->o.key;
}

bool gpudx_redact_gpus(const struct gpudx_redact *r)
{
	return r->o.gpu;
}

bool gpudx_redact_failed(const struct gpudx_redact *r)
{
	return r->failed;
}

/* ---- values ---- */

static bool all_digits(struct gpudx_sv s)
{
	size_t i = 0;

	while (i < s.n && sv_is_digit(s.p[i]))
		i++;
	return i == s.n;
}

static const char *weakness(struct gpudx_sv s)
{
	if (s.n < GPUDX_WORD_MIN)
		return "too short";
	return all_digits(s) && s.n < NUMBER_MIN ? "a short number" : NULL;
}

/* "node17.example.net" is the machine that others call node17. */
static bool is_full_name(const struct class_of *c, struct gpudx_sv value)
{
	size_t dot = sv_index(value, '.');

	return sv_is(c->name, "host") && dot && dot + 1 < value.n &&
	       !all_digits(sv_first(value, dot));
}

static struct gpudx_sv pseudonym_of(struct gpudx_redact *r, const struct class_of *c,
				    struct gpudx_sv value)
{
	size_t dot = is_full_name(c, value) ? sv_index(value, '.') : value.n;
	struct gpudx_buf b = { .max = 1 << 20 };
	struct gpudx_sv s;

	gpudx_pseudonym(&b, c->how, r->o.key, c->name, sv_first(value, dot));
	if (dot < value.n) {
		gpudx_buf_char(&b, '.');
		gpudx_pseudonym(&b, c->how, r->o.key, SV_LIT("domain"), sv_from(value, dot + 1));
	}
	s = gpudx_arena_sv(&r->arena, sv_n(gpudx_buf_cstr(&b), b.n));
	gpudx_buf_free(&b);
	return s;
}

static bool grow(struct gpudx_redact *r)
{
	size_t cap = r->cap ? r->cap * 2 : 64;
	struct entry *more = r->n < r->cap ? r->entries : realloc(r->entries, cap * sizeof(*more));

	if (!more)
		return false;
	if (r->n == r->cap)
		r->cap = cap;
	r->entries = more;
	return true;
}

/* "0x0000000000000000", "00:00:00:00:00:00", "0.0.0.0": nothing is set. As a word it stands in
 * masks and registers as well. */
static bool is_unset(struct gpudx_sv s)
{
	size_t zeros = 0;

	sv_lit(&s, "0x");
	for (size_t i = 0; i < s.n; i++) {
		if (!memchr("0:.-", s.p[i], 4))
			return false;
		zeros += s.p[i] == '0';
	}
	return zeros > 0;
}

static uint32_t entry_of(struct gpudx_redact *r, uint32_t class_index, struct gpudx_sv value);

/* What stands alone elsewhere. */
static void learn_parts(struct gpudx_redact *r, uint32_t class_index, struct gpudx_sv value)
{
	size_t dot = sv_index(value, '.');
	uint32_t domain, parts[2];

	if (!class_named(r, SV_LIT("domain"), &domain) || domain >= KEEP)
		return;
	parts[0] = entry_of(r, class_index, sv_first(value, dot));
	parts[1] = entry_of(r, domain, sv_from(value, dot + 1));
	for (int i = 0; i < 2; i++)
		if (parts[i])
			r->entries[parts[i] - 1].times--;
}

/* The same machine as some tools write it. */
static bool add_capitals(struct gpudx_redact *r, struct gpudx_sv value, uint32_t entry)
{
	char *copy = gpudx_arena_alloc(&r->arena, value.n + 1);

	for (size_t i = 0; copy && i < value.n; i++)
		copy[i] = (char)(value.p[i] >= 'a' && value.p[i] <= 'z' ? value.p[i] - 32
									: value.p[i]);
	return copy && (sv_eq(sv_n(copy, value.n), value) ||
			gpudx_words_add(&r->words, sv_n(copy, value.n), entry));
}

/* The entry + 1 of a value; 0 when it is no secret. */
static uint32_t entry_of(struct gpudx_redact *r, uint32_t class_index, struct gpudx_sv value)
{
	const struct class_of *c = &r->classes[class_index];
	bool is_new = false;
	uint32_t *at;
	struct entry *e;

	if (!value.n || !c->on || (c->how == GPUDX_HOW_WORD && gpudx_map_get(&r->common, value)))
		return 0;
	if (c->how != GPUDX_HOW_REMOVE && is_unset(value))
		return 0;
	if (is_full_name(c, value) && !gpudx_map_get(&r->known, value))
		learn_parts(r, class_index, value);
	at = gpudx_map_at(&r->known, value, &is_new);
	if (at && !is_new)
		return r->entries[*at - 1].times++, *at;
	if (!at || !grow(r)) {
		r->failed = true;
		return 0;
	}
	e = &r->entries[r->n];
	*e = (struct entry){ gpudx_arena_sv(&r->arena, value), pseudonym_of(r, c, value),
			     class_index, 1, weakness(value) };
	*at = (uint32_t)++r->n;
	if (!e->original.p || !e->pseudonym.p ||
	    (!e->weak && !gpudx_words_add(&r->words, e->original, *at)))
		r->failed = true;
	if (!e->weak && sv_is(c->name, "host") && !add_capitals(r, e->original, *at))
		r->failed = true;
	return *at;
}

void gpudx_redact_keep(struct gpudx_redact *r, struct gpudx_sv value)
{
	struct gpudx_sv copy = gpudx_arena_sv(&r->arena, value);

	if (value.n >= GPUDX_WORD_MIN && (!copy.p || !gpudx_words_add(&r->kept, copy, 0)))
		r->failed = true;
}

/* ---- one line ---- */

/* Takes [at, at + n) unless something of it is taken already, or kept by a row or a value. */
static bool take(struct spans *s, size_t at, size_t n, uint32_t entry)
{
	size_t i = s->n;

	while (i && s->v[i - 1].at >= at + n)
		i--;
	if (!n || s->n == SPANS || (i && s->v[i - 1].at + s->v[i - 1].n > at))
		return false;
	memmove(s->v + i + 1, s->v + i, (s->n - i) * sizeof(*s->v));
	s->v[i] = (struct span){ at, n, entry };
	s->n++;
	return true;
}

static bool is_free(const struct spans *s, size_t at, size_t n)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->v[i].at < at + n && at < s->v[i].at + s->v[i].n)
			return false;
	return true;
}

static void drop(struct spans *s, size_t i)
{
	memmove(s->v + i, s->v + i + 1, (s->n - i - 1) * sizeof(*s->v));
	s->n--;
}

/* Keeps [at, at + n) and what is kept already around it. */
static void keep(struct spans *s, size_t at, size_t n)
{
	for (size_t i = s->n; i-- > 0;) {
		const struct span v = s->v[i];
		size_t end = v.at + v.n > at + n ? v.at + v.n : at + n;

		if (v.entry || v.at > at + n || v.at + v.n < at)
			continue;
		at = v.at < at ? v.at : at;
		n = end - at;
		drop(s, i);
	}
	take(s, at, n, 0);
}

static bool stands(struct gpudx_sv line, struct gpudx_sv where)
{
	struct gpudx_sv literal;

	if (!where.n)
		return true;
	while (sv_cell(&where, '|', &literal))
		if (memmem(line.p, line.n, literal.p, literal.n))
			return true;
	return false;
}

/* One pattern over a line. False when it could not be examined to its end. */
static bool detect(struct gpudx_redact *r, const struct detector *d, struct gpudx_sv line,
		   struct spans *s)
{
	size_t from = 0;

	while (from < line.n) {
		int rc = pcre2_match(d->re, (PCRE2_SPTR)line.p, line.n, from, 0, r->data,
				     r->context);
		PCRE2_SIZE *at = pcre2_get_ovector_pointer(r->data);
		size_t g = d->group, lo, hi;
		uint32_t entry = 0;

		if (rc < 0)
			return rc == PCRE2_ERROR_NOMATCH;
		if (g && ((size_t)rc <= g || at[2 * g] == PCRE2_UNSET))
			g = 0;
		lo = at[2 * g];
		hi = at[2 * g + 1];
		from = at[1] > from ? at[1] : from + 1;
		if (s->n == SPANS)
			return false;
		if (d->class_index >= KEEP) {
			keep(s, lo, hi - lo);
			continue;
		}
		if (is_free(s, lo, hi - lo))
			entry = entry_of(r, d->class_index, sv_n(line.p + lo, hi - lo));
		if (entry || !r->classes[d->class_index].on)
			take(s, lo, hi - lo, entry);
	}
	return true;
}

static bool is_strong(const void *arg, uint32_t value)
{
	const struct gpudx_redact *r = arg;

	return !r->entries[value - 1].weak;
}

/* Values that are known, wherever they stand. A kept stretch ends where one begins. */
static bool known_words(struct gpudx_redact *r, struct gpudx_sv line, struct spans *s)
{
	struct gpudx_word_hit hit;

	for (size_t from = 0; gpudx_words_find(&r->words, line, from, is_strong, r, &hit);
	     from = hit.at + hit.n) {
		for (size_t i = s->n; i-- > 0;)
			if (!s->v[i].entry && s->v[i].at < hit.at + hit.n &&
			    hit.at < s->v[i].at + s->v[i].n)
				drop(s, i);
		if (s->n == SPANS)
			return false;
		take(s, hit.at, hit.n, hit.value);
	}
	return true;
}

static bool examine(struct gpudx_redact *r, struct gpudx_sv line, struct spans *s)
{
	struct gpudx_word_hit hit;

	for (size_t from = 0; gpudx_words_find(&r->kept, line, from, NULL, NULL, &hit);
	     from = hit.at + hit.n)
		take(s, hit.at, hit.n, 0);
	for (size_t i = 0; i < r->ndetectors; i++)
		if (stands(line, r->detectors[i].where) && !detect(r, &r->detectors[i], line, s))
			return false;
	return known_words(r, line, s);
}

static void redact_line(struct gpudx_redact *r, struct gpudx_sv line, struct gpudx_buf *out)
{
	struct spans s = { .n = 0 };
	size_t at = 0;

	if (!examine(r, line, &s)) {
		gpudx_buf_printf(out, "[removed: a line of %zu bytes that could not be examined]",
				 line.n);
		return;
	}
	for (size_t i = 0; i < s.n; i++) {
		if (!s.v[i].entry)
			continue;
		gpudx_buf_add(out, line.p + at, s.v[i].at - at);
		gpudx_buf_sv(out, r->entries[s.v[i].entry - 1].pseudonym);
		at = s.v[i].at + s.v[i].n;
	}
	gpudx_buf_sv(out, sv_from(line, at));
}

void gpudx_redact_text(struct gpudx_redact *r, struct gpudx_sv text, struct gpudx_buf *out)
{
	while (text.n) {
		size_t n = sv_index(text, '\n');

		redact_line(r, sv_first(text, n), out);
		if (n < text.n)
			gpudx_buf_char(out, '\n');
		text = sv_from(text, n + 1);
	}
}

void gpudx_redact_as(struct gpudx_redact *r, struct gpudx_sv class_name, struct gpudx_sv value,
		     struct gpudx_buf *out)
{
	uint32_t class_index, entry = 0;

	if (class_named(r, class_name, &class_index) && class_index < KEEP)
		entry = entry_of(r, class_index, value);
	gpudx_buf_sv(out, entry ? r->entries[entry - 1].pseudonym : value);
}

void gpudx_redact_fact(struct gpudx_redact *r, struct gpudx_sv key, struct gpudx_sv value,
		       struct gpudx_buf *out)
{
	const struct key_class *best = NULL;
	uint32_t entry;

	for (size_t i = 0; i < r->nkeys; i++)
		if (gpudx_glob(r->keys[i].pattern, key) &&
		    (!best || r->keys[i].pattern.n > best->pattern.n))
			best = &r->keys[i];
	if (!best || best->class_index == KEEP + 1) {
		gpudx_redact_text(r, value, out);
		return;
	}
	entry = best->class_index < KEEP ? entry_of(r, best->class_index, value) : 0;
	gpudx_buf_sv(out, entry ? r->entries[entry - 1].pseudonym : value);
}

/* Files of the program of which a report may say something; not signatures and patterns, whose
 * examples look like logs. */
static bool is_said(struct gpudx_sv path)
{
	return sv_ends(path, ".sql") || sv_starts(path, "rules/kb/") ||
	       sv_starts(path, "src/report/assets/");
}

void gpudx_redact_settle(struct gpudx_redact *r)
{
	struct gpudx_word_hit hit;

	for (size_t i = 0; i < gpudx_embedded_count; i++) {
		struct gpudx_sv text = sv_n(gpudx_embedded[i].text, gpudx_embedded[i].n);

		if (!is_said(sv_str(gpudx_embedded[i].path)))
			continue;
		for (size_t from = 0; gpudx_words_find(&r->words, text, from, is_strong, r, &hit);
		     from = hit.at + hit.n)
			r->entries[hit.value - 1].weak = "a word of gpudx's own texts";
	}
}

/* ---- afterwards ---- */

size_t gpudx_redact_count(const struct gpudx_redact *r)
{
	return r->n;
}

struct gpudx_redacted gpudx_redact_at(const struct gpudx_redact *r, size_t i)
{
	const struct entry *e = &r->entries[i];

	return (struct gpudx_redacted){ r->classes[e->class_index].name, e->original, e->pseudonym,
					e->times, e->weak };
}

bool gpudx_redact_leak(const struct gpudx_redact *r, struct gpudx_sv text,
		       struct gpudx_redacted *out)
{
	struct gpudx_word_hit hit;

	if (!gpudx_words_find(&r->words, text, 0, is_strong, r, &hit))
		return false;
	*out = gpudx_redact_at(r, hit.value - 1);
	return true;
}

bool gpudx_redact_detector(const struct gpudx_redact *r, size_t i, struct gpudx_sv *class_name,
			   struct gpudx_sv *example)
{
	const struct detector *d = &r->detectors[i];

	if (i >= r->ndetectors)
		return false;
	*class_name = d->class_index < KEEP ? r->classes[d->class_index].name : SV_LIT("keep");
	*example = d->example;
	return true;
}
