/* gpudx ingest: only the first stages, for measuring and for looking at what parsers say. */
#include "cli.h"
#include "out.h"

static int run(int argc, char **argv)
{
	const struct opt opts[] = { { .kind = OPT_END } };
	struct gpudx_err err = { 0 };
	struct gpudx_case *c = NULL;
	struct out_file db = { .f = NULL };
	struct gpudx_read in = { 0 };
	int n = opt_parse(&cmd_ingest, opts, argc, argv), status = CLI_OK;

	if (n <= 0)
		return n < 0 ? CLI_USAGE : CLI_OK;
	if (n != 3) {
		fprintf(stderr, "usage: gpudx ingest BUNDLE DB\n");
		return CLI_USAGE;
	}
	if (out_open(&db, argv[2], OUT_DATABASE, false, &err) ||
	    gpudx_case_create(db.part, &c, &err) || gpudx_case_read(c, argv[1], &in, &err))
		status = cli_fail(&err);
	gpudx_case_close(c);
	if (!status && out_commit(&db, &err))
		status = cli_fail(&err);
	if (!status)
		printf("%u members, %u unread\n", in.members, in.unread);
	out_close(&db);
	return status;
}

const struct cmd cmd_ingest = {
	.name = "ingest",
	.args = "BUNDLE DB",
	.summary = "reads a bundle into a database and stops there",
	.run = run,
	.hidden = true,
};
