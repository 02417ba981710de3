/* gpudx query: a question to the database of an analysis, in SQL. */
#include "cli.h"
#include "confine.h"

#include <string.h>

static const struct {
	const char *name;
	enum gpudx_query_format format;
} formats[] = { { "table", GPUDX_QUERY_TABLE },
		{ "csv", GPUDX_QUERY_CSV },
		{ "json", GPUDX_QUERY_JSON } };

static bool by_name(const char *name, enum gpudx_query_format *out)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		if (strcmp(formats[i].name, name) == 0) {
			*out = formats[i].format;
			return true;
		}
	}
	return false;
}

static int run(int argc, char **argv)
{
	const char *name = "table";
	bool no_sandbox = false;
	const struct opt opts[] = {
		{ OPT_TEXT, 0, "format", "FORMAT", "table (default), csv or json", &name },
		CLI_SANDBOX_OPTION(&no_sandbox),
		{ .kind = OPT_END },
	};
	int n = opt_parse(&cmd_query, opts, argc, argv), status = CLI_OK;
	enum gpudx_query_format format;
	struct gpudx_case *c = NULL;
	struct gpudx_err err = { 0 };

	if (n <= 0)
		return n < 0 ? CLI_USAGE : CLI_OK;
	if (n != 3 || !by_name(name, &format)) {
		fprintf(stderr, "gpudx: query: %s\n",
			n != 3 ? "a database and one statement, please"
			       : "--format must be table, csv or json");
		return CLI_USAGE;
	}
	cli_confine(&(struct cli_keep){ .read = { argv[1] }, .off = no_sandbox });
	if (gpudx_case_open(argv[1], &c, &err) ||
	    gpudx_case_query(c, argv[2], format, stdout, &err))
		status = cli_fail(&err);
	gpudx_case_close(c);
	return status;
}

const struct cmd cmd_query = {
	.name = "query",
	.args = "DB SQL",
	.summary = "a question to the database of an analysis",
	.text = "gpudx query x.gpudx.db \"SELECT severity, summary FROM finding\"\n"
		"\n"
		"Only reading is allowed. docs/schema.md says what the tables hold.",
	.run = run,
};
