#include "bundle/digest.h"

#include <stdint.h>

void gpudx_sha256_init(struct gpudx_sha256 *h)
{
	sha256_init(&h->ctx);
}

void gpudx_sha256_add(struct gpudx_sha256 *h, const void *p, size_t n)
{
	sha256_update(&h->ctx, n, p);
}

void gpudx_sha256_hex(struct gpudx_sha256 *h, char out[GPUDX_SHA256_HEX])
{
	static const char digit[] = "0123456789abcdef";
	uint8_t d[SHA256_DIGEST_SIZE];

	sha256_digest(&h->ctx, sizeof(d), d);
	for (size_t i = 0; i < sizeof(d); i++) {
		out[2 * i] = digit[d[i] >> 4];
		out[2 * i + 1] = digit[d[i] & 15];
	}
	out[2 * sizeof(d)] = '\0';
}
