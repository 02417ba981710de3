#include "opt.h"

#include <stdlib.h>
#include <string.h>

static void usage_line(FILE *f, const struct cmd *c)
{
	fprintf(f, "usage: gpudx %s [OPTION...] %s\n", c->name, c->args);
}

static void print_help(const struct cmd *c, const struct opt *opts)
{
	usage_line(stdout, c);
	printf("\n%s\n", c->summary);
	if (c->text)
		printf("\n%s\n", c->text);
	printf("\noptions:\n");
	for (const struct opt *o = opts; o->kind != OPT_END; o++) {
		char left[64];

		snprintf(left, sizeof(left), "%c%c%s--%s%s%s", o->letter ? '-' : ' ',
			 o->letter ? o->letter : ' ', o->letter ? ", " : "  ", o->name,
			 !o->value		? ""
			 : o->kind == OPT_MAYBE ? "[="
						: " ",
			 o->value ? o->value : "");
		printf("  %-28s %s\n", left, o->help);
	}
	printf("  %-28s %s\n", "-h, --help", "this text");
}

static const struct opt *find_long(const struct opt *opts, const char *name, size_t n)
{
	for (const struct opt *o = opts; o->kind != OPT_END; o++)
		if (strlen(o->name) == n && strncmp(o->name, name, n) == 0)
			return o;
	return NULL;
}

static const struct opt *find_letter(const struct opt *opts, char letter)
{
	for (const struct opt *o = opts; o->kind != OPT_END; o++)
		if (o->letter == letter)
			return o;
	return NULL;
}

/* An option that begins alike, for "did you mean". */
static const struct opt *similar(const struct opt *opts, const char *name)
{
	for (const struct opt *o = opts; o->kind != OPT_END; o++)
		if (strncmp(o->name, name, 2) == 0)
			return o;
	return NULL;
}

static int complain(const struct cmd *c, const struct opt *opts, const char *arg, const char *what)
{
	const struct opt *near = strncmp(arg, "--", 2) == 0 ? similar(opts, arg + 2) : NULL;

	fprintf(stderr, "gpudx: %s: %s: %s", c->name, arg, what);
	if (near && strcmp(what, "no such option") == 0)
		fprintf(stderr, " (did you mean --%s?)", near->name);
	fputc('\n', stderr);
	usage_line(stderr, c);
	return -1;
}

static bool store(const struct opt *o, const char *value)
{
	struct opt_texts *t = o->to;
	const char **more;

	if (o->kind == OPT_FLAG) {
		*(bool *)o->to = true;
		return true;
	}
	if (o->kind == OPT_TEXT || o->kind == OPT_MAYBE) {
		*(const char **)o->to = value;
		return true;
	}
	more = realloc(t->v, (t->n + 1) * sizeof(*more));
	if (!more)
		return false;
	t->v = more;
	t->v[t->n++] = value;
	return true;
}

/* One argument that begins with a dash; *i moves over a value that stands behind it. */
static int take_option(const struct cmd *c, const struct opt *opts, int argc, char **argv, int *i)
{
	const char *arg = argv[*i], *value = NULL;
	const struct opt *o;

	if (arg[1] == '-') {
		const char *eq = strchr(arg, '=');

		o = find_long(opts, arg + 2, eq ? (size_t)(eq - arg - 2) : strlen(arg + 2));
		value = eq ? eq + 1 : NULL;
	} else {
		o = find_letter(opts, arg[1]);
		value = arg[2] ? arg + 2 : NULL;
	}
	if (!o)
		return complain(c, opts, arg, "no such option");
	if (o->kind == OPT_FLAG && value)
		return complain(c, opts, arg, "takes no value");
	if (o->kind == OPT_MAYBE && !value)
		value = "";
	if (o->kind != OPT_FLAG && !value) {
		if (*i + 1 >= argc)
			return complain(c, opts, arg, "needs a value");
		value = argv[++*i];
	}
	return store(o, value) ? 1 : complain(c, opts, arg, "out of memory");
}

int opt_parse(const struct cmd *c, const struct opt *opts, int argc, char **argv)
{
	int n = 1;
	bool options = true;

	for (int i = 1; i < argc; i++) {
		const char *arg = argv[i];

		if (options && strcmp(arg, "--") == 0) {
			options = false;
		} else if (options && (strcmp(arg, "--help") == 0 || strcmp(arg, "-h") == 0)) {
			print_help(c, opts);
			return 0;
		} else if (options && arg[0] == '-' && arg[1]) {
			if (take_option(c, opts, argc, argv, &i) < 0)
				return -1;
		} else {
			argv[n++] = argv[i];
		}
	}
	return n;
}

void opt_texts_free(struct opt_texts *t)
{
	free(t->v);
	t->v = NULL;
	t->n = 0;
}
