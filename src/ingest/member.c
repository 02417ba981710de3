#include "ingest/member.h"

#include "ingest/crowd.h"
#include "ingest/segment.h"
#include "ingest/unread.h"
#include "ingest/unwrap.h"

#include <stdio.h>
#include <stdlib.h>

enum { PARTS_MAX = 4096, HELD_TEXT = 4096 };

struct part {
	struct part *next;
	struct gpudx_ctx ctx;
	struct gpudx_series series;
	struct gpudx_sv title, host;
	uint32_t first, last, last_taken, lines, taken, sample_lines;
	struct gpudx_line held; /* a copy of the line that the parser asked to hold */
	char *held_text;
	size_t held_cap;
	bool goes_on; /* took the beginning of a line that was longer than the cap */
};

struct reading {
	struct gpudx_run *run;
	const struct gpudx_member *m;
	struct gpudx_lines *lines;
	struct part *own;   /* the member's own source: its container parser, or its first part */
	struct part *parts; /* those inside, in order */
	struct part **end;
	struct part *active; /* who gets the next line; NULL nobody */
	unsigned nparts;
	bool pending; /* behind a boundary: a part begins with the next line of content */
	enum gpudx_boundary_kind before; /* what the last line that nobody took was */
	bool bounded, prompted;
	bool prefixed; /* host stood in front of each line and is to be stated at the first */
	struct gpudx_sv command; /* of the pending part */
	struct gpudx_sv host;	 /* that a heading or prompt named last */
	bool excerpt;
	uint32_t keep;	  /* so many lines more are kept as context */
	const char *cut;  /* why reading ended early */
	const char *what; /* it is, as far as is known, that nobody reads; NULL unknown */
};

/* ---- parts ---- */

static struct part *part_new(struct reading *r, const struct gpudx_parser *p)
{
	struct gpudx_run *run = r->run;
	struct part *part = gpudx_arena_alloc(&run->arena, sizeof(*part));

	if (!part)
		return NULL;
	part->ctx = (struct gpudx_ctx){ .parser = p,
					.sink = &run->recorder.sink,
					.ids = &run->ids,
					.arena = &run->arena,
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
static void enter(struct reading *r, struct part *p)
{
	struct gpudx_recorder *rec = &r->run->recorder;

	rec->series = &p->series;
	rec->ctx = &p->ctx;
	rec->held = &p->held;
	rec->sample_lines = p->sample_lines;
}

static void leave(struct reading *r, struct part *p)
{
	p->sample_lines = r->run->recorder.sample_lines;
}

static bool goes_on_in(const struct reading *r, const struct part *q, const struct gpudx_parser *p)
{
	return q && q->ctx.parser == p && sv_eq(q->title, r->command) && sv_eq(q->host, r->host);
}

/* A block of the same format behind the same command on the same host is the same series: tables
 * in a loop. */
static struct part *part_resumed(struct reading *r, const struct gpudx_parser *p)
{
	struct part *q = r->parts;

	if (!(p->flags & GPUDX_P_RESUMES))
		return NULL;
	if (goes_on_in(r, r->own, p))
		return r->own;
	while (q && !goes_on_in(r, q, p))
		q = q->next;
	return q;
}

static struct part *part_begin(struct reading *r, const struct gpudx_parser *p,
			       const struct gpudx_head *head)
{
	struct part *part = part_resumed(r, p);

	if (part)
		return part;
	if (r->nparts >= PARTS_MAX || !(part = part_new(r, p))) {
		r->cut = "limit: more parts in one file than can be kept apart";
		return NULL;
	}
	r->nparts++;
	part->ctx.source = ++r->run->ids.source;
	*r->end = part;
	r->end = &part->next;
	part->ctx.head = head;
	enter(r, part);
	if (!gpudx_ctx_begin(&part->ctx))
		r->cut = "limit: more memory than one file may need";
	leave(r, part);
	return part;
}

/* The first part of a member that has neither container nor boundary in front is the member. */
static struct part *part_own(struct reading *r, const struct gpudx_parser *p,
			     const struct gpudx_head *head)
{
	r->own->ctx.parser = p;
	r->own->ctx.head = head;
	enter(r, r->own);
	if (!gpudx_ctx_begin(&r->own->ctx))
		r->cut = "limit: more memory than one file may need";
	leave(r, r->own);
	return r->own;
}

/* ---- lines ---- */

/* Keeps the texts that a record of this line cites. */
static void keep_texts(struct reading *r, const struct gpudx_ctx *c)
{
	struct gpudx_recorder *rec = &r->run->recorder;

	for (size_t k = 2; k >= 1 && c->context; k--) {
		const struct gpudx_line *before = gpudx_lines_prev(r->lines, k);

		if (before)
			gpudx_recorder_line(rec, c->source, before);
	}
	if (c->cited || c->context || r->keep)
		gpudx_recorder_line(rec, c->source, gpudx_lines_prev(r->lines, 0));
	if (c->context)
		r->keep = 2;
	else if (r->keep)
		r->keep--;
}

static void hold(struct reading *r, struct part *p, const struct gpudx_line *line)
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

static enum gpudx_take give(struct reading *r, struct part *p, const struct gpudx_line *line)
{
	enum gpudx_take take;

	enter(r, p);
	take = gpudx_ctx_line(&p->ctx, line);
	leave(r, p);
	if (p->ctx.failed)
		r->cut = "limit: more memory than one file may need";
	if (p->ctx.cited || p->ctx.context || r->keep)
		keep_texts(r, &p->ctx);
	if (p->ctx.held)
		hold(r, p, gpudx_lines_prev(r->lines, 0));
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
static void give_back(struct part *p, const struct gpudx_line *line)
{
	if (p && p->last == line->no && p->last_taken != line->no) {
		p->lines--;
		p->last = 0;
	}
}

static bool container_takes(struct reading *r, const struct gpudx_line *line)
{
	struct part *own = r->own;

	if (!own->ctx.parser || !(own->ctx.parser->flags & GPUDX_P_CONTAINER))
		return false;
	return give(r, own, line) == GPUDX_TAKEN;
}

/* Lines from here on go to p, which may be NULL. */
static void activate(struct reading *r, struct part *p)
{
	bool find = p && p->ctx.parser->flags & GPUDX_P_FIND;

	r->active = p;
	gpudx_lines_find(r->lines, find ? r->run->find : NULL, r->run->find_arg);
}

/* The parser, other than mine, whose format can only begin with this line. */
static const struct gpudx_parser *starter(const struct gpudx_parser *mine, struct gpudx_sv line)
{
	for (const struct gpudx_parser *const *p = gpudx_parsers; *p; p++)
		if (*p != mine && (*p)->starts && (*p)->starts(line))
			return *p;
	return NULL;
}

/* The host that a prompt names is a fact of the member, whoever reads its parts. */
static void state_host(struct reading *r, struct gpudx_sv host, const char *layer,
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

static bool at_boundary(struct reading *r, const struct gpudx_line *line)
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
	if (b.host.p) {
		r->host = gpudx_arena_sv(&r->run->arena, b.host);
		state_host(r, r->host, "prompt", line);
	}
	container_takes(r, line);
	return true;
}

/* A part begins at the line just read and becomes active: p's, or that of the best parser for what
 * follows, if there is one. */
static void begin_here(struct reading *r, const struct gpudx_parser *p)
{
	struct gpudx_head head;

	gpudx_lines_back(r->lines);
	head = gpudx_sniff_head(r->lines, r->m->path, r->command);
	if (!p)
		p = gpudx_sniff(&r->run->sniffer, &head, false);
	if (!p && !r->what)
		r->what = gpudx_unread_look(&head);
	if (p && !r->own->ctx.parser && !r->bounded && !r->nparts)
		activate(r, part_own(r, p, &head));
	else if (p)
		activate(r, part_begin(r, p, &head));
	r->pending = false;
	gpudx_lines_next(r->lines);
}

/* The current line, which the active part, if any, does not take. */
static void not_taken(struct reading *r)
{
	const struct gpudx_line *line = gpudx_lines_prev(r->lines, 0);
	const struct gpudx_parser *p;
	struct part *before;

	if (at_boundary(r, line) || container_takes(r, line))
		return;
	if (r->pending && r->before == GPUDX_RULE && !r->active)
		return; /* drawn under a title */
	if (r->pending) {
		begin_here(r, NULL);
		line = gpudx_lines_prev(r->lines, 0);
		if (r->active && give(r, r->active, line) == GPUDX_TAKEN)
			return;
	}
	p = starter(r->active ? r->active->ctx.parser : NULL, line->text);
	if (!p)
		return;
	before = r->active;
	give_back(before, line);
	begin_here(r, p);
	if (r->active)
		give(r, r->active, gpudx_lines_prev(r->lines, 0));
	if (before && p->flags & GPUDX_P_ASIDE)
		activate(r, before);
}

/* More of a line that was longer than the cap: for who took its beginning, and wants it. */
static void read_rest(struct reading *r, const struct gpudx_line *line)
{
	struct part *p = r->active;

	if (p && p->goes_on && p->ctx.parser->flags & GPUDX_P_BYTES)
		give(r, p, line);
}

static void read_line(struct reading *r, const struct gpudx_line *line)
{
	bool blank = sv_blank(line->text);

	if (blank && !(r->active && gpudx_ctx_wants(r->active->ctx.parser, line)))
		return;
	if (r->active && give(r, r->active, line) == GPUDX_TAKEN)
		return;
	if (!blank)
		not_taken(r);
}

static void read_lines(struct reading *r)
{
	const struct gpudx_line *line;

	while (!r->cut && (line = gpudx_lines_next(r->lines)) != NULL &&
	       gpudx_store_ok(r->run->store)) {
		if (r->prefixed && line->text.n) {
			state_host(r, r->host, "prefix", line);
			r->prefixed = false;
		}
		if (line->flags & GPUDX_LINE_REST)
			read_rest(r, line);
		else
			read_line(r, line);
	}
}

/* ---- the member's rows ---- */

struct source_row {
	uint32_t id, parent;
	const struct gpudx_member *m;
	const struct part *part;
	const char *parser, *status, *reason, *damage, *encoding;
	uint32_t lines;
	int64_t bytes;
};

static const char *const clocks[] = { "none", "boot", "noyear", "local", "utc" };

static void write_spans(struct gpudx_run *run, const struct gpudx_ctx *c)
{
	struct gpudx_row w;

	for (const struct gpudx_span *s = c->spans; s; s = s->next) {
		gpudx_row_begin(&w, gpudx_store_rows(run->store), GPUDX_T_SPAN);
		gpudx_row_int(&w, c->source);
		gpudx_row_int(&w, s->boot);
		gpudx_row_str(&w, clocks[s->kind]);
		gpudx_row_int(&w, s->first_us);
		gpudx_row_int(&w, s->last_us);
		gpudx_row_end(&w);
	}
}

static void write_source(struct gpudx_run *run, const struct source_row *s)
{
	const struct part *p = s->part;
	struct gpudx_row w;

	gpudx_row_begin(&w, gpudx_store_rows(run->store), GPUDX_T_SOURCE);
	gpudx_row_int(&w, s->id);
	gpudx_row_int(&w, run->bundle);
	gpudx_row_unless(&w, s->parent, 0);
	gpudx_row_text(&w, s->m->path);
	gpudx_row_text(&w, p && p->title.n ? p->title : sv_n(NULL, 0));
	gpudx_row_int(&w, p && s->parent ? p->first : 1);
	gpudx_row_int(&w, s->lines);
	gpudx_row_int(&w, p ? p->taken : 0);
	gpudx_row_unless(&w, s->bytes, -1);
	gpudx_row_null(&w);
	gpudx_row_time(&w, s->m->mtime_us);
	gpudx_row_str(&w, s->parser);
	gpudx_row_str(&w, s->status);
	gpudx_row_str(&w, s->reason);
	gpudx_row_str(&w, s->damage);
	gpudx_row_str(&w, s->encoding);
	gpudx_row_int(&w, p ? p->ctx.rejected : 0);
	gpudx_row_int(&w, p && p->ctx.excerpt);
	gpudx_row_str(&w, clocks[p ? p->ctx.clock : GPUDX_CLOCK_NONE]);
	gpudx_row_end(&w);
}

/* How much of it was understood. A line here and there that nobody knows does not count. */
static const char *read_status(uint32_t lines, uint32_t taken)
{
	return taken * 2 >= lines ? "read" : "partly";
}

static void finish_part(struct reading *r, struct part *p)
{
	enter(r, p);
	if (p->ctx.parser)
		gpudx_ctx_finish(&p->ctx);
	gpudx_series_end(&p->series);
	write_spans(r->run, &p->ctx);
	leave(r, p);
}

static void finish_parts(struct reading *r)
{
	for (struct part *p = r->parts; p; p = p->next) {
		struct source_row s = { .id = p->ctx.source,
					.parent = r->own->ctx.source,
					.m = r->m,
					.part = p,
					.lines = p->lines,
					.bytes = -1 };

		finish_part(r, p);
		s.parser = p->ctx.parser->name;
		s.status = read_status(p->lines, p->taken);
		write_source(r->run, &s);
	}
}

/* What binary files without a mark of their own mostly are, by their names. */
static const char *binary_reason(struct gpudx_sv path)
{
	static const struct {
		const char *name, *is;
	} known[] = {
		{ ".nsys-rep",
		  "binary data, an Nsight Systems report by its name; nsys stats FILE" },
		{ ".qdrep", "binary data, an Nsight Systems report by its name; nsys stats FILE" },
		{ ".qdstrm", "binary data, an Nsight Systems recording by its name" },
		{ ".pkl", "binary data, a Python pickle by its name" },
		{ ".pickle", "binary data, a Python pickle by its name" },
		{ ".nvdbg",
		  "binary data, a dump of nvidia-debugdump by its name: for NVIDIA only" },
		{ "wtmp", "binary data, login records by its name; last -xF -f FILE > FILE.txt" },
		{ "btmp", "binary data, login records by its name; lastb -F -f FILE > FILE.txt" },
		{ "utmp", "binary data, login records by its name; last -xF -f FILE > FILE.txt" },
		{ "lastlog", "binary data, login records by its name" },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (sv_ends(path, known[i].name))
			return known[i].is;
	return "binary data";
}

/* Why nobody could read it; NULL: there is nothing in it. */
static const char *unread_reason(const struct reading *r)
{
	if (gpudx_lines_binary(r->lines))
		return binary_reason(r->m->path);
	if (r->what)
		return r->what;
	if (r->pending && r->command.n)
		return "the command without its output";
	return gpudx_lines_count(r->lines) ? "no known format" : NULL;
}

static void finish_member(struct reading *r)
{
	struct part *own = r->own;
	struct source_row s = { .id = own->ctx.source,
				.m = r->m,
				.part = own,
				.lines = gpudx_lines_count(r->lines),
				.bytes = gpudx_lines_bytes(r->lines),
				.encoding = gpudx_lines_encoding(r->lines),
				.damage = r->cut };

	finish_parts(r);
	finish_part(r, own);
	if (own->ctx.parser)
		s.parser = own->ctx.parser->name;
	else if (r->parts)
		s.parser = r->prompted ? "transcript" : "sections";
	if (s.parser) {
		s.status = r->parts ? "read" : read_status(own->lines, own->taken);
	} else {
		s.reason = unread_reason(r);
		s.status = s.reason ? "unread" : "empty";
		s.reason = s.reason ? s.reason : "empty";
	}
	r->run->unread += !s.parser;
	write_source(r->run, &s);
}

static enum gpudx_status skipped(struct gpudx_run *run, const struct gpudx_member *m)
{
	char reason[200];
	struct source_row s = {
		.id = ++run->ids.source, .m = m, .status = "skipped", .reason = reason, .bytes = -1
	};

	snprintf(reason, sizeof(reason), "%s%s%s", m->skip, m->hint ? "; " : "",
		 m->hint ? m->hint : "");
	run->unread++;
	write_source(run, &s);
	return GPUDX_OK;
}

static void choose_container(struct reading *r)
{
	struct gpudx_head head = { .path = r->m->path, .command = SV_LIT("") };
	const struct gpudx_parser *p;

	while (head.n < 40 && gpudx_lines_peek(r->lines, head.n))
		head.n++;
	head.lines = gpudx_lines_peek(r->lines, 0);
	p = head.n ? gpudx_sniff(&r->run->sniffer, &head, true) : NULL;
	if (p)
		part_own(r, p, &head);
}

/* What is known of a text before it is read. */
struct how {
	struct gpudx_sv host; /* it stood in front of each line; empty: nobody's */
	const char *cut;      /* what of it is left out */
	bool excerpt;
};

/* Reads what one host says, or the whole member. */
static enum gpudx_status read_text(struct gpudx_run *run, const struct gpudx_member *m,
				   const struct how *how, struct gpudx_err *err)
{
	struct reading r = { .run = run,
			     .m = m,
			     .command = SV_LIT(""),
			     .host = how->host.n ? how->host : SV_LIT(""),
			     .prefixed = how->host.n > 0,
			     .excerpt = how->excerpt,
			     .pending = true };
	enum gpudx_status rc;

	gpudx_arena_reset(&run->arena);
	run->recorder.metric_ids = (struct gpudx_map){ .arena = &run->arena };
	r.end = &r.parts;
	r.own = part_new(&r, NULL);
	if (!r.own)
		return gpudx_nomem(err);
	r.own->ctx.refs.arena = r.own->ctx.facts.arena = &run->arena;
	r.own->ctx.source = ++run->ids.source;
	rc = gpudx_lines_open(m->stream, &r.lines, err);
	if (rc)
		return rc;
	choose_container(&r);
	if (!gpudx_lines_binary(r.lines))
		read_lines(&r);
	r.cut = r.cut ? r.cut : how->cut;
	finish_member(&r);
	gpudx_lines_close(r.lines);
	return GPUDX_OK;
}

static enum gpudx_status read_wrapped(struct gpudx_run *run, const struct gpudx_member *m,
				      enum gpudx_wrapping kind, struct gpudx_err *err)
{
	struct gpudx_member inner = *m;
	enum gpudx_status rc = gpudx_unwrap_open(m->stream, kind, &inner.stream, err);

	if (rc)
		return rc;
	rc = read_text(run, &inner, &(struct how){ .excerpt = kind == GPUDX_GREPPED }, err);
	gpudx_stream_close(inner.stream);
	return rc;
}

/* One file of many hosts is as many sources. */
static enum gpudx_status read_crowd(struct gpudx_run *run, const struct gpudx_member *m,
				    struct gpudx_err *err)
{
	struct gpudx_crowd *c = calloc(1, sizeof(*c));
	enum gpudx_status rc = GPUDX_OK;

	if (!c || !gpudx_crowd_read(c, m->stream))
		rc = gpudx_nomem(err);
	for (unsigned i = 0; !rc && i < c->n; i++) {
		struct gpudx_member part = *m;
		struct gpudx_crowd_stream s;

		gpudx_crowd_open(&s, c, i);
		part.stream = &s.base;
		rc = read_text(run, &part,
			       &(struct how){ .host = c->host[i], .cut = i ? NULL : c->cut }, err);
		gpudx_stream_close(&s.base);
	}
	if (c)
		gpudx_crowd_free(c);
	free(c);
	return rc;
}

enum gpudx_status gpudx_member_read(struct gpudx_run *run, const struct gpudx_member *m,
				    struct gpudx_err *err)
{
	enum gpudx_wrapping kind;
	struct gpudx_sv head;

	run->members++;
	if (m->skip)
		return skipped(run, m);
	head = gpudx_stream_peek(m->stream, GPUDX_PEEK);
	if (gpudx_is_crowd(head))
		return read_crowd(run, m, err);
	kind = gpudx_wrapping_of(head);
	if (kind != GPUDX_NOT_WRAPPED)
		return read_wrapped(run, m, kind, err);
	return read_text(run, m, &(struct how){ .excerpt = false }, err);
}
