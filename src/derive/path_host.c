/* Collections of several machines mostly name them in the path only: a directory, an archive or
 * the beginning of a file name for each. Such a word is found by what stands around it: the same
 * path with another word of the same make in its place. */
#include "derive/path_host.h"

#include "base/map.h"

enum { PIECES_MAX = 16, PATHS_MAX = 100000, TOKEN_MAX = 63, MANY = 2 };

/* A run of pieces of one component of a path: "gpu-node-17" in "gpu-node-17_dmesg.log". */
struct token {
	struct gpudx_sv text;
	bool sure;   /* its make is that of a host's name, not of just any counted thing */
	bool whole;  /* it is all of a directory's name */
	bool itself; /* the path says that it names a host */
};

struct finding {
	struct gpudx_map first;	 /* template -> hash of its first token, 1 when there are more */
	struct gpudx_map counts; /* token -> templates that it shares with others */
};

/* ---- what looks like a name ---- */

static bool is_word_char(char c)
{
	return sv_is_alpha(c) || sv_is_digit(c);
}

static size_t piece_end(struct gpudx_sv c, size_t i)
{
	while (i < c.n && is_word_char(c.p[i]))
		i++;
	return i;
}

static bool is_one_of(struct gpudx_sv word, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (sv_ieq(word, sv_str(words[i])))
			return true;
	return false;
}

/* The letters in front of the number that ends a name: "node" of "node01" and of "gpu-node-17";
 * .p NULL when it ends otherwise. *digits: how many there are. */
static struct gpudx_sv stem_of(struct gpudx_sv t, size_t *digits)
{
	size_t end = t.n, from;

	while (end && sv_is_digit(t.p[end - 1]))
		end--;
	*digits = t.n - end;
	if (end && (t.p[end - 1] == '-' || t.p[end - 1] == '_'))
		end--;
	for (from = end; from && sv_is_alpha(t.p[from - 1]);)
		from--;
	return *digits && *digits <= 4 && from < end ? sv_n(t.p + from, end - from) : sv_n(NULL, 0);
}

struct gpudx_sv gpudx_host_stem(struct gpudx_sv name)
{
	size_t digits;

	return stem_of(sv_first(name, sv_index(name, '.')), &digits);
}

/* "10.0.3.17" and "ip-10-0-3-17". */
static bool is_address(struct gpudx_sv t)
{
	char sep = '.';
	unsigned parts = 0;
	uint64_t n;

	if (sv_lit(&t, "ip-"))
		sep = '-';
	while (parts < 4 && sv_u64(&t, &n) && n < 256) {
		parts++;
		if (parts < 4 && !sv_char(&t, sep))
			return false;
	}
	return parts == 4 && !t.n;
}

/* Numbered things that are no machines: parts of one, moments, pieces of a log. */
static bool is_counted(struct gpudx_sv stem)
{
	static const char *const words[] = {
		"boot",	  "capture", "card",	 "chunk",   "core",    "cpu",	  "cuda",
		"cycle",  "day",     "dcgm",	 "device",  "dmesg",   "dump",	  "epoch",
		"err",	  "error",   "exp",	 "file",    "fold",    "gen",	  "bug",
		"hour",	  "iter",    "job",	 "journal", "kern",    "link",	  "log",
		"logs",	  "message", "messages", "mig",	    "mlx",     "model",	  "nccl",
		"nvlink", "nvme",    "out",	 "output",  "page",    "part",	  "pass",
		"phase",  "port",    "proc",	 "process", "r",       "rank",	  "report",
		"round",  "run",     "sample",	 "seed",    "set",     "shard",	  "slot",
		"slurm",  "smi",     "snap",	 "stage",   "step",    "switch",  "syslog",
		"take",	  "task",    "test",	 "thread",  "trace",   "trial",	  "try",
		"v",	  "version", "week",	 "xid",	    "attempt", "replica", "loop",
		"nvidia", "driver",  "case",
	};

	return is_one_of(stem, words, sizeof(words) / sizeof(words[0]));
}

static bool is_machine(struct gpudx_sv stem)
{
	static const char *const words[] = { "node",	 "nodes", "worker", "server", "srv",
					     "compute",	 "cn",	  "dgx",    "hgx",    "host",
					     "instance", "vm",	  "rack",   "blade",  "hpc",
					     "a100",	 "h100",  "h200",   "b200",   "login" };

	return is_one_of(stem, words, sizeof(words) / sizeof(words[0]));
}

/* "gpu0" is a GPU of a machine, "gpu01" and "gpu-17" are machines. */
static bool looks_like_host(struct token *t)
{
	size_t digits;
	struct gpudx_sv stem;

	if (t->text.n > TOKEN_MAX)
		return false;
	t->sure = is_address(t->text);
	if (t->sure)
		return true;
	stem = stem_of(t->text, &digits);
	if (!stem.p || !sv_is_alpha(t->text.p[0]) ||
	    is_counted(sv_first(t->text, piece_end(t->text, 0))))
		return false;
	t->sure = is_machine(stem);
	if (sv_ieq(stem, SV_LIT("gpu")))
		return t->sure = digits > 1;
	return t->sure || !is_counted(stem);
}

bool gpudx_path_has(struct gpudx_sv path, struct gpudx_sv word)
{
	for (size_t at = 0; word.n && at + word.n <= path.n; at++)
		if (sv_ieq(sv_n(path.p + at, word.n), word) &&
		    (!at || !is_word_char(path.p[at - 1])) &&
		    (at + word.n == path.n || !is_word_char(path.p[at + word.n])))
			return true;
	return false;
}

/* ---- tokens of a path ---- */

/* "sosreport-NAME-2026-05-12-RANDOM", "sosreport-NAME-CASE-2026-...": the name. */
static bool sosreport_name(struct gpudx_sv component, struct token *t)
{
	struct gpudx_sv c = component;

	if (!sv_lit(&c, "sosreport-"))
		return false;
	for (size_t i = 1; i + 5 < c.n; i++) {
		if (memcmp(c.p + i, "-20", 3) != 0 || !sv_is_digit(c.p[i + 3]))
			continue;
		while (i > 1 && sv_is_digit(c.p[i - 1])) /* the number of a support case */
			i--;
		t->text = sv_first(c, c.p[i - 1] == '-' ? i - 1 : i);
		if (c.p[i] == '-')
			t->text = sv_first(c, i);
		t->itself = true;
		return t->text.n > 0;
	}
	return false;
}

/* Where the pieces of a component begin; at[n] is behind the last. */
static unsigned split(struct gpudx_sv c, size_t at[PIECES_MAX + 1])
{
	unsigned n = 0;

	for (size_t i = 0; i < c.n && n < PIECES_MAX; i++)
		if (is_word_char(c.p[i]) && (!i || !is_word_char(c.p[i - 1])))
			at[n++] = i;
	at[n] = c.n;
	return n;
}

/* Below /proc and /sys everything is counted: "node/node0", "host1". */
static bool begins_kernel_tree(struct gpudx_sv component, struct gpudx_sv rest)
{
	return sv_is(component, "proc") ||
	       (sv_is(component, "sys") &&
		(sv_starts(rest, "devices/") || sv_starts(rest, "class/") ||
		 sv_starts(rest, "bus/") || sv_starts(rest, "module/")));
}

/* Calls visit for each token of a path that looks like a host, longer ones first within a
 * component; it answers true to end it. */
static void each_token(struct gpudx_sv path,
		       bool (*visit)(void *arg, struct gpudx_sv path, const struct token *t),
		       void *arg)
{
	struct gpudx_sv rest = path, c;

	while (sv_cell(&rest, '/', &c) && !begins_kernel_tree(c, rest)) {
		size_t at[PIECES_MAX + 1];
		unsigned n = split(c, at);
		struct token t = { .itself = false };

		if (sosreport_name(c, &t)) {
			if (visit(arg, path, &t))
				return;
			continue;
		}
		for (unsigned len = n; len > 0; len--)
			for (unsigned i = 0; i + len <= n; i++) {
				size_t end = piece_end(c, at[i + len - 1]);

				t.text = sv_n(c.p + at[i], end - at[i]);
				t.whole = t.text.n == c.n && rest.p;
				if (looks_like_host(&t) && visit(arg, path, &t))
					return;
			}
	}
}

/* ---- templates ---- */

/* The path with its token, wherever it stands as a word, left out. */
static uint64_t template_of(struct gpudx_sv path, struct gpudx_sv token)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < path.n;) {
		bool here = path.n - i >= token.n && memcmp(path.p + i, token.p, token.n) == 0 &&
			    (!i || !is_word_char(path.p[i - 1])) &&
			    (i + token.n == path.n || !is_word_char(path.p[i + token.n]));

		h = (h ^ (here ? 1 : (unsigned char)path.p[i])) * UINT64_C(0x100000001b3);
		i += here ? token.n : 1;
	}
	return h;
}

static struct gpudx_sv as_key(const uint64_t *h)
{
	return sv_n((const char *)h, sizeof(*h));
}

/* The directories above a token that is all of a directory's name; the files in it may be others
 * than those beside it. */
static uint64_t directory_of(struct gpudx_sv path, const struct token *t)
{
	return ~template_of(sv_first(path, (size_t)(t->text.p + t->text.n - path.p)), t->text);
}

struct pass {
	struct finding *f;
	bool failed;
	struct gpudx_sv lone; /* a directory of the make of a host's, without any other beside it */
	struct gpudx_sv found; /* the best so far, which stands in so many kinds of paths */
	uint32_t count;
};

static bool note(struct pass *p, uint64_t h, const struct token *t)
{
	uint32_t mine = (uint32_t)(gpudx_hash(t->text) >> 7) | 2, *first;
	bool is_new;

	first = gpudx_map_at(&p->f->first, as_key(&h), &is_new);
	if (!first)
		return p->failed = true;
	if (is_new)
		*first = mine;
	else if (*first != mine)
		*first = 1;
	return false;
}

static bool note_template(void *arg, struct gpudx_sv path, const struct token *t)
{
	if (t->sure && t->whole && note(arg, directory_of(path, t), t))
		return true;
	return note(arg, template_of(path, t->text), t);
}

static bool has_others(const struct finding *f, uint64_t h)
{
	const uint32_t *first = gpudx_map_get(&f->first, as_key(&h));

	return first && *first == 1;
}

static bool is_shared(const struct finding *f, struct gpudx_sv path, const struct token *t)
{
	return has_others(f, template_of(path, t->text)) ||
	       (t->sure && t->whole && has_others(f, directory_of(path, t)));
}

static bool count_shared(void *arg, struct gpudx_sv path, const struct token *t)
{
	struct pass *p = arg;
	uint32_t *count;
	bool is_new;

	if (!is_shared(p->f, path, t))
		return false;
	count = gpudx_map_at(&p->f->counts, t->text, &is_new);
	if (!count)
		return p->failed = true;
	++*count;
	return false;
}

/* The token that stands in most kinds of paths; of equals the first, which is the longest. */
static bool choose(void *arg, struct gpudx_sv path, const struct token *t)
{
	struct pass *p = arg;
	const uint32_t *count = gpudx_map_get(&p->f->counts, t->text);

	if (t->itself) {
		p->found = t->text;
		return true;
	}
	if (count && *count > p->count && (t->sure || *count >= MANY) && is_shared(p->f, path, t)) {
		p->found = t->text;
		p->count = *count;
	} else if (t->sure && t->whole && !p->lone.p) {
		p->lone = t->text;
	}
	return false;
}

bool gpudx_path_hosts(struct gpudx_arena *a, struct gpudx_path_host *v, size_t n)
{
	struct finding f = { .first = { .arena = a }, .counts = { .arena = a } };
	struct pass p = { .f = &f };

	if (n > PATHS_MAX)
		n = PATHS_MAX;
	for (size_t i = 0; i < n && !p.failed; i++)
		each_token(v[i].path, note_template, &p);
	for (size_t i = 0; i < n && !p.failed; i++)
		each_token(v[i].path, count_shared, &p);
	for (size_t i = 0; i < n && !p.failed; i++) {
		p.found = p.lone = sv_n(NULL, 0);
		p.count = 0;
		each_token(v[i].path, choose, &p);
		v[i].name = p.found.p ? p.found : p.lone;
		v[i].lone = !p.found.p && p.lone.p;
	}
	return !p.failed;
}
