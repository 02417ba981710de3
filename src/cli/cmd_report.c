/* gpudx report: the report again, from a database. */
#include "cli.h"
#include "out.h"
#include "redact.h"

#include <string.h>

struct report {
	const char *output, *format_name;
	bool force;
	struct cli_redact redact;
	enum gpudx_format format;
};

static void render_one(void *arg, int64_t bundle)
{
	*(int64_t *)arg = bundle;
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
	if (!rc && to_file)
		rc = out_open(&file, r->output, OUT_REPORT, r->force, err);
	if (!to_file && r->format == GPUDX_TEXT) {
		int height;

		o.colour = cli_colour(stdout);
		cli_size(stdout, &o.width, &height);
	}
	if (!rc)
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
		{ OPT_TEXT, 0, "format", "FORMAT", "text (default), html, md or json",
		  &r.format_name },
		CLI_REDACT_OPTIONS(&r.redact),
		{ OPT_FLAG, 'f', "force", NULL, "replace a file that gpudx did not make",
		  &r.force },
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
			       : "--format must be text, html, md or json");
		return CLI_USAGE;
	}
	if (!cli_redact_check(&r.redact, "report"))
		return CLI_USAGE;
	plot = r.format == GPUDX_HTML ? gpudx_plot_start() : NULL;
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
