/* Any bytes through one parser, whose name is in GPUDX_FUZZ_PARSER. A first line "$ COMMAND" is
 * what is said to have printed the rest. What a parser emits must keep the promises of record.h. */
#include "fuzz.h"

#include "ingest/match.h"
#include "ingest/sniff.h"
#include "parse/ctx.h"

#include <math.h>

struct checker {
	struct gpudx_sink sink; /* first */
	const struct gpudx_ctx *ctx;
	const struct gpudx_ids *ids;
};

static void known_ref(const struct checker *k, uint32_t ref)
{
	must(ref <= k->ids->ref, "a handle that was given out");
}

static void some_ref(const struct checker *k, uint32_t ref)
{
	known_ref(k, ref);
	must(ref != 0 || k->ctx->failed, "a handle where the record is of one GPU");
}

/* The tools print years of four digits; far less would overflow. */
static void sane_time(int64_t t_us)
{
	must(t_us == GPUDX_NO_TIME ||
		     (t_us > -INT64_C(4000000000000000000) && t_us < INT64_C(4000000000000000000)),
	     "a time that can be reckoned with");
}

static void check_sample(const struct checker *k, const struct gpudx_sample *s)
{
	some_ref(k, s->ref);
	sane_time(s->t_us);
	must(s->seq >= 0 && s->seq < INT64_C(1) << 33, "a step that lines can have counted");
	must(s->have >> GPUDX_COLS == 0, "only columns that there are");
	for (int c = 0; c < GPUDX_COLS; c++)
		must(!(s->have >> c & 1) || isfinite(s->v[c]), "a value that is a number");
}

static void check_event(const struct checker *k, const struct gpudx_event *e)
{
	known_ref(k, e->ref);
	must(e->kind.n > 0, "an event has a kind");
	must(e->nattrs <= GPUDX_ATTRS_MAX, "not more attributes than there is room for");
	sane_time(e->stamp.t_us);
	sane_time(e->stamp.mono_us);
	touch(e->kind), touch(e->process), touch(e->text);
	for (unsigned i = 0; i < e->nattrs; i++)
		touch(e->attrs[i].name), touch(e->attrs[i].value);
}

static void check_device(const struct checker *k, const struct gpudx_device *d)
{
	known_ref(k, d->ref);
	must(d->bdf.known || d->ref || k->ctx->excerpt, "a device is somewhere, but in an excerpt");
	must(isfinite(d->cap_gts) && isfinite(d->sta_gts) && isfinite(d->target_gts),
	     "speeds are numbers");
	must(d->line_cap <= k->ctx->at.no && d->line_sta <= k->ctx->at.no, "lines that were seen");
	touch(d->name), touch(d->driver), touch(d->slot), touch(d->port_type);
	touch(d->ue_status), touch(d->ce_status), touch(d->acs_ctl);
}

static void check_fact(const struct checker *k, const struct gpudx_fact *f)
{
	known_ref(k, f->ref);
	must(f->key.n > 0 && f->value.p, "a fact has a key and a value");
	must(!f->has_num || isfinite(f->num), "a number is one");
	sane_time(f->stamp.t_us);
	touch(f->key), touch(f->layer), touch(f->value);
}

static void check_rest(const struct checker *k, const struct gpudx_rec *r)
{
	switch (r->kind) {
	case GPUDX_REC_REF:
		touch(r->ref->uuid), touch(r->ref->serial);
		break;
	case GPUDX_REC_PROCESS:
		known_ref(k, r->process->ref);
		sane_time(r->process->t_us);
		touch(r->process->type), touch(r->process->name);
		break;
	case GPUDX_REC_ANCHOR:
		sane_time(r->anchor->mono_us), sane_time(r->anchor->local_us),
			sane_time(r->anchor->utc_us);
		touch(r->anchor->kind);
		break;
	case GPUDX_REC_INSTANCE:
		some_ref(k, r->instance->ref);
		touch(r->instance->profile), touch(r->instance->uuid);
		break;
	case GPUDX_REC_METRIC:
		known_ref(k, r->metric->ref);
		sane_time(r->metric->t_us);
		must(isfinite(r->metric->value), "a value that is a number");
		touch(r->metric->key), touch(r->metric->unit);
		break;
	case GPUDX_REC_REASONS:
		some_ref(k, r->id);
		break;
	case GPUDX_REC_REJECT:
		touch(sv_str(r->reject));
		break;
	default:
		must(0, "a kind of record that there is");
	}
}

static void check(struct gpudx_sink *sink, const struct gpudx_rec *r)
{
	const struct checker *k = (const struct checker *)sink;

	must(r->source == k->ctx->source && r->boot >= 0, "its own source, and a boot");
	must(!k->ctx->line || (r->line >= 1 && r->line <= k->ctx->at.no), "a line that was seen");
	switch (r->kind) {
	case GPUDX_REC_SAMPLE:
		check_sample(k, r->sample);
		break;
	case GPUDX_REC_FACT:
		check_fact(k, r->fact);
		break;
	case GPUDX_REC_EVENT:
		check_event(k, r->event);
		must(r->id == k->ids->event, "events are numbered in order");
		break;
	case GPUDX_REC_MORE:
		must(r->id && r->id <= k->ids->event, "more of an event that there is");
		if (r->event)
			check_event(k, r->event);
		break;
	case GPUDX_REC_DEVICE:
		check_device(k, r->device);
		break;
	default:
		check_rest(k, r);
	}
}

static const struct gpudx_parser *the_parser(void)
{
	static const struct gpudx_parser *parser;

	if (!parser)
		parser = gpudx_parser_by_name(sv_str(getenv("GPUDX_FUZZ_PARSER")));
	must(parser != NULL, "GPUDX_FUZZ_PARSER names a parser");
	return parser;
}

static void feed(struct gpudx_ctx *c, struct gpudx_lines *lines)
{
	const struct gpudx_parser *p = c->parser;
	const struct gpudx_line *line;
	uint32_t rejected;

	if (p->flags & GPUDX_P_FIND)
		gpudx_lines_find(lines, gpudx_prefilter_find, gpudx_sigs_filter(fuzz_sigs()));
	while (!c->failed && (line = gpudx_lines_next(lines)) != NULL) {
		bool blank = sv_blank(line->text);
		enum gpudx_take take;

		if (blank && !(p->flags & GPUDX_P_BLANKS))
			continue;
		rejected = c->rejected;
		take = gpudx_ctx_line(c, line);
		must(take == GPUDX_NOT_MINE || take == GPUDX_TAKEN || take == GPUDX_BAD,
		     "one of three answers");
		must(take != GPUDX_BAD || c->rejected > rejected || c->last_rejected == c->at.no,
		     "a bad line is counted");
		if (!blank && p->starts)
			p->starts(line->text);
	}
	if (c->line)
		gpudx_ctx_finish(c);
}

static void read_all(struct gpudx_lines *lines, struct gpudx_sv command)
{
	struct gpudx_arena arena = { .limit = 4 << 20 };
	struct gpudx_head head = gpudx_sniff_head(lines, SV_LIT("x"), command);
	struct gpudx_ids ids = { 0 };
	struct gpudx_ctx c = { .parser = the_parser(),
			       .ids = &ids,
			       .arena = &arena,
			       .source = 1,
			       .path = SV("x"),
			       .command = command,
			       .head = &head,
			       .match = gpudx_signature_match,
			       .match_arg = fuzz_sigs() };
	struct checker checker = { { check }, &c, &ids };

	c.sink = &checker.sink;
	if (c.parser->bid) {
		int bid = c.parser->bid(&head);

		must(bid >= 0 && bid <= 100, "a bid is 0 to 100");
	}
	if (gpudx_ctx_begin(&c))
		feed(&c, lines);
	gpudx_arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct gpudx_sv text = sv_n((const char *)p, n), command = SV_LIT("");
	struct gpudx_err err = { 0 };
	struct gpudx_lines *lines;
	struct mem_stream m;

	if (sv_lit(&text, "$ "))
		sv_line(&text, &command);
	must_ok(gpudx_lines_open(mem_open(&m, text, 0), &lines, &err), &err);
	read_all(lines, command);
	gpudx_lines_close(lines);
	mem_close(&m);
	return 0;
}
