/* Renders a case in every format: what comes out must be text that is fit to be shown. */
#ifndef GPUDX_FUZZ_RENDER_H
#define GPUDX_FUZZ_RENDER_H

#include "fuzz.h"

#include "base/utf8.h"
#include "gpudx/gpudx.h"

static inline void check_text(struct gpudx_sv out)
{
	while (out.n) {
		size_t was = out.n;
		uint32_t u = gpudx_utf8_next(&out);

		must(u != 0xfffd || was - out.n == 3, "a report is valid UTF-8");
		must(u == '\n' || !gpudx_utf8_unprintable(u), "a report has no control characters");
	}
}

/* A report may fail on a damaged database, but not write rubbish. */
static inline enum gpudx_status render(struct gpudx_case *c, int64_t bundle, struct gpudx_err *err)
{
	const struct gpudx_report_options options = { .width = 100 };
	enum gpudx_status rc = GPUDX_OK;

	for (int format = GPUDX_TEXT; format <= GPUDX_JSON && !rc; format++) {
		char *p = NULL;
		size_t n = 0;
		FILE *f = open_memstream(&p, &n);

		must(f != NULL, "a stream in memory can be opened");
		rc = gpudx_case_report(c, bundle, (enum gpudx_format)format, &options, f, err);
		fclose(f);
		check_text(sv_n(p, n));
		free(p);
	}
	return rc;
}

static inline void touch_str(const char *s)
{
	touch(sv_str(s));
}

static inline void touch_source(void *arg, const struct gpudx_source *s)
{
	(void)arg;
	touch_str(s->path), touch_str(s->title), touch_str(s->parser), touch_str(s->status);
	touch_str(s->reason), touch_str(s->damage), touch_str(s->encoding);
	must(s->nrejects <= GPUDX_REJECTS_SHOWN, "not more rejects than are shown");
	for (size_t i = 0; i < s->nrejects; i++)
		touch_str(s->rejects[i].reason), touch_str(s->rejects[i].text);
}

#endif
