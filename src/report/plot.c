#include "report/plot.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { STOP_MS = 500, CHUNK = 64 << 10 };

struct gpudx_plot {
	pid_t pid;    /* 0: there is none */
	int to, from; /* our ends of the pipes */
	int left_ms;  /* time that all runs together may still take */
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

/* It is told to read the file that its standard input is: gnuplot reads from a file by blocks, but what
 * comes by standard input byte by byte, which takes five times as long as drawing. */
static int spawn(const char *path, int input, int output, pid_t *pid)
{
	char name[] = "gnuplot", defaults[] = "-d", script[] = "/dev/fd/0";
	char locale[] = "LC_ALL=C", home[] = "HOME=/nonexistent", search[] = "PATH=/usr/bin:/bin";
	char *const argv[] = { name, defaults, script, NULL }, *const env[] = { locale, home,
										search, NULL };
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
	posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
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

static int start_with(struct gpudx_plot *p, const char *path)
{
	int in[2], out[2], rc;

	if (pipe2(in, O_CLOEXEC) != 0)
		return errno;
	if (pipe2(out, O_CLOEXEC) != 0) {
		rc = errno;
		close(in[0]);
		close(in[1]);
		return rc;
	}
	p->to = in[1];
	p->from = out[0];
	rc = spawn(path, in[0], out[1], &p->pid);
	close(in[0]);
	close(out[1]);
	/* Only our ends: gnuplot waits for its script. */
	if (fcntl(p->to, F_SETFL, O_NONBLOCK) != 0 || fcntl(p->from, F_SETFL, O_NONBLOCK) != 0)
		rc = errno;
	return rc;
}

struct gpudx_plot *gpudx_plot_start(void)
{
	struct gpudx_plot *p = calloc(1, sizeof(*p));
	char path[PATH_MAX];
	int rc;

	if (!p)
		return NULL;
	p->to = p->from = -1;
	p->left_ms = GPUDX_PLOT_LIMIT_MS;
	if (!find_program(path)) {
		snprintf(p->why, sizeof(p->why), "gnuplot was not found");
		return p;
	}
	rc = start_with(p, path);
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

static void close_end(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void gpudx_plot_stop(struct gpudx_plot *p)
{
	struct pollfd poll_fd;
	char rest[256];
	int status;

	if (!p)
		return;
	close_end(&p->to);
	if (p->pid) {
		/* The end of its input ends it; then its end of the pipe closes. */
		int64_t end = now_ms() + STOP_MS;
		bool gone = false;

		poll_fd = (struct pollfd){ .fd = p->from, .events = POLLIN };
		while (!gone && now_ms() < end && poll(&poll_fd, 1, STOP_MS) > 0)
			gone = read(p->from, rest, sizeof(rest)) == 0;
		reap(p, !gone, &status);
	}
	close_end(&p->from);
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

/* write without a signal when nobody reads: whoever uses the library may not expect one. */
static ssize_t write_quietly(int fd, const void *buf, size_t n)
{
	const struct timespec at_once = { 0 };
	sigset_t broken, was;
	ssize_t wrote;

	sigemptyset(&broken);
	sigaddset(&broken, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &broken, &was);
	wrote = write(fd, buf, n);
	if (wrote < 0 && errno == EPIPE) {
		while (sigtimedwait(&broken, NULL, &at_once) < 0 && errno == EINTR)
			continue;
		errno = EPIPE;
	}
	pthread_sigmask(SIG_SETMASK, &was, NULL);
	return wrote;
}

static bool send_some(struct gpudx_plot *p, struct run *r)
{
	ssize_t n = write_quietly(p->to, r->script.p + r->sent, r->script.n - r->sent);

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
	n = read(p->from, room, CHUNK);
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
		bool more = r->sent < r->script.n;
		struct pollfd ends[] = { { .fd = p->from, .events = POLLIN },
					 { .fd = more ? p->to : -1, .events = POLLOUT } };

		if (poll(ends, 2, (int)left) < 0 && errno != EINTR)
			return fail(p, "the pipe to gnuplot broke");
		if (ends[1].revents && !send_some(p, r))
			return fail_ended(p);
		if (ends[0].revents && !receive_some(p, r))
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
