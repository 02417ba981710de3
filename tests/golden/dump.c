/* gpudx-dump PARSER < input: what a parser says of it, as text. Goldens are made of this.
 * gpudx-dump --sniff PATH < input: which parser would be chosen for the head.
 * gpudx-dump --parsers: what there is. */
#include "ingest/match.h"
#include "ingest/sniff.h"
#include "parse/ctx.h"
#include "sig/sig.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char *const clocks[] = { "none", "boot", "noyear", "local", "utc" };

static void text(const char *name, struct gpudx_sv s)
{
	if (s.p)
		printf(" %s=%.*s", name, (int)s.n, s.p);
}

static void number(const char *name, double v)
{
	if (!isnan(v))
		printf(" %s=%.10g", name, v);
}

static void stamp(const struct gpudx_stamp *s)
{
	char buf[GPUDX_TIME_TEXT];

	if (s->kind == GPUDX_STAMP_BOOT)
		printf(" boot+%.6f", (double)s->t_us / 1e6);
	else if (s->kind != GPUDX_STAMP_NONE)
		printf(" %s(%s)", gpudx_time_text(s->t_us, s->kind == GPUDX_STAMP_UTC, buf),
		       clocks[s->kind]);
	if (s->mono_us != GPUDX_NO_TIME)
		printf(" mono=%.6f", (double)s->mono_us / 1e6);
}

static void when(int64_t t_us)
{
	char buf[GPUDX_TIME_TEXT];

	if (t_us != GPUDX_NO_TIME)
		printf(" t=%s", gpudx_time_text(t_us, false, buf));
}

static void dump_ref(const struct gpudx_rec *r)
{
	char bdf[GPUDX_BDF_TEXT];

	printf("gpu #%" PRIu32, r->id);
	if (r->ref->idx >= 0)
		printf(" idx=%" PRId32, r->ref->idx);
	if (r->ref->bdf.known)
		printf(" bdf=%s", gpudx_bdf_text(r->ref->bdf, bdf));
	text("uuid", r->ref->uuid);
	text("serial", r->ref->serial);
	if (r->ref->gi >= 0)
		printf(" gi=%" PRId32, r->ref->gi);
	if (r->ref->ci >= 0)
		printf(" ci=%" PRId32, r->ref->ci);
	if (r->boot)
		printf(" boot=%" PRId32, r->boot);
}

static void dump_sample(const struct gpudx_sample *s)
{
	static const char *const cols[GPUDX_COLS] = { "pstate",	 "sm",	   "mem",  "power",
						      "limit",	 "temp",   "util", "memutil",
						      "memused", "reasons" };

	printf("sample #%" PRIu32, s->ref);
	when(s->t_us);
	printf(" seq=%" PRId64, s->seq);
	for (int i = 0; i < GPUDX_COLS; i++)
		if (s->have >> i & 1)
			printf(" %s=%.10g", cols[i], s->v[i]);
}

static void dump_event(const struct gpudx_event *e, const char *what)
{
	printf("%s", what);
	if (!e)
		return;
	printf(" %.*s", (int)e->kind.n, e->kind.p);
	if (e->ref)
		printf(" #%" PRIu32, e->ref);
	if (e->code >= 0)
		printf(" code=%" PRId64, e->code);
	stamp(&e->stamp);
	if (e->pid >= 0)
		printf(" pid=%" PRId64, e->pid);
	text("process", e->process);
	if (e->repeats > 1)
		printf(" repeats=%" PRIu32, e->repeats);
	for (unsigned i = 0; i < e->nattrs; i++)
		printf(" %.*s=\"%.*s\"", (int)e->attrs[i].name.n, e->attrs[i].name.p,
		       (int)e->attrs[i].value.n, e->attrs[i].value.p);
}

static void dump_device(const struct gpudx_device *d)
{
	char bdf[GPUDX_BDF_TEXT];

	printf("device");
	if (d->bdf.known)
		printf(" bdf=%s", gpudx_bdf_text(d->bdf, bdf));
	if (d->ref)
		printf(" #%" PRIu32, d->ref);
	if (d->class_id != UINT32_MAX)
		printf(" class=%04" PRIx32, d->class_id);
	if (d->vendor_id != UINT32_MAX)
		printf(" id=%04" PRIx32 ":%04" PRIx32, d->vendor_id, d->device_id);
	text("name", d->name);
	text("driver", d->driver);
	text("slot", d->slot);
	text("port", d->port_type);
	if (d->cap_width || d->cap_gts > 0)
		printf(" cap=%gGT/s x%u@%" PRIu32, d->cap_gts, d->cap_width, d->line_cap);
	if (d->sta_width || d->sta_gts > 0)
		printf(" sta=%gGT/s x%u@%" PRIu32, d->sta_gts, d->sta_width, d->line_sta);
	if (d->target_gts > 0)
		printf(" target=%gGT/s", d->target_gts);
	if (d->secondary_bus >= 0)
		printf(" buses=%02x-%02x", (unsigned)d->secondary_bus,
		       (unsigned)d->subordinate_bus);
	if (d->numa_node >= 0)
		printf(" numa=%d", d->numa_node);
	if (d->iommu_group >= 0)
		printf(" group=%d", d->iommu_group);
	text("ue", d->ue_status);
	text("ce", d->ce_status);
	text("acs", d->acs_ctl);
	if (d->dead)
		printf(" dead");
	if (d->denied)
		printf(" denied");
}

static void dump_process(const struct gpudx_process *p)
{
	printf("process #%" PRIu32, p->ref);
	when(p->t_us);
	printf(" round=%" PRId64 " pid=%" PRId64, p->seq, p->pid);
	text("type", p->type);
	text("name", p->name);
	number("sm", p->sm_pct);
	number("mem", p->mem_pct);
	number("fb", p->fb_mib);
	if (p->gi >= 0)
		printf(" gi=%" PRId32 " ci=%" PRId32, p->gi, p->ci);
}

static void dump_anchor(const struct gpudx_anchor *a)
{
	char buf[GPUDX_TIME_TEXT];

	printf("anchor %.*s", (int)a->kind.n, a->kind.p);
	if (a->mono_us != GPUDX_NO_TIME)
		printf(" mono=%.6f", (double)a->mono_us / 1e6);
	if (a->local_us != GPUDX_NO_TIME)
		printf(" local=%s", gpudx_time_text(a->local_us, false, buf));
	if (a->utc_us != GPUDX_NO_TIME)
		printf(" utc=%s", gpudx_time_text(a->utc_us, true, buf));
	if (a->has_offset)
		printf(" offset=%+" PRId32 "min", a->offset_min);
}

static void dump_rest(const struct gpudx_rec *r)
{
	switch (r->kind) {
	case GPUDX_REC_FACT:
		printf("fact");
		if (r->fact->ref)
			printf(" #%" PRIu32, r->fact->ref);
		printf(" %.*s/%.*s=%.*s", (int)r->fact->key.n, r->fact->key.p,
		       (int)r->fact->layer.n, r->fact->layer.p ? r->fact->layer.p : "",
		       (int)r->fact->value.n, r->fact->value.p ? r->fact->value.p : "");
		stamp(&r->fact->stamp);
		break;
	case GPUDX_REC_INSTANCE:
		printf("instance #%" PRIu32 " gi=%" PRId32 " ci=%" PRId32, r->instance->ref,
		       r->instance->gi, r->instance->ci);
		text("profile", r->instance->profile);
		text("uuid", r->instance->uuid);
		break;
	case GPUDX_REC_METRIC:
		printf("metric #%" PRIu32 " %.*s=%.10g", r->metric->ref, (int)r->metric->key.n,
		       r->metric->key.p, r->metric->value);
		when(r->metric->t_us);
		break;
	case GPUDX_REC_REASONS:
		printf("reasons #%" PRIu32 " known=%#" PRIx32, r->id, r->reasons);
		break;
	case GPUDX_REC_REJECT:
		printf("reject %s", r->reject);
		break;
	default:
		printf("?");
	}
}

static void dump_put(struct gpudx_sink *sink, const struct gpudx_rec *r)
{
	(void)sink;
	printf("%" PRIu32 "\t", r->line);
	switch (r->kind) {
	case GPUDX_REC_REF:
		dump_ref(r);
		break;
	case GPUDX_REC_SAMPLE:
		dump_sample(r->sample);
		break;
	case GPUDX_REC_EVENT:
		printf("e%" PRIu32 " ", r->id);
		dump_event(r->event, "event");
		break;
	case GPUDX_REC_MORE:
		printf("e%" PRIu32 " ", r->id);
		dump_event(r->event, "more");
		break;
	case GPUDX_REC_PROCESS:
		dump_process(r->process);
		break;
	case GPUDX_REC_DEVICE:
		dump_device(r->device);
		break;
	case GPUDX_REC_ANCHOR:
		dump_anchor(r->anchor);
		break;
	default:
		dump_rest(r);
	}
	putchar('\n');
}

static int die(const struct gpudx_err *err)
{
	fprintf(stderr, "gpudx-dump: %s\n", err->text[0]);
	return 1;
}

static int sniff(struct gpudx_lines *lines, const struct gpudx_sigs *sigs, const char *path)
{
	struct gpudx_sniffer s = { .arena = { .limit = 4 << 20 },
				   .match = gpudx_signature_match,
				   .match_arg = sigs };
	struct gpudx_head head = gpudx_sniff_head(lines, sv_str(path), SV_LIT(""));
	const struct gpudx_parser *p = gpudx_sniff(&s, &head, true);

	if (!p)
		p = gpudx_sniff(&s, &head, false);
	puts(p ? p->name : "-");
	gpudx_arena_free(&s.arena);
	return 0;
}

static int dump(struct gpudx_lines *lines, const struct gpudx_sigs *sigs,
		const struct gpudx_parser *p, const char *command)
{
	static const char *const takes[] = { "not-mine", "taken", "bad" };
	struct gpudx_arena arena = { .limit = 16 << 20 };
	struct gpudx_sink sink = { dump_put };
	struct gpudx_ids ids = { 0 };
	struct gpudx_head head = gpudx_sniff_head(lines, SV_LIT(""), sv_str(command));
	struct gpudx_ctx c = { .parser = p,
			       .sink = &sink,
			       .ids = &ids,
			       .arena = &arena,
			       .source = 1,
			       .command = sv_str(command),
			       .head = &head,
			       .match = gpudx_signature_match,
			       .match_arg = sigs };
	const struct gpudx_line *line;
	unsigned n[3] = { 0 };

	if (!gpudx_ctx_begin(&c))
		return 1;
	if (p->flags & GPUDX_P_FIND)
		gpudx_lines_find(lines, gpudx_prefilter_find, gpudx_sigs_filter(sigs));
	while ((line = gpudx_lines_next(lines)) != NULL) {
		if (!gpudx_ctx_wants(p, line))
			continue;
		n[gpudx_ctx_line(&c, line)]++;
	}
	if (c.line)
		gpudx_ctx_finish(&c);
	printf("=\tclock=%s%s", clocks[c.clock], c.excerpt ? " excerpt" : "");
	for (int i = 0; i < 3; i++)
		printf(" %s=%u", takes[i], n[i]);
	putchar('\n');
	gpudx_arena_free(&arena);
	return c.failed;
}

/* For docs/parsers.md. */
static int list_parsers(void)
{
	for (const struct gpudx_parser *const *p = gpudx_parsers; *p; p++)
		printf("%s\t%s\n", (*p)->name, (*p)->what);
	return 0;
}

int main(int argc, char **argv)
{
	struct gpudx_budget budget = gpudx_budget_default;
	const struct gpudx_parser *p;
	struct gpudx_err err = { 0 };
	struct gpudx_fd_stream in;
	struct gpudx_lines *lines;
	struct gpudx_sigs *sigs;
	int rc;

	if (argc < 2) {
		fputs("usage: gpudx-dump PARSER [COMMAND] | --sniff PATH | --parsers\n", stderr);
		return 2;
	}
	if (strcmp(argv[1], "--parsers") == 0)
		return list_parsers();
	gpudx_fd_stream_init(&in, STDIN_FILENO, &budget, NULL);
	if (gpudx_sigs_load(&sigs, &err) || gpudx_lines_open(&in.base, &lines, &err))
		return die(&err);
	p = gpudx_parser_by_name(sv_str(argv[1]));
	if (strcmp(argv[1], "--sniff") == 0) {
		rc = sniff(lines, sigs, argc > 2 ? argv[2] : "");
	} else if (p) {
		rc = dump(lines, sigs, p, argc > 2 ? argv[2] : "");
	} else {
		gpudx_fail(&err, GPUDX_E_USAGE, "no parser is called %s", argv[1]);
		rc = die(&err);
	}
	gpudx_lines_close(lines);
	gpudx_sigs_free(sigs);
	free(in.base.peeked);
	return rc;
}
