/* The report in Markdown, for an issue, a chat or a mail: the same order and words as on a terminal,
 * and readable without being rendered. All that is said goes through markdown.h. */
#include "report/markdown.h"
#include "report/report.h"
#include "report/words.h"

#include "base/utf8.h"

#include <math.h>

enum { QUOTED = 40 }; /* lines of evidence quoted with one finding */

struct md {
	const struct rep_model *m;
	struct gpudx_buf *b;
	struct gpudx_buf line; /* what is being composed */
};

static struct gpudx_sv composed(const struct md *d)
{
	return sv_n(d->line.n ? d->line.p : "", d->line.n);
}

/* Writes what is composed as running text. */
static void put_line(struct md *d)
{
	gpudx_md_text(d->b, composed(d));
	gpudx_buf_clear(&d->line);
}

static void paragraph(struct md *d)
{
	put_line(d);
	gpudx_buf_str(d->b, "\n\n");
}

static void head(struct md *d)
{
	const struct rep_model *m = d->m;

	gpudx_word_read(&d->line, m);
	paragraph(d);
	gpudx_buf_str(&d->line, "Times: ");
	gpudx_word_times(&d->line, m);
	gpudx_word_measured(&d->line, m, " · ");
	paragraph(d);
	if (m->limit_hit.n) {
		gpudx_buf_str(&d->line, "Reading ended early: ");
		gpudx_buf_sv(&d->line, m->limit_hit);
		paragraph(d);
	}
	if (m->damaged.n) {
		gpudx_buf_str(&d->line, "Damaged: ");
		gpudx_word_damage(&d->line, m);
		paragraph(d);
	}
}

/* ---- one finding ---- */

static void put_places(struct md *d, const struct rep_evidence *e)
{
	for (size_t i = 0; i < e->n; i++) {
		gpudx_word_path(&d->line, e->places[i].path, 80);
		gpudx_buf_char(&d->line, ':');
		gpudx_word_lines(&d->line, &e->places[i], 4);
		gpudx_buf_str(d->b, i ? ", " : "");
		gpudx_md_code(d->b, composed(d), false);
		gpudx_buf_clear(&d->line);
	}
}

static void quoted_line(struct md *d, const struct rep_place *p, const struct rep_line *l)
{
	gpudx_word_path(&d->line, p->path, 60);
	gpudx_buf_printf(&d->line, ":%u  ", l->number);
	if (l->text.p)
		gpudx_utf8_show(&d->line, l->text);
	gpudx_buf_str(&d->line, !l->text.p    ? "(text not kept)\n"
				: l->verbatim ? "\n"
					      : "  (from the stored columns)\n");
}

/* The cited lines themselves, as far as there is room. */
static void quote(struct md *d, const struct rep_evidence *e, int64_t more)
{
	int said = 0;

	for (size_t i = 0; i < e->n; i++)
		for (size_t k = 0; k < e->places[i].n; k++) {
			if (!e->places[i].lines[k].cited)
				continue;
			if (said++ < QUOTED)
				quoted_line(d, &e->places[i], &e->places[i].lines[k]);
			else if (more < INT64_MAX)
				more++;
		}
	if (more)
		gpudx_buf_printf(&d->line, "and %lld lines more\n", (long long)more);
	if (d->line.n)
		gpudx_md_block(d->b, "", composed(d));
	gpudx_buf_clear(&d->line);
	gpudx_buf_str(d->b, said ? "\n" : "");
}

static void span(struct md *d, const struct rep_finding *f)
{
	char when[2 * REP_TIME_TEXT];

	if (*gpudx_word_span(&f->span, gpudx_word_mark_utc(d->m), when))
		gpudx_buf_str(&d->line, when);
}

/* "Do now: Drain and reset the GPU. ...", and how to settle what is open. */
static void advice(struct md *d, const struct rep_finding *f, struct gpudx_sv action,
		   const char *lead)
{
	const char *words = gpudx_word_action(action);

	gpudx_buf_str(&d->line, words);
	if (f->remedy.n) {
		gpudx_buf_str(&d->line, *words ? " " : "");
		gpudx_buf_sv(&d->line, f->remedy);
	}
	if (d->line.n) {
		gpudx_buf_printf(d->b, "**%s:** ", lead);
		paragraph(d);
	}
	if (f->settle_command.n) {
		gpudx_buf_str(d->b, "To settle it:\n\n");
		gpudx_md_block(d->b, "sh", f->settle_command);
		gpudx_buf_char(d->b, '\n');
	}
}

static void against(struct md *d, const struct rep_finding *f)
{
	if (!f->against.n)
		return;
	gpudx_buf_str(d->b, "Against it: ");
	put_places(d, &f->against);
	gpudx_buf_str(d->b, "\n\n");
}

static void tag(struct md *d, const struct rep_finding *f)
{
	gpudx_buf_str(d->b, " (");
	gpudx_md_code(d->b, f->rule, false);
	gpudx_buf_printf(d->b, ", %s)", gpudx_word_severity_name(f->severity));
}

static void folded(struct md *d, const struct rep_finding *f)
{
	if (!f->nfolded)
		return;
	gpudx_buf_str(d->b, "What follows from it:\n\n");
	for (size_t i = 0; i < f->nfolded; i++) {
		gpudx_buf_str(d->b, "- ");
		gpudx_word_summary(&d->line, d->m, f->folded[i]);
		put_line(d);
		tag(d, f->folded[i]);
		gpudx_buf_char(d->b, '\n');
	}
	gpudx_buf_char(d->b, '\n');
}

static void finding(struct md *d, const struct rep_finding *f, struct gpudx_sv action,
		    const char *lead)
{
	gpudx_buf_str(d->b, "**");
	gpudx_word_summary(&d->line, d->m, f);
	put_line(d);
	gpudx_buf_str(d->b, "**");
	tag(d, f);
	gpudx_buf_str(d->b, "\n\n");
	span(d, f);
	if (d->line.n)
		paragraph(d);
	if (f->meaning.n) {
		gpudx_md_text(d->b, f->meaning);
		gpudx_buf_str(d->b, "\n\n");
	}
	quote(d, &f->shown, f->more_lines);
	against(d, f);
	folded(d, f);
	advice(d, f, action, lead);
}

/* ---- GPUs that a verdict is about, side by side ---- */

static void cell(struct md *d, double v, const char *unit)
{
	if (isfinite(v))
		gpudx_buf_printf(d->b, " %.0f %s |", v, unit);
	else
		gpudx_buf_str(d->b, " |");
}

static void gpu_table(struct md *d, const struct rep_finding *f)
{
	bool any = false;

	for (size_t i = 0; f->ngpus > 1 && i < f->ngpus; i++) {
		const struct rep_ref *r = gpudx_model_ref(d->m, f, f->gpus[i]);

		if (!r || !isfinite(r->clock_mhz))
			continue;
		if (!any)
			gpudx_buf_str(d->b, "| GPU | SM clock, mean | busy | hottest | power |\n"
					    "|---|---:|---:|---:|---:|\n");
		any = true;
		gpudx_word_gpu(&d->line, d->m, f->gpus[i]);
		gpudx_buf_str(d->b, "| ");
		put_line(d);
		gpudx_buf_str(d->b, " |");
		cell(d, r->clock_mhz, "MHz");
		cell(d, r->util_pct, "%");
		cell(d, r->temp_max_c, "C");
		cell(d, r->power_w, "W");
		gpudx_buf_char(d->b, '\n');
	}
	gpudx_buf_str(d->b, any ? "\n" : "");
}

/* ---- the parts ---- */

static void reason(struct md *d)
{
	const struct rep_model *m = d->m;

	gpudx_md_text(d->b, m->reason.n ? m->reason : SV_LIT("No rule has judged this bundle."));
	gpudx_buf_str(d->b, "\n\n");
}

static void verdict(struct md *d)
{
	const struct rep_model *m = d->m;
	const struct rep_finding *f = m->first;
	const char *note = gpudx_word_kind_note(m->kind);
	const char *points = f && sv_is(m->kind, "fault") ? gpudx_word_points(f->points) : "";

	gpudx_buf_printf(d->b, "## %s%s%s%s%s\n\n", gpudx_word_kind(m->kind), *note ? ", " : "",
			 note, *points ? ": " : "", points);
	if (!f) {
		reason(d);
		return;
	}
	gpudx_buf_printf(d->b, "Confidence %s.\n\n", gpudx_word_confidence(f->confidence));
	gpu_table(d, f);
	finding(d, f, m->action, "Do now");
}

/* The other roots: those that answer another question under a heading of their own, the rest as a
 * list. */
static void others(struct md *d)
{
	const struct rep_model *m = d->m;
	bool any = false;

	for (size_t i = 0; i < m->nroots; i++) {
		const struct rep_finding *f = &m->findings[i];

		if (!gpudx_model_other_question(m, f))
			continue;
		gpudx_buf_printf(d->b, "## If the complaint was %s\n\n",
				 gpudx_word_symptom(f->symptom));
		finding(d, f, f->action, "Do");
	}
	for (size_t i = 0; i < m->nfindings; i++) {
		const struct rep_finding *f = &m->findings[i];

		if (f == m->first || f->root || gpudx_model_other_question(m, f))
			continue;
		gpudx_buf_str(d->b, any ? "- " : "## Also\n\n- ");
		any = true;
		gpudx_word_summary(&d->line, m, f);
		put_line(d);
		tag(d, f);
		gpudx_buf_str(d->b, f->shown.n ? ": " : "");
		put_places(d, &f->shown);
		gpudx_buf_char(d->b, '\n');
	}
	if (m->counts.findings > (int64_t)m->nfindings)
		gpudx_buf_printf(d->b, "- %lld findings more are not listed here\n",
				 (long long)(m->counts.findings - (int64_t)m->nfindings));
	gpudx_buf_str(d->b, any ? "\n" : "");
}

static void titles(struct md *d, const char *heading, enum rep_outcome outcome)
{
	bool any = false;

	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < d->m->nrules; i++) {
			const struct rep_rule *r = &d->m->rules[i];

			if (r->outcome != outcome || r->relevant != !pass)
				continue;
			if (!any)
				gpudx_buf_printf(d->b, "## %s\n\n", heading);
			else
				gpudx_buf_str(d->b, " · ");
			any = true;
			gpudx_md_text(d->b, r->title);
		}
	gpudx_buf_str(d->b, any ? "\n\n" : "");
}

static void collects(struct md *d)
{
	bool any = false;

	for (size_t i = 0; i < d->m->ncollects; i++) {
		if (!d->m->collects[i].command.n)
			continue;
		any = true;
		gpudx_buf_sv(&d->line, d->m->collects[i].command);
		gpudx_buf_char(&d->line, '\n');
	}
	if (!any || sv_is(d->m->kind, "healthy")) {
		gpudx_buf_clear(&d->line);
		return;
	}
	gpudx_buf_str(d->b, "What would tell:\n\n");
	gpudx_md_block(d->b, "sh", composed(d));
	gpudx_buf_clear(&d->line);
	gpudx_buf_char(d->b, '\n');
}

/* Where sources disagree, or something changed. */
static void contract(struct md *d)
{
	bool any = false;

	for (size_t i = 0; i < d->m->nterms; i++)
		for (size_t k = 0; k < d->m->terms[i].nvalues; k++) {
			const struct rep_term *t = &d->m->terms[i];
			const struct rep_value *v = &t->values[k];

			if (!sv_is(v->state, "conflict") && !sv_is(v->state, "changed"))
				continue;
			if (!any)
				gpudx_buf_str(d->b, "## Sources disagree, or it changed\n\n"
						    "| what | of | says | value | |\n"
						    "|---|---|---|---|---|\n");
			any = true;
			gpudx_buf_str(d->b, "| ");
			gpudx_md_code(d->b, t->key, true);
			gpudx_buf_str(d->b, " | ");
			gpudx_md_text(d->b, v->gpu ? v->gpu->label : sv_str(t->host->label));
			gpudx_word_path(&d->line, v->path, 80);
			gpudx_buf_printf(&d->line, ":%u", v->line);
			gpudx_buf_str(d->b, " | ");
			gpudx_md_code(d->b, composed(d), true);
			gpudx_buf_clear(&d->line);
			gpudx_buf_str(d->b, " | ");
			gpudx_word_value(&d->line, v);
			put_line(d);
			gpudx_buf_str(d->b, " | ");
			gpudx_md_text(d->b, v->state);
			gpudx_buf_str(d->b, " |\n");
		}
	gpudx_buf_str(d->b, any ? "\n" : "");
}

static void foot(struct md *d)
{
	const unsigned *n = d->m->counts.rules;

	for (size_t i = 0; i < d->m->nrules; i++) {
		const struct rep_rule *r = &d->m->rules[i];

		if (r->outcome != REP_FAILED)
			continue;
		gpudx_buf_str(d->b, "Broken rule ");
		gpudx_md_code(d->b, r->id, false);
		gpudx_buf_str(d->b, ": ");
		gpudx_md_text(d->b, r->message.p ? r->message : SV_LIT("no reason given"));
		gpudx_buf_str(d->b, "\n\n");
	}
	gpudx_buf_printf(&d->line, "Rules: %u fired, %u clean, %u not checkable", n[REP_FIRED],
			 n[REP_CLEAN], n[REP_LACKING]);
	if (n[REP_FAILED])
		gpudx_buf_printf(&d->line, ", %u broken", n[REP_FAILED]);
	gpudx_buf_str(&d->line, ". gpudx ");
	gpudx_buf_sv(&d->line, d->m->version.p ? d->m->version : SV_LIT("(version unknown)"));
	put_line(d);
	gpudx_buf_char(d->b, '\n');
}

enum gpudx_status gpudx_report_md(const struct rep_model *m, struct rep_out *out,
				  struct gpudx_err *err)
{
	struct md d = { .m = m, .b = &out->b, .line = { .max = 1 << 20 } };
	bool failed;

	head(&d);
	verdict(&d);
	others(&d);
	contract(&d);
	titles(&d, "Excluded", REP_CLEAN);
	titles(&d, "Cannot tell", REP_LACKING);
	collects(&d);
	foot(&d);
	failed = d.line.failed || out->b.failed;
	gpudx_buf_free(&d.line);
	gpudx_report_flush(out);
	return failed ? gpudx_fail(err, GPUDX_E_LIMIT, "the Markdown report is too large")
		      : GPUDX_OK;
}
