/* A database that somebody else made: refused, or read without harm. The input is the whole file
 * when it begins like one, else a list of changes to a real case database:
 *   page (1 byte), offset (2 bytes), length (1 byte, its low 4 bits), bytes;  offset 0xffff cuts
 * the file there. Run from the top of the source tree: the real one is made of samples/. */
#include "render.h"

#include "base/buf.h"

#include <sys/stat.h>

static struct gpudx_buf real = { .max = 16 << 20 };

static void make_real(void)
{
	char dir[] = "/tmp/gpudx-fuzz.XXXXXX", path[64];
	struct gpudx_err err = { 0 };
	struct gpudx_judged judged;
	struct gpudx_read read;
	struct gpudx_case *c;
	struct stat st;
	FILE *f;

	must(mkdtemp(dir) != NULL, "a temporary directory can be made");
	snprintf(path, sizeof(path), "%s/real.db", dir);
	must_ok(gpudx_case_create(path, &c, &err), &err);
	must_ok(gpudx_case_read(c, "samples/xid-after-update", &read, &err), &err);
	must_ok(gpudx_case_derive(c, read.bundle, NULL, &err), &err);
	must_ok(gpudx_case_judge(c, read.bundle, NULL, &judged, &err), &err);
	gpudx_case_close(c);
	f = fopen(path, "rb");
	must(f && fstat(fileno(f), &st) == 0 && gpudx_buf_room(&real, (size_t)st.st_size),
	     "it can be read");
	real.n = fread(real.p, 1, (size_t)st.st_size, f);
	must(real.n == (size_t)st.st_size, "it can be read whole");
	fclose(f);
	unlink(path);
	rmdir(dir);
}

enum { PAGE = 16384 };

static size_t change(char *file, size_t size, struct gpudx_sv in)
{
	while (in.n >= 4) {
		const unsigned char *p = (const unsigned char *)in.p;
		size_t offset = (size_t)p[1] | (size_t)p[2] << 8,
		       at = (size_t)p[0] * PAGE + offset % PAGE;
		size_t n = p[3] & 15;

		in = sv_from(in, 4);
		at %= size;
		if (offset == 0xffff)
			return at;
		if (n > in.n)
			n = in.n;
		if (n > size - at)
			n = size - at;
		memcpy(file + at, in.p, n);
		in = sv_from(in, n);
	}
	return size;
}

static void each_bundle(void *arg, int64_t bundle)
{
	struct gpudx_case *c = arg;
	struct gpudx_err err = { 0 };

	if (render(c, bundle, &err) == GPUDX_E_NOMEM)
		must(0, "memory is enough");
	if (gpudx_case_sources(c, bundle, touch_source, NULL, &err))
		return;
}

static void try_file(const char *path)
{
	struct gpudx_err err = { 0 };
	struct gpudx_case *c = NULL;

	if (gpudx_case_open(path, &c, &err)) {
		must(!c && err.depth > 0, "a refusal says why");
		return;
	}
	if (gpudx_case_bundles(c, each_bundle, c, &err))
		must(err.depth > 0, "a failure says why");
	gpudx_case_close(c);
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct gpudx_sv in = sv_n((const char *)p, n);
	char *file;

	if (sv_starts(in, "SQLite format 3")) {
		try_file(fuzz_file(p, n));
		return 0;
	}
	if (!real.n)
		make_real();
	file = malloc(real.n);
	must(file != NULL, "there is memory");
	memcpy(file, real.p, real.n);
	n = change(file, real.n, in);
	try_file(fuzz_file((const uint8_t *)file, n));
	free(file);
	return 0;
}
