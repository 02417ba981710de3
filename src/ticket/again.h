/* Reading the bundle of a ticket once more: all inputs that it is made of. */
#ifndef GPUDX_TICKET_AGAIN_H
#define GPUDX_TICKET_AGAIN_H

#include "bundle/bundle.h"
#include "redact/redact.h"

typedef enum gpudx_status gpudx_member_fn(void *arg, const struct gpudx_member *m,
					  struct gpudx_err *err);

/* Calls fn for each member, in the order in which they were read first. What is damaged is in the
 * case already. budget NULL: the usual one. */
GPUDX_CHECK enum gpudx_status gpudx_again(const char *const *paths, size_t npaths,
					  struct gpudx_budget *budget, gpudx_member_fn *fn,
					  void *arg, struct gpudx_err *err);

/* Appends folder and the path without its secrets and the ending of what is unpacked on the way. */
void gpudx_again_name(struct gpudx_redact *r, const char *folder, struct gpudx_sv path,
		      struct gpudx_buf *b);

#endif
