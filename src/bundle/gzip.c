/* gzip as bug reports write it: hundreds of members in one file, half of them empty, often cut.
 * libarchive and gzread stop at the first fault; here every byte in front of one is delivered, and
 * the search goes on for the next member (1f 8b 08) behind it. */
#include "bundle/stream.h"

#include "base/oom.h"

#include <stdlib.h>
#include <string.h>

#include <zlib.h>

/* BACK: how far behind a fault the next member is looked for. Where a member is cut and another one
 * follows, zlib takes the bytes of the second for those of the first until it finds a
 * contradiction. */
enum { IN_SIZE = 1 << 16, BACK = 1 << 15, BACK_COST = 1 << 20 };

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
	uint64_t in, members, went_back;
	size_t own; /* where in buf the member at hand begins, or what is kept of it */
	bool src_end;
	unsigned char buf[BACK + IN_SIZE];
};

/* Where in buf that begins which must be kept: what is unread and, inside a member, up to BACK
 * bytes of it before. */
static size_t gzip_kept(const struct gzip_stream *g)
{
	size_t at = (size_t)(g->z.next_in - g->buf);

	if (g->state != IN_MEMBER)
		return at;
	return at > g->own + BACK ? at - BACK : g->own;
}

/* Fills up behind what is kept; false when nothing more came. */
static bool gzip_fill(struct gzip_stream *g)
{
	size_t kept = gzip_kept(g), before = (size_t)(g->z.next_in - g->buf) - kept, got, have;

	if (g->src_end)
		return false;
	have = before + g->z.avail_in;
	memmove(g->buf, g->buf + kept, have);
	g->own = 0;
	g->z.next_in = g->buf + before;
	got = gpudx_stream_some(g->src, g->buf + have, sizeof(g->buf) - have);
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
		g->own = (size_t)(g->z.next_in - g->buf);
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

/* Sets the search for the next member back to shortly behind the start of the broken one; its own
 * magic is not found again. What may be searched twice is limited: a file may be all magic. */
static void gzip_go_back(struct gzip_stream *g)
{
	size_t at = (size_t)(g->z.next_in - g->buf), from = gzip_kept(g);
	uint64_t done = g->in - g->z.avail_in;

	if (from == g->own && from < at)
		from++;
	if (g->went_back + (at - from) > done / 4 + BACK_COST)
		return;
	g->went_back += at - from;
	g->z.next_in = g->buf + from;
	g->z.avail_in += (uInt)(at - from);
}

/* What zlib says of a member that ended other than well. */
static void gzip_fault(struct gzip_stream *g, int rc)
{
	if (rc == Z_MEM_ERROR)
		gpudx_oom_note(); /* the file is not to blame */
	if (rc == Z_BUF_ERROR)
		gpudx_stream_damage(&g->base, "gzip: cut short inside member %llu",
				    (unsigned long long)g->members);
	else
		gpudx_stream_damage(&g->base, "gzip: member %llu is damaged (%s)",
				    (unsigned long long)g->members,
				    g->z.msg ? g->z.msg : "data error");
	gzip_go_back(g);
	g->state = LOST;
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
		return gpudx_nomem(err);
	g->base = (struct gpudx_stream){ .pull = gzip_pull,
					 .close = gzip_close,
					 .budget = src->budget };
	g->src = src;
	g->z.next_in = g->buf;
	if (inflateInit2(&g->z, 15 + 16) != Z_OK) {
		free(g);
		return gpudx_nomem(err);
	}
	*out = &g->base;
	return GPUDX_OK;
}
