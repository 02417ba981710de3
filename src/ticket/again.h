/* Reading the bundle of a ticket once more: all inputs that it is made of. */
#ifndef GPUDX_TICKET_AGAIN_H
#define GPUDX_TICKET_AGAIN_H

#include "bundle/bundle.h"
#include "redact/redact.h"

/* What a bundle was read from, and how much work that may cause. */
struct tk_from {
	const char *const *paths;
	size_t npaths;
	const struct gpudx_budget *limits;
};

typedef enum gpudx_status gpudx_member_fn(void *arg, const struct gpudx_member *m,
					  struct gpudx_err *err);

/* Calls fn for each member, in the order in which they were read first. What is damaged is in the
 * case already. *left, unless it is NULL, is what is left of the limits, and says what was hit. */
GPUDX_CHECK enum gpudx_status gpudx_again(const struct tk_from *from, struct gpudx_budget *left,
					  gpudx_member_fn *fn, void *arg, struct gpudx_err *err);

/* Appends folder and the path without its secrets and the ending of what is unpacked on the way. */
void gpudx_again_name(struct gpudx_redact *r, const char *folder, struct gpudx_sv path,
		      struct gpudx_buf *b);

#endif
