#include "report/report.h"

#include "report/chart.h"

#include <errno.h>
#include <string.h>

enum { PIECE = 64 << 20 }; /* the largest piece between two flushes */

void gpudx_report_flush(struct rep_out *o)
{
	if (o->b.n && fwrite(o->b.p, 1, o->b.n, o->file) != o->b.n && !o->error)
		o->error = errno;
	o->b.n = 0;
}

static enum gpudx_status html(const struct rep_model *m, const struct gpudx_report_options *o,
			      struct rep_out *out, struct gpudx_err *err)
{
	struct rep_charts charts;
	enum gpudx_status rc = gpudx_charts_draw(m, o->plot, false, &charts, err);

	return rc ? rc : gpudx_report_html(m, &charts, out, err);
}

static enum gpudx_status render(const struct rep_model *m, enum gpudx_format format,
				const struct gpudx_report_options *o, struct rep_out *out,
				struct gpudx_err *err)
{
	switch (format) {
	case GPUDX_TEXT:
		return gpudx_report_text(m, o, out, err);
	case GPUDX_JSON:
		return gpudx_report_json(m, out, err);
	case GPUDX_MD:
		return gpudx_report_md(m, out, err);
	case GPUDX_CSV:
		return gpudx_report_csv(m, out, err);
	case GPUDX_HTML:
		return html(m, o, out, err);
	}
	return gpudx_fail(err, GPUDX_E_USAGE, "no such format");
}

enum gpudx_status gpudx_report(sqlite3 *db, int64_t bundle, enum gpudx_format format,
			       const struct gpudx_report_options *o, FILE *file,
			       struct gpudx_err *err)
{
	static const struct gpudx_report_options none = { 0 };
	struct gpudx_arena arena = { .limit = REP_ARENA };
	struct rep_out out = { { .max = PIECE }, file, 0 };
	struct rep_model m;
	enum gpudx_status rc = gpudx_model_load(db, bundle, &arena, &m, err);

	if (!rc)
		rc = render(&m, format, o ? o : &none, &out, err);
	gpudx_buf_free(&out.b);
	gpudx_arena_free(&arena);
	if (!rc && fflush(file) && !out.error)
		out.error = errno;
	if (!rc && (out.error || ferror(file)))
		rc = gpudx_fail(err, GPUDX_E_IO, "cannot write the report: %s",
				strerror(out.error ? out.error : EIO));
	return rc;
}
