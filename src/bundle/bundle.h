/* An incident bundle becomes members: a directory, an archive in any nesting, a file or stdin.
 * Nothing is extracted; no name of a member ever reaches the file system. */
#ifndef GPUDX_BUNDLE_H
#define GPUDX_BUNDLE_H

#include "bundle/stream.h"

struct gpudx_member {
	struct gpudx_sv path;	     /* inside the bundle; bytes as found, may be anything */
	struct gpudx_stream *stream; /* NULL when skip is set */
	int64_t mtime_us;	     /* GPUDX_NO_TIME unknown */
	const char *skip;	     /* not NULL: listed only, and what it is ("named pipe") */
	const char *hint;	     /* with skip: what would make it readable, or NULL */
	bool outermost; /* a file of the bundle as stored, not an entry of an archive */
};

/* What the walk calls. A status other than GPUDX_OK ends the walk and is returned by it. */
struct gpudx_visitor {
	void *arg;
	/* The stream is valid until return; what is left unread is thrown away. */
	enum gpudx_status (*member)(void *arg, const struct gpudx_member *m, struct gpudx_err *err);
	/* Something could not be read or was cut off: path and one sentence. */
	void (*damage)(void *arg, struct gpudx_sv path, const char *what);
	/* After an outermost file was read whole: its SHA-256 as stored (hex), its size. */
	void (*stored)(void *arg, struct gpudx_sv path, const char *sha256, uint64_t bytes);
	/* Of several inputs, after each: how its paths begin ("1-before"), and its digest. NULL: not
	 * asked for. */
	void (*input)(void *arg, struct gpudx_sv name, const char *sha256);
};

struct gpudx_bundle_result {
	char digest[GPUDX_SHA256_HEX]; /* of the file as stored; of a directory over sorted path,
					  size and digest of its files; of several inputs over
					  name and digest of each */
	bool directory;
	uint64_t members; /* offered to the visitor, readable or not */
	uint64_t raw;	  /* bytes read from files */
};

/* Walks what is at paths; "-" is stdin. GPUDX_E_USAGE when there is no such path, GPUDX_E_INPUT when it is
 * there and cannot be read at all. *budget is counted down and says what was hit.
 *
 * Several become one bundle: what was collected before and after something, in the order of time. The
 * members of each stand below its number and base name: "1-before/dmesg.txt",
 * "2-after.tar.gz/dmesg.txt". */
GPUDX_CHECK enum gpudx_status gpudx_bundle_walk(const char *const *paths, size_t npaths,
						struct gpudx_budget *budget,
						const struct gpudx_visitor *v,
						struct gpudx_bundle_result *res,
						struct gpudx_err *err);

/* How reports call the bundle: the base name, "stdin" for "-". Borrows from path. */
struct gpudx_sv gpudx_bundle_label(const char *path);

#endif
