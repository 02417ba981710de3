/* A comparison as one page: the sentence, the picture, the contract in groups, the effect, the gate.
 */
#include "report/cmp.h"

#include <math.h>

#include "report/html.h"

enum { WIDE_PX = 720, PHONE_PX = 356, SMALL_PX = 330, WORDS = 16384 };

struct page {
	const struct gpudx_comparison *c;
	struct gpudx_plot *plot;
	struct gpudx_buf *b, w;
	struct gpudx_arena arena; /* of drawings */
	unsigned figures;
};

static void cell(struct page *p, const char *text)
{
	gpudx_buf_str(p->b, "<td>");
	gpudx_html_str(p->b, text ? text : "");
	gpudx_buf_str(p->b, "</td>");
}

static void words_cell(struct page *p, const char *tag)
{
	gpudx_buf_printf(p->b, "<%s>", tag);
	gpudx_html_words(p->b, &p->w);
	gpudx_buf_printf(p->b, "</%.2s>", tag);
}

/* ---- the first screen ---- */

static void banner(struct page *p)
{
	const struct gpudx_comparison *c = p->c;

	gpudx_buf_str(p->b, "<header>\n<p><b>gpudx compare</b>");
	for (int s = 0; s < CMP_SIDES; s++) {
		const char *driver = gpudx_cmp_term(&c->side[s], "driver.version");

		gpudx_buf_str(p->b, s ? " <span>after: " : " <span>before: ");
		gpudx_html_name(p->b, sv_str(c->side[s].label));
		gpudx_html_put(p->b, ", %zu × ", c->side[s].ngpus);
		gpudx_html_name(p->b,
				sv_str(c->side[s].gpus[0].name ? c->side[s].gpus[0].name : "GPU"));
		gpudx_buf_str(p->b, ", driver ");
		gpudx_html_name(p->b, sv_str(driver ? driver : "unknown"));
		gpudx_buf_str(p->b, "</span>");
	}
	gpudx_buf_str(p->b, "</p>\n</header>\n<main>\n");
}

static void drawing(struct page *p, const struct rep_chart *wide, const struct rep_chart *narrow,
		    const char *title, const char *caption)
{
	unsigned n = ++p->figures;

	gpudx_buf_str(p->b, "<figure>\n");
	if (narrow)
		gpudx_html_svg(p->b, narrow, "narrow", n, sv_str(title));
	gpudx_html_svg(p->b, wide, narrow ? "wide" : "only", n, sv_str(title));
	gpudx_buf_str(p->b, "<figcaption>");
	for (int s = 0; s < CMP_SIDES; s++)
		gpudx_html_put(
			p->b,
			"<span class=\"shade\"><svg viewBox=\"0 0 10 10\" aria-hidden=\"true\">"
			"<rect width=\"10\" height=\"10\" fill=\"%s\"/></svg> %s</span> ",
			gpudx_ink_page(s ? REP_INK_POWER : REP_INK_CLOCK), s ? "after" : "before");
	gpudx_html_str(p->b, caption);
	gpudx_buf_str(p->b, "</figcaption>\n</figure>\n");
}

static void proof(struct page *p)
{
	struct rep_chart wide, narrow;

	if (gpudx_cmp_plot_proof(p->c, p->plot, WIDE_PX, &p->arena, &wide) &&
	    gpudx_cmp_plot_proof(p->c, p->plot, PHONE_PX, &p->arena, &narrow))
		drawing(p, &wide, &narrow, p->c->lead,
			"Samples at equal load. Where both clouds lie on one curve and only their "
			"limits (dashed) differ, the driver is innocent.");
}

static void first(struct page *p)
{
	const struct gpudx_comparison *c = p->c;
	struct gpudx_compared sum = gpudx_comparison_sum(c);

	gpudx_html_put(p->b,
		       "<section class=\"verdict %s\" aria-labelledby=\"verdict\">\n<p "
		       "class=\"kind\"><b>%s</b></p>\n<h1 id=\"verdict\">",
		       sum.gate_failed ? "fault" : "healthy",
		       !c->ngate	 ? "COMPARISON"
		       : sum.gate_failed ? "GATE FAILED"
					 : "GATE PASSED");
	gpudx_html_str(p->b, c->lead);
	gpudx_buf_str(p->b, "</h1>\n");
	for (size_t i = 0; i < c->nreasons; i++) {
		gpudx_buf_str(p->b, "<p>");
		gpudx_html_str(p->b, c->reasons[i]);
		gpudx_buf_str(p->b, "</p>\n");
	}
	proof(p);
	gpudx_buf_str(p->b, "</section>\n");
}

static void gate(struct page *p)
{
	const struct gpudx_comparison *c = p->c;

	if (!c->ngate)
		return;
	gpudx_buf_str(p->b,
		      "<h2>Gate</h2>\n<table>\n<thead><tr><th scope=\"col\">Condition</th><th "
		      "scope=\"col\">Outcome</th><th scope=\"col\">Measured</th></tr></thead>"
		      "\n<tbody>\n");
	for (size_t i = 0; i < c->ngate; i++) {
		const struct cmp_condition *k = &c->gate[i];

		gpudx_html_put(p->b, "<tr><th scope=\"row\">");
		gpudx_html_str(p->b, k->asked);
		gpudx_html_put(p->b, "</th><td><b>%s</b></td><td>", gpudx_cmp_outcome(k->outcome));
		gpudx_html_str(p->b, k->said);
		if (k->cause) {
			gpudx_buf_str(p->b, "<small>cause: ");
			gpudx_html_str(p->b, k->cause);
			gpudx_buf_str(p->b, "</small>");
		}
		if (k->needs) {
			gpudx_buf_str(p->b, "<small>needs ");
			gpudx_html_str(p->b, k->needs);
			gpudx_buf_str(p->b, "</small>");
		}
		gpudx_buf_str(p->b, "</td></tr>\n");
	}
	gpudx_buf_str(p->b, "</tbody>\n</table>\n");
}

/* ---- contract ---- */

static void change(struct page *p, const struct cmp_change *k)
{
	gpudx_buf_str(p->b, "<tr><th scope=\"row\">");
	gpudx_html_str(p->b, k->name);
	gpudx_buf_str(p->b, "<small>");
	gpudx_html_str(p->b, k->key);
	if (*k->who) {
		gpudx_buf_str(p->b, ", ");
		gpudx_html_str(p->b, k->who);
	}
	gpudx_buf_str(p->b, "</small></th>");
	for (int s = 0; s < CMP_SIDES; s++) {
		gpudx_buf_str(p->b, "<td>");
		gpudx_html_sentence(p->b, sv_str(k->value[s]));
		gpudx_buf_str(p->b, " ");
		gpudx_html_str(p->b, k->unit ? k->unit : "");
		gpudx_buf_str(p->b, "<small>");
		gpudx_html_path(p->b, sv_str(k->place[s] ? k->place[s] : ""));
		gpudx_buf_str(p->b, "</small></td>");
	}
	gpudx_buf_str(p->b, "<td>");
	if (k->lost) {
		gpudx_buf_str(p->b, "<b>");
		gpudx_html_str(p->b, k->note);
		gpudx_buf_str(p->b, "</b>");
	} else if (k->follows)
		gpudx_html_str(p->b, k->follows);
	else
		gpudx_html_str(p->b, k->note ? k->note : "");
	gpudx_buf_str(p->b, "</td></tr>\n");
}

static void group(struct page *p, enum cmp_group g, const char *heading, const char *last)
{
	size_t n = 0;

	for (size_t i = 0; i < p->c->nchanges; i++) {
		if (p->c->changes[i].group != g)
			continue;
		if (!n++)
			gpudx_html_put(
				p->b,
				"<h3>%s</h3>\n<table>\n<thead><tr><th scope=\"col\">What</th><th "
				"scope=\"col\">Before</th><th scope=\"col\">After</th><th "
				"scope=\"col\">%s</th></tr></thead>\n<tbody>\n",
				heading, last);
		change(p, &p->c->changes[i]);
	}
	if (n)
		gpudx_buf_str(p->b, "</tbody>\n</table>\n");
}

static void names(struct page *p, const char *lead, const char *const *v, size_t n)
{
	if (!n)
		return;
	gpudx_html_put(p->b, "<details class=\"finding\"><summary>%s (%zu)</summary><p>", lead, n);
	for (size_t i = 0; i < n; i++) {
		gpudx_buf_str(p->b, i ? ", " : "");
		gpudx_html_str(p->b, v[i]);
	}
	gpudx_buf_str(p->b, "</p></details>\n");
}

static void contract(struct page *p)
{
	const struct gpudx_comparison *c = p->c;

	gpudx_buf_str(p->b, "<h2>What changed</h2>\n");
	if (!c->nchanges)
		gpudx_buf_str(p->b, "<p>Nothing that both sides state.</p>\n");
	group(p, CMP_SETTING, "Site policy: set by whom?", "");
	group(p, CMP_INTENDED, "Intended", "");
	group(p, CMP_ALONG, "Came along", "With");
	group(p, CMP_PART, "The machine", "");
	for (size_t i = 0; i < c->nuntranslated; i++) {
		gpudx_buf_str(p->b, "<p class=\"warn\">");
		gpudx_html_str(p->b, c->untranslated[i]);
		gpudx_buf_str(p->b, "</p>\n");
	}
	names(p, "The same on both sides", c->same, c->nsame);
	names(p, "Known only before", c->one_sided[0], c->none_sided[0]);
	names(p, "Known only after", c->one_sided[1], c->none_sided[1]);
}

/* ---- effect ---- */

/* The GPU that a synchronous job waits for: lowest clock after. */
static bool is_slowest(const struct gpudx_comparison *c, const struct cmp_shift *s)
{
	if (s->pair < 0 || strcmp(s->kind->role, "clock") != 0 || c->npairs < 2)
		return false;
	for (int p = 0; p < (int)c->npairs; p++) {
		const struct cmp_shift *o = gpudx_shift_of(c, "clock", p, s->quantile);

		if (o && o->side[CMP_AFTER]->value < s->side[CMP_AFTER]->value)
			return false;
	}
	return true;
}

static void shift(struct page *p, const struct cmp_shift *s)
{
	gpudx_buf_str(p->b, s->verdict == CMP_WORSE ? "<tr class=\"changed\">" : "<tr>");
	gpudx_cmp_shift_name(&p->w, p->c, s);
	gpudx_buf_str(&p->w, is_slowest(p->c, s) ? " (slowest after)" : "");
	words_cell(p, "th scope=\"row\"");
	for (int k = 0; k < CMP_SIDES; k++) {
		gpudx_cmp_value(&p->w, s, k);
		words_cell(p, "td");
	}
	gpudx_cmp_difference(&p->w, s);
	words_cell(p, "td");
	gpudx_cmp_interval(&p->w, s);
	words_cell(p, "td");
	gpudx_cmp_verdict(&p->w, s);
	words_cell(p, "td");
	gpudx_buf_str(p->b, "</tr>\n");
}

static void shift_table(struct page *p, bool leading)
{
	gpudx_buf_str(p->b, "<table>\n<thead><tr><th scope=\"col\">Series</th><th "
			    "scope=\"col\">Before</th><th scope=\"col\">After</th><th "
			    "scope=\"col\">Change</th><th scope=\"col\">95 % interval</th><th "
			    "scope=\"col\">Judged</th></tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < p->c->nshifts; i++)
		if (gpudx_cmp_leads(p->c, &p->c->shifts[i]) == leading)
			shift(p, &p->c->shifts[i]);
	gpudx_buf_str(p->b, "</tbody>\n</table>\n");
}

static void pairs(struct page *p)
{
	gpudx_buf_str(p->b, "<h3>Pairs</h3>\n<table>\n<thead><tr><th scope=\"col\">Before</th><th "
			    "scope=\"col\">After</th><th scope=\"col\">Paired by</th><th "
			    "scope=\"col\">Load</th></tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < p->c->npairs; i++) {
		const struct cmp_pair *v = &p->c->pairs[i];
		const struct cmp_load *l = &p->c->loads[i];

		gpudx_buf_str(p->b, "<tr>");
		for (int s = 0; s < CMP_SIDES; s++)
			cell(p, p->c->side[s].gpus[v->gpu[s]].label);
		cell(p, v->how);
		if (l->comparable)
			gpudx_buf_printf(&p->w, "overlap %.0f %%, %.3g and %.3g min",
					 100 * l->overlap, l->minutes[0], l->minutes[1]);
		else
			gpudx_buf_printf(&p->w, "not comparable: %s", l->why_not);
		words_cell(p, "td");
		gpudx_buf_str(p->b, "</tr>\n");
	}
	gpudx_buf_str(p->b, "</tbody>\n</table>\n");
}

static void slice(struct page *p, const struct cmp_slice *before, const struct cmp_slice *after,
		  const char *how)
{
	const struct cmp_slice *v[CMP_SIDES] = { before, after };
	int s = before ? CMP_BEFORE : CMP_AFTER;

	gpudx_buf_str(p->b, "<tr>");
	cell(p, p->c->side[s].gpus[v[s]->gpu].label);
	for (int k = 0; k < CMP_SIDES; k++) {
		gpudx_buf_printf(&p->w, "%s",
				 v[k] ? v[k]->profile ? v[k]->profile : "slice" : "none");
		words_cell(p, "td");
	}
	cell(p, how ? how : "no partner");
	gpudx_buf_str(p->b, "</tr>\n");
}

static void slices(struct page *p)
{
	const struct cmp_side *b = &p->c->side[CMP_BEFORE], *a = &p->c->side[CMP_AFTER];

	if (!b->nslices && !a->nslices)
		return;
	gpudx_buf_str(p->b,
		      "<h3>MIG slices</h3>\n<table>\n<thead><tr><th scope=\"col\">GPU</th><th "
		      "scope=\"col\">Before</th><th scope=\"col\">After</th><th "
		      "scope=\"col\">Paired by</th></tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < p->c->nslices; i++)
		slice(p, &b->slices[p->c->slices[i].slice[CMP_BEFORE]],
		      &a->slices[p->c->slices[i].slice[CMP_AFTER]], p->c->slices[i].how);
	for (size_t i = 0; i < b->nslices; i++)
		if (!b->slices[i].paired)
			slice(p, &b->slices[i], NULL, NULL);
	for (size_t i = 0; i < a->nslices; i++)
		if (!a->slices[i].paired)
			slice(p, NULL, &a->slices[i], NULL);
	gpudx_buf_str(p->b, "</tbody>\n</table>\n");
}

static void reasons(struct page *p)
{
	size_t n = 0;

	for (int r = 0; r < CMP_REASONS; r++)
		for (size_t i = 0; i < p->c->npairs; i++) {
			const struct cmp_load *l = &p->c->loads[i];

			if (!l->comparable || !(fmax(l->reason[0][r], l->reason[1][r]) >= 0.005))
				continue;
			if (!n++)
				gpudx_buf_str(
					p->b,
					"<h3>Share of time in slowdown reasons</h3>\n<table>\n"
					"<thead><tr><th scope=\"col\">Reason</th><th "
					"scope=\"col\">GPU</th><th scope=\"col\">Before</th><th "
					"scope=\"col\">After</th></tr></thead>\n<tbody>\n");
			gpudx_html_put(p->b, "<tr><th scope=\"row\">%s</th>",
				       gpudx_cmp_reasons[r].name);
			cell(p, p->c->side[0].gpus[p->c->pairs[i].gpu[0]].label);
			for (int s = 0; s < CMP_SIDES; s++) {
				if (isnan(l->reason[s][r]))
					gpudx_buf_str(&p->w, "not recorded");
				else
					gpudx_buf_printf(&p->w, "%.0f %%", 100 * l->reason[s][r]);
				words_cell(p, "td");
			}
			gpudx_buf_str(p->b, "</tr>\n");
		}
	if (n)
		gpudx_buf_str(p->b, "</tbody>\n</table>\n");
}

static void histograms(struct page *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->c->nhistograms; i++) {
		const struct cmp_histogram *h = &p->c->histograms[i];
		struct rep_chart chart;

		if (!gpudx_cmp_plot_histogram(h, p->plot, SMALL_PX, &p->arena, &chart))
			continue;
		if (!n++)
			gpudx_buf_str(p->b, "<h3>Distributions at equal load</h3>\n<div "
					    "class=\"charts\">\n");
		gpudx_buf_printf(&p->w, "%s%s%s%s", h->kind->name, h->kind->unit ? " (" : "",
				 h->kind->unit ? h->kind->unit : "", h->kind->unit ? ")" : "");
		drawing(p, &chart, NULL, gpudx_buf_cstr(&p->w), gpudx_buf_cstr(&p->w));
		gpudx_buf_clear(&p->w);
	}
	if (n)
		gpudx_buf_str(p->b, "</div>\n");
}

static void effect(struct page *p)
{
	gpudx_buf_str(p->b, "<h2>What it did, at equal load</h2>\n");
	if (!p->c->nshifts)
		gpudx_buf_str(p->b, "<p>Not comparable.</p>\n");
	else
		shift_table(p, true);
	histograms(p);
	if (p->c->nshifts && (p->c->npairs > 1 || p->c->nslices)) {
		gpudx_buf_str(p->b, "<h3>Each GPU</h3>\n");
		shift_table(p, false);
	}
	reasons(p);
	pairs(p);
	slices(p);
}

/* ---- errors and findings ---- */

static void errors(struct page *p)
{
	gpudx_buf_str(p->b, "<h2>Errors</h2>\n<table>\n<thead><tr><th scope=\"col\">Kind</th><th "
			    "scope=\"col\">Before</th><th scope=\"col\">After</th><th "
			    "scope=\"col\">Judged</th></tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < p->c->nrates; i++) {
		const struct cmp_rate *r = &p->c->rates[i];

		gpudx_buf_str(p->b, "<tr>");
		gpudx_cmp_rate_name(&p->w, r);
		words_cell(p, "th scope=\"row\"");
		for (int s = 0; s < CMP_SIDES; s++) {
			gpudx_buf_printf(&p->w, "%lld in %.4g %s", (long long)r->n[s], r->hours[s],
					 r->of_gpus ? "GPU-h" : "h");
			words_cell(p, "td");
		}
		gpudx_cmp_rate_verdict(&p->w, r);
		words_cell(p, "td");
		gpudx_buf_str(p->b, "</tr>\n");
	}
	gpudx_buf_str(p->b, "</tbody>\n</table>\n");
	names(p, "Kinds of event that are new", p->c->new_kinds, p->c->nnew_kinds);
}

static void counter(struct page *p, const struct cmp_counter *v)
{
	gpudx_buf_str(p->b, v->grade == 'E' || v->grade == 'W' ? "<tr class=\"changed\">" : "<tr>");
	gpudx_buf_printf(&p->w, "%s%s%s", v->name, v->port ? ", port " : "",
			 v->port ? v->port : "");
	words_cell(p, "th scope=\"row\"");
	cell(p, p->c->side[0].gpus[p->c->pairs[v->pair].gpu[0]].label);
	gpudx_counter_text(&p->w, v);
	words_cell(p, "td");
	gpudx_buf_str(p->b, "<td>");
	gpudx_html_path(p->b, sv_str(v->place[0] ? v->place[0] : ""));
	gpudx_buf_str(p->b, "<br>");
	gpudx_html_path(p->b, sv_str(v->place[1] ? v->place[1] : ""));
	gpudx_buf_str(p->b, "</td></tr>\n");
}

static void counters(struct page *p)
{
	size_t n = 0;

	gpudx_buf_str(p->b, "<h2>Counters</h2>\n");
	for (size_t i = 0; i < p->c->ncounters; i++) {
		if (!p->c->counters[i].grade)
			continue;
		if (!n++)
			gpudx_buf_str(p->b, "<table>\n<thead><tr><th scope=\"col\">Counter</th><th "
					    "scope=\"col\">GPU</th><th scope=\"col\">Before and "
					    "after</th><th "
					    "scope=\"col\">Where</th></tr></thead>\n<tbody>\n");
		counter(p, &p->c->counters[i]);
	}
	if (n)
		gpudx_buf_str(p->b, "</tbody>\n</table>\n");
	gpudx_cmp_counters_still(&p->w, p->c);
	gpudx_html_put(p->b, "<p>");
	gpudx_html_str(p->b, gpudx_buf_cstr(&p->w));
	gpudx_html_put(p->b, "</p>\n");
	gpudx_buf_clear(&p->w);
}

static void findings(struct page *p)
{
	if (p->c->nfindings)
		gpudx_buf_str(p->b, "<h2>Findings</h2>\n<ul>\n");
	for (size_t i = 0; i < p->c->nfindings; i++) {
		const struct cmp_finding *f = &p->c->findings[i];

		gpudx_buf_str(p->b, "<li>");
		gpudx_html_severity(p->b, f->severity == 'E'   ? REP_ERROR
					  : f->severity == 'W' ? REP_WARNING
							       : REP_INFO);
		gpudx_html_put(p->b, " ");
		if (*f->who) {
			gpudx_html_str(p->b, f->who);
			gpudx_buf_str(p->b, ": ");
		}
		gpudx_html_str(p->b, f->text);
		gpudx_html_put(p->b, " <code>%s</code></li>\n", f->id);
	}
	if (p->c->nfindings)
		gpudx_buf_str(p->b, "</ul>\n");
	if (p->c->nnext)
		gpudx_buf_str(p->b, "<h2>Next</h2>\n");
	for (size_t i = 0; i < p->c->nnext; i++)
		gpudx_html_command(p->b, sv_str(p->c->next[i]));
}

void gpudx_cmp_html(const struct gpudx_comparison *c, struct gpudx_plot *plot, struct gpudx_buf *b)
{
	struct page p = { .c = c, .plot = plot, .b = b, .w = { .max = WORDS } };

	gpudx_buf_printf(&p.w, "%s → %s", c->side[CMP_BEFORE].label,
			 c->split_by ? c->split_by : c->side[CMP_AFTER].label);
	gpudx_html_begin(b, sv_n(p.w.p, p.w.n));
	gpudx_buf_clear(&p.w);
	banner(&p);
	first(&p);
	gate(&p);
	contract(&p);
	effect(&p);
	errors(&p);
	counters(&p);
	findings(&p);
	gpudx_html_put(b, "</main>\n<footer>\n<p>gpudx %s · seed %llu</p>\n</footer>\n",
		       gpudx_version(), (unsigned long long)c->options.seed);
	gpudx_html_end(b);
	gpudx_buf_free(&p.w);
	gpudx_arena_free(&p.arena);
}
