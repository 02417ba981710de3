#include "cli.h"
#include "out.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static const struct cmd *const commands[] = { &cmd_analyze, &cmd_compare, &cmd_sources, &cmd_report,
					      &cmd_ticket,  &cmd_rules,	  &cmd_xid,	&cmd_query,
					      &cmd_collect, &cmd_ingest };
enum { COMMANDS = sizeof(commands) / sizeof(commands[0]) };

static int help(FILE *f)
{
	fprintf(f, "gpudx %s: what happened to the GPU, from the files that are left\n\n",
		gpudx_version());
	fprintf(f, "usage: gpudx COMMAND [OPTION...] ARGUMENT...\n\n");
	for (size_t i = 0; i < COMMANDS; i++)
		if (!commands[i]->hidden)
			fprintf(f, "  %-10s %-16s %s\n", commands[i]->name, commands[i]->args,
				commands[i]->summary);
	fprintf(f, "\ngpudx COMMAND --help lists its options. Exit status: 0 done, 1 --fail-on "
		   "reached, 2 usage,\n"
		   "3 nothing readable, 4 a rule is broken, 5 I/O, memory or internal error.\n");
	return f == stdout ? CLI_OK : CLI_USAGE;
}

static const struct cmd *find(const char *name)
{
	for (size_t i = 0; i < COMMANDS; i++)
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
	return NULL;
}

/* A full disk or a closed pipe must not pass for success. */
static int check_stdout(int status)
{
	bool flushed = fflush(stdout) == 0 && !ferror(stdout);

	/* What was printed may lack something. */
	if (status < CLI_USAGE && gpudx_memory_ran_out()) {
		fprintf(stderr, "gpudx: out of memory\n");
		return CLI_ERROR;
	}
	if (flushed)
		return status;
	fprintf(stderr, "gpudx: standard output: %s\n", strerror(errno));
	return CLI_ERROR;
}

/* A file must not be opened under the number of a standard stream that was closed: what is meant
 * for the stream would go into the file. Read-only, so that writing fails and is seen. */
static void hold_standard_streams(void)
{
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDONLY | O_NOCTTY) != fd)
			_exit(CLI_ERROR);
}

int main(int argc, char **argv)
{
	const struct cmd *c;
	int status;

	hold_standard_streams();
	if (argc < 2)
		return help(stderr);
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
	    strcmp(argv[1], "help") == 0)
		return check_stdout(help(stdout));
	if (strcmp(argv[1], "--version") == 0) {
		printf("gpudx %s\n", gpudx_version());
		return check_stdout(CLI_OK);
	}
	c = find(argv[1]);
	if (!c) {
		fprintf(stderr, "gpudx: %s: no such command\n", argv[1]);
		return help(stderr);
	}
	out_catch_signals();
	status = check_stdout(c->run(argc - 1, argv + 1));
	out_finish();
	return status;
}
