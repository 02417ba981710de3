/* What a stream of bytes is by its magic numbers, and how it is opened. libarchive is given exactly
 * the one format or filter that the magic names; it never guesses. */
#ifndef GPUDX_CONTAINER_H
#define GPUDX_CONTAINER_H

#include "bundle/stream.h"

enum gpudx_container_kind {
	GPUDX_PLAIN,  /* a member to be read */
	GPUDX_GZIP,   /* our own loop */
	GPUDX_FILTER, /* one stream, decoded by libarchive */
	GPUDX_ARCHIVE,
	GPUDX_OPAQUE /* known, and not to be read: a picture, a core dump, a database */
};

struct gpudx_container {
	enum gpudx_container_kind kind;
	const char *name;	       /* "tar", "PNG picture" */
	int (*support)(void *archive); /* FILTER, ARCHIVE: the libarchive set-up */
	bool seeks;		       /* ARCHIVE: needs or profits from seeking */
	const char *hint;	       /* OPAQUE: what to do instead, or NULL */
};

/* A report or database that gpudx made: conclusions, not evidence. */
extern const struct gpudx_container gpudx_own_output;

/* Judges the first bytes; never NULL. */
const struct gpudx_container *gpudx_container_of(struct gpudx_sv head);

/* Opens a FILTER over src (borrowed). */
GPUDX_CHECK enum gpudx_status gpudx_filter_open(const struct gpudx_container *c,
						struct gpudx_stream *src, struct gpudx_stream **out,
						struct gpudx_err *err);

struct gpudx_archive; /* an open ARCHIVE */

struct gpudx_entry {
	struct gpudx_sv
		name; /* as in the archive: UTF-8 or raw bytes, "entry-N" when there is none */
	int64_t mtime_us, size; /* GPUDX_NO_TIME, -1 when unknown */
	const char *skip;	/* not NULL: not a file that can be read, and what it is */
};

/* fd >= 0: a seekable file (borrowed), read from its start instead of src. */
GPUDX_CHECK enum gpudx_status gpudx_archive_open(const struct gpudx_container *c,
						 struct gpudx_stream *src, int fd,
						 struct gpudx_archive **out, struct gpudx_err *err);

/* GPUDX_OK with the next entry, GPUDX_END behind the last. Damage ends it, too; its text stands in
 * gpudx_archive_damage. The entry's stream is valid until the next call. */
GPUDX_CHECK enum gpudx_status gpudx_archive_next(struct gpudx_archive *a, struct gpudx_entry *e,
						 struct gpudx_stream **data);
const char *gpudx_archive_damage(const struct gpudx_archive *a);
void gpudx_archive_close(struct gpudx_archive *a);

#endif
