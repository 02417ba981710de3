/* What stands in the place of a value. */
#ifndef GPUDX_REDACT_PSEUDONYM_H
#define GPUDX_REDACT_PSEUDONYM_H

#include "base/buf.h"

enum gpudx_pseudonym_how {
	GPUDX_HOW_WORD, /* "host-3fa9c1d2" */
	GPUDX_HOW_SHAPE, /* other digits in the same places, so that readers of the format still can */
	GPUDX_HOW_IPV4,	 /* of 10.0.0.0/8 */
	GPUDX_HOW_IPV6,	 /* of fd00::/8 */
	GPUDX_HOW_REMOVE /* "[removed: password]" */
};

/* key: GPUDX_REDACT_KEY bytes. */
void gpudx_pseudonym(struct gpudx_buf *b, enum gpudx_pseudonym_how how, const unsigned char *key,
		     struct gpudx_sv class_name, struct gpudx_sv value);

#endif
