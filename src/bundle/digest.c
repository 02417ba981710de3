#include "bundle/digest.h"

#include <errno.h>
#include <unistd.h>

/* Below this a thread costs more than it saves. */
enum { THREAD_FROM = 4 << 20, BLOCK = 128 << 10 };

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

static void *hash_file(void *arg)
{
	struct gpudx_file_digest *d = arg;
	unsigned char block[BLOCK];
	ssize_t got;

	while ((got = pread(d->fd, block, sizeof(block), (off_t)d->n)) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			break; /* the reader of the content meets the same error, and says so */
		gpudx_sha256_add(&d->h, block, (size_t)got);
		d->n += (uint64_t)got;
	}
	return NULL;
}

void gpudx_file_digest_start(struct gpudx_file_digest *d, int fd, uint64_t size)
{
	*d = (struct gpudx_file_digest){ .fd = fd };
	gpudx_sha256_init(&d->h);
	d->threaded = size >= THREAD_FROM && pthread_create(&d->thread, NULL, hash_file, d) == 0;
}

uint64_t gpudx_file_digest_end(struct gpudx_file_digest *d, char out[GPUDX_SHA256_HEX])
{
	if (d->threaded)
		pthread_join(d->thread, NULL);
	else
		hash_file(d);
	gpudx_sha256_hex(&d->h, out);
	return d->n;
}
