/* gpudx ticket: one archive for a vendor. */
#include "cli.h"
#include "confine.h"
#include "progress.h"
#include "out.h"
#include "redact.h"

#include <stdlib.h>
#include <string.h>

struct ticket {
	const char *output, *include, *tz;
	struct cli_redact redact;
	bool dry_run, force, no_sandbox;
	struct opt_texts limits;
	struct gpudx_ticket_options o;
	char *const *inputs; /* of the command line */
	size_t ninputs;
	int64_t bundle;
};

static void last_bundle(void *arg, int64_t bundle)
{
	*(int64_t *)arg = bundle;
}

/* The series and lines of a database cannot be read again, so it does not go together with others. */
static enum gpudx_status check_inputs(const struct ticket *t, struct gpudx_err *err)
{
	for (size_t i = 0; i < t->ninputs && t->ninputs > 1; i++)
		if (gpudx_is_case(t->inputs[i]))
			return gpudx_fail(
				err, GPUDX_E_USAGE,
				"%s: is a database; several become one ticket from bundles",
				t->inputs[i]);
	return GPUDX_OK;
}

/* A database of an analysis, or bundles that are analysed for this. */
static enum gpudx_status open_case(struct ticket *t, struct gpudx_case **c, struct gpudx_err *err)
{
	const char *path = t->inputs[0];
	struct gpudx_judged judged;
	struct gpudx_read read;
	enum gpudx_status rc = check_inputs(t, err);

	if (!rc && gpudx_is_case(path)) {
		rc = gpudx_case_open(path, c, err);
		return rc ? rc : gpudx_case_bundles(*c, last_bundle, &t->bundle, err);
	}
	t->o.paths = (const char *const *)t->inputs;
	t->o.npaths = t->ninputs;
	if (!rc)
		rc = gpudx_case_create(NULL, c, err);
	if (!rc)
		rc = cli_limits(*c, &t->limits, err);
	if (!rc)
		rc = progress_read_all(*c, t->o.paths, t->o.npaths, &read, err);
	if (!rc && read.unread == read.members)
		rc = gpudx_fail(err, GPUDX_E_INPUT, "%s: nothing readable", path);
	if (!rc)
		rc = gpudx_case_derive(*c, read.bundle, t->tz, err);
	if (!rc)
		rc = gpudx_case_judge(*c, read.bundle, NULL, &judged, err);
	if (!rc)
		t->bundle = read.bundle;
	return rc;
}

static char *name_of(const char *stem, const char *ending)
{
	size_t n = strlen(stem) + strlen(ending) + 1;
	char *name = malloc(n);

	if (name)
		snprintf(name, n, "%s%s", stem, ending);
	return name;
}

static enum gpudx_status write_archive(struct ticket *t, struct gpudx_case *c, const char *path,
				       struct gpudx_err *err)
{
	struct out_file file = { .f = NULL };
	enum gpudx_status rc = out_open(&file, path, OUT_DATABASE, t->force, err);

	if (!rc)
		rc = gpudx_case_ticket(c, t->bundle, &t->o, file.part, err);
	if (!rc)
		rc = cli_redact_map(&t->redact, c, err);
	if (!rc)
		rc = out_commit(&file, err);
	out_close(&file);
	if (!rc)
		printf("%s is ready to be sent. What stands for what: %s (keep it)\n", path,
		       t->redact.map);
	return rc;
}

static enum gpudx_status make(struct ticket *t, const char *path, struct gpudx_err *err)
{
	struct gpudx_case *c = NULL;
	enum gpudx_status rc = open_case(t, &c, err);

	if (!rc && t->o.include != GPUDX_EXCERPTS && !t->o.npaths)
		rc = gpudx_fail(err, GPUDX_E_USAGE,
				"%s: --include needs the bundle, not its database", t->inputs[0]);
	if (!rc)
		rc = cli_redact(&t->redact, c, true, err);
	if (!rc && t->dry_run)
		rc = gpudx_case_ticket_look(c, t->bundle, &t->o, err);
	if (!rc && t->dry_run)
		rc = gpudx_case_audit(c, stdout, err);
	else if (!rc)
		rc = write_archive(t, c, path, err);
	gpudx_case_close(c);
	return rc;
}

static bool check(struct ticket *t)
{
	if (!t->redact.what)
		t->redact.what = "";
	if (t->include && strcmp(t->include, "bundle") == 0)
		t->o.include = GPUDX_REDACTED_COPY;
	else if (t->include && strcmp(t->include, "original") == 0)
		t->o.include = GPUDX_ORIGINAL;
	else if (t->include) {
		fprintf(stderr, "gpudx: ticket: --include must be bundle or original\n");
		return false;
	}
	return cli_redact_check(&t->redact, "ticket");
}

/* NAME.gpudx-ticket.tar.gz, NAME being that of the first input, and the map beside it. */
static int run_one(struct ticket *t)
{
	char *stem = cli_stem(t->inputs[0]), *path = NULL, *map = NULL;
	struct gpudx_err err = { 0 };
	int status = CLI_OK;

	if (stem) {
		path = t->output ? strdup(t->output) : name_of(stem, ".gpudx-ticket.tar.gz");
		map = t->redact.map ? strdup(t->redact.map) : path ? name_of(path, ".map") : NULL;
	}
	t->redact.map = map;
	if (!stem || !path || !map)
		gpudx_nomem(&err);
	if (!map || make(t, path, &err))
		status = cli_fail(&err);
	free(stem);
	free(path);
	free(map);
	return status;
}

static int run_parsed(struct ticket *t, int n, char **argv)
{
	int status;

	t->inputs = argv + 1;
	t->ninputs = (size_t)n - 1;
	if (!t->ninputs) {
		fprintf(stderr, "gpudx: ticket: a database or bundles, please\n");
		return CLI_USAGE;
	}
	if (!check(t))
		return CLI_USAGE;
	/* Before anything of a bundle is read. */
	t->o.plot = t->dry_run ? NULL : gpudx_plot_start();
	cli_confine(&(struct cli_keep){ .reads = (const char *const *)t->inputs,
					.nreads = t->ninputs,
					.read = { t->redact.map },
					.write = { t->output ? t->output : "./", t->redact.map },
					.off = t->no_sandbox });
	status = run_one(t);
	gpudx_plot_stop(t->o.plot);
	return status;
}

static int run(int argc, char **argv)
{
	struct ticket t = { .output = NULL };
	const struct opt opts[] = {
		{ OPT_TEXT, 'o', "output", "FILE", "the archive (default NAME.gpudx-ticket.tar.gz)",
		  &t.output },
		{ OPT_TEXT, 0, "include", "WHAT",
		  "bundle: also a redacted copy of all its text; original: also the input, as it "
		  "is",
		  &t.include },
		{ OPT_FLAG, 0, "dry-run", NULL, "say what would be replaced, and write nothing",
		  &t.dry_run },
		CLI_REDACT_OPTIONS(&t.redact),
		{ OPT_TEXT, 0, "for", "CLOUD",
		  "azure, aws or gcp: keep what its support finds the machine by (instance, "
		  "physical host)",
		  &t.redact.cloud },
		{ OPT_TEXT, 0, "tz", "ZONE", "of local times: an offset or a name", &t.tz },
		{ OPT_FLAG, 'f', "force", NULL, "replace a file that is there", &t.force },
		CLI_LIMIT_OPTION(&t.limits),
		CLI_SANDBOX_OPTION(&t.no_sandbox),
		{ .kind = OPT_END },
	};
	int n = opt_parse(&cmd_ticket, opts, argc, argv), status = n < 0 ? CLI_USAGE : CLI_OK;

	if (n > 0)
		status = run_parsed(&t, n, argv);
	opt_texts_free(&t.limits);
	return status;
}

const struct cmd cmd_ticket = {
	.name = "ticket",
	.args = "DB|BUNDLE...",
	.summary = "one redacted archive for a vendor",
	.text = "Names, addresses and secrets are replaced; what identifies a GPU stays, because "
		"there is "
		"no RMA\n"
		"without it (--redact=gpu replaces that, too). --dry-run says what would be "
		"replaced. The "
		"map of what\n"
		"stands for what is written beside the archive, never into it.\n"
		"From a bundle the excerpts are such that an analysis of the ticket comes to the "
		"same; a database\n"
		"keeps only single lines.\n"
		"Several bundles, in the order of time, become one ticket: what was collected "
		"before "
		"and after a power\n"
		"cycle, a swap, an update. Each card is found again in them, each event counts "
		"once.",
	.run = run,
};
