/* SHA-256 of inputs as stored, by libnettle, which libarchive brings along. */
#ifndef GPUDX_DIGEST_H
#define GPUDX_DIGEST_H

#include <stddef.h>

#include <nettle/sha2.h>

struct gpudx_sha256 {
	struct sha256_ctx ctx;
};

enum { GPUDX_SHA256_HEX = 65 };

void gpudx_sha256_init(struct gpudx_sha256 *h);
void gpudx_sha256_add(struct gpudx_sha256 *h, const void *p, size_t n);
/* Lower-case hex, NUL-terminated; the context is ready for the next input. */
void gpudx_sha256_hex(struct gpudx_sha256 *h, char out[GPUDX_SHA256_HEX]);

#endif
