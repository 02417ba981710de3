/* A byte stream that is pulled. Decoders stack: file -> gzip -> tar entry -> gzip. A stream never
 * fails: where its source is damaged it gives every byte that was good, ends, and says why. */
#ifndef GPUDX_STREAM_H
#define GPUDX_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/sv.h"
#include "bundle/digest.h"
#include "gpudx/progress.h"
#include "gpudx/status.h"

enum { GPUDX_PEEK = 1024, GPUDX_DAMAGE = 160 };

/* How much work one run may do, shared by all streams of it. What is hit stands in .hit. The limits
 * have names (limits.c, docs/security.md). */
struct gpudx_budget {
	uint64_t decoded_max; /* bytes that decoders may produce in all */
	uint64_t ratio_after; /* from this many bytes of one decoder on ... */
	uint64_t ratio_max;   /* ... at most so many bytes out for one byte in */
	uint64_t depth_max;   /* containers in containers */
	uint64_t members_max;
	uint64_t window_max; /* decoder memory that an archive may demand */
	uint64_t memory_max; /* bytes that parsers may keep of one member */
	uint64_t decoded, members;
	const char *hit;		 /* NULL, or the limit that ended something */
	struct gpudx_progress *progress; /* what counts the bytes of files, or NULL */
};

extern const struct gpudx_budget gpudx_budget_default;

/* "NAME=N" sets a limit. GPUDX_E_USAGE: there is no such one, or N is out of its bounds. */
GPUDX_CHECK enum gpudx_status gpudx_budget_set(struct gpudx_budget *b, const char *text,
					       struct gpudx_err *err);

struct gpudx_stream {
	/* At most n bytes; 0 = end. */
	size_t (*pull)(struct gpudx_stream *s, void *buf, size_t n);
	void (*close)(struct gpudx_stream *s); /* frees what the stream holds; may be NULL */
	struct gpudx_budget *budget;
	char damage[GPUDX_DAMAGE]; /* "" = none so far */
	uint64_t out;		   /* bytes delivered by pull */
	unsigned char *peeked;
	size_t peek_at, peek_n;
};

/* The first bytes without consuming them: n <= GPUDX_PEEK, fewer only at the end of the stream. */
struct gpudx_sv gpudx_stream_peek(struct gpudx_stream *s, size_t n);

/* Fills buf as far as the stream goes; short only at the end. */
size_t gpudx_stream_read(struct gpudx_stream *s, void *buf, size_t n);

/* At least one byte unless at the end; what is there without waiting for more. */
size_t gpudx_stream_some(struct gpudx_stream *s, void *buf, size_t n);

void gpudx_stream_close(struct gpudx_stream *s);
void gpudx_stream_damage(struct gpudx_stream *s, const char *fmt, ...) GPUDX_PRINTF(2, 3);

/* Accounts for n bytes that a decoder produced from in bytes. False = a limit is reached: the
 * decoder ends, and has been given its damage text. */
bool gpudx_stream_spend(struct gpudx_stream *s, size_t n, uint64_t in);

/* Counts n bytes that were read from a file. */
void gpudx_budget_read(struct gpudx_budget *b, uint64_t n);

/* A file descriptor, not owned. Pipes that are open without O_NONBLOCK may block; those with it
 * are waited for as long as somebody holds the writing end. digest may be NULL. */
struct gpudx_fd_stream {
	struct gpudx_stream base;
	int fd;
	struct gpudx_sha256 *digest;
	uint64_t raw; /* bytes read from fd */
};

void gpudx_fd_stream_init(struct gpudx_fd_stream *s, int fd, struct gpudx_budget *budget,
			  struct gpudx_sha256 *digest);

/* Reads what is left, so that the digest covers the whole file. */
void gpudx_fd_stream_drain(struct gpudx_fd_stream *s);

/* gzip of any number of members over src (borrowed): CRC checked, resynchronised behind damage. */
GPUDX_CHECK enum gpudx_status gpudx_gzip_open(struct gpudx_stream *src, struct gpudx_stream **out,
					      struct gpudx_err *err);

#endif
