/* The contract of both sides, key by key, and what each difference is: intended, come along with
 * another one, a setting of the site, or a part of the machine. What a key means is in
 * kb_contract_class. */
#include "compare/compare.h"

#include <math.h>

#include "base/glob.h"
#include "compare/list.h"
#include "store/store.h"

struct class
{
	const char *key, *class, *cause, *follows, *off, *name;
};

struct diff {
	struct gpudx_comparison *c;
	struct class *classes;
	size_t nclasses;
	struct gpudx_err *err;
};

static enum gpudx_status load_classes(struct diff *d)
{
	static const char sql[] = "SELECT key, class, cause, follows, off, name FROM "
				  "kb_contract_class ORDER BY rowid";
	struct gpudx_arena *a = &d->c->arena;
	sqlite3_stmt *st;
	bool row;
	enum gpudx_status rc = gpudx_db_prepare(d->c->side[CMP_AFTER].db, sql, &st, d->err);

	if (rc)
		return rc;
	while (!(rc = gpudx_db_step(st, &row, d->err)) && row) {
		struct class *k = CMP_PUSH(a, d->classes, d->nclasses);

		if (!k) {
			rc = gpudx_nomem(d->err);
			break;
		}
		*k = (struct class){ gpudx_cmp_text(a, st, 0), gpudx_cmp_text(a, st, 1),
				     gpudx_cmp_text(a, st, 2), gpudx_cmp_text(a, st, 3),
				     gpudx_cmp_text(a, st, 4), gpudx_cmp_text(a, st, 5) };
	}
	sqlite3_finalize(st);
	return rc;
}

/* The row that says most of a key: the longest pattern. */
static const struct class *class_of(const struct diff *d, const char *key)
{
	const struct class *best = NULL;

	for (size_t i = 0; i < d->nclasses; i++)
		if (gpudx_glob(sv_str(d->classes[i].key), sv_str(key)) &&
		    (!best || strlen(d->classes[i].key) > strlen(best->key)))
			best = &d->classes[i];
	return best;
}

/* ---- the value of a key ---- */

/* What runs comes before what lies on the disk. */
static int layer_rank(const char *layer)
{
	static const char *const order[] = { "loaded", "nvml", "", "kernel", "package", "disk" };

	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++)
		if (layer && strcmp(layer, order[i]) == 0)
			return (int)i;
	return 100;
}

static bool of_subject(const struct cmp_term *t, int gpu, int host)
{
	return gpu >= 0 ? t->gpu == gpu : t->gpu < 0 && t->host_no == host;
}

/* The newest row wins where a side has several bundles: terms are in the order of bundles. */
static const struct cmp_term *term_in(const struct cmp_side *s, int gpu, int host, const char *key,
				      const char *layer)
{
	const struct cmp_term *best = NULL;

	for (size_t i = 0; i < s->nterms; i++) {
		const struct cmp_term *t = &s->terms[i];

		if (strcmp(t->key, key) != 0 || !of_subject(t, gpu, host))
			continue;
		if (layer ? strcmp(t->layer, layer) == 0
			  : !best || layer_rank(t->layer) <= layer_rank(best->layer))
			best = t;
	}
	return best;
}

/* Both sides of a key as the same layer says it; else as the first layer of each. */
static void values_of(const struct gpudx_comparison *c, const int gpu[CMP_SIDES],
		      const int host[CMP_SIDES], const char *key,
		      const struct cmp_term *out[CMP_SIDES])
{
	const struct cmp_side *b = &c->side[CMP_BEFORE];
	int best = 1000;

	for (int s = 0; s < CMP_SIDES; s++)
		out[s] = term_in(&c->side[s], gpu[s], host[s], key, NULL);
	if (!out[CMP_BEFORE] || !out[CMP_AFTER] ||
	    strcmp(out[CMP_BEFORE]->layer, out[CMP_AFTER]->layer) == 0)
		return;
	for (size_t i = 0; i < b->nterms; i++) {
		const struct cmp_term *t = &b->terms[i], *o;

		if (strcmp(t->key, key) != 0 || !of_subject(t, gpu[0], host[0]) ||
		    layer_rank(t->layer) >= best)
			continue;
		o = term_in(&c->side[CMP_AFTER], gpu[1], host[1], key, t->layer);
		if (o) {
			best = layer_rank(t->layer);
			out[CMP_BEFORE] = t;
			out[CMP_AFTER] = o;
		}
	}
}

/* Versions in hexadecimal come with capitals or small letters: 90.04.7A.40.73. */
static bool equal(const struct cmp_term *a, const struct cmp_term *b)
{
	if (strcmp(a->value, b->value) == 0 ||
	    (strcmp(a->key, "gpu.vbios") == 0 && sv_ieq(sv_str(a->value), sv_str(b->value))))
		return true;
	return a->unit && isfinite(a->num) && isfinite(b->num) && fabs(a->num - b->num) < 0.005;
}

/* ---- changes ---- */

/* The side that has the key says its name. */
static const struct cmp_term *named(const struct cmp_term *const t[CMP_SIDES])
{
	return *t[CMP_BEFORE]->key ? t[CMP_BEFORE] : t[CMP_AFTER];
}

static struct cmp_change *alike(struct gpudx_comparison *c, const struct cmp_term *const t[],
				bool of_gpus)
{
	for (size_t i = 0; i < c->nchanges; i++) {
		struct cmp_change *k = &c->changes[i];

		if (strcmp(k->key, named(t)->key) == 0 && k->of_gpus == of_gpus &&
		    strcmp(k->value[0], t[0]->value) == 0 && strcmp(k->value[1], t[1]->value) == 0)
			return k;
	}
	return NULL;
}

/* What a setting is when nobody has made it: a word, or the value of another key. */
static bool is_off(const struct diff *d, const struct class *k, int s, const int gpu[CMP_SIDES],
		   const int host[CMP_SIDES], const struct cmp_term *t)
{
	const struct cmp_term *base;

	if (!k->off)
		return false;
	if (k->off[0] != '@')
		return strcmp(t->value, k->off) == 0;
	base = term_in(&d->c->side[s], gpu[s], host[s], k->off + 1, NULL);
	return base && equal(t, base);
}

/* What the site says of the value after. */
static const struct cmp_meant *meant_of(const struct diff *d, const struct cmp_term *t)
{
	const struct cmp_side *s = &d->c->side[CMP_AFTER];

	for (size_t i = s->nmeant; i--;) {
		const struct cmp_meant *m = &s->meant[i];

		if (strcmp(m->key, t->key) == 0 && strcmp(m->layer, t->layer) == 0 &&
		    of_subject(t, m->gpu, m->host_no))
			return m;
	}
	return NULL;
}

/* The site knows better than any table what is intended and what got lost. */
static void mean(const struct diff *d, struct cmp_change *k, const struct cmp_meant *m)
{
	struct gpudx_arena *a = &d->c->arena;

	k->lost = !m->holds;
	k->group = m->holds ? CMP_INTENDED : CMP_SETTING;
	k->by_site = true;
	k->note = m->holds ? gpudx_arena_printf(a, "as the site means it: %.200s", m->why)
			   : gpudx_arena_printf(a, "lost: the site means %.60s (%.200s)",
						m->expected, m->why);
}

static void classify(const struct diff *d, struct cmp_change *k, const struct class *cl,
		     const int gpu[CMP_SIDES], const int host[CMP_SIDES],
		     const struct cmp_term *const t[CMP_SIDES])
{
	bool off_before = is_off(d, cl, CMP_BEFORE, gpu, host, t[CMP_BEFORE]);
	bool off_after = is_off(d, cl, CMP_AFTER, gpu, host, t[CMP_AFTER]);
	const struct cmp_meant *meant = meant_of(d, t[CMP_AFTER]);

	k->name = strchr(cl->key, '*') ? k->key : cl->name;
	k->cause = cl->cause;
	k->follows = cl->follows;
	if (strcmp(cl->class, "version") == 0) {
		k->group = CMP_INTENDED;
	} else if (strcmp(cl->class, "setting") == 0) {
		k->group = CMP_SETTING;
		k->lost = off_after && !off_before;
		k->note = k->lost      ? "lost: back to the default"
			  : off_before ? "was the default"
				       : "intended?";
	} else {
		k->group = CMP_PART;
	}
	if (meant)
		mean(d, k, meant);
}

static enum gpudx_status add_change(struct diff *d, const struct class *cl,
				    const int gpu[CMP_SIDES], const int host[CMP_SIDES],
				    const struct cmp_term *const t[CMP_SIDES], size_t pair)
{
	struct gpudx_comparison *c = d->c;
	bool of_gpus = gpu[CMP_BEFORE] >= 0;
	struct cmp_change *k = alike(c, t, of_gpus);

	if (!k) {
		k = CMP_PUSH(&c->arena, c->changes, c->nchanges);
		if (!k)
			return gpudx_nomem(d->err);
		*k = (struct cmp_change){ .key = named(t)->key,
					  .unit = named(t)->unit,
					  .layer = named(t)->layer,
					  .of_gpus = of_gpus,
					  .who = "" };
		for (int s = 0; s < CMP_SIDES; s++) {
			k->value[s] = t[s]->value;
			k->place[s] = t[s]->place;
			k->num[s] = t[s]->num;
		}
		classify(d, k, cl, gpu, host, t);
		k->pairs = gpudx_arena_array(&c->arena, c->npairs + 1, sizeof(bool));
		if (!k->pairs)
			return gpudx_nomem(d->err);
	}
	if (of_gpus && !k->pairs[pair]) {
		k->pairs[pair] = true;
		k->npairs++;
	}
	return GPUDX_OK;
}

static enum gpudx_status note_key(struct gpudx_comparison *c, const char ***list, size_t *n,
				  const char *name, struct gpudx_err *err)
{
	const char **slot;

	for (size_t i = 0; i < *n; i++)
		if (strcmp((*list)[i], name) == 0)
			return GPUDX_OK;
	slot = CMP_PUSH(&c->arena, *list, *n);
	if (!slot)
		return gpudx_nomem(err);
	*slot = name;
	return GPUDX_OK;
}

static const struct cmp_term none = {
	.gpu = -1, .key = "", .layer = "", .value = "(none)", .num = NAN
};

/* A list that was read on that side does not have the key: packages, the kernel command line, the ways of
 * NCCL's channels. The same layer must have said others of its kind; what nobody listed is not known. */
static const struct cmp_term *absent(const struct diff *d, const struct class *cl, int s, int gpu,
				     int host, const struct cmp_term *other)
{
	const struct cmp_side *side = &d->c->side[s];
	size_t n = strlen(cl->key) - 1;

	if (strcmp(cl->key, "package.*") != 0 && strcmp(cl->key, "cmdline.*") != 0 &&
	    strcmp(cl->key, "nccl.via.*") != 0)
		return NULL;
	for (size_t i = 0; i < side->nterms; i++) {
		const struct cmp_term *t = &side->terms[i];

		if (strncmp(t->key, cl->key, n) == 0 && of_subject(t, gpu, host) &&
		    strcmp(t->layer, other->layer) == 0)
			return &none;
	}
	return NULL;
}

/* One key of one pair, or of the machines (gpu -1). */
static enum gpudx_status judge_key(struct diff *d, const char *key, const int gpu[CMP_SIDES],
				   const int host[CMP_SIDES], size_t pair)
{
	const struct class *cl = class_of(d, key);
	struct gpudx_comparison *c = d->c;
	const struct cmp_term *t[CMP_SIDES];
	const char *name;

	if (!cl || strcmp(cl->class, "none") == 0)
		return GPUDX_OK;
	name = strchr(cl->key, '*') ? key : cl->name;
	values_of(c, gpu, host, key, t);
	for (int s = 0; s < CMP_SIDES; s++)
		if (t[s] && !t[1 - s])
			t[1 - s] = absent(d, cl, 1 - s, gpu[1 - s], host[1 - s], t[s]);
	for (int s = 0; s < CMP_SIDES; s++)
		if (t[s] && !t[1 - s])
			return note_key(c, &c->one_sided[s], &c->none_sided[s], name, d->err);
	if (!t[0] || !t[1])
		return GPUDX_OK;
	if (equal(t[0], t[1]))
		return note_key(c, &c->same, &c->nsame, name, d->err);
	return add_change(d, cl, gpu, host, t, pair);
}

/* All keys that one of the sides has for a subject, each once. */
static enum gpudx_status judge_subject(struct diff *d, const int gpu[CMP_SIDES],
				       const int host[CMP_SIDES], size_t pair)
{
	for (int s = 0; s < CMP_SIDES; s++) {
		const struct cmp_side *side = &d->c->side[s];
		const char *last = NULL;

		for (size_t i = 0; i < side->nterms; i++) {
			const struct cmp_term *t = &side->terms[i];
			enum gpudx_status rc = GPUDX_OK;

			if (!of_subject(t, gpu[s], host[s]) || (last && strcmp(last, t->key) == 0))
				continue;
			last = t->key;
			if (s == CMP_BEFORE ||
			    !term_in(&d->c->side[0], gpu[0], host[0], t->key, NULL))
				rc = judge_key(d, t->key, gpu, host, pair);
			if (rc)
				return rc;
		}
	}
	return GPUDX_OK;
}

/* ---- who ---- */

static void add_run(struct gpudx_buf *b, int64_t from, int64_t to)
{
	gpudx_buf_printf(b, "%s%lld", b->n ? ", " : "", (long long)from);
	if (to > from)
		gpudx_buf_printf(b, "-%lld", (long long)to);
}

/* "all 8 GPUs", "GPU 0-3, 7". */
static const char *who(struct gpudx_comparison *c, const struct cmp_change *k)
{
	struct gpudx_buf b = { .max = 1024 };
	int64_t from = -2, to = -2;
	const char *out;

	if (!k->of_gpus)
		return "";
	if (k->npairs == c->npairs && c->npairs == 2)
		return "both GPUs";
	if (k->npairs == c->npairs && c->npairs > 1)
		return gpudx_arena_printf(&c->arena, "all %zu GPUs", c->npairs);
	for (size_t i = 0; i < c->npairs; i++) {
		const struct cmp_gpu *g = &c->side[CMP_BEFORE].gpus[c->pairs[i].gpu[CMP_BEFORE]];

		if (!k->pairs[i])
			continue;
		if (g->idx < 0 || k->npairs == 1) {
			gpudx_buf_free(&b);
			return k->npairs == 1
				       ? g->label
				       : gpudx_arena_printf(&c->arena, "%zu GPUs", k->npairs);
		}
		if (g->idx != to + 1) {
			if (from >= 0)
				add_run(&b, from, to);
			from = g->idx;
		}
		to = g->idx;
	}
	if (from >= 0)
		add_run(&b, from, to);
	out = gpudx_arena_printf(&c->arena, "GPU %s", gpudx_buf_cstr(&b));
	gpudx_buf_free(&b);
	return out;
}

/* What comes along with something that changed, too. Chains are followed: a package follows
 * PyTorch, which follows the image. */
static void follow(struct gpudx_comparison *c)
{
	for (size_t i = 0; i < c->nchanges; i++) {
		struct cmp_change *k = &c->changes[i];
		const struct cmp_change *leader =
			k->follows ? gpudx_change_of(c, k->follows) : NULL;

		if (leader && k->group != CMP_SETTING && !k->by_site)
			k->group = CMP_ALONG;
		else
			k->follows = NULL;
	}
}

const struct cmp_change *gpudx_change_of(const struct gpudx_comparison *c, const char *key)
{
	for (size_t i = 0; i < c->nchanges; i++)
		if (strcmp(c->changes[i].key, key) == 0)
			return &c->changes[i];
	return NULL;
}

/* Settings first: what was lost is what nobody thinks of. Otherwise as found. */
static void sort_changes(struct gpudx_comparison *c)
{
	static const int order[CMP_GROUPS] = {
		[CMP_SETTING] = 0, [CMP_INTENDED] = 1, [CMP_PART] = 2, [CMP_ALONG] = 3
	};

	for (size_t i = 1; i < c->nchanges; i++)
		for (size_t k = i;
		     k > 0 && order[c->changes[k].group] < order[c->changes[k - 1].group]; k--) {
			struct cmp_change x = c->changes[k];

			c->changes[k] = c->changes[k - 1];
			c->changes[k - 1] = x;
		}
}

/* The host of the other side: of the same name, else of a paired GPU, else the same in order. */
static int host_after(const struct gpudx_comparison *c, size_t host)
{
	const struct cmp_side *b = &c->side[CMP_BEFORE], *a = &c->side[CMP_AFTER];

	for (size_t i = 0; i < c->npairs; i++)
		if (b->gpus[c->pairs[i].gpu[CMP_BEFORE]].host_no == (int)host)
			return a->gpus[c->pairs[i].gpu[CMP_AFTER]].host_no;
	for (size_t i = 0; i < a->nhosts; i++)
		if (b->hosts[host] && a->hosts[i] && strcmp(b->hosts[host], a->hosts[i]) == 0)
			return (int)i;
	return host < a->nhosts ? (int)host : -1;
}

enum gpudx_status gpudx_diff(struct gpudx_comparison *c, struct gpudx_err *err)
{
	struct diff d = { .c = c, .err = err };
	enum gpudx_status rc = load_classes(&d);

	for (size_t h = 0; h < c->side[CMP_BEFORE].nhosts && !rc; h++) {
		int other = host_after(c, h);

		if (other >= 0)
			rc = judge_subject(&d, (const int[]){ -1, -1 },
					   (const int[]){ (int)h, other }, 0);
	}
	for (size_t i = 0; i < c->npairs && !rc; i++) {
		const int *gpu = c->pairs[i].gpu;

		rc = judge_subject(&d, gpu,
				   (const int[]){ c->side[0].gpus[gpu[0]].host_no,
						  c->side[1].gpus[gpu[1]].host_no },
				   i);
	}
	if (rc)
		return rc;
	follow(c);
	for (size_t i = 0; i < c->nchanges; i++) {
		c->changes[i].who = who(c, &c->changes[i]);
		if (!c->changes[i].who)
			return gpudx_nomem(err);
	}
	sort_changes(c);
	return GPUDX_OK;
}
