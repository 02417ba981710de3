/* gpudx collect: the script that collects what gpudx reads, for a machine without gpudx. */
#include "cli.h"

#include <string.h>

enum { TRACE_S = 10, TRACE_DIGITS = 5 };

static bool seconds(const char *text, unsigned *out)
{
	size_t n = strspn(text, "0123456789");

	*out = 0;
	if (!n || n > TRACE_DIGITS || text[n])
		return false;
	for (size_t i = 0; i < n; i++)
		*out = *out * 10 + (unsigned)(text[i] - '0');
	return true;
}

static int run(int argc, char **argv)
{
	const char *trace = NULL;
	const struct opt opts[] = {
		{ OPT_TEXT, 0, "trace", "SECONDS",
		  "length of the trace of clocks, power and load (default 10; 0: none)", &trace },
		{ .kind = OPT_END },
	};
	int n = opt_parse(&cmd_collect, opts, argc, argv);
	unsigned trace_s = TRACE_S;

	if (n <= 0)
		return n < 0 ? CLI_USAGE : CLI_OK;
	if (n != 1 || (trace && !seconds(trace, &trace_s))) {
		fprintf(stderr, "gpudx: collect: %s\n",
			n != 1 ? "no arguments, please" : "--trace is a number of seconds");
		return CLI_USAGE;
	}
	gpudx_collect_script(trace_s, stdout);
	return CLI_OK;
}

const struct cmd cmd_collect = {
	.name = "collect",
	.args = "",
	.summary = "a shell script that collects what gpudx reads",
	.text = "gpudx collect --trace 60 > collect.sh     here\n"
		"sudo sh collect.sh                        on the machine that is ill; it needs no "
		"gpudx\n"
		"\n"
		"It leaves one archive, changes nothing, and gives up on commands that hang.",
	.run = run,
};
