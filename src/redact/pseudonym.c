#include "redact/pseudonym.h"

#include "redact/redact.h"

#include <nettle/hmac.h>

static void mac(const unsigned char *key, struct gpudx_sv class_name, struct gpudx_sv value,
		uint8_t out[SHA256_DIGEST_SIZE])
{
	struct hmac_sha256_ctx h;

	hmac_sha256_set_key(&h, GPUDX_REDACT_KEY, key);
	hmac_sha256_update(&h, class_name.n, (const uint8_t *)class_name.p);
	hmac_sha256_update(&h, 1, (const uint8_t *)"");
	hmac_sha256_update(&h, value.n, (const uint8_t *)value.p);
	hmac_sha256_digest(&h, SHA256_DIGEST_SIZE, out);
}

/* Digits become digits and the letters of hex numbers such letters, in their case. */
static void put_shape(struct gpudx_buf *b, const uint8_t *m, struct gpudx_sv value)
{
	for (size_t i = 0, k = 0; i < value.n; i++) {
		char c = value.p[i];
		unsigned v = m[k % SHA256_DIGEST_SIZE] >> (k / SHA256_DIGEST_SIZE % 2 * 4) & 15;

		if (i < 2 && value.n > 2 && sv_starts(value, "0x")) {
			gpudx_buf_char(b, c);
			continue;
		}
		if (sv_is_digit(c))
			c = (char)('0' + v % 10);
		else if (sv_hex_value(c) >= 0)
			c = (char)((c & 0x20 ? 'a' : 'A') + (int)(v % 6));
		else
			k--;
		k++;
		gpudx_buf_char(b, c);
	}
}

void gpudx_pseudonym(struct gpudx_buf *b, enum gpudx_pseudonym_how how, const unsigned char *key,
		     struct gpudx_sv class_name, struct gpudx_sv value)
{
	uint8_t m[SHA256_DIGEST_SIZE];

	mac(key, class_name, value, m);
	switch (how) {
	case GPUDX_HOW_WORD:
		gpudx_buf_printf(b, "%.*s-%02x%02x%02x%02x", (int)class_name.n, class_name.p, m[0],
				 m[1], m[2], m[3]);
		break;
	case GPUDX_HOW_SHAPE:
		put_shape(b, m, value);
		break;
	case GPUDX_HOW_IPV4:
		gpudx_buf_printf(b, "10.%u.%u.%u", m[0], m[1], m[2]);
		break;
	case GPUDX_HOW_IPV6:
		gpudx_buf_printf(b, "fd%02x:%02x%02x:%02x%02x::%02x%02x", m[0], m[1], m[2], m[3],
				 m[4], m[5], m[6]);
		break;
	case GPUDX_HOW_REMOVE:
		gpudx_buf_printf(b, "[removed: %.*s]", (int)class_name.n, class_name.p);
		break;
	}
}
