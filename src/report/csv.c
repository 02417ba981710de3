/* Findings as a table for spreadsheets. */
#include "report/report.h"
#include "report/words.h"

#include "base/csv.h"

#include <math.h>

/* The first name is the mark by which gpudx knows its own tables. */
static const char head[] =
	"gpudx_finding,rank,severity,state,action,kind,points_to,symptom,confidence,start,end,"
	"time_quality,host,gpus,caused_by,summary,evidence\n";

static void cell(struct gpudx_buf *b, struct gpudx_sv s)
{
	gpudx_csv_text(b, s);
	gpudx_buf_char(b, ',');
}

static void time_cell(struct gpudx_buf *b, int64_t t_us, enum rep_quality q)
{
	char buf[REP_TIME_TEXT];

	cell(b, sv_str(gpudx_word_iso(t_us, q, buf)));
}

static void gpus(struct gpudx_buf *b, struct gpudx_buf *line, const struct rep_finding *f)
{
	for (size_t i = 0; i < f->ngpus; i++) {
		gpudx_buf_str(line, i ? " " : "");
		gpudx_buf_sv(line, f->gpus[i]->key);
	}
	cell(b, sv_n(gpudx_buf_cstr(line), line->n));
	gpudx_buf_clear(line);
}

/* "dmesg.txt:4-6 trace.csv:9" */
static void places(struct gpudx_buf *b, struct gpudx_buf *line, const struct rep_evidence *e)
{
	for (size_t i = 0; i < e->n; i++) {
		gpudx_buf_str(line, i ? " " : "");
		gpudx_buf_sv(line, e->places[i].path);
		gpudx_buf_char(line, ':');
		gpudx_word_lines(line, &e->places[i], 50);
	}
	cell(b, sv_n(gpudx_buf_cstr(line), line->n));
	gpudx_buf_clear(line);
}

static void row(struct gpudx_buf *b, struct gpudx_buf *line, const struct rep_finding *f)
{
	cell(b, f->rule);
	if (f->rank)
		gpudx_buf_printf(b, "%lld", (long long)f->rank);
	gpudx_buf_char(b, ',');
	cell(b, sv_str(gpudx_word_severity_name(f->severity)));
	cell(b, f->state);
	cell(b, f->action);
	cell(b, f->kind);
	cell(b, f->points);
	cell(b, f->symptom);
	if (isfinite(f->confidence))
		gpudx_buf_printf(b, "%.2f", f->confidence);
	gpudx_buf_char(b, ',');
	time_cell(b, f->span.t0_us, f->span.quality);
	time_cell(b, f->span.t1_us, f->span.quality);
	cell(b, f->quality);
	cell(b, sv_str(f->host ? f->host->label : ""));
	gpus(b, line, f);
	cell(b, f->cause ? f->cause->rule : sv_n("", 0));
	cell(b, f->summary);
	places(b, line, &f->shown);
	b->n--; /* the comma behind the last cell */
	gpudx_buf_char(b, '\n');
}

enum gpudx_status gpudx_report_csv(const struct rep_model *m, struct rep_out *out,
				   struct gpudx_err *err)
{
	struct gpudx_buf line = { .max = 1 << 20 };
	bool failed = false;

	gpudx_buf_str(&out->b, head);
	for (size_t i = 0; i < m->nfindings && !failed; i++) {
		row(&out->b, &line, &m->findings[i]);
		failed = line.failed || out->b.failed;
		gpudx_report_flush(out);
	}
	gpudx_buf_free(&line);
	gpudx_report_flush(out);
	return failed ? gpudx_nomem(err) : GPUDX_OK;
}
