/* Tests that write files do so in a directory of their own: group set-up and tear-down. */
#ifndef GPUDX_TEST_OWN_DIR_H
#define GPUDX_TEST_OWN_DIR_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char own_dir[] = "/tmp/gpudx-test.XXXXXX";

static inline int own_dir_enter(void **state)
{
	(void)state;
	/* 0755: some tests go on as nobody. */
	return mkdtemp(own_dir) && chmod(own_dir, 0755) == 0 && chdir(own_dir) == 0 ? 0 : -1;
}

static inline int own_dir_leave(void **state)
{
	int status = -1;
	pid_t pid;

	(void)state;
	if (chdir("/") != 0)
		return -1;
	pid = fork();
	if (pid == 0) {
		execlp("rm", "rm", "-rf", own_dir, (char *)NULL);
		_exit(1);
	}
	return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0 ? 0 : -1;
}

static inline void write_file(const char *path, const void *p, size_t n)
{
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(p, 1, n, f), n);
	fclose(f);
}

#endif
