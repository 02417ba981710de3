/* gpudx ingest: only the first stages, for measuring and for looking at what parsers say. */
#include "cli.h"

#include <unistd.h>

static int run(int argc, char **argv)
{
	const struct opt opts[] = { { .kind = OPT_END } };
	struct gpudx_err err = { 0 };
	struct gpudx_case *c = NULL;
	struct gpudx_read in;
	int n = opt_parse(&cmd_ingest, opts, argc, argv), status = CLI_OK;

	if (n <= 0)
		return n < 0 ? CLI_USAGE : CLI_OK;
	if (n != 3) {
		fprintf(stderr, "usage: gpudx ingest BUNDLE DB\n");
		return CLI_USAGE;
	}
	if (access(argv[2], F_OK) == 0 && (!gpudx_is_case(argv[2]) || unlink(argv[2]) != 0)) {
		fprintf(stderr, "gpudx: %s: exists and was not made by gpudx\n", argv[2]);
		return CLI_USAGE;
	}
	if (gpudx_case_create(argv[2], &c, &err) || gpudx_case_read(c, argv[1], &in, &err))
		status = cli_fail(&err);
	else
		printf("%u members, %u unread\n", in.members, in.unread);
	gpudx_case_close(c);
	return status;
}

const struct cmd cmd_ingest = {
	.name = "ingest",
	.args = "BUNDLE DB",
	.summary = "reads a bundle into a database and stops there",
	.run = run,
	.hidden = true,
};
