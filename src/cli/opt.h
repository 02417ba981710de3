/* Command lines as tables: one table a command gives the parsing and the help, so that they cannot
 * drift apart. */
#ifndef OPT_H
#define OPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum opt_kind {
	OPT_FLAG,  /* bool */
	OPT_TEXT,  /* const char * */
	OPT_MAYBE, /* const char *: --name is "", --name=VALUE is VALUE */
	OPT_TEXTS, /* struct opt_texts: may be given several times */
	OPT_END
};

struct opt_texts {
	const char **v; /* points into argv; allocated by opt_parse */
	size_t n;
};

struct opt {
	enum opt_kind kind;
	char letter;	   /* 0: none */
	const char *name;  /* without dashes */
	const char *value; /* what help calls the value; NULL for flags */
	const char *help;
	void *to;
};

/* One command of the program. */
struct cmd {
	const char *name;
	const char *args;    /* "BUNDLE..." */
	const char *summary; /* one line */
	const char *text;    /* more, for --help */
	int (*run)(int argc,
		   char **argv); /* argv[0] is the command's name; returns the exit status */
	bool hidden;
};

/* Parses argv[1..]: options in any order, "--" ends them, what is left is put at argv[1] and
 * counted. -1 after saying on stderr what is wrong; 0 = --help was given and printed. */
int opt_parse(const struct cmd *c, const struct opt *opts, int argc, char **argv);

void opt_texts_free(struct opt_texts *t);

#endif
