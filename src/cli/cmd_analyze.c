/* gpudx analyze: the main job. */
#include "cli.h"
#include "confine.h"
#include "jobs.h"
#include "out.h"
#include "progress.h"
#include "redact.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

struct analyze {
	const char *output, *db, *format_name, *tz, *complaint, *at, *since, *until, *rules, *site,
		*fail_on, *fail_on_action, *jobs;
	struct opt_texts sets, limits;
	struct cli_redact redact;
	bool force, timings, no_sandbox;
	int64_t at_us, since_us, until_us;
	enum gpudx_severity severity; /* of fail_on */
	enum gpudx_action action;     /* of fail_on_action */
	enum gpudx_format format;
	bool to_stdout; /* -o - */
	bool colour;	/* of stdout; with --jobs its children do not see the terminal */
	int width;
	unsigned at_once;
	char **paths;
	struct gpudx_plot *plot;
	size_t done;		   /* bundles that have their report */
	struct gpudx_case *shared; /* with --db: one database for all bundles */
	struct out_file shared_file;
};

enum { JOBS_MAX = 64 };

struct timer {
	struct timespec last;
	bool on;
};

/* Says on stderr how long a stage took; never part of any output. */
static void lap(struct timer *t, const char *stage)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (t->on && stage)
		fprintf(stderr, "gpudx: %-8s %7.3f s\n", stage,
			(double)(now.tv_sec - t->last.tv_sec) +
				(double)(now.tv_nsec - t->last.tv_nsec) / 1e9);
	t->last = now;
}

static int bad_value(const char *option, const char *value, const char *allowed)
{
	fprintf(stderr, "gpudx: analyze: --%s %s: must be one of %s\n", option, value, allowed);
	return CLI_USAGE;
}

static bool is_one_of(const char *value, const char *list)
{
	size_t n = strlen(value);

	for (const char *p = list; n && (p = strstr(p, value)) != NULL; p += n)
		if ((p == list || p[-1] == ' ') && (p[n] == ' ' || !p[n]))
			return true;
	return false;
}

static int check_jobs(struct analyze *a)
{
	char *end = NULL;
	long n = a->jobs ? strtol(a->jobs, &end, 10) : 1;

	if (n < 1 || n > JOBS_MAX || (end && (*end || end == a->jobs))) {
		fprintf(stderr, "gpudx: analyze: --jobs %s: must be a number from 1 to %d\n",
			a->jobs, JOBS_MAX);
		return CLI_USAGE;
	}
	a->at_once = (unsigned)n;
	if (n > 1 && a->db) {
		fprintf(stderr, "gpudx: analyze: --db is one database for all, which --jobs cannot "
				"write at once\n");
		return CLI_USAGE;
	}
	return CLI_OK;
}

static int check_options(struct analyze *a)
{
	static const char formats[] = "html md json csv text",
			  complaints[] = "slow hang crash oom missing transfer start",
			  severities[] = "info warning error critical",
			  actions[] = "watch restart_app restart_service reset_gpu reboot_node "
				      "power_cycle drain_rma_candidate fix_host fix_config collect";
	struct gpudx_err err = { 0 };
	int height;

	a->format = GPUDX_HTML;
	if (a->format_name && !cli_format(a->format_name, &a->format))
		return bad_value("format", a->format_name, formats);
	if (a->complaint && !is_one_of(a->complaint, complaints))
		return bad_value("complaint", a->complaint, complaints);
	if (a->fail_on && !gpudx_severity_by_name(a->fail_on, &a->severity))
		return bad_value("fail-on", a->fail_on, severities);
	if (a->fail_on_action && !gpudx_action_by_name(a->fail_on_action, &a->action))
		return bad_value("fail-on-action", a->fail_on_action, actions);
	if ((a->at && gpudx_parse_time(a->at, &a->at_us, &err)) ||
	    (a->since && gpudx_parse_time(a->since, &a->since_us, &err)) ||
	    (a->until && gpudx_parse_time(a->until, &a->until_us, &err)))
		return cli_fail(&err);
	if (!cli_redact_check(&a->redact, "analyze"))
		return CLI_USAGE;
	a->to_stdout = a->output && strcmp(a->output, "-") == 0;
	a->colour = cli_colour(stdout);
	cli_size(stdout, &a->width, &height);
	if (a->db && a->output && strcmp(a->db, a->output) == 0) {
		fprintf(stderr, "gpudx: analyze: --output and --db are the same file, %s\n", a->db);
		return CLI_USAGE;
	}
	return check_jobs(a);
}

static enum gpudx_status add_ending(const char *stem, const char *ending, char **out,
				    struct gpudx_err *err)
{
	size_t n = strlen(stem) + strlen(ending) + 1;

	*out = malloc(n);
	if (!*out)
		return gpudx_nomem(err);
	snprintf(*out, n, "%s%s", stem, ending);
	return GPUDX_OK;
}

/* One bundle's files while they are made. */
struct job {
	struct analyze *a;
	const char *path;
	struct gpudx_case *c;
	bool own_case;
	struct out_file db, report;
	struct gpudx_read read;
	struct gpudx_judged judged;
	struct timer timer;
	struct progress progress;
	bool done; /* the report is where it should be */
};

static enum gpudx_status open_case(struct job *j, const char *stem, struct gpudx_err *err)
{
	enum gpudx_status rc;
	char *path;

	if (j->a->shared) {
		j->c = j->a->shared;
		return GPUDX_OK;
	}
	j->own_case = true;
	if (j->a->to_stdout)
		return gpudx_case_create(NULL, &j->c, err);
	rc = add_ending(stem, ".gpudx.db", &path, err);
	if (!rc)
		rc = out_open(&j->db, path, OUT_DATABASE, j->a->force, err);
	if (!rc)
		rc = gpudx_case_create(j->db.part, &j->c, err);
	free(path);
	return rc;
}

static enum gpudx_status open_report(struct job *j, const char *stem, struct gpudx_err *err)
{
	static const char *const endings[] = { [GPUDX_TEXT] = ".gpudx.txt",
					       [GPUDX_HTML] = ".gpudx.html",
					       [GPUDX_JSON] = ".gpudx.json",
					       [GPUDX_MD] = ".gpudx.md",
					       [GPUDX_CSV] = ".gpudx.csv" };
	enum gpudx_status rc;
	char *path;

	if (j->a->to_stdout)
		return GPUDX_OK;
	if (j->a->output)
		return out_open(&j->report, j->a->output, OUT_REPORT, j->a->force, err);
	rc = add_ending(stem, endings[j->a->format], &path, err);
	if (!rc)
		rc = out_open(&j->report, path, OUT_REPORT, j->a->force, err);
	free(path);
	return rc;
}

static enum gpudx_status work(struct job *j, struct gpudx_err *err)
{
	const struct analyze *a = j->a;
	const struct gpudx_judge_options judge = { .complaint = a->complaint,
						   .at_us = a->at ? &a->at_us : NULL,
						   .since_us = a->since ? &a->since_us : NULL,
						   .until_us = a->until ? &a->until_us : NULL,
						   .sets = a->sets.v,
						   .nsets = a->sets.n,
						   .rules_dir = a->rules };
	enum gpudx_status rc = gpudx_case_read(j->c, j->path, &j->read, err);

	lap(&j->timer, "read");
	if (rc || j->read.unread == j->read.members)
		return rc;
	progress_doing(&j->progress, "working out what belongs together");
	rc = gpudx_case_derive(j->c, j->read.bundle, a->tz, err);
	lap(&j->timer, "derive");
	progress_doing(&j->progress, "judging");
	if (!rc)
		rc = gpudx_case_judge(j->c, j->read.bundle, &judge, &j->judged, err);
	lap(&j->timer, "judge");
	progress_doing(&j->progress, "drawing and writing the report");
	return rc;
}

/* What is printed next must not meet the line of progress. */
static enum gpudx_status analyse(struct job *j, struct gpudx_err *err)
{
	enum gpudx_status rc = cli_limits(j->c, &j->a->limits, err);

	if (!rc && j->a->site)
		rc = gpudx_case_site(j->c, j->a->site, err);
	if (rc)
		return rc;
	if (!j->a->timings)
		progress_start(&j->progress, j->c, &j->path, 1);
	rc = work(j, err);
	if (rc || j->read.unread == j->read.members || j->judged.broken || j->a->to_stdout)
		progress_stop(&j->progress);
	return rc;
}

static enum gpudx_status report(struct job *j, struct gpudx_err *err)
{
	struct gpudx_report_options o = { .plot = j->a->plot };
	FILE *f = j->report.f ? j->report.f : stdout;
	enum gpudx_status rc;

	/* A redacted report does not say what the input was called. */
	if (!j->a->redact.what) {
		o.db_path = j->db.path ? j->db.path : j->a->shared_file.path;
		o.html_path = j->report.path;
	}
	if (f == stdout && j->a->format == GPUDX_TEXT) {
		o.colour = j->a->colour;
		o.width = j->a->width;
	}
	rc = gpudx_case_report(j->c, j->read.bundle, j->a->format, &o, f, err);
	if (rc && j->report.path)
		rc = gpudx_while(err, "while writing %s", j->report.path);
	lap(&j->timer, "report");
	return rc;
}

static enum gpudx_status render(struct job *j, struct gpudx_err *err)
{
	enum gpudx_status rc = cli_redact(&j->a->redact, j->c, false, err);

	if (!rc)
		rc = report(j, err);
	progress_stop(&j->progress);
	return rc;
}

/* What a person at the terminal reads; not with -o -, whose stdout holds the report alone. */
static enum gpudx_status print_verdict(struct job *j, struct gpudx_err *err)
{
	struct gpudx_report_options o = { .colour = j->a->colour,
					  .width = j->a->width,
					  .height = 24 };
	enum gpudx_status rc;

	if (j->a->to_stdout)
		return gpudx_case_unredact(j->c, err);
	o.db_path = j->db.path ? j->db.path : j->a->shared_file.path;
	o.html_path = j->report.path;
	rc = gpudx_case_report(j->c, j->read.bundle, GPUDX_TEXT, &o, stdout, err);
	return rc ? rc : gpudx_case_unredact(j->c, err);
}

static enum gpudx_status commit(struct job *j, struct gpudx_err *err)
{
	enum gpudx_status rc = GPUDX_OK;

	/* The database must be closed before it gets its name: nothing may be pending. */
	if (j->own_case) {
		gpudx_case_close(j->c);
		j->c = NULL;
	}
	if (j->db.path)
		rc = out_commit(&j->db, err);
	if (!rc && j->report.path)
		rc = out_commit(&j->report, err);
	j->done = !rc;
	return rc;
}

static void say_rule(void *arg, const char *rule, const char *message)
{
	(void)arg;
	fprintf(stderr, "gpudx: rule %s: %s\n", rule, message);
}

static enum gpudx_status say_broken(struct job *j, struct gpudx_err *err)
{
	return j->judged.broken ? gpudx_case_broken_rules(j->c, say_rule, NULL, err) : GPUDX_OK;
}

enum { UNREAD_SAID = 20 };

struct unread {
	const char *path;
	uint32_t members, said;
};

static void say_unread(void *arg, const struct gpudx_source *s)
{
	const char *reason = s->reason ? s->reason : s->status;
	struct unread *u = arg;

	if (s->parent || u->said++ >= UNREAD_SAID)
		return;
	if (u->members == 1)
		fprintf(stderr, "gpudx: %s: nothing readable: ", u->path);
	else
		fprintf(stderr, "  %s: ", s->path);
	fprintf(stderr, "%s%s%s\n", reason, s->damage ? "; " : "", s->damage ? s->damage : "");
}

/* Names the input with what it is, and when it holds several the first of them. */
static int nothing_readable(struct job *j, struct gpudx_err *err)
{
	struct unread u = { .path = j->path, .members = j->read.members };

	if (!u.members)
		fprintf(stderr, "gpudx: %s: nothing readable: no files in it\n", u.path);
	if (u.members > 1)
		fprintf(stderr, "gpudx: %s: nothing readable in %u files\n", u.path, u.members);
	if (gpudx_case_sources(j->c, j->read.bundle, say_unread, &u, err))
		return cli_fail(err);
	if (u.said > UNREAD_SAID)
		fprintf(stderr, "  and %u more\n", u.said - UNREAD_SAID);
	return CLI_NOTHING;
}

/* Whether an action that is due is the one to fail on, or a stronger one of its ladder. */
static bool action_due(uint32_t due, enum gpudx_action least)
{
	for (int i = (int)least; i < GPUDX_ACTIONS; i++)
		if (due >> i & 1 && (i == (int)least || i <= GPUDX_DRAIN))
			return true;
	return false;
}

static int status_of(const struct job *j)
{
	const struct analyze *a = j->a;
	int status = j->judged.broken ? CLI_RULES : CLI_OK;

	if ((a->fail_on && j->judged.findings && j->judged.worst <= a->severity) ||
	    (a->fail_on_action && action_due(j->judged.actions, a->action)))
		status = cli_worse(status, CLI_FAIL_ON);
	return status;
}

static int analyze_one(struct analyze *a, const char *path)
{
	struct job j = { .a = a, .path = path, .timer = { .on = a->timings } };
	struct gpudx_err err = { 0 };
	char *stem = cli_stem(path);
	int status = CLI_OK;

	lap(&j.timer, NULL);
	if (!stem)
		gpudx_nomem(&err);
	if (!stem || open_case(&j, stem, &err) || open_report(&j, stem, &err) || analyse(&j, &err))
		status = cli_fail(&err);
	else if (j.read.unread == j.read.members)
		status = nothing_readable(&j, &err);
	else if (say_broken(&j, &err) || render(&j, &err) || print_verdict(&j, &err) ||
		 commit(&j, &err))
		status = cli_fail(&err);
	else
		status = status_of(&j);
	a->done += j.done;
	if (j.own_case)
		gpudx_case_close(j.c);
	out_close(&j.db);
	out_close(&j.report);
	free(stem);
	return status;
}

static void confine(const struct analyze *a, size_t from, size_t n)
{
	/* NULL where -o - leaves nothing to be written. */
	const char *here = a->to_stdout ? NULL : "./";

	cli_confine(&(struct cli_keep){
		.reads = (const char *const *)a->paths + from,
		.nreads = n,
		.read = { a->site, a->redact.map },
		.write = { a->output ? a->output : here, a->db ? a->db : here, a->redact.map },
		.any_read = a->rules != NULL,
		.off = a->no_sandbox });
}

/* In a process of its own, with a gnuplot of its own. */
static int analyze_job(void *arg, size_t i)
{
	struct analyze *a = arg;
	int status;

	if (a->format == GPUDX_HTML)
		a->plot = gpudx_plot_start();
	confine(a, i, 1);
	status = analyze_one(a, a->paths[i]);
	gpudx_plot_stop(a->plot);
	return status;
}

static int analyze_at_once(struct analyze *a, int n)
{
	const struct jobs jobs = { .n = (size_t)n,
				   .at_once = a->at_once,
				   .names = a->paths,
				   .work = analyze_job,
				   .arg = a };

	return jobs_run(&jobs);
}

static int analyze_in_turn(struct analyze *a, int n)
{
	struct gpudx_err err = { 0 };
	int status = CLI_OK;

	/* Before anything of a bundle is read. */
	if (a->format == GPUDX_HTML)
		a->plot = gpudx_plot_start();
	confine(a, 0, (size_t)n);
	if (a->db && (out_open(&a->shared_file, a->db, OUT_DATABASE, a->force, &err) ||
		      gpudx_case_create(a->shared_file.part, &a->shared, &err)))
		return cli_fail(&err);
	for (int i = 0; i < n; i++)
		status = cli_worse(status, analyze_one(a, a->paths[i]));
	if (!a->db)
		return status;
	gpudx_case_close(a->shared);
	if (a->done && out_commit(&a->shared_file, &err))
		status = cli_worse(status, cli_fail(&err));
	return status;
}

/* Two bundles of one name would write the same files. */
static int check_names(const struct analyze *a, int n, char **paths)
{
	for (int i = 1; i < n && !a->to_stdout; i++) {
		for (int k = 0; k < i; k++) {
			char *x = cli_stem(paths[i]), *y = cli_stem(paths[k]);
			bool same = x && y && strcmp(x, y) == 0;

			if (same)
				fprintf(stderr,
					"gpudx: analyze: %s and %s would both write %s.gpudx...; "
					"analyze one at a time\n",
					paths[k], paths[i], x);
			free(x);
			free(y);
			if (same)
				return CLI_USAGE;
		}
	}
	return CLI_OK;
}

static int run(int argc, char **argv)
{
	struct analyze a = { .output = NULL };
	const struct opt opts[] = {
		{ OPT_TEXT, 'o', "output", "FILE",
		  "the report (default NAME.gpudx.html; - is stdout, and no other file is written)",
		  &a.output },
		{ OPT_TEXT, 0, "db", "FILE",
		  "the database (default NAME.gpudx.db); with several bundles one for all", &a.db },
		{ OPT_TEXT, 0, "format", "FORMAT", "html, md, json, csv or text", &a.format_name },
		{ OPT_TEXT, 0, "tz", "ZONE",
		  "of local times: an offset (+02:00) or a name (Europe/Berlin)", &a.tz },
		{ OPT_TEXT, 0, "complaint", "SYMPTOM",
		  "slow, hang, crash, oom, missing, transfer or start: what fits leads",
		  &a.complaint },
		{ OPT_TEXT, 0, "at", "TIME", "when it happened: what is near leads", &a.at },
		{ OPT_TEXT, 0, "since", "TIME", "judge only what reaches beyond this time",
		  &a.since },
		{ OPT_TEXT, 0, "until", "TIME", "judge only what began before this time",
		  &a.until },
		{ OPT_TEXT, 0, "rules", "DIR",
		  "rules of this directory as well; one of the same id replaces", &a.rules },
		{ OPT_TEXT, 0, "site", "FILE",
		  "what this site means to have: intended deviations become notes", &a.site },
		{ OPT_TEXTS, 0, "set", "ID.PARAM=N",
		  "a rule's parameter; may be given several times", &a.sets },
		{ OPT_TEXT, 0, "fail-on", "SEVERITY",
		  "exit 1 at a finding of info, warning, error or critical", &a.fail_on },
		{ OPT_TEXT, 0, "fail-on-action", "ACTION",
		  "exit 1 when this action or a stronger one is due", &a.fail_on_action },
		{ OPT_TEXT, 'j', "jobs", "N", "so many bundles at once (default 1)", &a.jobs },
		CLI_REDACT_OPTIONS(&a.redact),
		{ OPT_FLAG, 'f', "force", NULL, "replace output files that gpudx did not make",
		  &a.force },
		{ OPT_FLAG, 0, "timings", NULL, "say on stderr how long each stage took",
		  &a.timings },
		CLI_LIMIT_OPTION(&a.limits),
		CLI_SANDBOX_OPTION(&a.no_sandbox),
		{ .kind = OPT_END },
	};
	int n = opt_parse(&cmd_analyze, opts, argc, argv), status;

	if (n <= 0)
		return n < 0 ? CLI_USAGE : CLI_OK;
	if (n < 2 || (a.output && n > 2)) {
		fprintf(stderr, n < 2 ? "gpudx: analyze: which bundle?\n"
				      : "gpudx: analyze: --output takes one bundle\n");
		return CLI_USAGE;
	}
	status = check_options(&a);
	if (!status)
		status = check_names(&a, n - 1, argv + 1);
	a.paths = argv + 1;
	if (!status)
		status = a.at_once > 1 && n > 2 ? analyze_at_once(&a, n - 1)
						: analyze_in_turn(&a, n - 1);
	gpudx_plot_stop(a.plot);
	out_close(&a.shared_file);
	opt_texts_free(&a.sets);
	opt_texts_free(&a.limits);
	return status;
}

const struct cmd cmd_analyze = {
	.name = "analyze",
	.args = "BUNDLE...",
	.summary = "says what happened, with evidence and graphs",
	.text = "BUNDLE is a directory, an archive, a file or - for standard input. The verdict is "
		"printed; the\n"
		"report and the database are written to the working directory.",
	.run = run,
};
