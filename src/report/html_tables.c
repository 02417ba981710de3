/* The contract, what was excluded, what could not be told, and what was read. */
#include "report/html.h"

enum { SOURCES_SHOWN = 400 };

/* ---- the contract ---- */

static bool same_values(const struct rep_value *a, const struct rep_value *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!sv_eq(a[i].layer, b[i].layer) || !sv_eq(a[i].text, b[i].text) ||
		    !sv_eq(a[i].state, b[i].state))
			return false;
	return true;
}

/* How many values from i on are of the same GPU. */
static size_t run_of(const struct rep_term *t, size_t i)
{
	size_t n = 1;

	while (i + n < t->nvalues && t->values[i + n].gpu == t->values[i].gpu)
		n++;
	return n;
}

static bool is_state(const struct rep_term *t, const char *state)
{
	for (size_t i = 0; i < t->nvalues; i++)
		if (sv_is(t->values[i].state, state))
			return true;
	return false;
}

/* "on disk: 535.183.01 (modinfo.txt:2)" */
static void value(struct gpudx_buf *b, const struct rep_value *v, bool layer)
{
	struct gpudx_buf w = { .max = 4096 };

	gpudx_buf_str(b, "<span class=\"val\">");
	if (layer && v->layer.n) {
		gpudx_html_name(b, v->layer);
		gpudx_buf_str(b, ": ");
	}
	gpudx_buf_str(b, "<b>");
	gpudx_word_value(&w, v);
	gpudx_html_words(b, &w);
	gpudx_buf_str(b, "</b> <small>");
	gpudx_html_path(b, v->path);
	gpudx_html_put(b, ":%u</small></span>\n", v->line);
	gpudx_buf_free(&w);
}

static bool same_run(const struct rep_term *t, size_t a, size_t b)
{
	size_t n = run_of(t, a);

	return run_of(t, b) == n && same_values(t->values + a, t->values + b, n);
}

/* Whom the values from i on are of: "all 8", "GPU 3", "7 of 8". */
static void whom(struct gpudx_buf *b, const struct rep_term *t, size_t i)
{
	size_t alike = 0, all = 0;

	for (size_t k = 0; k < t->nvalues; k += run_of(t, k)) {
		alike += same_run(t, i, k);
		all++;
	}
	if (!t->values[i].gpu || (all == 1 && alike == 1))
		return;
	if (alike == all) {
		gpudx_html_put(b, "all %zu: ", all);
	} else if (alike > 3) {
		gpudx_html_put(b, "%zu of %zu: ", alike, all);
	} else {
		for (size_t k = 0; k < t->nvalues; k += run_of(t, k))
			if (same_run(t, i, k)) {
				gpudx_buf_str(b, k > i ? ", " : "");
				gpudx_html_name(b, t->values[k].gpu ? t->values[k].gpu->label
								    : SV_LIT("host"));
			}
		gpudx_buf_str(b, ": ");
	}
}

/* GPUs that say the same share a line. True when they do not all say the same. */
static bool values(struct gpudx_buf *b, const struct rep_term *t)
{
	size_t lines = 0;

	for (size_t i = 0; i < t->nvalues; i += run_of(t, i)) {
		size_t first = 0;

		while (!same_run(t, first, i))
			first += run_of(t, first);
		if (first < i)
			continue;
		lines++;
		gpudx_buf_str(b, "<div>");
		whom(b, t, i);
		for (size_t k = i; k < i + run_of(t, i); k++)
			value(b, &t->values[k], run_of(t, i) > 1);
		gpudx_buf_str(b, "</div>\n");
	}
	return lines > 1;
}

static void term(struct rep_page *p, const struct rep_term *t)
{
	struct gpudx_buf *b = p->b;
	const char *state = is_state(t, "conflict")  ? "conflict"
			    : is_state(t, "changed") ? "changed"
						     : "";
	bool differ;

	gpudx_html_put(b, "<tr%s%s%s><th scope=\"row\"><code>", *state ? " class=\"" : "", state,
		       *state ? "\"" : "");
	gpudx_html_name(b, t->key);
	gpudx_buf_str(b, "</code>");
	if (t->meaning.n) {
		gpudx_buf_str(b, "<small>");
		gpudx_html_text(b, t->meaning);
		gpudx_buf_str(b, "</small>");
	}
	if (p->m->nhosts > 1 && t->host) {
		gpudx_buf_str(b, "<small>");
		gpudx_html_name(b, sv_str(t->host->label));
		gpudx_buf_str(b, "</small>");
	}
	gpudx_buf_str(b, "</th><td>");
	differ = values(b, t);
	gpudx_html_put(b, "</td><td>%s</td></tr>\n",
		       *state		       ? state
		       : differ		       ? "not alike"
		       : is_state(t, "agreed") ? "agreed"
					       : "");
}

void gpudx_html_contract(struct rep_page *p)
{
	const struct rep_model *m = p->m;
	struct gpudx_buf *b = p->b;

	if (!m->nterms)
		return;
	gpudx_buf_str(
		b, "<section aria-labelledby=\"contract\">\n<h2 id=\"contract\">The contract</h2>\n"
		   "<p>What the machine and its GPUs agreed on, as the sources say it. Conflicts "
		   "come first.</p>\n"
		   "<table class=\"contract\">\n<thead><tr><th scope=\"col\">Key</th><th "
		   "scope=\"col\">Value</th>"
		   "<th scope=\"col\">State</th></tr></thead>\n<tbody>\n");
	for (int pass = 0; pass < 3; pass++)
		for (size_t i = 0; i < m->nterms; i++) {
			const struct rep_term *t = &m->terms[i];
			int rank = is_state(t, "conflict") ? 0 : is_state(t, "changed") ? 1 : 2;

			if (rank == pass)
				term(p, t);
		}
	gpudx_buf_str(b, "</tbody>\n</table>\n</section>\n");
	gpudx_report_flush(p->out);
}

/* ---- the lists of questions ---- */

static void answer_row(struct gpudx_buf *b, const struct rep_answer *a)
{
	const char *mark = sv_is(a->status, "fail")   ? " class=\"bad\""
			   : sv_is(a->status, "warn") ? " class=\"note\""
						      : "";
	struct gpudx_buf lines = { .max = 4096 };

	gpudx_html_put(b, "<tr><td%s>%s</td><th scope=\"row\">", mark,
		       gpudx_word_status(a->status));
	gpudx_html_sentence(b, a->question);
	gpudx_buf_str(b, "</th><td>");
	gpudx_html_name(b, a->answer);
	gpudx_buf_str(b, "</td><td>");
	for (size_t i = 0; i < a->shown.n; i++) {
		gpudx_buf_str(b, "<small>");
		gpudx_html_path(b, a->shown.places[i].path);
		gpudx_buf_char(b, ':');
		gpudx_word_lines(&lines, &a->shown.places[i], 3);
		gpudx_html_words(b, &lines);
		gpudx_buf_str(b, "</small> ");
	}
	if (a->collect.n)
		gpudx_html_command(b, a->collect);
	gpudx_buf_str(b, "</td></tr>\n");
	gpudx_buf_free(&lines);
}

void gpudx_html_answers(struct rep_page *p)
{
	const struct rep_model *m = p->m;
	struct gpudx_buf *b = p->b;

	if (!m->nanswers)
		return;
	gpudx_buf_str(b, "<section aria-labelledby=\"answers\">\n"
			 "<h2 id=\"answers\">Questions to ask first</h2>\n");
	for (size_t i = 0; i < m->nanswers; i++) {
		const struct rep_answer *a = &m->answers[i];

		if (!i || !sv_eq(a->list, a[-1].list))
			gpudx_html_put(
				b,
				"%s<table class=\"answers\">\n<caption>%s</caption>\n"
				"<thead><tr><th scope=\"col\">Mark</th><th scope=\"col\">Question"
				"</th><th scope=\"col\">Answer</th><th scope=\"col\">Said where, "
				"or "
				"collect with</th></tr></thead>\n<tbody>\n",
				i ? "</tbody>\n</table>\n" : "", gpudx_word_list(a->list));
		answer_row(b, a);
	}
	gpudx_buf_str(b, "</tbody>\n</table>\n</section>\n");
	gpudx_report_flush(p->out);
}

/* ---- what the rules said ---- */

static void rule_item(struct gpudx_buf *b, const struct rep_rule *r)
{
	gpudx_buf_str(b, "<li>");
	gpudx_html_sentence(b, r->title);
	gpudx_buf_str(b, " <code>");
	gpudx_html_name(b, r->id);
	gpudx_buf_str(b, "</code></li>\n");
}

static void rules(struct rep_page *p, enum rep_outcome outcome)
{
	/* Those that speak about the same symptom as the verdict come first. */
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < p->m->nrules; i++)
			if (p->m->rules[i].outcome == outcome && p->m->rules[i].relevant == !pass)
				rule_item(p->b, &p->m->rules[i]);
}

void gpudx_html_excluded(struct rep_page *p)
{
	struct gpudx_buf *b = p->b;

	if (!p->m->counts.rules[REP_CLEAN])
		return;
	gpudx_buf_str(
		b, "<section aria-labelledby=\"excluded\">\n<h2 id=\"excluded\">Excluded</h2>\n"
		   "<p>The bundle shows what is needed to see these, and they are not there:</p>\n"
		   "<ul class=\"rules\">\n");
	rules(p, REP_CLEAN);
	gpudx_buf_str(b, "</ul>\n</section>\n");
}

static void collect_row(struct gpudx_buf *b, const struct rep_collect *c)
{
	gpudx_buf_str(b, "<tr><td>");
	if (c->command.n) {
		gpudx_html_command(b, c->command);
	} else {
		gpudx_buf_str(b, "not in this bundle: <code>");
		gpudx_html_name(b, c->what);
		gpudx_buf_str(b, "</code>");
	}
	if (c->note.n) {
		gpudx_buf_str(b, "<small>");
		gpudx_html_sentence(b, c->note);
		gpudx_buf_str(b, "</small>");
	}
	gpudx_buf_str(b, "</td><td><ul>\n");
	for (size_t i = 0; i < c->nrules; i++)
		rule_item(b, c->rules[i]);
	gpudx_buf_str(b, "</ul></td></tr>\n");
}

static void broken(struct rep_page *p)
{
	for (size_t i = 0; i < p->m->nrules; i++) {
		const struct rep_rule *r = &p->m->rules[i];

		if (r->outcome != REP_FAILED)
			continue;
		gpudx_buf_str(p->b, "<p class=\"warn\">Broken rule <code>");
		gpudx_html_name(p->b, r->id);
		gpudx_buf_str(p->b, "</code>: ");
		gpudx_html_sentence(p->b, r->message);
		gpudx_buf_str(p->b, "</p>\n");
	}
}

void gpudx_html_open(struct rep_page *p)
{
	const struct rep_model *m = p->m;
	struct gpudx_buf *b = p->b;

	if (!m->ncollects && !m->counts.rules[REP_FAILED])
		return;
	gpudx_buf_str(
		b,
		"<section aria-labelledby=\"open\">\n<h2 id=\"open\">Could not be checked</h2>\n");
	broken(p);
	if (m->ncollects) {
		gpudx_buf_str(
			b,
			"<p>What these commands print is not in the bundle, or not all of it:</p>\n"
			"<table class=\"open\">\n<thead><tr><th scope=\"col\">Collect with</th>"
			"<th scope=\"col\">It would tell about</th></tr></thead>\n<tbody>\n");
		for (size_t i = 0; i < m->ncollects; i++)
			collect_row(b, &m->collects[i]);
		gpudx_buf_str(b, "</tbody>\n</table>\n");
	}
	gpudx_buf_str(b, "</section>\n");
	gpudx_report_flush(p->out);
}

/* ---- sources ---- */

struct listing {
	struct rep_page *p;
	int64_t n;
};

static void source_row(const struct rep_source *s, void *arg)
{
	struct listing *l = arg;
	struct gpudx_buf *b = l->p->b;

	l->n++;
	gpudx_html_put(b, "<tr%s><th scope=\"row\"%s>", s->parser.p ? "" : " class=\"unread\"",
		       s->part ? " class=\"part\"" : "");
	gpudx_html_path(b, s->part && s->title.n ? s->title : s->path);
	if (s->title.n) {
		gpudx_buf_str(b, "<small>");
		gpudx_html_path(b, s->part ? s->path : s->title);
		gpudx_buf_str(b, "</small>");
	}
	gpudx_buf_str(b, "</th><td>");
	gpudx_html_name(b, s->parser.p ? s->parser : s->status);
	if (s->lines >= 0)
		gpudx_html_put(b, "</td><td>%lld", (long long)s->lines);
	else
		gpudx_buf_str(b, "</td><td>-");
	gpudx_buf_str(b, "</td><td>");
	if (s->rejected)
		gpudx_html_put(b, "%lld broken lines ", (long long)s->rejected);
	gpudx_html_sentence(b, s->reason);
	gpudx_buf_str(b, s->reason.n && s->damage.n ? "; " : "");
	gpudx_html_sentence(b, s->damage);
	gpudx_buf_str(b, "</td></tr>\n");
}

enum gpudx_status gpudx_html_sources(struct rep_page *p)
{
	struct listing l = { p, 0 };
	struct gpudx_buf *b = p->b;
	enum gpudx_status rc;

	gpudx_buf_str(
		b, "<section aria-labelledby=\"sources\">\n<h2 id=\"sources\">What was read</h2>\n"
		   "<table class=\"sources\">\n<thead><tr><th scope=\"col\">File</th><th "
		   "scope=\"col\">Read as</th>"
		   "<th scope=\"col\">Lines</th><th "
		   "scope=\"col\">Remarks</th></tr></thead>\n<tbody>\n");
	rc = gpudx_model_sources(p->m, true, SOURCES_SHOWN, source_row, &l, p->err);
	gpudx_buf_str(b, "</tbody>\n</table>\n");
	if (l.n == SOURCES_SHOWN)
		gpudx_html_put(b,
			       "<p>Only %d are listed here; those that were not read in full come "
			       "first.</p>\n",
			       SOURCES_SHOWN);
	gpudx_buf_str(b, "</section>\n");
	return rc;
}
