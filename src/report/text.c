/* The report on a terminal: one screen, the verdict first, ids at the line ends.
 *
 *	power-cap: 14 files read, 0 unread · 1 GPU: A100-SXM4-40GB at 3b:00.0 · driver 550.54.14
 *	times: local, zone not in the bundle (set --tz)
 *
 *	EXPLANATION, not a fault                                                  confidence high
 *	  GPU 0: SM clock 1410 -> 1140 MHz at 401 of 400 W                power.cap-clock-drop  I
 *	    trace.csv:4-6 · nvidia-smi-q-power.txt:1-3
 *	  DO NOW  Nothing to repair.
 *
 * With a height given, less and less is said of what is less important until it fits. */
#include "base/utf8.h"
#include "report/layout.h"
#include "report/report.h"
#include "report/words.h"

#include <math.h>

/* How many lines or items each part may have. */
struct fit {
	int summary, meaning, evidence, remedy, command, roots, also, titles;
	bool gpus;  /* a row for each GPU */
	bool quote; /* the cited lines themselves */
};

enum { ALL = 1000000 };

static const struct fit everything = { ALL, ALL, ALL, ALL, ALL, ALL, ALL, ALL, true, true };
/* summary, meaning, evidence, remedy, command, roots, also, titles; gpus, quote */
static const struct fit fits[] = {
	{ 3, 3, 6, 3, 3, 2, 8, 3, true, false },  { 3, 3, 6, 3, 3, 2, 6, 2, true, false },
	{ 3, 2, 5, 3, 3, 2, 5, 2, true, false },  { 3, 2, 5, 2, 3, 2, 4, 2, true, false },
	{ 3, 2, 4, 2, 3, 1, 4, 2, true, false },  { 3, 2, 4, 2, 1, 1, 4, 2, true, false },
	{ 3, 2, 4, 2, 1, 1, 3, 1, true, false },  { 2, 1, 4, 2, 1, 1, 3, 1, true, false },
	{ 2, 1, 3, 2, 1, 1, 2, 1, true, false },  { 2, 1, 2, 2, 1, 1, 2, 1, false, false },
	{ 2, 1, 2, 1, 1, 0, 2, 1, false, false }, { 2, 0, 1, 1, 1, 0, 1, 1, false, false },
};

struct text {
	const struct rep_model *m;
	const struct gpudx_report_options *o;
	struct rep_layout l;
	struct fit fit;
	struct gpudx_buf line; /* what is being composed */
};

static struct gpudx_sv composed(const struct gpudx_buf *b)
{
	return sv_n(b->n ? b->p : "", b->n);
}

static void print(struct text *t, int indent, enum rep_style style)
{
	gpudx_layout_line(&t->l, indent, style, composed(&t->line), sv_n(NULL, 0));
	gpudx_buf_clear(&t->line);
}

static void separate(struct gpudx_buf *b)
{
	gpudx_buf_str(b, b->n ? " · " : "");
}

static void capitals(struct gpudx_buf *b, const char *words)
{
	for (; *words; words++)
		gpudx_buf_char(b, (char)(*words >= 'a' && *words <= 'z' ? *words - 32 : *words));
}

/* ---- the head ---- */

static void head(struct text *t)
{
	const struct rep_model *m = t->m;
	struct gpudx_buf *b = &t->line;

	gpudx_word_read(b, m);
	print(t, 0, REP_PLAIN);
	gpudx_buf_str(b, "times: ");
	gpudx_word_times(b, m);
	gpudx_buf_str(b, m->zone_assumed ? " (set --tz)" : "");
	gpudx_word_measured(b, m, " · ");
	print(t, 0, REP_PLAIN);
	if (m->limit_hit.n) {
		gpudx_buf_str(b, "reading ended early: ");
		gpudx_utf8_show(b, m->limit_hit);
		print(t, 0, REP_BOLD);
	}
	if (m->damaged.n) {
		gpudx_buf_str(b, "DAMAGED: ");
		gpudx_word_damage(b, m);
		print(t, 0, REP_BOLD);
	}
}

/* ---- one finding ---- */

/* "power.cap-clock-drop  I" */
static void put_tag(struct gpudx_buf *b, const struct rep_finding *f)
{
	gpudx_word_path(b, f->rule, 40);
	gpudx_buf_printf(b, "  %c", gpudx_word_severity_letter(f->severity));
}

static void put_places(struct gpudx_buf *b, const struct rep_evidence *e, int columns)
{
	for (size_t i = 0; i < e->n; i++) {
		separate(b);
		gpudx_word_path(b, e->places[i].path, columns);
		gpudx_buf_char(b, ':');
		gpudx_word_lines(b, &e->places[i], 4);
	}
}

static void places(struct text *t, int indent, const char *lead, const struct rep_evidence *e,
		   int most)
{
	if (!e->n || !most)
		return;
	put_places(&t->line, e, 36);
	gpudx_layout_text(&t->l, indent, lead, composed(&t->line), sv_n(NULL, 0), most);
	gpudx_buf_clear(&t->line);
}

/* "14:03:11  Xid 48 ...                                                          dmesg.txt:8812" */
static void events(struct text *t, const struct rep_finding *f)
{
	struct gpudx_buf right = { .max = 4096 };
	char when[REP_TIME_TEXT];

	for (size_t i = 0; i < f->nevents && (int)i < t->fit.evidence; i++) {
		const struct rep_event *e = &f->events[i];

		gpudx_word_clock(e->at.t0_us, e->at.quality, when);
		gpudx_buf_printf(&t->line, "%s%s", when, *when ? "  " : "");
		gpudx_utf8_show(&t->line, e->text);
		gpudx_word_path(&right, e->path, 28);
		gpudx_buf_printf(&right, ":%u", e->line);
		gpudx_layout_line(&t->l, 4, REP_PLAIN, composed(&t->line), composed(&right));
		gpudx_buf_clear(&t->line);
		gpudx_buf_clear(&right);
	}
	gpudx_buf_free(&right);
}

static void quote(struct text *t, const struct rep_evidence *e)
{
	for (size_t i = 0; i < e->n; i++)
		for (size_t k = 0; k < e->places[i].n; k++) {
			const struct rep_line *l = &e->places[i].lines[k];

			if (!l->cited)
				continue;
			gpudx_word_path(&t->line, e->places[i].path, 36);
			gpudx_buf_printf(&t->line, ":%u  ", l->number);
			if (l->text.p)
				gpudx_utf8_show(&t->line, l->text);
			gpudx_buf_str(&t->line, !l->text.p    ? "(text not kept)"
						: l->verbatim ? ""
							      : "  (from the stored columns)");
			gpudx_layout_text(&t->l, 6, "", composed(&t->line), sv_n(NULL, 0), ALL);
			gpudx_buf_clear(&t->line);
		}
}

static void evidence(struct text *t, const struct rep_finding *f)
{
	if (t->fit.quote)
		quote(t, &f->shown);
	else if (f->nevents > 1)
		events(t, f);
	else
		places(t, 4, "", &f->shown, t->fit.evidence);
	if (f->more_lines && t->fit.quote) {
		gpudx_buf_printf(&t->line, "and %lld lines more", (long long)f->more_lines);
		print(t, 6, REP_PLAIN);
	}
	places(t, 13, "against: ", &f->against, 1);
}

/* "explains: clocks.busy-but-slow", where there is room; the foot counts them in any case. */
static void folded(struct text *t, const struct rep_finding *f)
{
	if (!f->nfolded || t->fit.meaning < 3)
		return;
	for (size_t i = 0; i < f->nfolded && i < 4; i++) {
		separate(&t->line);
		put_tag(&t->line, f->folded[i]);
	}
	if (f->nfolded > 4)
		gpudx_buf_printf(&t->line, " · %zu more", f->nfolded - 4);
	gpudx_layout_text(&t->l, 14, "explains: ", composed(&t->line), sv_n(NULL, 0), 1);
	gpudx_buf_clear(&t->line);
}

static void summary(struct text *t, int indent, const char *lead, const struct rep_finding *f,
		    int most)
{
	struct gpudx_buf tag = { .max = 4096 };

	put_tag(&tag, f);
	gpudx_word_summary(&t->line, t->m, f);
	gpudx_layout_text(&t->l, indent, lead, composed(&t->line), composed(&tag), most);
	gpudx_buf_clear(&t->line);
	gpudx_buf_free(&tag);
}

/* ---- a row for each GPU that a verdict is about ---- */

static void cell(struct gpudx_buf *b, double v, int width, const char *unit)
{
	if (isfinite(v))
		gpudx_buf_printf(b, "%*.0f %s", width, v, unit);
	else
		gpudx_buf_printf(b, "%*s %*s", width, "-", (int)strlen(unit), "");
}

static void gpu_row(struct text *t, const struct rep_gpu *g, const struct rep_ref *r)
{
	struct gpudx_buf *b = &t->line;

	gpudx_word_gpu(b, t->m, g);
	while (gpudx_word_width(composed(b)) < 16)
		gpudx_buf_char(b, ' ');
	cell(b, r->clock_mhz, 6, "MHz");
	cell(b, r->util_pct, 7, "%");
	cell(b, r->temp_max_c, 7, "C");
	cell(b, r->power_w, 7, "W");
	print(t, 4, REP_PLAIN);
}

/* The slowest and the fastest say enough when there are many. */
static void gpu_rows(struct text *t, const struct rep_finding *f)
{
	const struct rep_ref *refs[64];
	size_t n = 0;

	if (!t->fit.gpus || f->ngpus < 2)
		return;
	for (size_t i = 0; i < f->ngpus && n < 64; i++) {
		const struct rep_ref *r = gpudx_model_ref(t->m, f, f->gpus[i]);
		size_t k = n;

		if (!r || !isfinite(r->clock_mhz))
			continue;
		for (; k && refs[k - 1]->clock_mhz > r->clock_mhz; k--)
			refs[k] = refs[k - 1];
		refs[k] = r;
		n++;
	}
	if (n < 2)
		return;
	gpudx_buf_str(&t->line, "                SM mean      busy  hottest     power");
	print(t, 4, REP_DIM);
	for (size_t i = 0; i < n; i++)
		if (t->fit.quote || n <= 3 || !i || i == n - 1)
			gpu_row(t, refs[i]->gpu, refs[i]);
		else if (i == 1)
			gpudx_layout_line(&t->l, 4, REP_PLAIN, SV_LIT("…"), sv_n(NULL, 0));
}

/* ---- the verdict ---- */

static enum rep_style kind_style(struct gpudx_sv kind)
{
	if (sv_is(kind, "fault"))
		return REP_BAD;
	return sv_is(kind, "healthy") ? REP_GOOD : REP_BOLD;
}

static void headline(struct text *t)
{
	const struct rep_model *m = t->m;
	const struct rep_finding *f = m->first;
	const char *note = gpudx_word_kind_note(m->kind);
	const char *points = f && sv_is(m->kind, "fault") ? gpudx_word_points(f->points) : "";
	char right[64] = "";

	gpudx_buf_printf(&t->line, "%s%s%s", gpudx_word_kind(m->kind), *note ? ", " : "", note);
	if (*points)
		gpudx_buf_printf(&t->line, "  %s", points);
	if (f)
		snprintf(right, sizeof(right), "confidence %s",
			 gpudx_word_confidence(f->confidence));
	gpudx_layout_line(&t->l, 0, kind_style(m->kind), composed(&t->line), sv_str(right));
	gpudx_buf_clear(&t->line);
}

/* A command is said whole or not at all. */
static void command(struct text *t, int indent, const char *lead, struct gpudx_sv command)
{
	int lines = 1 + gpudx_word_width(command) / (t->l.width - indent);

	if (lines <= t->fit.command)
		gpudx_layout_command(&t->l, indent, lead, command);
	else
		gpudx_layout_text(&t->l, indent, lead,
				  SV_LIT("with a command that stands in the report"), sv_n(NULL, 0),
				  1);
}

/* "DO NOW  Drain and reset the GPU. ..." and how to settle what is open. Only the verdict says NOW.
 */
static void advice(struct text *t, const struct rep_finding *f, struct gpudx_sv action,
		   const char *lead)
{
	const char *words = gpudx_word_action(action);

	gpudx_buf_str(&t->line, words);
	if (f->remedy.n) {
		gpudx_buf_str(&t->line, *words ? " " : "");
		gpudx_utf8_show(&t->line, f->remedy);
	}
	if (t->line.n)
		gpudx_layout_text(&t->l, 10, lead, composed(&t->line), sv_n(NULL, 0),
				  t->fit.remedy);
	gpudx_buf_clear(&t->line);
	if (f->settle_command.n)
		command(t, 17, "to settle it:  ", f->settle_command);
}

/* Without a finding the reason stands for it, and what to collect for the advice. */
static void reason(struct text *t)
{
	const struct rep_model *m = t->m;
	struct gpudx_sv text = m->reason.n ? m->reason : SV_LIT("No rule has judged this bundle.");

	gpudx_layout_text(&t->l, 2, "", text, sv_n(NULL, 0), t->fit.summary);
	if (sv_is(m->kind, "healthy"))
		return;
	for (size_t i = 0; i < m->ncollects && i < 3; i++)
		if (m->collects[i].command.n)
			gpudx_layout_command(&t->l, 11, i ? "" : "COLLECT  ",
					     m->collects[i].command);
}

/* Adds since when, and until when, to the line at hand. */
static void span(struct text *t, const struct rep_finding *f)
{
	char when[2 * REP_TIME_TEXT];

	if (!*gpudx_word_span(&f->span, gpudx_word_mark_utc(t->m), when))
		return;
	separate(&t->line);
	gpudx_buf_str(&t->line, when);
}

static void verdict(struct text *t)
{
	const struct rep_finding *f = t->m->first;

	headline(t);
	if (!f) {
		reason(t);
		return;
	}
	summary(t, 2, "", f, t->fit.summary);
	span(t, f);
	if (t->line.n)
		print(t, 2, REP_PLAIN);
	if (f->meaning.n && t->fit.meaning)
		gpudx_layout_text(&t->l, 2, "", f->meaning, sv_n(NULL, 0), t->fit.meaning);
	gpu_rows(t, f);
	evidence(t, f);
	folded(t, f);
	advice(t, f, t->m->action, "DO NOW  ");
}

/* ---- the other roots ---- */

/* Whether an earlier root has asked the question of f. */
static bool asked(const struct rep_model *m, const struct rep_finding *f)
{
	for (const struct rep_finding *e = m->findings; e < f; e++)
		if (gpudx_model_other_question(m, e) && sv_eq(e->symptom, f->symptom))
			return true;
	return false;
}

static bool has_section(const struct text *t, const struct rep_finding *f)
{
	int before = 0;

	if (!gpudx_model_other_question(t->m, f) || asked(t->m, f))
		return false;
	for (const struct rep_finding *e = t->m->findings; e < f; e++)
		before += gpudx_model_other_question(t->m, e) && !asked(t->m, e);
	return before < t->fit.roots;
}

static void question(struct text *t, const struct rep_finding *f)
{
	const char *first = t->m->first ? gpudx_word_symptom(t->m->first->symptom) : "";

	gpudx_buf_str(&t->line, "IF THE COMPLAINT WAS ");
	capitals(&t->line, gpudx_word_symptom(f->symptom));
	if (*first)
		gpudx_buf_printf(&t->line, ", not %s", first);
	span(t, f);
	print(t, 0, REP_BOLD);
	summary(t, 2, "", f, t->fit.summary);
	evidence(t, f);
	if (t->fit.quote) {
		folded(t, f);
		advice(t, f, f->action, "do:  ");
	}
}

static void also_item(struct text *t, const struct rep_finding *f)
{
	char lead[8];
	struct gpudx_buf right = { .max = 4096 };

	snprintf(lead, sizeof(lead), "%c  ", gpudx_word_severity_letter(f->severity));
	gpudx_word_path(&right, f->rule, 30);
	if (f->shown.n && !t->fit.quote) {
		gpudx_buf_str(&right, "  ");
		gpudx_word_path(&right, f->shown.places[0].path, 24);
		gpudx_buf_char(&right, ':');
		gpudx_word_lines(&right, &f->shown.places[0], 2);
	}
	gpudx_word_summary(&t->line, t->m, f);
	gpudx_layout_text(&t->l, 5, lead, composed(&t->line), composed(&right),
			  t->fit.quote ? ALL : 2);
	gpudx_buf_clear(&t->line);
	gpudx_buf_free(&right);
	if (t->fit.quote) {
		evidence(t, f);
		folded(t, f);
		advice(t, f, f->action, "do:  ");
	}
}

/* All other roots and the notes that belong to none, as far as there is room. */
static void also(struct text *t)
{
	int said = 0, left = 0;

	for (size_t i = 0; i < t->m->nfindings; i++) {
		const struct rep_finding *f = &t->m->findings[i];

		if (f == t->m->first || f->root || has_section(t, f))
			continue;
		if (said == t->fit.also) {
			left++;
			continue;
		}
		if (!said++)
			gpudx_layout_line(&t->l, 0, REP_BOLD, SV_LIT("ALSO"), sv_n(NULL, 0));
		also_item(t, f);
	}
	if (left)
		gpudx_buf_printf(&t->line, "and %d more", left);
	if (t->m->counts.findings > (int64_t)t->m->nfindings)
		gpudx_buf_printf(&t->line, "%s%lld findings are not listed here", left ? "; " : "",
				 (long long)(t->m->counts.findings - (int64_t)t->m->nfindings));
	if (t->line.n)
		print(t, 5, REP_DIM);
}

/* ---- what the rules said ---- */

/* Titles of rules with this outcome, those of the verdict's symptom first. */
static void titles(struct text *t, const char *lead, enum rep_outcome outcome)
{
	struct gpudx_buf *b = &t->line;
	int room = (t->l.width - 13) * t->fit.titles - 12, left = 0;

	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < t->m->nrules; i++) {
			const struct rep_rule *r = &t->m->rules[i];

			if (r->outcome != outcome || r->relevant != !pass)
				continue;
			if (gpudx_word_width(composed(b)) + gpudx_word_width(r->title) + 3 > room) {
				left++;
				continue;
			}
			separate(b);
			gpudx_utf8_show(b, r->title);
		}
	if (left)
		gpudx_buf_printf(b, "%s%d more", b->n ? " · " : "", left);
	if (b->n)
		gpudx_layout_text(&t->l, 13, lead, composed(b), sv_n(NULL, 0), t->fit.titles + 1);
	gpudx_buf_clear(b);
}

static void collects(struct text *t)
{
	if (!t->fit.quote)
		return;
	for (size_t i = 0; i < t->m->ncollects; i++)
		if (t->m->collects[i].command.n)
			gpudx_layout_command(&t->l, 13, i ? "" : "COLLECT      ",
					     t->m->collects[i].command);
}

static void answer(struct text *t, const struct rep_answer *a, bool new_command)
{
	struct gpudx_buf right = { .max = 4096 };
	char lead[32];

	snprintf(lead, sizeof(lead), "  %-4s  %-3s  ", gpudx_word_status(a->status),
		 sv_is(a->answer, "yes")  ? "yes"
		 : sv_is(a->answer, "no") ? "no"
					  : "-");
	for (size_t i = 0; i < a->shown.n && i < 2; i++) {
		gpudx_buf_str(&right, i ? "  " : "");
		gpudx_word_path(&right, a->shown.places[i].path, 24);
		gpudx_buf_char(&right, ':');
		gpudx_word_lines(&right, &a->shown.places[i], 2);
	}
	gpudx_layout_text(&t->l, 13, lead, a->question, composed(&right), 2);
	if (new_command)
		gpudx_layout_command(&t->l, 13, "", a->collect);
	gpudx_buf_free(&right);
}

/* Questions with answers; the command that would answer one stands once for those in a row. */
static void answers(struct text *t)
{
	const struct rep_answer *all = t->m->answers;
	struct gpudx_sv command = sv_n(NULL, 0);

	if (!t->fit.quote)
		return;
	for (size_t i = 0; i < t->m->nanswers; i++) {
		const struct rep_answer *a = &all[i];
		bool new_command = a->collect.n && !sv_eq(a->collect, command);

		if (!i || !sv_eq(a->list, all[i - 1].list)) {
			capitals(&t->line, gpudx_word_list(a->list));
			print(t, 0, REP_BOLD);
		}
		answer(t, a, new_command);
		command = a->collect.n ? a->collect : command;
	}
}

static void failures(struct text *t)
{
	for (size_t i = 0; i < t->m->nrules; i++) {
		const struct rep_rule *r = &t->m->rules[i];

		if (r->outcome != REP_FAILED)
			continue;
		gpudx_utf8_show(&t->line, r->id);
		gpudx_buf_str(&t->line, ": ");
		gpudx_utf8_show(&t->line, r->message.p ? r->message : SV_LIT("no reason given"));
		gpudx_layout_text(&t->l, 13, "BROKEN RULE  ", composed(&t->line), sv_n(NULL, 0), 2);
		gpudx_buf_clear(&t->line);
	}
}

static void last_line(struct text *t)
{
	const unsigned *n = t->m->counts.rules;
	struct gpudx_buf right = { .max = 8192 };
	unsigned under = 0;

	for (size_t i = 0; i < t->m->nfindings; i++)
		under += t->m->findings[i].root != NULL;
	gpudx_buf_printf(&t->line, "rules: %u fired", n[REP_FIRED]);
	if (under)
		gpudx_buf_printf(&t->line, " (%u folded)", under);
	gpudx_buf_printf(&t->line, ", %u clean, %u not checkable", n[REP_CLEAN], n[REP_LACKING]);
	if (n[REP_FAILED])
		gpudx_buf_printf(&t->line, ", %u broken", n[REP_FAILED]);
	if (t->o->html_path)
		gpudx_word_path(&right, sv_str(t->o->html_path), 60);
	if (t->o->db_path) {
		gpudx_buf_str(&right, right.n ? "  " : "");
		gpudx_word_path(&right, sv_str(t->o->db_path), 60);
	}
	gpudx_layout_text(&t->l, 0, "", composed(&t->line), composed(&right), 2);
	gpudx_buf_clear(&t->line);
	gpudx_buf_free(&right);
}

static void foot(struct text *t)
{
	if (t->m->texts_cut && t->fit.quote)
		gpudx_layout_line(&t->l, 0, REP_PLAIN,
				  SV_LIT("some cited lines stand without their text: it is too "
					 "much for one report"),
				  sv_n(NULL, 0));
	last_line(t);
}

/* ---- the whole ---- */

static void page(struct text *t)
{
	t->l.lines = 0;
	head(t);
	gpudx_layout_blank(&t->l);
	verdict(t);
	gpudx_layout_blank(&t->l);
	for (size_t i = 0; i < t->m->nroots; i++)
		if (has_section(t, &t->m->findings[i]))
			question(t, &t->m->findings[i]);
	also(t);
	titles(t, "EXCLUDED     ", REP_CLEAN);
	titles(t, "CANNOT TELL  ", REP_LACKING);
	collects(t);
	answers(t);
	failures(t);
	foot(t);
}

enum gpudx_status gpudx_report_text(const struct rep_model *m, const struct gpudx_report_options *o,
				    struct rep_out *out, struct gpudx_err *err)
{
	struct text t = { .m = m, .o = o, .line = { .max = 1 << 20 } };
	const size_t start = out->b.n, n = sizeof(fits) / sizeof(fits[0]);
	bool failed;

	t.l = (struct rep_layout){ .out = &out->b, .colour = o->colour };
	t.l.width = o->width >= 40 ? o->width : o->width ? 40 : 100;
	t.fit = o->height > 0 ? fits[0] : everything;
	page(&t);
	for (size_t i = 1; i < n && o->height > 0 && t.l.lines > o->height; i++) {
		out->b.n = start;
		t.fit = fits[i];
		page(&t);
	}
	failed = t.line.failed || out->b.failed;
	gpudx_buf_free(&t.line);
	gpudx_report_flush(out);
	return failed ? gpudx_fail(err, GPUDX_E_LIMIT, "the text report is too large") : GPUDX_OK;
}
