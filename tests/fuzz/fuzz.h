/* What the fuzz targets share. A target that cannot even start aborts: that is no finding, but must
 * not look like a clean run. */
#ifndef GPUDX_FUZZ_H
#define GPUDX_FUZZ_H

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../unit/mem.h"
#include "sig/sig.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

/* What must hold for any input. */
static inline void must(int holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "fuzz: does not hold: %s\n", what);
	abort();
}

static inline void must_ok(enum gpudx_status rc, const struct gpudx_err *err)
{
	if (rc)
		must(0, err->text[0]);
}

/* Compiled once: it is only read. */
static inline struct gpudx_sigs *fuzz_sigs(void)
{
	static struct gpudx_sigs *sigs;
	struct gpudx_err err = { 0 };

	if (!sigs)
		must_ok(gpudx_sigs_load(&sigs, &err), &err);
	return sigs;
}

/* Whether all bytes of a view can be read is what the address sanitizer says. */
static inline uint64_t touch(struct gpudx_sv s)
{
	static volatile uint64_t sum;
	uint64_t h = 0;

	for (size_t i = 0; i < s.n; i++)
		h = h * 31 + (unsigned char)s.p[i];
	return sum = h;
}

/* A file of this process that holds the input, for what reads paths; made once, overwritten. */
static inline const char *fuzz_file(const uint8_t *p, size_t n)
{
	static char path[64];
	static int fd = -1;

	if (fd < 0) {
		snprintf(path, sizeof(path), "%s/gpudx-fuzz.XXXXXX",
			 access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
		fd = mkostemp(path, O_CLOEXEC);
		must(fd >= 0, "a temporary file can be made");
	}
	must(ftruncate(fd, 0) == 0 && pwrite(fd, p, n, 0) == (ssize_t)n,
	     "the temporary file can be written");
	return path;
}

#endif
