/* Runs a parser over a text and keeps what it says as lines: "sample #1 seq=0 power=210". */
#ifndef GPUDX_TEST_SMI_SAID_H
#define GPUDX_TEST_SMI_SAID_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "parse/ctx.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct said {
	struct gpudx_sink sink;
	struct gpudx_ctx ctx;
	struct gpudx_arena arena;
	struct gpudx_ids ids;
	char text[1 << 16];
	size_t n;
	unsigned takes[3];
};

static void said_add(struct said *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void said_add(struct said *s, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(s->text + s->n, sizeof(s->text) - s->n, fmt, ap);
	va_end(ap);
	assert_true(n >= 0 && (size_t)n < sizeof(s->text) - s->n);
	s->n += (size_t)n;
}

static void said_time(struct said *s, int64_t t_us)
{
	char buf[GPUDX_TIME_TEXT];

	if (t_us != GPUDX_NO_TIME)
		said_add(s, " t=%s", gpudx_time_text(t_us, false, buf));
}

static void said_word(struct said *s, const char *name, struct gpudx_sv v)
{
	if (v.p)
		said_add(s, " %s=%.*s", name, (int)v.n, v.p);
}

static void said_sample(struct said *s, const struct gpudx_sample *v)
{
	static const char *const cols[GPUDX_COLS] = { "pstate",	 "sm",	   "mem",  "power",
						      "limit",	 "temp",   "util", "memutil",
						      "memused", "reasons" };

	said_add(s, "sample #%" PRIu32, v->ref);
	said_time(s, v->t_us);
	said_add(s, " seq=%" PRId64, v->seq);
	for (int i = 0; i < GPUDX_COLS; i++)
		if (v->have >> i & 1)
			said_add(s, " %s=%g", cols[i], v->v[i]);
}

static void said_event(struct said *s, const struct gpudx_event *e)
{
	said_add(s, "%.*s", (int)e->kind.n, e->kind.p);
	if (e->ref)
		said_add(s, " #%" PRIu32, e->ref);
	said_time(s, e->stamp.t_us);
	for (unsigned i = 0; i < e->nattrs; i++)
		said_word(s, e->attrs[i].name.p, e->attrs[i].value);
}

static void said_process(struct said *s, const struct gpudx_process *p)
{
	said_add(s, "process #%" PRIu32 " round=%" PRId64 " pid=%" PRId64, p->ref, p->seq, p->pid);
	said_word(s, "type", p->type);
	said_word(s, "name", p->name);
	if (!isnan(p->sm_pct))
		said_add(s, " sm=%g", p->sm_pct);
	if (!isnan(p->fb_mib))
		said_add(s, " fb=%g", p->fb_mib);
	if (p->gi >= 0)
		said_add(s, " gi=%" PRId32 " ci=%" PRId32, p->gi, p->ci);
}

static void said_ref(struct said *s, const struct gpudx_rec *r)
{
	char bdf[GPUDX_BDF_TEXT];

	said_add(s, "gpu #%" PRIu32, r->id);
	if (r->ref->idx >= 0)
		said_add(s, " idx=%" PRId32, r->ref->idx);
	if (r->ref->bdf.known)
		said_add(s, " bdf=%s", gpudx_bdf_text(r->ref->bdf, bdf));
	said_word(s, "uuid", r->ref->uuid);
	said_word(s, "serial", r->ref->serial);
	if (r->ref->gi >= 0)
		said_add(s, " gi=%" PRId32, r->ref->gi);
}

static void said_put(struct gpudx_sink *sink, const struct gpudx_rec *r)
{
	struct said *s = (struct said *)sink;

	said_add(s, "%" PRIu32 ": ", r->line);
	switch (r->kind) {
	case GPUDX_REC_REF:
		said_ref(s, r);
		break;
	case GPUDX_REC_SAMPLE:
		said_sample(s, r->sample);
		break;
	case GPUDX_REC_FACT:
		said_add(s, "fact #%" PRIu32 " %.*s/%.*s=%.*s%s", r->fact->ref, (int)r->fact->key.n,
			 r->fact->key.p, (int)r->fact->layer.n, r->fact->layer.p,
			 (int)r->fact->value.n, r->fact->value.p, r->fact->has_num ? " num" : "");
		break;
	case GPUDX_REC_EVENT:
		said_add(s, "event ");
		said_event(s, r->event);
		break;
	case GPUDX_REC_MORE:
		said_add(s, "more ");
		if (r->event)
			said_event(s, r->event);
		break;
	case GPUDX_REC_PROCESS:
		said_process(s, r->process);
		break;
	case GPUDX_REC_INSTANCE:
		said_add(s, "instance #%" PRIu32 " gi=%" PRId32 " ci=%" PRId32, r->instance->ref,
			 r->instance->gi, r->instance->ci);
		break;
	case GPUDX_REC_METRIC:
		said_add(s, "metric #%" PRIu32 " %.*s=%g", r->metric->ref, (int)r->metric->key.n,
			 r->metric->key.p, r->metric->value);
		break;
	case GPUDX_REC_REJECT:
		said_add(s, "reject %s", r->reject);
		break;
	default:
		said_add(s, "other");
	}
	said_add(s, "\n");
}

/* The lines of a text as a head; the last one may lack its line feed. */
static size_t said_lines(const char *text, struct gpudx_line *lines, size_t max)
{
	struct gpudx_sv rest = sv_str(text), line;
	size_t n = 0;
	uint32_t no = 0;

	while (n < max && rest.n) {
		bool whole = sv_index(rest, '\n') < rest.n;

		no++;
		sv_line(&rest, &line);
		lines[n++] = (struct gpudx_line){ .text = line,
						  .no = no,
						  .flags = whole ? 0 : GPUDX_LINE_NO_LF };
	}
	return n;
}

/* The caller frees it. */
static inline struct said *said_of(const char *parser, const char *command, const char *path,
				   const char *text)
{
	struct said *s = calloc(1, sizeof(*s));
	static const size_t max = 512;
	struct gpudx_line *lines = calloc(max, sizeof(*lines));
	struct gpudx_head head = { .path = sv_str(path), .command = sv_str(command) };

	assert_non_null(s);
	assert_non_null(lines);
	head.lines = lines;
	head.n = said_lines(text, lines, max);
	s->sink.put = said_put;
	s->arena.limit = 4 << 20;
	s->ctx = (struct gpudx_ctx){ .parser = gpudx_parser_by_name(sv_str(parser)),
				     .sink = &s->sink,
				     .ids = &s->ids,
				     .arena = &s->arena,
				     .source = 1,
				     .path = sv_str(path),
				     .command = sv_str(command),
				     .head = &head };
	assert_non_null(s->ctx.parser);
	assert_true(gpudx_ctx_begin(&s->ctx));
	for (size_t i = 0; i < head.n; i++)
		if (!sv_blank(lines[i].text))
			s->takes[gpudx_ctx_line(&s->ctx, &lines[i])]++;
	gpudx_ctx_finish(&s->ctx);
	free(lines);
	return s;
}

static inline void said_free(struct said *s)
{
	gpudx_arena_free(&s->arena);
	free(s);
}

/* How often a piece of text stands in what was said. */
static inline unsigned said_count(const struct said *s, const char *piece)
{
	const char *at = s->text;
	unsigned n = 0;

	while ((at = strstr(at, piece)) != NULL) {
		n++;
		at++;
	}
	return n;
}

static inline void said_has(const struct said *s, const char *piece)
{
	if (!strstr(s->text, piece))
		fail_msg("not said: %s\nsaid:\n%s", piece, s->text);
}

static inline void said_lacks(const struct said *s, const char *piece)
{
	if (strstr(s->text, piece))
		fail_msg("said: %s\nall:\n%s", piece, s->text);
}

#endif
