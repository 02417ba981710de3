#include "parse/ctx.h"

#include "base/hostname.h"

#include <stdio.h>

static struct gpudx_rec record(const struct gpudx_ctx *c, enum gpudx_rec_kind kind)
{
	return (struct gpudx_rec){ .kind = kind,
				   .source = c->source,
				   .line = c->line ? c->line->no : 0,
				   .boot = c->boot };
}

static void put(struct gpudx_ctx *c, const struct gpudx_rec *r)
{
	c->sink->put(c->sink, r);
}

/* ---- times ---- */

/* The span of stamps of this kind in the boot at hand; NULL only when memory is out. */
static struct gpudx_span *span_of(struct gpudx_ctx *c, enum gpudx_stamp_kind kind, int64_t t_us)
{
	struct gpudx_span *s = c->spans;

	while (s && s->boot == c->boot && s->kind != kind)
		s = s->next;
	if (s && s->boot == c->boot)
		return s;
	s = gpudx_arena_alloc(c->arena, sizeof(*s));
	if (!s)
		return NULL;
	*s = (struct gpudx_span){ c->spans, kind, c->boot, t_us, t_us };
	c->spans = s;
	return s;
}

/* Every stamp widens a span: what the part covers in time is known from them. */
static void stamp_seen(struct gpudx_ctx *c, enum gpudx_stamp_kind kind, int64_t t_us)
{
	struct gpudx_span *s;

	if (kind == GPUDX_STAMP_NONE || t_us == GPUDX_NO_TIME || !(s = span_of(c, kind, t_us)))
		return;
	if (t_us < s->first_us)
		s->first_us = t_us;
	if (t_us > s->last_us)
		s->last_us = t_us;
}

static void time_is(struct gpudx_ctx *c, enum gpudx_stamp_kind kind, int64_t t_us)
{
	c->now.kind = kind;
	c->now.t_us = t_us;
	gpudx_clock(c, (enum gpudx_clock_kind)kind);
	stamp_seen(c, kind, t_us);
}

/* A line is carried away when it is written or later, never before: a whole dmesg at once. So what
 * ties the two clocks is the line that was carried soonest. */
static void tie(struct gpudx_ctx *c, int64_t mono_us)
{
	int64_t diff;

	if (__builtin_sub_overflow(c->carried.t_us, mono_us, &diff) ||
	    (c->tie.line && c->tie.diff_us <= diff))
		return;
	c->tie = (struct gpudx_carried_boot){ diff, mono_us, c->carried, c->line->no };
}

static void put_tie(struct gpudx_ctx *c)
{
	struct gpudx_anchor a = { .kind = SV_LIT("two_stamps"),
				  .mono_us = c->tie.mono_us,
				  .local_us = GPUDX_NO_TIME,
				  .utc_us = GPUDX_NO_TIME,
				  .has_offset = c->tie.stamp.has_offset,
				  .offset_min = c->tie.stamp.offset_min };
	struct gpudx_rec r = record(c, GPUDX_REC_ANCHOR);

	if (!c->tie.line)
		return;
	if (c->tie.stamp.kind == GPUDX_STAMP_UTC)
		a.utc_us = c->tie.stamp.t_us;
	else
		a.local_us = c->tie.stamp.t_us;
	stamp_seen(c, c->tie.stamp.kind, c->tie.stamp.t_us);
	r.line = c->tie.line;
	r.anchor = &a;
	put(c, &r);
	c->tie.line = 0;
}

/* ---- the run's side ---- */

bool gpudx_ctx_begin(struct gpudx_ctx *c)
{
	c->now = GPUDX_NO_STAMP;
	c->refs.arena = c->arena;
	c->facts.arena = c->arena;
	if (c->parser->state_size) {
		c->state = gpudx_arena_alloc(c->arena, c->parser->state_size);
		if (!c->state) {
			c->failed = true; /* no line may be given to it, and no end */
			return false;
		}
	}
	if (c->parser->begin)
		c->parser->begin(c);
	c->head = NULL;
	return !c->failed;
}

bool gpudx_ctx_wants(const struct gpudx_parser *p, const struct gpudx_line *line)
{
	if (line->flags & GPUDX_LINE_REST)
		return p->flags & GPUDX_P_BYTES;
	return p->flags & GPUDX_P_BLANKS || !sv_blank(line->text);
}

enum gpudx_take gpudx_ctx_line(struct gpudx_ctx *c, const struct gpudx_line *line)
{
	c->at = *line;
	c->line = &c->at;
	c->cited = false;
	c->context = false;
	c->held = c->parser->finish && !(c->parser->flags & GPUDX_P_HOLDS);
	c->repeats = 1;
	if (c->carried.kind != GPUDX_STAMP_NONE && !c->own_time)
		time_is(c, c->carried.kind, c->carried.t_us);
	return c->parser->line(c, line->text);
}

void gpudx_ctx_finish(struct gpudx_ctx *c)
{
	c->at.text = SV_LIT("");
	c->line = &c->at;
	c->cited = false;
	c->context = false;
	c->held = false;
	c->repeats = 1;
	if (c->parser->finish && !c->failed)
		c->parser->finish(c);
	put_tie(c);
	if (c->hosts)
		c->source = c->hosts->source;
}

/* ---- parser.h ---- */

void *gpudx_state(struct gpudx_ctx *c)
{
	return c->state;
}

struct gpudx_arena *gpudx_memory(struct gpudx_ctx *c)
{
	return c->arena;
}

const struct gpudx_line *gpudx_this_line(const struct gpudx_ctx *c)
{
	return c->line;
}

struct gpudx_sv gpudx_command(const struct gpudx_ctx *c)
{
	return c->command;
}

struct gpudx_sv gpudx_path(const struct gpudx_ctx *c)
{
	return c->path;
}

const struct gpudx_head *gpudx_head(const struct gpudx_ctx *c)
{
	return c->head;
}

struct gpudx_stamp gpudx_time(const struct gpudx_ctx *c)
{
	return c->now;
}

void gpudx_clock(struct gpudx_ctx *c, enum gpudx_clock_kind kind)
{
	if (kind > c->clock)
		c->clock = kind;
}

void gpudx_excerpt(struct gpudx_ctx *c)
{
	c->excerpt = true;
}

void gpudx_now(struct gpudx_ctx *c, enum gpudx_stamp_kind kind, int64_t t_us)
{
	/* Who has no time says so; then that of the carrier counts. */
	if (kind == GPUDX_STAMP_NONE && c->carried.kind != GPUDX_STAMP_NONE && !c->own_time)
		return;
	c->own_time |= kind != GPUDX_STAMP_NONE;
	time_is(c, kind, t_us);
	if (kind == GPUDX_STAMP_BOOT && c->carried.kind != GPUDX_STAMP_NONE)
		tie(c, t_us);
}

void gpudx_new_boot(struct gpudx_ctx *c)
{
	put_tie(c);
	c->boot++;
}

void gpudx_cite(struct gpudx_ctx *c)
{
	c->cited = true;
}

void gpudx_hold(struct gpudx_ctx *c)
{
	c->held = true;
}

void gpudx_repeated(struct gpudx_ctx *c, uint32_t times)
{
	c->repeats = times;
}

void gpudx_said_by(struct gpudx_ctx *c, const char *layer)
{
	c->by = layer;
}

void gpudx_of_gpu(struct gpudx_ctx *c, uint32_t ref)
{
	c->of_gpu = ref;
}

void gpudx_of_rank(struct gpudx_ctx *c, int64_t rank)
{
	c->of_rank[0] = 0;
	if (rank >= 0 && rank <= INT32_MAX)
		snprintf(c->of_rank, sizeof(c->of_rank), "%d", (int)rank);
}

/* ---- GPUs ---- */

/* Equal identity makes an equal key. Strings come last and are divided by a byte that none of them
 * has; a cut key could only join GPUs whose names are absurdly long. */
static struct gpudx_sv ref_key(const struct gpudx_ctx *c, const struct gpudx_gpu_id *id, char *buf,
			       size_t size)
{
	char bdf[GPUDX_BDF_TEXT];
	int n = snprintf(buf, size, "%d/%x/%d/%d/%d/%s/%.*s\x1f%.*s", c->boot, c->host, id->idx,
			 id->gi, id->ci, gpudx_bdf_text(id->bdf, bdf),
			 (int)sv_first(id->uuid, 80).n, id->uuid.p ? id->uuid.p : "",
			 (int)sv_first(id->serial, 40).n, id->serial.p ? id->serial.p : "");

	return sv_n(buf, n < 0 ? 0 : (size_t)n < size ? (size_t)n : size - 1);
}

uint32_t gpudx_ref(struct gpudx_ctx *c, const struct gpudx_gpu_id *id)
{
	char buf[256];
	bool is_new;
	uint32_t *ref = gpudx_map_at(&c->refs, ref_key(c, id, buf, sizeof(buf)), &is_new);
	struct gpudx_rec r = record(c, GPUDX_REC_REF);

	if (!ref) {
		c->failed = true;
		return 0;
	}
	if (is_new) {
		*ref = ++c->ids->ref;
		r.id = *ref;
		r.ref = id;
		c->cited = true;
		put(c, &r);
	}
	return *ref;
}

uint32_t gpudx_ref_idx(struct gpudx_ctx *c, int32_t idx)
{
	struct gpudx_gpu_id id = GPUDX_GPU_NONE;

	id.idx = idx;
	return gpudx_ref(c, &id);
}

uint32_t gpudx_ref_bdf(struct gpudx_ctx *c, struct gpudx_bdf bdf)
{
	struct gpudx_gpu_id id = GPUDX_GPU_NONE;

	id.bdf = bdf;
	return gpudx_ref(c, &id);
}

void gpudx_reasons_known(struct gpudx_ctx *c, uint32_t ref, uint32_t bits)
{
	struct gpudx_rec r = record(c, GPUDX_REC_REASONS);

	r.id = ref;
	r.reasons = bits;
	put(c, &r);
}

/* ---- facts ---- */

/* True when this value was not the last one said for this GPU, key and layer in this boot. */
static bool fact_is_news(struct gpudx_ctx *c, const struct gpudx_fact *f)
{
	char buf[160];
	int n = snprintf(buf, sizeof(buf), "%d/%x/%u/%.*s/%.*s", c->boot, c->hosts ? c->host : 0,
			 f->ref, (int)sv_first(f->key, 80).n, f->key.p,
			 (int)sv_first(f->layer, 40).n, f->layer.p ? f->layer.p : "");
	uint32_t hash = (uint32_t)(gpudx_hash(f->value) >> 7) | 1, *last;
	bool is_new;

	last = gpudx_map_at(&c->facts, sv_n(buf, n > 0 ? (size_t)n : 0), &is_new);
	if (!last) {
		c->failed = true;
		return false;
	}
	if (*last == hash)
		return false;
	*last = hash;
	return true;
}

/* What is said from here on is of this host. */
static void now_of_host(struct gpudx_ctx *c, struct gpudx_sv name)
{
	uint32_t hash = (uint32_t)(gpudx_hash(name) >> 7) | 1;

	if (!c->first_host)
		c->first_host = hash;
	c->host = hash == c->first_host ? 0 : hash;
}

void gpudx_put_fact(struct gpudx_ctx *c, const struct gpudx_fact *f)
{
	struct gpudx_rec r = record(c, GPUDX_REC_FACT);
	struct gpudx_fact copy = *f;

	if (copy.stamp.kind == GPUDX_STAMP_NONE)
		copy.stamp = c->now;
	else
		stamp_seen(c, copy.stamp.kind, copy.stamp.t_us);
	if (!fact_is_news(c, &copy))
		return;
	if (sv_is(copy.key, "host.name"))
		now_of_host(c, copy.value);
	if (copy.line)
		r.line = copy.line;
	else
		c->cited = true;
	r.fact = &copy;
	put(c, &r);
}

void gpudx_fact(struct gpudx_ctx *c, uint32_t ref, const char *key, const char *layer,
		struct gpudx_sv value)
{
	struct gpudx_fact f = {
		.ref = ref, .key = sv_str(key), .layer = sv_str(layer), .value = value
	};

	gpudx_put_fact(c, &f);
}

void gpudx_fact_num(struct gpudx_ctx *c, uint32_t ref, const char *key, const char *layer,
		    double num)
{
	struct gpudx_fact f = {
		.ref = ref, .key = sv_str(key), .layer = sv_str(layer), .has_num = true, .num = num
	};
	char buf[40];
	int n = snprintf(buf, sizeof(buf), "%.12g", num);

	f.value = sv_n(buf, n > 0 ? (size_t)n : 0);
	gpudx_put_fact(c, &f);
}

/* ---- hosts ---- */

static struct gpudx_ctx_host *host_new(struct gpudx_ctx *c, struct gpudx_sv name)
{
	struct gpudx_ctx_host *h = gpudx_arena_alloc(c->arena, sizeof(*h)), **end = &c->hosts;

	if (!h || !(h->name = gpudx_arena_sv(c->arena, name)).p) {
		c->failed = true;
		return NULL;
	}
	h->source = c->hosts && c->new_source ? c->new_source(c, h->name) : c->source;
	h->line = c->line->no;
	while (*end)
		end = &(*end)->next;
	return *end = h;
}

static void state_host(struct gpudx_ctx *c, struct gpudx_ctx_host *h)
{
	struct gpudx_fact f = { .key = SV_LIT("host.name"),
				.layer = SV_LIT("exporter"),
				.value = h->name,
				.line = h->line };

	if (!h->stated)
		gpudx_put_fact(c, &f);
	c->cited |= h->line == c->line->no;
	h->stated = true;
}

/* What is kept of the line at hand is kept for the host that it spoke of until now, too. */
static void change_source(struct gpudx_ctx *c, struct gpudx_ctx_host *h)
{
	if (c->source == h->source)
		return;
	if (c->keep_line && (c->cited || c->context))
		c->keep_line(c);
	c->source = h->source;
}

void gpudx_of_host(struct gpudx_ctx *c, struct gpudx_sv name, bool sure)
{
	struct gpudx_ctx_host *h = c->host_at;

	if (!name.n) {
		h = c->hosts;
	} else if (!h || !sv_eq(h->name, name)) {
		for (h = c->hosts; h && !gpudx_host_same(h->name, name);)
			h = h->next;
		if (!h && !(h = host_new(c, name)))
			return;
	}
	if (!h)
		return;
	if (c->host_at && h != c->hosts && !c->hosts->stated) {
		change_source(c, c->hosts);
		now_of_host(c, c->hosts->name);
		state_host(c, c->hosts);
	}
	change_source(c, h);
	now_of_host(c, h->name);
	c->host_at = h;
	if (sure || h != c->hosts)
		state_host(c, h);
}

/* ---- events ---- */

/* What the message says of a device that is no GPU (an NVSwitch, a port), of a test, or which error
 * of many it is. */
static struct gpudx_sv event_device(const struct gpudx_event *e)
{
	for (unsigned i = 0; i < e->nattrs; i++)
		if (sv_is(e->attrs[i].name, "device") || sv_is(e->attrs[i].name, "test") ||
		    sv_is(e->attrs[i].name, "error") || sv_is(e->attrs[i].name, "link"))
			return sv_first(e->attrs[i].value, 24);
	return SV_LIT("");
}

/* What makes two lines one event: kind, code, GPU or device, host, process and second. Without any stamp
 * only lines that stand together are. */
static void event_key(const struct gpudx_ctx *c, const struct gpudx_event *e,
		      char key[GPUDX_EVENT_KEY])
{
	int64_t t = e->stamp.t_us == GPUDX_NO_TIME ? e->stamp.mono_us : e->stamp.t_us;
	int64_t second = t == GPUDX_NO_TIME ? -1 : t / GPUDX_SECOND;
	struct gpudx_sv device = event_device(e);

	snprintf(key, GPUDX_EVENT_KEY, "%.*s/%lld/%u/%lld/%lld/%d/%x/%.*s",
		 (int)sv_first(e->kind, 40).n, e->kind.p, (long long)e->code, e->ref,
		 (long long)e->pid, (long long)second, c->boot, c->host, (int)device.n, device.p);
}

/* What tells two events with one key apart, when both say it: how much memory was asked for, which
 * job and rank it was and where. 0 when not said. */
static uint32_t event_which(const struct gpudx_event *e)
{
	static const char *const names[] = { "requested_mib", "job", "node", "rank" };
	uint32_t which = 0;

	for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++)
		for (unsigned i = 0; i < e->nattrs; i++)
			if (sv_is(e->attrs[i].name, names[k]))
				which = (which << 5 | which >> 27) ^
					((uint32_t)(gpudx_hash(e->attrs[i].value) >> 7) | 1);
	return which;
}

static struct gpudx_recent_event *event_recent(struct gpudx_ctx *c, const char *key, bool timed,
					       uint32_t which)
{
	for (unsigned i = 0; i < GPUDX_RECENT; i++) {
		struct gpudx_recent_event *r = &c->recent[i];

		if (r->id && strcmp(r->key, key) == 0 && (timed || c->line->no - r->line <= 1) &&
		    (!which || !r->which || which == r->which))
			return r;
	}
	return NULL;
}

static void put_more(struct gpudx_ctx *c, uint32_t id, const struct gpudx_event *e)
{
	struct gpudx_rec r = record(c, GPUDX_REC_MORE);

	r.id = id;
	r.event = e;
	if (e && e->line)
		r.line = e->line;
	else
		c->cited = true;
	put(c, &r);
}

static void add_rank(const struct gpudx_ctx *c, struct gpudx_event *e)
{
	if (!c->of_rank[0] || e->nattrs == GPUDX_ATTRS_MAX)
		return;
	for (unsigned i = 0; i < e->nattrs; i++)
		if (sv_is(e->attrs[i].name, "rank"))
			return;
	e->attrs[e->nattrs++] = (struct gpudx_attr){ SV_LIT("rank"), sv_str(c->of_rank) };
}

/* With what the line says of it beside the message. */
static struct gpudx_event in_its_line(const struct gpudx_ctx *c, const struct gpudx_event *e)
{
	struct gpudx_event copy = *e;

	if (c->repeats > 1 && e->repeats <= 1)
		copy.repeats = c->repeats;
	if (c->by && copy.nattrs < GPUDX_ATTRS_MAX)
		copy.attrs[copy.nattrs++] = (struct gpudx_attr){ SV_LIT("by"), sv_str(c->by) };
	add_rank(c, &copy);
	if (!copy.ref)
		copy.ref = c->of_gpu;
	if (e->stamp.kind == GPUDX_STAMP_NONE && !e->line && c->carried.kind != GPUDX_STAMP_NONE)
		copy.stamp = c->carried;
	return copy;
}

void gpudx_put_event(struct gpudx_ctx *c, const struct gpudx_event *said)
{
	struct gpudx_rec r = record(c, GPUDX_REC_EVENT);
	const struct gpudx_event copy = in_its_line(c, said), *e = &copy;
	bool timed = e->stamp.t_us != GPUDX_NO_TIME || e->stamp.mono_us != GPUDX_NO_TIME;
	struct gpudx_recent_event *known;
	uint32_t which = event_which(e);
	char key[GPUDX_EVENT_KEY];

	event_key(c, e, key);
	known = e->repeats > 1 ? NULL : event_recent(c, key, timed, which);
	if (known) {
		known->line = c->line->no;
		known->which = known->which ? known->which : which;
		c->last_event = known->id;
		put_more(c, known->id, e);
		return;
	}
	known = &c->recent[c->nrecent++ % GPUDX_RECENT];
	memcpy(known->key, key, sizeof(key));
	known->id = ++c->ids->event;
	known->line = c->line->no;
	known->which = which;
	c->last_event = known->id;
	r.id = known->id;
	r.event = e;
	if (e->line)
		r.line = e->line;
	else
		c->cited = c->context = true;
	gpudx_clock(c, (enum gpudx_clock_kind)e->stamp.kind);
	stamp_seen(c, e->stamp.kind, e->stamp.t_us);
	put(c, &r);
}

/* The event that was said last, also when it was only said again. */
static struct gpudx_recent_event *event_last(struct gpudx_ctx *c)
{
	for (unsigned i = 0; i < GPUDX_RECENT; i++)
		if (c->recent[i].id && c->recent[i].id == c->last_event)
			return &c->recent[i];
	return NULL;
}

bool gpudx_ctx_more(struct gpudx_ctx *c, const struct gpudx_event *e)
{
	struct gpudx_recent_event *last = event_last(c);

	if (!last || c->line->no - last->line > GPUDX_MORE_LINES ||
	    strncmp(last->key, e->kind.p, e->kind.n) != 0 || last->key[e->kind.n] != '/')
		return false;
	last->line = c->line->no;
	put_more(c, last->id, e);
	return true;
}

bool gpudx_match(struct gpudx_ctx *c, struct gpudx_sv message, const struct gpudx_stamp *stamp)
{
	if (!c->match || !(c->line->flags & GPUDX_LINE_HIT))
		return false;
	return c->match(c, message, stamp);
}

/* ---- the rest ---- */

void gpudx_put_sample(struct gpudx_ctx *c, struct gpudx_sample *s)
{
	struct gpudx_rec r = record(c, GPUDX_REC_SAMPLE);

	if (!s->line)
		s->line = r.line;
	if (s->t_us == GPUDX_NO_TIME)
		s->t_us = c->now.t_us;
	r.line = s->line;
	r.sample = s;
	put(c, &r);
}

void gpudx_put_process(struct gpudx_ctx *c, const struct gpudx_process *p)
{
	struct gpudx_rec r = record(c, GPUDX_REC_PROCESS);
	struct gpudx_process copy = *p;

	if (copy.t_us == GPUDX_NO_TIME)
		copy.t_us = c->now.t_us;
	r.process = &copy;
	c->cited = true;
	put(c, &r);
}

void gpudx_put_device(struct gpudx_ctx *c, const struct gpudx_device *d)
{
	struct gpudx_rec r = record(c, GPUDX_REC_DEVICE);

	if (d->line)
		r.line = d->line;
	r.device = d;
	c->cited = true;
	put(c, &r);
}

void gpudx_put_anchor(struct gpudx_ctx *c, const struct gpudx_anchor *a)
{
	struct gpudx_rec r = record(c, GPUDX_REC_ANCHOR);

	r.anchor = a;
	c->cited = true;
	put(c, &r);
}

void gpudx_put_instance(struct gpudx_ctx *c, const struct gpudx_instance *i)
{
	struct gpudx_rec r = record(c, GPUDX_REC_INSTANCE);

	r.instance = i;
	c->cited = true;
	put(c, &r);
}

void gpudx_put_metric(struct gpudx_ctx *c, const struct gpudx_metric *m)
{
	struct gpudx_rec r = record(c, GPUDX_REC_METRIC);
	struct gpudx_metric copy = *m;

	if (copy.t_us == GPUDX_NO_TIME)
		copy.t_us = c->now.t_us;
	if (m->line)
		r.line = m->line;
	r.metric = &copy;
	put(c, &r);
}

enum gpudx_take gpudx_reject(struct gpudx_ctx *c, const char *why)
{
	struct gpudx_rec r = record(c, GPUDX_REC_REJECT);

	/* Lines are counted, and a line may come in pieces. */
	if (r.line != c->last_rejected)
		c->rejected++;
	c->last_rejected = r.line;
	c->cited = true;
	r.reject = why;
	put(c, &r);
	return GPUDX_BAD;
}
