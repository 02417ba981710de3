#include "bundle/stream.h"

#include "base/oom.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct gpudx_budget gpudx_budget_default = {
	.decoded_max = UINT64_C(64) << 30,
	.ratio_after = UINT64_C(256) << 20,
	.ratio_max = 250,
	.depth_max = 8,
	.members_max = 1000000,
	.window_max = UINT64_C(160) << 20,
	.memory_max = UINT64_C(16) << 20,
};

size_t gpudx_stream_some(struct gpudx_stream *s, void *buf, size_t n)
{
	size_t have = s->peek_n - s->peek_at, got;

	if (have) {
		if (n > have)
			n = have;
		memcpy(buf, s->peeked + s->peek_at, n);
		s->peek_at += n;
		return n;
	}
	got = s->pull(s, buf, n);
	s->out += got;
	return got;
}

size_t gpudx_stream_read(struct gpudx_stream *s, void *buf, size_t n)
{
	size_t have = 0, got;

	while (have < n && (got = gpudx_stream_some(s, (char *)buf + have, n - have)) > 0)
		have += got;
	return have;
}

struct gpudx_sv gpudx_stream_peek(struct gpudx_stream *s, size_t n)
{
	size_t have = s->peek_n - s->peek_at, got;

	if (!s->peeked)
		s->peeked = malloc(GPUDX_PEEK);
	if (!s->peeked) {
		gpudx_oom_note(); /* it is not empty */
		return sv_n("", 0);
	}
	if (n > GPUDX_PEEK)
		n = GPUDX_PEEK;
	if (have < n && s->peek_at) {
		memmove(s->peeked, s->peeked + s->peek_at, have);
		s->peek_at = 0;
		s->peek_n = have;
	}
	while (s->peek_n < n &&
	       (got = s->pull(s, s->peeked + s->peek_n, GPUDX_PEEK - s->peek_n)) > 0) {
		s->out += got;
		s->peek_n += got;
	}
	have = s->peek_n - s->peek_at;
	return sv_n((const char *)s->peeked + s->peek_at, have < n ? have : n);
}

void gpudx_stream_close(struct gpudx_stream *s)
{
	free(s->peeked);
	s->peeked = NULL;
	if (s->close)
		s->close(s);
}

void gpudx_stream_damage(struct gpudx_stream *s, const char *fmt, ...)
{
	va_list ap;

	if (s->damage[0])
		return;
	va_start(ap, fmt);
	vsnprintf(s->damage, sizeof(s->damage), fmt, ap);
	va_end(ap);
}

bool gpudx_stream_spend(struct gpudx_stream *s, size_t n, uint64_t in)
{
	struct gpudx_budget *b = s->budget;
	uint64_t out = s->out + n;

	b->decoded += n;
	if (b->decoded > b->decoded_max)
		b->hit = "more than the allowed amount of decoded data";
	else if (out > b->ratio_after && out / b->ratio_max > in)
		b->hit = "compressed far beyond what logs reach (archive bomb?)";
	else
		return true;
	gpudx_stream_damage(s, "limit: %s", b->hit);
	return false;
}

void gpudx_budget_read(struct gpudx_budget *b, uint64_t n)
{
	if (b->progress)
		atomic_fetch_add_explicit(&b->progress->bytes, n, memory_order_relaxed);
}

/* Waits for a non-blocking pipe that still has a writer. */
static bool fd_wait(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	while (poll(&p, 1, -1) < 0)
		if (errno != EINTR)
			return false;
	return true;
}

static size_t fd_pull(struct gpudx_stream *base, void *buf, size_t n)
{
	struct gpudx_fd_stream *s = (struct gpudx_fd_stream *)base;
	ssize_t got;

	do {
		got = read(s->fd, buf, n);
	} while (got < 0 && (errno == EINTR || (errno == EAGAIN && fd_wait(s->fd))));
	if (got < 0) {
		gpudx_stream_damage(base, "read error: %s", strerror(errno));
		return 0;
	}
	if (s->digest)
		gpudx_sha256_add(s->digest, buf, (size_t)got);
	s->raw += (uint64_t)got;
	gpudx_budget_read(base->budget, (uint64_t)got);
	return (size_t)got;
}

void gpudx_fd_stream_init(struct gpudx_fd_stream *s, int fd, struct gpudx_budget *budget,
			  struct gpudx_sha256 *digest)
{
	*s = (struct gpudx_fd_stream){ .base = { .pull = fd_pull, .budget = budget },
				       .fd = fd,
				       .digest = digest };
}

void gpudx_fd_stream_drain(struct gpudx_fd_stream *s)
{
	char buf[16384];

	while (s->base.pull(&s->base, buf, sizeof(buf)) > 0)
		continue;
}
