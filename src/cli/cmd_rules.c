/* gpudx rules: what judges, and whether a rule that somebody wrote is sound. */
#include "cli.h"

#include <string.h>

static int check(int n, char **paths)
{
	struct gpudx_err err = { 0 };
	size_t problems = 0;

	if (gpudx_rules_check((const char *const *)paths, (size_t)n, stdout, &problems, &err))
		return cli_fail(&err);
	if (problems)
		printf("%zu problem%s\n", problems, problems == 1 ? "" : "s");
	return problems ? CLI_RULES : CLI_OK;
}

static int run(int argc, char **argv)
{
	const char *dir = NULL, *what;
	const struct opt opts[] = {
		{ OPT_TEXT, 0, "rules", "DIR", "the rules of this directory as well", &dir },
		{ .kind = OPT_END },
	};
	int n = opt_parse(&cmd_rules, opts, argc, argv);
	struct gpudx_err err = { 0 };

	if (n <= 0)
		return n < 0 ? CLI_USAGE : CLI_OK;
	what = n > 1 ? argv[1] : "";
	if (strcmp(what, "check") == 0)
		return check(n - 2, argv + 2);
	if (strcmp(what, "list") == 0 && n == 2)
		return gpudx_rules_list(dir, stdout, &err) ? cli_fail(&err) : CLI_OK;
	if (strcmp(what, "show") == 0 && n == 3)
		return gpudx_rules_show(dir, argv[2], stdout, &err) ? cli_fail(&err) : CLI_OK;
	fprintf(stderr, "usage: gpudx rules list | show ID | check [PATH...]\n");
	return CLI_USAGE;
}

const struct cmd cmd_rules = {
	.name = "rules",
	.args = "list|show|check",
	.summary = "lists rules, shows one, or checks rules that you wrote",
	.text = "gpudx rules list            all rules, one a line\n"
		"gpudx rules show ID         one rule in words, with its SQL\n"
		"gpudx rules check [PATH...] what is wrong with rule files or directories, with "
		"file and line",
	.run = run,
};
