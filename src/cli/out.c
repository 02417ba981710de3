#include "out.h"

#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What the signal handler has to remove. The only state of the program that outlives a call: a
 * handler gets no argument. */
enum { OPEN_MAX_FILES = 8 };
static char *volatile unfinished[OPEN_MAX_FILES];
static volatile sig_atomic_t finished;

static void remember(char *part)
{
	for (int i = 0; i < OPEN_MAX_FILES; i++) {
		if (!unfinished[i]) {
			unfinished[i] = part;
			return;
		}
	}
}

static void forget(const char *part)
{
	for (int i = 0; i < OPEN_MAX_FILES; i++)
		if (unfinished[i] == part)
			unfinished[i] = NULL;
}

static void on_signal(int sig)
{
	for (int i = 0; i < OPEN_MAX_FILES; i++)
		if (unfinished[i])
			unlink(unfinished[i]);
	_exit(128 + sig);
}

/* A library may end the process itself (libarchive does, when it has no memory for a name). */
static void on_exit_in_between(void)
{
	static const char why[] = "gpudx: ended by a library that had no memory\n";

	if (finished)
		return;
	if (write(STDERR_FILENO, why, sizeof(why) - 1) < 0) {
		/* Nobody is left to be told. */
	}
	on_signal(CLI_ERROR - 128);
}

void out_finish(void)
{
	finished = 1;
}

void out_catch_signals(void)
{
	static const int caught[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction sa = { .sa_handler = on_signal };

	atexit(on_exit_in_between);
	sigemptyset(&sa.sa_mask);
	for (size_t i = 0; i < sizeof(caught) / sizeof(caught[0]); i++)
		sigaction(caught[i], &sa, NULL);
	/* A reader that went away is an error to report, not the end. */
	sa.sa_handler = SIG_IGN;
	sigaction(SIGPIPE, &sa, NULL);
}

/* Do these pieces begin the text, with nothing but white space around them? */
static bool bears(const char *text, const char *const *pieces)
{
	for (; *pieces; pieces++) {
		text += strspn(text, " \t\r\n");
		if (strncmp(text, *pieces, strlen(*pieces)) != 0)
			return false;
		text += strlen(*pieces);
	}
	return true;
}

/* The first line of a text report: "NAME: 14 files read, 0 unread". */
static bool says_files_read(const char *text)
{
	const char *p = strstr(text, " read, "), *end = strchr(text, '\n');

	if (!p || (end && end < p))
		return false;
	p += strlen(" read, ");
	return strspn(p, "0123456789") > 0 &&
	       strncmp(p + strspn(p, "0123456789"), " unread", 7) == 0;
}

/* True when the file at path bears the mark of something that gpudx makes, of whatever kind. */
static bool is_ours(const char *path)
{
	static const char *const json[] = { "{", "\"schema\"", ":", "\"gpudx/", NULL };
	char head[4096];
	FILE *f = fopen(path, "rb");
	size_t n = f ? fread(head, 1, sizeof(head) - 1, f) : 0;

	if (f)
		fclose(f);
	head[n] = '\0';
	if (n >= 72 && memcmp(head, "SQLite format 3", 16) == 0)
		return memcmp(head + 68, "gpud", 4) == 0; /* application_id */
	if (n >= 64 && memcmp(head, "\x89PNG", 4) == 0)
		return memcmp(head + 41, "Software\0gpudx", 14) == 0; /* behind the header */
	return bears(head, json) || strncmp(head, "gpudx_finding,", 14) == 0 ||
	       strncmp(head, "<svg data-by=\"gpudx\"", 20) == 0 || says_files_read(head) ||
	       strstr(head, "<!-- gpudx compare -->") != NULL ||
	       strstr(head, "<meta name=\"generator\" content=\"gpudx") != NULL;
}

static enum gpudx_status check_place(const char *path, bool force, struct gpudx_err *err)
{
	struct stat st;

	if (lstat(path, &st) != 0)
		return errno == ENOENT
			       ? GPUDX_OK
			       : gpudx_fail(err, GPUDX_E_IO, "%s: %s", path, strerror(errno));
	if (S_ISDIR(st.st_mode))
		return gpudx_fail(err, GPUDX_E_USAGE, "%s: is a directory", path);
	if (!S_ISREG(st.st_mode) && !S_ISLNK(st.st_mode))
		return gpudx_fail(err, GPUDX_E_USAGE, "%s: is no file", path);
	if (force || (S_ISREG(st.st_mode) && (st.st_size == 0 || is_ours(path))))
		return GPUDX_OK;
	return gpudx_fail(err, GPUDX_E_USAGE,
			  "%s: exists and was not made by gpudx (use --force to replace it)", path);
}

/* A device or pipe, also behind a link such as /dev/stdout, is written to and never replaced. */
bool out_is_device(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

static enum gpudx_status open_device(struct out_file *o, const char *path, struct gpudx_err *err)
{
	int fd = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC);

	o->path = strdup(path);
	o->f = fd < 0 ? NULL : fdopen(fd, "wb");
	if (o->path && o->f)
		return GPUDX_OK;
	if (fd >= 0 && !o->f)
		close(fd);
	return gpudx_fail(err, GPUDX_E_IO, "%s: %s", path, strerror(errno));
}

/* "dir/name" -> "dir/.name.gpudx-part" */
static char *part_name(const char *path)
{
	static const char mark[] = ".gpudx-part";
	const char *slash = strrchr(path, '/');
	int dir = slash ? (int)(slash - path) + 1 : 0;
	size_t n = strlen(path) + sizeof(mark) + 1;
	char *p = malloc(n);

	if (p)
		snprintf(p, n, "%.*s.%s%s", dir, path, path + dir, mark);
	return p;
}

enum gpudx_status out_open(struct out_file *o, const char *path, enum out_kind kind, bool force,
			   struct gpudx_err *err)
{
	enum gpudx_status rc;
	int fd;

	*o = (struct out_file){ .f = NULL };
	if (kind == OUT_REPORT && out_is_device(path))
		return open_device(o, path, err);
	rc = check_place(path, force, err);
	if (rc)
		return rc;
	o->path = strdup(path);
	o->part = part_name(path);
	if (!o->path || !o->part)
		return gpudx_nomem(err);
	if (unlink(o->part) != 0 && errno != ENOENT)
		return gpudx_fail(err, GPUDX_E_IO, "%s: %s", path, strerror(errno));
	remember(o->part); /* first: a signal may come between this and the next line */
	fd = open(o->part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		  kind == OUT_PRIVATE ? 0600 : 0666);
	if (fd < 0) {
		forget(o->part);
		return gpudx_fail(err, GPUDX_E_IO, "%s: %s", path, strerror(errno));
	}
	if (kind == OUT_DATABASE) {
		close(fd); /* SQLite takes an empty file as a new database */
		return GPUDX_OK;
	}
	o->f = fdopen(fd, "wb");
	if (!o->f) {
		close(fd);
		return gpudx_nomem(err);
	}
	return GPUDX_OK;
}

enum gpudx_status out_commit(struct out_file *o, struct gpudx_err *err)
{
	bool bad = o->f && (fflush(o->f) != 0 || ferror(o->f));

	if (gpudx_memory_ran_out())
		return gpudx_nomem(err);
	if (o->f && fclose(o->f) != 0)
		bad = true;
	o->f = NULL;
	if (bad || (o->part && rename(o->part, o->path) != 0))
		return gpudx_fail(err, GPUDX_E_IO, "%s: %s", o->path, strerror(errno));
	if (!o->part)
		return GPUDX_OK;
	forget(o->part);
	free(o->part);
	o->part = NULL;
	return GPUDX_OK;
}

void out_close(struct out_file *o)
{
	if (o->f)
		fclose(o->f);
	if (o->part) {
		unlink(o->part);
		forget(o->part);
	}
	free(o->path);
	free(o->part);
	*o = (struct out_file){ .f = NULL };
}
