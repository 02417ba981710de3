/* gpudx sources: what was found, who read it, what was rejected and why. */
#include "cli.h"
#include "confine.h"
#include "progress.h"

#include <string.h>

struct listing {
	uint64_t files, unread;
};

static void print_source(void *arg, const struct gpudx_source *s)
{
	struct listing *l = arg;
	const char *reason = s->reason ? s->reason : s->status;

	l->files += s->parent == 0;
	l->unread += s->parent == 0 && !s->parser;
	printf("%s%s", s->parent ? "  " : "",
	       s->parent ? (s->title ? s->title : "(part)") : s->path);
	if (s->parent && s->lines)
		printf(" (line %llu on)", (unsigned long long)s->first_line);
	/* What the lines of one source say of another host has no lines of its own. */
	if (s->parser && s->parent && !s->lines)
		printf(": %s", s->parser);
	else if (s->parser)
		printf(": %s, %llu lines", s->parser, (unsigned long long)s->lines);
	else
		printf(": not read: %s", reason);
	if (s->parser && s->taken < s->lines && !s->parts)
		printf(", %llu understood", (unsigned long long)s->taken);
	if (s->rejected)
		printf(", %llu broken", (unsigned long long)s->rejected);
	if (s->excerpt)
		printf(", an excerpt");
	if (s->encoding)
		printf(", %s", s->encoding);
	if (s->damage)
		printf("; %s", s->damage);
	putchar('\n');
	for (size_t i = 0; i < s->nrejects; i++)
		printf("      line %llu: %s: %s\n", (unsigned long long)s->rejects[i].line,
		       s->rejects[i].reason, s->rejects[i].text);
}

static enum gpudx_status open_or_read(const char *path, const struct opt_texts *limits,
				      struct gpudx_case **c, int64_t *bundle, struct gpudx_err *err)
{
	struct gpudx_read in = { 0 };
	enum gpudx_status rc;

	*bundle = 0;
	if (gpudx_is_case(path))
		return gpudx_case_open(path, c, err);
	rc = gpudx_case_create(NULL, c, err);
	if (!rc)
		rc = cli_limits(*c, limits, err);
	if (!rc)
		rc = progress_read(*c, path, &in, err);
	*bundle = in.bundle;
	return rc;
}

static int fail_closed(struct gpudx_case *c, const struct gpudx_err *err)
{
	gpudx_case_close(c);
	return cli_fail(err);
}

static int list(const char *path, const struct opt_texts *limits)
{
	struct gpudx_err err = { 0 };
	struct gpudx_case *c = NULL;
	struct listing l = { 0 };
	int64_t bundle;
	int status = CLI_OK;

	if (open_or_read(path, limits, &c, &bundle, &err) ||
	    gpudx_case_sources(c, bundle, print_source, &l, &err))
		return fail_closed(c, &err);
	printf("%llu files, %llu not read\n", (unsigned long long)l.files,
	       (unsigned long long)l.unread);
	if (l.files == l.unread)
		status = CLI_NOTHING;
	gpudx_case_close(c);
	return status;
}

static int run(int argc, char **argv)
{
	bool no_sandbox = false;
	struct opt_texts limits = { .n = 0 };
	const struct opt opts[] = { CLI_LIMIT_OPTION(&limits),
				    CLI_SANDBOX_OPTION(&no_sandbox),
				    { .kind = OPT_END } };
	int n = opt_parse(&cmd_sources, opts, argc, argv), status = CLI_OK;

	if (n <= 0)
		return n < 0 ? CLI_USAGE : CLI_OK;
	if (n < 2) {
		fprintf(stderr, "gpudx: sources: which bundle or database?\n");
		return CLI_USAGE;
	}
	cli_confine(&(struct cli_keep){ .reads = (const char *const *)argv + 1,
					.nreads = (size_t)n - 1,
					.off = no_sandbox });
	for (int i = 1; i < n; i++)
		status = cli_worse(status, list(argv[i], &limits));
	opt_texts_free(&limits);
	return status;
}

const struct cmd cmd_sources = {
	.name = "sources",
	.args = "BUNDLE|DB...",
	.summary = "what was found in it, who read it, what was rejected and why",
	.run = run,
};
