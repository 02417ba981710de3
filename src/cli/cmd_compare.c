/* gpudx compare: what changed between two captures, what it did, and a gate. */
#include "cli.h"
#include "confine.h"
#include "out.h"
#include "progress.h"

#include "gpudx/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDES = 2 };

struct compare {
	const char *output, *format_name, *junit, *tz, *baseline, *clock, *throughput, *rate, *seed,
		*block, *site;
	struct opt_texts sides[SIDES], no_new, series, limits;
	bool split, allow_inconclusive, force, no_sandbox;
	struct gpudx_compare_options options;
	enum gpudx_compare_format format;
	bool to_stdout; /* -o - */
	struct gpudx_plot *plot;
	struct gpudx_case *cases[SIDES];
	char *labels[SIDES];
	struct gpudx_comparison *result;
	struct out_file report, junit_file;
	struct out_file work[SIDES]; /* what was read; never kept */
};

static bool format_of(const char *name, enum gpudx_compare_format *out)
{
	static const struct {
		const char *name;
		enum gpudx_compare_format format;
	} formats[] = { { "html", GPUDX_CMP_HTML },
			{ "text", GPUDX_CMP_TEXT },
			{ "json", GPUDX_CMP_JSON },
			{ "md", GPUDX_CMP_MARKDOWN } };

	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		if (strcmp(formats[i].name, name) == 0) {
			*out = formats[i].format;
			return true;
		}
	return false;
}

static int bad(const char *option, const char *value, const char *must)
{
	fprintf(stderr, "gpudx: compare: --%s %s: must be %s\n", option, value, must);
	return CLI_USAGE;
}

static bool number(const char *text, double least, double *out)
{
	char *end;

	*out = strtod(text, &end);
	return end != text && !*end && isfinite(*out) && *out >= least;
}

static int check_options(struct compare *c)
{
	struct gpudx_compare_options *o = &c->options;
	double seed = 1;

	*o = gpudx_compare_defaults();
	c->format = GPUDX_CMP_HTML;
	if (c->format_name && !format_of(c->format_name, &c->format))
		return bad("format", c->format_name, "one of html text json md");
	if (c->clock && !gpudx_parse_share(c->clock, &o->max_clock_drop))
		return bad("max-clock-drop", c->clock, "a share like 3%");
	if (c->throughput && !gpudx_parse_share(c->throughput, &o->max_throughput_drop))
		return bad("max-throughput-drop", c->throughput, "a share like 3%");
	if (c->rate && !number(c->rate, 0, &o->max_error_rate_ratio))
		return bad("max-error-rate-ratio", c->rate, "a number like 2");
	if (c->seed && (!number(c->seed, 1, &seed) || seed > 1e15))
		return bad("seed", c->seed, "a whole number from 1 on");
	if (c->block && !number(c->block, 0.001, &o->block_s))
		return bad("block", c->block, "seconds");
	o->seed = (uint64_t)seed;
	o->no_new = c->no_new.v;
	o->nno_new = c->no_new.n;
	o->series = c->series.v;
	o->nseries = c->series.n;
	o->allow_inconclusive = c->allow_inconclusive;
	c->to_stdout = c->output && strcmp(c->output, "-") == 0;
	return CLI_OK;
}

static bool gated(const struct compare *c)
{
	return c->clock || c->throughput || c->rate || c->no_new.n || c->series.n;
}

/* ---- sides ---- */

static int add_path(struct opt_texts *t, const char *path)
{
	const char **v = realloc(t->v, (t->n + 1) * sizeof(*v));

	if (!v) {
		fprintf(stderr, "gpudx: compare: out of memory\n");
		return CLI_ERROR;
	}
	t->v = v;
	v[t->n++] = path;
	return CLI_OK;
}

/* What stands on the line by itself fills the sides that have nothing yet. */
static int take_paths(struct compare *c, int n, char **paths)
{
	int status = CLI_OK;

	if (c->baseline)
		status = add_path(&c->sides[0], c->baseline);
	for (int i = 0; i < n && !status; i++) {
		int side = !c->sides[0].n || c->split ? 0 : 1;

		if (side && c->sides[1].n) {
			fprintf(stderr,
				"gpudx: compare: %s: one too many (several bundles of a side: "
				"--before, --after)\n",
				paths[i]);
			return CLI_USAGE;
		}
		status = add_path(&c->sides[side], paths[i]);
	}
	if (!status && (!c->sides[0].n || (!c->split && !c->sides[1].n))) {
		fprintf(stderr, c->split ? "gpudx: compare: --split: which bundle?\n"
					 : "gpudx: compare: two sides, please: BEFORE AFTER\n");
		return CLI_USAGE;
	}
	if (!status && c->split && c->sides[1].n) {
		fprintf(stderr, "gpudx: compare: --split takes one side\n");
		return CLI_USAGE;
	}
	return status;
}

static int nothing_readable(const char *path)
{
	fprintf(stderr, "gpudx: %s: nothing readable\n", path);
	return CLI_NOTHING;
}

static const char *report_path(const struct compare *c)
{
	static const char *const names[] = { [GPUDX_CMP_TEXT] = "compare.gpudx.txt",
					     [GPUDX_CMP_JSON] = "compare.gpudx.json",
					     [GPUDX_CMP_HTML] = "compare.gpudx.html",
					     [GPUDX_CMP_MARKDOWN] = "compare.gpudx.md" };

	return c->output ? c->output : names[c->format];
}

/* Where samples of days do not fit into memory they lie beside the report until it is written; but
 * nothing comes to disk for a report to stdout. */
static enum gpudx_status create_case(struct compare *c, int side, struct gpudx_err *err)
{
	static const char *const endings[SIDES] = { ".before", ".after" };
	size_t n = strlen(report_path(c)) + 16;
	struct out_file *work = &c->work[side];
	enum gpudx_status rc;
	char *path;

	if (c->to_stdout || out_is_device(report_path(c)))
		return gpudx_case_create(NULL, &c->cases[side], err);
	path = malloc(n);
	if (!path)
		return gpudx_nomem(err);
	snprintf(path, n, "%s%s", report_path(c), endings[side]);
	rc = out_open(work, path, OUT_DATABASE, true, err);
	free(path);
	return rc ? rc : gpudx_case_create(work->part, &c->cases[side], err);
}

static int read_bundles(struct compare *c, int side)
{
	const struct opt_texts *t = &c->sides[side];
	struct gpudx_err err = { 0 };
	int status = CLI_OK;

	if (create_case(c, side, &err) ||
	    (c->site && gpudx_case_site(c->cases[side], c->site, &err)) ||
	    cli_limits(c->cases[side], &c->limits, &err))
		return cli_fail(&err);
	for (size_t i = 0; i < t->n && !status; i++) {
		struct gpudx_read in;

		if (gpudx_is_case(t->v[i])) {
			fprintf(stderr, "gpudx: compare: %s: a database is a side by itself\n",
				t->v[i]);
			return CLI_USAGE;
		}
		if (progress_read(c->cases[side], t->v[i], &in, &err))
			return cli_fail(&err);
		if (in.unread == in.members)
			return nothing_readable(t->v[i]);
		if (gpudx_case_derive(c->cases[side], in.bundle, c->tz, &err))
			return cli_fail(&err);
	}
	return status;
}

static int open_side(struct compare *c, int side)
{
	const struct opt_texts *t = &c->sides[side];
	struct gpudx_err err = { 0 };

	if (t->n == 1)
		c->labels[side] = cli_stem(t->v[0]);
	if (t->n != 1 || !gpudx_is_case(t->v[0]))
		return read_bundles(c, side);
	if (c->site && (side || c->split)) {
		fprintf(stderr,
			"gpudx: compare: --site %s: %s is a database and has the site it was "
			"analyzed with\n",
			c->site, t->v[0]);
		return CLI_USAGE;
	}
	return gpudx_case_open(t->v[0], &c->cases[side], &err) ? cli_fail(&err) : CLI_OK;
}

/* ---- results ---- */

static enum gpudx_status compare(struct compare *c, struct gpudx_err *err)
{
	c->options.before_label = c->labels[0];
	c->options.after_label = c->labels[c->split ? 0 : 1];
	return c->split ? gpudx_compare_split(c->cases[0], &c->options, &c->result, err)
			: gpudx_compare(c->cases[0], c->cases[1], &c->options, &c->result, err);
}

static enum gpudx_status open_files(struct compare *c, struct gpudx_err *err)
{
	const char *junit = c->junit			? c->junit
			    : gated(c) && !c->to_stdout ? "compare.junit.xml"
							: NULL;
	enum gpudx_status rc = GPUDX_OK;

	if (!c->to_stdout)
		rc = out_open(&c->report, report_path(c), OUT_REPORT, c->force, err);
	if (!rc && junit)
		rc = out_open(&c->junit_file, junit, OUT_REPORT, c->force, err);
	return rc;
}

static enum gpudx_status write_files(struct compare *c, struct gpudx_err *err)
{
	struct gpudx_compare_report o = { .plot = c->plot };
	enum gpudx_status rc;

	if (c->to_stdout && c->format == GPUDX_CMP_TEXT) {
		int height;

		o.colour = cli_colour(stdout);
		cli_size(stdout, &o.width, &height);
	}
	rc = gpudx_comparison_report(c->result, c->format, &o, c->to_stdout ? stdout : c->report.f,
				     err);
	if (!rc && !c->to_stdout)
		rc = out_commit(&c->report, err);
	if (!rc && c->junit_file.f)
		rc = gpudx_comparison_report(c->result, GPUDX_CMP_JUNIT, NULL, c->junit_file.f,
					     err);
	if (!rc && c->junit_file.f)
		rc = out_commit(&c->junit_file, err);
	return rc;
}

/* What a person at the terminal reads; not with -o -, whose stdout holds the report alone. */
static enum gpudx_status print_text(struct compare *c, struct gpudx_err *err)
{
	struct gpudx_compare_report o = { .colour = cli_colour(stdout) };
	char files[1024];
	int height;

	if (c->to_stdout)
		return GPUDX_OK;
	cli_size(stdout, &o.width, &height);
	snprintf(files, sizeof(files), "%s%s%s", c->report.path, c->junit_file.path ? "  " : "",
		 c->junit_file.path ? c->junit_file.path : "");
	o.files = files;
	return gpudx_comparison_report(c->result, GPUDX_CMP_TEXT, &o, stdout, err);
}

/* Both sides in one list: what is read of the one may be a link of the other's. */
static void confine(const struct compare *c)
{
	size_t n = c->sides[0].n + c->sides[1].n;
	const char **reads = calloc(n + 1, sizeof(*reads));

	if (!reads)
		return;
	for (size_t i = 0; i < n; i++)
		reads[i] = i < c->sides[0].n ? c->sides[0].v[i] : c->sides[1].v[i - c->sides[0].n];
	cli_confine(&(struct cli_keep){
		.reads = reads,
		.nreads = n,
		.read = { c->site },
		.write = { c->output ? c->output : "./", c->junit ? c->junit : "./" },
		.off = c->no_sandbox });
	free(reads);
}

static int compare_all(struct compare *c)
{
	struct gpudx_err err = { 0 };
	int status = open_side(c, 0);

	if (!status && !c->split)
		status = open_side(c, 1);
	if (status)
		return status;
	if (compare(c, &err) || open_files(c, &err) || write_files(c, &err) || print_text(c, &err))
		return cli_fail(&err);
	return gpudx_comparison_sum(c->result).gate_failed ? CLI_FAIL_ON : CLI_OK;
}

static void close_all(struct compare *c)
{
	gpudx_plot_stop(c->plot);
	gpudx_comparison_free(c->result);
	for (int i = 0; i < SIDES; i++) {
		gpudx_case_close(c->cases[i]);
		out_close(&c->work[i]);
		free(c->labels[i]);
		opt_texts_free(&c->sides[i]);
	}
	out_close(&c->report);
	out_close(&c->junit_file);
	opt_texts_free(&c->no_new);
	opt_texts_free(&c->series);
	opt_texts_free(&c->limits);
}

static int run(int argc, char **argv)
{
	struct compare c = { .output = NULL };
	const struct opt opts[] = {
		{ OPT_TEXTS, 0, "before", "BUNDLE",
		  "of the side before; may be given several times", &c.sides[0] },
		{ OPT_TEXTS, 0, "after", "BUNDLE", "of the side after, likewise", &c.sides[1] },
		{ OPT_TEXT, 0, "baseline", "DB", "the side before is this golden node",
		  &c.baseline },
		{ OPT_FLAG, 0, "split", NULL,
		  "one bundle: before and after the change of a version in it", &c.split },
		{ OPT_TEXT, 0, "max-clock-drop", "SHARE",
		  "gate: the SM clock of no GPU is lower by more (3%)", &c.clock },
		{ OPT_TEXT, 0, "max-throughput-drop", "SHARE",
		  "gate: no throughput is lower by more (3%)", &c.throughput },
		{ OPT_TEXT, 0, "max-error-rate-ratio", "N",
		  "gate: no kind of incident is N times as frequent", &c.rate },
		{ OPT_TEXTS, 0, "no-new", "KIND", "gate: no new kind of event (xid, xid.79, sxid)",
		  &c.no_new },
		{ OPT_TEXTS, 0, "series", "KEY,lower|higher[,SHARE]",
		  "gate: a series that should be low or high is not worse by more (3%)",
		  &c.series },
		{ OPT_FLAG, 0, "allow-inconclusive", NULL,
		  "gate: what cannot be told does not fail it", &c.allow_inconclusive },
		{ OPT_TEXT, 'o', "output", "FILE",
		  "the report (default compare.gpudx.html; - is stdout, and no other file)",
		  &c.output },
		{ OPT_TEXT, 0, "format", "FORMAT", "html, text, json or md", &c.format_name },
		{ OPT_TEXT, 0, "junit", "FILE",
		  "the gate as JUnit XML (default compare.junit.xml where there is a gate)",
		  &c.junit },
		{ OPT_TEXT, 0, "tz", "ZONE", "of local times", &c.tz },
		{ OPT_TEXT, 0, "seed", "N", "of the bootstrap (1)", &c.seed },
		{ OPT_TEXT, 0, "block", "SECONDS",
		  "of the bootstrap (default: by how long each series remembers)", &c.block },
		{ OPT_FLAG, 'f', "force", NULL, "replace output files that gpudx did not make",
		  &c.force },
		CLI_LIMIT_OPTION(&c.limits),
		{ OPT_TEXT, 0, "site", "FILE",
		  "what this site means to have: says what is intended and what got lost",
		  &c.site },
		CLI_SANDBOX_OPTION(&c.no_sandbox),
		{ .kind = OPT_END },
	};
	int n = opt_parse(&cmd_compare, opts, argc, argv), status;

	if (n <= 0)
		return n < 0 ? CLI_USAGE : CLI_OK;
	status = check_options(&c);
	if (!status)
		status = take_paths(&c, n - 1, argv + 1);
	if (!status) {
		/* Before anything of a bundle is read. */
		if (c.format == GPUDX_CMP_HTML)
			c.plot = gpudx_plot_start();
		confine(&c);
		status = compare_all(&c);
	}
	close_all(&c);
	return status;
}

const struct cmd cmd_compare = {
	.name = "compare",
	.args = "BEFORE AFTER",
	.summary = "what changed between two captures, what it did, a gate",
	.text = "Each side is a bundle, several (--before, --after), or a database of gpudx "
		"analyze. "
		"The comparison\n"
		"is printed; the page is written to the working directory. Exit status 1: the gate "
		"failed.",
	.run = run,
};
