/* SHA-256 of inputs as stored, by libnettle, which libarchive brings along. */
#ifndef GPUDX_DIGEST_H
#define GPUDX_DIGEST_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <nettle/sha2.h>

struct gpudx_sha256 {
	struct sha256_ctx ctx;
};

enum { GPUDX_SHA256_HEX = 65 };

void gpudx_sha256_init(struct gpudx_sha256 *h);
void gpudx_sha256_add(struct gpudx_sha256 *h, const void *p, size_t n);
/* Lower-case hex, NUL-terminated; the context is ready for the next input. */
void gpudx_sha256_hex(struct gpudx_sha256 *h, char out[GPUDX_SHA256_HEX]);

/* The digest of a seekable file, computed by a thread of its own while the file is read for its
 * content: hashing in the reader costs a kernel log a third of its speed. fd is borrowed, and its
 * offset is not touched. Small files are hashed at the end, without a thread. */
struct gpudx_file_digest {
	int fd;
	bool threaded;
	pthread_t thread;
	struct gpudx_sha256 h;
	uint64_t n; /* bytes hashed */
};

void gpudx_file_digest_start(struct gpudx_file_digest *d, int fd, uint64_t size);
/* Waits; returns how many bytes the file had. */
uint64_t gpudx_file_digest_end(struct gpudx_file_digest *d, char out[GPUDX_SHA256_HEX]);

#endif
