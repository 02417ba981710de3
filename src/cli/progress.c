#include "progress.h"

#include <fts.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { FIRST_MS = 1000, EACH_MS = 250, SHOWN = 160, FIRST_BYTES = 1 << 20 };

/* 0 = nobody knows, as of a pipe. */
static uint64_t size_of(const char *path)
{
	char *const roots[] = { (char *)(uintptr_t)path, NULL };
	uint64_t total = 0;
	FTSENT *e;
	FTS *fts;

	if (strcmp(path, "-") == 0)
		return 0;
	fts = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	while (fts && (e = fts_read(fts)) != NULL)
		if (e->fts_info == FTS_F)
			total += (uint64_t)e->fts_statp->st_size;
	if (fts)
		fts_close(fts);
	return total;
}

/* What there is to read; 0 when nobody knows of a part of it. */
static uint64_t size_of_all(const struct progress *p)
{
	uint64_t total = 0;

	for (size_t i = 0; i < p->npaths; i++) {
		uint64_t size = size_of(p->paths[i]);

		if (!size)
			return 0;
		total += size;
	}
	return total;
}

/* "412 MB": three digits are enough to see it move. */
static void say_bytes(char *buf, size_t n, double bytes)
{
	static const char *const units[] = { "B", "kB", "MB", "GB", "TB" };
	size_t u = 0;

	while (bytes >= 999.5 && u + 1 < sizeof(units) / sizeof(units[0])) {
		bytes /= 1000;
		u++;
	}
	snprintf(buf, n, "%.*f %s", u && bytes < 99.5 ? 1 : 0, bytes, units[u]);
}

static void say_left(char *buf, size_t n, double seconds)
{
	if (seconds < 90)
		snprintf(buf, n, ", %.0f s left", seconds < 1 ? 1 : seconds);
	else
		snprintf(buf, n, ", %.0f min left", seconds / 60);
}

static void say_reading(char *line, size_t n, double done, double total, double seconds)
{
	char read[24], all[32] = "", rate[24], left[32] = "";

	if (total > 0 && done > total)
		done = total;
	say_bytes(read, sizeof(read), done);
	say_bytes(rate, sizeof(rate), done / seconds);
	if (total > 0) {
		memcpy(all, " of ", sizeof(" of "));
		say_bytes(all + 4, sizeof(all) - 4, total);
	}
	/* Of the first bytes alone nobody can tell how long the rest takes. */
	if (total > 0 && done >= FIRST_BYTES)
		say_left(left, sizeof(left), (total - done) * seconds / done);
	snprintf(line, n, "reading, %s%s, %s/s%s", read, all, rate, left);
}

static double seconds_since(const struct timespec *t0)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - t0->tv_sec) + (double)(now.tv_nsec - t0->tv_nsec) / 1e9;
}

/* The cursor goes back to the line's begin: whatever comes next writes over it. */
static void show(struct progress *p, const struct timespec *t0, uint64_t total)
{
	const char *doing = atomic_load(&p->doing);
	char line[SHOWN];

	if (doing)
		snprintf(line, sizeof(line), "%s, %.0f s", doing, seconds_since(t0));
	else
		say_reading(line, sizeof(line), (double)atomic_load(&p->read.bytes), (double)total,
			    seconds_since(t0));
	fprintf(stderr, "gpudx: %s\033[K\r", line);
}

static struct timespec later(int ms)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	t.tv_nsec += (long)(ms % 1000) * 1000000;
	t.tv_sec += ms / 1000 + t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	return t;
}

/* True when the work ended before that. */
static bool ends_within(struct progress *p, int ms)
{
	struct timespec until = later(ms);
	bool stop;

	pthread_mutex_lock(&p->lock);
	while (!p->stop && pthread_cond_timedwait(&p->stopped, &p->lock, &until) == 0)
		continue;
	stop = p->stop;
	pthread_mutex_unlock(&p->lock);
	return stop;
}

static void *watch(void *arg)
{
	struct progress *p = arg;
	struct timespec t0;
	uint64_t total;

	clock_gettime(CLOCK_MONOTONIC, &t0);
	if (ends_within(p, FIRST_MS))
		return NULL;
	total = size_of_all(p);
	do {
		show(p, &t0, total);
	} while (!ends_within(p, EACH_MS));
	fputs("\033[K", stderr);
	return NULL;
}

/* Signals are for the thread that works. */
static bool start_thread(struct progress *p)
{
	sigset_t all, was;
	bool ok;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &was);
	ok = pthread_create(&p->thread, NULL, watch, p) == 0;
	pthread_sigmask(SIG_SETMASK, &was, NULL);
	return ok;
}

void progress_start(struct progress *p, struct gpudx_case *c, const char *const *paths,
		    size_t npaths)
{
	pthread_condattr_t clock;

	*p = (struct progress){ .c = c, .paths = paths, .npaths = npaths };
	if (!isatty(STDERR_FILENO))
		return;
	pthread_condattr_init(&clock);
	pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->stopped, &clock);
	pthread_condattr_destroy(&clock);
	p->on = start_thread(p);
	if (p->on)
		gpudx_case_watch(c, &p->read);
}

void progress_doing(struct progress *p, const char *what)
{
	atomic_store(&p->doing, what);
}

void progress_stop(struct progress *p)
{
	if (!p->on)
		return;
	gpudx_case_watch(p->c, NULL);
	pthread_mutex_lock(&p->lock);
	p->stop = true;
	pthread_cond_signal(&p->stopped);
	pthread_mutex_unlock(&p->lock);
	pthread_join(p->thread, NULL);
	pthread_cond_destroy(&p->stopped);
	pthread_mutex_destroy(&p->lock);
	p->on = false;
}

enum gpudx_status progress_read(struct gpudx_case *c, const char *path, struct gpudx_read *out,
				struct gpudx_err *err)
{
	return progress_read_all(c, &path, 1, out, err);
}

enum gpudx_status progress_read_all(struct gpudx_case *c, const char *const *paths, size_t npaths,
				    struct gpudx_read *out, struct gpudx_err *err)
{
	enum gpudx_status rc;
	struct progress p;

	progress_start(&p, c, paths, npaths);
	rc = gpudx_case_read_all(c, paths, npaths, out, err);
	progress_stop(&p);
	return rc;
}
