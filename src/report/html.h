/* Parts of the page. Bundle text goes through gpudx_html_text, or through one of these, always. */
#ifndef GPUDX_HTML_H
#define GPUDX_HTML_H

#include "report/chart.h"
#include "report/escape.h"
#include "report/report.h"
#include "report/words.h"

struct rep_page {
	const struct rep_model *m;
	const struct rep_charts *charts;
	struct rep_out *out;
	struct gpudx_buf *b; /* that of out */
	struct gpudx_err *err;
};

/* printf for markup and numbers of our own; never for text of a bundle. */
#define gpudx_html_put gpudx_buf_printf

/* Text of a bundle that should be a path or a sentence, and a name that should be a word: the
 * middle is left out when it is very long. */
void gpudx_html_path(struct gpudx_buf *b, struct gpudx_sv path);
void gpudx_html_sentence(struct gpudx_buf *b, struct gpudx_sv text);
void gpudx_html_name(struct gpudx_buf *b, struct gpudx_sv name);

/* Composed words (gpudx_word_*), escaped: compose into words, which is cleared. */
void gpudx_html_words(struct gpudx_buf *b, struct gpudx_buf *words);

void gpudx_html_gpu(struct rep_page *p, const struct rep_gpu *g);
void gpudx_html_summary(struct rep_page *p, const struct rep_finding *f);

/* A command with a place for the copy button. */
void gpudx_html_command(struct gpudx_buf *b, struct gpudx_sv command);

/* A page up to <body>, and from <script> on; style and script are those that its policy allows. */
void gpudx_html_begin(struct gpudx_buf *b, struct gpudx_sv title);
void gpudx_html_end(struct gpudx_buf *b);

/* One drawing; class: wide, narrow or only. number is unique on the page for each class. */
void gpudx_html_svg(struct gpudx_buf *b, const struct rep_chart *c, const char *class,
		    unsigned number, struct gpudx_sv title);

/* "E error" with the class that colours it. */
void gpudx_html_severity(struct gpudx_buf *b, enum rep_severity s);

/* A chart in its sizes with its words; nothing when it was not drawn. number is unique. */
void gpudx_html_figure(struct rep_page *p, const struct rep_figure *f, unsigned number,
		       bool heading);

/* The anchor of a finding is "f7", that of the n-th place of its evidence "f7-2". */

void gpudx_html_findings(struct rep_page *p);
void gpudx_html_charts(struct rep_page *p);
void gpudx_html_contract(struct rep_page *p);
void gpudx_html_answers(struct rep_page *p);
GPUDX_CHECK enum gpudx_status gpudx_html_history(struct rep_page *p);
void gpudx_html_excluded(struct rep_page *p);
void gpudx_html_open(struct rep_page *p);
GPUDX_CHECK enum gpudx_status gpudx_html_sources(struct rep_page *p);

#endif
