#include "report/plot.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { STOP_MS = 500, CHUNK = 64 << 10 };

struct gpudx_plot {
	pid_t pid;   /* 0: there is none */
	int fd;	     /* our end of the pipe */
	int left_ms; /* time that all runs together may still take */
	unsigned runs;
	char why[120]; /* "" while all is well */
};

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* ---- start ---- */

static bool is_program(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

/* The program to run: what GPUDX_GNUPLOT names, else the first gnuplot in an absolute directory of
 * PATH. */
static bool find_program(char path[PATH_MAX])
{
	const char *named = getenv("GPUDX_GNUPLOT");
	struct gpudx_sv dirs = sv_str(getenv("PATH")), dir;

	if (named) {
		int n = snprintf(path, PATH_MAX, "%s", named);

		return n > 0 && n < PATH_MAX && is_program(path);
	}
	while (sv_cell(&dirs, ':', &dir)) {
		if (!dir.n || dir.p[0] != '/' || dir.n > PATH_MAX - sizeof("/gnuplot"))
			continue;
		snprintf(path, PATH_MAX, "%.*s/gnuplot", (int)dir.n, dir.p);
		if (is_program(path))
			return true;
	}
	return false;
}

static int spawn(const char *path, int end, pid_t *pid)
{
	char name[] = "gnuplot", defaults[] = "-d";
	char locale[] = "LC_ALL=C", home[] = "HOME=/nonexistent", search[] = "PATH=/usr/bin:/bin";
	char *const argv[] = { name, defaults, NULL }, *const env[] = { locale, home, search,
									NULL };
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t all, none;
	int rc;

	sigfillset(&all);
	sigemptyset(&none);
	if ((rc = posix_spawn_file_actions_init(&files)) != 0)
		return rc;
	if ((rc = posix_spawnattr_init(&attr)) != 0) {
		posix_spawn_file_actions_destroy(&files);
		return rc;
	}
	posix_spawn_file_actions_adddup2(&files, end, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&files, end, STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1);
	posix_spawnattr_setpgroup(&attr, 0);
	posix_spawnattr_setsigdefault(&attr, &all);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF |
						POSIX_SPAWN_SETSIGMASK);
	rc = posix_spawn(pid, path, &files, &attr, argv, env);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&files);
	return rc;
}

struct gpudx_plot *gpudx_plot_start(void)
{
	struct gpudx_plot *p = calloc(1, sizeof(*p));
	char path[PATH_MAX];
	int ends[2], rc;

	if (!p)
		return NULL;
	p->fd = -1;
	p->left_ms = GPUDX_PLOT_LIMIT_MS;
	if (!find_program(path)) {
		snprintf(p->why, sizeof(p->why), "gnuplot was not found");
		return p;
	}
	/* A pair of sockets, because writing to one that nobody reads can be told not to signal. */
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
		snprintf(p->why, sizeof(p->why), "no pipe to gnuplot: %s", strerror(errno));
		return p;
	}
	rc = spawn(path, ends[1], &p->pid);
	close(ends[1]);
	p->fd = ends[0];
	if (rc) {
		p->pid = 0;
		snprintf(p->why, sizeof(p->why), "gnuplot did not start: %s", strerror(rc));
	}
	return p;
}

/* ---- end ---- */

static void reap(struct gpudx_plot *p, bool kill_it, int *status)
{
	*status = 0;
	if (!p->pid)
		return;
	if (kill_it)
		kill(-p->pid, SIGKILL);
	while (waitpid(p->pid, status, 0) < 0 && errno == EINTR)
		;
	p->pid = 0;
}

static bool fail(struct gpudx_plot *p, const char *why)
{
	int status;

	snprintf(p->why, sizeof(p->why), "%s", why);
	reap(p, true, &status);
	return false;
}

/* Waits a moment for the process to have ended, without reaping it. */
static bool has_ended(pid_t pid)
{
	siginfo_t info;

	for (int i = 0; i < 50; i++) {
		info.si_pid = 0;
		if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
		    info.si_pid)
			return true;
		nanosleep(&(struct timespec){ .tv_nsec = 2000000 }, NULL);
	}
	return false;
}

/* It closed its end of the pipe: say how it ended. */
static bool fail_ended(struct gpudx_plot *p)
{
	int status;

	if (!has_ended(p->pid))
		return fail(p, "gnuplot stopped answering");
	reap(p, true, &status); /* it is gone; the signal is for what it may have started */
	if (WIFSIGNALED(status))
		snprintf(p->why, sizeof(p->why), "gnuplot was ended by signal %d",
			 WTERMSIG(status));
	else
		snprintf(p->why, sizeof(p->why), "gnuplot ended early with status %d",
			 WEXITSTATUS(status));
	return false;
}

void gpudx_plot_stop(struct gpudx_plot *p)
{
	struct pollfd poll_fd;
	char rest[256];
	int status;

	if (!p)
		return;
	poll_fd = (struct pollfd){ .fd = p->fd, .events = POLLIN };
	if (p->pid) {
		/* The end of its input ends it; then its end of the pipe closes. */
		int64_t end = now_ms() + STOP_MS;
		bool gone = false;

		shutdown(p->fd, SHUT_WR);
		while (!gone && now_ms() < end && poll(&poll_fd, 1, STOP_MS) > 0)
			gone = recv(p->fd, rest, sizeof(rest), MSG_DONTWAIT) == 0;
		reap(p, !gone, &status);
	}
	if (p->fd >= 0)
		close(p->fd);
	free(p);
}

const char *gpudx_plot_why(const struct gpudx_plot *p)
{
	return p->why[0] ? p->why : NULL;
}

void gpudx_plot_limit(struct gpudx_plot *p, int ms)
{
	p->left_ms = ms;
}

/* ---- one run ---- */

struct run {
	struct gpudx_buf script;
	size_t sent;
	struct gpudx_buf *out;
	size_t start;	 /* of what this run printed */
	char marker[32]; /* the last line that it prints */
};

static bool send_some(struct gpudx_plot *p, struct run *r)
{
	ssize_t n = send(p->fd, r->script.p + r->sent, r->script.n - r->sent,
			 MSG_DONTWAIT | MSG_NOSIGNAL);

	if (n > 0)
		r->sent += (size_t)n;
	return n >= 0 || errno == EAGAIN || errno == EINTR;
}

/* False at the end of its output. */
static bool receive_some(struct gpudx_plot *p, struct run *r)
{
	char *room = gpudx_buf_room(r->out, CHUNK);
	ssize_t n;

	if (!room)
		return true; /* the buffer says so itself */
	n = recv(p->fd, room, CHUNK, MSG_DONTWAIT);
	if (n > 0) {
		r->out->n += (size_t)n;
		r->out->p[r->out->n] = '\0';
	}
	return n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR));
}

/* All that was asked for is there when the marker stands at the end, on a line of its own; it is
 * taken off. */
static bool complete(struct run *r)
{
	struct gpudx_sv all = sv_n(r->out->p, r->out->n);
	size_t n = strlen(r->marker);

	all = sv_from(all, r->start);
	if (!sv_ends(all, r->marker) || (all.n > n && all.p[all.n - n - 1] != '\n'))
		return false;
	r->out->n -= n;
	r->out->p[r->out->n] = '\0';
	return true;
}

static bool serve(struct gpudx_plot *p, struct run *r)
{
	int64_t left = p->left_ms, end = now_ms() + left;

	for (; left > 0; left = end - now_ms()) {
		struct pollfd poll_fd = { .fd = p->fd, .events = POLLIN };

		if (r->sent < r->script.n)
			poll_fd.events |= POLLOUT;
		if (poll(&poll_fd, 1, (int)left) < 0 && errno != EINTR)
			return fail(p, "the pipe to gnuplot broke");
		if (poll_fd.revents & POLLOUT && !send_some(p, r))
			return fail_ended(p);
		if (poll_fd.revents & (POLLIN | POLLHUP | POLLERR) && !receive_some(p, r))
			return fail_ended(p);
		if (r->out->failed)
			return fail(p, "gnuplot printed more than a chart can have");
		if (r->sent == r->script.n && complete(r)) {
			p->left_ms = (int)(end - now_ms());
			return true;
		}
	}
	return fail(p, "gnuplot took too long");
}

bool gpudx_plot_run(struct gpudx_plot *p, struct gpudx_sv script, struct gpudx_buf *out)
{
	struct run r = { .script = { .max = script.n + 256 }, .out = out, .start = out->n };
	bool ok;

	if (p->why[0])
		return false;
	snprintf(r.marker, sizeof(r.marker), "gpudx-end-%u\n", ++p->runs);
	gpudx_buf_sv(&r.script, script);
	gpudx_buf_printf(&r.script, "\nset print '-'\nprint 'gpudx-end-%u'\n", p->runs);
	ok = r.script.failed ? fail(p, "out of memory") : serve(p, &r);
	gpudx_buf_free(&r.script);
	return ok;
}
