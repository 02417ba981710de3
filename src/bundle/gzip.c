/* gzip as bug reports write it: hundreds of members in one file, half of them empty, often cut.
 * libarchive and gzread stop at the first fault; here every byte in front of one is delivered, and
 * the search goes on for the next member (1f 8b 08) behind it. */
#include "bundle/stream.h"

#include <stdlib.h>
#include <string.h>

#include <zlib.h>

enum { IN_SIZE = 1 << 16 };

enum gzip_state {
	AT_MEMBER, /* a member should begin here */
	IN_MEMBER,
	LOST, /* behind damage: look for the next member */
	DONE
};

struct gzip_stream {
	struct gpudx_stream base;
	struct gpudx_stream *src;
	z_stream z;
	enum gzip_state state;
	uint64_t in, members;
	bool src_end;
	unsigned char buf[IN_SIZE];
};

/* Keeps what is unread and fills up behind it; false when nothing more came. */
static bool gzip_fill(struct gzip_stream *g)
{
	size_t got;

	if (g->src_end)
		return false;
	memmove(g->buf, g->z.next_in, g->z.avail_in);
	g->z.next_in = g->buf;
	got = gpudx_stream_some(g->src, g->buf + g->z.avail_in, IN_SIZE - g->z.avail_in);
	g->src_end = got == 0;
	g->in += got;
	g->z.avail_in += (uInt)got;
	return got > 0;
}

static bool gzip_magic(const unsigned char *p)
{
	return p[0] == 0x1f && p[1] == 0x8b && p[2] == 0x08;
}

static void gzip_skip(struct gzip_stream *g, uInt n)
{
	g->z.next_in += n;
	g->z.avail_in -= n;
}

/* Trailing zeros and other filling behind the last member are allowed and are no damage. */
static bool gzip_only_filling(struct gzip_stream *g)
{
	for (;;) {
		while (g->z.avail_in && *g->z.next_in == 0)
			gzip_skip(g, 1);
		if (g->z.avail_in)
			return false;
		if (!gzip_fill(g))
			return true;
	}
}

static void gzip_begin(struct gzip_stream *g)
{
	while (g->z.avail_in < 3 && gzip_fill(g))
		continue;
	if (g->z.avail_in >= 3 && gzip_magic(g->z.next_in)) {
		inflateReset(&g->z);
		g->members++;
		g->state = IN_MEMBER;
	} else if (gzip_only_filling(g)) {
		g->state = DONE;
	} else {
		gpudx_stream_damage(&g->base, "gzip: data behind member %llu is not gzip",
				    (unsigned long long)g->members);
		g->state = LOST;
	}
}

static void gzip_search(struct gzip_stream *g)
{
	for (;;) {
		while (g->z.avail_in >= 3) {
			if (gzip_magic(g->z.next_in)) {
				g->state = AT_MEMBER;
				return;
			}
			gzip_skip(g, 1);
		}
		if (!gzip_fill(g)) {
			g->state = DONE;
			return;
		}
	}
}

/* What zlib says of a member that ended other than well. */
static void gzip_fault(struct gzip_stream *g, int rc)
{
	if (rc == Z_BUF_ERROR)
		gpudx_stream_damage(&g->base, "gzip: cut short inside member %llu",
				    (unsigned long long)g->members);
	else
		gpudx_stream_damage(&g->base, "gzip: member %llu is damaged (%s)",
				    (unsigned long long)g->members, g->z.msg ? g->z.msg : "data error");
	g->state = rc == Z_BUF_ERROR ? DONE : LOST;
	/* The magic of the broken member itself must not be found again. */
	if (g->state == LOST && g->z.avail_in)
		gzip_skip(g, 1);
}

static size_t gzip_inflate(struct gzip_stream *g, void *buf, size_t n)
{
	int rc;

	g->z.next_out = buf;
	g->z.avail_out = (uInt)n;
	do {
		if (!g->z.avail_in)
			gzip_fill(g);
		rc = inflate(&g->z, Z_NO_FLUSH);
	} while (rc == Z_OK && g->z.avail_out == n && !(g->src_end && !g->z.avail_in));
	n -= g->z.avail_out;
	if (rc == Z_STREAM_END)
		g->state = AT_MEMBER;
	else if (rc != Z_OK)
		gzip_fault(g, rc);
	else if (g->src_end && !g->z.avail_in && !n)
		gzip_fault(g, Z_BUF_ERROR);
	return n;
}

static size_t gzip_pull(struct gpudx_stream *base, void *buf, size_t n)
{
	struct gzip_stream *g = (struct gzip_stream *)base;
	size_t got = 0;

	if (n > 1u << 30)
		n = 1u << 30;
	while (!got && g->state != DONE) {
		if (g->state == AT_MEMBER)
			gzip_begin(g);
		else if (g->state == LOST)
			gzip_search(g);
		else
			got = gzip_inflate(g, buf, n);
	}
	if (got && !gpudx_stream_spend(base, got, g->in))
		g->state = DONE;
	return got;
}

static void gzip_close(struct gpudx_stream *base)
{
	struct gzip_stream *g = (struct gzip_stream *)base;

	inflateEnd(&g->z);
	free(g);
}

enum gpudx_status gpudx_gzip_open(struct gpudx_stream *src, struct gpudx_stream **out,
				  struct gpudx_err *err)
{
	struct gzip_stream *g = calloc(1, sizeof(*g));

	if (!g)
		return gpudx_fail(err, GPUDX_E_NOMEM, "out of memory");
	g->base = (struct gpudx_stream){ .pull = gzip_pull, .close = gzip_close, .budget = src->budget };
	g->src = src;
	g->z.next_in = g->buf;
	if (inflateInit2(&g->z, 15 + 16) != Z_OK) {
		free(g);
		return gpudx_fail(err, GPUDX_E_NOMEM, "out of memory");
	}
	*out = &g->base;
	return GPUDX_OK;
}
