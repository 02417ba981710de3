/* The report as one page that needs nothing else: no network, no fonts, no JavaScript to be read.
 * Its policy allows exactly the style and the script that are in it. */
#include "report/html.h"

#include "base/embed.h"
#include "bundle/digest.h"

#include <math.h>
#include <stdio.h>

/* ---- small parts ---- */

void gpudx_html_words(struct gpudx_buf *b, struct gpudx_buf *words)
{
	gpudx_html_text(b, sv_n(words->p, words->n));
	gpudx_buf_clear(words);
}

static void shortened(struct gpudx_buf *b, struct gpudx_sv text, int columns)
{
	struct gpudx_buf words = { .max = 16384 };

	gpudx_word_path(&words, text, columns);
	gpudx_html_words(b, &words);
	gpudx_buf_free(&words);
}

void gpudx_html_path(struct gpudx_buf *b, struct gpudx_sv path)
{
	shortened(b, path, 120);
}

void gpudx_html_sentence(struct gpudx_buf *b, struct gpudx_sv text)
{
	shortened(b, text, 600);
}

void gpudx_html_name(struct gpudx_buf *b, struct gpudx_sv name)
{
	shortened(b, name, 40);
}

void gpudx_html_gpu(struct rep_page *p, const struct rep_gpu *g)
{
	struct gpudx_buf words = { .max = 4096 };

	gpudx_word_gpu(&words, p->m, g);
	gpudx_html_words(p->b, &words);
	gpudx_buf_free(&words);
}

void gpudx_html_summary(struct rep_page *p, const struct rep_finding *f)
{
	struct gpudx_buf words = { .max = 16384 };

	gpudx_word_summary(&words, p->m, f);
	gpudx_html_words(p->b, &words);
	gpudx_buf_free(&words);
}

void gpudx_html_command(struct gpudx_buf *b, struct gpudx_sv command)
{
	gpudx_buf_str(b, "<span class=\"cmd\"><code>");
	gpudx_html_text(b, command);
	gpudx_buf_str(b, "</code></span>");
}

void gpudx_html_severity(struct gpudx_buf *b, enum rep_severity s)
{
	gpudx_html_put(b, "<span class=\"sev sev-%c\"><b>%c</b> %s</span>",
		       gpudx_word_severity_letter(s), gpudx_word_severity_letter(s),
		       gpudx_word_severity_name(s));
}

void gpudx_html_svg(struct gpudx_buf *b, const struct rep_chart *c, const char *class,
		    unsigned number, struct gpudx_sv title)
{
	if (!c->body.p)
		return;
	gpudx_html_put(
		b,
		"<svg class=\"%s\" viewBox=\"0 0 %d %d\" role=\"img\" aria-labelledby=\"c%u%c\">"
		"<title id=\"c%u%c\">",
		class, c->width, c->height, number, class[0], number, class[0]);
	gpudx_html_text(b, title);
	gpudx_buf_str(b, "</title>\n");
	gpudx_buf_sv(b, c->body);
	gpudx_buf_str(b, "</svg>\n");
}

static void shades(struct gpudx_buf *b, const struct rep_figure *f)
{
	for (size_t i = 0; i < sizeof(f->shades) / sizeof(f->shades[0]) && f->shades[i].words; i++)
		gpudx_html_put(
			b,
			"<span class=\"shade\"><svg viewBox=\"0 0 10 10\" aria-hidden=\"true\">"
			"<rect width=\"10\" height=\"10\" fill=\"%s\" fill-opacity=\"0.5\"/></svg> "
			"%s</span> ",
			gpudx_ink_page(f->shades[i].ink), f->shades[i].words);
}

void gpudx_html_figure(struct rep_page *p, const struct rep_figure *f, unsigned number,
		       bool heading)
{
	struct gpudx_buf *b = p->b;
	bool both = f->wide.body.p && f->narrow.body.p;

	if (!f->wide.body.p && !f->narrow.body.p)
		return;
	gpudx_buf_str(b, "<figure>\n");
	if (heading && f->gpu) {
		gpudx_buf_str(b, "<h3>");
		gpudx_html_gpu(p, f->gpu);
		gpudx_buf_str(b, "</h3>\n");
	}
	gpudx_html_svg(b, &f->wide, both ? "wide" : "only", number, f->title);
	gpudx_html_svg(b, &f->narrow, both ? "narrow" : "only", number, f->title);
	gpudx_buf_str(b, "<figcaption>");
	shades(b, f);
	gpudx_html_text(b, f->caption);
	gpudx_buf_str(b, "</figcaption>\n</figure>\n");
	gpudx_report_flush(p->out);
}

/* ---- head of the document ---- */

static void base64(const char hex[GPUDX_SHA256_HEX], char out[48])
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	uint32_t bits = 0;
	int have = 0, n = 0;

	for (int i = 0; hex[i]; i++) {
		bits = bits << 4 | (uint32_t)sv_hex_value(hex[i]);
		have += 4;
		for (; have >= 6; have -= 6)
			out[n++] = digits[bits >> (have - 6) & 63];
	}
	if (have) /* 256 bits are 42 digits and 4 bits */
		out[n++] = digits[bits << (6 - have) & 63];
	out[n++] = '=';
	out[n] = '\0';
}

static void put_hash(struct gpudx_buf *b, struct gpudx_sv text)
{
	char hex[GPUDX_SHA256_HEX], encoded[48];
	struct gpudx_sha256 h;

	gpudx_sha256_init(&h);
	gpudx_sha256_add(&h, text.p, text.n);
	gpudx_sha256_hex(&h, hex);
	base64(hex, encoded);
	gpudx_html_put(b, "'sha256-%s'", encoded);
}

void gpudx_html_begin(struct gpudx_buf *b, struct gpudx_sv title)
{
	struct gpudx_sv style = gpudx_embed("src/report/assets/report.css");
	struct gpudx_sv script = gpudx_embed("src/report/assets/report.js");

	gpudx_buf_str(b, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
			 "<meta name=\"generator\" content=\"gpudx " GPUDX_VERSION "\">\n"
			 "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
			 "'none'; style-src ");
	put_hash(b, style);
	gpudx_buf_str(b, "; script-src ");
	put_hash(b, script);
	gpudx_buf_str(b,
		      "; img-src data:; base-uri 'none'; form-action 'none'\">\n"
		      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		      "<meta name=\"color-scheme\" content=\"light dark\">\n"
		      "<meta name=\"referrer\" content=\"no-referrer\">\n"
		      "<link rel=\"icon\" href=\"data:,\">\n<title>");
	gpudx_html_text(b, title);
	gpudx_buf_str(b, " - gpudx</title>\n<style>");
	gpudx_buf_sv(b, style);
	gpudx_buf_str(b, "</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#verdict\">To the "
			 "verdict</a>\n");
}

void gpudx_html_end(struct gpudx_buf *b)
{
	gpudx_buf_str(b, "<script>");
	gpudx_buf_sv(b, gpudx_embed("src/report/assets/report.js"));
	gpudx_buf_str(b, "</script>\n</body>\n</html>\n");
}

static void head(struct rep_page *p)
{
	struct gpudx_buf w = { .max = 16384 };

	gpudx_word_path(&w, p->m->label, 120);
	gpudx_buf_printf(&w, ": %s", gpudx_word_kind(p->m->kind));
	gpudx_html_begin(p->b, sv_n(w.p, w.n));
	gpudx_buf_free(&w);
}

/* "power-cap · 1 GPU: A100 · driver 550.90.07 · 6 Mar 2026 · times: local, zone not in the bundle"
 */
static void banner(struct rep_page *p)
{
	const struct rep_model *m = p->m;
	struct gpudx_buf *b = p->b, w = { .max = 8192 };
	char date[REP_TIME_TEXT];

	gpudx_buf_str(b, "<header>\n<p><b>gpudx</b> <span>");
	gpudx_html_name(b, m->label);
	gpudx_buf_str(b, "</span>");
	for (size_t i = 0; i < m->nhosts && i < 3; i++)
		if (m->hosts[i].name.n) {
			gpudx_buf_str(b, " <span>");
			gpudx_html_name(b, m->hosts[i].name);
			gpudx_buf_str(b, "</span>");
		}
	gpudx_buf_str(b, " <span>");
	gpudx_word_gpus(&w, m);
	gpudx_html_words(b, &w);
	gpudx_word_term(&w, m, "driver.version", "driver ");
	gpudx_buf_str(b, w.n ? "</span> <span>" : "");
	gpudx_html_words(b, &w);
	if (*gpudx_word_date(m->collected.t0_us, date) && m->collected.quality >= REP_T_ASSUMED)
		gpudx_html_put(b, "</span> <span>collected %s", date);
	gpudx_buf_str(b, "</span> <span>times: ");
	gpudx_word_times(&w, m);
	gpudx_html_words(b, &w);
	gpudx_buf_str(b, "</span>");
	if (m->complaint.n) {
		gpudx_buf_str(b, " <span>complaint: ");
		gpudx_html_name(b, m->complaint);
		gpudx_buf_str(b, "</span>");
	}
	gpudx_buf_str(b, "</p>\n</header>\n<main>\n");
	gpudx_buf_free(&w);
}

/* ---- the verdict ---- */

static void row(struct gpudx_buf *b, const char *name)
{
	gpudx_html_put(b, "<div><dt>%s</dt><dd>", name);
}

static void end_row(struct gpudx_buf *b)
{
	gpudx_buf_str(b, "</dd></div>\n");
}

/* Since when, and until when. */
static void span(struct rep_page *p, const struct rep_finding *f)
{
	char when[2 * REP_TIME_TEXT];

	row(p->b, "When");
	if (*gpudx_word_span(&f->span, gpudx_word_mark_utc(p->m), when))
		gpudx_buf_str(p->b, when);
	else
		gpudx_buf_str(p->b, "No source says since when: it is what they saw when they were "
				    "collected.");
	end_row(p->b);
}

static void advice(struct rep_page *p, const struct rep_finding *f)
{
	const char *words = gpudx_word_action(p->m->action);
	struct gpudx_sv remedy = f ? f->remedy : sv_n(NULL, 0);

	if (!*words && !remedy.n)
		return;
	row(p->b, "What to do now");
	gpudx_html_put(p->b, "<b>%s</b> ", words);
	gpudx_html_text(p->b, remedy);
	end_row(p->b);
}

/* The part that would be exchanged or looked at, so that nobody has to look for it. */
static void suspect(struct rep_page *p, const struct rep_finding *f)
{
	struct gpudx_buf *b = p->b;

	bool hardware = sv_is(f->points, "hardware");

	if ((!hardware && !sv_is(f->points, "platform")) || f->ngpus > 2)
		return;
	for (size_t i = 0; i < f->ngpus; i++) {
		const struct rep_gpu *g = f->gpus[i];
		const struct {
			const char *name;
			struct gpudx_sv value;
		} ids[] = {
			{ "serial ", g->serial }, { "", g->uuid }, { "", g->bdf }, { "", g->name }
		};

		row(b, i ? "" : hardware ? "Suspect" : "Which card");
		gpudx_html_gpu(p, g);
		for (size_t k = 0; k < sizeof(ids) / sizeof(ids[0]); k++)
			if (ids[k].value.n) {
				gpudx_html_put(b, " · %s", ids[k].name);
				gpudx_html_path(b, ids[k].value);
			}
		end_row(b);
	}
}

static void places(struct rep_page *p, const struct rep_finding *f, const struct rep_evidence *e,
		   const char *suffix)
{
	struct gpudx_buf *b = p->b, w = { .max = 4096 };

	for (size_t i = 0; i < e->n && i < 5; i++) {
		gpudx_html_put(b, "%s<a href=\"#f%lld-%s%zu\">", i ? " · " : "", (long long)f->id,
			       suffix, i);
		gpudx_word_path(&w, e->places[i].path, 40);
		gpudx_buf_char(&w, ' ');
		gpudx_word_lines(&w, &e->places[i], 3);
		gpudx_html_words(b, &w);
		gpudx_buf_str(b, "</a>");
	}
	if (e->n > 5)
		gpudx_html_put(b, " · %zu more", e->n - 5);
	gpudx_buf_free(&w);
}

static void reasons(struct rep_page *p, const struct rep_finding *f)
{
	struct gpudx_buf *b = p->b;

	row(b, "What speaks for it");
	places(p, f, &f->shown, "");
	gpudx_html_put(b, " (confidence %s)", gpudx_word_confidence(f->confidence));
	end_row(b);
	row(b, "What speaks against");
	if (f->against.n)
		places(p, f, &f->against, "a");
	else
		gpudx_buf_str(b, "nothing in the bundle");
	end_row(b);
	if (f->settle_command.n) {
		row(b, "What would settle it");
		gpudx_html_command(b, f->settle_command);
		end_row(b);
	}
}

/* The highest clock that any of them had or had before: the length of a full bar. */
static double full_clock(const struct rep_model *m, const struct rep_finding *f)
{
	double full = 0;

	for (size_t i = 0; i < f->ngpus; i++) {
		const struct rep_ref *r = gpudx_model_ref(m, f, f->gpus[i]);

		if (r && r->clock_mhz > full)
			full = r->clock_mhz;
		for (size_t k = 0; r && k < m->nepisodes; k++)
			if (m->episodes[k].ref_id == r->id && m->episodes[k].clock_ref_mhz > full)
				full = m->episodes[k].clock_ref_mhz;
	}
	return full;
}

static void bar(struct gpudx_buf *b, double v, double full)
{
	if (v >= 0 && v <= full && full > 0)
		gpudx_html_put(b,
			       "<svg class=\"bar\" viewBox=\"0 0 100 14\" aria-hidden=\"true\">"
			       "<rect width=\"100\" height=\"14\" fill=\"%s\"/><rect "
			       "width=\"%.0f\" height=\"14\" fill=\"%s\"/></svg>",
			       gpudx_ink_page(REP_INK_GRID), 100 * v / full,
			       gpudx_ink_page(REP_INK_CLOCK));
}

static void gpu_row(struct rep_page *p, const struct rep_gpu *g, const struct rep_ref *r,
		    double full)
{
	const struct {
		double v;
		const char *unit;
	} cells[] = { { r ? r->clock_mhz : NAN, "MHz" },
		      { r ? r->util_pct : NAN, "%" },
		      { r ? r->temp_max_c : NAN, "°C" },
		      { r ? r->power_w : NAN, "W" } };
	struct gpudx_buf *b = p->b;

	gpudx_buf_str(b, "<tr><th scope=\"row\">");
	gpudx_html_gpu(p, g);
	gpudx_buf_str(b, "</th>");
	for (size_t i = 0; i < sizeof(cells) / sizeof(cells[0]); i++) {
		if (isfinite(cells[i].v))
			gpudx_html_put(b, "<td>%.0f %s", cells[i].v, cells[i].unit);
		else
			gpudx_buf_str(b, "<td>-");
		if (!i)
			bar(b, cells[i].v, full);
		gpudx_buf_str(b, "</td>");
	}
	gpudx_buf_str(b, "</tr>\n");
}

/* What is measured of each GPU, when the verdict is about several; a temperature alone says little. */
static void gpu_table(struct rep_page *p, const struct rep_finding *f)
{
	double full = full_clock(p->m, f);
	bool any = false;

	for (size_t i = 0; i < f->ngpus; i++) {
		const struct rep_ref *r = gpudx_model_ref(p->m, f, f->gpus[i]);

		any |= r &&
		       (isfinite(r->clock_mhz) || isfinite(r->util_pct) || isfinite(r->power_w));
	}
	if (f->ngpus < 2 || !any)
		return;
	gpudx_buf_str(p->b, "<table class=\"num\">\n<caption>Mean of all samples, and the "
			    "hottest</caption>\n<thead><tr>"
			    "<th scope=\"col\">GPU</th><th scope=\"col\">SM clock</th><th "
			    "scope=\"col\">busy</th>"
			    "<th scope=\"col\">hottest</th><th "
			    "scope=\"col\">power</th></tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < f->ngpus; i++)
		gpu_row(p, f->gpus[i], gpudx_model_ref(p->m, f, f->gpus[i]), full);
	gpudx_buf_str(p->b, "</tbody>\n</table>\n");
}

static void kind_line(struct rep_page *p)
{
	const struct rep_finding *f = p->m->first;
	const char *points = f && sv_is(p->m->kind, "fault") ? gpudx_word_points(f->points) : "";
	const char *note = gpudx_word_kind_note(p->m->kind);

	gpudx_html_put(p->b, "<p class=\"kind\"><b>%s</b>", gpudx_word_kind(p->m->kind));
	if (*points || *note)
		gpudx_html_put(p->b, " <span>%s</span>", *points ? points : note);
	gpudx_buf_str(p->b, "</p>\n");
}

static const char *kind_class(struct gpudx_sv kind)
{
	if (sv_is(kind, "fault"))
		return "fault";
	return sv_is(kind, "healthy") ? "healthy" : "other";
}

/* Without a finding: why, and what to collect. */
static void no_finding(struct rep_page *p)
{
	const struct rep_model *m = p->m;
	struct gpudx_buf *b = p->b;

	gpudx_buf_str(b, "<h1 id=\"verdict\">");
	gpudx_html_sentence(b, m->reason.n ? m->reason : SV_LIT("No rule has judged this bundle."));
	gpudx_buf_str(b, "</h1>\n");
	gpudx_buf_str(b, "<dl>\n");
	if (sv_is(m->kind, "healthy")) {
		row(b, "What to do now");
		gpudx_buf_str(b, "<b>Nothing to repair.</b> Where something was felt all the same, "
				 "say what and when: ");
		gpudx_html_command(b,
				   SV_LIT("gpudx analyze --complaint slow|hang|crash|oom|missing|"
					  "transfer|start --at TIME BUNDLE"));
		end_row(b);
	}
	if (sv_is(m->kind, "healthy") || !m->ncollects || !m->collects[0].command.n) {
		gpudx_buf_str(b, "</dl>\n");
		return;
	}
	row(b, "What to collect");
	for (size_t i = 0; i < m->ncollects && i < 3; i++)
		if (m->collects[i].command.n)
			gpudx_html_command(b, m->collects[i].command);
	end_row(b);
	gpudx_buf_str(b, "</dl>\n");
}

static void finding(struct rep_page *p, const struct rep_finding *f)
{
	struct gpudx_buf *b = p->b;

	gpudx_buf_str(b, "<h1 id=\"verdict\">");
	gpudx_html_sentence(b, f->title.n ? f->title : f->summary);
	gpudx_buf_str(b, "</h1>\n<p class=\"lead\">");
	gpudx_html_summary(p, f);
	gpudx_buf_str(b, "</p>\n<p>");
	gpudx_html_text(b, gpudx_word_sentence(f->meaning));
	gpudx_buf_str(b, "</p>\n");
	gpudx_html_figure(p, &p->charts->proof, 0, false);
	gpudx_buf_str(b, "<dl>\n");
	span(p, f);
	advice(p, f);
	suspect(p, f);
	reasons(p, f);
	gpudx_buf_str(b, "</dl>\n");
	gpu_table(p, f);
}

/* ---- what else there is, in one glance ---- */

static void other_link(struct rep_page *p, const struct rep_finding *f)
{
	struct gpudx_buf *b = p->b;
	const char *symptom = gpudx_word_symptom(f->symptom);

	gpudx_html_put(b, "<li>%s%s%s<a href=\"#f%lld\">", *symptom ? "If it was " : "", symptom,
		       *symptom ? ": " : "", (long long)f->id);
	gpudx_html_summary(p, f);
	gpudx_buf_str(b, "</a></li>\n");
}

static void also_link(struct rep_page *p, const struct rep_finding *f)
{
	gpudx_buf_str(p->b, "<li>");
	gpudx_html_severity(p->b, f->severity);
	gpudx_html_put(p->b, " <a href=\"#f%lld\">", (long long)f->id);
	gpudx_html_summary(p, f);
	gpudx_buf_str(p->b, "</a></li>\n");
}

/* Whether f is listed under "also": a root or a note that does not answer another question. */
static bool is_also(const struct rep_model *m, const struct rep_finding *f)
{
	return f != m->first && !f->root && !gpudx_model_other_question(m, f);
}

static void questions(struct rep_page *p, int n)
{
	gpudx_buf_str(p->b, "<h2>A different question?</h2>\n<ul>\n");
	for (size_t i = 0; i < p->m->nfindings; i++)
		if (gpudx_model_other_question(p->m, &p->m->findings[i]) && n-- > 0)
			other_link(p, &p->m->findings[i]);
	gpudx_buf_str(p->b, "</ul>\n");
}

static void also(struct rep_page *p, int n)
{
	gpudx_buf_str(p->b, "<h2>Also</h2>\n<ul class=\"also\">\n");
	for (size_t i = 0; i < p->m->nfindings; i++)
		if (is_also(p->m, &p->m->findings[i]) && n-- > 0)
			also_link(p, &p->m->findings[i]);
	gpudx_buf_str(p->b, "</ul>\n");
	if (n < 0)
		gpudx_html_put(p->b, "<p><a href=\"#findings\">and %d more</a></p>\n", -n);
}

static void others(struct rep_page *p)
{
	int asked = 0, rest = 0;

	for (size_t i = 0; i < p->m->nfindings; i++) {
		asked += gpudx_model_other_question(p->m, &p->m->findings[i]);
		rest += is_also(p->m, &p->m->findings[i]);
	}
	if (!asked && !rest)
		return;
	gpudx_buf_str(p->b, "<nav class=\"else\" aria-label=\"What else there is\">\n");
	if (asked)
		questions(p, 4);
	if (rest)
		also(p, 12);
	gpudx_buf_str(p->b, "</nav>\n");
}

/* What the reader must know of the reading itself, if anything. */
static void warnings(struct rep_page *p)
{
	const struct rep_model *m = p->m;
	struct gpudx_buf *b = p->b;

	if (m->limit_hit.n) {
		gpudx_buf_str(b, "<p class=\"warn\">Reading ended early: ");
		gpudx_html_sentence(b, m->limit_hit);
		gpudx_buf_str(b, "</p>\n");
	}
	if (m->damaged.n) {
		struct gpudx_buf w = { .max = 4096 };

		gpudx_word_damage(&w, m);
		gpudx_buf_str(b, "<p class=\"warn\">Damaged: ");
		gpudx_html_text(b, sv_n(w.n ? w.p : "", w.n));
		gpudx_buf_str(b, "</p>\n");
		gpudx_buf_free(&w);
	}
	if (m->texts_cut)
		gpudx_buf_str(b, "<p class=\"warn\">The cited lines are too much text for one "
				 "report; some stand without it.</p>\n");
	if (p->charts->missing && (m->nrefs || (m->first && m->first->nevents))) {
		gpudx_buf_str(b, "<p class=\"warn\">Charts are missing: ");
		gpudx_html_str(b, p->charts->missing);
		gpudx_buf_str(b, ".</p>\n");
	}
	if (m->counts.unread)
		gpudx_html_put(b,
			       "<p class=\"warn\">%lld of %lld files could not be read: <a "
			       "href=\"#sources\">which</a></p>\n",
			       (long long)m->counts.unread, (long long)m->counts.members);
	if (m->counts.rules[REP_FAILED])
		gpudx_html_put(b,
			       "<p class=\"warn\">%u broken %s did not judge: <a "
			       "href=\"#open\">which</a></p>\n",
			       m->counts.rules[REP_FAILED],
			       m->counts.rules[REP_FAILED] == 1 ? "rule" : "rules");
}

static void foot(struct rep_page *p)
{
	const struct rep_model *m = p->m;
	struct gpudx_buf *b = p->b;

	gpudx_buf_str(b, "</main>\n<footer>\n<p>gpudx ");
	gpudx_html_text(b, m->version.p ? m->version : sv_str(gpudx_version()));
	gpudx_html_put(b, " · rules: %u fired, %u clean, %u not checkable",
		       m->counts.rules[REP_FIRED], m->counts.rules[REP_CLEAN],
		       m->counts.rules[REP_LACKING]);
	if (m->rules_digest.n) {
		gpudx_buf_str(b, " · rule set ");
		gpudx_html_text(b, sv_first(m->rules_digest, 12));
	}
	gpudx_buf_str(b, " · bundle SHA-256 <code>");
	gpudx_html_text(b, m->digest);
	gpudx_buf_str(b, "</code></p>\n</footer>\n");
	gpudx_html_end(b);
}

enum gpudx_status gpudx_report_html(const struct rep_model *m, const struct rep_charts *charts,
				    struct rep_out *out, struct gpudx_err *err)
{
	struct rep_page p = { m, charts, out, &out->b, err };
	enum gpudx_status rc;

	head(&p);
	banner(&p);
	gpudx_html_put(p.b, "<section class=\"verdict %s\" aria-labelledby=\"verdict\">\n",
		       kind_class(m->kind));
	kind_line(&p);
	if (m->first)
		finding(&p, m->first);
	else
		no_finding(&p);
	warnings(&p);
	gpudx_buf_str(p.b, "</section>\n");
	others(&p);
	gpudx_html_findings(&p);
	gpudx_html_charts(&p);
	rc = gpudx_html_history(&p);
	gpudx_html_answers(&p);
	gpudx_html_contract(&p);
	gpudx_html_excluded(&p);
	gpudx_html_open(&p);
	if (!rc)
		rc = gpudx_html_sources(&p);
	foot(&p);
	if (!rc && out->b.failed)
		rc = gpudx_nomem(err);
	gpudx_report_flush(out);
	return rc;
}
