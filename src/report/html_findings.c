/* Findings with their evidence, quoted. */
#include "report/html.h"

/* One line of a source: its number, and a sign in front of it when it is evidence. */
static void line(struct gpudx_buf *b, const struct rep_line *l)
{
	gpudx_html_put(b, "<span class=\"l%s\"><span class=\"n\">%s%u</span> ",
		       l->cited ? " c" : "", l->cited ? "▸ " : "", l->number);
	if (l->text.p)
		gpudx_html_text(b, l->text);
	else
		gpudx_buf_str(b, "<i>text not kept</i>");
	if (l->cited && l->text.p && !l->verbatim)
		gpudx_buf_str(b,
			      l->offset < 0
				      ? " <i>(from the stored columns; the text was not kept)</i>"
				      : " <i>(cut)</i>");
	gpudx_buf_str(b, "\n</span>");
}

static void place(struct rep_page *p, const struct rep_finding *f, const struct rep_place *at,
		  const char *suffix, size_t i)
{
	struct gpudx_buf *b = p->b, w = { .max = 4096 };

	gpudx_html_put(b, "<div class=\"ev\" id=\"f%lld-%s%zu\"><p class=\"src\">",
		       (long long)f->id, suffix, i);
	gpudx_html_path(b, at->path);
	gpudx_buf_char(&w, ':');
	gpudx_word_lines(&w, at, 8);
	gpudx_html_words(b, &w);
	gpudx_buf_str(b, "</p>\n<pre>");
	for (size_t k = 0; k < at->n; k++) {
		if (k && at->lines[k].number != at->lines[k - 1].number + 1)
			gpudx_buf_str(b, "<span class=\"l gap\">⋯\n</span>");
		line(b, &at->lines[k]);
	}
	gpudx_buf_str(b, "</pre></div>\n");
	gpudx_buf_free(&w);
}

static void evidence(struct rep_page *p, const struct rep_finding *f)
{
	for (size_t i = 0; i < f->shown.n; i++)
		place(p, f, &f->shown.places[i], "", i);
	if (f->more_lines > 0)
		gpudx_html_put(p->b, "<p>and %lld more lines that are not kept</p>\n",
			       (long long)f->more_lines);
	if (f->against.n)
		gpudx_buf_str(p->b, "<h3>What speaks against it</h3>\n");
	for (size_t i = 0; i < f->against.n; i++)
		place(p, f, &f->against.places[i], "a", i);
}

/* "2026-03-06 14:03:08 to 14:03:11 · still so at the end · confidence high · power.cap-clock-drop"
 */
static void facts(struct rep_page *p, const struct rep_finding *f)
{
	struct gpudx_buf *b = p->b;
	char when[2 * REP_TIME_TEXT];

	gpudx_buf_str(b, "<p class=\"facts\">");
	for (size_t i = 0; i < f->ngpus && i < 16; i++) {
		gpudx_buf_str(b, "<span>");
		gpudx_html_gpu(p, f->gpus[i]);
		gpudx_buf_str(b, "</span> ");
	}
	if (f->ngpus > 16)
		gpudx_html_put(b, "<span>and %zu more</span> ", f->ngpus - 16);
	if (*gpudx_word_span(&f->span, gpudx_word_mark_utc(p->m), when))
		gpudx_html_put(b, "<span>%s</span> ", when);
	if (!sv_is(f->state, "unknown")) {
		gpudx_buf_str(b, "<span>");
		gpudx_html_name(b, f->state);
		gpudx_buf_str(b, "</span> ");
	}
	gpudx_html_put(b, "<span>confidence %s</span> <span><code>",
		       gpudx_word_confidence(f->confidence));
	gpudx_html_name(b, f->rule);
	gpudx_buf_str(b, "</code></span></p>\n");
}

static void paragraph(struct gpudx_buf *b, const char *before, struct gpudx_sv text)
{
	if (!text.n)
		return;
	gpudx_html_put(b, "<p>%s", before);
	gpudx_html_text(b, text);
	gpudx_buf_str(b, "</p>\n");
}

static void remedy(struct rep_page *p, const struct rep_finding *f)
{
	const char *words = gpudx_word_action(f->action);

	if (!f->remedy.n && (!*words || sv_is(f->action, "none")))
		return;
	gpudx_html_put(p->b, "<p><b>What to do:</b> %s ", sv_is(f->action, "none") ? "" : words);
	gpudx_html_text(p->b, f->remedy);
	gpudx_buf_str(p->b, "</p>\n");
	if (f->settle_command.n) {
		gpudx_buf_str(p->b, "<p>What would settle it: ");
		gpudx_html_command(p->b, f->settle_command);
		gpudx_buf_str(p->b, "</p>\n");
	}
}

static void summary_line(struct rep_page *p, const struct rep_finding *f, bool open)
{
	struct gpudx_buf *b = p->b;

	gpudx_html_put(b, "<details class=\"finding\" id=\"f%lld\"%s>\n<summary>", (long long)f->id,
		       open ? " open" : "");
	gpudx_html_severity(b, f->severity);
	gpudx_buf_char(b, ' ');
	gpudx_html_summary(p, f);
	gpudx_buf_str(b, "</summary>\n");
}

static void body(struct rep_page *p, const struct rep_finding *f)
{
	facts(p, f);
	paragraph(p->b, "", f->meaning);
	remedy(p, f);
	evidence(p, f);
}

static void folded(struct rep_page *p, const struct rep_finding *root)
{
	if (root->nfolded)
		gpudx_html_put(p->b, "<h3>What follows from it</h3>\n");
	for (size_t i = 0; i < root->nfolded; i++) {
		const struct rep_finding *f = root->folded[i];

		summary_line(p, f, false);
		paragraph(p->b, "Follows because: ", f->why);
		body(p, f);
		gpudx_buf_str(p->b, "</details>\n");
		gpudx_report_flush(p->out);
	}
}

void gpudx_html_findings(struct rep_page *p)
{
	const struct rep_model *m = p->m;
	struct gpudx_buf *b = p->b;

	if (!m->nfindings)
		return;
	gpudx_buf_str(b, "<section aria-labelledby=\"findings\">\n<h2 id=\"findings\">Findings and "
			 "evidence</h2>\n");
	for (size_t i = 0; i < m->nfindings; i++) {
		const struct rep_finding *f = &m->findings[i];

		if (f->root)
			continue;
		summary_line(p, f, f == m->first);
		body(p, f);
		folded(p, f);
		gpudx_buf_str(b, "</details>\n");
		gpudx_report_flush(p->out);
	}
	if (m->counts.findings > (int64_t)m->nfindings)
		gpudx_html_put(
			b, "<p class=\"warn\">%lld more findings are in the database only.</p>\n",
			(long long)(m->counts.findings - (int64_t)m->nfindings));
	gpudx_buf_str(b, "</section>\n");
}

void gpudx_html_charts(struct rep_page *p)
{
	const struct rep_charts *c = p->charts;
	struct gpudx_buf *b = p->b;

	if (!c->ngpus)
		return;
	gpudx_buf_str(b, "<section aria-labelledby=\"charts\">\n<h2 id=\"charts\">Every GPU over "
			 "time</h2>\n");
	gpudx_html_put(b, "<div class=\"charts%s\">\n", c->ngpus <= 2 ? " few" : "");
	for (size_t i = 0; i < c->ngpus; i++)
		gpudx_html_figure(p, &c->gpus[i], (unsigned)i + 1, true);
	gpudx_buf_str(b, "</div>\n");
	if (c->left_out)
		gpudx_html_put(b, "<p>%zu more GPUs were measured; they are in the database.</p>\n",
			       c->left_out);
	gpudx_buf_str(b, "</section>\n");
}
