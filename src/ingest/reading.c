#include "ingest/reading.h"

#include "base/hostname.h"
#include "ingest/lanes.h"
#include "ingest/unread.h"

enum { PARTS_MAX = 4096, HELD_TEXT = 4096 };

static void stop(struct gpudx_reading *r, const char *why)
{
	r->lanes->cut = why;
	r->lanes->stop = true;
}

/* ---- parts ---- */

static void keep_line(struct gpudx_ctx *c)
{
	struct gpudx_reading *r = c->owner;

	gpudx_recorder_line(&r->run->recorder, c->source, &r->lanes->line);
}

static uint32_t new_source(struct gpudx_ctx *c, struct gpudx_sv host)
{
	return gpudx_lanes_source(((struct gpudx_reading *)c->owner)->lanes, c, host);
}

static struct gpudx_part *part_new(struct gpudx_reading *r, const struct gpudx_parser *p)
{
	struct gpudx_run *run = r->run;
	struct gpudx_part *part = gpudx_arena_alloc(&run->arena, sizeof(*part));

	if (!part)
		return NULL;
	part->ctx = (struct gpudx_ctx){ .parser = p,
					.sink = &run->recorder.sink,
					.ids = &run->ids,
					.arena = &run->arena,
					.owner = r,
					.new_source = new_source,
					.keep_line = keep_line,
					.path = r->m->path,
					.command = r->command,
					.excerpt = r->excerpt,
					.match = run->sniffer.match,
					.match_arg = run->sniffer.match_arg };
	part->series = (struct gpudx_series){ .store = run->store, .arena = &run->arena };
	part->title = r->command;
	part->host = r->host;
	return part;
}

/* Records of this part go to its own series. */
static void enter(struct gpudx_reading *r, struct gpudx_part *p)
{
	struct gpudx_recorder *rec = &r->run->recorder;

	rec->series = &p->series;
	rec->ctx = &p->ctx;
	rec->held = &p->held;
	rec->sample_lines = p->sample_lines;
}

static void leave(struct gpudx_reading *r, struct gpudx_part *p)
{
	p->sample_lines = r->run->recorder.sample_lines;
}

static bool goes_on_in(const struct gpudx_reading *r, const struct gpudx_part *q,
		       const struct gpudx_parser *p)
{
	return q && q->ctx.parser == p && sv_eq(q->title, r->command) && sv_eq(q->host, r->host);
}

/* A block of the same format behind the same command on the same host is the same series: tables
 * in a loop. */
static struct gpudx_part *part_resumed(struct gpudx_reading *r, const struct gpudx_parser *p)
{
	struct gpudx_part *q = r->parts;

	if (!(p->flags & GPUDX_P_RESUMES))
		return NULL;
	if (goes_on_in(r, r->own, p))
		return r->own;
	while (q && !goes_on_in(r, q, p))
		q = q->next;
	return q;
}

static struct gpudx_part *part_begin(struct gpudx_reading *r, const struct gpudx_parser *p,
				     const struct gpudx_head *head)
{
	struct gpudx_part *part = part_resumed(r, p);

	if (part)
		return part;
	if (r->nparts >= PARTS_MAX || !(part = part_new(r, p))) {
		stop(r, "limit: more parts in one file than can be kept apart");
		return NULL;
	}
	r->nparts++;
	part->ctx.source = ++r->run->ids.source;
	*r->end = part;
	r->end = &part->next;
	part->ctx.head = head;
	enter(r, part);
	if (!gpudx_ctx_begin(&part->ctx))
		stop(r, "limit: more memory than one file may need");
	leave(r, part);
	return part;
}

/* The first part of a member that has neither container nor boundary in front is the member. */
void gpudx_reading_own(struct gpudx_reading *r, const struct gpudx_parser *p,
		       const struct gpudx_head *head)
{
	r->own->ctx.parser = p;
	r->own->ctx.head = head;
	enter(r, r->own);
	if (!gpudx_ctx_begin(&r->own->ctx))
		stop(r, "limit: more memory than one file may need");
	leave(r, r->own);
}

/* ---- lines ---- */

/* Keeps the texts that a record of this line cites. */
static void keep_texts(struct gpudx_reading *r, const struct gpudx_ctx *c)
{
	struct gpudx_recorder *rec = &r->run->recorder;

	for (size_t k = 2; k >= 1 && c->context; k--) {
		struct gpudx_line before = gpudx_lanes_before(r->lanes, k);

		if (before.no)
			gpudx_recorder_line(rec, c->source, &before);
	}
	if (c->cited || c->context || r->keep)
		gpudx_recorder_line(rec, c->source, &r->lanes->line);
	if (c->context)
		r->keep = 2;
	else if (r->keep)
		r->keep--;
}

static void hold(struct gpudx_reading *r, struct gpudx_part *p, const struct gpudx_line *line)
{
	size_t n = sv_first(line->text, HELD_TEXT).n;

	if (n > p->held_cap) {
		p->held_cap = n < HELD_TEXT / 2 ? 2 * n : HELD_TEXT;
		p->held_text = gpudx_arena_alloc(&r->run->arena, p->held_cap);
	}
	p->held = *line;
	if (n && !p->held_text)
		p->held = (struct gpudx_line){ .no = 0 };
	else if (n)
		p->held.text.p = memcpy(p->held_text, line->text.p, n);
	p->held.text.n = n;
}

static enum gpudx_take give(struct gpudx_reading *r, struct gpudx_part *p,
			    const struct gpudx_line *line)
{
	enum gpudx_take take;

	/* Its memory ended as it began, or later: it may have no state to put a line into. */
	if (p->ctx.failed)
		return GPUDX_TAKEN;
	enter(r, p);
	p->ctx.carried = r->lanes->said.stamp;
	take = gpudx_ctx_line(&p->ctx, line);
	leave(r, p);
	if (p->ctx.failed)
		stop(r, "limit: more memory than one file may need");
	if (p->ctx.cited || p->ctx.context || r->keep)
		keep_texts(r, &p->ctx);
	if (p->ctx.held)
		hold(r, p, &r->lanes->line);
	/* A line that came in pieces, or twice, is one line. */
	if (take == GPUDX_TAKEN && p->last_taken != line->no) {
		p->taken++;
		p->last_taken = line->no;
	}
	p->lines += p->last != line->no;
	p->goes_on = take == GPUDX_TAKEN && line->flags & GPUDX_LINE_CUT;
	p->last = line->no;
	if (!p->first)
		p->first = line->no;
	return take;
}

/* A line that ends the part at hand is not one of it. */
static void give_back(struct gpudx_part *p, const struct gpudx_line *line)
{
	if (p && p->last == line->no && p->last_taken != line->no) {
		p->lines--;
		p->last = 0;
	}
}

static bool container_takes(struct gpudx_reading *r, const struct gpudx_line *line)
{
	struct gpudx_part *own = r->own;

	if (!own->ctx.parser || !(own->ctx.parser->flags & GPUDX_P_CONTAINER))
		return false;
	return give(r, own, line) == GPUDX_TAKEN;
}

/* Lines from here on go to p, which may be NULL. */
static void activate(struct gpudx_reading *r, struct gpudx_part *p)
{
	bool find = p && p->ctx.parser->flags & GPUDX_P_FIND;

	r->active = p;
	gpudx_lanes_find(r->lanes, find);
}

const struct gpudx_parser *gpudx_starter(const struct gpudx_parser *mine, struct gpudx_sv line)
{
	for (const struct gpudx_parser *const *p = gpudx_parsers; *p; p++)
		if (*p != mine && (*p)->starts && (*p)->starts(line))
			return *p;
	return NULL;
}

/* The host that a prompt names is a fact of the member, whoever reads its parts. */
static void state_host(struct gpudx_reading *r, struct gpudx_sv host, const char *layer,
		       const struct gpudx_line *line)
{
	enter(r, r->own);
	r->own->ctx.at = *line;
	r->own->ctx.line = &r->own->ctx.at;
	r->own->ctx.cited = r->own->ctx.context = r->own->ctx.held = false;
	gpudx_fact(&r->own->ctx, 0, "host.name", layer, host);
	keep_texts(r, &r->own->ctx);
	leave(r, r->own);
}

/* Where what follows was printed. */
static void at_host(struct gpudx_reading *r, const struct gpudx_boundary *b,
		    const struct gpudx_line *line)
{
	struct gpudx_sv host = b->far.p ? b->far : b->host;

	if (b->elsewhere)
		host = SV_LIT(GPUDX_ELSEWHERE);
	if (host.p) {
		r->host = gpudx_arena_sv(&r->run->arena, host);
		state_host(r, r->host, "prompt", line);
	}
	if (b->fans_out)
		gpudx_lanes_fan_out(r->lanes, r->command, r->excerpt);
}

static bool at_boundary(struct gpudx_reading *r, const struct gpudx_line *line)
{
	struct gpudx_boundary b = gpudx_segment_look(line->text, r->before);

	r->before = b.kind;
	if (b.kind == GPUDX_NO_BOUNDARY || b.kind == GPUDX_RULE)
		return false;
	give_back(r->active, line);
	activate(r, NULL);
	r->pending = r->bounded = true;
	r->prompted |= b.kind == GPUDX_PROMPT;
	r->command = gpudx_arena_sv(&r->run->arena, b.command.p ? b.command : SV_LIT(""));
	r->excerpt = b.excerpt;
	at_host(r, &b, line);
	container_takes(r, line);
	return true;
}

/* The parser for what begins with the line just read; the lines move. */
static const struct gpudx_parser *sniff(struct gpudx_reading *r, struct gpudx_head *head,
					const struct gpudx_parser *p)
{
	*head = gpudx_lanes_head(r->lanes, r);
	if (!p)
		p = gpudx_sniff(&r->run->sniffer, head, false);
	if (!p && !r->what)
		r->what = gpudx_unread_look(head);
	return p;
}

/* A part begins at the line just read and becomes active: p's, or that of the best parser for what
 * follows, if there is one. */
static void begin_here(struct gpudx_reading *r, const struct gpudx_parser *p)
{
	struct gpudx_head head;

	gpudx_lines_back(r->lanes->lines);
	p = sniff(r, &head, p);
	if (p && !r->own->ctx.parser && !r->bounded && !r->nparts) {
		gpudx_reading_own(r, p, &head);
		activate(r, r->own);
	} else if (p) {
		activate(r, part_begin(r, p, &head));
	}
	r->pending = false;
	gpudx_lines_next(r->lanes->lines);
	gpudx_lanes_refresh(r->lanes);
}

/* Between rules, a title may be told in words and as the command. */
static bool command_again(struct gpudx_reading *r, const struct gpudx_line *line)
{
	struct gpudx_boundary b;

	if (!gpudx_segment_repeats(r->command, line->text, &b))
		return false;
	r->command = gpudx_arena_sv(&r->run->arena, b.command);
	r->excerpt = b.excerpt;
	return true;
}

/* The line at hand, which the active part, if any, does not take. */
static void not_taken(struct gpudx_reading *r)
{
	const struct gpudx_line *line = &r->lanes->line;
	const struct gpudx_parser *p;
	struct gpudx_part *before;

	if (at_boundary(r, line) || container_takes(r, line))
		return;
	if (r->pending && r->before == GPUDX_RULE && !r->active)
		return; /* drawn under a title */
	if (r->pending && !r->active && command_again(r, line))
		return;
	if (r->pending) {
		begin_here(r, NULL);
		if (r->active && give(r, r->active, line) == GPUDX_TAKEN)
			return;
	}
	p = gpudx_starter(r->active ? r->active->ctx.parser : NULL, line->text);
	if (!p)
		return;
	before = r->active;
	give_back(before, line);
	begin_here(r, p);
	if (r->active)
		give(r, r->active, line);
	if (before && p->flags & GPUDX_P_ASIDE)
		activate(r, before);
}

/* More of a line that was longer than the cap: for who took its beginning, and wants it. */
static void read_rest(struct gpudx_reading *r, const struct gpudx_line *line)
{
	struct gpudx_part *p = r->active;

	if (p && p->goes_on && p->ctx.parser->flags & GPUDX_P_BYTES)
		give(r, p, line);
}

static void read_line(struct gpudx_reading *r, const struct gpudx_line *line)
{
	bool blank = sv_blank(line->text);

	if (blank && !(r->active && gpudx_ctx_wants(r->active->ctx.parser, line)))
		return;
	if (r->active && give(r, r->active, line) == GPUDX_TAKEN)
		return;
	if (!blank)
		not_taken(r);
}

/* Lines that were left out of an excerpt of ours: no parser has to know of them. */
static void at_gap(struct gpudx_reading *r, enum gpudx_gap gap)
{
	struct gpudx_part *p = r->active ? r->active : r->own;

	if (gap > p->gap)
		p->gap = gap;
}

void gpudx_reading_line(struct gpudx_reading *r)
{
	const struct gpudx_line *line = &r->lanes->line;
	enum gpudx_gap gap = gpudx_gap_look(line->text);

	r->seen++;
	if (gap) {
		at_gap(r, gap);
		return;
	}
	if (r->prefixed && line->text.n) {
		state_host(r, r->host, "prefix", line);
		r->prefixed = false;
	}
	if (line->flags & GPUDX_LINE_REST)
		read_rest(r, line);
	else
		read_line(r, line);
}

enum gpudx_take gpudx_reading_give(struct gpudx_reading *r)
{
	r->seen++;
	return give(r, r->active, &r->lanes->line);
}

bool gpudx_reading_begin(struct gpudx_reading *r)
{
	struct gpudx_run *run = r->run;

	r->end = &r->parts;
	r->own = part_new(r, NULL);
	if (!r->own)
		return false;
	r->own->ctx.refs.arena = r->own->ctx.facts.arena = &run->arena;
	r->own->ctx.source = ++run->ids.source;
	return true;
}

/* ---- the end ---- */

/* Words of source.src_clock and source_span.kind. */
const char *gpudx_clock_word(int kind)
{
	static const char *const words[] = { "none", "boot", "noyear", "local", "utc" };

	return words[kind];
}

static void write_spans(struct gpudx_run *run, const struct gpudx_ctx *c)
{
	struct gpudx_row w;

	for (const struct gpudx_span *s = c->spans; s; s = s->next) {
		gpudx_row_begin(&w, gpudx_store_rows(run->store), GPUDX_T_SPAN);
		gpudx_row_int(&w, c->source);
		gpudx_row_int(&w, s->boot);
		gpudx_row_str(&w, gpudx_clock_word((int)s->kind));
		gpudx_row_int(&w, s->first_us);
		gpudx_row_int(&w, s->last_us);
		gpudx_row_end(&w);
	}
}

void gpudx_reading_finish_part(struct gpudx_reading *r, struct gpudx_part *p)
{
	enter(r, p);
	if (p->teller) {
		p->ctx.clock = p->teller->clock;
		p->ctx.spans = p->teller->spans;
	} else if (p->ctx.parser) {
		gpudx_ctx_finish(&p->ctx);
	}
	/* What a parser concludes from the number of lines does not hold for those that are left. */
	if (p->gap)
		p->ctx.excerpt = p->gap == GPUDX_GAP_OPEN;
	gpudx_series_end(&p->series);
	write_spans(r->run, &p->ctx);
	leave(r, p);
}
