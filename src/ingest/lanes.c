#include "ingest/lanes.h"

#include "base/hostname.h"

#include <stdlib.h>

/* Lines of programs that are searched for another format; a journal has millions. */
enum { TRIED_MAX = 2000 };

/* ---- lanes ---- */

static struct gpudx_sv keep(struct gpudx_lanes *l, struct gpudx_sv s)
{
	return s.n ? gpudx_arena_sv(&l->run->arena, s) : SV_LIT("");
}

static void stop(struct gpudx_lanes *l, const char *why)
{
	l->cut = why;
	l->stop = true;
}

/* "trace.txt" and "node01/dmesg" in it: "trace.txt/node01/dmesg". */
static struct gpudx_sv path_inside(struct gpudx_lanes *l, struct gpudx_sv path)
{
	size_t n = l->m->path.n;
	char *p;

	if (!path.n)
		return l->m->path;
	p = gpudx_arena_alloc(&l->run->arena, n + 1 + path.n);
	if (!p)
		return l->m->path;
	memcpy(p, l->m->path.p, n);
	p[n] = '/';
	memcpy(p + n + 1, path.p, path.n);
	return sv_n(p, n + 1 + path.n);
}

/* A lane with a source of its own; NULL, and reading ends, when memory is out. */
static struct gpudx_lane *lane_new(struct gpudx_lanes *l, struct gpudx_sv path)
{
	struct gpudx_lane *lane = gpudx_arena_alloc(&l->run->arena, sizeof(*lane));

	if (!lane) {
		stop(l, "limit: more memory than one file may need");
		return NULL;
	}
	lane->m = *l->m;
	lane->m.path = path_inside(l, path);
	lane->path = path;
	lane->host = lane->name = lane->voice = SV_LIT("");
	lane->r = (struct gpudx_reading){ .run = l->run,
					  .m = &lane->m,
					  .lanes = l,
					  .command = SV_LIT(""),
					  .host = SV_LIT(""),
					  .excerpt = l->excerpt,
					  .pending = true };
	if (!gpudx_reading_begin(&lane->r)) {
		stop(l, "limit: more memory than one file may need");
		return NULL;
	}
	*l->end = lane;
	l->end = &lane->next;
	l->n++;
	return lane;
}

static bool has_room(struct gpudx_lanes *l)
{
	if (l->n < GPUDX_LANES_MAX)
		return true;
	l->cut = "limit: more hosts in one file than can be kept apart";
	return false;
}

/* ---- what is whose ---- */

static bool is_lane(const struct gpudx_lanes *l, const struct gpudx_lane *lane,
		    const struct gpudx_carried *said)
{
	return !lane->base && (!lane->fan || lane->fan == l->fan) &&
	       sv_eq(lane->host, said->host) && sv_eq(lane->path, said->path);
}

static struct gpudx_carried peel(const struct gpudx_lanes *l, struct gpudx_line *line)
{
	struct gpudx_carried said;

	line->text = gpudx_carriers_peel(&l->carriers, line->text, &said);
	return said;
}

/* A line of which nothing is said stays with the one before. */
static bool is_silent(const struct gpudx_carried *said)
{
	return !said->host.p && !said->path.p;
}

void gpudx_lanes_refresh(struct gpudx_lanes *l)
{
	l->line = *gpudx_lines_prev(l->lines, 0);
	if (l->carriers.n)
		l->said = peel(l, &l->line);
}

struct gpudx_line gpudx_lanes_before(const struct gpudx_lanes *l, size_t k)
{
	const struct gpudx_line *line = gpudx_lines_prev(l->lines, k);
	struct gpudx_line copy = { .no = 0 };
	struct gpudx_carried said;

	if (!line)
		return copy;
	copy = *line;
	if (l->carriers.n) {
		said = peel(l, &copy);
		if (!is_silent(&said) && l->at && !is_lane(l, l->at, &said))
			copy.no = 0;
	}
	return copy;
}

void gpudx_lanes_find(struct gpudx_lanes *l, bool find)
{
	/* What one lane does not want another may; to change it costs a search. */
	if (find == l->find || (!find && l->n > 1))
		return;
	l->find = find;
	gpudx_lines_find(l->lines, find ? l->run->find : NULL, l->run->find_arg);
}

void gpudx_lanes_fan_out(struct gpudx_lanes *l, struct gpudx_sv command, bool excerpt)
{
	if (l->carriers.n == GPUDX_CARRIERS || l->fanned)
		return;
	l->carriers.kind[l->carriers.n++] = GPUDX_BY_HOST;
	l->fanned = true;
	l->fan++;
	l->command = command;
	l->fan_excerpt = excerpt;
}

/* ---- heads ---- */

/* The lines ahead that are of a lane, up to max. */
static size_t sift(struct gpudx_lanes *l, const struct gpudx_lane *lane, size_t max)
{
	const struct gpudx_line *line;
	bool mine = true;
	size_t n = 0;

	for (size_t k = 0; n < max && (line = gpudx_lines_peek(l->lines, k)) != NULL; k++) {
		struct gpudx_line copy = *line;
		struct gpudx_carried said = peel(l, &copy);

		mine = is_silent(&said) ? mine : is_lane(l, lane, &said);
		if (!mine)
			continue;
		if (n == l->head_cap) {
			size_t cap = n ? 2 * n : 256;
			struct gpudx_line *v = realloc(l->head, cap * sizeof(*v));

			if (!v)
				break;
			l->head = v;
			l->head_cap = cap;
		}
		l->head[n++] = copy;
	}
	return n;
}

struct gpudx_head gpudx_lanes_head(struct gpudx_lanes *l, const struct gpudx_reading *r)
{
	const struct gpudx_lane *lane = (const struct gpudx_lane *)r;
	struct gpudx_head h = { .path = lane->m.path, .command = r->command };

	if (!l->carriers.n)
		return gpudx_sniff_head(l->lines, h.path, h.command);
	h.n = sift(l, lane->base ? lane->base : lane, SIZE_MAX);
	h.lines = l->head;
	h.n = gpudx_sniff_head_end(h.lines, h.n);
	return h;
}

static void choose_container(struct gpudx_lanes *l, struct gpudx_lane *lane)
{
	struct gpudx_head head = { .path = lane->m.path, .command = SV_LIT("") };
	const struct gpudx_parser *p;

	head.n = sift(l, lane, 40);
	head.lines = l->head;
	p = head.n ? gpudx_sniff(&l->run->sniffer, &head, true) : NULL;
	if (p)
		gpudx_reading_own(&lane->r, p, &head);
}

/* How well the best parser understands what the first n lines are behind their carriers. */
static long readable(struct gpudx_lanes *l, const struct gpudx_carriers *c, size_t n)
{
	struct gpudx_head head = { .path = l->m->path, .command = SV_LIT("") };
	const struct gpudx_line *v = gpudx_lines_peek(l->lines, 0);
	struct gpudx_line peeled[GPUDX_CARRIER_HEAD];
	struct gpudx_carried said;
	long score;

	for (; head.n < n; head.n++) {
		peeled[head.n] = v[head.n];
		peeled[head.n].text = gpudx_carriers_peel(c, v[head.n].text, &said);
	}
	head.lines = peeled;
	return gpudx_sniff_best(&l->run->sniffer, &head, false, &score) ? score : -1;
}

/* "12: text" of srun -l: whose it is, a log of a job can tell better than its number. */
static bool is_told_by_log(struct gpudx_lanes *l, size_t n)
{
	struct gpudx_head head = { .path = l->m->path, .command = SV_LIT("") };
	struct gpudx_carriers *c = &l->carriers;
	const struct gpudx_parser *p;
	struct gpudx_carried said;
	uint64_t number;
	long score;

	head.lines = gpudx_lines_peek(l->lines, 0);
	head.n = n;
	gpudx_carriers_peel(c, head.lines[0].text, &said);
	if (c->n != 1 || c->kind[0] != GPUDX_BY_HOST || !sv_u64(&said.host, &number) || said.host.n)
		return false;
	p = gpudx_sniff_best(&l->run->sniffer, &head, false, &score);
	return p && p->flags & GPUDX_P_TASKS;
}

/* What stands in front of each line. Times do so in logs, too: they count as carried when the text
 * is understood better without them. */
static void look_at_carriers(struct gpudx_lanes *l)
{
	struct gpudx_carriers stamped;
	size_t n = 0;

	while (n < GPUDX_CARRIER_HEAD && gpudx_lines_peek(l->lines, n))
		n++;
	if (!n)
		return;
	gpudx_carriers_look(&l->carriers, gpudx_lines_peek(l->lines, 0), n);
	if (is_told_by_log(l, n))
		l->carriers.n = 0;
	stamped = l->carriers;
	if (gpudx_carriers_stamp(&stamped, gpudx_lines_peek(l->lines, 0), n) &&
	    readable(l, &stamped, n) > readable(l, &l->carriers, n))
		l->carriers = stamped;
}

/* ---- what carriers say ---- */

static struct gpudx_lane *lane_add(struct gpudx_lanes *l, const struct gpudx_carried *said)
{
	struct gpudx_lane *lane;

	if (!has_room(l) || !(lane = lane_new(l, keep(l, said->path))))
		return NULL;
	lane->host = lane->r.host = keep(l, said->host);
	lane->r.prefixed = lane->host.n > 0;
	if (l->fanned && lane->host.n) {
		lane->fan = l->fan;
		lane->r.command = lane->r.own->title = l->command;
		lane->r.excerpt = lane->r.own->ctx.excerpt = l->fan_excerpt;
	}
	choose_container(l, lane);
	return lane;
}

/* The lane of the next line; NULL when there is no room for another one. */
static struct gpudx_lane *lane_of(struct gpudx_lanes *l, const struct gpudx_carried *said)
{
	struct gpudx_lane *lane = l->at;

	if (lane && (is_silent(said) || is_lane(l, lane, said)))
		return lane;
	for (lane = l->first; lane; lane = lane->next)
		if (is_lane(l, lane, said))
			return lane;
	return lane_add(l, said);
}

/* ---- what a log says ---- */

static struct gpudx_lane *named_lane(struct gpudx_lanes *l, struct gpudx_lane *base,
				     struct gpudx_sv name, struct gpudx_sv voice)
{
	struct gpudx_lane *lane = l->first;

	while (lane && (lane->base != base || !gpudx_host_same(lane->name, name) ||
			!sv_eq(lane->voice, voice)))
		lane = lane->next;
	return lane;
}

/* A lane inside another: read by p from the line at hand on. */
static struct gpudx_lane *lane_inside(struct gpudx_lanes *l, struct gpudx_lane *base,
				      struct gpudx_sv name, struct gpudx_sv voice,
				      const struct gpudx_parser *p)
{
	const struct gpudx_part *log = base->log ? base->log : base->r.own;
	struct gpudx_head head = { .lines = &l->line, .n = 1, .path = base->m.path };
	struct gpudx_lane *lane;

	if (!has_room(l) || !(lane = lane_new(l, SV_LIT(""))))
		return NULL;
	lane->m.path = base->m.path;
	lane->base = base;
	lane->parent = log->ctx.source;
	lane->name = keep(l, name);
	lane->voice = keep(l, voice);
	lane->r.command = lane->r.own->title = voice.n ? lane->voice : log->title;
	lane->r.excerpt = lane->r.own->ctx.excerpt = log->ctx.excerpt;
	head.command = lane->r.command;
	gpudx_reading_own(&lane->r, p, &head);
	lane->r.active = lane->r.own;
	lane->r.pending = false;
	return lane;
}

uint32_t gpudx_lanes_source(struct gpudx_lanes *l, const struct gpudx_ctx *teller,
			    struct gpudx_sv host)
{
	const struct gpudx_reading *r = teller->owner;
	struct gpudx_lane *lane;

	if (!has_room(l) || !(lane = lane_new(l, SV_LIT(""))))
		return teller->source;
	lane->base = (struct gpudx_lane *)r;
	lane->m.path = lane->base->m.path;
	lane->parent = teller->hosts ? teller->hosts->source : teller->source;
	lane->name = keep(l, host);
	lane->r.own->teller = teller;
	lane->r.own->ctx.parser = teller->parser;
	lane->r.own->ctx.excerpt = teller->excerpt;
	return lane->r.own->ctx.source;
}

/* Where the log of base is another one than before, its names are. */
static void look_at_log(struct gpudx_lane *base)
{
	if (base->log == base->r.active)
		return;
	base->log = base->r.active;
	base->prefix = (struct klog_prefix){ .month = 0 };
	base->first_name = SV_LIT("");
	base->last_lane = base;
	base->last_n = 0;
	base->tried = 0;
	base->voices = false;
}

/* Where the name stands in a line: most of those that follow have it there, too. */
static void keep_place(struct gpudx_lane *base, struct gpudx_sv text, const struct klog_line *k)
{
	size_t at, n = k->host.n + 1;

	base->last_n = 0;
	if (!k->host.p || k->host.p < text.p || n > sizeof(base->last))
		return;
	at = (size_t)(k->host.p - text.p);
	if (at + n > text.n)
		return;
	memcpy(base->last, k->host.p, n);
	base->last_at = at;
	base->last_n = n;
}

/* The same host as before, and what says it is the kernel, or a program that needs no look any
 * more. */
static bool is_in_place(const struct gpudx_lane *base, struct gpudx_sv text)
{
	struct gpudx_sv c = sv_from(text, base->last_at);

	if (!base->last_n || c.n < base->last_n || memcmp(c.p, base->last, base->last_n) != 0)
		return false;
	return sv_starts(sv_from(c, base->last_n), "kernel: ") ||
	       (base->tried >= TRIED_MAX && !base->voices);
}

/* The lane of a host that a line of the log names. The first is that of the log itself. */
static struct gpudx_lane *lane_of_name(struct gpudx_lanes *l, struct gpudx_lane *base,
				       struct gpudx_sv host)
{
	struct gpudx_lane *lane;

	if (!host.p || !gpudx_host_names_machine(host))
		return base->last_lane;
	if (!base->first_name.n)
		base->first_name = keep(l, host);
	if (gpudx_host_same(base->first_name, host))
		return base;
	lane = named_lane(l, base, host, SV_LIT(""));
	if (!lane)
		lane = lane_inside(l, base, host, SV_LIT(""), base->log->ctx.parser);
	return lane ? lane : base;
}

/* The samples that a program prints, and a journal wrote down. */
static bool is_series(const struct gpudx_parser *p)
{
	return p && p->flags & GPUDX_P_RESUMES && !(p->flags & (GPUDX_P_ASIDE | GPUDX_P_FIND));
}

/* The lane of the program that wrote this line, where it writes what is no log. */
static struct gpudx_lane *voice_of(struct gpudx_lanes *l, struct gpudx_lane *lane,
				   struct gpudx_lane *base, const struct klog_line *k)
{
	struct gpudx_lane *voice = named_lane(l, lane, SV_LIT(""), k->tag);
	const struct gpudx_parser *p;

	if (voice || base->tried >= TRIED_MAX)
		return voice;
	base->tried++;
	p = gpudx_starter(base->log->ctx.parser, k->message);
	if (!is_series(p))
		return NULL;
	base->voices = true;
	return lane_inside(l, lane, SV_LIT(""), k->tag, p);
}

/* True when a program's lane took the line. */
static bool give_to_voice(struct gpudx_lanes *l, struct gpudx_lane *lane, struct gpudx_lane *base,
			  const struct klog_line *k)
{
	struct gpudx_lane *voice = voice_of(l, lane, base, k);
	struct gpudx_sv text = l->line.text;
	struct gpudx_stamp stamp = l->said.stamp;
	bool taken;

	if (!voice)
		return false;
	l->line.text = k->message;
	if (k->stamp.kind != GPUDX_STAMP_NONE)
		l->said.stamp = k->stamp;
	taken = gpudx_reading_give(&voice->r) == GPUDX_TAKEN;
	l->line.text = text;
	l->said.stamp = stamp;
	return taken;
}

/* A further line of the message before, which names nobody: no title, prompt or other thing. */
static bool goes_on(struct gpudx_sv text)
{
	return (!text.n || sv_is_space(text.p[0])) &&
	       gpudx_segment_look(text, GPUDX_NO_BOUNDARY).kind == GPUDX_NO_BOUNDARY;
}

/* The line at hand of a log whose lines name hosts. */
static void read_named(struct gpudx_lanes *l, struct gpudx_lane *base)
{
	struct gpudx_sv text = l->line.text;
	struct klog_line k;

	look_at_log(base);
	if (!is_in_place(base, text)) {
		if (klog_peel(&base->prefix, text, &k) == KLOG_PEELED) {
			base->last_lane = lane_of_name(l, base, k.host);
			keep_place(base, text, &k);
			if (k.tag.p && !sv_is(k.tag, "kernel") &&
			    give_to_voice(l, base->last_lane, base, &k))
				return;
		} else if (!goes_on(text)) {
			gpudx_reading_line(&base->r);
			return;
		}
	}
	gpudx_reading_line(&base->last_lane->r);
}

/* The first line of such a log, which its lane has read: whose log it is. */
static void begin_named(struct gpudx_lanes *l, struct gpudx_lane *base)
{
	struct klog_line k;

	look_at_log(base);
	if (klog_peel(&base->prefix, l->line.text, &k) != KLOG_PEELED)
		return;
	lane_of_name(l, base, k.host);
	if (k.tag.p && !sv_is(k.tag, "kernel"))
		give_to_voice(l, base, base, &k);
}

static bool names_hosts(const struct gpudx_part *p)
{
	return p && p->ctx.parser->flags & GPUDX_P_HOSTS;
}

/* ---- all lines ---- */

static void read_line(struct gpudx_lanes *l, struct gpudx_lane *lane)
{
	l->at = lane;
	if (names_hosts(lane->r.active) && !(l->line.flags & GPUDX_LINE_REST)) {
		read_named(l, lane);
		return;
	}
	gpudx_reading_line(&lane->r);
	if (names_hosts(lane->r.active))
		begin_named(l, lane);
}

/* A prompt behind the output of many hosts is of the transcript, as all that follows. */
static bool ends_fan(struct gpudx_lanes *l, const struct gpudx_carried *said, struct gpudx_sv text)
{
	if (!l->fanned || said->host.p ||
	    gpudx_segment_look(text, GPUDX_NO_BOUNDARY).kind != GPUDX_PROMPT)
		return false;
	l->carriers.n--;
	l->fanned = false;
	return true;
}

/* Lines behind carriers: the lane must be there before the line is taken from those ahead. */
static bool read_carried(struct gpudx_lanes *l)
{
	const struct gpudx_line *next = gpudx_lines_peek(l->lines, 0);
	struct gpudx_carried said;
	struct gpudx_lane *lane;
	struct gpudx_line copy;

	if (!next)
		return false;
	copy = *next;
	said = peel(l, &copy);
	if (ends_fan(l, &said, copy.text))
		lane = l->carriers.n ? lane_of(l, &said) : l->first;
	else if (copy.flags & GPUDX_LINE_REST || (is_silent(&said) && sv_blank(copy.text)))
		lane = l->at;
	else
		lane = lane_of(l, &said);
	gpudx_lines_next(l->lines);
	gpudx_lanes_refresh(l);
	if (lane)
		read_line(l, lane);
	return true;
}

static bool read_plain(struct gpudx_lanes *l)
{
	const struct gpudx_line *line = gpudx_lines_next(l->lines);

	if (!line)
		return false;
	l->line = *line;
	read_line(l, l->first);
	return true;
}

bool gpudx_lanes_read(struct gpudx_lanes *l)
{
	static const struct gpudx_carried nobody = { .host = { NULL, 0 } };

	l->end = &l->first;
	l->said.stamp = GPUDX_NO_STAMP;
	look_at_carriers(l);
	for (unsigned i = 0; i < l->carriers.n; i++)
		l->excerpt |= l->carriers.kind[i] == GPUDX_BY_GREP;
	if (!l->carriers.n)
		l->at = lane_add(l, &nobody);
	while (!l->stop && !gpudx_lines_binary(l->lines) && gpudx_store_ok(l->run->store) &&
	       (l->carriers.n ? read_carried(l) : read_plain(l)))
		continue;
	return l->first || lane_add(l, &nobody);
}

void gpudx_lanes_free(struct gpudx_lanes *l)
{
	free(l->head);
}
