#include "ingest/member.h"

#include "ingest/lanes.h"
#include "ingest/unwrap.h"

#include <stdio.h>

/* ---- the member's rows ---- */

struct source_row {
	uint32_t id, parent;
	const struct gpudx_member *m;
	const struct gpudx_part *part;
	const char *parser, *status, *reason, *damage, *encoding;
	uint32_t lines;
	int64_t bytes;
};

static void write_source(struct gpudx_run *run, const struct source_row *s)
{
	const struct gpudx_part *p = s->part;
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
	gpudx_row_str(&w, gpudx_clock_word(p ? (int)p->ctx.clock : GPUDX_CLOCK_NONE));
	gpudx_row_int(&w, run->members);
	gpudx_row_end(&w);
}

/* How much of it was understood. A line here and there that nobody knows does not count. */
static const char *read_status(uint32_t lines, uint32_t taken)
{
	return taken * 2 >= lines ? "read" : "partly";
}

static void finish_parts(struct gpudx_reading *r)
{
	for (struct gpudx_part *p = r->parts; p; p = p->next) {
		struct source_row s = { .parent = r->own->ctx.source,
					.m = r->m,
					.part = p,
					.lines = p->lines,
					.bytes = -1 };

		gpudx_reading_finish_part(r, p);
		s.id = p->ctx.source;
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
static const char *unread_reason(const struct gpudx_reading *r)
{
	const struct gpudx_lines *lines = r->lanes->lines;

	if (gpudx_lines_binary(lines))
		return binary_reason(r->m->path);
	if (r->what)
		return r->what;
	if (r->pending && r->command.n)
		return "the command without its output";
	return gpudx_lines_count(lines) ? "no known format" : NULL;
}

/* True when somebody could read it. */
static bool finish_lane(const struct gpudx_lanes *l, struct gpudx_lane *lane)
{
	struct gpudx_reading *r = &lane->r;
	struct gpudx_part *own = r->own;
	struct source_row s = { .m = r->m,
				.part = own,
				.parent = lane->parent,
				.lines = l->n == 1 ? gpudx_lines_count(l->lines) : r->seen,
				.bytes = lane->base ? -1 : gpudx_lines_bytes(l->lines),
				.encoding = gpudx_lines_encoding(l->lines),
				.damage = lane == l->first || l->stop ? l->cut : NULL };

	finish_parts(r);
	gpudx_reading_finish_part(r, own);
	s.id = own->ctx.source;
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
	write_source(r->run, &s);
	return s.parser != NULL;
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

static void finish_lanes(struct gpudx_lanes *l)
{
	bool read = false;

	for (struct gpudx_lane *lane = l->first; lane; lane = lane->next)
		read |= finish_lane(l, lane);
	l->run->unread += !read;
}

/* One source, or as many as there are hosts in the text. */
static enum gpudx_status read_text(struct gpudx_run *run, const struct gpudx_member *m,
				   enum gpudx_wrapping kind, struct gpudx_err *err)
{
	struct gpudx_lanes l = { .run = run,
				 .m = m,
				 .excerpt = kind == GPUDX_LOG_JSON || kind == GPUDX_LOG_CSV };
	enum gpudx_status rc;

	gpudx_arena_reset(&run->arena);
	run->recorder.metric_ids = (struct gpudx_map){ .arena = &run->arena };
	if (gpudx_unwrap_makes_records(kind))
		l.carriers = (struct gpudx_carriers){ { GPUDX_BY_RECORD }, 1 };
	rc = gpudx_lines_open(m->stream, &l.lines, err);
	if (rc)
		return rc;
	if (gpudx_lanes_read(&l))
		finish_lanes(&l);
	else
		rc = gpudx_nomem(err);
	gpudx_lanes_free(&l);
	gpudx_lines_close(l.lines);
	return rc;
}

static enum gpudx_status read_wrapped(struct gpudx_run *run, const struct gpudx_member *m,
				      enum gpudx_wrapping kind, struct gpudx_err *err)
{
	struct gpudx_member inner = *m;
	enum gpudx_status rc = gpudx_unwrap_open(m->stream, kind, &inner.stream, err);

	if (rc)
		return rc;
	rc = read_text(run, &inner, kind, err);
	gpudx_stream_close(inner.stream);
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
	kind = gpudx_wrapping_of(head);
	if (kind != GPUDX_NOT_WRAPPED)
		return read_wrapped(run, m, kind, err);
	return read_text(run, m, GPUDX_NOT_WRAPPED, err);
}
