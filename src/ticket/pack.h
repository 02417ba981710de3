/* A .tar.gz that is written member by member, with the digest of each. Equal content gives equal
 * bytes. */
#ifndef GPUDX_TICKET_PACK_H
#define GPUDX_TICKET_PACK_H

#include "base/arena.h"
#include "base/buf.h"
#include "bundle/digest.h"
#include "gpudx/status.h"

struct tk_file {
	struct gpudx_sv name;
	const char *what; /* "excerpt", "redacted copy", ... */
	uint64_t bytes;
	char sha256[GPUDX_SHA256_HEX];
};

struct tk_pack {
	struct gpudx_arena *arena;
	struct archive *out;
	struct tk_file *files;
	size_t n;
};

GPUDX_CHECK enum gpudx_status gpudx_pack_open(struct tk_pack *p, const char *path,
					      struct gpudx_arena *arena, struct gpudx_err *err);
/* name comes from a bundle or from here: what would leave the directory is made harmless. */
GPUDX_CHECK enum gpudx_status gpudx_pack_add(struct tk_pack *p, struct gpudx_sv name,
					     const char *what, struct gpudx_sv content,
					     struct gpudx_err *err);
/* The same with the time of the file that it is taken from: GPUDX_NO_TIME unknown. */
GPUDX_CHECK enum gpudx_status gpudx_pack_add_from(struct tk_pack *p, struct gpudx_sv name,
						  const char *what, struct gpudx_sv content,
						  int64_t mtime_us, struct gpudx_err *err);
/* A file of the file system, byte for byte. */
GPUDX_CHECK enum gpudx_status gpudx_pack_file(struct tk_pack *p, struct gpudx_sv name,
					      const char *what, const char *path,
					      struct gpudx_err *err);
/* Closes the archive; frees always. */
GPUDX_CHECK enum gpudx_status gpudx_pack_close(struct tk_pack *p, struct gpudx_err *err);

/* Appends name with "..", empty parts, control characters and leading slashes taken out. */
void gpudx_pack_name(struct gpudx_buf *b, struct gpudx_sv name);

#endif
