/* gpudx report: the report again, from a database. */
#include "cli.h"
#include "confine.h"
#include "out.h"
#include "redact.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct report {
	const char *output, *format_name, *charts, *template;
	bool force, no_sandbox;
	struct cli_redact redact;
	enum gpudx_format format;
};

static void render_one(void *arg, int64_t bundle)
{
	*(int64_t *)arg = bundle;
}

struct charts {
	const struct report *r;
	enum gpudx_status rc;
	struct gpudx_err *err;
};

static void write_chart(void *arg, const char *name, const char *content, size_t n)
{
	struct charts *c = arg;
	struct out_file file = { .f = NULL };
	size_t len = strlen(c->r->charts) + strlen(name) + 2;
	char *path = c->rc ? NULL : malloc(len);

	if (c->rc)
		return;
	if (path)
		snprintf(path, len, "%s/%s", c->r->charts, name);
	c->rc = path ? out_open(&file, path, OUT_REPORT, c->r->force, c->err) : gpudx_nomem(c->err);
	if (!c->rc)
		fwrite(content, 1, n, file.f);
	if (!c->rc)
		c->rc = out_commit(&file, c->err);
	out_close(&file);
	free(path);
}

/* Each chart as a file of DIR, which is made if it is not there. */
static enum gpudx_status write_charts(const struct report *r, struct gpudx_case *c, int64_t bundle,
				      struct gpudx_plot *plot, struct gpudx_err *err)
{
	struct charts charts = { r, GPUDX_OK, err };
	const char *missing = NULL;
	enum gpudx_status rc;

	if (mkdir(r->charts, 0777) && errno != EEXIST)
		return gpudx_fail(err, GPUDX_E_IO, "%s: %s", r->charts, strerror(errno));
	rc = gpudx_case_charts(c, bundle, plot, write_chart, &charts, &missing, err);
	if (!rc && missing)
		fprintf(stderr, "gpudx: charts are missing: %s\n", missing);
	return rc ? rc : charts.rc;
}

/* The last bundle of the database, or the only one. */
static enum gpudx_status render(const struct report *r, const char *db, struct gpudx_plot *plot,
				struct gpudx_err *err)
{
	struct gpudx_report_options o = { .plot = plot };
	struct out_file file = { .f = NULL };
	struct gpudx_case *c = NULL;
	bool to_file = r->output && strcmp(r->output, "-") != 0;
	int64_t bundle = 0;
	enum gpudx_status rc = gpudx_case_open(db, &c, err);

	if (!rc)
		rc = gpudx_case_bundles(c, render_one, &bundle, err);
	if (!rc)
		rc = cli_redact(&r->redact, c, false, err);
	if (!rc && r->charts)
		rc = write_charts(r, c, bundle, plot, err);
	if (!rc && to_file)
		rc = out_open(&file, r->output, OUT_REPORT, r->force, err);
	if (!to_file && r->format == GPUDX_TEXT && !r->template) {
		int height;

		o.colour = cli_colour(stdout);
		cli_size(stdout, &o.width, &height);
	}
	if (!rc && r->template)
		rc = gpudx_case_postmortem(c, bundle, to_file ? file.f : stdout, err);
	else if (!rc)
		rc = gpudx_case_report(c, bundle, r->format, &o, to_file ? file.f : stdout, err);
	if (!rc && to_file)
		rc = out_commit(&file, err);
	gpudx_case_close(c);
	out_close(&file);
	return rc;
}

static int run(int argc, char **argv)
{
	struct report r = { .format = GPUDX_TEXT };
	const struct opt opts[] = {
		{ OPT_TEXT, 'o', "output", "FILE", "where to (default and -: stdout)", &r.output },
		{ OPT_TEXT, 0, "format", "FORMAT", "text (default), html, md, json or csv",
		  &r.format_name },
		{ OPT_TEXT, 0, "template", "NAME",
		  "postmortem: a post-mortem to be completed, in Markdown", &r.template },
		{ OPT_TEXT, 0, "charts", "DIR", "also write each chart to DIR, as SVG and PNG",
		  &r.charts },
		CLI_REDACT_OPTIONS(&r.redact),
		{ OPT_FLAG, 'f', "force", NULL, "replace a file that gpudx did not make",
		  &r.force },
		CLI_SANDBOX_OPTION(&r.no_sandbox),
		{ .kind = OPT_END },
	};
	int n = opt_parse(&cmd_report, opts, argc, argv), status = CLI_OK;
	struct gpudx_plot *plot;
	struct gpudx_err err = { 0 };

	if (n <= 0)
		return n < 0 ? CLI_USAGE : CLI_OK;
	if (n != 2 || (r.format_name && !cli_format(r.format_name, &r.format))) {
		fprintf(stderr, "gpudx: report: %s\n",
			n != 2 ? "one database, please"
			       : "--format must be text, html, md, json or csv");
		return CLI_USAGE;
	}
	if (r.template &&
	    (strcmp(r.template, "postmortem") != 0 || (r.format_name && r.format != GPUDX_MD))) {
		fprintf(stderr,
			"gpudx: report: --template must be postmortem, whose format is md\n");
		return CLI_USAGE;
	}
	if (!cli_redact_check(&r.redact, "report"))
		return CLI_USAGE;
	plot = r.format == GPUDX_HTML || r.charts ? gpudx_plot_start() : NULL;
	cli_confine(&(struct cli_keep){ .read = { argv[1], r.redact.map },
					.write = { r.output, r.redact.map },
					.fill = r.charts,
					.off = r.no_sandbox });
	if (render(&r, argv[1], plot, &err))
		status = cli_fail(&err);
	gpudx_plot_stop(plot);
	return status;
}

const struct cmd cmd_report = {
	.name = "report",
	.args = "DB",
	.summary = "the report again, from the database of an analysis",
	.run = run,
};
