/* Tests that write files do so in a directory of their own: group set-up and tear-down. */
#ifndef GPUDX_TEST_OWN_DIR_H
#define GPUDX_TEST_OWN_DIR_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tree.h"

static char own_dir[] = "/tmp/gpudx-test.XXXXXX";

static inline int own_dir_enter(void **state)
{
	(void)state;
	/* 0755: some tests go on as nobody. */
	return mkdtemp(own_dir) && chmod(own_dir, 0755) == 0 && chdir(own_dir) == 0 ? 0 : -1;
}

static inline int own_dir_leave(void **state)
{
	(void)state;
	return chdir("/") == 0 ? tree_remove(own_dir) : -1;
}

static inline void write_file(const char *path, const void *p, size_t n)
{
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(p, 1, n, f), n);
	fclose(f);
}

#endif
