#include "jobs.h"

#include "cli.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* A slow piece holds back what those behind it printed: no more than so many. */
enum { AHEAD = 128 };

struct piece {
	pid_t pid;
	int said[2]; /* stdout and stderr, kept until it is its turn; -1: none */
	int status;
	bool over;
};

struct run {
	const struct jobs *j;
	struct piece *pieces;
	size_t shown, started, running; /* pieces before shown are over and were shown */
	int worst;
};

/* What was printed into fd so far goes to f. */
static void pass_on(int fd, FILE *f)
{
	char buf[16384];
	ssize_t got;

	if (fd < 0)
		return;
	lseek(fd, 0, SEEK_SET);
	while ((got = read(fd, buf, sizeof(buf))) > 0)
		fwrite(buf, 1, (size_t)got, f);
	fflush(f);
	close(fd);
}

static bool keep_output(struct piece *p)
{
	p->said[0] = memfd_create("gpudx-stdout", MFD_CLOEXEC);
	p->said[1] = memfd_create("gpudx-stderr", MFD_CLOEXEC);
	return p->said[0] >= 0 && p->said[1] >= 0;
}

_Noreturn static void in_child(const struct jobs *j, const struct piece *p, size_t i, pid_t parent)
{
	int status = CLI_ERROR;

	/* The parent may be gone before this is asked for. */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() == parent && dup2(p->said[0], STDOUT_FILENO) >= 0 &&
	    dup2(p->said[1], STDERR_FILENO) >= 0)
		status = j->work(j->arg, i);
	if (fflush(stdout) != 0)
		status = cli_worse(status, CLI_ERROR);
	_exit(status);
}

static void not_started(struct piece *p, const char *name)
{
	fprintf(stderr, "gpudx: %s: cannot start a process: %s\n", name, strerror(errno));
	p->status = CLI_ERROR;
	p->over = true;
}

static void start_next(struct run *r)
{
	size_t i = r->started++;
	struct piece *p = &r->pieces[i];
	pid_t parent = getpid();

	fflush(stdout);
	p->pid = keep_output(p) ? fork() : -1;
	if (p->pid == 0)
		in_child(r->j, p, i, parent);
	if (p->pid > 0)
		r->running++;
	else
		not_started(p, r->j->names[i]);
}

/* Another exit status than ours is as good as a signal. */
static void piece_ended(struct run *r, struct piece *p, int wait_status)
{
	bool exited = WIFEXITED(wait_status);
	int status = exited ? WEXITSTATUS(wait_status) : WTERMSIG(wait_status);

	r->running--;
	p->over = true;
	p->status = status;
	if (exited && status <= CLI_ERROR)
		return;
	dprintf(p->said[1], "gpudx: %s: its process ended by %s %d\n", r->j->names[p - r->pieces],
		exited ? "status" : "signal", status);
	p->status = CLI_ERROR;
}

/* Waits until one of those that run is over. */
static void await(struct run *r)
{
	int status = CLI_ERROR << 8;
	pid_t pid;

	do {
		pid = waitpid(-1, &status, 0);
	} while (pid < 0 && errno == EINTR);
	for (size_t i = r->shown; i < r->started; i++)
		if (!r->pieces[i].over && (pid < 0 || r->pieces[i].pid == pid))
			piece_ended(r, &r->pieces[i], status);
}

static void show_finished(struct run *r)
{
	for (; r->shown < r->started && r->pieces[r->shown].over; r->shown++) {
		struct piece *p = &r->pieces[r->shown];

		pass_on(p->said[0], stdout);
		pass_on(p->said[1], stderr);
		r->worst = cli_worse(r->worst, p->status);
	}
}

int jobs_run(const struct jobs *j)
{
	struct run r = { .j = j, .pieces = calloc(j->n, sizeof(*r.pieces)) };

	if (!r.pieces) {
		fprintf(stderr, "gpudx: out of memory\n");
		return CLI_ERROR;
	}
	while (r.shown < j->n) {
		while (r.started < j->n && r.running < j->at_once && r.started - r.shown < AHEAD)
			start_next(&r);
		if (!r.pieces[r.shown].over)
			await(&r);
		show_finished(&r);
	}
	free(r.pieces);
	return r.worst;
}
