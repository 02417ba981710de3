/* Events that belong together. In each line of time, from the first event to the last:
 *
 *   burst     the same kind and code on the same GPU, until three minutes of silence
 *   chain     kb_chains: what follows from what, on one GPU or one host, within so many seconds
 *   sympathy  Xid 45 and 43 clean up after another Xid; 45 may name it itself
 *   common    the same kind and code on several GPUs within a second, behind one port or on one
 *             board; within a millisecond whatever is known of them
 *
 * Boots are never crossed. The root is the first event that follows from no other. */
#include "derive/incident.h"

#include "store/query.h"

#define SILENCE (180 * GPUDX_SECOND)
#define TOGETHER GPUDX_SECOND
#define AT_ONCE (GPUDX_SECOND / 1000)

enum { ANY_CODE = -2, LOOK_BACK = 64, XID_STOPPED = 43, XID_PREEMPTED = 45 };

/* By what the last event of a kind is looked for. */
enum last { LAST_BURST, LAST_ON_SEAT, LAST_BELOW, LAST_ON_HOST, LAST_CAUSE };

struct last_key {
	int64_t last, kind, code, seat, device;
};

/* One line of time while it is walked. */
struct walk {
	struct gpudx_incidents *in;
	struct gpudx_map last; /* struct last_key -> number of the event + 1 */
	uint32_t *before; /* of each event: number + 1 of the one before it of its kind and code */
	int32_t xid;	  /* the kind */
	bool no_memory;
};

/* ---- trees ---- */

struct gpudx_inc_event *gpudx_incident_root(struct gpudx_inc_event *e)
{
	while (e->up) {
		if (e->up->up)
			e->up = e->up->up;
		e = e->up;
	}
	return e;
}

/* The earlier one stays the root of the tree. */
static void join(struct gpudx_inc_event *a, struct gpudx_inc_event *b)
{
	a = gpudx_incident_root(a);
	b = gpudx_incident_root(b);
	if (a < b)
		b->up = a;
	else if (b < a)
		a->up = b;
}

static bool same_boot(const struct gpudx_inc_event *a, const struct gpudx_inc_event *b)
{
	return a->boot == b->boot || !a->boot || !b->boot;
}

/* Order alone has no distance. */
static bool within(const struct gpudx_inc_event *early, const struct gpudx_inc_event *late,
		   int64_t us)
{
	return same_boot(early, late) &&
	       (late->time == GPUDX_TIME_ORDER ||
		(late->at - early->at <= us && early->at - late->at <= us));
}

/* ---- the last event of a kind ---- */

static struct gpudx_sv key_bytes(const struct last_key *k)
{
	return sv_n((const char *)k, sizeof(*k));
}

/* NULL: there was none yet. */
static struct gpudx_inc_event *last_of(const struct walk *w, enum last last, int64_t kind,
				       int64_t code, int64_t seat, int64_t device)
{
	const struct last_key key = { last, kind, code, seat, device };
	const uint32_t *at = gpudx_map_get(&w->last, key_bytes(&key));

	return at && *at ? &w->in->event[*at - 1] : NULL;
}

/* Puts e into the place and returns what was there. */
static struct gpudx_inc_event *set_last(struct walk *w, const struct gpudx_inc_event *e,
					enum last last, int64_t code, int64_t seat, int64_t device)
{
	const struct last_key key = { last, last == LAST_CAUSE ? w->xid : e->kind, code, seat,
				      device };
	uint32_t old, *at;
	bool is_new;

	at = gpudx_map_at(&w->last, key_bytes(&key), &is_new);
	if (!at) {
		w->no_memory = true;
		return NULL;
	}
	old = *at;
	*at = (uint32_t)(e - w->in->event) + 1;
	return old ? &w->in->event[old - 1] : NULL;
}

static bool is_sympathetic(const struct walk *w, const struct gpudx_inc_event *e)
{
	return e->kind == w->xid && (e->code == XID_STOPPED || e->code == XID_PREEMPTED);
}

static void remember(struct walk *w, struct gpudx_inc_event *e)
{
	const struct gpudx_inc_gpu *gpu = gpudx_incident_gpu(w->in, e->seat);
	const int64_t seats[] = { e->seat, e->device };
	struct gpudx_inc_event *old;

	for (int i = 0; i < 2; i++) {
		if (!seats[i])
			continue;
		set_last(w, e, LAST_ON_SEAT, e->code, seats[i], 0);
		set_last(w, e, LAST_ON_SEAT, ANY_CODE, seats[i], 0);
	}
	for (unsigned i = 0; gpu && i < gpu->nports; i++) {
		set_last(w, e, LAST_BELOW, e->code, gpu->port[i], 0);
		set_last(w, e, LAST_BELOW, ANY_CODE, gpu->port[i], 0);
	}
	old = set_last(w, e, LAST_ON_HOST, e->code, 0, 0);
	w->before[e - w->in->event] = old ? (uint32_t)(old - w->in->event) + 1 : 0;
	set_last(w, e, LAST_ON_HOST, ANY_CODE, 0, 0);
	if (e->kind == w->xid && !is_sympathetic(w, e))
		set_last(w, e, LAST_CAUSE, 0, e->seat, 0);
}

/* ---- bursts ---- */

/* What is of no known GPU is of the host; ports and switches are told apart. */
static void join_burst(struct walk *w, struct gpudx_inc_event *e)
{
	struct gpudx_inc_event *last;

	last = set_last(w, e, LAST_BURST, e->code, e->seat > 0 ? e->seat : 0, e->device);
	if (last && within(last, e, SILENCE))
		join(last, e);
}

/* ---- chains ---- */

static const struct gpudx_inc_event *later(const struct gpudx_inc_event *a,
					   const struct gpudx_inc_event *b)
{
	return !a || (b && b > a) ? b : a;
}

/* The last event of a kind that is of the same GPU as e, of a port above it, or, e being of a port,
 * of that port or a GPU below it. What names no device at all may be of any. */
static const struct gpudx_inc_event *
last_near(const struct walk *w, const struct gpudx_inc_event *e, int64_t kind, int64_t code)
{
	const struct gpudx_inc_event *found = NULL;
	const struct gpudx_inc_gpu *gpu = gpudx_incident_gpu(w->in, e->seat);

	if (!e->seat && !e->device)
		return last_of(w, LAST_ON_HOST, kind, code, 0, 0);
	if (e->seat)
		found = later(found, last_of(w, LAST_ON_SEAT, kind, code, e->seat, 0));
	if (e->device) {
		found = later(found, last_of(w, LAST_ON_SEAT, kind, code, e->device, 0));
		found = later(found, last_of(w, LAST_BELOW, kind, code, e->device, 0));
	}
	for (unsigned i = 0; gpu && i < gpu->nports; i++)
		found = later(found, last_of(w, LAST_ON_SEAT, kind, code, gpu->port[i], 0));
	return found;
}

/* Both are of GPUs, and not of the same one. */
static bool of_two_gpus(const struct gpudx_inc_event *a, const struct gpudx_inc_event *b)
{
	return a->gpu && b->gpu && a->gpu != b->gpu;
}

static struct gpudx_inc_event *last_in_scope(const struct walk *w, const struct gpudx_inc_event *e,
					     const struct gpudx_chain *c, int64_t kind,
					     int64_t code)
{
	const struct gpudx_inc_event *found;

	code = code == -1 ? ANY_CODE : code;
	found = c->host_wide ? last_of(w, LAST_ON_HOST, kind, code, 0, 0)
			     : last_near(w, e, kind, code);
	if (found && c->one_path && of_two_gpus(found, e))
		found = last_near(w, e, kind, code);
	return found ? &w->in->event[found - w->in->event] : NULL;
}

static void follow(struct gpudx_inc_event *cause, struct gpudx_inc_event *effect)
{
	join(cause, effect);
	effect->follows = true;
}

/* Stamps of whole seconds do not tell which of two lines of one second came first. */
static bool order_unknown(const struct gpudx_inc_event *a, const struct gpudx_inc_event *b)
{
	return a->time != GPUDX_TIME_ORDER && !(a->precise && b->precise) && within(a, b, TOGETHER);
}

static bool fits(int32_t kind, int64_t code, const struct gpudx_inc_event *e)
{
	return kind == e->kind && (code == -1 || code == e->code);
}

static void join_chains(struct walk *w, struct gpudx_inc_event *e)
{
	for (size_t i = 0; i < w->in->nchains; i++) {
		const struct gpudx_chain *c = &w->in->chain[i];
		struct gpudx_inc_event *o;

		if (fits(c->effect, c->effect_code, e)) {
			o = last_in_scope(w, e, c, c->cause, c->cause_code);
			if (o && o != e && within(o, e, c->within_us))
				follow(o, e);
		}
		if (fits(c->cause, c->cause_code, e)) {
			o = last_in_scope(w, e, c, c->effect, c->effect_code);
			if (o && o != e && !o->follows && !e->follows && order_unknown(o, e))
				follow(e, o);
		}
	}
}

/* ---- sympathy ---- */

/* The Xid that the message names, on this GPU or, for links, on another. */
static struct gpudx_inc_event *named_cause(const struct walk *w, const struct gpudx_inc_event *e)
{
	struct gpudx_inc_event *o = NULL;

	if (e->caused_by < 0 || e->caused_by == e->code)
		return NULL;
	if (e->seat)
		o = last_of(w, LAST_ON_SEAT, w->xid, e->caused_by, e->seat, 0);
	return o ? o : last_of(w, LAST_ON_HOST, w->xid, e->caused_by, 0, 0);
}

static void join_sympathy(struct walk *w, struct gpudx_inc_event *e)
{
	struct gpudx_inc_event *o = named_cause(w, e);

	if (!o && is_sympathetic(w, e) && e->caused_by < 0)
		o = last_of(w, LAST_CAUSE, w->xid, 0, e->seat, 0);
	if (o && o != e && within(o, e, SILENCE))
		follow(o, e);
}

/* Where only order is known the cause may stand behind the effect. */
static void join_named_behind(struct walk *w, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		struct gpudx_inc_event *e = &w->in->event[i], *o;

		if (e->time != GPUDX_TIME_ORDER || e->follows)
			continue;
		o = named_cause(w, e);
		if (o && o != e && same_boot(o, e))
			follow(o, e);
	}
}

/* ---- common causes ---- */

static bool share_port(const struct gpudx_inc_gpu *a, const struct gpudx_inc_gpu *b)
{
	for (unsigned i = 0; i < a->nports; i++)
		if (gpudx_incident_above(b, a->port[i]))
			return true;
	return false;
}

static bool share_board(const struct gpudx_inc_gpu *a, const struct gpudx_inc_gpu *b)
{
	return a->board && a->board == b->board;
}

/* Within a millisecond, as far as the stamps can tell. */
static bool at_once(const struct gpudx_inc_event *a, const struct gpudx_inc_event *b)
{
	if (a->mono > 0 && b->mono > 0 && a->boot == b->boot)
		return b->mono - a->mono <= AT_ONCE && a->mono - b->mono <= AT_ONCE;
	return a->precise && b->precise && b->at - a->at <= AT_ONCE;
}

static void join_common(struct walk *w, struct gpudx_inc_event *e)
{
	const struct gpudx_inc_gpu *a = gpudx_incident_gpu(w->in, e->seat), *b;
	uint32_t at = w->before[e - w->in->event];

	for (int steps = 0; at && steps < LOOK_BACK && e->seat; steps++, at = w->before[at - 1]) {
		struct gpudx_inc_event *o = &w->in->event[at - 1];

		if (e->time == GPUDX_TIME_ORDER || !within(o, e, TOGETHER))
			return;
		if (!o->seat || o->seat == e->seat)
			continue;
		b = gpudx_incident_gpu(w->in, o->seat);
		if (at_once(o, e) || (a && b && (share_port(a, b) || share_board(a, b))))
			join(o, e);
	}
}

/* ---- all of it ---- */

static bool same_stream(const struct gpudx_inc_event *a, const struct gpudx_inc_event *b)
{
	return a->host == b->host && a->time == b->time && a->stream == b->stream;
}

static enum gpudx_status walk_stream(struct walk *w, size_t from, size_t to, struct gpudx_err *err)
{
	w->last = (struct gpudx_map){ .arena = &w->in->arena };
	for (size_t i = from; i < to && !w->no_memory; i++) {
		struct gpudx_inc_event *e = &w->in->event[i];

		join_chains(w, e);
		join_sympathy(w, e);
		remember(w, e);
		join_burst(w, e);
		join_common(w, e);
	}
	join_named_behind(w, from, to);
	return w->no_memory ? gpudx_nomem(err) : GPUDX_OK;
}

static enum gpudx_status walk_all(struct gpudx_incidents *in, struct gpudx_err *err)
{
	struct walk w = { .in = in, .xid = gpudx_incident_kind(in, SV_LIT("xid")) };
	enum gpudx_status rc = GPUDX_OK;
	size_t from, to;

	w.before = gpudx_arena_array(&in->arena, in->n + 1, sizeof(*w.before));
	if (!w.before || !w.xid)
		return gpudx_nomem(err);
	for (from = 0; from < in->n && !rc; from = to) {
		for (to = from; to < in->n && same_stream(&in->event[from], &in->event[to]); to++)
			;
		rc = walk_stream(&w, from, to, err);
	}
	return rc;
}

enum gpudx_status gpudx_derive_incidents(struct gpudx_store *store, int64_t bundle,
					 struct gpudx_err *err)
{
	struct gpudx_incidents in = { .db = gpudx_store_db(store),
				      .bundle = bundle,
				      .arena = { .limit = 512 << 20 } };
	enum gpudx_status rc = gpudx_incidents_load(&in, err);

	if (!rc)
		rc = walk_all(&in, err);
	if (!rc)
		rc = gpudx_incidents_write(&in, err);
	gpudx_arena_free(&in.arena);
	return rc;
}
