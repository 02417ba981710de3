/* What the sandbox takes away and what it leaves, each tried in a process of its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "gpudx/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "own_dir.h"

enum { CANNOT = 77 };

/* in/ may be read, out/ is where the output goes. */
static unsigned enter(void)
{
	struct gpudx_sandbox s;

	gpudx_sandbox_open(&s, false);
	gpudx_sandbox_reads(&s, "in");
	gpudx_sandbox_reads(&s, "no-such-input");
	gpudx_sandbox_writes(&s, "out/report");
	return gpudx_sandbox_enter(&s);
}

/* Runs try behind the sandbox; skips where the kernel does not have what it is about. */
static void confined(unsigned needs, int (*try)(void))
{
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0)
		_exit((enter() & needs) == needs ? try() : CANNOT);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFEXITED(status) && WEXITSTATUS(status) == CANNOT)
		skip();
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

static int can(const char *path, int flags)
{
	int fd = open(path, flags, 0600);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static int reads_and_writes(void)
{
	if (!can("in/log", O_RDONLY) || !can("/usr", O_RDONLY | O_DIRECTORY))
		return 1;
	if (can("secret", O_RDONLY) || can("/etc/passwd", O_RDONLY))
		return 2;
	if (!can("out/part", O_WRONLY | O_CREAT) || rename("out/part", "out/report") != 0)
		return 3;
	if (can("in/log", O_WRONLY) || can("in/new", O_WRONLY | O_CREAT) ||
	    can("new", O_WRONLY | O_CREAT) || unlink("in/log") == 0 || mkdir("out/d", 0700) == 0 ||
	    rename("out/report", "report") == 0 || symlink("/", "out/link") == 0)
		return 4;
	return 0;
}

static void files_are_read_where_the_input_is_and_written_where_the_output_goes(void **state)
{
	(void)state;
	confined(GPUDX_SANDBOX_FILES, reads_and_writes);
}

static void *nothing(void *arg)
{
	return arg;
}

static int calls(void)
{
	char name[] = "true", *argv[] = { name, NULL };
	pthread_t thread;
	int ends[2];
	pid_t pid;

	if (socket(AF_INET, SOCK_STREAM, 0) >= 0 || errno != EPERM)
		return 1;
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0 || pipe(ends) != 0)
		return 2;
	pid = fork();
	if (pid == 0)
		_exit(0);
	if (pid > 0 || posix_spawn(&pid, "/bin/true", NULL, NULL, argv, NULL) == 0)
		return 3;
	if (execv("/bin/true", argv) == 0 || errno != EPERM)
		return 4;
	if (pthread_create(&thread, NULL, nothing, NULL) != 0)
		return 5;
	return pthread_join(thread, NULL);
}

static void no_socket_and_no_program_but_threads(void **state)
{
	(void)state;
	confined(GPUDX_SANDBOX_CALLS, calls);
}

static int prepare(void **state)
{
	if (own_dir_enter(state) || mkdir("in", 0700) || mkdir("out", 0700))
		return -1;
	write_file("in/log", "x\n", 2);
	write_file("secret", "x\n", 2);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			files_are_read_where_the_input_is_and_written_where_the_output_goes),
		cmocka_unit_test(no_socket_and_no_program_but_threads),
	};

	return cmocka_run_group_tests_name("sandbox", tests, prepare, own_dir_leave);
}
